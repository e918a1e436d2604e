// One bug in each. `broken NAME` runs it, `broken` lists them with what has
// to be told: name, check, title. The finding must name the line of the mark
// "HERE name" on one of its sides.
#include <cooperative_groups.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline_primitives.h>
#include <mma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace cg = cooperative_groups;

#define THREADS 128

__device__ int mail, lock_word;
__device__ unsigned int n_done;
__device__ volatile int flag;

__global__ void no_syncwarp(int *out)
{
  __shared__ int box[32];

  box[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = box[31 - threadIdx.x]; // HERE no_syncwarp
}

__global__ void no_fence(int *out)
{
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    mail = 42;
    flag = 1;
  } else {
    while (flag == 0)
      ;
    __threadfence();
    out[blockIdx.x] = mail; // HERE no_fence
  }
}

__global__ void no_fence_last_block(int *parts, int *out)
{
  if (threadIdx.x != 0)
    return;
  parts[blockIdx.x] = blockIdx.x; // HERE no_fence_last_block
  if (atomicAdd(&n_done, 1) == gridDim.x - 1) {
    int sum = 0;

    for (int i = 0; i < (int)gridDim.x; i++)
      sum += parts[i];
    out[0] = sum;
  }
}

__global__ void mask_without_self(int *out)
{
  int got = __shfl_sync(0x0000ffff, threadIdx.x, 0);

  out[threadIdx.x] = got;
}

__global__ void two_masks(int *out)
{
  unsigned int mask = threadIdx.x < 16 ? 0xffffffff : 0xffff0001;

  if (threadIdx.x < 16)
    out[threadIdx.x] = __shfl_sync(mask, 1, 3);
  else
    out[threadIdx.x] = __shfl_sync(mask, 2, 20);
}

__global__ void votes_at_two_lines(int *out)
{
  unsigned int odd;

  if (threadIdx.x % 2)
    odd = __ballot_sync(0xffffffff, threadIdx.x > 4); // HERE votes_at_two_lines
  else
    odd = __ballot_sync(0xffffffff, 0);
  out[threadIdx.x] = odd;
}

__global__ void shuffle_meets_vote(int *out)
{
  if (threadIdx.x < 8)
    out[threadIdx.x] = __shfl_sync(0xffffffff, 1, 9);
  else
    out[threadIdx.x] = __any_sync(0xffffffff, 1); // HERE shuffle_meets_vote
}

// The lanes that skip the `if` have more to do than to end.
__global__ void syncwarp_of_some(int *out)
{
  __shared__ int box[4];

  if (threadIdx.x < 4)
    box[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x < 2) {
    box[threadIdx.x] += box[threadIdx.x + 2];
    __syncwarp(); // HERE syncwarp_of_some
  }
  out[threadIdx.x + 1] = threadIdx.x;
  if (threadIdx.x == 0)
    out[0] = box[0] + box[1];
}

__global__ void sum_of_some(int *out)
{
  int sum = threadIdx.x;

  if (threadIdx.x < 4)
    sum += __shfl_down_sync(0xffffffff, sum, 2); // HERE sum_of_some
  out[threadIdx.x] = sum;
}

__global__ void most_of_eight(int *out)
{
  int most = -1 - (int)threadIdx.x;

  for (int d = 16; d > 0; d /= 2)
    most = max(most, __shfl_down_sync(~0u, most, d)); // HERE most_of_eight
  out[threadIdx.x] = most;
}

__global__ void shuffle_from_ended(int *out)
{
  if (threadIdx.x >= 20)
    return;
  __syncthreads();
  out[threadIdx.x] =
      __shfl_sync(0xffffffff, out[threadIdx.x], 25); // HERE shuffle_from_ended
}

// Only a warp is split here, and its other lanes end soon.
__global__ void tree_under_if(int *out, int n)
{
  __shared__ int sums[64];
  int t = threadIdx.x;

  sums[t] = t < n ? t : 0;
  __syncthreads();
  if (t < n)
    for (int half = 32; half > 0; half /= 2) {
      if (t < half)
        sums[t] += sums[t + half];
      __syncthreads(); // HERE tree_under_if
    }
  if (t % 32 == 0)
    out[t] = sums[t];
}

