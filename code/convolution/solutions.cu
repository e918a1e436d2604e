/* Solutions to the exercises: a symmetric mask, a mask of equal weights, and
 * a halo that the lanes of a warp hand to each other.
 *
 *   nvcc -I code code/convolution/solutions.cu -o solutions && ./solutions */
#include "convolution/convolution.h"

enum { THREADS = 256, WARP = 32, EACH = 32 };

/* ---- kernels ---------------------------------------------------------- */

// begin symmetric
/* The weights left of the middle serve both sides. */
__global__ void line_symmetric(float *out, const float *in, int n, int radius)
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
  const float *left = tile + threadIdx.x, *right = left + 2 * radius;
  float sum = mask[radius] * left[radius];
  for (int j = 0; j < radius; j++)
    sum += mask[j] * (left[j] + right[-j]);
  out[i] = sum;
}
// end symmetric

// begin box
/* All weights are 1 / (2 radius + 1).  From one output to the next, one input
 * enters the sum and one leaves it.  A thread's outputs are neighbours, so
 * they go through shared memory, too: a row of 33 words keeps lanes apart. */
__global__ void line_box(float *out, const float *in, int n, int radius)
{
  extern __shared__ float tile[];
  int n_tile = blockDim.x * EACH, first = blockIdx.x * n_tile;
  for (int t = threadIdx.x; t < n_tile + 2 * radius; t += blockDim.x) {
    int at = first + t - radius;
    tile[t + t / EACH] = at >= 0 && at < n ? in[at] : 0.0f;
  }
  __syncthreads();
  int mine = threadIdx.x * EACH, width = 2 * radius + 1;
  float sum = 0.0f, result[EACH];
  for (int t = mine; t < mine + width - 1; t++)
    sum += tile[t + t / EACH];
#pragma unroll
  for (int k = 0; k < EACH; k++) {
    int enters = mine + k + width - 1, leaves = mine + k;
    sum += tile[enters + enters / EACH];
    result[k] = sum / width;
    sum -= tile[leaves + leaves / EACH];
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < EACH; k++)
    tile[mine + k + threadIdx.x] = result[k];
  __syncthreads();
  for (int t = threadIdx.x; t < n_tile && first + t < n; t += blockDim.x)
    out[first + t] = tile[t + t / EACH];
}
// end box

// begin shuffle
/* Each lane loads one element; the others' come by shuffle.  No tile, no
 * barrier, and 32 - 2 radius outputs a warp. */
__global__ void line_shuffle(float *out, const float *in, int n, int radius)
{
  int lane = threadIdx.x % WARP, n_outputs = WARP - 2 * radius;
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / WARP;
  int at = warp * n_outputs + lane - radius;
  float value = at >= 0 && at < n ? in[at] : 0.0f, sum = 0.0f;
  for (int j = 0; j <= 2 * radius; j++)
    sum += mask[j] * __shfl_sync(0xffffffff, value, lane + j - radius);
  if (lane >= radius && lane < WARP - radius && at < n)
    out[at] = sum;
}
// end shuffle

/* ---- launchers: the first two need masks of their own ------------------- */

static void set_mask(problem p)
{
  CUDA_CHECK(cudaMemcpyToSymbol(mask, h_mask,
                                (2 * p.radius + 1) * sizeof(float)));
}

static void make_symmetric(problem p)
{
  for (int j = 0; j < p.radius; j++)
    h_mask[2 * p.radius - j] = h_mask[j];
}

static void reference_symmetric(float *out, const float *in, problem p)
{
  make_symmetric(p);
  set_mask(p);
  convolve_rows(out, in, p);
}

static void reference_box(float *out, const float *in, problem p)
{
  for (int j = 0; j <= 2 * p.radius; j++)
    h_mask[j] = 1.0f / (2 * p.radius + 1);
  set_mask(p);
  convolve_rows(out, in, p);
}

static void launch_symmetric(float *d_out, const float *d_in, problem p)
{
  line_symmetric<<<blocks_for(p.n_cols, THREADS), THREADS,
                   (THREADS + 2 * p.radius) * sizeof(float)>>>(
      d_out, d_in, p.n_cols, p.radius);
}

static void launch_box(float *d_out, const float *d_in, problem p)
{
  int n_threads = THREADS / 2, n_tile = n_threads * EACH;
  int n_words = n_tile + 2 * p.radius;
  line_box<<<blocks_for(p.n_cols, n_tile), n_threads,
             (n_words + n_words / EACH + 1) * sizeof(float)>>>(
      d_out, d_in, p.n_cols, p.radius);
}

static void launch_shuffle(float *d_out, const float *d_in, problem p)
{
  int n_outputs = THREADS / WARP * (WARP - 2 * p.radius);
  line_shuffle<<<blocks_for(p.n_cols, n_outputs), THREADS>>>(
      d_out, d_in, p.n_cols, p.radius);
}

/* In this order: a reference changes the mask for the versions after it. */
static const version versions[] = {
  {"copy", "16-byte copy: the ceiling", launch_copy, copy_image, 1,
   MOST_RADIUS},
  {"shuffle", "the halo from the neighbouring lanes", launch_shuffle,
   convolve_rows, 1, WARP / 2 - 1},
  {"symmetric", "equal weights on both sides", launch_symmetric,
   reference_symmetric, 1, MOST_RADIUS},
  {"box", "all weights equal: a running sum", launch_box, reference_box, 1,
   MOST_RADIUS},
};

static const problem checked[] = {
  {1, 1, 1}, {1, 3, 4}, {1, 31, 2}, {1, 257, 8}, {1, 1000, 15},
  {1, 4096, 4}, {1, 5003, 32}, {0, 0, 0},
};
static const problem laddered[] = {{1, 1 << 27, 8}};
static const problem swept[] = {
  {1, 1 << 27, 2}, {1, 1 << 27, 8}, {1, 1 << 27, 32}, {0, 0, 0},
};
static const problem counted[] = {{1, 1 << 16, 8}, {0, 0, 0}};

int main(int argc, char **argv)
{
  program g = {"solutions of the chapter on convolution", versions,
               sizeof versions / sizeof versions[0], checked, laddered,
               swept, counted};
  return convolution_main(argc, argv, &g);
}
