/* One step of non-negative matrix factorisation in two kernels that read the
 * pictures once. Nothing but small matrices is ever written besides w and h.
 *
 * All matrices are stored by columns, as cuBLAS has them: a picture is a run of
 * ROWS floats in v, its weights are a run of K floats in h, and a part, which
 * is a picture as well, is a run of ROWS floats in w. */
#ifndef CODE_NMF_KERNELS_H
#define CODE_NMF_KERNELS_H

#include <cuda_pipeline.h>

#include "common/cuda_check.h"
#include "common/device.h"
#include "nmf/digits.h"

/* Keeps 0 / 0 from becoming a NaN, and is too small to matter elsewhere. */
#define EPSILON 1e-9f

enum { THREADS = 256, WARPS = THREADS / 32, SLICE = ROWS / WARPS,
       STRIDE = ROWS + 4 };   /* so that rows begin in different banks */

// begin shared_sizes
/* What a block keeps in shared memory. Four floats after each row turn 16-byte
 * accesses to eight rows into accesses to all 32 banks. */
template <int K> struct on_chip {
  enum { IMAGES = K <= 32 ? 32 : 16 };
  float v[2][IMAGES][STRIDE];             /* pictures: this tile, the next */
  float h_old[2][IMAGES][K + 4];          /* their weights */
  float h[IMAGES][K + 4];                 /* the weights after the update */
  float w[K][STRIDE];                     /* the parts */
  float g[K][K];                          /* the parts times each other */
  float sums[WARPS][K][IMAGES + 8];       /* w^T v, a share from each warp */
};
// end shared_sizes

typedef struct {
  float *w, *h;               /* ROWS x k and k x n_images */
  const float *v;             /* ROWS x n_images */
  size_t n_images;
  float *shares;              /* what each block adds to v h^T and h h^T */
  float *totals;              /* the sums of these */
} factors;

/* Reads N neighbouring floats, which begin at a multiple of their size. */
template <int N> __device__ void load_floats(float *to, const float *from)
{
  if (N % 4 == 0) {
#pragma unroll
    for (int i = 0; i < N; i += 4)
      *(float4 *)(to + i) = *(const float4 *)(from + i);
  } else {
#pragma unroll
    for (int i = 0; i < N; i += 2)
      *(float2 *)(to + i) = *(const float2 *)(from + i);
  }
}

__device__ float dot4(float sum, float4 a, float4 b)
{
  return fmaf(a.w, b.w, fmaf(a.z, b.z, fmaf(a.y, b.y, fmaf(a.x, b.x, sum))));
}

/* Starts to copy the pictures from `first` on, with their weights. Where there
 * are none, zeros: they add nothing to any sum. */
template <int K>
__device__ void start_tile(on_chip<K> *s, int buffer, const factors *f,
                           size_t first)
{
  for (int i = threadIdx.x; i < on_chip<K>::IMAGES * (ROWS / 4);
       i += THREADS) {
    int image = i / (ROWS / 4), row = i % (ROWS / 4) * 4;
    float *to = &s->v[buffer][image][row];
    if (first + image < f->n_images)
      __pipeline_memcpy_async(to, f->v + (first + image) * ROWS + row, 16);
    else
      *(float4 *)to = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  }
  for (int i = threadIdx.x; i < on_chip<K>::IMAGES * (K / 4); i += THREADS) {
    int image = i / (K / 4), part = i % (K / 4) * 4;
    float *to = &s->h_old[buffer][image][part];
    if (first + image < f->n_images)
      __pipeline_memcpy_async(to, f->h + (first + image) * K + part, 16);
    else
      *(float4 *)to = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  }
  __pipeline_commit();
}

// begin lane_place
/* Where a lane has its patch: one of eight places one way, of four the other.
 * Neighbours share one of both, lanes two apart the other, so that the loads
 * of half a warp merge in either direction. */
__device__ int lane_of_8(void)
{
  return threadIdx.x / 2 % 8;
}

__device__ int lane_of_4(void)
{
  return threadIdx.x % 2 + threadIdx.x % 32 / 16 * 2;
}
// end lane_place

