/* What goes wrong with scans: a step that overwrites what others still read,
 * and a flag that says more than is there. Tiles are small here.
 *
 *   nvcc -I code code/scan/faults.cu -o faults && ./faults
 */
#include "debugging/bug.h"
#include "scan/look_back.h"

enum { TILE_ELEMS = WARP_THREADS, N_TILES = 64, LINE = 256 };

/* ---- a block's scan --------------------------------------------------- */

__global__ void scan_two_buffers(unsigned *x)
{
  __shared__ unsigned lines[2][LINE];
  unsigned t = threadIdx.x, now = 0;
  lines[0][t] = x[t];
  __syncthreads();
  for (unsigned step = 1; step < LINE; step *= 2) {
    unsigned sum = lines[now][t] + (t >= step ? lines[now][t - step] : 0);
    now = !now;
    lines[now][t] = sum;
    __syncthreads();
  }
  x[t] = lines[now][t];
}

// begin one_buffer
__global__ void scan_one_buffer(unsigned *x)
{
  __shared__ unsigned line[LINE];
  unsigned t = threadIdx.x;
  line[t] = x[t];
  __syncthreads();
  for (unsigned step = 1; step < LINE; step *= 2) {
    unsigned sum = line[t] + (t >= step ? line[t - step] : 0);
    line[t] = sum;
    __syncthreads();
  }
  x[t] = line[t];
}
// end one_buffer

typedef void line_kernel(unsigned *x);

static int scan_line(line_kernel *kernel)
{
  unsigned h_x[LINE], expected = 0;
  for (unsigned i = 0; i < LINE; i++)
    h_x[i] = i % 7 + 1;
  unsigned *d_x = (unsigned *)bug_upload(h_x, sizeof h_x);
  kernel<<<1, LINE>>>(d_x);
  TRY_LAUNCH();
  bug_download(h_x, d_x, sizeof h_x);
  for (unsigned i = 0; i < LINE; i++) {
    expected += i % 7 + 1;
    if (h_x[i] != expected)
      return 0;
  }
  return 1;
}

/* ---- tiles that wait for each other ----------------------------------- */

/* Inclusive scans; each tile is a warp, and its block. */
typedef void tiles_kernel(unsigned *x, unsigned *next_tile, unsigned *known,
                          unsigned *sums);

__global__ void chain_one_word(unsigned *x, unsigned *next_tile,
                               unsigned *, unsigned *sums)
{
  tile_state *states = (tile_state *)sums;
  unsigned tile = take_ticket(next_tile), before = 0;
  unsigned scanned = warp_scan(x[tile * TILE_ELEMS + threadIdx.x]);
  if (tile > 0)
    while (ask(&states[tile - 1], &before) != SUM_TO_HERE)
      ;
  if (threadIdx.x == WARP_THREADS - 1)
    tell(&states[tile], SUM_TO_HERE, before + scanned);
  x[tile * TILE_ELEMS + threadIdx.x] = before + scanned;
}

// begin two_words
__global__ void chain_two_words(unsigned *x, unsigned *next_tile,
                                unsigned *known, unsigned *sums)
{
  unsigned tile = take_ticket(next_tile), before = 0;
  unsigned scanned = warp_scan(x[tile * TILE_ELEMS + threadIdx.x]);
  if (tile > 0) {
    while (__nv_atomic_load_n(&known[tile - 1], __NV_ATOMIC_RELAXED,
                              __NV_THREAD_SCOPE_DEVICE) != SUM_TO_HERE)
      ;
    before = sums[tile - 1];
  }
  if (threadIdx.x == WARP_THREADS - 1) {
    sums[tile] = before + scanned;
    __nv_atomic_store_n(&known[tile], SUM_TO_HERE, __NV_ATOMIC_RELAXED,
                        __NV_THREAD_SCOPE_DEVICE);
  }
  x[tile * TILE_ELEMS + threadIdx.x] = before + scanned;
}
// end two_words

// begin release_acquire
__global__ void chain_release_acquire(unsigned *x, unsigned *next_tile,
                                      unsigned *known, unsigned *sums)
{
  unsigned tile = take_ticket(next_tile), before = 0;
  unsigned scanned = warp_scan(x[tile * TILE_ELEMS + threadIdx.x]);
  if (tile > 0) {
    while (__nv_atomic_load_n(&known[tile - 1], __NV_ATOMIC_ACQUIRE,
                              __NV_THREAD_SCOPE_DEVICE) != SUM_TO_HERE)
      ;
    before = sums[tile - 1];
  }
  if (threadIdx.x == WARP_THREADS - 1) {
    sums[tile] = before + scanned;
    __nv_atomic_store_n(&known[tile], SUM_TO_HERE, __NV_ATOMIC_RELEASE,
                        __NV_THREAD_SCOPE_DEVICE);
  }
  x[tile * TILE_ELEMS + threadIdx.x] = before + scanned;
}
// end release_acquire

static int scan_chain(tiles_kernel *kernel)
{
  size_t n = (size_t)N_TILES * TILE_ELEMS;
  size_t work_bytes = (4 * (size_t)N_TILES + 2) * sizeof(unsigned);
  unsigned *h_x = (unsigned *)malloc(n * sizeof(unsigned));
  unsigned *d_work = NULL, expected = 0;
  int right = 1;
  for (size_t i = 0; i < n; i++)
    h_x[i] = (unsigned)(i * 2654435761u);
  unsigned *d_x = (unsigned *)bug_upload(h_x, n * sizeof(unsigned));
  TRY(cudaMalloc(&d_work, work_bytes));
  TRY(cudaMemset(d_work, 0, work_bytes));
  kernel<<<N_TILES, WARP_THREADS>>>(d_x, d_work, d_work + 2 + 2 * N_TILES,
                                    d_work + 2);
  TRY_LAUNCH();
  TRY(cudaFree(d_work));
  bug_download(h_x, d_x, n * sizeof(unsigned));
  for (size_t i = 0; i < n && right; i++) {
    expected += (unsigned)(i * 2654435761u);
    right = h_x[i] == expected;
  }
  free(h_x);
  return right;
}

static int two_buffers(void) { return scan_line(scan_two_buffers); }
static int one_buffer(void) { return scan_line(scan_one_buffer); }
static int one_word(void) { return scan_chain(chain_one_word); }
static int two_words(void) { return scan_chain(chain_two_words); }
static int acquire(void) { return scan_chain(chain_release_acquire); }

static const version versions[] = {
  {"two_buffers", "each step reads one buffer, writes the other", 0,
   two_buffers},
  {"one_buffer", "each step reads what others overwrite", 1, one_buffer},
  {"one_word", "flag and sum in one word", 0, one_word},
  {"two_words", "a flag beside the sum, nothing orders them", 1, two_words},
  {"release_acquire", "the flag is released and acquired", 0, acquire},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "what goes wrong with scans");
}
