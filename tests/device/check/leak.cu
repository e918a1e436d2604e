// expect: leak: device memory never freed | cudaMalloc of 4096 bytes
int main()
{
  int *data;
  cudaMalloc(&data, 4096);
#ifdef FIXED
  cudaFree(data);
#endif
}
