/* What a warp's memory request costs: sectors of global and local memory,
 * words of constant memory. These are the definitions; what counts while a
 * kernel runs (exec/lanes) is faster and held against them by
 * tests/device/count.
 *
 * A *sector* is 32 bytes of memory that begin at a multiple of 32: the least
 * that an L1 or L2 cache of compute capability 7.0 and later moves (CUDA C++
 * Best Practices Guide, "Coalesced Access to Global Memory"; Nsight Compute's
 * l1tex__t_sectors). A request costs each sector that its lanes touch once. */
#ifndef DEVICE_COUNT_SECTORS_H
#define DEVICE_COUNT_SECTORS_H

#include <stdint.h>

enum {
  COUNT_LANES = 32,
  COUNT_LINE_SHIFT = 7,
  COUNT_SECTOR_SHIFT = 5,
  COUNT_WORD_SHIFT = 2
};

/* Different values of the lanes' addresses without their last `shift` bits. */
unsigned count_units(const uint64_t *address, uint32_t mask, unsigned shift);

/* Sectors of the lanes' accesses, which lie at multiples of their size: none
 * is in two sectors. */
unsigned count_sectors(const uint64_t *address, uint32_t mask);

/* Sectors of a cp.async past L1, which goes from L2 to shared memory: L2 gives
 * out pieces of lines of 128 bytes as they are wanted there. Each pair of a
 * source's line and a destination's sector counts once: a sector of shared
 * memory whose bytes come from two lines counts twice. An H200 counts so, for
 * every pattern of tests/device/async_copies. */
unsigned count_sectors_past_l1(const uint64_t *from, const uint64_t *to,
                               uint32_t mask);

/* Sectors of a bulk copy, or of one row of a box: it goes in pieces of 128
 * bytes, and a sector that two pieces touch counts twice. Measured on an H200
 * (l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld and its like). */
uint64_t count_sectors_of_copy(uint64_t address, uint64_t bytes);

/* A constant cache hands out one word of 4 bytes at a time, to all lanes that
 * ask for it. */
unsigned count_words(const uint64_t *address, uint32_t mask);

/* Local memory is interleaved by words of 4 bytes: word number n of all 32
 * lanes is one line of 128 bytes. `offset` is that in each lane's memory. */
unsigned count_local_sectors(const uint64_t *offset, uint32_t mask,
                             unsigned bytes);

#endif
