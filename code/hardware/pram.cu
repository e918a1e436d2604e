/* The largest of n numbers on a machine of the theory (PRAM): with processors
 * that never touch the same word at the same time (EREW), and with as many
 * as one wants that may all write the same word (CRCW). Each step of the
 * theory is a kernel launch here.
 *
 *   nvcc -I code code/hardware/pram.cu -o pram && ./pram
 */
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/fill.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"

enum { BLOCK_THREADS = 256 };

/* ---- CPU reference ---- */

static float maximum_on_cpu(const float *x, size_t n)
{
  float most = x[0];
  for (size_t i = 1; i < n; i++)
    if (x[i] > most)
      most = x[i];
  return most;
}

/* ---- kernels ---- */

// begin erew
/* One step: processor i takes the larger of x[i] and x[i + half]. No word is
 * read or written by two processors. */
__global__ void halve(float *x, size_t n, size_t half)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i + half < n && x[i + half] > x[i])
    x[i] = x[i + half];
}
// end erew

// begin crcw
/* Three steps. The second has n * n processors: each compares one pair, and
 * strikes out the loser. Many strike out the same number at the same time:
 * they all write a 0. */
__global__ void may_win(char *wins, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    wins[i] = 1;
}

__global__ void strike_out(char *wins, const float *x, size_t n)
{
  size_t j = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  size_t i = blockIdx.y;
  if (j < n && x[i] < x[j])
    wins[i] = 0;
}

__global__ void name_winner(float *x, const char *wins, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && wins[i])
    x[n] = x[i];
}
// end crcw

/* ---- versions: both leave the largest in x[0] or x[n] ---- */

typedef struct {
  float *d_x;     /* n + 1 of them */
  char *d_wins;
} memory;

typedef struct {
  int steps;
  size_t processors;    /* in the widest step */
  double work;          /* of all steps together */
} cost;

static unsigned blocks_for(size_t n)
{
  return (unsigned)((n + BLOCK_THREADS - 1) / BLOCK_THREADS);
}

static void pay(cost *c, double processors)
{
  c->steps++;
  c->work += processors;
  if (processors > (double)c->processors)
    c->processors = (size_t)processors;
}

static float *maximum_erew(memory m, size_t n, cost *c)
{
  while (n > 1) {
    size_t half = (n + 1) / 2;
    halve<<<blocks_for(n - half), BLOCK_THREADS>>>(m.d_x, n, half);
    pay(c, (double)(n - half));
    n = half;
  }
  return m.d_x;
}

static float *maximum_crcw(memory m, size_t n, cost *c)
{
  dim3 pairs(blocks_for(n), (unsigned)n);
  may_win<<<blocks_for(n), BLOCK_THREADS>>>(m.d_wins, n);
  pay(c, (double)n);
  strike_out<<<pairs, BLOCK_THREADS>>>(m.d_wins, m.d_x, n);
  pay(c, (double)n * (double)n);
  name_winner<<<blocks_for(n), BLOCK_THREADS>>>(m.d_x, m.d_wins, n);
  pay(c, (double)n);
  return m.d_x + n;
}

typedef struct {
  const char *name, *idea;
  float *(*launch)(memory, size_t, cost *);
} version;

static const version versions[] = {
  {"erew", "halve the array in each step", maximum_erew},
  {"crcw", "compare all pairs at once", maximum_crcw},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static memory allocate(size_t n)
{
  memory m;
  CUDA_CHECK(cudaMalloc(&m.d_x, (n + 1) * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&m.d_wins, n));
  return m;
}

static void release(memory m)
{
  CUDA_CHECK(cudaFree(m.d_x));
  CUDA_CHECK(cudaFree(m.d_wins));
}

/* ---- check ---- */

static int check_version(const version *v, const float *h_x, size_t n)
{
  memory m = allocate(n);
  cost c = {0, 0, 0.0};
  float got, expected = maximum_on_cpu(h_x, n);
  poison_device(m.d_x, (n + 1) * sizeof(float));
  CUDA_CHECK(cudaMemcpy(m.d_x, h_x, n * sizeof(float),
                        cudaMemcpyHostToDevice));
  float *d_most = v->launch(m, n, &c);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(&got, d_most, sizeof got, cudaMemcpyDeviceToHost));
  release(m);
  if (got == expected)
    return 0;
  fprintf(stderr, "%s: error: n = %zu: the largest is %g, expected %g: "
          "wrong\n", v->name, n, got, expected);
  return 1;
}

static int check(const options *o)
{
  static const size_t sizes[] = {1, 2, 3, 31, 256, 1000};
  random_source random = random_from_seed(o->seed);
  float h_x[1000];
  int n_bad = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    for (int how = 0; how < 3; how++) {
      random_fill_floats(&random, h_x, sizes[i]);
      for (size_t k = 0; k < sizes[i] && how > 0; k++)
        h_x[k] = how == 1 ? 1.0f : (float)k;    /* all equal; rising */
      for (int v = 0; v < N_VERSIONS; v++)
        if (options_wants(o, versions[v].name))
          n_bad += check_version(&versions[v], h_x, sizes[i]);
    }
  return n_bad;
}

/* ---- experiments ---- */

/* What the theory counts. */
static void print_steps(void)
{
  printf("version,n_elems,steps,processors,work\n");
  for (size_t n = 16; n <= 1024; n *= 4)
    for (int v = 0; v < N_VERSIONS; v++) {
      cost c = {0, 0, 0.0};
      memory m = allocate(n);
      CUDA_CHECK(cudaMemset(m.d_x, 0, (n + 1) * sizeof(float)));
      versions[v].launch(m, n, &c);
      CUDA_CHECK_LAUNCH();
      CUDA_CHECK(cudaDeviceSynchronize());
      printf("%s,%zu,%d,%zu,%.0f\n", versions[v].name, n, c.steps,
             c.processors, c.work);
      release(m);
    }
}

/* And what it takes. */
static void measure(const options *o)
{
  if (o->csv)
    printf("version,n_elems,steps,processors,repetitions,time_us,"
           "time_spread_us\n");
  for (size_t n = 64; n <= 1 << 15; n *= 2)
    for (int v = 0; v < N_VERSIONS; v++) {
      random_source random = random_from_seed(o->seed);
      memory m = allocate(n);
      cost c;
      fill_device_floats(&random, m.d_x, n);
      timing t = timing_start(o->repetitions);
      while (timing_next(&t)) {
        c = (cost){0, 0, 0.0};
        versions[v].launch(m, n, &c);
        CUDA_CHECK_LAUNCH();
      }
      printf(o->csv ? "%s,%zu,%d,%zu,%d,%.3f,%.3f\n"
                    : "%-6s %8zu %4d %12zu %4d %10.1f %9.1f\n",
             versions[v].name, n, c.steps, c.processors, t.repetitions,
             t.median_us, t.spread_us);
      release(m);
    }
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "the largest number, by the theory",
                            "steps,time", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (check(&o) > 0)
    return EXIT_FAILURE;
  fprintf(options_remarks(&o), "every version found the largest "
          "(--seed %llu)\n", (unsigned long long)o.seed);
  if (o.csv && strcmp(o.csv, "steps") == 0)
    print_steps();
  else if (!o.check && timing_is_possible())
    measure(&o);
  return EXIT_SUCCESS;
}
