/* The definition, written to be obvious: collect the different words of each
 * bank one by one. How wide accesses are grouped was measured on an H200. */
#include "wavefronts.h"

#include <stddef.h>

#include "sectors.h"

/* Passes of lanes that are served together: the largest number of distinct
 * words in one bank. */
static unsigned group_wavefronts(const uint64_t *address, uint32_t mask,
                                 unsigned words, unsigned *pass_of)
{
  uint64_t seen[COUNT_LANES][COUNT_LANES];
  unsigned depth[COUNT_LANES] = { 0 }, most = 0;

  for (; mask != 0; mask &= mask - 1) {
    unsigned l = (unsigned)__builtin_ctz(mask), pass = 0;

    for (unsigned i = 0; i < words; i++) {
      uint64_t word = (address[l] >> 2) + i;
      unsigned bank = (unsigned)(word % COUNT_LANES), at = 0;

      while (at < depth[bank] && seen[bank][at] != word)
        at++;
      if (at == depth[bank])
        seen[bank][depth[bank]++] = word;
      pass = at > pass ? at : pass;
      most = depth[bank] > most ? depth[bank] : most;
    }
    if (pass_of != NULL)
      pass_of[l] = pass;
  }
  return most;
}

/* Does every active lane l want the same address as lane l ^ distance, where
 * that one is active, too? */
static bool in_pairs(const uint64_t *address, uint32_t mask, unsigned distance)
{
  for (uint32_t m = mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m), partner = l ^ distance;

    if (mask >> partner & 1 && address[l] != address[partner])
      return false;
  }
  return true;
}

/* Adds the passes of one group of lanes. */
static void serve(const uint64_t *address, uint32_t lanes, unsigned bytes,
                  unsigned *wavefronts, unsigned *pass_of)
{
  unsigned before = *wavefronts;

  *wavefronts +=
      group_wavefronts(address, lanes, bytes <= 4 ? 1 : bytes / 4, pass_of);
  for (uint32_t m = lanes; pass_of != NULL && m != 0; m &= m - 1)
    pass_of[__builtin_ctz(m)] += before;
}

/* 8-byte accesses are served by halves of a warp, 16-byte ones by quarters.
 * But a load in which pairs of lanes want the same word needs half the data:
 * two groups go as one, `lanes`, if that takes a single pass. If it does not,
 * they go one after the other, and what is counted as conflicts is what the
 * joint passes would have been beyond the first. All this was measured on an
 * H200 (tests/device/wavefronts). */
static void serve_pair(const uint64_t *address, uint32_t lanes,
                       uint32_t first_group, unsigned bytes, bool joint,
                       unsigned *wavefronts, unsigned *conflicts,
                       unsigned *pass_of)
{
  uint32_t part[2] = { lanes & first_group, lanes & ~first_group };
  unsigned joint_passes = 0;

  if (joint) {
    serve(address, lanes, bytes, &joint_passes, NULL);
    *conflicts += joint_passes > 0 ? joint_passes - 1 : 0;
  }
  if (joint_passes == 1) {
    serve(address, lanes, bytes, wavefronts, pass_of);
    return;
  }
  for (unsigned i = 0; i < 2; i++) {
    unsigned before = *wavefronts;

    if (part[i] != 0)
      serve(address, part[i], bytes, wavefronts, pass_of);
    if (!joint && part[i] != 0)
      *conflicts += *wavefronts - before - 1;
  }
}

void count_wavefronts(const uint64_t *address, uint32_t mask, unsigned bytes,
                      bool is_load, unsigned *wavefronts, unsigned *ideal,
                      unsigned *pass_of)
{
  const uint32_t half = UINT32_C(0xffff), quarters = UINT32_C(0x00ff00ff);
  bool joint = is_load && bytes > 4 && in_pairs(address, mask, 2);
  unsigned conflicts = 0;

  *wavefronts = 0;
  if (bytes <= 4) {
    serve(address, mask, bytes, wavefronts, pass_of);
    conflicts = *wavefronts > 0 ? *wavefronts - 1 : 0;
  } else if (bytes <= 8) {
    joint = joint || (is_load && in_pairs(address, mask, 1));
    serve_pair(address, mask, half, bytes, joint, wavefronts, &conflicts,
               pass_of);
  } else {
    for (unsigned h = 0; h < 2; h++) {
      uint32_t lanes = mask & half << 16 * h;

      serve_pair(address, lanes, quarters, bytes,
                 joint || (is_load && in_pairs(address, lanes, 1)), wavefronts,
                 &conflicts, pass_of);
    }
  }
  *ideal = *wavefronts - conflicts;
}
