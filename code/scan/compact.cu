/* Stream compaction: the elements below a limit, and no others. */
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
  TILE = BLOCK_THREADS / WARP_THREADS * ROWS * ROW    /* elements */
};

static size_t compact_reference(unsigned *out, const unsigned *in, size_t n,
                                unsigned limit)
{
  size_t n_kept = 0;
  for (size_t i = 0; i < n; i++)
    if (in[i] < limit)
      out[n_kept++] = in[i];
  return n_kept;
}

// begin counter
__global__ void compact_counter(unsigned *out, unsigned *kept,
                                const unsigned *in, size_t n, unsigned limit)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] < limit)
    out[atomicAdd(kept, 1u)] = in[i];
}
// end counter

// begin counter_per_warp
__global__ void compact_counter_per_warp(unsigned *out, unsigned *kept,
                                         const unsigned *in, size_t n,
                                         unsigned limit)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  unsigned lane = threadIdx.x % WARP_THREADS, first = 0;
  unsigned x = i < n ? in[i] : 0;
  int wanted = i < n && x < limit;
  unsigned all = __ballot_sync(ALL_LANES, wanted);
  if (lane == 0 && all != 0)
    first = atomicAdd(kept, (unsigned)__popc(all));
  first = __shfl_sync(ALL_LANES, first, 0);
  if (wanted)
    out[first + __popc(all & ((1u << lane) - 1))] = x;
}
// end counter_per_warp

// begin scan_flags
__global__ void set_flags(unsigned *flags, const unsigned *in, size_t n,
                          unsigned limit)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    flags[i] = in[i] < limit;
}

__global__ void compact_to(unsigned *out, unsigned *kept, const unsigned *in,
                           size_t n, unsigned limit, const unsigned *places)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned x = in[i];
  if (x < limit)
    out[places[i]] = x;
  if (i == n - 1)
    *kept = places[i] + (x < limit);
}
// end scan_flags

/* A flag for each of the lane's elements, instead of the elements. */
static __device__ void flag_rows(lane_rows<ROWS> *flags,
                                 const lane_rows<ROWS> *mine, size_t at,
                                 size_t n, unsigned limit)
{
  for (int r = 0; r < ROWS; r++) {
    size_t i = at + r * ROW;
    flags->x[r].x = i < n && mine->x[r].x < limit;
    flags->x[r].y = i + 1 < n && mine->x[r].y < limit;
    flags->x[r].z = i + 2 < n && mine->x[r].z < limit;
    flags->x[r].w = i + 3 < n && mine->x[r].w < limit;
  }
}

/* The flagged elements, each after all those flagged before it. */
static __device__ void keep_rows(unsigned *out, const lane_rows<ROWS> *mine,
                                 const lane_rows<ROWS> *flags, unsigned before)
{
  for (int r = 0; r < ROWS; r++) {
    unsigned at = before + flags->start[r];
    if (flags->x[r].x)
      out[at++] = mine->x[r].x;
    if (flags->x[r].y)
      out[at++] = mine->x[r].y;
    if (flags->x[r].z)
      out[at++] = mine->x[r].z;
    if (flags->x[r].w)
      out[at++] = mine->x[r].w;
  }
}

// begin one_pass
__global__ void compact_one_pass(unsigned *out, unsigned *kept,
                                 const unsigned *in, size_t n,
                                 unsigned limit, one_pass *work)
{
  __shared__ unsigned warp_sums[BLOCK_THREADS / WARP_THREADS], tiles_before;
  unsigned tile = take_ticket(&work->next_tile);
  lane_rows<ROWS> mine, flags;
  size_t at = first_of_lane<ROWS>(tile);
  load_rows(&mine, in, at, n);
  flag_rows(&flags, &mine, at, n, limit);
  unsigned sum = scan_rows(&flags), total;
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
      if (tile == gridDim.x - 1)
        *kept = known + total;
    }
  }
  __syncthreads();
  keep_rows(out, &mine, &flags, tiles_before + before);
}
// end one_pass

