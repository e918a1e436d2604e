/* Achieved against theoretical occupancy. One kernel, whose threads do
 * nothing but wait for loads, in five launches. What its resources allow is
 * the same in all of them: every warp that an SM can hold. How many there are
 * in the mean is another matter.
 *
 *   nvcc -I code code/occupancy/achieved.cu -o achieved && ./achieved
 *   ncu --metrics sm__warps_active.avg.pct_of_peak_sustained_active \
 *     ./achieved --count
 */
#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/fill.h"
#include "common/options.h"
#include "common/timing.h"
#include "occupancy/here.h"

enum { BLOCK_THREADS = 256, TABLE = 1 << 16, STRIDE = 4099, STEPS = 400 };

// begin walk_table
/* Each load needs the one before it, and __ldcg leaves L1 out: a warp waits
 * for L2 all the time. The lanes of a warp walk together. The first warp of a
 * block may have further to go. */
__global__ void walk_table(unsigned *out, const unsigned *next, int n_steps,
                           int n_first_warp_steps)
{
  unsigned i = blockIdx.x * BLOCK_THREADS + threadIdx.x;
  unsigned at = i / WARP_THREADS % TABLE;
  int steps = threadIdx.x < WARP_THREADS ? n_first_warp_steps : n_steps;
  for (int k = 0; k < steps; k++)
    at = __ldcg(&next[at]);
  out[i] = at;
}
// end walk_table

/* ---- versions -------------------------------------------------------- */

// begin launches
typedef struct {
  const char *name, *idea;
  int blocks_per_sm;            /* of 8 that can be active */
  int n_steps, n_first_warp_steps;
} version;

static const version versions[] = {
  {"full_waves", "four times as many blocks as fit", 32, STEPS, STEPS},
  {"half_wave", "half as many blocks as fit", 4, STEPS, STEPS},
  {"tail", "as many as fit, and one block per SM more", 9, STEPS, STEPS},
  {"long_warp", "one warp of each block takes eight times as long", 32,
   STEPS, 8 * STEPS},
  {"short_blocks", "blocks that end as soon as they have begun", 512, 0, 0},
};
// end launches
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* The software device, which is slow and has no waves, gets one SM's part. */
static unsigned n_blocks_of(const version *v)
{
  int n_sms = device_is_software() ? 1 : multiprocessors_here();
  return (unsigned)(v->blocks_per_sm * n_sms);
}

static void launch(const version *v, unsigned *d_out, const unsigned *d_next)
{
  walk_table<<<n_blocks_of(v), BLOCK_THREADS>>>(d_out, d_next, v->n_steps,
                                                v->n_first_warp_steps);
  CUDA_CHECK_LAUNCH();
}

/* ---- checking -------------------------------------------------------- */

/* Steps of STRIDE around the table: easy to say where a walk ends. */
static unsigned *new_table(void)
{
  static unsigned h_next[TABLE];
  unsigned *d_next;
  for (unsigned i = 0; i < TABLE; i++)
    h_next[i] = (i + STRIDE) % TABLE;
  CUDA_CHECK(cudaMalloc(&d_next, sizeof h_next));
  CUDA_CHECK(cudaMemcpy(d_next, h_next, sizeof h_next,
                        cudaMemcpyHostToDevice));
  return d_next;
}

static size_t most_threads(void)
{
  size_t most = 0;
  for (int v = 0; v < N_VERSIONS; v++)
    if (n_blocks_of(&versions[v]) > most)
      most = n_blocks_of(&versions[v]);
  return most * BLOCK_THREADS;
}

static int check_version(const version *v, unsigned *d_out,
                         const unsigned *d_next)
{
  size_t n = (size_t)n_blocks_of(v) * BLOCK_THREADS;
  unsigned *h_out = (unsigned *)malloc(n * sizeof *h_out);
  int n_bad = 0;
  poison_device(d_out, n * sizeof *d_out);
  launch(v, d_out, d_next);
  CUDA_CHECK(cudaMemcpy(h_out, d_out, n * sizeof *h_out,
                        cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < n; i++) {
    int is_first = i % BLOCK_THREADS < WARP_THREADS;
    size_t steps = (size_t)(is_first ? v->n_first_warp_steps : v->n_steps);
    n_bad += h_out[i] != (i / WARP_THREADS + STRIDE * steps) % TABLE;
  }
  if (n_bad > 0)
    fprintf(stderr, "%s: error: %d of %zu walks are wrong\n", v->name, n_bad,
            n);
  free(h_out);
  return n_bad == 0;
}

/* ---- measuring and counting ------------------------------------------ */

static double theoretical(void)
{
  int blocks = active_blocks_here((const void *)walk_table, BLOCK_THREADS, 0);
  return (double)blocks * BLOCK_THREADS / limits_here()->threads;
}

static void count(const options *o, unsigned *d_out, const unsigned *d_next)
{
  printf("version,n_blocks,block_threads,theoretical,most_warps\n");
  for (int v = 0; v < N_VERSIONS; v++) {
    if (!options_wants(o, versions[v].name))
      continue;
    printf("%s,%u,%d,%.4f,%d\n", versions[v].name, n_blocks_of(&versions[v]),
           BLOCK_THREADS, theoretical(),
           limits_here()->threads / WARP_THREADS);
    launch(&versions[v], d_out, d_next);
  }
  CUDA_CHECK(cudaDeviceSynchronize());
}

static void measure(const options *o, unsigned *d_out, const unsigned *d_next)
{
  printf("version,n_blocks,block_threads,repetitions,time_us,"
         "time_spread_us\n");
  for (int v = 0; v < N_VERSIONS; v++) {
    if (!options_wants(o, versions[v].name))
      continue;
    timing t = timing_start(o->repetitions);
    while (timing_next(&t))
      launch(&versions[v], d_out, d_next);
    printf("%s,%u,%d,%d,%.3f,%.3f\n", versions[v].name,
           n_blocks_of(&versions[v]), BLOCK_THREADS, t.repetitions,
           t.median_us, t.spread_us);
  }
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "achieved against theoretical "
                            "occupancy", "achieved", "achieved");
  int n_bad = 0;
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  unsigned *d_next = new_table(), *d_out;
  CUDA_CHECK(cudaMalloc(&d_out, most_threads() * sizeof *d_out));
  for (int v = 0; !o.count && v < N_VERSIONS; v++)
    if (options_wants(&o, versions[v].name))
      n_bad += !check_version(&versions[v], d_out, d_next);
  if (o.count)
    count(&o, d_out, d_next);
  else if (n_bad == 0 && !o.csv)
    printf("every walk arrived where it should\n");
  if (n_bad == 0 && !o.count && !o.check && timing_is_possible())
    measure(&o, d_out, d_next);
  CUDA_CHECK(cudaFree(d_out));
  CUDA_CHECK(cudaFree(d_next));
  return n_bad == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
