// What cuBLAS reads and nothing has written: each case must be told at its
// call, with the operand and the first such element. The first case reads only
// what is written, however full of holes the memory around it is.
// `library NAME` runs one, `library` lists them; library.expected has the
// messages.
#include <cublas_v2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 16
#define LEADING 20

static const float one = 1, zero = 0;
static cublasHandle_t handle;

// New memory for columns of LEADING numbers, of which `rows` are written, from
// row `first` on.
static float *columns_of(int columns, int first, int rows)
{
  float *at, ones[N];

  for (int i = 0; i < N; i++)
    ones[i] = 1;
  cudaMalloc(&at, columns * LEADING * sizeof *at);
  for (int j = 0; j < columns && rows > 0; j++)
    cudaMemcpy(at + j * LEADING + first, ones, rows * sizeof *at,
               cudaMemcpyHostToDevice);
  return at;
}

// Of each column, what is on the diagonal and below, or above.
static float *triangle(bool lower, bool diagonal)
{
  float *at, ones[N];

  for (int i = 0; i < N; i++)
    ones[i] = 1;
  cudaMalloc(&at, N * LEADING * sizeof *at);
  for (int j = 0; j < N; j++) {
    int first = lower ? j + !diagonal : 0;
    int end = lower ? N : j + diagonal;

    if (end > first)
      cudaMemcpy(at + j * LEADING + first, ones, (end - first) * sizeof *at,
                 cudaMemcpyHostToDevice);
  }
  return at;
}

static float *new_matrix(void) { return columns_of(N, 0, 0); }
static float *matrix(void) { return columns_of(N, 0, N); }

static void only_what_is_written(void)
{
  float *a = matrix(), *b = matrix(), *c = new_matrix(), sum;
  float *managed;

  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, N, N, N, &one, a, LEADING, b,
              LEADING, &zero, c, LEADING);
  cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, N, N, N, &one, c, LEADING, c,
              LEADING, &one, a, LEADING);
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &zero, new_matrix(),
              LEADING, new_matrix(), LEADING, &one, a, LEADING);
  cublasSsymm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, N, N, &one,
              triangle(true, true), LEADING, b, LEADING, &zero, new_matrix(),
              LEADING);
  cublasStrsm(handle, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T,
              CUBLAS_DIAG_UNIT, N, N, &one, triangle(false, false), LEADING, b,
              LEADING);
  cublasStrmm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T,
              CUBLAS_DIAG_NON_UNIT, N, N, &one, triangle(true, true), LEADING,
              b, LEADING, new_matrix(), LEADING);
  cublasSsyrk(handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, N, N, &one, b,
              LEADING, &one, triangle(false, true), LEADING);
  // A row of a matrix that has only this row.
  cublasSdot(handle, N, columns_of(N, 3, 1) + 3, LEADING, b, 1, &sum);
  // What the host may have written without a call.
  cudaMallocManaged(&managed, N * sizeof *managed);
  cublasSdot(handle, N, managed, 1, b, 1, &sum);
  // Two matrices beside a third one, the distance of which is not written.
  cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one,
                            columns_of(N, 0, 4), LEADING, 8 * LEADING, b,
                            LEADING, 0, &zero, new_matrix(), LEADING,
                            8 * LEADING, 2);
}

static void gemm_b(void)
{
  float *a = matrix(), *b = new_matrix(), *c = new_matrix();

  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &one, a, LEADING, b,
              LEADING, &zero, c, LEADING);
}

static void gemm_transposed(void)
{
  float *a = columns_of(N, 0, N - 1), *b = matrix(), *c = new_matrix();

  cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, N, N, N, &one, a, LEADING, b,
              LEADING, &zero, c, LEADING);
}

static void beta_keeps_c(void)
{
  float *a = matrix(), *b = matrix(), *c = new_matrix();

  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &one, a, LEADING, b,
              LEADING, &one, c, LEADING);
}

static void wrong_triangle(void)
{
  float *a = triangle(true, true), *b = matrix();

  cublasStrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N,
              CUBLAS_DIAG_UNIT, N, N, &one, a, LEADING, b, LEADING);
}

static void half_of_symmetric(void)
{
  float *a = triangle(true, false), *b = matrix(), *c = new_matrix();

  cublasSsymm(handle, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, N, N, &one, a,
              LEADING, b, LEADING, &zero, c, LEADING);
}

// An update keeps all of its half, with the diagonal.
static void diagonal_of_update(void)
{
  float *a = triangle(true, false), *x = matrix();

  cublasSsyr(handle, CUBLAS_FILL_MODE_LOWER, N, &one, x, 1, a, LEADING);
}

// The third matrix lacks a column; then all lack a row, which is told once.
static void batches(void)
{
  float *a = matrix(), *b = columns_of(11, 0, 4), *c = new_matrix();
  float *lacking = columns_of(N, 0, 3), *last;

  cudaMalloc(&last, 12 * LEADING * sizeof *last);
  cudaMemcpy(last, b, 11 * LEADING * sizeof *last, cudaMemcpyDeviceToDevice);
  cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a,
                            LEADING, 4 * LEADING, last, LEADING, 4 * LEADING,
                            &zero, c, LEADING, 4 * LEADING, 3);
  cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one,
                            lacking, LEADING, 4 * LEADING, a, LEADING,
                            4 * LEADING, &zero, c, LEADING, 4 * LEADING, 3);
}

static void backwards(void)
{
  float *x = columns_of(1, 0, N - 2), *y = matrix(), sum;

  cublasSdot(handle, N, x, -1, y, 1, &sum);
}

// What a call wrote may be read; what it added to was not written before.
static void result_is_written(void)
{
  float *a = matrix(), *x = matrix(), *y = columns_of(1, 0, 0), host[N];
  float *sum = columns_of(1, 0, 0);

  cublasSgemv(handle, CUBLAS_OP_N, N, N, &one, a, LEADING, x, 1, &zero, y, 1);
  cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
  cublasSaxpy(handle, N, &one, y, 1, sum, 1);
}

static const struct {
  const char *name;
  void (*run)(void);
} cases[] = {
  { "only_what_is_written", only_what_is_written },
  { "gemm_b", gemm_b },
  { "gemm_transposed", gemm_transposed },
  { "beta_keeps_c", beta_keeps_c },
  { "wrong_triangle", wrong_triangle },
  { "half_of_symmetric", half_of_symmetric },
  { "diagonal_of_update", diagonal_of_update },
  { "batches", batches },
  { "backwards", backwards },
  { "result_is_written", result_is_written },
};

int main(int argc, char **argv)
{
  const char *name = argc < 2 ? "" : argv[1];

  if (argc >= 2)
    cublasCreate(&handle);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (argc < 2)
      puts(cases[i].name);
    else if (strcmp(name, cases[i].name) == 0)
      cases[i].run();
  if (argc >= 2)
    cublasDestroy(handle);
  cudaDeviceReset();
  return 0;
}
