// expect: leak: device memory never freed | called at leak_broken | cudaMalloc of 4096 bytes
int main()
{
  int *data;
  cudaMalloc(&data, 4096);
#ifdef FIXED
  cudaFree(data);
#endif
}
