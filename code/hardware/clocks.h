/* The multiprocessor that a thread runs on, and what time it is there. */
#ifndef CODE_HARDWARE_CLOCKS_H
#define CODE_HARDWARE_CLOCKS_H

/* PTX's special registers hold what CUDA C has no word for. */
__device__ __forceinline__ unsigned this_multiprocessor(void)
{
  unsigned sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  return sm;
}

/* The whole GPU's clock. */
__device__ __forceinline__ unsigned long long nanoseconds(void)
{
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

#endif
