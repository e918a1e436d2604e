/* Copies by the host of memory that nothing wrote. */
#ifndef DEVICE_CHECK_COPIED_H
#define DEVICE_CHECK_COPIED_H

#include <stddef.h>
#include <stdint.h>

/* `depth` slices of `height` rows of `width` bytes. */
struct check_copy {
  const char *call; /* "cudaMemcpy" */
  uint64_t from, to;
  size_t width, height, depth;
  size_t from_pitch, from_slice, to_pitch, to_slice;
};

/* The copy was made. Reports bytes that went to the host though nothing ever
 * wrote them, once per call; between device buffers, bytes that nothing wrote
 * stay so. Padding of structs is left alone: see README.md. */
void check_copied(const struct check_copy *copy);

#endif
