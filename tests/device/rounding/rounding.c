/* Compares rounding in software, which the WebAssembly build uses, with the
 * processor's own, bit for bit: every operation in every mode, on operands that
 * are special, that are alike, and that are any.
 *
 *   rounding OPERANDS     how many of each operation; 77 where this machine has
 *                         no rounding modes to compare with */
#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/rounding.h"

#ifdef FE_UPWARD

static uint64_t random_bits(void)
{
  static uint64_t state = UINT64_C(0x9e3779b97f4a7c15);
  uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);

  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

static const uint32_t special_f32[] = {
  0,          1,          2,          0x007fffff, 0x00800000, 0x00800001,
  0x3f7fffff, 0x3f800000, 0x3f800001, 0x4b7fffff, 0x4b800000, 0x7f7fffff,
  0x7f7ffffe, 0x7f800000, 0x7fc00000, 0x33800000, 0x40400000, 0x1f800000
};
static const uint64_t special_f64[] = {
  0,
  1,
  2,
  UINT64_C(0x000fffffffffffff),
  UINT64_C(0x0010000000000000),
  UINT64_C(0x0010000000000001),
  UINT64_C(0x3fefffffffffffff),
  UINT64_C(0x3ff0000000000000),
  UINT64_C(0x3ff0000000000001),
  UINT64_C(0x433fffffffffffff),
  UINT64_C(0x7fefffffffffffff),
  UINT64_C(0x7feffffffffffffe),
  UINT64_C(0x7ff0000000000000),
  UINT64_C(0x7ff8000000000000),
  UINT64_C(0x3ca0000000000000),
  UINT64_C(0x36a0000000000000), /* the least f32 */
  UINT64_C(0x47efffffe0000000), /* the largest f32 */
  UINT64_C(0x47efffffefffffff), /* rounds to it */
};
enum {
  N_SPECIAL_F32 = sizeof special_f32 / sizeof *special_f32,
  N_SPECIAL_F64 = sizeof special_f64 / sizeof *special_f64
};

/* Operands of one trial. Of three trials one has special numbers, and one has
 * numbers of similar size with few bits, so that sums cancel and roots and
 * quotients come out even. */
struct operands {
  float f[3];
  double d[3];
  uint64_t whole;
};

static struct operands draw(void)
{
  struct operands o;
  uint64_t kind = random_bits() % 3;
  uint64_t sparse32 = kind == 1 ? 0xffff0000u << random_bits() % 8 : 0;
  uint64_t sparse64 = kind == 1 ? UINT64_MAX << random_bits() % 53 : 0;

  for (int i = 0; i < 3; i++) {
    uint64_t r = random_bits();
    uint32_t f = (uint32_t)r;
    uint64_t d = random_bits();

    if (kind == 0 && r >> 62 != 0) {
      d = special_f64[(r >> 32 & 0xffff) % N_SPECIAL_F64] | (d & 1) << 63;
      f = special_f32[(r >> 32 & 0xffff) % N_SPECIAL_F32] | (f & 0x80000000);
    } else if (kind == 1) {
      f = (f & 0x81ffffff & (uint32_t)(sparse32 | 0xfe000000)) ^ 0x3e000000;
      d = (d & UINT64_C(0x803fffffffffffff) &
           (sparse64 | UINT64_C(0xffc0000000000000))) ^
          UINT64_C(0x3fc0000000000000);
    }
    memcpy(&o.f[i], &f, sizeof f);
    memcpy(&o.d[i], &d, sizeof d);
  }
  o.whole = random_bits() >> random_bits() % 64;
  if (kind == 1)
    o.whole = UINT64_MAX << random_bits() % 64;
  return o;
}

static uint64_t bits_f32(float a)
{
  uint32_t bits;

  memcpy(&bits, &a, sizeof bits);
  return a != a ? 0x7fffffff : bits;
}

static uint64_t bits_f64(double a)
{
  uint64_t bits;

  memcpy(&bits, &a, sizeof bits);
  return a != a ? UINT64_C(0x7fffffffffffffff) : bits;
}

/* The processor's results must not be calculated before the mode is set, nor, see
 * try_mode, after it is set back. */
