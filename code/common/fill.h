/* Random numbers for an array on the device that is too large to draw one
 * by one: 2^20 of them, over and over.  Never zeros or one value only: such
 * data hide wrong indices, and memory can move them faster than real ones. */
#ifndef CODE_COMMON_FILL_H
#define CODE_COMMON_FILL_H

#include "common/cuda_check.h"
#include "common/random.h"

static inline void fill_device_floats(random_source *source, float *d_x,
                                      size_t n)
{
  size_t n_block = (size_t)1 << 20;
  float *h_block = (float *)malloc(n_block * sizeof(float));
  if (!h_block) {
    fprintf(stderr, "error: no memory for %zu floats\n", n_block);
    exit(EXIT_FAILURE);
  }
  random_fill_floats(source, h_block, n_block);
  for (size_t at = 0; at < n; at += n_block) {
    size_t some = n - at < n_block ? n - at : n_block;
    CUDA_CHECK(cudaMemcpy(d_x + at, h_block, some * sizeof(float),
                          cudaMemcpyHostToDevice));
  }
  free(h_block);
}

#endif
