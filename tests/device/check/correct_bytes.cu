// Idioms of other people's programs that are right: narrow elements that
// share words, and hand-made order. `correct_bytes NAME` runs one,
// `correct_bytes` lists them; the checks must be silent about each.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <stdio.h>
#include <string.h>

namespace cg = cooperative_groups;

#define N 4096
#define THREADS 128

__device__ int head, tail, done_blocks, flags[64], values_of[64];

// A histogram of bytes for each thread: four threads share a word.
__global__ void histogram_per_thread(const unsigned char *in,
                                     unsigned char *out)
{
  __shared__ unsigned char counts[16][THREADS];

  for (int i = 0; i < 16; i++)
    counts[i][threadIdx.x] = 0;
  for (int i = 0; i < 40; i++)
    counts[in[(blockIdx.x * THREADS + threadIdx.x + i) % N] % 16]
          [threadIdx.x]++;
  for (int i = 0; i < 16; i++)
    out[(blockIdx.x * 16 + i) * THREADS + threadIdx.x] = counts[i][threadIdx.x];
}

// Every thread reads and writes its own byte, with warps and blocks whose
// pieces begin in the middle of a word.
__global__ void bytes_in_place(unsigned char *data)
{
  int i = blockIdx.x * 33 + threadIdx.x;

  if (threadIdx.x < 33)
    for (int k = 0; k < 3; k++)
      data[i] = data[i] * 3 + 1;
}

__global__ void bytes_by_warps(unsigned char *out)
{
  __shared__ unsigned char box[THREADS];
  int t = threadIdx.x, i = t % 32 * 4 + t / 32;  // a warp has one byte of each

  box[i] = t;
  for (int k = 0; k < 4; k++)
    box[i] = box[i] * 2 + k;
  out[blockIdx.x * THREADS + t] = box[i];
}

// Shorts and bytes side by side in one struct, by different warps.
struct mixed {
  short number;
  unsigned char tag, flag;
};

__global__ void fields_apart(mixed *items)
{
  mixed *item = &items[blockIdx.x * 32 + threadIdx.x % 32];

  switch (threadIdx.x / 32) {
  case 0: item->number += 1; break;
  case 1: item->tag += 1; break;
  case 2: item->flag += 1; break;
  }
}

// Halves: a stencil through shared memory, then whole words of it.
__global__ void halves(const __half *in, __half *out)
{
  __shared__ __half tile[THREADS + 2];
  int t = threadIdx.x, i = blockIdx.x * THREADS + t;

  tile[t + 1] = in[i];
  if (t == 0)
    tile[0] = i > 0 ? in[i - 1] : __half(0);
  if (t == THREADS - 1)
    tile[THREADS + 1] = i + 1 < N ? in[i + 1] : __half(0);
  __syncthreads();
  __half sum = tile[t] + tile[t + 1] + tile[t + 2];
  __syncthreads();
  tile[t] = sum;
  __syncthreads();
  if (t < THREADS / 2)
    reinterpret_cast<__half2 *>(out)[blockIdx.x * THREADS / 2 + t] =
        reinterpret_cast<__half2 *>(tile)[t];
}

// Words in, bytes out, words in again: the pieces change their owners at
// each barrier.
__global__ void narrow_and_wide(const unsigned *in, unsigned *out)
{
  __shared__ unsigned words[THREADS];
  unsigned char *bytes = (unsigned char *)words;
  int t = threadIdx.x;

  words[t] = in[blockIdx.x * THREADS + t];
  __syncthreads();
  unsigned char b[4];
  for (int i = 0; i < 4; i++)
    b[i] = bytes[i * THREADS + t];
  __syncthreads();
  for (int i = 0; i < 4; i++)
    bytes[i * THREADS + t] = b[3 - i];
  __syncthreads();
  out[blockIdx.x * THREADS + t] = words[THREADS - 1 - t];
}

