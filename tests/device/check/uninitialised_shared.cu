// expect: init: read of uninitialised shared memory
__global__ void sum(int *out)
{
  __shared__ int s[64];
  int t = threadIdx.x;
#ifdef FIXED
  s[t] = t;
#else
  if (t != 5)
    s[t] = t;
#endif
  __syncthreads();
  out[t] = s[63 - t] + 1;
}
int main()
{
  int *out;
  cudaMalloc(&out, 64 * sizeof *out);
  sum<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
