/* The product of two matrices of floats, stored row by row:
 *
 *   c[row][col] = sum of a[row][k] * b[k][col] over all k
 *
 * a has n_rows × n_inner elements, b n_inner × n_cols, c n_rows × n_cols.
 *
 *   nvcc -I code code/matmul/matmul.cu -lcublas -o matmul && ./matmul
 *
 * Every version takes matrices of any size. cuBLAS, in the same run, is what
 * they are compared with. */
#include <cuda_pipeline.h>

#include "common/compare.h"
#include "common/cublas_check.h"
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/fill.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"

typedef struct {
  size_t n_rows, n_cols, n_inner;
} shape;

/* ---- reference ------------------------------------------------------- */

// begin reference
static void matmul_reference(float *c, const float *a, const float *b,
                             shape s)
{
  for (size_t row = 0; row < s.n_rows; row++)
    for (size_t col = 0; col < s.n_cols; col++) {
      double sum = 0.0;
      for (size_t k = 0; k < s.n_inner; k++)
        sum += (double)a[row * s.n_inner + k] * b[k * s.n_cols + col];
      c[row * s.n_cols + col] = (float)sum;
    }
}
// end reference

/* ---- one element a thread -------------------------------------------- */

enum { TILE = 32 };

// begin lanes_down
__global__ void matmul_lanes_down(float *c, const float *a, const float *b,
                                  shape s)
{
  size_t row = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  size_t col = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= s.n_rows || col >= s.n_cols)
    return;
  float sum = 0.0f;
  for (size_t k = 0; k < s.n_inner; k++)
    sum += a[row * s.n_inner + k] * b[k * s.n_cols + col];
  c[row * s.n_cols + col] = sum;
}
// end lanes_down

// begin naive
__global__ void matmul_naive(float *c, const float *a, const float *b,
                             shape s)
{
  size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  size_t row = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= s.n_rows || col >= s.n_cols)
    return;
  float sum = 0.0f;
  for (size_t k = 0; k < s.n_inner; k++)
    sum += a[row * s.n_inner + k] * b[k * s.n_cols + col];
  c[row * s.n_cols + col] = sum;
}
// end naive

/* ---- tiles in shared memory ------------------------------------------ */

/* Zeros stand for what lies outside: they add nothing to a sum. */
// begin element_or_zero
__device__ float element_or_zero(const float *x, size_t row, size_t col,
                                 size_t n_rows, size_t n_cols)
{
  return row < n_rows && col < n_cols ? x[row * n_cols + col] : 0.0f;
}
// end element_or_zero

