/* Solutions of the exercises: a tile of 16 × 16 on 32 banks, records of three
 * floats close to the ceiling, records of four without shared memory. */
#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/fill.h"
#include "common/memory.h"    /* and options.h */
#include "common/timing.h"
#include "shared_memory/banks.h"

enum { TILE = 16, BLOCK_THREADS = 128, RECORDS_EACH = 4 };

/* ---- CPU references ---- */

static void transpose_tiles_on_host(float *out, const float *in, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    size_t tile = i / (TILE * TILE), k = i % (TILE * TILE);
    out[tile * TILE * TILE + k % TILE * TILE + k / TILE] = in[i];
  }
}

static void normalise_on_host(float *out, const float *in, size_t n_records,
                              unsigned n_floats)
{
  for (size_t r = 0; r < n_records; r++) {
    const float *x = in + r * n_floats;
    float sum = 0.0f;
    for (unsigned w = 0; w < n_floats; w++)
      sum = fmaf(x[w], x[w], sum);
    float scale = sum > 0.0f ? 1.0f / sqrtf(sum) : 0.0f;
    for (unsigned w = 0; w < n_floats; w++)
      out[r * n_floats + w] = x[w] * scale;
  }
}

/* ---- kernels ---- */

// begin tile_16
/* Each block turns its own 256 elements around, as a tile of 16 × 16 whose
 * rows have `pad` words more. */
#define TILE_16(pad)                                                      \
  __global__ void tile_16_##pad(float *out, const float *in, size_t n)    \
  {                                                                       \
    __shared__ float tile[TILE][TILE + pad];                              \
    unsigned x = threadIdx.x % TILE, y = threadIdx.x / TILE;              \
    size_t i = (size_t)blockIdx.x * (TILE * TILE) + threadIdx.x;          \
    tile[y][x] = in[i];                                                   \
    __syncthreads();                                                      \
    out[i] = tile[x][y];                                                  \
  }
// end tile_16
TILE_16(0)
TILE_16(1)
TILE_16(2)

// begin tile_16_swizzled
/* Word x of row y is at place x ^ y of that row. */
__global__ void tile_16_swizzled(float *out, const float *in, size_t n)
{
  __shared__ float tile[TILE][TILE];
  unsigned x = threadIdx.x % TILE, y = threadIdx.x / TILE;
  size_t i = (size_t)blockIdx.x * (TILE * TILE) + threadIdx.x;
  tile[y][x ^ y] = in[i];
  __syncthreads();
  out[i] = tile[x][y ^ x];
}
// end tile_16_swizzled

__global__ void copy(float4 *out, const float4 *in, size_t n_groups)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n_groups)
    out[i] = in[i];
}

__device__ __forceinline__ float scale_of(float sum)
{
  return sum > 0.0f ? 1.0f / sqrtf(sum) : 0.0f;
}

// begin threes
/* Blocks of 128 threads with 512 records of three floats: 384 groups of four
 * floats, three for each thread. They go in and out as groups; in between,
 * each thread has four records, 128 apart. */
__global__ void threes(float4 *out, const float4 *in)
{
  __shared__ float4 groups[3 * BLOCK_THREADS];
  float *tile = (float *)groups;
  size_t first = (size_t)blockIdx.x * (3 * BLOCK_THREADS) + threadIdx.x;
  float4 a = in[first];
  float4 b = in[first + BLOCK_THREADS];
  float4 c = in[first + 2 * BLOCK_THREADS];
  groups[threadIdx.x] = a;
  groups[threadIdx.x + BLOCK_THREADS] = b;
  groups[threadIdx.x + 2 * BLOCK_THREADS] = c;
  __syncthreads();
#pragma unroll
  for (int k = 0; k < RECORDS_EACH; k++) {
    float *x = tile + 3 * (threadIdx.x + k * BLOCK_THREADS);
    float sum = fmaf(x[2], x[2], fmaf(x[1], x[1], x[0] * x[0]));
    float scale = scale_of(sum);
    x[0] *= scale;
    x[1] *= scale;
    x[2] *= scale;
  }
  __syncthreads();
  out[first] = groups[threadIdx.x];
  out[first + BLOCK_THREADS] = groups[threadIdx.x + BLOCK_THREADS];
  out[first + 2 * BLOCK_THREADS] = groups[threadIdx.x + 2 * BLOCK_THREADS];
}
// end threes

// begin fours
/* A record of four floats is one access of 16 bytes: nothing to stage. */
__global__ void fours(float4 *out, const float4 *in, size_t n_records)
{
  size_t r = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (r < n_records) {
    float4 x = in[r];
    float sum = fmaf(x.w, x.w, fmaf(x.z, x.z, fmaf(x.y, x.y, x.x * x.x)));
    float scale = scale_of(sum);
    out[r] = make_float4(x.x * scale, x.y * scale, x.z * scale,
                         x.w * scale);
  }
}
// end fours

