// The multiprocessor's clock ticks at the rate that the device tells, beside
// a clock of nanoseconds; it never goes back.
#include "check.h"

struct pair {
  long long ticks;
  unsigned long long ns;
};

__device__ pair both()
{
  pair p;

  p.ticks = clock64();
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(p.ns));
  return p;
}

__global__ void wait(long long ticks, pair *took, int *back)
{
  pair first = both();
  long long now = first.ticks, last = now;

  *back = 0;
  while (now - first.ticks < ticks) {
    now = clock64();
    *back |= now < last;
    last = now;
  }
  pair end = both();
  took->ticks = end.ticks - first.ticks;
  took->ns = end.ns - first.ns;
}

int main()
{
  int khz, *back = managed<int>(1);
  pair *took = managed<pair>(1);

  CUDA(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
  // A tenth of a second; wide bounds, as something may come between the two
  // readings of a pair.
  wait<<<1, 1>>>(100LL * khz, took, back);
  CUDA(cudaDeviceSynchronize());
  double rate = (double)took->ticks / (double)took->ns * 1e6;
  EXPECT(*back == 0);
  EXPECT(took->ticks >= 100LL * khz);
  EXPECT(rate > 0.7 * khz && rate < 1.4 * khz);
  return failures != 0;
}
