/* What the programs about streams share: two arrays, three streams, kernels. */
#ifndef TESTS_DEVICE_CHECK_STREAMS_H
#define TESTS_DEVICE_CHECK_STREAMS_H

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 3000, THREADS = 256, BLOCKS = 12, BYTES = N * 4 };

__global__ void fill(int *x, int value)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N)
    x[i] = value + i;  // HERE fill
}

__global__ void twice(int *y, const int *x)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N)
    y[i] = 2 * x[i];
}

__global__ void count(int *n) { atomicAdd(n, 1); }

__global__ void fill_bytes(char *x, int from, int n)
{
  int i = threadIdx.x;
  if (i < n)
    x[from + i] = (char)i;
}

#define CHECK(call) check((call), #call)

static void check(cudaError_t error, const char *call)
{
  if (error == cudaSuccess)
    return;
  printf("%s: %s\n", call, cudaGetErrorString(error));
  exit(2);
}

static int *x, *y, *z, *h;
static cudaStream_t a, b, blocking;
static cudaEvent_t done;

static void make(void)
{
  CHECK(cudaMalloc(&x, BYTES));
  CHECK(cudaMalloc(&y, BYTES));
  CHECK(cudaMalloc(&z, BYTES));
  CHECK(cudaMallocHost(&h, BYTES));
  CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
  CHECK(cudaStreamCreate(&blocking));
  CHECK(cudaEventCreate(&done));
  CHECK(cudaMemset(x, 0, BYTES));
  CHECK(cudaMemset(y, 0, BYTES));
  CHECK(cudaMemset(z, 0, BYTES));
  CHECK(cudaDeviceSynchronize());
}

static void unmake(void)
{
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaEventDestroy(done));
  CHECK(cudaStreamDestroy(a));
  CHECK(cudaStreamDestroy(b));
  CHECK(cudaStreamDestroy(blocking));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  CHECK(cudaFree(z));
  CHECK(cudaFreeHost(h));
}

/* For programs of two devices, which create no stream. */
static cudaEvent_t done_there;

static void make_two(void)
{
  CHECK(cudaMalloc(&x, BYTES));
  CHECK(cudaMalloc(&y, BYTES));
  CHECK(cudaEventCreate(&done));
  CHECK(cudaMemset(x, 0, BYTES));
  CHECK(cudaMemset(y, 0, BYTES));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaSetDevice(1));
  CHECK(cudaEventCreate(&done_there));
  CHECK(cudaSetDevice(0));
}

static void unmake_two(void)
{
  for (int device = 1; device >= 0; device--) {
    CHECK(cudaSetDevice(device));
    CHECK(cudaDeviceSynchronize());
  }
  CHECK(cudaEventDestroy(done));
  CHECK(cudaEventDestroy(done_there));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
}

static void fill_in(cudaStream_t stream, int *to)
{
  fill<<<BLOCKS, THREADS, 0, stream>>>(to, 1);
}

static void twice_in(cudaStream_t stream, int *to, const int *from)
{
  twice<<<BLOCKS, THREADS, 0, stream>>>(to, from);
}

#endif
