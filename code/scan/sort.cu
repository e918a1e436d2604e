/* Radix sort of 32-bit keys, the lowest digit first. */
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
  BLOCKS_AT_ONCE = 4,                  /* on a multiprocessor, at least */
  KEY_BITS = 32,
  KEYS_EACH = 20,                      /* of a thread */
  SORT_TILE = BLOCK_THREADS * KEYS_EACH,
  N_WARPS = BLOCK_THREADS / WARP_THREADS
};

typedef struct {
  unsigned *d_other;      /* space for all keys */
  unsigned *d_table;      /* flags, or the tiles' counts of digits */
  void *d_states;
} workspace;

static int by_value(const void *a, const void *b)
{
  unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
  return (x > y) - (x < y);
}

static void sort_reference(unsigned *keys, size_t n)
{
  qsort(keys, n, sizeof *keys, by_value);
}

/* ---- one bit a pass -------------------------------------------------- */

// begin one_bit
__global__ void flag_zeros(unsigned *flags, const unsigned *keys, size_t n,
                           int bit)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    flags[i] = ~keys[i] >> bit & 1;
}

/* Zeros to the front, ones after them, both in the order they had. */
__global__ void split(unsigned *out, const unsigned *keys, size_t n, int bit,
                      const unsigned *zeros_before)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  size_t n_zeros = zeros_before[n - 1] + (~keys[n - 1] >> bit & 1);
  unsigned key = keys[i], zeros = zeros_before[i];
  out[key >> bit & 1 ? n_zeros + i - zeros : zeros] = key;
}
// end one_bit

/* The first pass reads `in`, which stays as it is; the last writes `out`. */
static void sort_one_bit(unsigned *d_out, const unsigned *d_in, size_t n,
                         const workspace *work)
{
  unsigned n_blocks = (unsigned)tiles_for(n, BLOCK_THREADS);
  unsigned *d_to = work->d_other, *d_flags = work->d_table;
  const unsigned *d_from = d_in;
  for (int bit = 0; bit < KEY_BITS; bit++) {
    flag_zeros<<<n_blocks, BLOCK_THREADS>>>(d_flags, d_from, n, bit);
    launch_scan(d_flags, d_flags, n, work->d_states);
    split<<<n_blocks, BLOCK_THREADS>>>(d_to, d_from, n, bit, d_flags);
    d_from = d_to;
    d_to = d_to == d_out ? work->d_other : d_out;
  }
}

/* ---- several bits a pass --------------------------------------------- */

template <int BITS> static __device__ unsigned digit_of(unsigned key,
                                                        int shift)
{
  return key >> shift & ((1u << BITS) - 1);
}

// begin count_digits
/* counts[digit][tile]: all tiles of digit 0 first. */
template <int BITS> __global__ void count_digits(unsigned *counts,
    const unsigned *keys, size_t n, int shift)
{
  __shared__ unsigned bins[1 << BITS];
  for (int d = threadIdx.x; d < 1 << BITS; d += BLOCK_THREADS)
    bins[d] = 0;
  __syncthreads();
  size_t first = (size_t)blockIdx.x * SORT_TILE;
  for (int j = 0; j < KEYS_EACH; j++) {
    size_t i = first + j * BLOCK_THREADS + threadIdx.x;
    if (i < n)
      atomicAdd(&bins[digit_of<BITS>(keys[i], shift)], 1u);
  }
  __syncthreads();
  for (int d = threadIdx.x; d < 1 << BITS; d += BLOCK_THREADS)
    counts[(size_t)d * gridDim.x + blockIdx.x] = bins[d];
}
// end count_digits

/* What the threads of a block know of their tile's keys. */
template <int BITS> struct tile_keys {
  unsigned count[N_WARPS][1 << BITS];   /* then: where a warp's keys begin */
  unsigned sorted[SORT_TILE];
  unsigned start[1 << BITS];            /* in out, less the place in sorted */
  unsigned warp_sums[N_WARPS];
};

// begin rank
/* The lanes whose digit is this lane's. */
template <int BITS> static __device__ unsigned lanes_with(unsigned digit)
{
  unsigned lanes = ALL_LANES;
  for (int bit = 0; bit < BITS; bit++) {
    unsigned ones = __ballot_sync(ALL_LANES, digit >> bit & 1);
    lanes &= digit >> bit & 1 ? ones : ~ones;
  }
  return lanes;
}