// begin tile
__global__ void matmul_tile(float *c, const float *a, const float *b,
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
// end tile

// begin several_sizes
enum {
  TALL = 64,                     /* rows of the block's part of c */
  WARPS_DOWN = 8,                /* rows of threads */
  EACH = TALL / WARPS_DOWN,      /* elements of c for a thread */
  EACH_B = TILE / WARPS_DOWN     /* elements of b's tile that it loads */
};
// end several_sizes

// begin several
__global__ void matmul_several(float *c, const float *a, const float *b,
                               shape s)
{
  __shared__ float tile_a[TALL][TILE], tile_b[TILE][TILE];
  unsigned x = threadIdx.x, y = threadIdx.y;
  size_t col = (size_t)blockIdx.x * TILE + x;
  size_t row = (size_t)blockIdx.y * TALL + y;
  float sum[EACH] = {};
  for (size_t first = 0; first < s.n_inner; first += TILE) {
    for (int i = 0; i < EACH; i++)
      tile_a[y + i * WARPS_DOWN][x] = element_or_zero(
          a, row + i * WARPS_DOWN, first + x, s.n_rows, s.n_inner);
    for (int i = 0; i < EACH_B; i++)
      tile_b[y + i * WARPS_DOWN][x] = element_or_zero(
          b, first + y + i * WARPS_DOWN, col, s.n_inner, s.n_cols);
    __syncthreads();
    for (int k = 0; k < TILE; k++) {
      float b_k = tile_b[k][x];  /* loaded once, used EACH times */
      for (int i = 0; i < EACH; i++)
        sum[i] += tile_a[y + i * WARPS_DOWN][k] * b_k;
    }
    __syncthreads();
  }
  for (int i = 0; i < EACH; i++)
    if (row + i * WARPS_DOWN < s.n_rows && col < s.n_cols)
      c[(row + i * WARPS_DOWN) * s.n_cols + col] = sum[i];
}
// end several

// begin two_phases
__global__ void matmul_two_phases(float *c, const float *a, const float *b,
                                  shape s)
{
  __shared__ float tile_a[TALL][TILE], tile_b[TILE][TILE];
  unsigned x = threadIdx.x, y = threadIdx.y;
  size_t col = (size_t)blockIdx.x * TILE + x;
  size_t row = (size_t)blockIdx.y * TALL + y;
  float sum[EACH] = {}, from_a[EACH] = {}, from_b[EACH_B] = {};
  for (int i = 0; i < EACH; i++)
    from_a[i] = element_or_zero(a, row + i * WARPS_DOWN, x, s.n_rows,
                                s.n_inner);
  for (int i = 0; i < EACH_B; i++)
    from_b[i] = element_or_zero(b, y + i * WARPS_DOWN, col, s.n_inner,
                                s.n_cols);
  for (size_t first = 0; first < s.n_inner; first += TILE) {
    /* The second phase: what the registers hold goes into the tiles. */
    for (int i = 0; i < EACH; i++)
      tile_a[y + i * WARPS_DOWN][x] = from_a[i];
    for (int i = 0; i < EACH_B; i++)
      tile_b[y + i * WARPS_DOWN][x] = from_b[i];
    __syncthreads();
    /* The first phase of the next tiles; the sums do not wait for it. */
    size_t next = first + TILE;
    for (int i = 0; i < EACH; i++)
      from_a[i] = element_or_zero(a, row + i * WARPS_DOWN, next + x,
                                  s.n_rows, s.n_inner);
    for (int i = 0; i < EACH_B; i++)
      from_b[i] = element_or_zero(b, next + y + i * WARPS_DOWN, col,
                                  s.n_inner, s.n_cols);
    for (int k = 0; k < TILE; k++) {
      float b_k = tile_b[k][x];
      for (int i = 0; i < EACH; i++)
        sum[i] += tile_a[y + i * WARPS_DOWN][k] * b_k;
    }
    __syncthreads();
  }
  for (int i = 0; i < EACH; i++)
    if (row + i * WARPS_DOWN < s.n_rows && col < s.n_cols)
      c[(row + i * WARPS_DOWN) * s.n_cols + col] = sum[i];
}
// end two_phases

/* ---- a patch of c in registers --------------------------------------- */

// begin patch_sizes
enum {
  BLOCK = 128,                   /* the block's part of c: BLOCK × BLOCK */
  SLICE = 8,                     /* elements of the sums for each barrier */
  PATCH = 8,                     /* a thread's part of c: PATCH × PATCH */
  ACROSS = BLOCK / PATCH,        /* threads across the block, and down */
  THREADS = ACROSS * ACROSS,
  EACH_SLICE = BLOCK * SLICE / THREADS   /* elements that a thread loads */
};
// end patch_sizes

// begin patch
__global__ __launch_bounds__(THREADS) void matmul_patch(
    float *c, const float *a, const float *b, shape s)
{
  __shared__ float slice_a[BLOCK][SLICE], slice_b[SLICE][BLOCK];
  unsigned t = threadIdx.x, x = t % ACROSS, y = t / ACROSS;
  size_t first_row = (size_t)blockIdx.y * BLOCK;
  size_t first_col = (size_t)blockIdx.x * BLOCK;
  float sum[PATCH][PATCH] = {};
  for (size_t first = 0; first < s.n_inner; first += SLICE) {
    for (unsigned i = 0; i < EACH_SLICE; i++) {
      unsigned at = t + i * THREADS;
      slice_a[at / SLICE][at % SLICE] = element_or_zero(
          a, first_row + at / SLICE, first + at % SLICE, s.n_rows,
          s.n_inner);
      slice_b[at / BLOCK][at % BLOCK] = element_or_zero(
          b, first + at / BLOCK, first_col + at % BLOCK, s.n_inner,
          s.n_cols);
    }
    __syncthreads();
    for (int k = 0; k < SLICE; k++) {
      float a_k[PATCH], b_k[PATCH];
      for (int i = 0; i < PATCH; i++)
        a_k[i] = slice_a[y * PATCH + i][k];
      for (int j = 0; j < PATCH; j++)
        b_k[j] = slice_b[k][x * PATCH + j];
      for (int i = 0; i < PATCH; i++)
        for (int j = 0; j < PATCH; j++)
          sum[i][j] += a_k[i] * b_k[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < PATCH; i++)
    for (int j = 0; j < PATCH; j++) {
      size_t row = first_row + y * PATCH + i;
      size_t col = first_col + x * PATCH + j;
      if (row < s.n_rows && col < s.n_cols)
        c[row * s.n_cols + col] = sum[i][j];
    }
}
// end patch

/* ---- groups of four floats ------------------------------------------- */

/* From here on n_inner and n_cols are multiples of 4, so that a group of
 * four floats is entirely inside a matrix or entirely outside. */
// begin group_or_zero
__device__ float4 group_or_zero(const float *x, size_t row, size_t col,
                                size_t n_rows, size_t n_cols)
{
  return row < n_rows && col < n_cols
             ? *(const float4 *)&x[row * n_cols + col]
             : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
}
// end group_or_zero

// begin groups
__global__ __launch_bounds__(THREADS) void matmul_groups(
    float *c, const float *a, const float *b, shape s)
{
  __shared__ __align__(16) float slice_a[SLICE][BLOCK];   /* turned */
  __shared__ __align__(16) float slice_b[SLICE][BLOCK];
  unsigned t = threadIdx.x, x = t % ACROSS, y = t / ACROSS;
  size_t first_row = (size_t)blockIdx.y * BLOCK;
  size_t first_col = (size_t)blockIdx.x * BLOCK;
  unsigned a_row = t / 2, a_k0 = t % 2 * 4;      /* the group that I load */
  unsigned b_row = t / 32, b_col = t % 32 * 4;
  __align__(16) float sum[PATCH][PATCH] = {};
  for (size_t first = 0; first < s.n_inner; first += SLICE) {
    float4 g = group_or_zero(a, first_row + a_row, first + a_k0, s.n_rows,
                             s.n_inner);
    slice_a[a_k0 + 0][a_row] = g.x;
    slice_a[a_k0 + 1][a_row] = g.y;
    slice_a[a_k0 + 2][a_row] = g.z;
    slice_a[a_k0 + 3][a_row] = g.w;
    *(float4 *)&slice_b[b_row][b_col] = group_or_zero(
        b, first + b_row, first_col + b_col, s.n_inner, s.n_cols);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < SLICE; k++) {
      __align__(16) float a_k[PATCH], b_k[PATCH];
      for (int i = 0; i < PATCH; i += 4)
        *(float4 *)&a_k[i] = *(float4 *)&slice_a[k][y * PATCH + i];
      for (int j = 0; j < PATCH; j += 4)
        *(float4 *)&b_k[j] = *(float4 *)&slice_b[k][x * PATCH + j];
      for (int i = 0; i < PATCH; i++)
        for (int j = 0; j < PATCH; j++)
          sum[i][j] += a_k[i] * b_k[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < PATCH; i++)
    for (int j = 0; j < PATCH; j += 4) {
      size_t row = first_row + y * PATCH + i;
      size_t col = first_col + x * PATCH + j;
      if (row < s.n_rows && col < s.n_cols)
        *(float4 *)&c[row * s.n_cols + col] = *(float4 *)&sum[i][j];
    }
}
// end groups

/* ---- a warp's part of c ---------------------------------------------- */

// begin warp_sizes
enum {
  LANES_DOWN = 4, LANES_ACROSS = 8,      /* a warp's lanes, in its part */
  WARP_ROWS = LANES_DOWN * PATCH,        /* 32 */
  WARP_COLS = LANES_ACROSS * PATCH,      /* 64 */
  PADDED = BLOCK + 4                     /* still whole groups of four */
};
// end warp_sizes

// begin lane_place
/* Where in its warp's part a lane begins. Neighbouring lanes are neighbours
 * in squares of 2 × 2: two lanes that want the same 16 bytes are never far
 * from each other, neither for a nor for b. */
__device__ unsigned lane_down(unsigned lane)
{
  return (lane >> 1 & 1) | (lane >> 4) << 1;     /* 0 … 3 */
}

__device__ unsigned lane_across(unsigned lane)
{
  return (lane & 1) | (lane >> 2 & 3) << 1;      /* 0 … 7 */
}
// end lane_place

// begin warp_tile
__global__ __launch_bounds__(THREADS) void matmul_warp_tile(
    float *c, const float *a, const float *b, shape s)
{
  __shared__ __align__(16) float slice_a[SLICE][PADDED];
  __shared__ __align__(16) float slice_b[SLICE][BLOCK];
  unsigned t = threadIdx.x, warp = t / 32, lane = t % 32;
  unsigned my_row = warp / 2 * WARP_ROWS + 4 * lane_down(lane);
  unsigned my_col = warp % 2 * WARP_COLS + 4 * lane_across(lane);
  size_t first_row = (size_t)blockIdx.y * BLOCK;
  size_t first_col = (size_t)blockIdx.x * BLOCK;
  unsigned a_row = t / 2, a_k0 = t % 2 * 4;
  unsigned b_row = t / 32, b_col = t % 32 * 4;
  __align__(16) float sum[PATCH][PATCH] = {};
  for (size_t first = 0; first < s.n_inner; first += SLICE) {
    float4 g = group_or_zero(a, first_row + a_row, first + a_k0, s.n_rows,
                             s.n_inner);
    slice_a[a_k0 + 0][a_row] = g.x;
    slice_a[a_k0 + 1][a_row] = g.y;
    slice_a[a_k0 + 2][a_row] = g.z;
    slice_a[a_k0 + 3][a_row] = g.w;
    *(float4 *)&slice_b[b_row][b_col] = group_or_zero(
        b, first + b_row, first_col + b_col, s.n_inner, s.n_cols);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < SLICE; k++) {
      __align__(16) float a_k[PATCH], b_k[PATCH];
      for (int i = 0; i < PATCH; i += 4)
        *(float4 *)&a_k[i] = *(float4 *)&slice_a[k][my_row + i * LANES_DOWN];
      for (int j = 0; j < PATCH; j += 4)
        *(float4 *)&b_k[j] =
            *(float4 *)&slice_b[k][my_col + j * LANES_ACROSS];
      for (int i = 0; i < PATCH; i++)
        for (int j = 0; j < PATCH; j++)
          sum[i][j] += a_k[i] * b_k[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < PATCH; i++)
    for (int j = 0; j < PATCH; j += 4) {
      size_t row = first_row + my_row + i / 4 * 4 * LANES_DOWN + i % 4;
      size_t col = first_col + my_col + j * LANES_ACROSS;
      if (row < s.n_rows && col < s.n_cols)
        *(float4 *)&c[row * s.n_cols + col] = *(float4 *)&sum[i][j];
    }
}
// end warp_tile

// begin double_buffer
__global__ __launch_bounds__(THREADS, 2) void matmul_double_buffer(
    float *c, const float *a, const float *b, shape s)
{
  __shared__ __align__(16) float slice_a[2][SLICE][PADDED];
  __shared__ __align__(16) float slice_b[2][SLICE][BLOCK];
  unsigned t = threadIdx.x, warp = t / 32, lane = t % 32;
  unsigned my_row = warp / 2 * WARP_ROWS + 4 * lane_down(lane);
  unsigned my_col = warp % 2 * WARP_COLS + 4 * lane_across(lane);
  size_t first_row = (size_t)blockIdx.y * BLOCK;
  size_t first_col = (size_t)blockIdx.x * BLOCK;
  unsigned a_row = t / 2, a_k0 = t % 2 * 4;
  unsigned b_row = t / 32, b_col = t % 32 * 4;
  __align__(16) float sum[PATCH][PATCH] = {};
  float4 g = group_or_zero(a, first_row + a_row, a_k0, s.n_rows, s.n_inner);
  float4 h = group_or_zero(b, b_row, first_col + b_col, s.n_inner, s.n_cols);
  int now = 0;                                   /* the buffer in use */
  for (size_t first = 0; first < s.n_inner; first += SLICE, now = 1 - now) {
    slice_a[now][a_k0 + 0][a_row] = g.x;
    slice_a[now][a_k0 + 1][a_row] = g.y;
    slice_a[now][a_k0 + 2][a_row] = g.z;
    slice_a[now][a_k0 + 3][a_row] = g.w;
    *(float4 *)&slice_b[now][b_row][b_col] = h;
    __syncthreads();
    size_t next = first + SLICE;
    g = group_or_zero(a, first_row + a_row, next + a_k0, s.n_rows,
                      s.n_inner);
    h = group_or_zero(b, next + b_row, first_col + b_col, s.n_inner,
                      s.n_cols);
#pragma unroll
    for (int k = 0; k < SLICE; k++) {
      __align__(16) float a_k[PATCH], b_k[PATCH];
      for (int i = 0; i < PATCH; i += 4)
        *(float4 *)&a_k[i] =
            *(float4 *)&slice_a[now][k][my_row + i * LANES_DOWN];
      for (int j = 0; j < PATCH; j += 4)
        *(float4 *)&b_k[j] =
            *(float4 *)&slice_b[now][k][my_col + j * LANES_ACROSS];
      for (int i = 0; i < PATCH; i++)
        for (int j = 0; j < PATCH; j++)
          sum[i][j] += a_k[i] * b_k[j];
    }
    /* No second barrier: the next slice goes into the other buffer. */
  }
  for (int i = 0; i < PATCH; i++)
    for (int j = 0; j < PATCH; j += 4) {
      size_t row = first_row + my_row + i / 4 * 4 * LANES_DOWN + i % 4;
      size_t col = first_col + my_col + j * LANES_ACROSS;
      if (row < s.n_rows && col < s.n_cols)
        *(float4 *)&c[row * s.n_cols + col] = *(float4 *)&sum[i][j];
    }
}
// end double_buffer

/* ---- copies that run by themselves ----------------------------------- */

/* The next two versions take whole blocks only: no guards. */

// begin slice
enum { STAGES = 4 };             /* slices in use or on their way */

typedef struct {
  float a[SLICE][PADDED];        /* turned: a[k][row] */
  float b[SLICE][BLOCK];
} slice;
// end slice

// begin copy_slice
/* Starts the copies of one slice. Elements of a go one by one, because they
 * are turned; groups of b as they are. The slice lies wholly inside. */
__device__ __forceinline__ void copy_slice(
    slice *to, const float *a, const float *b, shape s, size_t first_row,
    size_t first_col, size_t first, const unsigned n_threads)
{
#pragma unroll
  for (unsigned i = 0; i < BLOCK * SLICE / n_threads; i++) {
    unsigned at = threadIdx.x + i * n_threads;
    unsigned k = at % SLICE, row = at / SLICE;
    __pipeline_memcpy_async(&to->a[k][row],
                            &a[(first_row + row) * s.n_inner + first + k],
                            sizeof(float));
  }
#pragma unroll
  for (unsigned i = 0; i < BLOCK * SLICE / 4 / n_threads; i++) {
    unsigned at = threadIdx.x + i * n_threads;
    unsigned k = at / (BLOCK / 4), col = at % (BLOCK / 4) * 4;
    __pipeline_memcpy_async(&to->b[k][col],
                            &b[(first + k) * s.n_cols + first_col + col],
                            sizeof(float4));
  }
}
// end copy_slice

// begin async
__global__ __launch_bounds__(THREADS, 2) void matmul_async(
    float *c, const float *a, const float *b, shape s)
{
  __shared__ __align__(16) slice slices[STAGES];
  unsigned t = threadIdx.x, warp = t / 32, lane = t % 32;
  unsigned my_row = warp / 2 * WARP_ROWS + 4 * lane_down(lane);
  unsigned my_col = warp % 2 * WARP_COLS + 4 * lane_across(lane);
  size_t first_row = (size_t)blockIdx.y * BLOCK;
  size_t first_col = (size_t)blockIdx.x * BLOCK;
  __align__(16) float sum[PATCH][PATCH] = {};
  for (int i = 0; i < STAGES - 1; i++) {
    if (i * SLICE < s.n_inner)
      copy_slice(&slices[i], a, b, s, first_row, first_col, i * SLICE,
                 THREADS);
    __pipeline_commit();
  }
  unsigned n = 0;
  for (size_t first = 0; first < s.n_inner; first += SLICE, n++) {
    __pipeline_wait_prior(STAGES - 2);   /* my copies of this slice … */
    __syncthreads();                     /* … and everybody's */
    size_t next = first + (STAGES - 1) * SLICE;
    if (next < s.n_inner)
      copy_slice(&slices[(n + STAGES - 1) % STAGES], a, b, s, first_row,
                 first_col, next, THREADS);
    __pipeline_commit();
    const slice *now = &slices[n % STAGES];
#pragma unroll
    for (int k = 0; k < SLICE; k++) {
      __align__(16) float a_k[PATCH], b_k[PATCH];
      for (int i = 0; i < PATCH; i += 4)
        *(float4 *)&a_k[i] = *(float4 *)&now->a[k][my_row + i * LANES_DOWN];
      for (int j = 0; j < PATCH; j += 4)
        *(float4 *)&b_k[j] = *(float4 *)&now->b[k][my_col + j * LANES_ACROSS];
      for (int i = 0; i < PATCH; i++)
        for (int j = 0; j < PATCH; j++)
          sum[i][j] += a_k[i] * b_k[j];
    }
  }
  for (int i = 0; i < PATCH; i++)
    for (int j = 0; j < PATCH; j += 4) {
      size_t row = first_row + my_row + i / 4 * 4 * LANES_DOWN + i % 4;
      size_t col = first_col + my_col + j * LANES_ACROSS;
      if (row < s.n_rows && col < s.n_cols)
        *(float4 *)&c[row * s.n_cols + col] = *(float4 *)&sum[i][j];
    }
}
// end async

/* ---- larger patches: the block has four warps ------------------------ */

// begin tall_sizes
enum {
  TALL_PATCH = 16,                        /* TALL_PATCH × PATCH a thread */
  BIG_WARP = 64,                          /* a warp's part: 64 × 64 */
  FEW_THREADS = 128,
  GROUPS_A = BLOCK * SLICE / 4 / FEW_THREADS,   /* that a thread loads */
  GROUPS_B = GROUPS_A
};

typedef struct {
  __align__(16) float a[TALL_PATCH], b[PATCH];
} operands;
// end tall_sizes

// begin read_operands
/* What a thread needs for one k; `row` and `col` are its place in the block. */
__device__ __forceinline__ void read_operands(operands *o, const slice *from,
                                              int k, unsigned row,
                                              unsigned col)
{
  for (int i = 0; i < TALL_PATCH; i += 4)
    *(float4 *)&o->a[i] = *(float4 *)&from->a[k][row + i * LANES_DOWN];
  for (int j = 0; j < PATCH; j += 4)
    *(float4 *)&o->b[j] = *(float4 *)&from->b[k][col + j * LANES_ACROSS];
}

__device__ __forceinline__ void multiply(float sum[TALL_PATCH][PATCH],
                                         const operands *o)
{
  for (int i = 0; i < TALL_PATCH; i++)
    for (int j = 0; j < PATCH; j++)
      sum[i][j] += o->a[i] * o->b[j];
}
// end read_operands

// begin store_patch
__device__ __forceinline__ void store_patch(
    float *c, shape s, size_t first_row, size_t first_col,
    float sum[TALL_PATCH][PATCH])
{
  for (int i = 0; i < TALL_PATCH; i++)
    for (int j = 0; j < PATCH; j += 4) {
      size_t row = first_row + i / 4 * 4 * LANES_DOWN + i % 4;
      size_t col = first_col + j * LANES_ACROSS;
      if (row < s.n_rows && col < s.n_cols)
        *(float4 *)&c[row * s.n_cols + col] = *(float4 *)&sum[i][j];
    }
}
// end store_patch

// begin tall_patch
__global__ __launch_bounds__(FEW_THREADS, 2) void matmul_tall_patch(
    float *c, const float *a, const float *b, shape s)
{
  __shared__ __align__(16) slice slices[STAGES];
  unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  unsigned my_row = warp / 2 * BIG_WARP + 4 * lane_down(lane);
  unsigned my_col = warp % 2 * BIG_WARP + 4 * lane_across(lane);
  size_t first_row = (size_t)blockIdx.y * BLOCK;
  size_t first_col = (size_t)blockIdx.x * BLOCK;
  __align__(16) float sum[TALL_PATCH][PATCH] = {};
  for (int i = 0; i < STAGES - 1; i++) {
    if (i * SLICE < s.n_inner)
      copy_slice(&slices[i], a, b, s, first_row, first_col, i * SLICE,
                 FEW_THREADS);
    __pipeline_commit();
  }
  unsigned n = 0;
  for (size_t first = 0; first < s.n_inner; first += SLICE, n++) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    size_t next = first + (STAGES - 1) * SLICE;
    if (next < s.n_inner)
      copy_slice(&slices[(n + STAGES - 1) % STAGES], a, b, s, first_row,
                 first_col, next, FEW_THREADS);
    __pipeline_commit();
#pragma unroll
    for (int k = 0; k < SLICE; k++) {
      operands o;
      read_operands(&o, &slices[n % STAGES], k, my_row, my_col);
      multiply(sum, &o);
    }
  }
  store_patch(c, s, first_row + my_row, first_col + my_col, sum);
}
// end tall_patch

// begin loader
/* What one thread loads for each slice: groups of four floats, where they
 * are now, and where in a slice they go. Rows and columns outside of the
 * matrix are replaced by the last ones inside: whatever they add to is never
 * stored. Only k needs a guard, where the last slice is not whole. */
typedef struct {
  const float *a[GROUPS_A], *b[GROUPS_B];
  float4 from_a[GROUPS_A];               /* on its way to be turned */
  unsigned a_row, a_k, b_col, b_k;
} loader;

__device__ __forceinline__ loader loader_for(
    const float *a, const float *b, shape s, size_t first_row,
    size_t first_col)
{
  loader me;
  me.a_row = threadIdx.x / 2;
  me.a_k = threadIdx.x % 2 * 4;
  me.b_k = threadIdx.x / (BLOCK / 4);
  me.b_col = threadIdx.x % (BLOCK / 4) * 4;
  for (int i = 0; i < GROUPS_A; i++) {
    size_t row = first_row + me.a_row + i * (FEW_THREADS / 2);
    me.a[i] = &a[(row < s.n_rows ? row : s.n_rows - 1) * s.n_inner + me.a_k];
  }
  size_t col = first_col + me.b_col;
  for (int i = 0; i < GROUPS_B; i++)
    me.b[i] = &b[(me.b_k + i * (SLICE / GROUPS_B)) * s.n_cols +
                 (col < s.n_cols ? col : s.n_cols - 4)];
  return me;
}

/* b's groups go by themselves, a's into registers … */
__device__ __forceinline__ void start_loads(loader *me, slice *to, shape s,
                                            size_t first, const int guarded)
{
  const float4 zeros = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int i = 0; i < GROUPS_A; i++) {
    int inside = !guarded || first + me->a_k < s.n_inner;
    me->from_a[i] = inside ? *(const float4 *)me->a[i] : zeros;
    me->a[i] += SLICE;
  }
  for (int i = 0; i < GROUPS_B; i++) {
    unsigned k = me->b_k + i * (SLICE / GROUPS_B);
    if (!guarded || first + k < s.n_inner)
      __pipeline_memcpy_async(&to->b[k][me->b_col], me->b[i],
                              sizeof(float4));
    else
      *(float4 *)&to->b[k][me->b_col] = zeros;
    me->b[i] += SLICE * s.n_cols;
  }
}

/* … and from there, turned, into the slice. */
__device__ __forceinline__ void finish_loads(const loader *me, slice *to)
{
  for (int i = 0; i < GROUPS_A; i++) {
    unsigned row = me->a_row + i * (FEW_THREADS / 2);
    to->a[me->a_k + 0][row] = me->from_a[i].x;
    to->a[me->a_k + 1][row] = me->from_a[i].y;
    to->a[me->a_k + 2][row] = me->from_a[i].z;
    to->a[me->a_k + 3][row] = me->from_a[i].w;
  }
}
// end loader

// begin first_slices
__device__ __forceinline__ void first_slices(loader *me, slice *slices,
                                             shape s, const int guarded)
{
  for (int i = 0; i < STAGES - 1; i++) {
    if (i * SLICE < s.n_inner) {
      start_loads(me, &slices[i], s, i * SLICE, guarded);
      finish_loads(me, &slices[i]);
    }
    __pipeline_commit();
  }
}
// end first_slices

// begin lean
__global__ __launch_bounds__(FEW_THREADS, 2) void matmul_lean(
    float *c, const float *a, const float *b, shape s)
{
  __shared__ __align__(16) slice slices[STAGES];
  unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  unsigned my_row = warp / 2 * BIG_WARP + 4 * lane_down(lane);
  unsigned my_col = warp % 2 * BIG_WARP + 4 * lane_across(lane);
  size_t first_row = (size_t)blockIdx.y * BLOCK;
  size_t first_col = (size_t)blockIdx.x * BLOCK;
  __align__(16) float sum[TALL_PATCH][PATCH] = {};
  loader me = loader_for(a, b, s, first_row, first_col);
  first_slices(&me, slices, s, 0);
  unsigned n = 0;
#pragma unroll 1
  for (size_t first = 0; first < s.n_inner; first += SLICE, n++) {
    slice *now = &slices[n % STAGES];
    slice *last = &slices[(n + STAGES - 1) % STAGES];
    size_t next = first + (STAGES - 1) * SLICE;
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    if (next < s.n_inner)
      start_loads(&me, last, s, next, 0);
    __pipeline_commit();
#pragma unroll
    for (int k = 0; k < SLICE; k++) {
      operands o;
      read_operands(&o, now, k, my_row, my_col);
      multiply(sum, &o);
    }
    if (next < s.n_inner)
      finish_loads(&me, last);
  }
  store_patch(c, s, first_row + my_row, first_col + my_col, sum);
}
// end lean

// begin multiply_snake
/* The same products, every second row from its end: each of them shares one
 * factor with the one before it, also where the row changes. */
__device__ __forceinline__ void multiply_snake(float sum[TALL_PATCH][PATCH],
                                               const operands *o)
{
  for (int i = 0; i < TALL_PATCH; i++)
    for (int step = 0; step < PATCH; step++) {
      int j = i % 2 == 0 ? step : PATCH - 1 - step;
      sum[i][j] += o->a[i] * o->b[j];
    }
}
// end multiply_snake

// begin read_ahead
__device__ __forceinline__ void matmul_block(
    float *c, const float *a, const float *b, shape s, size_t first_row,
    size_t first_col, const int guarded, const int snake)
{
  __shared__ __align__(16) slice slices[STAGES];
  unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  unsigned my_row = warp / 2 * BIG_WARP + 4 * lane_down(lane);
  unsigned my_col = warp % 2 * BIG_WARP + 4 * lane_across(lane);
  __align__(16) float sum[TALL_PATCH][PATCH] = {};
  loader me = loader_for(a, b, s, first_row, first_col);
  first_slices(&me, slices, s, guarded);
  __pipeline_wait_prior(STAGES - 2);
  __syncthreads();
  operands o[2];                         /* in use, and on their way */
  if (s.n_inner > 0)
    read_operands(&o[0], &slices[0], 0, my_row, my_col);
  unsigned n = 0;
#pragma unroll 1
  for (size_t first = 0; first < s.n_inner; first += SLICE, n++) {
    slice *now = &slices[n % STAGES];
    slice *after = first + SLICE < s.n_inner ? &slices[(n + 1) % STAGES]
                                             : now;   /* there is none */
    slice *last = &slices[(n + STAGES - 1) % STAGES];
    size_t next = first + (STAGES - 1) * SLICE;
    if (next < s.n_inner)
      start_loads(&me, last, s, next, guarded);
    __pipeline_commit();
#pragma unroll
    for (int k = 0; k < SLICE; k++) {
      if (k == SLICE - 1) {              /* the slice after must be there */
        if (next < s.n_inner)
          finish_loads(&me, last);
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
      }
      read_operands(&o[(k + 1) % 2], k < SLICE - 1 ? now : after,
                    (k + 1) % SLICE, my_row, my_col);
      if (snake)
        multiply_snake(sum, &o[k % 2]);
      else
        multiply(sum, &o[k % 2]);
    }
  }
  store_patch(c, s, first_row + my_row, first_col + my_col, sum);
}

__global__ __launch_bounds__(FEW_THREADS, 2) void matmul_read_ahead(
    float *c, const float *a, const float *b, shape s)
{
  matmul_block(c, a, b, s, (size_t)blockIdx.y * BLOCK,
               (size_t)blockIdx.x * BLOCK, 0, 0);
}
// end read_ahead

enum { BAND = 8 };                       /* rows of blocks */

// begin bands
/* Blocks start in the order of their number. Those that run together shall
 * share rows of a and columns of b: they walk down a band of c, column by
 * column, and then down the next band. */
__device__ void place_in_band(size_t *first_row, size_t *first_col)
{
  unsigned number = blockIdx.y * gridDim.x + blockIdx.x;
  unsigned band = number / (BAND * gridDim.x);
  unsigned in_band = number % (BAND * gridDim.x);
  unsigned n_down = min((unsigned)BAND, gridDim.y - band * BAND);
  *first_row = (size_t)(band * BAND + in_band % n_down) * BLOCK;
  *first_col = (size_t)(in_band / n_down) * BLOCK;
}

__global__ __launch_bounds__(FEW_THREADS, 2) void matmul_bands(
    float *c, const float *a, const float *b, shape s)
{
  size_t first_row, first_col;
  place_in_band(&first_row, &first_col);
  matmul_block(c, a, b, s, first_row, first_col, 0, 0);
}
// end bands

// begin snake
__global__ __launch_bounds__(FEW_THREADS, 2) void matmul_snake(
    float *c, const float *a, const float *b, shape s)
{
  size_t first_row, first_col;
  place_in_band(&first_row, &first_col);
  matmul_block(c, a, b, s, first_row, first_col, 0, 1);
}
// end snake

// begin guarded
__global__ __launch_bounds__(FEW_THREADS, 2) void matmul_guarded(
    float *c, const float *a, const float *b, shape s)
{
  size_t first_row, first_col;
  place_in_band(&first_row, &first_col);
  matmul_block(c, a, b, s, first_row, first_col, 1, 1);
}
// end guarded

/* ---- launchers ------------------------------------------------------- */

static unsigned blocks_for(size_t n, size_t per_block)
{
  return (unsigned)((n + per_block - 1) / per_block);
}

static dim3 grid_of(shape s, size_t rows_per_block, size_t cols_per_block)
{
  return dim3(blocks_for(s.n_cols, cols_per_block),
              blocks_for(s.n_rows, rows_per_block));
}

// begin launch_lanes_down
static void launch_lanes_down(float *d_c, const float *d_a,
                              const float *d_b, shape s)
{
  dim3 grid(blocks_for(s.n_rows, TILE), blocks_for(s.n_cols, TILE));
  matmul_lanes_down<<<grid, dim3(TILE, TILE)>>>(d_c, d_a, d_b, s);
}
// end launch_lanes_down

static void launch_naive(float *d_c, const float *d_a, const float *d_b,
                         shape s)
{
  matmul_naive<<<grid_of(s, TILE, TILE), dim3(TILE, TILE)>>>(d_c, d_a, d_b,
                                                             s);
}

static void launch_tile(float *d_c, const float *d_a, const float *d_b,
                        shape s)
{
  matmul_tile<<<grid_of(s, TILE, TILE), dim3(TILE, TILE)>>>(d_c, d_a, d_b,
                                                            s);
}

static void launch_several(float *d_c, const float *d_a, const float *d_b,
                           shape s)
{
  matmul_several<<<grid_of(s, TALL, TILE), dim3(TILE, WARPS_DOWN)>>>(
      d_c, d_a, d_b, s);
}

static void launch_two_phases(float *d_c, const float *d_a,
                              const float *d_b, shape s)
{
  matmul_two_phases<<<grid_of(s, TALL, TILE), dim3(TILE, WARPS_DOWN)>>>(
      d_c, d_a, d_b, s);
}

static void launch_patch(float *d_c, const float *d_a, const float *d_b,
                         shape s)
{
  matmul_patch<<<grid_of(s, BLOCK, BLOCK), THREADS>>>(d_c, d_a, d_b, s);
}

/* Whole groups of four only; any other product goes the scalar way. */
static int has_whole_groups(shape s)
{
  return s.n_cols % 4 == 0 && s.n_inner % 4 == 0;
}

// begin launch_groups
static void launch_groups(float *d_c, const float *d_a, const float *d_b,
                          shape s)
{
  if (has_whole_groups(s))
    matmul_groups<<<grid_of(s, BLOCK, BLOCK), THREADS>>>(d_c, d_a, d_b, s);
  else
    launch_patch(d_c, d_a, d_b, s);
}
// end launch_groups

static void launch_warp_tile(float *d_c, const float *d_a, const float *d_b,
                             shape s)
{
  if (has_whole_groups(s))
    matmul_warp_tile<<<grid_of(s, BLOCK, BLOCK), THREADS>>>(d_c, d_a, d_b,
                                                            s);
  else
    launch_patch(d_c, d_a, d_b, s);
}

static void launch_double_buffer(float *d_c, const float *d_a,
                                 const float *d_b, shape s)
{
  if (has_whole_groups(s))
    matmul_double_buffer<<<grid_of(s, BLOCK, BLOCK), THREADS>>>(d_c, d_a,
                                                                d_b, s);
  else
    launch_patch(d_c, d_a, d_b, s);
}

static int has_whole_blocks(shape s)
{
  return s.n_rows % BLOCK == 0 && s.n_cols % BLOCK == 0 &&
         s.n_inner % SLICE == 0;
}

static void launch_async(float *d_c, const float *d_a, const float *d_b,
                         shape s)
{
  if (has_whole_blocks(s))
    matmul_async<<<grid_of(s, BLOCK, BLOCK), THREADS>>>(d_c, d_a, d_b, s);
  else
    launch_double_buffer(d_c, d_a, d_b, s);
}

static void launch_tall_patch(float *d_c, const float *d_a,
                              const float *d_b, shape s)
{
  if (has_whole_blocks(s))
    matmul_tall_patch<<<grid_of(s, BLOCK, BLOCK), FEW_THREADS>>>(d_c, d_a,
                                                                 d_b, s);
  else
    launch_double_buffer(d_c, d_a, d_b, s);
}

// begin launch_by_size
typedef void kernel(float *c, const float *a, const float *b, shape s);

/* Whole slices, of any number of rows and columns, go to the kernel itself;
 * others to the one with guards; no groups at all to the scalar one. */
static void launch_by_size(kernel *run, float *d_c, const float *d_a,
                           const float *d_b, shape s)
{
  if (!has_whole_groups(s))
    launch_patch(d_c, d_a, d_b, s);
  else if (s.n_inner % SLICE == 0)
    run<<<grid_of(s, BLOCK, BLOCK), FEW_THREADS>>>(d_c, d_a, d_b, s);
  else
    matmul_guarded<<<grid_of(s, BLOCK, BLOCK), FEW_THREADS>>>(d_c, d_a, d_b,
                                                              s);
}
// end launch_by_size

static void launch_lean(float *d_c, const float *d_a, const float *d_b,
                        shape s)
{
  launch_by_size(matmul_lean, d_c, d_a, d_b, s);
}

static void launch_read_ahead(float *d_c, const float *d_a,
                              const float *d_b, shape s)
{
  launch_by_size(matmul_read_ahead, d_c, d_a, d_b, s);
}

static void launch_bands(float *d_c, const float *d_a, const float *d_b,
                         shape s)
{
  launch_by_size(matmul_bands, d_c, d_a, d_b, s);
}

static void launch_snake(float *d_c, const float *d_a, const float *d_b,
                         shape s)
{
  launch_by_size(matmul_snake, d_c, d_a, d_b, s);
}

static cublasHandle_t cublas_handle(void)
{
  static cublasHandle_t handle;
  if (!handle)
    CUBLAS_CHECK(cublasCreate(&handle));
  return handle;
}

// begin cublas
/* cuBLAS takes matrices column by column. Read so, our b and a are their own
 * transposes, and so is the c that we want: its transpose is the product of
 * the transposes, in the other order. */
static void launch_cublas(float *d_c, const float *d_a, const float *d_b,
                          shape s)
{
  const float one = 1.0f, zero = 0.0f;
  int n_rows = (int)s.n_rows, n_cols = (int)s.n_cols;
  int n_inner = (int)s.n_inner;
  CUBLAS_CHECK(cublasSgemm(cublas_handle(), CUBLAS_OP_N, CUBLAS_OP_N,
                           n_cols, n_rows, n_inner, &one, d_b, n_cols,
                           d_a, n_inner > 0 ? n_inner : 1, &zero, d_c,
                           n_cols));
}
// end cublas

/* ---- versions -------------------------------------------------------- */

typedef struct {
  const char *name;
  const char *idea;
  void (*launch)(float *d_c, const float *d_a, const float *d_b, shape s);
  kernel *run;           /* what it launches for whole blocks */
  int block_threads;
} version;

/* cuBLAS comes first: the others are given as shares of it. */
static const version versions[] = {
  {"cublas", "the library", launch_cublas, NULL, 0},
  {"lanes_down", "one element a thread, lanes down a column",
   launch_lanes_down, matmul_lanes_down, TILE * TILE},
  {"naive", "one element a thread, lanes along a row", launch_naive,
   matmul_naive, TILE * TILE},
  {"tile", "tiles of a and b in shared memory", launch_tile, matmul_tile,
   TILE * TILE},
  {"several", "eight elements a thread", launch_several, matmul_several,
   TILE * WARPS_DOWN},
  {"two_phases", "the next tiles are loaded meanwhile", launch_two_phases,
   matmul_two_phases, TILE * WARPS_DOWN},
  {"patch", "8 x 8 elements a thread", launch_patch, matmul_patch, THREADS},
  {"groups", "16-byte accesses", launch_groups, matmul_groups, THREADS},
  {"warp_tile", "a warp's lanes in 4 x 8", launch_warp_tile,
   matmul_warp_tile, THREADS},
  {"double_buffer", "two slices, one barrier", launch_double_buffer,
   matmul_double_buffer, THREADS},
  {"async", "copies that run by themselves", launch_async, matmul_async,
   THREADS},
  {"tall_patch", "16 x 8 elements a thread", launch_tall_patch,
   matmul_tall_patch, FEW_THREADS},
  {"lean", "fewer instructions that do not multiply", launch_lean,
   matmul_lean, FEW_THREADS},
  {"read_ahead", "operands are read one k ahead", launch_read_ahead,
   matmul_read_ahead, FEW_THREADS},
  {"bands", "blocks walk in bands", launch_bands, matmul_bands,
   FEW_THREADS},
  {"snake", "each product shares a factor with the last", launch_snake,
   matmul_snake, FEW_THREADS},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- checking -------------------------------------------------------- */

/* Host copies of a, b and what c should be. */
typedef struct {
  shape s;
  float *h_a, *h_b, *h_expected;
  double tolerance;      /* 0: to the last bit */
} problem;

static float *allocate_floats(size_t n)
{
  float *x = (float *)malloc((n + 1) * sizeof(float));
  if (!x) {
    fprintf(stderr, "error: no memory for %zu floats\n", n);
    exit(EXIT_FAILURE);
  }
  return x;
}

/* Whole numbers have exact sums in any order: every bit must be right. The
 * sums of fractions depend on the order. */
static problem make_problem(shape s, int whole_numbers,
                            random_source *source)
{
  problem p = {s, allocate_floats(s.n_rows * s.n_inner),
               allocate_floats(s.n_inner * s.n_cols),
               allocate_floats(s.n_rows * s.n_cols), 0.0};
  if (whole_numbers) {
    for (size_t i = 0; i < s.n_rows * s.n_inner; i++)
      p.h_a[i] = (float)random_below(source, 17) - 8.0f;
    for (size_t i = 0; i < s.n_inner * s.n_cols; i++)
      p.h_b[i] = (float)random_below(source, 17) - 8.0f;
  } else {
    random_fill_floats(source, p.h_a, s.n_rows * s.n_inner);
    random_fill_floats(source, p.h_b, s.n_inner * s.n_cols);
    /* Each of n_inner roundings is off by 2^-24 of a sum that stays below
     * n_inner. */
    p.tolerance = 0x1p-24 * (double)s.n_inner;
  }
  matmul_reference(p.h_expected, p.h_a, p.h_b, s);
  return p;
}

static void free_problem(problem *p)
{
  free(p->h_a);
  free(p->h_b);
  free(p->h_expected);
}

static int check_version(const version *v, const problem *p)
{
  shape s = p->s;
  size_t a_bytes = s.n_rows * s.n_inner * sizeof(float);
  size_t b_bytes = s.n_inner * s.n_cols * sizeof(float);
  size_t c_bytes = s.n_rows * s.n_cols * sizeof(float);
  char what[96];
  snprintf(what, sizeof what, "%s, %zu x %zu x %zu", v->name, s.n_rows,
           s.n_cols, s.n_inner);
  char *h_c = (char *)malloc(c_bytes + GUARD_BYTES);
  float *d_a, *d_b, *d_c;
  CUDA_CHECK(cudaMalloc(&d_a, a_bytes + sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_b, b_bytes + sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_c, c_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMemcpy(d_a, p->h_a, a_bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_b, p->h_b, b_bytes, cudaMemcpyHostToDevice));
  poison_device(d_c, c_bytes + GUARD_BYTES);
  v->launch(d_c, d_a, d_b, s);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_c, d_c, c_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  int good = compare_floats_within(what, p->h_expected, (float *)h_c,
                                   s.n_rows * s.n_cols, p->tolerance,
                                   (double)s.n_inner) &&
             compare_guard(what, h_c + c_bytes, GUARD_BYTES);
  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_c));
  free(h_c);
  return good;
}

static int check_shape(const options *o, random_source *source, shape s,
                       int whole_numbers)
{
  int n_bad = 0;
  problem p = make_problem(s, whole_numbers, source);
  for (int i = 0; i < N_VERSIONS; i++)
    if (options_wants(o, versions[i].name))
      n_bad += !check_version(&versions[i], &p);
  free_problem(&p);
  return n_bad;
}

/* Single elements, no sum at all, tiles and slices one too large and one too
 * small, whole groups of four that fill no tile, blocks of every shape. */
static int check_versions(const options *o)
{
  static const shape shapes[] = {
    {1, 1, 1}, {1, 1, 300}, {5, 7, 0}, {8, 4, 0}, {3, 5, 7}, {1, 33, 31},
    {33, 1, 9},
    {32, 32, 32}, {31, 33, 65}, {4, 4, 4}, {36, 100, 20}, {64, 128, 8},
    {65, 132, 12}, {127, 129, 33}, {128, 128, 40}, {260, 132, 36},
    {100, 300, 64}, {256, 128, 16}, {1300, 128, 8},
  };
  random_source source = random_from_seed(o->seed);
  int n_bad = 0;
  if (o->check && o->n_sizes == 3) {
    shape s = {o->size[0], o->size[1], o->size[2]};
    n_bad += check_shape(o, &source, s, 1);
  } else {
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
      n_bad += check_shape(o, &source, shapes[i], 1);
    shape fractions = {132, 68, 100};
    n_bad += check_shape(o, &source, fractions, 0);
  }
  if (!device_is_software()) {
    shape large = {1100, 1036, 516};
    n_bad += check_shape(o, &source, large, 1);
  }
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

static matrices allocate_matrices(shape s, uint64_t seed)
{
  matrices m;
  random_source source = random_from_seed(seed);
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

/* Additions and multiplications. */
static double flop_of(shape s)
{
  return 2.0 * (double)s.n_rows * (double)s.n_cols * (double)s.n_inner;
}

static double gflop_per_s(shape s, double time_us)
{
  return time_us > 0.0 ? flop_of(s) / time_us * 1e-3 : 0.0;
}

static timing time_version(const version *v, const matrices *m, shape s,
                           int repetitions)
{
  timing t = timing_start(repetitions);
  while (timing_next(&t)) {
    v->launch(m->d_c, m->d_a, m->d_b, s);
    CUDA_CHECK_LAUNCH();
  }
  return t;
}

/* The slowest versions take half a second: fewer repetitions for them. */
static int affordable_repetitions(const version *v, const matrices *m,
                                  shape s, int wanted)
{
  double start_us = timing_host_us();
  v->launch(m->d_c, m->d_a, m->d_b, s);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaDeviceSynchronize());
  double affordable = 0.5e6 / (timing_host_us() - start_us);
  return affordable >= wanted ? wanted : affordable > 1.0 ? (int)affordable
                                                          : 1;
}

static void print_head(const options *o)
{
  if (o->csv)
    printf("version,n_rows,n_cols,n_inner,repetitions,time_us,"
           "time_spread_us,gflop_per_s,share_of_cublas\n");
  else
    printf("%-22s %24s %12s %12s %8s\n", "version", "rows x cols x inner",
           "median us", "GFLOP/s", "share");
}

/* Every wanted version against cuBLAS, in one run. */
static void measure_shape(const options *o, shape s,
                          const char *const *only)
{
  matrices m = allocate_matrices(s, o->seed);
  double cublas_us = 0.0;
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    int wanted = 0;
    for (int j = 0; only[j]; j++)
      wanted = wanted || strcmp(only[j], v->name) == 0;
    if (i > 0 && (!wanted || !options_wants(o, v->name)))
      continue;
    int repetitions = affordable_repetitions(v, &m, s, o->repetitions);
    timing t = time_version(v, &m, s, repetitions);
    if (i == 0)
      cublas_us = t.median_us;
    if (o->csv) {
      printf("%s,%zu,%zu,%zu,%d,%.3f,%.3f,%.1f,%.4f\n", v->name, s.n_rows,
             s.n_cols, s.n_inner, t.repetitions, t.median_us, t.spread_us,
             gflop_per_s(s, t.median_us), cublas_us / t.median_us);
    } else {
      char size[64];
      snprintf(size, sizeof size, "%zu x %zu x %zu", s.n_rows, s.n_cols,
               s.n_inner);
      printf("%-22s %24s %12.2f %12.1f %7.1f%%\n", v->name, size,
             t.median_us, gflop_per_s(s, t.median_us),
             100.0 * cublas_us / t.median_us);
    }
    fflush(stdout);
  }
  free_matrices(&m);
}

static shape shape_of(const options *o, size_t wanted)
{
  shape s;
  if (o->n_sizes > 1) {
    s.n_rows = o->size[0];
    s.n_cols = o->size[1];
    s.n_inner = o->n_sizes > 2 ? o->size[2] : o->size[1];
    memory_need(o, ((double)s.n_rows * (double)s.n_inner +
                    (double)s.n_inner * (double)s.n_cols +
                    (double)s.n_rows * (double)s.n_cols) * sizeof(float));
  } else {
    s.n_rows = s.n_cols = s.n_inner =
        memory_side(o, wanted, 3 * sizeof(float));
  }
  return s;
}

static void measure_ladder(const options *o)
{
  /* Without the one that would take longer than all the others. */
  static const char *const only[] = {
    "cublas", "naive", "tile", "several", "two_phases", "patch", "groups",
    "warp_tile", "double_buffer", "async", "tall_patch", "lean",
    "read_ahead", "bands", "snake", NULL};
  print_head(o);
  measure_shape(o, shape_of(o, 8192), only);
}

/* The three products of a lab sheet. */
static void measure_lab(const options *o)
{
  static const shape shapes[] = {
    {4096, 2048, 1024}, {1024, 1024, 1024}, {8192, 4096, 512}};
  static const char *const only[] = {"cublas", "lanes_down", "naive",
                                     "tile", "several", "warp_tile",
                                     "snake", NULL};
  print_head(o);
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
    measure_shape(o, shapes[i], only);
}

/* Few elements with long sums: fewer blocks than multiprocessors. */
static void measure_long(const options *o)
{
  static const char *const only[] = {"cublas", "tile", "snake", NULL};
  shape s = {128, 128, 65536};
  print_head(o);
  measure_shape(o, s, only);
}

/* Sides that fill blocks and waves of blocks, and sides that do not. */
static void measure_sizes(const options *o)
{
  static const size_t sides[] = {
    256, 512, 768, 1000, 1001, 1024, 1536, 2000, 2001, 2048, 3000, 3072,
    4000, 4001, 4096, 4097, 5000, 6144, 8192, 8196};
  static const char *const only[] = {"cublas", "patch", "snake", NULL};
  print_head(o);
  for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
    shape s = {sides[i], sides[i], sides[i]};
    measure_shape(o, s, only);
  }
}

/* What the assembler gave each version, and how many warps of it a
 * multiprocessor can keep. */
static void print_registers(const options *o)
{
  printf("version,block_threads,registers,local_bytes,sm_blocks,sm_warps\n");
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    cudaFuncAttributes attributes;
    int n_blocks;
    if (!v->run || !options_wants(o, v->name))
      continue;
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, v->run));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &n_blocks, v->run, v->block_threads, 0));
    printf("%s,%d,%d,%zu,%d,%d\n", v->name, v->block_threads,
           attributes.numRegs, attributes.localSizeBytes, n_blocks,
           n_blocks * v->block_threads / 32);
  }
}

