/* The sum of n numbers, one idea after the other.
 *
 *   nvcc -I code code/reduction/reduction.cu code/reduction/cub_sum.cu \
 *     -o reduction && ./reduction
 *
 * The numbers are floats; doubles.cu has the same for doubles. A sum reads
 * every number once and writes next to nothing: bytes per second are what
 * counts. */
#include <cooperative_groups.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/fill.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"
#ifndef WITHOUT_CUB      /* -DWITHOUT_CUB: needs no cub_sum.cu */
#include "reduction/cub_sum.h"
#endif

#ifndef NUMBER
#define NUMBER float
#endif
typedef NUMBER number;

/* ---- reference ------------------------------------------------------- */

// begin reference
static double sum_reference(const number *x, size_t n)
{
  double sum = 0.0;
  for (size_t i = 0; i < n; i++)
    sum += x[i];
  return sum;
}
// end reference

/* ---- the ladder ------------------------------------------------------ */

enum {
  BLOCK_THREADS = 256,
  WARP = 32,
  MOST_THREADS = 1024,      /* that a block can have: 32 warps */
  UNROLLED = 8              /* numbers that a thread loads at once */
};

// begin interleaved
__global__ void reduce_interleaved(number *sums, const number *x, size_t n)
{
  __shared__ number part[BLOCK_THREADS];
  unsigned me = threadIdx.x;
  size_t i = (size_t)blockIdx.x * blockDim.x + me;
  part[me] = i < n ? x[i] : 0;
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (me % (2 * stride) == 0)
      part[me] += part[me + stride];
    __syncthreads();
  }
  if (me == 0)
    sums[blockIdx.x] = part[0];
}
// end interleaved

// begin strided
__global__ void reduce_strided(number *sums, const number *x, size_t n)
{
  __shared__ number part[BLOCK_THREADS];
  unsigned me = threadIdx.x;
  size_t i = (size_t)blockIdx.x * blockDim.x + me;
  part[me] = i < n ? x[i] : 0;
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    unsigned index = 2 * stride * me;
    if (index < blockDim.x)
      part[index] += part[index + stride];
    __syncthreads();
  }
  if (me == 0)
    sums[blockIdx.x] = part[0];
}
// end strided

// begin sequential
__global__ void reduce_sequential(number *sums, const number *x, size_t n)
{
  __shared__ number part[BLOCK_THREADS];
  unsigned me = threadIdx.x;
  size_t i = (size_t)blockIdx.x * blockDim.x + me;
  part[me] = i < n ? x[i] : 0;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (me < stride)
      part[me] += part[me + stride];
    __syncthreads();
  }
  if (me == 0)
    sums[blockIdx.x] = part[0];
}
// end sequential

// begin first_add
__global__ void reduce_first_add(number *sums, const number *x, size_t n)
{
  __shared__ number part[BLOCK_THREADS];
  unsigned me = threadIdx.x;
  size_t i = (size_t)blockIdx.x * 2 * blockDim.x + me;
  size_t j = i + blockDim.x;
  part[me] = (i < n ? x[i] : 0) + (j < n ? x[j] : 0);
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (me < stride)
      part[me] += part[me + stride];
    __syncthreads();
  }
  if (me == 0)
    sums[blockIdx.x] = part[0];
}
// end first_add

// begin last_warp
/* part[me] += part[me + stride] for the lanes of one warp: all read, then
 * all write. */
__device__ void add_in_warp(number *part, unsigned me, unsigned stride)
{
  number other = part[me + stride];
  __syncwarp();
  part[me] += other;
  __syncwarp();
}

__global__ void reduce_last_warp(number *sums, const number *x, size_t n)
{
  __shared__ number part[BLOCK_THREADS];
  unsigned me = threadIdx.x;
  size_t i = (size_t)blockIdx.x * 2 * blockDim.x + me;
  size_t j = i + blockDim.x;
  part[me] = (i < n ? x[i] : 0) + (j < n ? x[j] : 0);
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > WARP; stride /= 2) {
    if (me < stride)
      part[me] += part[me + stride];
    __syncthreads();
  }
  if (me < WARP)
    for (unsigned stride = WARP; stride > 0; stride /= 2)
      add_in_warp(part, me, stride);
  if (me == 0)
    sums[blockIdx.x] = part[0];
}
// end last_warp

