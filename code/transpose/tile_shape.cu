/* How many elements per thread, which tile, and which order of blocks? A padded
 * tile with 2 to 32 rows of threads, and two controls for it: the same tile
 * copied instead of turned, and four tiles in a block of 1024; one kernel whose tile has any shape and
 * whose blocks take the tiles in any order; the same for a copy.
 *
 *   nvcc -I code code/transpose/tile_shape.cu -o tile_shape && ./tile_shape
 */
#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/fill.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"

/* ---- kernels --------------------------------------------------------- */

typedef enum { BY_ROWS, BY_COLUMNS, BY_DIAGONALS } block_order;
static const char *const order_names[] = {"rows", "columns", "diagonals"};

/* A tile of tile_rows × tile_cols floats, both powers of two, at least 16;
 * tile_rows × tile_cols / 16 threads. */
typedef struct {
  unsigned tile_rows, tile_cols;
  block_order order;
} shape;

// begin block_order
/* Blocks start in the order of their number. Which tile is whose? */
__host__ __device__ void tile_of_block(block_order order, size_t block,
                                       size_t n_down, size_t n_across,
                                       size_t *down, size_t *across)
{
  if (order == BY_ROWS) {               /* along the input's rows … */
    *down = block / n_across;
    *across = block % n_across;
  } else {                              /* … or down its columns … */
    *down = block % n_down;
    *across = block / n_down;
  }
  if (order == BY_DIAGONALS)            /* … or down and across at once */
    *across = (*across + *down) % n_across;
}
// end block_order

// begin transpose_shape
__global__ void transpose_shape(float4 *out, const float4 *in,
                                size_t n_rows, size_t n_cols, shape s)
{
  extern __shared__ float4 tile[];
  unsigned groups = s.tile_rows / 4;       /* in a row of the turned tile */
  unsigned x = threadIdx.x % (s.tile_cols / 4);
  unsigned y = threadIdx.x / (s.tile_cols / 4);
  size_t down, across;
  tile_of_block(s.order, blockIdx.x, n_rows / s.tile_rows,
                n_cols / s.tile_cols, &down, &across);

  size_t row = down * s.tile_rows + 4 * y;
  size_t col = across * s.tile_cols + 4 * x;
  float4 a = in[((row + 0) * n_cols + col) / 4];
  float4 b = in[((row + 1) * n_cols + col) / 4];
  float4 c = in[((row + 2) * n_cols + col) / 4];
  float4 d = in[((row + 3) * n_cols + col) / 4];
  unsigned swizzled = (x ^ y) % groups;
  tile[(4 * x + 0) * groups + swizzled] = make_float4(a.x, b.x, c.x, d.x);
  tile[(4 * x + 1) * groups + swizzled] = make_float4(a.y, b.y, c.y, d.y);
  tile[(4 * x + 2) * groups + swizzled] = make_float4(a.z, b.z, c.z, d.z);
  tile[(4 * x + 3) * groups + swizzled] = make_float4(a.w, b.w, c.w, d.w);
  __syncthreads();

  for (unsigned i = threadIdx.x; i < s.tile_cols * groups; i += blockDim.x) {
    unsigned r = i / groups, g = i % groups;
    size_t out_row = across * s.tile_cols + r;
    size_t out_col = down * s.tile_rows + 4 * g;
    out[(out_row * n_rows + out_col) / 4] =
        tile[r * groups + (g ^ (r / 4)) % groups];
  }
}
// end transpose_shape

// begin copy_shape
__global__ void copy_shape(float4 *out, const float4 *in,
                           size_t n_rows, size_t n_cols, shape s)
{
  unsigned x = threadIdx.x % (s.tile_cols / 4);
  unsigned y = threadIdx.x / (s.tile_cols / 4);
  size_t down, across;
  tile_of_block(s.order, blockIdx.x, n_rows / s.tile_rows,
                n_cols / s.tile_cols, &down, &across);
  size_t row = down * s.tile_rows + 4 * y;
  size_t col = across * s.tile_cols + 4 * x;
  float4 patch[4];
  for (int i = 0; i < 4; i++)
    patch[i] = in[((row + i) * n_cols + col) / 4];
  for (int i = 0; i < 4; i++)
    out[((row + i) * n_cols + col) / 4] = patch[i];
}
// end copy_shape

enum { TILE = 32, FOUR = 4 };

// begin elements
/* `rows` is a constant, and all threads go around equally often: the loops
 * unroll, and a thread's loads are all in flight before its first store. */
