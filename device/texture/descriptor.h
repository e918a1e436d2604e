/* Texture and surface objects: the 64-bit numbers that kernels are given. */
#ifndef DEVICE_TEXTURE_DESCRIPTOR_H
#define DEVICE_TEXTURE_DESCRIPTOR_H

#include "image.h"

enum address_mode {
  ADDRESS_WRAP,
  ADDRESS_CLAMP,
  ADDRESS_MIRROR,
  ADDRESS_BORDER
};

struct sampler {
  enum address_mode address[3];
  bool linear;           /* filter; else point */
  bool normalized;       /* coordinates from 0 to 1 */
  bool normalized_float; /* integers are read as 0 … 1 or -1 … 1 */
  bool srgb;
  bool seamless; /* cube maps: filter across edges */
  float border[4];
};

struct descriptor {
  bool is_surface;
  struct image image;
  struct sampler sampler;
  void *source; /* what the runtime was given; malloc */
};

/* The object's number, from 1; 0 when there are too many. Takes over
 * `source`. */
uint64_t descriptor_open(const struct descriptor *descriptor);

/* NULL when there is no such object (any longer). Its memory stays readable
 * for the life of the process. */
const struct descriptor *descriptor_find(uint64_t number);
bool descriptor_close(uint64_t number, bool is_surface);

#endif
