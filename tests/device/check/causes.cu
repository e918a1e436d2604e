// Several findings of one mistake: the first is told whole, the others are
// listed by their lines. `causes NAME` runs one case, `causes` lists them;
// causes.expected has the messages.
#include <stdio.h>
#include <string.h>

#define THREADS 64

// One barrier is missing, between six lines.
__global__ void one_barrier(const int *in, int *out)
{
  __shared__ int a[THREADS], b[THREADS];
  int t = threadIdx.x, sum;

  a[t] = in[t];
  b[t] = in[t] + 1;
  sum = a[THREADS - 1 - t];
  sum += b[(t + 40) % THREADS];
  sum += a[(t + 1) % THREADS];
  if (t < 30)
    sum += b[t + 30];
  out[t] = sum;
}

// A barrier is missing in each of two parts of the kernel.
__global__ void two_barriers(const int *in, int *out)
{
  __shared__ int a[THREADS];
  int t = threadIdx.x, value;

  a[t] = in[t];
  value = a[THREADS - 1 - t];
  __syncthreads();
  a[t] = value + in[t + 1];
  out[t] = a[THREADS - 1 - t];
}

// The barrier that is missing in the loop would order what comes before the
// loop as well; then there is another barrier.
__global__ void before_the_loop(const int *in, int *out)
{
  __shared__ int a[THREADS];
  int t = threadIdx.x, sum = 0;

  a[t] = in[t];
  for (int i = 0; i < 3; i++) {
    sum += a[THREADS - 1 - t];
    __syncthreads();
    a[t] = in[t + i];
  }
  out[t] = sum;
}

__global__ void warp_sum(const int *in, int *out)
{
  __shared__ int part[THREADS];
  int t = threadIdx.x;

  part[t] = in[t];
  __syncthreads();
  if (t < 32) {
    part[t] += part[t + 32];
    part[t] += part[t + 16];
    part[t] += part[t + 8];
  }
  if (t == 0)
    out[0] = part[0];
}

// Even and odd threads are at barriers of their own.
__global__ void split_barrier(int *out)
{
  if (threadIdx.x % 2 == 0) {
    out[threadIdx.x] = 1;
    __syncthreads();
  } else {
    out[threadIdx.x] = 2;
    __syncthreads();
  }
  out[threadIdx.x] += 1;
}

// No thread asks whether there is a neighbour: in two allocations.
__global__ void stencil(const int *in, int *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, sum;

  sum = in[i];
  sum += in[i + 1];
  sum += in[i + 2];
  out[i] = sum;
}

// Three lines read what nothing has written, and a fourth another allocation.
__global__ void unwritten(const int *in, int *out)
{
  int t = threadIdx.x, sum = in[t];

  sum += in[t + THREADS];
  sum += in[t + 2 * THREADS];
  if (t == 0)
    sum += out[THREADS];
  out[t] = sum;
}

__device__ inline int twice(const int *at) { return 2 * *at; }

// One helper, inlined three times.
__global__ void copies(const int *in, int *out)
{
  int t = threadIdx.x, value = twice(in + t);

  if (value > 1000)
    value += twice(in + t + 1);
  out[t] = value + twice(in + t + 2);
}

// Instances of one template; then two kernels that have nothing in common but a
// helper.
template <int ADD> __global__ void instances(const int *in, int *out)
{
  out[threadIdx.x] = in[threadIdx.x + 1000] + ADD;
}

__global__ void others(const int *in, int *out)
{
  out[threadIdx.x] = twice(in + threadIdx.x + 1000);
}

// Lanes of a warp race in two parts. The second race is seen on and on, and so it
// is told before the first, which waits for the end of the launch.
__global__ void on_and_on(const int *in, int *out)
{
  __shared__ int a[THREADS], b[THREADS];
  int t = threadIdx.x, lane = t % 32, sum = 0;

  a[t] = in[t];
  sum = a[t - lane + 31 - lane];
  __syncthreads();
  for (int i = 0; i < 80000; i++) {
    *(volatile int *)&b[t] = sum;
    sum += *(volatile int *)&b[t - lane + 31 - lane];
  }
  out[t] = sum;
}

// Half of a warp waits for the other half, which waits at the block's barrier.
__global__ void halves_wait(int *out)
{
  if (threadIdx.x % 32 >= 16)
    __syncwarp();
  else
    __syncthreads();
  out[threadIdx.x] = 1;
}

static const char *const names[] = {
  "one_barrier",   "two_barriers", "before_the_loop", "warp_sum",
  "split_barrier", "stencil",      "unwritten",       "copies",
  "instances",     "on_and_on",    "halves_wait",
};

int main(int argc, char **argv)
{
  const char *name = argc < 2 ? "" : argv[1];
  int *in, *out;

  if (argc < 2) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      puts(names[i]);
    return 0;
  }
  cudaMalloc(&in, 4096);
  cudaMalloc(&out, 4096);
  if (strcmp(name, "unwritten") != 0) {
    cudaMemset(in, 0, 4096);
    cudaMemset(out, 0, 4096);
  }
#define RUN(kernel, blocks, ...)                                               \
  if (strcmp(name, #kernel) == 0)                                              \
  kernel<<<blocks, THREADS>>>(__VA_ARGS__)
  RUN(one_barrier, 1, in, out);
  RUN(two_barriers, 1, in, out);
  RUN(before_the_loop, 1, in, out);
  RUN(warp_sum, 1, in, out);
  RUN(split_barrier, 1, out);
  RUN(stencil, 17, in, out);
  RUN(unwritten, 1, in, out);
  RUN(copies, 1, in + 1000, out);
  RUN(on_and_on, 1, in, out);
  RUN(halves_wait, 1, out);
  if (strcmp(name, "instances") == 0) {
    instances<1><<<1, THREADS>>>(in, out);
    cudaDeviceSynchronize();
    instances<2><<<1, THREADS>>>(in, out);
    cudaDeviceSynchronize();
    copies<<<1, THREADS>>>(in + 970, out);
    cudaDeviceSynchronize();
    others<<<1, THREADS>>>(in, out);
  }
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}
