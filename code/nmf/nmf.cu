/* Non-negative matrix factorisation: v is about w h, and nothing is negative.
 * One step of the multiplicative updates, by separate products, by cuBLAS, and
 * by kernels that read the pictures twice or once.
 *
 *   nvcc -std=c++17 -I code code/nmf/nmf.cu -lcublas -o nmf && ./nmf */
#include <math.h>

#include "common/compare.h"
#include "common/cublas_check.h"
#include "common/cuda_check.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"
#include "nmf/kernels.h"

enum { TILE = 16, FEW_BLOCKS = 8 };

/* The small matrices between the products. */
typedef struct {
  float *wv, *wwh;            /* w^T v and w^T w h, like h */
  float *vh, *whh;            /* v h^T and w h h^T, like w */
  float *ww, *hh;             /* w^T w and h h^T, k x k */
  float *parts;               /* products of pieces of a long sum */
} between;

/* ---- products by hand ------------------------------------------------ */

/* A matrix, or its transpose: what the distance is to the next row and to the
 * next column. */
typedef struct {
  const float *data;
  size_t down, right;
} view;

static view plain(const float *data, size_t n_rows)
{
  return (view){data, 1, n_rows};
}

static view transposed(const float *data, size_t n_rows)
{
  return (view){data, n_rows, 1};
}

typedef struct {
  size_t n_rows, n_cols, n_inner;
} shape;

/* A tile, zero outside of the matrix; neighbouring threads read neighbours. */
__device__ void load_tile(float tile[TILE][TILE + 1], view m, size_t first_row,
                          size_t first_col, size_t n_rows, size_t n_cols)
{
  size_t y = m.down == 1 ? threadIdx.x : threadIdx.y;
  size_t x = m.down == 1 ? threadIdx.y : threadIdx.x;
  size_t row = first_row + y, col = first_col + x;
  tile[y][x] = row < n_rows && col < n_cols
             ? m.data[row * m.down + col * m.right] : 0.0f;
}

// begin product
/* c = a b, or in grid layer z the piece of this sum that begins at z times
 * n_piece; the layers' results follow one another. */
__global__ void product(float *c, view a, view b, shape s, size_t n_piece)
{
  __shared__ float a_tile[TILE][TILE + 1], b_tile[TILE][TILE + 1];
  size_t first_row = (size_t)blockIdx.y * TILE;
  size_t first_col = (size_t)blockIdx.x * TILE;
  size_t from = blockIdx.z * n_piece;
  size_t end = min(from + n_piece, s.n_inner);
  float sum = 0.0f;
  for (size_t l = from; l < end; l += TILE) {
    load_tile(a_tile, a, first_row, l, s.n_rows, end);
    load_tile(b_tile, b, l, first_col, end, s.n_cols);
    __syncthreads();
    for (int i = 0; i < TILE; i++)
      sum = fmaf(a_tile[threadIdx.x][i], b_tile[i][threadIdx.y], sum);
    __syncthreads();
  }
  size_t row = first_row + threadIdx.x, col = first_col + threadIdx.y;
  if (row < s.n_rows && col < s.n_cols)
    c[blockIdx.z * s.n_rows * s.n_cols + col * s.n_rows + row] = sum;
}
// end product

// begin scale
/* x times above over below, element by element. */
__global__ void scale(float *x, const float *above, const float *below,
                      size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] * above[i] / (below[i] + EPSILON);
}
// end scale

__global__ void add_pieces(float *c, const float *pieces, size_t length,
                           unsigned n_pieces)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  if (i >= length)
    return;
  for (unsigned piece = 0; piece < n_pieces; piece++)
    sum += pieces[piece * length + i];
  c[i] = sum;
}

static unsigned blocks_for(size_t n, size_t per_block)
{
  return (unsigned)((n + per_block - 1) / per_block);
}

static void launch_product(float *d_c, view a, view b, shape s)
{
  dim3 grid(blocks_for(s.n_cols, TILE), blocks_for(s.n_rows, TILE));
  product<<<grid, dim3(TILE, TILE)>>>(d_c, a, b, s, s.n_inner);
}

enum { PIECES = 128 };

