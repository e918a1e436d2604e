/* A program with all functions of the CUDA runtime in it, as nvcc links by
 * default, but made by hand: those in it only say that they were called. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static void called(const char *name)
{
  printf("%s: the program's own function was called\n", name);
  exit(3);
}

/* Each has space for a jump. */
#define EXPORT(name)                                                           \
  __attribute__((noinline, used, aligned(32))) void name(void)                 \
  {                                                                            \
    called(#name);                                                             \
  }
#include "runtime/exports.def"
#undef EXPORT

/* The section by which it is known to have kernels. */
__attribute__((section(".nv_fatbin"), used)) static const char kernels[8];

typedef int copy_2d(void *to, size_t to_pitch, const void *from,
                    size_t from_pitch, size_t width, size_t height, int kind);
typedef int copy(void *to, const void *from, size_t bytes, int kind);
typedef int allocate(void **pointer, size_t bytes);
typedef int ask(int *number);

enum { HOST_TO_HOST, HOST_TO_DEVICE, DEVICE_TO_HOST };

/* The compiler must not know what it calls. */
#define CALL(type, name) ((type *)*(void *volatile *)&(void *){ (void *)name })

static void need(int condition, const char *what)
{
  if (condition)
    return;
  printf("not as expected: %s\n", what);
  exit(1);
}

int main(void)
{
  char from[2][8] = { "abcdefg", "hijklmn" }, to[2][4] = { { 0 } };
  int version = 0;
  void *there;

  /* The first call loads the library and must leave all arguments as they are. */
  need(CALL(copy_2d, cudaMemcpy2D)(to, sizeof to[0], from, sizeof from[0], 3, 2,
                                   HOST_TO_HOST) == 0,
       "cudaMemcpy2D's result");
  need(memcmp(to, "abc\0hij", 8) == 0, "what cudaMemcpy2D copies");
  need(CALL(ask, cudaRuntimeGetVersion)(&version) == 0 && version / 1000 == 13,
       "the version of the runtime");
  need(CALL(allocate, cudaMalloc)(&there, 8) == 0, "cudaMalloc's result");
  need(CALL(copy, cudaMemcpy)(there, from[1], 8, HOST_TO_DEVICE) == 0 &&
           CALL(copy, cudaMemcpy)(from[0], there, 8, DEVICE_TO_HOST) == 0,
       "cudaMemcpy's result");
  need(strcmp(from[0], "hijklmn") == 0, "what was copied to the device");
  return 0;
}
