/* How many lines of a kernel's printf reach the terminal. Each thread prints
 * one line into a buffer of the device; what no longer fits is lost without
 * an error. The program catches its own standard output and counts. */
#include <stdio.h>
#include <unistd.h>

#include "common/cuda_check.h"
#include "common/options.h"

enum { N_BLOCKS = 1024, BLOCK_THREADS = 256 };
enum { N_LINES = N_BLOCKS * BLOCK_THREADS };

// begin say
__global__ void say(void)
{
  printf("block %4d, thread %3d: a line that is not very short\n",
         blockIdx.x, threadIdx.x);
}
// end say

typedef struct {
  const char *name;
  const char *idea;
  size_t fifo_bytes;   /* 0: as the driver sets it */
} version;

static const version versions[] = {
  {"default", "the buffer as it comes", 0},
  {"small", "4 MiB", (size_t)4 << 20},
  {"large", "64 MiB", (size_t)64 << 20},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static int newlines(FILE *file)
{
  int n = 0;
  rewind(file);
  for (int c = getc(file); c != EOF; c = getc(file))
    n += c == '\n';
  return n;
}

/* Standard output goes to a file meanwhile. */
static int lines_that_arrive(void)
{
  int terminal = dup(STDOUT_FILENO);
  FILE *caught = tmpfile();
  if (!caught || terminal < 0) {
    perror("printf_fifo: a temporary file");
    exit(EXIT_FAILURE);
  }
  fflush(stdout);
  dup2(fileno(caught), STDOUT_FILENO);
  say<<<N_BLOCKS, BLOCK_THREADS>>>();
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaDeviceSynchronize());
  fflush(stdout);
  dup2(terminal, STDOUT_FILENO);
  close(terminal);
  int n = newlines(caught);
  fclose(caught);
  return n;
}

/* The limit can be set only before the first kernel that prints. */
static size_t fifo_of(const version *v)
{
  size_t fifo_bytes;
  CUDA_CHECK(cudaDeviceReset());
  if (v->fifo_bytes)
    CUDA_CHECK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, v->fifo_bytes));
  CUDA_CHECK(cudaDeviceGetLimit(&fifo_bytes, cudaLimitPrintfFifoSize));
  return fifo_bytes;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "lines of printf that arrive", "lost",
                            "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  printf(o.csv ? "version,fifo_bytes,n_lines,n_arrived\n" : "");
  for (int k = 0; k < N_VERSIONS; k++) {
    const version *v = &versions[k];
    if (!options_wants(&o, v->name))
      continue;
    size_t fifo_bytes = fifo_of(v);
    int n = lines_that_arrive();
    printf(o.csv ? "%s,%zu,%d,%d\n"
                 : "%-8s %9zu bytes: of %d lines, %d arrive\n",
           v->name, fifo_bytes, (int)N_LINES, n);
    if (n <= 0 || n > N_LINES || (fifo_bytes >> 26 && n != N_LINES)) {
      fprintf(stderr, "printf_fifo: %s: %d lines\n", v->name, n);
      return EXIT_FAILURE;
    }
  }
  return EXIT_SUCCESS;
}
