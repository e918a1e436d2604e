/* Convolution of an image with a square mask of (2 radius + 1)² weights, each
 * the product of two of the 2 radius + 1 weights of a line: directly, and as
 * a convolution of the rows and one of the columns.  What lies outside of the
 * image counts as 0.
 *
 *   nvcc -I code code/convolution/image.cu -o image && ./image */
#include "convolution/convolution.h"

enum {
  TILE = 32,           /* threads on a side of a block, outputs of a tile */
  SMALL_TILE = 16,
  THREADS = 256,
  WARPS = 8,           /* warps of a block, one above the other */
  EACH = 8             /* outputs down a column of each thread */
};

/* ---- the square mask, directly ---------------------------------------- */

// begin element
__global__ void image_element(float *out, const float *in, problem p)
{
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= p.n_rows || col >= p.n_cols)
    return;
  int n = 2 * p.radius + 1;
  float sum = 0.0f;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int y = row + i - p.radius, x = col + j - p.radius;
      if (y >= 0 && y < p.n_rows && x >= 0 && x < p.n_cols)
        sum += square[i * n + j] * in[(size_t)y * p.n_cols + x];
    }
  out[(size_t)row * p.n_cols + col] = sum;
}
// end element

// begin tile
/* Blocks of side × side threads: each loads an element, the inner ones have
 * an output. */
__global__ void image_tile(float *out, const float *in, problem p)
{
  __shared__ float tile[TILE * TILE];
  int side = blockDim.x, n_outputs = side - 2 * p.radius;
  int col = blockIdx.x * n_outputs + threadIdx.x - p.radius;
  int row = blockIdx.y * n_outputs + threadIdx.y - p.radius;
  int inside = row >= 0 && row < p.n_rows && col >= 0 && col < p.n_cols;
  tile[threadIdx.y * side + threadIdx.x] =
      inside ? in[(size_t)row * p.n_cols + col] : 0.0f;
  __syncthreads();

  int top = threadIdx.y - p.radius, left = threadIdx.x - p.radius;
  if (!inside || top < 0 || top >= n_outputs || left < 0 ||
      left >= n_outputs)
    return;
  int n = 2 * p.radius + 1;
  float sum = 0.0f;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += square[i * n + j] * tile[(top + i) * side + left + j];
  out[(size_t)row * p.n_cols + col] = sum;
}
// end tile

// begin rounds
/* Blocks of TILE × TILE threads, all with an output; they load the tile and
 * its halo in as many rounds as it takes. */
__global__ void image_rounds(float *out, const float *in, problem p)
{
  extern __shared__ float tile[];
  int side = TILE + 2 * p.radius;
  int first_col = blockIdx.x * TILE, first_row = blockIdx.y * TILE;
  for (int t = threadIdx.y * TILE + threadIdx.x; t < side * side;
       t += TILE * TILE) {
    int y = first_row + t / side - p.radius;
    int x = first_col + t % side - p.radius;
    int inside = y >= 0 && y < p.n_rows && x >= 0 && x < p.n_cols;
    tile[t] = inside ? in[(size_t)y * p.n_cols + x] : 0.0f;
  }
  __syncthreads();

  int col = first_col + threadIdx.x, row = first_row + threadIdx.y;
  if (row >= p.n_rows || col >= p.n_cols)
    return;
  int n = 2 * p.radius + 1;
  float sum = 0.0f;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += square[i * n + j] *
             tile[(threadIdx.y + i) * side + threadIdx.x + j];
  out[(size_t)row * p.n_cols + col] = sum;
}
// end rounds

// begin square_window
/* Four neighbouring outputs a thread: each row of the mask has the inputs of
 * a row in registers, as in four_sums. `radius` is a constant in each call. */
__device__ __forceinline__ void square_of_groups(
    float4 *out, const float4 *in, int n_rows, int n_groups, int radius)
{
  int group = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n_rows || group >= n_groups)
    return;
  int n = 2 * radius + 1;
  float4 sum = {};
#pragma unroll
  for (int i = 0; i < n; i++) {
    int y = row + i - radius;
    if (y >= 0 && y < n_rows) {
      float4 more = four_sums_with(&square[i * n], in + (size_t)y * n_groups,
                                   group, n_groups, radius);
      sum.x += more.x;
      sum.y += more.y;
      sum.z += more.z;
      sum.w += more.w;
    }
  }
  out[(size_t)row * n_groups + group] = sum;
}
// end square_window

/* ---- two passes -------------------------------------------------------- */

