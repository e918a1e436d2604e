// silent
struct item {
  char a;
  double b;
  int c;
};
__global__ void copy(item *to, const item *from)
{
  to[threadIdx.x] = from[threadIdx.x];
}
__global__ void make(item *to)
{
  to[threadIdx.x].a = 1;
  to[threadIdx.x].b = 2;
  to[threadIdx.x].c = 3;
}
int main()
{
  item *a, *b;
  cudaMalloc(&a, 32 * sizeof *a);
  cudaMalloc(&b, 32 * sizeof *b);
  make<<<1, 32>>>(a);
  copy<<<1, 32>>>(b, a);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
}
