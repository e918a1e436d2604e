/* What a warp's request to shared memory costs. This is the definition; what
 * counts while a kernel runs (exec/lanes) is faster and held against it by
 * tests/device/count.
 *
 * Shared memory has 32 *banks*; word number n of 4 bytes is in bank n mod 32
 * (CUDA C++ Programming Guide, "Shared Memory" of compute capability 5.0 and
 * later). In one *wavefront*, or pass, each bank serves one word, to as many
 * lanes as want it. How 8 and 16 bytes per lane are split into passes is not
 * written anywhere; it was measured on an H200 (tests/device/wavefronts). */
#ifndef DEVICE_COUNT_WAVEFRONTS_H
#define DEVICE_COUNT_WAVEFRONTS_H

#include <stdbool.h>
#include <stdint.h>

/* Passes of the banks for the lanes of `mask`, and how many there would be
 * without conflicts: one for each group of lanes that is served together. When
 * `pass_of` is not NULL it gets the pass that serves each lane. */
void count_wavefronts(const uint64_t *address, uint32_t mask, unsigned bytes,
                      bool is_load, unsigned *wavefronts, unsigned *ideal,
                      unsigned *pass_of);

#endif