// begin two_passes
__global__ void image_rows(float *out, const float *in, problem p)
{
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= p.n_rows || col >= p.n_cols)
    return;
  float sum = 0.0f;
  for (int j = 0; j <= 2 * p.radius; j++) {
    int x = col + j - p.radius;
    if (x >= 0 && x < p.n_cols)
      sum += mask[j] * in[(size_t)row * p.n_cols + x];
  }
  out[(size_t)row * p.n_cols + col] = sum;
}

__global__ void image_cols(float *out, const float *in, problem p)
{
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= p.n_rows || col >= p.n_cols)
    return;
  float sum = 0.0f;
  for (int i = 0; i <= 2 * p.radius; i++) {
    int y = row + i - p.radius;
    if (y >= 0 && y < p.n_rows)
      sum += mask[i] * in[(size_t)y * p.n_cols + col];
  }
  out[(size_t)row * p.n_cols + col] = sum;
}
// end two_passes

// begin add_group
static __device__ __forceinline__ void add_group(float4 *sum, float weight,
                                                 float4 value)
{
  sum->x += weight * value.x;
  sum->y += weight * value.y;
  sum->z += weight * value.z;
  sum->w += weight * value.w;
}
// end add_group

// begin window_body
__device__ __forceinline__ void rows_of_groups(
    float4 *out, const float4 *in, int n_rows, int n_groups, int radius)
{
  int group = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  if (group < n_groups)
    out[(size_t)row * n_groups + group] =
        four_sums(in + (size_t)row * n_groups, group, n_groups, radius);
}

/* Each thread has EACH outputs in each of four columns.  An input is loaded
 * once and added to all sums that it belongs to. */
__device__ __forceinline__ void cols_of_groups(
    float4 *out, const float4 *in, int n_rows, int n_groups, int radius)
{
  int group = blockIdx.x * blockDim.x + threadIdx.x;
  int first = (blockIdx.y * blockDim.y + threadIdx.y) * EACH;
  if (group >= n_groups)
    return;
  float4 sum[EACH] = {};
#pragma unroll
  for (int i = 0; i < EACH + 2 * radius; i++) {
    int row = first + i - radius;
    float4 value = {};
    if (row >= 0 && row < n_rows)
      value = in[(size_t)row * n_groups + group];
#pragma unroll
    for (int k = 0; k < EACH; k++)
      if (i - k >= 0 && i - k <= 2 * radius)
        add_group(&sum[k], mask[i - k], value);
  }
#pragma unroll
  for (int k = 0; k < EACH; k++)
    if (first + k < n_rows)
      out[(size_t)(first + k) * n_groups + group] = sum[k];
}
// end window_body

// begin fused_body
/* A tile of TILE rows of TILE groups: its rows are convolved on the way into
 * shared memory, with the halo above and below, its columns on the way out. */
__device__ __forceinline__ void both_of_groups(
    float4 *out, const float4 *in, int n_rows, int n_groups, int radius)
{
  extern __shared__ float4 convolved[];
  int group = blockIdx.x * TILE + threadIdx.x, first = blockIdx.y * TILE;
  for (int i = threadIdx.y; i < TILE + 2 * radius; i += WARPS) {
    int row = first + i - radius;
    float4 value = {};
    if (row >= 0 && row < n_rows && group < n_groups)
      value = four_sums(in + (size_t)row * n_groups, group, n_groups,
                        radius);
    convolved[i * TILE + threadIdx.x] = value;
  }
  __syncthreads();

  enum { OUTPUTS = TILE / WARPS };
  float4 sum[OUTPUTS] = {};
#pragma unroll
  for (int i = 0; i < OUTPUTS + 2 * radius; i++) {
    float4 value =
        convolved[(threadIdx.y * OUTPUTS + i) * TILE + threadIdx.x];
#pragma unroll
    for (int k = 0; k < OUTPUTS; k++)
      if (i - k >= 0 && i - k <= 2 * radius)
        add_group(&sum[k], mask[i - k], value);
  }
#pragma unroll
  for (int k = 0; k < OUTPUTS; k++) {
    int row = first + threadIdx.y * OUTPUTS + k;
    if (row < n_rows && group < n_groups)
      out[(size_t)row * n_groups + group] = sum[k];
  }
}
// end fused_body

