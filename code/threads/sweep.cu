/* One simple kernel, y = factor · x + y, under every block size, and with
 * ever larger grids whose threads take several elements each.
 *
 *   nvcc -I code code/threads/sweep.cu -o sweep && ./sweep */
#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/fill.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"

enum { GRID_BLOCK_THREADS = 256 };

// begin one_each
__global__ void one_each(float *y, const float *x, float factor, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = factor * x[i] + y[i];
}
// end one_each

// begin grid_stride
__global__ void grid_stride(float *y, const float *x, float factor, size_t n)
{
  size_t step = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += step)
    y[i] = factor * x[i] + y[i];
}
// end grid_stride

// begin pieces
__global__ void pieces(float *y, const float *x, float factor, size_t n)
{
  size_t n_threads = (size_t)gridDim.x * blockDim.x;
  size_t piece = (n + n_threads - 1) / n_threads;
  size_t first = piece * ((size_t)blockIdx.x * blockDim.x + threadIdx.x);
  for (size_t i = first; i < first + piece && i < n; i++)
    y[i] = factor * x[i] + y[i];
}
// end pieces

typedef void kernel_function(float *y, const float *x, float factor,
                             size_t n);

typedef struct {
  const char *name;
  const char *idea;
  kernel_function *kernel;
  int loops;     /* any grid will do */
} version;

static const version versions[] = {
  {"one_each", "a thread for each element", one_each, 0},
  {"grid_stride", "steps of a whole grid", grid_stride, 1},
  {"pieces", "a piece of the array for each thread", pieces, 1},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static const int block_sizes[] = {
  1, 2, 4, 8, 16, 28, 32, 48, 64, 96, 100, 128, 160, 192, 256, 320, 384,
  512, 640, 768, 896, 1000, 1024,
};
enum { N_BLOCK_SIZES = sizeof block_sizes / sizeof block_sizes[0] };

static size_t blocks_for(size_t n, int block_threads)
{
  return (n + block_threads - 1) / block_threads;
}

static int multiprocessors_here(void)
{
  return device_properties()->multiProcessorCount;
}

/* ---- checking ---- */

static int check_launch(const version *v, random_source *source, size_t n,
                        size_t n_blocks, int block_threads)
{
  size_t n_bytes = n * sizeof(float);
  float *h_x = (float *)malloc(n_bytes), *h_y = (float *)malloc(n_bytes);
  char *h_out = (char *)malloc(n_bytes + GUARD_BYTES);
  float *d_x, *d_y;
  char what[96];
  snprintf(what, sizeof what, "%s, %zu elements, %zu blocks of %d", v->name,
           n, n_blocks, block_threads);
  random_fill_floats(source, h_x, n);
  random_fill_floats(source, h_y, n);
  CUDA_CHECK(cudaMalloc(&d_x, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_y, n_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMemcpy(d_x, h_x, n_bytes, cudaMemcpyHostToDevice));
  poison_device(d_y, n_bytes + GUARD_BYTES);
  CUDA_CHECK(cudaMemcpy(d_y, h_y, n_bytes, cudaMemcpyHostToDevice));
  v->kernel<<<(unsigned)n_blocks, block_threads>>>(d_y, d_x, 2.0f, n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_out, d_y, n_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < n; i++)   /* 2 x is exact: fused or not is all one */
    h_y[i] = 2.0f * h_x[i] + h_y[i];
  int good = compare_floats(what, h_y, (float *)h_out, n) &&
             compare_guard(what, h_out + n_bytes, GUARD_BYTES);
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_y));
  free(h_x);
  free(h_y);
  free(h_out);
  return good;
}

static int check_versions(const options *o)
{
  static const size_t sizes[] = {1, 27, 1000, 1024, 20011};
  random_source source = random_from_seed(o->seed);
  int n_bad = 0;
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    for (size_t s = 0; s < 5 && options_wants(o, v->name); s++)
      for (int b = 0; b < N_BLOCK_SIZES; b += 3) {
        size_t n = sizes[s], whole = blocks_for(n, block_sizes[b]);
        n_bad += !check_launch(v, &source, n, whole, block_sizes[b]);
        if (v->loops) {
          n_bad += !check_launch(v, &source, n, 1, block_sizes[b]);
          n_bad += !check_launch(v, &source, n, 7, block_sizes[b]);
        }
      }
  }
  if (n_bad == 0)
    fprintf(options_remarks(o), "every launch agrees with the reference "
            "(--seed %llu)\n", (unsigned long long)o->seed);
  return n_bad;
}

/* ---- measuring ---- */

