/* Attention with the scores in memory, and without: by float arithmetic, and
 * by mma.sync.
 *
 *   nvcc -I code code/attention/attention.cu -o attention && ./attention
 *
 * The kernels with floats share their parts. A block of 16 × 16 threads has
 * 64 rows of Q; thread (x, y) computes rows 4 y … 4 y + 3 of a tile of 64 × 64
 * scores, in columns x, x + 16, x + 32 and x + 48. */
#include <cuda_pipeline.h>
#include <math_constants.h>

#include "attention/attention.h"

enum { TILE = 64, SIDE = 16, EACH = TILE / SIDE };

/* ---- parts of the kernels with floats ----------------------------------- */

/* Rows of a tile begin in different banks. */
template <int D> struct rows {
  enum { PITCH = D / 2 + 1 };
  __nv_bfloat162 at[TILE][PITCH];
};

/* Rows past the last one are zeros. */
template <int D>
__device__ static void load_rows(rows<D> *to, const bf16 *from, int n_rows)
{
  for (int i = threadIdx.y * SIDE + threadIdx.x; i < TILE * D / 2;
       i += SIDE * SIDE)
    to->at[i / (D / 2)][i % (D / 2)] =
        i / (D / 2) < n_rows ? ((const __nv_bfloat162 *)from)[i] :
                               __float2bfloat162_rn(0.0f);
}

// begin dot_tiles
/* s = scale · Q Kᵀ for a tile; columns from n_keys on, and in a causal
 * problem those after `row`, count as minus infinity. */
template <int D>
__device__ static void dot_tiles(float (&s)[EACH][EACH], const rows<D> *q,
                                 const rows<D> *k, float scale, int row,
                                 int key, problem p)
{
  for (int i = 0; i < EACH; i++)
    for (int j = 0; j < EACH; j++)
      s[i][j] = 0.0f;
  for (int c = 0; c < D / 2; c++) {
    float2 a[EACH], b[EACH];
    for (int i = 0; i < EACH; i++) {
      a[i] = __bfloat1622float2(q->at[EACH * threadIdx.y + i][c]);
      b[i] = __bfloat1622float2(k->at[threadIdx.x + SIDE * i][c]);
    }
    for (int i = 0; i < EACH; i++)
      for (int j = 0; j < EACH; j++)
        s[i][j] += a[i].x * b[j].x + a[i].y * b[j].y;
  }
  row += EACH * threadIdx.y;
  key += threadIdx.x;
  for (int i = 0; i < EACH; i++)
    for (int j = 0; j < EACH; j++) {
      int last = p.causal ? row + i : p.n - 1;
      s[i][j] = key + SIDE * j <= last ? scale * s[i][j] : -CUDART_INF_F;
    }
}
// end dot_tiles

/* A tile of weights, by row. */
typedef struct {
  float at[TILE][TILE];
} tile;

/* o += weights · V. Column pair j of a thread is number x + 16 j. */
template <int D>
__device__ static void add_tiles(float2 (&o)[EACH][D / 32], const tile *weights,
                                 const rows<D> *v)
{
  for (int key = 0; key < TILE; key++) {
    float a[EACH];
    for (int i = 0; i < EACH; i++)
      a[i] = weights->at[EACH * threadIdx.y + i][key];
    for (int j = 0; j < D / 32; j++) {
      float2 b = __bfloat1622float2(v->at[key][threadIdx.x + SIDE * j]);
      for (int i = 0; i < EACH; i++) {
        o[i][j].x += a[i] * b.x;
        o[i][j].y += a[i] * b.y;
      }
    }
  }
}

template <int D>
__device__ static void store_rows(bf16 *out, const float2 (&o)[EACH][D / 32],
                                  const float (&factor)[EACH], int n_rows)
{
  for (int i = 0; i < EACH; i++) {
    int row = EACH * threadIdx.y + i;
    for (int j = 0; j < D / 32 && row < n_rows; j++)
      ((__nv_bfloat162 *)out)[row * (D / 2) + threadIdx.x + SIDE * j] =
          __floats2bfloat162_rn(o[i][j].x * factor[i], o[i][j].y * factor[i]);
  }
}

/* ---- unfused: three kernels, scores in memory --------------------------- */

