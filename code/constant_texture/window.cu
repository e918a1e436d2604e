/* The sum of a 5 × 5 window around each pixel, out of global memory and out
 * of textures, by warps of three shapes. */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/fill.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/timing.h"

enum { RADIUS = 2, BLOCK_THREADS = 256, TILE = 32 };

/* ---- CPU reference ---- */

static int inside(int at, int n) { return at < 0 ? 0 : at < n ? at : n - 1; }

static float window_on_host(const float *in, int side, int x, int y)
{
  float sum = 0.0f;
  for (int dy = -RADIUS; dy <= RADIUS; dy++)
    for (int dx = -RADIUS; dx <= RADIUS; dx++)
      sum += in[(size_t)inside(y + dy, side) * side + inside(x + dx, side)];
  return sum;
}

/* ---- kernels ---- */

// begin place
/* A block has a tile of 32 × 32 pixels and four rounds for it. A warp is
 * `across` pixels wide: 32, 8 or 1. It goes down through the tile in strips
 * of that width. */
typedef struct {
  int x, y;
} pixel;

__device__ pixel pixel_of_thread(int across, int round)
{
  int at = round * BLOCK_THREADS + threadIdx.x;
  int strip = at / (across * TILE), within = at % (across * TILE);
  return {(int)blockIdx.x * TILE + strip * across + within % across,
          (int)blockIdx.y * TILE + within / across};
}
// end place

/* Where a thread's result goes: in the order of the threads, so that stores
 * are the same for every shape. */
__device__ size_t place_of_result(int round)
{
  size_t block = (size_t)blockIdx.y * gridDim.x + blockIdx.x;
  return (block * 4 + round) * BLOCK_THREADS + threadIdx.x;
}

// begin global
__device__ int clamp_to(int at, int n) { return min(max(at, 0), n - 1); }

__global__ void window_global(float *out, const float *__restrict__ in,
                              int side, int across)
{
  for (int round = 0; round < 4; round++) {
    pixel p = pixel_of_thread(across, round);
    float sum = 0.0f;
    for (int dy = -RADIUS; dy <= RADIUS; dy++)
      for (int dx = -RADIUS; dx <= RADIUS; dx++)
        sum += in[(size_t)clamp_to(p.y + dy, side) * side +
                  clamp_to(p.x + dx, side)];
    out[place_of_result(round)] = sum;
  }
}
// end global

// begin texture
__global__ void window_texture(float *out, cudaTextureObject_t in, int across)
{
  for (int round = 0; round < 4; round++) {
    pixel p = pixel_of_thread(across, round);
    float sum = 0.0f;
    for (int dy = -RADIUS; dy <= RADIUS; dy++)
      for (int dx = -RADIUS; dx <= RADIUS; dx++)
        sum += tex2D<float>(in, p.x + dx + 0.5f, p.y + dy + 0.5f);
    out[place_of_result(round)] = sum;
  }
}
// end texture

/* ---- textures ---- */

typedef struct {
  float *d_in;                  /* rows, one after the other */
  cudaArray_t array;            /* the same in a layout of the GPU's own */
  cudaTextureObject_t of_array, of_rows;
} image;

// begin texture_objects
static cudaTextureObject_t texture_of(cudaResourceDesc resource)
{
  cudaTextureDesc how = {};
  cudaTextureObject_t texture;
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  how.filterMode = cudaFilterModePoint;
  how.readMode = cudaReadModeElementType;
  CUDA_CHECK(cudaCreateTextureObject(&texture, &resource, &how, NULL));
  return texture;
}

/* A texture over an array, which only textures can read … */
static cudaTextureObject_t texture_of_array(cudaArray_t array)
{
  cudaResourceDesc what = {};
  what.resType = cudaResourceTypeArray;
  what.res.array.array = array;
  return texture_of(what);
}

/* … and one over rows in global memory, as cudaMalloc gave it. */
static cudaTextureObject_t texture_of_rows(float *d_in, int side)
{
  cudaResourceDesc what = {};
  what.resType = cudaResourceTypePitch2D;
  what.res.pitch2D.devPtr = d_in;
  what.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  what.res.pitch2D.width = what.res.pitch2D.height = side;
  what.res.pitch2D.pitchInBytes = side * sizeof(float);
  return texture_of(what);
}
// end texture_objects

static image make_image(random_source *random, int side)
{
  image i;
  size_t row_bytes = side * sizeof(float);
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CUDA_CHECK(cudaMalloc(&i.d_in, row_bytes * side));
  fill_device_floats(random, i.d_in, (size_t)side * side);
  // begin array
  CUDA_CHECK(cudaMallocArray(&i.array, &format, side, side));
  CUDA_CHECK(cudaMemcpy2DToArray(i.array, 0, 0, i.d_in, row_bytes, row_bytes,
                                 side, cudaMemcpyDeviceToDevice));
  // end array
  i.of_array = texture_of_array(i.array);
  i.of_rows = texture_of_rows(i.d_in, side);
  return i;
}

static void free_image(image i)
{
  CUDA_CHECK(cudaDestroyTextureObject(i.of_array));
  CUDA_CHECK(cudaDestroyTextureObject(i.of_rows));
  CUDA_CHECK(cudaFreeArray(i.array));
  CUDA_CHECK(cudaFree(i.d_in));
}

