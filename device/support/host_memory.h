/* Host memory for the device's own data. What a program asks the device for is
 * elsewhere, in memory/.
 *
 * There are two ways to run out of it. A call of the CUDA APIs can answer
 * cudaErrorMemoryAllocation, so it uses the functions with `try` in their
 * name, which return NULL. In the middle of a launch no answer is left: the
 * other functions say so on stderr and end the process. New memory is zeroed
 * unless it says otherwise. Everything is given back with free(). */
#ifndef DEVICE_SUPPORT_HOST_MEMORY_H
#define DEVICE_SUPPORT_HOST_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void *host_new(size_t n, size_t bytes);
void *host_try_new(size_t n, size_t bytes);

/* Begins at a multiple of `alignment`, which is a power of two. The second one
 * isn't zeroed, so that parts of it that are never used cost nothing. */
void *host_new_aligned(size_t alignment, size_t bytes);
void *host_take_aligned(size_t alignment, size_t bytes);

/* `old` with space for `n` items of `bytes` bytes; what is added isn't zeroed.
 * If the `try` variant returns NULL, `old` is as it was. */
void *host_grow(void *old, size_t n, size_t bytes);
void *host_try_grow(void *old, size_t n, size_t bytes);

char *host_copy(const char *text);
char *host_try_copy(const char *text);

/* Each launch allocates its blocks and warps anew. By itself, glibc returns such
 * pieces to the system one by one, which then clears their pages again: where
 * kernels are short, that takes longer than the kernels. */
void host_keep_freed(void);

/* Can memory of the host be at that address? x86-64 gives programs 47 bits of
 * addresses, arm64 up to 48; both give more only to programs that ask for it
 * (Linux, Documentation/arch/x86/x86_64/5level-paging.rst and
 * Documentation/arch/arm64/memory.rst). Near zero there is never any. */
static inline bool host_can_address(uint64_t address)
{
#ifdef __aarch64__
  enum { BITS = 48 };
#else
  enum { BITS = 47 };
#endif
  return address >= 4096 && address >> BITS == 0;
}

/* For what other functions allocate, such as open_memstream. */
_Noreturn void host_out_of_memory(void);

#endif