// begin launch_pieces
/* The same where c is small and the sums are long: PIECES blocks share each
 * sum, and a second kernel adds their pieces. */
static void launch_pieces(float *d_c, float *d_pieces, view a, view b,
                          shape s)
{
  size_t length = s.n_rows * s.n_cols;
  size_t n_piece = ((s.n_inner + PIECES - 1) / PIECES + TILE - 1) / TILE *
                   TILE;
  dim3 grid(blocks_for(s.n_cols, TILE), blocks_for(s.n_rows, TILE), PIECES);
  product<<<grid, dim3(TILE, TILE)>>>(d_pieces, a, b, s, n_piece);
  add_pieces<<<blocks_for(length, THREADS), THREADS>>>(d_c, d_pieces, length,
                                                       PIECES);
}
// end launch_pieces

static void launch_scale(float *d_x, const float *d_above,
                         const float *d_below, size_t n)
{
  scale<<<blocks_for(n, THREADS), THREADS>>>(d_x, d_above, d_below, n);
}

// begin step_products
/* One step, written down as the formulas are. */
static void step_products(const factors *f, const between *b, size_t k)
{
  size_t n = f->n_images;
  launch_product(b->wv, transposed(f->w, ROWS), plain(f->v, ROWS),
                 (shape){k, n, ROWS});
  launch_product(b->ww, transposed(f->w, ROWS), plain(f->w, ROWS),
                 (shape){k, k, ROWS});
  launch_product(b->wwh, plain(b->ww, k), plain(f->h, k), (shape){k, n, k});
  launch_scale(f->h, b->wv, b->wwh, k * n);

  launch_product(b->vh, plain(f->v, ROWS), transposed(f->h, k),
                 (shape){ROWS, k, n});
  launch_product(b->hh, plain(f->h, k), transposed(f->h, k),
                 (shape){k, k, n});
  launch_product(b->whh, plain(f->w, ROWS), plain(b->hh, k),
                 (shape){ROWS, k, k});
  launch_scale(f->w, b->vh, b->whh, ROWS * k);
}
// end step_products

static void step_pieces(const factors *f, const between *b, size_t k)
{
  size_t n = f->n_images;
  launch_product(b->wv, transposed(f->w, ROWS), plain(f->v, ROWS),
                 (shape){k, n, ROWS});
  launch_product(b->ww, transposed(f->w, ROWS), plain(f->w, ROWS),
                 (shape){k, k, ROWS});
  launch_product(b->wwh, plain(b->ww, k), plain(f->h, k), (shape){k, n, k});
  launch_scale(f->h, b->wv, b->wwh, k * n);

  launch_pieces(b->vh, b->parts, plain(f->v, ROWS), transposed(f->h, k),
                (shape){ROWS, k, n});
  launch_pieces(b->hh, b->parts, plain(f->h, k), transposed(f->h, k),
                (shape){k, k, n});
  launch_product(b->whh, plain(f->w, ROWS), plain(b->hh, k),
                 (shape){ROWS, k, k});
  launch_scale(f->w, b->vh, b->whh, ROWS * k);
}

/* ---- cuBLAS ---------------------------------------------------------- */

static cublasHandle_t cublas_handle(void)
{
  static cublasHandle_t handle;
  if (!handle)
    CUBLAS_CHECK(cublasCreate(&handle));
  return handle;
}

// begin library_product
/* c = a b; `a_turned` and `b_turned` say which of them is to be transposed. */
static void library_product(float *d_c, const float *d_a, int a_turned,
                            const float *d_b, int b_turned, shape s)
{
  const float one = 1.0f, zero = 0.0f;
  int n_rows = (int)s.n_rows, n_cols = (int)s.n_cols, n_inner = (int)s.n_inner;
  CUBLAS_CHECK(cublasSgemm(cublas_handle(),
                           a_turned ? CUBLAS_OP_T : CUBLAS_OP_N,
                           b_turned ? CUBLAS_OP_T : CUBLAS_OP_N, n_rows,
                           n_cols, n_inner, &one, d_a,
                           a_turned ? n_inner : n_rows, d_b,
                           b_turned ? n_cols : n_inner, &zero, d_c, n_rows));
}
// end library_product

