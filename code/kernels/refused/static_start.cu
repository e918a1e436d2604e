/* A static variable may be in a kernel, but when would this be computed? */
__global__ void count_from(int *x)
{
  static int n = *x;
  *x = ++n;
}
