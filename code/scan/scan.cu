/* The exclusive scan of an array: out[i] = in[0] + … + in[i - 1]. */
#include <stddef.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"
#include "scan/look_back.h"
#include "scan/vendor.h"

enum {
  BLOCK_THREADS = 256,
  ROWS = 4,
  TILE = BLOCK_THREADS / WARP_THREADS * ROWS * ROW,   /* elements */
  BLOCK_SCAN = 1024       /* elements of a block without rows */
};

// begin reference
static void scan_reference(unsigned *out, const unsigned *in, size_t n)
{
  unsigned sum = 0;
  for (size_t i = 0; i < n; i++) {
    out[i] = sum;
    sum += in[i];
  }
}
// end reference

/* ---- the ceiling ----------------------------------------------------- */

__global__ void copy(unsigned *out, const unsigned *in, size_t n)
{
  size_t i = 4 * ((size_t)blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 4 <= n)
    *(uint4 *)(out + i) = *(const uint4 *)(in + i);
  else
    for (; i < n; i++)
      out[i] = in[i];
}

static void launch_copy(unsigned *d_out, const unsigned *d_in, size_t n,
                        void *)
{
  copy<<<(unsigned)tiles_for(n, 4 * BLOCK_THREADS), BLOCK_THREADS>>>(
      d_out, d_in, n);
}

/* ---- one block scans one tile ---------------------------------------- */

// begin hillis_steele
/* Scans each block's elements by themselves and keeps the blocks' sums. */
__global__ void scan_hillis_steele(unsigned *out, const unsigned *in,
                                   size_t n, unsigned *sums)
{
  __shared__ unsigned lines[2][BLOCK_SCAN];
  unsigned t = threadIdx.x;
  size_t i = (size_t)blockIdx.x * BLOCK_SCAN + t;
  lines[0][t] = i < n ? in[i] : 0;
  __syncthreads();
  int now = 0;
  for (unsigned step = 1; step < BLOCK_SCAN; step *= 2) {
    unsigned x = lines[now][t];
    if (t >= step)
      x += lines[now][t - step];
    now = !now;
    lines[now][t] = x;
    __syncthreads();
  }
  if (i < n)
    out[i] = t > 0 ? lines[now][t - 1] : 0;
  if (t == 0)
    sums[blockIdx.x] = lines[now][BLOCK_SCAN - 1];
}
// end hillis_steele

// begin blelloch
__global__ void scan_blelloch(unsigned *out, const unsigned *in, size_t n,
                              unsigned *sums)
{
  __shared__ unsigned tree[BLOCK_SCAN];
  unsigned t = threadIdx.x;
  size_t first = (size_t)blockIdx.x * BLOCK_SCAN;
  for (unsigned k = t; k < BLOCK_SCAN; k += BLOCK_SCAN / 2)
    tree[k] = first + k < n ? in[first + k] : 0;
  /* Up: the sums of pairs, of fours, of eights … */
  for (unsigned step = 1; step < BLOCK_SCAN; step *= 2) {
    __syncthreads();
    unsigned right = 2 * step * (t + 1) - 1;
    if (right < BLOCK_SCAN)
      tree[right] += tree[right - step];
  }
  __syncthreads();
  if (t == 0) {
    sums[blockIdx.x] = tree[BLOCK_SCAN - 1];
    tree[BLOCK_SCAN - 1] = 0;
  }
  /* Down: each node hands on what is before it, and to its right child also
   * the left one's sum. */
  for (unsigned step = BLOCK_SCAN / 2; step > 0; step /= 2) {
    __syncthreads();
    unsigned right = 2 * step * (t + 1) - 1;
    if (right < BLOCK_SCAN) {
      unsigned before = tree[right], left_sum = tree[right - step];
      tree[right - step] = before;
      tree[right] = before + left_sum;
    }
  }
  __syncthreads();
  for (unsigned k = t; k < BLOCK_SCAN; k += BLOCK_SCAN / 2)
    if (first + k < n)
      out[first + k] = tree[k];
}
// end blelloch

// begin padded
/* One unused word after each 32. */
static __device__ unsigned place(unsigned k)
{
  return k + k / 32;
}

