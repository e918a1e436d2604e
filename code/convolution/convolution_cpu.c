/* Convolution on the CPU: of a signal, and of an image with a square mask,
 * directly and by rows and columns.
 *
 *   gcc -O3 -fopenmp -I code code/convolution/convolution_cpu.c \
 *     -o convolution_cpu -lm
 *   ./convolution_cpu
 *
 * Without -fopenmp the parallel versions run on one core. */
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#define PARALLEL_FOR _Pragma("omp parallel for")
#else
#define PARALLEL_FOR
#endif

#include "common/host.h"

enum { RADIUS = 4, WIDTH = 2 * RADIUS + 1, SIDE = 1024 };

static float mask[WIDTH], square[WIDTH][WIDTH], *between;

/* ---- versions, each one idea further --------------------------------- */

// begin cpu_line
static void cpu_line(float *out, const float *in, int n)
{
  for (int i = 0; i < n; i++) {
    float sum = 0.0f;
    for (int j = 0; j < WIDTH; j++) {
      int at = i + j - RADIUS;
      if (at >= 0 && at < n)
        sum += mask[j] * in[at];
    }
    out[i] = sum;
  }
}
// end cpu_line

static void line(float *out, const float *in, int n_rows, int n_cols)
{
  cpu_line(out, in, n_rows * n_cols);
}

static void line_parallel(float *out, const float *in, int n_rows,
                          int n_cols)
{
  int n = n_rows * n_cols;
  PARALLEL_FOR
  for (int i = 0; i < n; i++) {
    float sum = 0.0f;
    for (int j = 0; j < WIDTH; j++) {
      int at = i + j - RADIUS;
      if (at >= 0 && at < n)
        sum += mask[j] * in[at];
    }
    out[i] = sum;
  }
}

static void image(float *out, const float *in, int n_rows, int n_cols)
{
  PARALLEL_FOR
  for (int row = 0; row < n_rows; row++)
    for (int col = 0; col < n_cols; col++) {
      float sum = 0.0f;
      for (int i = 0; i < WIDTH; i++)
        for (int j = 0; j < WIDTH; j++) {
          int y = row + i - RADIUS, x = col + j - RADIUS;
          if (y >= 0 && y < n_rows && x >= 0 && x < n_cols)
            sum += square[i][j] * in[(size_t)y * n_cols + x];
        }
      out[(size_t)row * n_cols + col] = sum;
    }
}

// begin cpu_two_passes
static void two_passes(float *out, const float *in, int n_rows, int n_cols)
{
  PARALLEL_FOR
  for (int row = 0; row < n_rows; row++)
    cpu_line(between + (size_t)row * n_cols, in + (size_t)row * n_cols,
             n_cols);
  PARALLEL_FOR
  for (int row = 0; row < n_rows; row++)
    for (int col = 0; col < n_cols; col++) {
      float sum = 0.0f;
      for (int i = 0; i < WIDTH; i++) {
        int y = row + i - RADIUS;
        if (y >= 0 && y < n_rows)
          sum += mask[i] * between[(size_t)y * n_cols + col];
      }
      out[(size_t)row * n_cols + col] = sum;
    }
}
// end cpu_two_passes

enum { ALL_CORES = 0 };

