/* Products of the matrices of wgmma: 64 rows of A by all columns of B. */
#include "../wgmma_product.h"
#include "half.h"
#include "lanes.h"

static void widen(enum matrix_type type, u32 *raw, unsigned n)
{
  static const struct eight formats[] = { { 3, 7, false }, { 2, 15, true } };
  f32 table[256];

  switch (type) {
  case MATRIX_F16:
    for (unsigned i = 0; i < n; i++)
      raw[i] = bits_f32(f32_from_half((u16)raw[i]));
    break;
  case MATRIX_BF16:
    for (unsigned i = 0; i < n; i++)
      raw[i] <<= 16;
    break;
  case MATRIX_TF32:
    for (unsigned i = 0; i < n; i++)
      raw[i] &= 0xffffe000;
    break;
  case MATRIX_E4M3:
  case MATRIX_E5M2:
    for (u32 i = 0; i < 256; i++)
      table[i] = (f32)f64_from_eight(i, formats[type == MATRIX_E5M2]);
    for (unsigned i = 0; i < n; i++)
      raw[i] = bits_f32(table[raw[i]]);
    break;
  case MATRIX_S8:
    for (unsigned i = 0; i < n; i++)
      raw[i] = (u32)(s32)(s8)raw[i];
    break;
  default: break;
  }
}

static void negate(u32 *values, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    values[i] ^= UINT32_C(0x80000000);
}

/* Products are exact in double precision, and so are their sums but in
 * extreme cases: what is rounded is the end result, once. */
static void multiply_real(struct wgmma_product *p)
{
  for (unsigned m = 0; m < WGMMA_ROWS; m++)
    for (unsigned k = 0; k < p->k; k++) {
      f64 a = (f64)f32_bits(p->a[m * p->k + k]);
      const u32 *b = &p->b[k * p->n];
      f64 *sums = &p->sums.real[m * p->n];

      for (unsigned n = 0; n < p->n; n++)
        sums[n] += a * (f64)f32_bits(b[n]);
    }
}

/* Partial sums are small: 32 products of 8-bit numbers, or 256 bits. */
static void multiply_whole(struct wgmma_product *p)
{
  for (unsigned m = 0; m < WGMMA_ROWS; m++) {
    s32 partial[WGMMA_COLUMNS] = { 0 };

    for (unsigned k = 0; k < p->k; k++) {
      u32 a = p->a[m * p->k + k];
      const u32 *b = &p->b[k * p->n];

      if (p->a_type == MATRIX_B1)
        for (unsigned n = 0; n < p->n; n++)
          partial[n] += __builtin_popcount(a & b[n]);
      else
        for (unsigned n = 0; n < p->n; n++)
          partial[n] += (s32)a * (s32)b[n];
    }
    for (unsigned n = 0; n < p->n; n++)
      p->sums.whole[m * p->n + n] += partial[n];
  }
}

static void multiply(struct wgmma_product *p)
{
  widen(p->a_type, p->a, WGMMA_ROWS * p->k);
  widen(p->b_type, p->b, p->k * p->n);
  if (p->negate)
    negate(p->a, WGMMA_ROWS * p->k);
  if (p->a_type >= MATRIX_S8)
    multiply_whole(p);
  else
    multiply_real(p);
}

void LANES_LOCAL(lanes_products)(struct lane_handlers *handlers)
{
  handlers->wgmma = multiply;
}
