// A test as projects have them: it compares a kernel with the CPU, and its exit
// status says whether they agree.
#include <cstdio>
#include <vector>

__global__ void saxpy(float *y, const float *x, float a, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}

int main()
{
  const int n = 1000;
  std::vector<float> x(n), y(n), back(n);
  for (int i = 0; i < n; i++) {
    x[i] = (float)i;
    y[i] = 1.0f;
  }
  float *d_x, *d_y;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_y, n * sizeof(float));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_y, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  saxpy<<<(n + 255) / 256, 256>>>(d_y, d_x, 2.0f, n);
  cudaError_t error = cudaDeviceSynchronize();
  cudaMemcpy(back.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(d_x);
  cudaFree(d_y);
  int wrong = 0;
  for (int i = 0; i < n; i++)
    wrong += back[i] != 2.0f * x[i] + y[i];
  printf("saxpy: %s, %d of %d wrong\n", cudaGetErrorString(error), wrong, n);
  return error != cudaSuccess || wrong > 0;
}