// begin all_unrolled
__global__ void reduce_all_unrolled(number *sums, const number *x, size_t n)
{
  __shared__ number part[BLOCK_THREADS];
  unsigned me = threadIdx.x;
  size_t i = (size_t)blockIdx.x * 2 * BLOCK_THREADS + me;
  size_t j = i + BLOCK_THREADS;
  part[me] = (i < n ? x[i] : 0) + (j < n ? x[j] : 0);
  __syncthreads();
#pragma unroll
  for (unsigned stride = BLOCK_THREADS / 2; stride > WARP; stride /= 2) {
    if (me < stride)
      part[me] += part[me + stride];
    __syncthreads();
  }
  if (me < WARP)
    for (unsigned stride = WARP; stride > 0; stride /= 2)
      add_in_warp(part, me, stride);
  if (me == 0)
    sums[blockIdx.x] = part[0];
}
// end all_unrolled

// begin block_unrolled
/* Loads first, additions afterwards. */
__device__ number sum_of_several(const number *x, size_t n)
{
  size_t first = (size_t)blockIdx.x * UNROLLED * BLOCK_THREADS + threadIdx.x;
  number element[UNROLLED], sum = 0;
  for (int k = 0; k < UNROLLED; k++) {
    size_t i = first + k * BLOCK_THREADS;
    element[k] = i < n ? x[i] : 0;
  }
  for (int k = 0; k < UNROLLED; k++)
    sum += element[k];
  return sum;
}

__global__ void reduce_block_unrolled(number *sums, const number *x,
                                      size_t n)
{
  __shared__ number part[BLOCK_THREADS];
  unsigned me = threadIdx.x;
  part[me] = sum_of_several(x, n);
  __syncthreads();
#pragma unroll
  for (unsigned stride = BLOCK_THREADS / 2; stride > WARP; stride /= 2) {
    if (me < stride)
      part[me] += part[me + stride];
    __syncthreads();
  }
  if (me < WARP)
    for (unsigned stride = WARP; stride > 0; stride /= 2)
      add_in_warp(part, me, stride);
  if (me == 0)
    sums[blockIdx.x] = part[0];
}
// end block_unrolled

// begin shuffle
/* The sum over the lanes, for lane 0. */
__device__ number sum_of_warp(number sum)
{
  for (int distance = WARP / 2; distance > 0; distance /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, distance);
  return sum;
}

/* The sum over the block's threads, for thread 0. */
__device__ number sum_of_block(number sum)
{
  __shared__ number of_warp[MOST_THREADS / WARP];
  unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
  sum = sum_of_warp(sum);
  if (lane == 0)
    of_warp[warp] = sum;
  __syncthreads();
  if (warp == 0)
    sum = sum_of_warp(lane < blockDim.x / WARP ? of_warp[lane] : 0);
  return sum;
}

__global__ void reduce_shuffle(number *sums, const number *x, size_t n)
{
  number sum = sum_of_block(sum_of_several(x, n));
  if (threadIdx.x == 0)
    sums[blockIdx.x] = sum;
}
// end shuffle

// begin grid_stride
__global__ void reduce_grid_stride(number *sums, const number *x, size_t n)
{
  size_t step = (size_t)gridDim.x * BLOCK_THREADS;
  number sum = 0;
  for (size_t i = (size_t)blockIdx.x * BLOCK_THREADS + threadIdx.x; i < n;
       i += step)
    sum += x[i];
  sum = sum_of_block(sum);
  if (threadIdx.x == 0)
    sums[blockIdx.x] = sum;
}
// end grid_stride

// begin wide
enum {
  GROUP = 16 / sizeof(number),      /* numbers in 16 bytes */
  LOADS = 4,                        /* that a thread has in flight */
  THREAD_ELEMS = LOADS * GROUP      /* of a tile */
};
typedef struct {
  __align__(16) number of[GROUP];
} group;

__device__ number sum_of_group(group g)
{
  number sum = 0;
  for (int k = 0; k < GROUP; k++)
    sum += g.of[k];
  return sum;
}

/* Whole tiles first, block by block; then what fills no tile. */
__device__ number sum_of_tiles(const number *x, size_t n)
{
  size_t tile_elems = (size_t)blockDim.x * THREAD_ELEMS;
  size_t n_tiles = n / tile_elems;
  number sum[LOADS] = {0};
  for (size_t tile = blockIdx.x; tile < n_tiles; tile += gridDim.x) {
    const group *first = (const group *)(x + tile * tile_elems);
    group g[LOADS];
    for (int k = 0; k < LOADS; k++)
      g[k] = first[k * blockDim.x + threadIdx.x];
    for (int k = 0; k < LOADS; k++)
      sum[k] += sum_of_group(g[k]);
  }
  size_t step = (size_t)gridDim.x * blockDim.x;
  size_t me = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  for (size_t i = n_tiles * tile_elems + me; i < n; i += step)
    sum[0] += x[i];
  for (int k = 1; k < LOADS; k++)
    sum[0] += sum[k];
  return sum[0];
}

