/* The histogram of the photograph, without and with atomics. */
#include "common/picture.h"
#include "debugging/bug.h"
#include "histogram/plain.h"

enum { BLOCK_THREADS = 256, ALL_BINS = 3 * 256 };

__global__ void photo_atomic(unsigned *bins, const unsigned char *rgb,
                             size_t n_pixels)
{
  size_t x = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  for (int c = 0; c < 3 && x < n_pixels; c++)
    atomicAdd(&bins[256 * c + rgb[3 * x + c]], 1u);
}

static int run(void (*kernel)(unsigned *, const unsigned char *, size_t))
{
  unsigned expected[ALL_BINS] = {0}, got[ALL_BINS] = {0};
  picture p = picture_of_course("pavilion.ppm");
  size_t n = p.n_rows * p.n_cols;
  for (size_t i = 0; i < 3 * n; i++)
    expected[256 * (i % 3) + p.rgb[i]]++;
  unsigned char *d_rgb = (unsigned char *)bug_upload(p.rgb, 3 * n);
  unsigned *d_bins = (unsigned *)bug_upload(got, sizeof got);
  kernel<<<(unsigned)((n + BLOCK_THREADS - 1) / BLOCK_THREADS),
           BLOCK_THREADS>>>(d_bins, d_rgb, n);
  TRY_LAUNCH();
  bug_download(got, d_bins, sizeof got);
  TRY(cudaFree(d_rgb));
  picture_free(&p);
  return memcmp(expected, got, sizeof got) == 0;
}

static int fixed(void) { return run(photo_atomic); }
static int broken(void) { return run(photo_plain); }

static const version versions[] = {
  {"fixed", "atomicAdd", 0, fixed},
  {"broken", "++", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "counts that get lost");
}
