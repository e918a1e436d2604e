/* Matrix transposition: out[c][r] = in[r][c] for a matrix of n_rows × n_cols
 * floats, stored row by row.
 *
 *   nvcc -I code code/transpose/transpose.cu -o transpose && ./transpose
 *
 * Nothing is computed, so bytes per second are all that counts, and a copy
 * kernel over the same matrix is the ceiling for every version. */
#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/fill.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"

/* ---- reference ------------------------------------------------------- */

// begin reference
static void transpose_reference(float *out, const float *in,
                                size_t n_rows, size_t n_cols)
{
  for (size_t row = 0; row < n_rows; row++)
    for (size_t col = 0; col < n_cols; col++)
      out[col * n_rows + row] = in[row * n_cols + col];
}
// end reference

/* ---- kernels, each one idea further ---------------------------------- */

enum {
  TILE = 32,             /* a warp covers one row of the tile */
  FEW_ROWS = 8,          /* rows of threads when each moves several rows */
  LARGE = 64,            /* two warps side by side: 256 bytes a row */
  GROUPS = LARGE / 4     /* groups of four floats in a row of 64 */
};

// begin copy
__global__ void copy(float4 *out, const float4 *in, size_t n_groups)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n_groups)
    out[i] = in[i];
}
// end copy

// begin row_per_thread
__global__ void transpose_row_per_thread(float *out, const float *in,
                                         size_t n_rows, size_t n_cols)
{
  size_t row = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n_rows)
    for (size_t col = 0; col < n_cols; col++)
      out[col * n_rows + row] = in[row * n_cols + col];
}
// end row_per_thread

// begin element_per_thread
__global__ void transpose_element_per_thread(float *out, const float *in,
                                             size_t n_rows, size_t n_cols)
{
  size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  size_t row = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n_rows && col < n_cols)
    out[col * n_rows + row] = in[row * n_cols + col];
}
// end element_per_thread

// begin element_of_output
__global__ void transpose_element_of_output(float *out, const float *in,
                                            size_t n_rows, size_t n_cols)
{
  size_t row = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  size_t col = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n_rows && col < n_cols)
    out[col * n_rows + row] = in[row * n_cols + col];
}
// end element_of_output

// begin tile
__global__ void transpose_tile(float *out, const float *in,
                               size_t n_rows, size_t n_cols)
{
  __shared__ float tile[TILE][TILE];
  size_t first_col = (size_t)blockIdx.x * TILE;
  size_t first_row = (size_t)blockIdx.y * TILE;

  size_t col = first_col + threadIdx.x;
  size_t row = first_row + threadIdx.y;
  if (row < n_rows && col < n_cols)
    tile[threadIdx.y][threadIdx.x] = in[row * n_cols + col];
  __syncthreads();

  size_t out_col = first_row + threadIdx.x;
  size_t out_row = first_col + threadIdx.y;
  if (out_row < n_cols && out_col < n_rows)
    out[out_row * n_rows + out_col] = tile[threadIdx.x][threadIdx.y];
}
// end tile

// begin padded
__global__ void transpose_padded(float *out, const float *in,
                                 size_t n_rows, size_t n_cols)
{
  __shared__ float tile[TILE][TILE + 1];
  size_t first_col = (size_t)blockIdx.x * TILE;
  size_t first_row = (size_t)blockIdx.y * TILE;

  size_t col = first_col + threadIdx.x;
  size_t row = first_row + threadIdx.y;
  if (row < n_rows && col < n_cols)
    tile[threadIdx.y][threadIdx.x] = in[row * n_cols + col];
  __syncthreads();

  size_t out_col = first_row + threadIdx.x;
  size_t out_row = first_col + threadIdx.y;
  if (out_row < n_cols && out_col < n_rows)
    out[out_row * n_rows + out_col] = tile[threadIdx.x][threadIdx.y];
}
// end padded

// begin swizzled
__global__ void transpose_swizzled(float *out, const float *in,
                                   size_t n_rows, size_t n_cols)
{
  __shared__ float tile[TILE][TILE];
  size_t first_col = (size_t)blockIdx.x * TILE;
  size_t first_row = (size_t)blockIdx.y * TILE;

  size_t col = first_col + threadIdx.x;
  size_t row = first_row + threadIdx.y;
  if (row < n_rows && col < n_cols)
    tile[threadIdx.y][threadIdx.x ^ threadIdx.y] = in[row * n_cols + col];
  __syncthreads();

  size_t out_col = first_row + threadIdx.x;
  size_t out_row = first_col + threadIdx.y;
  if (out_row < n_cols && out_col < n_rows)
    out[out_row * n_rows + out_col] =
        tile[threadIdx.x][threadIdx.y ^ threadIdx.x];
}
// end swizzled

