/* What programs share whose work is done by the CPU: its cores, its clock, the
 * median of some passes, and memory that is there.
 *
 *   host_times t = {.n = repetitions};
 *   for (int i = 0; i < t.n; i++) {
 *     double start = host_now_us();
 *     work(x, n);
 *     t.us[i] = host_now_us() - start;
 *   }
 *   printf("%.1f us\n", host_median(&t));
 *
 * Plain C: programs in C11 define _POSIX_C_SOURCE before all headers. */
#ifndef CODE_COMMON_HOST_H
#define CODE_COMMON_HOST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { HOST_MAX_REPETITIONS = 1000 };

typedef struct {
  double us[HOST_MAX_REPETITIONS];
  int n;
} host_times;

static inline double host_now_us(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static inline int host_by_size(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static inline double host_median(host_times *t)
{
  qsort(t->us, (size_t)t->n, sizeof t->us[0], host_by_size);
  return t->us[t->n / 2];
}

/* After host_median. */
static inline double host_spread(const host_times *t)
{
  return t->us[t->n * 3 / 4] - t->us[t->n / 4];
}

static inline void *host_memory(const char *program, size_t n_bytes)
{
  void *memory = malloc(n_bytes);
  if (!memory) {
    fprintf(stderr, "%s: error: no memory for %zu bytes\n", program, n_bytes);
    exit(EXIT_FAILURE);
  }
  return memory;
}

/* Without OpenMP there is one core, and all runs on it. */
static inline int host_cores(void)
{
#ifdef _OPENMP
  return omp_get_num_procs();
#else
  return 1;
#endif
}

static inline void host_use_threads(int n_threads)
{
#ifdef _OPENMP
  omp_set_num_threads(n_threads);
#else
  (void)n_threads;
#endif
}

/* The number after the option argv[i], from 1 to `most`. */
static inline long host_number_after(int argc, char **argv, int i, long most)
{
  char *end = NULL;
  long value = i + 1 < argc ? strtol(argv[i + 1], &end, 10) : 0;
  if (!end || *end || value < 1 || value > most) {
    fprintf(stderr, "%s: error: %s needs a number from 1 to %ld\n", argv[0],
            argv[i], most);
    exit(2);
  }
  return value;
}

#endif
