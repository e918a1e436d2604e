// Ordered vectors are not torn: a block stores pairs and fours of equal words
// while others load them. Programs that keep a flag beside its value, as
// CUB's scan does, rely on that.
#include <cstdio>

static __device__ uint2 pair;
static __device__ uint4 four;
static __device__ ulonglong2 large;

__global__ void talk(unsigned n, unsigned *n_torn)
{
  for (unsigned i = 0; i < n; i++)
    if (blockIdx.x == 0) {
      asm volatile("st.relaxed.gpu.global.v2.u32 [%0], {%1, %1};" ::"l"(&pair),
                   "r"(i)
                   : "memory");
      asm volatile(
          "st.relaxed.gpu.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(&four),
          "r"(i)
          : "memory");
      asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %1};" ::"l"(&large),
                   "l"((unsigned long long)i)
                   : "memory");
    } else {
      uint2 p;
      uint4 f;
      ulonglong2 q;
      asm volatile("ld.relaxed.gpu.global.v2.u32 {%0, %1}, [%2];"
                   : "=r"(p.x), "=r"(p.y)
                   : "l"(&pair)
                   : "memory");
      asm volatile("ld.relaxed.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(f.x), "=r"(f.y), "=r"(f.z), "=r"(f.w)
                   : "l"(&four)
                   : "memory");
      asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                   : "=l"(q.x), "=l"(q.y)
                   : "l"(&large)
                   : "memory");
      if (p.x != p.y || f.x != f.y || f.x != f.z || f.x != f.w || q.x != q.y)
        atomicAdd(n_torn, 1);
    }
}

int main()
{
  unsigned *n_torn;
  cudaMallocManaged(&n_torn, sizeof *n_torn);
  *n_torn = 0;
  talk<<<2, 1>>>(300000, n_torn);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess || *n_torn != 0)
    printf("%s, %u torn\n", cudaGetErrorString(error), *n_torn);
  return error != cudaSuccess || *n_torn != 0;
}