__global__ void reduce_wide(number *sums, const number *x, size_t n)
{
  number sum = sum_of_block(sum_of_tiles(x, n));
  if (threadIdx.x == 0)
    sums[blockIdx.x] = sum;
}
// end wide

// begin atomic
__global__ void reduce_atomic(number *out, const number *x, size_t n)
{
  number sum = sum_of_block(sum_of_tiles(x, n));
  if (threadIdx.x == 0)
    atomicAdd(out, sum);
}
// end atomic

// begin cooperative
__global__ void reduce_cooperative(number *out, number *sums,
                                   const number *x, size_t n)
{
  number sum = sum_of_block(sum_of_tiles(x, n));
  if (threadIdx.x == 0)
    sums[blockIdx.x] = sum;
  cooperative_groups::this_grid().sync();
  if (blockIdx.x > 0)
    return;
  sum = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += BLOCK_THREADS)
    sum += sums[i];
  sum = sum_of_block(sum);
  if (threadIdx.x == 0)
    *out = sum;
}
// end cooperative

// begin ticket
__device__ unsigned n_tickets;   /* 0 again when all blocks are done */

/* 1 for the threads of the block that comes last. */
__device__ int is_last_block(number *sums, number sum)
{
  __shared__ int is_last;
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = sum;
    __threadfence();     /* the sum is there before the ticket is drawn */
    is_last = atomicInc(&n_tickets, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();     /* no other block's sum is read before that */
  }
  __syncthreads();
  return is_last;
}

__global__ void __launch_bounds__(MOST_THREADS, 2)
    reduce_ticket(number *out, number *sums, const number *x, size_t n)
{
  number sum = sum_of_block(sum_of_tiles(x, n));
  if (!is_last_block(sums, sum))
    return;
  sum = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
    sum += sums[i];
  sum = sum_of_block(sum);
  if (threadIdx.x == 0)
    *out = sum;
}
// end ticket

// begin lab_second
/* The lab sheet's second kernel: one thread adds the blocks' sums. */
__global__ void lab_second(number *out, const number *sums, size_t n)
{
  number sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += sums[i];
  *out = sum;
}
// end lab_second

/* The ceiling: every number read and written. */
__global__ void copy(number *out, const number *x, size_t n)
{
  size_t n_groups = n / GROUP;
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n_groups)
    ((group *)out)[i] = ((const group *)x)[i];
  else if (i - n_groups < n % GROUP)
    out[n_groups * GROUP + i - n_groups] = x[n_groups * GROUP + i - n_groups];
}

/* ---- launchers ------------------------------------------------------- */

/* --count: a row for each launch. */
static const char *counted_version;

static void note_launch(size_t n_elems, size_t n_blocks, int level)
{
  CUDA_CHECK_LAUNCH();
  if (counted_version)
    printf("%s,%zu,%zu,%d\n", counted_version, n_elems, n_blocks, level);
}

/* At least one block, for the empty sum is a sum, too. */
static size_t blocks_for(size_t n, size_t per_block)
{
  return n > per_block ? (n + per_block - 1) / per_block : 1;
}

typedef void level_kernel(number *sums, const number *x, size_t n);

// begin by_levels
/* d_work holds the sums of all levels but the last, one after the other. */
static void by_levels(level_kernel *kernel, size_t per_block, number *d_out,
                      number *d_work, const number *d_x, size_t n)
{
  for (int level = 1;; level++) {
    size_t n_blocks = blocks_for(n, per_block);
    number *d_sums = n_blocks == 1 ? d_out : d_work;
    kernel<<<(unsigned)n_blocks, BLOCK_THREADS>>>(d_sums, d_x, n);
    note_launch(n, n_blocks, level);
    if (n_blocks == 1)
      return;
    d_x = d_sums;
    n = n_blocks;
    d_work += n_blocks;
  }
}
// end by_levels

static void launch_interleaved(number *d_out, number *d_work,
                               const number *d_x, size_t n)
{
  by_levels(reduce_interleaved, BLOCK_THREADS, d_out, d_work, d_x, n);
}

static void launch_strided(number *d_out, number *d_work, const number *d_x,
                           size_t n)
{
  by_levels(reduce_strided, BLOCK_THREADS, d_out, d_work, d_x, n);
}

static void launch_sequential(number *d_out, number *d_work,
                              const number *d_x, size_t n)
{
  by_levels(reduce_sequential, BLOCK_THREADS, d_out, d_work, d_x, n);
}

