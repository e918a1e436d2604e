/* The frame of the small broken programs: each has one bug, in a version that
 * is broken, and the fixed twin of it.
 *
 *   static const version versions[] = {
 *     {"fixed", "with the guard", 0, fixed},
 *     {"broken", "without it", 1, broken},
 *   };
 *   int main(int argc, char **argv)
 *   {
 *     return BUG_MAIN(argc, argv, "an index beyond the end");
 *   }
 *
 * A version runs, records with TRY the first error that a call returns, and
 * returns 1 if its results are right.  A line then says what you would see
 * without any tool.  --check runs the fixed versions only, which must be
 * right; what a broken one does is undefined, and is never a failure. */
#ifndef CODE_DEBUGGING_BUG_H
#define CODE_DEBUGGING_BUG_H

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/options.h"

typedef struct {
  const char *name;
  const char *idea;
  int is_broken;
  int (*run)(void);
} version;

/* The first error of this version, and the call that returned it. */
static cudaError_t bug_error;
static const char *bug_call;

// begin try
static inline void bug_try(cudaError_t error, const char *call)
{
  if (error == cudaSuccess || bug_error != cudaSuccess)
    return;
  bug_error = error;
  bug_call = call;
}

#define TRY(call) bug_try((call), #call)
// end try

/* After a launch: was it accepted, and did the kernel end well? */
#define TRY_LAUNCH()            \
  do {                          \
    TRY(cudaGetLastError());    \
    TRY(cudaDeviceSynchronize()); \
  } while (0)

/* Device memory with a copy of n_bytes at h_data in it; NULL on an error. */
static inline void *bug_upload(const void *h_data, size_t n_bytes)
{
  void *d_data = NULL;
  TRY(cudaMalloc(&d_data, n_bytes));
  TRY(cudaMemcpy(d_data, h_data, n_bytes, cudaMemcpyHostToDevice));
  return d_data;
}

/* Copies n_bytes back, over a pattern that is never a result, and frees. */
static inline void bug_download(void *h_data, void *d_data, size_t n_bytes)
{
  memset(h_data, 0x5a, n_bytes);
  TRY(cudaMemcpy(h_data, d_data, n_bytes, cudaMemcpyDeviceToHost));
  TRY(cudaFree(d_data));
}

/* Returns 1 unless a version that should be right is not. */
static inline int bug_run(const version *v)
{
  bug_error = cudaSuccess;
  int right = v->run();
  if (bug_error != cudaSuccess)
    printf("%s: %s from %.*s\n", v->name, cudaGetErrorName(bug_error),
           (int)strcspn(bug_call, "("), bug_call);
  else
    printf("%s: no error, %s results\n", v->name, right ? "right" : "wrong");
  fflush(stdout);
  return v->is_broken || (right && bug_error == cudaSuccess);
}

static inline int bug_main(int argc, char **argv, const char *bug,
                           const version *versions, int n_versions)
{
  options o = options_parse(argc, argv, bug, "", "");
  int ok = 1;
  options_versions(&o, versions, sizeof versions[0], (size_t)n_versions);
  for (int k = 0; k < n_versions; k++)
    if (options_wants(&o, versions[k].name) &&
        !(o.check && versions[k].is_broken))
      ok = bug_run(&versions[k]) && ok;
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

#define BUG_MAIN(argc, argv, bug)           \
  bug_main(argc, argv, bug, versions,       \
           (int)(sizeof versions / sizeof versions[0]))

#endif
