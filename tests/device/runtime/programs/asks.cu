// Device code asks about the device, and what an error is called.
#include <stdio.h>
#include <string.h>

struct answers {
  int count, device, version, lanes, sms, bad, outside, nowhere;
  char name[64], text[64];
};

__device__ static void copy(char *to, const char *from)
{
  while ((*to++ = *from++) != 0)
    ;
}

__global__ void ask(answers *a)
{
  cudaGetDeviceCount(&a->count);
  cudaGetDevice(&a->device);
  cudaRuntimeGetVersion(&a->version);
  cudaDeviceGetAttribute(&a->lanes, cudaDevAttrWarpSize, 0);
  cudaDeviceGetAttribute(&a->sms, cudaDevAttrMultiProcessorCount, 0);
  a->bad = cudaDeviceGetAttribute(&a->nowhere, (cudaDeviceAttr)9999, 0);
  a->outside = cudaDeviceGetAttribute(&a->nowhere, cudaDevAttrWarpSize, 77);
  copy(a->name, cudaGetErrorName(cudaErrorInvalidValue));
  copy(a->text, cudaGetErrorString(cudaErrorInvalidValue));
  printf("%s\n", cudaGetErrorString(cudaSuccess));
}

int main(void)
{
  answers *a;
  int count, version, sms, wrong = 0;
  cudaMallocManaged(&a, sizeof *a);
  cudaGetDeviceCount(&count);
  cudaRuntimeGetVersion(&version);
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  for (int i = 0; i < 2; i++) {
    memset(a, 0, sizeof *a);
    ask<<<1, 1>>>(a);
    cudaError_t error = cudaDeviceSynchronize();
    wrong |= error != cudaSuccess;
    wrong |= a->count != count || a->device != 0 || a->version != version ||
             a->lanes != 32 || a->sms != sms;
    wrong |= a->bad == cudaSuccess || a->outside == cudaSuccess;
    wrong |= strcmp(a->name, "cudaErrorInvalidValue") != 0 ||
             strcmp(a->text, cudaGetErrorString(cudaErrorInvalidValue)) != 0;
  }
  cudaFree(a);
  puts(wrong ? "something is wrong" : "all right");
  return wrong;
}
