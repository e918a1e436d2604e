// CUB and Thrust, as many programs use them.
#include <cub/cub.cuh>
#include <thrust/complex.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>
#include <thrust/unique.h>
#include <algorithm>
#include <numeric>
#include <vector>
#include "check.h"
template <int N> __global__ void block(const int *in, int *out)
{
  using Reduce = cub::BlockReduce<int, N>;
  using Scan = cub::BlockScan<int, N>;
  using Sort = cub::BlockRadixSort<int, N, 4>;
  __shared__ union {
    typename Reduce::TempStorage r;
    typename Scan::TempStorage s;
    typename Sort::TempStorage k;
  } t;
  int v = in[threadIdx.x], sum = Reduce(t.r).Sum(v);
  __syncthreads();
  int e;
  Scan(t.s).ExclusiveSum(v, e);
  __syncthreads();
  int keys[4];
  for (int i = 0; i < 4; i++)
    keys[i] = in[threadIdx.x * 4 + i];
  Sort(t.k).Sort(keys);
  for (int i = 0; i < 4; i++)
    out[threadIdx.x * 4 + i] = keys[i];
  out[4 * N + threadIdx.x] = e;
  if (threadIdx.x == 0)
    out[5 * N] = sum;
}
int main()
{
  const int n = 20000;
  std::vector<int> h(n);
  unsigned r = 1;
  for (int &x : h)
    x = (int)((r = r * 1664525 + 1013904223) >> 8) % 1000;
  int *in, *out, *count;
  CUDA(cudaMalloc(&in, n * 4));
  CUDA(cudaMalloc(&out, n * 4));
  CUDA(cudaMalloc(&count, 4));
  CUDA(cudaMemcpy(in, h.data(), n * 4, cudaMemcpyHostToDevice));
  void *tmp = nullptr;
  size_t bytes = 0;
  std::vector<int> got(n), want(n);
#define CUB(call)                                                              \
  tmp = nullptr;                                                               \
  bytes = 0;                                                                   \
  CUDA(call);                                                                  \
  CUDA(cudaMalloc(&tmp, bytes));                                               \
  CUDA(call);                                                                  \
  CUDA(cudaFree(tmp));                                                         \
  CUDA(cudaMemcpy(got.data(), out, n * 4, cudaMemcpyDeviceToHost));
  CUB(cub::DeviceReduce::Sum(tmp, bytes, in, out, n));
  EXPECT(got[0] == std::accumulate(h.begin(), h.end(), 0));
  CUB(cub::DeviceReduce::Max(tmp, bytes, in, out, n));
  EXPECT(got[0] == *std::max_element(h.begin(), h.end()));
  CUB(cub::DeviceScan::InclusiveSum(tmp, bytes, in, out, n));
  std::partial_sum(h.begin(), h.end(), want.begin());
  EXPECT(got == want);
  CUB(cub::DeviceRadixSort::SortKeys(tmp, bytes, in, out, n));
  want = h;
  std::sort(want.begin(), want.end());
  EXPECT(got == want);
  CUB(cub::DeviceHistogram::HistogramEven(tmp, bytes, in, out, 11, 0, 1000, n));
  for (int i = 0; i < 10; i++)
    EXPECT(got[i] == std::count_if(h.begin(), h.end(),
                                   [=](int x) { return x / 100 == i; }));
  auto even = [] __device__ __host__(int x) { return x % 2 == 0; };
  CUB(cub::DeviceSelect::If(tmp, bytes, in, out, count, n, even));
  want.assign(n, 0);
  int m = std::copy_if(h.begin(), h.end(), want.begin(), even) - want.begin();
  EXPECT(std::equal(want.begin(), want.begin() + m, got.begin()));
  block<128><<<1, 128>>>(in, out);
  CUDA(cudaMemcpy(got.data(), out, n * 4, cudaMemcpyDeviceToHost));
  want.assign(h.begin(), h.begin() + 512);
  std::sort(want.begin(), want.end());
  EXPECT(std::equal(want.begin(), want.end(), got.begin()));
  EXPECT(got[640] == std::accumulate(h.begin(), h.begin() + 128, 0) &&
         got[512 + 5] == std::accumulate(h.begin(), h.begin() + 5, 0));
  thrust::device_vector<int> d(h.begin(), h.end()), keys(n);
  thrust::sequence(keys.begin(), keys.end());
  EXPECT(thrust::reduce(d.begin(), d.end()) ==
         std::accumulate(h.begin(), h.end(), 0));
  thrust::stable_sort_by_key(d.begin(), d.end(), keys.begin());
  thrust::host_vector<int> hk = keys;
  std::vector<int> idx(n);
  std::iota(idx.begin(), idx.end(), 0);
  std::stable_sort(idx.begin(), idx.end(),
                   [&](int a, int b) { return h[a] < h[b]; });
  EXPECT(std::equal(idx.begin(), idx.end(), hk.begin()));
  thrust::device_vector<float> f(n);
  thrust::transform(d.begin(), d.end(), f.begin(),
                    [] __device__(int x) { return x * .5f; });
  EXPECT(thrust::reduce(f.begin(), f.end(), 0.f, thrust::maximum<float>()) ==
         *std::max_element(h.begin(), h.end()) * .5f);
  thrust::sort(f.begin(), f.end(), thrust::greater<float>());
  EXPECT(f[0] >= f[1] && f[n - 2] >= f[n - 1]);
  auto last = thrust::unique(d.begin(), d.end());
  std::sort(h.begin(), h.end());
  EXPECT(last - d.begin() == std::unique(h.begin(), h.end()) - h.begin());
  thrust::exclusive_scan(d.begin(), last, d.begin());
  EXPECT(d[0] == 0);
  return failures != 0;
}
