/* Times on the host: the median of some passes. */
#ifndef CODE_SPEEDUP_HOST_TIMES_H
#define CODE_SPEEDUP_HOST_TIMES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

#endif
