/* The parts of a scan that several listings of this chapter use: scans of a
 * warp, rows of elements in registers, and tiles that look back.
 *
 * A tile's state is one 64-bit word: how much is known in its upper half, the
 * sum in its lower half. One word is stored and loaded whole, so no block can
 * see the one half without the other, and no fence is needed. */
#ifndef CODE_SCAN_LOOK_BACK_H
#define CODE_SCAN_LOOK_BACK_H

#include <cuda_runtime.h>

#include "common/cuda_check.h"

#define ALL_LANES 0xffffffffu

enum { WARP_THREADS = 32 };

static inline size_t tiles_for(size_t n, size_t tile)
{
  return (n + tile - 1) / tile;
}

/* ---- one warp -------------------------------------------------------- */

// begin warp_scan
/* The sum of this lane's x and of all lanes below. */
static __device__ unsigned warp_scan(unsigned x)
{
  unsigned lane = threadIdx.x % WARP_THREADS;
  for (unsigned step = 1; step < WARP_THREADS; step *= 2) {
    unsigned other = __shfl_up_sync(ALL_LANES, x, step);
    if (lane >= step)
      x += other;
  }
  return x;
}
// end warp_scan

/* Each warp's sum becomes the sum of all warps before it; returns the sum of
 * all. Every thread of the block calls it; none may change warp_sums before
 * the next barrier. */
// begin warps_before
static __device__ unsigned warps_before(const unsigned *warp_sums,
                                        unsigned *total)
{
  unsigned lane = threadIdx.x % WARP_THREADS;
  unsigned warp = threadIdx.x / WARP_THREADS;
  unsigned n_warps = blockDim.x / WARP_THREADS;
  unsigned sum = lane < n_warps ? warp_sums[lane] : 0;
  unsigned scanned = warp_scan(sum);
  *total = __shfl_sync(ALL_LANES, scanned, WARP_THREADS - 1);
  return __shfl_sync(ALL_LANES, scanned - sum, warp);
}
// end warps_before

/* ---- rows of elements in registers ----------------------------------- */

// begin rows
enum { ROW = 4 * WARP_THREADS };   /* elements that a warp loads at once */

/* What one lane holds of its warp's elements: in each row, four
 * neighbours. */
template <int ROWS> struct lane_rows {
  uint4 x[ROWS];
  unsigned start[ROWS];     /* the sum of all before them in the warp */
};

/* Where the first of this lane's elements lies. */
template <int ROWS> static __device__ size_t first_of_lane(size_t tile)
{
  size_t warp = (tile * blockDim.x + threadIdx.x) / WARP_THREADS;
  return warp * ROWS * ROW + threadIdx.x % WARP_THREADS * 4;
}

template <int ROWS> static __device__ void load_rows(lane_rows<ROWS> *mine,
    const unsigned *in, size_t at, size_t n)
{
  if (at + ROWS * ROW <= n) {
    for (int r = 0; r < ROWS; r++)
      mine->x[r] = *(const uint4 *)(in + at + r * ROW);
    return;
  }
  for (int r = 0; r < ROWS; r++) {
    size_t i = at + r * ROW;
    mine->x[r].x = i < n ? in[i] : 0;
    mine->x[r].y = i + 1 < n ? in[i + 1] : 0;
    mine->x[r].z = i + 2 < n ? in[i + 2] : 0;
    mine->x[r].w = i + 3 < n ? in[i + 3] : 0;
  }
}
// end rows

// begin scan_rows
/* Returns the sum of the warp's elements. */
template <int ROWS> static __device__ unsigned scan_rows(
    lane_rows<ROWS> *mine)
{
  unsigned total = 0;
  for (int r = 0; r < ROWS; r++) {
    uint4 x = mine->x[r];
    unsigned own = x.x + x.y + x.z + x.w;
    unsigned scanned = warp_scan(own);
    mine->start[r] = total + scanned - own;
    total += __shfl_sync(ALL_LANES, scanned, WARP_THREADS - 1);
  }
  return total;
}
// end scan_rows

// begin store_rows
template <int ROWS, bool STREAMING = false> static __device__ void
store_rows(const lane_rows<ROWS> *mine, unsigned *out, size_t at, size_t n,
           unsigned before)
{
  for (int r = 0; r < ROWS; r++) {
    size_t i = at + r * ROW;
    uint4 x = mine->x[r], y;
    y.x = before + mine->start[r];
    y.y = y.x + x.x;
    y.z = y.y + x.y;
    y.w = y.z + x.z;
    if (i + 4 <= n) {
      if (STREAMING)
        __stcs((uint4 *)(out + i), y);
      else
        *(uint4 *)(out + i) = y;
    } else {
      if (i < n) out[i] = y.x;
      if (i + 1 < n) out[i + 1] = y.y;
      if (i + 2 < n) out[i + 2] = y.z;
    }
  }
}
// end store_rows

/* Only the sum of the warp's elements. */
template <int ROWS> static __device__ unsigned sum_rows(
    const lane_rows<ROWS> *mine)
{
  unsigned sum = 0;
  for (int r = 0; r < ROWS; r++)
    sum += mine->x[r].x + mine->x[r].y + mine->x[r].z + mine->x[r].w;
  return __reduce_add_sync(ALL_LANES, sum);
}

