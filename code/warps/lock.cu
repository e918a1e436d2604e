/* A lock that the lanes of one warp fight for.  Before Volta, the lanes of a
 * warp shared one program counter, and the plain loop could wait for ever for
 * the lane that had the lock: it was after the loop and waited for the
 * others to leave it.  Each version runs in a process of its own, which is
 * ended if it hangs. */
#include <stdio.h>
#include <stdlib.h>

#include "common/cuda_check.h"
#include "common/options.h"
#include "warps/watchdog.h"

enum { N_THREADS = 64 };

// begin lock_in_loop
__global__ void lock_in_loop(int *lock, int *count)
{
  while (atomicCAS(lock, 0, 1) != 0)
    ;                              /* another thread has it: try again */
  __threadfence();
  *(volatile int *)count += 1;     /* one thread at a time */
  __threadfence();
  atomicExch(lock, 0);
}
// end lock_in_loop

// begin lock_and_work_in_loop
__global__ void lock_and_work_in_loop(int *lock, int *count)
{
  int done = 0;
  while (!done)
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      *(volatile int *)count += 1;
      __threadfence();
      atomicExch(lock, 0);         /* before anybody leaves the loop */
      done = 1;
    }
}
// end lock_and_work_in_loop

/* No lock at all: the lanes read the same count and write the same. */
__global__ void no_lock(int *lock, int *count)
{
  (void)lock;
  *(volatile int *)count += 1;
}

typedef struct {
  const char *name;
  const char *idea;
  void (*kernel)(int *, int *);
  int allowed;
} version;

static const version versions[] = {
  {"lock_in_loop", "wait in a loop, work behind it", lock_in_loop, 1},
  {"lock_and_work_in_loop", "work inside of the loop",
   lock_and_work_in_loop, 1},
  {"no_lock", "no lock", no_lock, 0},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static void run(void *context, char *said)
{
  const version *v = (const version *)context;
  int h_values[2] = {0, 0}, *d_values;
  CUDA_CHECK(cudaMalloc(&d_values, sizeof h_values));
  CUDA_CHECK(cudaMemset(d_values, 0, sizeof h_values));
  v->kernel<<<1, N_THREADS>>>(d_values, d_values + 1);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_values, d_values, sizeof h_values,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_values));
  snprintf(said, WATCHDOG_TEXT, "ends,%d", h_values[1]);
}

static int outcome(const version *v, const options *o)
{
  char said[WATCHDOG_TEXT], wanted[WATCHDOG_TEXT];
  if (!watchdog_run(run, (void *)v, said)) {
    fprintf(stderr, "%s: error: the process that ran it failed\n", v->name);
    return 0;
  }
  if (strcmp(said, "hangs") == 0)
    strcat(said, ",0");
  printf("%s,%d,%s\n", v->name, N_THREADS, said);
  snprintf(wanted, sizeof wanted, "ends,%d", N_THREADS);
  if (v->allowed && strcmp(said, wanted) != 0) {
    fprintf(stderr, "%s: error: expected %s, got %s\n", v->name, wanted,
            said);
    return !o->check;
  }
  return 1;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "a lock within a warp", "outcomes",
                            "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  int right = 1;
  printf("version,n_threads,outcome,n_counted\n");
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(&o, versions[k].name))
      right &= outcome(&versions[k], &o);
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