/* How many keys of the warp with the same digit come before each. */
template <int BITS> static __device__ void rank_keys(tile_keys<BITS> *tile,
    const unsigned *key, unsigned *rank, int shift)
{
  unsigned lane = threadIdx.x % WARP_THREADS;
  unsigned *count = tile->count[threadIdx.x / WARP_THREADS];
  for (int j = 0; j < KEYS_EACH; j++) {
    unsigned digit = digit_of<BITS>(key[j], shift);
    unsigned lanes = lanes_with<BITS>(digit);
    unsigned before = count[digit];
    unsigned lanes_before = __popc(lanes & ((1u << lane) - 1));
    __syncwarp();
    if (lanes_before == 0)
      count[digit] = before + __popc(lanes);
    __syncwarp();
    rank[j] = before + lanes_before;
  }
}
// end rank

/* Each digit has a thread. Turns the warps' counts into where their keys
 * begin in the sorted tile; returns where this thread's digit begins, and how
 * many keys have it. */
template <int BITS> static __device__ unsigned place_digits(
    tile_keys<BITS> *tile, unsigned *n_keys)
{
  unsigned digit = threadIdx.x, sum = 0;
  if (digit < 1 << BITS)
    for (int w = 0; w < N_WARPS; w++) {
      unsigned count = tile->count[w][digit];
      tile->count[w][digit] = sum;
      sum += count;
    }
  unsigned scanned = warp_scan(sum), total;
  if (threadIdx.x % WARP_THREADS == WARP_THREADS - 1)
    tile->warp_sums[threadIdx.x / WARP_THREADS] = scanned;
  __syncthreads();
  unsigned first = warps_before(tile->warp_sums, &total) + scanned - sum;
  if (digit < 1 << BITS)
    for (int w = 0; w < N_WARPS; w++)
      tile->count[w][digit] += first;
  *n_keys = sum;
  return first;
}

template <int BITS> static __device__ unsigned load_keys(
    tile_keys<BITS> *tile, unsigned *key, const unsigned *in, size_t first,
    size_t n)
{
  unsigned n_keys = (unsigned)(n - first < SORT_TILE ? n - first
                                                     : SORT_TILE);
  for (int d = threadIdx.x; d < N_WARPS << BITS; d += BLOCK_THREADS)
    tile->count[0][d] = 0;
  unsigned at = threadIdx.x / WARP_THREADS * WARP_THREADS * KEYS_EACH +
                threadIdx.x % WARP_THREADS;
  for (int j = 0; j < KEYS_EACH; j++) {
    unsigned i = at + j * WARP_THREADS;
    /* What is missing goes to the end of the tile, and not into out. */
    key[j] = i < n_keys ? in[first + i] : ALL_LANES;
  }
  __syncthreads();
  return n_keys;
}

// begin move
/* Into the tile's order first, then to where each digit goes. */
template <int BITS> static __device__ void sort_tile(tile_keys<BITS> *tile,
    const unsigned *key, const unsigned *rank, int shift)
{
  unsigned warp = threadIdx.x / WARP_THREADS;
  for (int j = 0; j < KEYS_EACH; j++) {
    unsigned digit = digit_of<BITS>(key[j], shift);
    tile->sorted[tile->count[warp][digit] + rank[j]] = key[j];
  }
}

template <int BITS> static __device__ void store_tile(unsigned *out,
    const tile_keys<BITS> *tile, unsigned n_keys, int shift)
{
  for (unsigned i = threadIdx.x; i < n_keys; i += BLOCK_THREADS) {
    unsigned key = tile->sorted[i];
    out[tile->start[digit_of<BITS>(key, shift)] + i] = key;
  }
}
// end move

// begin scatter
/* starts: the scanned counts. */
template <int BITS> __global__ void
__launch_bounds__(BLOCK_THREADS, BLOCKS_AT_ONCE) scatter(unsigned *out,
    const unsigned *in, size_t n, int shift, const unsigned *starts)
{
  __shared__ tile_keys<BITS> tile;
  unsigned key[KEYS_EACH], rank[KEYS_EACH], n_same;
  size_t first = (size_t)blockIdx.x * SORT_TILE;
  unsigned n_keys = load_keys(&tile, key, in, first, n);
  rank_keys(&tile, key, rank, shift);
  __syncthreads();
  unsigned begin = place_digits(&tile, &n_same), digit = threadIdx.x;
  if (digit < 1 << BITS)
    tile.start[digit] = starts[(size_t)digit * gridDim.x + blockIdx.x] -
                        begin;
  __syncthreads();
  sort_tile(&tile, key, rank, shift);
  __syncthreads();
  store_tile(out, &tile, n_keys, shift);
}

