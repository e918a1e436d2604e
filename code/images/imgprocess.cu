/* A program for pictures, with the command line of the lab sheet:
 *
 *   nvcc -I code -o imgprocess code/images/imgprocess.cu
 *   ./imgprocess input output [c|g] [filter,…]
 *
 * input: BMP or PPM. output: PNG, or PPM if its name ends so; - is standard
 * output. c: on the CPU, g: on the GPU, which is what happens without it.
 * Filters, one after another: motion (if none is named), median, sheet
 * (the motion blur with the lab sheet's weights as they are printed) and
 * noise, which spoils every tenth value, for the median to repair. */
#include "common/bmp.h"
#include "common/options.h"
#include "common/png.h"
#include "common/random.h"
#include "common/timing.h"
#include "images/median.h"
#include "images/motion.h"

/* ---- from a picture to four-byte pixels and back ---- */

static image image_of(const picture *p)
{
  image m = image_on_host((int)p->n_rows, (int)p->n_cols);
  const unsigned char *rgb = p->rgb;
  for (int row = 0; row < m.n_rows; row++)
    for (int col = 0; col < m.n_cols; col++, rgb += 3)
      m.pixels[(size_t)row * m.pitch + col] =
          rgb[0] | rgb[1] << 8 | (uint32_t)rgb[2] << 16;
  return m;
}

static void into_picture(picture *p, image m)
{
  unsigned char *rgb = p->rgb;
  for (int row = 0; row < m.n_rows; row++)
    for (int col = 0; col < m.n_cols; col++)
      for (int c = 0; c < 3; c++)
        *rgb++ = (unsigned char)channel_of(
            m.pixels[(size_t)row * m.pitch + col], c);
}

/* ---- filters ---- */

// begin sheet
/* The lab sheet's weights, to its five digits. Their sum is not 1. */
#define SHEET_WEIGHTS \
  {{22222, 27778, 22222,  5556,     0}, \
   {27778, 44444, 44444, 22222,  5556}, \
   {22222, 44444, 55556, 44444, 22222}, \
   { 5556, 22222, 44444, 44444, 27778}, \
   {    0,  5556, 22222, 27778, 22222}}

__host__ __device__ static uint32_t sheet_pixel(image in, int row, int col)
{
  const int weights[WEIGHTS][WEIGHTS] = SHEET_WEIGHTS;
  uint32_t result = 0;
  for (int c = 0; c < 3; c++) {
    uint32_t sum = 0;
    for (int y = 0; y < WEIGHTS; y++)
      for (int x = 0; x < WEIGHTS; x++)
        sum += weights[y][x] *
               channel_of(pixel_at(in, row + y - RADIUS, col + x - RADIUS),
                          c);
    uint32_t value = (sum + 50000) / 100000;
    result |= (value < 255 ? value : 255) << (8 * c);
  }
  return result;
}

__global__ void sheet_filter(image out, image in)
{
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < in.n_rows && col < in.n_cols)
    out.pixels[(size_t)row * out.pitch + col] = sheet_pixel(in, row, col);
}
// end sheet

static void sheet_reference(image out, image in)
{
  for (int row = 0; row < in.n_rows; row++)
    for (int col = 0; col < in.n_cols; col++)
      out.pixels[(size_t)row * out.pitch + col] = sheet_pixel(in, row, col);
}

static void launch_sheet(image d_out, image d_in)
{
  sheet_filter<<<dim3(blocks_for(d_in.n_cols, 32),
                      blocks_for(d_in.n_rows, 8)), dim3(32, 8)>>>(d_out,
                                                                  d_in);
}

// begin noise
/* Every tenth value becomes 0 or 255, the same ones in each run and on each
 * device: which, says a hash of the value's place. */
__host__ __device__ static uint32_t noisy_pixel(image in, int row, int col)
{
  uint32_t pixel = pixel_at(in, row, col);
  for (int c = 0; c < 3; c++) {
    uint32_t hash = ((uint32_t)row * in.n_cols + col) * 3 + c;
    hash = (hash ^ hash >> 16) * 0x7feb352du;
    hash = (hash ^ hash >> 15) * 0x846ca68bu;
    hash ^= hash >> 16;
    if (hash % 20 == 0)
      pixel &= ~(0xffu << (8 * c));
    else if (hash % 20 == 1)
      pixel |= 0xffu << (8 * c);
  }
  return pixel;
}
// end noise