// begin scores
template <int D>
__global__ void scores(float *out, const bf16 *q, const bf16 *k, problem p,
                       float scale)
{
  __shared__ rows<D> q_rows, k_rows;
  float s[EACH][EACH];
  int row = blockIdx.y * TILE, key = blockIdx.x * TILE;
  load_rows<D>(&q_rows, q + (size_t)row * D, p.n - row);
  load_rows<D>(&k_rows, k + (size_t)key * D, p.n - key);
  __syncthreads();
  dot_tiles<D>(s, &q_rows, &k_rows, scale, row, key, p);
  for (int i = 0; i < EACH; i++)
    for (int j = 0; j < EACH; j++) {
      int at = row + EACH * threadIdx.y + i, to = key + threadIdx.x + SIDE * j;
      if (at < p.n && to < p.n)
        out[(size_t)at * p.n + to] = s[i][j];
    }
}
// end scores

/* The online softmax of softmax.cu, in place and of any length; by powers
 * of 2. */
__global__ void softmax(float *scores, int n)
{
  __shared__ float tops[32], sums[32];
  float *row = scores + (size_t)blockIdx.x * n;
  float top = -CUDART_INF_F, sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    float higher = fmaxf(top, row[i]);
    if (higher > -CUDART_INF_F)
      sum = sum * exp2f(top - higher) + exp2f(row[i] - higher);
    top = higher;
  }
  float own = top;
  for (int step = 16; step > 0; step /= 2)
    top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, step));
  if (threadIdx.x % 32 == 0)
    tops[threadIdx.x / 32] = top;
  __syncthreads();
  for (unsigned i = 0; i < blockDim.x / 32; i++)
    top = fmaxf(top, tops[i]);
  sum *= exp2f(own - top);
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_xor_sync(0xffffffff, sum, step);
  if (threadIdx.x % 32 == 0)
    sums[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = 0.0f;
  for (unsigned i = 0; i < blockDim.x / 32; i++)
    sum += sums[i];
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    row[i] = exp2f(row[i] - top) / sum;
}

template <int D>
__global__ void weigh(bf16 *out, const float *weights, const bf16 *v, problem p)
{
  __shared__ rows<D> v_rows;
  __shared__ tile part;
  float2 o[EACH][D / 32] = {};
  int row = blockIdx.x * TILE;
  int n_keys = p.causal ? min(p.n, row + TILE) : p.n;
  for (int key = 0; key < n_keys; key += TILE) {
    load_rows<D>(&v_rows, v + (size_t)key * D, p.n - key);
    for (int i = threadIdx.y; i < TILE; i += SIDE)
      for (int j = threadIdx.x; j < TILE; j += SIDE)
        part.at[i][j] = row + i < p.n && key + j < p.n ?
                            weights[(size_t)(row + i) * p.n + key + j] : 0.0f;
    __syncthreads();
    add_tiles<D>(o, &part, &v_rows);
    __syncthreads();
  }
  const float one[EACH] = { 1.0f, 1.0f, 1.0f, 1.0f };
  store_rows<D>(out + (size_t)row * D, o, one, p.n - row);
}

template <int D> static void launch_unfused_d(const arrays *x, problem p)
{
  unsigned n_tiles = (unsigned)(p.n + TILE - 1) / TILE;
  size_t head_elements = (size_t)p.n * D;
  dim3 threads(SIDE, SIDE);
  auto scores_kernel = scores<D>;
  auto weigh_kernel = weigh<D>;
  for (int head = 0; head < p.n_heads; head++) {
    size_t at = head * head_elements;
    scores_kernel<<<dim3(n_tiles, n_tiles), threads>>>(
        x->scores, x->q + at, x->k + at, p, problem_scale(p));
    softmax<<<(unsigned)p.n, 256>>>(x->scores, p.n);
    weigh_kernel<<<n_tiles, threads>>>(x->out + at, x->scores, x->v + at, p);
  }
  CUDA_CHECK_LAUNCH();
}

static void launch_unfused(const arrays *x, problem p)
{
  (p.d == 64 ? launch_unfused_d<64> : launch_unfused_d<128>)(x, p);
}

/* ---- fused: the scores stay in registers -------------------------------- */

template <int D> struct fused_tiles {
  rows<D> q, k, v;
  tile weights;
};

/* Over the 16 threads that share rows. */
__device__ static float row_max(float x)
{
  for (int step = SIDE / 2; step > 0; step /= 2)
    x = fmaxf(x, __shfl_xor_sync(0xffffffff, x, step));
  return x;
}

__device__ static float row_sum(float x)
{
  for (int step = SIDE / 2; step > 0; step /= 2)
    x += __shfl_xor_sync(0xffffffff, x, step);
  return x;
}

