/* Each row of a matrix times a factor of its own, for rows of any length:
 * close together, or each on a border of the memory.
 *
 *   nvcc -I code code/layout/pitch.cu -o pitch && ./pitch */
#include "common/fill.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "layout/buffers.h"

enum { BLOCK_COLS = 32, BLOCK_ROWS = 8, SLICE_ROWS = 8,
       BLOCK_THREADS = BLOCK_COLS * BLOCK_ROWS };

/* ---- CPU reference ---- */

static void scale_rows_on_host(const float *in, const float *factor,
                               float *out, size_t n_rows, size_t n_cols)
{
  for (size_t row = 0; row < n_rows; row++)
    for (size_t col = 0; col < n_cols; col++)
      out[row * n_cols + col] = factor[row] * in[row * n_cols + col];
}

/* ---- kernels; a block is 32 threads wide and 8 high ---- */

// begin plain
__global__ void scale_plain(const float *in, const float *factor, float *out,
                            size_t n_rows, size_t n_cols)
{
  size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  size_t row = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n_rows && col < n_cols)
    out[row * n_cols + col] = factor[row] * in[row * n_cols + col];
}
// end plain

// begin pitched
template <typename word>               /* float, or const float */
__host__ __device__ word *row_at(word *first, size_t pitch_bytes, size_t row)
{
  return (word *)((char *)first + row * pitch_bytes);
}

__global__ void scale_pitched(const float *in, const float *factor,
                              float *out, size_t n_rows, size_t n_cols,
                              size_t pitch_bytes)
{
  size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  size_t row = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n_rows && col < n_cols)
    row_at(out, pitch_bytes, row)[col] =
        factor[row] * row_at(in, pitch_bytes, row)[col];
}
// end pitched

// begin pitched_vector
__global__ void scale_pitched_vector(
    const float *in, const float *factor, float *out, size_t n_rows,
    size_t n_cols, size_t pitch_bytes)
{
  size_t group = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  size_t row = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n_rows && 4 * group < n_cols) {
    float4 v = ((const float4 *)row_at(in, pitch_bytes, row))[group];
    float f = factor[row];
    ((float4 *)row_at(out, pitch_bytes, row))[group] =
        make_float4(f * v.x, f * v.y, f * v.z, f * v.w);
  }
}
// end pitched_vector

/* The matrix has fewer than 2^32 elements. */
// begin flat
__global__ void scale_flat(const float *in, const float *factor, float *out,
                           size_t n_rows, size_t n_cols)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n_rows * n_cols)
    out[i] = factor[(unsigned)i / (unsigned)n_cols] * in[i];
}
// end flat

// begin volume
__global__ void scale_volume(cudaPitchedPtr in, const float *factor,
                             cudaPitchedPtr out, size_t n_slices)
{
  size_t n_cols = in.xsize / sizeof(float), n_rows = in.ysize;
  size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  size_t row = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
  size_t slice = row / n_rows;        /* its rows follow those before it */
  if (slice < n_slices && col < n_cols)
    row_at((float *)out.ptr, out.pitch, row)[col] =
        factor[row] * row_at((float *)in.ptr, in.pitch, row)[col];
}
// end volume

/* ---- matrices: what an allocation gives, and how it is filled ---- */

typedef struct {
  float *d_in, *d_out, *d_factor;
  size_t n_rows, n_cols, pitch_bytes;
  size_t guard_bytes;   /* after the last row of the output */
} matrices;

static void allocate_plain(matrices *m)
{
  m->pitch_bytes = m->n_cols * sizeof(float);
  m->guard_bytes = GUARD_BYTES;
  CUDA_CHECK(cudaMalloc(&m->d_in, m->n_rows * m->pitch_bytes));
  CUDA_CHECK(cudaMalloc(&m->d_out, m->n_rows * m->pitch_bytes + GUARD_BYTES));
}

