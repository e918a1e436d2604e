/* A support-vector machine decides which lines of this book are code: its
 * kernel in the three versions of a thesis of 2010, and what came after. */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/timing.h"
#include "constant_texture/line_features.h"
#include "constant_texture/lines.h"
#include "constant_texture/model.h"

enum { BLOCK_THREADS = 128 };

/* ---- CPU reference ---- */

static void score_on_host(float *score, const float *x, const float *support,
                          size_t n)
{
  for (size_t i = 0; i < n; i++) {
    double sum = model_bias;
    for (int s = 0; s < N_SUPPORT; s++) {
      double distance = 0.0;
      for (int f = 0; f < N_FEATURES; f++) {
        double d = (double)x[i * N_FEATURES + f] -
                   support[s * N_FEATURES + f];
        distance += d * d;
      }
      sum += model[s].weight * exp(-model_gamma * distance);
    }
    score[i] = (float)sum;
  }
}

/* ---- kernels ---- */

typedef struct {
  int n_support, n_features;
  float gamma, bias;
} machine;

// begin naive
__global__ void svm_naive(float *score, const float *x, const float *support,
                          const float *weight, machine m, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = m.bias;
  for (int s = 0; s < m.n_support; s++) {
    float distance = 0.0f;
    for (int f = 0; f < m.n_features; f++) {
      float d = x[(size_t)i * m.n_features + f] -
                support[s * m.n_features + f];
      distance += d * d;
    }
    sum += weight[s] * expf(-m.gamma * distance);
  }
  score[i] = sum;
}
// end naive

// begin constant
__constant__ float c_support[N_SUPPORT * N_FEATURES];
__constant__ float c_weight[N_SUPPORT];

__global__ void svm_constant(float *score, const float *x, machine m, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = m.bias;
  for (int s = 0; s < m.n_support; s++) {
    float distance = 0.0f;
    for (int f = 0; f < m.n_features; f++) {
      float d = x[(size_t)i * m.n_features + f] -
                c_support[s * m.n_features + f];
      distance += d * d;
    }
    sum += c_weight[s] * expf(-m.gamma * distance);
  }
  score[i] = sum;
}
// end constant

// begin reordered
/* x feature by feature: neighbouring lanes read neighbouring words. */
__global__ void svm_reordered(float *score, const float *x, machine m, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = m.bias;
  for (int s = 0; s < m.n_support; s++) {
    float distance = 0.0f;
    for (int f = 0; f < m.n_features; f++) {
      float d = x[(size_t)f * n + i] - c_support[s * m.n_features + f];
      distance += d * d;
    }
    sum += c_weight[s] * expf(-m.gamma * distance);
  }
  score[i] = sum;
}
// end reordered

/* The other half of the change alone: reordered, but nothing constant. */
__global__ void svm_reordered_only(float *score, const float *x,
                                   const float *support, const float *weight,
                                   machine m, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = m.bias;
  for (int s = 0; s < m.n_support; s++) {
    float distance = 0.0f;
    for (int f = 0; f < m.n_features; f++) {
      float d = x[(size_t)f * n + i] - support[s * m.n_features + f];
      distance += d * d;
    }
    sum += weight[s] * expf(-m.gamma * distance);
  }
  score[i] = sum;
}

// begin registers
/* The number of features is known when the kernel is compiled, so that the
 * line's own stay in registers. */
__global__ void svm_registers(float *score, const float *x, machine m, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float own[N_FEATURES], sum = m.bias;
  for (int f = 0; f < N_FEATURES; f++)
    own[f] = x[(size_t)f * n + i];
  for (int s = 0; s < m.n_support; s++) {
    float distance = 0.0f;
    for (int f = 0; f < N_FEATURES; f++) {
      float d = own[f] - c_support[s * N_FEATURES + f];
      distance += d * d;
    }
    sum += c_weight[s] * expf(-m.gamma * distance);
  }
  score[i] = sum;
}
// end registers

// begin registers_global
/* The support vectors come through L1, as any other data. */
__global__ void svm_registers_global(float *score, const float *x,
                                     const float *support,
                                     const float *weight, machine m, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float own[N_FEATURES], sum = m.bias;
  for (int f = 0; f < N_FEATURES; f++)
    own[f] = x[(size_t)f * n + i];
  for (int s = 0; s < m.n_support; s++) {
    float distance = 0.0f;
    for (int f = 0; f < N_FEATURES; f++) {
      float d = own[f] - support[s * N_FEATURES + f];
      distance += d * d;
    }
    sum += weight[s] * expf(-m.gamma * distance);
  }
  score[i] = sum;
}
// end registers_global