// begin fused
template <int D>
__global__ void fused(bf16 *out, const bf16 *q, const bf16 *k, const bf16 *v,
                      problem p, float scale)
{
  extern __shared__ __align__(16) unsigned char shared[];
  fused_tiles<D> *t = (fused_tiles<D> *)shared;
  size_t head = (size_t)blockIdx.y * p.n * D;
  int row = (gridDim.x - 1 - blockIdx.x) * TILE;
  int n_keys = p.causal ? min(p.n, row + TILE) : p.n;
  float s[EACH][EACH], top[EACH], sum[EACH] = {};
  float2 o[EACH][D / 32] = {};
  for (int i = 0; i < EACH; i++)
    top[i] = -CUDART_INF_F;
  load_rows<D>(&t->q, q + head + (size_t)row * D, p.n - row);
  for (int key = 0; key < n_keys; key += TILE) {
    load_rows<D>(&t->k, k + head + (size_t)key * D, p.n - key);
    load_rows<D>(&t->v, v + head + (size_t)key * D, p.n - key);
    __syncthreads();
    dot_tiles<D>(s, &t->q, &t->k, scale, row, key, p);
    for (int i = 0; i < EACH; i++) {
      float higher = top[i];
      for (int j = 0; j < EACH; j++)
        higher = fmaxf(higher, s[i][j]);
      higher = row_max(higher);
      float factor = exp2f(top[i] - higher);
      top[i] = higher;
      sum[i] *= factor;
      for (int j = 0; j < EACH; j++) {
        float weight = exp2f(s[i][j] - higher);
        sum[i] += weight;
        t->weights.at[EACH * threadIdx.y + i][threadIdx.x + SIDE * j] = weight;
      }
      for (int j = 0; j < D / 32; j++) {
        o[i][j].x *= factor;
        o[i][j].y *= factor;
      }
    }
    __syncthreads();
    add_tiles<D>(o, &t->weights, &t->v);
    __syncthreads();
  }
  for (int i = 0; i < EACH; i++)
    sum[i] = 1.0f / row_sum(sum[i]);
  store_rows<D>(out + head + (size_t)row * D, o, sum, p.n - row);
}
// end fused

template <int D> static void launch_fused_d(const arrays *x, problem p)
{
  dim3 grid((unsigned)(p.n + TILE - 1) / TILE, (unsigned)p.n_heads);
  auto kernel = fused<D>;
  CUDA_CHECK(cudaFuncSetAttribute(
      kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
      sizeof(fused_tiles<D>)));
  kernel<<<grid, dim3(SIDE, SIDE), sizeof(fused_tiles<D>)>>>(
      x->out, x->q, x->k, x->v, p, problem_scale(p));
  CUDA_CHECK_LAUNCH();
}

static void launch_fused(const arrays *x, problem p)
{
  (p.d == 64 ? launch_fused_d<64> : launch_fused_d<128>)(x, p);
}

/* ---- fused, by mma.sync --------------------------------------------------- */

enum {
  M_ROWS = 128,         /* of Q per block */
  M_KEYS = 64,          /* rows of K and V at a time */
  M_WARPS = 4,
  M_TILES = M_ROWS / (16 * M_WARPS)     /* of 16 rows, per warp */
};

__device__ static void mma(float (&c)[4], const unsigned (&a)[4], unsigned b0,
                           unsigned b1)
{
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%0, %1, %2, %3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0),
                 "r"(b1));
}

/* Four matrices of 8 × 8; lane l gives the address of row l % 8 of matrix
 * l / 8. */
__device__ static void load_matrices(unsigned (&m)[4], const bf16 *row)
{
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 "
               "{%0, %1, %2, %3}, [%4];"
               : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3])
               : "r"((unsigned)__cvta_generic_to_shared(row)));
}

__device__ static void load_transposed(unsigned (&m)[4], const bf16 *row)
{
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 "
               "{%0, %1, %2, %3}, [%4];"
               : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3])
               : "r"((unsigned)__cvta_generic_to_shared(row)));
}

/* Where column c of row r is: groups of 8 columns change places, so that
 * 8 rows of a column are in different banks. */
template <int D> __device__ static int place(int r, int c)
{
  return r * D + ((c / 8) ^ (r % 8)) * 8 + c % 8;
}

template <int D>
__device__ static void copy_rows(bf16 *to, const bf16 *from, int n_wanted,
                                 int n_rows)
{
  for (int i = threadIdx.x; i < n_wanted * D / 8; i += 32 * M_WARPS) {
    int r = i / (D / 8), c = i % (D / 8) * 8;
    __pipeline_memcpy_async(to + place<D>(r, c), r < n_rows ? from + 8 * i :
                            from, 16, r < n_rows ? 0 : 16);
  }
  __pipeline_commit();
}