static void launch_first_add(number *d_out, number *d_work,
                             const number *d_x, size_t n)
{
  by_levels(reduce_first_add, 2 * BLOCK_THREADS, d_out, d_work, d_x, n);
}

static void launch_last_warp(number *d_out, number *d_work,
                             const number *d_x, size_t n)
{
  by_levels(reduce_last_warp, 2 * BLOCK_THREADS, d_out, d_work, d_x, n);
}

static void launch_all_unrolled(number *d_out, number *d_work,
                                const number *d_x, size_t n)
{
  by_levels(reduce_all_unrolled, 2 * BLOCK_THREADS, d_out, d_work, d_x, n);
}

static void launch_block_unrolled(number *d_out, number *d_work,
                                  const number *d_x, size_t n)
{
  by_levels(reduce_block_unrolled, UNROLLED * BLOCK_THREADS, d_out, d_work,
            d_x, n);
}

static void launch_shuffle(number *d_out, number *d_work, const number *d_x,
                           size_t n)
{
  by_levels(reduce_shuffle, UNROLLED * BLOCK_THREADS, d_out, d_work, d_x, n);
}

// begin resident
/* As many blocks as the device runs at a time, or as there is work for. */
static unsigned resident_blocks(const void *kernel, size_t n,
                                size_t per_block)
{
  int per_sm;
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &per_sm, kernel, BLOCK_THREADS, 0));
  size_t most = (size_t)per_sm * device_properties()->multiProcessorCount;
  size_t needed = blocks_for(n, per_block);
  return (unsigned)(needed < most ? needed : most);
}
// end resident

// begin two_kernels
/* Few blocks, so that one block can add their sums. */
static void two_kernels(level_kernel *kernel, size_t per_block,
                        number *d_out, number *d_work, const number *d_x,
                        size_t n)
{
  unsigned n_blocks = resident_blocks((const void *)kernel, n, per_block);
  kernel<<<n_blocks, BLOCK_THREADS>>>(d_work, d_x, n);
  note_launch(n, n_blocks, 1);
  kernel<<<1, BLOCK_THREADS>>>(d_out, d_work, n_blocks);
  note_launch(n_blocks, 1, 2);
}
// end two_kernels

static void launch_grid_stride(number *d_out, number *d_work,
                               const number *d_x, size_t n)
{
  two_kernels(reduce_grid_stride, BLOCK_THREADS, d_out, d_work, d_x, n);
}

static void launch_wide(number *d_out, number *d_work, const number *d_x,
                        size_t n)
{
  two_kernels(reduce_wide, BLOCK_THREADS * THREAD_ELEMS, d_out, d_work, d_x,
              n);
}

// begin launch_atomic
static void launch_atomic(number *d_out, number *d_work, const number *d_x,
                          size_t n)
{
  unsigned n_blocks = resident_blocks((const void *)reduce_atomic, n,
                                      BLOCK_THREADS * THREAD_ELEMS);
  CUDA_CHECK(cudaMemsetAsync(d_out, 0, sizeof *d_out));
  reduce_atomic<<<n_blocks, BLOCK_THREADS>>>(d_out, d_x, n);
  note_launch(n, n_blocks, 1);
}
// end launch_atomic

// begin launch_cooperative
static void launch_cooperative(number *d_out, number *d_work,
                               const number *d_x, size_t n)
{
  const void *kernel = (const void *)reduce_cooperative;
  unsigned n_blocks = resident_blocks(kernel, n, BLOCK_THREADS * THREAD_ELEMS);
  void *arguments[] = {&d_out, &d_work, &d_x, &n};
  CUDA_CHECK(cudaLaunchCooperativeKernel(kernel, n_blocks, BLOCK_THREADS,
                                         arguments, 0, 0));
  note_launch(n, n_blocks, 1);
}
// end launch_cooperative

// begin launch_ticket
static void launch_ticket(number *d_out, number *d_work, const number *d_x,
                          size_t n)
{
  unsigned n_blocks = resident_blocks((const void *)reduce_ticket, n,
                                      BLOCK_THREADS * THREAD_ELEMS);
  reduce_ticket<<<n_blocks, BLOCK_THREADS>>>(d_out, d_work, d_x, n);
  note_launch(n, n_blocks, 1);
}
// end launch_ticket

// begin launch_large
enum { SM_BLOCKS = 32 };    /* two of them run at a time */

static void launch_large(number *d_out, number *d_work, const number *d_x,
                         size_t n)
{
  size_t most = (size_t)SM_BLOCKS * device_properties()->multiProcessorCount;
  size_t needed = blocks_for(n, MOST_THREADS * THREAD_ELEMS);
  unsigned n_blocks = (unsigned)(needed < most ? needed : most);
  reduce_ticket<<<n_blocks, MOST_THREADS>>>(d_out, d_work, d_x, n);
  note_launch(n, n_blocks, 1);
}
// end launch_large

