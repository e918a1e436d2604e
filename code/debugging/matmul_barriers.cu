/* The tiled product of two matrices needs two barriers. Here it is with both,
 * and with each of them taken away. */
#include "debugging/bug.h"

enum { TILE = 16, N = 64 };   /* N: sides of the matrices, in elements */

// begin both
__global__ void matmul_both(float *c, const float *a, const float *b, int n)
{
  __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  float sum = 0.0f;
  for (int k = 0; k < n; k += TILE) {
    tile_a[y][x] = a[row * n + k + x];
    tile_b[y][x] = b[(k + y) * n + column];
    __syncthreads();                            /* the first */
    for (int i = 0; i < TILE; i++)
      sum += tile_a[y][i] * tile_b[i][x];
    __syncthreads();                            /* the second */
  }
  c[row * n + column] = sum;
}
// end both

__global__ void matmul_without_first(float *c, const float *a,
                                     const float *b, int n)
{
  __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  float sum = 0.0f;
  // begin without_first
  for (int k = 0; k < n; k += TILE) {
    tile_a[y][x] = a[row * n + k + x];
    tile_b[y][x] = b[(k + y) * n + column];
    for (int i = 0; i < TILE; i++)
      sum += tile_a[y][i] * tile_b[i][x];
    __syncthreads();                            /* the second */
  }
  // end without_first
  c[row * n + column] = sum;
}

__global__ void matmul_without_second(float *c, const float *a,
                                      const float *b, int n)
{
  __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  float sum = 0.0f;
  // begin without_second
  for (int k = 0; k < n; k += TILE) {
    tile_a[y][x] = a[row * n + k + x];
    tile_b[y][x] = b[(k + y) * n + column];
    __syncthreads();                            /* the first */
    for (int i = 0; i < TILE; i++)
      sum += tile_a[y][i] * tile_b[i][x];
  }
  // end without_second
  c[row * n + column] = sum;
}

/* Small whole numbers: sums are exact in any order. */
static int run(void (*kernel)(float *, const float *, const float *, int))
{
  static float h_a[N][N], h_b[N][N], h_c[N][N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      h_a[i][j] = (float)((3 * i + j) % 7);
      h_b[i][j] = (float)((i + 5 * j) % 11);
    }
  float *d_a = (float *)bug_upload(h_a, sizeof h_a);
  float *d_b = (float *)bug_upload(h_b, sizeof h_b);
  float *d_c = (float *)bug_upload(h_c, sizeof h_c);
  kernel<<<dim3(N / TILE, N / TILE), dim3(TILE, TILE)>>>(d_c, d_a, d_b, N);
  TRY_LAUNCH();
  bug_download(h_c, d_c, sizeof h_c);
  TRY(cudaFree(d_a));
  TRY(cudaFree(d_b));
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      float sum = 0.0f;
      for (int k = 0; k < N; k++)
        sum += h_a[i][k] * h_b[k][j];
      if (!(h_c[i][j] == sum))
        return 0;
    }
  return 1;
}

static int both(void) { return run(matmul_both); }
static int without_first(void) { return run(matmul_without_first); }
static int without_second(void) { return run(matmul_without_second); }

static const version versions[] = {
  {"both", "with both barriers", 0, both},
  {"without_first", "reads a tile that is not complete", 1, without_first},
  {"without_second", "overwrites a tile that is in use", 1, without_second},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "the two barriers of the tiled product");
}
