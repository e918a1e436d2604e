/* How large is L2, seen from outside? All multiprocessors read the same
 * bytes again and again; the more bytes, the fewer of them stay in L2.
 *
 *   nvcc -I code code/hardware/l2.cu -o l2 && ./l2
 */
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/fill.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"

enum { BLOCK_THREADS = 256, BLOCKS_EACH = 4, READS = 4 };

/* Adds up all n groups of four words, n_passes times. __ldcg reads through
 * L2 and leaves L1 out. A word is always read by the same thread: where several
 * SMs ask for one line at a time, L2 need not be asked for each. */
__global__ void read_again(unsigned *sums, const uint4 *x, size_t n,
                           int n_passes)
{
  size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  size_t step = (size_t)gridDim.x * blockDim.x;
  unsigned sum = 0;
  for (int pass = 0; pass < n_passes; pass++)
    for (size_t i = thread; i < n; i += READS * step) {
      uint4 got[READS] = {};
      for (int k = 0; k < READS; k++)   /* no load waits for another */
        if (i + k * step < n)
          got[k] = __ldcg(&x[i + k * step]);
      for (int k = 0; k < READS; k++)
        sum += got[k].x + got[k].y + got[k].z + got[k].w;
    }
  sums[thread] = sum;
}

static unsigned blocks(void)
{
  return BLOCKS_EACH * (unsigned)device_properties()->multiProcessorCount;
}

/* ---- check ----------------------------------------------------------- */

static int check(const options *o)
{
  size_t n = (size_t)blocks() * BLOCK_THREADS * 6 + 77;
  size_t n_threads = (size_t)blocks() * BLOCK_THREADS;
  const int n_passes = 3;
  random_source random = random_from_seed(o->seed);
  unsigned *h_x = (unsigned *)malloc(n * sizeof(uint4));
  unsigned *h_sums = (unsigned *)malloc(n_threads * sizeof(unsigned));
  unsigned expected = 0, got = 0, *d_sums;
  uint4 *d_x;
  for (size_t i = 0; i < 4 * n; i++) {
    h_x[i] = (unsigned)random_bits(&random);
    expected += (unsigned)n_passes * h_x[i];
  }
  CUDA_CHECK(cudaMalloc(&d_x, n * sizeof *d_x));
  CUDA_CHECK(cudaMalloc(&d_sums, n_threads * sizeof *d_sums));
  CUDA_CHECK(cudaMemcpy(d_x, h_x, n * sizeof *d_x, cudaMemcpyHostToDevice));
  poison_device(d_sums, n_threads * sizeof *d_sums);
  read_again<<<blocks(), BLOCK_THREADS>>>(d_sums, d_x, n, n_passes);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_sums, d_sums, n_threads * sizeof *d_sums,
                        cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < n_threads; i++)
    got += h_sums[i];
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_sums));
  free(h_x);
  free(h_sums);
  if (got == expected)
    return 1;
  fprintf(stderr, "read_again: error: the sum is %u, expected %u: wrong\n",
          got, expected);
  return 0;
}

/* ---- measuring ------------------------------------------------------- */

static void measure_one(const options *o, size_t n_bytes, unsigned *d_sums,
                        const uint4 *d_x)
{
  size_t n = n_bytes / sizeof(uint4), total = (size_t)8 << 30;
  int n_passes = (int)(total / n_bytes);
  timing t = timing_start(o->repetitions);
  while (timing_next(&t)) {
    read_again<<<blocks(), BLOCK_THREADS>>>(d_sums, d_x, n, n_passes);
    CUDA_CHECK_LAUNCH();
  }
  printf(o->csv ? "%zu,%zu,%d,%d,%.3f,%.3f,%.1f\n"
                : "%12zu %10zu %6d %4d %10.1f %8.1f %9.1f\n",
         n_bytes, device_l2_bytes(), n_passes, t.repetitions, t.median_us,
         t.spread_us, timing_gb_per_s((double)n_bytes * n_passes,
                                      t.median_us));
  fflush(stdout);
}

static void measure(const options *o)
{
  size_t most = memory_length(o, (size_t)1 << 30, 1);
  unsigned *d_sums;
  uint4 *d_x;
  CUDA_CHECK(cudaMalloc(&d_x, most));
  CUDA_CHECK(cudaMemset(d_x, 1, most));
  CUDA_CHECK(cudaMalloc(&d_sums, (size_t)blocks() * BLOCK_THREADS *
                                 sizeof *d_sums));
  if (o->csv)
    printf("n_bytes,l2_bytes,n_passes,repetitions,time_us,time_spread_us,"
           "gb_per_s\n");
  for (size_t octave = (size_t)1 << 21; octave < most; octave *= 2)
    for (size_t quarter = 4; quarter < 8; quarter++)
      measure_one(o, octave / 4 * quarter, d_sums, d_x);
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_sums));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "bandwidth against working set",
                            "l2", "");
  if (!check(&o))
    return EXIT_FAILURE;
  fprintf(options_remarks(&o), "every word was read as often as it should "
          "(--seed %llu)\n", (unsigned long long)o.seed);
  if (!o.check && timing_is_possible())
    measure(&o);
  return EXIT_SUCCESS;
}
