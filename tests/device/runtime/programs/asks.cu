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

// Of a kernel: how many blocks fit, what it needs; and of the device: a limit.
struct kernel_answers {
  cudaFuncAttributes attributes;
  size_t limit;
  int answered;  // no error
  int blocks, few_blocks, no_threads, no_kernel, unknown_limit, preference;
};

__global__ void asked_about(float *to)
{
  __shared__ float tile[1000];
  tile[threadIdx.x] = to[threadIdx.x];
  __syncthreads();
  to[threadIdx.x] = tile[255 - threadIdx.x];
}

__global__ void ask_about_kernel(kernel_answers *a)
{
  cudaFuncCache preference = cudaFuncCachePreferL1;
  int n = -1;
  size_t limit;
  cudaFuncGetAttributes(&a->attributes, asked_about);
  cudaDeviceGetLimit(&a->limit, cudaLimitMallocHeapSize);
  // With a kernel of a type, the headers make the call without flags one with.
  a->answered =
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &a->blocks, (const void *)asked_about, 256, 0) == cudaSuccess &&
      cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
          &a->few_blocks, asked_about, 256, 40000, 0) == cudaSuccess;
  a->no_threads =
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, asked_about, 0, 0);
  a->no_kernel = cudaFuncGetAttributes(&a->attributes, (const void *)a);
  a->unknown_limit = cudaDeviceGetLimit(&limit, (cudaLimit)99);
  cudaDeviceGetCacheConfig(&preference);
  a->preference = preference;
}

// The answers that the host gets.
static int check_kernel_answers(void)
{
  kernel_answers *a;
  cudaFuncAttributes attributes;
  size_t limit;
  int blocks, few_blocks, wrong;
  cudaMallocManaged(&a, sizeof *a);
  cudaFuncGetAttributes(&attributes, asked_about);
  cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, asked_about, 256, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&few_blocks, asked_about, 256,
                                                40000);
  ask_about_kernel<<<1, 1>>>(a);
  wrong = cudaDeviceSynchronize() != cudaSuccess;
  wrong |= a->attributes.sharedSizeBytes != 4000 ||
           a->attributes.numRegs != attributes.numRegs ||
           a->attributes.maxThreadsPerBlock != attributes.maxThreadsPerBlock ||
           a->attributes.ptxVersion != attributes.ptxVersion;
  wrong |= !a->answered || a->limit != limit || a->blocks != blocks ||
           blocks < 2 || a->few_blocks != few_blocks || few_blocks >= blocks;
  wrong |= a->no_threads != cudaErrorInvalidValue ||
           a->no_kernel != cudaErrorInvalidDeviceFunction ||
           a->unknown_limit != cudaDeviceGetLimit(&limit, (cudaLimit)99) ||
           a->unknown_limit == cudaSuccess ||
           a->preference != cudaFuncCachePreferNone;
  cudaFree(a);
  return wrong;
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
  wrong |= check_kernel_answers();
  puts(wrong ? "something is wrong" : "all right");
  return wrong;
}
