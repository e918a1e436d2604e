/* Solutions to the exercises: an instruction of the special units among
 * multiply-adds, and "is any of them zero?" in one step of the theory.
 *
 *   nvcc -I code code/hardware/solutions.cu -o solutions && ./solutions
 */
#include <math.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"

enum { BLOCK_THREADS = 1024, CHAINS = 8, SPECIALS = 4, CHECK_ROUNDS = 8 };

/* ---- one special among n multiply-adds ------------------------------- */

typedef struct { long long began, ended; } span;

// begin special_among
/* In each round, one reciprocal square root and n multiply-adds; rounds are
 * a multiple of SPECIALS. */
template <int n>
__global__ void special_among(span *spans, float *out, int rounds)
{
  float special[SPECIALS], x[CHAINS], sum = 0.0f;
  for (int k = 0; k < SPECIALS; k++)
    special[k] = (float)(threadIdx.x + k + 2);
  for (int k = 0; k < CHAINS; k++)
    x[k] = (float)(threadIdx.x + k);
  __syncthreads();
  long long began = clock64();
#pragma unroll 4
  for (int i = 0; i < rounds; i += SPECIALS)
#pragma unroll
    for (int s = 0; s < SPECIALS; s++) {
      asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(special[s]));
#pragma unroll
      for (int k = 0; k < n; k++)
        x[k % CHAINS] = fmaf(x[k % CHAINS], 0.5f, 1.0f);
    }
  for (int k = 0; k < SPECIALS; k++)
    sum += special[k];
  for (int k = 0; k < CHAINS; k++)
    sum += x[k];
  out[threadIdx.x] = sum;
  long long ended = clock64();
  spans[threadIdx.x] = (span){began, ended};
}
// end special_among

typedef void special_kernel(span *, float *, int);
static const struct {
  int n;
  special_kernel *kernel;
} specials[] = {
  {0, special_among<0>}, {2, special_among<2>}, {4, special_among<4>},
  {6, special_among<6>}, {7, special_among<7>}, {8, special_among<8>},
  {10, special_among<10>}, {12, special_among<12>}, {16, special_among<16>},
};
enum { N_SPECIALS = sizeof specials / sizeof specials[0] };

static float expected_special(int n, int thread)
{
  float special[SPECIALS], x[CHAINS], sum = 0.0f;
  for (int k = 0; k < SPECIALS; k++)
    special[k] = (float)(thread + k + 2);
  for (int k = 0; k < CHAINS; k++)
    x[k] = (float)(thread + k);
  for (int i = 0; i < CHECK_ROUNDS; i++) {
    special[i % SPECIALS] = 1.0f / sqrtf(special[i % SPECIALS]);
    for (int k = 0; k < n; k++)
      x[k % CHAINS] = fmaf(x[k % CHAINS], 0.5f, 1.0f);
  }
  for (int k = 0; k < SPECIALS; k++)
    sum += special[k];
  for (int k = 0; k < CHAINS; k++)
    sum += x[k];
  return sum;
}

/* Clocks from the first start to the last end; what the threads have found is
 * left in `out`. */
static double clocks_of(int which, int rounds, float *out)
{
  static span spans[BLOCK_THREADS];
  span *d_spans, all;
  float *d_out;
  CUDA_CHECK(cudaMalloc(&d_spans, sizeof spans));
  CUDA_CHECK(cudaMalloc(&d_out, BLOCK_THREADS * sizeof(float)));
  poison_device(d_out, BLOCK_THREADS * sizeof(float));
  specials[which].kernel<<<1, BLOCK_THREADS>>>(d_spans, d_out, rounds);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(spans, d_spans, sizeof spans,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(out, d_out, BLOCK_THREADS * sizeof(float),
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_spans));
  CUDA_CHECK(cudaFree(d_out));
  all = spans[0];
  for (int i = 1; i < BLOCK_THREADS; i++) {
    if (spans[i].began < all.began)
      all.began = spans[i].began;
    if (spans[i].ended > all.ended)
      all.ended = spans[i].ended;
  }
  return (double)(all.ended - all.began);
}

static int check_specials(void)
{
  static float got[BLOCK_THREADS], expected[BLOCK_THREADS];
  int n_bad = 0;
  for (int i = 0; i < N_SPECIALS; i++) {
    clocks_of(i, CHECK_ROUNDS, got);
    for (int thread = 0; thread < BLOCK_THREADS; thread++)
      expected[thread] = expected_special(specials[i].n, thread);
    for (int thread = 0; thread < BLOCK_THREADS; thread++)
      if (!(fabsf(got[thread] - expected[thread]) <=
            1e-5f * (1.0f + fabsf(expected[thread])))) {
        fprintf(stderr, "special_among_%d: error: thread %d has %g, "
                "expected %g: wrong\n", specials[i].n, thread, got[thread],
                expected[thread]);
        n_bad++;
        break;
      }
  }
  return n_bad;
}

static void measure_specials(const options *o)
{
  static float out[BLOCK_THREADS];
  const int rounds = 1 << 14;
  double samples[1000];
  if (o->csv)
    printf("multiply_adds,rounds,repetitions,clocks_per_round,"
           "spread_clocks\n");
  for (int i = 0; i < N_SPECIALS; i++) {
    timing t;
    clocks_of(i, rounds, out);
    for (int k = 0; k < o->repetitions; k++)
      samples[k] = clocks_of(i, rounds, out) / rounds /
                   (BLOCK_THREADS / 128);     /* 8 warps a scheduler */
    timing_summarise(&t, samples, o->repetitions);
    printf(o->csv ? "%d,%d,%d,%.3f,%.3f\n" : "%3d %8d %4d %9.2f %9.2f\n",
           specials[i].n, rounds, o->repetitions, t.median_us, t.spread_us);
  }
}

/* ---- is any of them zero? -------------------------------------------- */

// begin any_zero
/* One step with n processors, and all may write the same word. */
__global__ void any_zero(int *found, const int *x, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] == 0)
    *found = 1;
}
// end any_zero

static int check_any_zero(const options *o)
{
  enum { N = 3001 };
  static int h_x[N];
  random_source random = random_from_seed(o->seed);
  int *d_x, *d_found, found, n_bad = 0;
  CUDA_CHECK(cudaMalloc(&d_x, sizeof h_x));
  CUDA_CHECK(cudaMalloc(&d_found, sizeof found));
  for (int n_zeros = 0; n_zeros < 5; n_zeros++) {
    for (int i = 0; i < N; i++)
      h_x[i] = n_zeros < 4 ? 1 + i : 0;     /* at last, all of them */
    for (int i = 0; i < n_zeros; i++)
      h_x[random_below(&random, N)] = 0;
    CUDA_CHECK(cudaMemcpy(d_x, h_x, sizeof h_x, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d_found, 0, sizeof found));
    any_zero<<<(N + 255) / 256, 256>>>(d_found, d_x, N);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy(&found, d_found, sizeof found,
                          cudaMemcpyDeviceToHost));
    if (found != (n_zeros > 0)) {
      fprintf(stderr, "any_zero: error: %d zeros, and it says %d: wrong\n",
              n_zeros, found);
      n_bad++;
    }
  }
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_found));
  return n_bad;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "solutions", "special_among", "");
  if (check_specials() + check_any_zero(&o) > 0)
    return EXIT_FAILURE;
  fprintf(options_remarks(&o), "all solutions are right (--seed %llu)\n",
          (unsigned long long)o.seed);
  if (!o.check && timing_is_possible())
    measure_specials(&o);
  return EXIT_SUCCESS;
}
