/* A picture made smaller: each window of Y × X pixels becomes the average of
 * its pixels, one thread for each.  The same windows over the same pixels,
 * laid out in memory in three ways.
 *
 *   nvcc -I code code/layout/downscale.cu -o downscale && ./downscale
 *
 * A pixel is four bytes: red, green, blue and nothing.  Where the picture's
 * sides are no multiples of the window's, the windows at its right and lower
 * edge are smaller, and average what pixels they have. */
#include "common/memory.h"
#include "common/options.h"
#include "common/picture.h"
#include "common/random.h"
#include "layout/buffers.h"

enum { BLOCK_COLS = 32, BLOCK_ROWS = 8, MAX_WINDOW = 64 };

// begin shape
typedef struct {
  int n_rows, n_cols;        /* of the picture */
  int y, x;                  /* of a window, in pixels */
  int out_rows, out_cols;    /* how many windows there are */
} shape;

typedef struct {
  unsigned red, green, blue, n;
} sum;

__host__ __device__ static void add(sum *s, uchar4 pixel)
{
  s->red += pixel.x;
  s->green += pixel.y;
  s->blue += pixel.z;
  s->n++;
}

__host__ __device__ static uchar4 average(sum s)
{
  return make_uchar4((s.red + s.n / 2) / s.n, (s.green + s.n / 2) / s.n,
                     (s.blue + s.n / 2) / s.n, 255);
}
// end shape

static shape shape_of(size_t n_rows, size_t n_cols, size_t y, size_t x)
{
  shape s = {(int)n_rows, (int)n_cols, (int)y, (int)x,
             (int)((n_rows + y - 1) / y), (int)((n_cols + x - 1) / x)};
  return s;
}

static size_t n_pixels(shape s)
{
  return (size_t)s.n_rows * s.n_cols;
}

static size_t n_windows(shape s)
{
  return (size_t)s.out_rows * s.out_cols;
}

/* Pixels of a picture whose windows are all whole. */
static size_t n_slots(shape s)
{
  return n_windows(s) * s.y * s.x;
}

/* ---- CPU reference ---- */

static void downscale_on_host(const uchar4 *in, uchar4 *out, shape s)
{
  for (int row = 0; row < s.out_rows; row++)
    for (int col = 0; col < s.out_cols; col++) {
      sum total = {0, 0, 0, 0};
      for (int r = row * s.y; r < (row + 1) * s.y && r < s.n_rows; r++)
        for (int c = col * s.x; c < (col + 1) * s.x && c < s.n_cols; c++)
          add(&total, in[(size_t)r * s.n_cols + c]);
      out[(size_t)row * s.out_cols + col] = average(total);
    }
}

/* ---- layouts: where pixel (y, x) of window (row, col) lies ---- */

// begin layouts
__host__ __device__ static size_t at_rows(shape s, int row, int col, int y,
                                          int x)
{
  return (size_t)(row * s.y + y) * s.n_cols + (col * s.x + x);
}

__host__ __device__ static size_t at_aos(shape s, int row, int col, int y,
                                         int x)
{
  return ((size_t)row * s.out_cols + col) * s.y * s.x + (y * s.x + x);
}

__host__ __device__ static size_t at_soa(shape s, int row, int col, int y,
                                         int x)
{
  return (size_t)(y * s.x + x) * s.out_rows * s.out_cols +
         ((size_t)row * s.out_cols + col);
}
// end layouts

/* ---- kernels ---- */

// begin rows
__global__ void downscale_rows(const uchar4 *in, uchar4 *out, shape s)
{
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= s.out_rows || col >= s.out_cols)
    return;
  int y_end = min(s.y, s.n_rows - row * s.y);
  int x_end = min(s.x, s.n_cols - col * s.x);
  sum total = {0, 0, 0, 0};
  for (int y = 0; y < y_end; y++)
    for (int x = 0; x < x_end; x++)
      add(&total, in[at_rows(s, row, col, y, x)]);
  out[(size_t)row * s.out_cols + col] = average(total);
}
// end rows

