/* A picture in two steps: first grey, then the outlines of what is in it. Each
 * pixel has a thread, in a two-dimensional grid.
 *
 *   nvcc -I code code/threads/outline.cu -o outline && ./outline
 *   ./outline PICTURE.ppm GREY.png OUTLINE.png */
#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/options.h"
#include "common/png.h"
#include "common/random.h"

// begin to_grey
/* Green looks the brightest to us; the weights add up to 256. */
__global__ void to_grey(unsigned char *grey, const unsigned char *rgb,
                        int n_rows, int n_cols)
{
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n_rows || col >= n_cols)
    return;
  size_t i = (size_t)row * n_cols + col;
  grey[i] = (77 * rgb[3 * i] + 150 * rgb[3 * i + 1] + 29 * rgb[3 * i + 2] +
             128) / 256;
}
// end to_grey

// begin outline
/* Beyond an edge, the nearest pixel inside counts. */
__device__ int grey_at(const unsigned char *grey, int n_rows, int n_cols,
                       int row, int col)
{
  row = min(max(row, 0), n_rows - 1);
  col = min(max(col, 0), n_cols - 1);
  return grey[(size_t)row * n_cols + col];
}

__global__ void outline(unsigned char *out, const unsigned char *grey,
                        int n_rows, int n_cols)
{
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n_rows || col >= n_cols)
    return;
  int across = grey_at(grey, n_rows, n_cols, row, col + 1) -
               grey_at(grey, n_rows, n_cols, row, col - 1);
  int down = grey_at(grey, n_rows, n_cols, row + 1, col) -
             grey_at(grey, n_rows, n_cols, row - 1, col);
  int strength = 2 * (abs(across) + abs(down));
  out[(size_t)row * n_cols + col] = 255 - min(strength, 255);
}
// end outline

typedef struct {
  const char *name;
  const char *idea;
  dim3 block;
} version;

