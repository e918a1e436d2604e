/* Solutions to the exercises on transposition: in place, with 8-byte
 * elements, and without shared memory.
 *
 *   nvcc -I code code/transpose/solutions.cu -o solutions && ./solutions
 */
#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/fill.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"

enum { TILE = 32, FEW_ROWS = 8 };

/* ---- kernels --------------------------------------------------------- */

// begin in_place
/* A square matrix onto itself: each block swaps a tile with its mirror
 * image. Blocks below the diagonal have nothing left to do. */
__global__ void transpose_in_place(float *a, size_t n)
{
  __shared__ float upper[TILE][TILE + 1], lower[TILE][TILE + 1];
  if (blockIdx.y > blockIdx.x)
    return;
  size_t row = (size_t)blockIdx.y * TILE, col = (size_t)blockIdx.x * TILE;
  for (unsigned y = threadIdx.y; y < TILE; y += FEW_ROWS) {
    if (row + y < n && col + threadIdx.x < n)
      upper[y][threadIdx.x] = a[(row + y) * n + col + threadIdx.x];
    if (col + y < n && row + threadIdx.x < n)
      lower[y][threadIdx.x] = a[(col + y) * n + row + threadIdx.x];
  }
  __syncthreads();
  for (unsigned y = threadIdx.y; y < TILE; y += FEW_ROWS) {
    if (row + y < n && col + threadIdx.x < n)
      a[(row + y) * n + col + threadIdx.x] = lower[threadIdx.x][y];
    if (col + y < n && row + threadIdx.x < n)
      a[(col + y) * n + row + threadIdx.x] = upper[threadIdx.x][y];
  }
}
// end in_place

// begin doubles
__global__ void transpose_doubles(double *out, const double *in,
                                  size_t n_rows, size_t n_cols)
{
  __shared__ double tile[TILE][TILE + 1];
  size_t row = (size_t)blockIdx.y * TILE, col = (size_t)blockIdx.x * TILE;
  for (unsigned y = threadIdx.y; y < TILE; y += FEW_ROWS)
    if (row + y < n_rows && col + threadIdx.x < n_cols)
      tile[y][threadIdx.x] = in[(row + y) * n_cols + col + threadIdx.x];
  __syncthreads();
  for (unsigned y = threadIdx.y; y < TILE; y += FEW_ROWS)
    if (col + y < n_cols && row + threadIdx.x < n_rows)
      out[(col + y) * n_rows + row + threadIdx.x] = tile[threadIdx.x][y];
}
// end doubles

// begin patch
/* No shared memory: a thread turns a patch of 4 × 4 in its registers. The
 * lanes of a warp are 4 across and 8 down. */
__global__ void transpose_patch(float4 *out, const float4 *in,
                                size_t n_rows, size_t n_cols)
{
  unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  size_t row = (size_t)blockIdx.y * 32 + 4 * (lane % 8);
  size_t col = ((size_t)blockIdx.x * 8 + warp) * 16 + 4 * (lane / 8);
  if (row >= n_rows || col >= n_cols)
    return;
  float4 a = in[((row + 0) * n_cols + col) / 4];
  float4 b = in[((row + 1) * n_cols + col) / 4];
  float4 c = in[((row + 2) * n_cols + col) / 4];
  float4 d = in[((row + 3) * n_cols + col) / 4];
  out[((col + 0) * n_rows + row) / 4] = make_float4(a.x, b.x, c.x, d.x);
  out[((col + 1) * n_rows + row) / 4] = make_float4(a.y, b.y, c.y, d.y);
  out[((col + 2) * n_rows + row) / 4] = make_float4(a.z, b.z, c.z, d.z);
  out[((col + 3) * n_rows + row) / 4] = make_float4(a.w, b.w, c.w, d.w);
}
// end patch

/* ---- launchers: bytes in, bytes out ---------------------------------- */

static dim3 tiles_of(size_t n_rows, size_t n_cols)
{
  return dim3((unsigned)((n_cols + TILE - 1) / TILE),
              (unsigned)((n_rows + TILE - 1) / TILE));
}

/* Turns what is in d_out; copies d_in there first, if there is one. */
static void launch_in_place(void *d_out, const void *d_in,
                            size_t n_rows, size_t n_cols)
{
  if (d_in)
    CUDA_CHECK(cudaMemcpy(d_out, d_in, n_rows * n_cols * sizeof(float),
                          cudaMemcpyDeviceToDevice));
  transpose_in_place<<<tiles_of(n_rows, n_cols), dim3(TILE, FEW_ROWS)>>>(
      (float *)d_out, n_rows);
}

static void launch_doubles(void *d_out, const void *d_in,
                           size_t n_rows, size_t n_cols)
{
  transpose_doubles<<<tiles_of(n_rows, n_cols), dim3(TILE, FEW_ROWS)>>>(
      (double *)d_out, (const double *)d_in, n_rows, n_cols);
}

static void launch_patch(void *d_out, const void *d_in,
                         size_t n_rows, size_t n_cols)
{
  dim3 grid((unsigned)((n_cols + 127) / 128), (unsigned)((n_rows + 31) / 32));
  transpose_patch<<<grid, 256>>>((float4 *)d_out, (const float4 *)d_in,
                                 n_rows, n_cols);
}

