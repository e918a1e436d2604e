/* How long does it take?  CUDA events on the GPU, warm-up first, the L2
 * cache emptied before each measurement, then the median and the spread.
 *
 *   timing t = timing_start(repetitions);
 *   while (timing_next(&t))
 *     launch(d_x, n);
 *   printf("%.1f us\n", t.median_us);
 *
 * timing_next records the events around each pass through the loop; when it
 * returns 0 the results are there and everything it allocated is freed. */
#ifndef CODE_COMMON_TIMING_H
#define CODE_COMMON_TIMING_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "common/cuda_check.h"
#include "common/device.h"

enum { TIMING_WARM_UP = 3 };

typedef struct {
  double median_us;
  double spread_us;     /* interquartile range */
  double min_us;
  int repetitions;
  /* private */
  int pass;             /* counts the warm-up passes, too */
  double *samples_us;
  cudaEvent_t start, stop;
  float *d_flush;
  size_t n_flush;
} timing;

/* Reads four times what the L2 cache holds, so that nothing of the last
 * pass is left in it.  Reading, not writing: a written buffer would have to
 * go back to memory during the measurement. */
static __global__ void timing_flush(const float *flush, size_t n,
                                    float *never)
{
  size_t step = (size_t)gridDim.x * blockDim.x;
  float sum = 0.0f;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += step)
    sum += flush[i];
  if (sum != 0.0f)      /* the buffer is all zeros, but who knows that? */
    *never = sum;
}

static inline int timing_by_size(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Quantile q of n sorted samples, interpolated. */
static inline double timing_quantile(const double *sorted, int n, double q)
{
  double at = q * (n - 1);
  int below = (int)at;
  int above = below + 1 < n ? below + 1 : below;
  return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}

static inline void timing_summarise(timing *t, double *samples, int n)
{
  qsort(samples, (size_t)n, sizeof *samples, timing_by_size);
  t->min_us = samples[0];
  t->median_us = timing_quantile(samples, n, 0.5);
  t->spread_us = timing_quantile(samples, n, 0.75) -
                 timing_quantile(samples, n, 0.25);
}

static inline timing timing_start(int repetitions)
{
  timing t;
  memset(&t, 0, sizeof t);
  t.repetitions = repetitions;
  t.pass = -1;
  t.samples_us = (double *)malloc((size_t)repetitions * sizeof(double));
  if (!t.samples_us) {
    fprintf(stderr, "error: no memory for %d samples\n", repetitions);
    exit(EXIT_FAILURE);
  }
  t.n_flush = 4 * device_l2_bytes() / sizeof(float);
  CUDA_CHECK(cudaEventCreate(&t.start));
  CUDA_CHECK(cudaEventCreate(&t.stop));
  CUDA_CHECK(cudaMalloc(&t.d_flush, (t.n_flush + 1) * sizeof(float)));
  CUDA_CHECK(cudaMemset(t.d_flush, 0, (t.n_flush + 1) * sizeof(float)));
  return t;
}

static inline void timing_finish(timing *t)
{
  timing_summarise(t, t->samples_us, t->repetitions);
  free(t->samples_us);
  t->samples_us = NULL;
  CUDA_CHECK(cudaEventDestroy(t->start));
  CUDA_CHECK(cudaEventDestroy(t->stop));
  CUDA_CHECK(cudaFree(t->d_flush));
}

// begin timing_next
static inline int timing_next(timing *t)
{
  if (t->pass >= 0) {                       /* a pass has just ended */
    float ms;
    CUDA_CHECK(cudaEventRecord(t->stop));
    CUDA_CHECK(cudaEventSynchronize(t->stop));
    CUDA_CHECK(cudaEventElapsedTime(&ms, t->start, t->stop));
    if (t->pass >= TIMING_WARM_UP)
      t->samples_us[t->pass - TIMING_WARM_UP] = 1000.0 * ms;
  }
  if (++t->pass == TIMING_WARM_UP + t->repetitions) {
    timing_finish(t);
    return 0;
  }
  /* The launches queue up after the flush, so that the time between the
   * events holds the work alone and not the wait for the host. */
  timing_flush<<<1024, 256>>>(t->d_flush, t->n_flush, t->d_flush + t->n_flush);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaEventRecord(t->start));
  return 1;
}
// end timing_next

/* The host's clock, for what happens on the host or waits for it. */
static inline double timing_host_us(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

/* Billions of bytes per second. */
static inline double timing_gb_per_s(double n_bytes, double time_us)
{
  return time_us > 0.0 ? n_bytes / time_us * 1e-3 : 0.0;
}

/* May times be printed?  Says so and returns 0 on the software device. */
static inline int timing_is_possible(void)
{
  if (!device_is_software())
    return 1;
  printf("No times: this is the software device. It counts; "
         "a GPU is timed.\n");
  return 0;
}

static inline void timing_print_head(void)
{
  printf("%-22s %12s %12s %10s\n", "version", "median us", "spread us",
         "GB/s");
}

static inline void timing_print_row(const char *version, timing t,
                                    double n_bytes)
{
  printf("%-22s %12.2f %12.2f %10.1f\n", version, t.median_us, t.spread_us,
         timing_gb_per_s(n_bytes, t.median_us));
}

#endif
