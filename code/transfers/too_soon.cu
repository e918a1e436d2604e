/* Memory that host and device share, and no one waits: results that are read
 * before they are there, sources that are overwritten before they are gone.
 * Each way to go wrong has its right twin. */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/options.h"
#include "transfers/kinds.h"

enum { N = 1024, BLOCK_THREADS = 256, OLD = 1, NEW = 2 };

/* ---- a kernel that takes its time ---- */

__global__ void slow_fill(int *to, int value, long long ticks)
{
  long long start = clock64();
  while (clock64() - start < ticks)
    continue;
  to[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

/* About 20 ms. */
static long long some_ticks(void)
{
  int khz;
  CUDA_CHECK(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
  return 20LL * khz;
}

static void launch(int *to, int value)
{
  slow_fill<<<N / BLOCK_THREADS, BLOCK_THREADS>>>(to, value, some_ticks());
  CUDA_CHECK_LAUNCH();
}

static void fill(int *to, int value)
{
  for (int i = 0; i < N; i++)
    to[i] = value;
}

/* How many are not what they should be? */
static int count_wrong(const int *values, int expected)
{
  int n_wrong = 0;
  for (int i = 0; i < N; i++)
    n_wrong += values[i] != expected;
  return n_wrong;
}

/* ---- results ---- */

// begin result_broken
static int result_broken(int *shared)
{
  launch(shared, NEW);
  int n_wrong = count_wrong(shared, NEW);
  CUDA_CHECK(cudaDeviceSynchronize());
  return n_wrong;
}
// end result_broken

// begin result_fixed
static int result_fixed(int *shared)
{
  launch(shared, NEW);
  CUDA_CHECK(cudaDeviceSynchronize());
  int n_wrong = count_wrong(shared, NEW);
  return n_wrong;
}
// end result_fixed

/* ---- sources ---- */

/* Copies what arrived on the device into h_seen and counts. */
static int arrived_wrong(int *d_data)
{
  static int h_seen[N];
  CUDA_CHECK(cudaMemcpy(h_seen, d_data, sizeof h_seen,
                        cudaMemcpyDeviceToHost));
  return count_wrong(h_seen, NEW);
}

// begin source_broken
static int source_broken(int *h_data)
{
  int *d_data = (int *)allocate_device(N * sizeof(int));
  fill(h_data, NEW);
  launch(d_data, OLD);      /* the copy waits for this */
  CUDA_CHECK(cudaMemcpyAsync(d_data, h_data, N * sizeof(int),
                             cudaMemcpyHostToDevice));
  fill(h_data, OLD);        /* the next use of the buffer */
  int n_wrong = arrived_wrong(d_data);
  release_device(d_data);
  return n_wrong;
}
// end source_broken

// begin source_fixed
static int source_fixed(int *h_data)
{
  int *d_data = (int *)allocate_device(N * sizeof(int));
  cudaEvent_t copied;
  CUDA_CHECK(cudaEventCreateWithFlags(&copied, cudaEventDisableTiming));
  fill(h_data, NEW);
  launch(d_data, OLD);
  CUDA_CHECK(cudaMemcpyAsync(d_data, h_data, N * sizeof(int),
                             cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaEventRecord(copied));
  CUDA_CHECK(cudaEventSynchronize(copied));
  fill(h_data, OLD);
  int n_wrong = arrived_wrong(d_data);
  CUDA_CHECK(cudaEventDestroy(copied));
  release_device(d_data);
  return n_wrong;
}
// end source_fixed

typedef struct {
  const char *name;
  const char *idea;
  const char *kind;
  int (*run)(int *memory);
  int is_broken;
} version;

static const version versions[] = {
  {"mapped_result", "mapped, read without waiting", "mapped", result_broken,
   1},
  {"mapped_result_fixed", "mapped, waited for", "mapped", result_fixed, 0},
  {"managed_result", "managed, read without waiting", "managed",
   result_broken, 1},
  {"managed_result_fixed", "managed, waited for", "managed", result_fixed,
   0},
  {"pinned_source", "pinned, overwritten during the copy", "pinned",
   source_broken, 1},
  {"pinned_source_fixed", "pinned, waited for the copy", "pinned",
   source_fixed, 0},
  {"pageable_source", "pageable, overwritten behind the call", "pageable",
   source_broken, 1},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "memory that nobody waits for",
                            "too_soon", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  int right = 1;
  if (o.csv)
    printf("version,waits,n_elems,n_wrong\n");
  for (int k = 0; k < N_VERSIONS; k++) {
    const version *v = &versions[k];
    if (!options_wants(&o, v->name) || (o.check && v->is_broken))
      continue;
    const memory_kind *kind = kind_named(v->kind);
    int *memory = (int *)kind->allocate(N * sizeof(int));
    fill(memory, OLD);
    int n_wrong = v->run(memory);
    kind->release(memory);
    right = right && (v->is_broken || n_wrong == 0);
    if (o.csv)
      printf("%s,%s,%d,%d\n", v->name, v->is_broken ? "no" : "yes", N,
             n_wrong);
    else
      printf("%-22s %d of %d are wrong\n", v->name, n_wrong, N);
  }
  fprintf(options_remarks(&o), "check: %s\n", right ? "all right" : "WRONG");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
