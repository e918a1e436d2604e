// expect: memory: misaligned address | bytes off a multiple of 4
__global__ void read(const char *bytes, int *out)
{
#ifdef FIXED
  out[threadIdx.x] = ((const int *)bytes)[threadIdx.x];
#else
  out[threadIdx.x] = *(const int *)(bytes + 1 + threadIdx.x);
#endif
}
int main()
{
  char *bytes;
  int *out;
  cudaMalloc(&bytes, 1024);
  cudaMemset(bytes, 1, 1024);
  cudaMalloc(&out, 32 * sizeof *out);
  read<<<1, 32>>>(bytes, out);
  cudaDeviceSynchronize();
  cudaFree(bytes);
  cudaFree(out);
}