__global__ void half_at_barrier(int *out)
{
  if (threadIdx.x % 32 < 16) {
    __syncthreads(); // HERE half_at_barrier
    out[threadIdx.x] = 1;
  } else {
    out[threadIdx.x] = 2;
    __syncthreads();
  }
}

__global__ void two_barriers(int *out)
{
  __shared__ int box[64];

  if (threadIdx.x < 32) {
    box[threadIdx.x] = 1;
    __syncthreads(); // HERE two_barriers
  } else {
    box[threadIdx.x] = 2;
    __syncthreads(); // HERE two_barriers
  }
  out[threadIdx.x] = box[63 - threadIdx.x];
}

__global__ void past_dynamic(int *out)
{
  extern __shared__ int dynamic[];

  dynamic[threadIdx.x + 1] = 1; // HERE past_dynamic
  out[threadIdx.x] = 0;
}

__device__ __noinline__ void local_address(int n, volatile int **address)
{
  volatile int here[64];

  for (int i = 0; i < 64; i++)
    here[i] = n + i;
  *address = here + n % 64;
}

__global__ void stack_after_return(int *out)
{
  volatile int *p;
  local_address(threadIdx.x, &p);
  out[threadIdx.x] = *p + 1; // HERE stack_after_return
}

__device__ int *shared_pointer;

__global__ void other_blocks_shared(int *out)
{
  __shared__ int box[32];

  box[threadIdx.x] = threadIdx.x; // HERE other_blocks_shared
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0) {
      shared_pointer = box + 8192;
      __threadfence();
      flag = 1;
    }
    while (flag == 0)
      ;
    __threadfence();
    out[blockIdx.x] = *shared_pointer; // HERE other_blocks_shared
  }
}

__global__ void uninitialised_sum(const int *in, int *out)
{
  out[threadIdx.x] = in[threadIdx.x] + 1; // HERE uninitialised_sum
}

__global__ void host_pointer(int *out)
{
  out[threadIdx.x] = 1; // HERE host_pointer
}

struct holder { int *p; };

__global__ void stale_pointer(struct holder holder)
{
  holder.p[threadIdx.x] = 1; // HERE stale_pointer
}

// Only the first of two matrices was stored.
__global__ void matrix_hole(int *out)
{
  __shared__ float c[2 * 16 * 16];
  nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> sum;

  nvcuda::wmma::fill_fragment(sum, 1.0f);
  nvcuda::wmma::store_matrix_sync(c, sum, 16, nvcuda::wmma::mem_row_major);
  __syncwarp();
  out[threadIdx.x] = (int)c[16 * 16 - 16 + threadIdx.x]; // HERE matrix_hole
}

__global__ void matrix_no_barrier(int *out)
{
  __shared__ float c[16 * 16];
  nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> sum;

  nvcuda::wmma::fill_fragment(sum, 1.0f);
  if (threadIdx.x < 32)
    nvcuda::wmma::store_matrix_sync(c, sum, 16, nvcuda::wmma::mem_row_major);
  out[threadIdx.x] = (int)c[threadIdx.x]; // HERE matrix_no_barrier
}

// Loaded ahead, and then chosen where it should not be.
__device__ __noinline__ bool set_if_even(int i, int *value)
{
  if (i % 2 == 0)
    *value = i;
  return true;
}

__global__ void not_even(int *out)
{
  int value;

  out[threadIdx.x] =
      set_if_even(threadIdx.x, &value) ? value : -1; // HERE not_even
}

// The choice comes after a barrier, and keeps what thread 0 has loaded.
__global__ void choice_keeps(const int *in, int *out)
{
  int value;

  if (threadIdx.x % 32 == 0)
    value = in[threadIdx.x]; // HERE choice_keeps
  __syncthreads();
  out[threadIdx.x] = threadIdx.x == 0 ? value : 0;
}

// A function that is called before the choice has values of its own.
__device__ __noinline__ int twice(int x) { return 2 * x; }

