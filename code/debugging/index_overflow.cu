/* An index that an int cannot hold: 40 000 rows of 65 536 bytes. */
#include "debugging/bug.h"

enum { N_ROWS = 40000, ROW_BYTES = 65536, BLOCK_THREADS = 256 };

// begin broken
__global__ void mark_broken(unsigned char *x, int n_rows, int row_bytes)
{
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int first = row * row_bytes;
  if (row < n_rows)
    x[first] = (unsigned char)row;
}
// end broken

// begin fixed
__global__ void mark_fixed(unsigned char *x, int n_rows, int row_bytes)
{
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  size_t first = (size_t)row * row_bytes;
  if (row < n_rows)
    x[first] = (unsigned char)row;
}
// end fixed

static int run(void (*kernel)(unsigned char *, int, int))
{
  static unsigned char h_first[N_ROWS];
  unsigned char *d_x = NULL;
  TRY(cudaMalloc(&d_x, (size_t)N_ROWS * ROW_BYTES));
  kernel<<<(N_ROWS + BLOCK_THREADS - 1) / BLOCK_THREADS, BLOCK_THREADS>>>(
      d_x, N_ROWS, ROW_BYTES);
  TRY_LAUNCH();
  TRY(cudaMemcpy2D(h_first, 1, d_x, ROW_BYTES, 1, N_ROWS,
                   cudaMemcpyDeviceToHost));
  TRY(cudaFree(d_x));
  for (int row = 0; row < N_ROWS; row++)
    if (h_first[row] != (unsigned char)row)
      return 0;
  return 1;
}

static int fixed(void) { return run(mark_fixed); }
static int broken(void) { return run(mark_broken); }

static const version versions[] = {
  {"fixed", "the index is a size_t", 0, fixed},
  {"broken", "the index is an int", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "an index that overflows");
}
