/* Asks each format of numbers what it can hold, by trying.
 *
 *   nvcc -I code code/precision/formats.cu -o formats && ./formats */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/options.h"
#include "precision/formats.h"

typedef struct {
  float epsilon;         /* from 1 to the next larger number */
  float largest;
  float smallest;        /* above zero */
  double missing_integer; /* the first that is not there */
} answers;

// begin ask
/* Is x still itself after a trip into the format? */
template <typename FORMAT> static __device__ bool holds(double x)
{
  return isfinite((float)x) && rounded<FORMAT>((float)x) == x;
}

/* One thread tries the powers of two. The double on the way holds every
 * number that it asks for. */
template <typename FORMAT> __global__ void ask(answers *out)
{
  double epsilon = 1.0, smallest = 1.0, largest = 1.0, bit, power = 1.0;
  while (holds<FORMAT>(1.0 + epsilon / 2.0))
    epsilon /= 2.0;
  while (holds<FORMAT>(smallest / 2.0))
    smallest /= 2.0;
  while (holds<FORMAT>(largest * 2.0))
    largest *= 2.0;
  /* Below the largest power of two: each bit that fits. */
  for (bit = largest / 2.0; holds<FORMAT>(largest + bit); bit /= 2.0)
    largest += bit;
  while (holds<FORMAT>(power + 1.0))
    power *= 2.0;
  *out = { (float)epsilon, (float)largest, (float)smallest,
           power + 1.0 };
}
// end ask

/* ---- versions ---- */

/* `bits` are what is stored, `exponent_bits` and `fraction_bits` what the
 * format's definition says: IEEE 754 for float and half, NVIDIA's PTX ISA for
 * tf32, and the OCP's FP8 specification for the last two. */
typedef struct {
  const char *name;
  const char *idea;
  void (*launch)(answers *);
  int bits, exponent_bits, fraction_bits;
  double largest;
} version;

template <typename FORMAT> static void launch(answers *d_out)
{
  ask<FORMAT><<<1, 1>>>(d_out);
}

static const version versions[] = {
  { "float", "32 bits", launch<float_format>, 32, 8, 23, 0x1.fffffep127 },
  { "tf32", "what a tensor core reads of a float", launch<tf32_format>, 32, 8,
    10, 0x1.ffcp127 },
  { "half", "16 bits, many for the fraction", launch<half_format>, 16, 5, 10,
    65504.0 },
  { "bfloat16", "16 bits, many for the exponent", launch<bfloat16_format>, 16,
    8, 7, 0x1.fep127 },
  { "e4m3", "8 bits, 3 of them fraction", launch<e4m3_format>, 8, 4, 3, 448.0 },
  { "e5m2", "8 bits, 2 of them fraction", launch<e5m2_format>, 8, 5, 2,
    57344.0 },
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static answers answers_of(const version *v)
{
  answers a, *d_out;
  CUDA_CHECK(cudaMalloc(&d_out, sizeof *d_out));
  poison_device(d_out, sizeof *d_out);
  v->launch(d_out);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(&a, d_out, sizeof a, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_out));
  return a;
}

/* ---- check ---- */

/* What the definition promises: the smallest number is a subnormal one. */
static int check_version(const version *v)
{
  answers a = answers_of(v);
  int bias = (1 << (v->exponent_bits - 1)) - 1;
  double expected[] = { ldexp(1.0, -v->fraction_bits), v->largest,
                        ldexp(1.0, 1 - bias - v->fraction_bits),
                        ldexp(1.0, v->fraction_bits + 1) + 1.0 };
  double got[] = { a.epsilon, a.largest, a.smallest, a.missing_integer };
  return compare_doubles(v->name, expected, got, 4);
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
  options o = options_parse(argc, argv, "what six formats of numbers can hold",
                            "formats", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (!check(&o))
    return EXIT_FAILURE;
  if (o.check)
    return EXIT_SUCCESS;
  if (o.csv)
    printf("format,bits,exponent_bits,fraction_bits,epsilon,largest,smallest,"
           "missing_integer\n");
  else
    printf("%-9s %4s  %-12s %-13s %-13s %s\n", "format", "bits", "epsilon",
           "largest", "smallest", "first missing integer");
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    if (!options_wants(&o, v->name))
      continue;
    answers a = answers_of(v);
    if (o.csv)
      printf("%s,%d,%d,%d,%.9g,%.9g,%.9g,%.9g\n", v->name, v->bits,
             v->exponent_bits, v->fraction_bits, a.epsilon, a.largest,
             a.smallest, a.missing_integer);
    else
      printf("%-9s %4d  %-12.6g %-13.6g %-13.6g %.9g\n", v->name, v->bits,
             a.epsilon, a.largest, a.smallest, a.missing_integer);
  }
  return EXIT_SUCCESS;
}