// begin tensor_scores
/* 16 columns of Q and 16 rows of K at a time: lanes 0 … 15 address the rows of
 * a 16 × 16 tile of Q, the others its right half. K's tile is read as if it
 * were transposed already, since B's columns are K's rows. */
template <int D>
__device__ static void mma_scores(float (&s)[M_TILES][M_KEYS / 8][4],
                                  const bf16 *q, const bf16 *k)
{
  int lane = threadIdx.x % 32;
#pragma unroll
  for (int c = 0; c < D; c += 16) {
    unsigned a[M_TILES][4], b[4];
#pragma unroll
    for (int m = 0; m < M_TILES; m++)
      load_matrices(a[m], q + place<D>(16 * m + lane % 16, c + lane / 16 * 8));
#pragma unroll
    for (int j = 0; j < M_KEYS; j += 16) {
      load_matrices(b, k + place<D>(j + lane % 8 + lane / 16 * 8,
                                    c + lane / 8 % 2 * 8));
#pragma unroll
      for (int m = 0; m < M_TILES; m++) {
        mma(s[m][j / 8], a[m], b[0], b[1]);
        mma(s[m][j / 8 + 1], a[m], b[2], b[3]);
      }
    }
  }
}
// end tensor_scores

/* A thread has two rows of each tile, r and r + 8, in s[.][0 … 1] and
 * s[.][2 … 3]; four lanes share them. */
template <int D>
__device__ static void mma_softmax(float (&s)[M_KEYS / 8][4],
                                   float (&o)[D / 8][4], float (&top)[2],
                                   float (&sum)[2], float scale)
{
#pragma unroll
  for (int h = 0; h < 2; h++) {
    float higher = top[h];
#pragma unroll
    for (int j = 0; j < M_KEYS / 8; j++)
      higher = fmaxf(higher, fmaxf(s[j][2 * h], s[j][2 * h + 1]));
    higher = fmaxf(higher, __shfl_xor_sync(0xffffffff, higher, 1));
    higher = fmaxf(higher, __shfl_xor_sync(0xffffffff, higher, 2));
    float factor = exp2f((top[h] - higher) * scale);
    top[h] = higher;
    sum[h] *= factor;
#pragma unroll
    for (int j = 0; j < M_KEYS / 8; j++)
#pragma unroll
      for (int i = 2 * h; i < 2 * h + 2; i++) {
        s[j][i] = exp2f(s[j][i] * scale - higher * scale);
        sum[h] += s[j][i];
      }
#pragma unroll
    for (int j = 0; j < D / 8; j++) {
      o[j][2 * h] *= factor;
      o[j][2 * h + 1] *= factor;
    }
  }
}

__device__ static unsigned pair_of(float x, float y)
{
  __nv_bfloat162 pair = __floats2bfloat162_rn(x, y);
  return *(unsigned *)&pair;
}

// begin tensor_weigh
/* The registers in which mma leaves two 16 × 8 tiles of scores are those in
 * which it takes one 16 × 16 tile of weights. */
template <int D>
__device__ static void mma_weigh(float (&o)[M_TILES][D / 8][4],
                                 const float (&s)[M_TILES][M_KEYS / 8][4],
                                 const bf16 *v)
{
  int lane = threadIdx.x % 32;
#pragma unroll
  for (int j = 0; j < M_KEYS; j += 16) {
    unsigned a[M_TILES][4], b[4];
#pragma unroll
    for (int m = 0; m < M_TILES; m++)
#pragma unroll
      for (int i = 0; i < 4; i++)
        a[m][i] = pair_of(s[m][j / 8 + i / 2][i % 2 * 2],
                          s[m][j / 8 + i / 2][i % 2 * 2 + 1]);
#pragma unroll
    for (int c = 0; c < D; c += 16) {
      load_transposed(b, v + place<D>(j + lane % 16, c + lane / 16 * 8));
#pragma unroll
      for (int m = 0; m < M_TILES; m++) {
        mma(o[m][c / 8], a[m], b[0], b[1]);
        mma(o[m][c / 8 + 1], a[m], b[2], b[3]);
      }
    }
  }
}
// end tensor_weigh

/* Columns after `last` of the first row, or `last` + more of the second. */
__device__ static void mma_mask(float (&s)[M_KEYS / 8][4], int key, int last,
                                int more)
{
  key += threadIdx.x % 4 * 2;
#pragma unroll
  for (int j = 0; j < M_KEYS / 8; j++)
#pragma unroll
    for (int i = 0; i < 4; i++)
      if (key + 8 * j + i % 2 > last + i / 2 * more)
        s[j][i] = -CUDART_INF_F;
}

