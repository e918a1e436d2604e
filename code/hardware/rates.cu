/* How many results does an SM give per cycle? One block fills one SM with
 * warps; each thread has several independent chains of one instruction. The
 * clock is the SM's own.
 *
 *   nvcc -I code code/hardware/rates.cu -o rates && ./rates
 */
#include <math.h>

#include "common/cuda_check.h"
#include "common/device.h"
#include "common/options.h"
#include "common/timing.h"
#include "hardware/capability.h"

enum { BLOCK_THREADS = 1024, CHAINS = 8, CHECK_ROUNDS = 3 };

/* ---- CPU reference and kernels --------------------------------------- */

typedef struct { long long began, ended; } span;

/* In each round, each of the chains x[0 … 7] takes one step. A step of one
 * chain needs its own last result, and not the other chains'. */
template <typename step, typename word>
__global__ void chains(span *spans, word *out, word a, word b, int rounds)
{
  word x[CHAINS];
  for (int k = 0; k < CHAINS; k++)
    x[k] = a + (word)(threadIdx.x + k);
  __syncthreads();
  long long began = clock64();
#pragma unroll 16
  for (int i = 0; i < rounds; i++)
#pragma unroll
    for (int k = 0; k < CHAINS; k++)
      step::take(x, k, a, b);
  word sum = step::starts_at(b);
  for (int k = 0; k < CHAINS; k++)
    sum += x[k];
  out[threadIdx.x] = sum;
  long long ended = clock64();
  spans[threadIdx.x] = (span){began, ended};
}

/* What a sum begins with: the chains that use neighbours add b to it. */
struct alone {
  template <typename word>
  __device__ static word starts_at(word) { return 0; }
};
struct with_neighbours {
  __device__ static int starts_at(int b) { return b; }
};

struct fp32_fma : alone {
  __device__ static void take(float *x, int k, float a, float b)
  {
    asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x[k]) : "f"(a), "f"(b));
  }
};

struct fp64_fma : alone {
  __device__ static void take(double *x, int k, double a, double b)
  {
    asm volatile("fma.rn.f64 %0, %0, %1, %2;" : "+d"(x[k]) : "d"(a), "d"(b));
  }
};

struct fp32_add : alone {
  __device__ static void take(float *x, int k, float a, float)
  {
    asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(x[k]) : "f"(a));
  }
};

struct square_root : alone {
  __device__ static void take(float *x, int k, float, float)
  {
    asm volatile("sqrt.approx.ftz.f32 %0, %0;" : "+f"(x[k]));
  }
};

struct root : alone {
  __device__ static void take(float *x, int k, float, float)
  {
    asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(x[k]));
  }
};

struct cosine : alone {
  __device__ static void take(float *x, int k, float, float)
  {
    asm volatile("cos.approx.ftz.f32 %0, %0;" : "+f"(x[k]));
  }
};

struct int_mad : alone {
  __device__ static void take(int *x, int k, int a, int b)
  {
    asm volatile("mad.lo.s32 %0, %0, %1, %2;" : "+r"(x[k]) : "r"(a), "r"(b));
  }
};

struct shift : alone {
  __device__ static void take(int *x, int k, int a, int)
  {
    asm volatile("shf.l.wrap.b32 %0, %0, %1, 5;" : "+r"(x[k]) : "r"(a));
  }
};

struct popc : alone {
  __device__ static void take(int *x, int k, int, int)
  {
    asm volatile("popc.b32 %0, %0;" : "+r"(x[k]));
  }
};

// begin int_add
/* The other operand is a neighbour's last result: with one that never
 * changes, the compiler could make one instruction of two steps. */
struct int_add : with_neighbours {
  __device__ static void take(int *x, int k, int, int)
  {
    asm volatile("add.s32 %0, %0, %1;"
                 : "+r"(x[k]) : "r"(x[(k + 4) % CHAINS]));
  }
};
// end int_add

struct minimum : with_neighbours {
  __device__ static void take(int *x, int k, int, int)
  {
    asm volatile("min.s32 %0, %0, %1;"
                 : "+r"(x[k]) : "r"(x[(k + 4) % CHAINS]));
  }
};