#define X(i) (*(volatile float *)&o->f[i])
#define Y(i) (*(volatile double *)&o->d[i])
#define WHOLE (*(volatile uint64_t *)&o->whole)
#define OPERATIONS                                                             \
  F32(add, X(0) + X(1), directed_add_f32(X(0), X(1), mode))                    \
  F32(sub, X(0) - X(1), directed_add_f32(X(0), -X(1), mode))                   \
  F32(mul, X(0) * X(1), directed_mul_f32(X(0), X(1), mode))                    \
  F32(div, X(0) / X(1), directed_div_f32(X(0), X(1), mode))                    \
  F32(sqrt, sqrtf(X(0)), directed_sqrt_f32(X(0), mode))                        \
  F32(fma, fmaf(X(0), X(1), X(2)), directed_fma_f32(X(0), X(1), X(2), mode))   \
  F64(add, Y(0) + Y(1), directed_add_f64(Y(0), Y(1), mode))                    \
  F64(sub, Y(0) - Y(1), directed_add_f64(Y(0), -Y(1), mode))                   \
  F64(mul, Y(0) * Y(1), directed_mul_f64(Y(0), Y(1), mode))                    \
  F64(div, Y(0) / Y(1), directed_div_f64(Y(0), Y(1), mode))                    \
  F64(sqrt, sqrt(Y(0)), directed_sqrt_f64(Y(0), mode))                         \
  F64(fma, fma(Y(0), Y(1), Y(2)), directed_fma_f64(Y(0), Y(1), Y(2), mode))    \
  F32(narrow, (float)Y(0), directed_f32_f64(Y(0), mode))                       \
  F32(from_f32, (float)(X(0) * 0x1.00001p0),                                   \
      directed_f32_f64(X(0) * 0x1.00001p0, mode))                              \
  F32(signed, (float)(int64_t)WHOLE, directed_f32_s64((int64_t)WHOLE, mode))   \
  F32(unsigned, (float)WHOLE, directed_f32_u64(WHOLE, mode))                   \
  F64(signed, (double)(int64_t)WHOLE, directed_f64_s64((int64_t)WHOLE, mode))  \
  F64(unsigned, (double)WHOLE, directed_f64_u64(WHOLE, mode))

enum { MOST_SHOWN = 10 };
static int n_different;

static void compare(const char *name, unsigned mode, const struct operands *o,
                    uint64_t hardware, uint64_t software)
{
  static const char *const modes[] = { "nearest", "zero", "down", "up" };

  if (hardware == software || n_different++ >= MOST_SHOWN)
    return;
  printf("%s, rounded %s: %a %a %a, %a %a %a, %" PRIu64 ": processor %" PRIx64
         ", software %" PRIx64 "\n",
         name, modes[mode], (double)o->f[0], (double)o->f[1], (double)o->f[2],
         o->d[0], o->d[1], o->d[2], o->whole, hardware, software);
}

static void try_mode(const struct operands *o, unsigned mode)
{
#define F32(name, hardware, software)                                          \
  {                                                                            \
    volatile float wanted;                                                     \
    float got;                                                                 \
    rounding_begin(mode);                                                      \
    wanted = hardware;                                                         \
    rounding_end();                                                            \
    got = software;                                                            \
    compare(#name ".f32", mode, o, bits_f32(wanted), bits_f32(got));           \
  }
#define F64(name, hardware, software)                                          \
  {                                                                            \
    volatile double wanted;                                                    \
    double got;                                                                \
    rounding_begin(mode);                                                      \
    wanted = hardware;                                                         \
    rounding_end();                                                            \
    got = software;                                                            \
    compare(#name ".f64", mode, o, bits_f64(wanted), bits_f64(got));           \
  }
  OPERATIONS
}

int main(int argc, char **argv)
{
  unsigned long n = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;

  if (n == 0) {
    fputs("usage: rounding OPERANDS\n", stderr);
    return 2;
  }
  for (unsigned long i = 0; i < n; i++) {
    struct operands o = draw();

    for (unsigned mode = ROUND_NEAREST; mode <= ROUND_UP; mode++)
      try_mode(&o, mode);
  }
  printf("%d results differ\n", n_different);
  return n_different != 0;
}

#else
int main(void)
{
  puts("this machine rounds to nearest only");
  return 77;
}
#endif
