/* The heat equation on several GPUs. The plate is cut into bands of rows, one
 * per GPU, and after every step each band needs the row next to it. The
 * versions differ only in how that row, the halo, gets there. */
#include <cuda/atomic>
#include <stdio.h>
#include <stdlib.h>

#include "common/memory.h"
#include "common/options.h"
#include "common/timing.h"
#include "multi_gpu/gpus.h"
#include "multi_gpu/rows.h"

enum { CHECK_STEPS = 7 };

/* ---- the bands ---- */

// begin band
/* Part of the plate: rows 1 to n_rows are the band's own. Row 0 and row
 * n_rows + 1 are its halo, or the plate's edge. */
typedef struct {
  float *d_grid[2];           /* input and output take turns */
  int *d_flags[2];            /* for the versions with flags: above, below */
  size_t n_rows, columns;
  size_t first;               /* row of the plate that is the band's row 0 */
  cudaStream_t work, edges;
  cudaEvent_t done[2], edges_done[2], sent[2];  /* of even and odd steps */
} band;
// end band

static void compute(const band *b, int step, size_t first, size_t end,
                    cudaStream_t stream)
{
  launch_rows(b->d_grid[(step + 1) % 2], b->d_grid[step % 2], b->columns,
              first, end, stream);
}

/* ---- the halo by copies ---- */

// begin send
/* The band's first and last own row, of the step's output, to the neighbours'
 * halos. A copy to a neighbour is queued in the sender's stream. */
static void send_halos(const band *bands, int gpu, int n_gpus, int step,
                       cudaStream_t stream)
{
  const band *b = &bands[gpu];
  size_t n_bytes = b->columns * sizeof(float);
  int out = (step + 1) % 2;
  if (gpu > 0) {
    const band *above = &bands[gpu - 1];
    CUDA_CHECK(cudaMemcpyAsync(
        above->d_grid[out] + (above->n_rows + 1) * b->columns,
        b->d_grid[out] + b->columns, n_bytes, cudaMemcpyDefault, stream));
  }
  if (gpu + 1 < n_gpus) {
    const band *below = &bands[gpu + 1];
    CUDA_CHECK(cudaMemcpyAsync(
        below->d_grid[out], b->d_grid[out] + b->n_rows * b->columns, n_bytes,
        cudaMemcpyDefault, stream));
  }
}
// end send

/* `stream` goes on when both neighbours have sent what they computed in the
 * step before this one. */
// begin wait
static void wait_for_neighbours(const band *bands, int gpu, int n_gpus,
                                int step, cudaStream_t stream)
{
  if (step == 0)
    return;
  if (gpu > 0)
    CUDA_CHECK(cudaStreamWaitEvent(stream, bands[gpu - 1].sent[(step + 1) % 2],
                                   0));
  if (gpu + 1 < n_gpus)
    CUDA_CHECK(cudaStreamWaitEvent(stream, bands[gpu + 1].sent[(step + 1) % 2],
                                   0));
}
// end wait

// begin copies
static void step_copies(const band *bands, int gpu, int n_gpus, int step)
{
  const band *b = &bands[gpu];
  wait_for_neighbours(bands, gpu, n_gpus, step, b->work);
  compute(b, step, 1, b->n_rows + 1, b->work);
  send_halos(bands, gpu, n_gpus, step, b->work);
  CUDA_CHECK(cudaEventRecord(b->sent[step % 2], b->work));
}
// end copies

// begin overlap
/* The two outermost rows go first, in a stream of their own. While they
 * travel, the stream `work` computes everything else. */
static void step_overlap(const band *bands, int gpu, int n_gpus, int step)
{
  const band *b = &bands[gpu];
  int now = step % 2, before = (step + 1) % 2;
  wait_for_neighbours(bands, gpu, n_gpus, step, b->edges);
  if (step > 0) {
    CUDA_CHECK(cudaStreamWaitEvent(b->edges, b->done[before], 0));
    CUDA_CHECK(cudaStreamWaitEvent(b->work, b->edges_done[before], 0));
  }
  compute(b, step, 1, 2, b->edges);
  if (b->n_rows > 1)
    compute(b, step, b->n_rows, b->n_rows + 1, b->edges);
  CUDA_CHECK(cudaEventRecord(b->edges_done[now], b->edges));
  send_halos(bands, gpu, n_gpus, step, b->edges);
  CUDA_CHECK(cudaEventRecord(b->sent[now], b->edges));
  compute(b, step, 2, b->n_rows, b->work);
  CUDA_CHECK(cudaEventRecord(b->done[now], b->work));
}
// end overlap

