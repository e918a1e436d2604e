// As correct.cu, with what CUDA offers for C++ only.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <mma.h>
#include <stdio.h>
#include <string.h>

namespace cg = cooperative_groups;

#define THREADS 128

// Tiles of 8 lanes exchange through shared memory.
__global__ void tiles(int *out)
{
  __shared__ int box[THREADS];
  cg::thread_block_tile<8> tile =
      cg::tiled_partition<8>(cg::this_thread_block());
  int t = threadIdx.x, base = t - tile.thread_rank();

  box[t] = t;
  tile.sync();
  int other = box[base + 7 - tile.thread_rank()];
  for (int half = 4; half > 0; half /= 2)
    other += tile.shfl_down(other, half);
  out[t] = other;
}

// A tile of more than one warp: its barrier is in shared memory that the
// system reserves, and starts as zeros.
__global__ void large_tiles(int *out)
{
  __shared__ cg::block_tile_memory<THREADS> memory;
  auto block = cg::this_thread_block(memory);
  auto tile = cg::tiled_partition<64>(block);

  out[threadIdx.x] = cg::reduce(tile, (int)threadIdx.x, cg::plus<int>());
  tile.sync();
}

// Where a tile has more lanes than there is to copy, the spare ones repeat
// the last copy.
__global__ void spare_copies(const int *in, int *out)
{
  __shared__ alignas(16) int box[THREADS];
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int base = warp.meta_group_rank() * 32;

  cg::memcpy_async(warp, box + base, in + base,
                   cuda::aligned_size_t<16>(32 * sizeof(int)));
  cg::wait(warp);
  out[threadIdx.x] = box[base + 31 - warp.thread_rank()];
}

// An atomic of one byte is made of its whole word, the rest of which is not initialised.
__global__ void narrow_atomic(int *out)
{
  __shared__ alignas(4) unsigned char counters[4];

  if (threadIdx.x == 0)
    counters[1] = 0;
  __syncthreads();
  cuda::atomic_ref<unsigned char, cuda::thread_scope_block>(counters[1])
      .fetch_add(1);
  __syncthreads();
  out[threadIdx.x] = counters[1];
}

// Those of a warp that are here.
__global__ void coalesced(int *out)
{
  __shared__ int box[THREADS];

  box[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x % 3 == 0) {
    cg::coalesced_group here = cg::coalesced_threads();

    box[threadIdx.x] = here.thread_rank();
    here.sync();
    out[threadIdx.x] = here.shfl(box[threadIdx.x], 0);
  }
}

__global__ void whole_grid(int *data, int *out)
{
  cg::grid_group grid = cg::this_grid();
  int i = grid.thread_rank();

  data[i] = i;
  grid.sync();
  out[i] = data[grid.size() - 1 - i];
}

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

// Arrive, do something else, wait.
__global__ void split_barrier(int *out)
{
  __shared__ block_barrier barrier;
  __shared__ int box[THREADS];

  if (threadIdx.x == 0)
    init(&barrier, THREADS);
  __syncthreads();
  for (int i = 0; i < 3; i++) {
    box[threadIdx.x] = threadIdx.x + i;
    block_barrier::arrival_token token = barrier.arrive();
    barrier.wait(std::move(token));
    out[threadIdx.x] = box[THREADS - 1 - threadIdx.x];
    barrier.arrive_and_wait();
  }
}

// Half of the threads produce, the other half consume.
__global__ void producer(int *out)
{
  __shared__ block_barrier ready, empty;
  __shared__ int box[THREADS / 2];
  int t = threadIdx.x;

  if (t == 0) {
    init(&ready, THREADS);
    init(&empty, THREADS);
  }
  __syncthreads();
  for (int i = 0; i < 4; i++)
    if (t < THREADS / 2) {
      empty.arrive_and_wait();
      box[t] = t + i;
      (void)ready.arrive();
    } else {
      (void)empty.arrive();
      ready.arrive_and_wait();
      out[i * THREADS / 2 + t - THREADS / 2] = box[THREADS - 1 - t];
    }
}

__device__ cuda::atomic<int, cuda::thread_scope_device> ready_flag;
__device__ int letter;