__global__ void downscale_aos(const uchar4 *in, uchar4 *out, shape s)
{
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= s.out_rows || col >= s.out_cols)
    return;
  int y_end = min(s.y, s.n_rows - row * s.y);
  int x_end = min(s.x, s.n_cols - col * s.x);
  sum total = {0, 0, 0, 0};
  for (int y = 0; y < y_end; y++)
    for (int x = 0; x < x_end; x++)
      add(&total, in[at_aos(s, row, col, y, x)]);
  out[(size_t)row * s.out_cols + col] = average(total);
}

__global__ void downscale_soa(const uchar4 *in, uchar4 *out, shape s)
{
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= s.out_rows || col >= s.out_cols)
    return;
  int y_end = min(s.y, s.n_rows - row * s.y);
  int x_end = min(s.x, s.n_cols - col * s.x);
  sum total = {0, 0, 0, 0};
  for (int y = 0; y < y_end; y++)
    for (int x = 0; x < x_end; x++)
      add(&total, in[at_soa(s, row, col, y, x)]);
  out[(size_t)row * s.out_cols + col] = average(total);
}

// begin staged
__global__ void downscale_staged(const uchar4 *in, uchar4 *out, shape s)
{
  extern __shared__ uchar4 strips[];
  uchar4 *strip = strips + threadIdx.y * (BLOCK_COLS * s.x);
  int first = blockIdx.x * BLOCK_COLS;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = first + threadIdx.x;
  if (row >= s.out_rows)
    return;                          /* the whole warp */
  int y_end = min(s.y, s.n_rows - row * s.y);
  int x_end = min(s.x, s.n_cols - col * s.x);
  int n_strip = min(BLOCK_COLS * s.x, s.n_cols - first * s.x);
  sum total = {0, 0, 0, 0};
  for (int y = 0; y < y_end; y++) {
    for (int c = threadIdx.x; c < n_strip; c += BLOCK_COLS)
      strip[c] = in[at_rows(s, row, first, y, c)];
    __syncwarp();
    for (int x = 0; x < x_end; x++)
      add(&total, strip[threadIdx.x * s.x + x]);
    __syncwarp();
  }
  if (col < s.out_cols)
    out[(size_t)row * s.out_cols + col] = average(total);
}
// end staged

// begin vector
__device__ static void add_group(sum *s, uint4 group)
{
  const unsigned pixels[4] = {group.x, group.y, group.z, group.w};
  for (int k = 0; k < 4; k++) {
    s->red += pixels[k] & 255;
    s->green += pixels[k] >> 8 & 255;
    s->blue += pixels[k] >> 16 & 255;
  }
  s->n += 4;
}

/* The window's width and the picture's are multiples of 4. */
__global__ void downscale_vector(const uint4 *in, uchar4 *out, shape s)
{
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= s.out_rows || col >= s.out_cols)
    return;
  int y_end = min(s.y, s.n_rows - row * s.y);
  int x_end = min(s.x, s.n_cols - col * s.x);
  sum total = {0, 0, 0, 0};
  for (int y = 0; y < y_end; y++)
    for (int x = 0; x < x_end; x += 4)
      add_group(&total, in[at_rows(s, row, col, y, x) / 4]);
  out[(size_t)row * s.out_cols + col] = average(total);
}
// end vector

// begin to_soa
__global__ void rows_to_soa(const uchar4 *in, uchar4 *out, shape s)
{
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < s.n_rows && c < s.n_cols)
    out[at_soa(s, r / s.y, c / s.x, r % s.y, c % s.x)] =
        in[(size_t)r * s.n_cols + c];
}
// end to_soa

/* ---- launchers ---- */

static dim3 grid_over(int n_rows, int n_cols)
{
  return dim3(blocks_for(n_cols, BLOCK_COLS), blocks_for(n_rows, BLOCK_ROWS));
}

static const dim3 block(BLOCK_COLS, BLOCK_ROWS);