// begin allocate_pitched
static void allocate_pitched(matrices *m)
{
  size_t row_bytes = m->n_cols * sizeof(float);
  CUDA_CHECK(cudaMallocPitch(&m->d_in, &m->pitch_bytes, row_bytes,
                             m->n_rows));
  CUDA_CHECK(cudaMallocPitch(&m->d_out, &m->pitch_bytes, row_bytes,
                             m->n_rows + 1));
  m->guard_bytes = m->pitch_bytes;      /* one more row */
}
// end allocate_pitched

static size_t slice_rows(size_t n_rows)
{
  return n_rows % SLICE_ROWS == 0 ? SLICE_ROWS : 1;
}

// begin allocate_volume
static void allocate_volume(matrices *m)
{
  size_t rows = slice_rows(m->n_rows);
  cudaExtent extent = make_cudaExtent(m->n_cols * sizeof(float), rows,
                                      m->n_rows / rows + 1);
  cudaPitchedPtr in, out;
  CUDA_CHECK(cudaMalloc3D(&in, extent));
  CUDA_CHECK(cudaMalloc3D(&out, extent));
  m->d_in = (float *)in.ptr;
  m->d_out = (float *)out.ptr;
  m->pitch_bytes = m->guard_bytes = in.pitch;
}
// end allocate_volume

/* ---- launchers ---- */

static const dim3 block(BLOCK_COLS, BLOCK_ROWS);

static dim3 grid_over(size_t n_rows, size_t n_cols)
{
  return dim3(blocks_for(n_cols, BLOCK_COLS), blocks_for(n_rows, BLOCK_ROWS));
}

static void launch_plain(const matrices *m)
{
  scale_plain<<<grid_over(m->n_rows, m->n_cols), block>>>(
      m->d_in, m->d_factor, m->d_out, m->n_rows, m->n_cols);
}

static void launch_pitched(const matrices *m)
{
  scale_pitched<<<grid_over(m->n_rows, m->n_cols), block>>>(
      m->d_in, m->d_factor, m->d_out, m->n_rows, m->n_cols, m->pitch_bytes);
}

static void launch_pitched_vector(const matrices *m)
{
  scale_pitched_vector<<<grid_over(m->n_rows, (m->n_cols + 3) / 4), block>>>(
      m->d_in, m->d_factor, m->d_out, m->n_rows, m->n_cols, m->pitch_bytes);
}

static void launch_flat(const matrices *m)
{
  scale_flat<<<blocks_for(m->n_rows * m->n_cols, BLOCK_THREADS),
               BLOCK_THREADS>>>(m->d_in, m->d_factor, m->d_out, m->n_rows,
                                m->n_cols);
}

// begin launch_volume
static void launch_volume(const matrices *m)
{
  size_t rows = slice_rows(m->n_rows), row_bytes = m->n_cols * sizeof(float);
  scale_volume<<<grid_over(m->n_rows, m->n_cols), block>>>(
      make_cudaPitchedPtr(m->d_in, m->pitch_bytes, row_bytes, rows),
      m->d_factor,
      make_cudaPitchedPtr(m->d_out, m->pitch_bytes, row_bytes, rows),
      m->n_rows / rows);
}
// end launch_volume

/* ---- versions ---- */

typedef struct {
  const char *name;
  const char *idea;
  void (*allocate)(matrices *m);
  void (*launch)(const matrices *m);
} version;

