// expect: memory: out of bounds of shared memory | the block has 256 bytes
__global__ void shift(int *out)
{
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
#ifdef FIXED
  out[t] = s[(t + 1) % 64];
#else
  out[t] = s[t + 1];
#endif
}
int main()
{
  int *out;
  cudaMalloc(&out, 64 * sizeof *out);
  shift<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