__global__ void scan_padded(unsigned *out, const unsigned *in, size_t n,
                            unsigned *sums)
{
  __shared__ unsigned tree[BLOCK_SCAN + BLOCK_SCAN / 32];
  unsigned t = threadIdx.x;
  size_t first = (size_t)blockIdx.x * BLOCK_SCAN;
  for (unsigned k = t; k < BLOCK_SCAN; k += BLOCK_SCAN / 2)
    tree[place(k)] = first + k < n ? in[first + k] : 0;
  /* Up: the sums of pairs, of fours, of eights … */
  for (unsigned step = 1; step < BLOCK_SCAN; step *= 2) {
    __syncthreads();
    unsigned right = 2 * step * (t + 1) - 1;
    if (right < BLOCK_SCAN)
      tree[place(right)] += tree[place(right - step)];
  }
  __syncthreads();
  if (t == 0) {
    sums[blockIdx.x] = tree[place(BLOCK_SCAN - 1)];
    tree[place(BLOCK_SCAN - 1)] = 0;
  }
  /* Down: each node hands on what is before it, and to its right child also
   * the left one's sum. */
  for (unsigned step = BLOCK_SCAN / 2; step > 0; step /= 2) {
    __syncthreads();
    unsigned right = 2 * step * (t + 1) - 1;
    if (right < BLOCK_SCAN) {
      unsigned before = tree[place(right)];
      unsigned left_sum = tree[place(right - step)];
      tree[place(right - step)] = before;
      tree[place(right)] = before + left_sum;
    }
  }
  __syncthreads();
  for (unsigned k = t; k < BLOCK_SCAN; k += BLOCK_SCAN / 2)
    if (first + k < n)
      out[first + k] = tree[place(k)];
}
// end padded

// begin shuffles
__global__ void scan_shuffles(unsigned *out, const unsigned *in, size_t n,
                              unsigned *sums)
{
  __shared__ unsigned warp_sums[BLOCK_SCAN / WARP_THREADS];
  size_t i = (size_t)blockIdx.x * BLOCK_SCAN + threadIdx.x;
  unsigned x = i < n ? in[i] : 0;
  unsigned scanned = warp_scan(x);
  if (threadIdx.x % WARP_THREADS == WARP_THREADS - 1)
    warp_sums[threadIdx.x / WARP_THREADS] = scanned;
  __syncthreads();
  unsigned total;
  unsigned before = warps_before(warp_sums, &total);
  if (i < n)
    out[i] = before + scanned - x;
  if (threadIdx.x == 0)
    sums[blockIdx.x] = total;
}
// end shuffles

/* ---- many blocks: scan the sums, add them ---------------------------- */

// begin levels
typedef void scan_kernel(unsigned *out, const unsigned *in, size_t n,
                         unsigned *sums);

__global__ void add_sums(unsigned *out, size_t n, const unsigned *sums)
{
  size_t i = (size_t)blockIdx.x * BLOCK_SCAN + threadIdx.x;
  if (i < n)
    out[i] += sums[blockIdx.x];
}

static void scan_levels(scan_kernel *kernel, int threads, unsigned *d_out,
                        const unsigned *d_in, size_t n, unsigned *d_sums)
{
  size_t n_blocks = tiles_for(n, BLOCK_SCAN);
  kernel<<<(unsigned)n_blocks, threads>>>(d_out, d_in, n, d_sums);
  if (n_blocks == 1)
    return;
  scan_levels(kernel, threads, d_sums, d_sums, n_blocks, d_sums + n_blocks);
  add_sums<<<(unsigned)n_blocks, BLOCK_SCAN>>>(d_out, n, d_sums);
}
// end levels

static void launch_hillis_steele(unsigned *d_out, const unsigned *d_in,
                                 size_t n, void *d_work)
{
  scan_levels(scan_hillis_steele, BLOCK_SCAN, d_out, d_in, n,
              (unsigned *)d_work);
}

static void launch_blelloch(unsigned *d_out, const unsigned *d_in, size_t n,
                            void *d_work)
{
  scan_levels(scan_blelloch, BLOCK_SCAN / 2, d_out, d_in, n,
              (unsigned *)d_work);
}

