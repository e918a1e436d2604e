/* The product of two matrices on the CPU, stored row by row:
 *
 *   c[row][col] = sum of a[row][k] * b[k][col] over all k
 *
 *   gcc -O3 -march=native -fopenmp -DHAVE_CBLAS -I code \
 *     code/matmul/matmul_cpu.c -o matmul_cpu -lopenblas
 *   ./matmul_cpu
 *
 * Without -fopenmp the parallel versions run on one core; without
 * -DHAVE_CBLAS there is no library to compare with. */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_CBLAS
#include <cblas.h>
#endif
#ifdef _OPENMP
#define PARALLEL_FOR _Pragma("omp parallel for schedule(dynamic)")
#else
#define PARALLEL_FOR
#endif

#include "common/host.h"

typedef struct {
  size_t n_rows, n_cols, n_inner;
} shape;

/* ---- versions, each one idea further --------------------------------- */

static void set_zero(float *c, shape s)
{
  memset(c, 0, s.n_rows * s.n_cols * sizeof *c);
}

// begin cpu_dot
static void matmul_dot(float *c, const float *a, const float *b, shape s)
{
  for (size_t row = 0; row < s.n_rows; row++)
    for (size_t col = 0; col < s.n_cols; col++) {
      float sum = 0.0f;
      for (size_t k = 0; k < s.n_inner; k++)
        sum += a[row * s.n_inner + k] * b[k * s.n_cols + col];
      c[row * s.n_cols + col] = sum;
    }
}
// end cpu_dot

// begin cpu_columns
static void matmul_columns(float *c, const float *a, const float *b, shape s)
{
  set_zero(c, s);
  for (size_t col = 0; col < s.n_cols; col++)
    for (size_t k = 0; k < s.n_inner; k++)
      for (size_t row = 0; row < s.n_rows; row++)
        c[row * s.n_cols + col] +=
            a[row * s.n_inner + k] * b[k * s.n_cols + col];
}
// end cpu_columns

// begin cpu_rows
static void matmul_rows(float *c, const float *a, const float *b, shape s)
{
  set_zero(c, s);
  for (size_t row = 0; row < s.n_rows; row++)
    for (size_t k = 0; k < s.n_inner; k++)
      for (size_t col = 0; col < s.n_cols; col++)
        c[row * s.n_cols + col] +=
            a[row * s.n_inner + k] * b[k * s.n_cols + col];
}
// end cpu_rows

static size_t smaller(size_t a, size_t b)
{
  return a < b ? a : b;
}

enum { TILE_ROWS = 32, TILE_INNER = 64, TILE_COLS = 512 };

// begin cpu_tiled
/* One tile of c after the other. The part of b that it needs stays in the
 * cache for all of the tile's rows. */
static void matmul_tiled(float *c, const float *a, const float *b, shape s)
{
  set_zero(c, s);
  PARALLEL_FOR
  for (size_t r = 0; r < s.n_rows; r += TILE_ROWS)
    for (size_t q = 0; q < s.n_cols; q += TILE_COLS)
      for (size_t p = 0; p < s.n_inner; p += TILE_INNER)
        for (size_t row = r; row < smaller(r + TILE_ROWS, s.n_rows); row++)
          for (size_t k = p; k < smaller(p + TILE_INNER, s.n_inner); k++)
            for (size_t col = q; col < smaller(q + TILE_COLS, s.n_cols);
                 col++)
              c[row * s.n_cols + col] +=
                  a[row * s.n_inner + k] * b[k * s.n_cols + col];
}
// end cpu_tiled

// begin cpu_parallel
static void matmul_parallel(float *c, const float *a, const float *b, shape s)
{
  set_zero(c, s);
  PARALLEL_FOR
  for (size_t row = 0; row < s.n_rows; row++)
    for (size_t k = 0; k < s.n_inner; k++)
      for (size_t col = 0; col < s.n_cols; col++)
        c[row * s.n_cols + col] +=
            a[row * s.n_inner + k] * b[k * s.n_cols + col];
}
// end cpu_parallel

#ifdef HAVE_CBLAS
// begin cpu_openblas
static void matmul_openblas(float *c, const float *a, const float *b, shape s)
{
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)s.n_rows,
              (int)s.n_cols, (int)s.n_inner, 1.0f, a, (int)s.n_inner, b,
              (int)s.n_cols, 0.0f, c, (int)s.n_cols);
}
// end cpu_openblas

