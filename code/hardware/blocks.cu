/* Which multiprocessor runs which block, and when? Every block writes down
 * where it is and how late it is; shared memory sees to it that only one
 * fits on a multiprocessor at a time.
 *
 *   nvcc -I code code/hardware/blocks.cu -o blocks && ./blocks
 */
#include <stdlib.h>

#include "common/cuda_check.h"
#include "common/device.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"
#include "hardware/clocks.h"

typedef struct {
  unsigned multiprocessor;
  unsigned long long began_ns, ended_ns;
} visit;

/* Each block stays for clocks[blockIdx.x] of its multiprocessor's clocks. */
__global__ void stay(visit *visits, const long long *clocks)
{
  visit v = {this_multiprocessor(), nanoseconds(), 0};
  long long began = clock64();
  while (clock64() - began < clocks[blockIdx.x])
    ;
  v.ended_ns = nanoseconds();
  visits[blockIdx.x] = v;
}

typedef struct {
  const char *name, *idea;
  int is_uneven;
} version;

static const version versions[] = {
  {"equal", "every block stays equally long", 0},
  {"uneven", "each block stays as long as a die says", 1},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* Blocks of one warp, each with more than half of the shared memory. */
static void run(const version *v, visit *h_visits, int n_blocks,
                long long unit, random_source *random)
{
  size_t bytes = (size_t)n_blocks * sizeof(long long);
  int shared = (int)device_properties()->sharedMemPerMultiprocessor / 2;
  long long *h_clocks = (long long *)malloc(bytes), *d_clocks;
  visit *d_visits;
  for (int i = 0; i < n_blocks; i++)
    h_clocks[i] = v->is_uneven ? unit * (1 + (long long)random_below(random, 6))
                               : unit;
  CUDA_CHECK(cudaMalloc(&d_clocks, bytes));
  CUDA_CHECK(cudaMalloc(&d_visits, (size_t)n_blocks * sizeof *d_visits));
  CUDA_CHECK(cudaMemcpy(d_clocks, h_clocks, bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(d_visits, 0xff, (size_t)n_blocks * sizeof *d_visits));
  CUDA_CHECK(cudaFuncSetAttribute(
      stay, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  for (int i = 0; i < 2; i++)     /* the second is not held up by loading */
    stay<<<n_blocks, 32, shared>>>(d_visits, d_clocks);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_visits, d_visits,
                        (size_t)n_blocks * sizeof *h_visits,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_clocks));
  CUDA_CHECK(cudaFree(d_visits));
  free(h_clocks);
}

/* ---- check ----------------------------------------------------------- */

static int complain(const version *v, int block, const char *what)
{
  fprintf(stderr, "%s: error: block %d: %s: wrong\n", v->name, block, what);
  return 1;
}

/* Two blocks on one multiprocessor at the same time? By the order of the
 * clock that all share; the software device's blocks share CPU cores. */
static int overlap(const visit *a, const visit *b)
{
  return a->multiprocessor == b->multiprocessor &&
         a->began_ns < b->ended_ns && b->began_ns < a->ended_ns;
}

static int check_visits(const version *v, const visit *visits, int n)
{
  int n_bad = 0, multiprocessors = device_properties()->multiProcessorCount;
  for (int i = 0; i < n && n_bad < 5; i++) {
    if (visits[i].multiprocessor >= (unsigned)multiprocessors)
      n_bad += complain(v, i, "ran on a multiprocessor that there is not");
    if (visits[i].ended_ns < visits[i].began_ns)
      n_bad += complain(v, i, "ended before it began");
    for (int k = 0; k < i && !device_is_software(); k++)
      if (overlap(&visits[i], &visits[k]))
        n_bad += complain(v, i, "was not alone");
  }
  return n_bad;
}

/* ---- measuring ------------------------------------------------------- */

static void print_visits(const options *o, const version *v,
                         const visit *visits, int n)
{
  unsigned long long first = visits[0].began_ns;
  for (int i = 1; i < n; i++)
    if (visits[i].began_ns < first)
      first = visits[i].began_ns;
  for (int i = 0; i < n; i++)
    printf(o->csv ? "%s,%d,%u,%.3f,%.3f\n"
                  : "%-8s %6d %6u %10.3f %10.3f\n",
           v->name, i, visits[i].multiprocessor,
           (double)(visits[i].began_ns - first) * 1e-3,
           (double)(visits[i].ended_ns - first) * 1e-3);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "blocks on multiprocessors",
                            "blocks", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  random_source random = random_from_seed(o.seed);
  int measures = !o.check && !device_is_software(), n_bad = 0;
  int n = 2 * device_properties()->multiProcessorCount + 20;
  visit *visits = (visit *)malloc((size_t)n * sizeof *visits);
  if (measures && o.csv)
    printf("version,block,multiprocessor,began_us,ended_us\n");
  for (int i = 0; i < N_VERSIONS; i++)
    if (options_wants(&o, versions[i].name)) {
      run(&versions[i], visits, n, measures ? 50000 : 500, &random);
      n_bad += check_visits(&versions[i], visits, n);
      if (measures)
        print_visits(&o, &versions[i], visits, n);
    }
  free(visits);
  if (n_bad > 0)
    return EXIT_FAILURE;
  fprintf(options_remarks(&o), "every block ran once, where it may "
          "(--seed %llu)\n", (unsigned long long)o.seed);
  if (!o.check)
    timing_is_possible();
  return EXIT_SUCCESS;
}
