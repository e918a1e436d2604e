/* Solutions of the exercises on scans. */
#include <stddef.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"
#include "scan/look_back.h"

enum {
  BLOCK_THREADS = 256,
  ROWS = 4,
  TILE = BLOCK_THREADS / WARP_THREADS * ROWS * ROW    /* elements */
};

/* ---- the highest so far ------------------------------------------------ */

static __device__ unsigned higher(unsigned a, unsigned b)
{
  return a > b ? a : b;
}

// begin highest
static __device__ unsigned warp_highest(unsigned x)
{
  unsigned lane = threadIdx.x % WARP_THREADS;
  for (unsigned step = 1; step < WARP_THREADS; step *= 2) {
    unsigned other = __shfl_up_sync(ALL_LANES, x, step);
    if (lane >= step)
      x = higher(x, other);
  }
  return x;
}

/* out[i] is the highest of in[0] … in[i]. A block is one warp. */
__global__ void highest_so_far(unsigned *out, const unsigned *in, size_t n,
                               one_pass *work)
{
  unsigned tile = take_ticket(&work->next_tile), before = 0;
  size_t i = (size_t)tile * WARP_THREADS + threadIdx.x;
  unsigned highest = warp_highest(i < n ? in[i] : 0);
  if (threadIdx.x == WARP_THREADS - 1)
    tell(&work->states[tile], OWN_SUM, highest);
  for (long asked = (long)tile - 1; asked >= 0;) {
    unsigned found, known = ask(&work->states[asked], &found);
    /* The lanes may have asked at different moments: lane 0 decides. */
    known = __shfl_sync(ALL_LANES, known, 0);
    found = __shfl_sync(ALL_LANES, found, 0);
    if (known == NOTHING)
      continue;
    before = higher(before, found);
    if (known == SUM_TO_HERE)
      break;
    asked--;
  }
  highest = higher(highest, before);
  if (threadIdx.x == WARP_THREADS - 1)
    tell(&work->states[tile], SUM_TO_HERE, highest);
  if (i < n)
    out[i] = highest;
}
// end highest

static void launch_highest(unsigned *d_out, const unsigned *d_in, size_t n,
                           void *d_work)
{
  size_t n_tiles = tiles_for(n, WARP_THREADS);
  zero_states((one_pass *)d_work, n_tiles);
  highest_so_far<<<(unsigned)n_tiles, WARP_THREADS>>>(d_out, d_in, n,
                                                      (one_pass *)d_work);
}

static void expect_highest(unsigned *out, const unsigned *in, size_t n)
{
  unsigned highest = 0;
  for (size_t i = 0; i < n; i++) {
    highest = in[i] > highest ? in[i] : highest;
    out[i] = highest;
  }
}

/* ---- even ones to the front ------------------------------------------- */

// begin partition
/* places[i]: how many even numbers are before in[i]. */
__global__ void flag_even(unsigned *flags, const unsigned *in, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    flags[i] = in[i] % 2 == 0;
}

__global__ void partition(unsigned *out, const unsigned *in, size_t n,
                          const unsigned *places)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (in[i] % 2 == 0)
    out[places[i]] = in[i];
  else                             /* from the end, the last one first */
    out[n - 1 - (i - places[i])] = in[i];
}
// end partition

static void launch_partition(unsigned *d_out, const unsigned *d_in, size_t n,
                             void *d_work)
{
  unsigned n_blocks = (unsigned)tiles_for(n, BLOCK_THREADS);
  unsigned *d_flags =
      (unsigned *)((char *)d_work + scan_work_bytes(n) / 16 * 16 + 16);
  flag_even<<<n_blocks, BLOCK_THREADS>>>(d_flags, d_in, n);
  launch_scan(d_flags, d_flags, n, d_work);
  partition<<<n_blocks, BLOCK_THREADS>>>(d_out, d_in, n, d_flags);
}

static void expect_partition(unsigned *out, const unsigned *in, size_t n)
{
  size_t front = 0, back = n;
  for (size_t i = 0; i < n; i++)
    if (in[i] % 2 == 0)
      out[front++] = in[i];
    else
      out[--back] = in[i];
}

/* ---- tell the sum before the scan -------------------------------------- */

// begin tell_first
__global__ void scan_tell_first(unsigned *out, const unsigned *in, size_t n,
                                one_pass *work)
{
  __shared__ unsigned warp_sums[BLOCK_THREADS / WARP_THREADS], tiles_before;
  unsigned tile = take_ticket(&work->next_tile);
  lane_rows<ROWS> mine;
  size_t at = first_of_lane<ROWS>(tile);
  load_rows(&mine, in, at, n);
  unsigned sum = sum_rows(&mine), total;
  if (threadIdx.x % WARP_THREADS == 0)
    warp_sums[threadIdx.x / WARP_THREADS] = sum;
  __syncthreads();
  unsigned before = warps_before(warp_sums, &total);
  if (threadIdx.x == 0)
    tell(&work->states[tile], OWN_SUM, total);
  scan_rows(&mine);
  if (threadIdx.x < WARP_THREADS) {
    unsigned known = look_back(work->states, tile);
    if (threadIdx.x == 0) {
      tell(&work->states[tile], SUM_TO_HERE, known + total);
      tiles_before = known;
    }
  }
  __syncthreads();
  store_rows(&mine, out, at, n, tiles_before + before);
}
// end tell_first