static const version versions[] = {
  {"32x8", "one warp wide", dim3(32, 8)},
  {"16x16", "square", dim3(16, 16)},
  {"8x32", "a quarter of a warp wide", dim3(8, 32)},
  {"256x1", "one row of threads", dim3(256, 1)},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static dim3 grid_over(dim3 block, int n_rows, int n_cols)
{
  return dim3((n_cols + block.x - 1) / block.x,
              (n_rows + block.y - 1) / block.y);
}

static void launch(dim3 block, unsigned char *d_out, unsigned char *d_grey,
                   const unsigned char *d_rgb, int n_rows, int n_cols)
{
  dim3 grid = grid_over(block, n_rows, n_cols);
  to_grey<<<grid, block>>>(d_grey, d_rgb, n_rows, n_cols);
  outline<<<grid, block>>>(d_out, d_grey, n_rows, n_cols);
}

/* The same on the CPU. Inside, each neighbour is where it seems; the rest is
   asked for one by one. */
static void reference(unsigned char *out, unsigned char *grey,
                      const unsigned char *rgb, int n_rows, int n_cols)
{
  for (int i = 0; i < n_rows * n_cols; i++)
    grey[i] = (unsigned char)((77 * rgb[3 * i] + 150 * rgb[3 * i + 1] +
                               29 * rgb[3 * i + 2] + 128) >> 8);
  for (int row = 0; row < n_rows; row++)
    for (int col = 0; col < n_cols; col++) {
      int here = row * n_cols + col;
      int left = col > 0 ? here - 1 : here;
      int right = col < n_cols - 1 ? here + 1 : here;
      int above = row > 0 ? here - n_cols : here;
      int below = row < n_rows - 1 ? here + n_cols : here;
      int sum = 2 * (abs(grey[right] - grey[left]) +
                     abs(grey[below] - grey[above]));
      out[here] = (unsigned char)(sum > 255 ? 0 : 255 - sum);
    }
}

/* Runs one version and leaves both pictures on the host. Bytes after each
   picture must stay as they were. */
static int run(const version *v, unsigned char *h_out, unsigned char *h_grey,
               const unsigned char *h_rgb, int n_rows, int n_cols)
{
  size_t n = (size_t)n_rows * n_cols;
  unsigned char *d_rgb, *d_grey, *d_out, h_guard[2 * GUARD_BYTES];
  CUDA_CHECK(cudaMalloc(&d_rgb, 3 * n));
  CUDA_CHECK(cudaMalloc(&d_grey, n + GUARD_BYTES));
  CUDA_CHECK(cudaMalloc(&d_out, n + GUARD_BYTES));
  CUDA_CHECK(cudaMemcpy(d_rgb, h_rgb, 3 * n, cudaMemcpyHostToDevice));
  poison_device(d_grey, n + GUARD_BYTES);
  poison_device(d_out, n + GUARD_BYTES);
  launch(v->block, d_out, d_grey, d_rgb, n_rows, n_cols);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_grey, d_grey, n, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(h_out, d_out, n, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(h_guard, d_grey + n, GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(h_guard + GUARD_BYTES, d_out + n, GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_rgb));
  CUDA_CHECK(cudaFree(d_grey));
  CUDA_CHECK(cudaFree(d_out));
  return compare_guard(v->name, h_guard, sizeof h_guard);
}

static int check_picture(const version *v, const unsigned char *h_rgb,
                         int n_rows, int n_cols)
{
  size_t n = (size_t)n_rows * n_cols;
  unsigned char *h = (unsigned char *)malloc(4 * n);
  reference(h, h + n, h_rgb, n_rows, n_cols);
  int good = run(v, h + 2 * n, h + 3 * n, h_rgb, n_rows, n_cols);
  if (memcmp(h, h + 2 * n, 2 * n) != 0) {
    fprintf(stderr, "%s, %d x %d: error: the pictures are not the CPU's\n",
            v->name, n_rows, n_cols);
    good = 0;
  }
  free(h);
  return good;
}

static unsigned char *random_picture(random_source *source, size_t n)
{
  unsigned char *h_rgb = (unsigned char *)malloc(3 * n);
  random_fill_bytes(source, h_rgb, 3 * n);
  return h_rgb;
}

static int check_versions(const options *o)
{
  static const int sizes[][2] = {
    {1, 1}, {1, 300}, {300, 1}, {31, 33}, {64, 64}, {97, 129}, {214, 320},
  };
  random_source source = random_from_seed(o->seed);
  int n_bad = 0;
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
    unsigned char *h_rgb =
      random_picture(&source, (size_t)sizes[s][0] * sizes[s][1]);
    for (int i = 0; i < N_VERSIONS; i++)
      if (options_wants(o, versions[i].name))
        n_bad += !check_picture(&versions[i], h_rgb, sizes[s][0], sizes[s][1]);
    free(h_rgb);
  }
  if (n_bad == 0)
    fprintf(options_remarks(o), "every shape agrees with the reference "
            "(--seed %llu)\n", (unsigned long long)o->seed);
  return n_bad;
}

/* The grids over a picture of the size of the book's photograph. */
static void count(const options *o)
{
  const int n_rows = 214, n_cols = 320;
  size_t n = (size_t)n_rows * n_cols;
  random_source source = random_from_seed(o->seed);
  unsigned char *h_rgb = random_picture(&source, n);
  unsigned char *d_rgb, *d_grey, *d_out;
  CUDA_CHECK(cudaMalloc(&d_rgb, 3 * n));
  CUDA_CHECK(cudaMalloc(&d_grey, n));
  CUDA_CHECK(cudaMalloc(&d_out, n));
  CUDA_CHECK(cudaMemcpy(d_rgb, h_rgb, 3 * n, cudaMemcpyHostToDevice));
  printf("version,n_rows,n_cols,n_blocks,n_threads,n_idle\n");
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    dim3 grid = grid_over(v->block, n_rows, n_cols);
    unsigned n_blocks = grid.x * grid.y;
    unsigned n_threads = n_blocks * v->block.x * v->block.y;
    if (!options_wants(o, v->name))
      continue;
    launch(v->block, d_out, d_grey, d_rgb, n_rows, n_cols);
    CUDA_CHECK_LAUNCH();
    for (int kernel = 0; kernel < 2; kernel++)   /* a row for each launch */
      printf("%s,%d,%d,%u,%u,%zu\n", v->name, n_rows, n_cols, n_blocks,
             n_threads, n_threads - n);
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(d_rgb));
  CUDA_CHECK(cudaFree(d_grey));
  CUDA_CHECK(cudaFree(d_out));
  free(h_rgb);
}

static void write_grey(const unsigned char *grey, const picture *size,
                       const char *path)
{
  char error[PICTURE_ERROR_BYTES];
  size_t n = size->n_rows * size->n_cols;
  picture p = {size->n_rows, size->n_cols, (unsigned char *)malloc(3 * n)};
  for (size_t i = 0; i < 3 * n; i++)
    p.rgb[i] = grey[i / 3];
  if (!png_write(&p, path, error)) {
    fprintf(stderr, "error: %s\n", error);
    exit(EXIT_FAILURE);
  }
  picture_free(&p);
}

static int draw(const char *from, const char *grey_path,
                const char *outline_path)
{
  picture p;
  char error[PICTURE_ERROR_BYTES];
  if (!picture_read(&p, from, error)) {
    fprintf(stderr, "error: %s\n", error);
    return EXIT_FAILURE;
  }
  size_t n = p.n_rows * p.n_cols;
  unsigned char *h = (unsigned char *)malloc(2 * n);
  if (!run(&versions[0], h + n, h, p.rgb, (int)p.n_rows, (int)p.n_cols))
    return EXIT_FAILURE;
  write_grey(h, &p, grey_path);
  write_grey(h + n, &p, outline_path);
  free(h);
  picture_free(&p);
  return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
  if (argc == 4 && argv[1][0] != '-')
    return draw(argv[1], argv[2], argv[3]);
  options o = options_parse(argc, argv, "draws the outlines of a picture in "
                            "blocks of several shapes", "", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count) {
    count(&o);
    return EXIT_SUCCESS;
  }
  return check_versions(&o) > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