static void launch_lab(number *d_out, number *d_work, const number *d_x,
                       size_t n)
{
  size_t n_blocks = blocks_for(n, BLOCK_THREADS);
  reduce_interleaved<<<(unsigned)n_blocks, BLOCK_THREADS>>>(d_work, d_x, n);
  note_launch(n, n_blocks, 1);
  lab_second<<<1, 1>>>(d_out, d_work, n_blocks);
  note_launch(n_blocks, 1, 2);
}

/* The copy goes after the levels' sums. */
static size_t work_length(size_t n)
{
  return n / 128 + 4096;
}

static void launch_copy(number *d_out, number *d_work, const number *d_x,
                        size_t n)
{
  (void)d_out;
  if (n > 0)
    copy<<<(unsigned)blocks_for(n / GROUP + n % GROUP, BLOCK_THREADS),
           BLOCK_THREADS>>>(d_work, d_x, n);
  CUDA_CHECK_LAUNCH();
}

#ifndef WITHOUT_CUB
/* d_work is large enough: CUB keeps a sum for each of its few blocks. */
static void launch_cub(number *d_out, number *d_work, const number *d_x,
                       size_t n)
{
  static size_t n_temp_bytes, n_known = (size_t)-1;
  void (*const sum)(void *, size_t *, number *, const number *, size_t) =
      sizeof(number) == sizeof(float)
          ? (void (*)(void *, size_t *, number *, const number *,
                      size_t))cub_sum_floats
          : (void (*)(void *, size_t *, number *, const number *,
                      size_t))cub_sum_doubles;
  if (n != n_known) {
    sum(NULL, &n_temp_bytes, d_out, d_x, n);
    n_known = n;
  }
  sum(d_work, &n_temp_bytes, d_out, d_x, n);
}
#endif

/* ---- versions -------------------------------------------------------- */

typedef struct {
  const char *name;
  const char *idea;
  void (*launch)(number *d_out, number *d_work, const number *d_x,
                 size_t n);
  int is_copy;          /* the ceiling; its result is the copy */
  size_t n_most;        /* too slow for more; 0: for any number */
  int is_vendors;
} version;

static const version versions[] = {
  {"copy", "16-byte copy: the ceiling", launch_copy, 1, 0, 0},
  {"lab", "interleaved; then one thread adds the sums", launch_lab, 0,
   (size_t)1 << 22, 0},
  {"interleaved", "neighbours first: warps diverge", launch_interleaved, 0,
   0, 0},
  {"strided", "the first threads work: banks conflict", launch_strided, 0,
   0, 0},
  {"sequential", "halves: neither", launch_sequential, 0, 0, 0},
  {"first_add", "add two numbers while loading", launch_first_add, 0, 0, 0},
  {"last_warp", "the last warp needs no barrier of the block",
   launch_last_warp, 0, 0, 0},
  {"all_unrolled", "a loop of constants", launch_all_unrolled, 0, 0, 0},
  {"block_unrolled", "eight numbers a thread", launch_block_unrolled, 0, 0,
   0},
  {"shuffle", "warps add without shared memory", launch_shuffle, 0, 0, 0},
  {"grid_stride", "as many blocks as fit; they loop", launch_grid_stride, 0,
   0, 0},
  {"wide", "four 16-byte loads under way", launch_wide, 0, 0, 0},
  {"atomic", "one kernel: blocks add their sums as they end", launch_atomic,
   0, 0, 0},
  {"cooperative", "one kernel: a barrier of the grid", launch_cooperative, 0,
   0, 0},
  {"ticket", "one kernel: the last block adds the sums", launch_ticket, 0, 0,
   0},
  {"large", "blocks of 1024 threads, 32 for each multiprocessor",
   launch_large, 0, 0, 0},
#ifndef WITHOUT_CUB
  {"cub", "DeviceReduce::Sum of CUB", launch_cub, 0, 0, 1},
#endif
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static int wanted(const options *o, const version *v, size_t n)
{
  return options_wants(o, v->name) && (!v->n_most || n <= v->n_most);
}

/* ---- checking -------------------------------------------------------- */

// begin whole_numbers
/* Whole numbers, none 0: sums below 2^24 are exact in every order, and each
 * number that is lost or added twice shows. */
static void fill_whole_numbers(random_source *source, number *x, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    int value = 1 + (int)random_below(source, 8);
    x[i] = (number)(random_below(source, 2) ? value : -value);
  }
}
// end whole_numbers