// begin several_elements
__global__ void transpose_several_elements(float *out, const float *in,
                                           size_t n_rows, size_t n_cols)
{
  __shared__ float tile[TILE][TILE + 1];
  size_t first_col = (size_t)blockIdx.x * TILE;
  size_t first_row = (size_t)blockIdx.y * TILE;

  size_t col = first_col + threadIdx.x, row = first_row + threadIdx.y;
  float element[TILE / FEW_ROWS] = {};
  for (int i = 0; i < TILE / FEW_ROWS; i++)
    if (row + i * FEW_ROWS < n_rows && col < n_cols)
      element[i] = in[(row + i * FEW_ROWS) * n_cols + col];
  for (int i = 0; i < TILE / FEW_ROWS; i++)
    tile[threadIdx.y + i * FEW_ROWS][threadIdx.x] = element[i];
  __syncthreads();

  size_t out_col = first_row + threadIdx.x, out_row = first_col + threadIdx.y;
  for (int i = 0; i < TILE / FEW_ROWS; i++)
    if (out_row + i * FEW_ROWS < n_cols && out_col < n_rows)
      out[(out_row + i * FEW_ROWS) * n_rows + out_col] =
          tile[threadIdx.x][threadIdx.y + i * FEW_ROWS];
}
// end several_elements

// begin large_tile
__global__ void transpose_large_tile(float *out, const float *in,
                                     size_t n_rows, size_t n_cols)
{
  __shared__ float tile[LARGE][LARGE + 1];
  size_t first_col = (size_t)blockIdx.x * LARGE;
  size_t first_row = (size_t)blockIdx.y * LARGE;

  size_t col = first_col + threadIdx.x, row = first_row + threadIdx.y;
  float element[LARGE / FEW_ROWS] = {};
  for (int i = 0; i < LARGE / FEW_ROWS; i++)
    if (row + i * FEW_ROWS < n_rows && col < n_cols)
      element[i] = in[(row + i * FEW_ROWS) * n_cols + col];
  for (int i = 0; i < LARGE / FEW_ROWS; i++)
    tile[threadIdx.y + i * FEW_ROWS][threadIdx.x] = element[i];
  __syncthreads();

  size_t out_col = first_row + threadIdx.x, out_row = first_col + threadIdx.y;
  for (int i = 0; i < LARGE / FEW_ROWS; i++)
    if (out_row + i * FEW_ROWS < n_cols && out_col < n_rows)
      out[(out_row + i * FEW_ROWS) * n_rows + out_col] =
          tile[threadIdx.x][threadIdx.y + i * FEW_ROWS];
}
// end large_tile

/* The last two kernels share their body. Both need n_rows and n_cols to be
 * multiples of 4, so that a group of four floats lies wholly inside the
 * matrix or wholly outside and every row begins on a 16-byte boundary. */
// begin vector_body
__device__ void transpose_large_tile_by_groups(
    float4 *out, const float4 *in, size_t n_rows, size_t n_cols,
    size_t first_row, size_t first_col)
{
  __shared__ float4 tile[LARGE][GROUPS];
  unsigned x = threadIdx.x, y = threadIdx.y;   /* 16 × 16 threads */

  /* Each thread takes a patch of 4 × 4 floats: four loads of 16 bytes. */
  size_t row = first_row + 4 * y, col = first_col + 4 * x;
  float4 a = {}, b = {}, c = {}, d = {};
  if (row < n_rows && col < n_cols) {
    a = in[((row + 0) * n_cols + col) / 4];
    b = in[((row + 1) * n_cols + col) / 4];
    c = in[((row + 2) * n_cols + col) / 4];
    d = in[((row + 3) * n_cols + col) / 4];
  }
  /* It stores the patch's columns as rows, swizzled by groups. */
  tile[4 * x + 0][y ^ x] = make_float4(a.x, b.x, c.x, d.x);
  tile[4 * x + 1][y ^ x] = make_float4(a.y, b.y, c.y, d.y);
  tile[4 * x + 2][y ^ x] = make_float4(a.z, b.z, c.z, d.z);
  tile[4 * x + 3][y ^ x] = make_float4(a.w, b.w, c.w, d.w);
  __syncthreads();

  size_t out_col = first_row + 4 * x;
  for (unsigned r = y; r < LARGE; r += GROUPS)
    if (first_col + r < n_cols && out_col < n_rows)
      out[((first_col + r) * n_rows + out_col) / 4] = tile[r][x ^ (r / 4)];
}
// end vector_body