struct logic : with_neighbours {
  __device__ static void take(int *x, int k, int, int)
  {
    asm volatile("lop3.b32 %0, %0, %1, %2, 0xe8;"           /* majority */
                 : "+r"(x[k])
                 : "r"(x[(k + 4) % CHAINS]), "r"(x[(k + 2) % CHAINS]));
  }
};

/* Two chains that the assembler sees through: 1 / (1 / x) is x, and three
 * steps of y ^= x, x ^= y do nothing but change places. */
struct reciprocal : alone {
  __device__ static void take(float *x, int k, float, float)
  {
    asm volatile("rcp.approx.ftz.f32 %0, %0;" : "+f"(x[k]));
  }
};

struct exchange : with_neighbours {
  __device__ static void take(int *x, int k, int, int)
  {
    asm volatile("xor.b32 %0, %0, %1;"
                 : "+r"(x[k]) : "r"(x[(k + 4) % CHAINS]));
  }
};

/* The same on the CPU, one step of one chain. y: the neighbours. */
static double step_fma(double x, double a, double b) { return x * a + b; }
static double step_add(double x, double a, double b)
{
  (void)b;
  return x + a;
}
static double step_reciprocal(double x, double a, double b)
{
  (void)a, (void)b;
  return 1.0 / x;
}
static double step_square_root(double x, double a, double b)
{
  (void)a, (void)b;
  return sqrt(x);
}
static double step_root(double x, double a, double b)
{
  (void)a, (void)b;
  return 1.0 / sqrt(x);
}
static double step_cosine(double x, double a, double b)
{
  (void)a, (void)b;
  return cos(x);
}
static unsigned step_mad(unsigned x, const unsigned *y, unsigned a,
                         unsigned b)
{
  (void)y;
  return x * a + b;
}
static unsigned step_minimum(unsigned x, const unsigned *y, unsigned a,
                             unsigned b)
{
  (void)a, (void)b;
  return (int)x < (int)y[0] ? x : y[0];
}
static unsigned step_shift(unsigned x, const unsigned *y, unsigned a,
                           unsigned b)
{
  (void)y, (void)b;
  return a << 5 | x >> 27;
}
static unsigned step_popc(unsigned x, const unsigned *y, unsigned a,
                          unsigned b)
{
  unsigned n = 0;
  (void)y, (void)a, (void)b;
  for (; x; x &= x - 1)
    n++;
  return n;
}
static unsigned step_int_add(unsigned x, const unsigned *y, unsigned a,
                             unsigned b)
{
  (void)a, (void)b;
  return x + y[0];
}
static unsigned step_logic(unsigned x, const unsigned *y, unsigned a,
                           unsigned b)
{
  (void)a, (void)b;
  return (x & y[0]) | (x & y[1]) | (y[0] & y[1]);
}

static unsigned step_exchange(unsigned x, const unsigned *y, unsigned a,
                              unsigned b)
{
  (void)a, (void)b;
  return x ^ y[0];
}

/* ---- versions -------------------------------------------------------- */

typedef enum { FLOAT, DOUBLE, INT } kind;

typedef struct {
  const char *name, *idea;
  const void *kernel;
  kind type;
  double (*real_step)(double, double, double);
  unsigned (*int_step)(unsigned, const unsigned *, unsigned, unsigned);
  int uses_neighbours;
  size_t documented;        /* where it is in capability_rates */
  int vanishes;
} version;

