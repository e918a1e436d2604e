/* How many 32-byte sectors does one request of a warp touch?  For lanes
 * that read words `stride_elems` apart, starting `offset_elems` into an
 * aligned array, a formula says it; for any other pattern, counting does. */
#ifndef CODE_COALESCING_SECTORS_H
#define CODE_COALESCING_SECTORS_H

#include <stddef.h>

enum { WARP_LANES = 32, SECTOR_BYTES = 32, LINE_BYTES = 128 };

// begin sectors_formula
/* Words are 1, 2, 4, 8 or 16 bytes and aligned, so that none is in two
 * sectors; stride_elems >= 1. */
static inline size_t sectors_predicted(size_t word_bytes,
                                       size_t offset_elems,
                                       size_t stride_elems)
{
  size_t step = stride_elems * word_bytes;
  if (step >= SECTOR_BYTES)
    return WARP_LANES;                  /* a sector for every lane */
  size_t first = offset_elems * word_bytes;
  size_t last = first + (WARP_LANES - 1) * step + word_bytes - 1;
  return last / SECTOR_BYTES - first / SECTOR_BYTES + 1;
}
// end sectors_formula

// begin sectors_counted
/* How many different units of `unit_bytes` (a sector or a line) the words at
 * byte offsets at[0] … at[n - 1] touch. */
static inline size_t sectors_counted(const size_t *at, size_t n,
                                     size_t unit_bytes)
{
  size_t n_units = 0;
  for (size_t i = 0; i < n; i++) {
    int seen = 0;
    for (size_t k = 0; k < i; k++)
      seen |= at[k] / unit_bytes == at[i] / unit_bytes;
    n_units += !seen;
  }
  return n_units;
}
// end sectors_counted

#endif