// begin vector
__global__ void transpose_vector(float4 *out, const float4 *in,
                                 size_t n_rows, size_t n_cols)
{
  transpose_large_tile_by_groups(out, in, n_rows, n_cols,
                                 (size_t)blockIdx.y * LARGE,
                                 (size_t)blockIdx.x * LARGE);
}
// end vector

// begin output_order
__global__ void transpose_output_order(float4 *out, const float4 *in,
                                       size_t n_rows, size_t n_cols)
{
  transpose_large_tile_by_groups(out, in, n_rows, n_cols,
                                 (size_t)blockIdx.x * LARGE,
                                 (size_t)blockIdx.y * LARGE);
}
// end output_order

/* ---- launchers ------------------------------------------------------- */

static unsigned blocks_for(size_t n, size_t per_block)
{
  return (unsigned)((n + per_block - 1) / per_block);
}

static void launch_copy(float *d_out, const float *d_in,
                        size_t n_rows, size_t n_cols)
{
  size_t n = n_rows * n_cols, n_groups = n / 4;
  if (n_groups > 0)
    copy<<<blocks_for(n_groups, 256), 256>>>((float4 *)d_out,
                                             (const float4 *)d_in, n_groups);
  if (n % 4 > 0)   /* the last one to three floats */
    CUDA_CHECK(cudaMemcpy(d_out + 4 * n_groups, d_in + 4 * n_groups,
                          n % 4 * sizeof(float), cudaMemcpyDeviceToDevice));
}

static void launch_row_per_thread(float *d_out, const float *d_in,
                                  size_t n_rows, size_t n_cols)
{
  transpose_row_per_thread<<<blocks_for(n_rows, 256), 256>>>(
      d_out, d_in, n_rows, n_cols);
}

static dim3 tiles_of(size_t n_rows, size_t n_cols, size_t tile)
{
  return dim3(blocks_for(n_cols, tile), blocks_for(n_rows, tile));
}

static void launch_element_per_thread(float *d_out, const float *d_in,
                                      size_t n_rows, size_t n_cols)
{
  transpose_element_per_thread<<<tiles_of(n_rows, n_cols, TILE),
                                 dim3(TILE, TILE)>>>(d_out, d_in,
                                                     n_rows, n_cols);
}

static void launch_element_of_output(float *d_out, const float *d_in,
                                     size_t n_rows, size_t n_cols)
{
  transpose_element_of_output<<<tiles_of(n_cols, n_rows, TILE),
                                dim3(TILE, TILE)>>>(d_out, d_in,
                                                    n_rows, n_cols);
}

static void launch_tile(float *d_out, const float *d_in,
                        size_t n_rows, size_t n_cols)
{
  transpose_tile<<<tiles_of(n_rows, n_cols, TILE), dim3(TILE, TILE)>>>(
      d_out, d_in, n_rows, n_cols);
}

static void launch_padded(float *d_out, const float *d_in,
                          size_t n_rows, size_t n_cols)
{
  transpose_padded<<<tiles_of(n_rows, n_cols, TILE), dim3(TILE, TILE)>>>(
      d_out, d_in, n_rows, n_cols);
}

static void launch_swizzled(float *d_out, const float *d_in,
                            size_t n_rows, size_t n_cols)
{
  transpose_swizzled<<<tiles_of(n_rows, n_cols, TILE), dim3(TILE, TILE)>>>(
      d_out, d_in, n_rows, n_cols);
}

static void launch_several_elements(float *d_out, const float *d_in,
                                    size_t n_rows, size_t n_cols)
{
  transpose_several_elements<<<tiles_of(n_rows, n_cols, TILE),
                               dim3(TILE, FEW_ROWS)>>>(d_out, d_in,
                                                       n_rows, n_cols);
}

static void launch_large_tile(float *d_out, const float *d_in,
                              size_t n_rows, size_t n_cols)
{
  transpose_large_tile<<<tiles_of(n_rows, n_cols, LARGE),
                         dim3(LARGE, FEW_ROWS)>>>(d_out, d_in,
                                                  n_rows, n_cols);
}

