/* What a thread needs that does not fit in registers, the GPU sets aside
 * before the kernel starts, for as many threads as it could ever run at the
 * same time.  How much is that, and what if it is not there? */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/options.h"

/* ---- CPU reference ---- */

/* Fills n numbers from a seed and returns the one at `index`. */
static unsigned number_at(unsigned seed, int index)
{
  unsigned x = seed;
  for (int i = 0; i <= index; i++)
    x = x * 1664525u + 1013904223u;
  return x;
}

/* ---- kernels: an array of its own for each thread ---- */

// begin own_array
/* The index is not known to the compiler, so the array cannot live in
 * registers: it goes to local memory, n words for each thread. */
template <int n>
__global__ void own_array(unsigned seed, int index, unsigned *out)
{
  unsigned own[n];
  unsigned x = seed + threadIdx.x;
  for (int i = 0; i < n; i++)
    own[i] = x = x * 1664525u + 1013904223u;
  out[threadIdx.x] = own[index];
}
// end own_array

typedef void kernel(unsigned, int, unsigned *);

typedef struct {
  const char *name;
  const char *idea;
  kernel *launched;
  size_t own_bytes;     /* of local memory for each thread */
} version;

static const version versions[] = {
  {"own_array_1k", "1 KiB for each thread", own_array<256>, 1 << 10},
  {"own_array_16k", "16 KiB for each thread", own_array<4096>, 16 << 10},
  {"own_array_64k", "64 KiB for each thread", own_array<16384>, 64 << 10},
  {"own_array_256k", "256 KiB for each thread", own_array<65536>, 256 << 10},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0], N_THREADS = 32 };

/* ---- check ---- */

/* How many threads the GPU could run at the same time. */
static size_t resident_threads(void)
{
  const cudaDeviceProp *p = device_properties();
  return (size_t)p->multiProcessorCount * p->maxThreadsPerMultiProcessor;
}

static int check_version(const version *v, random_source *random)
{
  unsigned seed = (unsigned)random_bits(random);
  int n = (int)(v->own_bytes / sizeof(unsigned));
  int index = (int)random_below(random, n);
  unsigned h_expected[N_THREADS], h_got[N_THREADS];
  unsigned *d_out;
  for (int i = 0; i < N_THREADS; i++)
    h_expected[i] = number_at(seed + i, index);
  CUDA_CHECK(cudaMalloc(&d_out, sizeof h_got));
  poison_device(d_out, sizeof h_got);
  size_t free_bytes = device_free_bytes();
  v->launched<<<1, N_THREADS>>>(seed, index, d_out);
  cudaError_t error = cudaGetLastError();
  if (error == cudaErrorMemoryAllocation &&
      v->own_bytes * resident_threads() > free_bytes) {
    CUDA_CHECK(cudaFree(d_out));    /* refused, as it should be */
    return 1;
  }
  CUDA_CHECK(error);
  CUDA_CHECK(cudaMemcpy(h_got, d_out, sizeof h_got,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_out));
  return compare_bytes(v->name, h_expected, h_got, sizeof h_got);
}

/* ---- experiment `reserved` ---- */

// begin reserved
/* By how much free memory has fallen once one warp has run the kernel. */
static size_t reserved_bytes(const version *v, unsigned *d_out)
{
  size_t before = device_free_bytes();
  v->launched<<<1, N_THREADS>>>(1, 0, d_out);
  if (cudaGetLastError() == cudaErrorMemoryAllocation)
    return 0;    /* more than the whole GPU has */
  CUDA_CHECK(cudaDeviceSynchronize());
  size_t after = device_free_bytes();
  return before > after ? before - after : 0;
}
// end reserved

/* What the launch says when the memory that it would reserve is taken. */
static cudaError_t launch_without_room(const version *v, unsigned *d_out)
{
  const size_t step = (size_t)128 << 20;
  size_t taken = device_free_bytes();
  void *d_taken = NULL;
  while (taken > step) {
    taken -= step;
    if (cudaMalloc(&d_taken, taken) == cudaSuccess)
      break;
    cudaGetLastError();    /* a little less, then */
  }
  v->launched<<<1, N_THREADS>>>(1, 0, d_out);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess)
    error = cudaDeviceSynchronize();
  CUDA_CHECK(cudaFree(d_taken));
  return error;
}

/* A reservation stays until the context is gone: a fresh one for each. */
static unsigned *fresh_context(void)
{
  unsigned *d_out;
  CUDA_CHECK(cudaDeviceReset());
  CUDA_CHECK(cudaMalloc(&d_out, N_THREADS * sizeof(unsigned)));
  return d_out;
}

static void measure(const options *o)
{
  if (o->csv)
    printf("version,own_bytes,resident_threads,asked_bytes,reserved_bytes,"
           "launch_without_room\n");
  else
    printf("%-16s %12s %18s %22s\n", "version", "per thread",
           "reserved", "without room");
  for (int k = 0; k < N_VERSIONS; k++) {
    const version *v = &versions[k];
    if (!options_wants(o, v->name))
      continue;
    size_t reserved = reserved_bytes(v, fresh_context());
    cudaError_t error = launch_without_room(v, fresh_context());
    if (o->csv)
      printf("%s,%zu,%zu,%zu,%zu,%s\n", v->name, v->own_bytes,
             resident_threads(), v->own_bytes * resident_threads(), reserved,
             cudaGetErrorName(error));
    else
      printf("%-16s %12zu %18zu %22s\n", v->name, v->own_bytes, reserved,
             cudaGetErrorName(error));
  }
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "memory set aside for each thread",
                            "reserved", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  random_source random = random_from_seed(o.seed);
  int right = 1;
  if (o.csv && device_is_software()) {
    printf("The software device sets no memory aside.\n");
    return EXIT_SKIPPED;
  }
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(&o, versions[k].name))
      right &= check_version(&versions[k], &random);
  fprintf(options_remarks(&o), "check: seed %llu: %s\n",
          (unsigned long long)o.seed, right ? "all right" : "WRONG");
  if (!right)
    return EXIT_FAILURE;
  if (!o.check && !device_is_software())
    measure(&o);
  return EXIT_SUCCESS;
}