template <int rows>
__global__ void transpose_by(float *out, const float *in, size_t n_rows,
                             size_t n_cols)
{
  __shared__ float tile[TILE][TILE + 1];
  size_t row = (size_t)blockIdx.y * TILE, col = (size_t)blockIdx.x * TILE;
  for (unsigned y = 0; y < TILE; y += rows)
    tile[y + threadIdx.y][threadIdx.x] =
        in[(row + y + threadIdx.y) * n_cols + col + threadIdx.x];
  __syncthreads();
  for (unsigned y = 0; y < TILE; y += rows)
    out[(col + y + threadIdx.y) * n_rows + row + threadIdx.x] =
        tile[threadIdx.x][y + threadIdx.y];
}
// end elements

// begin copied
template <int rows>
__global__ void copy_by(float *out, const float *in, size_t n_rows,
                        size_t n_cols)
{
  __shared__ float tile[TILE][TILE + 1];
  size_t row = (size_t)blockIdx.y * TILE, col = (size_t)blockIdx.x * TILE;
  for (unsigned y = 0; y < TILE; y += rows)
    tile[y + threadIdx.y][threadIdx.x] =
        in[(row + y + threadIdx.y) * n_cols + col + threadIdx.x];
  __syncthreads();
  for (unsigned y = 0; y < TILE; y += rows)
    out[(row + y + threadIdx.y) * n_cols + col + threadIdx.x] =
        tile[y + threadIdx.y][threadIdx.x];
}
// end copied

// begin four_tiles
/* A block of 1024 threads, four elements per thread: one of each of four tiles
 * that are a quarter of the matrix apart. */
__global__ void transpose_four_tiles(float *out, const float *in,
                                     size_t n_rows, size_t n_cols)
{
  __shared__ float tile[FOUR][TILE][TILE + 1];
  size_t row = (size_t)blockIdx.y * TILE + threadIdx.y;
  size_t col = (size_t)blockIdx.x * TILE + threadIdx.x;
  size_t out_row = (size_t)blockIdx.x * TILE + threadIdx.y;
  size_t out_col = (size_t)blockIdx.y * TILE + threadIdx.x;
  for (int k = 0; k < FOUR; k++)
    tile[k][threadIdx.y][threadIdx.x] =
        in[(row + k * (n_rows / FOUR)) * n_cols + col];
  __syncthreads();
  for (int k = 0; k < FOUR; k++)
    out[out_row * n_rows + out_col + k * (n_rows / FOUR)] =
        tile[k][threadIdx.x][threadIdx.y];
}
// end four_tiles

/* ---- launchers and versions ------------------------------------------ */

typedef void by_kernel(float *out, const float *in, size_t n_rows,
                       size_t n_cols);
static const struct {
  const char *name;
  unsigned rows, tiles;       /* of threads in a block; of a block */
  by_kernel *kernel;
  int transposes;
} by_rows[] = {
  {"padded", 2, 1, transpose_by<2>, 1},
  {"padded", 4, 1, transpose_by<4>, 1},
  {"padded", 8, 1, transpose_by<8>, 1},
  {"padded", 16, 1, transpose_by<16>, 1},
  {"padded", 32, 1, transpose_by<32>, 1},
  {"four_tiles", 32, FOUR, transpose_four_tiles, 1},
  {"copied", 2, 1, copy_by<2>, 0},
  {"copied", 4, 1, copy_by<4>, 0},
  {"copied", 8, 1, copy_by<8>, 0},
  {"copied", 16, 1, copy_by<16>, 0},
  {"copied", 32, 1, copy_by<32>, 0},
};
enum { N_BY_ROWS = sizeof by_rows / sizeof by_rows[0] };

static void launch_by(int i, float *d_out, const float *d_in,
                      size_t n_rows, size_t n_cols)
{
  dim3 grid((unsigned)(n_cols / TILE),
            (unsigned)(n_rows / TILE / by_rows[i].tiles));
  by_rows[i].kernel<<<grid, dim3(TILE, by_rows[i].rows)>>>(d_out, d_in,
                                                           n_rows, n_cols);
}

static void launch_transpose(float *d_out, const float *d_in,
                             size_t n_rows, size_t n_cols, shape s)
{
  unsigned n_tiles = (unsigned)(n_rows / s.tile_rows *
                                (n_cols / s.tile_cols));
  unsigned shared_bytes = s.tile_rows * s.tile_cols * sizeof(float);
  /* More than 48 KB a block must be asked for. */
  CUDA_CHECK(cudaFuncSetAttribute(
      (const void *)transpose_shape,
      cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_bytes));
  transpose_shape<<<n_tiles, s.tile_rows * s.tile_cols / 16, shared_bytes>>>(
      (float4 *)d_out, (const float4 *)d_in, n_rows, n_cols, s);
}

