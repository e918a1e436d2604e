/* CUDA arrays. Their layout is opaque to programs; here it is row by row. */
#ifndef DEVICE_TEXTURE_ARRAY_H
#define DEVICE_TEXTURE_ARRAY_H

#include "image.h"

struct cuda_array {
  struct image image;
  size_t extent[3]; /* as asked for: 0 where there is no dimension */
  unsigned flags;   /* cudaMalloc3DArray's */
  int device;
  struct cuda_array *next;
};

/* `array` says format, extent and kind; gets memory. NULL: none left. */
struct cuda_array *array_create(const struct cuda_array *wanted);

/* False when it is no array, or was freed. */
bool array_is_live(const struct cuda_array *array);
bool array_destroy(struct cuda_array *array);
void array_destroy_all(int device); /* cudaDeviceReset */

#endif
