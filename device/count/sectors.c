/* The definition, written to be obvious: collect the different units one by
 * one. */
#include "sectors.h"

unsigned count_units(const uint64_t *address, uint32_t mask, unsigned shift)
{
  uint64_t seen[COUNT_LANES];
  unsigned n = 0;

  for (; mask != 0; mask &= mask - 1) {
    uint64_t unit = address[__builtin_ctz(mask)] >> shift;
    unsigned i = 0;

    while (i < n && seen[i] != unit)
      i++;
    if (i == n)
      seen[n++] = unit;
  }
  return n;
}

uint64_t count_sectors_of_copy(uint64_t address, uint64_t bytes)
{
  enum { PIECE = 128 };
  uint64_t n = 0;

  for (uint64_t at = 0; at < bytes; at += PIECE) {
    uint64_t last = address + (bytes - at < PIECE ? bytes : at + PIECE) - 1;

    n += (last >> COUNT_SECTOR_SHIFT) - ((address + at) >> COUNT_SECTOR_SHIFT) +
         1;
  }
  return n;
}

unsigned count_sectors_past_l1(const uint64_t *from, const uint64_t *to,
                               uint32_t mask)
{
  uint64_t line[COUNT_LANES], sector[COUNT_LANES];
  unsigned n = 0;

  for (; mask != 0; mask &= mask - 1) {
    unsigned l = (unsigned)__builtin_ctz(mask), i = 0;

    line[n] = from[l] >> COUNT_LINE_SHIFT;
    sector[n] = to[l] >> COUNT_SECTOR_SHIFT;
    while (line[i] != line[n] || sector[i] != sector[n])
      i++;
    n += i == n;
  }
  return n;
}

unsigned count_sectors(const uint64_t *address, uint32_t mask)
{
  return count_units(address, mask, COUNT_SECTOR_SHIFT);
}

unsigned count_words(const uint64_t *address, uint32_t mask)
{
  return count_units(address, mask, COUNT_WORD_SHIFT);
}

unsigned count_local_sectors(const uint64_t *offset, uint32_t mask,
                             unsigned bytes)
{
  unsigned n = 0;

  for (unsigned at = 0; at < bytes; at += 4) {
    uint64_t physical[COUNT_LANES];

    for (unsigned l = 0; l < COUNT_LANES; l++)
      physical[l] = (offset[l] + at) / 4 * (4 * COUNT_LANES) + 4 * l;
    n += count_sectors(physical, mask);
  }
  return n;
}