static void launch_tell_first(unsigned *d_out, const unsigned *d_in,
                              size_t n, void *d_work)
{
  size_t n_tiles = tiles_for(n, TILE);
  zero_states((one_pass *)d_work, n_tiles);
  scan_tell_first<<<(unsigned)n_tiles, BLOCK_THREADS>>>(d_out, d_in, n,
                                                        (one_pass *)d_work);
}

static void expect_scan(unsigned *out, const unsigned *in, size_t n)
{
  unsigned sum = 0;
  for (size_t i = 0; i < n; i++) {
    out[i] = sum;
    sum += in[i];
  }
}

/* ---- the versions ---------------------------------------------------- */

typedef struct {
  const char *name;
  const char *idea;
  int timed;
  void (*launch)(unsigned *d_out, const unsigned *d_in, size_t n,
                 void *d_work);
  void (*expect)(unsigned *out, const unsigned *in, size_t n);
} version;

static const version versions[] = {
  {"highest", "the highest number so far", 0, launch_highest,
   expect_highest},
  {"partition", "even ones to the front, odd ones to the back", 0,
   launch_partition, expect_partition},
  {"scan_first", "the chapter's: the warps scan, then tell", 1,
   launch_one_pass<BLOCK_THREADS, ROWS, false>, expect_scan},
  {"tell_first", "the block tells its sum, then scans", 1,
   launch_tell_first, expect_scan},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static size_t work_bytes(size_t n)
{
  return scan_work_bytes(n) +
         tiles_for(n, WARP_THREADS) * sizeof(tile_state) +
         (n + 16) * sizeof(unsigned);
}

static unsigned *allocate(size_t n)
{
  unsigned *x = (unsigned *)malloc((n + 1) * sizeof(unsigned));
  if (!x) {
    fprintf(stderr, "error: no memory for %zu numbers\n", n);
    exit(EXIT_FAILURE);
  }
  return x;
}

static int check_version(const version *v, const unsigned *h_in, size_t n)
{
  size_t n_bytes = n * sizeof(unsigned);
  char what[64];
  snprintf(what, sizeof what, "%s, %zu", v->name, n);
  unsigned *h_expected = allocate(n), *d_in, *d_out;
  char *h_out = (char *)malloc(n_bytes + GUARD_BYTES);
  void *d_work;
  v->expect(h_expected, h_in, n);
  CUDA_CHECK(cudaMalloc(&d_in, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_out, n_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMalloc(&d_work, work_bytes(n)));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, n_bytes, cudaMemcpyHostToDevice));
  poison_device(d_out, n_bytes + GUARD_BYTES);
  v->launch(d_out, d_in, n, d_work);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_out, d_out, n_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  int good = compare_ints(what, (int *)h_expected, (int *)h_out, n) &&
             compare_guard(what, h_out + n_bytes, GUARD_BYTES);
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  CUDA_CHECK(cudaFree(d_work));
  free(h_expected);
  free(h_out);
  return good;
}

static int check_versions(const options *o)
{
  static const size_t sizes[] = {1, 31, 33, 1025, 4097, 20003};
  random_source source = random_from_seed(o->seed);
  int n_bad = 0;
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
    unsigned *h_in = allocate(sizes[s]);
    random_fill_bytes(&source, h_in, sizes[s] * sizeof(unsigned));
    /* Small ones first: else the highest number stands still at once. */
    for (size_t i = 0; i < sizes[s]; i++)
      h_in[i] = (unsigned)(h_in[i] % (10 * i + 10));
    for (int i = 0; i < N_VERSIONS; i++)
      if (options_wants(o, versions[i].name))
        n_bad += !check_version(&versions[i], h_in, sizes[s]);
    free(h_in);
  }
  if (n_bad == 0)
    fprintf(options_remarks(o),
            "every solution agrees with the reference (--seed %llu)\n",
            (unsigned long long)o->seed);
  return n_bad;
}

static void measure(const options *o)
{
  size_t n = memory_length(o, (size_t)1 << 29, 3.5 * sizeof(unsigned));
  unsigned *d_in, *d_out;
  void *d_work;
  CUDA_CHECK(cudaMalloc(&d_in, n * sizeof(unsigned)));
  CUDA_CHECK(cudaMalloc(&d_out, n * sizeof(unsigned)));
  CUDA_CHECK(cudaMalloc(&d_work, work_bytes(n)));
  CUDA_CHECK(cudaMemset(d_in, 0x5a, n * sizeof(unsigned)));
  if (o->csv)
    printf("version,n_elems,repetitions,time_us,time_spread_us,gb_per_s\n");
  else
    timing_print_head();
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    if (!v->timed || !options_wants(o, v->name))
      continue;
    timing t = timing_start(o->repetitions);
    while (timing_next(&t)) {
      v->launch(d_out, d_in, n, d_work);
      CUDA_CHECK_LAUNCH();
    }
    double n_bytes = 2.0 * (double)n * sizeof(unsigned);
    if (o->csv)
      printf("%s,%zu,%d,%.3f,%.3f,%.2f\n", v->name, n, t.repetitions,
             t.median_us, t.spread_us,
             timing_gb_per_s(n_bytes, t.median_us));
    else
      timing_print_row(v->name, t, n_bytes);
    fflush(stdout);
  }
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  CUDA_CHECK(cudaFree(d_work));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "solutions on scans", "solutions",
                            "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count)
    options_fail(&o, "--count: this program only measures");
  if (check_versions(&o) > 0)
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  measure(&o);
  return EXIT_SUCCESS;
}