/* The eight operations of a step, by themselves so that each can be timed.
 * `n_bytes` is what it has to read and write at least. */
typedef struct {
  const char *name;
  void (*launch)(const factors *f, const between *b, size_t k);
  double (*n_bytes)(double n, double k);
  double (*n_flop)(double n, double k);
} operation;

static void library_wv(const factors *f, const between *b, size_t k)
{
  library_product(b->wv, f->w, 1, f->v, 0, (shape){k, f->n_images, ROWS});
}

static void library_ww(const factors *f, const between *b, size_t k)
{
  library_product(b->ww, f->w, 1, f->w, 0, (shape){k, k, ROWS});
}

static void library_wwh(const factors *f, const between *b, size_t k)
{
  library_product(b->wwh, b->ww, 0, f->h, 0, (shape){k, f->n_images, k});
}

static void library_scale_h(const factors *f, const between *b, size_t k)
{
  launch_scale(f->h, b->wv, b->wwh, k * f->n_images);
}

static void library_vh(const factors *f, const between *b, size_t k)
{
  library_product(b->vh, f->v, 0, f->h, 1, (shape){ROWS, k, f->n_images});
}

static void library_hh(const factors *f, const between *b, size_t k)
{
  library_product(b->hh, f->h, 0, f->h, 1, (shape){k, k, f->n_images});
}

static void library_whh(const factors *f, const between *b, size_t k)
{
  library_product(b->whh, f->w, 0, b->hh, 0, (shape){ROWS, k, k});
}

static void library_scale_w(const factors *f, const between *b, size_t k)
{
  launch_scale(f->w, b->vh, b->whh, ROWS * k);
}

/* What the four large operations have to move and to compute, with n pictures
 * and k parts. */
static double bytes_wv(double n, double k)
{
  return sizeof(float) * (ROWS * n + k * n);
}

static double flop_wv(double n, double k)
{
  return 2.0 * ROWS * n * k;
}

static double bytes_wwh(double n, double k)
{
  return sizeof(float) * 2.0 * k * n;
}

static double flop_wwh(double n, double k)
{
  return 2.0 * k * k * n;
}

static double bytes_scale(double n, double k)
{
  return sizeof(float) * 4.0 * k * n;
}

static double bytes_hh(double n, double k)
{
  return sizeof(float) * k * n;
}

static double flop_scale(double n, double k)
{
  return 2.0 * k * n;
}

/* All that concerns only w and matrices of its size. */
static double bytes_small(double n, double k)
{
  (void)n;
  return sizeof(float) * 4.0 * ROWS * k;
}

static double flop_small(double n, double k)
{
  (void)n;
  return 2.0 * ROWS * k * k;
}

static const operation operations[] = {
  {"wv", library_wv, bytes_wv, flop_wv},
  {"ww", library_ww, bytes_small, flop_small},
  {"wwh", library_wwh, bytes_wwh, flop_wwh},
  {"scale_h", library_scale_h, bytes_scale, flop_scale},
  {"vh", library_vh, bytes_wv, flop_wv},
  {"hh", library_hh, bytes_hh, flop_wwh},
  {"whh", library_whh, bytes_small, flop_small},
  {"scale_w", library_scale_w, bytes_small, flop_small},
};
enum { N_OPERATIONS = sizeof operations / sizeof operations[0] };

static void step_cublas(const factors *f, const between *b, size_t k)
{
  for (int i = 0; i < N_OPERATIONS; i++)
    operations[i].launch(f, b, k);
}

/* ---- versions -------------------------------------------------------- */

/* The number of parts is a template's argument, so that sums stay in
 * registers: each rank has kernels of its own. */
static void run_once(const factors *f, const between *b, size_t k)
{
  (void)b;
  switch (k) {
    case 8: step_once<8>(f); break;
    case 16: step_once<16>(f); break;
    case 32: step_once<32>(f); break;
    default: step_once<64>(f);
  }
}

static void run_twice(const factors *f, const between *b, size_t k)
{
  (void)b;
  switch (k) {
    case 8: step_twice<8>(f); break;
    case 16: step_twice<16>(f); break;
    case 32: step_twice<32>(f); break;
    default: step_twice<64>(f);
  }
}

