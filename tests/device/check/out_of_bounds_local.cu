// expect: memory: out of bounds of local memory
__global__ void pick(int *out, int n)
{
  int a[8];
  for (int i = 0; i < 8; i++)
    a[i] = i * n;
#ifdef FIXED
  out[threadIdx.x] = a[(n + threadIdx.x) % 8];
#else
  out[threadIdx.x] = a[n * 100000];
#endif
}
int main()
{
  int *out;
  cudaMalloc(&out, 32 * sizeof *out);
  pick<<<1, 32>>>(out, 3);
  cudaDeviceSynchronize();
  cudaFree(out);
}
