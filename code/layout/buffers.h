/* Arrays on both sides of a comparison: what every listing of this folder
 * does before and after its kernel runs. */
#ifndef CODE_LAYOUT_BUFFERS_H
#define CODE_LAYOUT_BUFFERS_H

#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/timing.h"

enum { WARP_LANES = 32 };

/* Memory of the host; the caller frees it. */
static inline void *host_array(size_t n_bytes)
{
  void *h = malloc(n_bytes + 1);
  if (!h) {
    fflush(stdout);
    fprintf(stderr, "error: no host memory; try a smaller --size\n");
    exit(EXIT_FAILURE);
  }
  return h;
}

/* A copy of h[0] … on the device; the caller frees it. */
static inline void *device_copy_of(const void *h, size_t n_bytes)
{
  void *d;
  CUDA_CHECK(cudaMalloc(&d, n_bytes + 1));
  CUDA_CHECK(cudaMemcpy(d, h, n_bytes, cudaMemcpyHostToDevice));
  return d;
}

/* An output of n_bytes that nothing has written to, and its guard. */
static inline void *device_output(size_t n_bytes)
{
  void *d;
  CUDA_CHECK(cudaMalloc(&d, n_bytes + GUARD_BYTES));
  poison_device(d, n_bytes + GUARD_BYTES);
  return d;
}

/* That output on the host.  *intact becomes 0 if its guard was written to.
 * The caller frees it. */
static inline void *host_copy_of_output(const char *what, const void *d,
                                        size_t n_bytes, int *intact)
{
  char *h = (char *)host_array(n_bytes + GUARD_BYTES);
  CUDA_CHECK(cudaMemcpy(h, d, n_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  *intact &= compare_guard(what, h + n_bytes, GUARD_BYTES);
  return h;
}

static inline unsigned blocks_for(size_t n, size_t block_threads)
{
  return (unsigned)((n + block_threads - 1) / block_threads);
}

static inline size_t round_up(size_t n, size_t multiple)
{
  return (n + multiple - 1) / multiple * multiple;
}

/* What the device's own copy reaches when it reads n_bytes and writes them:
 * the ceiling that the run's rows are compared with. */
static inline double copy_gb_per_s(void *d_to, const void *d_from,
                                   size_t n_bytes, int repetitions)
{
  timing t = timing_start(repetitions);
  while (timing_next(&t))
    CUDA_CHECK(cudaMemcpyAsync(d_to, d_from, n_bytes,
                               cudaMemcpyDeviceToDevice));
  return timing_gb_per_s(2.0 * (double)n_bytes, t.median_us);
}

#endif
