/* Matrix transposition on the CPU: out[c][r] = in[r][c].
 *
 *   gcc -O3 -fopenmp -I code code/transpose/transpose_cpu.c -o transpose_cpu
 *   ./transpose_cpu
 *
 * Without -fopenmp the parallel versions run on one core. */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#define PARALLEL_FOR _Pragma("omp parallel for")
#else
#define PARALLEL_FOR
#endif

#include "common/host.h"

/* ---- versions, each one idea further --------------------------------- */

// begin cpu_2d
static void transpose_2d(float **out, float **in, size_t n_rows,
                         size_t n_cols)
{
  for (size_t col = 0; col < n_cols; col++)
    for (size_t row = 0; row < n_rows; row++)
      out[col][row] = in[row][col];
}
// end cpu_2d

// begin cpu_1d
static void transpose_1d(float *out, const float *in, size_t n_rows,
                         size_t n_cols)
{
  for (size_t col = 0; col < n_cols; col++)
    for (size_t row = 0; row < n_rows; row++)
      out[col * n_rows + row] = in[row * n_cols + col];
}
// end cpu_1d

// begin cpu_parallel
static void transpose_parallel(float *out, const float *in, size_t n_rows,
                               size_t n_cols)
{
  PARALLEL_FOR
  for (size_t col = 0; col < n_cols; col++)
    for (size_t row = 0; row < n_rows; row++)
      out[col * n_rows + row] = in[row * n_cols + col];
}
// end cpu_parallel

static size_t smaller(size_t a, size_t b)
{
  return a < b ? a : b;
}

// begin cpu_tiled
enum { CPU_TILE = 32 };

static void transpose_tiled(float *out, const float *in, size_t n_rows,
                            size_t n_cols)
{
  PARALLEL_FOR
  for (size_t c = 0; c < n_cols; c += CPU_TILE)
    for (size_t r = 0; r < n_rows; r += CPU_TILE)
      for (size_t col = c; col < smaller(c + CPU_TILE, n_cols); col++)
        for (size_t row = r; row < smaller(r + CPU_TILE, n_rows); row++)
          out[col * n_rows + row] = in[row * n_cols + col];
}
// end cpu_tiled

/* The first version wants a table of row pointers for each matrix. */
static void transpose_2d_flat(float *out, const float *in, size_t n_rows,
                              size_t n_cols)
{
  float **out_rows = malloc((n_cols + 1) * sizeof *out_rows);
  float **in_rows = malloc((n_rows + 1) * sizeof *in_rows);
  if (!out_rows || !in_rows) {
    fprintf(stderr, "transpose_cpu: error: no memory for row pointers\n");
    exit(EXIT_FAILURE);
  }
  for (size_t col = 0; col < n_cols; col++)
    out_rows[col] = out + col * n_rows;
  for (size_t row = 0; row < n_rows; row++)
    in_rows[row] = (float *)in + row * n_cols;
  transpose_2d(out_rows, in_rows, n_rows, n_cols);
  free(out_rows);
  free(in_rows);
}

typedef void transpose_function(float *out, const float *in, size_t n_rows,
                                size_t n_cols);

