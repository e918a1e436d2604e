/* Solutions of exercises about matrix products: a sum that is cut into parts,
 * a matrix that lies transposed, and the whole operation that BLAS defines.
 *
 *   nvcc -I code code/matmul/solutions.cu -o solutions && ./solutions
 */
#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/fill.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"

enum { TILE = 32 };

typedef struct {
  size_t n_rows, n_cols, n_inner;
} shape;

__device__ float element_or_zero(const float *x, size_t row, size_t col,
                                 size_t n_rows, size_t n_cols)
{
  return row < n_rows && col < n_cols ? x[row * n_cols + col] : 0.0f;
}

/* ---- kernels --------------------------------------------------------- */

__global__ void matmul_whole(float *c, const float *a, const float *b,
                             shape s)
{
  __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
  unsigned x = threadIdx.x, y = threadIdx.y;
  size_t col = (size_t)blockIdx.x * TILE + x;
  size_t row = (size_t)blockIdx.y * TILE + y;
  float sum = 0.0f;
  for (size_t first = 0; first < s.n_inner; first += TILE) {
    tile_a[y][x] = element_or_zero(a, row, first + x, s.n_rows, s.n_inner);
    tile_b[y][x] = element_or_zero(b, first + y, col, s.n_inner, s.n_cols);
    __syncthreads();
    for (int k = 0; k < TILE; k++)
      sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();
  }
  if (row < s.n_rows && col < s.n_cols)
    c[row * s.n_cols + col] = sum;
}

// begin parts
/* Blocks with the same x and y share a tile of c; each takes a part of the
 * sums. c is zero before. */
__global__ void matmul_parts(float *c, const float *a, const float *b,
                             shape s, size_t part)
{
  __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
  unsigned x = threadIdx.x, y = threadIdx.y;
  size_t col = (size_t)blockIdx.x * TILE + x;
  size_t row = (size_t)blockIdx.y * TILE + y;
  size_t end = min((blockIdx.z + 1) * part, s.n_inner);
  float sum = 0.0f;
  for (size_t first = blockIdx.z * part; first < end; first += TILE) {
    tile_a[y][x] = element_or_zero(a, row, first + x, s.n_rows, s.n_inner);
    tile_b[y][x] = element_or_zero(b, first + y, col, s.n_inner, s.n_cols);
    __syncthreads();
    for (int k = 0; k < TILE; k++)
      sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();
  }
  if (row < s.n_rows && col < s.n_cols)
    atomicAdd(&c[row * s.n_cols + col], sum);
}
// end parts

// begin transposed
/* b lies transposed: bt[col][k]. The tile is loaded along its rows and read
 * down a column, which the padding spreads over all banks. */
__global__ void matmul_transposed(float *c, const float *a, const float *bt,
                                  shape s)
{
  __shared__ float tile_a[TILE][TILE], tile_bt[TILE][TILE + 1];
  unsigned x = threadIdx.x, y = threadIdx.y;
  size_t first_col = (size_t)blockIdx.x * TILE;
  size_t row = (size_t)blockIdx.y * TILE + y;
  float sum = 0.0f;
  for (size_t first = 0; first < s.n_inner; first += TILE) {
    tile_a[y][x] = element_or_zero(a, row, first + x, s.n_rows, s.n_inner);
    tile_bt[y][x] = element_or_zero(bt, first_col + y, first + x, s.n_cols,
                                    s.n_inner);
    __syncthreads();
    for (int k = 0; k < TILE; k++)
      sum += tile_a[y][k] * tile_bt[x][k];
    __syncthreads();
  }
  if (row < s.n_rows && first_col + x < s.n_cols)
    c[row * s.n_cols + first_col + x] = sum;
}
// end transposed

// begin scaled
/* c = alpha * a * b + beta * c. With beta 0, c is not read: it may
 * contain NaN. */
__global__ void matmul_scaled(float *c, const float *a, const float *b,
                              shape s, float alpha, float beta)
{
  __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
  unsigned x = threadIdx.x, y = threadIdx.y;
  size_t col = (size_t)blockIdx.x * TILE + x;
  size_t row = (size_t)blockIdx.y * TILE + y;
  float sum = 0.0f;
  for (size_t first = 0; first < s.n_inner; first += TILE) {
    tile_a[y][x] = element_or_zero(a, row, first + x, s.n_rows, s.n_inner);
    tile_b[y][x] = element_or_zero(b, first + y, col, s.n_inner, s.n_cols);
    __syncthreads();
    for (int k = 0; k < TILE; k++)
      sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();
  }
  if (row < s.n_rows && col < s.n_cols) {
    float *to = &c[row * s.n_cols + col];
    *to = beta == 0.0f ? alpha * sum : alpha * sum + beta * *to;
  }
}
// end scaled

