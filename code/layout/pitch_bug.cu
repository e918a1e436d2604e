/* The pitch that cudaMallocPitch returns is in bytes.  If you multiply it by
 * the row and add that to a pointer to floats, you go four times too far. */
#include "debugging/bug.h"

enum { N_ROWS = 16, N_COLS = 100, BLOCK_COLS = 32, BLOCK_ROWS = 8 };

// begin broken
__global__ void double_broken(float *m, size_t pitch)
{
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < N_ROWS && col < N_COLS)
    m[row * pitch + col] *= 2.0f;
}
// end broken

// begin fixed
__global__ void double_fixed(float *m, size_t pitch)
{
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < N_ROWS && col < N_COLS) {
    float *row_of_m = (float *)((char *)m + row * pitch);
    row_of_m[col] *= 2.0f;
  }
}
// end fixed

static int run(void (*kernel)(float *, size_t))
{
  static float h_in[N_ROWS][N_COLS], h_out[N_ROWS][N_COLS];
  enum { ROW_BYTES = N_COLS * sizeof(float) };
  float *d_m = NULL;
  size_t pitch = 0;
  for (int row = 0; row < N_ROWS; row++)
    for (int col = 0; col < N_COLS; col++)
      h_in[row][col] = (float)(N_COLS * row + col);
  memset(h_out, 0x5a, sizeof h_out);
  TRY(cudaMallocPitch(&d_m, &pitch, ROW_BYTES, N_ROWS));
  TRY(cudaMemcpy2D(d_m, pitch, h_in, ROW_BYTES, ROW_BYTES, N_ROWS,
                   cudaMemcpyHostToDevice));
  kernel<<<dim3((N_COLS + BLOCK_COLS - 1) / BLOCK_COLS, N_ROWS / BLOCK_ROWS),
           dim3(BLOCK_COLS, BLOCK_ROWS)>>>(d_m, pitch);
  TRY_LAUNCH();
  TRY(cudaMemcpy2D(h_out, ROW_BYTES, d_m, pitch, ROW_BYTES, N_ROWS,
                   cudaMemcpyDeviceToHost));
  TRY(cudaFree(d_m));
  for (int row = 0; row < N_ROWS; row++)
    for (int col = 0; col < N_COLS; col++)
      if (!(h_out[row][col] == 2.0f * h_in[row][col]))
        return 0;
  return 1;
}

static int fixed(void) { return run(double_fixed); }
static int broken(void) { return run(double_broken); }

static const version versions[] = {
  {"fixed", "the pitch in bytes, added to a pointer to bytes", 0, fixed},
  {"broken", "the pitch added to a pointer to floats", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "a pitch taken for a number of floats");
}
