/* Clocks, traps, sleep, printf, assert, malloc, address spaces: what device
 * code asks of the machine. In the order of the CUDA C++ Programming Guide. */
#ifndef SOFTDEVICE_SYSTEM_H
#define SOFTDEVICE_SYSTEM_H

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- time ---------------------------------------------------------------- */

SOFTDEVICE_CALL clock_t clock()
{
  int ticks;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(ticks)::"memory");
  return (clock_t)ticks;
}
SOFTDEVICE_CALL long long clock64()
{
  long long ticks;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(ticks)::"memory");
  return ticks;
}
SOFTDEVICE_CALL void __nanosleep(unsigned int nanoseconds)
{
  asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds));
}

/* --- where an address is ------------------------------------------------- */

#define SOFTDEVICE_SPACE(name, space)                                          \
  SOFTDEVICE_CALL unsigned int __is##name(const void *address)                 \
  {                                                                            \
    unsigned int is;                                                           \
    asm("{ .reg .pred p; isspacep." #space " p, %1; selp.u32 %0, 1, 0, p; }"   \
        : "=r"(is)                                                             \
        : "l"(address));                                                       \
    return is;                                                                 \
  }                                                                            \
  SOFTDEVICE_CALL size_t __cvta_generic_to_##space(const void *address)        \
  {                                                                            \
    size_t at;                                                                 \
    asm("cvta.to." #space ".u64 %0, %1;" : "=l"(at) : "l"(address));           \
    return at;                                                                 \
  }                                                                            \
  SOFTDEVICE_CALL void *__cvta_##space##_to_generic(size_t at)                 \
  {                                                                            \
    void *address;                                                             \
    asm("cvta." #space ".u64 %0, %1;" : "=l"(address) : "l"(at));              \
    return address;                                                            \
  }

SOFTDEVICE_SPACE(Global, global)
SOFTDEVICE_SPACE(Shared, shared)
SOFTDEVICE_SPACE(Constant, const)
SOFTDEVICE_SPACE(Local, local)

#undef SOFTDEVICE_SPACE

SOFTDEVICE_CALL size_t __cvta_generic_to_constant(const void *address)
{
  return __cvta_generic_to_const(address);
}
SOFTDEVICE_CALL void *__cvta_constant_to_generic(size_t at)
{
  return __cvta_const_to_generic(at);
}

/* --- the end of a thread, output, memory --------------------------------- */

SOFTDEVICE_CALL void __trap() { asm volatile("trap;"); }
SOFTDEVICE_CALL void __brkpt() { asm volatile("brkpt;"); }

extern "C" {
/* printf: clang packs the arguments as vprintf wants them. */
__device__ int vprintf(const char *format, void *arguments);
__device__ int printf(const char *format, ...);

/* What assert calls, by the C library's name and by the device's. */
__device__ void __assertfail(const char *text, const char *file,
                             unsigned int line, const char *function,
                             size_t bytes_of_a_character);
__device__ static inline void __assert_fail(const char *text, const char *file,
                                            unsigned int line,
                                            const char *function)
{
  __assertfail(text, file, line, function, sizeof(char));
}

__device__ void *malloc(size_t bytes);
__device__ void free(void *address);

/* Of a graph's kernel: what its conditional node does next. */
__device__ void cudaGraphSetConditional(cudaGraphConditionalHandle handle,
                                        unsigned int value);
}

SOFTDEVICE_CALL void *memcpy(void *to, const void *from, size_t n)
{
  return __builtin_memcpy(to, from, n);
}
SOFTDEVICE_CALL void *memset(void *to, int value, size_t n)
{
  return __builtin_memset(to, value, n);
}

/* --- kernels that follow each other -------------------------------------- */

/* Of device code only: the host has no such calls. */
SOFTDEVICE_CALL void cudaGridDependencySynchronize()
{
  asm volatile("griddepcontrol.wait;" ::: "memory");
}
SOFTDEVICE_CALL void cudaTriggerProgrammaticLaunchCompletion()
{
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

#endif
