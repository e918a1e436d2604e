/* CUDA arrays, for the calls that copy them and read them. */
#ifndef DEVICE_CORE_ARRAY_H
#define DEVICE_CORE_ARRAY_H

#include <stdbool.h>

#include "../texture/array.h"
#include "calls.h"

/* False when no texture has such texels. */
bool array_format(const struct cudaChannelFormatDesc *from,
                  struct texel_format *to);

/* A box of an array for copy_3d: offsets and extent in bytes, rows, slices.
 * Fills the address of its first byte. */
struct array_box {
  size_t x, y, z, width, height, depth;
};
cudaError_t array_place(cudaArray_t array, const struct array_box *box,
                        void **address);

#endif