// begin project
/* A warp's share of w^T v: its own 32 rows of both. A lane has every eighth
 * picture and every fourth part. */
template <int K>
__device__ void project(on_chip<K> *s, int buffer)
{
  enum { J = on_chip<K>::IMAGES / 8, R = K / 4 };
  int warp = threadIdx.x / 32, j0 = lane_of_8(), r0 = lane_of_4();
  float sum[R][J] = {};
#pragma unroll 1
  for (int row = warp * SLICE; row < (warp + 1) * SLICE; row += 4) {
    float4 v[J];
#pragma unroll
    for (int j = 0; j < J; j++)
      v[j] = *(const float4 *)&s->v[buffer][j0 + 8 * j][row];
#pragma unroll
    for (int r = 0; r < R; r++) {
      float4 w = *(const float4 *)&s->w[r0 + 4 * r][row];
#pragma unroll
      for (int j = 0; j < J; j++)
        sum[r][j] = dot4(sum[r][j], w, v[j]);
    }
  }
#pragma unroll
  for (int r = 0; r < R; r++)
#pragma unroll
    for (int j = 0; j < J; j++)
      s->sums[warp][r0 + 4 * r][j0 + 8 * j] = sum[r][j];
}
// end project

// begin scale_weights
/* h times w^T v over w^T w h, for the weights of this tile. */
template <int K>
__device__ void scale_weights(on_chip<K> *s, int buffer)
{
  enum { IMAGES = on_chip<K>::IMAGES };
  for (int i = threadIdx.x; i < K * IMAGES; i += THREADS) {
    int image = i % IMAGES, part = i / IMAGES;
    const float *h = s->h_old[buffer][image];
    float above = 0.0f, below = 0.0f;
    for (int warp = 0; warp < WARPS; warp++)
      above += s->sums[warp][part][image];
    for (int k = 0; k < K; k += 4)
      below = dot4(below, *(const float4 *)&s->g[part][k],
                   *(const float4 *)&h[k]);
    s->h[image][part] = h[part] * above / (below + EPSILON);
  }
}
// end scale_weights

template <int K>
__device__ void store_weights(const on_chip<K> *s, const factors *f,
                              size_t first)
{
  for (int i = threadIdx.x; i < on_chip<K>::IMAGES * (K / 4); i += THREADS) {
    int image = i / (K / 4), part = i % (K / 4) * 4;
    if (first + image < f->n_images)
      *(float4 *)(f->h + (first + image) * K + part) =
          *(const float4 *)&s->h[image][part];
  }
}

// begin accumulate
/* Adds this tile's v h^T to a thread's part of it: 4 rows, K / 4 parts. */
template <int K>
__device__ void accumulate(float sum[K / 4][4], const float (*v_tile)[STRIDE],
                           const float (*h_tile)[K + 4])
{
  enum { R = K / 4 };
  int row = threadIdx.x / 32 * SLICE + lane_of_8() * 4;
  int part = lane_of_4() * R;
#pragma unroll 4
  for (int image = 0; image < on_chip<K>::IMAGES; image++) {
    float4 v = *(const float4 *)&v_tile[image][row];
    float h[R];
    load_floats<R>(h, &h_tile[image][part]);
#pragma unroll
    for (int r = 0; r < R; r++) {
      sum[r][0] = fmaf(v.x, h[r], sum[r][0]);
      sum[r][1] = fmaf(v.y, h[r], sum[r][1]);
      sum[r][2] = fmaf(v.z, h[r], sum[r][2]);
      sum[r][3] = fmaf(v.w, h[r], sum[r][3]);
    }
  }
}
// end accumulate

/* How h h^T is divided: patches of 4 x 4 parts, and where these are fewer than
 * threads, several threads for a patch, each with some of the pictures. */
template <int K> struct gram_plan {
  enum { ACROSS = K / 4, PATCHES = ACROSS * ACROSS,
         MOST = THREADS / PATCHES,
         SPLITS = MOST < on_chip<K>::IMAGES ? MOST : on_chip<K>::IMAGES };
};