// begin staged
__global__ void compact_staged(unsigned *out, unsigned *kept,
                               const unsigned *in, size_t n,
                               unsigned limit, one_pass *work)
{
  __shared__ unsigned warp_sums[BLOCK_THREADS / WARP_THREADS], tiles_before;
  __shared__ unsigned stage[TILE];
  unsigned tile = take_ticket(&work->next_tile);
  lane_rows<ROWS> mine, flags;
  size_t at = first_of_lane<ROWS>(tile);
  load_rows(&mine, in, at, n);
  flag_rows(&flags, &mine, at, n, limit);
  unsigned sum = scan_rows(&flags), total;
  if (threadIdx.x % WARP_THREADS == 0)
    warp_sums[threadIdx.x / WARP_THREADS] = sum;
  __syncthreads();
  unsigned before = warps_before(warp_sums, &total);
  if (threadIdx.x == 0)
    tell(&work->states[tile], OWN_SUM, total);
  keep_rows(stage, &mine, &flags, before);
  if (threadIdx.x < WARP_THREADS) {
    unsigned known = look_back(work->states, tile);
    if (threadIdx.x == 0) {
      tell(&work->states[tile], SUM_TO_HERE, known + total);
      tiles_before = known;
      if (tile == gridDim.x - 1)
        *kept = known + total;
    }
  }
  __syncthreads();
  for (unsigned k = threadIdx.x; k < total; k += BLOCK_THREADS)
    out[tiles_before + k] = stage[k];
}
// end staged

/* ---- the versions ---------------------------------------------------- */

/* Flags and their scan, and the states of tiles; or CUB's own. */
typedef struct {
  unsigned *d_flags;
  void *d_states;
} workspace;

typedef struct {
  const char *name;
  const char *idea;
  int in_order, n_launches;
  void (*launch)(unsigned *d_out, unsigned *d_kept, const unsigned *d_in,
                 size_t n, unsigned limit, const workspace *work);
} version;

static unsigned blocks_for(size_t n)
{
  return (unsigned)tiles_for(n, BLOCK_THREADS);
}

static void launch_counter(unsigned *d_out, unsigned *d_kept,
                           const unsigned *d_in, size_t n, unsigned limit,
                           const workspace *)
{
  CUDA_CHECK(cudaMemsetAsync(d_kept, 0, sizeof *d_kept));
  compact_counter<<<blocks_for(n), BLOCK_THREADS>>>(d_out, d_kept, d_in, n,
                                                    limit);
}

static void launch_counter_per_warp(unsigned *d_out, unsigned *d_kept,
                                    const unsigned *d_in, size_t n,
                                    unsigned limit, const workspace *)
{
  CUDA_CHECK(cudaMemsetAsync(d_kept, 0, sizeof *d_kept));
  compact_counter_per_warp<<<blocks_for(n), BLOCK_THREADS>>>(
      d_out, d_kept, d_in, n, limit);
}

static void launch_scan_flags(unsigned *d_out, unsigned *d_kept,
                              const unsigned *d_in, size_t n, unsigned limit,
                              const workspace *work)
{
  unsigned *d_flags = work->d_flags;
  set_flags<<<blocks_for(n), BLOCK_THREADS>>>(d_flags, d_in, n, limit);
  launch_scan(d_flags, d_flags, n, work->d_states);
  compact_to<<<blocks_for(n), BLOCK_THREADS>>>(d_out, d_kept, d_in, n, limit,
                                               d_flags);
}

static void launch_compact_one_pass(unsigned *d_out, unsigned *d_kept,
                                    const unsigned *d_in, size_t n,
                                    unsigned limit, const workspace *work)
{
  size_t n_tiles = tiles_for(n, TILE);
  one_pass *states = (one_pass *)work->d_states;
  zero_states(states, n_tiles);
  compact_one_pass<<<(unsigned)n_tiles, BLOCK_THREADS>>>(
      d_out, d_kept, d_in, n, limit, states);
}

