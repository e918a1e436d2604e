/* The halo of a plate that is cut into bands of columns: a column travels by
 * a copy of single words, or is packed into a row first.
 *
 *   nvcc -I code code/multi_gpu/columns.cu -o columns && ./columns
 */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/options.h"
#include "multi_gpu/gpus.h"

enum { THREADS = 256 };

/* n_rows x n_columns points of one GPU, row by row. */
typedef struct {
  int gpu;
  cudaStream_t stream;
  float *points;
  float *packed;      /* a column, word after word */
  int n_rows, n_columns;
} band;

// begin by_words
/* The last column of one band becomes the first of the next. */
static void send_by_words(const band *from, const band *to)
{
  size_t word = sizeof(float);
  CUDA_CHECK(cudaMemcpy2DAsync(to->points, to->n_columns * word,
                               from->points + from->n_columns - 1,
                               from->n_columns * word, word, from->n_rows,
                               cudaMemcpyDefault, from->stream));
}
// end by_words

// begin packed
__global__ void pack(float *packed, const float *points, int n_rows,
                     int n_columns)
{
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n_rows)
    packed[row] = points[(size_t)row * n_columns + n_columns - 1];
}

__global__ void unpack(float *points, const float *packed, int n_rows,
                       int n_columns)
{
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n_rows)
    points[(size_t)row * n_columns] = packed[row];
}
// end packed

static int blocks_for(int n_rows)
{
  return (n_rows + THREADS - 1) / THREADS;
}

/* The sender packs and copies; the receiver, on its own GPU, unpacks. */
static void send_packed(const band *from, const band *to)
{
  cudaEvent_t sent;
  CUDA_CHECK(cudaEventCreateWithFlags(&sent, cudaEventDisableTiming));
  pack<<<blocks_for(from->n_rows), THREADS, 0, from->stream>>>(
      from->packed, from->points, from->n_rows, from->n_columns);
  CUDA_CHECK(cudaMemcpyAsync(to->packed, from->packed,
                             from->n_rows * sizeof(float),
                             cudaMemcpyDefault, from->stream));
  CUDA_CHECK(cudaEventRecord(sent, from->stream));
  CUDA_CHECK(cudaSetDevice(to->gpu));
  CUDA_CHECK(cudaStreamWaitEvent(to->stream, sent, 0));
  unpack<<<blocks_for(to->n_rows), THREADS, 0, to->stream>>>(
      to->points, to->packed, to->n_rows, to->n_columns);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaSetDevice(from->gpu));
  CUDA_CHECK(cudaEventDestroy(sent));
}

/* ---- versions ---- */

typedef struct {
  const char *name;
  const char *idea;
  void (*send)(const band *from, const band *to);
} version;

static const version versions[] = {
  {"by_words", "a copy of four bytes per row", send_by_words},
  {"packed", "into a row, across, and out of it", send_packed},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- check ---- */

/* The point in row r and column c of a band of GPU g. */
static float value_of(int gpu, int row, int column)
{
  return (float)(gpu * 4096 + row * 16 + column % 16);
}

static band band_new(int gpu, int n_rows, int n_columns)
{
  size_t n = (size_t)n_rows * n_columns;
  band b = {gpu, NULL, NULL, NULL, n_rows, n_columns};
  float *h_points = (float *)malloc(n * sizeof(float));
  for (size_t i = 0; i < n; i++)
    h_points[i] = value_of(gpu, (int)(i / n_columns), (int)(i % n_columns));
  CUDA_CHECK(cudaSetDevice(gpu));
  CUDA_CHECK(cudaStreamCreateWithFlags(&b.stream, cudaStreamNonBlocking));
  CUDA_CHECK(cudaMalloc(&b.points, n * sizeof(float) + GUARD_BYTES));
  CUDA_CHECK(cudaMalloc(&b.packed, n_rows * sizeof(float)));
  poison_device(b.points, n * sizeof(float) + GUARD_BYTES);
  CUDA_CHECK(cudaMemcpy(b.points, h_points, n * sizeof(float),
                        cudaMemcpyHostToDevice));
  free(h_points);
  return b;
}

static void band_free(band *b)
{
  CUDA_CHECK(cudaStreamDestroy(b->stream));
  CUDA_CHECK(cudaFree(b->points));
  CUDA_CHECK(cudaFree(b->packed));
}

/* The first column is the neighbour's last one, and nothing else changed. */
static int judge(const char *name, const band *from, const band *to)
{
  size_t n = (size_t)to->n_rows * to->n_columns;
  float *expected = (float *)malloc(n * sizeof(float));
  float *got = (float *)malloc(n * sizeof(float));
  char guard[GUARD_BYTES];
  for (size_t i = 0; i < n; i++) {
    int row = (int)(i / to->n_columns), column = (int)(i % to->n_columns);
    expected[i] = column > 0 ? value_of(to->gpu, row, column)
                             : value_of(from->gpu, row, from->n_columns - 1);
  }
  CUDA_CHECK(cudaMemcpy(got, to->points, n * sizeof(float),
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(guard, to->points + n, sizeof guard,
                        cudaMemcpyDeviceToHost));
  int right = compare_floats(name, expected, got, n) &
              compare_guard(name, guard, sizeof guard);
  free(expected);
  free(got);
  return right;
}

static int check_version(const version *v, int n_rows, int n_columns)
{
  band from = band_new(0, n_rows, n_columns);
  band to = band_new(1, n_rows, n_columns);
  gpus_synchronize(2);
  CUDA_CHECK(cudaSetDevice(from.gpu));
  v->send(&from, &to);
  CUDA_CHECK_LAUNCH();
  gpus_synchronize(2);
  int right = judge(v->name, &from, &to);
  band_free(&from);
  band_free(&to);
  return right;
}

int main(int argc, char **argv)
{
  static const int sizes[][2] = {{1, 1}, {5, 3}, {255, 16}, {300, 33}};
  options o = options_parse(argc, argv, "a halo of one column", "", "");
  int right = 1;
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  gpus_need(2);
  gpus_connect(2);
  for (int i = 0; i < N_VERSIONS; i++)
    if (options_wants(&o, versions[i].name))
      for (int s = 0; s < 4; s++)
        right &= check_version(&versions[i], sizes[s][0], sizes[s][1]);
  fprintf(options_remarks(&o), "check: %s\n", right ? "all right" : "WRONG");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
