// Right with a GPU in Linux, and a crash in Windows: the host uses managed
// memory before it has waited for the kernel.
#include <cstdio>

__global__ void add_one(int *x) { *x += 1; }

int main()
{
  int *a, *b;
  cudaMallocManaged(&a, sizeof *a);
  cudaMallocManaged(&b, sizeof *b);
  *a = 1;
  add_one<<<1, 1>>>(a);
  *b = 20;
  cudaDeviceSynchronize();
  printf("%d %d\n", *a, *b);
}