static const version versions[] = {
  {"plain", "rows close together", allocate_plain, launch_plain},
  {"pitched", "each row on a border", allocate_pitched, launch_pitched},
  {"pitched_vector", "and four floats a thread", allocate_pitched,
   launch_pitched_vector},
  {"flat", "rows close together, one long row of threads", allocate_plain,
   launch_flat},
  {"volume", "slices of pitched rows", allocate_volume, launch_volume},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static void free_matrices(matrices *m)
{
  CUDA_CHECK(cudaFree(m->d_in));
  CUDA_CHECK(cudaFree(m->d_out));
  CUDA_CHECK(cudaFree(m->d_factor));
}

/* ---- check ---- */

// begin copy_rows
static void to_device(const matrices *m, const float *h_in)
{
  size_t row_bytes = m->n_cols * sizeof(float);
  CUDA_CHECK(cudaMemcpy2D(m->d_in, m->pitch_bytes, h_in, row_bytes,
                          row_bytes, m->n_rows, cudaMemcpyHostToDevice));
}
// end copy_rows

static int check_case(const version *v, random_source *random, size_t n_rows,
                      size_t n_cols)
{
  size_t n = n_rows * n_cols, row_bytes = n_cols * sizeof(float);
  matrices m = {NULL, NULL, NULL, n_rows, n_cols, 0, 0};
  float *h_in = (float *)host_array(n * sizeof(float));
  float *h_factor = (float *)host_array(n_rows * sizeof(float));
  float *h_expected = (float *)host_array(n * sizeof(float));
  float *h_out = (float *)host_array(n * sizeof(float));
  char what[80];
  snprintf(what, sizeof what, "%s, %zu x %zu", v->name, n_rows, n_cols);
  random_fill_floats(random, h_in, n);
  random_fill_floats(random, h_factor, n_rows);
  scale_rows_on_host(h_in, h_factor, h_expected, n_rows, n_cols);
  v->allocate(&m);
  m.d_factor = (float *)device_copy_of(h_factor, n_rows * sizeof(float));
  poison_device(m.d_in, n_rows * m.pitch_bytes);
  to_device(&m, h_in);
  poison_device(m.d_out, n_rows * m.pitch_bytes + m.guard_bytes);
  v->launch(&m);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy2D(h_out, row_bytes, m.d_out, m.pitch_bytes,
                          row_bytes, n_rows, cudaMemcpyDeviceToHost));
  char *guard = (char *)host_array(m.guard_bytes);
  CUDA_CHECK(cudaMemcpy(guard, (char *)m.d_out + n_rows * m.pitch_bytes,
                        m.guard_bytes, cudaMemcpyDeviceToHost));
  int right = compare_floats(what, h_expected, h_out, n) &
              compare_guard(what, guard, m.guard_bytes);
  free_matrices(&m);
  free(h_in);
  free(h_factor);
  free(h_expected);
  free(h_out);
  free(guard);
  return right;
}

