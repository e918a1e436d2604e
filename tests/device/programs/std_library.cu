// The standard library of libcu++, clocks, 8-bit floats, 128-bit integers,
// and the formats of printf.
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/chrono>
#include <cuda/std/complex>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/variant>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda_fp8.h>
#include "check.h"
__global__ void k(double *o)
{
  int t = threadIdx.x;
  cuda::std::array<int, 4> a{ 1, 2, 3, t };
  int s = 0;
  for (int x : a)
    s += x;
  o[0 + t * 20] = s;
  cuda::std::span<int> sp(a.data(), 4);
  o[1 + t * 20] = sp.subspan(1).front();
  auto tu = cuda::std::make_tuple(1, 2.5, t);
  o[2 + t * 20] = cuda::std::get<1>(tu) + cuda::std::get<2>(tu);
  cuda::std::optional<int> op;
  if (t % 2)
    op = t;
  o[3 + t * 20] = op.value_or(-1);
  cuda::std::complex<double> c(1, t);
  c *= c;
  o[4 + t * 20] = c.real() + c.imag() + abs(c);
  cuda::std::variant<int, double> v;
  if (t % 3)
    v = 2.5;
  else
    v = 7;
  o[5 + t * 20] = cuda::std::visit([](auto x) { return (double)x; }, v);
  o[6 + t * 20] =
      cuda::std::popcount(77u + t) + cuda::std::countl_zero((unsigned)t + 1);
  o[7 + t * 20] = cuda::std::numeric_limits<float>::max() > 1;
  long long c0 = clock64();
  clock_t c1 = clock();
  o[8 + t * 20] = clock64() >= c0 && c1 != 0;
  auto n = cuda::std::chrono::system_clock::now();
  o[9 + t * 20] = n.time_since_epoch().count() > 0;
  __nv_fp8_e4m3 e((float)t * .37f);
  o[10 + t * 20] = (float)e;
  __nv_fp8_e5m2 g((float)t * 3.7f);
  o[11 + t * 20] = (float)g;
  __int128 w = (__int128)t * 1234567890123456789ll * 1000;
  o[13 + t * 20] = (double)(w / 7);
  o[14 + t * 20] = (double)(long long)(w >> 64);
}
__global__ void text(int n)
{
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    printf("%d %5d|%-5d|%05d %u %x %X %#x %o %c %s %% %p\n", -n, n, n, n, 7u,
           255, 255, 255, 8, 'z', "text", (void *)0x10);
    printf("%f %.3f %e %g %10.2f|%-10.2f|%+f %a\n", 1.5, 2.25, 12345.678, .0001,
           3.14159, 3.14159, 1., 1.);
    printf("%lld %llu %ld %hd %hd %hu %i\n", -(1ll << 40), 1ull << 63, 5l,
           (short)-3, 70000, 70000, 9);
    int n_1 = printf("none\n"), n_2 = printf("100%\n");
    int n_3 = printf("%*d|%.2f %5%\n", 6, 42, 1.23456);
    printf("%d %d %d\n", n_1, n_2, n_3);
  }
}
int main()
{
  double *o = managed<double>(32 * 20);
  k<<<1, 32>>>(o);
  CUDA(cudaDeviceSynchronize());
  for (int t = 0; t < 32; t++) {
    double *p = o + t * 20;
    EXPECT(p[0] == 6 + t && p[1] == 2 && p[2] == 2.5 + t &&
           p[3] == (t % 2 ? t : -1));
    EXPECT(fabs(p[4] - (1 - t * t + 2 * t + 1 + t * t)) < 1e-9 &&
           p[5] == (t % 3 ? 2.5 : 7) && p[7] == 1 && p[8] == 1 && p[9] == 1);
    EXPECT(p[10] == (float)__nv_fp8_e4m3((float)t * .37f) &&
           p[11] == (float)__nv_fp8_e5m2((float)t * 3.7f));
    __int128 w = (__int128)t * 1234567890123456789ll * 1000;
    EXPECT(p[13] == (double)(w / 7) && p[14] == (double)(long long)(w >> 64));
  }
  text<<<2, 32>>>(42);
  CUDA(cudaDeviceSynchronize());
  return failures != 0;
}