__global__ void noise_filter(image out, image in)
{
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < in.n_rows && col < in.n_cols)
    out.pixels[(size_t)row * out.pitch + col] = noisy_pixel(in, row, col);
}

static void noise_reference(image out, image in)
{
  for (int row = 0; row < in.n_rows; row++)
    for (int col = 0; col < in.n_cols; col++)
      out.pixels[(size_t)row * out.pitch + col] = noisy_pixel(in, row, col);
}

static void launch_noise(image d_out, image d_in)
{
  noise_filter<<<dim3(blocks_for(d_in.n_cols, 32),
                      blocks_for(d_in.n_rows, 8)), dim3(32, 8)>>>(d_out,
                                                                  d_in);
}

typedef struct {
  const char *name;
  const char *idea;
  void (*on_host)(image out, image in);
  void (*launch)(image d_out, image d_in);
} filter;

static const filter filters[] = {
  {"motion", "a blur along the diagonal", motion_reference, launch_motion},
  {"median", "the middle of 3 x 3 values", median_reference, launch_median},
  {"sheet", "the blur as the lab sheet prints it", sheet_reference,
   launch_sheet},
  {"noise", "every tenth value spoilt", noise_reference, launch_noise},
};
enum { N_FILTERS = sizeof filters / sizeof filters[0] };

/* The filters that `names` lists; 0 if one of them is none. */
static int chain_of(const char *names, const filter **chain, int most)
{
  int n = 0;
  while (*names) {
    size_t length = strcspn(names, ",");
    int k = 0;
    while (k < N_FILTERS && !(strlen(filters[k].name) == length &&
                              memcmp(filters[k].name, names, length) == 0))
      k++;
    if (k == N_FILTERS || n == most)
      return 0;
    chain[n++] = &filters[k];
    names += length;
    names += *names == ',';
  }
  return n;
}

/* ---- one picture through its filters ---- */

// begin on_host
static void apply_on_host(image m, const filter *const *chain, int n)
{
  image other = image_on_host(m.n_rows, m.n_cols);
  for (int i = 0; i < n; i++) {
    chain[i]->on_host(other, m);
    memcpy(m.pixels, other.pixels, image_bytes(m));
  }
  free(other.pixels);
}
// end on_host

// begin on_device
static void apply_on_device(image m, const filter *const *chain, int n)
{
  image d_from = image_on_device(m.n_rows, m.n_cols, 0);
  image d_to = image_on_device(m.n_rows, m.n_cols, 0);
  CUDA_CHECK(cudaMemcpy(d_from.pixels, m.pixels, image_bytes(m),
                        cudaMemcpyHostToDevice));
  for (int i = 0; i < n; i++) {
    chain[i]->launch(d_to, d_from);
    CUDA_CHECK_LAUNCH();
    image d_done = d_to;
    d_to = d_from;
    d_from = d_done;
  }
  CUDA_CHECK(cudaMemcpy(m.pixels, d_from.pixels, image_bytes(m),
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_from.pixels));
  CUDA_CHECK(cudaFree(d_to.pixels));
}
// end on_device