static const struct {
  const char *name;
  const char *idea;
  void (*run)(float *out, const float *in, int n_rows, int n_cols);
  int n_threads, is_line;
} versions[] = {
  {"line", "a signal, one core", line, 1, 1},
  {"line_parallel", "a signal, all cores", line_parallel, ALL_CORES, 1},
  {"image", "an image, one core", image, 1, 0},
  {"image_parallel", "an image, all cores", image, ALL_CORES, 0},
  {"two_passes", "rows, then columns, one core", two_passes, 1, 0},
  {"two_passes_parallel", "the same, all cores", two_passes, ALL_CORES, 0},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static int threads_of(int version)
{
  return versions[version].n_threads == ALL_CORES
             ? host_cores() : versions[version].n_threads;
}

/* ---- checking -------------------------------------------------------- */

static float *floats(size_t n)
{
  return host_memory("convolution_cpu", (n + 1) * sizeof(float));
}

static double expected(const float *in, int n_rows, int n_cols, int row,
                       int col)
{
  double sum = 0.0;
  for (int i = -RADIUS; i <= RADIUS; i++)
    for (int j = -RADIUS; j <= RADIUS; j++)
      if (row + i >= 0 && row + i < n_rows && col + j >= 0 &&
          col + j < n_cols)
        sum += (double)mask[i + RADIUS] * mask[j + RADIUS] *
               in[(size_t)(row + i) * n_cols + col + j];
  return sum;
}

static double expected_of_line(const float *in, int n, int at)
{
  double sum = 0.0;
  for (int j = -RADIUS; j <= RADIUS; j++)
    if (at + j >= 0 && at + j < n)
      sum += (double)mask[j + RADIUS] * in[at + j];
  return sum;
}

static int check_size(int n_rows, int n_cols)
{
  int n = n_rows * n_cols, n_bad = 0;
  float *in = floats(n), *out = floats(n);
  between = floats(n);
  for (int i = 0; i < n; i++)
    in[i] = (float)(i * 2654435761u % 1009u) / 1009.0f;
  for (int v = 0; v < N_VERSIONS; v++) {
    int at = 0;
    memset(out, 0xff, (n + 1) * sizeof *out);
    host_use_threads(threads_of(v));
    versions[v].run(out, in, n_rows, n_cols);
    for (; at < n; at++) {
      double want = versions[v].is_line
                        ? expected_of_line(in, n, at)
                        : expected(in, n_rows, n_cols, at / n_cols,
                                   at % n_cols);
      if (!(fabs(out[at] - want) <= 2e-6))
        break;
    }
    if (at < n) {
      fprintf(stderr, "%s, %d x %d: error: out[%d] is %g\n",
              versions[v].name, n_rows, n_cols, at, out[at]);
      n_bad++;
    }
  }
  free(in);
  free(out);
  free(between);
  return n_bad;
}

static int check_versions(void)
{
  static const int sizes[][2] = {{1, 1}, {1, 50}, {50, 1}, {3, 5}, {31, 33}};
  int n_bad = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    n_bad += check_size(sizes[i][0], sizes[i][1]);
  return n_bad;
}

/* ---- measuring ------------------------------------------------------- */

enum { REPETITIONS = 5 };

/* Pages are touched, and the threads have found cores of their own: that takes
 * the operating system some time, in which two of them may share one. */
static const double warm_up_us = 3e5;

static void measure(int csv)
{
  double n = (double)SIDE * SIDE;
  float *in = floats((size_t)n), *out = floats((size_t)n);
  between = floats((size_t)n);
  for (size_t i = 0; i < (size_t)n; i++)
    in[i] = (float)(i * 2654435761u % 1000003u);
  printf(csv ? "version,n_threads,radius,n_elems,repetitions,time_us,"
               "time_spread_us,gb_per_s\n"
             : "version              threads   median us   GB/s\n");
  for (int v = 0; v < N_VERSIONS; v++) {
    host_use_threads(threads_of(v));
    double began = host_now_us();
    do
      versions[v].run(out, in, SIDE, SIDE);
    while (host_now_us() - began < warm_up_us);
    host_times t = {.n = REPETITIONS};
    for (int i = 0; i < t.n; i++) {
      double start = host_now_us();
      versions[v].run(out, in, SIDE, SIDE);
      t.us[i] = host_now_us() - start;
    }
    double median = host_median(&t), spread = host_spread(&t);
    double gb_per_s = 8.0 * n / median * 1e-3;
    if (csv)
      printf("%s,%d,%d,%.0f,%d,%.1f,%.1f,%.3f\n", versions[v].name,
             threads_of(v), RADIUS, n, REPETITIONS, median, spread,
             gb_per_s);
    else
      printf("%-20s %7d %11.0f %6.2f\n", versions[v].name,
             threads_of(v), median, gb_per_s);
    fflush(stdout);
  }
  free(in);
  free(out);
  free(between);
}

int main(int argc, char **argv)
{
  const char *option = argc > 1 ? argv[1] : "";
  for (int i = 0; i < WIDTH; i++)
    mask[i] = (float)(i + 1) / 64.0f;
  for (int i = 0; i < WIDTH; i++)
    for (int j = 0; j < WIDTH; j++)
      square[i][j] = mask[i] * mask[j];
  if (strcmp(option, "--list") == 0) {
    for (int v = 0; v < N_VERSIONS; v++)
      printf("%-22s %s\n", versions[v].name, versions[v].idea);
    return EXIT_SUCCESS;
  }
  if (argc > 2 || (argc == 2 && strcmp(option, "--check") != 0 &&
                   strcmp(option, "--csv") != 0)) {
    fprintf(strcmp(option, "--help") == 0 ? stdout : stderr,
            "usage: %s [--list | --check | --csv | --help]\n", argv[0]);
    return strcmp(option, "--help") == 0 ? EXIT_SUCCESS : 2;
  }
  if (check_versions() > 0)
    return EXIT_FAILURE;
  if (strcmp(option, "--csv") != 0)
    printf("every version is right\n");
  if (strcmp(option, "--check") != 0)
    measure(strcmp(option, "--csv") == 0);
  return EXIT_SUCCESS;
}
