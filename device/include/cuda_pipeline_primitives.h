/* Asynchronous copies from global to shared memory by a thread, in groups: the
 * "pipeline primitives" of the CUDA C++ Programming Guide. Needs compute
 * capability 8.0. */
#ifndef SOFTDEVICE_CUDA_PIPELINE_PRIMITIVES_H
#define SOFTDEVICE_CUDA_PIPELINE_PRIMITIVES_H

#include "cuda_runtime.h"

/* Copies 4, 8 or 16 bytes; the last `zeros` of them become zeros instead. A
 * copy of 16 bytes goes past the first-level cache. The number of bytes is
 * known when this is compiled, as the instruction needs it. */
SOFTDEVICE_CALL void __pipeline_memcpy_async(void *to, const void *from,
                                             size_t bytes, size_t zeros = 0)
{
  unsigned int shared = (unsigned int)__cvta_generic_to_shared(to);
  unsigned int left = (unsigned int)(bytes - zeros);

  if (bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared),
                 "l"(from), "r"(left)
                 : "memory");
  else if (bytes == 8)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(shared),
                 "l"(from), "r"(left)
                 : "memory");
  else if (bytes == 4)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared),
                 "l"(from), "r"(left)
                 : "memory");
  else
    __trap();
}
SOFTDEVICE_CALL void __pipeline_commit()
{
  asm volatile("cp.async.commit_group;" ::: "memory");
}
/* Waits until at most so many of the newest groups are unfinished. A constant
 * in every use; the guide allows no other. */
#define __pipeline_wait_prior(groups)                                          \
  asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory")

#endif
