/* Integer helpers of the instruction table. */
#ifndef DEVICE_EXEC_LANES_INTEGER_H
#define DEVICE_EXEC_LANES_INTEGER_H

#include "lanes.h"

static inline s32 clamp_s32(s64 v)
{
  return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : (s32)v;
}

/* 16-bit minimum and maximum, done in the high half of a word: gcc 12 fails
 * on the masked 16-bit minimum of AVX-512 that it would make otherwise. */
static inline u16 min_high_u32(u32 a, u32 b)
{
  return (u16)((a << 16 < b << 16 ? a << 16 : b << 16) >> 16);
}

static inline u16 max_high_u32(u32 a, u32 b)
{
  return (u16)((a << 16 > b << 16 ? a << 16 : b << 16) >> 16);
}

static inline s16 min_high_s32(s32 a, s32 b)
{
  return (s16)((a * 65536 < b * 65536 ? a * 65536 : b * 65536) / 65536);
}

static inline s16 max_high_s32(s32 a, s32 b)
{
  return (s16)((a * 65536 > b * 65536 ? a * 65536 : b * 65536) / 65536);
}

static inline u64 mul_high_u64(u64 a, u64 b)
{
  u64 al = (u32)a, ah = a >> 32, bl = (u32)b, bh = b >> 32;
  u64 middle = ah * bl + (al * bl >> 32);
  u64 other = al * bh + (u32)middle;

  return ah * bh + (middle >> 32) + (other >> 32);
}

static inline s64 mul_high_s64(s64 a, s64 b)
{
  u64 high = mul_high_u64((u64)a, (u64)b);

  high -= a < 0 ? (u64)b : 0;
  high -= b < 0 ? (u64)a : 0;
  return (s64)high;
}

static inline u32 low24(u32 a) { return a & 0xffffff; }
static inline s32 signed24(s32 a) { return (s32)((u32)a << 8) >> 8; }

