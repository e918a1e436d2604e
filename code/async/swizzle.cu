/* Hardware swizzle: the TMA lays a box out in shared memory so that
 * its columns can be read without bank conflicts.
 *
 *   nvcc -arch=sm_90 -I code code/async/swizzle.cu -o swizzle && ./swizzle
 *
 * Both kernels transpose a matrix: a box of 32 × 32 floats arrives by one
 * instruction, and each lane then reads 16 bytes out of a column of it. */
#include "async/tma.h"
#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/fill.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"

enum { SIDE = 32, GROUPS = SIDE / 4, BOX_BYTES = SIDE * SIDE * 4 };

/* ---- kernels --------------------------------------------------------- */

/* By all 32 × 8 threads: the block's box, once it is there. */
__device__ static void fetch(float4 *box, const CUtensorMap *map,
                             mbarrier *full)
{
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    mbarrier_init(full, 1);
    mbarrier_expect(full, BOX_BYTES);
    box_load(box, map, blockIdx.y * SIDE, blockIdx.x * SIDE, full);
  }
  __syncthreads();
  mbarrier_wait(full, 0);
}

/* Lane x holds four floats of row x, which belong to four rows of the output:
 * neighbouring lanes store neighbouring floats. */
__device__ static void store_column(float *out, float4 group, int rows)
{
  size_t row = (size_t)blockIdx.x * SIDE + 4 * threadIdx.y;
  float *to = out + row * rows + blockIdx.y * SIDE + threadIdx.x;
  to[0] = group.x;
  to[(size_t)rows] = group.y;
  to[2 * (size_t)rows] = group.z;
  to[3 * (size_t)rows] = group.w;
}

// begin plain
__global__ void transpose_plain(float *out,
                                const __grid_constant__ CUtensorMap map,
                                int rows)
{
  __shared__ __align__(1024) float4 box[SIDE][GROUPS];
  __shared__ mbarrier full;
  fetch(&box[0][0], &map, &full);
  int row = threadIdx.x, group = threadIdx.y;
  store_column(out, box[row][group], rows);
}
// end plain

// begin swizzled
__global__ void transpose_swizzled(float *out,
                                   const __grid_constant__ CUtensorMap map,
                                   int rows)
{
  __shared__ __align__(1024) float4 box[SIDE][GROUPS];
  __shared__ mbarrier full;
  fetch(&box[0][0], &map, &full);
  int row = threadIdx.x, group = threadIdx.y ^ row % 8;
  store_column(out, box[row][group], rows);
}
// end swizzled

/* ---- versions -------------------------------------------------------- */

typedef void (*transpose_kernel)(float *, const CUtensorMap, int);

typedef struct {
  const char *name;
  const char *idea;
  transpose_kernel kernel;
  CUtensorMapSwizzle swizzle;
} version;

static const version versions[] = {
  {"plain", "rows below each other", transpose_plain,
   CU_TENSOR_MAP_SWIZZLE_NONE},
  {"swizzled", "groups of 16 bytes exchanged", transpose_swizzled,
   CU_TENSOR_MAP_SWIZZLE_128B},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* rows and columns must be multiples of SIDE. */
static void launch(const version *v, float *d_out, const float *d_in,
                   size_t rows, size_t columns)
{
  CUtensorMap map = tma_map(d_in, rows, columns, SIDE, SIDE, v->swizzle);
  dim3 grid((unsigned)(columns / SIDE), (unsigned)(rows / SIDE));
  v->kernel<<<grid, dim3(SIDE, GROUPS)>>>(d_out, map, (int)rows);
  CUDA_CHECK_LAUNCH();
}

static int check_version(const options *o, const version *v, size_t rows,
                         size_t columns)
{
  size_t n = rows * columns, n_bytes = n * sizeof(float);
  float *h_in = (float *)malloc(n_bytes);
  float *h_expected = (float *)malloc(n_bytes);
  char *h_out = (char *)malloc(n_bytes + GUARD_BYTES);
  char what[80];
  float *d_in, *d_out;
  random_source source = random_from_seed(o->seed);
  random_fill_floats(&source, h_in, n);
  for (size_t row = 0; row < rows; row++)
    for (size_t column = 0; column < columns; column++)
      h_expected[column * rows + row] = h_in[row * columns + column];
  CUDA_CHECK(cudaMalloc(&d_in, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_out, n_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, n_bytes, cudaMemcpyHostToDevice));
  poison_device(d_out, n_bytes + GUARD_BYTES);
  launch(v, d_out, d_in, rows, columns);
  CUDA_CHECK(cudaMemcpy(h_out, d_out, n_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  snprintf(what, sizeof what, "%s, %zu x %zu", v->name, rows, columns);
  int good = compare_bytes(what, h_expected, h_out, n_bytes) &&
             compare_guard(what, h_out + n_bytes, GUARD_BYTES);
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  free(h_in);
  free(h_expected);
  free(h_out);
  return good;
}

/* ---- measuring ------------------------------------------------------- */

static void run(const options *o, int is_timed)
{
  size_t side = memory_side(o, is_timed ? 16384 : 256, 2 * sizeof(float));
  side -= side % SIDE;
  float *d_in, *d_out;
  random_source source = random_from_seed(o->seed);
  CUDA_CHECK(cudaMalloc(&d_in, side * side * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_out, side * side * sizeof(float)));
  fill_device_floats(&source, d_in, side * side);
  if (!is_timed)
    printf("version,n_rows,n_cols\n");
  else if (o->csv)
    printf("version,n_rows,n_cols,repetitions,time_us,time_spread_us,"
           "gb_per_s\n");
  else
    timing_print_head();
  for (int i = 0; i < N_VERSIONS; i++) {
    if (!options_wants(o, versions[i].name))
      continue;
    if (!is_timed) {
      launch(&versions[i], d_out, d_in, side, side);
      printf("%s,%zu,%zu\n", versions[i].name, side, side);
      continue;
    }
    double n_bytes = 2.0 * (double)side * (double)side * sizeof(float);
    timing t = timing_start(o->repetitions);
    while (timing_next(&t))
      launch(&versions[i], d_out, d_in, side, side);
    if (o->csv)
      printf("%s,%zu,%zu,%d,%.3f,%.3f,%.1f\n", versions[i].name, side, side,
             t.repetitions, t.median_us, t.spread_us,
             timing_gb_per_s(n_bytes, t.median_us));
    else
      timing_print_row(versions[i].name, t, n_bytes);
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "transposes with the TMA",
                            "swizzle", "swizzle");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  tma_need();
  if (o.count) {
    run(&o, 0);
    return EXIT_SUCCESS;
  }
  int n_bad = 0;
  for (int i = 0; i < N_VERSIONS; i++)
    if (options_wants(&o, versions[i].name))
      n_bad += !check_version(&o, &versions[i], 32, 32) +
               !check_version(&o, &versions[i], 96, 160);
  if (n_bad > 0)
    return EXIT_FAILURE;
  fprintf(options_remarks(&o), "every version agrees (--seed %llu)\n",
          (unsigned long long)o.seed);
  if (!o.check && timing_is_possible())
    run(&o, 1);
  return EXIT_SUCCESS;
}