static int ends_with(const char *text, const char *end)
{
  size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

static int write_output(const picture *p, const char *path, char *error)
{
  if (strcmp(path, "-") == 0)
    return png_write_open(p, stdout, "standard output", error);
  if (ends_with(path, ".ppm"))
    return picture_write(p, path, error);
  if (ends_with(path, ".png"))
    return png_write(p, path, error);
  return picture_refuse(error, path, "the output's name must end with .png "
                        "or .ppm");
}

static int fail(const char *message)
{
  fflush(stdout);
  fprintf(stderr, "imgprocess: error: %s\n", message);
  return EXIT_FAILURE;
}

// begin process
/* Whatever is wrong with the input is found before the output is opened. */
static int process(int argc, char **argv)
{
  const char *where = argc > 3 ? argv[3] : "g";
  const filter *chain[8];
  int n = chain_of(argc > 4 ? argv[4] : "motion", chain, 8);
  char error[PICTURE_ERROR_BYTES];
  picture p;
  if (argc > 5 || n == 0 || (strcmp(where, "c") != 0 &&
                             strcmp(where, "g") != 0))
    return fail("usage: imgprocess input output [c|g] "
                "[motion|median|sheet|noise,…]");
  if (!picture_read_any(&p, argv[1], error))
    return fail(error);
  image m = image_of(&p);
  if (*where == 'c')
    apply_on_host(m, chain, n);
  else
    apply_on_device(m, chain, n);
  into_picture(&p, m);
  free(m.pixels);
  int good = write_output(&p, argv[2], error);
  picture_free(&p);
  return good ? EXIT_SUCCESS : fail(error);
}
// end process

/* ---- check: the GPU's picture is the CPU's, byte for byte ---- */

static picture random_picture(random_source *source, int n_rows, int n_cols)
{
  picture p = {(size_t)n_rows, (size_t)n_cols, NULL};
  size_t n_bytes = (size_t)3 * n_rows * n_cols;
  p.rgb = (unsigned char *)malloc(n_bytes + 1);
  random_fill_bytes(source, p.rgb, n_bytes);
  return p;
}

static int check_picture(const filter *f, const picture *p)
{
  image by_host = image_of(p), by_device = image_of(p);
  int same = 1;
  apply_on_host(by_host, &f, 1);
  apply_on_device(by_device, &f, 1);
  for (int row = 0; row < by_host.n_rows && same; row++)
    same = memcmp(by_host.pixels + (size_t)row * by_host.pitch,
                  by_device.pixels + (size_t)row * by_host.pitch,
                  (size_t)4 * by_host.n_cols) == 0;
  if (!same)
    fprintf(stderr, "%s, %zu x %zu: error: the GPU's picture is another "
            "than the CPU's\n", f->name, p->n_rows, p->n_cols);
  free(by_host.pixels);
  free(by_device.pixels);
  return same;
}

static int check(const options *o)
{
  static const int sizes[][2] = {{1, 1}, {3, 2}, {9, 33}, {16, 64}, {2, 261}};
  random_source source = random_from_seed(o->seed);
  int right = 1;
  for (int k = 0; k < N_FILTERS; k++) {
    if (!options_wants(o, filters[k].name))
      continue;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
      picture p = random_picture(&source, sizes[i][0], sizes[i][1]);
      right &= check_picture(&filters[k], &p);
      picture_free(&p);
    }
  }
  fprintf(options_remarks(o), "check: every filter on CPU and GPU, seed "
          "%llu: %s\n", (unsigned long long)o->seed,
          right ? "all right" : "WRONG");
  return right;
}

/* ---- facts about the pictures that the book shows ---- */

/* How far values are from those of the picture before, on average. */
static double distance(const picture *a, const picture *b)
{
  double sum = 0.0;
  size_t n = 3 * a->n_rows * a->n_cols;
  for (size_t i = 0; i < n; i++)
    sum += abs((int)a->rgb[i] - (int)b->rgb[i]);
  return sum / (double)n;
}

static void print_facts(const char *name, const picture *p,
                        const picture *before)
{
  size_t n = 3 * p->n_rows * p->n_cols, white = 0, wrong = 0;
  double sum = 0.0;
  for (size_t i = 0; i < n; i++) {
    sum += p->rgb[i];
    white += p->rgb[i] == 255;
    wrong += p->rgb[i] != before->rgb[i];
  }
  printf("%s,%zu,%zu,%.3f,%.5f,%.5f,%.3f\n", name, p->n_rows, p->n_cols,
         sum / (double)n, (double)white / (double)n,
         (double)wrong / (double)n, distance(p, before));
}

