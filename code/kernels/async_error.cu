/* Where errors surface.  A bad argument is reported by the call itself, a
 * bad launch by cudaGetLastError right after it, and what a kernel does
 * wrong only by a later call that waits for it.  Every line printed here is
 * an error that was expected; one that does not come is a failure. */
#include <stdio.h>
#include <stdlib.h>

#include "common/cuda_check.h"
#include "common/options.h"

static int n_surprises;

/* Prints what a call returned and compares it with what it should return. */
static void expect(const char *call, cudaError_t got, cudaError_t expected)
{
  printf("%-44s %s\n", call, cudaGetErrorName(got));
  if (got != expected) {
    fflush(stdout);
    fprintf(stderr, "error: %s: expected %s, got %s\n", call,
            cudaGetErrorName(expected), cudaGetErrorName(got));
    n_surprises++;
  }
}

/* ---- the call itself reports it ---- */

// begin call_errors
static void call_errors(void)
{
  const size_t too_much = (size_t)1 << 50;
  float *d_x = NULL;
  expect("cudaMalloc of 2^50 bytes", cudaMalloc(&d_x, too_much),
         cudaErrorMemoryAllocation);
  expect("cudaMemset at NULL", cudaMemset(NULL, 0, 4),
         cudaErrorInvalidValue);
  cudaGetLastError();    /* takes note of the last error and forgets it */
  expect("cudaGetLastError, once it was asked", cudaGetLastError(),
         cudaSuccess);
}
// end call_errors

/* ---- the launch reports it ---- */

// begin launch_errors
__global__ void nothing(void)
{
}

static void launch_errors(void)
{
  nothing<<<1, 1025>>>();
  expect("cudaGetLastError after <<<1, 1025>>>", cudaGetLastError(),
         cudaErrorInvalidValue);
  nothing<<<0, 32>>>();
  expect("cudaGetLastError after <<<0, 32>>>", cudaGetLastError(),
         cudaErrorInvalidValue);
  nothing<<<1, 32>>>();
  expect("cudaGetLastError after <<<1, 32>>>", cudaGetLastError(),
         cudaSuccess);
}
// end launch_errors

/* ---- a later call reports it ---- */

// begin late_error
__global__ void write_to(int *x)
{
  *x = 1;
}

/* Must come last: the device is of no use to this process afterwards. */
static void late_error(void)
{
  int *d_x = NULL;
  write_to<<<1, 1>>>(NULL);
  expect("cudaGetLastError after writing to NULL", cudaGetLastError(),
         cudaSuccess);
  expect("cudaDeviceSynchronize", cudaDeviceSynchronize(),
         cudaErrorIllegalAddress);
  expect("cudaMalloc after that", cudaMalloc(&d_x, sizeof(int)),
         cudaErrorIllegalAddress);
  expect("cudaDeviceSynchronize, again", cudaDeviceSynchronize(),
         cudaErrorIllegalAddress);
}
// end late_error

typedef struct {
  const char *name;
  const char *idea;
  void (*provoke)(void);
} version;

static const version versions[] = {
  {"call", "the call itself returns the error", call_errors},
  {"launch", "cudaGetLastError reports a bad launch", launch_errors},
  {"late", "a later call reports what a kernel did", late_error},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "provokes errors, to see them come",
                            "", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(&o, versions[k].name))
      versions[k].provoke();
  return n_surprises == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
