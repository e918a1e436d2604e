/* Integer intrinsics, in the order of the CUDA Math API. */
#ifndef SOFTDEVICE_INTEGER_H
#define SOFTDEVICE_INTEGER_H

SOFTDEVICE_CALL unsigned int __brev(unsigned int x)
{
  return __builtin_bitreverse32(x);
}
SOFTDEVICE_CALL unsigned long long __brevll(unsigned long long x)
{
  return __builtin_bitreverse64(x);
}
/* Byte i of the result is byte (selector >> 4 i) & 7 of y:x. */
SOFTDEVICE_CALL unsigned int __byte_perm(unsigned int x, unsigned int y,
                                         unsigned int selector)
{
  return __nvvm_prmt(x, y, selector);
}
SOFTDEVICE_CALL int __clz(int x)
{
  return x == 0 ? 32 : __builtin_clz((unsigned int)x);
}
SOFTDEVICE_CALL int __clzll(long long x)
{
  return x == 0 ? 64 : __builtin_clzll((unsigned long long)x);
}
SOFTDEVICE_CALL int __ffs(int x) { return __builtin_ffs(x); }
SOFTDEVICE_CALL int __ffsll(long long x) { return __builtin_ffsll(x); }
SOFTDEVICE_CALL unsigned int __fns(unsigned int mask, unsigned int base,
                                   int offset)
{
  unsigned int place;
  asm("fns.b32 %0, %1, %2, %3;"
      : "=r"(place)
      : "r"(mask), "r"(base), "r"(offset));
  return place;
}

#define SOFTDEVICE_FUNNEL(name, form)                                          \
  SOFTDEVICE_CALL unsigned int name(unsigned int low, unsigned int high,       \
                                    unsigned int shift)                        \
  {                                                                            \
    unsigned int result;                                                       \
    asm("shf." form ".b32 %0, %1, %2, %3;"                                     \
        : "=r"(result)                                                         \
        : "r"(low), "r"(high), "r"(shift));                                    \
    return result;                                                             \
  }
SOFTDEVICE_FUNNEL(__funnelshift_l, "l.wrap")
SOFTDEVICE_FUNNEL(__funnelshift_lc, "l.clamp")
SOFTDEVICE_FUNNEL(__funnelshift_r, "r.wrap")
SOFTDEVICE_FUNNEL(__funnelshift_rc, "r.clamp")
#undef SOFTDEVICE_FUNNEL

SOFTDEVICE_CALL int __hadd(int x, int y)
{
  return (int)(((long long)x + y) >> 1);
}
SOFTDEVICE_CALL int __mul24(int x, int y)
{
  return (int)((unsigned int)(x << 8 >> 8) * (unsigned int)(y << 8 >> 8));
}
SOFTDEVICE_CALL long long __mul64hi(long long x, long long y)
{
  return __nvvm_mulhi_ll(x, y);
}
SOFTDEVICE_CALL int __mulhi(int x, int y)
{
  return (int)(((long long)x * y) >> 32);
}
SOFTDEVICE_CALL int __popc(unsigned int x) { return __builtin_popcount(x); }
SOFTDEVICE_CALL int __popcll(unsigned long long x)
{
  return __builtin_popcountll(x);
}
SOFTDEVICE_CALL int __rhadd(int x, int y)
{
  return (int)(((long long)x + y + 1) >> 1);
}
SOFTDEVICE_CALL unsigned int __sad(int x, int y, unsigned int z)
{
  unsigned int result;
  asm("sad.s32 %0, %1, %2, %3;" : "=r"(result) : "r"(x), "r"(y), "r"(z));
  return result;
}
SOFTDEVICE_CALL unsigned int __uhadd(unsigned int x, unsigned int y)
{
  return (unsigned int)(((unsigned long long)x + y) >> 1);
}
SOFTDEVICE_CALL unsigned int __umul24(unsigned int x, unsigned int y)
{
  return (x & 0xffffff) * (y & 0xffffff);
}
SOFTDEVICE_CALL unsigned long long __umul64hi(unsigned long long x,
                                              unsigned long long y)
{
  return __nvvm_mulhi_ull(x, y);
}
SOFTDEVICE_CALL unsigned int __umulhi(unsigned int x, unsigned int y)
{
  return (unsigned int)(((unsigned long long)x * y) >> 32);
}
SOFTDEVICE_CALL unsigned int __urhadd(unsigned int x, unsigned int y)
{
  return (unsigned int)(((unsigned long long)x + y + 1) >> 1);
}
SOFTDEVICE_CALL unsigned int __usad(unsigned int x, unsigned int y,
                                    unsigned int z)
{
  unsigned int result;
  asm("sad.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(x), "r"(y), "r"(z));
  return result;
}

/* Products of four bytes, or of two halves with two of the bytes, added up. */
#define SOFTDEVICE_DOT(name, form, type, x_type, y_type)                       \
  SOFTDEVICE_CALL type name(x_type x, y_type y, type z)                        \
  {                                                                            \
    type result;                                                               \
    asm(form " %0, %1, %2, %3;"                                                \
        : "=r"(result)                                                         \
        : "r"(__builtin_bit_cast(int, x)), "r"(__builtin_bit_cast(int, y)),    \
          "r"(z));                                                             \
    return result;                                                             \
  }
SOFTDEVICE_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, int, int)
SOFTDEVICE_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned int, unsigned int,
               unsigned int)
