/* Convolution of a signal of n floats with a mask of 2 radius + 1 weights:
 *
 *   out[i] = sum of mask[j] * in[i + j - radius], j = 0 … 2 radius
 *
 * where what lies outside of the signal counts as 0.
 *
 *   nvcc -I code code/convolution/line.cu -o line && ./line */
#include "convolution/convolution.h"

enum { THREADS = 256, FEW = 32 };

/* ---- kernels, each one idea further ---------------------------------- */

// begin global
__global__ void line_global(float *out, const float *in,
                            const float *mask_in_memory, int n, int radius)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0.0f;
  for (int j = 0; j <= 2 * radius; j++) {
    int at = i + j - radius;
    if (at >= 0 && at < n)
      sum += mask_in_memory[j] * in[at];
  }
  out[i] = sum;
}
// end global

// begin tile
__global__ void line_tile(float *out, const float *in,
                          const float *mask_in_memory, int n, int radius)
{
  extern __shared__ float tile[];
  int n_outputs = blockDim.x - 2 * radius;
  int i = blockIdx.x * n_outputs + threadIdx.x;

  int at = i - radius;
  tile[threadIdx.x] = at >= 0 && at < n ? in[at] : 0.0f;
  __syncthreads();

  if (threadIdx.x >= n_outputs || i >= n)
    return;
  float sum = 0.0f;
  for (int j = 0; j <= 2 * radius; j++)
    sum += mask_in_memory[j] * tile[threadIdx.x + j];
  out[i] = sum;
}
// end tile

// begin constant
__global__ void line_constant(float *out, const float *in, int n, int radius)
{
  extern __shared__ float tile[];
  int n_outputs = blockDim.x - 2 * radius;
  int i = blockIdx.x * n_outputs + threadIdx.x;

  int at = i - radius;
  tile[threadIdx.x] = at >= 0 && at < n ? in[at] : 0.0f;
  __syncthreads();

  if (threadIdx.x >= n_outputs || i >= n)
    return;
  float sum = 0.0f;
  for (int j = 0; j <= 2 * radius; j++)
    sum += mask[j] * tile[threadIdx.x + j];
  out[i] = sum;
}
// end constant

// begin rounds
__global__ void line_rounds(float *out, const float *in, int n, int radius)
{
  extern __shared__ float tile[];
  int first = blockIdx.x * blockDim.x, i = first + threadIdx.x;

  for (int t = threadIdx.x; t < blockDim.x + 2 * radius; t += blockDim.x) {
    int at = first + t - radius;
    tile[t] = at >= 0 && at < n ? in[at] : 0.0f;
  }
  __syncthreads();

  if (i >= n)
    return;
  float sum = 0.0f;
  for (int j = 0; j <= 2 * radius; j++)
    sum += mask[j] * tile[threadIdx.x + j];
  out[i] = sum;
}
// end rounds

// begin fixed
template <int radius>
__global__ void line_fixed(float *out, const float *in, int n)
{
  extern __shared__ float tile[];
  int first = blockIdx.x * blockDim.x, i = first + threadIdx.x;

  for (int t = threadIdx.x; t < blockDim.x + 2 * radius; t += blockDim.x) {
    int at = first + t - radius;
    tile[t] = at >= 0 && at < n ? in[at] : 0.0f;
  }
  __syncthreads();

  if (i >= n)
    return;
  float sum = 0.0f;
#pragma unroll
  for (int j = 0; j <= 2 * radius; j++)
    sum += mask[j] * tile[threadIdx.x + j];
  out[i] = sum;
}
// end fixed

// begin window
#define LINE_WINDOW(RADIUS)                                                 \
  __global__ void line_window_##RADIUS(float4 *out, const float4 *in,       \
                                       int n_groups)                        \
  {                                                                         \
    int group = blockIdx.x * blockDim.x + threadIdx.x;                      \
    if (group < n_groups)                                                   \
      out[group] = four_sums(in, group, n_groups, RADIUS);                  \
  }
LINE_WINDOW(1)
LINE_WINDOW(2)
LINE_WINDOW(4)
LINE_WINDOW(8)
LINE_WINDOW(16)
LINE_WINDOW(32)
// end window

/* ---- launchers ------------------------------------------------------- */

static void launch_global(float *d_out, const float *d_in, problem p)
{
  line_global<<<blocks_for(p.n_cols, THREADS), THREADS>>>(
      d_out, d_in, d_mask, p.n_cols, p.radius);
}

// begin launch_tile
/* A block has a thread for each element of its tile: those that it has
 * outputs for, and the halo. */
static void launch_tile(float *d_out, const float *d_in, problem p,
                        int n_outputs)
{
  int n_threads = n_outputs + 2 * p.radius;
  line_tile<<<blocks_for(p.n_cols, n_outputs), n_threads,
              n_threads * sizeof(float)>>>(d_out, d_in, d_mask, p.n_cols,
                                           p.radius);
}
// end launch_tile

static void launch_small_tile(float *d_out, const float *d_in, problem p)
{
  launch_tile(d_out, d_in, p, FEW);
}

static void launch_large_tile(float *d_out, const float *d_in, problem p)
{
  launch_tile(d_out, d_in, p, THREADS - 2 * p.radius);
}