/* ---- launcher ---- */

typedef enum { GLOBAL, ROWS, ARRAY } memory;

typedef struct {
  const char *name;
  const char *idea;
  memory from;
  int across;
} version;

static const version versions[] = {
  {"global_row", "global memory, a warp lies along a row", GLOBAL, 32},
  {"global_patch", "global memory, a warp of 8 by 4", GLOBAL, 8},
  {"global_column", "global memory, a warp stands in a column", GLOBAL, 1},
  {"texture_row", "a texture over the same rows", ROWS, 32},
  {"texture_patch", "a texture over the same rows", ROWS, 8},
  {"texture_column", "a texture over the same rows", ROWS, 1},
  {"array_row", "a texture over an array", ARRAY, 32},
  {"array_patch", "a texture over an array", ARRAY, 8},
  {"array_column", "a texture over an array", ARRAY, 1},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static void launch(const version *v, float *d_out, image i, int side)
{
  dim3 grid(side / TILE, side / TILE);
  if (v->from == GLOBAL)
    window_global<<<grid, BLOCK_THREADS>>>(d_out, i.d_in, side, v->across);
  else
    window_texture<<<grid, BLOCK_THREADS>>>(
        d_out, v->from == ROWS ? i.of_rows : i.of_array, v->across);
  CUDA_CHECK_LAUNCH();
}

/* ---- check ---- */

static pixel pixel_on_host(int across, size_t place, int n_tiles)
{
  size_t tile = place / (TILE * TILE), at = place % (TILE * TILE);
  size_t strip = at / (across * TILE), within = at % (across * TILE);
  return {(int)(tile % n_tiles * TILE + strip * across + within % across),
          (int)(tile / n_tiles * TILE + within / across)};
}

static int check_case(const version *v, random_source *random, int side)
{
  size_t n = (size_t)side * side, n_bytes = n * sizeof(float);
  float *h_in = (float *)malloc(n_bytes), *d_out;
  float *h_expected = (float *)malloc(n_bytes);
  float *h_got = (float *)malloc(n_bytes + GUARD_BYTES);
  char what[64];
  if (!h_in || !h_expected || !h_got) {
    fprintf(stderr, "error: no host memory\n");
    exit(EXIT_FAILURE);
  }
  image i = make_image(random, side);
  CUDA_CHECK(cudaMemcpy(h_in, i.d_in, n_bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMalloc(&d_out, n_bytes + GUARD_BYTES));
  poison_device(d_out, n_bytes + GUARD_BYTES);
  for (size_t at = 0; at < n; at++) {
    pixel p = pixel_on_host(v->across, at, side / TILE);
    h_expected[at] = window_on_host(h_in, side, p.x, p.y);
  }
  launch(v, d_out, i, side);
  CUDA_CHECK(cudaMemcpy(h_got, d_out, n_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  snprintf(what, sizeof what, "%s, side %d", v->name, side);
  int right = compare_floats(what, h_expected, h_got, n) &
              compare_guard(what, h_got + n, GUARD_BYTES);
  CUDA_CHECK(cudaFree(d_out));
  free_image(i);
  free(h_in);
  free(h_expected);
  free(h_got);
  return right;
}

static int check(const options *o)
{
  static const int sides[] = {32, 64, 160};
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int v = 0; v < N_VERSIONS; v++)
    for (int s = 0; s < 3 && options_wants(o, versions[v].name); s++)
      right &= check_case(&versions[v], &random, sides[s]);
  fprintf(options_remarks(o), "check: 3 sizes, seed %llu: %s\n",
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

/* ---- count and measure ---- */

static void run(const options *o, int side, int timed)
{
  float *d_out;
  random_source random = random_from_seed(o->seed);
  image i = make_image(&random, side);
  CUDA_CHECK(cudaMalloc(&d_out, (size_t)side * side * sizeof(float)));
  for (int v = 0; v < N_VERSIONS; v++) {
    static const char *const memories[] = {"global", "rows", "array"};
    const version *of = &versions[v];
    if (!options_wants(o, of->name))
      continue;
    if (!timed) {
      launch(of, d_out, i, side);
      printf("%s,%s,%d,%d\n", of->name, memories[of->from], of->across, side);
      continue;
    }
    timing t = timing_start(o->repetitions);
    while (timing_next(&t))
      launch(of, d_out, i, side);
    if (o->csv)
      printf("%s,%s,%d,%d,%d,%.3f,%.3f,%.2f\n", of->name, memories[of->from],
             of->across, side, t.repetitions, t.median_us, t.spread_us,
             (double)side * side / t.median_us);
    else
      timing_print_row(of->name, t, 2.0 * side * side * sizeof(float));
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(d_out));
  free_image(i);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "sums of 5 x 5 windows", "window",
                            "window");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count) {
    printf("version,memory,across,side\n");
    run(&o, (int)memory_side(&o, 64, 3.0 * sizeof(float)), 0);
    return EXIT_SUCCESS;
  }
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  if (o.csv)
    printf("version,memory,across,side,repetitions,time_us,time_spread_us,"
           "pixels_per_us\n");
  else
    timing_print_head();
  run(&o, (int)memory_side(&o, 8192, 3.0 * sizeof(float)), 1);
  return EXIT_SUCCESS;
}
