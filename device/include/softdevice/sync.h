/* Barriers and fences of a block and of a warp, in the order of the CUDA C++
 * Programming Guide. Each is one instruction, written as inline PTX that
 * changes memory: clang 14 takes its own built-in functions for ones that
 * leave a variable in shared memory as it is, if nothing else in the file has
 * its address, and moves loads of it across barriers. */
#ifndef SOFTDEVICE_SYNC_H
#define SOFTDEVICE_SYNC_H

SOFTDEVICE_CALL void __threadfence_block()
{
  asm volatile("membar.cta;" ::: "memory");
}
SOFTDEVICE_CALL void __threadfence()
{
  asm volatile("membar.gl;" ::: "memory");
}
SOFTDEVICE_CALL void __threadfence_system()
{
  asm volatile("membar.sys;" ::: "memory");
}

/* __syncthreads() is a built-in function of clang's, hence the macro. */
SOFTDEVICE_CALL void softdevice_syncthreads()
{
  asm volatile("bar.sync 0;" ::: "memory");
}
#define __syncthreads() softdevice_syncthreads()

SOFTDEVICE_CALL int __syncthreads_count(int predicate)
{
  int count;
  asm volatile(
      "{ .reg .pred p; setp.ne.s32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }"
      : "=r"(count)
      : "r"(predicate)
      : "memory");
  return count;
}

#define SOFTDEVICE_BARRIER_VOTE(name, operation)                               \
  SOFTDEVICE_CALL int name(int predicate)                                      \
  {                                                                            \
    int result;                                                                \
    asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red." operation \
                 ".pred q, 0, p; selp.s32 %0, 1, 0, q; }"                      \
                 : "=r"(result)                                                \
                 : "r"(predicate)                                              \
                 : "memory");                                                  \
    return result;                                                             \
  }
SOFTDEVICE_BARRIER_VOTE(__syncthreads_and, "and")
SOFTDEVICE_BARRIER_VOTE(__syncthreads_or, "or")
#undef SOFTDEVICE_BARRIER_VOTE

SOFTDEVICE_CALL void __syncwarp(unsigned int mask = 0xffffffff)
{
  asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}

#endif