typedef struct {
  const char *name;
  const char *idea;
  void (*launch)(void *d_out, const void *d_in, size_t n_rows,
                 size_t n_cols);
  size_t element_bytes;
  int square_only, groups_only;
} version;

static const version versions[] = {
  {"in_place", "swaps mirrored tiles", launch_in_place, 4, 1, 0},
  {"doubles", "8-byte elements in a padded tile", launch_doubles, 8, 0, 0},
  {"patch", "4 x 4 in registers, no shared memory", launch_patch, 4, 0, 1},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- checking -------------------------------------------------------- */

static void transpose_reference(char *out, const char *in, size_t n_rows,
                                size_t n_cols, size_t element_bytes)
{
  for (size_t row = 0; row < n_rows; row++)
    for (size_t col = 0; col < n_cols; col++)
      memcpy(out + (col * n_rows + row) * element_bytes,
             in + (row * n_cols + col) * element_bytes, element_bytes);
}

static int check(const version *v, size_t n_rows, size_t n_cols,
                 uint64_t seed)
{
  if ((v->square_only && n_rows != n_cols) ||
      (v->groups_only && (n_rows % 4 != 0 || n_cols % 4 != 0)))
    return 0;
  size_t n_bytes = n_rows * n_cols * v->element_bytes;
  char what[96], *h_in = (char *)malloc(n_bytes),
       *h_expected = (char *)malloc(n_bytes),
       *h_out = (char *)malloc(n_bytes + GUARD_BYTES);
  void *d_in, *d_out;
  random_source source = random_from_seed(seed);
  snprintf(what, sizeof what, "%s, %zu x %zu", v->name, n_rows, n_cols);
  random_fill_bytes(&source, h_in, n_bytes);
  transpose_reference(h_expected, h_in, n_rows, n_cols, v->element_bytes);
  CUDA_CHECK(cudaMalloc(&d_in, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_out, n_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, n_bytes, cudaMemcpyHostToDevice));
  poison_device(d_out, n_bytes + GUARD_BYTES);
  v->launch(d_out, d_in, n_rows, n_cols);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_out, d_out, n_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  int good = compare_bytes(what, h_expected, h_out, n_bytes) &&
             compare_guard(what, h_out + n_bytes, GUARD_BYTES);
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  free(h_in);
  free(h_expected);
  free(h_out);
  return !good;
}

static int check_versions(const options *o)
{
  static const size_t sizes[][2] = {{1, 1}, {4, 4}, {31, 31}, {32, 32},
      {33, 33}, {64, 64}, {100, 100}, {36, 100}, {1, 77}, {65, 63},
      {128, 256}, {260, 260}};
  int n_bad = 0;
  for (int v = 0; v < N_VERSIONS; v++)
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
      if (options_wants(o, versions[v].name))
        n_bad += check(&versions[v], sizes[i][0], sizes[i][1], o->seed + i);
  if (n_bad == 0)
    fprintf(o->csv ? stderr : stdout, "every solution is right "
            "(--seed %llu)\n", (unsigned long long)o->seed);
  return n_bad;
}

/* ---- measuring and counting ------------------------------------------ */

static void run(const options *o, size_t n, int timed)
{
  if (!timed)
    printf("version,n_rows,n_cols\n");
  float *d_in, *d_out;
  CUDA_CHECK(cudaMalloc(&d_in, n * n * sizeof(double)));
  CUDA_CHECK(cudaMalloc(&d_out, n * n * sizeof(double)));
  random_source source = random_from_seed(o->seed);
  fill_device_floats(&source, d_in, 2 * n * n);
  fill_device_floats(&source, d_out, 2 * n * n);
  for (int v = 0; v < N_VERSIONS; v++) {
    if (!options_wants(o, versions[v].name))
      continue;
    const float *d_from = versions[v].square_only ? NULL : d_in;
    if (!timed) {
      versions[v].launch(d_out, d_from, n, n);
      CUDA_CHECK_LAUNCH();
      printf("%s,%zu,%zu\n", versions[v].name, n, n);
      continue;
    }
    double n_bytes = 2.0 * (double)(n * n * versions[v].element_bytes);
    timing t = timing_start(o->repetitions);
    while (timing_next(&t)) {
      versions[v].launch(d_out, d_from, n, n);
      CUDA_CHECK_LAUNCH();
    }
    if (o->csv)
      printf("%s,%zu,%zu,%d,%.3f,%.3f,%.2f\n", versions[v].name, n,
             versions[v].element_bytes, t.repetitions, t.median_us,
             t.spread_us, timing_gb_per_s(n_bytes, t.median_us));
    else
      timing_print_row(versions[v].name, t, n_bytes);
    fflush(stdout);
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "solutions to the exercises",
                            "solutions", "solutions");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count) {
    run(&o, memory_side(&o, 256, 2 * sizeof(double)), 0);
    return EXIT_SUCCESS;
  }
  if (check_versions(&o) > 0)
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  if (o.csv)
    printf("version,n_rows,element_bytes,repetitions,time_us,"
           "time_spread_us,gb_per_s\n");
  else
    timing_print_head();
  run(&o, memory_side(&o, 16384, 2 * sizeof(double)), 1);
  return EXIT_SUCCESS;
}
