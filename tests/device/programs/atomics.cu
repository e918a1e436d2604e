// Atomics of every type, and those of libcu++.
#include <climits>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/latch>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cooperative_groups.h>
#include "check.h"
#pragma nv_diag_suppress static_var_with_dynamic_init

struct sums {
  int i[12];
  unsigned u[12];
  unsigned long long l[10];
  long long s[4];
  float f[4];
  double d[4];
  __half h;
  __half2 h2;
  __nv_bfloat162 b2;
  __nv_bfloat16 b;
};
__global__ void plain(sums *a)
{
  int t = threadIdx.x + blockIdx.x * blockDim.x;
  atomicAdd(&a->i[0], t);
  atomicSub(&a->i[1], 1);
  atomicMin(&a->i[2], -t);
  atomicMax(&a->i[3], t);
  atomicAnd(&a->i[4], ~(1 << t % 31));
  atomicOr(&a->i[5], 1 << t % 31);
  atomicXor(&a->i[6], t);
  atomicExch(&a->i[7], t | 1024);
  atomicCAS(&a->i[8], 0, 77);
  atomicInc(&a->u[0], 100);
  atomicDec(&a->u[1], 100);
  atomicAdd(&a->u[2], t);
  atomicMin(&a->u[3], t);
  atomicMax(&a->u[4], t);
  atomicAdd(&a->l[0], t);
  atomicMin(&a->l[1], t + 5);
  atomicMax(&a->l[2], (unsigned long long)t << 40);
  atomicAnd(&a->l[3], ~(1ull << t % 64));
  atomicOr(&a->l[4], 1ull << t % 64);
  atomicXor(&a->l[5], 1ull << t % 64);
  atomicExch(&a->l[6], 9);
  atomicCAS(&a->l[7], 0, 5);
  atomicMin(&a->s[0], -t);
  atomicMax(&a->s[1], t - 9);
  atomicAdd(&a->f[0], .5f);
  atomicExch(&a->f[1], 2.5f);
  atomicAdd(&a->d[0], .25);
  atomicAdd(&a->h, __float2half(1.f));
  atomicAdd(&a->h2, __floats2half2_rn(1.f, 2.f));
#if __CUDA_ARCH__ >= 800
  atomicAdd(&a->b2, __floats2bfloat162_rn(1.f, 2.f));
  atomicAdd(&a->b, __float2bfloat16(1.f));
#endif
  atomicAdd_block(&a->i[9], 1);
  atomicAdd_system(&a->i[10], 1);
  unsigned short *q = (unsigned short *)&a->u[6];
  for (unsigned short old = *q, seen;; old = seen) {
    seen = atomicCAS(q, old, old + 1);
    if (seen == old)
      break;
  }
  __shared__ int s;
  __shared__ float sf;
  __shared__ unsigned long long sl;
  if (threadIdx.x == 0)
    s = 0, sf = 0, sl = 0;
  __syncthreads();
  atomicAdd(&s, 2);
  atomicAdd(&sf, 1.5f);
  atomicAdd(&sl, 3);
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(&a->i[11], s);
    atomicAdd(&a->f[2], sf);
    atomicAdd(&a->l[8], sl);
  }
}

