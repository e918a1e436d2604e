/* A lab sheet's transposition by tiles of 16 × 16: the guard against the
 * matrix's edge is put around everything, the barrier included. */
#include "debugging/bug.h"

enum { TILE = 16, N_ROWS = 48, N_COLS = 40 };

// begin guarded
__global__ void transpose_guarded(int *out, const int *in, int n_rows,
                                  int n_cols)
{
  __shared__ int tile[TILE][TILE];
  int i = blockIdx.x * TILE + threadIdx.x;
  int j = blockIdx.y * TILE + threadIdx.y;
  if (i < n_cols && j < n_rows) {
    tile[threadIdx.y][threadIdx.x] = in[j * n_cols + i];
    __syncthreads();
    i = blockIdx.y * TILE + threadIdx.x;
    j = blockIdx.x * TILE + threadIdx.y;
    out[j * n_rows + i] = tile[threadIdx.x][threadIdx.y];
  }
}
// end guarded

// begin unguarded
__global__ void transpose_unguarded(int *out, const int *in, int n_rows,
                                    int n_cols)
{
  __shared__ int tile[TILE][TILE];
  int i = blockIdx.x * TILE + threadIdx.x;
  int j = blockIdx.y * TILE + threadIdx.y;
  if (i < n_cols && j < n_rows)
    tile[threadIdx.y][threadIdx.x] = in[j * n_cols + i];
  __syncthreads();
  i = blockIdx.y * TILE + threadIdx.x;
  j = blockIdx.x * TILE + threadIdx.y;
  if (i < n_rows && j < n_cols)
    out[j * n_rows + i] = tile[threadIdx.x][threadIdx.y];
}
// end unguarded

static int run(void (*kernel)(int *, const int *, int, int))
{
  static int h_in[N_ROWS * N_COLS], h_out[N_ROWS * N_COLS];
  int right = 1;
  for (int k = 0; k < N_ROWS * N_COLS; k++)
    h_in[k] = k;
  int *d_in = (int *)bug_upload(h_in, sizeof h_in), *d_out = NULL;
  /* Space for whole tiles, so that the broken one breaks nothing else. */
  TRY(cudaMalloc(&d_out, 2 * sizeof h_in));
  TRY(cudaMemset(d_out, 0xff, 2 * sizeof h_in));
  kernel<<<dim3((N_COLS + TILE - 1) / TILE, (N_ROWS + TILE - 1) / TILE),
           dim3(TILE, TILE)>>>(d_out, d_in, N_ROWS, N_COLS);
  TRY_LAUNCH();
  bug_download(h_out, d_out, sizeof h_out);
  for (int row = 0; row < N_ROWS; row++)
    for (int col = 0; col < N_COLS; col++)
      right &= h_out[col * N_ROWS + row] == h_in[row * N_COLS + col];
  TRY(cudaFree(d_in));
  return right;
}

static int fixed(void) { return run(transpose_unguarded); }
static int broken(void) { return run(transpose_guarded); }

static const version versions[] = {
  {"fixed", "two guards, the barrier outside", 0, fixed},
  {"broken", "one guard around everything", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "a barrier that not all threads reach");
}
