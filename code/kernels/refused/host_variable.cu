/* An ordinary global variable is in the host's memory. */
int factor = 3;

__global__ void scale(int *x)
{
  *x *= factor;
}