static int check_copy(const char *what, const number *d_copy,
                      const number *h_x, size_t n)
{
  number *h_copy = (number *)malloc((n + 1) * sizeof *h_copy);
  CUDA_CHECK(cudaMemcpy(h_copy, d_copy, n * sizeof *h_copy,
                        cudaMemcpyDeviceToHost));
  int good = compare_bytes(what, h_x, h_copy, n * sizeof *h_copy);
  free(h_copy);
  return good;
}

static int check_version(const version *v, const number *h_x,
                         const number *d_x, size_t n)
{
  char what[96];
  struct {
    number sum;
    char guard[GUARD_BYTES];
  } h_out;
  double expected = sum_reference(h_x, n), got;
  size_t n_work = v->is_copy ? n : work_length(n);
  number *d_out, *d_work;
  snprintf(what, sizeof what, "%s, %zu numbers", v->name, n);
  CUDA_CHECK(cudaMalloc(&d_out, sizeof h_out));
  CUDA_CHECK(cudaMalloc(&d_work, (n_work + 1) * sizeof *d_work));
  poison_device(d_out, sizeof h_out);
  poison_device(d_work, (n_work + 1) * sizeof *d_work);
  v->launch(d_out, d_work, d_x, n);
  CUDA_CHECK(cudaMemcpy(&h_out, d_out, sizeof h_out,
                        cudaMemcpyDeviceToHost));
  got = (double)h_out.sum;
  int good = v->is_copy
                 ? check_copy(what, d_work, h_x, n)
                 : compare_doubles(what, &expected, &got, 1) &&
                       compare_guard(what, h_out.guard, GUARD_BYTES);
  CUDA_CHECK(cudaFree(d_out));
  CUDA_CHECK(cudaFree(d_work));
  return good;
}

static int check_size(const options *o, random_source *source, size_t n)
{
  int n_bad = 0;
  number *h_x = (number *)malloc((n + 1) * sizeof *h_x), *d_x;
  fill_whole_numbers(source, h_x, n);
  CUDA_CHECK(cudaMalloc(&d_x, (n + 1) * sizeof *d_x));
  CUDA_CHECK(cudaMemcpy(d_x, h_x, n * sizeof *d_x, cudaMemcpyHostToDevice));
  for (int i = 0; i < N_VERSIONS; i++)
    if (wanted(o, &versions[i], n))
      n_bad += !check_version(&versions[i], h_x, d_x, n);
  CUDA_CHECK(cudaFree(d_x));
  free(h_x);
  return n_bad;
}

/* Nothing, less than a warp, a block, a tile; one more and one less; several
 * levels. */
static int check_versions(const options *o)
{
  static const size_t sizes[] = {
    0, 1, 2, 31, 33, 255, 256, 257, 511, 513, 1000, 2048, 4095, 4096, 4097,
    4100, 65537, 100001, 131072, 300007,
  };
  random_source source = random_from_seed(o->seed);
  int n_bad = 0;
  if (o->check && o->n_sizes == 1)
    n_bad += check_size(o, &source, o->size[0]);
  else
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
      n_bad += check_size(o, &source, sizes[i]);
  if (!device_is_software())
    n_bad += check_size(o, &source, 5000001);
  if (n_bad == 0)
    fprintf(options_remarks(o),
            "every version agrees with the reference (--seed %llu)\n",
            (unsigned long long)o->seed);
  return n_bad;
}

/* ---- measuring ------------------------------------------------------- */

static void fill_device(random_source *source, number *d_x, size_t n)
{
  size_t n_block = (size_t)1 << 20;
  number *h_block = (number *)malloc(n_block * sizeof *h_block);
  for (size_t i = 0; i < n_block; i++)
    h_block[i] = random_float(source);
  for (size_t at = 0; at < n; at += n_block)
    CUDA_CHECK(cudaMemcpy(d_x + at, h_block,
                          (n - at < n_block ? n - at : n_block) *
                              sizeof *d_x, cudaMemcpyHostToDevice));
  free(h_block);
}

typedef struct {
  number *d_x, *d_work, *d_out;
} arrays;

static arrays allocate(size_t n, uint64_t seed)
{
  arrays a;
  random_source source = random_from_seed(seed);
  size_t n_work = work_length(n) > n ? work_length(n) : n;
  CUDA_CHECK(cudaMalloc(&a.d_x, (n + 1) * sizeof(number)));
  CUDA_CHECK(cudaMalloc(&a.d_work, n_work * sizeof(number)));
  CUDA_CHECK(cudaMalloc(&a.d_out, sizeof(number)));
  fill_device(&source, a.d_x, n);
  return a;
}

