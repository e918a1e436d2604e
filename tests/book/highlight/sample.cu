#include <stdio.h>
#define TWICE(x) \
  ((x) * 2)  /* over
               two lines */
__global__ void scale(float *y, size_t n)   // a < b && c
{
  __shared__ float tile[32];
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = 0x1fU + 1.5e-3f * .5f + 'x' - '\'';
  atomicAdd(y, 1.0f);
}
static const char *text = "%5.2f \"done\"\n";
// begins a comment \
   that goes on
int main(void) { scale<<<1, 32>>>(NULL, 10); return n >> 2; }