/* Only OpenBLAS has these; other libraries take their threads otherwise. */
extern void openblas_set_num_threads(int n) __attribute__((weak));
extern char *openblas_get_corename(void) __attribute__((weak));
#endif

/* The vector instructions that the compiler was allowed to use in our loops:
 * by default those of the oldest CPU that the program must run on. */
#if defined __AVX512F__
static const char compiled_for[] = "AVX-512";
#elif defined __AVX2__
static const char compiled_for[] = "AVX2";
#elif defined __AVX__
static const char compiled_for[] = "AVX";
#elif defined __SSE2__
static const char compiled_for[] = "SSE2";
#elif defined __ARM_FEATURE_SVE
static const char compiled_for[] = "SVE";
#elif defined __ARM_NEON
static const char compiled_for[] = "NEON";
#else
static const char compiled_for[] = "no vectors";
#endif

typedef void matmul_function(float *c, const float *a, const float *b,
                             shape s);

enum { ALL_CORES = 0 };

static const struct {
  const char *name;
  const char *idea;
  matmul_function *run;
  int n_threads;
  int in_lab;      /* quick enough for the lab sheet's sizes */
} versions[] = {
  {"dot", "rows, columns, inner", matmul_dot, 1, 0},
  {"columns", "columns, inner, rows", matmul_columns, 1, 0},
  {"rows", "rows, inner, columns", matmul_rows, 1, 0},
  {"tiled", "tile by tile", matmul_tiled, 1, 0},
  {"parallel", "OpenMP, all cores", matmul_parallel, ALL_CORES, 1},
  {"parallel_tiled", "OpenMP and tiles", matmul_tiled, ALL_CORES, 1},
#ifdef HAVE_CBLAS
  {"openblas_1", "the library, one core", matmul_openblas, 1, 0},
  {"openblas", "the library, all cores", matmul_openblas, ALL_CORES, 1},
#endif
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static int threads_of(int version)
{
  return versions[version].n_threads == ALL_CORES
             ? host_cores() : versions[version].n_threads;
}

/* Which CPU's instructions a version uses. OpenBLAS has code for many CPUs,
 * and chooses when the program starts. */
static const char *made_for(int version)
{
#ifdef HAVE_CBLAS
  if (versions[version].run == matmul_openblas)
    return openblas_get_corename ? openblas_get_corename() : "unknown";
#endif
  return compiled_for;
}

static void use_threads(int n_threads)
{
  host_use_threads(n_threads);
#ifdef HAVE_CBLAS
  if (openblas_set_num_threads)
    openblas_set_num_threads(n_threads);
#endif
}

/* ---- checking -------------------------------------------------------- */

static float *matrix(size_t n)
{
  return host_memory("matmul_cpu", (n + 1) * sizeof(float));
}

/* Whole numbers from -8 to 8: their sums are exact in any order. */
static void fill(float *m, size_t n, unsigned seed)
{
  for (size_t i = 0; i < n; i++) {
    seed = seed * 1664525u + 1013904223u;
    m[i] = (float)(seed >> 16 & 0xffff) / 3855.0f;
    m[i] = (float)(int)m[i] - 8.0f;
  }
}

static int check_shape(shape s)
{
  float *a = matrix(s.n_rows * s.n_inner), *b = matrix(s.n_inner * s.n_cols);
  float *c = matrix(s.n_rows * s.n_cols);
  int n_bad = 0;
  fill(a, s.n_rows * s.n_inner, 1);
  fill(b, s.n_inner * s.n_cols, 2);
  for (int v = 0; v < N_VERSIONS; v++) {
    memset(c, 0xff, (s.n_rows * s.n_cols + 1) * sizeof *c);
    use_threads(threads_of(v));
    versions[v].run(c, a, b, s);
    for (size_t at = 0; at < s.n_rows * s.n_cols; at++) {
      long sum = 0;
      for (size_t k = 0; k < s.n_inner; k++)
        sum += (long)a[at / s.n_cols * s.n_inner + k] *
               (long)b[k * s.n_cols + at % s.n_cols];
      if (c[at] == (float)sum)
        continue;
      fprintf(stderr, "%s, %zu x %zu x %zu: error: c[%zu] is %g, not %ld\n",
              versions[v].name, s.n_rows, s.n_cols, s.n_inner, at, c[at],
              sum);
      n_bad++;
      break;
    }
  }
  free(a);
  free(b);
  free(c);
  return n_bad;
}

static int check_versions(void)
{
  static const shape shapes[] = {
    {1, 1, 1}, {1, 50, 3}, {50, 1, 7}, {3, 5, 1}, {31, 33, 65}, {64, 64, 64},
    {33, 130, 67}, {129, 513, 65}};
  int n_bad = 0;
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
    n_bad += check_shape(shapes[i]);
  return n_bad;
}

/* ---- measuring ------------------------------------------------------- */

static void measure(shape s, int csv, int only_lab, int repetitions)
{
  float *a = matrix(s.n_rows * s.n_inner), *b = matrix(s.n_inner * s.n_cols);
  float *c = matrix(s.n_rows * s.n_cols);
  fill(a, s.n_rows * s.n_inner, 1);
  fill(b, s.n_inner * s.n_cols, 2);
  for (int v = 0; v < N_VERSIONS; v++) {
    if (only_lab && !versions[v].in_lab)
      continue;
    use_threads(threads_of(v));
    versions[v].run(c, a, b, s);      /* warm-up: pages are touched */
    host_times t = {.n = repetitions};
    for (int i = 0; i < t.n; i++) {
      double start = host_now_us();
      versions[v].run(c, a, b, s);
      t.us[i] = host_now_us() - start;
    }
    double median = host_median(&t), spread = host_spread(&t);
    double flop = 2.0 * (double)s.n_rows * (double)s.n_cols *
                  (double)s.n_inner;
    printf(csv ? "%s,%s,%d,%zu,%zu,%zu,%d,%.1f,%.1f,%.2f\n"
               : "%-15s %-10s %3d %6zu x %5zu x %5zu %3d %12.0f %9.0f %9.2f\n",
           versions[v].name, made_for(v), threads_of(v), s.n_rows, s.n_cols,
           s.n_inner, repetitions, median, spread, flop / median * 1e-3);
    fflush(stdout);
  }
  free(a);
  free(b);
  free(c);
}

static void measure_all(shape s, int csv, int lab, int repetitions)
{
  static const shape lab_shapes[] = {
    {4096, 2048, 1024}, {1024, 1024, 1024}, {8192, 4096, 512}};
  printf(csv ? "version,made_for,n_threads,n_rows,n_cols,n_inner,repetitions,"
               "time_us,time_spread_us,gflop_per_s\n"
             : "version         made for   threads    rows x  cols x inner   n"
               "    median us spread us   GFLOP/s\n");
  if (!lab)
    measure(s, csv, 0, repetitions);
  for (int i = 0; lab && i < 3; i++)
    measure(lab_shapes[i], csv, 1, repetitions);
}

static const char usage[] =
    "  (none)             check every version, then print its times\n"
    "  --list             name the versions\n"
    "  --check            check only\n"
    "  --csv[=NAME]       measure, print rows of CSV; NAME: orders,lab\n"
    "  --size N           rows and columns of the matrices (default 1024)\n"
    "  --repetitions N    measurements for each time (default 5)\n"
    "  --help             this text\n";

int main(int argc, char **argv)
{
  int csv = 0, lab = 0, check = 0, repetitions = 5;
  size_t n = 1024;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--csv") == 0 ||
        strcmp(argv[i], "--csv=orders") == 0) {
      csv = 1;
    } else if (strcmp(argv[i], "--csv=lab") == 0) {
      csv = lab = 1;
    } else if (strcmp(argv[i], "--check") == 0) {
      check = 1;
    } else if (strcmp(argv[i], "--list") == 0) {
      for (int v = 0; v < N_VERSIONS; v++)
        printf("%-22s %s\n", versions[v].name, versions[v].idea);
      return EXIT_SUCCESS;
    } else if (strcmp(argv[i], "--size") == 0) {
      n = (size_t)host_number_after(argc, argv, i++, 32768);
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
    measure_all((shape){n, n, n}, csv, lab, repetitions);
  return EXIT_SUCCESS;
}