static void release(arrays a)
{
  CUDA_CHECK(cudaFree(a.d_x));
  CUDA_CHECK(cudaFree(a.d_work));
  CUDA_CHECK(cudaFree(a.d_out));
}

static timing time_version(const version *v, arrays a, size_t n,
                           int repetitions)
{
  timing t = timing_start(repetitions);
  while (timing_next(&t)) {
    v->launch(a.d_out, a.d_work, a.d_x, n);
    CUDA_CHECK_LAUNCH();
  }
  return t;
}

static double bytes_of(const version *v, size_t n)
{
  return (v->is_copy ? 2.0 : 1.0) * (double)n * sizeof(number);
}

/* Every version, beside the copy and CUB's, in one run. */
static void measure_ladder(const options *o)
{
  size_t n = memory_length(o, (size_t)1 << 30, 2.0 * sizeof(number));
  arrays a = allocate(n, o->seed);
  timing times[N_VERSIONS];
  double copy_rate = 0.0, vendors_us = 0.0;
  for (int i = 0; i < N_VERSIONS; i++)
    if (wanted(o, &versions[i], n) || versions[i].is_copy ||
        versions[i].is_vendors) {
      times[i] = time_version(&versions[i], a, n, o->repetitions);
      if (versions[i].is_copy)
        copy_rate = timing_gb_per_s(bytes_of(&versions[i], n),
                                    times[i].median_us);
      if (versions[i].is_vendors)
        vendors_us = times[i].median_us;
    }
  if (o->csv)
    printf("version,n_elems,element_bytes,repetitions,time_us,"
           "time_spread_us,gb_per_s,share_of_copy,share_of_cub\n");
  else
    timing_print_head();
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    if (!wanted(o, v, n))
      continue;
    timing t = times[i];
    double rate = timing_gb_per_s(bytes_of(v, n), t.median_us);
    if (o->csv)
      printf("%s,%zu,%zu,%d,%.3f,%.3f,%.2f,%.4f,%.4f\n", v->name, n,
             sizeof(number), t.repetitions, t.median_us, t.spread_us, rate,
             rate / copy_rate, vendors_us / t.median_us);
    else
      timing_print_row(v->name, t, bytes_of(v, n));
  }
  release(a);
}

/* From what a block can do to what fills the GPU: where does one kernel win
 * over two? */
static void measure_sizes(const options *o)
{
  static const char *const names[] = {"shuffle", "wide", "atomic",
                                      "cooperative", "ticket", "large",
                                      "cub"};
  size_t n_most = memory_length(o, (size_t)1 << 30, 2.0 * sizeof(number));
  arrays a = allocate(n_most, o->seed);
  printf("version,n_elems,repetitions,time_us,time_spread_us,gb_per_s\n");
  for (size_t n = 1 << 12; n <= n_most; n *= 8)
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
      for (int i = 0; i < N_VERSIONS; i++)
        if (strcmp(versions[i].name, names[k]) == 0) {
          timing t = time_version(&versions[i], a, n, o->repetitions);
          printf("%s,%zu,%d,%.3f,%.3f,%.2f\n", names[k], n, t.repetitions,
                 t.median_us, t.spread_us,
                 timing_gb_per_s(bytes_of(&versions[i], n), t.median_us));
        }
  release(a);
}

/* One kernel, many launches: threads a block, and how many times as many
 * blocks as run at a time. */
static void measure_shapes(const options *o)
{
  size_t n = memory_length(o, (size_t)1 << 30, 2.0 * sizeof(number));
  unsigned n_sms = (unsigned)device_properties()->multiProcessorCount;
  arrays a = allocate(n, o->seed);
  timing cub = time_version(&versions[N_VERSIONS - 1], a, n, o->repetitions);
  printf("block_threads,rounds,n_blocks,n_elems,repetitions,time_us,"
         "time_spread_us,gb_per_s,share_of_cub\n");
  for (unsigned n_threads = 128; n_threads <= MOST_THREADS; n_threads *= 2)
    for (unsigned rounds = 1; rounds <= 64; rounds *= 4) {
      int per_sm;
      CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &per_sm, reduce_ticket, (int)n_threads, 0));
      unsigned n_blocks = rounds * (unsigned)per_sm * n_sms;
      timing t = timing_start(o->repetitions);
      while (timing_next(&t))
        reduce_ticket<<<n_blocks, n_threads>>>(a.d_out, a.d_work, a.d_x, n);
      CUDA_CHECK_LAUNCH();
      printf("%u,%u,%u,%zu,%d,%.3f,%.3f,%.2f,%.4f\n", n_threads, rounds,
             n_blocks, n, t.repetitions, t.median_us, t.spread_us,
             timing_gb_per_s((double)n * sizeof(number), t.median_us),
             cub.median_us / t.median_us);
    }
  release(a);
}

