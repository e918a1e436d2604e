/* Words of CUDA C that clang has no attributes for. With an argument, a kernel
 * that reads past the end. */
#include <stdio.h>

struct table {
  int entry[8];
};

/* Its address is taken: it must stay where it is. */
static __device__ int entry_at(const int *entry, int i)
{
  int value;
  asm volatile("ld.s32 %0, [%1];" : "=r"(value) : "l"(entry + i));
  return value;
}

__global__ void look_up(int *out, const __grid_constant__ struct table first,
                        const __grid_constant__ struct table second)
{
  out[threadIdx.x] =
      entry_at(first.entry, threadIdx.x) + entry_at(second.entry, threadIdx.x);
}

template <int BLOCKS>
__global__ void __cluster_dims__(BLOCKS) __maxnreg__(40) size(int *out)
{
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(*out));
}

__global__ void behind(int *out)
{
  out[threadIdx.x] = __ldg(out + 1000);  // out of bounds here
}

int main(int n_arguments, char **)
{
  const struct table first = { { 2, 3, 5 } }, second = { { 5, 8, 8 } };
  int *out, host[4];

  if (cudaMalloc(&out, sizeof host) != cudaSuccess)
    return 1;
  if (n_arguments > 1)
    behind<<<1, 4>>>(out);
  look_up<<<1, 3>>>(out, first, second);
  size<2><<<2, 1>>>(out + 3);
  if (cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess)
    return 1;
  printf("%d %d %d | cluster of %d\n", host[0], host[1], host[2], host[3]);
  return cudaFree(out) != cudaSuccess;
}
