/* Three ways to time one kernel, and the answers that they give. */
#include "measuring/saxpy.h"

__global__ void nothing(void)
{
}

/* ---- three ways; each returns microseconds ---- */

typedef void action(const vectors *v);

// begin host_alone
static double host_alone(action *run, const vectors *v)
{
  double start = timing_host_us();
  run(v);
  double stop = timing_host_us();
  CUDA_CHECK(cudaDeviceSynchronize());  /* for the next one; not timed */
  return stop - start;
}
// end host_alone

// begin host_waits
static double host_waits(action *run, const vectors *v)
{
  double start = timing_host_us();
  run(v);
  CUDA_CHECK(cudaDeviceSynchronize());
  double stop = timing_host_us();
  return stop - start;
}
// end host_waits

// begin events
static double events(action *run, const vectors *v)
{
  static cudaEvent_t start, stop;
  float ms;
  if (!start) {
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
  }
  CUDA_CHECK(cudaEventRecord(start));
  run(v);
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaEventSynchronize(stop));
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  return 1000.0 * ms;
}
// end events

typedef struct {
  const char *name;
  const char *idea;
  double (*time)(action *, const vectors *);
} version;

static const version versions[] = {
  {"host_alone", "the host's clock around the launch", host_alone},
  {"host_waits", "the host's clock around launch and wait", host_waits},
  {"events", "events of the GPU around the kernel", events},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- check: each way runs the kernel, and runs it once ---- */

static void run_version(const vectors *v, void *data)
{
  ((const version *)data)->time(saxpy_launch, v);
}

static int check(const options *o)
{
  static const size_t sizes[] = {1, 255, 256, 257, 1000, 65537};
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    for (int s = 0; options_wants(o, versions[k].name) && s < 6; s++)
      right &= saxpy_check(versions[k].name, &random, sizes[s], run_version,
                           (void *)&versions[k]);
  fprintf(options_remarks(o), "check: seed %llu: %s\n",
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

/* ---- measure ---- */

/* Median and spread, after as much warm-up as timing.h has. */
static timing measure_way(const version *way, action *run, const vectors *v,
                          int repetitions)
{
  timing t;
  double samples[1000];
  memset(&t, 0, sizeof t);
  t.repetitions = repetitions;
  for (int i = -TIMING_WARM_UP; i < repetitions; i++) {
    double us = way->time(run, v);
    if (i >= 0)
      samples[i] = us;
  }
  timing_summarise(&t, samples, repetitions);
  return t;
}

static void measure_ways(const options *o)
{
  size_t most = memory_length(o, (size_t)1 << 28, 2 * sizeof(float));
  random_source random = random_from_seed(1);
  printf("version,n_elems,repetitions,time_us,spread_us,gb_per_s,"
         "gflop_per_s\n");
  for (size_t n = 1024; n <= most; n *= 4) {
    vectors v = vectors_new(&random, n);
    for (int k = 0; k < N_VERSIONS; k++) {
      timing t = measure_way(&versions[k], saxpy_launch, &v, o->repetitions);
      printf("%s,%zu,%d,%.3f,%.3f,%.1f,%.1f\n", versions[k].name, n,
             o->repetitions, t.median_us, t.spread_us,
             timing_gb_per_s(saxpy_bytes(n), t.median_us),
             timing_gb_per_s(saxpy_flop(n), t.median_us));
    }
    vectors_free(&v);
  }
}

/* What the ways say about next to nothing. */
static void no_launch(const vectors *v)
{
  (void)v;
}

static void launch_nothing(const vectors *v)
{
  (void)v;
  nothing<<<1, 32>>>();
  CUDA_CHECK_LAUNCH();
}

/* The smallest difference between two different samples: the clock's step,
 * if there are enough of them. */
static double smallest_step(double *samples, int n)
{
  double step = 0.0;
  qsort(samples, (size_t)n, sizeof *samples, timing_by_size);
  for (int i = 1; i < n; i++) {
    double d = samples[i] - samples[i - 1];
    if (d > 1e-4 && (step == 0.0 || d < step))
      step = d;
  }
  return step;
}

static void measure_least(const options *o)
{
  static const struct { const char *name; action *run; } least[] = {
    {"no_kernel", no_launch}, {"empty_kernel", launch_nothing},
  };
  static double samples[1000];
  (void)o;
  printf("version,work,repetitions,time_us,spread_us,step_us\n");
  for (int k = 0; k < N_VERSIONS; k++)
    for (int w = 0; w < 2; w++) {
      timing t;
      for (int i = 0; i < 1000; i++)
        samples[i] = versions[k].time(least[w].run, NULL);
      timing_summarise(&t, samples, 1000);
      printf("%s,%s,1000,%.3f,%.3f,%.4f\n", versions[k].name, least[w].name,
             t.median_us, t.spread_us, smallest_step(samples, 1000));
    }
}

// begin queue
/* Launches without ever waiting. When does each call come back? */
static void fill_queue(const vectors *v, double *returned_us, int n_launches)
{
  double start = timing_host_us();
  for (int i = 0; i < n_launches; i++) {
    saxpy_launch(v);
    returned_us[i] = timing_host_us() - start;
  }
}
// end queue

enum { QUEUED = 3072, GROUP = 48 };

static void measure_queue(const options *o)
{
  static double returned_us[QUEUED], each_us[GROUP];
  random_source random = random_from_seed(1);
  size_t n = memory_length(o, (size_t)1 << 24, 2 * sizeof(float));
  vectors v = vectors_new(&random, n);
  timing t;
  for (int i = 0; i < 10; i++)
    saxpy_launch(&v);
  CUDA_CHECK(cudaDeviceSynchronize());
  double start = timing_host_us();
  fill_queue(&v, returned_us, QUEUED);
  CUDA_CHECK(cudaDeviceSynchronize());
  double finished = timing_host_us() - start;
  printf("launch,n_elems,returned_us,call_us,finished_us\n");
  for (int i = 0; i + GROUP <= QUEUED; i += GROUP) {
    for (int k = 0; k < GROUP; k++)
      each_us[k] = returned_us[i + k] -
                   (i + k > 0 ? returned_us[i + k - 1] : 0.0);
    timing_summarise(&t, each_us, GROUP);
    printf("%d,%zu,%.1f,%.3f,%.1f\n", i + GROUP, n,
           returned_us[i + GROUP - 1], t.median_us, finished);
  }
  vectors_free(&v);
}

// begin harness
/* The harness of this book, around the same kernel. */
static timing time_saxpy(const vectors *v, int repetitions)
{
  timing t = timing_start(repetitions);
  while (timing_next(&t))
    saxpy_launch(v);
  return t;
}
// end harness

static void measure_saxpy(const options *o)
{
  random_source random = random_from_seed(1);
  size_t n = memory_length(o, (size_t)1 << 26, 2 * sizeof(float));
  vectors v = vectors_new(&random, n);
  timing t = time_saxpy(&v, o->repetitions);
  printf("version,n_elems,repetitions,time_us,spread_us,gb_per_s,"
         "gflop_per_s\nsaxpy,%zu,%d,%.3f,%.3f,%.1f,%.1f\n", n,
         o->repetitions, t.median_us, t.spread_us,
         timing_gb_per_s(saxpy_bytes(n), t.median_us),
         timing_gb_per_s(saxpy_flop(n), t.median_us));
  vectors_free(&v);
}

static void measure_table(const options *o)
{
  random_source random = random_from_seed(1);
  size_t n = memory_length(o, (size_t)1 << 24, 2 * sizeof(float));
  vectors v = vectors_new(&random, n);
  timing_print_head();
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(o, versions[k].name))
      timing_print_row(versions[k].name,
                       measure_way(&versions[k], saxpy_launch, &v,
                                   o->repetitions), saxpy_bytes(n));
  vectors_free(&v);
}

static void measure(const options *o)
{
  if (!o->csv)
    measure_table(o);
  else if (strcmp(o->csv, "ways") == 0)
    measure_ways(o);
  else if (strcmp(o->csv, "least") == 0)
    measure_least(o);
  else if (strcmp(o->csv, "saxpy") == 0)
    measure_saxpy(o);
  else
    measure_queue(o);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "times one kernel in three ways",
                            "ways,least,queue,saxpy", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count) {        /* one launch, for the counters */
    random_source random = random_from_seed(1);
    vectors v = vectors_new(&random, o.n_sizes > 0 ? o.size[0] : 1 << 16);
    printf("version,n_elems\nsaxpy,%zu\n", v.n);
    saxpy_launch(&v);
    CUDA_CHECK(cudaDeviceSynchronize());
    vectors_free(&v);
    return EXIT_SUCCESS;
  }
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (!o.check && timing_is_possible())
    measure(&o);
  return EXIT_SUCCESS;
}
