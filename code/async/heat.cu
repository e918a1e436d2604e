/* Heat on a plate, one time step after another: a five-point stencil, with
 * the ways of bringing a tile and its halo into shared memory.
 *
 *   nvcc -arch=sm_90 -I code code/async/heat.cu -o heat && ./heat
 *
 * A step must read every point and write every point, 8 bytes in all, so a
 * copy kernel over the same grid is the ceiling for any version that goes to
 * memory at every step. Only the last version takes several steps per trip. */
#include <cuda_pipeline.h>

#include "async/tma.h"
#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/heat.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"

/* ---- kernels, each one idea further ---------------------------------- */

enum {
  TILE_ROWS = 16,
  TILE_COLUMNS = 64,
  THREAD_ROWS = 4,          /* a block has 64 × 4 threads */
  STRIP = 4,                /* tiles that a block works through, downwards */
  MARGIN = 4,               /* halo columns: 16 bytes, for whole groups */
  BOX_ROWS = TILE_ROWS + 2,
  BOX_COLUMNS = TILE_COLUMNS + 2 * MARGIN,
  BOX_BYTES = BOX_ROWS * BOX_COLUMNS * 4,
  N_STAGES = 2
};

__global__ void copy(float4 *out, const float4 *in, size_t n_groups)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n_groups)
    out[i] = in[i];
}

// begin naive
__global__ void heat_naive(float *out, const float *in, int rows, int columns,
                           float r)
{
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row > 0 && row < rows - 1 && column > 0 && column < columns - 1) {
    size_t i = (size_t)row * columns + column;
    out[i] = heat_point(in[i], in[i - columns], in[i + columns], in[i - 1],
                        in[i + 1], r);
  }
}
// end naive

// begin tile
__global__ void heat_tile(float *out, const float *in, int rows, int columns,
                          float r)
{
  __shared__ float tile[TILE_ROWS + 2][TILE_COLUMNS + 2];
  int first_row = blockIdx.y * TILE_ROWS - 1;
  int first_column = blockIdx.x * TILE_COLUMNS - 1;

  for (int y = threadIdx.y; y < TILE_ROWS + 2; y += THREAD_ROWS)
    for (int x = threadIdx.x; x < TILE_COLUMNS + 2; x += TILE_COLUMNS) {
      int row = first_row + y, column = first_column + x;
      if (row >= 0 && row < rows && column >= 0 && column < columns)
        tile[y][x] = in[(size_t)row * columns + column];
    }
  __syncthreads();

  int x = threadIdx.x + 1, column = first_column + x;
  for (int y = threadIdx.y + 1; y <= TILE_ROWS; y += THREAD_ROWS) {
    int row = first_row + y;
    if (row > 0 && row < rows - 1 && column > 0 && column < columns - 1)
      out[(size_t)row * columns + column] =
          heat_point(tile[y][x], tile[y - 1][x], tile[y + 1][x],
                     tile[y][x - 1], tile[y][x + 1], r);
  }
}
// end tile

/* The next two kernels work through a strip of tiles, one below the other,
 * and share what happens to a tile once it is there. Its box begins one row
 * above the tile and four columns to the left of it. */
// begin finish_tile
__device__ void finish_tile(float *out, const float box[BOX_ROWS][BOX_COLUMNS],
                            int first_row, int rows, int columns, float r)
{
  int x = threadIdx.x + MARGIN;
  int column = blockIdx.x * TILE_COLUMNS + threadIdx.x;
  for (int y = threadIdx.y + 1; y <= TILE_ROWS; y += THREAD_ROWS) {
    int row = first_row + y - 1;
    if (row > 0 && row < rows - 1 && column > 0 && column < columns - 1)
      out[(size_t)row * columns + column] =
          heat_point(box[y][x], box[y - 1][x], box[y + 1][x], box[y][x - 1],
                     box[y][x + 1], r);
  }
}
// end finish_tile

// begin start_copies
__device__ void start_copies(float box[BOX_ROWS][BOX_COLUMNS], const float *in,
                             int first_row, int rows, int columns)
{
  int groups = BOX_COLUMNS / 4;
  int first_column = blockIdx.x * TILE_COLUMNS - MARGIN;
  for (int i = threadIdx.y * TILE_COLUMNS + threadIdx.x;
       i < BOX_ROWS * groups; i += TILE_COLUMNS * THREAD_ROWS) {
    int y = i / groups, x = i % groups * 4;
    int row = first_row - 1 + y, column = first_column + x;
    if (row >= 0 && row < rows && column >= 0 && column < columns)
      __pipeline_memcpy_async(&box[y][x], &in[(size_t)row * columns + column],
                              16);
  }
  __pipeline_commit();
}
// end start_copies

