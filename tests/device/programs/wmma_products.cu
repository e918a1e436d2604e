// wmma and mma against plain products, every shape and type of wmma.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
#include "check.h"
using namespace nvcuda;

template <class T> struct memory_of {
  using type = T;
};
template <> struct memory_of<wmma::precision::tf32> {
  using type = float;
};

template <int M, int N, int K, class T, class Sum, class LA, class LB>
__global__ void product(const typename memory_of<T>::type *a,
                        const typename memory_of<T>::type *b, Sum *d,
                        bool through_shared)
{
  using S = typename memory_of<T>::type;
  __shared__ S sa[M * K], sb[K * N];
  wmma::fragment<wmma::matrix_a, M, N, K, T, LA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> fc;
  const int la = std::is_same<LA, wmma::row_major>::value ? K : M;
  const int lb = std::is_same<LB, wmma::row_major>::value ? N : K;

  for (int i = threadIdx.x; i < M * K; i += 32)
    sa[i] = a[i];
  for (int i = threadIdx.x; i < K * N; i += 32)
    sb[i] = b[i];
  __syncwarp();
  wmma::fill_fragment(fc, Sum(1));
  if (through_shared) {
    wmma::load_matrix_sync(fa, sa, la);
    wmma::load_matrix_sync(fb, sb, lb);
  } else {
    wmma::load_matrix_sync(fa, a, la);
    wmma::load_matrix_sync(fb, b, lb);
  }
  wmma::mma_sync(fc, fa, fb, fc);
  for (int i = 0; i < fc.num_elements; i++)
    fc.x[i] = fc.x[i] + fc.x[i];
  wmma::store_matrix_sync(d, fc, N, wmma::mem_row_major);
}

template <int M, int N, int K, class T, class Sum, class LA, class LB>
void one()
{
  using S = typename memory_of<T>::type;
  bool ra = std::is_same<LA, wmma::row_major>::value;
  bool rb = std::is_same<LB, wmma::row_major>::value;
  S *a = managed<S>(M * K), *b = managed<S>(K * N);
  Sum *d = managed<Sum>(M * N);
  static int ia[32 * 32], ib[32 * 32];

  for (int i = 0; i < M * K; i++)
    a[i] = S((float)(ia[i] = i * 7 % 9));
  for (int i = 0; i < K * N; i++)
    b[i] = S((float)(ib[i] = i * 5 % 7));
  for (int shared = 0; shared < 2; shared++) {
    product<M, N, K, T, Sum, LA, LB><<<1, 32>>>(a, b, d, shared != 0);
    CUDA(cudaDeviceSynchronize());
    for (int m = 0; m < M; m++)
      for (int n = 0; n < N; n++) {
        int sum = 1;
        for (int k = 0; k < K; k++)
          sum +=
              ia[ra ? m * K + k : k * M + m] * ib[rb ? k * N + n : n * K + k];
        EXPECT((float)d[m * N + n] == 2.f * sum);
      }
  }
  CUDA(cudaFree(a));
  CUDA(cudaFree(b));
  CUDA(cudaFree(d));
}

template <int M, int N, int K, class T, class Sum> void layouts()
{
  one<M, N, K, T, Sum, wmma::row_major, wmma::col_major>();
  one<M, N, K, T, Sum, wmma::col_major, wmma::row_major>();
}

template <class T, class Sum> void shapes()
{
  layouts<16, 16, 16, T, Sum>();
  layouts<32, 8, 16, T, Sum>();
  layouts<8, 32, 16, T, Sum>();
}

int main()
{
  shapes<__half, float>();
  shapes<__half, __half>();
  shapes<signed char, int>();
  shapes<unsigned char, int>();
#ifndef ONLY_7_5
  shapes<__nv_bfloat16, float>();
  layouts<16, 16, 8, wmma::precision::tf32, float>();
  layouts<8, 8, 4, double, double>();
#endif
  return failures != 0;
}