__global__ void atomic_flag(int *out)
{
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    letter = 42;
    ready_flag.store(1, cuda::memory_order_release);
  } else {
    while (ready_flag.load(cuda::memory_order_acquire) == 0)
      ;
    out[blockIdx.x] = letter;
  }
}

__global__ void pipeline(const int *in, int *out)
{
  __shared__ int box[2][THREADS];
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  int t = threadIdx.x, sum = 0;

  pipe.producer_acquire();
  cuda::memcpy_async(&box[0][t], &in[t], sizeof(int), pipe);
  pipe.producer_commit();
  for (int i = 0; i < 4; i++) {
    if (i < 3) {
      pipe.producer_acquire();
      cuda::memcpy_async(&box[(i + 1) % 2][t], &in[(i + 1) * THREADS + t],
                         sizeof(int), pipe);
      pipe.producer_commit();
      cuda::pipeline_consumer_wait_prior<1>(pipe);
    } else {
      cuda::pipeline_consumer_wait_prior<0>(pipe);
    }
    __syncthreads();
    sum += box[i % 2][THREADS - 1 - t];
    pipe.consumer_release();
    __syncthreads();
  }
  out[t] = sum;
}

// Matrices to and from shared memory: each write is known to who reads it.
__global__ void matrices(int *out)
{
  using namespace nvcuda;
  __shared__ __half a[16 * 16], b[16 * 16];
  __shared__ float c[4][16 * 16];
  int t = threadIdx.x, warp = t / 32;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;

  for (int i = t; i < 16 * 16; i += THREADS) {
    a[i] = __float2half((float)(i % 5));
    b[i] = __float2half((float)(i % 3));
  }
  __syncthreads();
  wmma::fill_fragment(sum, 0.0f);
  for (int i = 0; i < 3; i++) {
    wmma::load_matrix_sync(left, a, 16);
    wmma::load_matrix_sync(right, b, 16);
    wmma::mma_sync(sum, left, right, sum);
    wmma::store_matrix_sync(c[warp], sum, 16, wmma::mem_row_major);
    wmma::load_matrix_sync(sum, c[warp], 16, wmma::mem_row_major);
  }
  __syncthreads();
  out[t] = (int)c[3 - warp][t];
}

// Eight rows of eight halves by stmatrix, read by the lanes and by ldmatrix.
__global__ void matrix_rows(int *out)
{
  __shared__ __align__(16) unsigned rows[8][4];
  unsigned t = threadIdx.x, back;
  unsigned at = (unsigned)__cvta_generic_to_shared(rows[t % 8]);

  asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(at),
               "r"(t)
               : "memory");
  __syncwarp();
  out[t] = (int)rows[0][t];
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
               : "=r"(back)
               : "r"(at)
               : "memory");
  out[THREADS + t] = (int)back;
}

// The compiler loads `value` before it knows whether anyone set it.
__device__ __noinline__ bool even(int i, int *value)
{
  if (i % 2 != 0)
    return false;
  *value = i;
  return true;
}

__global__ void loaded_ahead(int *out)
{
  int value;

  out[threadIdx.x] = even(threadIdx.x, &value) ? value : -1;
}

// Blocks of a cluster add to each other's counters, and read them behind its
// barrier.
__global__ void __cluster_dims__(4, 1, 1) cluster_counters(int *out)
{
  __shared__ int counter;
  cg::cluster_group cluster = cg::this_cluster();
  int rank = cluster.block_rank();

  if (threadIdx.x == 0)
    counter = rank;
  cluster.sync();
  atomicAdd(cluster.map_shared_rank(&counter, threadIdx.x % 4), 1);
  cluster.sync();
  if (threadIdx.x < 4)
    out[blockIdx.x * 4 + threadIdx.x] =
        *cluster.map_shared_rank(&counter, threadIdx.x);
  cluster.sync();
}

// Each block hands a row to the next one, arrives, does something else, and
// waits.
__global__ void __cluster_dims__(8, 1, 1) cluster_ring(int *out)
{
  __shared__ int box[2][THREADS], own[THREADS];
  cg::cluster_group cluster = cg::this_cluster();
  int next = (cluster.block_rank() + 1) % 8, value = blockIdx.x;

  for (int i = 0; i < 6; i++) {
    cluster.map_shared_rank(box[i % 2], next)[threadIdx.x] = value;
    auto token = cluster.barrier_arrive();
    own[threadIdx.x] = i;
    __syncthreads();
    value = own[THREADS - 1 - threadIdx.x];
    cluster.barrier_wait(std::move(token));
    value += box[i % 2][threadIdx.x];
    __syncthreads();
  }
  out[blockIdx.x * THREADS + threadIdx.x] = value;
  cluster.sync();
}

