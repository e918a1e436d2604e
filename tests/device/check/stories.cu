// What an address in a message belongs to, or is nearest to: its story.
// `stories NAME` runs one case, `stories` lists them; stories.expected has the
// messages.
#include <stdio.h>
#include <string.h>

#define THREADS 32

__device__ int table[10];
extern __shared__ int dynamic[];

// i: -1, 8 and 20 of an array in local memory.
__global__ void local_array(int *out, int i)
{
  int a[8];

  for (int k = 0; k < 8; k++)
    a[k] = k * i;
  out[threadIdx.x] = a[i];
}

// The same by a pointer, which may be one into any memory.
__device__ __noinline__ int at(const int *pointer, int i) { return pointer[i]; }

__global__ void local_by_pointer(int *out, int i)
{
  int a[8];

  for (int k = 0; k < 8; k++)
    a[k] = k * i;
  out[threadIdx.x] = at(a, i);
}

__global__ void shared_by_pointer(int *out, int i)
{
  __shared__ int first[THREADS];

  first[threadIdx.x] = 1;
  __syncwarp();
  out[threadIdx.x] = at(first, i);
}

// Beyond the first variable is the second one: no error, but nothing has written
// to it.
__global__ void neighbour(int *out, int i)
{
  __shared__ int first[8];
  __shared__ float second[16];

  first[threadIdx.x % 8] = 1;
  if (threadIdx.x > 100)
    second[i] = 1;
  __syncwarp();
  out[threadIdx.x] = first[i] + (int)second[(i + 1) % 16];
}

__global__ void shared_array(int *out, int i)
{
  __shared__ int first[8];

  first[threadIdx.x % 8] = 1;
  __syncwarp();
  out[threadIdx.x] = first[i];
}

__global__ void dynamic_array(int *out, int i)
{
  dynamic[threadIdx.x] = 1;
  __syncwarp();
  out[threadIdx.x] = dynamic[i];
}

__global__ void variable(int *out, int i) { out[threadIdx.x] = table[i]; }

__global__ void pointer(int *out, const int *in, int i)
{
  out[threadIdx.x] = in[i];
}

// The compiler makes one store of two, and names no line for it.
__global__ void no_line(int *out, int i)
{
  int sum = out[threadIdx.x];

  out[threadIdx.x + i] = sum;
  if (threadIdx.x % 2 == 0)
    out[threadIdx.x + i] = sum + 1;
}

// A value that nothing has written, and the line that keeps it.
__global__ void kept(int *out, int i)
{
  __shared__ int sums[THREADS];
  int value;

  if (threadIdx.x > 100)
    sums[i] = 1;
  if (threadIdx.x == 0)
    value = sums[threadIdx.x + i];
  __syncthreads();
  out[threadIdx.x] = threadIdx.x == 0 ? value : 0;
}

#define RUN(kernel, ...)                                                       \
  if (strcmp(name, #kernel) == 0)                                              \
  kernel<<<1, THREADS, bytes>>>(out, __VA_ARGS__)

static const char *const names[] = {
  "local_array -1",
  "local_array 8",
  "local_array 20",
  "local_by_pointer -1",
  "shared_by_pointer -1",
  "shared_by_pointer 32",
  "neighbour 8",
  "shared_array -1",
  "shared_array 8",
  "dynamic_array 40",
  "variable -1",
  "variable 10",
  "null 0",
  "null 5",
  "null -2",
  "before -1",
  "past 100",
  "freed 3",
  "stack 0",
  "wild 0",
  "no_line 1024",
  "kept 3",
};

int main(int argc, char **argv)
{
  const char *name = argc < 2 ? "" : strtok(argv[1], ":");
  const char *number = argc < 2 ? NULL : strtok(NULL, ":");
  int i = number == NULL ? 0 : atoi(number), on_stack = 1;
  size_t bytes = strcmp(name, "dynamic_array") == 0 ? THREADS * 4 : 0;
  const int *in = NULL;
  int *out, *other = NULL;

  if (argc < 2) {
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
      const char *space = strchr(names[k], ' ');

      printf("%.*s:%s\n", (int)(space - names[k]), names[k], space + 1);
    }
    return 0;
  }
  cudaMalloc(&out, 4096);
  cudaMemset(out, 0, 4096);
  cudaMalloc(&other, 400);
  cudaMemset(other, 0, 400);
  if (strcmp(name, "freed") == 0)
    cudaFree(other);
  if (strcmp(name, "stack") == 0)
    in = &on_stack;
  else if (strcmp(name, "wild") == 0)
    in = (const int *)0x123456789abcdef0;
  else if (strcmp(name, "null") != 0)
    in = other;
  RUN(local_array, i);
  RUN(local_by_pointer, i);
  RUN(shared_by_pointer, i);
  RUN(neighbour, i);
  RUN(shared_array, i);
  RUN(dynamic_array, i);
  RUN(variable, i);
  RUN(no_line, i);
  RUN(kept, i);
  if (in != other || strcmp(name, "before") == 0 || strcmp(name, "past") == 0 ||
      strcmp(name, "freed") == 0)
    pointer<<<1, THREADS>>>(out, in, i);
  if (cudaDeviceSynchronize() != cudaSuccess)
    puts("an error");
  cudaFree(out);
  if (strcmp(name, "freed") != 0)
    cudaFree(other);
  return 0;
}
