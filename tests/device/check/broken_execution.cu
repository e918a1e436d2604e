// Bugs of copies that need a check to be seen. `broken_execution` lists the
// cases and what is to be told of each, as broken.cu does.
#include <cuda_pipeline_primitives.h>
#include <stdio.h>
#include <string.h>

#define THREADS 64

/* Only `some` bytes of 16 are read, which are there but for the last one, or
 * which nothing wrote but the first ones. */
__global__ void short_copy(const char *in, int some, char *out)
{
  __shared__ __align__(16) char tile[THREADS * 16];
  int at = threadIdx.x * 16;

  __pipeline_memcpy_async(tile + at, in + at, 16, 16 - some);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[at] = tile[at];
}

/* The zeros of a copy race like its bytes. */
__global__ void zeros_over_data(int *out)
{
  __shared__ int tile[THREADS];

  tile[threadIdx.x] = 1;  // HERE zeros_over_data
  __pipeline_memcpy_async(&tile[THREADS - 1 - threadIdx.x], (int *)nullptr, 4,
                          4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[THREADS - 1 - threadIdx.x];
}

static const struct {
  const char *name, *told;
} names[] = {
  { "short_copy_past_end", "memory,out of bounds" },
  { "zeros_over_data", "race,race between warps in shared memory" },
};

int main(int argc, char **argv)
{
  const char *name = argc < 2 ? "" : argv[1];
  char *in, *out;

  for (size_t i = 0; argc < 2 && i < sizeof names / sizeof *names; i++)
    printf("%s,%s\n", names[i].name, names[i].told);
  if (argc < 2)
    return 0;
  cudaMalloc(&in, THREADS * 16 - 4);
  cudaMalloc(&out, THREADS * 16);
  cudaMemset(in, 0, THREADS * 16 - 4);
  cudaMemset(out, 0, THREADS * 16);
  if (strcmp(name, "short_copy_past_end") == 0)
    short_copy<<<1, THREADS>>>(in, 13, out);
  if (strcmp(name, "zeros_over_data") == 0)
    zeros_over_data<<<1, THREADS>>>((int *)out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}