static void allocate_pair(float **d_x, float **d_y, size_t n)
{
  random_source source = random_from_seed(n);
  CUDA_CHECK(cudaMalloc(d_x, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(d_y, n * sizeof(float)));
  fill_device_floats(&source, *d_x, n);
  fill_device_floats(&source, *d_y, n);
}

static timing time_launch(kernel_function *kernel, float *d_y,
                          const float *d_x, size_t n, size_t n_blocks,
                          int block_threads, int repetitions)
{
  timing t = timing_start(repetitions);
  while (timing_next(&t)) {
    kernel<<<(unsigned)n_blocks, block_threads>>>(d_y, d_x, 0.5f, n);
    CUDA_CHECK_LAUNCH();
  }
  return t;
}

static int resident_blocks(kernel_function *kernel, int block_threads)
{
  int n_blocks;
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &n_blocks, kernel, block_threads, 0));
  return n_blocks;
}

/* The same work under every block size. */
static void measure_block_sizes(const options *o, float *d_y,
                                const float *d_x, size_t n)
{
  printf("version,n_elems,block_threads,n_blocks,resident_threads,time_us,"
         "time_spread_us,gb_per_s\n");
  for (int b = 0; b < N_BLOCK_SIZES; b++) {
    int threads = block_sizes[b];
    size_t n_blocks = blocks_for(n, threads);
    timing t = time_launch(one_each, d_y, d_x, n, n_blocks, threads,
                           o->repetitions);
    printf("one_each,%zu,%d,%zu,%d,%.3f,%.3f,%.2f\n", n, threads, n_blocks,
           resident_blocks(one_each, threads) * threads, t.median_us,
           t.spread_us, timing_gb_per_s(12.0 * (double)n, t.median_us));
    fflush(stdout);
  }
}

/* Ever larger grids: 8, 16, 32 … blocks, the number that fits at once, and
 * multiples of it, up to a thread for each element. */
static void measure_grids(const options *o, float *d_y, const float *d_x,
                          size_t n)
{
  size_t whole = blocks_for(n, GRID_BLOCK_THREADS);
  size_t at_once = (size_t)multiprocessors_here() *
                   resident_blocks(grid_stride, GRID_BLOCK_THREADS);
  printf("version,n_elems,n_blocks,n_threads,blocks_at_once,time_us,"
         "time_spread_us,gb_per_s\n");
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    size_t n_blocks = v->loops && whole > 8 ? 8 : whole;
    if (!options_wants(o, v->name))
      continue;
    while (n_blocks <= whole) {
      timing t = time_launch(v->kernel, d_y, d_x, n, n_blocks,
                             GRID_BLOCK_THREADS, o->repetitions);
      printf("%s,%zu,%zu,%zu,%zu,%.3f,%.3f,%.2f\n", v->name, n, n_blocks,
             n_blocks * GRID_BLOCK_THREADS, at_once, t.median_us,
             t.spread_us, timing_gb_per_s(12.0 * (double)n, t.median_us));
      fflush(stdout);
      if (n_blocks == whole)
        break;
      if (n_blocks < at_once)
        n_blocks = 2 * n_blocks < at_once ? 2 * n_blocks : at_once;
      else
        n_blocks = 2 * n_blocks < whole ? 2 * n_blocks : whole;
    }
  }
}

/* Each block size once, then the loops with a few blocks. */
static void count(const options *o)
{
  static const int counted[] = {28, 32, 48, 64, 100, 256, 1000, 1024};
  size_t n = memory_length(o, 100000, 2 * sizeof(float));
  float *d_x, *d_y;
  allocate_pair(&d_x, &d_y, n);
  printf("version,n_elems,block_threads,n_blocks\n");
  for (int i = 0; i < 8 && options_wants(o, "one_each"); i++) {
    size_t n_blocks = blocks_for(n, counted[i]);
    one_each<<<(unsigned)n_blocks, counted[i]>>>(d_y, d_x, 0.5f, n);
    CUDA_CHECK_LAUNCH();
    printf("one_each,%zu,%d,%zu\n", n, counted[i], n_blocks);
  }
  for (int i = 1; i < N_VERSIONS; i++)
    if (options_wants(o, versions[i].name)) {
      versions[i].kernel<<<25, GRID_BLOCK_THREADS>>>(d_y, d_x, 0.5f, n);
      CUDA_CHECK_LAUNCH();
      printf("%s,%zu,%d,25\n", versions[i].name, n, GRID_BLOCK_THREADS);
    }
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_y));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "one kernel, many grids",
                            "block_sizes,grids", "launches");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count) {
    count(&o);
    return EXIT_SUCCESS;
  }
  if (check_versions(&o) > 0)
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  size_t n = memory_length(&o, (size_t)1 << 27, 2 * sizeof(float));
  float *d_x, *d_y;
  allocate_pair(&d_x, &d_y, n);
  if (!o.csv || strcmp(o.csv, "block_sizes") == 0)
    measure_block_sizes(&o, d_y, d_x, n);
  if (!o.csv || strcmp(o.csv, "grids") == 0)
    measure_grids(&o, d_y, d_x, n);
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_y));
  return EXIT_SUCCESS;
}