typedef struct {
  const char *name;
  const char *idea;
  void (*step)(const factors *f, const between *b, size_t k);
  int passes;                 /* over the pictures, at least */
} version;

static const version versions[] = {
  {"products", "a kernel for each product", step_products, 2},
  {"pieces", "long sums divided among blocks", step_pieces, 2},
  {"cublas", "the library's products", step_cublas, 2},
  {"twice", "two passes that keep the rest on the chip", run_twice, 2},
  {"once", "one pass", run_once, 1},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static const size_t ranks[] = {8, 16, 32, 64};
enum { N_RANKS = sizeof ranks / sizeof ranks[0], MOST_PARTS = 64 };

/* ---- memory ---------------------------------------------------------- */

static float *floats(size_t n)
{
  float *d_x;
  CUDA_CHECK(cudaMalloc(&d_x, n * sizeof(float)));
  return d_x;
}

static between new_between(size_t n_images, size_t k)
{
  between b;
  b.wv = floats(k * n_images);
  b.wwh = floats(k * n_images);
  b.vh = floats(ROWS * k);
  b.whh = floats(ROWS * k);
  b.ww = floats(k * k);
  b.hh = floats(k * k);
  b.parts = floats((size_t)PIECES * ROWS * k);
  return b;
}

static void free_between(between b)
{
  float *all[] = {b.wv, b.wwh, b.vh, b.whh, b.ww, b.hh, b.parts};
  for (int i = 0; i < 7; i++)
    CUDA_CHECK(cudaFree(all[i]));
}

/* Pictures of digits, one after the other, and random factors. */
static void draw_all(float *h_v, size_t n_images, random_source *source)
{
  for (size_t i = 0; i < n_images; i++)
    draw_digit(h_v + i * ROWS, (int)(i % CLASSES), 0.3f, 0.3f, source);
}

static void fill_fractions(float *x, size_t n, random_source *source)
{
  for (size_t i = 0; i < n; i++)
    x[i] = 0.01f + digits_fraction(source);
}

/* ---- checking -------------------------------------------------------- */

// begin reference
/* x times above over below, where above = a^T b and below = a^T a x: with a, b
 * and x for w, v and h this is the update of h. In double precision. */
static void reference_weights(double *h, const double *w, const float *v,
                              size_t n_images, size_t k)
{
  for (size_t image = 0; image < n_images; image++) {
    double rebuilt[ROWS] = {}, fresh[MOST_PARTS];
    double *mine = h + image * k;
    for (size_t r = 0; r < k; r++)
      for (size_t row = 0; row < ROWS; row++)
        rebuilt[row] += w[r * ROWS + row] * mine[r];
    for (size_t r = 0; r < k; r++) {
      double above = 0.0, below = 0.0;
      for (size_t row = 0; row < ROWS; row++) {
        above += w[r * ROWS + row] * v[image * ROWS + row];
        below += w[r * ROWS + row] * rebuilt[row];
      }
      fresh[r] = mine[r] * above / (below + EPSILON);
    }
    for (size_t r = 0; r < k; r++)
      mine[r] = fresh[r];
  }
}
// end reference

static void reference_parts(double *w, const double *h, const float *v,
                            size_t n_images, size_t k)
{
  for (size_t row = 0; row < ROWS; row++) {
    double above[MOST_PARTS] = {}, below[MOST_PARTS] = {};
    for (size_t image = 0; image < n_images; image++) {
      double rebuilt = 0.0;
      for (size_t r = 0; r < k; r++)
        rebuilt += w[r * ROWS + row] * h[image * k + r];
      for (size_t r = 0; r < k; r++) {
        above[r] += v[image * ROWS + row] * h[image * k + r];
        below[r] += rebuilt * h[image * k + r];
      }
    }
    for (size_t r = 0; r < k; r++)
      w[r * ROWS + row] *= above[r] / (below[r] + EPSILON);
  }
}

typedef struct {
  size_t n_images, k;
  float *h_v, *h_w, *h_h;     /* before the step */
  float *w_after, *h_after;   /* what it should give */
} problem;

static problem new_problem(size_t n_images, size_t k, uint64_t seed)
{
  problem p = {n_images, k};
  size_t n_w = ROWS * k, n_h = k * n_images;
  random_source source = random_from_seed(seed);
  p.h_v = (float *)malloc(ROWS * n_images * sizeof(float));
  p.h_w = (float *)malloc(n_w * sizeof(float));
  p.h_h = (float *)malloc(n_h * sizeof(float));
  p.w_after = (float *)malloc(n_w * sizeof(float));
  p.h_after = (float *)malloc(n_h * sizeof(float));
  double *w = (double *)malloc(n_w * sizeof(double));
  double *h = (double *)malloc(n_h * sizeof(double));
  draw_all(p.h_v, n_images, &source);
  fill_fractions(p.h_w, n_w, &source);
  fill_fractions(p.h_h, n_h, &source);
  /* A part that is zero, and a picture without weights, divide 0 by 0. */
  memset(p.h_w, 0, ROWS * sizeof(float));
  memset(p.h_h + (n_images - 1) * k, 0, k * sizeof(float));
  for (size_t i = 0; i < n_w; i++)
    w[i] = p.h_w[i];
  for (size_t i = 0; i < n_h; i++)
    h[i] = p.h_h[i];
  reference_weights(h, w, p.h_v, n_images, k);
  reference_parts(w, h, p.h_v, n_images, k);
  for (size_t i = 0; i < n_w; i++)
    p.w_after[i] = (float)w[i];
  for (size_t i = 0; i < n_h; i++)
    p.h_after[i] = (float)h[i];
  free(w);
  free(h);
  return p;
}

static void free_problem(problem p)
{
  free(p.h_v);
  free(p.h_w);
  free(p.h_h);
  free(p.w_after);
  free(p.h_after);
}

/* Every sum has terms of one sign, so that its error is small against it. */
#define TOLERANCE 1e-4

static int check_version(const version *v, const problem *p)
{
  size_t n = p->n_images, k = p->k;
  size_t w_bytes = ROWS * k * sizeof(float), h_bytes = k * n * sizeof(float);
  char what[96];
  snprintf(what, sizeof what, "%s, %zu pictures, %zu parts", v->name, n, k);
  char *h_w = (char *)malloc(w_bytes + GUARD_BYTES);
  char *h_h = (char *)malloc(h_bytes + GUARD_BYTES);
  float *d_v = floats(ROWS * n);
  factors f = {floats(ROWS * k + GUARD_BYTES / sizeof(float)),
               floats(k * n + GUARD_BYTES / sizeof(float)), d_v, n,
               floats(shares_bytes((int)k) / sizeof(float)),
               floats((ROWS + k) * k)};
  between b = new_between(n, k);
  poison_device(f.w + ROWS * k, GUARD_BYTES);
  poison_device(f.h + k * n, GUARD_BYTES);
  poison_device(f.shares, shares_bytes((int)k));
  CUDA_CHECK(cudaMemcpy(d_v, p->h_v, ROWS * n * sizeof(float),
                        cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(f.w, p->h_w, w_bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(f.h, p->h_h, h_bytes, cudaMemcpyHostToDevice));
  v->step(&f, &b, k);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_w, f.w, w_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(h_h, f.h, h_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  int good = compare_floats_within(what, p->h_after, (float *)h_h, k * n,
                                   TOLERANCE, 0.0) &&
             compare_floats_within(what, p->w_after, (float *)h_w, ROWS * k,
                                   TOLERANCE, 0.0) &&
             compare_guard(what, h_w + w_bytes, GUARD_BYTES) &&
             compare_guard(what, h_h + h_bytes, GUARD_BYTES);
  float *all[] = {f.w, f.h, d_v, f.shares, f.totals};
  for (int i = 0; i < 5; i++)
    CUDA_CHECK(cudaFree(all[i]));
  free_between(b);
  free(h_w);
  free(h_h);
  return good;
}

/* Fewer pictures than a tile has, whole tiles, and a rest; fewer tiles than
 * blocks, and more, so that blocks go round their loops. */
static int check_versions(const options *o)
{
  static const size_t sizes[] = {1, 15, 32, 77, 300};
  int n_bad = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    for (int rank = 0; rank < N_RANKS; rank++) {
      if (sizes[i] == 300 && ranks[rank] > 16 && device_is_software())
        continue;
      problem p = new_problem(sizes[i], ranks[rank], o->seed);
      fixed_blocks = sizes[i] == 77 ? 2 : sizes[i] == 300 ? 10 : 3;
      for (int v = 0; v < N_VERSIONS; v++)
        if (options_wants(o, versions[v].name))
          n_bad += !check_version(&versions[v], &p);
      free_problem(p);
    }
  fixed_blocks = 0;
  if (n_bad == 0)
    fprintf(options_remarks(o),
            "every version agrees with the reference (--seed %llu)\n",
            (unsigned long long)o->seed);
  return n_bad;
}

/* ---- measuring ------------------------------------------------------- */

typedef struct {
  factors f;
  between b;
  size_t k;
} setup;

/* The pictures are 1024 different ones, over and over. */
static setup new_setup(const options *o, size_t n_images, size_t k)
{
  enum { DIFFERENT = 1024 };
  setup s = {{floats(ROWS * k), floats(k * n_images), NULL, n_images,
              floats(shares_bytes((int)k) / sizeof(float)),
              floats((ROWS + k) * k)},
             new_between(n_images, k), k};
  size_t most = ROWS > k ? ROWS : k;
  float *h_block = (float *)malloc(DIFFERENT * most * sizeof(float));
  float *d_v = floats(ROWS * n_images);
  random_source source = random_from_seed(o->seed);
  draw_all(h_block, DIFFERENT, &source);
  for (size_t at = 0; at < n_images; at += DIFFERENT) {
    size_t some = n_images - at < DIFFERENT ? n_images - at : DIFFERENT;
    CUDA_CHECK(cudaMemcpy(d_v + at * ROWS, h_block,
                          some * ROWS * sizeof(float),
                          cudaMemcpyHostToDevice));
  }
  s.f.v = d_v;
  fill_fractions(h_block, ROWS * k, &source);
  CUDA_CHECK(cudaMemcpy(s.f.w, h_block, ROWS * k * sizeof(float),
                        cudaMemcpyHostToDevice));
  fill_fractions(h_block, DIFFERENT * k, &source);
  for (size_t at = 0; at < n_images; at += DIFFERENT) {
    size_t some = n_images - at < DIFFERENT ? n_images - at : DIFFERENT;
    CUDA_CHECK(cudaMemcpy(s.f.h + at * k, h_block, some * k * sizeof(float),
                          cudaMemcpyHostToDevice));
  }
  free(h_block);
  return s;
}

static void free_setup(setup s)
{
  float *all[] = {s.f.w, s.f.h, (float *)s.f.v, s.f.shares, s.f.totals};
  for (int i = 0; i < 5; i++)
    CUDA_CHECK(cudaFree(all[i]));
  free_between(s.b);
}

/* The pictures once, the weights in and out: less cannot be moved. */
static double least_bytes(double n_images, double k)
{
  return sizeof(float) * (ROWS * n_images + 2.0 * k * n_images);
}

__global__ void copy(float4 *to, const float4 *from, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i];
}

/* How long a copy takes that moves as many bytes as a step has to. */
static timing time_copy(const setup *s, int repetitions)
{
  size_t n = (size_t)(least_bytes((double)s->f.n_images, (double)s->k) / 2 /
                      sizeof(float4));
  float4 *d_to;
  CUDA_CHECK(cudaMalloc(&d_to, n * sizeof(float4)));
  timing t = timing_start(repetitions);
  while (timing_next(&t)) {
    copy<<<blocks_for(n, THREADS), THREADS>>>(d_to, (const float4 *)s->f.v,
                                              n);
    CUDA_CHECK_LAUNCH();
  }
  CUDA_CHECK(cudaFree(d_to));
  return t;
}

static timing time_step(const version *v, const setup *s, int repetitions)
{
  timing t = timing_start(repetitions);
  while (timing_next(&t)) {
    v->step(&s->f, &s->b, s->k);
    CUDA_CHECK_LAUNCH();
  }
  return t;
}

static size_t images_that_fit(const options *o)
{
  return memory_length(o, (size_t)1 << 20,
                       (2 * ROWS + 4 * MOST_PARTS) * sizeof(float));
}

static void print_row(const options *o, const char *name, const setup *s,
                      timing t, double copy_us)
{
  double bytes = least_bytes((double)s->f.n_images, (double)s->k);
  if (o->csv)
    printf("%s,%zu,%zu,%d,%.3f,%.3f,%.1f,%.4f\n", name, s->f.n_images, s->k,
           t.repetitions, t.median_us, t.spread_us,
           2.0 * flop_wv((double)s->f.n_images, (double)s->k) /
           t.median_us * 1e-3, copy_us / t.median_us);
  else
    timing_print_row(name, t, bytes);
  fflush(stdout);
}

/* Every version with one number of parts, and those worth it with all. */
static void measure(const options *o)
{
  size_t n_images = images_that_fit(o);
  int all_ranks = o->csv && strcmp(o->csv, "ranks") == 0;
  if (o->csv)
    printf("version,n_images,n_parts,repetitions,time_us,time_spread_us,"
           "gflop_per_s,share_of_copy\n");
  else
    timing_print_head();
  for (int rank = 0; rank < N_RANKS; rank++) {
    if (!all_ranks && ranks[rank] != 16)
      continue;
    setup s = new_setup(o, n_images, ranks[rank]);
    timing c = time_copy(&s, o->repetitions);
    print_row(o, "copy", &s, c, c.median_us);
    for (int i = 0; i < N_VERSIONS; i++) {
      const version *v = &versions[i];
      int is_slow = v->step == step_products;
      if (!options_wants(o, v->name) ||
          (all_ranks && (is_slow || v->step == step_pieces)))
        continue;
      timing t = time_step(v, &s, is_slow && o->repetitions > 3
                                  ? 3 : o->repetitions);
      print_row(o, v->name, &s, t, c.median_us);
    }
    free_setup(s);
  }
}

/* cuBLAS's step, taken apart. */
static void measure_operations(const options *o)
{
  setup s = new_setup(o, images_that_fit(o), 16);
  double n = (double)s.f.n_images, k = (double)s.k;
  step_cublas(&s.f, &s.b, s.k);
  printf("operation,n_images,n_parts,n_bytes,n_flop,repetitions,time_us,"
         "time_spread_us\n");
  for (int i = 0; i < N_OPERATIONS; i++) {
    const operation *p = &operations[i];
    timing t = timing_start(o->repetitions);
    while (timing_next(&t)) {
      p->launch(&s.f, &s.b, s.k);
      CUDA_CHECK_LAUNCH();
    }
    printf("%s,%.0f,%.0f,%.0f,%.0f,%d,%.3f,%.3f\n", p->name, n, k,
           p->n_bytes(n, k), p->n_flop(n, k), t.repetitions, t.median_us,
           t.spread_us);
    fflush(stdout);
  }
  free_setup(s);
}

/* One step of the fused versions, to be counted; a row for each launch. */
static void count(const options *o)
{
  size_t n_images = memory_length(o, 1024, (2 * ROWS + 64) * sizeof(float));
  fixed_blocks = n_images > 65536 ? 0 : FEW_BLOCKS;
  printf("version,n_images,n_parts\n");
  for (int i = 0; i < 2; i++) {
    const version *v = &versions[N_VERSIONS - 2 + i];
    if (!options_wants(o, v->name))
      continue;
    setup s = new_setup(o, n_images, 16);
    v->step(&s.f, &s.b, s.k);
    CUDA_CHECK_LAUNCH();
    for (int launch = 0; launch < 2 + v->passes; launch++)
      printf("%s,%zu,16\n", v->name, n_images);
    free_setup(s);
  }
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "factors that are never negative",
                            "ladder,ranks,operations", "step");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count) {
    count(&o);
    return EXIT_SUCCESS;
  }
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (check_versions(&o) > 0)
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  if (o.csv && strcmp(o.csv, "operations") == 0)
    measure_operations(&o);
  else
    measure(&o);
  return EXIT_SUCCESS;
}
