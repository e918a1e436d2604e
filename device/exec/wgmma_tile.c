/* Matrix descriptors of wgmma. The units of a layout are 8 lines (of a matrix
 * whose lines are rows in memory) or 8 steps of k (of one that is turned), by
 * one width of the swizzling pattern; the two strides lead from one unit to
 * the next in either direction. Swizzling is a matter of the address alone. */
#include "wgmma.h"

enum { CHUNK = 16 }; /* bytes that stay together */

struct wgmma_tile wgmma_tile_of(uint64_t descriptor)
{
  static const unsigned widths[] = { 0, 128, 64, 32 };

  return (struct wgmma_tile){
    .start = (uint32_t)(descriptor & 0x3fff) * CHUNK,
    .leading = (uint32_t)(descriptor >> 16 & 0x3fff) * CHUNK,
    .stride = (uint32_t)(descriptor >> 32 & 0x3fff) * CHUNK,
    .base = (unsigned)(descriptor >> 49 & 7),
    .swizzle = widths[descriptor >> 62],
  };
}

/* A line has 32 bytes: two chunks. Without swizzling they are apart by the
 * leading offset; otherwise they are side by side in the pattern's width. */
static uint32_t along_lines(const struct wgmma_tile *tile, unsigned line,
                            unsigned byte)
{
  uint32_t unit = line / 8 * tile->stride;

  if (tile->swizzle == 0)
    return unit + line % 8 * CHUNK + byte / CHUNK * tile->leading;
  return unit + line % 8 * tile->swizzle + byte / CHUNK * CHUNK;
}

/* A chunk has 8 lines at one k. */
static uint32_t across_lines(const struct wgmma_tile *tile, unsigned line,
                             unsigned at)
{
  unsigned wide = tile->swizzle / CHUNK, chunk = line / 8;

  if (tile->swizzle == 0)
    return chunk * tile->stride + at % 8 * CHUNK + at / 8 * tile->leading;
  return chunk % wide * CHUNK + chunk / wide * tile->leading +
         at % 8 * tile->swizzle + at / 8 * tile->stride;
}

uint32_t wgmma_chunk(const struct wgmma_tile *tile, bool crosswise,
                     unsigned line, unsigned at, unsigned bytes,
                     unsigned *inside)
{
  uint32_t mask = tile->swizzle == 0 ? 0 : tile->swizzle / CHUNK - 1;
  uint32_t address =
      tile->start + (crosswise ? across_lines(tile, line, at)
                               : along_lines(tile, line, at * bytes));

  *inside = crosswise ? line % 8 * bytes : at * bytes % CHUNK;
  return address ^ (((address >> 7) - tile->base) & mask) << 4;
}
