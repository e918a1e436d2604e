/* Types that differ between processors: device code has the host's. */
#include <stdio.h>

struct layout {
  char c;
  wchar_t w;
  size_t n;
  long l;
};

__host__ __device__ static void describe(long *out)
{
  int i = 0;

  out[i++] = (char)-1 < 0;
  out[i++] = (wchar_t)-1 < 0;
  out[i++] = sizeof(wchar_t);
  out[i++] = sizeof(long);
  out[i++] = sizeof(layout);
  out[i++] = alignof(layout);
}

enum { N = 6 };

static __global__ void describe_there(long *out) { describe(out); }

int main(void)
{
  long here[N], there[N], *memory;
  int differ = 0;

  describe(here);
  if (cudaMalloc(&memory, sizeof there) != cudaSuccess)
    return 1;
  describe_there<<<1, 1>>>(memory);
  cudaMemcpy(there, memory, sizeof there, cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; i++)
    differ += here[i] != there[i];
  printf("%d differ\n", differ);
  return cudaFree(memory) != cudaSuccess;
}
