// Integer, bit, conversion and rounding intrinsics.
#include "check.h"
#include <climits>
#include <cstring>
#include <cuda_fp16.h>
#pragma nv_diag_suppress 39 /* divisions by zero are meant */
__global__ void integers(const unsigned *x, long long *o)
{
  int t = threadIdx.x;
  unsigned a = x[t], b = x[(t + 13) % 256];
  long long *p = o + t * 48;
  int sa = a, sb = b;
  unsigned long long A = (unsigned long long)a << 32 | b;
  p[0] = __popc(a);
  p[1] = __clz(a);
  p[2] = __ffs(a);
  p[3] = __brev(a);
  p[4] = __popcll(A);
  p[5] = __clzll(A);
  p[6] = __ffsll(A);
  p[7] = __brevll(A);
  p[8] = __mulhi(sa, sb);
  p[9] = __umulhi(a, b);
  p[10] = __mul64hi((long long)A, A + 3);
  p[11] = __umul64hi(A, A + 3);
  p[12] = __mul24(sa, sb);
  p[13] = __umul24(a, b);
  p[14] = __sad(sa, sb, 5);
  p[15] = __usad(a, b, 5);
  p[16] = __hadd(sa, sb);
  p[17] = __rhadd(sa, sb);
  p[18] = __uhadd(a, b);
  p[19] = __urhadd(a, b);
  p[20] = __byte_perm(a, b, 0x5241);
  p[21] = __funnelshift_l(a, b, t);
  p[22] = __funnelshift_r(a, b, t);
  p[23] = __funnelshift_lc(a, b, t);
  p[24] = __funnelshift_rc(a, b, t);
  p[25] = __dp4a(sa, sb, 9);
  p[26] = __dp4a(a, b, 9u);
  p[27] = __dp2a_lo(sa, sb, 9);
  p[28] = __dp2a_hi(a, b, 9u);
  p[29] = __vadd4(a, b);
  p[30] = __vsub2(a, b);
  p[31] = __vabsdiffu4(a, b);
  p[32] = __vcmpgtu4(a, b);
  p[33] = __vmaxs2(a, b);
  p[34] = __vsadu4(a, b);
  p[35] = __vavgu4(a, b);
  p[36] = __vaddss4(a, b);
  p[37] = __vseteq2(a, b);
  p[38] = __vminu4(a, b);
  p[39] = __vneg4(a);
  p[40] = sa / (sb | 1);
  p[41] = sa % (sb | 1);
  p[42] = (long long)A / (sb | 1);
  p[43] = A % (a | 1);
  p[44] = __fns(a, 3, 2);
  p[45] = abs(sa) + llabs((long long)A) % 7 + min(sa, sb) + max(a, b);
  p[46] = __vabs2(a);
  p[47] = __viaddmax_s32(sa, sb, 7) + __vimin3_u32(a, b, 9) +
          __vibmax_u32(a, b, (bool *)&o[256 * 48]);
}
__global__ void floats(const float *x, long long *o)
{
  int t = threadIdx.x;
  float a = x[t], b = x[(t + 7) % 256];
  double d = a * 1.000000123456789, e = b / 3.0;
  long long *p = o + t * 48;
  p[0] = __float2int_rn(a);
  p[1] = __float2int_rz(a);
  p[2] = __float2int_ru(a);
  p[3] = __float2int_rd(a);
  p[4] = __float2uint_rn(fabsf(a));
  p[5] = __float2ll_rd(a * 1e9f);
  p[6] = __float2ull_ru(fabsf(a));
  p[7] = __double2int_rn(d);
  p[8] = __double2ll_rz(d * 1e9);
  p[9] = __double2uint_ru(fabs(d));
  p[10] = __float_as_int(__fadd_rz(a, b));
  p[11] = __float_as_int(__fmul_ru(a, b));
  p[12] = __float_as_int(__fdiv_rd(a, b));
  p[13] = __float_as_int(__fsqrt_rn(fabsf(a)));
  p[14] = __float_as_int(__fmaf_rz(a, b, 1.f));
  p[15] = __float_as_int(__frcp_rn(b));
  p[16] = __double_as_longlong(__dadd_ru(d, e));
  p[17] = __double_as_longlong(__dmul_rd(d, e));
  p[18] = __double_as_longlong(__ddiv_rz(d, e));
  p[19] = __double_as_longlong(__dsqrt_ru(fabs(d)));
  p[20] = __double_as_longlong(__fma_rn(d, e, 1.));
  p[21] = __float_as_int(__int2float_rz(t * 123456789));
  p[22] = __float_as_int(__double2float_rd(d));
  p[23] = __double2hiint(d);
  p[24] = __double2loint(d);
  p[25] = __double_as_longlong(__hiloint2double(t, 77));
  p[26] = __float_as_uint(__saturatef(a));
  p[27] = __float_as_int(__fdividef(a, 4.f));
  p[28] = isnan(a / 0.f * 0.f) + 2 * isinf(b / 0.f) + 4 * signbit(a) +
          8 * isfinite(d);
  p[29] = lrintf(a) + llround(d) + ilogbf(fabsf(b));
  p[30] = __float_as_int(fmaxf(a, NAN));
  p[31] = (long long)__ll2double_rn(t * 1234567890123456789ll);
  p[32] = __float_as_int(__ull2float_ru(~0ull - t));
  p[33] = (unsigned char)a;
  p[34] = (short)b;
  p[35] = (long long)(a * 1e20f);
  p[36] = (unsigned)(int)(b * 1e12f);
  p[37] = __float_as_int(scalbnf(a, 5));
  p[38] = __float_as_int(norm3df(3, 4, 12)) + __float_as_int(rnorm3df(0, 3, 4));
  p[39] = __float2half_rn(a) == (__half)a;
}
#include <cfenv>
static volatile float vf;
static volatile double vd;
template <class T, class F> T rounded(int mode, F f)
{
  fesetround(mode);
  T r = f();
  fesetround(FE_TONEAREST);
  return r;
}
static int fi(float f)
{
  int i;
  memcpy(&i, &f, 4);
  return i;
}
static long long dl(double f)
{
  long long i;
  memcpy(&i, &f, 8);
  return i;
}
int main()
{
  unsigned *x = managed<unsigned>(256);
  long long *o = managed<long long>(257 * 48);
  unsigned r = 12345;
  for (int i = 0; i < 256; i++)
    x[i] = i < 4 ? (unsigned[]){ 0, ~0u, 1u << 31, 1 }[i]
                 : (r = r * 1664525 + 1013904223);
  integers<<<1, 256>>>(x, o);
  CUDA(cudaDeviceSynchronize());
  for (int t = 0; t < 256; t++) {
    unsigned a = x[t], b = x[(t + 13) % 256];
    int sa = a, sb = b;
    unsigned long long A = (unsigned long long)a << 32 | b;
    long long *p = o + t * 48;
    unsigned rb = 0;
    for (int i = 0; i < 32; i++)
      rb |= (a >> i & 1) << (31 - i);
    EXPECT(p[0] == __builtin_popcount(a) &&
           p[1] == (a ? __builtin_clz(a) : 32) && p[2] == __builtin_ffs(a) &&
           (unsigned)p[3] == rb);
    EXPECT(p[4] == __builtin_popcountll(A) &&
           p[5] == (A ? __builtin_clzll(A) : 64) && p[6] == __builtin_ffsll(A));
    EXPECT((int)p[8] == (int)((long long)sa * sb >> 32) &&
           (unsigned)p[9] == (unsigned)((unsigned long long)a * b >> 32));
    EXPECT(p[10] ==
               (long long)((__int128)(long long)A * (long long)(A + 3) >> 64) &&
           (unsigned long long)p[11] ==
               (unsigned long long)((unsigned __int128)A * (A + 3) >> 64));
    EXPECT((int)p[12] ==
               (int)((unsigned)(sa << 8 >> 8) * (unsigned)(sb << 8 >> 8)) &&
           (unsigned)p[13] == (a & 0xffffff) * (b & 0xffffff));
    EXPECT((unsigned)p[14] == 5 + (unsigned)llabs((long long)sa - sb) &&
           (unsigned)p[15] == 5 + (a > b ? a - b : b - a));
    EXPECT((int)p[16] == (int)(((long long)sa + sb) >> 1) &&
           (int)p[17] == (int)(((long long)sa + sb + 1) >> 1) &&
           (unsigned)p[18] == (unsigned)(((unsigned long long)a + b) >> 1) &&
           (unsigned)p[19] == (unsigned)(((unsigned long long)a + b + 1) >> 1));
    EXPECT((unsigned)p[20] == ((a >> 8 & 255) | (b & 255) << 8 |
                               (a >> 16 & 255) << 16 | (b >> 8 & 255) << 24));
    unsigned long long ba = (unsigned long long)b << 32 | a;
    int c = t < 32 ? t : 32;
    EXPECT((unsigned)p[21] == (unsigned)(ba << (t & 31) >> 32) &&
           (unsigned)p[22] == (unsigned)(ba >> (t & 31)) &&
           (unsigned)p[23] == (unsigned)(ba << c >> 32) &&
           (unsigned)p[24] == (unsigned)(ba >> c));
    int s4 = 9;
    unsigned u4 = 9, add4 = 0, ad4 = 0, gt = 0, av = 0, sd = 0, ss = 0, mn = 0,
             ng = 0;
    for (int i = 0; i < 4; i++) {
      unsigned ua = a >> 8 * i & 255, ub = b >> 8 * i & 255;
      s4 += (signed char)ua * (signed char)ub;
      u4 += ua * ub;
      add4 |= (ua + ub & 255) << 8 * i;
      unsigned df = ua > ub ? ua - ub : ub - ua;
      ad4 |= df << 8 * i;
      sd += df;
      gt |= (ua > ub ? 255u : 0) << 8 * i;
      av |= (ua + ub + 1 >> 1) << 8 * i;
      int q = (signed char)ua + (signed char)ub;
      q = q > 127 ? 127 : q < -128 ? -128 : q;
      ss |= (q & 255u) << 8 * i;
      mn |= (ua < ub ? ua : ub) << 8 * i;
      ng |= (-ua & 255) << 8 * i;
    }
    EXPECT((int)p[25] == s4 && (unsigned)p[26] == u4 &&
           (unsigned)p[29] == add4 && (unsigned)p[31] == ad4 &&
           (unsigned)p[32] == gt && (unsigned)p[34] == sd &&
           (unsigned)p[35] == av && (unsigned)p[36] == ss &&
           (unsigned)p[38] == mn && (unsigned)p[39] == ng);
    EXPECT((int)p[27] == (int)(9 + (short)a * (signed char)b +
                               (short)(a >> 16) * (signed char)(b >> 8)) &&
           (unsigned)p[28] ==
               9 + (a & 0xffff) * (b >> 16 & 255) + (a >> 16) * (b >> 24));
    EXPECT((unsigned)p[30] == ((a - b & 0xffff) | (a >> 16) - (b >> 16) << 16));
    short l = (short)a > (short)b ? a : b,
          h = (short)(a >> 16) > (short)(b >> 16) ? a >> 16 : b >> 16;
    EXPECT((unsigned)p[33] ==
           ((unsigned short)l | (unsigned)(unsigned short)h << 16));
    EXPECT(p[37] ==
           ((a & 0xffff) == (b & 0xffff)) + ((a >> 16 == b >> 16) << 16));
    if (!(sa == INT_MIN && (sb | 1) == -1))
      EXPECT((int)p[40] == sa / (sb | 1) && (int)p[41] == sa % (sb | 1));
    if (!((long long)A == LLONG_MIN && (sb | 1) == -1))
      EXPECT(p[42] == (long long)A / (sb | 1));
    EXPECT((unsigned long long)p[43] == A % (a | 1));
    int n = 0, w = -1;
    for (int i = 3; i < 32 && w < 0; i++)
      if (a >> i & 1 && ++n == 2)
        w = i;
    EXPECT((int)p[44] == w);
  }
  float *f = managed<float>(256);
  for (int i = 0; i < 256; i++)
    f[i] = (i * 91 % 256 - 127.5f) * (i % 5 + .37f);
  floats<<<1, 256>>>(f, o);
  CUDA(cudaDeviceSynchronize());
  for (int t = 0; t < 256; t++) {
    volatile float a = f[t], b = f[(t + 7) % 256];
    volatile double d = a * 1.000000123456789, e = b / 3.0;
    long long *p = o + t * 48;
    EXPECT(p[0] == (int)rintf(a) && p[1] == (int)a && p[2] == (int)ceilf(a) &&
           p[3] == (int)floorf(a) && p[4] == (long long)rintf(fabsf(a)) &&
           p[5] == (long long)floorf(a * 1e9f) &&
           p[6] == (long long)ceilf(fabsf(a)) && p[7] == (int)rint(d) &&
           p[8] == (long long)(d * 1e9) && p[9] == (long long)ceil(fabs(d)));
    EXPECT((int)p[10] == fi(rounded<float>(FE_TOWARDZERO,
                                           [&] {
                                             vf = a + b;
                                             return vf;
                                           })) &&
           (int)p[11] == fi(rounded<float>(FE_UPWARD,
                                           [&] {
                                             vf = a * b;
                                             return vf;
                                           })) &&
           (int)p[12] == fi(rounded<float>(FE_DOWNWARD, [&] {
             vf = a / b;
             return vf;
           })));
    EXPECT((int)p[13] == fi(sqrtf(fabsf(a))) &&
           (int)p[14] == fi(rounded<float>(FE_TOWARDZERO,
                                           [&] {
                                             vf = fmaf(a, b, 1.f);
                                             return vf;
                                           })) &&
           (int)p[15] == fi(1 / b));
    EXPECT(p[16] == dl(rounded<double>(FE_UPWARD,
                                       [&] {
                                         vd = d + e;
                                         return vd;
                                       })) &&
           p[17] == dl(rounded<double>(FE_DOWNWARD,
                                       [&] {
                                         vd = d * e;
                                         return vd;
                                       })) &&
           p[18] == dl(rounded<double>(FE_TOWARDZERO,
                                       [&] {
                                         vd = d / e;
                                         return vd;
                                       })) &&
           p[20] == dl(fma(d, e, 1.)));
    EXPECT((int)p[22] == fi(rounded<float>(FE_DOWNWARD,
                                           [&] {
                                             vf = (float)d;
                                             return vf;
                                           })) &&
           (int)p[23] == (int)(dl(d) >> 32) && (int)p[24] == (int)dl(d) &&
           p[25] == ((long long)t << 32 | 77));
    EXPECT((unsigned)p[26] == (unsigned)fi(a < 0   ? 0.f
                                           : a > 1 ? 1.f
                                                   : (float)a) &&
           p[28] == 1 + 2 + 4 * (a < 0) + 8 && (int)p[30] == fi(a) &&
           (int)p[37] == fi(a * 32) && p[39] == 1);
    EXPECT((int)p[32] == 0x5f800000 && (int)p[38] == fi(13.f) + fi(.2f) &&
           p[34] == (short)b);
  }
  return failures != 0;
}
