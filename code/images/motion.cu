/* The motion blur, from one thread a pixel to the speed of a copy.
 *
 *   nvcc -I code code/images/motion.cu -o motion && ./motion
 *
 * All arithmetic is of whole numbers, so that every version must give the
 * very bytes that the CPU gives. */
#include "images/ladder.h"
#include "images/motion.h"

/* A block's pixels and those around them. */
enum { TILE_COLS = BLOCK_COLS + 2 * RADIUS,
       TILE_ROWS = BLOCK_ROWS + 2 * RADIUS };

__constant__ int motion_weights[WEIGHTS][WEIGHTS] = MOTION_WEIGHTS;

// begin bytes
__global__ void motion_bytes(unsigned char *out, const unsigned char *in,
                             int n_rows, int n_cols)
{
  int col = blockIdx.x * BLOCK_COLS + threadIdx.x;
  int row = blockIdx.y * BLOCK_ROWS + threadIdx.y;
  if (row >= n_rows || col >= n_cols)
    return;
  int red = 0, green = 0, blue = 0;
  for (int y = 0; y < WEIGHTS; y++)
    for (int x = 0; x < WEIGHTS; x++) {
      const unsigned char *pixel =
          in + 3 * ((size_t)clamp(row + y - RADIUS, n_rows) * n_cols +
                    clamp(col + x - RADIUS, n_cols));
      red += motion_weights[y][x] * pixel[0];
      green += motion_weights[y][x] * pixel[1];
      blue += motion_weights[y][x] * pixel[2];
    }
  unsigned char *made = out + 3 * ((size_t)row * n_cols + col);
  made[0] = (red + WEIGHT_SUM / 2) / WEIGHT_SUM;
  made[1] = (green + WEIGHT_SUM / 2) / WEIGHT_SUM;
  made[2] = (blue + WEIGHT_SUM / 2) / WEIGHT_SUM;
}
// end bytes

// begin pixels
__device__ static uint32_t average(int red, int green, int blue)
{
  return (red + WEIGHT_SUM / 2) / WEIGHT_SUM |
         (green + WEIGHT_SUM / 2) / WEIGHT_SUM << 8 |
         (blue + WEIGHT_SUM / 2) / WEIGHT_SUM << 16;
}

__global__ void motion_pixels(image out, image in)
{
  int col = blockIdx.x * BLOCK_COLS + threadIdx.x;
  int row = blockIdx.y * BLOCK_ROWS + threadIdx.y;
  if (row >= in.n_rows || col >= in.n_cols)
    return;
  int red = 0, green = 0, blue = 0;
  for (int y = 0; y < WEIGHTS; y++)
    for (int x = 0; x < WEIGHTS; x++) {
      uint32_t pixel = pixel_at(in, row + y - RADIUS, col + x - RADIUS);
      red += motion_weights[y][x] * channel_of(pixel, 0);
      green += motion_weights[y][x] * channel_of(pixel, 1);
      blue += motion_weights[y][x] * channel_of(pixel, 2);
    }
  out.pixels[(size_t)row * out.pitch + col] = average(red, green, blue);
}
// end pixels

// begin load_tile
/* The block's pixels and two more on each side; more than it has threads. */
__device__ static void load_tile(uint32_t tile[TILE_ROWS][TILE_COLS],
                                 image in)
{
  int first_col = blockIdx.x * BLOCK_COLS - RADIUS;
  int first_row = blockIdx.y * BLOCK_ROWS - RADIUS;
  for (int y = threadIdx.y; y < TILE_ROWS; y += BLOCK_ROWS)
    for (int x = threadIdx.x; x < TILE_COLS; x += BLOCK_COLS)
      tile[y][x] = pixel_at(in, first_row + y, first_col + x);
  __syncthreads();
}
// end load_tile

// begin tile
__global__ void motion_tile(image out, image in)
{
  __shared__ uint32_t tile[TILE_ROWS][TILE_COLS];
  load_tile(tile, in);
  int col = blockIdx.x * BLOCK_COLS + threadIdx.x;
  int row = blockIdx.y * BLOCK_ROWS + threadIdx.y;
  if (row >= in.n_rows || col >= in.n_cols)
    return;
  int red = 0, green = 0, blue = 0;
  for (int y = 0; y < WEIGHTS; y++)
    for (int x = 0; x < WEIGHTS; x++) {
      uint32_t pixel = tile[threadIdx.y + y][threadIdx.x + x];
      red += motion_weights[y][x] * channel_of(pixel, 0);
      green += motion_weights[y][x] * channel_of(pixel, 1);
      blue += motion_weights[y][x] * channel_of(pixel, 2);
    }
  out.pixels[(size_t)row * out.pitch + col] = average(red, green, blue);
}
// end tile

// begin two_channels
__global__ void motion_two_channels(image out, image in)
{
  __shared__ uint32_t tile[TILE_ROWS][TILE_COLS];
  load_tile(tile, in);
  int col = blockIdx.x * BLOCK_COLS + threadIdx.x;
  int row = blockIdx.y * BLOCK_ROWS + threadIdx.y;
  if (row >= in.n_rows || col >= in.n_cols)
    return;
  pair sum = {0, 0};
  for (int y = 0; y < WEIGHTS; y++)
    for (int x = 0; x < WEIGHTS; x++) {
      pair p = pair_of(tile[threadIdx.y + y][threadIdx.x + x]);
      sum.red_blue += motion_weights[y][x] * p.red_blue;
      sum.green += motion_weights[y][x] * p.green;
    }
  out.pixels[(size_t)row * out.pitch + col] = pixel_of(sum);
}
// end two_channels