/* ---- launchers: n floats, a multiple of 1536 ---- */

enum { UNIT = RECORDS_EACH * 3 * BLOCK_THREADS };

static void launch_tile_16_0(float *d_out, const float *d_in, size_t n)
{
  tile_16_0<<<(unsigned)(n / 256), 256>>>(d_out, d_in, n);
}

static void launch_tile_16_1(float *d_out, const float *d_in, size_t n)
{
  tile_16_1<<<(unsigned)(n / 256), 256>>>(d_out, d_in, n);
}

static void launch_tile_16_2(float *d_out, const float *d_in, size_t n)
{
  tile_16_2<<<(unsigned)(n / 256), 256>>>(d_out, d_in, n);
}

static void launch_tile_16_swizzled(float *d_out, const float *d_in,
                                    size_t n)
{
  tile_16_swizzled<<<(unsigned)(n / 256), 256>>>(d_out, d_in, n);
}

static void launch_copy(float *d_out, const float *d_in, size_t n)
{
  copy<<<(unsigned)(n / 4 / 128), 128>>>((float4 *)d_out,
                                         (const float4 *)d_in, n / 4);
}

static void launch_threes(float *d_out, const float *d_in, size_t n)
{
  threes<<<(unsigned)(n / UNIT), BLOCK_THREADS>>>((float4 *)d_out,
                                                  (const float4 *)d_in);
}

static void launch_fours(float *d_out, const float *d_in, size_t n)
{
  fours<<<(unsigned)(n / 4 / 128), 128>>>((float4 *)d_out,
                                          (const float4 *)d_in, n / 4);
}

static void expect_tiles(float *out, const float *in, size_t n)
{
  transpose_tiles_on_host(out, in, n);
}

static void expect_threes(float *out, const float *in, size_t n)
{
  normalise_on_host(out, in, n / 3, 3);
}

static void expect_fours(float *out, const float *in, size_t n)
{
  normalise_on_host(out, in, n / 4, 4);
}

static void expect_same(float *out, const float *in, size_t n)
{
  memcpy(out, in, n * sizeof(float));
}

typedef struct {
  const char *name, *idea;
  void (*launch)(float *d_out, const float *d_in, size_t n);
  void (*expect)(float *out, const float *in, size_t n);
} version;

