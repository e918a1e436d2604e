/* Arrays are the runtime's: a CUarray is a cudaArray_t. What differs is how
 * their texels are described. */
#ifndef DEVICE_DRIVER_ARRAY_H
#define DEVICE_DRIVER_ARRAY_H

#include <stdbool.h>

#include "api.h"

/* False when there is no such format. */
bool array_channels(CUarray_format format, unsigned n_channels,
                    struct cudaChannelFormatDesc *to);
void array_channels_back(const struct cudaChannelFormatDesc *from,
                         CUarray_format *format, unsigned *n_channels);

/* Bytes of one texel; 0: that is no array. */
size_t array_texel_bytes(CUarray array);

#endif
