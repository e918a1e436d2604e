/* A backtrace() with a frame of its own before the caller's, as that of a
 * sanitizer: a search for the program's frame has to pass over both. */
#define _GNU_SOURCE 1 /* RTLD_NEXT */
#include <dlfcn.h>
#include <execinfo.h>

int backtrace(void **frame, int most)
{
  union {
    void *symbol;
    int (*function)(void **, int);
  } plain = { dlsym(RTLD_NEXT, "backtrace") };
  int n = plain.function(frame, most);

  return n < 0 ? 0 : n; /* no tail call, which would leave no frame */
}
