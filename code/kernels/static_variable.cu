/* A static variable in a kernel: one for all threads of all launches, in
 * global memory.  It outlives the launch, as one of C outlives the call. */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/options.h"

enum { N_LAUNCHES = 3 };

/* ---- CPU reference ---- */

static int next_on_host(void)
{
  static int n_calls;
  return ++n_calls;
}

/* ---- kernel ---- */

/* For one thread: many would all change the same n_calls at once. */
__global__ void next(int *out)
{
  static int n_calls;
  *out = ++n_calls;
}

typedef struct {
  const char *name;
  const char *idea;
} version;

static const version versions[] = {
  {"next", "counts its launches"},
};

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "a static variable in a kernel", "",
                            "");
  options_versions(&o, versions, sizeof versions[0], 1);
  int h_expected[N_LAUNCHES], h_got[N_LAUNCHES], *d_out;
  CUDA_CHECK(cudaMalloc(&d_out, sizeof h_got));
  poison_device(d_out, sizeof h_got);
  for (int i = 0; i < N_LAUNCHES; i++) {
    h_expected[i] = next_on_host();
    next<<<1, 1>>>(d_out + i);
    CUDA_CHECK_LAUNCH();
  }
  CUDA_CHECK(cudaMemcpy(h_got, d_out, sizeof h_got,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_out));
  int right = compare_ints("next", h_expected, h_got, N_LAUNCHES);
  printf("check: %d launches: %s\n", N_LAUNCHES,
         right ? "all right" : "WRONG");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
