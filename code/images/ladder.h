/* What both ladders do with their versions: check each against the CPU,
 * count each, time each against a copy. */
#ifndef CODE_IMAGES_LADDER_H
#define CODE_IMAGES_LADDER_H

#include "common/compare.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/picture.h"
#include "common/random.h"
#include "common/timing.h"
#include "images/pixels.h"

typedef struct {
  const char *name;
  const char *idea;
  void (*launch)(image d_out, image d_in);
  int of_bytes;    /* its pictures have three bytes a pixel, no more */
  int is_copy;     /* the ceiling: nothing to check against the filter */
} version;

typedef struct {
  const version *versions;
  int n_versions;
  void (*reference)(image out, image in);
} ladder;

// begin copy
__global__ static void copy(uint4 *out, const uint4 *in, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i];
}
// end copy

static inline void launch_copy(image d_out, image d_in)
{
  size_t n = image_bytes(d_in) / sizeof(uint4);
  copy<<<(unsigned)((n + 255) / 256), 256>>>(
      (uint4 *)d_out.pixels, (const uint4 *)d_in.pixels, n);
}

/* ---- launches: of a thread a pixel, or four pixels of each row ---- */

enum { BLOCK_COLS = 32, BLOCK_ROWS = 8,
       SHORT = 8, SHORT_THREADS = 64 };    /* rows of a strip; its blocks */

static const dim3 threads(BLOCK_COLS, BLOCK_ROWS);

static inline dim3 blocks_of(image d_in)
{
  return dim3(blocks_for(d_in.n_cols, BLOCK_COLS),
              blocks_for(d_in.n_rows, BLOCK_ROWS));
}

static inline dim3 strips_of(image d_in)
{
  return dim3(blocks_for(d_in.n_cols, GROUP * SHORT_THREADS),
              blocks_for(d_in.n_rows, SHORT));
}

/* ---- pictures to try ---- */

static inline void fill_random(random_source *source, image m, int n_values)
{
  for (size_t i = 0; i < image_bytes(m) / sizeof(uint32_t); i++) {
    uint64_t bits = random_bits(source);
    for (int c = 0; c < 3; c++)
      ((unsigned char *)(m.pixels + i))[c] = n_values == 256
          ? (unsigned char)(bits >> (8 * c))
          : (unsigned char)((bits >> (8 * c)) % (unsigned)n_values * 255 /
                            (unsigned)(n_values - 1));
  }
}

/* The course's photograph, over and over. */
static inline void fill_photograph(image m)
{
  picture p = picture_of_course("pavilion.ppm");
  for (int row = 0; row < m.n_rows; row++)
    for (int col = 0; col < m.pitch; col++) {
      const unsigned char *rgb =
          p.rgb + 3 * ((row % p.n_rows) * p.n_cols + col % p.n_cols);
      m.pixels[(size_t)row * m.pitch + col] =
          rgb[0] | rgb[1] << 8 | (uint32_t)rgb[2] << 16;
    }
  picture_free(&p);
}

/* Between four-byte pixels and those of a file, three bytes each, without a
 * gap between the rows. */
static inline void to_bytes(unsigned char *rgb, image m)
{
  for (int row = 0; row < m.n_rows; row++)
    for (int col = 0; col < m.n_cols; col++)
      for (int c = 0; c < 3; c++)
        *rgb++ = (unsigned char)channel_of(
            m.pixels[(size_t)row * m.pitch + col], c);
}

/* ---- check ---- */

static inline int check_version(const version *v, image in, image expected)
{
  size_t n_bytes = v->of_bytes ? (size_t)3 * in.n_rows * in.n_cols
                               : image_bytes(in);
  unsigned char *h_got = (unsigned char *)malloc(n_bytes + GUARD_BYTES);
  unsigned char *h_bytes = (unsigned char *)malloc(n_bytes + 1);
  image d_in = image_on_device(in.n_rows, in.n_cols, GUARD_BYTES);
  image d_out = image_on_device(in.n_rows, in.n_cols, GUARD_BYTES);
  char what[96];
  snprintf(what, sizeof what, "%s, %d x %d", v->name, in.n_rows, in.n_cols);
  if (v->of_bytes)
    to_bytes(h_bytes, in);
  else
    memcpy(h_bytes, in.pixels, n_bytes);
  CUDA_CHECK(cudaMemcpy(d_in.pixels, h_bytes, n_bytes,
                        cudaMemcpyHostToDevice));
  poison_device(d_out.pixels, n_bytes + GUARD_BYTES);
  v->launch(d_out, d_in);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_got, d_out.pixels, n_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  int good = compare_guard(what, h_got + n_bytes, GUARD_BYTES);
  if (v->of_bytes) {
    to_bytes(h_bytes, expected);
    good = good && compare_bytes(what, h_bytes, h_got, n_bytes);
  } else {
    for (int row = 0; row < in.n_rows && good; row++) {
      size_t at = (size_t)row * in.pitch;
      good = compare_bytes(what, expected.pixels + at,
                           h_got + at * sizeof(uint32_t),
                           (size_t)in.n_cols * sizeof(uint32_t));
    }
  }
  CUDA_CHECK(cudaFree(d_in.pixels));
  CUDA_CHECK(cudaFree(d_out.pixels));
  free(h_got);
  free(h_bytes);
  return good;
}

static inline int check_picture(const options *o, const ladder *l, image in)
{
  image expected = image_on_host(in.n_rows, in.n_cols);
  int right = 1;
  l->reference(expected, in);
  for (int i = 0; i < l->n_versions; i++)
    if (options_wants(o, l->versions[i].name))
      right &= check_version(&l->versions[i], in,
                             l->versions[i].is_copy ? in : expected);
  free(expected.pixels);
  return right;
}