/* ---- the halo by stores ---- */

// begin push
/* One row at the band's edge, also stored where the neighbour will look for
 * it: `halo` is a row in the memory of another GPU, or NULL at the plate's
 * edge. */
__device__ static void push_row(float *out, const float *in, size_t columns,
                                size_t row, float r, float *halo)
{
  size_t column = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (column == 0 || column + 1 >= columns)
    return;
  const float *at = in + row * columns + column;
  float value = heat_point(at[0], at[-(ptrdiff_t)columns], at[columns], at[-1],
                           at[1], r);
  out[row * columns + column] = value;
  if (halo)
    halo[column] = value;
}

/* The first two rows of blocks have the band's first and last row. They are
 * scheduled first, so that their results leave as early as possible. */
__global__ void heat_push(float *out, const float *in, size_t columns,
                          size_t n_rows, float r, float *above, float *below)
{
  if (blockIdx.y == 0) {
    push_row(out, in, columns, 1, r, above);
  } else if (blockIdx.y == 1) {
    push_row(out, in, columns, n_rows, r, below);
  } else {
    size_t row = 2 + (size_t)(blockIdx.y - 2) * ROWS_EACH;
    size_t last = row + ROWS_EACH < n_rows ? row + ROWS_EACH : n_rows;
    march(out, in, columns, row, last, r);
  }
}
// end push

/* Two rows of blocks for the edges, and the rest for what is between. */
static dim3 blocks_with_edges(const band *b)
{
  dim3 blocks = blocks_for(b->n_rows > 2 ? b->n_rows - 2 : 0, b->columns);
  blocks.y += 2;
  return blocks;
}

static float *halo_above(const band *bands, int gpu, int step)
{
  if (gpu == 0)
    return NULL;
  const band *above = &bands[gpu - 1];
  return above->d_grid[(step + 1) % 2] + (above->n_rows + 1) * above->columns;
}

static float *halo_below(const band *bands, int gpu, int n_gpus, int step)
{
  return gpu + 1 < n_gpus ? bands[gpu + 1].d_grid[(step + 1) % 2] : NULL;
}

// begin stores
static void step_stores(const band *bands, int gpu, int n_gpus, int step)
{
  const band *b = &bands[gpu];
  wait_for_neighbours(bands, gpu, n_gpus, step, b->work);
  heat_push<<<blocks_with_edges(b), BLOCK_THREADS, 0, b->work>>>(
      b->d_grid[(step + 1) % 2], b->d_grid[step % 2], b->columns, b->n_rows,
      HEAT_R, halo_above(bands, gpu, step),
      halo_below(bands, gpu, n_gpus, step));
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaEventRecord(b->sent[step % 2], b->work));
}
// end stores

/* ---- flags instead of events ---- */

// begin flags
/* What a block at the band's edge waits for, and whom it tells. One flag per
 * block: how many steps the block across the border has finished. */
typedef struct {
  float *halo;                /* the neighbour's halo row, or NULL */
  int *own_flags, *their_flags;
} border;

using flag = cuda::atomic_ref<int, cuda::thread_scope_system>;

__device__ static void wait_for_block(border side, int step)
{
  if (threadIdx.x == 0)
    while (flag(side.own_flags[blockIdx.x]).load(
               cuda::memory_order_acquire) < step)
      ;
  __syncthreads();
}

__device__ static void tell_block(border side, int step)
{
  __syncthreads();
  if (threadIdx.x == 0)
    flag(side.their_flags[blockIdx.x]).store(step + 1,
                                             cuda::memory_order_release);
}

/* As heat_push; the blocks at the edges also wait and tell. The only row of a
 * band has both borders, so one block waits for both and tells both. */
