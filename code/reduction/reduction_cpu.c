/* The sum of doubles on the CPU: the loop, the recursion of the notes, and
 * what a CPU is good at.
 *
 *   gcc -O3 -march=native -fopenmp -I code \
 *     code/reduction/reduction_cpu.c -o reduction_cpu && ./reduction_cpu
 */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/host.h"

enum { N = 2097152, LANES = 16 };

// begin cpu_loop
static double sum_loop(double *x, size_t n)
{
  double sum = 0.0;
  for (size_t i = 0; i < n; i++)
    sum += x[i];
  return sum;
}
// end cpu_loop

// begin cpu_noted
/* As noted: for powers of two only. Overwrites x. */
static double sum_noted(double *x, size_t n)
{
  if (n == 1)
    return x[0];
  size_t stride = n / 2;
  for (size_t i = 0; i < stride; i++)
    x[i] += x[i + stride];
  return sum_noted(x, stride);
}
// end cpu_noted

// begin cpu_halves
/* Of an odd number, the one in the middle stays where it is. */
static double sum_halves(double *x, size_t n)
{
  if (n <= 1)
    return n == 1 ? x[0] : 0.0;
  size_t half = (n + 1) / 2;
  for (size_t i = 0; i < n / 2; i++)
    x[i] += x[i + half];
  return sum_halves(x, half);
}
// end cpu_halves

// begin cpu_lanes
static double sum_lanes(double *x, size_t n)
{
  double sums[LANES] = {0.0}, sum = 0.0;
  size_t n_whole = n / LANES * LANES;
  for (size_t i = 0; i < n_whole; i += LANES)
    for (size_t k = 0; k < LANES; k++)
      sums[k] += x[i + k];
  for (size_t k = 0; k < LANES; k++)
    sum += sums[k];
  for (size_t i = n_whole; i < n; i++)
    sum += x[i];
  return sum;
}
// end cpu_lanes

// begin cpu_parallel
static double sum_parallel(double *x, size_t n)
{
  double sum = 0.0;
#ifdef _OPENMP
#pragma omp parallel for simd reduction(+ : sum)
#endif
  for (size_t i = 0; i < n; i++)
    sum += x[i];
  return sum;
}
// end cpu_parallel

typedef struct {
  const char *name;
  const char *idea;
  double (*sum)(double *x, size_t n);
} version;

static const version versions[] = {
  {"cpu_loop", "one after the other", sum_loop},
  {"cpu_halves", "the second half onto the first", sum_halves},
  {"cpu_lanes", "sixteen sums side by side", sum_lanes},
  {"cpu_parallel", "all cores", sum_parallel},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* Whole numbers, so that every order gives the same. */
static void fill(double *x, size_t n)
{
  unsigned state = 12345;
  for (size_t i = 0; i < n; i++) {
    state = state * 1664525u + 1013904223u;
    x[i] = (double)(state >> 24) + 1.0;
  }
}

static int check_versions(void)
{
  static const size_t sizes[] = {0, 1, 2, 3, 5, 16, 17, 31, 1000, 4096,
                                 99999};
  int n_bad = 0;
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
    for (int v = 0; v < N_VERSIONS; v++) {
      size_t n = sizes[s];
      double *x = (double *)malloc((n + 1) * sizeof *x), expected = 0.0;
      fill(x, n);
      for (size_t i = 0; i < n; i++)
        expected += x[i];
      double got = versions[v].sum(x, n);
      if (got != expected) {
        fprintf(stderr, "%s, %zu numbers: error: expected %.9g, got %.9g\n",
                versions[v].name, n, expected, got);
        n_bad++;
      }
      free(x);
    }
  return n_bad;
}

static void measure(int csv, int repetitions)
{
  double *x = host_memory("reduction_cpu", N * sizeof *x);
  volatile double keep = 0.0;
  int n_threads = 1;
#ifdef _OPENMP
  n_threads = omp_get_max_threads();
#endif
  if (csv)
    printf("version,n_elems,element_bytes,n_threads,repetitions,time_us,"
           "gb_per_s\n");
  for (int v = 0; v < N_VERSIONS; v++) {
    host_times t = {.n = repetitions};
    for (int r = -1; r < t.n; r++) {
      fill(x, N);
      double start = host_now_us();
      keep = versions[v].sum(x, N);
      if (r >= 0)
        t.us[r] = host_now_us() - start;
    }
    double us = host_median(&t);
    int threads = strcmp(versions[v].name, "cpu_parallel") ? 1 : n_threads;
    double rate = N * sizeof *x / us * 1e-3;
    if (csv)
      printf("%s,%d,%zu,%d,%d,%.3f,%.3f\n", versions[v].name, N, sizeof *x,
             threads, repetitions, us, rate);
    else
      printf("%-14s %10.1f us %8.2f GB/s\n", versions[v].name, us, rate);
  }
  (void)keep;
  free(x);
}

/* What the recursions make of so many ones. */
static void count_ones(void)
{
  static const size_t sizes[] = {8, 12, 100, 1000, 4095, 4096, 2097152,
                                 2097153};
  printf("n_elems,noted,halves\n");
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
    double sums[2], (*const ways[])(double *, size_t) = {sum_noted,
                                                         sum_halves};
    for (int way = 0; way < 2; way++) {
      double *x = (double *)malloc(sizes[s] * sizeof *x);
      for (size_t i = 0; i < sizes[s]; i++)
        x[i] = 1.0;
      sums[way] = ways[way](x, sizes[s]);
      free(x);
    }
    printf("%zu,%.0f,%.0f\n", sizes[s], sums[0], sums[1]);
  }
}

int main(int argc, char **argv)
{
  static const char usage[] =
      "usage: reduction_cpu [--check] [--list] [--csv=times|ones] "
      "[--repetitions N]\n";
  const char *csv = NULL;
  int check = 0, repetitions = 9;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--check") == 0) {
      check = 1;
    } else if (strcmp(argv[i], "--list") == 0) {
      for (int v = 0; v < N_VERSIONS; v++)
        printf("%-22s %s\n", versions[v].name, versions[v].idea);
      return EXIT_SUCCESS;
    } else if (strcmp(argv[i], "--csv=times") == 0 ||
               strcmp(argv[i], "--csv=ones") == 0) {
      csv = argv[i] + strlen("--csv=");
    } else if (strcmp(argv[i], "--repetitions") == 0) {
      repetitions = (int)host_number_after(argc, argv, i++,
                                           HOST_MAX_REPETITIONS);
    } else {
      fprintf(stderr, "%s", usage);
      return strcmp(argv[i], "--help") == 0 ? EXIT_SUCCESS : 2;
    }
  }
  if (check_versions() > 0)
    return EXIT_FAILURE;
  if (csv && strcmp(csv, "ones") == 0)
    count_ones();
  else if (!csv)
    printf("every version is right\n");
  if (!check && !(csv && strcmp(csv, "ones") == 0))
    measure(csv != NULL, repetitions);
  return EXIT_SUCCESS;
}
