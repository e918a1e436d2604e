#include "matrices.h"

/* Whatever a test leaves behind goes at the end, so that leaks of the library
 * can be told. */
static cublasHandle_t handles[8];
static void *kept[64];
static int n_handles, n_kept;

__attribute__((destructor)) static void end(void)
{
  while (n_handles > 0)
    cublasDestroy(handles[--n_handles]);
  while (n_kept > 0)
    free(kept[--n_kept]);
}

cublasHandle_t begin(void)
{
  CHECK(n_handles < 8);
  CHECK_EQUAL(cublasCreate(&handles[n_handles]), OK);
  return handles[n_handles++];
}

void *room(size_t bytes)
{
  void *new = malloc(bytes);
  CHECK(new != NULL &&n_kept < 64);
  return kept[n_kept++] = new;
}

void *upload(const void *values, size_t bytes)
{
  void *device;
  CHECK_EQUAL(cudaMalloc(&device, bytes), cudaSuccess);
  CHECK_EQUAL(cudaMemcpy(device, values, bytes, cudaMemcpyHostToDevice),
              cudaSuccess);
  return device;
}

void download(void *values, const void *device, size_t bytes)
{
  CHECK_EQUAL(cudaMemcpy(values, device, bytes, cudaMemcpyDeviceToHost),
              cudaSuccess);
}

double number(unsigned i) { return (double)(i * 2654435761u >> 16 & 15) - 7; }
