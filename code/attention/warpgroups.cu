/* Attention on Hopper's warpgroups: one warpgroup fetches by TMA, the others
 * multiply by wgmma, and work out a softmax while their products are in
 * flight.
 *
 *   nvcc -gencode arch=compute_90a,code=sm_90a -I code \
 *     code/attention/warpgroups.cu -o warpgroups && ./warpgroups
 *
 * A block takes 64 rows of Q for each consuming warpgroup, and passes over K
 * and V from the last tile to the first: with a causal mask, only the first
 * tiles it meets have something to hide. */
#include <math_constants.h>

#include "attention/attention.h"
#include "attention/instructions.h"
#include "common/hopper.h"

template <int D_, int TILE_, int CONSUMERS_, int CAUSAL_, int OVERLAP_,
          int HELD_, int TURNS_>
struct plan {
  enum {
    D = D_,                     /* columns of Q, K and V */
    TILE = TILE_,               /* rows of K and V at a time */
    CONSUMERS = CONSUMERS_,     /* warpgroups that compute, 64 rows each */
    CAUSAL = CAUSAL_,
    OVERLAP = OVERLAP_,         /* the next scores before the last weighing */
    HELD = HELD_,               /* no wait before its softmax */
    TURNS = TURNS_,             /* warpgroups start products in turn */
    STAGES = 2,
    ROWS = 64 * CONSUMERS,
    PANELS = D / 64,            /* a tile is stored 64 columns at a time */
    THREADS = 128 * (CONSUMERS + 1),
    FEW = CONSUMERS == 2 ? 24 : 32,     /* registers of the producer … */
    MANY = CONSUMERS == 2 ? 240 : 160   /* … and of a consumer */
  };
};

template <class P> struct tiles {
  bf16 q[P::CONSUMERS][P::PANELS][64][64];
  bf16 k[P::STAGES][P::PANELS][P::TILE][64];
  bf16 v[P::STAGES][P::PANELS][P::TILE][64];
  mbarrier q_full[P::CONSUMERS], q_empty[P::CONSUMERS];
  mbarrier k_full[P::STAGES], k_empty[P::STAGES];
  mbarrier v_full[P::STAGES], v_empty[P::STAGES];
};

// begin work
/* Which rows of Q a block takes in each round, and how many tiles of K and V
 * they need. With a causal mask the long ones come first, of all heads, and
 * every second round deals backwards, so that all blocks get about as much. */
typedef struct {
  int n, n_heads;
  float scale;
} arguments;

typedef struct {
  int head, row, n_tiles;
} work;

template <class P>
__device__ static bool find_work(work *w, arguments a, int round)
{
  int n_blocks = (a.n + P::ROWS - 1) / P::ROWS;
  int at = round * gridDim.x +
           (round % 2 ? gridDim.x - 1 - blockIdx.x : blockIdx.x);
  w->head = P::CAUSAL ? at % a.n_heads : at / n_blocks;
  w->row = P::ROWS * (P::CAUSAL ? n_blocks - 1 - at / a.n_heads :
                                  at % n_blocks);
  int n_keys = P::CAUSAL ? min(a.n, w->row + P::ROWS) : a.n;
  w->n_tiles = (n_keys + P::TILE - 1) / P::TILE;
  return at < n_blocks * a.n_heads;
}
// end work

/* ---- the producer ------------------------------------------------------- */

// begin fetch
/* Waits until the tile's last users are done, then asks for it. */
template <class P, int N_ROWS>
__device__ static void fetch(bf16 (*to)[N_ROWS][64], const CUtensorMap *map,
                             work w, int row, mbarrier *full,
                             mbarrier *empty, int parity)
{
  mbarrier_wait(empty, parity ^ 1);
  mbarrier_expect(full, N_ROWS * P::D * sizeof(bf16));
  for (int panel = 0; panel < P::PANELS; panel++)
    head_load(to[panel], map, w.head, row, 64 * panel, full);
}
// end fetch

// begin produce
template <class P>
__device__ static void produce(tiles<P> *t, const CUtensorMap *q,
                               const CUtensorMap *k, const CUtensorMap *v,
                               arguments a)
{
  work w;
  int i = 0;    /* the i-th tile of K and V, in all rounds together */
  for (int round = 0; find_work<P>(&w, a, round); round++) {
    for (int c = 0; c < P::CONSUMERS; c++)
      fetch<P>(t->q[c], q, w, w.row + 64 * c, &t->q_full[c],
               &t->q_empty[c], round % 2);
    for (int tile = w.n_tiles - 1; tile >= 0; tile--, i++) {
      int s = i % P::STAGES, parity = i / P::STAGES % 2;
      fetch<P>(t->k[s], k, w, tile * P::TILE, &t->k_full[s],
               &t->k_empty[s], parity);
      fetch<P>(t->v[s], v, w, tile * P::TILE, &t->v_full[s],
               &t->v_empty[s], parity);
    }
  }
}
// end produce