// begin pipeline
__global__ void heat_pipeline(float *out, const float *in, int rows,
                              int columns, float r)
{
  __shared__ __align__(16) float box[N_STAGES][BOX_ROWS][BOX_COLUMNS];
  int first_row = blockIdx.y * STRIP * TILE_ROWS;

  start_copies(box[0], in, first_row, rows, columns);
  for (int i = 0; i < STRIP; i++) {
    int next_row = first_row + TILE_ROWS;
    start_copies(box[(i + 1) % 2], in, next_row, i + 1 < STRIP ? rows : 0,
                 columns);
    __pipeline_wait_prior(1);     /* all but the newest batch have come */
    __syncthreads();
    finish_tile(out, box[i % 2], first_row, rows, columns, r);
    __syncthreads();              /* before the next copies overwrite it */
    first_row = next_row;
  }
}
// end pipeline

// begin tma
__global__ void heat_tma(float *out, const __grid_constant__ CUtensorMap map,
                         int rows, int columns, float r)
{
  __shared__ __align__(128) struct {
    float points[BOX_ROWS][BOX_COLUMNS];
  } __align__(128) box[N_STAGES];
  __shared__ mbarrier full[N_STAGES];
  int first_row = blockIdx.y * STRIP * TILE_ROWS;
  int first_column = blockIdx.x * TILE_COLUMNS - MARGIN;
  int is_leader = threadIdx.x == 0 && threadIdx.y == 0;

  if (is_leader) {
    for (int i = 0; i < N_STAGES; i++)
      mbarrier_init(&full[i], 1);
    mbarrier_expect(&full[0], BOX_BYTES);
    box_load(&box[0], &map, first_row - 1, first_column, &full[0]);
  }
  __syncthreads();
  for (int i = 0; i < STRIP; i++) {
    int next_row = first_row + TILE_ROWS, to = (i + 1) % 2;
    if (is_leader && i + 1 < STRIP) {
      mbarrier_expect(&full[to], BOX_BYTES);
      box_load(&box[to], &map, next_row - 1, first_column, &full[to]);
    }
    mbarrier_wait(&full[i % 2], i / 2 % 2);
    finish_tile(out, box[i % 2].points, first_row, rows, columns, r);
    __syncthreads();              /* before the next copy overwrites it */
    first_row = next_row;
  }
}
// end tma

/* ---- several steps per trip ------------------------------------------ */

enum {
  WIDE_ROWS = 64,                /* what a block loads */
  WIDE_COLUMNS = 128,            /* 32 lanes × 4 floats */
  WIDE_BYTES = WIDE_ROWS * WIDE_COLUMNS * 4,
  N_WARPS = 8,
  WARP_ROWS = WIDE_ROWS / N_WARPS,
  MOST_STEPS = 16
};

/* How many columns are lost on each side after so many steps: a multiple of
 * four, because boxes must begin at a multiple of 16 bytes. */
__host__ __device__ static inline int lost_columns(int n_steps)
{
  return (n_steps + 3) / 4 * 4;
}

/* Four neighbouring points of one row. The outer neighbours belong to the
 * lanes on either side; beyond lanes 0 and 31 there is nothing that counts. */
// begin four_points
__device__ float4 four_points(float4 centre, float4 up, float4 down, float r)
{
  float left = __shfl_up_sync(0xffffffff, centre.w, 1);
  float right = __shfl_down_sync(0xffffffff, centre.x, 1);
  return make_float4(
      heat_point(centre.x, up.x, down.x, left, centre.y, r),
      heat_point(centre.y, up.y, down.y, centre.x, centre.z, r),
      heat_point(centre.z, up.z, down.z, centre.y, centre.w, r),
      heat_point(centre.w, up.w, down.w, centre.z, right, r));
}
// end four_points

