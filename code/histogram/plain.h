/* The histogram of a picture as one writes it first: it loses counts. */
#ifndef CODE_HISTOGRAM_PLAIN_H
#define CODE_HISTOGRAM_PLAIN_H

// begin plain
__global__ void photo_plain(unsigned *bins, const unsigned char *rgb,
                            size_t n_pixels)
{
  size_t x = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n_pixels)
    return;
  bins[rgb[3 * x]]++;               /* red */
  bins[256 + rgb[3 * x + 1]]++;     /* green */
  bins[512 + rgb[3 * x + 2]]++;     /* blue */
}
// end plain

#endif