/* ---- the consumers ------------------------------------------------------ */

/* What a warpgroup holds of its 64 rows. */
template <class P> struct rows {
  float s[P::TILE / 2];         /* scores, then weights, of one tile */
  float o[P::D / 2];            /* the output so far */
  float top[2], sum[2];         /* of a thread's two rows */
  float factor[2];              /* what o must still be multiplied by */
  unsigned weights[P::TILE / 16][4];
};

// begin products
/* The output so far, for the maximum that the softmax has found. */
template <class P> __device__ static inline void correct(rows<P> &x)
{
#pragma unroll
  for (int y = 0; y < P::D / 2; y++)
    x.o[y] *= x.factor[y / 2 % 2];
}

/* Scores: Q Kᵀ for 64 rows; 16 columns of Q and K at a time. */
template <class P>
__device__ static inline void start_scores(rows<P> &x, tiles<P> *t, int c,
                                           int at)
{
  settle(x.s);
  wgmma_fence();
#pragma unroll
  for (int y = 0; y < P::D; y += 16)
    wgmma(x.s, descriptor(&t->q[c][y / 64][0][y % 64]),
          descriptor(&t->k[at][y / 64][0][y % 64]), y > 0);
  wgmma_commit();
}

/* Output: adds the weights times V; 16 rows of V at a time. */
template <class P>
__device__ static inline void start_weighing(rows<P> &x, tiles<P> *t, int at)
{
  if (!P::TURNS)
    correct(x);
  settle(x.o);
  wgmma_fence();
#pragma unroll
  for (int j = 0; j < P::TILE; j += 16)
    wgmma(x.o, x.weights[j / 16],
          descriptor(t->v[at][0][j], sizeof t->v[at][0]), 1);
  wgmma_commit();
}
// end products

/* A thread holds columns of two rows; s[i] belongs to the first if i % 4 < 2.
 * Four neighbouring lanes share them. Updates the rows' maxima and sums (of
 * this thread's columns), turns scores into weights, and returns in `factor`
 * what the earlier weights must be multiplied by. */
template <int N>
__device__ static inline void softmax_tile(float (&s)[N], float (&top)[2],
                                           float (&sum)[2], float (&factor)[2],
                                           float scale)
{
#pragma unroll
  for (int r = 0; r < 2; r++) {
    float now = top[r];
#pragma unroll
    for (int i = 2 * r; i < N; i += 4)
      now = fmaxf(now, fmaxf(s[i], s[i + 1]));
    now = fmaxf(now, __shfl_xor_sync(0xffffffff, now, 1));
    now = fmaxf(now, __shfl_xor_sync(0xffffffff, now, 2));
    /* A row that is still all masked has no maximum to take off. */
    float base = now == -CUDART_INF_F ? 0.0f : now * scale;
    factor[r] = two_to_the(top[r] * scale - base);
    top[r] = now;
    sum[r] *= factor[r];
#pragma unroll
    for (int i = 2 * r; i < N; i += 4) {
      s[i] = two_to_the(s[i] * scale - base);
      s[i + 1] = two_to_the(s[i + 1] * scale - base);
      sum[r] += s[i] + s[i + 1];
    }
  }
}

/* Hides the columns beyond `last` of the first row, `last` + `more` of the
 * second. */
template <int N>
__device__ static inline void mask_tile(float (&s)[N], int first, int last,
                                        int more)
{
  int at = first + threadIdx.x % 4 * 2;
#pragma unroll
  for (int i = 0; i < N; i++)
    if (at + i / 4 * 8 + i % 2 > last + (i % 4 < 2 ? 0 : more))
      s[i] = -CUDART_INF_F;
}

// begin pack
/* The registers in which scores come are those in which wgmma takes A: only
 * the type changes. */
template <int N>
__device__ static inline void pack(unsigned (&weights)[N / 8][4],
                                   const float (&s)[N])
{
#pragma unroll
  for (int i = 0; i < N; i += 2) {
    __nv_bfloat162 pair = __floats2bfloat162_rn(s[i], s[i + 1]);
    weights[i / 8][i / 2 % 4] = *(unsigned *)&pair;
  }
}
// end pack