/* Points on the boundary, and whatever lies outside of it, stay as they are. */
__device__ static float4 keep_boundary(float4 next, float4 centre, int row,
                                       int column, int rows, int columns)
{
  if (row < 1 || row > rows - 2)
    return centre;
  if (column < 1 || column > columns - 2)
    next.x = centre.x;
  if (column < 0 || column > columns - 3)
    next.y = centre.y;
  if (column < -1 || column > columns - 4)
    next.z = centre.z;
  if (column < -2 || column > columns - 5)
    next.w = centre.w;
  return next;
}

// begin step_of_tile
/* One step from one shared tile into the other. Each warp walks down its rows
 * and keeps three of them in registers, so a point is read once. */
__device__ void step_of_tile(float4 (*next)[32], const float4 (*now)[32],
                             int first_row, int column, int rows, int columns,
                             float r, int touches_boundary)
{
  int lane = threadIdx.x, y = threadIdx.y * WARP_ROWS;
  float4 up = now[y > 0 ? y - 1 : 0][lane], centre = now[y][lane];
  for (int end = y + WARP_ROWS; y < end; y++) {
    float4 down = now[y + 1 < WIDE_ROWS ? y + 1 : y][lane];
    float4 point = four_points(centre, up, down, r);
    if (touches_boundary)
      point = keep_boundary(point, centre, first_row + y, column, rows,
                            columns);
    next[y][lane] = point;
    up = centre;
    centre = down;
  }
}
// end step_of_tile

// begin steps
__global__ void heat_steps(float *out, const __grid_constant__ CUtensorMap map,
                           int rows, int columns, float r, int n_steps)
{
  extern __shared__ __align__(128) float4 tiles[][WIDE_ROWS][32];
  __shared__ mbarrier full;
  int lost = lost_columns(n_steps), lane = threadIdx.x;
  int first_row = blockIdx.y * (WIDE_ROWS - 2 * n_steps) - n_steps;
  int first_column = blockIdx.x * (WIDE_COLUMNS - 2 * lost) - lost;
  int column = first_column + 4 * lane;
  int touches_boundary = first_row < 1 || first_row + WIDE_ROWS >= rows ||
                         first_column < 1 ||
                         first_column + WIDE_COLUMNS >= columns;

  if (threadIdx.x == 0 && threadIdx.y == 0) {
    mbarrier_init(&full, 1);
    mbarrier_expect(&full, WIDE_BYTES);
    box_load(tiles[0], &map, first_row, first_column, &full);
  }
  __syncthreads();
  mbarrier_wait(&full, 0);

  for (int step = 0; step < n_steps; step++) {
    step_of_tile(tiles[(step + 1) % 2], tiles[step % 2], first_row, column,
                 rows, columns, r, touches_boundary);
    __syncthreads();
  }

  if (4 * lane < lost || 4 * lane >= WIDE_COLUMNS - lost || column >= columns)
    return;
  for (int y = n_steps + threadIdx.y; y < WIDE_ROWS - n_steps; y += N_WARPS)
    if (first_row + y < rows)
      *(float4 *)&out[(size_t)(first_row + y) * columns + column] =
          tiles[n_steps % 2][y][lane];
}
// end steps

/* ---- launchers ------------------------------------------------------- */

static unsigned blocks_for(size_t n, size_t per_block)
{
  return (unsigned)((n + per_block - 1) / per_block);
}

typedef struct {
  size_t rows, columns;
} extent;

static void launch_copy(float *d_out, const float *d_in, extent e, int n_steps)
{
  size_t n = e.rows * e.columns, n_groups = n / 4;
  (void)n_steps;
  if (n_groups > 0)
    copy<<<blocks_for(n_groups, 256), 256>>>((float4 *)d_out,
                                             (const float4 *)d_in, n_groups);
  if (n % 4 > 0)   /* the last one to three floats */
    CUDA_CHECK(cudaMemcpyAsync(d_out + 4 * n_groups, d_in + 4 * n_groups,
                               n % 4 * sizeof(float),
                               cudaMemcpyDeviceToDevice));
}

static void launch_naive(float *d_out, const float *d_in, extent e,
                         int n_steps)
{
  (void)n_steps;
  dim3 grid(blocks_for(e.columns, 64), blocks_for(e.rows, 4));
  heat_naive<<<grid, dim3(64, 4)>>>(d_out, d_in, (int)e.rows, (int)e.columns,
                                    HEAT_R);
}

