// What an ordinary program does, one step after another. Prints one line for
// each, the same on a GPU and on the software device.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t error = (call);                                                \
    if (error != cudaSuccess) {                                                \
      printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));    \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

__device__ int counter = 5;
__constant__ float factors[4] = { 1, 2, 3, 4 };
__managed__ int answer = 41;

template <typename T, int N> __global__ void add(T *data, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] += N;
}

__global__ void scale(float *data, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] *= factors[i % 4];
  if (i == 0) {
    atomicAdd(&counter, 1);
    answer++;
  }
}

__global__ void reverse(int *data)
{
  extern __shared__ int tile[];
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

__global__ void greet(const char *name)
{
  printf("thread %d of %s: %.2f\n", threadIdx.x, name, 1.5 * threadIdx.x);
}

static void scale_and_add()
{
  const int n = 1000;
  float h_data[n], *d_data;
  for (int i = 0; i < n; i++)
    h_data[i] = i;
  CHECK(cudaMalloc(&d_data, sizeof h_data));
  CHECK(cudaMemcpy(d_data, h_data, sizeof h_data, cudaMemcpyHostToDevice));
  scale<<<(n + 255) / 256, 256>>>(d_data, n);
  CHECK(cudaGetLastError());
  add<float, 3><<<(n + 127) / 128, 128>>>(d_data, n);
  CHECK(cudaMemcpy(h_data, d_data, sizeof h_data, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < n; i++)
    wrong += h_data[i] != i * (i % 4 + 1.0f) + 3;
  printf("scale and add: %d wrong\n", wrong);
  CHECK(cudaFree(d_data));
}

static void variables()
{
  int h_counter;
  CHECK(cudaMemcpyFromSymbol(&h_counter, counter, sizeof h_counter));
  printf("counter %d, answer %d\n", h_counter, answer);
  float h_factors[4] = { 0, 0, 0, 0 };
  CHECK(cudaMemcpyToSymbol(factors, h_factors, sizeof h_factors));
}

static void shared_memory()
{
  const size_t bytes = 64 * sizeof(int);
  int *d_data;
  CHECK(cudaMallocManaged(&d_data, bytes));
  for (int i = 0; i < 64; i++)
    d_data[i] = i;
  reverse<<<1, 64, bytes>>>(d_data);
  CHECK(cudaDeviceSynchronize());
  printf("reversed: %d %d … %d\n", d_data[0], d_data[1], d_data[63]);
  CHECK(cudaFree(d_data));
}

static void streams()
{
  cudaStream_t stream;
  cudaEvent_t start, end;
  float milliseconds;
  int *d_data, *h_data;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaMallocHost(&h_data, 4096));
  CHECK(cudaMallocAsync(&d_data, 4096, stream));
  CHECK(cudaEventRecord(start, stream));
  CHECK(cudaMemsetAsync(d_data, 0, 4096, stream));
  add<int, 7><<<4, 256, 0, stream>>>(d_data, 1024);
  CHECK(cudaMemcpyAsync(h_data, d_data, 4096, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaEventRecord(end, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaEventElapsedTime(&milliseconds, start, end));
  printf("stream: %d, took time: %s\n", h_data[1023],
         milliseconds > 0 ? "yes" : "no");
  CHECK(cudaFreeAsync(d_data, stream));
  CHECK(cudaStreamDestroy(stream));
}

static void text()
{
  char *name;
  CHECK(cudaMallocManaged(&name, 16));
  snprintf(name, 16, "%s", "two");
  greet<<<1, 2>>>(name);
  printf("before the text\n");
  CHECK(cudaDeviceSynchronize());
}

static void occupancy()
{
  int grid, block;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, reverse));
  printf("occupancy: %s\n", grid > 0 && block >= 256 ? "plausible" : "no");
}

int main()
{
  scale_and_add();
  variables();
  shared_memory();
  streams();
  text();
  occupancy();
  return 0;
}
