/* When each block of a sum arrives, and what the last one does: the sum in one
 * kernel with notes taken on the way, on the clock that all multiprocessors
 * share.
 *
 *   nvcc -I code code/reduction/arrivals.cu -o arrivals && ./arrivals */
#include <stddef.h>

#include "common/cuda_check.h"
#include "common/device.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"
#include "hardware/clocks.h"

enum {
  WARP = 32,
  BLOCK_THREADS = 1024,
  LOADS = 4,              /* of 16 bytes, which a thread has in flight */
  N_ELEMS = 1 << 24,      /* of the sum that is recorded */
  N_LAUNCHES = 3          /* the last one is printed */
};

/* What happened to a block. A block that is not the last ends with its
 * ticket. */
typedef struct {
  unsigned long long start, summed, drawn, end;
  unsigned multiprocessor, ticket;
} arrival;

static __device__ float sum_of_warp(float sum)
{
  for (int distance = WARP / 2; distance > 0; distance /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, distance);
  return sum;
}

static __device__ float sum_of_block(float sum)
{
  __shared__ float of_warp[BLOCK_THREADS / WARP];
  unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
  sum = sum_of_warp(sum);
  if (lane == 0)
    of_warp[warp] = sum;
  __syncthreads();
  if (warp == 0)
    sum = sum_of_warp(lane < BLOCK_THREADS / WARP ? of_warp[lane] : 0);
  return sum;
}

static __device__ float sum_of_group(float4 g)
{
  return (g.x + g.y) + (g.z + g.w);
}

/* n is a multiple of 4; x begins at a multiple of 16 bytes. */
static __device__ float sum_of_share(const float *x, size_t n)
{
  const float4 *groups = (const float4 *)x;
  size_t n_groups = n / 4, step = (size_t)gridDim.x * BLOCK_THREADS;
  size_t i = (size_t)blockIdx.x * BLOCK_THREADS + threadIdx.x;
  float sum[LOADS] = {0};
  for (; i + (LOADS - 1) * step < n_groups; i += LOADS * step) {
    float4 g[LOADS];
    for (int k = 0; k < LOADS; k++)
      g[k] = groups[i + k * step];
    for (int k = 0; k < LOADS; k++)
      sum[k] += sum_of_group(g[k]);
  }
  for (; i < n_groups; i += step)
    sum[0] += sum_of_group(groups[i]);
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

__device__ unsigned n_tickets;   /* 0 again when all blocks are done */

/* As reduce_ticket of reduction.cu. */
__global__ void __launch_bounds__(BLOCK_THREADS, 2)
    reduce_with_notes(float *out, float *sums, const float *x, size_t n,
                      arrival *arrivals)
{
  __shared__ unsigned ticket;
  arrival notes = {nanoseconds(), 0, 0, 0, this_multiprocessor(), 0};
  float sum = sum_of_block(sum_of_share(x, n));
  if (threadIdx.x == 0) {
    notes.summed = nanoseconds();
    sums[blockIdx.x] = sum;
    __threadfence();
    ticket = atomicInc(&n_tickets, gridDim.x - 1);
    __threadfence();
    notes.ticket = ticket;
    notes.drawn = notes.end = nanoseconds();
  }
  __syncthreads();
  if (ticket == gridDim.x - 1) {
    sum = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += BLOCK_THREADS)
      sum += sums[i];
    sum = sum_of_block(sum);
    if (threadIdx.x == 0) {
      *out = sum;
      notes.end = nanoseconds();
    }
  }
  if (threadIdx.x == 0)
    arrivals[blockIdx.x] = notes;
}

/* As many blocks as run at a time. */
static unsigned resident_blocks(void)
{
  int per_sm;
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &per_sm, reduce_with_notes, BLOCK_THREADS, 0));
  return (unsigned)per_sm * device_properties()->multiProcessorCount;
}

/* Every ticket is drawn once. */
static int tickets_are_right(const arrival *arrivals, unsigned n_blocks)
{
  unsigned char *seen = (unsigned char *)calloc(n_blocks, 1);
  unsigned n_seen = 0;
  for (unsigned i = 0; i < n_blocks; i++)
    if (arrivals[i].ticket < n_blocks && !seen[arrivals[i].ticket]) {
      seen[arrivals[i].ticket] = 1;
      n_seen++;
    }
  free(seen);
  if (n_seen == n_blocks)
    return 1;
  fprintf(stderr, "error: %u different tickets for %u blocks\n", n_seen,
          n_blocks);
  return 0;
}