__global__ void heat_flags(float *out, const float *in, size_t columns,
                           size_t n_rows, float r, border above,
                           border below, int step)
{
  if (blockIdx.y < 2) {
    border side = blockIdx.y == 0 ? above : below;
    border other = {NULL, NULL, NULL};
    if (n_rows == 1 && blockIdx.y == 1)
      return;
    if (n_rows == 1)
      other = below;
    if (side.halo)
      wait_for_block(side, step);
    if (other.halo)
      wait_for_block(other, step);
    push_row(out, in, columns, blockIdx.y == 0 ? 1 : n_rows, r, side.halo);
    if (other.halo)
      push_row(out, in, columns, 1, r, other.halo);
    if (side.halo)
      tell_block(side, step);
    if (other.halo)
      tell_block(other, step);
  } else {
    size_t row = 2 + (size_t)(blockIdx.y - 2) * ROWS_EACH;
    size_t last = row + ROWS_EACH < n_rows ? row + ROWS_EACH : n_rows;
    march(out, in, columns, row, last, r);
  }
}
// end flags

// begin step_flags
static void step_flags(const band *bands, int gpu, int n_gpus, int step)
{
  const band *b = &bands[gpu];
  border above = {halo_above(bands, gpu, step), b->d_flags[0], NULL};
  border below = {halo_below(bands, gpu, n_gpus, step), b->d_flags[1], NULL};
  if (above.halo)
    above.their_flags = bands[gpu - 1].d_flags[1];
  if (below.halo)
    below.their_flags = bands[gpu + 1].d_flags[0];
  heat_flags<<<blocks_with_edges(b), BLOCK_THREADS, 0, b->work>>>(
      b->d_grid[(step + 1) % 2], b->d_grid[step % 2], b->columns, b->n_rows,
      HEAT_R, above, below, step);
  CUDA_CHECK_LAUNCH();
}
// end step_flags

typedef struct {
  const char *name;
  const char *idea;
  void (*step)(const band *bands, int gpu, int n_gpus, int step);
} version;

