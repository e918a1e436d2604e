/* wgmma: products of matrices by four warps together (PTX ISA 9.7.15).
 *
 * The product is one operation of all four warps: programs let one thread say
 * for all 128 that the operands may be overwritten. So a warp waits until the
 * others have issued the instruction, too, and the last one multiplies for all
 * of them. Hardware takes until wgmma.wait_group. */
#ifndef DEVICE_EXEC_WGMMA_H
#define DEVICE_EXEC_WGMMA_H

#include "multiplication.h"

enum { WGMMA_ROWS = 64, WGMMA_REGISTERS = 128 };

/* Where a matrix is in shared memory: PTX ISA 9.7.15.5.1.2.2. */
struct wgmma_tile {
  uint32_t start, leading, stride; /* bytes */
  unsigned swizzle;                /* 0, 32, 64 or 128 bytes */
  unsigned base;                   /* rows of 128 bytes */
};
struct wgmma_tile wgmma_tile_of(uint64_t descriptor);

/* Address of the 16 bytes that hold element (line, at): lines are rows of A or
 * columns of B, `at` counts along k; `bytes` is an element's size. The element
 * is `*inside` bytes into them. `crosswise`: neighbours in memory are of one
 * k, not of one line, which only 16-bit elements may be. */
uint32_t wgmma_chunk(const struct wgmma_tile *tile, bool crosswise,
                     unsigned line, unsigned at, unsigned bytes,
                     unsigned *inside);

struct wgmma_extra {
  enum matrix_type a_type, b_type, d_type;
  unsigned n, k;    /* of the shape, in elements */
  bool a_is_shared; /* else in registers */
  slot a_registers[4];
  slot a, b;  /* descriptors: uint64_t lanes */
  slot keeps; /* predicate: D is added to */
  uint32_t keeps_invert;
  bool negate_a, negate_b, a_crosswise, b_crosswise, saturate;
  unsigned n_registers; /* of D */
  slot d[WGMMA_REGISTERS];
};
step_function wgmma_multiply;

/* flags of the instructions that order products; the number of groups is in
 * `immediate` */
enum { WGMMA_FENCE, WGMMA_COMMIT, WGMMA_WAIT };
step_function wgmma_order;

#endif