// An mbarrier in another block's shared memory says that a row is there.
__global__ void __cluster_dims__(2, 1, 1) cluster_mbarrier(int *out)
{
  __shared__ int box[THREADS];
  __shared__ alignas(8) unsigned long long barrier;
  cg::cluster_group cluster = cg::this_cluster();
  unsigned here = (unsigned)__cvta_generic_to_shared(&barrier), there;

  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 128;" ::"r"(here));
  cluster.sync();
  asm("mapa.shared::cluster.u32 %0, %1, 1;" : "=r"(there) : "r"(here));
  if (cluster.block_rank() == 0) {
    cluster.map_shared_rank(box, 1)[threadIdx.x] = threadIdx.x;
    asm volatile(
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(
            there)
        : "memory");
  } else {
    asm volatile("{\n.reg .pred p;\nagain:\n"
                 "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 "
                 "p, [%0], 0;\n@!p bra again;\n}" ::"r"(here)
                 : "memory");
    out[threadIdx.x] = box[THREADS - 1 - threadIdx.x];
  }
  cluster.sync();
}

int main(int argc, char **argv)
{
  static const char *const names[] = {
    "tiles",
    "coalesced",
    "whole_grid",
    "split_barrier",
    "producer",
    "atomic_flag",
    "pipeline",
    "matrices",
    "matrix_rows",
    "loaded_ahead",
    "cluster_counters",
    "cluster_ring",
    "cluster_mbarrier",
    "large_tiles",
    "spare_copies",
    "narrow_atomic",
  };
  const char *name = argc < 2 ? "" : argv[1];
  const size_t bytes = 4096 * sizeof(int);
  cudaError_t error;
  int *a, *b;

  if (argc < 2) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      puts(names[i]);
    return 0;
  }
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMemset(a, 1, bytes);
  void *arguments[] = { &a, &b };
  if (strcmp(name, "tiles") == 0)
    tiles<<<1, THREADS>>>(b);
  if (strcmp(name, "coalesced") == 0)
    coalesced<<<1, THREADS>>>(b);
  if (strcmp(name, "whole_grid") == 0)
    cudaLaunchCooperativeKernel((const void *)whole_grid, dim3(4), dim3(64),
                                arguments, 0, 0);
  if (strcmp(name, "split_barrier") == 0)
    split_barrier<<<1, THREADS>>>(b);
  if (strcmp(name, "producer") == 0)
    producer<<<1, THREADS>>>(b);
  if (strcmp(name, "atomic_flag") == 0)
    atomic_flag<<<4, 32>>>(b);
  if (strcmp(name, "pipeline") == 0)
    pipeline<<<1, THREADS>>>(a, b);
  if (strcmp(name, "matrices") == 0)
    matrices<<<1, THREADS>>>(b);
  if (strcmp(name, "matrix_rows") == 0)
    matrix_rows<<<1, 32>>>(b);
  if (strcmp(name, "loaded_ahead") == 0)
    loaded_ahead<<<1, 32>>>(b);
  if (strcmp(name, "cluster_counters") == 0)
    cluster_counters<<<8, 96>>>(b);
  if (strcmp(name, "cluster_ring") == 0)
    cluster_ring<<<16, THREADS>>>(b);
  if (strcmp(name, "cluster_mbarrier") == 0)
    cluster_mbarrier<<<4, THREADS>>>(b);
  if (strcmp(name, "large_tiles") == 0)
    large_tiles<<<2, THREADS>>>(b);
  if (strcmp(name, "spare_copies") == 0)
    spare_copies<<<1, THREADS>>>(a, b);
  if (strcmp(name, "narrow_atomic") == 0)
    narrow_atomic<<<1, THREADS>>>(b);
  error = cudaDeviceSynchronize();
  if (error != cudaSuccess)
    printf("%s: %s\n", name, cudaGetErrorString(error));
  cudaFree(a);
  cudaFree(b);
  return error != cudaSuccess;
}
