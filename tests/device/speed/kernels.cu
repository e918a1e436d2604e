// The three kernels of the speed benchmark. kernels.ptx is this file,
// compiled by nvcc -ptx -arch=compute_90, so that it runs without nvcc.
extern "C" __global__ void vector_add(const float *a, const float *b,
                                      float *c, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n)
    c[i] = a[i] + b[i];
}

extern "C" __global__ void matmul_naive(const float *a, const float *b,
                                        float *c, int n)
{
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;

  if (row < n && column < n) {
    for (int k = 0; k < n; k++)
      sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
  }
}

enum { TILE = 16 };

extern "C" __global__ void matmul_tiled(const float *a, const float *b,
                                        float *c, int n)
{
  __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y;
  int column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0.0f;

  for (int k = 0; k < n; k += TILE) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int i = 0; i < TILE; i++)
      sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
