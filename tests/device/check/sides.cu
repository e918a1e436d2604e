// Races whose other side must be told as it was: thread, line, load or store.
// `sides NAME` runs one, `sides` lists them; sides.expected has the messages.
#include <stdio.h>
#include <string.h>

#define THREADS 64

// Warp 0 reads at one line, warp 1 at another; then warp 1 writes.
__global__ void two_warps_read(int *out)
{
  __shared__ int box[2];

  if (threadIdx.x == 0)
    box[0] = box[1] = 1;
  __syncthreads();
  if (threadIdx.x == 5)
    out[100] = box[1] * 2;
  if (threadIdx.x == 40) {
    out[101] = box[1] + 1;
    box[1] = 7;
  }
}

// Two lanes of a warp read at two lines, and the second one writes.
__global__ void two_lanes_read(int *out)
{
  __shared__ int box[2];

  if (threadIdx.x == 0)
    box[0] = box[1] = 1;
  __syncthreads();
  if (threadIdx.x == 3)
    out[100] = box[1] * 2;
  if (threadIdx.x == 4) {
    out[101] = box[1] + 1;
    box[1] = 7;
  }
}

// A load of what another warp has stored.
__global__ void store_then_load(int *out)
{
  __shared__ int box[THREADS];

  box[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = box[THREADS - 1 - threadIdx.x];
}

// Two blocks read, the second one writes.
__global__ void two_blocks_read(int *data, int *out)
{
  if (threadIdx.x == 7) {
    out[blockIdx.x] = data[9];
    if (blockIdx.x == 1)
      data[9] = 2;
  }
}

// One byte of a word that others use the rest of.
__global__ void one_byte(unsigned char *out)
{
  __shared__ unsigned char box[THREADS];

  box[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 33)
    box[2] = 7;
  out[threadIdx.x] = box[threadIdx.x];
}

static const char *const names[] = {
  "two_warps_read",  "two_lanes_read", "store_then_load",
  "two_blocks_read", "one_byte",
};

int main(int argc, char **argv)
{
  const char *name = argc < 2 ? "" : argv[1];
  int *data, *out;

  if (argc < 2) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      puts(names[i]);
    return 0;
  }
  cudaMalloc(&data, 4096);
  cudaMalloc(&out, 4096);
  cudaMemset(data, 0, 4096);
#define RUN(kernel, blocks, ...)                                               \
  if (strcmp(name, #kernel) == 0)                                              \
  kernel<<<blocks, THREADS>>>(__VA_ARGS__)
  RUN(two_warps_read, 1, out);
  RUN(two_lanes_read, 1, out);
  RUN(store_then_load, 1, out);
  RUN(two_blocks_read, 2, data, out);
  RUN(one_byte, 1, (unsigned char *)out);
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(out);
  return 0;
}