static void launch_padded(unsigned *d_out, const unsigned *d_in, size_t n,
                          void *d_work)
{
  scan_levels(scan_padded, BLOCK_SCAN / 2, d_out, d_in, n,
              (unsigned *)d_work);
}

static void launch_shuffles(unsigned *d_out, const unsigned *d_in, size_t n,
                            void *d_work)
{
  scan_levels(scan_shuffles, BLOCK_SCAN, d_out, d_in, n,
              (unsigned *)d_work);
}

/* ---- fewer passes over memory ---------------------------------------- */

// begin sums_first
__global__ void sum_tiles(unsigned *sums, const unsigned *in, size_t n)
{
  __shared__ unsigned warp_sums[BLOCK_THREADS / WARP_THREADS];
  lane_rows<ROWS> mine;
  load_rows(&mine, in, first_of_lane<ROWS>(blockIdx.x), n);
  unsigned sum = sum_rows(&mine), total;
  if (threadIdx.x % WARP_THREADS == 0)
    warp_sums[threadIdx.x / WARP_THREADS] = sum;
  __syncthreads();
  warps_before(warp_sums, &total);
  if (threadIdx.x == 0)
    sums[blockIdx.x] = total;
}

/* Scans each tile, beginning with the sum of all before it. */
__global__ void scan_tiles(unsigned *out, const unsigned *in, size_t n,
                           const unsigned *sums)
{
  __shared__ unsigned warp_sums[BLOCK_THREADS / WARP_THREADS];
  lane_rows<ROWS> mine;
  size_t at = first_of_lane<ROWS>(blockIdx.x);
  load_rows(&mine, in, at, n);
  unsigned sum = scan_rows(&mine), total;
  if (threadIdx.x % WARP_THREADS == 0)
    warp_sums[threadIdx.x / WARP_THREADS] = sum;
  __syncthreads();
  unsigned before = sums[blockIdx.x] + warps_before(warp_sums, &total);
  store_rows(&mine, out, at, n, before);
}
// end sums_first

static void launch_sums_first(unsigned *d_out, const unsigned *d_in,
                              size_t n, void *d_work)
{
  size_t n_tiles = tiles_for(n, TILE);
  unsigned *d_sums = (unsigned *)d_work;
  sum_tiles<<<(unsigned)n_tiles, BLOCK_THREADS>>>(d_sums, d_in, n);
  scan_levels(scan_shuffles, BLOCK_SCAN, d_sums, d_sums, n_tiles,
              d_sums + n_tiles);
  scan_tiles<<<(unsigned)n_tiles, BLOCK_THREADS>>>(d_out, d_in, n, d_sums);
}

/* ---- one pass -------------------------------------------------------- */

// begin chained
__global__ void scan_chained(unsigned *out, const unsigned *in, size_t n,
                             one_pass *work)
{
  __shared__ unsigned warp_sums[BLOCK_THREADS / WARP_THREADS], tiles_before;
  unsigned tile = take_ticket(&work->next_tile);
  lane_rows<ROWS> mine;
  size_t at = first_of_lane<ROWS>(tile);
  load_rows(&mine, in, at, n);
  unsigned sum = scan_rows(&mine), total;
  if (threadIdx.x % WARP_THREADS == 0)
    warp_sums[threadIdx.x / WARP_THREADS] = sum;
  __syncthreads();
  unsigned before = warps_before(warp_sums, &total);
  if (threadIdx.x == 0) {
    unsigned known = 0;
    if (tile > 0)
      while (ask(&work->states[tile - 1], &known) != SUM_TO_HERE)
        ;
    tell(&work->states[tile], SUM_TO_HERE, known + total);
    tiles_before = known;
  }
  __syncthreads();
  store_rows(&mine, out, at, n, tiles_before + before);
}
// end chained