// A byte is the flag of a block, set once what it announces is written.
__global__ void byte_flags(volatile unsigned char *ready, int *values, int *out)
{
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x > 0) {
    while (ready[blockIdx.x - 1] == 0)
      ;
    __threadfence();
    out[blockIdx.x] = values[blockIdx.x - 1];
  }
  values[blockIdx.x] = blockIdx.x * 7;
  __threadfence();
  ready[blockIdx.x] = 1;
}

// A queue without a lock: places are handed out by an atomic, and each
// element has a flag of its own.
__global__ void queue(const int *in, int *out)
{
  if (threadIdx.x % 32 != 0)
    return;
  int i = blockIdx.x * (THREADS / 32) + threadIdx.x / 32;
  if (i < 32) {
    int at = atomicAdd(&tail, 1);

    values_of[at] = in[i];
    __threadfence();
    atomicExch(&flags[at], 1);
  } else if (i < 64) {
    int at = atomicAdd(&head, 1);

    while (atomicAdd(&flags[at], 0) == 0)
      ;
    __threadfence();
    out[at] = values_of[at];
  }
}

// One atomic per warp, for the lanes that have something to append.
__global__ void aggregated(const int *in, int *counter, int *out)
{
  int value = in[blockIdx.x * THREADS + threadIdx.x];

  if (value % 3 == 0) {
    cg::coalesced_group group = cg::coalesced_threads();
    int base = 0;

    if (group.thread_rank() == 0)
      base = atomicAdd(counter, (int)group.size());
    base = group.shfl(base, 0);
    out[base + group.thread_rank()] = value;
  }
}

__global__ void aggregated_by_key(const int *in, int *counts)
{
  int key = in[blockIdx.x * THREADS + threadIdx.x] % 5;
  unsigned peers = __match_any_sync(0xffffffff, key);

  if ((threadIdx.x & 31) == __ffs(peers) - 1)
    atomicAdd(&counts[key], __popc(peers));
}

// The last block, by an atomic of libcu++ that releases and acquires.
__global__ void last_block_ref(const int *in, int *parts, int *counter,
                               int *out)
{
  __shared__ int sum;
  __shared__ bool last;

  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[blockIdx.x * THREADS + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::atomic_ref<int, cuda::thread_scope_device> count(*counter);

    parts[blockIdx.x] = sum;
    last = count.fetch_add(1, cuda::memory_order_acq_rel) == (int)gridDim.x - 1;
  }
  __syncthreads();
  if (last) {
    int part = threadIdx.x < gridDim.x ? parts[threadIdx.x] : 0;

    part = __reduce_add_sync(0xffffffff, part);
    if (threadIdx.x == 0)
      out[0] = part;
  }
}

// Look-back by warps, with the state and the value in one 64-bit word.
__global__ void look_back_packed(const int *in, unsigned long long *state,
                                 int *out)
{
  __shared__ int before;
  int lane = threadIdx.x, sum = in[blockIdx.x * 32 + lane];

  for (int d = 1; d < 32; d *= 2) {
    int other = __shfl_up_sync(0xffffffff, sum, d);

    sum += lane >= d ? other : 0;
  }
  if (lane == 31) {
    unsigned long long previous = 1ull << 32;

    if (blockIdx.x > 0)
      do
        previous = *(volatile unsigned long long *)&state[blockIdx.x - 1];
      while (previous >> 32 == 0);
    before = (int)previous;
    atomicExch(&state[blockIdx.x], 1ull << 32 | (unsigned)(before + sum));
  }
  __syncwarp();
  out[blockIdx.x * 32 + lane] = before + sum;
}

