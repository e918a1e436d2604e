/* The first part of the program of work.h on all cores, as one would write it
 * for a CPU: groups of elements that advance together.
 *
 *   gcc -O3 -fopenmp -I code code/speedup/grouped.c -lm -o grouped && ./grouped
 *
 * Without -fopenmp it runs on one core. */
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#define PARALLEL_FOR _Pragma("omp parallel for")
#else
#define PARALLEL_FOR
#endif

#include "common/host.h"
#include "speedup/work.h"

/* A function that is compiled once for every x86-64 processor and once each
 * for those with wider registers; the loader picks. Other processors get the
 * one that their compiler flags ask for. */
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__)
#define FOR_EVERY_WIDTH \
  __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define FOR_EVERY_WIDTH
#endif

enum { GROUP = 64 };

static void element_by_element(float *x, size_t n, int n_steps)
{
  PARALLEL_FOR
  for (size_t i = 0; i < n; i++)
    x[i] = approach(x[i], n_steps);
}

// begin group
/* The steps of approach() for GROUP elements at once. No element waits for
 * another, so the compiler puts several of them into one register, and the
 * core begins one group's step before the last one's has ended. */
static inline void approach_group(float *target, int n_steps)
{
  float x[GROUP];
  for (int k = 0; k < GROUP; k++)
    x[k] = 1.0f;
  for (int step = 0; step < n_steps; step++)
    for (int k = 0; k < GROUP; k++)
      x[k] -= 0.125f * (x[k] * x[k] * x[k] - target[k]);
  memcpy(target, x, sizeof x);
}
// end group

static void one_group(float *x, size_t n, int n_steps)
{
  float padded[GROUP] = {0};
  memcpy(padded, x, n * sizeof *x);
  approach_group(padded, n_steps);
  memcpy(x, padded, n * sizeof *x);
}

FOR_EVERY_WIDTH
static void whole_groups(float *x, size_t n_groups, int n_steps)
{
  for (size_t g = 0; g < n_groups; g++)
    approach_group(x + g * GROUP, n_steps);
}

static void narrow_groups(float *x, size_t n_groups, int n_steps)
{
  for (size_t g = 0; g < n_groups; g++)
    approach_group(x + g * GROUP, n_steps);
}

/* Pieces of many groups: a core has work for longer than it takes to get it. */
enum { PIECE = 64 };

static void in_groups(float *x, size_t n, int n_steps,
                      void (*groups)(float *, size_t, int))
{
  size_t n_groups = n / GROUP, n_pieces = (n_groups + PIECE - 1) / PIECE;
  PARALLEL_FOR
  for (size_t p = 0; p < n_pieces; p++) {
    size_t first = p * PIECE;
    size_t n_here = n_groups - first < PIECE ? n_groups - first : PIECE;
    groups(x + first * GROUP, n_here, n_steps);
  }
  one_group(x + n_groups * GROUP, n % GROUP, n_steps);
}

static void grouped(float *x, size_t n, int n_steps)
{
  in_groups(x, n, n_steps, narrow_groups);
}

static void grouped_wide(float *x, size_t n, int n_steps)
{
  in_groups(x, n, n_steps, whole_groups);
}

typedef struct {
  const char *name;
  void (*run)(float *, size_t, int);
} version;

