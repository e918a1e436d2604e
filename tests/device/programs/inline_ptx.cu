// Inline PTX that libraries and course exercises write.
#include "check.h"
__device__ unsigned lane()
{
  unsigned r;
  asm("mov.u32 %0, %%laneid;" : "=r"(r));
  return r;
}
__global__ void k(unsigned *o, const unsigned *in, float *f,
                  unsigned long long *q)
{
  unsigned t = threadIdx.x, a = in[t], b = in[(t + 1) % 64], r, *p = o + t * 40;
  float x = f[t], y;
  unsigned long long z;
  p[0] = lane();
  asm volatile("lop3.b32 %0, %1, %2, %3, 0x96;"
               : "=r"(r)
               : "r"(a), "r"(b), "r"(t));
  p[1] = r;
  asm("{ .reg .pred p; setp.lt.u32 p, %1, %2; selp.u32 %0, 7, 9, p; }"
      : "=r"(r)
      : "r"(a), "r"(b));
  p[2] = r;
  asm("add.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  asm("{ add.cc.u32 %0, %1, %2; addc.u32 %0, 0, 0; }"
      : "=r"(r)
      : "r"(a), "r"(b));
  p[3] = r;
  asm("prmt.b32 %0, %1, %2, 0x7531;" : "=r"(r) : "r"(a), "r"(b));
  p[4] = r;
  asm("bfe.u32 %0, %1, 5, 9;" : "=r"(r) : "r"(a));
  p[5] = r;
  asm("bfi.b32 %0, %1, %2, 4, 8;" : "=r"(r) : "r"(a), "r"(b));
  p[6] = r;
  asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;"
      : "=r"(r)
      : "r"(a), "r"(b), "r"(1));
  p[7] = r;
  asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(r) : "l"(in + t));
  p[8] = r;
  asm volatile("ld.global.nc.L1::no_allocate.u32 %0, [%1];"
               : "=r"(r)
               : "l"(in + t));
  p[9] = r;
  asm volatile("st.global.cs.u32 [%0], %1;" ::"l"(p + 10), "r"(a));
  asm volatile("ld.global.cg.v2.u32 {%0, %1}, [%2];"
               : "=r"(p[11]), "=r"(p[12])
               : "l"(in + t / 2 * 2));
  asm volatile("red.global.add.u32 [%0], %1;" ::"l"(o + 64 * 40), "r"(1));
  asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;"
               : "=r"(r)
               : "l"(o + 64 * 40 + 1), "r"(t), "r"(t + 1));
  asm volatile("membar.gl; fence.acq_rel.gpu; bar.sync 0;");
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  p[13] = __float_as_uint(y);
  asm("rcp.rn.f32 %0, %1;" : "=f"(y) : "f"(x));
  p[14] = __float_as_uint(y);
  asm("fma.rn.ftz.sat.f32 %0, %1, %1, %1;" : "=f"(y) : "f"(x));
  p[15] = __float_as_uint(y);
  asm("min.f32 %0, %1, 0f3F800000;" : "=f"(y) : "f"(x));
  p[16] = __float_as_uint(y);
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(z) : "r"(a), "r"(b));
  q[t] = z;
  asm("mad.lo.u64 %0, %1, %2, %3;" : "=l"(z) : "l"(z), "l"(3ull), "l"(5ull));
  q[64 + t] = z;
  asm("mov.b64 {%0, %1}, %2;" : "=r"(p[17]), "=r"(p[18]) : "l"(z));
  asm("mov.b64 %0, {%1, %2};" : "=l"(z) : "r"(a), "r"(b));
  q[128 + t] = z;
  asm volatile("{ .reg .u32 i; .reg .pred q; mov.u32 i, 0; mov.u32 %0, 0; "
               "L: add.u32 %0, %0, i; add.u32 i, i, 1; "
               "setp.lt.u32 q, i, %1; @q bra L; }"
               : "=r"(r)
               : "r"(t % 7 + 1));
  p[19] = r;
  unsigned m;
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(m));
  p[20] = m;
  asm volatile("mov.u32 %0, %%nwarpid;" : "=r"(m));
  asm volatile("mov.u32 %0, %%smid;" : "=r"(m));
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(z));
  p[21] = z != 0;
  asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(m));
  p[22] = m;
  asm volatile("mov.u32 %0, %%total_smem_size;" : "=r"(m));
  __shared__ unsigned s[64];
  unsigned sp = (unsigned)__cvta_generic_to_shared(s + t);
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(sp), "r"(a));
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(r) : "r"(sp));
  p[23] = r;
  asm("{ .reg .u64 g; cvta.to.global.u64 g, %1; ld.global.u32 %0, [g+4]; }"
      : "=r"(r)
      : "l"(in));
  p[24] = r;
  asm("{ .reg .pred p; isspacep.shared p, %1; selp.u32 %0, 1, 0, p; }"
      : "=r"(r)
      : "l"(s));
  p[25] = r;
  asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;"
               : "=r"(r)
               : "r"(a));
  p[26] = r;
  asm volatile("vote.sync.ballot.b32 %0, 1, 0xffffffff;" : "=r"(r));
  p[27] = r;
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(r) : "f"(x));
  p[28] = r;
  asm("cvt.rn.f16x2.f32 %0, %1, %1;" : "=r"(r) : "f"(x));
  p[29] = r;
  asm("sub.f16x2 %0, %1, %1;" : "=r"(r) : "r"(0x40003c00));
  p[30] = r;
  asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(0));
  p[31] = r;
  asm("shf.l.wrap.b32 %0, %1, %2, 8;" : "=r"(r) : "r"(a), "r"(b));
  p[32] = r;
  asm("mad.hi.cc.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(t));
  p[33] = r;
  asm volatile("prefetch.global.L2 [%0];" ::"l"(in));
  asm volatile("nanosleep.u32 10;");
  asm volatile("discard.global.L2 [%0], 128;" ::"l"(o + 64 * 40 + 32));
}
int main()
{
  unsigned *o = managed<unsigned>(64 * 40 + 128), *in = managed<unsigned>(64);
  float *f = managed<float>(64);
  unsigned long long *q = managed<unsigned long long>(192);
  unsigned r = 3;
  for (int i = 0; i < 64; i++)
    in[i] = r = r * 1664525 + 1013904223, f[i] = i * .25f - 3.1f;
  k<<<1, 64, 256>>>(o, in, f, q);
  CUDA(cudaDeviceSynchronize());
  EXPECT(o[64 * 40] == 64);
  for (unsigned t = 0; t < 64; t++) {
    unsigned a = in[t], b = in[(t + 1) % 64], *p = o + t * 40;
    unsigned long long m = (unsigned long long)a * b;
    auto fl = [&](int i) {
      float v;
      __builtin_memcpy(&v, p + i, 4);
      return v;
    };
    EXPECT(p[0] == t % 32 && p[1] == (a ^ b ^ t) && p[2] == (a < b ? 7 : 9) &&
           p[3] == (a + b < a));
    EXPECT(p[4] == ((a >> 8 & 255) | a >> 24 << 8 | (b >> 8 & 255) << 16 |
                    b >> 24 << 24) &&
           p[5] == (a >> 5 & 511) && p[6] == ((b & ~0xff0u) | (a & 255) << 4));
    EXPECT(p[8] == a && p[9] == a && p[10] == a && p[11] == in[t / 2 * 2] &&
           p[12] == in[t / 2 * 2 + 1]);
    EXPECT(fabs(fl(13) / exp2(f[t]) - 1) < 1e-6 && fl(14) == 1 / f[t]);
    float s = fmaf(f[t], f[t], f[t]);
    EXPECT(fl(15) == (s < 0 ? 0 : s > 1 ? 1 : s) && fl(16) == fminf(f[t], 1));
    EXPECT(q[t] == m && q[64 + t] == m * 3 + 5 &&
           p[17] == (unsigned)(m * 3 + 5) && p[18] == (m * 3 + 5) >> 32 &&
           q[128 + t] == ((unsigned long long)b << 32 | a));
    EXPECT(p[19] == (t % 7) * (t % 7 + 1) / 2 && p[20] == (1u << t % 32) - 1 &&
           p[21] == 1 && p[22] == 256 && p[23] == a && p[24] == in[1] &&
           p[25] == 1);
    EXPECT(p[26] == in[t ^ 1] && p[27] == ~0u &&
           (int)p[28] == (int)rintf(f[t]) && p[30] == 0 &&
           p[32] == (b << 8 | a >> 24) && p[33] == (unsigned)(m >> 32) + t);
  }
  return failures != 0;
}