template <int BITS> static void sort_by_table(unsigned *d_out,
    const unsigned *d_in, size_t n, const workspace *work)
{
  unsigned n_tiles = (unsigned)tiles_for(n, SORT_TILE);
  unsigned *d_to = work->d_other, *d_table = work->d_table;
  const unsigned *d_from = d_in;
  for (int shift = 0; shift < KEY_BITS; shift += BITS) {
    count_digits<BITS><<<n_tiles, BLOCK_THREADS>>>(d_table, d_from, n,
                                                   shift);
    launch_scan(d_table, d_table, (size_t)n_tiles << BITS,
                work->d_states);
    scatter<BITS><<<n_tiles, BLOCK_THREADS>>>(d_to, d_from, n, shift,
                                              d_table);
    d_from = d_to;
    d_to = d_to == d_out ? work->d_other : d_out;
  }
}
// end scatter

/* ---- no table: each digit looks back --------------------------------- */

/* The digits of all passes, of all keys. counts[pass][digit] is zero
 * before. */
template <int BITS> __global__ void count_all(unsigned *counts,
                                              const unsigned *keys, size_t n)
{
  enum { N_PASSES = KEY_BITS / BITS };
  __shared__ unsigned bins[N_PASSES][1 << BITS];
  for (int d = threadIdx.x; d < N_PASSES << BITS; d += blockDim.x)
    bins[0][d] = 0;
  __syncthreads();
  size_t step = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += step)
    for (int pass = 0; pass < N_PASSES; pass++)
      atomicAdd(&bins[pass][digit_of<BITS>(keys[i], pass * BITS)], 1u);
  __syncthreads();
  for (int d = threadIdx.x; d < N_PASSES << BITS; d += blockDim.x)
    atomicAdd(&counts[d], bins[0][d]);
}

/* One block for each pass, one thread for each digit. */
__global__ void scan_counts(unsigned *counts)
{
  __shared__ unsigned warp_sums[WARP_THREADS];
  unsigned *mine = counts + blockIdx.x * blockDim.x + threadIdx.x;
  unsigned count = *mine, scanned = warp_scan(count), total;
  if (threadIdx.x % WARP_THREADS == WARP_THREADS - 1)
    warp_sums[threadIdx.x / WARP_THREADS] = scanned;
  __syncthreads();
  *mine = warps_before(warp_sums, &total) + scanned - count;
}

// begin digit_looks_back
/* How many keys of this thread's digit the tiles before have. The two highest
 * bits of a state say what is known: n is below 2^30. */
