/* The median filter, from sorting in every thread to sorted columns.
 *
 *   nvcc -I code code/images/median.cu -o median && ./median */
#include "images/ladder.h"
#include "images/median.h"

/* A block's pixels and those around them. */
enum { TILE_COLS = BLOCK_COLS + 2, TILE_ROWS = BLOCK_ROWS + 2 };

// begin insertion
/* The fifth of nine bytes, by sorting them all. */
__device__ static int middle_by_insertion(unsigned char *value)
{
  for (int i = 1; i < 9; i++) {
    unsigned char moving = value[i];
    int at = i;
    for (; at > 0 && value[at - 1] > moving; at--)
      value[at] = value[at - 1];
    value[at] = moving;
  }
  return value[4];
}

__global__ void median_insertion(image out, image in)
{
  int col = blockIdx.x * BLOCK_COLS + threadIdx.x;
  int row = blockIdx.y * BLOCK_ROWS + threadIdx.y;
  if (row >= in.n_rows || col >= in.n_cols)
    return;
  uint32_t result = 0;
  for (int c = 0; c < 3; c++) {
    unsigned char value[9];
    for (int i = 0; i < 9; i++)
      value[i] = channel_of(pixel_at(in, row + i / 3 - 1, col + i % 3 - 1),
                            c);
    result |= middle_by_insertion(value) << (8 * c);
  }
  out.pixels[(size_t)row * out.pitch + col] = result;
}
// end insertion

// begin load_tile
__device__ static void load_tile(uint32_t tile[TILE_ROWS][TILE_COLS],
                                 image in)
{
  int first_col = blockIdx.x * BLOCK_COLS - 1;
  int first_row = blockIdx.y * BLOCK_ROWS - 1;
  for (int y = threadIdx.y; y < TILE_ROWS; y += BLOCK_ROWS)
    for (int x = threadIdx.x; x < TILE_COLS; x += BLOCK_COLS)
      tile[y][x] = pixel_at(in, first_row + y, first_col + x);
  __syncthreads();
}
// end load_tile

// begin tile
__global__ void median_tile(image out, image in)
{
  __shared__ uint32_t tile[TILE_ROWS][TILE_COLS];
  load_tile(tile, in);
  int col = blockIdx.x * BLOCK_COLS + threadIdx.x;
  int row = blockIdx.y * BLOCK_ROWS + threadIdx.y;
  if (row >= in.n_rows || col >= in.n_cols)
    return;
  uint32_t result = 0;
  for (int c = 0; c < 3; c++) {
    unsigned char value[9];
    for (int i = 0; i < 9; i++)
      value[i] = channel_of(tile[threadIdx.y + i / 3][threadIdx.x + i % 3],
                            c);
    result |= middle_by_insertion(value) << (8 * c);
  }
  out.pixels[(size_t)row * out.pitch + col] = result;
}
// end tile

// begin counting
/* The fifth of nine: four of the others come before it. Equal values come
 * in the order of their places. */
__device__ static uint32_t middle_by_counting(const uint32_t *value)
{
  uint32_t middle = 0;
#pragma unroll
  for (int i = 0; i < 9; i++) {
    int before = 0;
#pragma unroll
    for (int j = 0; j < 9; j++)
      if (j != i)
        before += j < i ? value[j] <= value[i] : value[j] < value[i];
    if (before == 4)
      middle = value[i];
  }
  return middle;
}

__global__ void median_counting(image out, image in)
{
  __shared__ uint32_t tile[TILE_ROWS][TILE_COLS];
  load_tile(tile, in);
  int col = blockIdx.x * BLOCK_COLS + threadIdx.x;
  int row = blockIdx.y * BLOCK_ROWS + threadIdx.y;
  if (row >= in.n_rows || col >= in.n_cols)
    return;
  uint32_t result = 0;
  for (int c = 0; c < 3; c++) {
    uint32_t value[9];
    for (int i = 0; i < 9; i++)
      value[i] = channel_of(tile[threadIdx.y + i / 3][threadIdx.x + i % 3],
                            c);
    result |= middle_by_counting(value) << (8 * c);
  }
  out.pixels[(size_t)row * out.pitch + col] = result;
}
// end counting

// begin network
/* Of six values, neither the smallest nor the largest can be the middle of
 * nine: forget both, take a new one, go on with five, four and three. */
__device__ static void order(uint32_t *a, uint32_t *b)
{
  uint32_t smaller = min(*a, *b);
  *b = max(*a, *b);
  *a = smaller;
}

__device__ static void ends(uint32_t *value, int n)
{
#pragma unroll
  for (int i = 0; i < n / 2; i++)
    order(&value[i], &value[n - 1 - i]);
#pragma unroll
  for (int i = 1; i < (n + 1) / 2; i++)
    order(&value[0], &value[i]);
#pragma unroll
  for (int i = n / 2; i < n - 1; i++)
    order(&value[i], &value[n - 1]);
}

__device__ static uint32_t middle_by_forgetting(const uint32_t *given)
{
  uint32_t kept[6];
  for (int i = 0; i < 6; i++)
    kept[i] = given[i];
#pragma unroll
  for (int n = 6; n > 3; n--) {
    ends(kept, n);                  /* the smallest first, the largest last */
    kept[0] = kept[n - 2];
    kept[n - 2] = given[12 - n];
  }
  ends(kept, 3);
  return kept[1];
}