static void launch_staged(unsigned *d_out, unsigned *d_kept,
                          const unsigned *d_in, size_t n, unsigned limit,
                          const workspace *work)
{
  size_t n_tiles = tiles_for(n, TILE);
  one_pass *states = (one_pass *)work->d_states;
  zero_states(states, n_tiles);
  compact_staged<<<(unsigned)n_tiles, BLOCK_THREADS>>>(
      d_out, d_kept, d_in, n, limit, states);
}

static void launch_cub(unsigned *d_out, unsigned *d_kept,
                       const unsigned *d_in, size_t n, unsigned limit,
                       const workspace *work)
{
  vendor_select(d_out, d_kept, d_in, n, limit, work->d_states);
}

static const version versions[] = {
  {"cub", "the vendor's, out of CUB", 1, 1, launch_cub},
  {"counter", "each element asks one counter for its place", 0, 1,
   launch_counter},
  {"counter_per_warp", "each warp asks for all of its lanes", 0, 1,
   launch_counter_per_warp},
  {"scan_flags", "flags, their scan, then move", 1, 3, launch_scan_flags},
  {"one_pass", "flags are scanned while they are in registers", 1, 1,
   launch_compact_one_pass},
  {"staged", "through shared memory, so that stores are whole", 1, 1,
   launch_staged},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static int is_here(const version *v)
{
  return v->launch != launch_cub || vendor_select != NULL;
}

static workspace allocate_workspace(size_t n)
{
  workspace work;
  size_t bytes = scan_work_bytes(n);
  size_t cub_bytes = vendor_select_bytes ? vendor_select_bytes(n) : 0;
  CUDA_CHECK(cudaMalloc(&work.d_flags, n * sizeof(unsigned)));
  CUDA_CHECK(cudaMalloc(&work.d_states,
                        bytes > cub_bytes ? bytes : cub_bytes));
  poison_device(work.d_flags, n * sizeof(unsigned));
  return work;
}

static void free_workspace(workspace *work)
{
  CUDA_CHECK(cudaFree(work->d_flags));
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

static int by_value(const void *a, const void *b)
{
  unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
  return (x > y) - (x < y);
}

static int check_version(const version *v, const unsigned *h_in, size_t n,
                         unsigned limit)
{
  char what[80];
  snprintf(what, sizeof what, "%s, %zu below %u", v->name, n, limit);
  unsigned *h_expected = allocate(n), *h_out = allocate(n), *d_in, *d_out;
  int expected = (int)compact_reference(h_expected, h_in, n, limit), kept;
  char h_guard[GUARD_BYTES];
  size_t out_bytes = (size_t)expected * sizeof(unsigned);
  CUDA_CHECK(cudaMalloc(&d_in, n * sizeof(unsigned)));
  CUDA_CHECK(cudaMalloc(&d_out, out_bytes + GUARD_BYTES));
  unsigned *d_kept;
  CUDA_CHECK(cudaMalloc(&d_kept, sizeof *d_kept));
  workspace work = allocate_workspace(n);
  CUDA_CHECK(cudaMemcpy(d_in, h_in, n * sizeof(unsigned),
                        cudaMemcpyHostToDevice));
  poison_device(d_out, out_bytes + GUARD_BYTES);
  v->launch(d_out, d_kept, d_in, n, limit, &work);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(&kept, d_kept, sizeof kept, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(h_out, d_out, out_bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(h_guard, (char *)d_out + out_bytes, GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  if (!v->in_order) {
    qsort(h_expected, (size_t)expected, sizeof *h_expected, by_value);
    qsort(h_out, (size_t)expected, sizeof *h_out, by_value);
  }
  int good = compare_ints(what, &expected, &kept, 1) &&
             compare_ints(what, (int *)h_expected, (int *)h_out,
                          (size_t)expected) &&
             compare_guard(what, h_guard, GUARD_BYTES);
  free_workspace(&work);
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  CUDA_CHECK(cudaFree(d_kept));
  free(h_expected);
  free(h_out);
  return good;
}

/* Keeps a half of them, none, and all but very few. */
static int check_size(const options *o, random_source *source, size_t n)
{
  static const unsigned limits[] = {0x80000000u, 0, 0xfffffff0u};
  int n_bad = 0;
  unsigned *h_in = allocate(n);
  random_fill_bytes(source, h_in, n * sizeof(unsigned));
  for (int l = 0; l < 3; l++)
    for (int i = 0; i < N_VERSIONS; i++)
      if (options_wants(o, versions[i].name) && is_here(&versions[i]))
        n_bad += !check_version(&versions[i], h_in, n, limits[l]);
  free(h_in);
  return n_bad;
}

static int check_versions(const options *o)
{
  static const size_t sizes[] = {1, 31, 33, 511, 1025, 4096, 4097, 200003};
  random_source source = random_from_seed(o->seed);
  int n_bad = 0;
  if (o->check && o->n_sizes > 0)
    n_bad += check_size(o, &source, o->size[0]);
  else
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
      n_bad += check_size(o, &source, sizes[i]);
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

static timing time_version(const version *v, unsigned *d_out,
                           unsigned *d_kept, const unsigned *d_in, size_t n,
                           unsigned limit, const workspace *work,
                           int repetitions)
{
  timing t = timing_start(repetitions);
  while (timing_next(&t)) {
    v->launch(d_out, d_kept, d_in, n, limit, work);
    CUDA_CHECK_LAUNCH();
  }
  return t;
}

/* Half of the elements are kept: 4 bytes read and 2 written for each. */
static void each_version(const options *o, size_t n, int timed)
{
  unsigned *d_in, *d_out, *d_kept, limit = 0x80000000u;
  CUDA_CHECK(cudaMalloc(&d_in, n * sizeof(unsigned)));
  CUDA_CHECK(cudaMalloc(&d_out, n * sizeof(unsigned)));
  CUDA_CHECK(cudaMalloc(&d_kept, sizeof *d_kept));
  workspace work = allocate_workspace(n);
  fill_device(d_in, n, o->seed);
  double n_bytes = 1.5 * (double)n * sizeof(unsigned), cub_us = 0.0;
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    if (!options_wants(o, v->name) || !is_here(v) ||
        (!timed && v->launch == launch_cub))
      continue;
    if (!timed) {
      v->launch(d_out, d_kept, d_in, n, limit, &work);
      CUDA_CHECK_LAUNCH();
      for (int part = 1; part <= v->n_launches; part++)
        printf("%s,%d,%zu\n", v->name, part, n);
      continue;
    }
    timing t = time_version(v, d_out, d_kept, d_in, n, limit, &work,
                            o->repetitions);
    if (v->launch == launch_cub)
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
  CUDA_CHECK(cudaDeviceSynchronize());
  free_workspace(&work);
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  CUDA_CHECK(cudaFree(d_kept));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "keeps the elements below a limit",
                            "compaction", "traffic");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  double elem_bytes = 3.1 * sizeof(unsigned);
  if (o.count) {
    printf("version,part,n_elems\n");
    each_version(&o, memory_length(&o, (size_t)1 << 18, elem_bytes), 0);
    return EXIT_SUCCESS;
  }
  if (check_versions(&o) > 0)
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  if (o.csv)
    printf("version,n_elems,element_bytes,repetitions,time_us,"
           "time_spread_us,gb_per_s,share_of_cub\n");
  else
    printf("%-18s %12s %12s %10s %8s\n", "version", "elements",
           "median us", "GB/s", "of CUB");
  each_version(&o, memory_length(&o, (size_t)1 << 28, elem_bytes), 1);
  return EXIT_SUCCESS;
}
