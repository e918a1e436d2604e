/* A launch beyond a limit, and no look at the error. */
#include "debugging/bug.h"

enum { WIDTH = 128, HEIGHT = 99 };

__global__ void invert(unsigned char *image)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < WIDTH && y < HEIGHT)
    image[y * WIDTH + x] = 255 - image[y * WIDTH + x];
}

// begin broken
static void invert_broken(unsigned char *d_image)
{
  invert<<<dim3(4, 3), dim3(32, 33)>>>(d_image);
}
// end broken

static void invert_fixed(unsigned char *d_image)
{
  invert<<<dim3(4, 4), dim3(32, 32)>>>(d_image);
  TRY(cudaGetLastError());
}

static int run(void (*invert_all)(unsigned char *))
{
  static unsigned char h_image[HEIGHT][WIDTH];
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      h_image[y][x] = (unsigned char)(x + y);
  unsigned char *d_image =
      (unsigned char *)bug_upload(h_image, sizeof h_image);
  invert_all(d_image);
  bug_download(h_image, d_image, sizeof h_image);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      if (h_image[y][x] != (unsigned char)(255 - (x + y)))
        return 0;
  return 1;
}

static int fixed(void) { return run(invert_fixed); }
static int broken(void) { return run(invert_broken); }

static const version versions[] = {
  {"fixed", "1024 threads a block, and a look at the error", 0, fixed},
  {"broken", "1056 threads a block, and no look", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "a launch that fails silently");
}