/* ---- launchers ------------------------------------------------------- */

static dim3 tiles_of(shape s, unsigned n_parts)
{
  return dim3((unsigned)((s.n_cols + TILE - 1) / TILE),
              (unsigned)((s.n_rows + TILE - 1) / TILE), n_parts);
}

static void launch_whole(float *d_c, const float *d_a, const float *d_b,
                         shape s)
{
  matmul_whole<<<tiles_of(s, 1), dim3(TILE, TILE)>>>(d_c, d_a, d_b, s);
}

/* As many parts as give each multiprocessor two blocks of 1024 threads. */
// begin launch_parts
static void launch_parts(float *d_c, const float *d_a, const float *d_b,
                         shape s)
{
  dim3 tiles = tiles_of(s, 1);
  size_t room = 2 * (size_t)device_properties()->multiProcessorCount;
  size_t n_parts = room / ((size_t)tiles.x * tiles.y);
  size_t most = (s.n_inner + TILE - 1) / TILE;
  n_parts = n_parts > most ? most : n_parts;
  n_parts = n_parts < 1 ? 1 : n_parts;
  size_t part = (s.n_inner + n_parts - 1) / n_parts;
  part = (part + TILE - 1) / TILE * TILE;        /* whole tiles */
  CUDA_CHECK(cudaMemsetAsync(d_c, 0, s.n_rows * s.n_cols * sizeof(float)));
  matmul_parts<<<tiles_of(s, (unsigned)n_parts), dim3(TILE, TILE)>>>(
      d_c, d_a, d_b, s, part);
}
// end launch_parts

static void launch_transposed(float *d_c, const float *d_a,
                              const float *d_b, shape s)
{
  matmul_transposed<<<tiles_of(s, 1), dim3(TILE, TILE)>>>(d_c, d_a, d_b, s);
}

static void launch_scaled(float *d_c, const float *d_a, const float *d_b,
                          shape s)
{
  /* Twice: the second launch adds to what the first has left. */
  matmul_scaled<<<tiles_of(s, 1), dim3(TILE, TILE)>>>(d_c, d_a, d_b, s,
                                                      2.0f, 0.0f);
  matmul_scaled<<<tiles_of(s, 1), dim3(TILE, TILE)>>>(d_c, d_a, d_b, s,
                                                      3.0f, -1.0f);
}

/* ---- versions -------------------------------------------------------- */

typedef struct {
  const char *name;
  const char *idea;
  void (*launch)(float *d_c, const float *d_a, const float *d_b, shape s);
  int b_is_transposed;
  int n_launches;
} version;

static const version versions[] = {
  {"whole", "the tiled kernel", launch_whole, 0, 1},
  {"parts", "several blocks for a tile of c", launch_parts, 0, 1},
  {"transposed", "b lies transposed", launch_transposed, 1, 1},
  {"scaled", "alpha and beta", launch_scaled, 0, 2},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- checking -------------------------------------------------------- */

static int check_version(const version *v, shape s, random_source *source)
{
  size_t n_a = s.n_rows * s.n_inner, n_b = s.n_inner * s.n_cols;
  size_t n_c = s.n_rows * s.n_cols, c_bytes = n_c * sizeof(float);
  float *h_a = (float *)malloc(n_a * sizeof(float));
  float *h_b = (float *)malloc(n_b * sizeof(float));
  float *h_expected = (float *)malloc(c_bytes);
  char *h_c = (char *)malloc(c_bytes + GUARD_BYTES);
  for (size_t i = 0; i < n_a; i++)
    h_a[i] = (float)random_below(source, 17) - 8.0f;
  for (size_t i = 0; i < n_b; i++)
    h_b[i] = (float)random_below(source, 17) - 8.0f;
  for (size_t i = 0; i < n_c; i++) {
    size_t row = i / s.n_cols, col = i % s.n_cols;
    h_expected[i] = 0.0f;
    for (size_t k = 0; k < s.n_inner; k++)
      h_expected[i] += h_a[row * s.n_inner + k] *
                       (v->b_is_transposed ? h_b[col * s.n_inner + k]
                                           : h_b[k * s.n_cols + col]);
  }
  float *d_a, *d_b, *d_c;
  CUDA_CHECK(cudaMalloc(&d_a, n_a * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_b, n_b * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_c, c_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMemcpy(d_a, h_a, n_a * sizeof(float),
                        cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_b, h_b, n_b * sizeof(float),
                        cudaMemcpyHostToDevice));
  poison_device(d_c, c_bytes + GUARD_BYTES);
  v->launch(d_c, d_a, d_b, s);   /* "scaled": 3 ab - 2 ab is ab */
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_c, d_c, c_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  char what[80];
  snprintf(what, sizeof what, "%s, %zu x %zu x %zu", v->name, s.n_rows,
           s.n_cols, s.n_inner);
  int good = compare_floats(what, h_expected, (float *)h_c, n_c) &&
             compare_guard(what, h_c + c_bytes, GUARD_BYTES);
  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_c));
  free(h_a);
  free(h_b);
  free(h_expected);
  free(h_c);
  return good;
}