#define AT(member) offsetof(capability_rates, member)
static const version versions[] = {
  {"fp32_fma", "multiply-add of floats", (const void *)chains<fp32_fma, float>, FLOAT,
   step_fma, NULL, 0, AT(fp32), 0},
  {"fp32_add", "addition of floats", (const void *)chains<fp32_add, float>, FLOAT,
   step_add, NULL, 0, AT(fp32), 0},
  {"fp64_fma", "multiply-add of doubles", (const void *)chains<fp64_fma, double>, DOUBLE,
   step_fma, NULL, 0, AT(fp64), 0},
  {"square_root", "special: square root", (const void *)chains<square_root, float>, FLOAT,
   step_square_root, NULL, 0, AT(special), 0},
  {"root", "special: 1 / square root", (const void *)chains<root, float>, FLOAT,
   step_root, NULL, 0, AT(special), 0},
  {"cosine", "special: cosine", (const void *)chains<cosine, float>, FLOAT,
   step_cosine, NULL, 0, AT(special), 0},
  {"int_add", "addition of ints", (const void *)chains<int_add, int>, INT, NULL,
   step_int_add, 1, AT(int_add), 0},
  {"int_mad", "multiply-add of ints", (const void *)chains<int_mad, int>, INT, NULL,
   step_mad, 0, AT(int_mad), 0},
  {"minimum", "the smaller of two ints", (const void *)chains<minimum, int>, INT, NULL,
   step_minimum, 1, AT(compare), 0},
  {"logic", "majority of three ints", (const void *)chains<logic, int>, INT, NULL,
   step_logic, 1, AT(logic), 0},
  {"shift", "funnel shift", (const void *)chains<shift, int>, INT, NULL, step_shift, 0,
   AT(shift), 0},
  {"popc", "bits that are set", (const void *)chains<popc, int>, INT, NULL, step_popc, 0,
   AT(popc), 0},
  {"reciprocal", "1 / x", (const void *)chains<reciprocal, float>, FLOAT, step_reciprocal,
   NULL, 0, AT(special), 1},
  {"exchange", "exclusive or", (const void *)chains<exchange, int>, INT, NULL,
   step_exchange, 1, AT(logic), 1},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static void launch(const version *v, span *d_spans, void *d_out, int rounds)
{
  float f[2] = {0.5f, 1.25f};
  double d[2] = {0.5, 1.25};
  int n[2] = {77, 3};
  void *a = v->type == FLOAT ? (void *)&f[0] :
            v->type == DOUBLE ? (void *)&d[0] : (void *)&n[0];
  void *b = v->type == FLOAT ? (void *)&f[1] :
            v->type == DOUBLE ? (void *)&d[1] : (void *)&n[1];
  void *arguments[] = {&d_spans, &d_out, a, b, &rounds};
  CUDA_CHECK(cudaLaunchKernel(v->kernel, dim3(1), dim3(BLOCK_THREADS),
                              arguments, 0, 0));
  CUDA_CHECK_LAUNCH();
}

/* ---- check ----------------------------------------------------------- */

static double expected_real(const version *v, int thread)
{
  double sum = 0.0;
  for (int k = 0; k < CHAINS; k++) {
    double x = 0.5 + thread + k;
    for (int i = 0; i < CHECK_ROUNDS; i++)
      x = v->real_step(x, 0.5, 1.25);
    sum += x;
  }
  return sum;
}

static unsigned expected_int(const version *v, int thread)
{
  unsigned x[CHAINS], y[2], sum = v->uses_neighbours ? 3 : 0;
  for (int k = 0; k < CHAINS; k++)
    x[k] = (unsigned)(77 + thread + k);
  for (int i = 0; i < CHECK_ROUNDS; i++)
    for (int k = 0; k < CHAINS; k++) {
      y[0] = x[(k + 4) % CHAINS];
      y[1] = x[(k + 2) % CHAINS];
      x[k] = v->int_step(x[k], y, 77, 3);
    }
  for (int k = 0; k < CHAINS; k++)
    sum += x[k];
  return sum;
}

static int is_right(const version *v, const void *out, int thread)
{
  if (v->type == INT)
    return ((const unsigned *)out)[thread] == expected_int(v, thread);
  double got = v->type == FLOAT ? ((const float *)out)[thread]
                                : ((const double *)out)[thread];
  double expected = expected_real(v, thread);
  /* Approximated cosines of large angles are wrong by more. */
  double tolerance = v->real_step == step_cosine ? 2e-3 : 1e-5;
  return fabs(got - expected) <= tolerance * (1.0 + fabs(expected));
}

static int check_version(const version *v)
{
  static double out[BLOCK_THREADS];
  span *d_spans;
  void *d_out;
  int n_bad = 0;
  CUDA_CHECK(cudaMalloc(&d_spans, BLOCK_THREADS * sizeof *d_spans));
  CUDA_CHECK(cudaMalloc(&d_out, sizeof out));
  CUDA_CHECK(cudaMemset(d_out, 0xff, sizeof out));
  launch(v, d_spans, d_out, CHECK_ROUNDS);
  CUDA_CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  for (int thread = 0; thread < BLOCK_THREADS; thread++)
    n_bad += !is_right(v, out, thread);
  if (n_bad > 0)
    fprintf(stderr, "%s: error: %d of %d results are wrong\n", v->name,
            n_bad, BLOCK_THREADS);
  CUDA_CHECK(cudaFree(d_spans));
  CUDA_CHECK(cudaFree(d_out));
  return n_bad;
}

/* ---- measuring ------------------------------------------------------- */

/* Clocks from the first warp's start to the last warp's end. */
static double clocks(const version *v, span *d_spans, void *d_out, int rounds)
{
  static span spans[BLOCK_THREADS];
  launch(v, d_spans, d_out, rounds);
  CUDA_CHECK(cudaMemcpy(spans, d_spans, sizeof spans,
                        cudaMemcpyDeviceToHost));
  span all = spans[0];
  for (int i = 1; i < BLOCK_THREADS; i++) {
    if (spans[i].began < all.began)
      all.began = spans[i].began;
    if (spans[i].ended > all.ended)
      all.ended = spans[i].ended;
  }
  return (double)(all.ended - all.began);
}

static void measure_one(const options *o, const version *v, span *d_spans,
                        void *d_out)
{
  const cudaDeviceProp *p = device_properties();
  const capability_rates *r =
      capability_rates_of(10 * p->major + p->minor);
  int rounds = 1 << 14, documented =
      r ? *(const int *)((const char *)r + v->documented) : 0;
  double samples[1000];
  timing t;
  clocks(v, d_spans, d_out, rounds);
  for (int i = 0; i < o->repetitions; i++)
    samples[i] = (double)BLOCK_THREADS * CHAINS * rounds /
                 clocks(v, d_spans, d_out, rounds);
  timing_summarise(&t, samples, o->repetitions);
  printf(o->csv ? "%s,%s,%d,%d,%d,%.3f,%.3f\n"
                : "%-12s %-28s %6d %8d %4d %9.2f %9.3f\n",
         v->name, v->idea, documented, rounds, o->repetitions, t.median_us,
         t.spread_us);
  fflush(stdout);
}

static void measure(const options *o, int vanishing)
{
  span *d_spans;
  void *d_out;
  CUDA_CHECK(cudaMalloc(&d_spans, BLOCK_THREADS * sizeof *d_spans));
  CUDA_CHECK(cudaMalloc(&d_out, BLOCK_THREADS * sizeof(double)));
  if (o->csv)
    printf("version,idea,documented_per_clock,rounds,repetitions,per_clock,"
           "spread_per_clock\n");
  for (int i = 0; i < N_VERSIONS; i++)
    if (options_wants(o, versions[i].name) &&
        versions[i].vanishes == vanishing)
      measure_one(o, &versions[i], d_spans, d_out);
  CUDA_CHECK(cudaFree(d_spans));
  CUDA_CHECK(cudaFree(d_out));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "results per cycle",
                            "rates,vanishing", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  int n_bad = 0;
  for (int i = 0; i < N_VERSIONS; i++)
    if (options_wants(&o, versions[i].name))
      n_bad += check_version(&versions[i]);
  if (n_bad > 0)
    return EXIT_FAILURE;
  fprintf(options_remarks(&o), "every chain ends where it should\n");
  if (!o.check && timing_is_possible())
    measure(&o, o.csv && strcmp(o.csv, "vanishing") == 0);
  return EXIT_SUCCESS;
}
