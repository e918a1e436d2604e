/* Two halves or four bytes of a word at a time, in the order of the CUDA Math
 * API, "SIMD Intrinsics". Newer devices than 3.0 have no instruction for most
 * of them, so each part is calculated by itself. */
#ifndef SOFTDEVICE_SIMD_H
#define SOFTDEVICE_SIMD_H

/* Each part of the result is `expression` of x and y, these parts. */
#define SOFTDEVICE_PARTS(name, bits, type, expression)                         \
  SOFTDEVICE_BOTH unsigned int name(unsigned int a, unsigned int b)            \
  {                                                                            \
    const unsigned int mask = (1u << (bits)) - 1;                              \
    unsigned int result = 0;                                                   \
    for (int i = 0; i < 32; i += (bits)) {                                     \
      int x = (type)(a >> i), y = (type)(b >> i);                              \
      result |= ((unsigned int)(expression)&mask) << i;                        \
    }                                                                          \
    return result;                                                             \
  }
#define SOFTDEVICE_PARTS_1(name, bits, type, expression)                       \
  SOFTDEVICE_BOTH unsigned int name(unsigned int a)                            \
  {                                                                            \
    const unsigned int mask = (1u << (bits)) - 1;                              \
    unsigned int result = 0;                                                   \
    for (int i = 0; i < 32; i += (bits)) {                                     \
      int x = (type)(a >> i);                                                  \
      result |= ((unsigned int)(expression)&mask) << i;                        \
    }                                                                          \
    return result;                                                             \
  }
/* The parts' results added up. */
#define SOFTDEVICE_PARTS_SUM(name, bits, type, expression)                     \
  SOFTDEVICE_BOTH unsigned int name(unsigned int a, unsigned int b)            \
  {                                                                            \
    unsigned int result = 0;                                                   \
    for (int i = 0; i < 32; i += (bits)) {                                     \
      int x = (type)(a >> i), y = (type)(b >> i);                              \
      result += (unsigned int)(expression);                                    \
    }                                                                          \
    return result;                                                             \
  }

SOFTDEVICE_BOTH int softdevice_between(int low, int x, int high)
{
  return x < low ? low : x > high ? high : x;
}