static const version versions[] = {
  {"copies", "compute a step, copy the halos, next step", step_copies},
  {"overlap", "edge rows first; they travel while the rest is computed",
   step_overlap},
  {"stores", "the kernel stores into the neighbours' halos", step_stores},
  {"flags", "the same; blocks wait for blocks, and no GPU for a GPU",
   step_flags},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

// begin run
/* The launches of all GPUs take turns, step by step. None of them waits for
 * the host, so the host is always some steps ahead. */
static void run_steps(const version *v, const band *bands, int n_gpus,
                      int first_step, int n_steps)
{
  for (int step = first_step; step < first_step + n_steps; step++)
    for (int gpu = 0; gpu < n_gpus; gpu++) {
      CUDA_CHECK(cudaSetDevice(gpu));
      v->step(bands, gpu, n_gpus, step);
    }
}
// end run

/* ---- setting up ---- */

static void make_events(cudaEvent_t events[2])
{
  for (int i = 0; i < 2; i++)
    CUDA_CHECK(cudaEventCreateWithFlags(&events[i], cudaEventDisableTiming));
}

static void free_events(cudaEvent_t events[2])
{
  for (int i = 0; i < 2; i++)
    CUDA_CHECK(cudaEventDestroy(events[i]));
}

/* Band `gpu` of n_gpus, as equal as they can be, on its GPU. */
static band band_new(size_t rows, size_t columns, int gpu, int n_gpus)
{
  band b;
  size_t inner = rows - 2, n = (size_t)n_gpus, k = (size_t)gpu;
  size_t n_flags = blocks_for(1, columns).x;
  int least, greatest;
  CUDA_CHECK(cudaSetDevice(gpu));
  CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  b.first = inner * k / n;
  b.n_rows = inner * (k + 1) / n - b.first;
  b.columns = columns;
  for (int i = 0; i < 2; i++) {
    CUDA_CHECK(cudaMalloc(&b.d_grid[i],
                          (b.n_rows + 2) * columns * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&b.d_flags[i], n_flags * sizeof(int)));
    CUDA_CHECK(cudaMemset(b.d_flags[i], 0, n_flags * sizeof(int)));
  }
  CUDA_CHECK(cudaStreamCreateWithFlags(&b.work, cudaStreamNonBlocking));
  CUDA_CHECK(cudaStreamCreateWithPriority(&b.edges, cudaStreamNonBlocking,
                                          greatest));
  make_events(b.done);
  make_events(b.edges_done);
  make_events(b.sent);
  return b;
}

static void band_fill(const band *b, const float *h_start)
{
  for (int i = 0; i < 2; i++)
    CUDA_CHECK(cudaMemcpy(b->d_grid[i], h_start + b->first * b->columns,
                          (b->n_rows + 2) * b->columns * sizeof(float),
                          cudaMemcpyHostToDevice));
}

static void band_free(band *b, int gpu)
{
  CUDA_CHECK(cudaSetDevice(gpu));
  for (int i = 0; i < 2; i++) {
    CUDA_CHECK(cudaFree(b->d_grid[i]));
    CUDA_CHECK(cudaFree(b->d_flags[i]));
  }
  CUDA_CHECK(cudaStreamDestroy(b->work));
  CUDA_CHECK(cudaStreamDestroy(b->edges));
  free_events(b->done);
  free_events(b->edges_done);
  free_events(b->sent);
}

/* ---- check ---- */

/* All inner rows of the plate, and the ring around them from the start: only
 * what a band computed itself counts, its halo does not. */
static void collect(const band *bands, int n_gpus, int step, float *h_got)
{
  for (int gpu = 0; gpu < n_gpus; gpu++) {
    const band *b = &bands[gpu];
    CUDA_CHECK(cudaSetDevice(gpu));
    CUDA_CHECK(cudaMemcpy(h_got + (b->first + 1) * b->columns,
                          b->d_grid[step % 2] + b->columns,
                          b->n_rows * b->columns * sizeof(float),
                          cudaMemcpyDeviceToHost));
  }
}

static int check_case(const version *v, random_source *source, size_t rows,
                      size_t columns, int n_gpus)
{
  band bands[MAX_GPUS];
  char what[96];
  float *h_start = heat_allocate(rows, columns);
  heat_random(h_start, rows, columns, source);
  float *h_expected = heat_reference(h_start, rows, columns, HEAT_R,
                                     CHECK_STEPS);
  for (int gpu = 0; gpu < n_gpus; gpu++) {
    bands[gpu] = band_new(rows, columns, gpu, n_gpus);
    band_fill(&bands[gpu], h_start);
  }
  gpus_synchronize(n_gpus);
  run_steps(v, bands, n_gpus, 0, CHECK_STEPS);
  gpus_synchronize(n_gpus);
  collect(bands, n_gpus, CHECK_STEPS, h_start);
  for (int gpu = 0; gpu < n_gpus; gpu++)
    band_free(&bands[gpu], gpu);
  snprintf(what, sizeof what, "%s, %zu x %zu, GPUs: %d", v->name, rows,
           columns, n_gpus);
  int right = heat_check(what, h_expected, h_start, rows, columns);
  free(h_start);
  free(h_expected);
  return right;
}

/* Plates of one row per GPU and of many, with one block column and with
 * several, on one GPU, on two, and so on up to all of them. */
static int check(const options *o)
{
  static const size_t sizes[][2] = {{3, 3}, {10, 40}, {18, 33}, {19, 258},
                                    {70, 300}, {131, 600}};
  enum { N_SIZES = sizeof sizes / sizeof sizes[0] };
  random_source source = random_from_seed(o->seed);
  int n_gpus = gpus_count(), right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    for (int n = 1; n <= n_gpus; n = gpus_next(n, n_gpus))
      for (int s = 0; s < N_SIZES && options_wants(o, versions[k].name); s++)
        if (sizes[s][0] - 2 >= (size_t)n)
          right &= check_case(&versions[k], &source, sizes[s][0],
                              sizes[s][1], n);
  fprintf(options_remarks(o), "check: %d sizes on up to %d GPUs, seed %llu: "
          "%s\n", N_SIZES, n_gpus, (unsigned long long)o->seed,
          right ? "all right" : "WRONG");
  return right;
}

/* ---- measurement ---- */

enum { MAX_REPETITIONS = 1000 };

/* Microseconds per step, by the host's clock over many steps. */
static timing time_steps(const version *v, size_t rows, size_t columns,
                         int n_gpus, int repetitions)
{
  static double us[MAX_REPETITIONS];
  band bands[MAX_GPUS];
  timing t = {};
  double points = (double)rows * (double)columns;
  int n_steps = points > 1e8 ? 60 : points > 1e7 ? 200 : 400, step = 0;
  for (int gpu = 0; gpu < n_gpus; gpu++) {
    bands[gpu] = band_new(rows, columns, gpu, n_gpus);
    fill_grids(bands[gpu].d_grid, (bands[gpu].n_rows + 2) * columns);
  }
  for (int pass = -1; pass < repetitions; pass++, step += n_steps) {
    gpus_synchronize(n_gpus);
    double start = timing_host_us();
    run_steps(v, bands, n_gpus, step, n_steps);
    gpus_synchronize(n_gpus);
    if (pass >= 0)
      us[pass] = (timing_host_us() - start) / n_steps;
  }
  for (int gpu = 0; gpu < n_gpus; gpu++)
    band_free(&bands[gpu], gpu);
  t.repetitions = repetitions;
  timing_summarise(&t, us, repetitions);
  return t;
}

static void print_row(const char *name, int n_gpus, size_t rows,
                      size_t columns, timing t, double one_us)
{
  printf("%s,%d,%zu,%zu,%d,%.3f,%.3f,%.2f,%.4f\n", name, n_gpus, rows,
         columns, t.repetitions, t.median_us, t.spread_us,
         (double)(rows - 2) * (double)(columns - 2) / t.median_us * 1e-3,
         one_us / t.median_us);
}

static const char head[] =
    "version,n_gpus,rows,columns,repetitions,step_us,spread_us,"
    "gpoints_per_s,";

/* Strong scaling: one plate, cut into more and more bands.
 * Weak scaling: the plate grows with the number of GPUs. */
static void measure(const options *o, int is_weak)
{
  int n_gpus = gpus_need(2);
  int repetitions = o->repetitions < 9 ? o->repetitions : 9;
  size_t largest = memory_side(o, 32768, 2 * sizeof(float));
  size_t smallest = is_weak ? 4096 : 512;
  printf("%s%s\n", head, is_weak ? "efficiency" : "speed_up");
  for (size_t side = smallest; side <= largest; side *= 2) {
    timing one = time_steps(&versions[0], side, side, 1, repetitions);
    print_row("one", 1, side, side, one, one.median_us);
    for (int k = 0; k < N_VERSIONS; k++)
      for (int n = 2; n <= n_gpus && options_wants(o, versions[k].name);
           n = gpus_next(n, n_gpus)) {
        size_t rows = is_weak ? (side - 2) * (size_t)n + 2 : side;
        print_row(versions[k].name, n, rows, side,
                  time_steps(&versions[k], rows, side, n, repetitions),
                  one.median_us);
      }
  }
}

static void print_times(const options *o)
{
  size_t side = memory_side(o, 16384, 2 * sizeof(float));
  int n_gpus = gpus_count();
  timing_print_head();
  for (int k = 0; k < N_VERSIONS; k++)
    for (int n = 1; n <= n_gpus && options_wants(o, versions[k].name);
         n = gpus_next(n, n_gpus)) {
      char name[32];
      snprintf(name, sizeof name, "%s, GPUs: %d", versions[k].name, n);
      timing_print_row(name, time_steps(&versions[k], side, side, n, 7),
                       2.0 * sizeof(float) * (double)side * (double)side);
    }
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "the heat equation on several GPUs",
                            "strong,weak", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.n_sizes > 1 || (o.n_sizes == 1 && o.size[0] < 18))
    options_fail(&o, "--size must be one number, at least 18");
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  gpus_connect(gpus_count());
  if (!check(&o))
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  if (o.csv)
    measure(&o, strcmp(o.csv, "weak") == 0);
  else
    print_times(&o);
  return EXIT_SUCCESS;
}
