// expect: memory: use after free | into freed allocation
__global__ void fill(int *data) { data[threadIdx.x] = 1; }
int main()
{
  int *data;
  cudaMalloc(&data, 128);
#ifdef FIXED
  fill<<<1, 32>>>(data);
  cudaFree(data);
#else
  cudaFree(data);
  fill<<<1, 32>>>(data);
#endif
  cudaDeviceSynchronize();
}
