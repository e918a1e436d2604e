// expect: init: read of uninitialised global memory | allocation
__global__ void add(int *out) { out[threadIdx.x] += 1; }
int main()
{
  int *out;
  cudaMalloc(&out, 64 * sizeof *out);
#ifdef FIXED
  cudaMemset(out, 0, 64 * sizeof *out);
#else
  cudaMemset(out, 0, 60 * sizeof *out);
#endif
  add<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
