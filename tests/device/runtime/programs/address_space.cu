// A kernel that is handed an address of shared or local memory: by the kernel
// that launches it, or by one that ran before. `address_space CHILD MEMORY`
// prints the errors of one case.
#include <cstdio>
#include <cstring>

__global__ void load(const int *p, int *out)
{
  *out = *p + 1;  // HERE load
}

__global__ void store(int *p, int *out)
{
  *p = 3;  // HERE store
  *out = 4;
}

__global__ void add(int *p, int *out)
{
  *out = atomicAdd(p, 1);  // HERE add
}

// It has shared memory of its own, and an address in it.
__global__ void own(int *out, const int *p)
{
  __shared__ int mine[64];
  int *q = mine;

  mine[threadIdx.x] = 77;
  __syncthreads();
  asm volatile("" : "+l"(q));
  *out = q[0] == 77 ? *p : 0;  // HERE own
}

// The compiler would warn of an address that it sees.
static __device__ int *hidden(int *p)
{
  asm volatile("" : "+l"(p));
  return p;
}

__global__ void parent(int child, bool is_local, int *out)
{
  __shared__ int before[8], numbers[32];
  int mine[32];

  before[threadIdx.x % 8] = 0;
  numbers[threadIdx.x] = 10;
  mine[(threadIdx.x + child) % 32] = 11;
  __syncthreads();
  if (blockIdx.x != 1 || threadIdx.x != 5)
    return;
  int *p = hidden(is_local ? mine : numbers + before[0]);
  switch (child) {
  case 0: load<<<1, 1>>>(p, out); break;   // HERE launch load
  case 1: store<<<1, 1>>>(p, out); break;  // HERE launch store
  case 2: add<<<1, 1>>>(p, out); break;    // HERE launch add
  case 3: own<<<1, 32>>>(out, p); break;   // HERE launch own
  }
}

// Copies and sets of device code refuse such an address: 1 is
// cudaErrorInvalidValue.
__global__ void operations(bool is_local, int *out, int *errors)
{
  __shared__ int numbers[32];
  int mine[32];

  numbers[threadIdx.x] = mine[threadIdx.x] = 10;
  int *p = hidden(is_local ? mine : numbers);
  errors[0] = cudaMemcpyAsync(out, p, 4, cudaMemcpyDeviceToDevice, 0);
  errors[1] = cudaMemcpyAsync(p, out, 4, cudaMemcpyDeviceToDevice, 0);
  errors[2] = cudaMemsetAsync(p, 0, 4, 0);
}

__global__ void keep(bool is_local, int **place)
{
  __shared__ int numbers[32];
  int mine[32];

  numbers[threadIdx.x] = mine[threadIdx.x] = 10;
  __syncthreads();
  *place = hidden(is_local ? mine : numbers);
}

int main(int n, char **words)
{
  static const char *const children[] = { "load", "store", "add", "own" };
  bool is_local = n > 2 && strcmp(words[2], "local") == 0;
  int child = 0, *out, **place, *p;

  if (n < 3)
    return 2;
  cudaMalloc(&out, sizeof *out);
  cudaMemset(out, 0, sizeof *out);
  if (strcmp(words[1], "operations") == 0) {
    int *errors;

    cudaMallocManaged(&errors, 3 * sizeof *errors);
    operations<<<1, 1>>>(is_local, out, errors);
    printf("%s,", cudaGetErrorName(cudaDeviceSynchronize()));
    printf(" %d %d %d\n", errors[0], errors[1], errors[2]);
    return 0;
  }
  if (strcmp(words[1], "later") == 0) {
    cudaMalloc(&place, sizeof *place);
    keep<<<1, 1>>>(is_local, place);
    cudaMemcpy(&p, place, sizeof p, cudaMemcpyDeviceToHost);
    load<<<1, 1>>>(p, out);
  } else {
    while (child < 3 && strcmp(words[1], children[child]) != 0)
      child++;
    parent<<<2, 32>>>(child, is_local, out);
  }
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  int got = -1;
  printf("%s\n", cudaGetErrorName(cudaMemcpy(&got, out, sizeof got,
                                             cudaMemcpyDeviceToHost)));
  return 0;
}
