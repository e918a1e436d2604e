/* Runs instructions on a GPU, or the software device, through the driver API
 * and prints their results.
 *
 *   arithmetic <instructions> [--all] [--only NAME] [--ptx]
 *
 * A row for each instruction: its name, the results of the first 64 cases
 * (of all with --all, and of approximations), and a hash of each 64 cases
 * that follow. --ptx prints the PTX instead. */
#include "instruction.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of the driver API, so that no header of the toolkit is needed. */
typedef unsigned long long address;
int cuInit(unsigned flags);
int cuDeviceGet(int *device, int ordinal);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuCtxSetCurrent(void *context);
int cuCtxSynchronize(void);
int cuMemAlloc_v2(address *to, size_t bytes);
int cuMemcpyHtoD_v2(address to, const void *from, size_t bytes);
int cuMemcpyDtoH_v2(void *to, address from, size_t bytes);
int cuModuleLoadData(void **module, const void *image);
int cuModuleGetFunction(void **function, void *module, const char *name);
int cuModuleUnload(void *module);
int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y,
                   unsigned grid_z, unsigned block_x, unsigned block_y,
                   unsigned block_z, unsigned shared, void *stream,
                   void **parameters, void **extra);

enum { THREADS = 128, CASES_MOST = 8192, CHUNK = 64 };

struct job {
  bool all, ptx;
  const char *only;
  size_t from, index;
  char **arguments;
  address sources, results;
  uint64_t *values, *out;
};

static void must(int error, const char *what)
{
  if (error == 0)
    return;
  fprintf(stderr, "error: %s: CUDA error %d\n", what, error);
  exit(error == 100 || error == 999 ? 77 : 1);
}

static void begin(struct job *job)
{
  void *context;
  int device;

  must(cuInit(0), "cuInit");
  must(cuDeviceGet(&device, 0), "cuDeviceGet");
  must(cuDevicePrimaryCtxRetain(&context, device), "primary context");
  must(cuCtxSetCurrent(context), "cuCtxSetCurrent");
  must(cuMemAlloc_v2(&job->sources, CASES_MOST * SOURCES * 8), "memory");
  must(cuMemAlloc_v2(&job->results, CASES_MOST * 8), "memory");
  job->values = calloc(CASES_MOST * SOURCES, 8);
  job->out = calloc(CASES_MOST, 8);
  if (job->values == NULL || job->out == NULL)
    exit(2);
}

/* An instruction that is refused may spoil the process: the next one starts
 * with a fresh one. */
static void go_on_without(const struct job *job, const char *name)
{
  char from[32];
  char *again[16];
  size_t n = 0;

  printf("%s,refused,\n", name);
  fflush(stdout);
  for (; job->arguments[n] != NULL && n < 10 &&
         strcmp(job->arguments[n], "--from") != 0;
       n++)
    again[n] = job->arguments[n];
  snprintf(from, sizeof from, "%zu", job->index + 1);
  again[n++] = (char *)"--from";
  again[n++] = from;
  again[n] = NULL;
  execv("/proc/self/exe", again);
  perror("execv");
  exit(2);
}

static void launch(struct job *job, const struct instruction *in, size_t n)
{
  static char text[8192];
  unsigned cases = (unsigned)n;
  void *parameters[] = { &job->sources, &job->results, &cases };
  void *module, *function;

  instruction_ptx(in, text, sizeof text);
  must(cuMemcpyHtoD_v2(job->sources, job->values, n * SOURCES * 8), "copy");
  memset(job->out, 0, n * 8);
  must(cuMemcpyHtoD_v2(job->results, job->out, n * 8), "copy");
  if (cuModuleLoadData(&module, text) != 0 ||
      cuModuleGetFunction(&function, module, "k") != 0 ||
      cuLaunchKernel(function, (cases + THREADS - 1) / THREADS, 1, 1, THREADS,
                     1, 1, 0, NULL, parameters, NULL) != 0 ||
      cuCtxSynchronize() != 0)
    go_on_without(job, in->name);
  must(cuMemcpyDtoH_v2(job->out, job->results, n * 8), "copy");
  must(cuModuleUnload(module), "cuModuleUnload");
}

/* FNV-1a over the bytes of the results. */
static uint32_t hash(const uint64_t *values, size_t n)
{
  uint32_t h = 2166136261u;

  for (size_t i = 0; i < n; i++)
    for (int shift = 0; shift < 64; shift += 8)
      h = (h ^ (uint32_t)(values[i] >> shift & 0xff)) * 16777619u;
  return h;
}

static void print_results(const struct job *job, const struct instruction *in,
                          size_t n)
{
  bool all = job->all || instruction_is_approximate(in);
  size_t shown = all || n < CHUNK ? n : CHUNK;

  printf("%s,", in->name);
  for (size_t k = 0; k < shown; k++)
    printf("%s%0*llx", k == 0 ? "" : " ", instruction_digits(in),
           (unsigned long long)job->out[k]);
  printf(",");
  for (size_t k = shown; k < n; k += CHUNK)
    printf("%s%08x", k == shown ? "" : " ",
           hash(job->out + k, n - k < CHUNK ? n - k : CHUNK));
  printf("\n");
}

static void each(const struct instruction *in, void *context)
{
  static char text[8192];
  struct job *job = context;
  size_t n = operand_cases(in->sources, in->n_sources);

  if (job->index++ < job->from ||
      (job->only != NULL && strcmp(job->only, in->name) != 0))
    return;
  job->index--;
  if (job->ptx) {
    instruction_ptx(in, text, sizeof text);
    printf("%s", text);
  } else {
    for (size_t k = 0; k < n; k++)
      for (size_t i = 0; i < in->n_sources; i++)
        job->values[k * SOURCES + i] =
            operand_value(in->sources, in->n_sources, k, i);
    launch(job, in, n);
    print_results(job, in, n);
  }
  job->index++;
}

int main(int n, char **arguments)
{
  struct job job = { .arguments = arguments };

  if (n < 2) {
    fprintf(stderr, "usage: arithmetic <instructions> [--all] "
                    "[--only NAME] [--ptx]\n");
    return 2;
  }
  for (int i = 2; i < n; i++) {
    if (strcmp(arguments[i], "--all") == 0)
      job.all = true;
    else if (strcmp(arguments[i], "--ptx") == 0)
      job.ptx = true;
    else if (strcmp(arguments[i], "--only") == 0 && i + 1 < n)
      job.only = arguments[++i];
    else if (strcmp(arguments[i], "--from") == 0 && i + 1 < n)
      job.from = strtoul(arguments[++i], NULL, 10);
    else {
      fprintf(stderr, "arithmetic: error: option %s\n", arguments[i]);
      return 2;
    }
  }
  if (!job.ptx)
    begin(&job);
  if (job.from == 0 && !job.ptx)
    printf("instruction,results,hashes\n");
  bool good = instructions_read(arguments[1], each, &job);
  free(job.values);
  free(job.out);
  return good ? 0 : 2;
}