/* Whole groups of four only; any other matrix goes the scalar way. */
static int has_whole_groups(size_t n_rows, size_t n_cols)
{
  return n_rows % 4 == 0 && n_cols % 4 == 0;
}

// begin launch_vector
static void launch_vector(float *d_out, const float *d_in,
                          size_t n_rows, size_t n_cols)
{
  if (!has_whole_groups(n_rows, n_cols)) {
    launch_large_tile(d_out, d_in, n_rows, n_cols);
    return;
  }
  dim3 grid(blocks_for(n_cols, LARGE), blocks_for(n_rows, LARGE));
  transpose_vector<<<grid, dim3(GROUPS, GROUPS)>>>(
      (float4 *)d_out, (const float4 *)d_in, n_rows, n_cols);
}
// end launch_vector

// begin launch_output_order
static void launch_output_order(float *d_out, const float *d_in,
                                size_t n_rows, size_t n_cols)
{
  if (!has_whole_groups(n_rows, n_cols)) {
    launch_large_tile(d_out, d_in, n_rows, n_cols);
    return;
  }
  dim3 grid(blocks_for(n_rows, LARGE), blocks_for(n_cols, LARGE));
  transpose_output_order<<<grid, dim3(GROUPS, GROUPS)>>>(
      (float4 *)d_out, (const float4 *)d_in, n_rows, n_cols);
}
// end launch_output_order

/* ---- versions -------------------------------------------------------- */

typedef struct {
  const char *name;
  const char *idea;
  void (*launch)(float *d_out, const float *d_in,
                 size_t n_rows, size_t n_cols);
  int transposes;   /* 0: the copy, which is only the ceiling */
} version;