static const version versions[] = {
  {"one_each", element_by_element},
  {"grouped", grouped},
  {"grouped_wide", grouped_wide},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- the check ------------------------------------------------------- */

static int check_once(const version *v, size_t n, int n_threads)
{
  float *x = host_memory("grouped", (n + 1) * sizeof *x);
  int n_bad = 0;
  work_targets(x, n);
  x[n] = -1.0f;
  host_use_threads(n_threads);
  v->run(x, n, 64);
  for (size_t i = 0; i < n && !n_bad; i++) {
    double target = 1.0 + (double)((i + 1) * 2654435761u % 1000003u) /
                              1000003.0;
    if (!(fabs(x[i] - cbrt(target)) <= 1e-5)) {
      fprintf(stderr, "grouped %s: error: element %zu of %zu on %d threads: "
              "the cube root of %g is not %g\n", v->name, i, n, n_threads,
              target, x[i]);
      n_bad++;
    }
  }
  if (x[n] != -1.0f) {
    fprintf(stderr, "grouped %s: error: element %zu does not exist, and was "
            "written\n", v->name, n);
    n_bad++;
  }
  free(x);
  return n_bad;
}

static int check(void)
{
  static const size_t sizes[] = {1, 63, 64, 65, 4096, 4099};
  int n_bad = 0;
  for (const version *v = versions; v < versions + N_VERSIONS; v++)
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
      for (int threads = 1; threads <= 3; threads++)
        n_bad += check_once(v, sizes[i], threads);
  return n_bad;
}

/* ---- measuring ------------------------------------------------------- */

enum { N_ELEMS = 1 << 20, MOST_RUNS = 64 };

typedef struct {
  const version *version;
  int n_steps, n_threads;
  host_times times;
} run;

static void run_once(run *r, float *x, int repetition)
{
  host_use_threads(r->n_threads);
  work_targets(x, N_ELEMS);
  double start = host_now_us();
  r->version->run(x, N_ELEMS, r->n_steps);
  double end = host_now_us();
  if (repetition >= 0)
    r->times.us[repetition] = end - start;
}

/* As in cores.c: the shortest time of runs that take turns. */
static void print_times(float *x, int repetitions)
{
  static const int steps[] = {4, 16, 128};
  static run runs[MOST_RUNS];
  int n = 0;
  for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++)
    for (const version *v = versions; v < versions + N_VERSIONS; v++)
      for (int all = 0; all < 2; all++, n++) {
        runs[n].version = v;
        runs[n].n_steps = steps[s];
        runs[n].n_threads = all ? host_cores() : 1;
      }
  for (int i = -1; i < repetitions; i++)     /* -1 warms up */
    for (int k = 0; k < n; k++)
      run_once(&runs[k], x, i);
  printf("version,n_steps,n_threads,n_elems,time_us,time_spread_us\n");
  for (run *r = runs; r < runs + n; r++) {
    r->times.n = repetitions;
    host_median(&r->times);               /* sorts */
    printf("%s,%d,%d,%d,%.1f,%.1f\n", r->version->name, r->n_steps,
           r->n_threads, N_ELEMS, r->times.us[0],
           r->times.us[repetitions / 4] - r->times.us[0]);
  }
}

static const char usage[] =
  "  (none)             check, then print the times\n"
  "  --check            check only\n"
  "  --csv              the times, as a table\n"
  "  --repetitions N    measurements for each time (default 9)\n"
  "  --help             this text\n";

int main(int argc, char **argv)
{
  int only_check = 0, repetitions = 9;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--check") == 0) {
      only_check = 1;
    } else if (strcmp(argv[i], "--csv") == 0) {
      continue;
    } else if (strcmp(argv[i], "--help") == 0) {
      printf("usage: %s [option …]\n%s", argv[0], usage);
      return EXIT_SUCCESS;
    } else if (strcmp(argv[i], "--repetitions") == 0 && i + 1 < argc &&
               (repetitions = atoi(argv[i + 1])) > 0 &&
               repetitions <= HOST_MAX_REPETITIONS) {
      i++;
    } else {
      fprintf(stderr, "%s: error: what is '%s'?\n%s", argv[0], argv[i],
              usage);
      return 2;
    }
  }
  if (check() > 0)
    return EXIT_FAILURE;
  if (only_check)
    return puts("all right") < 0;
  float *x = host_memory(argv[0], N_ELEMS * sizeof *x);
  print_times(x, repetitions);
  free(x);
  return EXIT_SUCCESS;
}
