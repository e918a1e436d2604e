// Failed assertions: what CUDA prints, for every thread that fails, and then
// cudaErrorAssert. `asserts NAME` runs one case, `asserts` lists them;
// asserts.expected has the messages.
#include <assert.h>
#include <stdio.h>
#include <string.h>

__device__ volatile int never;

__global__ void some_lanes(int n)
{
  assert((int)threadIdx.x % 20 != n);
}

__global__ void two_blocks(const char *name)
{
  if (threadIdx.y == 1)
    assert(blockIdx.x == 1 && name != NULL);
}

// The others pass the barrier, and one fails behind it.
__global__ void barrier_after()
{
  __shared__ int box[64];

  assert(threadIdx.x != 3);
  box[threadIdx.x] = threadIdx.x;
  __syncthreads();
  assert(box[63 - threadIdx.x] != 59);
}

// They wait for a thread that is gone: the launch ends all the same.
__global__ void waits_for_it()
{
  assert(threadIdx.x != 0 || blockIdx.x != 0);
  if (threadIdx.x == 0 && blockIdx.x == 0)
    never = 1;
  while (never == 0)
    ;
}

int main(int argc, char **argv)
{
  const char *name = argc < 2 ? "" : argv[1];
  cudaError_t error;

  if (argc < 2)
    puts("some_lanes\ntwo_blocks\nbarrier_after\nwaits_for_it");
  if (strcmp(name, "some_lanes") == 0)
    some_lanes<<<1, 64>>>(7);
  if (strcmp(name, "two_blocks") == 0)
    two_blocks<<<3, dim3(2, 2)>>>(NULL);
  if (strcmp(name, "barrier_after") == 0)
    barrier_after<<<1, 64>>>();
  if (strcmp(name, "waits_for_it") == 0)
    waits_for_it<<<2, 32>>>();
  error = cudaDeviceSynchronize();
  if (argc > 1)
    fprintf(stderr, "%s, then %s\n", cudaGetErrorName(error),
            cudaGetErrorName(cudaFree(NULL)));
  return argc > 1 && error != cudaErrorAssert;
}
