/* The main program of a lab sheet from about 2014, as it is printed there,
 * with its three faults one by one. Its kernel is right, for square matrices
 * whose side is a multiple of the block's.
 *
 *   nvcc -I code code/matmul/lab_sheet.cu -o lab_sheet && ./lab_sheet
 */
#include "debugging/bug.h"

enum { SIDE = 16, N = 64, N_BYTES = N * N * sizeof(float) };

// begin kernel
__global__ void multiply(float *c, const float *a, const float *b, int n)
{
  __shared__ float tile_a[SIDE][SIDE], tile_b[SIDE][SIDE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * SIDE + y, col = blockIdx.x * SIDE + x;
  float sum = 0.0f;
  for (int first = 0; first < n; first += SIDE) {
    tile_a[y][x] = a[row * n + first + x];
    tile_b[y][x] = b[(first + y) * n + col];
    __syncthreads();
    for (int k = 0; k < SIDE; k++)
      sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}
// end kernel

/* Bytes to allocate and to copy, what is copied into b, blocks each way. */
typedef struct {
  size_t n_bytes;
  int b_from_a;
  int n_blocks;
} faults;

// begin main_part
static int run(faults f)
{
  static float h_a[N * N], h_b[N * N], h_c[N * N];
  float *d_a = NULL, *d_b = NULL, *d_c = NULL;
  for (int i = 0; i < N * N; i++) {
    h_a[i] = (float)(i % 7 - 3);
    h_b[i] = (float)(i % 5 - 2);
  }
  TRY(cudaMalloc(&d_a, f.n_bytes));
  TRY(cudaMalloc(&d_b, f.n_bytes));
  TRY(cudaMalloc(&d_c, f.n_bytes));
  TRY(cudaMemcpy(d_a, h_a, f.n_bytes, cudaMemcpyHostToDevice));
  TRY(cudaMemcpy(d_b, f.b_from_a ? h_a : h_b, f.n_bytes,
                 cudaMemcpyHostToDevice));
  multiply<<<dim3(f.n_blocks, f.n_blocks), dim3(SIDE, SIDE)>>>(d_c, d_a,
                                                               d_b, N);
  TRY_LAUNCH();
  TRY(cudaMemcpy(h_c, d_c, f.n_bytes, cudaMemcpyDeviceToHost));
  TRY(cudaFree(d_a));
  TRY(cudaFree(d_b));
  TRY(cudaFree(d_c));
  for (int i = 0; i < N * N; i++) {
    float sum = 0.0f;
    for (int k = 0; k < N; k++)
      sum += h_a[i / N * N + k] * h_b[k * N + i % N];
    if (h_c[i] != sum)
      return 0;
  }
  return 1;
}

static int repaired(void) { return run((faults){N_BYTES, 0, N / SIDE}); }
static int elements(void) { return run((faults){N * N, 0, N / SIDE}); }
static int twice_a(void) { return run((faults){N_BYTES, 1, N / SIDE}); }
static int few_blocks(void) { return run((faults){N_BYTES, 0, 2}); }
// end main_part

static const version versions[] = {
  {"repaired", "as it is meant", 0, repaired},
  {"elements", "allocates and copies n * n bytes", 1, elements},
  {"twice_a", "copies the first matrix into both", 1, twice_a},
  {"few_blocks", "launches 2 x 2 blocks", 1, few_blocks},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "the faults of a lab sheet's main program");
}
