/* How large may a problem be?  As large as the reference's where the GPU has
 * the memory, else halved until it fits: every experiment runs on a small
 * GPU, too, and its rows say which size they are of.
 *
 *   size_t n = memory_length(&o, (size_t)1 << 26, 2 * sizeof(float));
 *   size_t side = memory_side(&o, 16384, 2 * sizeof(float));
 *
 * With --size the size is the user's: if the memory is too small for it, the
 * program says so and ends with EXIT_SKIPPED.  With --at-most it is halved,
 * like the size that the listing wants. */
#ifndef CODE_COMMON_MEMORY_H
#define CODE_COMMON_MEMORY_H

#include <stdio.h>
#include <stdlib.h>

#include "common/device.h"
#include "common/options.h"

/* Ends the program if the device cannot give so many bytes. */
static inline void memory_need(const options *o, double n_bytes)
{
  double free_bytes = (double)device_free_bytes();
  if (n_bytes <= free_bytes)
    return;
  fflush(stdout);
  fprintf(stderr, "%s: the memory is too small: %.2f GB are needed and "
          "%.2f GB free; a smaller --size may fit\n",
          o->program, n_bytes * 1e-9, free_bytes * 1e-9);
  exit(EXIT_SKIPPED);
}

/* n such that its square (or, if not `squared`, n itself) times elem_bytes is
 * at most half of the free memory.  The rest is for timing.h, which empties
 * the cache with a buffer of its own, and for the GPU's other users. */
static inline size_t memory_fit(const options *o, size_t wanted, int squared,
                                double elem_bytes)
{
  size_t asked = o->n_sizes > 0 ? o->size[0] : wanted, n = asked;
  double room = 0.5 * (double)device_free_bytes();
  if (o->n_sizes > 0 && !o->at_most) {
    memory_need(o, (squared ? (double)n : 1.0) * (double)n * elem_bytes);
    return n;
  }
  while (n > 1 &&
         (squared ? (double)n : 1.0) * (double)n * elem_bytes > room)
    n /= 2;
  if (n < asked)
    fprintf(stderr, "%s: size %zu instead of %zu, to fit into half of the "
            "free memory, %.2f GB\n", o->program, n, asked, room * 1e-9);
  return n;
}

/* A number of elements, of elem_bytes each in all arrays together. */
static inline size_t memory_length(const options *o, size_t wanted,
                                   double elem_bytes)
{
  return memory_fit(o, wanted, 0, elem_bytes);
}

/* The side of square arrays, of elem_bytes each element in all together. */
static inline size_t memory_side(const options *o, size_t wanted,
                                 double elem_bytes)
{
  return memory_fit(o, wanted, 1, elem_bytes);
}

#endif