template <int K>
__device__ void accumulate_gram(float sum[4][4], const float (*h_tile)[K + 4])
{
  int patch = threadIdx.x % gram_plan<K>::PATCHES;
  int split = threadIdx.x / gram_plan<K>::PATCHES;
  int down = patch % gram_plan<K>::ACROSS * 4;
  int right = patch / gram_plan<K>::ACROSS * 4;
  if (split >= gram_plan<K>::SPLITS)
    return;
  for (int image = split; image < on_chip<K>::IMAGES;
       image += gram_plan<K>::SPLITS) {
    float a[4], b[4];
    load_floats<4>(a, &h_tile[image][down]);
    load_floats<4>(b, &h_tile[image][right]);
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
      for (int j = 0; j < 4; j++)
        sum[i][j] = fmaf(a[i], b[j], sum[i][j]);
  }
}

/* Loads the parts and multiplies them with each other. Every block does that
 * for itself: it takes less time than a launch that does it for all. */
template <int K>
__device__ void load_parts(on_chip<K> *s, const float *w)
{
  for (int i = threadIdx.x; i < K * ROWS; i += THREADS)
    s->w[i / ROWS][i % ROWS] = w[i];
  __syncthreads();
  for (int i = threadIdx.x; i < K * K; i += THREADS) {
    float sum = 0.0f;
    for (int row = 0; row < ROWS; row += 4)
      sum = dot4(sum, *(const float4 *)&s->w[i / K][row],
                 *(const float4 *)&s->w[i % K][row]);
    s->g[i / K][i % K] = sum;
  }
  __syncthreads();
}

/* What one block leaves behind: its share of v h^T, then that of h h^T. */
template <int K> __host__ __device__ size_t share_length(void)
{
  return (size_t)(ROWS + K) * K;
}

template <int K>
__device__ void store_share(float *share, on_chip<K> *s,
                            const float products[K / 4][4],
                            const float gram[4][4])
{
  int row = threadIdx.x / 32 * SLICE + lane_of_8() * 4;
  int part = lane_of_4() * (K / 4);
  int patch = threadIdx.x % gram_plan<K>::PATCHES;
  int split = threadIdx.x / gram_plan<K>::PATCHES;
  int down = patch % gram_plan<K>::ACROSS * 4;
  int right = patch / gram_plan<K>::ACROSS * 4;
#pragma unroll
  for (int r = 0; r < K / 4; r++)
    *(float4 *)&share[(part + r) * ROWS + row] =
        make_float4(products[r][0], products[r][1], products[r][2],
                    products[r][3]);
  /* One split after the other, so that the order is always the same. */
  for (int turn = 0; turn < gram_plan<K>::SPLITS; turn++) {
    if (split == turn)
#pragma unroll
      for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
          s->g[down + i][right + j] =
              (turn > 0 ? s->g[down + i][right + j] : 0.0f) + gram[i][j];
    __syncthreads();
  }
  for (int i = threadIdx.x; i < K * K; i += THREADS)
    share[K * ROWS + i] = s->g[i / K][i % K];
}

// begin pass
/* One pass over the pictures. With UPDATE it replaces their weights; with
 * ADD_UP it leaves the block's share of v h^T and h h^T behind. */
template <int K, bool UPDATE, bool ADD_UP>
__global__ void __launch_bounds__(THREADS, K <= 16 ? 2 : 1) pass(factors f)
{
  extern __shared__ float4 shared[];
  on_chip<K> *s = (on_chip<K> *)shared;
  float products[K / 4][4] = {}, gram[4][4] = {};
  size_t step = (size_t)gridDim.x * on_chip<K>::IMAGES;
  size_t first = (size_t)blockIdx.x * on_chip<K>::IMAGES;
  if (UPDATE)
    load_parts(s, f.w);
  start_tile(s, 0, &f, first);
  for (int buffer = 0; first < f.n_images; first += step, buffer ^= 1) {
    start_tile(s, buffer ^ 1, &f, first + step);
    __pipeline_wait_prior(1);
    __syncthreads();           /* the tile is there */
    if (UPDATE) {
      project(s, buffer);
      __syncthreads();         /* every warp's share of w^T v is there */
      scale_weights(s, buffer);
      __syncthreads();         /* the new weights are there */
      store_weights(s, &f, first);
    }
    if (ADD_UP) {
      const float (*h)[K + 4] = UPDATE ? s->h : s->h_old[buffer];
      accumulate<K>(products, s->v[buffer], h);
      accumulate_gram<K>(gram, h);
    }
    __syncthreads();           /* the tile may be overwritten */
  }
  if (ADD_UP)
    store_share(f.shares + blockIdx.x * share_length<K>(), s, products, gram);
}
// end pass

