/* What a texture or surface reads and writes: texels in device memory. */
#ifndef DEVICE_TEXTURE_IMAGE_H
#define DEVICE_TEXTURE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum texel_kind { TEXEL_SIGNED, TEXEL_UNSIGNED, TEXEL_FLOAT };

struct texel_format {
  enum texel_kind kind;
  unsigned bits;     /* of one channel: 8, 16, 32 */
  unsigned channels; /* 1, 2, 4 */
};

struct image {
  struct texel_format format;
  unsigned dimensions; /* 1, 2, 3; layers are none */
  bool layered, cube;
  bool linear_memory; /* indexed; outside are zeros, whatever the sampler */
  uint32_t width, height, depth; /* in texels, at least 1 */
  uint32_t layers;               /* faces too; 1 when there are none */
  size_t pitch, slice; /* bytes from row to row, slice or layer to layer */
  uint64_t address;    /* in device memory */
  size_t bytes;
};

static inline unsigned texel_bytes(const struct texel_format *format)
{
  return format->bits / 8 * format->channels;
}

/* Where this process reaches the image's bytes; NULL when they are not, or
 * not all of them, live device memory. The checks take what is viewed to be
 * written for initialised. */
const uint8_t *image_view(const struct image *image, bool to_write);

#endif
