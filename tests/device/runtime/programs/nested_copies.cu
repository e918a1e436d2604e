// Device code that copies and sets memory, and uses events (nvcc -rdc=true).
#include <cstdio>

__global__ void twice(int *data) { data[threadIdx.x] *= 2; }

// Copies behind a kernel see what it wrote; kernels behind a copy see that.
__global__ void parent(int *from, int *to, int *marks)
{
  cudaStream_t stream;
  cudaEvent_t event;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  twice<<<1, 32, 0, stream>>>(from);
  cudaMemcpyAsync(to, from, 128, cudaMemcpyDeviceToDevice, stream);
  twice<<<1, 8, 0, stream>>>(to);
  cudaEventRecord(event, stream);
  cudaStreamWaitEvent(stream, event, 0);
  cudaMemsetAsync(marks, 1, 8, stream);
  cudaEventDestroy(event);
  cudaStreamDestroy(stream);
}

int main()
{
  int *from, *to, *marks, wrong = 0;
  cudaMallocManaged(&from, 128);
  cudaMallocManaged(&to, 128);
  cudaMallocManaged(&marks, 16);
  for (int i = 0; i < 32; i++)
    from[i] = i;
  parent<<<1, 1>>>(from, to, marks);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess)
    return printf("%s\n", cudaGetErrorName(error)), 1;
  for (int i = 0; i < 32; i++)
    wrong += from[i] != 2 * i || to[i] != (i < 8 ? 4 * i : 2 * i);
  wrong += marks[0] != 0x01010101 || marks[1] != 0x01010101 || marks[2] != 0;
  if (wrong > 0)
    return printf("%d wrong\n", wrong), 1;
  printf("all right\n");
}