// begin tensor
template <int D>
__global__ void __launch_bounds__(32 * M_WARPS)
tensor(bf16 *out, const bf16 *q, const bf16 *k, const bf16 *v, problem p,
       float scale)
{
  extern __shared__ __align__(128) bf16 tiles[];
  bf16 *q_tile = tiles, *k_tile = tiles + M_ROWS * D,
       *v_tile = k_tile + M_KEYS * D;
  size_t head = (size_t)blockIdx.y * p.n * D;
  int row = (gridDim.x - 1 - blockIdx.x) * M_ROWS;
  int own = 16 * M_TILES * (threadIdx.x / 32);  /* the warp's first row */
  int n_keys = p.causal ? min(p.n, row + M_ROWS) : p.n;
  float o[M_TILES][D / 8][4] = {}, top[M_TILES][2], sum[M_TILES][2] = {};
#pragma unroll
  for (int m = 0; m < M_TILES; m++)
    top[m][0] = top[m][1] = -CUDART_INF_F;
  copy_rows<D>(q_tile, q + head + (size_t)row * D, M_ROWS, p.n - row);
  copy_rows<D>(k_tile, k + head, M_KEYS, p.n);
  for (int key = 0; key < n_keys; key += M_KEYS) {
    float s[M_TILES][M_KEYS / 8][4] = {};
    __pipeline_wait_prior(0);
    __syncthreads();        /* K is here, and all are done with V */
    copy_rows<D>(v_tile, v + head + (size_t)key * D, M_KEYS, p.n - key);
    mma_scores<D>(s, q_tile + own * D, k_tile);
    __syncthreads();        /* all are done with K */
    copy_rows<D>(k_tile, k + head + (size_t)(key + M_KEYS) * D, M_KEYS,
                 p.n - key - M_KEYS);
#pragma unroll
    for (int m = 0; m < M_TILES; m++) {
      int r = row + own + 16 * m + threadIdx.x % 32 / 4;
      if (key + M_KEYS > (p.causal ? row + own + 1 : p.n))
        mma_mask(s[m], key, p.causal ? r : p.n - 1, p.causal ? 8 : 0);
      mma_softmax<D>(s[m], o[m], top[m], sum[m], scale);
    }
    __pipeline_wait_prior(1);
    __syncthreads();        /* V is here */
    mma_weigh<D>(o, s, v_tile);
  }
#pragma unroll
  for (int m = 0; m < M_TILES; m++)
#pragma unroll
    for (int h = 0; h < 2; h++) {
      int r = row + own + 16 * m + 8 * h + threadIdx.x % 32 / 4;
      float all = sum[m][h];
      all += __shfl_xor_sync(0xffffffff, all, 1);
      all += __shfl_xor_sync(0xffffffff, all, 2);
      bf16 *to = out + head + (size_t)r * D + threadIdx.x % 4 * 2;
#pragma unroll
      for (int j = 0; j < D / 8; j++)
        if (r < p.n)
        *(unsigned *)(to + 8 * j) = pair_of(o[m][j][2 * h] / all,
                                            o[m][j][2 * h + 1] / all);
    }
}
// end tensor

template <int D> static void launch_tensor_d(const arrays *x, problem p)
{
  dim3 grid((unsigned)(p.n + M_ROWS - 1) / M_ROWS, (unsigned)p.n_heads);
  int n_bytes = (M_ROWS + 2 * M_KEYS) * D * (int)sizeof(bf16);
  auto kernel = tensor<D>;
  CUDA_CHECK(cudaFuncSetAttribute(
      kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, n_bytes));
  kernel<<<grid, 32 * M_WARPS, n_bytes>>>(x->out, x->q, x->k, x->v, p,
                                             problem_scale(p));
  CUDA_CHECK_LAUNCH();
}

static void launch_tensor(const arrays *x, problem p)
{
  (p.d == 64 ? launch_tensor_d<64> : launch_tensor_d<128>)(x, p);
}

/* ---- versions ------------------------------------------------------------ */

static const version versions[] = {
  { "unfused", "scores in memory, floats", launch_unfused, 1 },
  { "fused", "scores in registers, floats", launch_fused, 0 },
  { "tensor", "scores in registers, mma.sync", launch_tensor, 0 },
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "attention, unfused and fused",
                            "ladder,sizes,errors", "versions");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  return attention_main(&o, versions, N_VERSIONS);
}
