/* A kernel has no caller that could take what it returns. */
__global__ int first(const int *x)
{
  return x[0];
}
