/* The exercises of the chapter.
 *
 *   nvcc -I code code/precision/solutions.cu -o solutions && ./solutions */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/options.h"
#include "precision/formats.h"

/* ---- where a sum stops ---- */

// begin stops
template <typename FORMAT> __global__ void add_until_stuck(float *out,
                                                           float addend)
{
  float total = 0.0f, next = addend;
  while (next != total) {
    total = next;
    next = rounded<FORMAT>(total + addend);
  }
  *out = total;
}
// end stops

/* ---- the harmonic series, from either end ---- */

// begin harmonic
/* 1 + 1/2 + 1/3 + … + 1/n, from the first term on, and from the last. */
template <typename FORMAT> __global__ void harmonic(float *out, int n)
{
  float forwards = 0.0f, backwards = 0.0f;
  for (int i = 1; i <= n; i++) {
    forwards = rounded<FORMAT>(forwards + 1.0f / (float)i);
    backwards = rounded<FORMAT>(backwards + 1.0f / (float)(n + 1 - i));
  }
  out[0] = forwards;
  out[1] = backwards;
}
// end harmonic

/* ---- two halves for one total ---- */

// begin compensated
/* Kahan's sum: `lost` is what the last rounding has left out. */
__global__ void count_up_compensated(float *out, int n)
{
  __half total = __float2half_rn(0.0f), lost = total, one =
    __float2half_rn(1.0f);
  for (int i = 0; i < n; i++) {
    __half addend = __hsub_rn(one, lost);
    __half next = __hadd_rn(total, addend);
    lost = __hsub_rn(__hsub_rn(next, total), addend);
    total = next;
  }
  *out = __half2float(total);
}
// end compensated

/* ---- versions ---- */

typedef void launcher(float *d_out, float argument);

template <typename FORMAT> static void launch_stops(float *d_out, float addend)
{
  add_until_stuck<FORMAT><<<1, 1>>>(d_out, addend);
}

template <typename FORMAT> static void launch_harmonic(float *d_out, float n)
{
  harmonic<FORMAT><<<1, 1>>>(d_out, (int)n);
}

static void launch_compensated(float *d_out, float n)
{
  count_up_compensated<<<1, 1>>>(d_out, (int)n);
}

/* `first` and `second` are what must come out, by hand. */
typedef struct {
  const char *exercise, *format;
  launcher *launch;
  float argument;
  int n_results;
  double first, second;
} question;

static double harmonic_sum(int n)
{
  double sum = 0.0;
  for (int i = n; i > 0; i--)
    sum += 1.0 / i;
  return sum;
}

enum { N_TERMS = 2000 };

static const question questions[] = {
  { "stops", "half", launch_stops<half_format>, 0.5f, 1, 1024, 0 },
  { "stops", "bfloat16", launch_stops<bfloat16_format>, 0.5f, 1, 128, 0 },
  { "stops", "half", launch_stops<half_format>, 3.0f, 1, 8192, 0 },
  { "harmonic", "half", launch_harmonic<half_format>, N_TERMS, 2, 0, 0 },
  { "harmonic", "float", launch_harmonic<float_format>, N_TERMS, 2, 0, 0 },
  { "compensated", "half", launch_compensated, 2048, 1, 2048, 0 },
  { "compensated", "half", launch_compensated, 60000, 1, 60000, 0 },
};
enum { N_QUESTIONS = sizeof questions / sizeof questions[0] };

static void answer(const question *q, float *results)
{
  float *d_out;
  CUDA_CHECK(cudaMalloc(&d_out, 2 * sizeof(float)));
  poison_device(d_out, 2 * sizeof(float));
  q->launch(d_out, q->argument);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(results, d_out, 2 * sizeof(float),
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_out));
}

/* The series in half must miss more from the front than from the back, where
 * it comes within a step of half, 2^-7; in float both come close. */
static int check_question(const question *q)
{
  float got[2], expected[2] = { (float)q->first, (float)q->second };
  double sum = harmonic_sum(N_TERMS), error[2];
  answer(q, got);
  if (q->n_results == 1)
    return compare_floats_within(q->exercise, expected, got, 1,
                                 q->launch == launch_compensated ? 0x1p-11
                                                                 : 0.0, 0.0);
  for (int i = 0; i < 2; i++)
    error[i] = fabs(got[i] / sum - 1.0);
  int right = q->launch == launch_harmonic<half_format>
                ? error[1] < 0x1p-7 && error[0] > 8 * error[1]
                : error[0] < 1e-5 && error[1] < 1e-6;
  if (!right)
    fprintf(stderr, "harmonic %s: error: %g forwards, %g backwards, %g is "
            "true\n", q->format, got[0], got[1], sum);
  return right;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "the exercises of the chapter",
                            "answers,harmonic", "");
  int right = 1;
  for (int i = 0; i < N_QUESTIONS; i++)
    right &= check_question(&questions[i]);
  fprintf(options_remarks(&o), "check: %s\n", right ? "all right" : "WRONG");
  if (!right || o.check)
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
  int series = o.csv && strcmp(o.csv, "harmonic") == 0;
  printf(series ? "format,n_terms,forwards,backwards,exact\n"
                : "exercise,format,argument,result\n");
  for (int i = 0; i < N_QUESTIONS; i++) {
    const question *q = &questions[i];
    float got[2];
    if ((q->n_results == 2) != series)
      continue;
    answer(q, got);
    if (series)
      printf("%s,%g,%.9g,%.9g,%.9g\n", q->format, q->argument, got[0], got[1],
             harmonic_sum((int)q->argument));
    else
      printf("%s,%s,%g,%.9g\n", q->exercise, q->format, q->argument, got[0]);
  }
  return EXIT_SUCCESS;
}
