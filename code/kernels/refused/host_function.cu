/* Only __device__ functions exist on the GPU. */
static int twice(int x)
{
  return 2 * x;
}

__global__ void double_it(int *x)
{
  *x = twice(*x);
}