// begin one_looks_back
__global__ void scan_one_looks_back(unsigned *out, const unsigned *in,
                                    size_t n, one_pass *work)
{
  __shared__ unsigned warp_sums[BLOCK_THREADS / WARP_THREADS], tiles_before;
  unsigned tile = take_ticket(&work->next_tile);
  lane_rows<ROWS> mine;
  size_t at = first_of_lane<ROWS>(tile);
  load_rows(&mine, in, at, n);
  unsigned sum = scan_rows(&mine), total;
  if (threadIdx.x % WARP_THREADS == 0)
    warp_sums[threadIdx.x / WARP_THREADS] = sum;
  __syncthreads();
  unsigned before = warps_before(warp_sums, &total);
  if (threadIdx.x == 0) {
    unsigned known = 0;
    tell(&work->states[tile], OWN_SUM, total);
    for (long asked = (long)tile - 1; asked >= 0;) {
      unsigned found, how_far = ask(&work->states[asked], &found);
      if (how_far == NOTHING)
        continue;
      known += found;
      if (how_far == SUM_TO_HERE)
        break;
      asked--;
    }
    tell(&work->states[tile], SUM_TO_HERE, known + total);
    tiles_before = known;
  }
  __syncthreads();
  store_rows(&mine, out, at, n, tiles_before + before);
}
// end one_looks_back

static void launch_chained(unsigned *d_out, const unsigned *d_in, size_t n,
                           void *d_work)
{
  size_t n_tiles = tiles_for(n, TILE);
  one_pass *work = (one_pass *)d_work;
  zero_states(work, n_tiles);
  scan_chained<<<(unsigned)n_tiles, BLOCK_THREADS>>>(d_out, d_in, n, work);
}

static void launch_one_looks_back(unsigned *d_out, const unsigned *d_in,
                                  size_t n, void *d_work)
{
  size_t n_tiles = tiles_for(n, TILE);
  one_pass *work = (one_pass *)d_work;
  zero_states(work, n_tiles);
  scan_one_looks_back<<<(unsigned)n_tiles, BLOCK_THREADS>>>(d_out, d_in, n,
                                                            work);
}

/* ---- the versions ---------------------------------------------------- */

/* How many launches a version makes: one; one for the scan of each level and
 * for each addition of sums; or those for the sums and two more. */
typedef enum { ONE, LEVELS, SUMS_AND_TWO } launches;

typedef struct {
  const char *name;
  const char *idea;
  launches makes;
  void (*launch)(unsigned *d_out, const unsigned *d_in, size_t n,
                 void *d_work);
} version;

static const version versions[] = {
  {"copy", "the ceiling: every element read and written once", ONE,
   launch_copy},
  {"cub", "the vendor's, out of CUB", ONE, vendor_scan},
  {"hillis_steele", "add what is 1, 2, 4 … to the left", LEVELS,
   launch_hillis_steele},
  {"blelloch", "a tree, up and down", LEVELS, launch_blelloch},
  {"padded", "the tree without bank conflicts", LEVELS, launch_padded},
  {"shuffles", "warps scan in registers", LEVELS, launch_shuffles},
  {"sums_first", "sums of tiles first: one pass less", SUMS_AND_TWO,
   launch_sums_first},
  {"chained", "one pass: each tile waits for the last", ONE,
   launch_chained},
  {"one_looks_back", "one thread adds up the tiles before", ONE,
   launch_one_looks_back},
  {"warp_looks_back", "a warp looks at 32 tiles at a time", ONE,
   launch_one_pass<BLOCK_THREADS, ROWS, false>},
  {"large_tiles", "fewer tiles of eight times the size", ONE,
   launch_one_pass<1024, 8, false>},
  {"streaming", "stores that the cache need not keep", ONE,
   launch_one_pass<1024, 8, true>},
};
enum {
  N_VERSIONS = sizeof versions / sizeof versions[0],
  FIRST_THAT_WAITS = N_VERSIONS - 5
};

/* Without the translation unit vendor.cu there is no CUB. */
static int is_here(const version *v)
{
  return v->launch != NULL;
}

static int is_scan(const version *v)
{
  return v->launch != launch_copy;
}

static int waits(const version *v)
{
  return v >= &versions[FIRST_THAT_WAITS];
}

/* Sums of tiles and their sums, or the states of tiles, or CUB's own. */
static size_t work_bytes(size_t n)
{
  size_t bytes = 8 * tiles_for(n, BLOCK_SCAN) + 4096;
  size_t cub_bytes = vendor_scan_bytes ? vendor_scan_bytes(n) : 0;
  return bytes > cub_bytes ? bytes : cub_bytes;
}

/* ---- checking -------------------------------------------------------- */

