/* A call says nothing about how many threads there shall be. */
__global__ void set(int *x)
{
  *x = 1;
}

void set_all(int *d_x)
{
  set(d_x);
}
