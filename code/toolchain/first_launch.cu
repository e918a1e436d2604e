/* What does a program pay before its first kernel runs?  Each measurement gets
 * a process of its own, since all of this happens once in a process.  The
 * driver reads the variables of the environment when it starts.
 *
 * There are two builds of this file.  first_launch has machine code for the
 * GPU that it was built for; first_launch_ptx has PTX only. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/cuda_check.h"
#include "common/options.h"
#include "common/timing.h"

enum { N_ELEMS = 1 << 20, BLOCK_THREADS = 256, MAX_REPETITIONS = 1000 };

/* ---- kernel ---- */

__global__ void add_to(float *x, float value, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += value;
}

/* ---- ways to start ---- */

// begin ways_to_start
static char cache_folder[] = "/tmp/first_launch.XXXXXX";

/* What must be translated is translated, every time. */
static void without_cache(void)
{
  setenv("CUDA_CACHE_DISABLE", "1", 1);
}

/* A translation that an earlier process left behind is taken. */
static void with_cache(void)
{
  setenv("CUDA_CACHE_DISABLE", "0", 1);
  setenv("CUDA_CACHE_PATH", cache_folder, 1);
}
// end ways_to_start

typedef struct {
  const char *name;
  const char *idea;
  void (*prepare)(void);
} version;

static const version versions[] = {
  {"cache_off", "the driver keeps no translations", without_cache},
  {"cache_on", "the driver finds an earlier translation", with_cache},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* What one process measured, and whether the kernel did its work. */
typedef struct {
  double context_us, first_us, second_us;
  int right, timed;
} start_times;

// begin first_calls
static start_times first_calls(void)
{
  start_times t = {};
  float h_first, *d_x;
  unsigned n_blocks = (N_ELEMS + BLOCK_THREADS - 1) / BLOCK_THREADS;

  double begin = timing_host_us();
  CUDA_CHECK(cudaFree(NULL));             /* the first call; frees nothing */
  double context = timing_host_us();
  CUDA_CHECK(cudaMalloc(&d_x, N_ELEMS * sizeof(float)));
  CUDA_CHECK(cudaMemset(d_x, 0, N_ELEMS * sizeof(float)));
  CUDA_CHECK(cudaDeviceSynchronize());

  double before_first = timing_host_us();
  add_to<<<n_blocks, BLOCK_THREADS>>>(d_x, 1.5f, N_ELEMS);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaDeviceSynchronize());
  double before_second = timing_host_us();
  add_to<<<n_blocks, BLOCK_THREADS>>>(d_x, 2.0f, N_ELEMS);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaDeviceSynchronize());
  double end = timing_host_us();

  t.context_us = context - begin;
  t.first_us = before_second - before_first;
  t.second_us = end - before_second;
  CUDA_CHECK(cudaMemcpy(&h_first, d_x + N_ELEMS - 1, sizeof h_first,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_x));
  t.right = h_first == 3.5f;
  t.timed = !device_is_software();
  return t;
}
// end first_calls

/* first_calls() in a fresh process. */
static start_times start(const version *v)
{
  start_times t = {};
  int ends[2], status = 0;
  fflush(NULL);
  if (pipe(ends) != 0) {
    perror("error: pipe");
    exit(EXIT_FAILURE);
  }
  pid_t child = fork();
  if (child == 0) {
    v->prepare();
    t = first_calls();
    _exit(write(ends[1], &t, sizeof t) == sizeof t ? 0 : 1);
  }
  close(ends[1]);
  int complete = child > 0 && read(ends[0], &t, sizeof t) == sizeof t;
  close(ends[0]);
  if (child < 0 || waitpid(child, &status, 0) != child || !complete ||
      status != 0) {
    fprintf(stderr, "error: the process for '%s' failed\n", v->name);
    exit(EXIT_FAILURE);
  }
  if (!t.right)
    fprintf(stderr, "%s: error: the kernel's result is wrong\n", v->name);
  return t;
}

static void remove_cache(void)
{
  char command[sizeof cache_folder + 16];
  snprintf(command, sizeof command, "rm -rf %s", cache_folder);
  if (system(command) != 0)
    fprintf(stderr, "warning: %s stays\n", cache_folder);
}

/* ---- experiment `start` ---- */

static void measure(const options *o, const version *v)
{
  static double context_us[MAX_REPETITIONS], first_us[MAX_REPETITIONS],
                second_us[MAX_REPETITIONS];
  timing context = {}, first = {}, second = {};
  for (int i = 0; i < o->repetitions; i++) {
    start_times t = start(v);
    context_us[i] = t.context_us;
    first_us[i] = t.first_us;
    second_us[i] = t.second_us;
  }
  timing_summarise(&context, context_us, o->repetitions);
  timing_summarise(&first, first_us, o->repetitions);
  timing_summarise(&second, second_us, o->repetitions);
  printf(o->csv ? "%s,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f\n"
                : "%-14s %10.1f %8.1f %10.1f %8.1f %10.1f %8.1f\n",
         v->name, context.median_us, context.spread_us, first.median_us,
         first.spread_us, second.median_us, second.spread_us);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "times the start of a program",
                            "start", "");
  int right = 1, timed = 1;
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (!mkdtemp(cache_folder)) {
    perror("error: no folder for the driver's cache");
    return EXIT_FAILURE;
  }
  atexit(remove_cache);
  for (int k = 0; k < N_VERSIONS; k++)      /* and fills the cache */
    if (options_wants(&o, versions[k].name)) {
      start_times t = start(&versions[k]);
      right &= t.right;
      timed &= t.timed;
    }
  fprintf(options_remarks(&o), "check: %s\n", right ? "all right" : "WRONG");
  if (!right)
    return EXIT_FAILURE;
  if (!timed) {
    printf("No times: this is the software device.\n");
    return o.csv ? EXIT_SKIPPED : EXIT_SUCCESS;
  }
  if (o.check)
    return EXIT_SUCCESS;
  printf(o.csv ? "version,context_us,context_spread_us,first_us,"
                 "first_spread_us,second_us,second_spread_us\n"
               : "version        context us   spread   first us   spread"
                 "  second us   spread\n");
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(&o, versions[k].name))
      measure(&o, &versions[k]);
  return EXIT_SUCCESS;
}