static void launch_constant(float *d_out, const float *d_in, problem p)
{
  int n_outputs = THREADS - 2 * p.radius;
  line_constant<<<blocks_for(p.n_cols, n_outputs), THREADS,
                  THREADS * sizeof(float)>>>(d_out, d_in, p.n_cols,
                                             p.radius);
}

static void launch_rounds(float *d_out, const float *d_in, problem p)
{
  line_rounds<<<blocks_for(p.n_cols, THREADS), THREADS,
                (THREADS + 2 * p.radius) * sizeof(float)>>>(
      d_out, d_in, p.n_cols, p.radius);
}

/* Only radii that there is a kernel for. */
static void launch_fixed(float *d_out, const float *d_in, problem p)
{
  unsigned n_blocks = blocks_for(p.n_cols, THREADS);
  size_t n_bytes = (THREADS + 2 * p.radius) * sizeof(float);
  int n = p.n_cols;
  switch (p.radius) {
  case 1: line_fixed<1><<<n_blocks, THREADS, n_bytes>>>(d_out, d_in, n); break;
  case 2: line_fixed<2><<<n_blocks, THREADS, n_bytes>>>(d_out, d_in, n); break;
  case 4: line_fixed<4><<<n_blocks, THREADS, n_bytes>>>(d_out, d_in, n); break;
  case 8: line_fixed<8><<<n_blocks, THREADS, n_bytes>>>(d_out, d_in, n); break;
  case 16:
    line_fixed<16><<<n_blocks, THREADS, n_bytes>>>(d_out, d_in, n);
    break;
  case 32:
    line_fixed<32><<<n_blocks, THREADS, n_bytes>>>(d_out, d_in, n);
    break;
  default: launch_rounds(d_out, d_in, p);
  }
}

// begin launch_window
/* Only whole groups of four, and only radii that there is a kernel for. */
static void launch_window(float *d_out, const float *d_in, problem p)
{
  int n_groups = p.n_cols / 4;
  float4 *out = (float4 *)d_out;
  const float4 *in = (const float4 *)d_in;
  unsigned n_blocks = blocks_for(n_groups, THREADS);
  switch (p.n_cols % 4 == 0 ? p.radius : 0) {
  case 1: line_window_1<<<n_blocks, THREADS>>>(out, in, n_groups); break;
  case 2: line_window_2<<<n_blocks, THREADS>>>(out, in, n_groups); break;
  case 4: line_window_4<<<n_blocks, THREADS>>>(out, in, n_groups); break;
  case 8: line_window_8<<<n_blocks, THREADS>>>(out, in, n_groups); break;
  case 16: line_window_16<<<n_blocks, THREADS>>>(out, in, n_groups); break;
  case 32: line_window_32<<<n_blocks, THREADS>>>(out, in, n_groups); break;
  default: launch_rounds(d_out, d_in, p);
  }
}
// end launch_window

/* ---- versions -------------------------------------------------------- */

static const version versions[] = {
  {"copy", "16-byte copy: the ceiling", launch_copy, copy_image, 1,
   MOST_RADIUS},
  {"global", "everything from global memory", launch_global, convolve_rows,
   1, MOST_RADIUS},
  {"small_tile", "32 outputs a block, and a halo", launch_small_tile,
   convolve_rows, 1, MOST_RADIUS},
  {"large_tile", "256 threads a block, halo included", launch_large_tile,
   convolve_rows, 1, MOST_RADIUS},
  {"constant", "the mask in constant memory", launch_constant,
   convolve_rows, 1, MOST_RADIUS},
  {"rounds", "the halo in a second round", launch_rounds, convolve_rows, 1,
   MOST_RADIUS},
  {"fixed", "the same with a constant radius", launch_fixed, convolve_rows, 1,
   MOST_RADIUS},
  {"window", "four outputs a thread, in registers", launch_window,
   convolve_rows, 1, MOST_RADIUS},
};

/* One element, fewer than the radius, one more and one less than a block;
 * whole groups of four and not. */
static const problem checked[] = {
  {1, 1, 1}, {1, 3, 4}, {1, 31, 2}, {1, 32, 4}, {1, 33, 1}, {1, 255, 8},
  {1, 256, 4}, {1, 257, 16}, {1, 500, 3}, {1, 1000, 32}, {1, 1028, 8},
  {1, 2052, 16}, {1, 1200, 1}, {1, 1200, 2}, {0, 0, 0},
};
static const problem laddered[] = {{1, 1 << 27, 4}};
static const problem swept[] = {
  {1, 1 << 27, 1}, {1, 1 << 27, 2}, {1, 1 << 27, 4}, {1, 1 << 27, 8},
  {1, 1 << 27, 16}, {1, 1 << 27, 32}, {0, 0, 0},
};
static const problem counted[] = {
  {1, 1 << 16, 1}, {1, 1 << 16, 4}, {1, 1 << 16, 16}, {0, 0, 0},
};

int main(int argc, char **argv)
{
  program g = {"convolves a signal with a mask", versions,
               sizeof versions / sizeof versions[0], checked, laddered,
               swept, counted};
  return convolution_main(argc, argv, &g);
}
