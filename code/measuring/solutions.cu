/* Solutions of the exercises: many launches between two events, and a sum
 * that is the same in any order. */
#include "measuring/saxpy.h"

/* ---- many launches between two events ---- */

// begin batch
/* Microseconds for each of n_launches launches, one after the other. */
static double batch_us(const vectors *v, int n_launches)
{
  cudaEvent_t start, stop;
  float ms;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  CUDA_CHECK(cudaEventRecord(start));
  for (int i = 0; i < n_launches; i++)
    saxpy_launch(v);
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaEventSynchronize(stop));
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  CUDA_CHECK(cudaEventDestroy(start));
  CUDA_CHECK(cudaEventDestroy(stop));
  return 1000.0 * ms / n_launches;
}
// end batch

static void run_batch_of_one(const vectors *v, void *data)
{
  (void)data;
  batch_us(v, 1);
}

static int check_batch(random_source *random, size_t n)
{
  return saxpy_check("batch", random, n, run_batch_of_one, NULL);
}

static void measure_batch(const options *o)
{
  static const int launches[] = {1, 2, 5, 10, 100, 1000};
  random_source random = random_from_seed(1);
  vectors v = vectors_new(&random, 1024);
  double us[1000];
  printf("version,n_elems,n_launches,repetitions,time_us,spread_us\n");
  for (int k = 0; k < 6; k++) {
    timing t;
    for (int i = -TIMING_WARM_UP; i < o->repetitions; i++) {
      double each = batch_us(&v, launches[k]);
      if (i >= 0)
        us[i] = each;
    }
    timing_summarise(&t, us, o->repetitions);
    printf("batch,%zu,%d,%d,%.3f,%.3f\n", v.n, launches[k], o->repetitions,
           t.median_us, t.spread_us);
  }
  vectors_free(&v);
}

/* ---- a sum without rounding ---- */

// begin fixed_point
/* The summands are whole multiples of 2^-23, below 1: whole numbers after
 * multiplication, and whole numbers add up to the same in any order. */
__global__ void fixed_point(unsigned long long *out, const float *x,
                            size_t n)
{
  __shared__ unsigned long long sum_of_block;
  size_t step = (size_t)gridDim.x * blockDim.x;
  unsigned long long sum = 0;
  if (threadIdx.x == 0)
    sum_of_block = 0;
  __syncthreads();
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += step)
    sum += (unsigned long long)(x[i] * 0x1p23f);
  atomicAdd(&sum_of_block, sum);
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd(out, sum_of_block);
}
// end fixed_point

enum { N_BLOCKS = 1024 };

typedef struct {
  float *h_x, *d_x;
  unsigned long long *d_sum, exact;
  size_t n;
} summands;

static summands summands_new(random_source *random, size_t n)
{
  summands s = {vectors_host(n), NULL, NULL, 0, n};
  for (size_t i = 0; i < n; i++) {
    s.h_x[i] = fabsf(random_float(random));
    if (s.h_x[i] >= 1.0f)
      s.h_x[i] = 0.0f;
    s.exact += (unsigned long long)(s.h_x[i] * 0x1p23f);
  }
  CUDA_CHECK(cudaMalloc(&s.d_x, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&s.d_sum, sizeof *s.d_sum));
  CUDA_CHECK(cudaMemcpy(s.d_x, s.h_x, n * sizeof(float),
                        cudaMemcpyHostToDevice));
  return s;
}

static void summands_free(summands *s)
{
  free(s->h_x);
  CUDA_CHECK(cudaFree(s->d_x));
  CUDA_CHECK(cudaFree(s->d_sum));
}

static void launch_fixed_point(const summands *s)
{
  CUDA_CHECK(cudaMemsetAsync(s->d_sum, 0, sizeof *s->d_sum));
  fixed_point<<<N_BLOCKS, BLOCK_THREADS>>>(s->d_sum, s->d_x, s->n);
  CUDA_CHECK_LAUNCH();
}

static int is_exact(const summands *s)
{
  unsigned long long sum;
  CUDA_CHECK(cudaMemcpy(&sum, s->d_sum, sizeof sum, cudaMemcpyDeviceToHost));
  return compare_bytes("fixed_point", &s->exact, &sum, sizeof sum);
}

static int check_fixed_point(random_source *random, size_t n)
{
  summands s = summands_new(random, n);
  launch_fixed_point(&s);
  int right = is_exact(&s);
  summands_free(&s);
  return right;
}

static void measure_fixed_point(const options *o)
{
  random_source random = random_from_seed(1);
  summands s = summands_new(&random, memory_length(o, (size_t)1 << 26,
                                                   sizeof(float)));
  int n_exact = 0;
  for (int i = 0; i < 100; i++) {
    launch_fixed_point(&s);
    n_exact += is_exact(&s);
  }
  timing t = timing_start(o->repetitions);
  while (timing_next(&t))
    launch_fixed_point(&s);
  printf("version,n_elems,repetitions,time_us,spread_us,gb_per_s,runs,"
         "exact_runs\n");
  printf("fixed_point,%zu,%d,%.3f,%.3f,%.1f,100,%d\n", s.n, o->repetitions,
         t.median_us, t.spread_us,
         timing_gb_per_s((double)s.n * sizeof(float), t.median_us), n_exact);
  summands_free(&s);
}

/* ---- the program ---- */

typedef struct {
  const char *name;
  const char *idea;
  int (*check)(random_source *, size_t);
  void (*measure)(const options *);
} version;

static const version versions[] = {
  {"batch", "many launches between two events", check_batch, measure_batch},
  {"fixed_point", "a sum of whole numbers", check_fixed_point,
   measure_fixed_point},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static int check(const options *o)
{
  static const size_t sizes[] = {1, 31, 257, 1000, 300001};
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    for (int s = 0; options_wants(o, versions[k].name) && s < 5; s++)
      right &= versions[k].check(&random, sizes[s]);
  fprintf(options_remarks(o), "check: seed %llu: %s\n",
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "solutions of the exercises",
                            "batch,fixed_point", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count)
    options_fail(&o, "--count: this program has nothing to count");
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (!o.check && timing_is_possible())
    for (int k = 0; k < N_VERSIONS; k++)
      if (o.csv ? strcmp(o.csv, versions[k].name) == 0
                : options_wants(&o, versions[k].name))
        versions[k].measure(&o);
  return EXIT_SUCCESS;
}