// Two stages of asynchronous copies; each lane reads what others fetched.
__global__ void two_stages(const int *in, int *out)
{
  __shared__ int stage[2][THREADS];
  int t = threadIdx.x, sum = 0;

  __pipeline_memcpy_async(&stage[0][t], &in[t], 4);
  __pipeline_commit();
  for (int i = 0; i < 8; i++) {
    if (i + 1 < 8)
      __pipeline_memcpy_async(&stage[(i + 1) % 2][t],
                              &in[(i + 1) * THREADS + t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += stage[i % 2][THREADS - 1 - t];
    __syncthreads();
  }
  out[blockIdx.x * THREADS + t] = sum;
}

// Producer and consumer warps by named barriers, two buffers.
__global__ void named_two_buffers(const int *in, int *out)
{
  __shared__ int box[2][32];
  int lane = threadIdx.x % 32, sum = 0;

  if (threadIdx.x < 32) {
    for (int i = 0; i < 6; i++) {
      if (i >= 2)
        asm volatile("bar.sync %0, 64;" ::"r"(3 + i % 2) : "memory");
      box[i % 2][lane] = in[i * 32 + lane];
      __threadfence_block();
      asm volatile("bar.arrive %0, 64;" ::"r"(1 + i % 2) : "memory");
    }
  } else {
    for (int i = 0; i < 6; i++) {
      asm volatile("bar.sync %0, 64;" ::"r"(1 + i % 2) : "memory");
      sum += box[i % 2][31 - lane];
      if (i < 4)
        asm volatile("bar.arrive %0, 64;" ::"r"(3 + i % 2) : "memory");
    }
    out[lane] = sum;
  }
}

// An mbarrier for full and one for empty, four slots of bytes.
__global__ void mbarrier_ring(const unsigned char *in, unsigned char *out)
{
  using barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ barrier full[2], empty[2];
  __shared__ unsigned char slot[2][32];
  int lane = threadIdx.x % 32;

  if (threadIdx.x < 2) {
    init(&full[threadIdx.x], 64);
    init(&empty[threadIdx.x], 64);
  }
  __syncthreads();
  for (int i = 0; i < 5; i++) {
    if (threadIdx.x < 32) {
      if (i >= 2)
        empty[i % 2].arrive_and_wait();
      slot[i % 2][lane] = in[i * 32 + lane];
      (void)full[i % 2].arrive();
    } else {
      full[i % 2].arrive_and_wait();
      out[i * 32 + lane] = slot[i % 2][31 - lane];
      if (i + 2 < 5)
        (void)empty[i % 2].arrive();
    }
  }
}

// Warp-synchronous tree with __syncwarp, on shorts.
__global__ void warp_tree(const short *in, short *out)
{
  __shared__ short box[THREADS];
  int lane = threadIdx.x % 32;
  short *mine = box + threadIdx.x / 32 * 32;

  mine[lane] = in[threadIdx.x];
  __syncwarp();
  for (int half = 16; half > 0; half /= 2) {
    short other = lane < half ? mine[lane + half] : 0;

    __syncwarp();
    if (lane < half)
      mine[lane] += other;
    __syncwarp();
  }
  if (lane == 0)
    out[threadIdx.x / 32] = mine[0];
}

// Tiles of 8 lanes exchange bytes through shared memory.
__global__ void tile_bytes(unsigned char *out)
{
  __shared__ unsigned char box[THREADS];
  cg::thread_block_tile<8> tile =
      cg::tiled_partition<8>(cg::this_thread_block());
  unsigned char *mine = box + threadIdx.x / 8 * 8;

  for (int round = 0; round < 3; round++) {
    mine[tile.thread_rank()] = threadIdx.x + round;
    tile.sync();
    unsigned char other = mine[7 - tile.thread_rank()];
    tile.sync();
    out[threadIdx.x] = other;
  }
}

// Bits of one word by an atomic, bytes of another by plain stores.
__global__ void packed(const int *in, unsigned *bits, unsigned char *bytes)
{
  int i = blockIdx.x * THREADS + threadIdx.x;

  if (in[i] % 2)
    atomicOr(&bits[i / 32], 1u << (i % 32));
  bytes[i] = in[i] % 2;
}

// A lock in a byte-sized neighbourhood: what it protects is a char.
__global__ void spin_lock_char(int *lock, unsigned char *counters)
{
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(lock, 0, 1) != 0)
      ;
    __threadfence();
    counters[1]++;
    __threadfence();
    atomicExch(lock, 0);
  }
  if (threadIdx.x % 32 == 1 && blockIdx.x == 0 && threadIdx.x < 32)
    counters[0] += 5;
}

