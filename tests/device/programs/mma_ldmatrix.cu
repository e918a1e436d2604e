// A tiled product of half matrices with ldmatrix and mma in inline PTX.
#include <cuda_fp16.h>
#include "check.h"

constexpr int M = 64, N = 64, K = 64, BM = 32, BN = 32, BK = 16;

__device__ unsigned shared_address(const void *p)
{
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

__global__ void product(const __half *a, const __half *b, float *c)
{
  __shared__ __align__(16) __half sa[BM][BK + 8], sb[BK][BN + 8];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int wm = warp / 2 * 16, wn = warp % 2 * 16;
  int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;
  float d[2][4] = {};

  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = threadIdx.x; i < BM * BK; i += blockDim.x)
      sa[i / BK][i % BK] = a[(m0 + i / BK) * K + k0 + i % BK];
    for (int i = threadIdx.x; i < BK * BN; i += blockDim.x)
      sb[i / BN][i % BN] = b[(k0 + i / BN) * N + n0 + i % BN];
    __syncthreads();
    unsigned fa[4], fb[4];
    unsigned pa = shared_address(&sa[wm + lane % 16][lane / 16 * 8]);
    unsigned pb = shared_address(&sb[lane % 16][wn + lane / 16 * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, "
                 "[%4];"
                 : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
                 : "r"(pa));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 "
                 "{%0,%1,%2,%3}, [%4];"
                 : "=r"(fb[0]), "=r"(fb[1]), "=r"(fb[2]), "=r"(fb[3])
                 : "r"(pb));
    for (int j = 0; j < 2; j++) {
#ifdef ONLY_7_5
      for (int h = 0; h < 2; h++)
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
                     "{%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
                     : "+f"(d[j][0]), "+f"(d[j][1]), "+f"(d[j][2]),
                       "+f"(d[j][3])
                     : "r"(fa[2 * h]), "r"(fa[2 * h + 1]), "r"(fb[2 * j + h]));
#else
      asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                   "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                   : "+f"(d[j][0]), "+f"(d[j][1]), "+f"(d[j][2]), "+f"(d[j][3])
                   : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]),
                     "r"(fb[2 * j]), "r"(fb[2 * j + 1]));
#endif
    }
    __syncthreads();
  }
  for (int j = 0; j < 2; j++)
    for (int i = 0; i < 4; i++)
      c[(m0 + wm + lane / 4 + i / 2 * 8) * N + n0 + wn + j * 8 + lane % 4 * 2 +
        i % 2] = d[j][i];
}

int main()
{
  __half *a = managed<__half>(M * K), *b = managed<__half>(K * N);
  float *c = managed<float>(M * N);

  for (int i = 0; i < M * K; i++)
    a[i] = __float2half(float(i * 11 % 13 - 6));
  for (int i = 0; i < K * N; i++)
    b[i] = __float2half(float(i * 7 % 11 - 5));
  product<<<dim3(N / BN, M / BM), 128>>>(a, b, c);
  CUDA(cudaDeviceSynchronize());
  for (int m = 0; m < M; m++)
    for (int n = 0; n < N; n++) {
      float sum = 0;
      for (int k = 0; k < K; k++)
        sum += __half2float(a[m * K + k]) * __half2float(b[k * N + n]);
      EXPECT(c[m * N + n] == sum);
    }
  return failures != 0;
}
