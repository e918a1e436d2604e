// cuRAND's device functions, and cuComplex.
#include <cuComplex.h>
#include <curand_kernel.h>
#include "check.h"
__global__ void numbers(float *o)
{
  curandState s;
  curand_init(1234, threadIdx.x, 0, &s);
  float *p = o + threadIdx.x * 64;
  for (int i = 0; i < 32; i++)
    p[i] = curand_uniform(&s);
  for (int i = 0; i < 32; i++)
    p[32 + i] = curand_normal(&s);
}
__global__ void philox(unsigned *o)
{
  curandStatePhilox4_32_10_t s;
  curand_init(7, threadIdx.x, 0, &s);
  uint4 v = curand4(&s);
  o[threadIdx.x] = v.x ^ v.w;
  curandStateMRG32k3a m;
  curand_init(7, threadIdx.x, 0, &m);
  o[threadIdx.x] ^= (unsigned)(curand_uniform_double(&m) * 1000);
}
__global__ void pi(unsigned *hits)
{
  curandState s;
  curand_init(5, threadIdx.x + blockIdx.x * blockDim.x, 0, &s);
  unsigned n = 0;
  for (int i = 0; i < 200; i++) {
    float x = curand_uniform(&s), y = curand_uniform(&s);
    n += x * x + y * y <= 1;
  }
  atomicAdd(hits, n);
}
__global__ void julia(int *o, int w)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  cuFloatComplex z = make_cuFloatComplex(x * 3.f / w - 1.5f,
                                         y * 3.f / w - 1.5f),
                 c = make_cuFloatComplex(-.8f, .156f);
  int i = 0;
  while (i < 100 && cuCabsf(z) < 4)
    z = cuCaddf(cuCmulf(z, z), c), i++;
  o[y * w + x] = i;
}
int main()
{
  float *o = managed<float>(64 * 64);
  numbers<<<1, 64>>>(o);
  CUDA(cudaDeviceSynchronize());
  double u = 0, g = 0, g2 = 0;
  for (int t = 0; t < 64; t++)
    for (int i = 0; i < 32; i++) {
      float x = o[t * 64 + i], y = o[t * 64 + 32 + i];
      EXPECT(x > 0 && x <= 1);
      u += x;
      g += y;
      g2 += y * y;
    }
  EXPECT(fabs(u / 2048 - .5) < .02 && fabs(g / 2048) < .06 &&
         fabs(g2 / 2048 - 1) < .1);
  unsigned *q = managed<unsigned>(64);
  philox<<<1, 64>>>(q);
  CUDA(cudaDeviceSynchronize());
  EXPECT(q[0] != q[1]);
  q[0] = 0;
  pi<<<4, 64>>>(q);
  CUDA(cudaDeviceSynchronize());
  EXPECT(fabs(4. * q[0] / (256 * 200) - M_PI) < .05);
  int *j = managed<int>(64 * 64);
  julia<<<dim3(2, 64), 32>>>(j, 64);
  CUDA(cudaDeviceSynchronize());
  int bad = 0;
  for (int y = 0; y < 64; y++)
    for (int x = 0; x < 64; x++) {
      cuFloatComplex z = make_cuFloatComplex(x * 3.f / 64 - 1.5f,
                                             y * 3.f / 64 - 1.5f),
                     c = make_cuFloatComplex(-.8f, .156f);
      int i = 0;
      while (i < 100 && cuCabsf(z) < 4)
        z = cuCaddf(cuCmulf(z, z), c), i++;
      bad += abs(j[y * 64 + x] - i) > 3;
    }
  EXPECT(bad < 100);
  return failures != 0;
}
