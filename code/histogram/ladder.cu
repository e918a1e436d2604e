/* How often does each value occur among n bytes?  Versions from one atomic
 * in global memory for each byte to counters of its own for each lane.
 *
 *   nvcc -I code code/histogram/ladder.cu -o ladder && ./ladder
 */
#include "histogram/bytes.h"

enum { BLOCK_THREADS = 256, SM_BLOCKS = 8, BLOCK_WARPS = 8 };

static unsigned blocks_for(size_t n)
{
  return (unsigned)((n + BLOCK_THREADS - 1) / BLOCK_THREADS) + (n == 0);
}

// begin global
__global__ void histogram_global(unsigned *bins, const unsigned char *data,
                                 size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&bins[data[i]], 1u);
}
// end global

static void launch_global(unsigned *d_bins, const unsigned char *d_data,
                          size_t n)
{
  clear_bins(d_bins);
  histogram_global<<<blocks_for(n), BLOCK_THREADS>>>(d_bins, d_data, n);
}

// begin aggregated
__global__ void histogram_aggregated(unsigned *bins,
                                     const unsigned char *data, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  unsigned bin = i < n ? data[i] : BINS;    /* BINS: outside, not counted */
  unsigned same = __match_any_sync(0xffffffff, bin);
  int leader = __ffs(same) - 1;
  if (i < n && threadIdx.x % WARP_LANES == leader)
    atomicAdd(&bins[bin], (unsigned)__popc(same));
}
// end aggregated

static void launch_aggregated(unsigned *d_bins, const unsigned char *d_data,
                              size_t n)
{
  clear_bins(d_bins);
  histogram_aggregated<<<blocks_for(n), BLOCK_THREADS>>>(d_bins, d_data, n);
}

