/* What requests cost, as count/ defines it, found by loops over 32 lanes that
 * the compiler turns into vector code. tests/device/count compares the two. */
#ifndef DEVICE_EXEC_LANES_PASSES_H
#define DEVICE_EXEC_LANES_PASSES_H

#if defined __AVX512F__ && defined __AVX512CD__
#include <immintrin.h>
#define FINDS_CONFLICTS 1
#endif

#include "../../count/sectors.h"
#include "../../count/wavefronts.h"
#include "lanes.h"

/* Within the common path, its arrays would cost every request: vector addition
 * lost a quarter of its speed. */
#define RARELY __attribute__((noinline))

/* ---- units of memory ------------------------------------------------------ */

#ifdef FINDS_CONFLICTS
/* In how many of the first `n` lanes is a number that no lane before has? */
static inline unsigned new_in_half(__m512i unit, unsigned n)
{
  const __m512i before = _mm512_conflict_epi32(unit);
  const u32 fresh = _mm512_testn_epi32_mask(before, before);

  return (unsigned)__builtin_popcount(fresh & ((1u << n) - 1));
}

/* How many different numbers the lanes of `mask` have. The others repeat one of
 * those. */
static inline unsigned count_different(const u32 *unit, u32 mask)
{
  const __m512i low = _mm512_load_si512(unit);
  const __m512i high = _mm512_load_si512(unit + LANES / 2);
  const unsigned n = (unsigned)__builtin_popcount(mask);
  const u16 low_mask = (u16)mask, high_mask = (u16)(mask >> LANES / 2);
  __m512i turned = low;
  u32 known = 0;

  if (n <= LANES / 2) { /* side by side */
    const u32 rest = UINT32_C(0xffff) << __builtin_popcount(low_mask);

    return new_in_half(
        _mm512_mask_expand_epi32(_mm512_maskz_compress_epi32(low_mask, low),
                                 (u16)rest,
                                 _mm512_maskz_compress_epi32(high_mask, high)),
        n);
  }
  for (unsigned i = 0; i < LANES / 2; i++) {
    known |= _mm512_cmpeq_epi32_mask(high, turned);
    turned = _mm512_alignr_epi32(turned, turned, 1);
  }
  turned = _mm512_conflict_epi32(high);
  known |= _mm512_test_epi32_mask(turned, turned);
  return new_in_half(low, LANES / 2) + LANES / 2 -
         (unsigned)__builtin_popcount(known);
}
#else
static inline unsigned count_different(const u32 *own, u32 mask)
{
  /* Before each lane's own number, those of the lanes before it. */
  _Alignas(LANE_ALIGNMENT) u32 unit[2 * LANES];
  _Alignas(LANE_ALIGNMENT) u32 seen[LANES];
  unsigned n = 0;

  (void)mask;
  EACH_LANE
  {
    unit[LANES + l] = own[l];
    unit[l] = own[l];
    seen[l] = 0;
  }
  /* The lanes d before lane l, and d - 32 behind it where there is none. */
  for (unsigned d = 1; d < LANES; d++) {
    const u32 *before = unit + LANES - d;

    EACH_LANE { seen[l] |= (u32) - (before[l] == own[l]) & (u32) - (l >= d); }
  }
  EACH_LANE { n += seen[l] == 0; }
  return n;
}
#endif

/* As count_units. Lanes that are not in `mask` repeat one that is. */
static RARELY unsigned lanes_units(const u64 *address, u32 mask, unsigned shift)
{
  _Alignas(LANE_ALIGNMENT) u32 unit[LANES];
  const u64 first = address[0] >> shift;
  u64 far = 0;

  EACH_LANE
  {
    u64 from = (address[l] >> shift) - first + (UINT32_C(1) << 31);

    far |= from >> 32;
    unit[l] = (u32)from;
  }
  if (far != 0)
    return count_units(address, mask, shift);
  return count_different(unit, mask);
}

/* ---- passes of the banks -------------------------------------------------- */

/* Shared memory that 16 bits can count in words of 4 bytes, with room for the
 * mark of an idle lane. A block has at most 228 KiB. */
#define BANKED_BYTES UINT64_C(0x3c000)

/* What lanes want of the banks: a word of 4 bytes each, or a piece of 8 or 16
 * bytes, which takes 2 or 4 neighbouring banks. */
struct wanted {
  _Alignas(LANE_ALIGNMENT) u16 piece[LANES];
  u32 mask;
  unsigned pieces; /* that all banks serve at once */
};

enum { IDLE_PIECE = 0xffff, NO_BANK = 0xff, OTHER_BANK = 0xfe };

/* Passes for each group of `size` lanes; lanes of different groups have
 * nothing to do with each other. */
