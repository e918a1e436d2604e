// As correct.cu, with launches by kernels; compiled with -rdc=true.
#include <stdio.h>
#include <string.h>

__global__ void child(int *out, int n)
{
  if (threadIdx.x < n)
    out[threadIdx.x] += n;
}

// The runtime writes the handle, and reads it when it launches.
__global__ void streams(int *out)
{
  cudaStream_t s, t;

  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  child<<<1, 32, 0, s>>>(out, 32);
  cudaStreamDestroy(s);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  child<<<1, 32, 0, t>>>(out, 16);
  cudaStreamDestroy(t);
}

__global__ void shared_handle(int *out)
{
  __shared__ cudaStream_t s;

  if (threadIdx.x == 0)
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  __syncthreads();
  if (threadIdx.x == 1) {
    child<<<1, 32, 0, s>>>(out, 32);
    cudaStreamDestroy(s);
  }
}

__global__ void asks(int *out)
{
  int device = threadIdx.x, lanes, *room;

  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&lanes, cudaDevAttrWarpSize, device);
  cudaMalloc(&room, sizeof *room);
  *room = lanes;
  out[threadIdx.x] = *room;
  cudaFree(room);
}

int main(int argc, char **argv)
{
  const char *name = argc < 2 ? "" : argv[1];
  cudaError_t error;
  int *out;

  if (argc < 2) {
    puts("streams\nshared_handle\nasks");
    return 0;
  }
  cudaMalloc(&out, 32 * sizeof *out);
  cudaMemset(out, 0, 32 * sizeof *out);
  if (strcmp(name, "streams") == 0)
    streams<<<1, 1>>>(out);
  if (strcmp(name, "shared_handle") == 0)
    shared_handle<<<1, 32>>>(out);
  if (strcmp(name, "asks") == 0)
    asks<<<1, 32>>>(out);
  error = cudaDeviceSynchronize();
  if (error != cudaSuccess)
    printf("%s: %s\n", name, cudaGetErrorString(error));
  cudaFree(out);
  return error != cudaSuccess;
}
