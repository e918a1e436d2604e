// expect: race: race between | shared memory | tile
#include <vector>
#define T 16
__global__ void matmul(const float *a, const float *b, float *c, int n)
{
  __shared__ float tile_a[T][T], tile_b[T][T];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * T + y, column = blockIdx.x * T + x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    tile_a[y][x] = a[row * n + k + x];
    tile_b[y][x] = b[(k + y) * n + column];
#if defined FIXED || 1 == 2
    __syncthreads();
#endif
    for (int i = 0; i < T; i++)
      sum += tile_a[y][i] * tile_b[i][x];
#if defined FIXED || 1 == 1
    __syncthreads();
#endif
  }
  c[row * n + column] = sum;
}
int main()
{
  int n = 64;
  std::vector<float> ones(n * n, 1.0f);
  float *m[3];
  for (auto &p : m) {
    cudaMalloc(&p, n * n * sizeof(float));
    cudaMemcpy(p, ones.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  }
  matmul<<<dim3(n / T, n / T), dim3(T, T)>>>(m[0], m[1], m[2], n);
  cudaDeviceSynchronize();
  for (auto p : m)
    cudaFree(p);
}