/* ---- errors ---------------------------------------------------------- */

/* The numbers are the same 2^20 over and over, none negative, all of them
 * whole multiples of 2^-23: 64-bit integers hold their sum. */
enum { REPEATED = 1 << 20 };

// begin orders
static double exact(const number *x, size_t n)
{
  int64_t sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += (int64_t)(x[i % REPEATED] * 0x1p23f);
  return (double)sum * 0x1p-23;
}

static double in_order(const number *x, size_t n)
{
  number sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += x[i % REPEATED];
  return sum;
}

/* Kahan's: what a rounding takes away is added later. */
static double compensated(const number *x, size_t n)
{
  number sum = 0, lost = 0;
  for (size_t i = 0; i < n; i++) {
    number next = x[i % REPEATED] - lost;
    number more = sum + next;
    lost = (more - sum) - next;
    sum = more;
  }
  return sum;
}
// end orders

/* In units of the last place that a float of the exact sum's size has. */
static void print_error(const char *name, size_t n, double sum,
                        double exact_sum)
{
  printf("%s,%zu,%.1f,%.9g,%.2f\n", name, n, exact_sum, sum,
         fabs(sum - exact_sum) / (exact_sum * 0x1p-24));
}

static void measure_errors_of(const options *o, const number *h_block,
                              arrays a, size_t n)
{
  double right = exact(h_block, n);
  print_error("in_order", n, in_order(h_block, n), right);
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    number sum;
    /* The order of atomics is another one in each run. */
    if (!wanted(o, v, n) || v->is_copy || strcmp(v->name, "atomic") == 0)
      continue;
    v->launch(a.d_out, a.d_work, a.d_x, n);
    CUDA_CHECK(cudaMemcpy(&sum, a.d_out, sizeof sum,
                          cudaMemcpyDeviceToHost));
    print_error(v->name, n, sum, right);
  }
  print_error("compensated", n, compensated(h_block, n), right);
}

static void measure_errors(const options *o)
{
  size_t n_block = REPEATED;
  size_t n_most = memory_length(o, n_block, 2.0 * sizeof(number));
  random_source source = random_from_seed(1);
  arrays a = allocate(n_most, 1);
  number *h_block = (number *)malloc(n_block * sizeof *h_block);
  for (size_t i = 0; i < n_block; i++)
    h_block[i] = fabsf(random_float(&source));
  for (size_t at = 0; at < n_most; at += n_block)
    CUDA_CHECK(cudaMemcpy(a.d_x + at, h_block,
                          (n_most - at < n_block ? n_most - at : n_block) *
                              sizeof(number), cudaMemcpyHostToDevice));
  printf("version,n_elems,exact_sum,sum,error_u\n");
  for (size_t n = n_most > n_block ? n_most : 1 << 10; n <= n_most; n *= 32)
    measure_errors_of(o, h_block, a, n);
  free(h_block);
  release(a);
}

/* The barrier of the grid is a loop that waits: how often it goes round is
 * another number in each run. */
static int counts_vary(const version *v)
{
  return v->is_copy || v->is_vendors || strcmp(v->name, "cooperative") == 0;
}

/* Each version once, one row for each launch. */
static void count(const options *o)
{
  size_t n = memory_length(o, (size_t)1 << 20, 2.0 * sizeof(number));
  arrays a = allocate(n, o->seed);
  printf("version,n_elems,n_blocks,level\n");
  for (int i = 0; i < N_VERSIONS; i++)
    if (wanted(o, &versions[i], n) && !counts_vary(&versions[i])) {
      counted_version = versions[i].name;
      versions[i].launch(a.d_out, a.d_work, a.d_x, n);
    }
  CUDA_CHECK(cudaDeviceSynchronize());
  release(a);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "adds up numbers",
                            "ladder,sizes,shapes,errors",
                            "versions");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count) {
    count(&o);
    return EXIT_SUCCESS;
  }
  if (o.csv && strcmp(o.csv, "errors") == 0) {
    measure_errors(&o);
    return EXIT_SUCCESS;
  }
  if (check_versions(&o) > 0)
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  if (o.csv && strcmp(o.csv, "sizes") == 0)
    measure_sizes(&o);
  else if (o.csv && strcmp(o.csv, "shapes") == 0)
    measure_shapes(&o);
  else
    measure_ladder(&o);
  return EXIT_SUCCESS;
}