/* For parts of n bytes and `bits` bits, signed type s and unsigned type u. */
#define SOFTDEVICE_SIMD(n, bits, s, u)                                         \
  SOFTDEVICE_PARTS_1(__vabs##n, bits, s, x < 0 ? -x : x)                       \
  SOFTDEVICE_PARTS(__vabsdiffs##n, bits, s, x < y ? y - x : x - y)             \
  SOFTDEVICE_PARTS(__vabsdiffu##n, bits, u, x < y ? y - x : x - y)             \
  SOFTDEVICE_PARTS_1(                                                          \
      __vabsss##n, bits, s,                                                    \
      softdevice_between(0, x < 0 ? -x : x, (1 << ((bits)-1)) - 1))            \
  SOFTDEVICE_PARTS(__vadd##n, bits, u, x + y)                                  \
  SOFTDEVICE_PARTS(                                                            \
      __vaddss##n, bits, s,                                                    \
      softdevice_between(-(1 << ((bits)-1)), x + y, (1 << ((bits)-1)) - 1))    \
  SOFTDEVICE_PARTS(__vaddus##n, bits, u,                                       \
                   softdevice_between(0, x + y, (1 << (bits)) - 1))            \
  SOFTDEVICE_PARTS(__vavgs##n, bits, s, (x + y + (x + y > 0)) >> 1)            \
  SOFTDEVICE_PARTS(__vavgu##n, bits, u, (x + y + 1) >> 1)                      \
  SOFTDEVICE_PARTS(__vcmpeq##n, bits, u, x == y ? -1 : 0)                      \
  SOFTDEVICE_PARTS(__vcmpges##n, bits, s, x >= y ? -1 : 0)                     \
  SOFTDEVICE_PARTS(__vcmpgeu##n, bits, u, x >= y ? -1 : 0)                     \
  SOFTDEVICE_PARTS(__vcmpgts##n, bits, s, x > y ? -1 : 0)                      \
  SOFTDEVICE_PARTS(__vcmpgtu##n, bits, u, x > y ? -1 : 0)                      \
  SOFTDEVICE_PARTS(__vcmples##n, bits, s, x <= y ? -1 : 0)                     \
  SOFTDEVICE_PARTS(__vcmpleu##n, bits, u, x <= y ? -1 : 0)                     \
  SOFTDEVICE_PARTS(__vcmplts##n, bits, s, x < y ? -1 : 0)                      \
  SOFTDEVICE_PARTS(__vcmpltu##n, bits, u, x < y ? -1 : 0)                      \
  SOFTDEVICE_PARTS(__vcmpne##n, bits, u, x != y ? -1 : 0)                      \
  SOFTDEVICE_PARTS(__vhaddu##n, bits, u, (x + y) >> 1)                         \
  SOFTDEVICE_PARTS(__vmaxs##n, bits, s, x > y ? x : y)                         \
  SOFTDEVICE_PARTS(__vmaxu##n, bits, u, x > y ? x : y)                         \
  SOFTDEVICE_PARTS(__vmins##n, bits, s, x < y ? x : y)                         \
  SOFTDEVICE_PARTS(__vminu##n, bits, u, x < y ? x : y)                         \
  SOFTDEVICE_PARTS_1(__vneg##n, bits, s, -x)                                   \
  SOFTDEVICE_PARTS_1(                                                          \
      __vnegss##n, bits, s,                                                    \
      softdevice_between(-(1 << ((bits)-1)), -x, (1 << ((bits)-1)) - 1))       \
  SOFTDEVICE_PARTS_SUM(__vsads##n, bits, s, x < y ? y - x : x - y)             \
  SOFTDEVICE_PARTS_SUM(__vsadu##n, bits, u, x < y ? y - x : x - y)             \
  SOFTDEVICE_PARTS(__vseteq##n, bits, u, x == y)                               \
  SOFTDEVICE_PARTS(__vsetges##n, bits, s, x >= y)                              \
  SOFTDEVICE_PARTS(__vsetgeu##n, bits, u, x >= y)                              \
  SOFTDEVICE_PARTS(__vsetgts##n, bits, s, x > y)                               \
  SOFTDEVICE_PARTS(__vsetgtu##n, bits, u, x > y)                               \
  SOFTDEVICE_PARTS(__vsetles##n, bits, s, x <= y)                              \
  SOFTDEVICE_PARTS(__vsetleu##n, bits, u, x <= y)                              \
  SOFTDEVICE_PARTS(__vsetlts##n, bits, s, x < y)                               \
  SOFTDEVICE_PARTS(__vsetltu##n, bits, u, x < y)                               \
  SOFTDEVICE_PARTS(__vsetne##n, bits, u, x != y)                               \
  SOFTDEVICE_PARTS(__vsub##n, bits, u, x - y)                                  \
  SOFTDEVICE_PARTS(                                                            \
      __vsubss##n, bits, s,                                                    \
      softdevice_between(-(1 << ((bits)-1)), x - y, (1 << ((bits)-1)) - 1))    \
  SOFTDEVICE_PARTS(__vsubus##n, bits, u,                                       \
                   softdevice_between(0, x - y, (1 << (bits)) - 1))

SOFTDEVICE_SIMD(2, 16, short, unsigned short)
SOFTDEVICE_SIMD(4, 8, signed char, unsigned char)

#undef SOFTDEVICE_SIMD
#undef SOFTDEVICE_PARTS
#undef SOFTDEVICE_PARTS_1
#undef SOFTDEVICE_PARTS_SUM

/* The larger or smaller of three, half by half. */
#define SOFTDEVICE_THREE(name, of_two)                                         \
  SOFTDEVICE_BOTH unsigned int name(unsigned int a, unsigned int b,            \
                                    unsigned int c)                            \
  {                                                                            \
    return of_two(of_two(a, b), c);                                            \
  }
SOFTDEVICE_THREE(__vimax3_s16x2, __vmaxs2)
SOFTDEVICE_THREE(__vimax3_u16x2, __vmaxu2)
SOFTDEVICE_THREE(__vimin3_s16x2, __vmins2)
SOFTDEVICE_THREE(__vimin3_u16x2, __vminu2)
#undef SOFTDEVICE_THREE

#endif