// begin shared
__global__ void histogram_shared(unsigned *bins, const unsigned char *data,
                                 size_t n)
{
  __shared__ unsigned mine[BINS];
  mine[threadIdx.x] = 0;                    /* 256 threads, 256 bins */
  __syncthreads();
  size_t step = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += step)
    atomicAdd(&mine[data[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}
// end shared

static void launch_shared(unsigned *d_bins, const unsigned char *d_data,
                          size_t n)
{
  clear_bins(d_bins);
  histogram_shared<<<resident_blocks(n, BLOCK_THREADS, SM_BLOCKS),
                     BLOCK_THREADS>>>(d_bins, d_data, n);
}

// begin wide
__global__ void histogram_wide(unsigned *bins, const unsigned char *data,
                               size_t n)
{
  __shared__ unsigned mine[BINS];
  mine[threadIdx.x] = 0;
  __syncthreads();
  const uint4 *groups = (const uint4 *)data;
  size_t step = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n / 16;
       i += step) {
    uint4 group = groups[i];
    unsigned word[4] = {group.x, group.y, group.z, group.w};
#pragma unroll
    for (int k = 0; k < 16; k++)
      atomicAdd(&mine[word[k / 4] >> 8 * (k % 4) & 255], 1u);
  }
  if (blockIdx.x == 0 && threadIdx.x < n % 16)
    atomicAdd(&mine[data[n - 1 - threadIdx.x]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}
// end wide

static void launch_wide(unsigned *d_bins, const unsigned char *d_data,
                        size_t n)
{
  clear_bins(d_bins);
  histogram_wide<<<resident_blocks(n / 16, BLOCK_THREADS, SM_BLOCKS),
                   BLOCK_THREADS>>>(d_bins, d_data, n);
}

// begin matched
__global__ void histogram_matched(unsigned *bins, const unsigned char *data,
                                  size_t n)
{
  __shared__ unsigned mine[BINS];
  mine[threadIdx.x] = 0;
  __syncthreads();
  const uint4 *groups = (const uint4 *)data;
  size_t step = (size_t)gridDim.x * blockDim.x;
  unsigned lanes;                           /* those that have a group */
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
       (lanes = __ballot_sync(0xffffffff, i < n / 16)) != 0; i += step) {
    if (i >= n / 16)
      continue;
    uint4 group = groups[i];
    unsigned word[4] = {group.x, group.y, group.z, group.w};
#pragma unroll
    for (int k = 0; k < 16; k++) {
      unsigned bin = word[k / 4] >> 8 * (k % 4) & 255;
      unsigned same = __match_any_sync(lanes, bin);
      if (threadIdx.x % WARP_LANES == __ffs(same) - 1)
        atomicAdd(&mine[bin], (unsigned)__popc(same));
    }
  }
  if (blockIdx.x == 0 && threadIdx.x < n % 16)
    atomicAdd(&mine[data[n - 1 - threadIdx.x]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}
// end matched

static void launch_matched(unsigned *d_bins, const unsigned char *d_data,
                           size_t n)
{
  clear_bins(d_bins);
  histogram_matched<<<resident_blocks(n / 16, BLOCK_THREADS, SM_BLOCKS),
                      BLOCK_THREADS>>>(d_bins, d_data, n);
}

// begin warps
__global__ void histogram_warps(unsigned *bins, const unsigned char *data,
                                size_t n)
{
  __shared__ unsigned copies[BLOCK_WARPS][BINS];
  unsigned *mine = copies[threadIdx.x / WARP_LANES];
  for (int w = 0; w < BLOCK_WARPS; w++)
    copies[w][threadIdx.x] = 0;
  __syncthreads();
  const uint4 *groups = (const uint4 *)data;
  size_t step = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n / 16;
       i += step) {
    uint4 group = groups[i];
    unsigned word[4] = {group.x, group.y, group.z, group.w};
#pragma unroll
    for (int k = 0; k < 16; k++)
      atomicAdd(&mine[word[k / 4] >> 8 * (k % 4) & 255], 1u);
  }
  if (blockIdx.x == 0 && threadIdx.x < n % 16)
    atomicAdd(&mine[data[n - 1 - threadIdx.x]], 1u);
  __syncthreads();
  unsigned sum = 0;
  for (int w = 0; w < BLOCK_WARPS; w++)
    sum += copies[w][threadIdx.x];
  atomicAdd(&bins[threadIdx.x], sum);
}
// end warps

static void launch_warps(unsigned *d_bins, const unsigned char *d_data,
                         size_t n)
{
  clear_bins(d_bins);
  histogram_warps<<<resident_blocks(n / 16, BLOCK_THREADS, SM_BLOCKS),
                    BLOCK_THREADS>>>(d_bins, d_data, n);
}

// begin columns
template <int COPIES>
__global__ void histogram_columns(unsigned *bins, const unsigned char *data,
                                  size_t n)
{
  __shared__ unsigned copies[BINS][COPIES];
  unsigned *mine = &copies[0][threadIdx.x % COPIES];
  for (int c = 0; c < COPIES; c++)
    copies[threadIdx.x][(threadIdx.x + c) % COPIES] = 0;
  __syncthreads();
  const uint4 *groups = (const uint4 *)data;
  size_t step = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n / 16;
       i += step) {
    uint4 group = groups[i];
    unsigned word[4] = {group.x, group.y, group.z, group.w};
#pragma unroll
    for (int k = 0; k < 16; k++)
      atomicAdd(&mine[(word[k / 4] >> 8 * (k % 4) & 255) * COPIES], 1u);
  }
  if (blockIdx.x == 0 && threadIdx.x < n % 16)
    atomicAdd(&mine[data[n - 1 - threadIdx.x] * COPIES], 1u);
  __syncthreads();
  unsigned sum = 0;
  for (int c = 0; c < COPIES; c++)
    sum += copies[threadIdx.x][(threadIdx.x + c) % COPIES];
  atomicAdd(&bins[threadIdx.x], sum);
}
// end columns

template <int COPIES>
static void launch_columns(unsigned *d_bins, const unsigned char *d_data,
                           size_t n)
{
  clear_bins(d_bins);
  histogram_columns<COPIES>
      <<<resident_blocks(n / 16, BLOCK_THREADS, COPIES < 32 ? SM_BLOCKS : 6),
         BLOCK_THREADS>>>(d_bins, d_data, n);
}

/* ---- the ceiling: every byte is read, nothing is counted ---- */

/* Never 0xffffffff in all words of a group: fill_bins and the photograph
 * have other bytes, too; a compiler does not know that. */
__global__ void __launch_bounds__(LANES_THREADS, LANES_BLOCKS)
read_all(unsigned *bins, const unsigned char *data, size_t n)
{
  const uint4 *groups = (const uint4 *)data;
  size_t step = (size_t)gridDim.x * blockDim.x, n_groups = n / 16;
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  unsigned all = 0xffffffff;
  for (; i + 3 * step < n_groups; i += 4 * step) {
    uint4 group[4];
#pragma unroll
    for (int k = 0; k < 4; k++)
      group[k] = groups[i + k * step];
#pragma unroll
    for (int k = 0; k < 4; k++)
      all &= group[k].x & group[k].y & group[k].z & group[k].w;
  }
  for (; i < n_groups; i += step)
    all &= groups[i].x;
  if (all == 0xffffffff && n_groups > 0)
    bins[0] = all;
}

static void launch_read(unsigned *d_bins, const unsigned char *d_data,
                        size_t n)
{
  read_all<<<resident_blocks(n / 16, LANES_THREADS, LANES_BLOCKS),
             LANES_THREADS>>>(d_bins, d_data, n);
}

/* ---- versions ---- */

typedef struct {
  const char *name, *idea;
  histogram_launch *launch;
  int shrink_log;               /* slow ones count 2^this times fewer bytes */
  int rung;                     /* 0: not of the ladder */
} version;

static const version versions[] = {
  {"global", "an atomic in global memory for each byte", launch_global, 6, 1},
  {"aggregated", "a warp's equal bytes together", launch_aggregated, 6, 1},
  {"shared", "bins of its own for each block", launch_shared, 0, 1},
  {"wide", "16 bytes in one load", launch_wide, 0, 1},
  {"matched", "a warp's equal bytes together, in shared memory",
   launch_matched, 4, 1},
  {"warps", "bins of its own for each warp", launch_warps, 0, 1},
  {"columns_2", "2 counters side by side for each bin", launch_columns<2>,
   0, 0},
  {"columns_4", "4 counters side by side for each bin", launch_columns<4>,
   0, 0},
  {"columns_8", "8 counters side by side for each bin", launch_columns<8>,
   0, 1},
  {"columns_16", "16 counters side by side for each bin",
   launch_columns<16>, 0, 0},
  {"columns_32", "32 counters side by side: one for each lane",
   launch_columns<32>, 0, 1},
  {"lanes", "the same, shared by 1024 threads", launch_lanes, 0, 1},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- check, count, measure ---- */

static int check(const options *o)
{
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(o, versions[k].name))
      right &= check_bytes(versions[k].name, versions[k].launch, &random);
  fprintf(options_remarks(o), "check: 8 sizes, 3 kinds of data, seed %llu: "
          "%s\n", (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

/* Is it one of the kernels that differ in their counters' places only? */
static int has_columns(const version *v)
{
  return strncmp(v->name, "columns_", 8) == 0;
}

/* n bytes on the device, drawn of so many values. */
static unsigned char *drawn_on_device(unsigned char *h_pattern, size_t n,
                                      unsigned bins_used)
{
  random_source random = random_from_seed(1);
  fill_bins(&random, h_pattern, PATTERN_BYTES, bins_used);
  return repeat_on_device(h_pattern, PATTERN_BYTES, n);
}

/* `ladder`: all rungs, with one value and with all; `wavefronts`: from one to
 * all, with so many counters for each bin; `waits`: the rungs that can count
 * many bytes, with all values. */
static int count(const options *o)
{
  int wavefronts = strcmp(o->count, "wavefronts") == 0;
  int waits = strcmp(o->count, "waits") == 0;
  size_t n = memory_length(o, waits ? (size_t)1 << 27 : 65536, 2);
  unsigned char *h_pattern = (unsigned char *)bytes_alloc(PATTERN_BYTES);
  unsigned *d_bins;
  CUDA_CHECK(cudaMalloc(&d_bins, BINS * sizeof *d_bins));
  printf("version,bins_used,n_bytes\n");
  for (unsigned bins_used = waits ? BINS : 1; bins_used <= BINS;
       bins_used *= wavefronts ? 2 : BINS) {
    unsigned char *d_data = drawn_on_device(h_pattern, n, bins_used);
    for (int k = 0; k < N_VERSIONS; k++) {
      const version *v = &versions[k];
      if (!options_wants(o, v->name) ||
          !(wavefronts ? has_columns(v) || v->launch == launch_wide
                       : v->rung && !(waits && v->shrink_log)))
        continue;
      v->launch(d_bins, d_data, n);
      CUDA_CHECK_LAUNCH();
      printf("%s,%u,%zu\n", v->name, bins_used, n);
    }
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaFree(d_data));
  }
  CUDA_CHECK(cudaFree(d_bins));
  free(h_pattern);
  return EXIT_SUCCESS;
}

/* One row. Returns 0 if what was timed is wrong. */
static int measure_one(const options *o, const char *name,
                       histogram_launch *launch, unsigned *d_bins,
                       const unsigned char *d_data, size_t n,
                       unsigned bins_used, const unsigned *expected)
{
  timing t = timing_start(o->repetitions);
  while (timing_next(&t))
    launch(d_bins, d_data, n);
  if (o->csv) {
    printf("%s,%u,%zu,%d,%.3f,%.3f,%.2f\n", name, bins_used, n,
           t.repetitions, t.median_us, t.spread_us,
           timing_gb_per_s((double)n, t.median_us));
    fflush(stdout);
  } else
    timing_print_row(name, t, (double)n);
  return !expected || compare_bins(name, launch, d_data, n, expected);
}

/* `ladder`: all values; `sweep`: from one value to all; `copies`: all
 * numbers of counters for each bin. */
static int measure(const options *o)
{
  int sweep = o->csv && strcmp(o->csv, "sweep") == 0;
  int copies = o->csv && strcmp(o->csv, "copies") == 0;
  size_t n = memory_length(o, (size_t)1 << 29, 2);
  unsigned char *h_pattern = (unsigned char *)bytes_alloc(PATTERN_BYTES);
  unsigned *d_bins;
  int right = 1;
  CUDA_CHECK(cudaMalloc(&d_bins, BINS * sizeof *d_bins));
  if (o->csv)
    printf("version,bins_used,n_bytes,repetitions,time_us,spread_us,"
           "gb_per_s\n");
  else
    timing_print_head();
  for (unsigned bins_used = sweep ? 1 : BINS; bins_used <= BINS;
       bins_used *= 2) {
    unsigned char *d_data = drawn_on_device(h_pattern, n, bins_used);
    if (!sweep && !copies && !o->version)
      measure_one(o, "read", launch_read, d_bins, d_data, n, bins_used, NULL);
    for (int k = 0; k < N_VERSIONS; k++) {
      const version *v = &versions[k];
      size_t fewer = n >> v->shrink_log;
      unsigned expected[BINS];
      if (!options_wants(o, v->name) || (copies ? !has_columns(v) : !v->rung))
        continue;
      expect_repeated(expected, h_pattern, PATTERN_BYTES, fewer);
      right &= measure_one(o, v->name, v->launch, d_bins, d_data, fewer,
                           bins_used, expected);
    }
    CUDA_CHECK(cudaFree(d_data));
  }
  CUDA_CHECK(cudaFree(d_bins));
  free(h_pattern);
  return right;
}

/* The last version, by other numbers of threads and blocks. */
static int measure_shapes(const options *o)
{
  static const unsigned shapes[][2] = {
    {256, 1}, {256, 2}, {256, 4}, {512, 2}, {1024, 1}, {256, 6}, {512, 3},
    {768, 2}, {512, 4}, {1024, 2}};
  enum { N_SHAPES = sizeof shapes / sizeof shapes[0] };
  size_t n = memory_length(o, (size_t)1 << 29, 2);
  unsigned char *h_pattern = (unsigned char *)bytes_alloc(PATTERN_BYTES);
  unsigned char *d_data = drawn_on_device(h_pattern, n, BINS);
  unsigned *d_bins;
  CUDA_CHECK(cudaMalloc(&d_bins, BINS * sizeof *d_bins));
  printf("version,block_threads,sm_blocks,sm_warps,n_bytes,repetitions,"
         "time_us,spread_us,gb_per_s\n");
  for (int s = 0; s < N_SHAPES; s++) {
    unsigned threads = shapes[s][0], blocks = shapes[s][1];
    timing t = timing_start(o->repetitions);
    while (timing_next(&t)) {
      clear_bins(d_bins);
      histogram_lanes<<<resident_blocks(n / 16, threads, blocks), threads>>>(
          d_bins, d_data, n);
    }
    printf("lanes,%u,%u,%u,%zu,%d,%.3f,%.3f,%.2f\n", threads, blocks,
           threads / WARP_LANES * blocks, n, t.repetitions, t.median_us,
           t.spread_us, timing_gb_per_s((double)n, t.median_us));
    fflush(stdout);
  }
  CUDA_CHECK(cudaFree(d_data));
  CUDA_CHECK(cudaFree(d_bins));
  free(h_pattern);
  return 1;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "histograms of bytes",
                            "ladder,sweep,copies,shapes",
                            "ladder,wavefronts,waits");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count)
    return count(&o);
  int right = check(&o);
  if (o.check || !right)
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
  if (!timing_is_possible())
    return o.csv ? EXIT_SKIPPED : EXIT_SUCCESS;
  right = o.csv && strcmp(o.csv, "shapes") == 0 ? measure_shapes(&o)
                                                : measure(&o);
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