static unsigned *allocate(size_t n)
{
  unsigned *x = (unsigned *)malloc((n + 1) * sizeof(unsigned));
  if (!x) {
    fprintf(stderr, "error: no memory for %zu numbers\n", n);
    exit(EXIT_FAILURE);
  }
  return x;
}

static int check_version(const version *v, const unsigned *h_in,
                         const unsigned *h_expected, size_t n)
{
  size_t n_bytes = n * sizeof(unsigned), n_work = work_bytes(n);
  char what[64];
  snprintf(what, sizeof what, "%s, %zu", v->name, n);
  char *h_out = (char *)malloc(n_bytes + GUARD_BYTES);
  unsigned *d_in, *d_out;
  void *d_work;
  CUDA_CHECK(cudaMalloc(&d_in, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_out, n_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMalloc(&d_work, n_work));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, n_bytes, cudaMemcpyHostToDevice));
  poison_device(d_out, n_bytes + GUARD_BYTES);
  poison_device(d_work, n_work);
  v->launch(d_out, d_in, n, d_work);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_out, d_out, n_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  int good = compare_ints(what, (const int *)h_expected, (int *)h_out, n) &&
             compare_guard(what, h_out + n_bytes, GUARD_BYTES);
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  CUDA_CHECK(cudaFree(d_work));
  free(h_out);
  return good;
}

/* Numbers of all 32 bits: sums wrap around, and no rounding hides a sum in
 * the wrong place. */
static int check_size(const options *o, random_source *source, size_t n)
{
  int n_bad = 0;
  unsigned *h_in = allocate(n), *h_expected = allocate(n);
  random_fill_bytes(source, h_in, n * sizeof(unsigned));
  scan_reference(h_expected, h_in, n);
  for (int i = 0; i < N_VERSIONS; i++)
    if (options_wants(o, versions[i].name) && is_here(&versions[i]))
      n_bad += !check_version(&versions[i], h_in,
                              is_scan(&versions[i]) ? h_expected : h_in, n);
  free(h_in);
  free(h_expected);
  return n_bad;
}

/* One element, parts of a warp, of a row and of a tile; one more and one less
 * than a tile; more tiles than a warp looks at, and than a block scans. */
static int check_versions(const options *o)
{
  static const size_t sizes[] = {1, 3, 31, 32, 33, 127, 512, 1023, 1024,
                                 1025, 4095, 4096, 4097, 40000, 300003};
  random_source source = random_from_seed(o->seed);
  int n_bad = 0;
  if (o->check && o->n_sizes > 0)
    n_bad += check_size(o, &source, o->size[0]);
  else
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
      n_bad += check_size(o, &source, sizes[i]);
  if (!device_is_software())
    n_bad += check_size(o, &source, ((size_t)1 << 24) + 5);
  if (n_bad == 0)
    fprintf(options_remarks(o),
            "every version agrees with the reference (--seed %llu)\n",
            (unsigned long long)o->seed);
  return n_bad;
}

/* ---- measuring ------------------------------------------------------- */

static void fill_device(unsigned *d_x, size_t n, uint64_t seed)
{
  size_t n_block = (size_t)1 << 20;
  unsigned *h_block = allocate(n_block);
  random_source source = random_from_seed(seed);
  random_fill_bytes(&source, h_block, n_block * sizeof(unsigned));
  for (size_t at = 0; at < n; at += n_block)
    CUDA_CHECK(cudaMemcpy(d_x + at, h_block,
                          (n - at < n_block ? n - at : n_block) *
                              sizeof(unsigned), cudaMemcpyHostToDevice));
  free(h_block);
}

static void print_head(const options *o)
{
  if (o->csv)
    printf("version,n_elems,element_bytes,repetitions,time_us,"
           "time_spread_us,gb_per_s,share_of_cub\n");
  else
    printf("%-18s %12s %12s %10s %8s\n", "version", "elements",
           "median us", "GB/s", "of CUB");
}

static timing time_version(const version *v, unsigned *d_out,
                           const unsigned *d_in, size_t n, void *d_work,
                           int repetitions)
{
  timing t = timing_start(repetitions);
  while (timing_next(&t)) {
    v->launch(d_out, d_in, n, d_work);
    CUDA_CHECK_LAUNCH();
  }
  return t;
}