__global__ void choice_after_call(const int *in, int *out)
{
  int value, other;

  if (threadIdx.x % 32 == 0)
    value = in[threadIdx.x]; // HERE choice_after_call
  other = twice(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = threadIdx.x == 0 ? value : other;
}

// Two choices, one after the other, that both keep it.
__global__ void choices_keep(const int *in, int *out, int n)
{
  int value;

  if (threadIdx.x % 32 == 0)
    value = in[threadIdx.x]; // HERE choices_keep
  __syncthreads();
  value = threadIdx.x == 0 ? value : 0;
  out[threadIdx.x] = (int)threadIdx.x < n ? value : 5;
}

// Too few rounds: thread 63 still has what it has loaded.
__global__ void choice_in_loop(const int *in, int *out, int n)
{
  int value = in[threadIdx.x]; // HERE choice_in_loop

  for (int i = 0; i < n; i++) {
    __syncthreads();
    value = (int)threadIdx.x > i ? value : i;
  }
  out[threadIdx.x] = threadIdx.x < 64 ? value : 0;
}

struct two_fields {
  unsigned kind : 3, size : 29;
};

// Bits of an unwritten word are set, and none is masked.
__global__ void flag_in_new_memory(unsigned *made)
{
  made[threadIdx.x] |= 4; // HERE flag_in_new_memory
}

// The bits around a bit-field may be unwritten; the field is looked at.
__global__ void field_of_new_memory(two_fields *made, int *out)
{
  made[threadIdx.x].kind = 5;
  out[threadIdx.x] = made[threadIdx.x + 32].kind; // HERE field_of_new_memory
}

// The swap compares with another word than the one it changes.
__global__ void swap_elsewhere(int *out)
{
  int old = out[1]; // HERE swap_elsewhere

  atomicCAS(&out[0], old, old + 1);
  atomicAdd(&out[1], 1);
}

// A word of which one half was written: both halves are looked at in turn.
__global__ void upper_half(int *out)
{
  __shared__ unsigned long long words[32];
  unsigned long long word;

  ((volatile int *)words)[2 * threadIdx.x] = 1;
  word = *(volatile unsigned long long *)&words[threadIdx.x]; // HERE upper_half
  out[threadIdx.x] = (int)(word >> 32);
}

__global__ void lower_half(int *out)
{
  __shared__ unsigned long long words[32];
  unsigned long long word;

  ((volatile int *)words)[2 * threadIdx.x + 1] = 1;
  word = *(volatile unsigned long long *)&words[threadIdx.x]; // HERE lower_half
  out[threadIdx.x] = (int)word + 1;
}

__global__ void lanes_race(int *out)
{
  __shared__ int sum;

  sum = threadIdx.x; // HERE lanes_race
  __syncwarp();
  out[threadIdx.x] = sum;
}

/* Which lane wins is undefined, though the same on every GPU. */
__global__ void one_address(int *out)
{
  *out = threadIdx.x; // HERE one_address
}

__global__ void atomic_and_plain(int *total)
{
  if (threadIdx.x == 0) {
    atomicAdd(total, 1);
    total[0] = 0; // HERE atomic_and_plain
  }
}

__global__ void no_second_barrier(const int *in, int *out)
{
  __shared__ int tile[THREADS];
  int sum = 0;

  for (int i = 0; i < 4; i++) {
    tile[threadIdx.x] = in[i * THREADS + threadIdx.x]; // HERE no_second_barrier
    __syncthreads();
    sum += tile[THREADS - 1 - threadIdx.x];
  }
  out[threadIdx.x] = sum;
}

/* A copy that does not pass through registers, into what others still read;
 * and a barrier made anew where data was. */
__global__ void copy_over_data(const int *in, int *out)
{
  __shared__ int tile[THREADS];

  tile[threadIdx.x] = 1; // HERE copy_over_data
  __pipeline_memcpy_async(&tile[THREADS - 1 - threadIdx.x],
                          &in[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[THREADS - 1 - threadIdx.x];
}

__global__ void barrier_over_data(int *out)
{
  __shared__ long long box[THREADS];

  box[threadIdx.x] = threadIdx.x; // HERE barrier_over_data
  if (threadIdx.x == 40)
    __mbarrier_init((__mbarrier_t *)box, 1);
  out[threadIdx.x] = 0;
}

__global__ void grid_neighbour(int *data)
{
  int i = blockIdx.x * THREADS + threadIdx.x;

  if (i > 0)
    data[i] = data[i - 1] + 1; // HERE grid_neighbour
}

__global__ void shared_past_end(int *out)
{
  __shared__ int box[32];
  int i = threadIdx.x + 5000;

  out[threadIdx.x] = box[i]; // HERE shared_past_end
}

__global__ void wild(int *data)
{
  data[1 << 28] = 1; // HERE wild
}

__global__ void odd_address(char *data)
{
  *(int *)(data + 2) = 1; // HERE odd_address
}

__global__ void lock_without_fence(int *data)
{
  if (threadIdx.x == 0) {
    while (atomicCAS(&lock_word, 0, 1) != 0)
      ;
    data[0] += 1; // HERE lock_without_fence
    atomicExch(&lock_word, 0);
  }
}

__global__ void __cluster_dims__(4, 1, 1) cluster_no_barrier(int *out)
{
  __shared__ int box[64];
  cg::cluster_group cluster = cg::this_cluster();
  int next = (cluster.block_rank() + 1) % 4;

  box[threadIdx.x] = 0;
  cluster.sync();
  cluster.map_shared_rank(box, next)[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = box[threadIdx.x]; // HERE cluster_no_barrier
  cluster.sync();
}

__global__ void __cluster_dims__(2, 1, 1) cluster_no_second(int *out)
{
  __shared__ int box[64];
  cg::cluster_group cluster = cg::this_cluster();
  int *others = cluster.map_shared_rank(box, 1 - cluster.block_rank());

  box[threadIdx.x] = threadIdx.x;
  cluster.sync();
  out[64 * blockIdx.x + threadIdx.x] = others[threadIdx.x];
  box[threadIdx.x] = -1; // HERE cluster_no_second
  cluster.sync();
}

__global__ void __cluster_dims__(2, 1, 1) cluster_unwritten(int *out)
{
  __shared__ int box[64];
  cg::cluster_group cluster = cg::this_cluster();
  int *others = cluster.map_shared_rank(box, 1 - cluster.block_rank());

  if (threadIdx.x != 5)
    box[threadIdx.x] = threadIdx.x;
  cluster.sync();
  out[64 * blockIdx.x + threadIdx.x] =
      others[threadIdx.x]; // HERE cluster_unwritten
  cluster.sync();
}

__global__ void __cluster_dims__(2, 1, 1) cluster_past_end(int *out)
{
  __shared__ int box[64];
  cg::cluster_group cluster = cg::this_cluster();
  int *others = cluster.map_shared_rank(box, 1 - cluster.block_rank());

  box[threadIdx.x] = threadIdx.x;
  cluster.sync();
  out[64 * blockIdx.x + threadIdx.x] =
      others[threadIdx.x + 1]; // HERE cluster_past_end
  cluster.sync();
}

__global__ void __cluster_dims__(2, 1, 1) cluster_left(int *out)
{
  __shared__ int box[64];
  cg::cluster_group cluster = cg::this_cluster();

  box[threadIdx.x] = threadIdx.x;
  cluster.sync();
  if (cluster.block_rank() == 1)
    return;
  cluster.sync();
  out[threadIdx.x] =
      cluster.map_shared_rank(box, 1)[threadIdx.x]; // HERE cluster_left
}

/* No error without checks: a GPU drops the arrival. */
__global__ void __cluster_dims__(2, 1, 1) cluster_arrive_left(int *out)
{
  __shared__ unsigned long long gate;
  cg::cluster_group cluster = cg::this_cluster();
  unsigned own = (unsigned)__cvta_generic_to_shared(&gate), far;

  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(own));
  cluster.sync();
  if (cluster.block_rank() == 1)
    return;
  for (int i = 0; i < 20000; i++)
    *(volatile int *)&out[threadIdx.x] = i;
  asm volatile("mapa.shared::cluster.u32 %0, %1, 1;" : "=r"(far) : "r"(own));
  asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];\n"
               :
               : "r"(far) // HERE cluster_arrive_left
               : "memory");
}

__global__ void __cluster_dims__(2, 1, 1) cluster_half(int *out)
{
  if (threadIdx.x % 2 == 0)
    asm volatile("barrier.cluster.arrive.aligned;\n" // HERE cluster_half
                 "barrier.cluster.wait.aligned;" ::: "memory");
  out[threadIdx.x] = 1;
}

static const struct { const char *name, *told; } names[] = {
  { "no_syncwarp", "race,race between lanes of a warp in shared memory" },
  { "no_fence", "race,race between blocks in global memory" },
  { "no_fence_last_block", "race,race between blocks in global memory" },
  { "mask_without_self", "sync,wrong member mask" },
  { "two_masks", "sync,deadlock" },
  { "votes_at_two_lines", "sync,lanes of one mask at different lines" },
  { "shuffle_meets_vote", "sync,lanes of one mask at different lines" },
  { "syncwarp_of_some", "sync,__syncwarp in divergent code" },
  { "sum_of_some", "sync,wrong member mask" },
  { "most_of_eight", "sync,shuffle from no lane" },
  { "shuffle_from_ended", "sync,shuffle from no lane" },
  { "tree_under_if", "sync,barrier in divergent code" },
  { "half_at_barrier", "sync,barrier in divergent code" },
  { "two_barriers", "sync,different barriers" },
  { "past_dynamic", "memory,out of bounds of shared memory" },
  { "stack_after_return", "init,read of uninitialised local memory" },
  { "other_blocks_shared", "memory,out of bounds of shared memory" },
  { "uninitialised_sum", "init,read of uninitialised global memory" },
  { "choice_keeps", "init,read of uninitialised global memory" },
  { "choice_after_call", "init,read of uninitialised global memory" },
  { "choices_keep", "init,read of uninitialised global memory" },
  { "choice_in_loop", "init,read of uninitialised global memory" },
  { "host_pointer", "api,host pointer used by a kernel" },
  { "stale_pointer", "memory,use after free" },
  { "matrix_hole", "init,read of uninitialised shared memory" },
  { "matrix_no_barrier", "race,race between warps in shared memory" },
  { "not_even", "init,read of uninitialised local memory" },
  { "flag_in_new_memory", "init,read of uninitialised global memory" },
  { "field_of_new_memory", "init,read of uninitialised global memory" },
  { "swap_elsewhere", "race,race between lanes of a warp in global memory" },
  { "upper_half", "init,read of uninitialised shared memory" },
  { "lower_half", "init,read of uninitialised shared memory" },
  { "lanes_race", "race,race between lanes of a warp in shared memory" },
  { "one_address", "race,race between lanes of a warp in global memory" },
  { "atomic_and_plain", "race,race between blocks in global memory" },
  { "no_second_barrier", "race,race between warps in shared memory" },
  { "copy_over_data", "race,race between warps in shared memory" },
  { "barrier_over_data", "race,race between warps in shared memory" },
  { "grid_neighbour", "race,race between lanes of a warp in global memory" },
  { "shared_past_end", "memory,out of bounds of shared memory" },
  { "wild", "memory,out of bounds" },
  { "odd_address", "memory,misaligned address" },
  { "lock_without_fence", "race,race between blocks in global memory" },
  { "cluster_no_barrier",
    "race,race between blocks of a cluster in shared memory" },
  { "cluster_no_second",
    "race,race between blocks of a cluster in shared memory" },
  { "cluster_unwritten", "init,read of uninitialised shared memory" },
  { "cluster_past_end", "memory,out of bounds of shared memory" },
  { "cluster_left", "memory,out of bounds of shared memory" },
  { "cluster_arrive_left", "memory,out of bounds of shared memory" },
  { "cluster_half", "sync,barrier in divergent code" },
  { "double_free", "memory,double free" },
  { "free_inside", "memory,free of what was not allocated" },
  { "copy_past_end", "api,error never looked at" },
  { "leak", "leak,device memory never freed" },
};

int main(int argc, char **argv)
{
  const char *name = argc < 2 ? "" : argv[1];
  const size_t bytes = 4096 * sizeof(int);
  int *in, *out, *old, *host = (int *)malloc(bytes);

  if (argc < 2) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      printf("%s,%s\n", names[i].name, names[i].told);
    return 0;
  }
  cudaMalloc(&in, bytes);
  cudaMalloc(&out, bytes);
  cudaMalloc(&old, bytes);
  cudaFree(old);
  struct holder holder = { old };
  memset(host, 0, bytes);
  if (strcmp(name, "uninitialised_sum") != 0 &&
      strcmp(name, "choice_keeps") != 0 &&
      strcmp(name, "choice_after_call") != 0 &&
      strcmp(name, "choices_keep") != 0 &&
      strcmp(name, "choice_in_loop") != 0 &&
      strstr(name, "new_memory") == NULL)
    cudaMemcpy(in, host, bytes, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, bytes);
#define RUN(kernel, blocks, threads, ...) \
  if (strcmp(name, #kernel) == 0)         \
    kernel<<<blocks, threads>>>(__VA_ARGS__)
  RUN(no_syncwarp, 1, 32, out);
  RUN(no_fence, 2, 32, out);
  RUN(no_fence_last_block, 4, 32, in, out);
  RUN(mask_without_self, 1, 32, out);
  RUN(two_masks, 1, 32, out);
  RUN(votes_at_two_lines, 1, 32, out);
  RUN(shuffle_meets_vote, 1, 32, out);
  RUN(syncwarp_of_some, 1, 32, out);
  RUN(sum_of_some, 1, 32, out);
  RUN(most_of_eight, 1, 8, out);
  RUN(shuffle_from_ended, 1, 32, in);
  RUN(tree_under_if, 1, 64, out, 40);
  RUN(half_at_barrier, 1, 64, out);
  RUN(two_barriers, 1, 64, out);
  if (strcmp(name, "past_dynamic") == 0)
    past_dynamic<<<1, 32, 128>>>(out);
  RUN(stack_after_return, 1, 32, out);
  RUN(other_blocks_shared, 2, 32, out);
  RUN(uninitialised_sum, 1, 32, in, out);
  RUN(choice_keeps, 1, 64, in, out);
  RUN(choice_after_call, 1, 64, in, out);
  RUN(choices_keep, 1, 64, in, out, 1);
  RUN(choice_in_loop, 1, 64, in, out, 63);
  RUN(host_pointer, 1, 32, host);
  RUN(stale_pointer, 1, 32, holder);
  RUN(matrix_hole, 1, 32, out);
  RUN(matrix_no_barrier, 1, 64, out);
  RUN(not_even, 1, 32, out);
  RUN(flag_in_new_memory, 1, 32, (unsigned *)in);
  RUN(field_of_new_memory, 1, 32, (two_fields *)in, out);
  RUN(swap_elsewhere, 1, 32, out);
  RUN(upper_half, 1, 32, out);
  RUN(lower_half, 1, 32, out);
  RUN(lanes_race, 1, 32, out);
  RUN(one_address, 1, 32, out);
  RUN(atomic_and_plain, 4, 32, out);
  RUN(no_second_barrier, 1, THREADS, in, out);
  RUN(copy_over_data, 1, THREADS, in, out);
  RUN(barrier_over_data, 1, THREADS, out);
  RUN(grid_neighbour, 2, THREADS, out);
  RUN(shared_past_end, 1, 32, out);
  RUN(wild, 1, 1, out);
  RUN(odd_address, 1, 1, (char *)out);
  RUN(lock_without_fence, 4, 32, out);
  RUN(cluster_no_barrier, 4, 64, out);
  RUN(cluster_no_second, 4, 64, out);
  RUN(cluster_unwritten, 4, 64, out);
  RUN(cluster_past_end, 2, 64, out);
  RUN(cluster_left, 2, 64, out);
  RUN(cluster_arrive_left, 2, 64, out);
  RUN(cluster_half, 2, 64, out);
  cudaDeviceSynchronize();
  if (strcmp(name, "double_free") == 0)
    printf("%d\n", cudaFree(old));
  if (strcmp(name, "free_inside") == 0)
    printf("%d\n", cudaFree(out + 1));
  if (strcmp(name, "copy_past_end") == 0)
    printf("%d\n", cudaMemcpy(host, out + 1, bytes, cudaMemcpyDeviceToHost));
  cudaFree(in);
  if (strcmp(name, "leak") != 0)
    cudaFree(out);
  free(host);
  return 0;
}