__device__ cuda::atomic<int, cuda::thread_scope_device> flag{ 0 };
__device__ int payload;
__global__ void message(int *o)
{
  if (blockIdx.x == 0) {
    payload = 42;
    flag.store(1, cuda::memory_order_release);
  } else {
    while (flag.load(cuda::memory_order_acquire) == 0)
      ;
    *o = payload;
  }
}
__global__ void libcuxx(int *o, double *od, const int *in)
{
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int data[128];
  cuda::atomic_ref<int, cuda::thread_scope_device> r(o[0]);
  cuda::atomic_ref<double, cuda::thread_scope_device> rd(*od);
  if (threadIdx.x == 0)
    init(&bar, blockDim.x);
  __syncthreads();
  data[threadIdx.x] = threadIdx.x;
  auto token = bar.arrive();
  r.fetch_add(1, cuda::memory_order_relaxed);
  rd.fetch_add(.5);
  bar.wait(std::move(token));
  r.fetch_max(0);
  int e = -1;
  r.compare_exchange_strong(e, 3);
  atomicAdd(&o[1], data[(threadIdx.x + 1) % 128]);
  bar.arrive_and_wait();
  cuda::memcpy_async(cooperative_groups::this_thread_block(), data, in,
                     sizeof data, bar);
  bar.arrive_and_wait();
  atomicAdd(&o[2], data[127 - threadIdx.x]);
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> ps;
  auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &ps);
  __shared__ int st[2][128];
  int sum = 0;
  for (int i = 0; i < 5; i++) {
    if (i < 4) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, st[i % 2], in + 128 * i, sizeof st[0], pipe);
      pipe.producer_commit();
    }
    if (i > 0) {
      pipe.consumer_wait();
      sum += st[(i - 1) % 2][(threadIdx.x + 5) % 128];
      pipe.consumer_release();
    }
  }
  atomicAdd(&o[3], sum);
}
__global__ void lock(int *l, int *n)
{
  for (int i = 0; i < 4; i++) {
    bool done = false;
    while (!done)
      if (atomicCAS(l, 0, 1) == 0) {
        *(volatile int *)n = *(volatile int *)n + 1;
        __threadfence();
        atomicExch(l, 0);
        done = true;
      }
  }
}
__global__ void sem(int *o)
{
  __shared__ cuda::binary_semaphore<cuda::thread_scope_block> s;
  if (threadIdx.x == 0)
    new (&s) cuda::binary_semaphore<cuda::thread_scope_block>(1);
  __syncthreads();
  s.acquire();
  *(volatile int *)o = *(volatile int *)o + 1;
  s.release();
}
int main()
{
  sums *a = managed<sums>(1);
  a->l[1] = ~0ull;
  a->i[4] = -1;
  a->l[3] = ~0ull;
  a->u[3] = ~0u;
  a->h = __float2half(0.f);
  a->h2 = __floats2half2_rn(0, 0);
  a->b2 = __floats2bfloat162_rn(0, 0);
  a->b = __float2bfloat16(0.f);
  plain<<<4, 64>>>(a);
  CUDA(cudaDeviceSynchronize());
  EXPECT(a->i[0] == 32640 && a->i[1] == -256 && a->i[2] == -255 &&
         a->i[3] == 255 && a->i[4] == INT_MIN && a->i[5] == INT_MAX);
  EXPECT(a->i[6] == 0 && a->i[7] >= 1024 && a->i[8] == 77 && a->i[9] == 256 &&
         a->i[10] == 256 && a->i[11] == 512);
  EXPECT(a->u[0] == 256 % 101 && a->u[2] == 32640 && a->u[3] == 0 &&
         a->u[4] == 255 && a->u[6] == 256);
  EXPECT(a->u[1] == (101 - 256 % 101) % 101);
  EXPECT(a->l[0] == 32640 && a->l[1] == 5 && a->l[2] == 255ull << 40 &&
         a->l[3] == 0 && a->l[4] == ~0ull && a->l[5] == 0 && a->l[6] == 9 &&
         a->l[7] == 5 && a->l[8] == 768);
  EXPECT(a->s[0] == -255 && a->s[1] == 246 && a->f[0] == 128 &&
         a->f[1] == 2.5f && a->f[2] == 384 && a->d[0] == 64);
  EXPECT(__half2float(a->h) == 256 && __low2float(a->h2) == 256 &&
         __high2float(a->h2) == 512);
#ifndef ONLY_7_5
  EXPECT(__low2float(a->b2) == 256 && __high2float(a->b2) == 512 &&
         __bfloat162float(a->b) == 256);
#endif
  int *o = managed<int>(8), *in = managed<int>(512);
  double *od = managed<double>(1);
  message<<<2, 1>>>(o);
  CUDA(cudaDeviceSynchronize());
  EXPECT(o[0] == 42);
  o[0] = 0;
  for (int i = 0; i < 512; i++)
    in[i] = i;
  libcuxx<<<1, 128>>>(o, od, in);
  CUDA(cudaDeviceSynchronize());
  EXPECT(o[0] == 128 && *od == 64 && o[1] == 8128 && o[2] == 8128 &&
         o[3] == 511 * 256);
  int *l = managed<int>(2);
  lock<<<4, 64>>>(l, l + 1);
  CUDA(cudaDeviceSynchronize());
  EXPECT(l[1] == 1024);
  int *s = managed<int>(1);
  sem<<<1, 64>>>(s);
  CUDA(cudaDeviceSynchronize());
  EXPECT(*s == 64);
  return failures != 0;
}