static const struct {
  const char *name;
  const char *idea;
  transpose_function *run;
  int n_threads;
} versions[] = {
  {"cpu_2d", "rows behind pointers", transpose_2d_flat, 1},
  {"cpu_1d", "one array, computed index", transpose_1d, 1},
  {"cpu_parallel_1", "OpenMP, one core", transpose_parallel, 1},
  {"cpu_parallel_2", "OpenMP, two cores", transpose_parallel, 2},
  {"cpu_parallel_4", "OpenMP, four cores", transpose_parallel, 4},
  {"cpu_tiled_1", "tile by tile, one core", transpose_tiled, 1},
  {"cpu_tiled_4", "tile by tile, four cores", transpose_tiled, 4},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- checking -------------------------------------------------------- */

static float *matrix(size_t n)
{
  return host_memory("transpose_cpu", (n + 1) * sizeof(float));
}

/* Every element is its own number, so a wrong place shows. */
static int check_size(size_t n_rows, size_t n_cols)
{
  size_t n = n_rows * n_cols;
  float *in = matrix(n), *out = matrix(n);
  int n_bad = 0;
  for (size_t i = 0; i < n; i++)
    in[i] = (float)i;
  for (int v = 0; v < N_VERSIONS; v++) {
    memset(out, 0xff, (n + 1) * sizeof *out);
    host_use_threads(versions[v].n_threads);
    versions[v].run(out, in, n_rows, n_cols);
    size_t at = 0;
    while (at < n && out[at] == (float)(at % n_rows * n_cols + at / n_rows))
      at++;
    if (at < n) {
      fprintf(stderr, "%s, %zu x %zu: error: out[%zu] is %g\n",
              versions[v].name, n_rows, n_cols, at, out[at]);
      n_bad++;
    }
  }
  free(in);
  free(out);
  return n_bad;
}

static int check_versions(void)
{
  static const size_t sizes[][2] = {{0, 0}, {1, 1}, {1, 50}, {50, 1},
                                    {31, 33}, {32, 32}, {64, 96}, {257, 129}};
  int n_bad = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    n_bad += check_size(sizes[i][0], sizes[i][1]);
  return n_bad;
}

/* ---- measuring ------------------------------------------------------- */

static void measure(size_t n, int csv, int repetitions)
{
  float *in = matrix(n * n), *out = matrix(n * n);
  for (size_t i = 0; i < n * n; i++)
    in[i] = (float)(i * 2654435761u % 1000003u);
  printf(csv ? "version,n_threads,n_rows,n_cols,element_bytes,repetitions,"
               "time_us,time_spread_us,gb_per_s\n"
             : "version         threads   median us   GB/s\n");
  for (int v = 0; v < N_VERSIONS; v++) {
    if (versions[v].n_threads > host_cores())
      continue;
    host_use_threads(versions[v].n_threads);
    versions[v].run(out, in, n, n);   /* warm-up: pages are touched */
    host_times t = {.n = repetitions};
    for (int i = 0; i < t.n; i++) {
      double start = host_now_us();
      versions[v].run(out, in, n, n);
      t.us[i] = host_now_us() - start;
    }
    double median = host_median(&t), spread = host_spread(&t);
    double gb_per_s = 8.0 * (double)(n * n) / median * 1e-3;
    if (csv)
      printf("%s,%d,%zu,%zu,%zu,%d,%.1f,%.1f,%.3f\n", versions[v].name,
             versions[v].n_threads, n, n, sizeof(float), repetitions,
             median, spread, gb_per_s);
    else
      printf("%-15s %7d %11.0f %6.2f\n", versions[v].name,
             versions[v].n_threads, median, gb_per_s);
    fflush(stdout);
  }
  free(in);
  free(out);
}

static const char usage[] =
    "  (none)             check every version, then print its times\n"
    "  --list             name the versions\n"
    "  --check            check only\n"
    "  --csv              measure, print rows of CSV\n"
    "  --size N           rows and columns of the matrix (default 4096)\n"
    "  --repetitions N    measurements for each time (default 9)\n"
    "  --help             this text\n";

int main(int argc, char **argv)
{
  int csv = 0, check = 0, repetitions = 9;
  size_t n = 4096;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--csv") == 0) {
      csv = 1;
    } else if (strcmp(argv[i], "--check") == 0) {
      check = 1;
    } else if (strcmp(argv[i], "--list") == 0) {
      for (int v = 0; v < N_VERSIONS; v++)
        printf("%-22s %s\n", versions[v].name, versions[v].idea);
      return EXIT_SUCCESS;
    } else if (strcmp(argv[i], "--size") == 0) {
      n = (size_t)host_number_after(argc, argv, i++, 65536);
    } else if (strcmp(argv[i], "--repetitions") == 0) {
      repetitions = (int)host_number_after(argc, argv, i++,
                                           HOST_MAX_REPETITIONS);
    } else if (strcmp(argv[i], "--help") == 0) {
      printf("usage: %s [option …]\n%s", argv[0], usage);
      return EXIT_SUCCESS;
    } else {
      fprintf(stderr, "%s: error: unknown option '%s'\n%s", argv[0],
              argv[i], usage);
      return 2;
    }
  }
  if (check_versions() > 0)
    return EXIT_FAILURE;
  if (!csv)
    printf("every version is right\n");
  if (!check)
    measure(n, csv, repetitions);
  return EXIT_SUCCESS;
}
