// expect: sync: barrier in divergent code
__global__ void wait(int *out)
{
  int t = threadIdx.x;
#ifdef FIXED
  __syncthreads();
  out[t] = t % 2;
#else
  if (t % 2 == 0) {
    out[t] = 0;
    __syncthreads();
  } else {
    out[t] = 1;
    __syncthreads();
  }
#endif
}
int main()
{
  int *out;
  cudaMalloc(&out, 256);
  wait<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
