/* malloc and its relatives with one way to fail. */
#include "host_memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Not exit(): the report at the end of the process would need memory, and
 * other threads may hold its locks. */
_Noreturn void host_out_of_memory(void)
{
  fputs("softdevice: out of host memory, the process ends here\n", stderr);
  _Exit(EXIT_FAILURE);
}

static void *require(void *allocated)
{
  if (allocated == NULL)
    host_out_of_memory();
  return allocated;
}

/* calloc(0, 1) may return NULL, which would look like a failure. */
static size_t at_least_one(size_t bytes) { return bytes == 0 ? 1 : bytes; }

static bool overflows(size_t n, size_t bytes)
{
  return bytes != 0 && n > SIZE_MAX / bytes;
}

/* A sanitizer would stop at a calloc that overflows. */
void *host_try_new(size_t n, size_t bytes)
{
  if (overflows(n, bytes))
    return NULL;
  return calloc(at_least_one(n), at_least_one(bytes));
}

void *host_new(size_t n, size_t bytes)
{
  return require(host_try_new(n, bytes));
}

void *host_take_aligned(size_t alignment, size_t bytes)
{
  if (bytes > SIZE_MAX - alignment)
    host_out_of_memory();
  bytes = (at_least_one(bytes) + alignment - 1) & ~(alignment - 1);
  return require(aligned_alloc(alignment, bytes));
}

void *host_new_aligned(size_t alignment, size_t bytes)
{
  return memset(host_take_aligned(alignment, bytes), 0, bytes);
}

void *host_try_grow(void *old, size_t n, size_t bytes)
{
  if (overflows(n, bytes))
    return NULL;
  return realloc(old, at_least_one(n * bytes));
}

void *host_grow(void *old, size_t n, size_t bytes)
{
  return require(host_try_grow(old, n, bytes));
}

char *host_try_copy(const char *text)
{
  size_t bytes = strlen(text) + 1;
  char *copy = host_try_new(bytes, 1);

  return copy != NULL ? memcpy(copy, text, bytes) : NULL;
}

char *host_copy(const char *text) { return require(host_try_copy(text)); }

void host_keep_freed(void)
{
#ifdef __GLIBC__
  /* Once one of these is set, the other one no longer adapts by itself. */
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
#endif
}