static void group_passes(const struct wanted *want, unsigned size,
                         unsigned passes[4])
{
  const unsigned pieces = want->pieces;
  const unsigned group_shift = pieces == 32 ? 16 : pieces == 16 ? 15 : 14;
  /* Before each lane's own, those of the lanes before it. */
  _Alignas(LANE_ALIGNMENT) u16 piece[2 * LANES], seen[LANES];
  _Alignas(LANE_ALIGNMENT) u8 bank[2 * LANES], own[LANES], depth[LANES];
  u16 *const own_piece = piece + LANES;
  u8 *const own_bank = bank + LANES;

  EACH_LANE { piece[l] = IDLE_PIECE; }
  EACH_LANE { bank[l] = OTHER_BANK; }
  for (unsigned g = 0; g < LANES / size; g++)
    for (unsigned l = g * size; l < (g + 1) * size; l++) {
      own_piece[l] = (u16)(want->piece[l] | g << group_shift);
      own[l] = (u8)((want->piece[l] & (pieces - 1)) + g * pieces);
    }
  EACH_LANE { seen[l] = 0; }
  for (unsigned l = 0; want->mask != FULL && l < LANES; l++)
    if (!(want->mask >> l & 1)) {
      own_piece[l] = seen[l] = IDLE_PIECE;
      own[l] = NO_BANK;
    }
  for (unsigned d = 1; d < size; d++) {
    const u16 *before = own_piece - d;

    EACH_LANE { seen[l] |= (u16) - (before[l] == own_piece[l]); }
  }
  EACH_LANE { own_bank[l] = (u8)(own[l] | (u8)seen[l]); }
  EACH_LANE { depth[l] = (u8)((seen[l] & 1) ^ 1); }
  /* How many pieces the lane's bank had to serve so far. */
  for (unsigned d = 1; d < size; d++) {
    const u8 *before = own_bank - d;

    EACH_LANE { depth[l] += before[l] == own[l]; }
  }
  for (unsigned l = 0; want->mask != FULL && l < LANES; l++)
    if (!(want->mask >> l & 1))
      depth[l] = 0;
  for (unsigned g = 0; g < LANES / size; g++) {
    unsigned most = 0;

    for (unsigned l = g * size; l < (g + 1) * size; l++)
      most = depth[l] > most ? depth[l] : most;
    passes[g] = most;
  }
}

/* Lanes of `mask` whose partner is active and wants another address. */
static u32 unpaired(const u64 *address, u32 mask, unsigned distance)
{
  const u32 low = distance == 1 ? UINT32_C(0x55555555) : UINT32_C(0x33333333);
  const u32 both = mask & ((mask & low) << distance | (mask >> distance & low));
  u32 differ = 0;

  for (unsigned l = 0; l < LANES; l++)
    differ |= (u32)(address[l] != address[l ^ distance]) << l;
  return differ & both;
}

/* Two groups of lanes go as one when pairs of lanes want the same and that
 * takes a single pass; see serve_pair in count/wavefronts.c. */
static void pair_passes(unsigned first, unsigned second, bool joint,
                        unsigned together, unsigned *wavefronts,
                        unsigned *ideal)
{
  if (joint && together == 1) {
    *wavefronts += 1;
    *ideal += 1;
    return;
  }
  *wavefronts += first + second;
  if (joint)
    *ideal += first + second - (together > 0 ? together - 1 : 0);
  else
    *ideal += (first > 0) + (second > 0);
}

/* Of accesses of 1 to 16 bytes below BANKED_BYTES. */
static RARELY void find_passes(const u64 *address, u32 mask, unsigned bytes,
                               bool is_load, unsigned *wavefronts,
                               unsigned *ideal)
{
  unsigned apart[4] = { 0 }, together[4] = { 0 };
  bool joint[2] = { false, false };
  struct wanted want;
  const unsigned shift = bytes <= 4 ? 2 : bytes <= 8 ? 3 : 4;

  want.mask = mask;
  want.pieces = LANES >> (shift - 2);
  EACH_LANE { want.piece[l] = (u16)(address[l] >> shift); }
  group_passes(&want, want.pieces, apart);
  *wavefronts = *ideal = 0;
  if (shift == 2) {
    *wavefronts = apart[0];
    *ideal = apart[0] > 0;
    return;
  }
  if (is_load) {
    u32 alone = unpaired(address, mask, 1);
    bool distant = unpaired(address, mask, 2) == 0;

    joint[0] = distant || (shift == 3 ? alone : alone & 0xffff) == 0;
    joint[1] = distant || alone >> 16 == 0;
  }
  if (joint[0] || joint[1])
    group_passes(&want, 2 * want.pieces, together);
  pair_passes(apart[0], apart[1], joint[0], together[0], wavefronts, ideal);
  if (shift == 4)
    pair_passes(apart[2], apart[3], joint[1], together[1], wavefronts, ideal);
}

#endif
