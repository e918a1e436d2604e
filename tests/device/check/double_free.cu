// expect: memory: double free
int main()
{
  int *data;
  cudaMalloc(&data, 128);
  cudaFree(data);
#ifndef FIXED
  cudaFree(data);
#endif
}