static void launch_rows(const uchar4 *d_in, uchar4 *d_out, shape s)
{
  downscale_rows<<<grid_over(s.out_rows, s.out_cols), block>>>(d_in, d_out,
                                                               s);
}

static void launch_aos(const uchar4 *d_in, uchar4 *d_out, shape s)
{
  downscale_aos<<<grid_over(s.out_rows, s.out_cols), block>>>(d_in, d_out, s);
}

static void launch_soa(const uchar4 *d_in, uchar4 *d_out, shape s)
{
  downscale_soa<<<grid_over(s.out_rows, s.out_cols), block>>>(d_in, d_out, s);
}

static void launch_staged(const uchar4 *d_in, uchar4 *d_out, shape s)
{
  size_t shared_bytes = sizeof(uchar4) * BLOCK_ROWS * BLOCK_COLS * s.x;
  CUDA_CHECK(cudaFuncSetAttribute(downscale_staged,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  (int)shared_bytes));
  downscale_staged<<<grid_over(s.out_rows, s.out_cols), block,
                     shared_bytes>>>(d_in, d_out, s);
}

/* Whole groups of four pixels only; other widths go one by one. */
static void launch_vector(const uchar4 *d_in, uchar4 *d_out, shape s)
{
  if (s.x % 4 != 0 || s.n_cols % 4 != 0)
    launch_rows(d_in, d_out, s);
  else
    downscale_vector<<<grid_over(s.out_rows, s.out_cols), block>>>(
        (const uint4 *)d_in, d_out, s);
}

static void launch_to_soa(const uchar4 *d_in, uchar4 *d_out, shape s)
{
  rows_to_soa<<<grid_over(s.n_rows, s.n_cols), block>>>(d_in, d_out, s);
}

/* ---- versions ---- */

typedef size_t layout(shape s, int row, int col, int y, int x);

typedef struct {
  const char *name;
  const char *idea;
  layout *at;
  void (*launch)(const uchar4 *d_in, uchar4 *d_out, shape s);
  int rearranges;       /* its output is the picture, laid out as SoA */
  int groups;           /* only windows of whole groups of four */
} version;

static const version versions[] = {
  {"rows", "the picture's rows, as they are", at_rows, launch_rows, 0, 0},
  {"aos", "each window's pixels together", at_aos, launch_aos, 0, 0},
  {"soa", "pixel (y, x) of all windows together", at_soa, launch_soa, 0, 0},
  {"staged", "rows, by way of shared memory", at_rows, launch_staged, 0, 0},
  {"vector", "rows, four pixels a load", at_rows, launch_vector, 0, 1},
  {"to_soa", "from rows to SoA", at_rows, launch_to_soa, 1, 0},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static size_t n_outputs(const version *v, shape s)
{
  return v->rearranges ? n_slots(s) : n_windows(s);
}

/* ---- pictures ---- */

/* The pixels of `from`, laid out anew; what no pixel belongs to is 0xff. */
static uchar4 *laid_out(const uchar4 *from, layout *at, shape s)
{
  size_t n = at == at_rows ? n_pixels(s) : n_slots(s);
  uchar4 *to = (uchar4 *)host_array(n * sizeof(uchar4));
  poison_host(to, n * sizeof(uchar4));
  for (int r = 0; r < s.n_rows; r++)
    for (int c = 0; c < s.n_cols; c++)
      to[at(s, r / s.y, c / s.x, r % s.y, c % s.x)] =
          from[(size_t)r * s.n_cols + c];
  return to;
}

/* n_rows × n_cols pixels of the photograph, side by side as often as it
 * takes.  The caller frees them. */
static uchar4 *photograph(size_t n_rows, size_t n_cols)
{
  picture p = picture_of_course("pavilion.ppm");
  uchar4 *pixels = (uchar4 *)host_array(n_rows * n_cols * sizeof(uchar4));
  for (size_t r = 0; r < n_rows; r++)
    for (size_t c = 0; c < n_cols; c++) {
      const unsigned char *rgb =
          p.rgb + 3 * (r % p.n_rows * p.n_cols + c % p.n_cols);
      pixels[r * n_cols + c] = make_uchar4(rgb[0], rgb[1], rgb[2], 255);
    }
  picture_free(&p);
  return pixels;
}

/* ---- check ---- */

static int check_version(const version *v, const uchar4 *h_rows, shape s,
                         const char *of)
{
  size_t n_in = v->at == at_rows ? n_pixels(s) : n_slots(s);
  size_t out_bytes = n_outputs(v, s) * sizeof(uchar4);
  int right = 1;
  char what[128];
  snprintf(what, sizeof what, "%s, %s of %d x %d, window %d x %d", v->name,
           of, s.n_rows, s.n_cols, s.y, s.x);
  uchar4 *h_in = laid_out(h_rows, v->at, s);
  uchar4 *h_expected = v->rearranges
                           ? laid_out(h_rows, at_soa, s)
                           : (uchar4 *)host_array(out_bytes);
  if (!v->rearranges)
    downscale_on_host(h_rows, h_expected, s);
  uchar4 *d_in = (uchar4 *)device_copy_of(h_in, n_in * sizeof(uchar4));
  uchar4 *d_out = (uchar4 *)device_output(out_bytes);
  v->launch(d_in, d_out, s);
  CUDA_CHECK_LAUNCH();
  uchar4 *h_out = (uchar4 *)host_copy_of_output(what, d_out, out_bytes,
                                                &right);
  right &= compare_bytes(what, h_expected, h_out, out_bytes);
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  free(h_in);
  free(h_expected);
  free(h_out);
  return right;
}

static int check_shape(const options *o, const uchar4 *h_rows, shape s,
                       const char *of)
{
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(o, versions[k].name))
      right &= check_version(&versions[k], h_rows, s, of);
  return right;
}