/* The sums of all blocks' shares; a block adds 32 neighbouring ones. */
__global__ void add_shares(float *totals, const float *shares, size_t length,
                           unsigned n_shares)
{
  __shared__ float sums[WARPS][32];
  unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  size_t i = (size_t)blockIdx.x * 32 + lane;
  float sum = 0.0f;
  for (unsigned n = warp; n < n_shares; n += WARPS)
    sum += shares[n * length + i];
  sums[warp][lane] = sum;
  __syncthreads();
  if (warp > 0)
    return;
  for (int other = 1; other < WARPS; other++)
    sum += sums[other][lane];
  totals[i] = sum;
}

// begin scale_parts
enum { FEW_ROWS = 8 };

/* w times v h^T over w h h^T, for FEW_ROWS rows of w in each block. */
template <int K>
__global__ void scale_parts(float *w, const float *totals)
{
  __shared__ float old[K][FEW_ROWS];
  const float *products = totals, *gram = totals + K * ROWS;
  int first = blockIdx.x * FEW_ROWS;
  for (int i = threadIdx.x; i < K * FEW_ROWS; i += THREADS)
    old[i / FEW_ROWS][i % FEW_ROWS] =
        w[i / FEW_ROWS * ROWS + first + i % FEW_ROWS];
  __syncthreads();
  for (int i = threadIdx.x; i < K * FEW_ROWS; i += THREADS) {
    int row = i % FEW_ROWS, part = i / FEW_ROWS;
    float below = 0.0f;
    for (int k = 0; k < K; k++)
      below = fmaf(old[k][row], gram[k * K + part], below);
    w[part * ROWS + first + row] = old[part][row] *
        products[part * ROWS + first + row] / (below + EPSILON);
  }
}
// end scale_parts

/* ---- launches -------------------------------------------------------- */

/* A fixed number of blocks where the counts, or the last digits of the sums,
 * shall be the same on every machine; else as many as fit on the GPU. */
static unsigned fixed_blocks;

template <int K> static unsigned pass_blocks(void)
{
  return fixed_blocks ? fixed_blocks
       : (unsigned)device_properties()->multiProcessorCount *
         (K <= 16 ? 2 : 1);
}

template <int K, bool UPDATE, bool ADD_UP>
static void launch_pass(const factors *f)
{
  size_t n_bytes = sizeof(on_chip<K>);
  CUDA_CHECK(cudaFuncSetAttribute(pass<K, UPDATE, ADD_UP>,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  (int)n_bytes));
  pass<K, UPDATE, ADD_UP><<<pass_blocks<K>(), THREADS, n_bytes>>>(*f);
}

template <int K> static void launch_scale_parts(const factors *f)
{
  unsigned length = (unsigned)share_length<K>();
  add_shares<<<length / 32, THREADS>>>(f->totals, f->shares, length,
                                       pass_blocks<K>());
  scale_parts<K><<<ROWS / FEW_ROWS, THREADS>>>(f->w, f->totals);
}

/* One step in two passes: the pictures are read twice. */
template <int K> static void step_twice(const factors *f)
{
  launch_pass<K, true, false>(f);
  launch_pass<K, false, true>(f);
  launch_scale_parts<K>(f);
}

// begin once
/* One step: the pictures are read once. */
template <int K> static void step_once(const factors *f)
{
  launch_pass<K, true, true>(f);
  launch_scale_parts<K>(f);
}
// end once

/* Without `fixed_blocks`, for any number of parts. */
static inline size_t shares_bytes(int k)
{
  size_t n_blocks = fixed_blocks ? fixed_blocks
      : 2 * (size_t)device_properties()->multiProcessorCount;
  return n_blocks * (size_t)(ROWS + k) * k * sizeof(float);
}

#endif