static void launch_copy(float *d_out, const float *d_in,
                        size_t n_rows, size_t n_cols, shape s)
{
  unsigned n_tiles = (unsigned)(n_rows / s.tile_rows *
                                (n_cols / s.tile_cols));
  copy_shape<<<n_tiles, s.tile_rows * s.tile_cols / 16>>>(
      (float4 *)d_out, (const float4 *)d_in, n_rows, n_cols, s);
}

typedef struct {
  const char *name;
  const char *idea;
  void (*launch)(float *d_out, const float *d_in,
                 size_t n_rows, size_t n_cols, shape s);
  int transposes;
} version;

static const version versions[] = {
  {"copy", "copies tile by tile", launch_copy, 0},
  {"transpose", "transposes tile by tile", launch_transpose, 1},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static const unsigned sides[] = {16, 32, 64, 128, 256};
enum { N_SIDES = sizeof sides / sizeof sides[0] };

/* A block has at most 1024 threads. */
static int is_possible(shape s)
{
  return s.tile_rows * s.tile_cols / 16 <= 1024;
}

/* ---- checking -------------------------------------------------------- */

/* Is h_out the transpose, or the copy, of h_in? */
static int is_right(const char *what, int transposes, size_t n_rows,
                    size_t n_cols, const float *h_in, const float *h_out)
{
  for (size_t row = 0; row < n_rows; row++)
    for (size_t col = 0; col < n_cols; col++) {
      size_t at = transposes ? col * n_rows + row : row * n_cols + col;
      if (!(h_out[at] == h_in[row * n_cols + col])) {
        fprintf(stderr, "%s: error: element %zu, %zu: expected %.9g, "
                "got %.9g\n", what, row, col, h_in[row * n_cols + col],
                h_out[at]);
        return 0;
      }
    }
  return 1;
}

static int check_shape(const version *v, shape s, size_t n_rows,
                       size_t n_cols, const float *h_in, float *h_out,
                       const float *d_in, float *d_out)
{
  char what[96];
  size_t n_bytes = n_rows * n_cols * sizeof(float);
  snprintf(what, sizeof what, "%s, tile %u x %u by %s", v->name,
           s.tile_rows, s.tile_cols, order_names[s.order]);
  poison_device(d_out, n_bytes);
  v->launch(d_out, d_in, n_rows, n_cols, s);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_out, d_out, n_bytes, cudaMemcpyDeviceToHost));
  return !is_right(what, v->transposes, n_rows, n_cols, h_in, h_out);
}

static int check_by(int i, size_t n_rows, size_t n_cols, const float *h_in,
                    float *h_out, const float *d_in, float *d_out)
{
  char what[96];
  size_t n_bytes = n_rows * n_cols * sizeof(float);
  snprintf(what, sizeof what, "%s, %u rows of threads", by_rows[i].name,
           by_rows[i].rows);
  poison_device(d_out, n_bytes);
  launch_by(i, d_out, d_in, n_rows, n_cols);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_out, d_out, n_bytes, cudaMemcpyDeviceToHost));
  return !is_right(what, by_rows[i].transposes, n_rows, n_cols, h_in, h_out);
}

/* Does every tile get one block, and do the next block's tile and this one's
 * differ as the order says: across, down, or both? */
static int check_order(block_order order, size_t n_down, size_t n_across)
{
  size_t n = n_down * n_across, down = 0, across = 0;
  unsigned char *seen = (unsigned char *)calloc(n, 1);
  int right = 1;
  for (size_t block = 0; block < n; block++) {
    size_t last_down = down, last_across = across;
    tile_of_block(order, block, n_down, n_across, &down, &across);
    if (down >= n_down || across >= n_across)
      right = 0;
    else if (seen[down * n_across + across]++)
      right = 0;
    int turns = order == BY_ROWS ? block % n_across == 0
                                 : block % n_down == 0;
    if (!turns && ((down != last_down) != (order != BY_ROWS) ||
                   (across != last_across) != (order != BY_COLUMNS)))
      right = 0;
  }
  free(seen);
  if (!right)
    fprintf(stderr, "by %s: error: the blocks of %zu x %zu tiles are not in "
            "that order\n", order_names[order], n_down, n_across);
  return !right;
}

static int check_orders(void)
{
  static const size_t sides[] = {2, 3, 4, 7, 8, 32};
  enum { N = sizeof sides / sizeof sides[0] };
  int n_bad = 0;
  for (int order = 0; order < 3; order++)
    for (int d = 0; d < N; d++)
      for (int a = 0; a < N; a++)
        n_bad += check_order((block_order)order, sides[d], sides[a]);
  return n_bad;
}

