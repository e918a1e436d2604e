// Idioms that are right although they look dangerous: the checks must be
// silent about each. `correct NAME` runs one, `correct` lists them.
#include <cuda_pipeline.h>
#include <stdio.h>
#include <string.h>

#define N 4096
#define THREADS 128
#define BLOCKS (N / THREADS)

__device__ unsigned int n_done, ticket, arrived, generation;
__device__ volatile int flag;
__device__ int mail, lock_word, counter;

// The last block adds up what the others left.
__global__ void last_block(const int *in, int *parts, int *out)
{
  __shared__ int sums[THREADS];
  __shared__ bool last;
  int t = threadIdx.x;

  sums[t] = in[blockIdx.x * THREADS + t];
  for (int half = THREADS / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half)
      sums[t] += sums[t + half];
  }
  if (t == 0) {
    parts[blockIdx.x] = sums[0];
    __threadfence();
    last = atomicAdd(&n_done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && t == 0) {
    int sum = 0;

    __threadfence();
    for (int i = 0; i < (int)gridDim.x; i++)
      sum += parts[i];
    out[0] = sum;
  }
}

// Decoupled look-back: a block waits for the state of the one before it.
__global__ void look_back(const int *in, volatile int *state,
                          volatile int *value, int *out)
{
  __shared__ unsigned int tile;
  __shared__ int before;
  int sum = 0;

  if (threadIdx.x == 0) {
    tile = atomicAdd(&ticket, 1);
    for (int i = 0; i < THREADS; i++)
      sum += in[tile * THREADS + i];
    before = 0;
    if (tile > 0) {
      while (state[tile - 1] == 0)
        ;
      __threadfence();
      before = value[tile - 1];
    }
    value[tile] = before + sum;
    __threadfence();
    state[tile] = 1;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    int running = before;

    for (int i = 0; i < THREADS; i++) {
      running += in[tile * THREADS + i];
      out[tile * THREADS + i] = running;
    }
  }
}

// The same with release and acquire.
__global__ void look_back_release(const int *in, int *state, int *value,
                                  int *out)
{
  if (threadIdx.x == 0) {
    unsigned int tile = atomicAdd(&ticket, 1);
    int sum = 0, ready = 0, before = 0;

    for (int i = 0; i < THREADS; i++)
      sum += in[tile * THREADS + i];
    while (tile > 0 && ready == 0)
      asm volatile("ld.acquire.gpu.global.s32 %0, [%1];"
                   : "=r"(ready)
                   : "l"(&state[tile - 1])
                   : "memory");
    if (tile > 0)
      before = value[tile - 1];
    value[tile] = before + sum;
    asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(&state[tile]),
                 "r"(1)
                 : "memory");
    out[tile] = before + sum;
  }
}

// A barrier of the whole grid, made by hand.
__global__ void grid_barrier(int *data, int *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  data[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned int now = *(volatile unsigned int *)&generation;

    __threadfence();
    if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
      arrived = 0;
      __threadfence();
      atomicAdd(&generation, 1);
    } else {
      while (*(volatile unsigned int *)&generation == now)
        ;
    }
    __threadfence();
  }
  __syncthreads();
  out[i] = data[gridDim.x * blockDim.x - 1 - i];
}

// Lanes of a warp exchange through shared memory.
__global__ void warp_reduce(const int *in, int *out)
{
  __shared__ int sums[THREADS];
  int t = threadIdx.x, lane = t % 32;

  sums[t] = in[t];
  __syncwarp();
  for (int half = 16; half > 0; half /= 2) {
    int other = lane < half ? sums[t + half] : 0;

    __syncwarp();
    if (lane < half)
      sums[t] += other;
    __syncwarp();
  }
  if (lane == 0)
    out[t / 32] = sums[t];
}

// Half a warp by itself.
__global__ void half_warp(int *out)
{
  __shared__ int box[32];

  if (threadIdx.x < 16) {
    box[threadIdx.x] = threadIdx.x;
    __syncwarp(0xffff);
    out[threadIdx.x] = box[15 - threadIdx.x];
  } else {
    box[threadIdx.x] = 1;
    __syncwarp(0xffff0000);
    out[threadIdx.x] = box[47 - threadIdx.x];
  }
}

// Votes and shuffles order lanes as __syncwarp does.
__global__ void ballot_order(int *out)
{
  __shared__ int box[32];

  box[threadIdx.x] = threadIdx.x;
  unsigned int odd = __ballot_sync(0xffffffff, threadIdx.x & 1);
  out[threadIdx.x] = box[31 - threadIdx.x] + __popc(odd);
}