// begin strip
/* A thread makes four neighbouring pixels of SHORT rows. It walks down and
 * keeps the last five rows, unpacked, in registers. */
__global__ void motion_strip(image out, image in)
{
  const int weights[WEIGHTS][WEIGHTS] = MOTION_WEIGHTS;
  int col = GROUP * (blockIdx.x * blockDim.x + threadIdx.x);
  int first = blockIdx.y * SHORT;
  if (col >= in.n_cols)
    return;
  uint32_t red_blue[WEIGHTS][SPAN], green[WEIGHTS][SPAN], span[SPAN];
#pragma unroll
  for (int i = 0; i < SHORT + WEIGHTS - 1; i++) {
    load_span(span, in, first + i - RADIUS, col);
    for (int x = 0; x < SPAN; x++) {
      pair p = pair_of(span[x]);
      red_blue[i % WEIGHTS][x] = p.red_blue;
      green[i % WEIGHTS][x] = p.green;
    }
    int row = first + i - (WEIGHTS - 1);
    if (i < WEIGHTS - 1 || row >= in.n_rows)
      continue;
    uint32_t made[GROUP];
    for (int x = 0; x < GROUP; x++) {
      pair sum = {0, 0};
      for (int k = 0; k < WEIGHTS * WEIGHTS; k++) {
        int y = k / WEIGHTS, from = (i + 1 + y) % WEIGHTS, at = k % WEIGHTS;
        sum.red_blue += weights[y][at] * red_blue[from][x + at];
        sum.green += weights[y][at] * green[from][x + at];
      }
      made[x] = pixel_of(sum);
    }
    store_group(out, row, col, made);
  }
}
// end strip

// begin equal_weights
__global__ void motion_equal_weights(image out, image in)
{
  int col = GROUP * (blockIdx.x * blockDim.x + threadIdx.x);
  int first = blockIdx.y * SHORT;
  if (col >= in.n_cols)
    return;
  uint32_t red_blue[WEIGHTS][SPAN], green[WEIGHTS][SPAN], span[SPAN];
#pragma unroll
  for (int i = 0; i < SHORT + WEIGHTS - 1; i++) {
    load_span(span, in, first + i - RADIUS, col);
    for (int x = 0; x < SPAN; x++) {
      pair p = pair_of(span[x]);
      red_blue[i % WEIGHTS][x] = p.red_blue;
      green[i % WEIGHTS][x] = p.green;
    }
    int row = first + i - (WEIGHTS - 1);
    if (i < WEIGHTS - 1 || row >= in.n_rows)
      continue;
    uint32_t made[GROUP];
    for (int x = 0; x < GROUP; x++) {
      int a = (i + 1) % WEIGHTS, b = (i + 2) % WEIGHTS, c = (i + 3) % WEIGHTS,
          d = (i + 4) % WEIGHTS, e = i % WEIGHTS;
      pair sum = {weigh(red_blue[a] + x, red_blue[b] + x, red_blue[c] + x,
                        red_blue[d] + x, red_blue[e] + x),
                  weigh(green[a] + x, green[b] + x, green[c] + x,
                        green[d] + x, green[e] + x)};
      made[x] = pixel_of(sum);
    }
    store_group(out, row, col, made);
  }
}
// end equal_weights

/* ---- launchers ---- */

static void launch_bytes(image d_out, image d_in)
{
  motion_bytes<<<blocks_of(d_in), threads>>>(
      (unsigned char *)d_out.pixels, (const unsigned char *)d_in.pixels,
      d_in.n_rows, d_in.n_cols);
}

static void launch_pixels(image d_out, image d_in)
{
  motion_pixels<<<blocks_of(d_in), threads>>>(d_out, d_in);
}

static void launch_tile(image d_out, image d_in)
{
  motion_tile<<<blocks_of(d_in), threads>>>(d_out, d_in);
}

static void launch_two_channels(image d_out, image d_in)
{
  motion_two_channels<<<blocks_of(d_in), threads>>>(d_out, d_in);
}

static void launch_strip(image d_out, image d_in)
{
  motion_strip<<<strips_of(d_in), SHORT_THREADS>>>(d_out, d_in);
}

static void launch_equal_weights(image d_out, image d_in)
{
  motion_equal_weights<<<strips_of(d_in), SHORT_THREADS>>>(d_out, d_in);
}

static const version versions[] = {
  {"copy", "16 bytes a thread: the ceiling", launch_copy, 0, 1},
  {"bytes", "one thread a pixel of three bytes", launch_bytes, 1, 0},
  {"pixels", "pixels of four bytes", launch_pixels, 0, 0},
  {"tile", "a tile with its halo in shared memory", launch_tile, 0, 0},
  {"two_channels", "two channels in a word", launch_two_channels, 0, 0},
  {"strip", "four pixels a thread, walking down", launch_strip, 0, 0},
  {"equal_weights", "equal weights added first", launch_equal_weights, 0, 0},
  {"inside", "no care for edges where there are none", launch_motion, 0, 0},
};

static const ladder motion = {versions, sizeof versions / sizeof versions[0],
                              motion_reference};

int main(int argc, char **argv)
{
  return run_ladder(argc, argv, "blurs a picture along its diagonal",
                    &motion);
}
