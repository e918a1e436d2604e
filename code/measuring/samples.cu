/* One kernel, timed again and again under different conditions: what the
 * decisions of common/timing.h are good for. */
#include <unistd.h>

#include "measuring/saxpy.h"

/* ---- what may run before the timed kernel ---- */

typedef struct {
  float *d_buffer;      /* four times the L2 cache, and one more */
  size_t n;
} flusher;

// begin before
/* As timing_flush of timing.h, but it writes. */
__global__ void flush_by_writing(float *buffer, size_t n)
{
  size_t step = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += step)
    buffer[i] = 0.0f;
}

/* Keeps the GPU busy and touches no memory. */
__global__ void spin(long long n_cycles)
{
  long long start = clock64();
  while (clock64() - start < n_cycles)
    ;
}
// end before

static void read_flush(const flusher *f)
{
  timing_flush<<<1024, 256>>>(f->d_buffer, f->n, f->d_buffer + f->n);
}

static void write_flush(const flusher *f)
{
  flush_by_writing<<<1024, 256>>>(f->d_buffer, f->n);
}

static void no_flush(const flusher *f)
{
  (void)f;
  spin<<<1, 32>>>(200000);
}

static flusher flusher_new(void)
{
  flusher f;
  f.n = 4 * device_l2_bytes() / sizeof(float);
  if (device_is_software())
    f.n = 1 << 16;      /* it has no cache */
  CUDA_CHECK(cudaMalloc(&f.d_buffer, (f.n + 1) * sizeof(float)));
  CUDA_CHECK(cudaMemset(f.d_buffer, 0, (f.n + 1) * sizeof(float)));
  return f;
}

/* ---- conditions ---- */

typedef struct {
  const char *name;
  const char *idea;
  void (*before)(const flusher *);
  int wait;             /* does the host wait before it starts the clock? */
} version;

static const version versions[] = {
  {"harness", "cache emptied by reading; launches queue up", read_flush, 0},
  {"warm", "cache not emptied", no_flush, 0},
  {"written", "cache emptied by writing", write_flush, 0},
  {"waiting", "the host waits before it starts the clock", read_flush, 1},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

// begin sample
/* One time in microseconds under the conditions of c. */
static double sample_us(const version *c, const vectors *v, const flusher *f,
                        cudaEvent_t start, cudaEvent_t stop)
{
  float ms;
  c->before(f);
  CUDA_CHECK_LAUNCH();
  if (c->wait)
    CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaEventRecord(start));
  saxpy_launch(v);
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaEventSynchronize(stop));
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  return 1000.0 * ms;
}
// end sample

/* ---- check ---- */

typedef struct {
  const version *condition;
  flusher f;
  cudaEvent_t start, stop;
} setting;

static setting setting_new(void)
{
  setting s;
  memset(&s, 0, sizeof s);
  s.f = flusher_new();
  CUDA_CHECK(cudaEventCreate(&s.start));
  CUDA_CHECK(cudaEventCreate(&s.stop));
  return s;
}

static void setting_free(setting *s)
{
  CUDA_CHECK(cudaFree(s->f.d_buffer));
  CUDA_CHECK(cudaEventDestroy(s->start));
  CUDA_CHECK(cudaEventDestroy(s->stop));
}

static void run_setting(const vectors *v, void *data)
{
  setting *s = (setting *)data;
  sample_us(s->condition, v, &s->f, s->start, s->stop);
}

/* The flush by writing reaches all of its buffer. */
static int check_flush(const flusher *f)
{
  float *h = vectors_host(f->n), *zeros = vectors_host(f->n);
  poison_device(f->d_buffer, f->n * sizeof(float));
  write_flush(f);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h, f->d_buffer, f->n * sizeof(float),
                        cudaMemcpyDeviceToHost));
  memset(zeros, 0, f->n * sizeof(float));
  int right = compare_floats("flush by writing", zeros, h, f->n);
  free(h);
  free(zeros);
  return right;
}

static int check_spin(void)
{
  no_flush(NULL);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaDeviceSynchronize());
  return 1;
}

/* The clock of the GPU, and what time it is, around some arithmetic. */
typedef struct {
  long long cycles, ns;
  float value;
} clocked;