// Half of the warps write, the other half read: bar.arrive and bar.sync.
__global__ void named_barriers(int *out)
{
  __shared__ int box[64];
  int t = threadIdx.x;

  for (int round = 0; round < 4; round++) {
    if (t < 64) {
      asm volatile("bar.sync 2, 128;" ::: "memory");
      box[t] = t + round;
      asm volatile("bar.arrive 1, 128;" ::: "memory");
    } else {
      asm volatile("bar.arrive 2, 128;" ::: "memory");
      asm volatile("bar.sync 1, 128;" ::: "memory");
      out[round * 64 + t - 64] = box[127 - t];
    }
  }
}

// Two groups of warps with a barrier each.
__global__ void two_groups(int *out)
{
  __shared__ int box[128];
  int t = threadIdx.x, group = t / 64;

  box[t] = t;
  asm volatile("bar.sync %0, 64;" ::"r"(group + 1) : "memory");
  out[t] = box[group * 64 + 63 - t % 64];
}

// A spin lock: one thread of each block.
__global__ void spin_lock(int *data)
{
  if (threadIdx.x == 0) {
    while (atomicCAS(&lock_word, 0, 1) != 0)
      ;
    __threadfence();
    for (int i = 0; i < 8; i++)
      data[i] += 1;
    __threadfence();
    atomicExch(&lock_word, 0);
  }
}

// A spin lock that every lane takes.
__global__ void lane_lock(int *data)
{
  bool done = false;

  while (!done)
    if (atomicCAS(&lock_word, 0, 1) == 0) {
      __threadfence();
      data[0] += 1;
      __threadfence();
      atomicExch(&lock_word, 0);
      done = true;
    }
}

// Every thread waits for the next one, which may be a lane of its warp. The
// flags are all that the threads share, and every access to them is strong.
__global__ void lane_chain(int *done)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, seen = 0;

  if (i != gridDim.x * blockDim.x - 1)
    while (seen == 0)
      asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];"
                   : "=r"(seen)
                   : "l"(done + i + 1)
                   : "memory");
  asm volatile("st.relaxed.gpu.global.s32 [%0], %1;" ::"l"(done + i),
               "r"(seen + 1)
               : "memory");
}

// The same with volatile loads: that the stores are atomics is enough.
__global__ void lane_chain_atomics(int *done)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, seen = 0;

  if (i != gridDim.x * blockDim.x - 1)
    while (seen == 0)
      seen = *(volatile int *)&done[i + 1];
  atomicExch(&done[i], seen + 1);
}