/* Random pixels, white ones, and the photograph; windows that divide the
 * sides, that do not, and that are larger than the picture. */
static int check(const options *o)
{
  static const int shapes[][4] = {
    {1, 1, 1, 1}, {4, 6, 2, 3}, {5, 7, 2, 3}, {64, 96, 1, 1},
    {33, 130, 4, 4}, {40, 264, 5, 8}, {17, 131, 3, 5}, {3, 2, 7, 9},
    {1, 300, 16, 4},
  };
  static const int windows[][2] = {{2, 3}, {4, 4}, {2, 5}, {64, 64}};
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
    const int *a = shapes[i];
    shape s = shape_of(a[0], a[1], a[2], a[3]);
    uchar4 *h = (uchar4 *)host_array(n_pixels(s) * sizeof(uchar4));
    random_fill_bytes(&random, h, n_pixels(s) * sizeof(uchar4));
    right &= check_shape(o, h, s, "random pixels");
    memset(h, 255, n_pixels(s) * sizeof(uchar4));
    right &= check_shape(o, h, s, "white");
    free(h);
  }
  uchar4 *h = photograph(214, 320);
  for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++)
    right &= check_shape(o, h, shape_of(214, 320, windows[i][0],
                                        windows[i][1]), "the photograph");
  free(h);
  fprintf(options_remarks(o), "check: pixels at random, white and of a "
          "photograph, seed %llu: %s\n", (unsigned long long)o->seed,
          right ? "all right" : "WRONG");
  return right;
}

/* ---- count and measure ---- */

/* The same pixels serve every layout: where they lie decides about time and
 * sectors, not what they are. */
static void allocate(shape largest, uchar4 **d_in, uchar4 **d_out)
{
  enum { ROWS_AT_ONCE = 214 };
  size_t n_bytes = n_pixels(largest) * sizeof(uchar4), at = 0;
  size_t room = n_bytes + n_bytes / 8 + (1 << 20);   /* for partial windows */
  uchar4 *h = photograph(ROWS_AT_ONCE, largest.n_cols);
  size_t some = (size_t)ROWS_AT_ONCE * largest.n_cols * sizeof(uchar4);
  CUDA_CHECK(cudaMalloc(d_in, room));
  CUDA_CHECK(cudaMalloc(d_out, room));
  CUDA_CHECK(cudaMemset(*d_in, 128, room));
  for (; at < n_bytes; at += some)
    CUDA_CHECK(cudaMemcpy((char *)*d_in + at, h,
                          at + some > n_bytes ? n_bytes - at : some,
                          cudaMemcpyHostToDevice));
  free(h);
}

