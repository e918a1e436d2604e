/* Two ways at once: does the GPU send while it receives, and compute
 * meanwhile? Copies between pinned host memory and the device, alone, one
 * after the other, and in streams of their own.
 *
 *   nvcc -I code code/hardware/copies.cu -o copies && ./copies
 */
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"

typedef struct {
  size_t n_bytes;
  char *h_out, *h_in;         /* pinned; to the device, from the device */
  char *d_out, *d_in;
  cudaStream_t stream[3];
  int *d_ticks;
  long long clocks;           /* how long the kernel is busy */
} setup;

/* Keeps every multiprocessor busy without touching memory. */
__global__ void busy(int *ticks, long long clocks)
{
  int n = 0;
  for (long long began = clock64(); clock64() - began < clocks; )
    n++;
  if (threadIdx.x == 0)
    ticks[blockIdx.x] = n;
}

static void send(const setup *s, int stream)
{
  CUDA_CHECK(cudaMemcpyAsync(s->d_out, s->h_out, s->n_bytes,
                             cudaMemcpyHostToDevice, s->stream[stream]));
}

static void receive(const setup *s, int stream)
{
  CUDA_CHECK(cudaMemcpyAsync(s->h_in, s->d_in, s->n_bytes,
                             cudaMemcpyDeviceToHost, s->stream[stream]));
}

static void compute(const setup *s, int stream)
{
  unsigned n = (unsigned)device_properties()->multiProcessorCount;
  busy<<<n, 256, 0, s->stream[stream]>>>(s->d_ticks, s->clocks);
  CUDA_CHECK_LAUNCH();
}

// begin ways
static void to_device(const setup *s) { send(s, 0); }
static void to_host(const setup *s) { receive(s, 0); }
static void kernel_alone(const setup *s) { compute(s, 0); }

static void one_stream(const setup *s)
{
  send(s, 0);
  compute(s, 0);
  receive(s, 0);
}

static void both_copies(const setup *s)
{
  send(s, 0);
  receive(s, 1);
}

static void all_at_once(const setup *s)
{
  send(s, 0);
  receive(s, 1);
  compute(s, 2);
}
// end ways

typedef struct {
  const char *name, *idea;
  void (*run)(const setup *);
  int sends, receives, computes;
} version;

static const version versions[] = {
  {"to_device", "host to device alone", to_device, 1, 0, 0},
  {"to_host", "device to host alone", to_host, 0, 1, 0},
  {"kernel", "a kernel alone", kernel_alone, 0, 0, 1},
  {"one_stream", "all three in one stream", one_stream, 1, 1, 1},
  {"both_copies", "both copies in two streams", both_copies, 1, 1, 0},
  {"all_at_once", "all three in three streams", all_at_once, 1, 1, 1},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static setup set_up(size_t n_bytes, random_source *random)
{
  setup s = {n_bytes, NULL, NULL, NULL, NULL, {0}, NULL, 0};
  CUDA_CHECK(cudaMallocHost(&s.h_out, n_bytes));
  CUDA_CHECK(cudaMallocHost(&s.h_in, n_bytes));
  CUDA_CHECK(cudaMalloc(&s.d_out, n_bytes));
  CUDA_CHECK(cudaMalloc(&s.d_in, n_bytes));
  CUDA_CHECK(cudaMalloc(&s.d_ticks, sizeof(int) * (size_t)
                        device_properties()->multiProcessorCount));
  for (int i = 0; i < 3; i++)
    CUDA_CHECK(cudaStreamCreate(&s.stream[i]));
  for (size_t i = 0; i < n_bytes; i++)
    s.h_out[i] = (char)random_bits(random);
  CUDA_CHECK(cudaMemcpy(s.d_in, s.h_out, n_bytes, cudaMemcpyHostToDevice));
  return s;
}

static void tear_down(setup *s)
{
  for (int i = 0; i < 3; i++)
    CUDA_CHECK(cudaStreamDestroy(s->stream[i]));
  CUDA_CHECK(cudaFreeHost(s->h_out));
  CUDA_CHECK(cudaFreeHost(s->h_in));
  CUDA_CHECK(cudaFree(s->d_out));
  CUDA_CHECK(cudaFree(s->d_in));
  CUDA_CHECK(cudaFree(s->d_ticks));
}

/* ---- check ----------------------------------------------------------- */

static int check_version(const version *v, setup *s)
{
  char *got = (char *)malloc(s->n_bytes);
  int is_right = 1;
  s->clocks = 1000;
  memset(s->h_in, 0x5a, s->n_bytes);
  CUDA_CHECK(cudaMemset(s->d_out, 0x5a, s->n_bytes));
  v->run(s);
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaMemcpy(got, s->d_out, s->n_bytes, cudaMemcpyDeviceToHost));
  if (v->sends)
    is_right &= compare_bytes(v->name, s->h_out, got, s->n_bytes);
  if (v->receives)
    is_right &= compare_bytes(v->name, s->h_out, s->h_in, s->n_bytes);
  free(got);
  return is_right;
}

static int check(const options *o)
{
  random_source random = random_from_seed(o->seed);
  setup s = set_up(100003, &random);
  int n_bad = 0;
  for (int i = 0; i < N_VERSIONS; i++)
    if (options_wants(o, versions[i].name))
      n_bad += !check_version(&versions[i], &s);
  tear_down(&s);
  return n_bad;
}

/* ---- measuring ------------------------------------------------------- */

static void measure(const options *o)
{
  random_source random = random_from_seed(o->seed);
  setup s = set_up(memory_length(o, (size_t)1 << 27, 2.0), &random);
  s.clocks = 4000000;
  if (o->csv)
    printf("version,n_bytes,engines,repetitions,time_us,time_spread_us,"
           "gb_per_s\n");
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    if (!options_wants(o, v->name))
      continue;
    timing t = timing_start(o->repetitions);
    while (timing_next(&t))
      v->run(&s);
    printf(o->csv ? "%s,%zu,%d,%d,%.3f,%.3f,%.2f\n"
                  : "%-12s %12zu %3d %4d %10.1f %9.1f %9.2f\n",
           v->name, s.n_bytes, device_properties()->asyncEngineCount,
           t.repetitions, t.median_us, t.spread_us,
           timing_gb_per_s((double)s.n_bytes * (v->sends + v->receives),
                           t.median_us));
  }
  tear_down(&s);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "copies both ways", "copies", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (check(&o) > 0)
    return EXIT_FAILURE;
  fprintf(options_remarks(&o), "every byte arrived (--seed %llu)\n",
          (unsigned long long)o.seed);
  if (!o.check && timing_is_possible())
    measure(&o);
  return EXIT_SUCCESS;
}