// begin products
/* |x - s|² = |x|² + |s|² - 2 x·s: one multiply-add for each feature. */
__constant__ float c_square[N_SUPPORT];

__global__ void svm_products(float *score, const float *x, machine m, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float own[N_FEATURES], square = 0.0f, sum = m.bias;
  for (int f = 0; f < N_FEATURES; f++) {
    own[f] = x[(size_t)f * n + i];
    square += own[f] * own[f];
  }
  for (int s = 0; s < m.n_support; s++) {
    float product = 0.0f;
    for (int f = 0; f < N_FEATURES; f++)
      product += own[f] * c_support[s * N_FEATURES + f];
    float distance = square + c_square[s] - 2.0f * product;
    sum += c_weight[s] * expf(-m.gamma * distance);
  }
  score[i] = sum;
}
// end products

/* ---- launchers ---- */

typedef struct {
  const char *name;
  const char *idea;
  int is_constant;
  int is_reordered;     /* 2: and in registers, 3: by scalar products */
  int is_swept;         /* over the number of support vectors */
} version;

static const version versions[] = {
  {"naive", "everything in global memory, line by line", 0, 0, 0},
  {"constant", "the support vectors in constant memory", 1, 0, 0},
  {"constant_reordered", "and the lines feature by feature", 1, 1, 1},
  {"reordered_only", "feature by feature, nothing constant", 0, 1, 1},
  {"registers", "reordered, the line in registers", 1, 2, 1},
  {"registers_global", "the same, nothing constant", 0, 2, 1},
  {"products", "the same by scalar products", 1, 3, 0},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

typedef struct {
  float *x, *by_feature, *support, *weight, *score;
} arrays;

/* With the first n_support of the support vectors. */
static void launch(const version *v, arrays d, int n, int n_support)
{
  machine m = {n_support, N_FEATURES, model_gamma, model_bias};
  int n_blocks = (n + BLOCK_THREADS - 1) / BLOCK_THREADS;
  if (n == 0)
    return;
  if (v->is_reordered == 3)
    svm_products<<<n_blocks, BLOCK_THREADS>>>(d.score, d.by_feature, m, n);
  else if (v->is_reordered == 2 && !v->is_constant)
    svm_registers_global<<<n_blocks, BLOCK_THREADS>>>(d.score, d.by_feature,
                                                      d.support, d.weight, m,
                                                      n);
  else if (v->is_reordered == 2)
    svm_registers<<<n_blocks, BLOCK_THREADS>>>(d.score, d.by_feature, m, n);
  else if (v->is_reordered && v->is_constant)
    svm_reordered<<<n_blocks, BLOCK_THREADS>>>(d.score, d.by_feature, m, n);
  else if (v->is_reordered)
    svm_reordered_only<<<n_blocks, BLOCK_THREADS>>>(d.score, d.by_feature,
                                                    d.support, d.weight, m,
                                                    n);
  else if (v->is_constant)
    svm_constant<<<n_blocks, BLOCK_THREADS>>>(d.score, d.x, m, n);
  else
    svm_naive<<<n_blocks, BLOCK_THREADS>>>(d.score, d.x, d.support, d.weight,
                                           m, n);
  CUDA_CHECK_LAUNCH();
}

/* ---- data ---- */

static float h_features[N_LINES][N_FEATURES];
static float h_support[N_SUPPORT][N_FEATURES], h_weight[N_SUPPORT];
static float h_square[N_SUPPORT];

static void load_model(void)
{
  for (int i = 0; i < N_LINES; i++)
    features_of_line(lines[i].text, h_features[i]);
  for (int s = 0; s < N_SUPPORT; s++) {
    memcpy(h_support[s], h_features[model[s].line], sizeof h_support[s]);
    h_weight[s] = model[s].weight;
    for (int f = 0; f < N_FEATURES; f++)
      h_square[s] += h_support[s][f] * h_support[s][f];
  }
  CUDA_CHECK(cudaMemcpyToSymbol(c_support, h_support, sizeof h_support));
  CUDA_CHECK(cudaMemcpyToSymbol(c_weight, h_weight, sizeof h_weight));
  CUDA_CHECK(cudaMemcpyToSymbol(c_square, h_square, sizeof h_square));
}

static void *allocate(size_t n_bytes)
{
  void *memory = malloc(n_bytes + 1);
  if (!memory) {
    fprintf(stderr, "error: no host memory\n");
    exit(EXIT_FAILURE);
  }
  return memory;
}

/* n lines, those of the book over and over, in both orders. */
static arrays copy_lines(float *h_x, int n)
{
  arrays d;
  size_t n_bytes = (size_t)n * N_FEATURES * sizeof(float);
  float *turned = (float *)allocate(n_bytes);
  for (int i = 0; i < n; i++)
    for (int f = 0; f < N_FEATURES; f++) {
      h_x[(size_t)i * N_FEATURES + f] = h_features[i % N_LINES][f];
      turned[(size_t)f * n + i] = h_features[i % N_LINES][f];
    }
  CUDA_CHECK(cudaMalloc(&d.x, n_bytes + 1));
  CUDA_CHECK(cudaMalloc(&d.by_feature, n_bytes + 1));
  CUDA_CHECK(cudaMalloc(&d.support, sizeof h_support));
  CUDA_CHECK(cudaMalloc(&d.weight, sizeof h_weight));
  CUDA_CHECK(cudaMalloc(&d.score, n * sizeof(float) + GUARD_BYTES));
  CUDA_CHECK(cudaMemcpy(d.x, h_x, n_bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d.by_feature, turned, n_bytes,
                        cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d.support, h_support, sizeof h_support,
                        cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d.weight, h_weight, sizeof h_weight,
                        cudaMemcpyHostToDevice));
  poison_device(d.score, n * sizeof(float) + GUARD_BYTES);
  free(turned);
  return d;
}

static void free_arrays(arrays d)
{
  CUDA_CHECK(cudaFree(d.x));
  CUDA_CHECK(cudaFree(d.by_feature));
  CUDA_CHECK(cudaFree(d.support));
  CUDA_CHECK(cudaFree(d.weight));
  CUDA_CHECK(cudaFree(d.score));
}

/* ---- check ---- */

static int check_case(const version *v, int n)
{
  float *h_x = (float *)allocate((size_t)n * sizeof h_features[0]);
  float *h_expected = (float *)allocate(n * sizeof(float));
  float *h_got = (float *)allocate(n * sizeof(float) + GUARD_BYTES);
  char what[64];
  arrays d = copy_lines(h_x, n);
  score_on_host(h_expected, h_x, h_support[0], n);
  launch(v, d, n, N_SUPPORT);
  CUDA_CHECK(cudaMemcpy(h_got, d.score, n * sizeof(float) + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  snprintf(what, sizeof what, "%s, n = %d", v->name, n);
  int right = compare_floats_within(what, h_expected, h_got, n, 1e-4, 1.0) &
              compare_guard(what, h_got + n, GUARD_BYTES);
  free_arrays(d);
  free(h_x);
  free(h_expected);
  free(h_got);
  return right;
}

static int check(const options *o)
{
  static const int sizes[] = {0, 1, 127, 128, 129, 300};
  enum { N_SIZES = sizeof sizes / sizeof sizes[0] };
  int right = 1;
  for (int v = 0; v < N_VERSIONS; v++)
    for (int s = 0; s < N_SIZES && options_wants(o, versions[v].name); s++)
      right &= check_case(&versions[v], sizes[s]);
  fprintf(options_remarks(o), "check: %d sizes: %s\n", N_SIZES,
          right ? "all right" : "WRONG");
  return right;
}

/* ---- accuracy, count and measure ---- */

/* How many lines does each version put on the right side? Lines 0, 1 of every
 * four were used in training. */
static void print_accuracy(const options *o)
{
  static float h_x[N_LINES * N_FEATURES], h_score[N_LINES];
  arrays d = copy_lines(h_x, N_LINES);
  printf("version,n_seen,n_seen_right,n_held_out,n_held_out_right,n_support,"
         "n_features\n");
  for (int v = 0; v < N_VERSIONS; v++) {
    int n[2] = {0, 0}, n_right[2] = {0, 0};
    if (!options_wants(o, versions[v].name))
      continue;
    poison_device(d.score, sizeof h_score);
    launch(&versions[v], d, N_LINES, N_SUPPORT);
    CUDA_CHECK(cudaMemcpy(h_score, d.score, sizeof h_score,
                          cudaMemcpyDeviceToHost));
    for (int i = 0; i < N_LINES; i++) {
      n[i % 4 / 2]++;
      n_right[i % 4 / 2] += (h_score[i] > 0.0f) == lines[i].is_code;
    }
    printf("%s,%d,%d,%d,%d,%d,%d\n", versions[v].name, n[0], n_right[0],
           n[1], n_right[1], N_SUPPORT, N_FEATURES);
  }
  free_arrays(d);
}

static int count(const options *o)
{
  int n = (int)memory_length(o, 256, 2.0 * N_FEATURES * sizeof(float));
  float *h_x = (float *)allocate((size_t)n * sizeof h_features[0]);
  arrays d = copy_lines(h_x, n);
  printf("version,n_lines\n");
  for (int v = 0; v < N_VERSIONS; v++)
    if (options_wants(o, versions[v].name)) {
      launch(&versions[v], d, n, N_SUPPORT);
      printf("%s,%d\n", versions[v].name, n);
    }
  CUDA_CHECK(cudaDeviceSynchronize());
  free_arrays(d);
  free(h_x);
  return EXIT_SUCCESS;
}

static void measure(const options *o)
{
  int n = (int)memory_length(o, (size_t)1 << 20,
                             2.0 * N_FEATURES * sizeof(float));
  float *h_x = (float *)allocate((size_t)n * sizeof h_features[0]);
  arrays d = copy_lines(h_x, n);
  if (o->csv)
    printf("version,n_lines,repetitions,time_us,time_spread_us,"
           "lines_per_us\n");
  else
    timing_print_head();
  for (int v = 0; v < N_VERSIONS; v++) {
    if (!options_wants(o, versions[v].name))
      continue;
    timing t = timing_start(o->repetitions);
    while (timing_next(&t))
      launch(&versions[v], d, n, N_SUPPORT);
    if (o->csv)
      printf("%s,%d,%d,%.3f,%.3f,%.2f\n", versions[v].name, n, t.repetitions,
             t.median_us, t.spread_us, n / t.median_us);
    else
      timing_print_row(versions[v].name, t,
                       (double)n * sizeof h_features[0]);
  }
  free_arrays(d);
  free(h_x);
}

/* Experiment `support`: how the time of a pair, of a line and a support
 * vector, depends on how much memory all support vectors take. */
static void sweep_support(const options *o)
{
  static const int n_support[] = {2,  4,  8,  12, 14, 15, 16, 17, 18, 20,
                                  24, 32, 48, 64, 80, 96, 112, N_SUPPORT};
  int n = (int)memory_length(o, (size_t)1 << 20,
                             2.0 * N_FEATURES * sizeof(float));
  float *h_x = (float *)allocate((size_t)n * sizeof h_features[0]);
  arrays d = copy_lines(h_x, n);
  printf("version,n_support,support_bytes,n_lines,repetitions,time_us,"
         "time_spread_us,pair_ps\n");
  for (int v = 0; v < N_VERSIONS; v++)
    for (size_t k = 0; k < sizeof n_support / sizeof n_support[0]; k++) {
      if (!options_wants(o, versions[v].name) || !versions[v].is_swept)
        continue;
      timing t = timing_start(o->repetitions);
      while (timing_next(&t))
        launch(&versions[v], d, n, n_support[k]);
      printf("%s,%d,%zu,%d,%d,%.3f,%.3f,%.3f\n", versions[v].name,
             n_support[k], n_support[k] * sizeof h_support[0], n,
             t.repetitions, t.median_us, t.spread_us,
             t.median_us * 1e6 / n / n_support[k]);
      fflush(stdout);
    }
  free_arrays(d);
  free(h_x);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "tells lines of code from prose",
                            "svm,support,accuracy", "svm");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  load_model();
  if (o.count)
    return count(&o);
  if (o.csv && strcmp(o.csv, "accuracy") == 0) {
    print_accuracy(&o);
    return EXIT_SUCCESS;
  }
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (o.csv && strcmp(o.csv, "support") == 0)
    sweep_support(&o);
  else if (!o.check && timing_is_possible())
    measure(&o);
  return EXIT_SUCCESS;
}