/* ---- tiles that look back -------------------------------------------- */

// begin states
typedef unsigned long long tile_state;

enum { NOTHING, OWN_SUM, SUM_TO_HERE };  /* what is known of a tile */

static __device__ void tell(tile_state *state, unsigned known, unsigned sum)
{
  __nv_atomic_store_n(state, (tile_state)known << 32 | sum,
                      __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}

static __device__ unsigned ask(tile_state *state, unsigned *sum)
{
  tile_state word = __nv_atomic_load_n(state, __NV_ATOMIC_RELAXED,
                                       __NV_THREAD_SCOPE_DEVICE);
  *sum = (unsigned)word;
  return (unsigned)(word >> 32);
}
// end states

// begin ticket
/* The next tile that no block has taken. The block that takes it knows that
 * the holders of all tiles before it are running already. */
static __device__ unsigned take_ticket(unsigned *next)
{
  __shared__ unsigned taken;
  if (threadIdx.x == 0)
    taken = atomicAdd(next, 1u);
  __syncthreads();
  return taken;
}
// end ticket

// begin look_back
/* The sum of all tiles before this one; called by a whole warp. Each lane
 * asks one of the 32 tiles before, the highest lane the farthest. */
static __device__ unsigned look_back(tile_state *states, unsigned tile)
{
  unsigned lane = threadIdx.x % WARP_THREADS;
  unsigned before = 0;
  for (long nearest = (long)tile - 1;; nearest -= WARP_THREADS) {
    long asked = nearest - lane;
    unsigned known, sum, wanted, found;
    do {
      sum = 0;
      known = asked < 0 ? SUM_TO_HERE : ask(&states[asked], &sum);
      found = __ballot_sync(ALL_LANES, known == SUM_TO_HERE);
      /* Wanted are the lanes up to the first that found such a sum. */
      wanted = found ? found ^ (found - 1) : ALL_LANES;
    } while (__ballot_sync(ALL_LANES, known == NOTHING) & wanted);
    before += __reduce_add_sync(ALL_LANES, wanted >> lane & 1 ? sum : 0);
    if (found)
      return before;
  }
}
// end look_back

/* ---- a scan in one pass ----------------------------------------------- */

/* The workspace of one pass: a counter of tickets and the tiles' states. */
typedef struct {
  unsigned next_tile;
  unsigned unused;
  tile_state states[1];
} one_pass;

static inline void zero_states(one_pass *d_work, size_t n_tiles)
{
  CUDA_CHECK(cudaMemsetAsync(d_work, 0,
                             (n_tiles + 1) * sizeof(tile_state)));
}

// begin warp_looks_back
template <int THREADS, int ROWS, bool STREAMING>
__global__ void __launch_bounds__(THREADS) scan_warp_looks_back(
    unsigned *out, const unsigned *in, size_t n, one_pass *work)
{
  __shared__ unsigned warp_sums[THREADS / WARP_THREADS], tiles_before;
  unsigned tile = take_ticket(&work->next_tile);
  lane_rows<ROWS> mine;
  size_t at = first_of_lane<ROWS>(tile);
  load_rows(&mine, in, at, n);
  unsigned sum = scan_rows(&mine), total;
  if (threadIdx.x % WARP_THREADS == 0)
    warp_sums[threadIdx.x / WARP_THREADS] = sum;
  __syncthreads();
  unsigned before = warps_before(warp_sums, &total);
  if (threadIdx.x < WARP_THREADS) {
    if (threadIdx.x == 0)
      tell(&work->states[tile], OWN_SUM, total);
    unsigned known = look_back(work->states, tile);
    if (threadIdx.x == 0) {
      tell(&work->states[tile], SUM_TO_HERE, known + total);
      tiles_before = known;
    }
  }
  __syncthreads();
  store_rows<ROWS, STREAMING>(&mine, out, at, n, tiles_before + before);
}
// end warp_looks_back

// begin launch_one_pass
template <int THREADS, int ROWS, bool STREAMING> static void
launch_one_pass(unsigned *d_out, const unsigned *d_in, size_t n, void *d_work)
{
  size_t n_tiles = tiles_for(n, THREADS / WARP_THREADS * ROWS * ROW);
  one_pass *work = (one_pass *)d_work;
  zero_states(work, n_tiles);
  scan_warp_looks_back<THREADS, ROWS, STREAMING>
      <<<(unsigned)n_tiles, THREADS>>>(d_out, d_in, n, work);
}
// end launch_one_pass

/* For listings that need a scan: memory for it, and the best there is here. */
static inline size_t scan_work_bytes(size_t n)
{
  return (tiles_for(n, 1024) + 2) * sizeof(tile_state);
}

static inline void launch_scan(unsigned *d_out, const unsigned *d_in,
                               size_t n, void *d_work)
{
  launch_one_pass<1024, 8, true>(d_out, d_in, n, d_work);
}

#endif