/* All versions, or only the best against CUB's. */
static void measure_size(const options *o, size_t n, int only_best)
{
  unsigned *d_in, *d_out;
  void *d_work;
  double cub_us = 0.0, n_bytes = 2.0 * (double)n * sizeof(unsigned);
  CUDA_CHECK(cudaMalloc(&d_in, n * sizeof(unsigned)));
  CUDA_CHECK(cudaMalloc(&d_out, n * sizeof(unsigned)));
  CUDA_CHECK(cudaMalloc(&d_work, work_bytes(n)));
  fill_device(d_in, n, o->seed);
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    int best = i == N_VERSIONS - 1 || v->launch == vendor_scan;
    if (!is_here(v) || !options_wants(o, v->name) || (only_best && !best))
      continue;
    timing t = time_version(v, d_out, d_in, n, d_work, o->repetitions);
    if (v->launch == vendor_scan)
      cub_us = t.median_us;
    double gb_per_s = timing_gb_per_s(n_bytes, t.median_us);
    if (o->csv)
      printf("%s,%zu,%zu,%d,%.3f,%.3f,%.2f,%.4f\n", v->name, n,
             sizeof(unsigned), t.repetitions, t.median_us, t.spread_us,
             gb_per_s, cub_us / t.median_us);
    else
      printf("%-18s %12zu %12.2f %10.1f %7.1f%%\n", v->name, n, t.median_us,
             gb_per_s, 100.0 * cub_us / t.median_us);
    fflush(stdout);
  }
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  CUDA_CHECK(cudaFree(d_work));
}

static void measure_ladder(const options *o)
{
  print_head(o);
  measure_size(o, memory_length(o, (size_t)1 << 29, 2.1 * sizeof(unsigned)),
               0);
}

static void measure_sizes(const options *o)
{
  print_head(o);
  for (int bits = 12; bits <= 28; bits += 2)
    if (2.1 * sizeof(unsigned) * (double)((size_t)1 << bits) <
        0.5 * (double)device_free_bytes())
      measure_size(o, (size_t)1 << bits, 1);
}

static int launches_of_levels(size_t n)
{
  size_t n_blocks = tiles_for(n, BLOCK_SCAN);
  return n_blocks == 1 ? 1 : launches_of_levels(n_blocks) + 2;
}

static int launches_of(const version *v, size_t n)
{
  return v->makes == ONE ? 1 :
         v->makes == LEVELS ? launches_of_levels(n) :
         launches_of_levels(tiles_for(n, TILE)) + 2;
}

/* Each version once, for a profiler or the software device to count. CUB
 * launches what it likes: it is left out. How often tiles ask without success
 * is not counted, either: "blocks" leaves out the versions that wait. */
static void count(const options *o)
{
  int all = strcmp(o->count, "traffic") == 0;
  unsigned *d_in, *d_out;
  void *d_work;
  size_t n = memory_length(o, (size_t)1 << 20, 2.1 * sizeof(unsigned));
  CUDA_CHECK(cudaMalloc(&d_in, n * sizeof(unsigned)));
  CUDA_CHECK(cudaMalloc(&d_out, n * sizeof(unsigned)));
  CUDA_CHECK(cudaMalloc(&d_work, work_bytes(n)));
  fill_device(d_in, n, o->seed);
  printf("version,part,n_elems\n");
  for (int i = 0; i < N_VERSIONS; i++)
    if (versions[i].launch != vendor_scan && (all || !waits(&versions[i])) &&
        options_wants(o, versions[i].name)) {
      versions[i].launch(d_out, d_in, n, d_work);
      CUDA_CHECK_LAUNCH();
      for (int l = 1; l <= launches_of(&versions[i], n); l++)
        printf("%s,%d,%zu\n", versions[i].name, l, n);
    }
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  CUDA_CHECK(cudaFree(d_work));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "scans an array of whole numbers",
                            "ladder,sizes", "blocks,traffic");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count) {
    count(&o);
    return EXIT_SUCCESS;
  }
  if (check_versions(&o) > 0)
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  if (o.csv && strcmp(o.csv, "sizes") == 0)
    measure_sizes(&o);
  else
    measure_ladder(&o);
  return EXIT_SUCCESS;
}