// begin for_radius
/* One kernel of each for each radius, which is a constant in it. */
#define FOR_RADIUS(RADIUS)                                                  \
  __global__ void square_window_##RADIUS(float4 *out, const float4 *in,     \
                                         int n_rows, int n_groups)          \
  {                                                                         \
    square_of_groups(out, in, n_rows, n_groups, RADIUS);                    \
  }                                                                         \
  __global__ void rows_window_##RADIUS(float4 *out, const float4 *in,       \
                                       int n_rows, int n_groups)            \
  {                                                                         \
    rows_of_groups(out, in, n_rows, n_groups, RADIUS);                      \
  }                                                                         \
  __global__ void cols_window_##RADIUS(float4 *out, const float4 *in,       \
                                       int n_rows, int n_groups)            \
  {                                                                         \
    cols_of_groups(out, in, n_rows, n_groups, RADIUS);                      \
  }                                                                         \
  __global__ void fused_##RADIUS(float4 *out, const float4 *in,             \
                                 int n_rows, int n_groups)                  \
  {                                                                         \
    both_of_groups(out, in, n_rows, n_groups, RADIUS);                      \
  }
FOR_RADIUS(1)
FOR_RADIUS(2)
FOR_RADIUS(4)
FOR_RADIUS(8)
FOR_RADIUS(16)
// end for_radius

/* ---- launchers ------------------------------------------------------- */

static dim3 tiles_of(problem p, int cols, int rows)
{
  return dim3(blocks_for(p.n_cols, cols), blocks_for(p.n_rows, rows));
}

static void launch_element(float *d_out, const float *d_in, problem p)
{
  image_element<<<tiles_of(p, TILE, WARPS), dim3(TILE, WARPS)>>>(d_out, d_in,
                                                                 p);
}

// begin launch_tile
static void launch_tile_of(float *d_out, const float *d_in, problem p,
                           int side)
{
  int n_outputs = side - 2 * p.radius;
  image_tile<<<tiles_of(p, n_outputs, n_outputs), dim3(side, side)>>>(
      d_out, d_in, p);
}
// end launch_tile

static void launch_small_tile(float *d_out, const float *d_in, problem p)
{
  launch_tile_of(d_out, d_in, p, SMALL_TILE);
}

static void launch_large_tile(float *d_out, const float *d_in, problem p)
{
  launch_tile_of(d_out, d_in, p, TILE);
}

static void launch_rounds(float *d_out, const float *d_in, problem p)
{
  int side = TILE + 2 * p.radius;
  image_rounds<<<tiles_of(p, TILE, TILE), dim3(TILE, TILE),
                 side * side * sizeof(float)>>>(d_out, d_in, p);
}

static void launch_rows(float *d_out, const float *d_in, problem p)
{
  image_rows<<<tiles_of(p, TILE, WARPS), dim3(TILE, WARPS)>>>(d_out, d_in,
                                                              p);
}

static void launch_cols(float *d_out, const float *d_in, problem p)
{
  image_cols<<<tiles_of(p, TILE, WARPS), dim3(TILE, WARPS)>>>(d_out, d_in,
                                                              p);
}

// begin launch_two_passes
static void launch_two_passes(float *d_out, const float *d_in, problem p)
{
  launch_rows(d_between, d_in, p);
  launch_cols(d_out, d_between, p);
}
// end launch_two_passes

typedef void group_kernel(float4 *out, const float4 *in, int n_rows,
                          int n_groups);

static const struct {
  int radius;
  group_kernel *square, *rows, *cols, *both;
} kernels[] = {
  {1, square_window_1, rows_window_1, cols_window_1, fused_1},
  {2, square_window_2, rows_window_2, cols_window_2, fused_2},
  {4, square_window_4, rows_window_4, cols_window_4, fused_4},
  {8, square_window_8, rows_window_8, cols_window_8, fused_8},
  {16, square_window_16, rows_window_16, cols_window_16, fused_16},
};
enum { N_KERNELS = sizeof kernels / sizeof kernels[0] };

/* Which row of kernels[]; N_KERNELS: none, for want of the radius or because
 * rows are not whole groups of four. */
static int kernels_for(problem p)
{
  int k = 0;
  if (p.n_cols % 4 != 0)
    return N_KERNELS;
  while (k < N_KERNELS && kernels[k].radius != p.radius)
    k++;
  return k;
}

static void launch_square_window(float *d_out, const float *d_in, problem p)
{
  int k = kernels_for(p), n_groups = p.n_cols / 4;
  if (k == N_KERNELS)
    launch_rounds(d_out, d_in, p);
  else
    kernels[k].square<<<dim3(blocks_for(n_groups, TILE),
                             blocks_for(p.n_rows, WARPS)),
                        dim3(TILE, WARPS)>>>((float4 *)d_out,
                                             (const float4 *)d_in, p.n_rows,
                                             n_groups);
}

