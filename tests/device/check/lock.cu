// expect: race: race between blocks in global memory
__device__ int taken, counter;
__global__ void count()
{
  if (threadIdx.x != 0)
    return;
  while (atomicCAS(&taken, 0, 1) != 0)
    ;
#ifdef FIXED
  __threadfence();
#endif
  counter = counter + 1;
#ifdef FIXED
  __threadfence();
#endif
  atomicExch(&taken, 0);
}
int main()
{
  count<<<8, 32>>>();
  cudaDeviceSynchronize();
}