// begin busy
__global__ void busy(clocked *out, int rounds)
{
  unsigned long long start_ns, stop_ns;
  float x = threadIdx.x;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start_ns));
  long long start = clock64();
  for (int i = 0; i < rounds; i++)
    x = fmaf(x, 0.5f, 1.0f);
  long long stop = clock64();
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(stop_ns));
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    out->cycles = stop - start;
    out->ns = (long long)(stop_ns - start_ns);
  }
  if (x != 2.0f || blockIdx.x == 0)     /* always so in the end */
    out->value = x;
}
// end busy

static int check_busy(void)
{
  clocked *d_out, h_out;
  CUDA_CHECK(cudaMalloc(&d_out, sizeof *d_out));
  poison_device(d_out, sizeof *d_out);
  busy<<<2, 64>>>(d_out, 100);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(&h_out, d_out, sizeof h_out,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_out));
  const float two = 2.0f;
  return compare_floats("busy", &two, &h_out.value, 1) &&
         h_out.cycles > 0 && h_out.ns >= 0;
}

static int check(const options *o)
{
  static const size_t sizes[] = {1, 257, 65537};
  random_source random = random_from_seed(o->seed);
  setting s = setting_new();
  int right = check_flush(&s.f) & check_spin() & check_busy();
  for (int k = 0; k < N_VERSIONS; k++) {
    s.condition = &versions[k];
    for (int i = 0; options_wants(o, versions[k].name) && i < 3; i++)
      right &= saxpy_check(versions[k].name, &random, sizes[i], run_setting,
                           &s);
  }
  setting_free(&s);
  fprintf(options_remarks(o), "check: seed %llu: %s\n",
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

/* ---- measure ---- */

static const size_t few = (size_t)1 << 20;      /* 8 MiB: fits into L2 */

/* The first launches of a process. Nothing may be launched before. */
static void measure_first(const options *o)
{
  size_t n = memory_length(o, few, 2 * sizeof(float));
  random_source random = random_from_seed(1);
  vectors v = vectors_new(&random, n);
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  printf("launch,n_elems,host_us,time_us\n");
  for (int i = 1; i <= 12; i++) {
    float ms;
    CUDA_CHECK(cudaDeviceSynchronize());
    double begin = timing_host_us();
    CUDA_CHECK(cudaEventRecord(start));
    saxpy_launch(&v);
    CUDA_CHECK(cudaEventRecord(stop));
    CUDA_CHECK(cudaEventSynchronize(stop));
    double end = timing_host_us();
    CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
    printf("%d,%zu,%.1f,%.3f\n", i, n, end - begin, 1000.0 * ms);
  }
  vectors_free(&v);
}

static void take_samples(const version *c, const vectors *v, double *us,
                         int n)
{
  setting s = setting_new();
  for (int i = -TIMING_WARM_UP; i < n; i++) {
    double one = sample_us(c, v, &s.f, s.start, s.stop);
    if (i >= 0)
      us[i] = one;
  }
  setting_free(&s);
}

enum { N_SAMPLES = 100 };

static void measure_distribution(const options *o)
{
  double us[N_SAMPLES];
  random_source random = random_from_seed(1);
  vectors v = vectors_new(&random, memory_length(o, few, 2 * sizeof(float)));
  printf("version,n_elems,sample,time_us\n");
  for (int k = 0; k < N_VERSIONS; k++) {
    take_samples(&versions[k], &v, us, N_SAMPLES);
    for (int i = 0; i < N_SAMPLES; i++)
      printf("%s,%zu,%d,%.3f\n", versions[k].name, v.n, i + 1, us[i]);
  }
  vectors_free(&v);
}

static void print_conditions(const options *o, size_t n, int *headed)
{
  double us[1000];
  timing t;
  random_source random = random_from_seed(1);
  vectors v = vectors_new(&random, n);
  if (o->csv && !(*headed)++)
    printf("version,n_elems,repetitions,time_us,spread_us,min_us,"
           "gb_per_s\n");
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(o, versions[k].name)) {
      take_samples(&versions[k], &v, us, o->repetitions);
      timing_summarise(&t, us, o->repetitions);
      if (o->csv)
        printf("%s,%zu,%d,%.3f,%.3f,%.3f,%.1f\n", versions[k].name, n,
               o->repetitions, t.median_us, t.spread_us, t.min_us,
               timing_gb_per_s(saxpy_bytes(n), t.median_us));
      else
        timing_print_row(versions[k].name, t, saxpy_bytes(n));
    }
  vectors_free(&v);
}

static void measure_conditions(const options *o)
{
  size_t most = memory_length(o, (size_t)1 << 26, 2 * sizeof(float));
  int headed = 0;
  for (size_t n = 1 << 14; n <= most; n *= 8)
    print_conditions(o, n, &headed);
}

/* How far apart are the results of groups of k samples? Three results of
 * each group: the median, the mean, the smallest. */
enum { MANY = 2000 };

static double spread_of(double *values, int n)
{
  timing t;
  timing_summarise(&t, values, n);
  return t.spread_us;
}

static void print_groups(const double *us, int k)
{
  static double medians[MANY], means[MANY], least[MANY], group[MANY];
  int n_groups = MANY / k;
  for (int g = 0; g < n_groups; g++) {
    timing t;
    double sum = 0.0;
    for (int i = 0; i < k; i++)
      sum += group[i] = us[g * k + i];
    timing_summarise(&t, group, k);
    medians[g] = t.median_us;
    means[g] = sum / k;
    least[g] = t.min_us;
  }
  printf("median,%d,%d,%.4f\n", k, n_groups, spread_of(medians, n_groups));
  printf("mean,%d,%d,%.4f\n", k, n_groups, spread_of(means, n_groups));
  printf("least,%d,%d,%.4f\n", k, n_groups, spread_of(least, n_groups));
}

static void measure_groups(const options *o)
{
  static const int sizes[] = {1, 2, 5, 10, 20, 50, 100};
  static double us[MANY];
  random_source random = random_from_seed(1);
  vectors v = vectors_new(&random, memory_length(o, few, 2 * sizeof(float)));
  take_samples(&versions[0], &v, us, MANY);
  printf("summary,group_samples,n_groups,between_us\n");
  for (int s = 0; s < 7; s++)
    print_groups(us, sizes[s]);
  vectors_free(&v);
}

/* After two seconds of rest, launch after launch. */
enum { CLOCKED_LAUNCHES = 120, CLOCKED_ROUNDS = 1 << 18 };

static void measure_clocks(const options *o)
{
  clocked *d_out, h_out;
  unsigned n_blocks = 8 * device_properties()->multiProcessorCount;
  (void)o;
  CUDA_CHECK(cudaMalloc(&d_out, sizeof *d_out));
  busy<<<n_blocks, BLOCK_THREADS>>>(d_out, 1);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaDeviceSynchronize());
  sleep(2);
  double start = timing_host_us();
  printf("launch,at_ms,kernel_us,sm_mhz\n");
  for (int i = 1; i <= CLOCKED_LAUNCHES; i++) {
    double at_ms = 1e-3 * (timing_host_us() - start);
    busy<<<n_blocks, BLOCK_THREADS>>>(d_out, CLOCKED_ROUNDS);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy(&h_out, d_out, sizeof h_out,
                          cudaMemcpyDeviceToHost));
    if (h_out.ns > 0)
      printf("%d,%.2f,%.1f,%.0f\n", i, at_ms, 1e-3 * (double)h_out.ns,
             1e3 * (double)h_out.cycles / (double)h_out.ns);
  }
  CUDA_CHECK(cudaFree(d_out));
}

static void measure(const options *o)
{
  static const struct { const char *name; void (*run)(const options *); }
  experiments[] = {
    {"conditions", measure_conditions}, {"distribution", measure_distribution},
    {"groups", measure_groups}, {"clocks", measure_clocks},
    {"first", measure_first},
  };
  int headed = 0;
  if (!o->csv) {
    timing_print_head();
    print_conditions(o, memory_length(o, few, 2 * sizeof(float)), &headed);
    return;
  }
  for (int i = 0; i < 5; i++)
    if (strcmp(o->csv, experiments[i].name) == 0)
      experiments[i].run(o);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv,
      "times one kernel under different conditions",
      "conditions,distribution,groups,clocks,first", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count)
    options_fail(&o, "--count: this program has nothing to count");
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  /* The first launches must be the first ones; they are checked later. */
  if (o.csv && strcmp(o.csv, "first") == 0) {
    measure(&o);
    return check(&o) ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  if (!check(&o))
    return EXIT_FAILURE;
  if (!o.check && timing_is_possible())
    measure(&o);
  return EXIT_SUCCESS;
}