static int count(const options *o)
{
  static const int windows[][2] = {{2, 3}, {4, 4}, {8, 8}, {5, 16}};
  size_t n_rows = o->n_sizes > 0 ? o->size[0] : 214;
  size_t n_cols = o->n_sizes > 1 ? o->size[1] : 320;
  int single = o->n_sizes > 0;      /* for an access map: one window only */
  uchar4 *d_in, *d_out;
  allocate(shape_of(n_rows, n_cols, 1, 1), &d_in, &d_out);
  printf("version,n_rows,n_cols,window_rows,window_cols\n");
  for (int i = 0; i < (single ? 1 : 4); i++)
    for (int k = 0; k < N_VERSIONS; k++) {
      const version *v = &versions[k];
      shape s = shape_of(n_rows, n_cols, windows[i][0], windows[i][1]);
      if (!options_wants(o, v->name) || (v->groups && s.x % 4 != 0))
        continue;
      v->launch(d_in, d_out, s);
      CUDA_CHECK_LAUNCH();
      printf("%s,%zu,%zu,%d,%d\n", v->name, n_rows, n_cols, s.y, s.x);
    }
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  return EXIT_SUCCESS;
}

/* Useful bytes: each pixel read once, each result written once. */
static void measure_case(const options *o, const version *v, shape s,
                         const uchar4 *d_in, uchar4 *d_out, double copy)
{
  size_t out = v->rearranges ? n_pixels(s) : n_windows(s);
  double n_bytes = (double)(n_pixels(s) + out) * sizeof(uchar4);
  timing t = timing_start(o->repetitions);
  while (timing_next(&t))
    v->launch(d_in, d_out, s);
  double gb_per_s = timing_gb_per_s(n_bytes, t.median_us);
  if (o->csv) {
    printf("%s,%d,%d,%d,%d,%d,%.3f,%.3f,%.2f,%.2f,%.4f\n", v->name, s.n_rows,
           s.n_cols, s.y, s.x, t.repetitions, t.median_us, t.spread_us,
           gb_per_s, copy, gb_per_s / copy);
  } else {
    char name[64];
    snprintf(name, sizeof name, "%s %d x %d", v->name, s.y, s.x);
    timing_print_row(name, t, n_bytes);
  }
  fflush(stdout);
}

static void measure(const options *o)
{
  static const int windows[][2] = {{1, 1}, {2, 2}, {2, 3}, {3, 3}, {4, 4},
                                   {5, 5}, {6, 6}, {8, 8}, {12, 12},
                                   {16, 16}, {32, 32}};
  size_t side = memory_side(o, 16384, 2.5 * sizeof(uchar4));
  uchar4 *d_in, *d_out;
  allocate(shape_of(side, side, 1, 1), &d_in, &d_out);
  double copy = copy_gb_per_s(d_out, d_in, side * side * sizeof(uchar4),
                              o->repetitions);
  if (o->csv)
    printf("version,n_rows,n_cols,window_rows,window_cols,repetitions,"
           "time_us,spread_us,gb_per_s,copy_gb_per_s,share_of_copy\n");
  else
    timing_print_head();
  for (int k = 0; k < N_VERSIONS; k++)
    for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++) {
      shape s = shape_of(side, side, windows[i][0], windows[i][1]);
      if (options_wants(o, versions[k].name) &&
          (!versions[k].groups || s.x % 4 == 0))
        measure_case(o, &versions[k], s, d_in, d_out, copy);
    }
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv,
                            "a picture made smaller by averages of windows",
                            "downscale", "downscale");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count)
    return count(&o);
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (!o.check && timing_is_possible())
    measure(&o);
  return EXIT_SUCCESS;
}