/* Sums n elements of -1, 0 and 1, whose sum has no rounding; returns the
 * notes, or NULL if something is wrong. */
static arrival *record(uint64_t seed, size_t n, unsigned n_blocks,
                       int n_launches)
{
  size_t n_bytes = n * sizeof(float);
  float *h_x = (float *)malloc(n_bytes), *d_x, *d_sums, *d_out;
  arrival *h_arrivals = (arrival *)malloc(n_blocks * sizeof(arrival));
  arrival *d_arrivals;
  random_source source = random_from_seed(seed);
  long expected = 0;
  for (size_t i = 0; i < n; i++) {
    int one = (int)random_below(&source, 3) - 1;
    h_x[i] = (float)one;
    expected += one;
  }
  CUDA_CHECK(cudaMalloc(&d_x, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_sums, n_blocks * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_out, sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_arrivals, n_blocks * sizeof(arrival)));
  CUDA_CHECK(cudaMemcpy(d_x, h_x, n_bytes, cudaMemcpyHostToDevice));
  int good = 1;
  for (int launch = 0; launch < n_launches; launch++) {
    float sum;
    CUDA_CHECK(cudaMemset(d_out, 0xff, sizeof(float)));
    reduce_with_notes<<<n_blocks, BLOCK_THREADS>>>(d_out, d_sums, d_x, n,
                                                   d_arrivals);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy(&sum, d_out, sizeof sum, cudaMemcpyDeviceToHost));
    if (sum != (float)expected) {
      fprintf(stderr, "error: the sum of %zu elements is %g, not %ld\n", n,
              sum, expected);
      good = 0;
    }
  }
  CUDA_CHECK(cudaMemcpy(h_arrivals, d_arrivals, n_blocks * sizeof(arrival),
                        cudaMemcpyDeviceToHost));
  good = good && tickets_are_right(h_arrivals, n_blocks);
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_sums));
  CUDA_CHECK(cudaFree(d_out));
  CUDA_CHECK(cudaFree(d_arrivals));
  free(h_x);
  if (!good) {
    free(h_arrivals);
    h_arrivals = NULL;
  }
  return h_arrivals;
}

/* One block, fewer elements than threads, a last round that is not whole. */
static int check(const options *o)
{
  static const size_t sizes[] = {4, 4096, 100004};
  static const unsigned blocks[] = {1, 3, 7};
  int n_bad = 0;
  for (int i = 0; i < 3; i++) {
    arrival *arrivals = record(o->seed, sizes[i], blocks[i], 2);
    n_bad += arrivals == NULL;
    free(arrivals);
  }
  if (n_bad == 0)
    fprintf(options_remarks(o), "the last block adds up (--seed %llu)\n",
            (unsigned long long)o->seed);
  return n_bad;
}

/* One row per block; time 0 is the first one's start. */
static int print_arrivals(const options *o)
{
  unsigned n_blocks = resident_blocks();
  arrival *arrivals = record(o->seed, N_ELEMS, n_blocks, N_LAUNCHES);
  if (!arrivals)
    return EXIT_FAILURE;
  unsigned long long zero = arrivals[0].start;
  for (unsigned i = 0; i < n_blocks; i++)
    if (arrivals[i].start < zero)
      zero = arrivals[i].start;
  printf("block,n_elems,multiprocessor,ticket,start_us,summed_us,drawn_us,"
         "end_us\n");
  for (unsigned i = 0; i < n_blocks; i++) {
    const arrival *a = &arrivals[i];
    printf("%u,%d,%u,%u,%.3f,%.3f,%.3f,%.3f\n", i, N_ELEMS, a->multiprocessor,
           a->ticket, 1e-3 * (double)(a->start - zero),
           1e-3 * (double)(a->summed - zero), 1e-3 * (double)(a->drawn - zero),
           1e-3 * (double)(a->end - zero));
  }
  free(arrivals);
  return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "when blocks draw their tickets",
                            "arrivals", "");
  if (o.count)
    options_fail(&o, "--count: this program only measures");
  if (!o.csv)
    return check(&o) > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
  if (!timing_is_possible())
    return EXIT_SKIPPED;
  return print_arrivals(&o);
}
