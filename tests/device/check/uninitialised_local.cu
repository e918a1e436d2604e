// expect: init: read of uninitialised local memory
__global__ void pick(int *out, int n)
{
  int a[16];
#ifdef FIXED
  for (int i = 0; i < 16; i++)
#else
  for (int i = 1; i < n; i++)
#endif
    a[i] = i;
  out[threadIdx.x] = a[(threadIdx.x * n) % 16] + 1;
}
int main()
{
  int *out;
  cudaMalloc(&out, 32 * sizeof *out);
  pick<<<1, 32>>>(out, 15);
  cudaDeviceSynchronize();
  cudaFree(out);
}
