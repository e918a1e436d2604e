/* Three kernels: the first and the last in streams of their own, the second
 * in the default stream. Which of them may overlap?
 *
 *   nvcc -I code code/streams/null_stream.cu -o null_stream && ./null_stream */
#include <stdio.h>
#include <stdlib.h>

#include "common/cuda_check.h"
#include "common/device.h"
#include "common/options.h"
#include "common/timing.h"
#include "streams/timeline.h"

enum { N_KERNELS = 3, SPIN_NS = 100000 };

/* The order in which kernels began and ended, without a clock. */
typedef struct {
  int n_tickets;
  int began[N_KERNELS], ended[N_KERNELS];
} tickets;

/* One thread that takes a ticket, waits for a while and takes another. */
__device__ static void occupy(tickets *d_order, int k, stamp *d_when)
{
  timeline_enter(d_when);
  d_order->began[k] = atomicAdd(&d_order->n_tickets, 1);
  unsigned long long start = timeline_now();
  while (timeline_now() - start < SPIN_NS)
    ;
  d_order->ended[k] = atomicAdd(&d_order->n_tickets, 1);
  timeline_leave(d_when);
}

__global__ void kernel_1(tickets *d_order, stamp *d_when)
{
  occupy(d_order, 0, d_when);
}

__global__ void kernel_2(tickets *d_order, stamp *d_when)
{
  occupy(d_order, 1, d_when);
}

__global__ void kernel_3(tickets *d_order, stamp *d_when)
{
  occupy(d_order, 2, d_when);
}

typedef struct {
  tickets *d_order;
  cudaStream_t stream_1, stream_2;
  cudaStream_t second;     /* where kernel_2 goes; 0 is the default stream */
  timeline *log;           /* or NULL */
} trio;

static int note(const trio *t, int k, cudaStream_t stream)
{
  return timeline_begin(t->log, "kernel", k, k, stream);
}

/* The three launches. The marks around them are for the figure. */
static void launch_recorded(const trio *t)
{
  int k1 = note(t, 0, t->stream_1);
  kernel_1<<<1, 1, 0, t->stream_1>>>(t->d_order, timeline_device(t->log, k1));
  timeline_end(t->log, k1, t->stream_1);
  int k2 = note(t, 1, t->second);
  kernel_2<<<1, 1, 0, t->second>>>(t->d_order, timeline_device(t->log, k2));
  timeline_end(t->log, k2, t->second);
  int k3 = note(t, 2, t->stream_2);
  kernel_3<<<1, 1, 0, t->stream_2>>>(t->d_order, timeline_device(t->log, k3));
  timeline_end(t->log, k3, t->stream_2);
}

// begin launches
static void launch(const trio *t)
{
  kernel_1<<<1, 1, 0, t->stream_1>>>(t->d_order, NULL);
  kernel_2<<<1, 1>>>(t->d_order, NULL);
  kernel_3<<<1, 1, 0, t->stream_2>>>(t->d_order, NULL);
}
// end launches

typedef struct {
  const char *name;
  const char *idea;
  unsigned flags;         /* of both streams */
  cudaStream_t second;
  int in_order;           /* does CUDA promise 1, then 2, then 3? */
} version;

static const version versions[] = {
  {"blocking", "cudaStreamCreate: the default stream waits, and is waited for",
   cudaStreamDefault, cudaStreamLegacy, 1},
  {"non_blocking", "cudaStreamNonBlocking: it does neither",
   cudaStreamNonBlocking, cudaStreamLegacy, 0},
  {"per_thread", "kernel_2 in the thread's own default stream",
   cudaStreamDefault, cudaStreamPerThread, 0},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static trio trio_new(const version *v)
{
  trio t = {};
  CUDA_CHECK(cudaMalloc(&t.d_order, sizeof *t.d_order));
  CUDA_CHECK(cudaMemset(t.d_order, 0, sizeof *t.d_order));
  CUDA_CHECK(cudaStreamCreateWithFlags(&t.stream_1, v->flags));
  CUDA_CHECK(cudaStreamCreateWithFlags(&t.stream_2, v->flags));
  t.second = v->second;
  CUDA_CHECK(cudaDeviceSynchronize());
  return t;
}

static void trio_free(trio *t)
{
  CUDA_CHECK(cudaStreamDestroy(t->stream_1));
  CUDA_CHECK(cudaStreamDestroy(t->stream_2));
  CUDA_CHECK(cudaFree(t->d_order));
}

/* ---- check: all have run, and in order where CUDA promises it ---- */

static int check_version(const version *v)
{
  trio t = trio_new(v);
  tickets h_order;
  int right = 1;
  if (v->second == cudaStreamLegacy)
    launch(&t);
  else
    launch_recorded(&t);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaMemcpy(&h_order, t.d_order, sizeof h_order,
                        cudaMemcpyDeviceToHost));
  if (h_order.n_tickets != 2 * N_KERNELS) {
    fprintf(stderr, "%s: error: %d tickets instead of %d: not every kernel "
            "has run\n", v->name, h_order.n_tickets, 2 * N_KERNELS);
    right = 0;
  }
  for (int k = 1; k < N_KERNELS && v->in_order; k++)
    if (h_order.began[k] < h_order.ended[k - 1]) {
      fprintf(stderr, "%s: error: kernel_%d began before kernel_%d ended\n",
              v->name, k + 1, k);
      right = 0;
    }
  trio_free(&t);
  return right;
}

static int check(const options *o)
{
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(o, versions[k].name))
      right &= check_version(&versions[k]);
  fprintf(options_remarks(o), "check: %d versions: %s\n", N_VERSIONS,
          right ? "all right" : "WRONG");
  return right;
}

/* ---- experiment `null_stream`: when they ran ---- */

static void measure(const options *o)
{
  timeline *log = timeline_new();
  timeline_print_head();
  for (int k = 0; k < N_VERSIONS; k++) {
    if (!options_wants(o, versions[k].name))
      continue;
    trio t = trio_new(&versions[k]);
    for (int pass = 0; pass < 3; pass++) {      /* the last one counts */
      t.log = pass == 2 ? log : NULL;
      timeline_start(log);
      launch_recorded(&t);
      CUDA_CHECK_LAUNCH();
      CUDA_CHECK(cudaDeviceSynchronize());
    }
    timeline_print(log, versions[k].name);
    trio_free(&t);
  }
  timeline_free(log);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "the default stream and the others",
                            "null_stream", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (!o.check && timing_is_possible())
    measure(&o);
  return EXIT_SUCCESS;
}
