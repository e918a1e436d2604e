// Kernels that launch kernels (nvcc -rdc=true): order, depth, streams,
// memory. The expected output is an H200's.
#include <cstdio>

__device__ int trace[64], n_trace, total;

__device__ void note(int what) { trace[atomicAdd(&n_trace, 1)] = what; }

__global__ void leaf(int what)
{
  if (threadIdx.x == 0)
    note(what);
  atomicAdd(&total, 1);
}

__global__ void tree(int depth)
{
  atomicAdd(&total, 1);
  if (depth > 0 && threadIdx.x == 0)
    tree<<<2, 32>>>(depth - 1);
}

__global__ void order()
{
  leaf<<<1, 1, 0, cudaStreamTailLaunch>>>(9);
  leaf<<<1, 1>>>(1);
  leaf<<<1, 1>>>(2);
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStreamDestroy(stream);
}

// Sorts by splitting, as a beginner's quicksort does.
__global__ void sort(int *data, int left, int right)
{
  int i = left, j = right, pivot = data[(left + right) / 2];
  while (i <= j) {
    while (data[i] < pivot)
      i++;
    while (data[j] > pivot)
      j--;
    if (i <= j) {
      int t = data[i];
      data[i++] = data[j];
      data[j--] = t;
    }
  }
  if (left < j) {
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    sort<<<1, 1, 0, s>>>(data, left, j);
    cudaStreamDestroy(s);
  }
  if (i < right) {
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    sort<<<1, 1, 0, s>>>(data, i, right);
    cudaStreamDestroy(s);
  }
}

__global__ void shared_user(int *out)
{
  extern __shared__ int tile[];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

__global__ void with_shared(int *out)
{
  shared_user<<<1, 64, 64 * sizeof(int)>>>(out);
}

__global__ void asks(int *out)
{
  int device = -1, threads = 0;
  out[0] = cudaGetDevice(&device);
  out[1] = device;
  cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerBlock, device);
  out[2] = threads;
  leaf<<<1, 2000>>>(0);
  out[3] = cudaGetLastError();
  out[4] = cudaGetLastError();
  int *p = nullptr;
  out[5] = cudaMalloc(&p, 64);
  p[3] = 7;
  out[6] = p[3];
  out[7] = cudaFree(p);
  out[8] = out[9] = 0;
}

int main()
{
  tree<<<1, 1>>>(3);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  int n;
  cudaMemcpyFromSymbol(&n, total, sizeof n);
  printf("total %d\n", n);

  order<<<1, 1>>>();
  cudaDeviceSynchronize();
  int seen[3];
  cudaMemcpyFromSymbol(seen, trace, sizeof seen);
  printf("order %d %d %d\n", seen[0], seen[1], seen[2]);

  int *data;
  const int count = 200;
  cudaMallocManaged(&data, count * sizeof(int));
  unsigned random = 1;
  for (int i = 0; i < count; i++)
    data[i] = (int)((random = random * 1664525u + 1013904223u) >> 20);
  sort<<<1, 1>>>(data, 0, count - 1);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  bool sorted = true;
  for (int i = 1; i < count; i++)
    sorted = sorted && data[i - 1] <= data[i];
  printf("%s\n", sorted ? "sorted" : "not sorted");

  with_shared<<<1, 1>>>(data);
  cudaDeviceSynchronize();
  printf("%d %d\n", data[0], data[63]);

  data[9] = 5;
  asks<<<1, 1>>>(data);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  for (int i = 0; i < 10; i++)
    printf("%d ", data[i]);
  printf("\n");
}
