/* Adds one, again and again, and keeps the total in each format of numbers.
 *
 *   nvcc -I code code/precision/ones.cu -o ones && ./ones */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/options.h"
#include "precision/formats.h"

enum {
  LANES = 32,     /* threads of the launch: each has a total of its own */
  CHECKPOINTS = 26 /* totals are noted after 2^0, 2^1, … 2^25 additions */
};

// begin count_up
/* notes[k] is the total after 2^k additions. */
template <typename FORMAT> __global__ void count_up(float *notes)
{
  float total = 0.0f;
  unsigned n = 0;
  bool stuck = false;
  for (int k = 0; k < CHECKPOINTS; k++) {
    for (; n < 1u << k && !stuck; n++) {
      float next = rounded<FORMAT>(total + 1.0f);
      stuck = next == total;
      total = next;
    }
    notes[k * LANES + threadIdx.x] = total;
  }
}
// end count_up

// begin stochastic
/* Rounds up with the probability that x lies so far up: adds 16 random bits to
 * the 16 that bfloat16 drops, and lets the carry decide. */
static __device__ float round_stochastic(float x, unsigned random)
{
  return __uint_as_float((__float_as_uint(x) + (random & 0xffff)) & 0xffff0000);
}
// end stochastic

// begin count_up_stochastic
__global__ void count_up_stochastic(float *notes)
{
  float total = 0.0f;
  unsigned n = 0, random = 2654435761u * (threadIdx.x + 1);
  for (int k = 0; k < CHECKPOINTS - 5; k++) {
    for (; n < 1u << k; n++) {
      random ^= random << 13;   /* xorshift, after Marsaglia */
      random ^= random >> 17;
      random ^= random << 5;
      total = round_stochastic(total + 1.0f, random);
    }
    notes[k * LANES + threadIdx.x] = total;
  }
}
// end count_up_stochastic

/* ---- versions ---- */

template <typename FORMAT> static void launch(float *d_notes)
{
  count_up<FORMAT><<<1, LANES>>>(d_notes);
}

static void launch_stochastic(float *d_notes)
{
  count_up_stochastic<<<1, LANES>>>(d_notes);
}

typedef struct {
  const char *name;
  const char *idea;
  void (*launch)(float *);
  int checkpoints;
  /* 2^(fraction bits + 1), where 1 is half a step, and the even number is the
   * total itself. tf32 rounds the tie away and goes on to the next power, where
   * 1 is a quarter of a step. 0: never. */
  double stops_at;
} version;

static const version versions[] = {
  { "float", "32 bits", launch<float_format>, CHECKPOINTS, 0x1p24 },
  { "tf32", "19 bits", launch<tf32_format>, CHECKPOINTS, 0x1p12 },
  { "half", "16 bits", launch<half_format>, CHECKPOINTS, 0x1p11 },
  { "bfloat16", "16 bits", launch<bfloat16_format>, CHECKPOINTS, 0x1p8 },
  { "e4m3", "8 bits", launch<e4m3_format>, CHECKPOINTS, 0x1p4 },
  { "e5m2", "8 bits", launch<e5m2_format>, CHECKPOINTS, 0x1p3 },
  { "bfloat16_stochastic", "16 bits, rounded at random", launch_stochastic,
    CHECKPOINTS - 5, 0.0 },
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

typedef struct {
  float total[CHECKPOINTS][LANES];
} notes;

static notes notes_of(const version *v)
{
  notes n;
  float *d_notes;
  CUDA_CHECK(cudaMalloc(&d_notes, sizeof n));
  poison_device(d_notes, sizeof n);
  v->launch(d_notes);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(&n, d_notes, sizeof n, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_notes));
  return n;
}

static double mean(const float *x)
{
  double sum = 0.0;
  for (int i = 0; i < LANES; i++)
    sum += x[i];
  return sum / LANES;
}

/* ---- check ---- */

/* Where the total stops, or, if it doesn't, that its mean is near the truth:
 * 32 totals whose steps go up to 2^-7 of themselves leave a spread of less
 * than a tenth of it in their mean. */
static int check_version(const version *v)
{
  notes n = notes_of(v);
  double expected[CHECKPOINTS], got[CHECKPOINTS];
  for (int k = 0; k < v->checkpoints; k++) {
    double true_total = (double)(1u << k);
    got[k] = n.total[k][0];
    expected[k] = v->stops_at > 0.0 ? fmin(true_total, v->stops_at) : got[k];
    if (v->launch == launch_stochastic &&
        !(fabs(mean(n.total[k]) / true_total - 1.0) < 0.1))
      expected[k] = true_total;
  }
  return compare_doubles(v->name, expected, got, v->checkpoints);
}

static int check(const options *o)
{
  int right = 1;
  for (int i = 0; i < N_VERSIONS; i++)
    if (options_wants(o, versions[i].name))
      right &= check_version(&versions[i]);
  fprintf(options_remarks(o), "check: %s\n", right ? "all right" : "WRONG");
  return right;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "counts up in formats of numbers",
                            "totals", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (!check(&o))
    return EXIT_FAILURE;
  if (o.check)
    return EXIT_SUCCESS;
  printf("format,n_additions,total_mean,total_least,total_most\n");
  for (int i = 0; i < N_VERSIONS; i++) {
    if (!options_wants(&o, versions[i].name))
      continue;
    notes n = notes_of(&versions[i]);
    for (int k = 0; k < versions[i].checkpoints; k++) {
      float least = n.total[k][0], most = n.total[k][0];
      for (int l = 1; l < LANES; l++) {
        least = fminf(least, n.total[k][l]);
        most = fmaxf(most, n.total[k][l]);
      }
      printf("%s,%u,%.9g,%.9g,%.9g\n", versions[i].name, 1u << k,
             mean(n.total[k]), least, most);
    }
  }
  return EXIT_SUCCESS;
}
