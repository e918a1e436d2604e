/* The error of a factorisation without another look at the pictures.
 *
 *   nvcc -std=c++17 -I code code/nmf/solutions.cu -o solutions && ./solutions */
#include <math.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/options.h"
#include "common/random.h"
#include "nmf/kernels.h"

enum { K = 16, IMAGES = 200 };

// begin missing
/* The squares of v - w h, from those of v and from what the last step has left
 * in `totals`: v h^T and h h^T. One block; thread = row. */
__global__ void missing(double *result, double v_squares, const float *w,
                        const float *totals)
{
  __shared__ double sums[ROWS];
  const float *products = totals, *gram = totals + K * ROWS;
  int row = threadIdx.x;
  double sum = 0.0;
  for (int r = 0; r < K; r++) {
    double rebuilt = 0.0;
    for (int s = 0; s < K; s++)
      rebuilt += (double)gram[r * K + s] * w[s * ROWS + row];
    sum += w[r * ROWS + row] * (rebuilt - 2.0 * products[r * ROWS + row]);
  }
  sums[row] = sum;
  for (int distance = ROWS / 2; distance > 0; distance /= 2) {
    __syncthreads();
    if (row < distance)
      sums[row] += sums[row + distance];
  }
  if (row == 0)
    *result = v_squares + sums[0];
}
// end missing

/* The same the long way round, on the host. */
static double missing_directly(const float *v, const float *w, const float *h)
{
  double sum = 0.0;
  for (size_t image = 0; image < IMAGES; image++)
    for (size_t row = 0; row < ROWS; row++) {
      double rest = v[image * ROWS + row];
      for (size_t r = 0; r < K; r++)
        rest -= (double)w[r * ROWS + row] * h[image * K + r];
      sum += rest * rest;
    }
  return sum;
}

typedef struct {
  float v[ROWS * IMAGES], w[ROWS * K], h[K * IMAGES];
} matrices;

static double squares_of(const float *x, size_t n)
{
  double sum = 0.0;
  for (size_t i = 0; i < n; i++)
    sum += (double)x[i] * x[i];
  return sum;
}

/* Both, after 1, 10 and 100 steps, as shares of the pictures' squares. */
static int compare_both(const options *o, int is_printed)
{
  static const int stops[] = {1, 10, 100};
  static matrices m;
  random_source source = random_from_seed(o->seed);
  factors f = {NULL, NULL, NULL, IMAGES};
  float *d_v;
  double *d_result, v_squares, result;
  int good = 1, step = 0;
  for (size_t i = 0; i < IMAGES; i++)
    draw_digit(m.v + i * ROWS, (int)(i % CLASSES), 0.3f, 0.3f, &source);
  for (size_t i = 0; i < ROWS * K; i++)
    m.w[i] = 0.01f + digits_fraction(&source);
  for (size_t i = 0; i < K * IMAGES; i++)
    m.h[i] = 0.01f + digits_fraction(&source);
  v_squares = squares_of(m.v, ROWS * IMAGES);
  fixed_blocks = 4;
  CUDA_CHECK(cudaMalloc(&d_result, sizeof *d_result));
  CUDA_CHECK(cudaMalloc(&d_v, sizeof m.v));
  CUDA_CHECK(cudaMalloc(&f.w, sizeof m.w));
  CUDA_CHECK(cudaMalloc(&f.h, sizeof m.h));
  CUDA_CHECK(cudaMalloc(&f.shares, shares_bytes(K)));
  CUDA_CHECK(cudaMalloc(&f.totals, share_length<K>() * sizeof(float)));
  f.v = d_v;
  CUDA_CHECK(cudaMemcpy(d_v, m.v, sizeof m.v, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(f.w, m.w, sizeof m.w, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(f.h, m.h, sizeof m.h, cudaMemcpyHostToDevice));
  if (is_printed)
    printf("n_steps,directly,from_totals\n");
  for (int i = 0; i < 3; i++) {
    for (; step < stops[i]; step++)
      step_once<K>(&f);
    missing<<<1, ROWS>>>(d_result, v_squares, f.w, f.totals);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy(&result, d_result, sizeof result,
                          cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(m.w, f.w, sizeof m.w, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(m.h, f.h, sizeof m.h, cudaMemcpyDeviceToHost));
    double directly = missing_directly(m.v, m.w, m.h);
    if (is_printed)
      printf("%d,%.5f,%.5f\n", step, directly / v_squares,
             result / v_squares);
    if (!(fabs(result - directly) <= 1e-4 * v_squares)) {
      fprintf(stderr, "solutions: error: %.9g is missing after %d steps, not "
              "%.9g\n", directly, step, result);
      good = 0;
    }
  }
  void *all[] = {d_result, d_v, f.w, f.h, f.shares, f.totals};
  for (int i = 0; i < 6; i++)
    CUDA_CHECK(cudaFree(all[i]));
  return good;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "the error without the pictures",
                            "errors", "");
  int good = compare_both(&o, o.csv != NULL);
  if (good)
    fprintf(options_remarks(&o), "both ways agree (--seed %llu)\n",
            (unsigned long long)o.seed);
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