SOFTDEVICE_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, short2, char4)
SOFTDEVICE_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned int, ushort2, uchar4)
SOFTDEVICE_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, int, int)
SOFTDEVICE_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned int, unsigned int,
               unsigned int)
SOFTDEVICE_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, short2, char4)
SOFTDEVICE_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned int, ushort2, uchar4)
SOFTDEVICE_DOT(__dp4a, "dp4a.s32.s32", int, int, int)
SOFTDEVICE_DOT(__dp4a, "dp4a.u32.u32", unsigned int, unsigned int, unsigned int)
SOFTDEVICE_DOT(__dp4a, "dp4a.s32.s32", int, char4, char4)
SOFTDEVICE_DOT(__dp4a, "dp4a.u32.u32", unsigned int, uchar4, uchar4)
#undef SOFTDEVICE_DOT

/* --- integer functions --------------------------------------------------- */

#define SOFTDEVICE_LEAST(type)                                                 \
  SOFTDEVICE_BOTH type min(type x, type y) { return x < y ? x : y; }           \
  SOFTDEVICE_BOTH type max(type x, type y) { return x > y ? x : y; }
SOFTDEVICE_LEAST(int)
SOFTDEVICE_LEAST(unsigned int)
SOFTDEVICE_LEAST(long)
SOFTDEVICE_LEAST(unsigned long)
SOFTDEVICE_LEAST(long long)
SOFTDEVICE_LEAST(unsigned long long)
#undef SOFTDEVICE_LEAST

/* Of different signs and widths: as the larger type of the two, and as an
 * unsigned one if one of them is. */
#define SOFTDEVICE_MIXED(x_type, y_type, type)                                 \
  SOFTDEVICE_BOTH type min(x_type x, y_type y)                                 \
  {                                                                            \
    return min((type)x, (type)y);                                              \
  }                                                                            \
  SOFTDEVICE_BOTH type max(x_type x, y_type y) { return max((type)x, (type)y); }
SOFTDEVICE_MIXED(int, unsigned int, unsigned int)
SOFTDEVICE_MIXED(unsigned int, int, unsigned int)
SOFTDEVICE_MIXED(long, unsigned long, unsigned long)
SOFTDEVICE_MIXED(unsigned long, long, unsigned long)
SOFTDEVICE_MIXED(long long, unsigned long long, unsigned long long)
SOFTDEVICE_MIXED(unsigned long long, long long, unsigned long long)
#undef SOFTDEVICE_MIXED

SOFTDEVICE_CALL int abs(int x) { return x < 0 ? -x : x; }
SOFTDEVICE_CALL long labs(long x) { return x < 0 ? -x : x; }
SOFTDEVICE_CALL long long llabs(long long x) { return x < 0 ? -x : x; }
SOFTDEVICE_CALL long abs(long x) { return labs(x); }
SOFTDEVICE_CALL long long abs(long long x) { return llabs(x); }

SOFTDEVICE_CALL int __vimax_s32_relu(int x, int y) { return max(max(x, y), 0); }
SOFTDEVICE_CALL int __vimin_s32_relu(int x, int y) { return max(min(x, y), 0); }
SOFTDEVICE_CALL int __vimax3_s32(int x, int y, int z)
{
  return max(max(x, y), z);
}
SOFTDEVICE_CALL int __vimin3_s32(int x, int y, int z)
{
  return min(min(x, y), z);
}
SOFTDEVICE_CALL unsigned int __vimax3_u32(unsigned int x, unsigned int y,
                                          unsigned int z)
{
  return max(max(x, y), z);
}
SOFTDEVICE_CALL unsigned int __vimin3_u32(unsigned int x, unsigned int y,
                                          unsigned int z)
{
  return min(min(x, y), z);
}

#endif
