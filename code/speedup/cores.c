/* The program of work.h on one core, two, four …: the same work sooner, or
 * more work in the same time.
 *
 *   gcc -O3 -fopenmp -I code code/speedup/cores.c -o cores && ./cores
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

// begin program
static void parallel_part(float *x, size_t n, int n_steps)
{
  PARALLEL_FOR
  for (size_t i = 0; i < n; i++)
    x[i] = approach(x[i], n_steps);
}

static void serial_part(float *x, size_t n)
{
  smooth(x, n);
}
// end program

/* ---- the check ------------------------------------------------------- */

static int check_once(size_t n, int n_threads)
{
  float *x = host_memory("cores", (n + 1) * sizeof *x);
  double level = 0.0;
  int n_bad = 0;
  work_targets(x, n);
  host_use_threads(n_threads);
  parallel_part(x, n, 64);
  for (size_t i = 0; i < n && !n_bad; i++) {
    double target = 1.0 + (double)((i + 1) * 2654435761u % 1000003u) /
                              1000003.0;
    if (fabs(x[i] - cbrt(target)) > 1e-5) {
      fprintf(stderr, "cores: error: element %zu of %zu on %d threads: the "
              "cube root of %g is not %g\n", i, n, n_threads, target, x[i]);
      n_bad++;
    }
  }
  float *before = host_memory("cores", (n + 1) * sizeof *before);
  memcpy(before, x, n * sizeof *x);
  serial_part(x, n);
  for (size_t i = 0; i < n && !n_bad; i++) {
    level = i == 0 ? before[0] : 0.75 * level + 0.25 * before[i];
    if (fabs(x[i] - level) > 1e-5) {
      fprintf(stderr, "cores: error: element %zu of %zu: smoothed to %g, "
              "expected %g\n", i, n, x[i], level);
      n_bad++;
    }
  }
  free(before);
  free(x);
  return n_bad;
}

static int check(void)
{
  static const size_t sizes[] = {1, 2, 15, 1000, 4099};
  int n_bad = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    for (int threads = 1; threads <= 4; threads++)
      n_bad += check_once(sizes[i], threads);
  return n_bad;
}

/* ---- measuring ------------------------------------------------------- */

enum { N_ELEMS = 1 << 20, MOST_RUNS = 64 };

typedef struct {
  int n_steps, n_threads;
  host_times serial, parallel, total;
  double serial_us, parallel_us, total_us, spread_us;
} run;

static void run_once(run *r, float *x, int repetition)
{
  host_use_threads(r->n_threads);
  work_targets(x, N_ELEMS);
  double start = host_now_us();
  parallel_part(x, N_ELEMS, r->n_steps);
  double middle = host_now_us();
  serial_part(x, N_ELEMS);
  double end = host_now_us();
  if (repetition < 0)
    return;
  r->parallel.us[repetition] = middle - start;
  r->serial.us[repetition] = end - middle;
  r->total.us[repetition] = end - start;
}

/* The shortest time. */
static double least(host_times *t, int repetitions)
{
  t->n = repetitions;
  host_median(t);               /* sorts */
  return t->us[0];
}

/* Other work on the machine only ever adds to a time, so the shortest of all
 * repetitions is the best estimate. The runs that will be compared take
 * turns, so that a disturbance meets all of them. */
static void measure(run *runs, int n_runs, float *x, int repetitions)
{
  for (int i = -1; i < repetitions; i++)     /* -1 warms up */
    for (int k = 0; k < n_runs; k++)
      run_once(&runs[k], x, i);
  for (run *r = runs; r < runs + n_runs; r++) {
    r->serial_us = least(&r->serial, repetitions);
    r->parallel_us = least(&r->parallel, repetitions);
    r->total_us = least(&r->total, repetitions);
    r->spread_us = r->total.us[repetitions / 4] - r->total_us;
  }
}

/* What the laws make of the times on one core. */
static double amdahl(const run *one, int n)
{
  double fraction = one->parallel_us / (one->parallel_us + one->serial_us);
  return 1.0 / ((1.0 - fraction) + fraction / n);
}

static double gustafson(const run *one, int n)
{
  double fraction = one->parallel_us / (one->parallel_us + one->serial_us);
  return (1.0 - fraction) + fraction * n;
}

/* The same work on more and more cores. */
static void print_same(float *x, int repetitions)
{
  static const int steps[] = {4, 16, 128};
  static run runs[MOST_RUNS];
  int n = 0;
  for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++)
    for (int threads = 1; threads <= host_cores(); threads *= 2, n++) {
      runs[n].n_steps = steps[s];
      runs[n].n_threads = threads;
    }
  measure(runs, n, x, repetitions);
  printf("n_steps,n_threads,serial_us,parallel_us,total_us,time_spread_us,"
         "parallel_percent,speedup,amdahl\n");
  for (const run *one = runs, *r = runs; r < runs + n; r++) {
    if (r->n_threads == 1)
      one = r;
    printf("%d,%d,%.1f,%.1f,%.1f,%.1f,%.2f,%.3f,%.3f\n", r->n_steps,
           r->n_threads, r->serial_us, r->parallel_us, r->total_us,
           r->spread_us, 100.0 * one->parallel_us /
           (one->parallel_us + one->serial_us), one->total_us / r->total_us,
           amdahl(one, r->n_threads));
  }
}

/* n times the steps on n cores: how long would one core need for them? */
static void print_more(float *x, int repetitions)
{
  enum { STEPS = 16 };
  static run alone[MOST_RUNS];
  int n = 0;
  for (int threads = 1; threads <= host_cores(); threads *= 2, n++) {
    alone[2 * n].n_steps = alone[2 * n + 1].n_steps = STEPS * threads;
    alone[2 * n].n_threads = 1;
    alone[2 * n + 1].n_threads = threads;
  }
  measure(alone, 2 * n, x, repetitions);
  printf("n_threads,n_steps,one_core_us,total_us,time_spread_us,speedup,"
         "gustafson,times_as_long\n");
  for (const run *one = alone, *all = alone + 1; one < alone + 2 * n;
       one += 2, all += 2)
    printf("%d,%d,%.1f,%.1f,%.1f,%.3f,%.3f,%.3f\n", all->n_threads,
           all->n_steps, one->total_us, all->total_us, all->spread_us,
           one->total_us / all->total_us,
           gustafson(alone + 1, all->n_threads),
           all->total_us / alone[1].total_us);
}

static const char usage[] =
  "  (none)             check, then print both tables\n"
  "  --check            check only\n"
  "  --csv=same|more    the same work on more cores, or more work\n"
  "  --repetitions N    measurements for each time (default 9)\n"
  "  --help             this text\n";

int main(int argc, char **argv)
{
  const char *csv = "";
  int only_check = 0, repetitions = 9;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--check") == 0) {
      only_check = 1;
    } else if (strcmp(argv[i], "--csv=same") == 0 ||
               strcmp(argv[i], "--csv=more") == 0) {
      csv = argv[i] + 6;
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
  if (strcmp(csv, "more") != 0)
    print_same(x, repetitions);
  if (strcmp(csv, "same") != 0)
    print_more(x, repetitions);
  free(x);
  return EXIT_SUCCESS;
}
