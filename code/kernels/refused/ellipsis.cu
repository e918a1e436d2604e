/* The launch copies the arguments to the GPU: it must know them all. */
__global__ void sum(int *out, int n, ...)
{
  *out = n;
}
