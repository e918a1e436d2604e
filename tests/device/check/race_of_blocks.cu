// expect: race: race between blocks in global memory
__global__ void add(int *total)
{
#ifdef FIXED
  atomicAdd(total, 1);
#else
  if (threadIdx.x == 0)
    *total = *total + 1;
#endif
}
int main()
{
  int *total;
  cudaMalloc(&total, 4);
  cudaMemset(total, 0, 4);
  add<<<16, 32>>>(total);
  cudaDeviceSynchronize();
  cudaFree(total);
}