// Counts in shared memory, then one atomic for each bin and block.
__global__ void histogram(const int *in, int *bins)
{
  __shared__ int own[32];

  if (threadIdx.x < 32)
    own[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&own[in[blockIdx.x * THREADS + threadIdx.x] % 32], 1);
  __syncthreads();
  if (threadIdx.x < 32)
    atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

// One barrier in each round, since tiles alternate.
__global__ void double_buffer(const int *in, int *out)
{
  __shared__ int tile[2][THREADS];
  int t = threadIdx.x, sum = 0;

  for (int i = 0; i < 8; i++) {
    tile[i % 2][t] = in[i * THREADS + t];
    __syncthreads();
    sum += tile[i % 2][THREADS - 1 - t];
  }
  out[t] = sum;
}

// cp.async in two stages; every thread reads what others copied.
__global__ void async_copies(const int *in, int *out)
{
  __shared__ int tile[2][THREADS];
  int t = threadIdx.x, sum = 0;

  __pipeline_memcpy_async(&tile[0][t], &in[t], sizeof(int));
  __pipeline_commit();
  for (int i = 0; i < 8; i++) {
    if (i + 1 < 8)
      __pipeline_memcpy_async(&tile[(i + 1) % 2][t], &in[(i + 1) * THREADS + t],
                              sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += tile[i % 2][THREADS - 1 - t];
    __syncthreads();
  }
  out[t] = sum;
}

// A flag between blocks: volatile and fences.
__global__ void message(int *out)
{
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    mail = 42;
    __threadfence();
    flag = 1;
  } else {
    while (flag == 0)
      ;
    __threadfence();
    out[blockIdx.x] = mail;
  }
}

// Every thread stores the same value.
__global__ void same_value(int *out)
{
  __shared__ int found;

  found = 7;
  __syncthreads();
  out[0] = found;
}

// The same for many places and by all blocks at once, so that now and then one
// worker has noted its store, and not yet carried it out, when another comes.
__global__ void same_values(int *out, int value)
{
  for (int i = threadIdx.x; i < N; i += 32)
    out[i] = value;
}

// An even lane's pointer is of global memory, an odd one's of shared memory.
__global__ void two_spaces(int *out)
{
  __shared__ int own[32];
  volatile int *place =
      threadIdx.x % 2 == 0 ? &out[threadIdx.x] : &own[threadIdx.x];

  *place = (int)threadIdx.x;
  out[32 + threadIdx.x] = *place;
}

// A grown list: places from an atomic.
__global__ void append(const int *in, int *out)
{
  int i = blockIdx.x * THREADS + threadIdx.x;

  if (in[i] % 3 == 0)
    out[atomicAdd(&counter, 1)] = in[i];
}

// Warp-aggregated: the leader asks for all.
__global__ void append_by_warp(const int *in, int *out)
{
  int i = blockIdx.x * THREADS + threadIdx.x, place = 0;
  bool keep = in[i] % 3 == 0;
  unsigned int kept = __ballot_sync(0xffffffff, keep);

  if (threadIdx.x % 32 == 0)
    place = atomicAdd(&counter, __popc(kept));
  place = __shfl_sync(0xffffffff, place, 0);
  if (keep)
    out[place + __popc(kept & ((1u << threadIdx.x % 32) - 1))] = in[i];
}

struct item {
  char kind;
  int value;
};  // with padding

__global__ void copy_items(const struct item *in, struct item *out)
{
  struct item item = in[threadIdx.x];

  item.value += 1;
  out[threadIdx.x] = item;
}

// A number and the padding after it as one word, of which only the number is
// looked at: so do tuples in CUB's reductions.
__global__ void make_numbers(int *numbers)
{
  numbers[2 * threadIdx.x] = threadIdx.x;
}

__global__ void lower_halves(const int *numbers, int *out)
{
  unsigned long long word;

  asm("ld.global.u64 %0, [%1];" : "=l"(word) : "l"(numbers + 2 * threadIdx.x));
  out[threadIdx.x] = (int)word + 1;
}

// Bytes of one word, by different threads.
__global__ void bytes_of_words(unsigned char *out)
{
  __shared__ unsigned char box[THREADS];

  box[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = box[THREADS - 1 - threadIdx.x];
}

// Threads that leave early, before a barrier of those that stay.
__global__ void early_exit(int *out)
{
  __shared__ int box[64];

  if (threadIdx.x >= 64)
    return;
  box[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = box[63 - threadIdx.x];
}

// __syncthreads_or and friends order, too.
__global__ void barrier_or(int *out)
{
  __shared__ int box[THREADS];

  box[threadIdx.x] = threadIdx.x;
  int any = __syncthreads_or(threadIdx.x == 5);
  out[threadIdx.x] = box[THREADS - 1 - threadIdx.x] + any;
}

// A full mask names lanes that the last warp does not have: none reads them, or
// what came is dropped.
__global__ void part_of_a_warp(const int *in, int *out)
{
  int t = threadIdx.x, lane = t % 32, sum = in[t];
  int next = __shfl_down_sync(0xffffffff, sum, 1);

  next = t + 1 < blockDim.x ? next : -1;
  for (int d = 1; d < 32; d *= 2) {
    int other = __shfl_up_sync(0xffffffff, sum, d);

    if (lane >= d)
      sum += other;
  }
  out[t] = sum + next + __shfl_sync(0xffffffff, in[t], 3) +
           __popc(__ballot_sync(0xffffffff, sum > 0));
  __syncwarp();
}

// A __syncwarp may be another one for some lanes. Those who ended before need
// not vote.
__global__ void two_syncwarps(int *out)
{
  __shared__ int box[32];
  int t = threadIdx.x;

  if (t < 8)
    return;
  __syncthreads();
  if (t % 2) {
    box[t] = t;
    __syncwarp();
  } else {
    box[t] = 2 * t;
    __syncwarp();
  }
  out[t] = box[39 - t] + __popc(__ballot_sync(0xffffffff, t < 20));
}

// Each lane's mask is that of its own group.
__global__ void groups_of_equals(int *out)
{
  __shared__ int box[32];
  int t = threadIdx.x;
  unsigned int equals = __match_any_sync(0xffffffff, t % 5);

  box[t] = t;
  __syncwarp(equals);
  out[t] = __reduce_add_sync(equals, box[t]) +
           __shfl_sync(equals, box[__ffs(equals) - 1], __ffs(equals) - 1);
}

/* The choice after the barrier keeps what thread 0 has loaded, and drops what
 * thread 32 has, which nothing has written. */
__global__ void choice_drops(int *in, int *out)
{
  int value;

  if (threadIdx.x == 1)
    in[0] = 1;
  __syncthreads();
  if (threadIdx.x % 32 == 0)
    value = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = threadIdx.x == 0 ? value : 0;
}

/* What the first choice keeps, the second drops. */
__global__ void choices_drop(const int *in, int *out, int n)
{
  int value;

  if (threadIdx.x % 32 == 0)
    value = in[threadIdx.x];
  __syncthreads();
  value = threadIdx.x == 0 ? value : 0;
  out[threadIdx.x] = (int)threadIdx.x < n ? 5 : value;
}

/* Each thread drops what it has loaded in a round of its own, the same register
 * goes in and out of the choice. */
__global__ void choice_in_loop(const int *in, int *out, int n)
{
  int value = in[threadIdx.x];

  for (int i = 0; i < n; i++) {
    __syncthreads();
    value = (int)threadIdx.x > i ? value : i;
  }
  out[threadIdx.x] = (int)threadIdx.x < n ? value : 0;
}

/* A part of the word was written, as of a struct with padding, and the choice
 * only copies it. */
__global__ void choice_of_part(int *in, int *out)
{
  int value;

  if (threadIdx.x == 1)
    *(char *)in = 1;
  __syncthreads();
  if (threadIdx.x == 0)
    value = *in;
  __syncthreads();
  out[threadIdx.x] = threadIdx.x == 0 ? value : 0;
}

static int *a, *b, *c, *d;

static void run(const char *name)
{
#define RUN(kernel, blocks, threads, ...)                                      \
  if (strcmp(name, #kernel) == 0)                                              \
  kernel<<<blocks, threads>>>(__VA_ARGS__)
  RUN(choice_drops, 1, 64, c, b);
  RUN(choices_drop, 1, 64, c, b, 1);
  RUN(choice_in_loop, 1, 64, c, b, 65);
  RUN(choice_of_part, 1, 64, c, b);
  RUN(last_block, BLOCKS, THREADS, a, b, c);
  RUN(look_back, BLOCKS, THREADS, a, b, c, d);
  RUN(look_back_release, BLOCKS, THREADS, a, b, c, d);
  RUN(grid_barrier, 4, 64, c, d);
  RUN(warp_reduce, 1, THREADS, a, c);
  RUN(half_warp, 1, 32, c);
  RUN(ballot_order, 1, 32, c);
  RUN(named_barriers, 1, 128, c);
  RUN(two_groups, 1, 128, c);
  RUN(spin_lock, 8, 64, b);
  RUN(lane_lock, 2, 64, b);
  RUN(lane_chain, 2, 64, b);
  RUN(lane_chain_atomics, 2, 64, b);
  RUN(histogram, BLOCKS, THREADS, a, b);
  RUN(double_buffer, 4, THREADS, a, c);
  RUN(async_copies, 1, THREADS, a, c);
  RUN(message, 4, 32, c);
  RUN(same_value, 4, 64, c);
  for (int i = 0; i < 200; i++)
    RUN(same_values, BLOCKS, 32, c, i);
  RUN(two_spaces, 1, 32, c);
  RUN(append, BLOCKS, THREADS, a, c);
  RUN(append_by_warp, BLOCKS, THREADS, a, c);
  RUN(copy_items, 1, 64, (struct item *)a, (struct item *)c);
  if (strcmp(name, "lower_halves") == 0)
    make_numbers<<<1, 64>>>(d);
  RUN(lower_halves, 1, 64, d, c);
  RUN(bytes_of_words, 1, THREADS, (unsigned char *)c);
  RUN(early_exit, 1, THREADS, c);
  RUN(barrier_or, 1, THREADS, c);
  RUN(part_of_a_warp, 1, 40, a, c);
  RUN(two_syncwarps, 1, 32, c);
  RUN(groups_of_equals, 1, 32, c);
}

static const char *const names[] = {
  "choice_drops",
  "choices_drop",
  "choice_in_loop",
  "choice_of_part",
  "last_block",
  "look_back",
  "look_back_release",
  "grid_barrier",
  "warp_reduce",
  "half_warp",
  "ballot_order",
  "named_barriers",
  "two_groups",
  "spin_lock",
  "lane_lock",
  "lane_chain",
  "lane_chain_atomics",
  "histogram",
  "double_buffer",
  "async_copies",
  "message",
  "same_value",
  "same_values",
  "two_spaces",
  "append",
  "append_by_warp",
  "copy_items",
  "lower_halves",
  "bytes_of_words",
  "early_exit",
  "barrier_or",
  "part_of_a_warp",
  "two_syncwarps",
  "groups_of_equals",
};

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
