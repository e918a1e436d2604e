/* Records when operations in several streams ran.
 *
 * A copy has an event before and after it. The event before a copy says when
 * the stream got there, not when the copy engine had time for it, so a copy's
 * begin is the later of two moments: that event, and the end of the previous
 * copy in the same direction. A kernel notes the time itself: the first of
 * its blocks when it begins, the last when it ends.
 *
 *   timeline log = timeline_new();
 *   timeline_start(&log);
 *   int k = timeline_begin(&log, "in", 0, 3, stream);
 *   … a copy or a launch; a kernel calls timeline_enter and _leave …
 *   timeline_end(&log, k, stream);
 *   timeline_print(&log, "depth_first"); */
#ifndef CODE_STREAMS_TIMELINE_H
#define CODE_STREAMS_TIMELINE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cuda_check.h"

enum { MAX_MARKS = 256 };

/* Nanoseconds of the GPU's clock, which all of its multiprocessors share. */
typedef struct {
  unsigned long long begin_ns, end_ns;
} stamp;

__device__ static inline unsigned long long timeline_now(void)
{
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now) :: "memory");
  return now;
}

/* For the first and the last line of a kernel. Without a stamp, nothing. */
__device__ static inline void timeline_enter(stamp *d_when)
{
  if (d_when && threadIdx.x == 0)
    atomicMin(&d_when->begin_ns, timeline_now());
}

__device__ static inline void timeline_leave(stamp *d_when)
{
  if (!d_when)
    return;
  __syncthreads();
  if (threadIdx.x == 0)
    atomicMax(&d_when->end_ns, timeline_now());
}

static __global__ void timeline_stamp(stamp *d_when)
{
  timeline_enter(d_when);
}

typedef struct {
  const char *what;     /* "in", "kernel" or "out", or another word */
  int stream, piece;
  cudaEvent_t before, after;
} mark;

typedef struct {
  int n_marks;
  mark marks[MAX_MARKS];
  stamp *d_stamps;      /* one for each mark, one more for the start */
  cudaEvent_t start;
} timeline;

static inline timeline *timeline_new(void)
{
  timeline *log = (timeline *)calloc(1, sizeof *log);
  if (!log) {
    fprintf(stderr, "error: no memory for a timeline\n");
    exit(EXIT_FAILURE);
  }
  CUDA_CHECK(cudaMalloc(&log->d_stamps, (MAX_MARKS + 1) * sizeof(stamp)));
  CUDA_CHECK(cudaEventCreate(&log->start));
  for (int k = 0; k < MAX_MARKS; k++) {
    CUDA_CHECK(cudaEventCreate(&log->marks[k].before));
    CUDA_CHECK(cudaEventCreate(&log->marks[k].after));
  }
  return log;
}

static inline void timeline_free(timeline *log)
{
  for (int k = 0; k < MAX_MARKS; k++) {
    CUDA_CHECK(cudaEventDestroy(log->marks[k].before));
    CUDA_CHECK(cudaEventDestroy(log->marks[k].after));
  }
  CUDA_CHECK(cudaEventDestroy(log->start));
  CUDA_CHECK(cudaFree(log->d_stamps));
  free(log);
}

/* Time 0. An event and a kernel's stamp, taken together, tie the clock of
 * the events to the clock of the kernels. */
static inline void timeline_start(timeline *log)
{
  stamp none[MAX_MARKS + 1];
  log->n_marks = 0;
  for (int k = 0; k <= MAX_MARKS; k++)
    none[k] = {~0ull, 0ull};
  CUDA_CHECK(cudaMemcpy(log->d_stamps, none, sizeof none,
                        cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaDeviceSynchronize());
  timeline_stamp<<<1, 1>>>(&log->d_stamps[MAX_MARKS]);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaEventRecord(log->start));
  CUDA_CHECK(cudaDeviceSynchronize());
}

/* The number of the new mark. Without a log, nothing and -1. */
static inline int timeline_begin(timeline *log, const char *what, int stream,
                                 int piece, cudaStream_t in)
{
  if (!log)
    return -1;
  if (log->n_marks == MAX_MARKS) {
    fprintf(stderr, "error: more than %d marks in a timeline\n", MAX_MARKS);
    exit(EXIT_FAILURE);
  }
  mark *m = &log->marks[log->n_marks];
  m->what = what;
  m->stream = stream;
  m->piece = piece;
  CUDA_CHECK(cudaEventRecord(m->before, in));
  return log->n_marks++;
}

static inline void timeline_end(timeline *log, int k, cudaStream_t in)
{
  if (log)
    CUDA_CHECK(cudaEventRecord(log->marks[k].after, in));
}

static inline stamp *timeline_device(const timeline *log, int k)
{
  return log ? &log->d_stamps[k] : NULL;
}

static inline void timeline_print_head(void)
{
  printf("version,what,stream,piece,ready_us,begin_us,end_us\n");
}

static inline double timeline_since_start(const timeline *log, cudaEvent_t e)
{
  float ms;
  CUDA_CHECK(cudaEventElapsedTime(&ms, log->start, e));
  return 1000.0 * ms;
}

/* One row for each mark: when the stream was ready for the operation, when it
 * began and when it ended. */
static inline void timeline_print(const timeline *log, const char *version)
{
  stamp when[MAX_MARKS + 1];
  double ends[MAX_MARKS];
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaMemcpy(when, log->d_stamps, sizeof when,
                        cudaMemcpyDeviceToHost));
  for (int k = 0; k < log->n_marks; k++)
    ends[k] = timeline_since_start(log, log->marks[k].after);
  for (int k = 0; k < log->n_marks; k++) {
    const mark *m = &log->marks[k];
    double ready = timeline_since_start(log, m->before), begin = ready;
    if (when[k].end_ns > 0) {            /* a kernel, by its own stamps */
      unsigned long long zero = when[MAX_MARKS].begin_ns;
      begin = 1e-3 * (double)(when[k].begin_ns - zero);
      ends[k] = 1e-3 * (double)(when[k].end_ns - zero);
    }
    else
      for (int j = 0; j < log->n_marks; j++)
        if (strcmp(log->marks[j].what, m->what) == 0 && ends[j] < ends[k] &&
            ends[j] > begin)
          begin = ends[j];
    printf("%s,%s,%d,%d,%.2f,%.2f,%.2f\n", version, m->what, m->stream,
           m->piece, ready, begin, ends[k]);
  }
}

#endif