// A pipeline of libcu++ with a copy per thread.
__global__ void pipeline_block(const int *in, int *out)
{
  __shared__ int box[2][THREADS];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;

  for (int i = 0, fetched = 0; i < 6; i++) {
    for (; fetched < 6 && fetched < i + 2; fetched++) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, box[fetched % 2], in + fetched * THREADS,
                         sizeof(int) * THREADS, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += box[i % 2][THREADS - 1 - threadIdx.x];
    pipe.consumer_release();
  }
  out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

static int *a, *b, *c, *d;

static const char *const names[] = {
  "histogram_per_thread",
  "bytes_in_place",
  "bytes_by_warps",
  "fields_apart",
  "halves",
  "narrow_and_wide",
  "byte_flags",
  "queue",
  "aggregated",
  "aggregated_by_key",
  "last_block_ref",
  "look_back_packed",
  "two_stages",
  "named_two_buffers",
  "mbarrier_ring",
  "warp_tree",
  "tile_bytes",
  "packed",
  "spin_lock_char",
  "pipeline_block",
};

static void run(const char *name)
{
#define RUN(kernel, blocks, threads, ...)                                      \
  if (strcmp(name, #kernel) == 0)                                              \
  kernel<<<blocks, threads>>>(__VA_ARGS__)
  typedef unsigned char uchar;
  RUN(histogram_per_thread, 4, THREADS, (uchar *)a, (uchar *)c);
  RUN(bytes_in_place, 16, 64, (uchar *)b);
  RUN(bytes_by_warps, 4, THREADS, (uchar *)c);
  RUN(fields_apart, 4, THREADS, (mixed *)b);
  RUN(halves, N / THREADS, THREADS, (__half *)a, (__half *)c);
  RUN(narrow_and_wide, 4, THREADS, (unsigned *)a, (unsigned *)c);
  RUN(byte_flags, 8, 32, (uchar *)b, c, d);
  RUN(queue, 16, THREADS, a, c);
  RUN(aggregated, N / THREADS, THREADS, a, b, c);
  RUN(aggregated_by_key, N / THREADS, THREADS, a, b);
  RUN(last_block_ref, N / THREADS, THREADS, a, c, b, d);
  RUN(look_back_packed, 32, 32, a, (unsigned long long *)b, c);
  RUN(two_stages, 2, THREADS, a, c);
  RUN(named_two_buffers, 2, 64, a, c);
  RUN(mbarrier_ring, 1, 64, (uchar *)a, (uchar *)c);
  RUN(warp_tree, 1, THREADS, (short *)a, (short *)c);
  RUN(tile_bytes, 1, THREADS, (uchar *)c);
  RUN(packed, N / THREADS, THREADS, a, (unsigned *)b, (uchar *)c);
  RUN(spin_lock_char, 4, 64, b, (uchar *)(b + 1));
  RUN(pipeline_block, 2, THREADS, a, c);
}

int main(int argc, char **argv)
{
  static int values[N];
  cudaError_t error;

  if (argc < 2) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      puts(names[i]);
    return 0;
  }
  for (int i = 0; i < N; i++)
    values[i] = i * 7 % 1000;
  cudaMalloc(&a, sizeof values);
  cudaMalloc(&b, sizeof values);
  cudaMalloc(&c, sizeof values);
  cudaMalloc(&d, sizeof values);
  cudaMemcpy(a, values, sizeof values, cudaMemcpyHostToDevice);
  cudaMemset(b, 0, sizeof values);
  run(argv[1]);
  error = cudaDeviceSynchronize();
  if (error != cudaSuccess)
    printf("%s: %s\n", argv[1], cudaGetErrorString(error));
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  cudaFree(d);
  return error != cudaSuccess;
}