static int print_pictures(void)
{
  static const char *const names[] = {"motion", "sheet", "noise",
                                      "noise,median", "median",
                                      "noise,motion"};
  picture before = picture_of_course("pavilion.ppm");
  printf("filters,n_rows,n_cols,mean,share_at_255,share_changed,"
         "mean_change\n");
  print_facts("none", &before, &before);
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    picture p = picture_of_course("pavilion.ppm");
    const filter *chain[8];
    int n = chain_of(names[i], chain, 8);
    image m = image_of(&p);
    apply_on_device(m, chain, n);
    into_picture(&p, m);
    char name[64];
    snprintf(name, sizeof name, "%s", names[i]);
    for (char *c = name; *c; c++)
      if (*c == ',')
        *c = '+';
    print_facts(name, &p, &before);
    free(m.pixels);
    picture_free(&p);
  }
  picture_free(&before);
  return EXIT_SUCCESS;
}

/* ---- times: CPU, GPU, and the GPU with the way to it and back ---- */

/* The better of two passes; of one that takes a second, one is enough. */
static double host_us(image m, const filter *f)
{
  image out = image_on_host(m.n_rows, m.n_cols);
  double best = 0.0;
  for (int i = 0; i < 2 && best < 1e6; i++) {
    double start = timing_host_us();
    f->on_host(out, m);
    double us = timing_host_us() - start;
    best = i == 0 || us < best ? us : best;
  }
  free(out.pixels);
  return best;
}

static double median_of_samples(double *samples, int n)
{
  qsort(samples, (size_t)n, sizeof *samples, timing_by_size);
  return timing_quantile(samples, n, 0.5);
}

/* Allocation, copies and kernel, as process does it. */
static double whole_us(image m, const filter *f, int repetitions)
{
  double *samples = (double *)malloc((size_t)repetitions * sizeof(double));
  apply_on_device(m, &f, 1);
  for (int i = 0; i < repetitions; i++) {
    double start = timing_host_us();
    apply_on_device(m, &f, 1);
    samples[i] = timing_host_us() - start;
  }
  double us = median_of_samples(samples, repetitions);
  free(samples);
  return us;
}

static double kernel_us(image m, const filter *f, int repetitions)
{
  image d_in = image_on_device(m.n_rows, m.n_cols, 0);
  image d_out = image_on_device(m.n_rows, m.n_cols, 0);
  CUDA_CHECK(cudaMemcpy(d_in.pixels, m.pixels, image_bytes(m),
                        cudaMemcpyHostToDevice));
  timing t = timing_start(repetitions);
  while (timing_next(&t)) {
    f->launch(d_out, d_in);
    CUDA_CHECK_LAUNCH();
  }
  CUDA_CHECK(cudaFree(d_in.pixels));
  CUDA_CHECK(cudaFree(d_out.pixels));
  return t.median_us;
}

static void measure(const options *o)
{
  static const int sizes[][2] = {{214, 320}, {2160, 3840}};
  printf("filter,n_rows,n_cols,repetitions,cpu_us,whole_us,kernel_us\n");
  for (size_t i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++) {
      picture p = picture_of_course("pavilion.ppm");
      image small = image_of(&p), m = image_on_host(sizes[i][0], sizes[i][1]);
      for (int row = 0; row < m.n_rows; row++)
        for (int col = 0; col < m.n_cols; col++)
          m.pixels[(size_t)row * m.pitch + col] =
              small.pixels[(size_t)(row % small.n_rows) * small.pitch +
                           col % small.n_cols];
      printf("%s,%d,%d,%d,%.1f,%.1f,%.2f\n", filters[k].name, m.n_rows,
             m.n_cols, o->repetitions, host_us(m, &filters[k]),
             whole_us(m, &filters[k], o->repetitions),
             kernel_us(m, &filters[k], o->repetitions));
      fflush(stdout);
      free(small.pixels);
      free(m.pixels);
      picture_free(&p);
    }
}

int main(int argc, char **argv)
{
  if (argc > 2 && argv[1][0] != '-')
    return process(argc, argv);
  options o = options_parse(argc, argv, "filters a picture: imgprocess input "
                            "output [c|g] [filter,…]", "whole,pictures", "");
  options_versions(&o, filters, sizeof filters[0], N_FILTERS);
  if (o.csv && strcmp(o.csv, "pictures") == 0)
    return print_pictures();
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (!o.check && timing_is_possible())
    measure(&o);
  return EXIT_SUCCESS;
}