static inline u32 popc32(u32 a)
{
  a -= a >> 1 & 0x55555555;
  a = (a & 0x33333333) + (a >> 2 & 0x33333333);
  return ((a + (a >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}

static inline u32 clz32(u32 a)
{
  a |= a >> 1;
  a |= a >> 2;
  a |= a >> 4;
  a |= a >> 8;
  a |= a >> 16;
  return 32 - popc32(a);
}

static inline u32 clz64(u64 a)
{
  return a >> 32 != 0 ? clz32((u32)(a >> 32)) : 32 + clz32((u32)a);
}

static inline u32 reverse32(u32 a)
{
  a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
  a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
  a = (a >> 4 & 0x0f0f0f0f) | (a & 0x0f0f0f0f) << 4;
  a = (a >> 8 & 0x00ff00ff) | (a & 0x00ff00ff) << 8;
  return a >> 16 | a << 16;
}

static inline u32 find_nth_set(u32 mask, u32 base, s32 offset)
{
  s32 step = offset < 0 ? -1 : 1;
  s64 left = offset < 0 ? -(s64)offset : offset; /* of INT32_MIN, too */

  if (offset == 0)
    return base < 32 && mask >> base & 1 ? base : ~(u32)0;
  for (s32 bit = (s32)base; bit >= 0 && bit < 32; bit += step)
    if (mask >> bit & 1 && --left == 0)
      return (u32)bit;
  return ~(u32)0;
}

/* bfe and bfi of 32 bits use the low 8 bits of position and length; those
 * of 64 bits, which a GPU has no instruction for, use all. */
static inline u32 low_bits32(u32 n)
{
  return n > 31 ? ~(u32)0 : ((u32)1 << n) - 1;
}

static inline u64 low_bits64(u32 n)
{
  return n > 63 ? ~(u64)0 : ((u64)1 << (n & 63)) - 1;
}

static inline u32 extract_u32(u32 a, u32 position, u32 length)
{
  position &= 255;
  return (position > 31 ? 0 : a >> (position & 31)) & low_bits32(length & 255);
}

static inline s32 extract_s32(s32 a, u32 position, u32 length)
{
  u32 sign_at, field;

  position &= 255;
  length &= 255;
  if (length == 0)
    return 0;
  sign_at = position + length - 1 > 31 ? 31 : position + length - 1;
  field = position > 31 ? 0 : (u32)a >> (position & 31);
  if ((u32)a >> sign_at & 1)
    field =
        position > 31 ? ~(u32)0 : field | ~low_bits32(sign_at - position + 1);
  else
    field &= low_bits32(length);
  return (s32)field;
}

static inline u64 extract_u64(u64 a, u32 position, u32 length)
{
  return (position > 63 ? 0 : a >> (position & 63)) & low_bits64(length);
}

static inline s64 extract_s64(s64 a, u32 position, u32 length)
{
  u32 sign_at;
  u64 field;

  if (length == 0)
    return 0;
  length = length > 64 ? 64 : length;
  sign_at =
      position > 63 || position + length > 63 ? 63 : position + length - 1;
  field = position > 63 ? 0 : (u64)a >> (position & 63);
  if ((u64)a >> sign_at & 1)
    field =
        position > 63 ? ~(u64)0 : field | ~low_bits64(sign_at - position + 1);
  else
    field &= low_bits64(length);
  return (s64)field;
}

static inline u32 insert32(u32 a, u32 b, u32 position, u32 length)
{
  u32 field;

  position &= 255;
  length &= 255;
  if (position > 31)
    return b;
  field = low_bits32(length) << position;
  return (b & ~field) | (a << position & field);
}

static inline u64 insert64(u64 a, u64 b, u32 position, u32 length)
{
  u64 field;

  if (position > 63)
    return b;
  field = low_bits64(length) << position;
  return (b & ~field) | (a << position & field);
}

static inline u32 keep_low(u32 a, u32 n, int is_signed)
{
  if (n == 0)
    return 0;
  if (n > 31)
    return a;
  a &= low_bits32(n);
  return is_signed && a >> (n - 1) & 1 ? a | ~low_bits32(n) : a;
}

static inline u32 mask_of(u32 position, u32 length)
{
  return position > 31 ? 0 : low_bits32(length) << position;
}

static inline u32 byte_of(u32 a, u32 i, int is_signed)
{
  u32 byte = a >> 8 * i & 0xff;

  return is_signed ? (u32)(s8)byte : byte;
}

static inline u32 dot4(u32 a, u32 b, u32 c, int a_signed, int b_signed)
{
  for (u32 i = 0; i < 4; i++)
    c += byte_of(a, i, a_signed) * byte_of(b, i, b_signed);
  return c;
}

static inline u32 dot2(u32 a, u32 b, u32 c, int a_signed, int b_signed)
{
  for (u32 i = 0; i < 2; i++) {
    u32 half = a >> 16 * i & 0xffff;

    c += (a_signed ? (u32)(s16)half : half) * byte_of(b, i, b_signed);
  }
  return c;
}

static inline u32 add_16x2(u32 a, u32 b)
{
  return ((a + b) & 0xffff) | ((a >> 16) + (b >> 16)) << 16;
}

/* Minimum or maximum of each half. */
static inline u32 choose_16x2(u32 a, u32 b, int is_signed, int greater)
{
  u32 flip = is_signed ? 0x80008000 : 0, low, high;

  a ^= flip;
  b ^= flip;
  low = ((a & 0xffff) > (b & 0xffff)) == greater ? a & 0xffff : b & 0xffff;
  high = (a >> 16 > b >> 16) == greater ? a >> 16 : b >> 16;
  return (low | high << 16) ^ flip;
}

static inline u32 absolute_difference4(u32 a, u32 b)
{
  u32 result = 0;

  for (u32 i = 0; i < 32; i += 8) {
    u32 x = a >> i & 0xff, y = b >> i & 0xff;

    result |= (x > y ? x - y : y - x) << i;
  }
  return result;
}

static inline u32 byte_sum(u32 a)
{
  return (a & 0xff) + (a >> 8 & 0xff) + (a >> 16 & 0xff) + (a >> 24);
}

static inline u32 saturated_part(s32 a, unsigned bits, int is_signed)
{
  s32 most = (1 << (bits - is_signed)) - 1, least = is_signed ? -most - 1 : 0;

  return (u32)(a > most    ? most
               : a < least ? least
                           : a) &
         (((u32)1 << bits) - 1);
}

/* cvt.pack: a above b, both saturated to `bits`; c moves up above them. */
static inline u32 pack_two(s32 a, s32 b, unsigned bits, int is_signed, u32 c)
{
  u32 both = saturated_part(a, bits, is_signed) << bits |
             saturated_part(b, bits, is_signed);

  return bits == 16 ? both : c << (2 * bits & 31) | both;
}

static inline u32 funnel_left(u32 a, u32 b, u32 n)
{
  u64 both = (u64)b << 32 | a;

  return n > 31 ? a : (u32)(both << n >> 32);
}

static inline u32 funnel_right(u32 a, u32 b, u32 n)
{
  u64 both = (u64)b << 32 | a;

  return n > 31 ? b : (u32)(both >> n);
}

static inline u32 logic3(u32 a, u32 b, u32 c, u32 table)
{
  u32 result = 0;

  for (u32 i = 0; i < 8; i++)
    result |= (0 - (table >> i & 1)) & (i & 4 ? a : ~a) & (i & 2 ? b : ~b) &
              (i & 1 ? c : ~c);
  return result;
}

static inline u32 permute(u32 a, u32 b, u32 selector)
{
  u64 both = (u64)b << 32 | a;
  u32 result = 0;

  for (u32 i = 0; i < 4; i++) {
    u32 nibble = selector >> 4 * i & 15;
    u32 byte = (u32)(both >> 8 * (nibble & 7)) & 0xff;

    if (nibble & 8)
      byte = byte & 0x80 ? 0xff : 0;
    result |= byte << 8 * i;
  }
  return result;
}

static inline u32 permute_f4e(u32 n) { return (0x76543210u >> 4 * n) & 0xffff; }

static inline u32 permute_b4e(u32 n)
{
  return n == 0 ? 0x5670 : n == 1 ? 0x6701 : n == 2 ? 0x7012 : 0x0123;
}

static inline u32 permute_ecl(u32 n)
{
  return n == 0 ? 0x3210 : n == 1 ? 0x3211 : n == 2 ? 0x3222 : 0x3333;
}

static inline u32 permute_ecr(u32 n)
{
  return n == 0 ? 0x0000 : n == 1 ? 0x1110 : n == 2 ? 0x2210 : 0x3210;
}

#endif