/* Each version once (of "traffic" only two, which differ in the order of their
 * blocks), for a profiler or the software device to count; prints
 * which launch is which. cuBLAS launches what it likes: it is left out. The
 * sums are long, so that storing them is as small a part as in large products;
 * then counts grow with n_rows × n_cols × n_inner. */
static void count(const options *o)
{
  shape s = {128, 128, 2048};
  if (o->n_sizes > 0)
    s = shape_of(o, 0);
  matrices m = allocate_matrices(s, o->seed);
  printf("version,n_rows,n_cols,n_inner\n");
  for (int i = 1; i < N_VERSIONS; i++)
    if (options_wants(o, versions[i].name) &&
        (strcmp(o->count, "traffic") != 0 ||
         versions[i].launch == launch_read_ahead ||
         versions[i].launch == launch_bands)) {
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
  options o = options_parse(argc, argv, "multiplies two matrices of floats",
                            "ladder,lab,long,registers,sizes",
                            "versions,traffic");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count) {
    count(&o);
    return EXIT_SUCCESS;
  }
  if (check_versions(&o) > 0)
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  if (o.csv && strcmp(o.csv, "lab") == 0)
    measure_lab(&o);
  else if (o.csv && strcmp(o.csv, "long") == 0)
    measure_long(&o);
  else if (o.csv && strcmp(o.csv, "registers") == 0)
    print_registers(&o);
  else if (o.csv && strcmp(o.csv, "sizes") == 0)
    measure_sizes(&o);
  else
    measure_ladder(&o);
  return EXIT_SUCCESS;
}