/* A warp that is done with a tile; four of them per warpgroup count. */
__device__ static inline void release(mbarrier *empty)
{
  __syncwarp();
  if (threadIdx.x % 32 == 0)
    mbarrier_arrive(empty);
}

// begin turns
/* Barrier 1 + c lets warpgroup c start its products. It waits there for the
 * warpgroup before it, which arrives and goes on. */
template <class P> __device__ static inline void await_turn(int c)
{
  if (P::TURNS)
    barrier_sync(1 + c, 256);
}

template <class P> __device__ static inline void pass_turn(int c)
{
  if (P::TURNS)
    barrier_arrive(1 + (c + 1) % P::CONSUMERS, 256);
}
// end turns

template <class P>
__device__ static inline void store(bf16 *out, rows<P> &x, int n, int head,
                                    int row)
{
#pragma unroll
  for (int r = 0; r < 2; r++) {
    float sum = x.sum[r];
    sum += __shfl_xor_sync(0xffffffff, sum, 1);
    sum += __shfl_xor_sync(0xffffffff, sum, 2);
    float inverse = 1.0f / sum;
    bf16 *to = out + ((size_t)head * n + row + 8 * r) * P::D +
               threadIdx.x % 4 * 2;
    if (row + 8 * r < n)
#pragma unroll
      for (int i = 2 * r; i < P::D / 2; i += 4)
        *(__nv_bfloat162 *)(to + 2 * i - 4 * r) =
            __floats2bfloat162_rn(x.o[i] * inverse, x.o[i + 1] * inverse);
  }
}

/* Output with the weights of tile i, from beginning to end. */
template <class P>
__device__ static inline void finish_weighing(rows<P> &x, tiles<P> *t, int i)
{
  mbarrier_wait(&t->v_full[i % P::STAGES], i / P::STAGES % 2);
  start_weighing<P>(x, t, i % P::STAGES);
  wgmma_wait<0>(x.o);
  release(&t->v_empty[i % P::STAGES]);
}

// begin next_tile
/* Scores of tile i, and the output with the weights of tile i - 1. */
template <class P, int IS_MASKED>
__device__ static inline void next_tile(rows<P> &x, tiles<P> *t, arguments a,
                                        int c, int i, int first, int last)
{
  int at = i % P::STAGES, parity = i / P::STAGES % 2;
  int before = (i - 1) % P::STAGES, parity_before = (i - 1) / P::STAGES % 2;
  if (!P::OVERLAP)
    finish_weighing<P>(x, t, i - 1);
  mbarrier_wait(&t->k_full[at], parity);
  await_turn<P>(c);
  start_scores<P>(x, t, c, at);
  if (P::OVERLAP) {
    mbarrier_wait(&t->v_full[before], parity_before);
    start_weighing<P>(x, t, before);
  }
  pass_turn<P>(c);
  wgmma_wait<P::OVERLAP>(x.s);
  release(&t->k_empty[at]);
  if (IS_MASKED)
    mask_tile(x.s, first, last, P::CAUSAL ? 8 : 0);
  softmax_tile(x.s, x.top, x.sum, x.factor, a.scale);
  if (P::HELD)      /* passes at once, but keeps the softmax before the wait */
    mbarrier_wait(&t->v_full[before], parity_before);
  if (P::OVERLAP) {
    wgmma_wait<0>(x.o);
    release(&t->v_empty[before]);
  }
  if (P::TURNS)
    correct(x);
  pack(x.weights, x.s);
}
// end next_tile

