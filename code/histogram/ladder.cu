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
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n / 16;
       i += step) {
    uint4 group = groups[i];
    unsigned word[4] = {group.x, group.y, group.z, group.w};
    unsigned here = __activemask();
#pragma unroll
    for (int k = 0; k < 16; k++) {
      unsigned bin = word[k / 4] >> 8 * (k % 4) & 255;
      unsigned same = __match_any_sync(here, bin);
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

// begin lanes
__global__ void __launch_bounds__(LANES_THREADS, LANES_BLOCKS)
histogram_lanes(unsigned *bins, const unsigned char *data, size_t n)
{
  __shared__ unsigned columns[BINS * WARP_LANES];
  unsigned *mine = columns_begin(columns);
  const uint4 *groups = (const uint4 *)data;
  size_t step = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n / 16;
       i += step)
    count_16(mine, groups[i]);
  columns_end(bins, columns, data, n);
}
// end lanes

static void launch_lanes(unsigned *d_bins, const unsigned char *d_data,
                         size_t n)
{
  clear_bins(d_bins);
  histogram_lanes<<<resident_blocks(n / 16, LANES_THREADS, LANES_BLOCKS),
                    LANES_THREADS>>>(d_bins, d_data, n);
}

/* ---- the ceiling: every byte is read, nothing is counted ---- */

// begin read
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
// end read

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
  int rung;                     /* 0: only in the experiment `copies` */
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
  {"lanes", "1024 threads share them", launch_lanes, 0, 1},
  {"ahead", "two loads before the counting", launch_ahead, 0, 1},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- what is to be expected of shared memory ---- */

/* The place in shared memory of lane l's counter for a bin. */
static size_t place_of(const version *v, unsigned bin, int lane)
{
  const char *columns = strncmp(v->name, "columns_", 8) == 0
                        ? v->name + 8 : NULL;
  size_t copies = columns ? (size_t)atoi(columns)
                : v->launch == launch_lanes || v->launch == launch_ahead
                ? WARP_LANES : 1;
  return bin * copies + lane % copies;
}

// begin busiest_bank
/* 32 lanes add to words of shared memory. How many words, and how many
 * lanes, does the bank have that most of them want? */
static void busiest_bank(const size_t *place, double *words, double *lanes)
{
  int n_words[WARP_LANES] = {0}, n_lanes[WARP_LANES] = {0};
  int most_words = 0, most_lanes = 0;
  for (int l = 0; l < WARP_LANES; l++) {
    int bank = place[l] % WARP_LANES, is_new = 1;
    for (int k = 0; k < l; k++)
      is_new &= place[k] != place[l];
    n_words[bank] += is_new;
    n_lanes[bank]++;
    most_words = n_words[bank] > most_words ? n_words[bank] : most_words;
    most_lanes = n_lanes[bank] > most_lanes ? n_lanes[bank] : most_lanes;
  }
  *words += most_words;
  *lanes += most_lanes;
}
// end busiest_bank

/* Averages over the requests of n / 512 warps that count 16 bytes a lane;
 * a table of what does not depend on the device. */
static void expect_banks(const options *o)
{
  enum { N = 1 << 16 };
  unsigned char *h_data = (unsigned char *)bytes_alloc(N);
  printf("version,data,bins_used,words,lanes\n");
  for (unsigned bins_used = 0; bins_used <= BINS;
       bins_used = bins_used ? 2 * bins_used : 1) {
    random_source random = random_from_seed(1);
    if (bins_used)
      fill_bins(&random, h_data, N, bins_used);
    else
      fill_photograph(h_data, N);
    for (int k = 0; k < N_VERSIONS; k++) {
      double words = 0, lanes = 0;
      if (versions[k].shrink_log || versions[k].launch == launch_shared ||
          !options_wants(o, versions[k].name))
        continue;
      for (int at = 0; at < N; at += 16 * WARP_LANES)
        for (int b = 0; b < 16; b++) {
          size_t place[WARP_LANES];
          for (int l = 0; l < WARP_LANES; l++)
            place[l] = place_of(&versions[k], h_data[at + 16 * l + b], l);
          busiest_bank(place, &words, &lanes);
        }
      printf("%s,%s,%u,%.4f,%.4f\n", versions[k].name,
             bins_used ? "drawn" : "photograph", bins_used,
             words * WARP_LANES / N, lanes * WARP_LANES / N);
    }
  }
  free(h_data);
}

/* ---- one request, to be looked at ---- */

// begin one_request
/* Each lane counts one byte. A counter begins at 0, whoever writes that. */
template <int COPIES>
__global__ void one_request(unsigned *out, const unsigned char *data)
{
  __shared__ unsigned counters[BINS * COPIES];
  unsigned place = data[threadIdx.x] * COPIES + threadIdx.x % COPIES;
  unsigned same = __match_any_sync(0xffffffff, place);
  if (threadIdx.x == __ffs(same) - 1)
    counters[place] = 0;
  __syncwarp();
  atomicAdd(&counters[place], 1u);
  __syncwarp();
  out[threadIdx.x] = counters[place];
}
// end one_request

typedef void request_kernel(unsigned *out, const unsigned char *data);
static const struct {
  const char *name;
  request_kernel *kernel;
} requests[] = {
  {"wide", one_request<1>},
  {"columns_8", one_request<8>},
  {"columns_32", one_request<32>},
};
enum { N_REQUESTS = sizeof requests / sizeof requests[0] };

/* Runs each once. With a check: lane l finds as many as there are lanes of
 * its byte and column. */
static int do_requests(const options *o, int checks)
{
  unsigned char h_data[WARP_LANES], *d_data;
  unsigned *d_out;
  int right = 1;
  random_source random = random_from_seed(1);
  fill_bins(&random, h_data, WARP_LANES, BINS);
  h_data[20] = h_data[4];               /* a byte that occurs three times */
  h_data[29] = h_data[4];
  d_data = repeat_on_device(h_data, WARP_LANES, WARP_LANES);
  CUDA_CHECK(cudaMalloc(&d_out, WARP_LANES * sizeof *d_out));
  for (int k = 0; k < N_REQUESTS; k++) {
    int copies = k == 0 ? 1 : k == 1 ? 8 : WARP_LANES;
    int expected[WARP_LANES] = {0}, got[WARP_LANES];
    if (!options_wants(o, requests[k].name))
      continue;
    poison_device(d_out, sizeof got);
    requests[k].kernel<<<1, WARP_LANES>>>(d_out, d_data);
    CUDA_CHECK_LAUNCH();
    if (o->count)
      printf("%s,%d\n", requests[k].name, copies);
    CUDA_CHECK(cudaMemcpy(got, d_out, sizeof got, cudaMemcpyDeviceToHost));
    for (int l = 0; l < WARP_LANES; l++)
      for (int m = l % copies; m < WARP_LANES; m += copies)
        expected[l] += h_data[m] == h_data[l];
    if (checks)
      right &= compare_ints("one request", expected, got, WARP_LANES);
  }
  CUDA_CHECK(cudaFree(d_data));
  CUDA_CHECK(cudaFree(d_out));
  return right;
}

/* ---- check, count, measure ---- */

static int check(const options *o)
{
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(o, versions[k].name))
      right &= check_bytes(versions[k].name, versions[k].launch, &random);
  right &= do_requests(o, 1);
  fprintf(options_remarks(o), "check: 8 sizes, 3 kinds of data, seed %llu: "
          "%s\n", (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

static int count(const options *o)
{
  size_t n = memory_length(o, 65536, 2);
  unsigned char *h_data = (unsigned char *)bytes_alloc(n);
  unsigned *d_bins;
  CUDA_CHECK(cudaMalloc(&d_bins, BINS * sizeof *d_bins));
  printf("version,bins_used,n_bytes\n");
  for (unsigned bins_used = 1; bins_used <= BINS; bins_used *= BINS) {
    random_source random = random_from_seed(1);
    fill_bins(&random, h_data, n, bins_used);
    unsigned char *d_data = repeat_on_device(h_data, n, n);
    for (int k = 0; k < N_VERSIONS; k++)
      if (options_wants(o, versions[k].name) && versions[k].rung) {
        versions[k].launch(d_bins, d_data, n);
        CUDA_CHECK_LAUNCH();
        printf("%s,%u,%zu\n", versions[k].name, bins_used, n);
      }
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaFree(d_data));
  }
  CUDA_CHECK(cudaFree(d_bins));
  free(h_data);
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
 * columns. */
static int measure(const options *o)
{
  int sweep = o->csv && strcmp(o->csv, "sweep") == 0;
  int copies = o->csv && strcmp(o->csv, "copies") == 0;
  size_t n = memory_length(o, (size_t)1 << (sweep || copies ? 27 : 29), 2);
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
    random_source random = random_from_seed(1);
    fill_bins(&random, h_pattern, PATTERN_BYTES, bins_used);
    unsigned char *d_data = repeat_on_device(h_pattern, PATTERN_BYTES, n);
    if (!sweep && !copies && !o->version)
      measure_one(o, "read", launch_read, d_bins, d_data, n, bins_used, NULL);
    for (int k = 0; k < N_VERSIONS; k++) {
      const version *v = &versions[k];
      size_t fewer = n >> v->shrink_log;
      unsigned expected[BINS];
      if (!options_wants(o, v->name) ||
          (copies ? strncmp(v->name, "columns_", 8) != 0 : !v->rung))
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

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "histograms of bytes",
                            "ladder,sweep,copies,banks", "ladder,request");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count && strcmp(o.count, "request") == 0) {
    printf("version,copies\n");
    do_requests(&o, 0);
    return EXIT_SUCCESS;
  }
  if (o.count)
    return count(&o);
  if (o.csv && strcmp(o.csv, "banks") == 0) {
    expect_banks(&o);
    return EXIT_SUCCESS;
  }
  int right = check(&o);
  if (o.check || !right)
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
  if (!timing_is_possible())
    return o.csv ? EXIT_SKIPPED : EXIT_SUCCESS;
  return measure(&o) ? EXIT_SUCCESS : EXIT_FAILURE;
}
