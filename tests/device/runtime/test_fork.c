/* Children of a process: what an H200 gives them, and what they leave alone. */
#define _POSIX_C_SOURCE 200809L
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"
#include "test.h"

enum { N = 1000 };

static void refused(const char *what, cudaError_t error)
{
  if (error != cudaErrorInitializationError)
    printf("%s: %s\n", what, cudaGetErrorName(error));
}

static void accepted(const char *what, cudaError_t error)
{
  if (error != cudaSuccess)
    printf("%s: %s\n", what, cudaGetErrorName(error));
}

static void make_calls(void)
{
  int n;
  size_t a, b;
  void *p;
  cudaStream_t stream;
  cudaEvent_t event;
  struct cudaDeviceProp properties;
  accepted("count", cudaGetDeviceCount(&n));
  accepted("properties", cudaGetDeviceProperties(&properties, 0));
  accepted("driver version", cudaDriverGetVersion(&n));
  accepted("runtime version", cudaRuntimeGetVersion(&n));
  refused("device", cudaGetDevice(&n));
  refused("set device", cudaSetDevice(0));
  refused("malloc", cudaMalloc(&p, 4));
  refused("free", cudaFree(0));
  refused("memory", cudaMemGetInfo(&a, &b));
  refused("synchronise", cudaDeviceSynchronize());
  refused("stream", cudaStreamCreate(&stream));
  refused("event", cudaEventCreate(&event));
  refused("pinned", cudaMallocHost(&p, 64));
  refused("reset", cudaDeviceReset());
  refused("attribute", cudaDeviceGetAttribute(&n, 1, 0));
  cudaGetLastError();
  refused("launch", launch_fill(NULL, 0, 0, 1, 1));
  refused("last error", cudaGetLastError());
  accepted("none after it", cudaGetLastError());
}

/* Runs `what` in a forked process, which then ends as programs do. */
static void fork_and(void (*what)(void))
{
  int status;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    what();
    exit(0);
  }
  waitpid(child, &status, 0);
  CHECK_EQUAL(status, 0);
}

static void child_after_use(void)
{
  void *p;
  program_begin();
  CHECK_EQUAL(cudaMalloc(&p, 4), cudaSuccess);
  fork_and(make_calls);
  CHECK_EQUAL(cudaFree(p), cudaSuccess);
}

BEHAVIOUR(child_gets_the_initialization_error)
{
  const char *text;
  CHECK_EQUAL(in_child(child_after_use, 1, &text), 0);
  CHECK_TEXT(text, "");
  CHECK_EQUAL(in_child(child_after_use, 2, &text), 0);
  CHECK_HAS(text, "forked by one that had used CUDA");
}

static void use(void)
{
  void *p;
  CHECK_EQUAL(cudaMalloc(&p, 4), cudaSuccess);
  CHECK_EQUAL(cudaFree(p), cudaSuccess);
}

BEHAVIOUR(child_of_a_process_that_made_no_call_may)
{
  program_begin();
  fork_and(use);
}

static void nothing(void) {}

/* It ends as programs do, with all that is done then; the parent goes on. */
BEHAVIOUR(child_leaves_the_parents_memory)
{
  unsigned got[N], counted;
  void *values, *where;
  program_begin();
  CHECK_EQUAL(cudaMalloc(&values, sizeof got), cudaSuccess);
  CHECK_EQUAL(launch_fill(values, 7, N, 4, 256), cudaSuccess);
  CHECK_EQUAL(launch(&count_up, 1, 1, NULL), cudaSuccess);
  fork_and(make_calls);
  fork_and(nothing);
  CHECK_EQUAL(launch(&count_up, 1, 1, NULL), cudaSuccess);
  CHECK_EQUAL(cudaGetSymbolAddress(&where, &counter), cudaSuccess);
  CHECK_EQUAL(cudaMemcpy(&counted, where, 4, cudaMemcpyDeviceToHost),
              cudaSuccess);
  CHECK_EQUAL(counted, 7);
  CHECK_EQUAL(cudaMemcpy(got, values, sizeof got, cudaMemcpyDeviceToHost),
              cudaSuccess);
  for (int i = 0; i < N; i++)
    CHECK_EQUAL(got[i], 7);
}

static void count_and_fork(void)
{
  void *values;
  setenv("SOFTDEVICE_COUNTS", "forked.csv", 1);
  program_begin();
  CHECK_EQUAL(cudaMalloc(&values, 4 * N), cudaSuccess);
  CHECK_EQUAL(launch_fill(values, 7, N, 4, 256), cudaSuccess);
  fork_and(nothing);
  CHECK(fopen("forked.csv", "r") == NULL);
  CHECK_EQUAL(launch_fill(values, 7, N, 4, 256), cudaSuccess);
}

BEHAVIOUR(child_leaves_the_parents_files)
{
  int lines = 0;
  CHECK_EQUAL(in_child(count_and_fork, 1, NULL), 0);
  for (const char *at = file_text("forked.csv"); *at != '\0'; at++)
    lines += *at == '\n';
  remove("forked.csv");
  CHECK_EQUAL(lines, 3);
}
