/* A tile as large as its block has no place for the neighbours of the pixels
 * at its rim. And a tile is complete only after the barrier. */
#include "debugging/bug.h"

enum { SIDE = 16, N_ROWS = 48, N_COLS = 48 };

__device__ static unsigned char middle_of_9(unsigned char *value)
{
  for (int i = 1; i < 9; i++)
    for (int at = i; at > 0 && value[at - 1] > value[at]; at--) {
      unsigned char other = value[at];
      value[at] = value[at - 1];
      value[at - 1] = other;
    }
  return value[4];
}

__device__ static int inside(int i, int n)
{
  return i < 0 ? 0 : i >= n ? n - 1 : i;
}

// begin no_halo
__global__ void median_no_halo(unsigned char *out, const unsigned char *in)
{
  __shared__ unsigned char tile[SIDE * SIDE];
  int row = blockIdx.y * SIDE + threadIdx.y;
  int col = blockIdx.x * SIDE + threadIdx.x;
  tile[threadIdx.y * SIDE + threadIdx.x] = in[row * N_COLS + col];
  __syncthreads();
  unsigned char value[9];
  for (int i = 0; i < 9; i++) {
    int y = threadIdx.y + i / 3 - 1, x = threadIdx.x + i % 3 - 1;
    value[i] = tile[y * SIDE + x];
  }
  out[row * N_COLS + col] = middle_of_9(value);
}
// end no_halo

__device__ static void load(unsigned char tile[SIDE + 2][SIDE + 2],
                            const unsigned char *in)
{
  for (int y = threadIdx.y; y < SIDE + 2; y += SIDE)
    for (int x = threadIdx.x; x < SIDE + 2; x += SIDE)
      tile[y][x] = in[inside(blockIdx.y * SIDE + y - 1, N_ROWS) * N_COLS +
                      inside(blockIdx.x * SIDE + x - 1, N_COLS)];
}

// begin no_barrier
__global__ void median_no_barrier(unsigned char *out,
                                  const unsigned char *in)
{
  __shared__ unsigned char tile[SIDE + 2][SIDE + 2];
  load(tile, in);
  unsigned char value[9];
  for (int i = 0; i < 9; i++)
    value[i] = tile[threadIdx.y + i / 3][threadIdx.x + i % 3];
  out[(blockIdx.y * SIDE + threadIdx.y) * N_COLS + blockIdx.x * SIDE +
      threadIdx.x] = middle_of_9(value);
}
// end no_barrier

// begin fixed
__global__ void median_fixed(unsigned char *out, const unsigned char *in)
{
  __shared__ unsigned char tile[SIDE + 2][SIDE + 2];
  load(tile, in);
  __syncthreads();
  unsigned char value[9];
  for (int i = 0; i < 9; i++)
    value[i] = tile[threadIdx.y + i / 3][threadIdx.x + i % 3];
  out[(blockIdx.y * SIDE + threadIdx.y) * N_COLS + blockIdx.x * SIDE +
      threadIdx.x] = middle_of_9(value);
}
// end fixed

static int by_value(const void *a, const void *b)
{
  return *(const unsigned char *)a - *(const unsigned char *)b;
}

static int is_right(unsigned char h_in[N_ROWS][N_COLS], int row, int col,
                    unsigned char got)
{
  unsigned char value[9];
  for (int i = 0; i < 9; i++) {
    int y = row + i / 3 - 1, x = col + i % 3 - 1;
    y = y < 0 ? 0 : y >= N_ROWS ? N_ROWS - 1 : y;
    x = x < 0 ? 0 : x >= N_COLS ? N_COLS - 1 : x;
    value[i] = h_in[y][x];
  }
  qsort(value, 9, 1, by_value);
  return value[4] == got;
}

static int run(void (*kernel)(unsigned char *, const unsigned char *))
{
  static unsigned char h_in[N_ROWS][N_COLS], h_out[N_ROWS][N_COLS];
  unsigned char *d_out = NULL;
  for (int i = 0; i < N_ROWS * N_COLS; i++)
    h_in[i / N_COLS][i % N_COLS] = (unsigned char)(i * 73 % 251);
  unsigned char *d_in = (unsigned char *)bug_upload(h_in, sizeof h_in);
  TRY(cudaMalloc(&d_out, sizeof h_out));
  kernel<<<dim3(N_COLS / SIDE, N_ROWS / SIDE), dim3(SIDE, SIDE)>>>(d_out,
                                                                   d_in);
  TRY_LAUNCH();
  bug_download(h_out, d_out, sizeof h_out);
  TRY(cudaFree(d_in));
  for (int row = 0; row < N_ROWS; row++)
    for (int col = 0; col < N_COLS; col++)
      if (!is_right(h_in, row, col, h_out[row][col]))
        return 0;
  return 1;
}

static int fixed(void) { return run(median_fixed); }
static int no_halo(void) { return run(median_no_halo); }
static int no_barrier(void) { return run(median_no_barrier); }

static const version versions[] = {
  {"fixed", "a tile with a halo, and a barrier", 0, fixed},
  {"no_halo", "a tile as large as the block", 1, no_halo},
  {"no_barrier", "read before all have loaded", 1, no_barrier},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "a tile without its rim");
}
