// expect: sync: wrong member mask
__global__ void sum(int *out)
{
  int t = threadIdx.x, v = t;
  if (t < 16) {
#ifdef FIXED
    v += __shfl_down_sync(0x0000ffff, v, 8, 16);
#else
    v += __shfl_down_sync(0xffff0000, v, 8, 16);
#endif
  }
  out[t] = v;
}
int main()
{
  int *out;
  cudaMalloc(&out, 128);
  sum<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