static void launch_tile(float *d_out, const float *d_in, extent e, int n_steps)
{
  (void)n_steps;
  dim3 grid(blocks_for(e.columns, TILE_COLUMNS),
            blocks_for(e.rows, TILE_ROWS));
  heat_tile<<<grid, dim3(TILE_COLUMNS, THREAD_ROWS)>>>(
      d_out, d_in, (int)e.rows, (int)e.columns, HEAT_R);
}

/* Copies of 16 bytes need rows that are multiples of 16 bytes; any other
 * grid goes through the plain tile. */
static int has_whole_groups(extent e)
{
  return e.columns % 4 == 0;
}

static dim3 strips_of(extent e)
{
  return dim3(blocks_for(e.columns, TILE_COLUMNS),
              blocks_for(e.rows, TILE_ROWS * STRIP));
}

static void launch_pipeline(float *d_out, const float *d_in, extent e,
                            int n_steps)
{
  if (!has_whole_groups(e)) {
    launch_tile(d_out, d_in, e, n_steps);
    return;
  }
  heat_pipeline<<<strips_of(e), dim3(TILE_COLUMNS, THREAD_ROWS)>>>(
      d_out, d_in, (int)e.rows, (int)e.columns, HEAT_R);
}

// begin launch_tma
static void launch_tma(float *d_out, const float *d_in, extent e, int n_steps)
{
  if (!has_whole_groups(e)) {
    launch_tile(d_out, d_in, e, n_steps);
    return;
  }
  CUtensorMap map = tma_map(d_in, e.rows, e.columns, BOX_ROWS, BOX_COLUMNS,
                            CU_TENSOR_MAP_SWIZZLE_NONE);
  heat_tma<<<strips_of(e), dim3(TILE_COLUMNS, THREAD_ROWS)>>>(
      d_out, map, (int)e.rows, (int)e.columns, HEAT_R);
}
// end launch_tma

static void launch_steps(float *d_out, const float *d_in, extent e,
                         int n_steps)
{
  if (!has_whole_groups(e)) {   /* one step only: see most_steps() */
    launch_tile(d_out, d_in, e, n_steps);
    return;
  }
  CUtensorMap map = tma_map(d_in, e.rows, e.columns, WIDE_ROWS, WIDE_COLUMNS,
                            CU_TENSOR_MAP_SWIZZLE_NONE);
  dim3 grid(blocks_for(e.columns, WIDE_COLUMNS - 2 * lost_columns(n_steps)),
            blocks_for(e.rows, WIDE_ROWS - 2 * n_steps));
  CUDA_CHECK(cudaFuncSetAttribute(heat_steps,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  2 * WIDE_BYTES));
  heat_steps<<<grid, dim3(32, N_WARPS), 2 * WIDE_BYTES>>>(
      d_out, map, (int)e.rows, (int)e.columns, HEAT_R, n_steps);
}

/* ---- versions -------------------------------------------------------- */

typedef struct {
  const char *name;
  const char *idea;
  void (*launch)(float *d_out, const float *d_in, extent e, int n_steps);
  int n_steps;       /* of one launch; 0: the copy, which is the ceiling */
} version;