static const version versions[] = {
  {"copy", "16-byte copy: the ceiling", launch_copy, 0},
  {"row_per_thread", "one thread a row", launch_row_per_thread, 1},
  {"element_per_thread", "one thread an element",
   launch_element_per_thread, 1},
  {"element_of_output", "lanes along the output instead",
   launch_element_of_output, 1},
  {"tile", "turn a tile around in shared memory", launch_tile, 1},
  {"padded", "one column more against bank conflicts", launch_padded, 1},
  {"swizzled", "the same without the column", launch_swizzled, 1},
  {"several_elements", "four elements a thread",
   launch_several_elements, 1},
  {"large_tile", "tiles of 64 x 64: longer rows", launch_large_tile, 1},
  {"vector", "16-byte loads and stores", launch_vector, 1},
  {"output_order", "blocks walk along the output", launch_output_order, 1},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- checking -------------------------------------------------------- */

static int check_version(const version *v, size_t n_rows, size_t n_cols,
                         const float *h_in, const float *h_expected)
{
  size_t n_bytes = n_rows * n_cols * sizeof(float);
  char what[96];
  snprintf(what, sizeof what, "%s, %zu x %zu", v->name, n_rows, n_cols);
  char *h_out = (char *)malloc(n_bytes + GUARD_BYTES);
  float *d_in, *d_out;
  CUDA_CHECK(cudaMalloc(&d_in, n_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMalloc(&d_out, n_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, n_bytes, cudaMemcpyHostToDevice));
  poison_device(d_out, n_bytes + GUARD_BYTES);
  v->launch(d_out, d_in, n_rows, n_cols);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_out, d_out, n_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  /* Bytes, not floats: a NaN must arrive as the same NaN. */
  int good = compare_bytes(what, v->transposes ? h_expected : h_in, h_out,
                           n_bytes) &&
             compare_guard(what, h_out + n_bytes, GUARD_BYTES);
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  free(h_out);
  return good;
}

static int check_size(const options *o, random_source *source,
                      size_t n_rows, size_t n_cols)
{
  size_t n = n_rows * n_cols;
  int n_bad = 0;
  float *h_in = (float *)malloc((n + 1) * sizeof(float));
  float *h_expected = (float *)malloc((n + 1) * sizeof(float));
  random_fill_bytes(source, h_in, n * sizeof(float));
  transpose_reference(h_expected, h_in, n_rows, n_cols);
  for (int i = 0; i < N_VERSIONS; i++)
    if (options_wants(o, versions[i].name))
      n_bad += !check_version(&versions[i], n_rows, n_cols,
                              h_in, h_expected);
  free(h_in);
  free(h_expected);
  return n_bad;
}

/* A launch of no blocks is an error, so an empty matrix is not launched;
 * everything else is: single rows and columns, one more and one less than a
 * tile, whole groups of four that fill no tile. */
static int check_versions(const options *o)
{
  static const size_t sizes[][2] = {
    {1, 1}, {1, 1000}, {1000, 1}, {3, 5}, {4, 4}, {31, 33}, {32, 32},
    {33, 31}, {63, 65}, {64, 64}, {36, 100}, {128, 64}, {68, 260},
    {257, 129}, {300, 500},
  };
  random_source source = random_from_seed(o->seed);
  int n_bad = 0;
  if (o->check && o->n_sizes == 2)
    n_bad += check_size(o, &source, o->size[0], o->size[1]);
  else
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
      n_bad += check_size(o, &source, sizes[i][0], sizes[i][1]);
  if (!device_is_software())
    n_bad += check_size(o, &source, 4097, 4100);
  if (n_bad == 0)
    fprintf(o->csv ? stderr : stdout,
            "every version agrees with the reference (--seed %llu)\n",
            (unsigned long long)o->seed);
  return n_bad;
}

/* ---- measuring ------------------------------------------------------- */

static void shape_of(const options *o, size_t wanted, size_t *n_rows,
                     size_t *n_cols)
{
  double pair_bytes = 2.0 * sizeof(float);
  if (o->n_sizes > 1) {
    *n_rows = o->size[0];
    *n_cols = o->size[1];
    memory_need(o, (double)*n_rows * (double)*n_cols * pair_bytes);
  } else {
    *n_rows = *n_cols = memory_side(o, wanted, pair_bytes);
  }
}

/* In and out, on the device, filled. */
static void allocate_pair(float **d_in, float **d_out, size_t n,
                          uint64_t seed)
{
  random_source source = random_from_seed(seed);
  CUDA_CHECK(cudaMalloc(d_in, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(d_out, n * sizeof(float)));
  fill_device_floats(&source, *d_in, n);
  poison_device(*d_out, n * sizeof(float));
}

static timing time_version(const version *v, float *d_out, const float *d_in,
                           size_t n_rows, size_t n_cols, int repetitions)
{
  timing t = timing_start(repetitions);
  while (timing_next(&t)) {
    v->launch(d_out, d_in, n_rows, n_cols);
    CUDA_CHECK_LAUNCH();
  }
  return t;
}

/* Every version against the copy, in one run. */
static void measure(const options *o)
{
  size_t n_rows, n_cols;
  float *d_in, *d_out;
  shape_of(o, 16384, &n_rows, &n_cols);
  allocate_pair(&d_in, &d_out, n_rows * n_cols, o->seed);
  double n_bytes = 2.0 * (double)(n_rows * n_cols) * sizeof(float);
  double copy_us = 0.0;
  if (o->csv)
    printf("version,n_rows,n_cols,element_bytes,repetitions,time_us,"
           "time_spread_us,gb_per_s,share_of_copy\n");
  else
    timing_print_head();
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    if (v->transposes && !options_wants(o, v->name))
      continue;
    timing t = time_version(v, d_out, d_in, n_rows, n_cols, o->repetitions);
    if (!v->transposes)
      copy_us = t.median_us;
    if (o->csv)
      printf("%s,%zu,%zu,%zu,%d,%.3f,%.3f,%.2f,%.4f\n", v->name, n_rows,
             n_cols, sizeof(float), t.repetitions, t.median_us,
             t.spread_us, timing_gb_per_s(n_bytes, t.median_us),
             copy_us / t.median_us);
    else
      timing_print_row(v->name, t, n_bytes);
    fflush(stdout);
  }
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
}

/* Each version once, for a profiler or the software device to count; prints
 * which launch is which. */
static void count(const options *o)
{
  size_t n_rows, n_cols;
  float *d_in, *d_out;
  shape_of(o, 1024, &n_rows, &n_cols);
  allocate_pair(&d_in, &d_out, n_rows * n_cols, o->seed);
  printf("version,n_rows,n_cols\n");
  for (int i = 0; i < N_VERSIONS; i++)
    if (options_wants(o, versions[i].name)) {
      versions[i].launch(d_out, d_in, n_rows, n_cols);
      CUDA_CHECK_LAUNCH();
      printf("%s,%zu,%zu\n", versions[i].name, n_rows, n_cols);
    }
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "transposes a matrix of floats",
                            "bandwidth", "versions");
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
