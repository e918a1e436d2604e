/* What is beyond the edge of an image?  Four answers, each in the kernel that
 * asks for every product and in the one that asks when it loads its tile.
 *
 *   nvcc -I code code/convolution/boundary.cu -o boundary && ./boundary */
#include "convolution/convolution.h"

enum { TILE = 32, WARPS = 8 };

/* In each kernel the mode is a constant, so that none of them asks which it
 * is: what is compared is only when the edge is looked at. */
// begin mode
typedef enum { ZERO, CLAMP, WRAP, MIRROR } boundary;

/* Which of n elements is at place i; -1: none, it counts as 0. */
static __host__ __device__ int element_at(int i, int n, boundary mode)
{
  if (i >= 0 && i < n)
    return i;
  switch (mode) {
  case CLAMP: return i < 0 ? 0 : n - 1;
  case WRAP: return (i % n + n) % n;
  case MIRROR: {
    int turn = (i % (2 * n) + 2 * n) % (2 * n);
    return turn < n ? turn : 2 * n - 1 - turn;
  }
  default: return -1;
  }
}
// end mode

/* ---- reference -------------------------------------------------------- */

static void convolve_with(float *out, const float *in, problem p,
                          boundary mode)
{
  int n = 2 * p.radius + 1;
  for (int row = 0; row < p.n_rows; row++)
    for (int col = 0; col < p.n_cols; col++) {
      double sum = 0.0;
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
          int y = element_at(row + i - p.radius, p.n_rows, mode);
          int x = element_at(col + j - p.radius, p.n_cols, mode);
          if (y >= 0 && x >= 0)
            sum += (double)h_square[i * n + j] *
                   in[(size_t)y * p.n_cols + x];
        }
      out[(size_t)row * p.n_cols + col] = (float)sum;
    }
}

/* ---- kernels ---------------------------------------------------------- */

// begin each_product
template <boundary mode>
__global__ void each_product(float *out, const float *in, problem p)
{
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= p.n_rows || col >= p.n_cols)
    return;
  int n = 2 * p.radius + 1;
  float sum = 0.0f;
  for (int i = 0; i < n; i++) {
    int y = element_at(row + i - p.radius, p.n_rows, mode);
    if (y < 0)
      continue;
    for (int j = 0; j < n; j++) {
      int x = element_at(col + j - p.radius, p.n_cols, mode);
      if (x >= 0)
        sum += square[i * n + j] * in[(size_t)y * p.n_cols + x];
    }
  }
  out[(size_t)row * p.n_cols + col] = sum;
}
// end each_product

// begin each_load
template <boundary mode>
__global__ void each_load(float *out, const float *in, problem p)
{
  extern __shared__ float tile[];
  int side = TILE + 2 * p.radius;
  int first_col = blockIdx.x * TILE, first_row = blockIdx.y * TILE;
  for (int t = threadIdx.y * TILE + threadIdx.x; t < side * side;
       t += TILE * TILE) {
    int y = element_at(first_row + t / side - p.radius, p.n_rows, mode);
    int x = element_at(first_col + t % side - p.radius, p.n_cols, mode);
    tile[t] = y >= 0 && x >= 0 ? in[(size_t)y * p.n_cols + x] : 0.0f;
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
// end each_load

/* ---- launchers: a pair of them for each mode --------------------------- */

static dim3 tiles_of(problem p, int cols, int rows)
{
  return dim3(blocks_for(p.n_cols, cols), blocks_for(p.n_rows, rows));
}

static size_t tile_bytes(problem p)
{
  size_t side = TILE + 2 * p.radius;
  return side * side * sizeof(float);
}

#define FOR_MODE(MODE)                                                      \
  static void reference_##MODE(float *out, const float *in, problem p)      \
  {                                                                         \
    convolve_with(out, in, p, MODE);                                        \
  }                                                                         \
  static void product_##MODE(float *d_out, const float *d_in, problem p)    \
  {                                                                         \
    each_product<MODE><<<tiles_of(p, TILE, WARPS), dim3(TILE, WARPS)>>>(    \
        d_out, d_in, p);                                                    \
  }                                                                         \
  static void load_##MODE(float *d_out, const float *d_in, problem p)       \
  {                                                                         \
    each_load<MODE><<<tiles_of(p, TILE, TILE), dim3(TILE, TILE),            \
                      tile_bytes(p)>>>(d_out, d_in, p);                     \
  }
FOR_MODE(ZERO)
FOR_MODE(CLAMP)
FOR_MODE(WRAP)
FOR_MODE(MIRROR)

static const version versions[] = {
  {"copy", "16-byte copy: the ceiling", launch_copy, copy_image, 1,
   MOST_SQUARE_RADIUS},
  {"product_zero", "nothing is there; asked for each product", product_ZERO,
   reference_ZERO, 1, MOST_SQUARE_RADIUS},
  {"product_clamp", "the edge goes on", product_CLAMP, reference_CLAMP, 1,
   MOST_SQUARE_RADIUS},
  {"product_wrap", "the other side", product_WRAP, reference_WRAP, 1,
   MOST_SQUARE_RADIUS},
  {"product_mirror", "back from the edge", product_MIRROR,
   reference_MIRROR, 1, MOST_SQUARE_RADIUS},
  {"load_zero", "nothing is there; asked for each load", load_ZERO,
   reference_ZERO, 1, MOST_SQUARE_RADIUS},
  {"load_clamp", "the edge goes on", load_CLAMP, reference_CLAMP, 1,
   MOST_SQUARE_RADIUS},
  {"load_wrap", "the other side", load_WRAP, reference_WRAP, 1,
   MOST_SQUARE_RADIUS},
  {"load_mirror", "back from the edge", load_MIRROR, reference_MIRROR, 1,
   MOST_SQUARE_RADIUS},
};

/* Images smaller than the mask, too: the other side's other side. */
static const problem checked[] = {
  {1, 1, 2}, {2, 3, 4}, {33, 31, 2}, {40, 36, 4}, {0, 0, 0},
};
static const problem laddered[] = {{8192, 8192, 4}};
static const problem swept[] = {{8192, 8192, 4}, {0, 0, 0}};
static const problem counted[] = {{256, 256, 4}, {0, 0, 0}};

int main(int argc, char **argv)
{
  program g = {"convolves an image, with four kinds of edges", versions,
               sizeof versions / sizeof versions[0], checked, laddered,
               swept, counted};
  return convolution_main(argc, argv, &g);
}