__global__ void median_network(image out, image in)
{
  __shared__ uint32_t tile[TILE_ROWS][TILE_COLS];
  load_tile(tile, in);
  int col = blockIdx.x * BLOCK_COLS + threadIdx.x;
  int row = blockIdx.y * BLOCK_ROWS + threadIdx.y;
  if (row >= in.n_rows || col >= in.n_cols)
    return;
  uint32_t result = 0;
  for (int c = 0; c < 3; c++) {
    uint32_t value[9];
    for (int i = 0; i < 9; i++)
      value[i] = channel_of(tile[threadIdx.y + i / 3][threadIdx.x + i % 3],
                            c);
    result |= middle_by_forgetting(value) << (8 * c);
  }
  out.pixels[(size_t)row * out.pitch + col] = result;
}
// end network

// begin columns_kernel
__global__ void median_columns(image out, image in)
{
  __shared__ uint32_t tile[TILE_ROWS][TILE_COLS];
  load_tile(tile, in);
  int col = blockIdx.x * BLOCK_COLS + threadIdx.x;
  int row = blockIdx.y * BLOCK_ROWS + threadIdx.y;
  if (row >= in.n_rows || col >= in.n_cols)
    return;
  column red_blue[3], green[3];
#pragma unroll
  for (int x = 0; x < 3; x++) {
    uint32_t a = tile[threadIdx.y][threadIdx.x + x];
    uint32_t b = tile[threadIdx.y + 1][threadIdx.x + x];
    uint32_t c = tile[threadIdx.y + 2][threadIdx.x + x];
    red_blue[x] = sorted(a & 0xff00ff, b & 0xff00ff, c & 0xff00ff);
    green[x] = sorted(a >> 8 & 0xff00ff, b >> 8 & 0xff00ff,
                      c >> 8 & 0xff00ff);
  }
  out.pixels[(size_t)row * out.pitch + col] =
      median_of(red_blue[0], red_blue[1], red_blue[2]) |
      median_of(green[0], green[1], green[2]) << 8;
}
// end columns_kernel

// begin strip
/* A thread makes four neighbouring pixels of SHORT rows: it sorts six
 * columns for them, not twelve. */
__global__ void median_strip(image out, image in)
{
  int col = GROUP * (blockIdx.x * blockDim.x + threadIdx.x);
  int first = blockIdx.y * SHORT;
  if (col >= in.n_cols)
    return;
  uint32_t window[3][SPAN];
#pragma unroll
  for (int i = 0; i < SHORT + 2; i++) {
    load_span(window[i % 3], in, first + i - 1, col);
    int row = first + i - 2;
    if (i < 2 || row >= in.n_rows)
      continue;
    column red_blue[SPAN], green[SPAN];
    for (int x = 1; x < SPAN - 1; x++) {
      uint32_t a = window[0][x], b = window[1][x], c = window[2][x];
      red_blue[x] = sorted(a & 0xff00ff, b & 0xff00ff, c & 0xff00ff);
      green[x] = sorted(a >> 8 & 0xff00ff, b >> 8 & 0xff00ff,
                        c >> 8 & 0xff00ff);
    }
    uint32_t made[GROUP];
    for (int x = 0; x < GROUP; x++)
      made[x] = median_of(red_blue[x + 1], red_blue[x + 2],
                          red_blue[x + 3]) |
                median_of(green[x + 1], green[x + 2], green[x + 3]) << 8;
    store_group(out, row, col, made);
  }
}
// end strip

/* ---- launchers ---- */

static void launch_insertion(image d_out, image d_in)
{
  median_insertion<<<blocks_of(d_in), threads>>>(d_out, d_in);
}

static void launch_tile(image d_out, image d_in)
{
  median_tile<<<blocks_of(d_in), threads>>>(d_out, d_in);
}

static void launch_counting(image d_out, image d_in)
{
  median_counting<<<blocks_of(d_in), threads>>>(d_out, d_in);
}

static void launch_network(image d_out, image d_in)
{
  median_network<<<blocks_of(d_in), threads>>>(d_out, d_in);
}

static void launch_columns(image d_out, image d_in)
{
  median_columns<<<blocks_of(d_in), threads>>>(d_out, d_in);
}

static void launch_strip(image d_out, image d_in)
{
  median_strip<<<strips_of(d_in), SHORT_THREADS>>>(d_out, d_in);
}

static const version versions[] = {
  {"copy", "16 bytes a thread: the ceiling", launch_copy, 0, 1},
  {"insertion", "every thread sorts its nine", launch_insertion, 0, 0},
  {"tile", "a tile with its halo in shared memory", launch_tile, 0, 0},
  {"counting", "no branches: count what comes before", launch_counting,
   0, 0},
  {"network", "forgetful selection, in registers", launch_network, 0, 0},
  {"columns", "two channels in a word, sorted columns", launch_columns,
   0, 0},
  {"strip", "four pixels a thread, walking down", launch_strip, 0, 0},
  {"inside", "no care for edges, unpacked once", launch_median, 0, 0},
};

static const ladder median = {versions, sizeof versions / sizeof versions[0],
                              median_reference};

int main(int argc, char **argv)
{
  return run_ladder(argc, argv, "the middle of nine values, per channel",
                    &median);
}