static const version versions[] = {
  {"copy", "the ceiling", launch_copy, expect_same},
  {"tile_16_0", "16 x 16 without padding", launch_tile_16_0, expect_tiles},
  {"tile_16_1", "16 x 17, as the lab sheet", launch_tile_16_1,
   expect_tiles},
  {"tile_16_2", "16 x 18", launch_tile_16_2, expect_tiles},
  {"tile_16_swizzled", "16 x 16, swizzled", launch_tile_16_swizzled,
   expect_tiles},
  {"threes", "records of 3 floats in groups of four", launch_threes,
   expect_threes},
  {"fours", "records of 4 floats", launch_fours, expect_fours},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- the exercise on gaps: where is word i of records of n floats? ---- */

// begin gaps
static size_t at_odd_pitch(size_t record, size_t word, size_t n_floats)
{
  return record * (n_floats | 1) + word;
}

static size_t at_gap(size_t record, size_t word, size_t n_floats)
{
  size_t i = record * n_floats + word;
  return i + i / 32;                    /* a gap after every 32 words */
}

/* A warp in both phases: it stages 32 neighbouring words, and then each lane
 * reads the first word of its record. */
static void wavefronts_of_layout(size_t (*at)(size_t, size_t, size_t),
                                 size_t n_floats, size_t *staging,
                                 size_t *computing)
{
  size_t stage[WARP_LANES], compute[WARP_LANES];
  *staging = *computing = 0;
  for (size_t first = 0; first < 32 * n_floats; first += WARP_LANES) {
    for (size_t l = 0; l < WARP_LANES; l++)
      stage[l] = 4 * at((first + l) / n_floats, (first + l) % n_floats,
                        n_floats);
    *staging += wavefronts_predicted(stage, 4);
  }
  for (size_t word = 0; word < n_floats; word++) {
    for (size_t l = 0; l < WARP_LANES; l++)
      compute[l] = 4 * at(l, word, n_floats);
    *computing += wavefronts_predicted(compute, 4);
  }
}
// end gaps

/* Experiment `layouts`: on paper, no kernel runs. */
static void print_layouts(void)
{
  static const size_t n_floats[] = {2, 3, 4, 6, 8, 12, 16, 20, 24, 32};
  printf("n_floats,ideal,odd_staging,odd_computing,gap_staging,"
         "gap_computing\n");
  for (size_t k = 0; k < sizeof n_floats / sizeof n_floats[0]; k++) {
    size_t odd[2], gap[2];
    wavefronts_of_layout(at_odd_pitch, n_floats[k], &odd[0], &odd[1]);
    wavefronts_of_layout(at_gap, n_floats[k], &gap[0], &gap[1]);
    printf("%zu,%zu,%zu,%zu,%zu,%zu\n", n_floats[k], n_floats[k], odd[0],
           odd[1], gap[0], gap[1]);
  }
}

/* No two words of a layout may share a place. */
static int check_layouts(void)
{
  int right = 1;
  for (size_t f = 1; f <= 33; f++) {
    char odd[34 * 40] = {0}, gap[34 * 40] = {0};
    for (size_t r = 0; r < 32; r++)
      for (size_t w = 0; w < f; w++) {
        right &= !odd[at_odd_pitch(r, w, f)]++;
        right &= !gap[at_gap(r, w, f)]++;
      }
  }
  if (!right)
    fprintf(stderr, "error: two words of a layout are wrong: they share a "
            "place\n");
  return right;
}

/* ---- check, count, measure ---- */

static int check_case(const version *v, random_source *random, size_t n)
{
  size_t n_bytes = n * sizeof(float);
  float *h_in = (float *)malloc(n_bytes), *d_in, *d_out;
  float *h_expected = (float *)malloc(n_bytes);
  float *h_out = (float *)malloc(n_bytes + GUARD_BYTES);
  char what[96];
  random_fill_floats(random, h_in, n);
  v->expect(h_expected, h_in, n);
  CUDA_CHECK(cudaMalloc(&d_in, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_out, n_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, n_bytes, cudaMemcpyHostToDevice));
  poison_device(d_out, n_bytes + GUARD_BYTES);
  v->launch(d_out, d_in, n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_out, d_out, n_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  snprintf(what, sizeof what, "%s, %zu floats", v->name, n);
  int right = compare_floats(what, h_expected, h_out, n) &&
              compare_guard(what, h_out + n, GUARD_BYTES);
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  free(h_in);
  free(h_expected);
  free(h_out);
  return right;
}

static int check(const options *o)
{
  random_source random = random_from_seed(o->seed);
  int right = check_layouts();
  for (int k = 0; k < N_VERSIONS; k++)
    for (size_t units = 1; units <= 7 && options_wants(o, versions[k].name);
         units += 3)
      right &= check_case(&versions[k], &random, units * UNIT);
  fprintf(options_remarks(o), "check: seed %llu: %s\n",
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

static void count(const options *o)
{
  size_t n = memory_length(o, 32 * UNIT, 2 * sizeof(float)) / UNIT * UNIT;
  random_source random = random_from_seed(o->seed);
  float *d_in, *d_out;
  CUDA_CHECK(cudaMalloc(&d_in, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_out, n * sizeof(float)));
  fill_device_floats(&random, d_in, n);
  printf("version,n_elems\n");
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(o, versions[k].name)) {
      versions[k].launch(d_out, d_in, n);
      CUDA_CHECK_LAUNCH();
      printf("%s,%zu\n", versions[k].name, n);
    }
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
}

static void measure(const options *o)
{
  size_t n = memory_length(o, (size_t)1 << 27, 2 * sizeof(float)) / UNIT *
             UNIT;
  random_source random = random_from_seed(o->seed);
  float *d_in, *d_out;
  double copy_us = 0.0;
  CUDA_CHECK(cudaMalloc(&d_in, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_out, n * sizeof(float)));
  fill_device_floats(&random, d_in, n);
  if (o->csv)
    printf("version,n_elems,repetitions,time_us,time_spread_us,gb_per_s,"
           "share_of_copy\n");
  else
    timing_print_head();
  for (int k = 0; k < N_VERSIONS; k++) {
    if (k > 0 && !options_wants(o, versions[k].name))
      continue;
    timing t = timing_start(o->repetitions);
    while (timing_next(&t)) {
      versions[k].launch(d_out, d_in, n);
      CUDA_CHECK_LAUNCH();
    }
    double n_bytes = 2.0 * (double)n * sizeof(float);
    if (k == 0)
      copy_us = t.median_us;
    if (o->csv)
      printf("%s,%zu,%d,%.3f,%.3f,%.2f,%.4f\n", versions[k].name, n,
             t.repetitions, t.median_us, t.spread_us,
             timing_gb_per_s(n_bytes, t.median_us), copy_us / t.median_us);
    else
      timing_print_row(versions[k].name, t, n_bytes);
    fflush(stdout);
  }
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "solutions of the exercises",
                            "solutions,layouts", "solutions");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.csv && strcmp(o.csv, "layouts") == 0) {
    print_layouts();
    return EXIT_SUCCESS;
  }
  if (o.count) {
    count(&o);
    return EXIT_SUCCESS;
  }
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (!o.check && timing_is_possible())
    measure(&o);
  return EXIT_SUCCESS;
}
