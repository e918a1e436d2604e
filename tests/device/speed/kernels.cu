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

// Points that leave a circle after one round or after two hundred: the lanes
// of a warp leave the loop one after another.
extern "C" __global__ void escapes(const float *a, const float *b, float *c,
                                   int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= n)
    return;
  float x0 = a[i] / 6.0f - 1.5f, y0 = b[i] / 18.0f, x = 0, y = 0;
  int rounds = 0;

  while (rounds < 200) {
    float square = __fmul_rn(y, y);

    if (fmaf(x, x, square) > 4.0f)
      break;
    y = fmaf(__fmul_rn(2.0f, x), y, y0);
    x = fmaf(x, x, x0 - square);
    rounds++;
  }
  c[i] = rounds;
}

// Numbers go up and down until they come to 1, by ways that differ: ifs inside
// ifs, in a loop whose lanes leave it.
extern "C" __global__ void walks(const float *a, const float *, float *c, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= n)
    return;
  unsigned at = i % 4093 + 1, sum = a[i];
  int steps = 0;

  while (at != 1 && steps < 100) {
    if (at & 1) {
      at = 3 * at + 1;
      if (at & 4) {
        sum = sum * 5 + at;
        if (at % 7 < 3)
          sum ^= sum >> 3;
      } else {
        sum += at / 3;
      }
    } else {
      at /= 2;
      if ((at ^ sum) & 2)
        sum = sum * 3 - at;
    }
    steps++;
  }
  c[i] = sum % 4096 + steps;
}

struct shape {
  float size;
  __device__ explicit shape(float of) : size(of) {}
  __device__ virtual float seen_from(float where) const = 0;
};

struct ball : shape {
  __device__ explicit ball(float of) : shape(of) {}
  __device__ float seen_from(float where) const override
  {
    float near = fmaf(size, where, 0.5f);

    return near > 1.0f ? 1.0f : near;
  }
};

struct cube : shape {
  __device__ explicit cube(float of) : shape(of) {}
  __device__ float seen_from(float where) const override
  {
    float far = where;

    for (int i = 0; i < 4; i++)
      far = fmaf(far, 0.5f, size);
    return far;
  }
};

struct disc : shape {
  __device__ explicit disc(float of) : shape(of) {}
  __device__ float seen_from(float where) const override
  {
    return where < size ? fmaf(where, 0.25f, 0.125f) : size;
  }
};

// Each lane asks one of three shapes: virtual calls.
extern "C" __global__ void shapes(const float *a, const float *b, float *c,
                                  int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= n)
    return;
  float size = b[i] / 32.0f, at = a[i] / 16.0f;
  ball one(size);
  cube two(size);
  disc three(size);
  const shape *all[] = { &one, &two, &three };
  unsigned which = i;

  for (int k = 0; k < 12; k++) {
    which = which * 1664525u + 1013904223u;
    at = all[(which >> 16) % 3]->seen_from(at);
  }
  c[i] = at;
}

// Each lane goes through a list of its own length, from place to place in
// memory, and asks of what it finds there whether to look further.
extern "C" __global__ void visits(const float *a, const float *b, float *c,
                                  int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i >= n)
    return;
  unsigned at = i, left = (i * 2654435761u >> 27) + 1;
  float sum = 0.0f, most = 0.0f;

  for (; left > 0; left--) {
    float found;

    at = at * 1664525u + 1013904223u;
    found = a[(at >> 8) % n];
    if (found > 6.0f) {
      float more = b[(at >> 8) % n];

      if (more > most) {
        most = more;
        c[i] = most;
      } else {
        sum = __fadd_rn(sum, found);
      }
    }
  }
  c[i] = __fadd_rn(sum, most);
}
