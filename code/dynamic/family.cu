/* A kernel that launches kernels: when do they run, and what do they see?
 *
 *   nvcc -rdc=true -I code code/dynamic/family.cu -o family && ./family */
#include <string.h>

#include "common/compare.h"
#include "common/options.h"

enum { N = 64 };

typedef struct {
  const char *name, *idea;
  void (*run)(int *d_x, int *d_sum);
  int expected;       /* of *sum; -1: what it sees is not defined */
} version;

// begin child
__global__ void child(int *x)
{
  x[threadIdx.x] *= 2;
}
// end child

// begin parent
__global__ void parent(int *x)
{
  x[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0)
    child<<<1, N>>>(x);
}
// end parent

__global__ void add(int *sum, const int *x)
{
  *sum = 0;
  for (int i = 0; i < N; i++)
    *sum += x[i];
}

static void run_parent(int *d_x, int *d_sum)
{
  parent<<<1, N>>>(d_x);
  add<<<1, 1>>>(d_sum, d_x);
}

// begin impatient
/* Wrong: there is no way to wait for a child. */
__global__ void impatient(int *sum, int *x)
{
  x[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    child<<<1, N>>>(x);
    *sum = 0;
    for (int i = 0; i < N; i++)
      *sum += x[i];
  }
}
// end impatient

static void run_impatient(int *d_x, int *d_sum)
{
  impatient<<<1, N>>>(d_sum, d_x);
}

// begin tail
__global__ void patient(int *sum, int *x)
{
  x[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    child<<<1, N>>>(x);
    add<<<1, 1, 0, cudaStreamTailLaunch>>>(sum, x);
  }
}
// end tail

static void run_patient(int *d_x, int *d_sum)
{
  patient<<<1, N>>>(d_sum, d_x);
}

static const version versions[] = {
  {"parent", "the host's next kernel sees what the child wrote", run_parent,
   N * (N - 1)},
  {"patient", "a tail launch sees it, too", run_patient, N * (N - 1)},
  {"impatient", "wrong: the parent itself reads", run_impatient, -1},
};

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "a parent and its children", "sums",
                            "");
  options_versions(&o, versions, sizeof versions[0], 3);
  int *d_x, *d_sum, sum, good = 1;
  CUDA_CHECK(cudaMalloc(&d_x, N * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_sum, sizeof(int)));
  if (o.csv)
    printf("version,sum\n");
  for (int i = 0; i < 3; i++) {
    if (!options_wants(&o, versions[i].name))
      continue;
    poison_device(d_sum, sizeof(int));
    versions[i].run(d_x, d_sum);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
    if (versions[i].expected >= 0)
      good &= compare_ints(versions[i].name, &versions[i].expected, &sum, 1);
    if (!o.check)
      printf(o.csv ? "%s,%d\n" : "%-10s %6d\n", versions[i].name, sum);
  }
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_sum));
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