static int check_versions(const options *o)
{
  static const shape shapes[] = {{1, 1, 1}, {31, 33, 65}, {32, 32, 512},
                                 {64, 96, 32}, {70, 40, 1000}};
  random_source source = random_from_seed(o->seed);
  int n_bad = 0;
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
    for (int j = 0; j < N_VERSIONS; j++)
      if (options_wants(o, versions[j].name))
        n_bad += !check_version(&versions[j], shapes[i], &source);
  if (n_bad == 0)
    fprintf(options_remarks(o),
            "every version agrees with the reference (--seed %llu)\n",
            (unsigned long long)o->seed);
  return n_bad;
}

/* ---- measuring ------------------------------------------------------- */

typedef struct {
  float *d_a, *d_b, *d_c;
} matrices;

static matrices allocate_matrices(const options *o, shape s)
{
  matrices m;
  random_source source = random_from_seed(o->seed);
  CUDA_CHECK(cudaMalloc(&m.d_a, s.n_rows * s.n_inner * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&m.d_b, s.n_inner * s.n_cols * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&m.d_c, s.n_rows * s.n_cols * sizeof(float)));
  fill_device_floats(&source, m.d_a, s.n_rows * s.n_inner);
  fill_device_floats(&source, m.d_b, s.n_inner * s.n_cols);
  poison_device(m.d_c, s.n_rows * s.n_cols * sizeof(float));
  return m;
}

static void free_matrices(matrices *m)
{
  CUDA_CHECK(cudaFree(m->d_a));
  CUDA_CHECK(cudaFree(m->d_b));
  CUDA_CHECK(cudaFree(m->d_c));
}

/* A product with few elements and long sums, and one with many elements. */
static void measure(const options *o)
{
  static const shape shapes[] = {{128, 128, 65536}, {4096, 4096, 4096}};
  printf(o->csv ? "version,n_rows,n_cols,n_inner,repetitions,time_us,"
                  "time_spread_us,gflop_per_s\n"
                : "version      rows x cols x inner    median us  GFLOP/s\n");
  for (int i = 0; i < 2; i++) {
    shape s = shapes[i];
    matrices m = allocate_matrices(o, s);
    for (int j = 0; j < N_VERSIONS; j++) {
      const version *v = &versions[j];
      if (!options_wants(o, v->name))
        continue;
      timing t = timing_start(o->repetitions);
      while (timing_next(&t)) {
        v->launch(m.d_c, m.d_a, m.d_b, s);
        CUDA_CHECK_LAUNCH();
      }
      double gflop_per_s = 2e-3 * (double)s.n_rows * (double)s.n_cols *
                           (double)s.n_inner * v->n_launches / t.median_us;
      printf(o->csv ? "%s,%zu,%zu,%zu,%d,%.3f,%.3f,%.1f\n"
                    : "%-10s %6zu x %5zu x %5zu %3d %10.1f %8.1f %8.1f\n",
             v->name, s.n_rows, s.n_cols, s.n_inner, t.repetitions,
             t.median_us, t.spread_us, gflop_per_s);
      fflush(stdout);
    }
    free_matrices(&m);
  }
}

/* "parts" clears c first, and cuts by the device: it is not counted. */
static void count(const options *o)
{
  shape s = {256, 256, 256};
  matrices m = allocate_matrices(o, s);
  printf("version,n_rows,n_cols,n_inner\n");
  for (int i = 0; i < N_VERSIONS; i++)
    if (options_wants(o, versions[i].name) && versions[i].n_launches == 1 &&
        versions[i].launch != launch_parts) {
      versions[i].launch(m.d_c, m.d_a, m.d_b, s);
      CUDA_CHECK_LAUNCH();
      printf("%s,%zu,%zu,%zu\n", versions[i].name, s.n_rows, s.n_cols,
             s.n_inner);
    }
  CUDA_CHECK(cudaDeviceSynchronize());
  free_matrices(&m);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "solutions about matrix products",
                            "solutions", "versions");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count) {
    count(&o);
    return EXIT_SUCCESS;
  }
  if (check_versions(&o) > 0)
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  measure(&o);
  return EXIT_SUCCESS;
}
