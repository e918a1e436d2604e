/* What the runtime says about the GPU, and what a kernel finds there.
 *
 *   nvcc -I code code/hardware/seen.cu -o seen && ./seen
 */
#include <stdlib.h>

#include "common/cuda_check.h"
#include "common/device.h"
#include "common/options.h"
#include "common/timing.h"
#include "hardware/clocks.h"

enum { MOST_MULTIPROCESSORS = 1024 };

/* ---- kernels --------------------------------------------------------- */

/* How many threads of this warp are here? The largest answer of all. */
__global__ void count_lanes(int *most)
{
  atomicMax(most, __popc(__activemask()));
}

typedef struct {
  int now[MOST_MULTIPROCESSORS];      /* threads that are here */
  int most[MOST_MULTIPROCESSORS];     /* that ever were */
  int blocks[MOST_MULTIPROCESSORS];   /* that have come */
} crowd;

/* Each block signs in, stays so long that others have time to come, and
 * signs out. */
__global__ void sign_in(crowd *c, long long clocks)
{
  unsigned sm = this_multiprocessor();
  if (threadIdx.x == 0) {
    int threads = (int)blockDim.x;
    int here = atomicAdd(&c->now[sm], threads) + threads;
    atomicMax(&c->most[sm], here);
    atomicAdd(&c->blocks[sm], 1);
    for (long long began = clock64(); clock64() - began < clocks; )
      ;
    atomicSub(&c->now[sm], threads);
  }
  __syncthreads();
}

/* The multiprocessor's clock and the wall's, around the same work. */
__global__ void tick(long long *clocks, unsigned long long *ns,
                     long long enough)
{
  unsigned long long began_ns = nanoseconds();
  long long began = clock64();
  while (clock64() - began < enough)
    ;
  *clocks = clock64() - began;
  *ns = nanoseconds() - began_ns;
}

extern __shared__ char wanted[];
__global__ void use_shared(char *out, int last)
{
  wanted[last] = 42;
  *out = wanted[last];
}

__global__ void nothing(void)
{
}

/* ---- what is seen ---------------------------------------------------- */

static int lanes_seen(void)
{
  int *d_most, most;
  CUDA_CHECK(cudaMalloc(&d_most, sizeof *d_most));
  CUDA_CHECK(cudaMemset(d_most, 0, sizeof *d_most));
  count_lanes<<<1, 1000>>>(d_most);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(&most, d_most, sizeof most, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_most));
  return most;
}

/* Is a launch accepted? Forgets the error if it is not. */
static int accepts_threads(int threads)
{
  nothing<<<1, threads>>>();
  return cudaGetLastError() == cudaSuccess &&
         cudaDeviceSynchronize() == cudaSuccess;
}

static int accepts_shared(int bytes)
{
  char *d_out;
  int accepted = cudaFuncSetAttribute(use_shared,
      cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) == cudaSuccess;
  if (!accepted) {
    cudaGetLastError();
    return 0;
  }
  CUDA_CHECK(cudaMalloc(&d_out, 1));
  use_shared<<<1, 1, bytes>>>(d_out, bytes - 1);
  accepted = cudaGetLastError() == cudaSuccess &&
             cudaDeviceSynchronize() == cudaSuccess;
  CUDA_CHECK(cudaFree(d_out));
  return accepted;
}

/* The largest number that is accepted, between one that is and one that is
 * not. */
static int largest(int (*accepts)(int), int accepted, int refused)
{
  while (refused - accepted > 1) {
    int middle = accepted + (refused - accepted) / 2;
    if (accepts(middle))
      accepted = middle;
    else
      refused = middle;
  }
  return accepted;
}

typedef struct {
  int multiprocessors, threads, blocks;
} crowd_seen;

