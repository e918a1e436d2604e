/* One row of attention, a few keys at a time: what is carried from tile to
 * tile.
 *
 *   nvcc -I code code/attention/row.cu -o row && ./row
 *
 * One thread does it, so that nothing but the algorithm is left; or one per
 * tile, whose results are merged. */
#include <math.h>
#include <math_constants.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/options.h"
#include "common/random.h"

enum { D = 4, TILE = 4, N_TILES = 5, N = TILE * N_TILES };

/* What is known after a tile. */
typedef struct {
  float score[TILE];
  float top, factor, sum;
  float out[D];
} state;

// begin row
/* The output row of query q, after N keys; steps[t] is for us to look at. */
__global__ void row(float *out, state *steps, const float *q, const float *k,
                    const float *v)
{
  state s = { {}, -CUDART_INF_F, 0.0f, 0.0f, {} };
  for (int tile = 0; tile < N_TILES; tile++) {
    float higher = s.top;
    for (int j = 0; j < TILE; j++) {
      s.score[j] = 0.0f;
      for (int c = 0; c < D; c++)
        s.score[j] += q[c] * k[(tile * TILE + j) * D + c];
      higher = fmaxf(higher, s.score[j]);
    }
    s.factor = expf(s.top - higher);
    s.top = higher;
    s.sum *= s.factor;
    for (int c = 0; c < D; c++)
      s.out[c] *= s.factor;
    for (int j = 0; j < TILE; j++) {
      float weight = expf(s.score[j] - s.top);
      s.sum += weight;
      for (int c = 0; c < D; c++)
        s.out[c] += weight * v[(tile * TILE + j) * D + c];
    }
    steps[tile] = s;
  }
  for (int c = 0; c < D; c++)
    out[c] = s.out[c] / s.sum;
}
// end row

// begin parts
/* One thread per tile; then the first merges what the others have found. */
__global__ void parts(float *out, state *steps, const float *q, const float *k,
                      const float *v)
{
  __shared__ state all[N_TILES];
  int tile = threadIdx.x;
  state s = { {}, -CUDART_INF_F, 1.0f, 0.0f, {} };
  for (int j = 0; j < TILE; j++) {
    s.score[j] = 0.0f;
    for (int c = 0; c < D; c++)
      s.score[j] += q[c] * k[(tile * TILE + j) * D + c];
    s.top = fmaxf(s.top, s.score[j]);
  }
  for (int j = 0; j < TILE; j++) {
    float weight = expf(s.score[j] - s.top);
    s.sum += weight;
    for (int c = 0; c < D; c++)
      s.out[c] += weight * v[(tile * TILE + j) * D + c];
  }
  all[tile] = steps[tile] = s;
  __syncthreads();
  if (tile > 0)
    return;
  for (int t = 1; t < N_TILES; t++) {
    float higher = fmaxf(s.top, all[t].top);
    float mine = expf(s.top - higher), other = expf(all[t].top - higher);
    s.top = higher;
    s.sum = s.sum * mine + all[t].sum * other;
    for (int c = 0; c < D; c++)
      s.out[c] = s.out[c] * mine + all[t].out[c] * other;
  }
  for (int c = 0; c < D; c++)
    out[c] = s.out[c] / s.sum;
}
// end parts

typedef struct {
  const char *name;
  const char *idea;
  void (*kernel)(float *, state *, const float *, const float *,
                 const float *);
  unsigned n_threads;
} version;

static const version versions[] = {
  { "row", "one thread, tile after tile", row, 1 },
  { "parts", "one thread per tile, then merged", parts, N_TILES },
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static void run(const version *version, const float *q, const float *k,
                const float *v, float *out, state *steps)
{
  float *d_q, *d_k, *d_v, *d_out;
  state *d_steps;
  CUDA_CHECK(cudaMalloc(&d_q, D * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_k, N * D * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_v, N * D * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_out, D * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_steps, N_TILES * sizeof(state)));
  CUDA_CHECK(cudaMemcpy(d_q, q, D * sizeof(float), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_k, k, N * D * sizeof(float),
                        cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_v, v, N * D * sizeof(float),
                        cudaMemcpyHostToDevice));
  poison_device(d_out, D * sizeof(float));
  version->kernel<<<1, version->n_threads>>>(d_out, d_steps, d_q, d_k, d_v);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(out, d_out, D * sizeof(float),
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(steps, d_steps, N_TILES * sizeof(state),
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_q));
  CUDA_CHECK(cudaFree(d_k));
  CUDA_CHECK(cudaFree(d_v));
  CUDA_CHECK(cudaFree(d_out));
  CUDA_CHECK(cudaFree(d_steps));
}

/* Large queries: scores far apart, whose exp() overflows without the
 * maximum. */
static void draw(uint64_t seed, float size, float *q, float *k, float *v)
{
  random_source source = random_from_seed(seed);
  random_fill_floats(&source, q, D);
  random_fill_floats(&source, k, N * D);
  random_fill_floats(&source, v, N * D);
  for (int c = 0; c < D; c++)
    q[c] *= size;
}

static int check(const version *version, uint64_t seed, float size)
{
  float q[D], k[N * D], v[N * D], out[D], expected[D];
  double weights[N], top = -INFINITY, sum = 0.0, total[D] = { 0.0 };
  state steps[N_TILES];
  draw(seed, size, q, k, v);
  run(version, q, k, v, out, steps);
  for (int j = 0; j < N; j++) {
    weights[j] = 0.0;
    for (int c = 0; c < D; c++)
      weights[j] += (double)q[c] * k[j * D + c];
    top = fmax(top, weights[j]);
  }
  for (int j = 0; j < N; j++) {
    sum += exp(weights[j] - top);
    for (int c = 0; c < D; c++)
      total[c] += exp(weights[j] - top) * v[j * D + c];
  }
  for (int c = 0; c < D; c++)
    expected[c] = (float)(total[c] / sum);
  return compare_floats_within(version->name, expected, out, D, 1e-6 * (1.0 + size),
                               1.0);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "one row of attention", "row", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.csv) {
    float q[D], k[N * D], v[N * D], out[D];
    state steps[N_TILES];
    draw(o.seed, 4.0f, q, k, v);
    run(&versions[0], q, k, v, out, steps);
    puts("tile,score_0,score_1,score_2,score_3,top,factor,sum,out_0,final_0");
    for (int t = 0; t < N_TILES; t++)
      printf("%d,%.3f,%.3f,%.3f,%.3f,%.3f,%.4f,%.4f,%.4f,%.4f\n", t,
             steps[t].score[0], steps[t].score[1], steps[t].score[2],
             steps[t].score[3], steps[t].top, steps[t].factor, steps[t].sum,
             steps[t].out[0], out[0]);
    return EXIT_SUCCESS;
  }
  int n_bad = 0;
  for (int i = 0; i < N_VERSIONS; i++)
    for (int size = 1; size <= 256 && options_wants(&o, versions[i].name);
         size *= 4)
      n_bad += !check(&versions[i], o.seed + size, (float)size);
  if (n_bad > 0)
    return EXIT_FAILURE;
  printf("every row agrees (--seed %llu)\n", (unsigned long long)o.seed);
  return EXIT_SUCCESS;
}