static const version versions[] = {
  {"copy", "16-byte copy: the ceiling", launch_copy, 0},
  {"naive", "five loads per point", launch_naive, 1},
  {"tile", "a tile with its halo in shared memory", launch_tile, 1},
  {"pipeline", "cp.async fills one tile while another is computed",
   launch_pipeline, 1},
  {"tma", "one thread asks the TMA for the box", launch_tma, 1},
  {"steps_1", "16-byte rows in registers, one step per trip", launch_steps, 1},
  {"steps_2", "two steps per trip to memory", launch_steps, 2},
  {"steps_4", "four", launch_steps, 4},
  {"steps_8", "eight", launch_steps, 8},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static int most_steps(const version *v, extent e)
{
  return has_whole_groups(e) || v->n_steps <= 1 ? v->n_steps : 1;
}

/* Runs n_steps in as few launches as the version can do with; returns the
 * grid that holds the result. */
static float *solve(const version *v, float *d_a, float *d_b, extent e,
                    int n_steps)
{
  for (int left = n_steps; left > 0;) {
    int some = most_steps(v, e) < left ? most_steps(v, e) : left;
    v->launch(d_b, d_a, e, some);
    CUDA_CHECK_LAUNCH();
    float *swap = d_a;
    d_a = d_b;
    d_b = swap;
    left -= some;
  }
  return d_a;
}

/* ---- checking -------------------------------------------------------- */

enum { CHECK_STEPS = 11 };

/* Both grids begin with the boundary; the rest of the output is poisoned, so
 * a point that no thread writes cannot look right. */
static void poison_interior(float *h_grid, const float *h_start, extent e)
{
  memcpy(h_grid, h_start, e.rows * e.columns * sizeof(float));
  for (size_t row = 1; row + 1 < e.rows; row++)
    if (e.columns > 2)
      poison_host(h_grid + row * e.columns + 1,
                  (e.columns - 2) * sizeof(float));
}

static int check_version(const version *v, extent e, const float *h_start,
                         const float *h_expected)
{
  size_t n_bytes = e.rows * e.columns * sizeof(float);
  char what[96];
  snprintf(what, sizeof what, "%s, %zu x %zu", v->name, e.rows, e.columns);
  char *h_got = (char *)malloc(n_bytes + GUARD_BYTES);
  char *d_a, *d_b;
  CUDA_CHECK(cudaMalloc(&d_a, n_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMalloc(&d_b, n_bytes + GUARD_BYTES));
  poison_device(d_a + n_bytes, GUARD_BYTES);
  poison_device(d_b + n_bytes, GUARD_BYTES);
  CUDA_CHECK(cudaMemcpy(d_a, h_start, n_bytes, cudaMemcpyHostToDevice));
  poison_interior((float *)h_got, h_start, e);
  CUDA_CHECK(cudaMemcpy(d_b, h_got, n_bytes, cudaMemcpyHostToDevice));
  char *d_result = (char *)solve(v, (float *)d_a, (float *)d_b, e,
                                 CHECK_STEPS);
  CUDA_CHECK(cudaMemcpy(h_got, d_result, n_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  int good = heat_check(what, h_expected, (float *)h_got, e.rows, e.columns) &&
             compare_guard(what, h_got + n_bytes, GUARD_BYTES);
  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
  free(h_got);
  return good;
}

static int check_size(const options *o, random_source *source, extent e)
{
  int n_bad = 0;
  float *h_start = heat_allocate(e.rows, e.columns);
  heat_random(h_start, e.rows, e.columns, source);
  float *h_expected = heat_reference(h_start, e.rows, e.columns, HEAT_R,
                                     CHECK_STEPS);
  for (int i = 0; i < N_VERSIONS; i++)
    if (versions[i].n_steps > 0 && options_wants(o, versions[i].name))
      n_bad += !check_version(&versions[i], e, h_start, h_expected);
  free(h_start);
  free(h_expected);
  return n_bad;
}

/* Sizes around those of tiles, strips and boxes; rows that are whole groups
 * of four, and rows that are not; a plate that is all boundary. */
static int check_versions(const options *o)
{
  static const extent sizes[] = {
    {1, 4}, {2, 2}, {3, 3}, {3, 8}, {17, 64}, {18, 68}, {16, 65}, {48, 112},
    {50, 113}, {63, 124}, {65, 240}, {130, 132}, {270, 60}, {300, 252},
  };
  random_source source = random_from_seed(o->seed);
  int n_bad = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    n_bad += check_size(o, &source, sizes[i]);
  if (!device_is_software())
    n_bad += check_size(o, &source, (extent){1027, 1796});
  if (n_bad == 0)
    fprintf(options_remarks(o),
            "every version agrees with the reference (--seed %llu)\n",
            (unsigned long long)o->seed);
  return n_bad;
}

/* ---- measuring ------------------------------------------------------- */

static extent extent_of(const options *o, size_t wanted)
{
  size_t side = memory_side(o, wanted, 2 * sizeof(float));
  return (extent){side, o->n_sizes > 1 ? o->size[1] : side};
}

static void allocate_pair(const options *o, float **d_a, float **d_b, extent e)
{
  size_t n = e.rows * e.columns;
  float *h_start = heat_allocate(e.rows, e.columns);
  random_source source = random_from_seed(o->seed);
  heat_random(h_start, e.rows, e.columns, &source);
  CUDA_CHECK(cudaMalloc(d_a, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(d_b, n * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(*d_a, h_start, n * sizeof(float),
                        cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(*d_b, h_start, n * sizeof(float),
                        cudaMemcpyHostToDevice));
  free(h_start);
}

static timing time_launch(const version *v, float *d_a, float *d_b, extent e,
                          int n_steps, int repetitions)
{
  timing t = timing_start(repetitions);
  while (timing_next(&t)) {
    v->launch(d_b, d_a, e, n_steps);
    CUDA_CHECK_LAUNCH();
  }
  return t;
}

/* Bytes that one step needs, as if each went to memory. */
static double step_bytes(extent e)
{
  return 2.0 * (double)(e.rows * e.columns) * sizeof(float);
}

/* Every version against the copy, in one run. */
static void measure_ladder(const options *o)
{
  extent e = extent_of(o, 16384);
  float *d_a, *d_b;
  double copy_us = 0.0;
  allocate_pair(o, &d_a, &d_b, e);
  if (o->csv)
    printf("version,n_rows,n_cols,steps_per_launch,repetitions,time_us,"
           "time_spread_us,step_us,gpoints_per_s,share_of_copy\n");
  else
    timing_print_head();
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    if (v->n_steps > 0 && !options_wants(o, v->name))
      continue;
    int n_steps = v->n_steps > 0 ? v->n_steps : 1;
    timing t = time_launch(v, d_a, d_b, e, n_steps, o->repetitions);
    double step_us = t.median_us / n_steps;
    if (v->n_steps == 0)
      copy_us = t.median_us;
    if (o->csv)
      printf("%s,%zu,%zu,%d,%d,%.3f,%.3f,%.3f,%.2f,%.4f\n", v->name, e.rows,
             e.columns, n_steps, t.repetitions, t.median_us, t.spread_us,
             step_us, timing_gb_per_s(step_bytes(e), step_us) / 8,
             copy_us / step_us);
    else
      timing_print_row(v->name, t, n_steps * step_bytes(e));
    fflush(stdout);
  }
  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
}

/* The last version for every number of steps per trip. */
static void measure_steps(const options *o)
{
  extent e = extent_of(o, 16384);
  float *d_a, *d_b;
  allocate_pair(o, &d_a, &d_b, e);
  printf("version,n_rows,n_cols,steps_per_launch,points_loaded_per_written,"
         "repetitions,time_us,time_spread_us,step_us,gpoints_per_s\n");
  for (int n_steps = 1; n_steps <= MOST_STEPS; n_steps++) {
    int tile_rows = WIDE_ROWS - 2 * n_steps;
    int tile_columns = WIDE_COLUMNS - 2 * lost_columns(n_steps);
    timing t = time_launch(&versions[N_VERSIONS - 1], d_a, d_b, e, n_steps,
                           o->repetitions);
    double step_us = t.median_us / n_steps;
    printf("steps,%zu,%zu,%d,%.3f,%d,%.3f,%.3f,%.3f,%.2f\n", e.rows, e.columns,
           n_steps, (double)(WIDE_ROWS * WIDE_COLUMNS) /
           (tile_rows * tile_columns), t.repetitions, t.median_us,
           t.spread_us, step_us, timing_gb_per_s(step_bytes(e), step_us) / 8);
    fflush(stdout);
  }
  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
}

/* Each version once, for a profiler or the software device to count; prints
 * which launch is which. */
static void count(const options *o)
{
  extent e = extent_of(o, 1024);
  float *d_a, *d_b;
  allocate_pair(o, &d_a, &d_b, e);
  printf("version,n_rows,n_cols,steps_per_launch\n");
  for (int i = 0; i < N_VERSIONS; i++)
    if (options_wants(o, versions[i].name)) {
      int n_steps = versions[i].n_steps > 0 ? versions[i].n_steps : 1;
      versions[i].launch(d_b, d_a, e, n_steps);
      CUDA_CHECK_LAUNCH();
      printf("%s,%zu,%zu,%d\n", versions[i].name, e.rows, e.columns, n_steps);
    }
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "heat on a plate, step by step",
                            "ladder,steps", "versions");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  tma_need();
  if (o.count) {
    count(&o);
    return EXIT_SUCCESS;
  }
  if (check_versions(&o) > 0)
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  if (o.csv && strcmp(o.csv, "steps") == 0)
    measure_steps(&o);
  else
    measure_ladder(&o);
  return EXIT_SUCCESS;
}