static crowd_seen sign_all_in(int threads, long long clocks)
{
  static crowd h;
  crowd *d;
  crowd_seen seen = {0, 0, 0};
  const cudaDeviceProp *p = device_properties();
  int n_blocks = 4 * p->multiProcessorCount *
                 (p->maxThreadsPerMultiProcessor / threads);
  CUDA_CHECK(cudaMalloc(&d, sizeof *d));
  CUDA_CHECK(cudaMemset(d, 0, sizeof *d));
  sign_in<<<n_blocks, threads>>>(d, clocks);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d));
  for (int i = 0; i < MOST_MULTIPROCESSORS; i++) {
    seen.multiprocessors += h.blocks[i] > 0;
    if (h.most[i] > seen.threads)
      seen.threads = h.most[i];
    n_blocks -= h.blocks[i];
    if (h.now[i] != 0)
      n_blocks = -1;
  }
  seen.blocks = seen.threads / threads;
  if (n_blocks != 0) {
    fprintf(stderr, "sign_in: error: not every block signed in and out: "
            "wrong\n");
    exit(EXIT_FAILURE);
  }
  return seen;
}

static double clock_seen_mhz(void)
{
  long long *d_clocks, clocks;
  unsigned long long *d_ns, ns;
  CUDA_CHECK(cudaMalloc(&d_clocks, sizeof *d_clocks));
  CUDA_CHECK(cudaMalloc(&d_ns, sizeof *d_ns));
  for (int i = 0; i < 5; i++)
    tick<<<1, 1>>>(d_clocks, d_ns, 20000000);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(&clocks, d_clocks, sizeof clocks,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(&ns, d_ns, sizeof ns, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_clocks));
  CUDA_CHECK(cudaFree(d_ns));
  return 1e3 * (double)clocks / (double)ns;
}

/* ---- check and table ------------------------------------------------- */

static int n_bad;

static void expect(const char *what, int said, int seen)
{
  if (said == seen)
    return;
  fprintf(stderr, "%s: error: the runtime says %d, seen %d: wrong\n", what,
          said, seen);
  n_bad++;
}

static void show(const options *o, const char *what, const char *unit,
                 double said, double seen)
{
  if (!o->check && !device_is_software())
    printf(o->csv ? "%s,%s,%.0f,%.1f\n" : "%-32s %-16s %12.0f %12.1f\n",
           what, unit, said, seen);
}

/* What is the same on each run and each device. */
static void see_limits(const options *o)
{
  const cudaDeviceProp *p = device_properties();
  int lanes = lanes_seen(), threads = largest(accepts_threads, 1, 1 << 16);
  int shared = largest(accepts_shared, 1, 1 << 24);
  expect("lanes", p->warpSize, lanes);
  expect("threads of a block", p->maxThreadsPerBlock, threads);
  expect("shared memory", (int)p->sharedMemPerBlockOptin, shared);
  show(o, "warp", "threads", p->warpSize, lanes);
  show(o, "block at most", "threads", p->maxThreadsPerBlock, threads);
  show(o, "shared memory of a block", "bytes",
       (double)p->sharedMemPerBlockOptin, shared);
}

/* What depends on who else is there. */
static void see_crowd(const options *o)
{
  const cudaDeviceProp *p = device_properties();
  int khz;
  long long clocks = device_is_software() ? 1 : 100000;
  crowd_seen large = sign_all_in(p->maxThreadsPerBlock / 2, clocks);
  crowd_seen small = sign_all_in(p->warpSize, clocks);
  if (o->check || device_is_software())
    return;
  CUDA_CHECK(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
  show(o, "multiprocessors", "", p->multiProcessorCount,
       small.multiprocessors);
  show(o, "threads on a multiprocessor", "threads",
       p->maxThreadsPerMultiProcessor, large.threads);
  show(o, "blocks on a multiprocessor", "blocks",
       p->maxBlocksPerMultiProcessor, small.blocks);
  show(o, "clock", "MHz", 1e-3 * khz, clock_seen_mhz());
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "what a kernel finds", "seen", "");
  if (o.csv && !device_is_software())
    printf("what,unit,said,seen\n");
  see_limits(&o);
  if (n_bad == 0)
    see_crowd(&o);
  if (n_bad > 0)
    return EXIT_FAILURE;
  fprintf(options_remarks(&o), "the limits are where the runtime says\n");
  if (!o.check)
    timing_is_possible();
  return EXIT_SUCCESS;
}