static int check_shapes(const options *o)
{
  size_t n_rows = 512, n_cols = 256, n_bytes = n_rows * n_cols * 4;
  random_source source = random_from_seed(o->seed);
  float *h_in = (float *)malloc(n_bytes), *h_out = (float *)malloc(n_bytes);
  float *d_in, *d_out;
  int n_bad = check_orders();
  random_fill_floats(&source, h_in, n_rows * n_cols);
  CUDA_CHECK(cudaMalloc(&d_in, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_out, n_bytes));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, n_bytes, cudaMemcpyHostToDevice));
  for (int v = 0; v < N_VERSIONS; v++)
    for (int r = 0; r < N_SIDES; r++)
      for (int c = 0; c < N_SIDES; c++)
        for (int order = 0; order < 3; order++) {
          shape s = {sides[r], sides[c], (block_order)order};
          if (options_wants(o, versions[v].name) && is_possible(s))
            n_bad += check_shape(&versions[v], s, n_rows, n_cols,
                                 h_in, h_out, d_in, d_out);
        }
  for (int i = 0; i < N_BY_ROWS; i++)
    n_bad += check_by(i, n_rows, n_cols, h_in, h_out, d_in, d_out);
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  free(h_in);
  free(h_out);
  if (n_bad == 0)
    fprintf(o->csv ? stderr : stdout,
            "every shape and order is right (--seed %llu)\n",
            (unsigned long long)o->seed);
  return n_bad;
}

/* ---- measuring ------------------------------------------------------- */

static void print_row(const char *version, shape s, unsigned n_tiles,
                      unsigned n_threads, size_t n, timing t)
{
  double gb_per_s = timing_gb_per_s(8.0 * (double)(n * n), t.median_us);
  printf("%s,%s,%u,%u,%u,%u,%zu,%d,%.3f,%.3f,%.2f\n", version,
         order_names[s.order], s.tile_rows, s.tile_cols, n_threads,
         n_tiles * s.tile_rows * s.tile_cols / n_threads, n, t.repetitions,
         t.median_us, t.spread_us, gb_per_s);
  fflush(stdout);
}

static void measure_shape(const options *o, const version *v, shape s,
                          float *d_out, const float *d_in, size_t n)
{
  timing t = timing_start(o->repetitions);
  while (timing_next(&t)) {
    v->launch(d_out, d_in, n, n, s);
    CUDA_CHECK_LAUNCH();
  }
  print_row(v->name, s, 1, s.tile_rows * s.tile_cols / 16, n, t);
}

static void measure_by(const options *o, int i, float *d_out,
                       const float *d_in, size_t n)
{
  shape s = {TILE, TILE, BY_ROWS};
  timing t = timing_start(o->repetitions);
  while (timing_next(&t)) {
    launch_by(i, d_out, d_in, n, n);
    CUDA_CHECK_LAUNCH();
  }
  print_row(by_rows[i].name, s, by_rows[i].tiles, TILE * by_rows[i].rows, n,
            t);
}

static void measure(const options *o, const char *experiment)
{
  size_t n = memory_side(o, 16384, 2 * sizeof(float));
  float *d_in, *d_out;
  if (n == 0 || n % 256 != 0)
    options_fail(o, "--size must be a multiple of 256, not %zu", n);
  CUDA_CHECK(cudaMalloc(&d_in, n * n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_out, n * n * sizeof(float)));
  random_source source = random_from_seed(o->seed);
  fill_device_floats(&source, d_in, n * n);
  printf("version,order,tile_rows,tile_cols,block_threads,elems_per_thread,"
         "n_rows,repetitions,time_us,time_spread_us,gb_per_s\n");
  if (strcmp(experiment, "elements") == 0) {
    for (int i = 0; i < N_BY_ROWS; i++)
      measure_by(o, i, d_out, d_in, n);
  } else if (strcmp(experiment, "order") == 0) {
    for (int v = 0; v < N_VERSIONS; v++)
      for (int order = 0; order < 3; order++) {
        shape s = {64, 64, (block_order)order};
        measure_shape(o, &versions[v], s, d_out, d_in, n);
      }
  } else {
    for (int r = 0; r < N_SIDES; r++)
      for (int c = 0; c < N_SIDES; c++) {
        shape s = {sides[r], sides[c], BY_ROWS};
        if (is_possible(s))
          measure_shape(o, &versions[1], s, d_out, d_in, n);
      }
  }
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "sweeps elements a thread, tile shape "
                            "and block order",
                            "tile_shape,order,elements", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count)
    options_fail(&o, "--count: this program only measures");
  if (check_shapes(&o) > 0)
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  measure(&o, o.csv ? o.csv : "tile_shape");
  return EXIT_SUCCESS;
}