/* Widths and heights that blocks, strips and groups of four divide, and
 * others; smaller than the window; random values, few values, so that many
 * are equal, white, and a part of the photograph. */
static inline int check_versions(const options *o, const ladder *l)
{
  static const int sizes[][2] = {
    {1, 1}, {1, 7}, {9, 1}, {2, 3}, {5, 4}, {8, 32}, {7, 33}, {12, 64},
    {9, 259}, {17, 70}, {53, 400},
  };
  random_source source = random_from_seed(o->seed);
  int right = 1;
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    image in = image_on_host(sizes[i][0], sizes[i][1]);
    fill_random(&source, in, i % 3 == 2 ? 3 : 256);
    right &= check_picture(o, l, in);
    free(in.pixels);
  }
  image in = image_on_host(11, 39);
  memset(in.pixels, 255, image_bytes(in));
  for (size_t i = 0; i < image_bytes(in) / sizeof(uint32_t); i++)
    in.pixels[i] &= 0xffffff;
  right &= check_picture(o, l, in);
  free(in.pixels);
  in = device_is_software() ? image_on_host(20, 101)
                            : image_on_host(256 + 3, 512 + 5);
  fill_photograph(in);
  right &= check_picture(o, l, in);
  free(in.pixels);
  if (right)
    fprintf(options_remarks(o), "every version agrees with the reference "
            "(--seed %llu)\n", (unsigned long long)o->seed);
  return right;
}

/* ---- count and measure ---- */

static inline void allocate_pair(const options *o, int wanted, image *d_in,
                                 image *d_out)
{
  int n_rows, n_cols;
  if (o->count && o->n_sizes == 0) {
    n_rows = 256;
    n_cols = 2048;
  } else if (o->n_sizes > 1) {
    n_rows = (int)o->size[0];
    n_cols = (int)o->size[1];
    memory_need(o, 8.0 * n_rows * n_cols);
  } else {
    n_rows = n_cols = (int)memory_side(o, (size_t)wanted, 8.0);
  }
  *d_in = image_on_device(n_rows, n_cols, 0);
  *d_out = image_on_device(n_rows, n_cols, 0);
  int some = n_rows < 214 ? n_rows : 214;      /* rows of the photograph */
  image h = image_on_host(some, n_cols);
  fill_photograph(h);
  size_t row_bytes = (size_t)h.pitch * sizeof(uint32_t);
  for (int row = 0; row < n_rows; row += some)
    CUDA_CHECK(cudaMemcpy(
        (char *)d_in->pixels + row * row_bytes, h.pixels,
        (row + some > n_rows ? n_rows - row : some) * row_bytes,
        cudaMemcpyHostToDevice));
  free(h.pixels);
}

static inline void count_versions(const options *o, const ladder *l)
{
  image d_in, d_out;
  allocate_pair(o, 256, &d_in, &d_out);
  printf("version,n_rows,n_cols\n");
  for (int i = 0; i < l->n_versions; i++)
    if (options_wants(o, l->versions[i].name)) {
      l->versions[i].launch(d_out, d_in);
      CUDA_CHECK_LAUNCH();
      printf("%s,%d,%d\n", l->versions[i].name, d_in.n_rows, d_in.n_cols);
    }
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(d_in.pixels));
  CUDA_CHECK(cudaFree(d_out.pixels));
}

/* The share is of pixels a second: the copy moves each pixel's four bytes
 * in and out, as a filter must. */
static inline void measure_versions(const options *o, const ladder *l)
{
  image d_in, d_out;
  double copy_us = 0.0;
  allocate_pair(o, 8192, &d_in, &d_out);
  double n_pixels = (double)d_in.n_rows * d_in.n_cols;
  if (o->csv)
    printf("version,n_rows,n_cols,repetitions,time_us,time_spread_us,"
           "gpixels_per_s,gb_per_s,share_of_copy\n");
  else
    timing_print_head();
  for (int i = 0; i < l->n_versions; i++) {
    const version *v = &l->versions[i];
    if (!v->is_copy && !options_wants(o, v->name))
      continue;
    timing t = timing_start(o->repetitions);
    while (timing_next(&t)) {
      v->launch(d_out, d_in);
      CUDA_CHECK_LAUNCH();
    }
    if (v->is_copy)
      copy_us = t.median_us;
    double n_bytes = n_pixels * (v->of_bytes ? 6.0 : 8.0);
    if (o->csv)
      printf("%s,%d,%d,%d,%.3f,%.3f,%.3f,%.2f,%.4f\n", v->name, d_in.n_rows,
             d_in.n_cols, t.repetitions, t.median_us, t.spread_us,
             n_pixels / t.median_us * 1e-3,
             timing_gb_per_s(n_bytes, t.median_us), copy_us / t.median_us);
    else
      timing_print_row(v->name, t, n_bytes);
    fflush(stdout);
  }
  CUDA_CHECK(cudaFree(d_in.pixels));
  CUDA_CHECK(cudaFree(d_out.pixels));
}

static inline int run_ladder(int argc, char **argv, const char *purpose,
                             const ladder *l)
{
  options o = options_parse(argc, argv, purpose, "ladder", "ladder");
  options_versions(&o, l->versions, sizeof l->versions[0],
                   (size_t)l->n_versions);
  if (o.count) {
    count_versions(&o, l);
    return EXIT_SUCCESS;
  }
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check_versions(&o, l))
    return EXIT_FAILURE;
  if (!o.check && timing_is_possible())
    measure_versions(&o, l);
  return EXIT_SUCCESS;
}

#endif