// begin launch_windows
static void launch_rows_window(float *d_out, const float *d_in, problem p)
{
  int k = kernels_for(p), n_groups = p.n_cols / 4;
  if (k == N_KERNELS)
    launch_rows(d_out, d_in, p);
  else
    kernels[k].rows<<<dim3(blocks_for(n_groups, THREADS), p.n_rows),
                      THREADS>>>((float4 *)d_out, (const float4 *)d_in,
                                 p.n_rows, n_groups);
}

static void launch_cols_window(float *d_out, const float *d_in, problem p)
{
  int k = kernels_for(p), n_groups = p.n_cols / 4;
  if (k == N_KERNELS)
    launch_cols(d_out, d_in, p);
  else
    kernels[k].cols<<<dim3(blocks_for(n_groups, TILE),
                           blocks_for(p.n_rows, WARPS * EACH)),
                      dim3(TILE, WARPS)>>>((float4 *)d_out,
                                           (const float4 *)d_in, p.n_rows,
                                           n_groups);
}
// end launch_windows

static void launch_two_windows(float *d_out, const float *d_in, problem p)
{
  launch_rows_window(d_between, d_in, p);
  launch_cols_window(d_out, d_between, p);
}

static void launch_fused(float *d_out, const float *d_in, problem p)
{
  int k = kernels_for(p), n_groups = p.n_cols / 4;
  if (k == N_KERNELS)
    launch_rounds(d_out, d_in, p);
  else
    kernels[k].both<<<dim3(blocks_for(n_groups, TILE),
                           blocks_for(p.n_rows, TILE)),
                      dim3(TILE, WARPS),
                      (TILE + 2 * p.radius) * TILE * sizeof(float4)>>>(
        (float4 *)d_out, (const float4 *)d_in, p.n_rows, n_groups);
}

/* ---- versions -------------------------------------------------------- */

static const version versions[] = {
  {"copy", "16-byte copy: the ceiling", launch_copy, copy_image, 1,
   MOST_SQUARE_RADIUS},
  {"element", "everything from global memory", launch_element,
   convolve_image, 1, MOST_SQUARE_RADIUS},
  {"small_tile", "16 x 16 threads, halo included", launch_small_tile,
   convolve_image, 1, SMALL_TILE / 2 - 1},
  {"large_tile", "32 x 32 threads, halo included", launch_large_tile,
   convolve_image, 1, TILE / 2 - 1},
  {"rounds", "32 x 32 outputs, the halo in rounds", launch_rounds,
   convolve_image, 1, MOST_SQUARE_RADIUS},
  {"square_window", "four outputs a thread, a constant radius",
   launch_square_window, convolve_image, 1, MOST_SQUARE_RADIUS},
  {"rows", "a pass over the rows alone", launch_rows, convolve_rows, 1,
   MOST_SQUARE_RADIUS},
  {"cols", "a pass over the columns alone", launch_cols, convolve_cols, 1,
   MOST_SQUARE_RADIUS},
  {"two_passes", "rows, then columns", launch_two_passes, convolve_image, 2,
   MOST_SQUARE_RADIUS},
  {"rows_window", "rows, four outputs a thread", launch_rows_window,
   convolve_rows, 1, MOST_SQUARE_RADIUS},
  {"cols_window", "columns, 4 x 8 outputs a thread", launch_cols_window,
   convolve_cols, 1, MOST_SQUARE_RADIUS},
  {"two_windows", "both of these", launch_two_windows, convolve_image, 2,
   MOST_SQUARE_RADIUS},
  {"fused", "both in one pass, through shared memory", launch_fused,
   convolve_image, 1, MOST_SQUARE_RADIUS},
};

static const problem checked[] = {
  {1, 1, 1}, {1, 40, 2}, {40, 1, 4}, {3, 5, 4}, {16, 16, 1}, {33, 31, 3},
  {36, 64, 4}, {67, 132, 4}, {70, 36, 2}, {40, 136, 1}, {41, 44, 8},
  {36, 40, 16}, {0, 0, 0},
};
static const problem laddered[] = {{16384, 16384, 4}};
static const problem swept[] = {
  {8192, 8192, 1}, {8192, 8192, 2}, {8192, 8192, 4}, {8192, 8192, 8},
  {8192, 8192, 16}, {0, 0, 0},
};
static const problem counted[] = {
  {256, 256, 1}, {256, 256, 4}, {256, 256, 8}, {0, 0, 0},
};

int main(int argc, char **argv)
{
  program g = {"convolves an image with a square mask", versions,
               sizeof versions / sizeof versions[0], checked, laddered,
               swept, counted};
  return convolution_main(argc, argv, &g);
}