static __device__ unsigned digits_before(unsigned *states, unsigned tile,
                                         unsigned n_digits, unsigned count)
{
  unsigned *mine = states + (size_t)tile * n_digits + threadIdx.x;
  unsigned before = 0;
  for (long asked = (long)tile - 1; asked >= 0;) {
    unsigned state = __nv_atomic_load_n(
        states + (size_t)asked * n_digits + threadIdx.x,
        __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    if (state >> 30 == NOTHING)
      continue;
    before += state & 0x3fffffff;
    if (state >> 30 == SUM_TO_HERE)
      break;
    asked--;
  }
  __nv_atomic_store_n(mine, (unsigned)SUM_TO_HERE << 30 | (before + count),
                      __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  return before;
}

/* starts: where each digit begins in out. */
template <int BITS> __global__ void
__launch_bounds__(BLOCK_THREADS, BLOCKS_AT_ONCE) scatter_looking_back(
    unsigned *out, const unsigned *in, size_t n, int shift,
    const unsigned *starts, unsigned *next_tile, unsigned *states)
{
  enum { N_DIGITS = 1 << BITS };
  __shared__ tile_keys<BITS> tile;
  unsigned key[KEYS_EACH], rank[KEYS_EACH], n_same;
  unsigned ticket = take_ticket(next_tile);
  size_t first = (size_t)ticket * SORT_TILE;
  unsigned n_keys = load_keys(&tile, key, in, first, n);
  rank_keys(&tile, key, rank, shift);
  __syncthreads();
  unsigned begin = place_digits(&tile, &n_same), digit = threadIdx.x;
  if (digit < N_DIGITS)
    __nv_atomic_store_n(states + (size_t)ticket * N_DIGITS + digit,
                        (unsigned)OWN_SUM << 30 | n_same,
                        __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __syncthreads();
  sort_tile(&tile, key, rank, shift);
  if (digit < N_DIGITS)
    tile.start[digit] = starts[digit] - begin +
        digits_before(states, ticket, N_DIGITS, n_same);
  __syncthreads();
  store_tile(out, &tile, n_keys, shift);
}
// end digit_looks_back

template <int BITS> static void sort_looking_back(unsigned *d_out,
    const unsigned *d_in, size_t n, const workspace *work)
{
  enum { N_PASSES = KEY_BITS / BITS, N_DIGITS = 1 << BITS };
  unsigned n_tiles = (unsigned)tiles_for(n, SORT_TILE);
  unsigned *d_starts = work->d_table;
  unsigned *d_next_tile = d_starts + N_PASSES * N_DIGITS;
  unsigned *d_states = d_next_tile + 1;
  unsigned *d_to = work->d_other;
  const unsigned *d_from = d_in;
  CUDA_CHECK(cudaMemsetAsync(d_starts, 0,
                             N_PASSES * N_DIGITS * sizeof *d_starts));
  int n_blocks = 4 * device_properties()->multiProcessorCount;
  count_all<BITS><<<n_blocks, 2 * BLOCK_THREADS>>>(d_starts, d_in, n);
  scan_counts<<<N_PASSES, N_DIGITS>>>(d_starts);
  for (int pass = 0; pass < N_PASSES; pass++) {
    CUDA_CHECK(cudaMemsetAsync(d_next_tile, 0,
        ((size_t)n_tiles * N_DIGITS + 1) * sizeof(unsigned)));
    scatter_looking_back<BITS><<<n_tiles, BLOCK_THREADS>>>(
        d_to, d_from, n, pass * BITS, d_starts + pass * N_DIGITS,
        d_next_tile, d_states);
    d_from = d_to;
    d_to = d_to == d_out ? work->d_other : d_out;
  }
}

static void sort_cub(unsigned *d_out, const unsigned *d_in, size_t n,
                     const workspace *work)
{
  vendor_sort(d_out, d_in, n, work->d_states);
}

/* ---- the versions ---------------------------------------------------- */

typedef struct {
  const char *name;
  const char *idea;
  int n_passes;
  void (*sort)(unsigned *d_out, const unsigned *d_in, size_t n,
               const workspace *work);
} version;

static const version versions[] = {
  {"cub", "the vendor's, out of CUB", 0, sort_cub},
  {"one_bit", "zeros to the front, once for each bit", 32, sort_one_bit},
  {"four_bits", "16 digits at a time", 8, sort_by_table<4>},
  {"eight_bits", "256 digits at a time", 4, sort_by_table<8>},
  {"looking_back", "tiles look back for each digit", 4,
   sort_looking_back<8>},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static int is_here(const version *v)
{
  return v->sort != sort_cub || vendor_sort != NULL;
}

static workspace allocate_workspace(size_t n)
{
  workspace work;
  size_t n_table = (tiles_for(n, SORT_TILE) + 8) * 256;
  size_t bytes = scan_work_bytes(n_table > n ? n_table : n);
  size_t cub_bytes = vendor_sort_bytes ? vendor_sort_bytes(n) : 0;
  n_table = n_table > n ? n_table : n;
  CUDA_CHECK(cudaMalloc(&work.d_other, n * sizeof(unsigned)));
  CUDA_CHECK(cudaMalloc(&work.d_table, n_table * sizeof(unsigned)));
  CUDA_CHECK(cudaMalloc(&work.d_states,
                        bytes > cub_bytes ? bytes : cub_bytes));
  poison_device(work.d_other, n * sizeof(unsigned));
  poison_device(work.d_table, n_table * sizeof(unsigned));
  return work;
}

static void free_workspace(workspace *work)
{
  CUDA_CHECK(cudaFree(work->d_other));
  CUDA_CHECK(cudaFree(work->d_table));
  CUDA_CHECK(cudaFree(work->d_states));
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
  char what[64];
  snprintf(what, sizeof what, "%s, %zu", v->name, n);
  size_t n_bytes = n * sizeof(unsigned);
  char *h_out = (char *)malloc(n_bytes + GUARD_BYTES);
  unsigned *d_in, *d_out;
  CUDA_CHECK(cudaMalloc(&d_in, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_out, n_bytes + GUARD_BYTES));
  workspace work = allocate_workspace(n);
  CUDA_CHECK(cudaMemcpy(d_in, h_in, n_bytes, cudaMemcpyHostToDevice));
  poison_device(d_out, n_bytes + GUARD_BYTES);
  v->sort(d_out, d_in, n, &work);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_out, d_out, n_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  int good = compare_ints(what, (const int *)h_expected, (int *)h_out, n) &&
             compare_guard(what, h_out + n_bytes, GUARD_BYTES);
  free_workspace(&work);
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  free(h_out);
  return good;
}

/* Random keys, and keys of which most are the same. */
static int check_size(const options *o, random_source *source, size_t n,
                      int few)
{
  int n_bad = 0;
  unsigned *h_in = allocate(n), *h_expected = allocate(n);
  random_fill_bytes(source, h_in, n * sizeof(unsigned));
  for (size_t i = 0; few && i < n; i++)
    h_in[i] = h_in[i] % 64 ? ALL_LANES : h_in[i];
  memcpy(h_expected, h_in, n * sizeof(unsigned));
  sort_reference(h_expected, n);
  for (int i = 0; i < N_VERSIONS; i++)
    if (options_wants(o, versions[i].name) && is_here(&versions[i]))
      n_bad += !check_version(&versions[i], h_in, h_expected, n);
  free(h_in);
  free(h_expected);
  return n_bad;
}

static int check_versions(const options *o)
{
  static const size_t sizes[] = {1, 33, 5119, 5120, 5121, 30001};
  random_source source = random_from_seed(o->seed);
  int n_bad = 0;
  if (o->check && o->n_sizes > 0)
    n_bad += check_size(o, &source, o->size[0], 0);
  else
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
      n_bad += check_size(o, &source, sizes[i], 0) +
               check_size(o, &source, sizes[i], 1);
  if (!device_is_software())
    n_bad += check_size(o, &source, ((size_t)1 << 20) + 5, 0);
  if (n_bad == 0)
    fprintf(options_remarks(o),
            "every version agrees with the reference (--seed %llu)\n",
            (unsigned long long)o->seed);
  return n_bad;
}

/* ---- measuring ------------------------------------------------------- */

/* Random ones. */
__global__ void fill_keys(unsigned *keys, size_t n, unsigned long long seed)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long z = (i + seed) * 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  if (i < n)
    keys[i] = (unsigned)(z ^ (z >> 31));
}

static timing time_version(const version *v, unsigned *d_out,
                           const unsigned *d_in, size_t n,
                           const workspace *work, int repetitions)
{
  timing t = timing_start(repetitions);
  while (timing_next(&t)) {
    v->sort(d_out, d_in, n, work);
    CUDA_CHECK_LAUNCH();
  }
  return t;
}

static void each_version(const options *o, size_t n, int timed)
{
  unsigned *d_in, *d_out;
  CUDA_CHECK(cudaMalloc(&d_in, n * sizeof(unsigned)));
  CUDA_CHECK(cudaMalloc(&d_out, n * sizeof(unsigned)));
  workspace work = allocate_workspace(n);
  fill_keys<<<(unsigned)tiles_for(n, BLOCK_THREADS), BLOCK_THREADS>>>(
      d_in, n, o->seed);
  CUDA_CHECK_LAUNCH();
  double cub_us = 0.0;
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    if (!options_wants(o, v->name) || !is_here(v) ||
        (!timed && v->sort == sort_cub))
      continue;
    if (!timed) {
      v->sort(d_out, d_in, n, &work);
      CUDA_CHECK_LAUNCH();
      printf("%s,%zu,%d\n", v->name, n, v->n_passes);
      continue;
    }
    timing t = time_version(v, d_out, d_in, n, &work, o->repetitions);
    if (v->sort == sort_cub)
      cub_us = t.median_us;
    double keys_per_ns = (double)n / t.median_us * 1e-3;
    if (o->csv)
      printf("%s,%d,%zu,%zu,%d,%.3f,%.3f,%.3f,%.4f\n", v->name, v->n_passes,
             n, sizeof(unsigned), t.repetitions, t.median_us, t.spread_us,
             keys_per_ns, cub_us / t.median_us);
    else
      printf("%-14s %12zu %12.2f %10.2f %7.1f%%\n", v->name, n, t.median_us,
             keys_per_ns, 100.0 * cub_us / t.median_us);
    fflush(stdout);
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  free_workspace(&work);
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "sorts whole numbers", "sort",
                            "versions");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  double elem_bytes = 5.5 * sizeof(unsigned);
  if (o.count) {
    printf("version,n_elems,n_passes\n");
    each_version(&o, memory_length(&o, (size_t)1 << 16, elem_bytes), 0);
    return EXIT_SUCCESS;
  }
  if (check_versions(&o) > 0)
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  if (o.csv)
    printf("version,n_passes,n_elems,element_bytes,repetitions,time_us,"
           "time_spread_us,keys_per_ns,share_of_cub\n");
  else
    printf("%-14s %12s %12s %10s %8s\n", "version", "keys", "median us",
           "keys/ns", "of CUB");
  each_version(&o, memory_length(&o, (size_t)1 << 27, elem_bytes), 1);
  return EXIT_SUCCESS;
}
