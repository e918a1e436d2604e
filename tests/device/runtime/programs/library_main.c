/* Uses a library with kernels: one that it is linked with, or, given a file, one
 * that it opens. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

extern float scaled_sum(void) __attribute__((weak));

int main(int argc, char **argv)
{
  float (*sum)(void) = scaled_sum;
  if (argc > 1) {
    void *library = dlopen(argv[1], RTLD_NOW);
    void *found = library == NULL ? NULL : dlsym(library, "scaled_sum");
    memcpy(&sum, &found, sizeof sum);
  }
  if (sum == NULL)
    return 1;
  float result = sum();
  puts(result == 992 ? "all right" : "wrong");
  return result != 992;
}
