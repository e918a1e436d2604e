// The kernels of the speed benchmark. kernels.ptx is this file,
// compiled by nvcc -ptx -arch=compute_90, so that it runs without nvcc.
extern "C" __global__ void vector_add(const float *a, const float *b, float *c,
                                      int n)
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

// C = A B^T in rows of float4: shared memory in pieces of 16 bytes, of which
// those of B are read with conflicts.
extern "C" __global__ void matmul_float4(const float4 *a, const float4 *b,
                                         float *c, int n)
{
  __shared__ float4 tile_a[TILE][TILE / 4], tile_b[TILE][TILE / 4];
  int row = blockIdx.y * TILE + threadIdx.y;
  int column = blockIdx.x * TILE + threadIdx.x;
  int thread = threadIdx.y * TILE + threadIdx.x;
  int in_row = thread / 4 % TILE, in_column = thread % 4;
  float sum = 0.0f;

  for (int k = 0; k < n; k += TILE) {
    if (thread < 4 * TILE)
      tile_a[in_row][in_column] =
          a[((blockIdx.y * TILE + in_row) * n + k) / 4 + in_column];
    else if (thread < 8 * TILE)
      tile_b[in_row][in_column] =
          b[((blockIdx.x * TILE + in_row) * n + k) / 4 + in_column];
    __syncthreads();
    for (int i = 0; i < TILE / 4; i++) {
      float4 one = tile_a[threadIdx.y][i], other = tile_b[threadIdx.x][i];

      sum += one.x * other.x;
      sum += one.y * other.y;
      sum += one.z * other.z;
      sum += one.w * other.w;
    }
    __syncthreads();
  }
  c[row * n + column] = sum;
}

enum { SQUARE = 32, ROWS = 8 };

// Each square of 32 x 32 times its own transpose: columns of shared memory
// without padding, 32 words in one bank.
extern "C" __global__ void squares(const float *a, const float *, float *c,
                                   int n)
{
  __shared__ float tile[SQUARE][SQUARE];
  const int column = threadIdx.x;
  const int first = blockIdx.y * SQUARE * n + blockIdx.x * SQUARE + column;

  for (int row = threadIdx.y; row < SQUARE; row += ROWS)
    tile[row][column] = a[first + row * n];
  __syncthreads();
  for (int row = threadIdx.y; row < SQUARE; row += ROWS) {
    float sum = 0.0f;

    for (int i = 0; i < SQUARE; i++)
      sum += tile[row][i] * tile[column][i];
    c[first + row * n] = sum;
  }
}

// Shared memory at places that the data choose: other banks each time.
extern "C" __global__ void lookups(const float *a, const float *b, float *c,
                                   int n)
{
  __shared__ float table[1024];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned at = i;
  float sum = 0.0f;

  for (int k = threadIdx.x; k < 1024; k += blockDim.x)
    table[k] = b[k];
  __syncthreads();
  if (i >= n)
    return;
  for (int k = 0; k < 16; k++) {
    at = at * 1664525u + 1013904223u;
    sum += table[at >> 22];
  }
  c[i] = sum + a[i];
}

// Nine texels around each, one by one.
extern "C" __global__ void points(cudaTextureObject_t points, const float *,
                                  float *c, int n)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0.0f;

  if (x >= n || y >= n)
    return;
  for (int row = -1; row <= 1; row++)
    for (int column = -1; column <= 1; column++)
      sum += tex2D<float>(points, x + column, y + row);
  c[y * n + x] = sum;
}

// Nine times the mean of four texels.
extern "C" __global__ void means(cudaTextureObject_t means, const float *,
                                 float *c, int n)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0.0f;

  if (x >= n || y >= n)
    return;
  for (int row = -1; row <= 1; row++)
    for (int column = -1; column <= 1; column++)
      sum += tex2D<float>(means, x + column, y + row);
  c[y * n + x] = sum;
}