template <class P>
__device__ static void consume(bf16 *out, tiles<P> *t, arguments a, int c)
{
  rows<P> x;
  work w;
  int i = 0;    /* the i-th tile of K and V, as the producer counts them */
  if (c == P::CONSUMERS - 1)
    pass_turn<P>(c);
  for (int round = 0; find_work<P>(&w, a, round); round++, i++) {
    int row = w.row + 64 * c + threadIdx.x % 128 / 32 * 16 +
              threadIdx.x % 32 / 4;
    int last = P::CAUSAL ? row : a.n - 1;
    /* Tiles that begin from here on reach past the last key of some row. */
    int masked = (P::CAUSAL ? w.row + 64 * c + 1 : a.n) - P::TILE;
    int first = (w.n_tiles - 1) * P::TILE;
#pragma unroll
    for (int y = 0; y < P::D / 2; y++)
      x.o[y] = 0.0f;
    x.top[0] = x.top[1] = -CUDART_INF_F;
    x.sum[0] = x.sum[1] = 0.0f;
    mbarrier_wait(&t->q_full[c], round % 2);
    mbarrier_wait(&t->k_full[i % P::STAGES], i / P::STAGES % 2);
    await_turn<P>(c);
    start_scores<P>(x, t, c, i % P::STAGES);
    pass_turn<P>(c);
    wgmma_wait<0>(x.s);
    release(&t->k_empty[i % P::STAGES]);
    mask_tile(x.s, first, last, P::CAUSAL ? 8 : 0);
    softmax_tile(x.s, x.top, x.sum, x.factor, a.scale);
    pack(x.weights, x.s);
    first -= P::TILE;
    for (; first >= 0 && first > masked; first -= P::TILE)
      next_tile<P, 1>(x, t, a, c, ++i, first, last);
    for (; first >= 0; first -= P::TILE)
      next_tile<P, 0>(x, t, a, c, ++i, first, last);
    release(&t->q_empty[c]);
    finish_weighing<P>(x, t, i);
    store<P>(out, x, a.n, w.head, row);
  }
  if (c == 0)
    await_turn<P>(c);
}

// begin kernel
template <class P>
__global__ void __launch_bounds__(P::THREADS, 1)
warpgroups(bf16 *out, const __grid_constant__ CUtensorMap q,
           const __grid_constant__ CUtensorMap k,
           const __grid_constant__ CUtensorMap v, arguments a)
{
  extern __shared__ __align__(1024) unsigned char shared[];
  tiles<P> *t = (tiles<P> *)shared;
  int group = threadIdx.x / 128;
  if (threadIdx.x == 0) {
    for (int c = 0; c < P::CONSUMERS; c++) {
      mbarrier_init(&t->q_full[c], 1);
      mbarrier_init(&t->q_empty[c], 4);
    }
    for (int s = 0; s < P::STAGES; s++) {
      mbarrier_init(&t->k_full[s], 1);
      mbarrier_init(&t->v_full[s], 1);
      mbarrier_init(&t->k_empty[s], 4 * P::CONSUMERS);
      mbarrier_init(&t->v_empty[s], 4 * P::CONSUMERS);
    }
  }
  __syncthreads();
  if (group == 0) {
    registers_less<P::FEW>();
    if (threadIdx.x == 0)
      produce<P>(t, &q, &k, &v, a);
  } else {
    registers_more<P::MANY>();
    consume<P>(out, t, a, group - 1);
  }
}
// end kernel

/* ---- launches ----------------------------------------------------------- */

template <class P> static void launch_plan(const arrays *x, problem p)
{
  CUtensorMap q = head_map(x->q, p, 64), k = head_map(x->k, p, P::TILE),
              v = head_map(x->v, p, P::TILE);
  arguments a = { p.n, p.n_heads, problem_scale(p) };
  int n_works = (p.n + P::ROWS - 1) / P::ROWS * p.n_heads;
  int n_blocks = device_properties()->multiProcessorCount;
  if (p.most_blocks > 0)
    n_blocks = p.most_blocks;
  CUDA_CHECK(cudaFuncSetAttribute(warpgroups<P>,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  sizeof(tiles<P>)));
  warpgroups<P><<<n_works < n_blocks ? n_works : n_blocks, P::THREADS,
                  sizeof(tiles<P>)>>>(x->out, q, k, v, a);
  CUDA_CHECK_LAUNCH();
}

template <int OVERLAP, int HELD, int TURNS>
static void launch(const arrays *x, problem p)
{
  void (*run)(const arrays *, problem) =
      p.d == 128 ?
          (p.causal ? launch_plan<plan<128, 176, 2, 1, OVERLAP, HELD, TURNS>> :
                      launch_plan<plan<128, 176, 2, 0, OVERLAP, HELD, TURNS>>) :
          (p.causal ? launch_plan<plan<64, 128, 3, 1, OVERLAP, HELD, TURNS>> :
                      launch_plan<plan<64, 128, 3, 0, OVERLAP, HELD, TURNS>>);
  run(x, p);
}

static const version versions[] = {
  { "warpgroups", "TMA and wgmma, two warpgroups", launch<0, 0, 0>, 0 },
  { "overlap", "the next scores before the last output", launch<1, 0, 0>, 0 },
  { "held", "and the softmax before the second wait", launch<1, 1, 0>, 0 },
  { "turns", "instead, warpgroups start products in turn", launch<1, 0, 1>, 0 },
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "attention on Hopper's warpgroups",
                            "ladder,sizes,errors", "versions");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  hopper_need();
  return attention_main(&o, versions, N_VERSIONS);
}