static int check(const options *o)
{
  static const size_t sizes[][2] = {{1, 1}, {3, 5}, {8, 32}, {16, 33},
                                    {9, 128}, {7, 129}, {24, 1000},
                                    {5, 1025}, {64, 31}};
  enum { N_SIZES = sizeof sizes / sizeof sizes[0] };
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    for (int s = 0; s < N_SIZES && options_wants(o, versions[k].name); s++)
      right &= check_case(&versions[k], &random, sizes[s][0], sizes[s][1]);
  fprintf(options_remarks(o), "check: %d sizes, seed %llu: %s\n", N_SIZES,
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

/* ---- count and measure ---- */

static int is_narrow(const char *experiment)
{
  return strcmp(experiment, "narrow") == 0;
}

/* Widths around a multiple of the warp, or narrow ones. */
static size_t width_of(int narrow, int i)
{
  static const size_t narrow_widths[] = {8, 16, 31, 32, 33, 48, 63, 64, 65,
                                         96, 100, 127, 128, 129, 200, 256,
                                         257, 500, 512, 513, 1000};
  enum { N_NARROW = sizeof narrow_widths / sizeof narrow_widths[0] };
  if (narrow)
    return i < N_NARROW ? narrow_widths[i] : 0;
  return i <= 32 ? 4096 + (size_t)i : 0;
}

static void prepare(const options *o, const version *v, matrices *m)
{
  random_source random = random_from_seed(o->seed);
  v->allocate(m);
  CUDA_CHECK(cudaMalloc(&m->d_factor, m->n_rows * sizeof(float)));
  CUDA_CHECK(cudaMemset(m->d_factor, 0, m->n_rows * sizeof(float)));
  fill_device_floats(&random, m->d_in, m->n_rows * m->pitch_bytes / 4);
}

static int count(const options *o)
{
  size_t n_rows = o->n_sizes > 0 ? o->size[0] : 8;
  int narrow = is_narrow(o->count);
  printf("version,n_rows,n_cols,pitch_bytes\n");
  for (int k = 0; k < N_VERSIONS; k++)
    for (int i = 0; options_wants(o, versions[k].name) &&
                    (o->n_sizes == 2 ? i == 0 : width_of(narrow, i) > 0);
         i = narrow || i == 0 ? i + 1 : 2 * i) {
      matrices m = {NULL, NULL, NULL, n_rows,
                    o->n_sizes == 2 ? o->size[1] : width_of(narrow, i), 0,
                    0};
      prepare(o, &versions[k], &m);
      versions[k].launch(&m);
      CUDA_CHECK_LAUNCH();
      printf("%s,%zu,%zu,%zu\n", versions[k].name, m.n_rows, m.n_cols,
             m.pitch_bytes);
      CUDA_CHECK(cudaDeviceSynchronize());
      free_matrices(&m);
    }
  return EXIT_SUCCESS;
}

/* Useful bytes: each element of the matrix read and written, no padding. */
static void measure_case(const options *o, const version *v, size_t n_rows,
                         size_t n_cols, double copy)
{
  matrices m = {NULL, NULL, NULL, n_rows, n_cols, 0, 0};
  double n_bytes = 2.0 * (double)(n_rows * n_cols) * sizeof(float);
  prepare(o, v, &m);
  timing t = timing_start(o->repetitions);
  while (timing_next(&t))
    v->launch(&m);
  double gb_per_s = timing_gb_per_s(n_bytes, t.median_us);
  if (o->csv) {
    printf("%s,%zu,%zu,%zu,%d,%.3f,%.3f,%.2f,%.2f,%.4f\n", v->name, n_rows,
           n_cols, m.pitch_bytes, t.repetitions, t.median_us, t.spread_us,
           gb_per_s, copy, gb_per_s / copy);
  } else {
    char name[64];
    snprintf(name, sizeof name, "%s %zu", v->name, n_cols);
    timing_print_row(name, t, n_bytes);
  }
  fflush(stdout);
  free_matrices(&m);
}

static double copy_of(const options *o, size_t n_bytes)
{
  float *d_from, *d_to;
  CUDA_CHECK(cudaMalloc(&d_from, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_to, n_bytes));
  CUDA_CHECK(cudaMemset(d_from, 1, n_bytes));
  double copy = copy_gb_per_s(d_to, d_from, n_bytes, o->repetitions);
  CUDA_CHECK(cudaFree(d_from));
  CUDA_CHECK(cudaFree(d_to));
  return copy;
}

/* About the same number of elements for every width.  The y dimension of a
 * grid ends at 65 535 blocks: narrow matrices have fewer elements. */
static void measure(const options *o, int narrow)
{
  size_t n = memory_length(o, (size_t)1 << 26, 4.0 * sizeof(float));
  double copy = copy_of(o, n * sizeof(float));
  if (o->csv)
    printf("version,n_rows,n_cols,pitch_bytes,repetitions,time_us,spread_us,"
           "gb_per_s,copy_gb_per_s,share_of_copy\n");
  else
    timing_print_head();
  for (int k = 0; k < N_VERSIONS; k++)
    for (int i = 0; options_wants(o, versions[k].name) &&
                    width_of(narrow, i) > 0; i++) {
      size_t n_cols = width_of(narrow, i), n_rows = n / (narrow ? n_cols
                                                                : 4096);
      if (n_rows > (size_t)1 << 18)
        n_rows = (size_t)1 << 18;
      if (o->csv || i % 16 == 0 || i % 16 == 1)
        measure_case(o, &versions[k], n_rows, n_cols, copy);
    }
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "rows that are pitched or not",
                            "width,narrow", "width,narrow");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count)
    return count(&o);
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (!o.check && timing_is_possible())
    measure(&o, o.csv && is_narrow(o.csv));
  return EXIT_SUCCESS;
}
