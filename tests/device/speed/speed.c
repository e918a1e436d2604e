/* How fast the software device runs PTX: thread instructions a second of
 * vector addition of 1 M, and of 512² matrix products, naive and tiled, with
 * all counters on, beside native C of the same loops on one core.
 *
 *   speed kernels.ptx [workers]      workers: 1 when left out
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../../device/exec/launch.h"
#include "../../../device/memory/memory.h"

enum { VECTOR = 1 << 20, SIDE = 512 };

static double now(void)
{
  struct timespec t;

  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static char *read_all(const char *name, size_t *bytes)
{
  FILE *file = fopen(name, "rb");
  char *text = malloc(1 << 20);

  if (file == NULL || text == NULL) {
    fprintf(stderr, "cannot read %s\n", name);
    exit(2);
  }
  *bytes = fread(text, 1, 1 << 20, file);
  fclose(file);
  return text;
}

struct work {
  const char *kernel, *label;
  uint32_t grid[3], block[3];
  size_t n;     /* floats in each of a, b, c */
  int32_t size; /* the kernel's n */
};

static void native(const struct work *w, const float *a, const float *b,
                   float *c)
{
  int n = w->size;

  if (strcmp(w->kernel, "vector_add") == 0) {
    for (int i = 0; i < n; i++)
      c[i] = a[i] + b[i];
    return;
  }
  for (int row = 0; row < n; row++)
    for (int column = 0; column < n; column++) {
      float sum = 0.0f;

      for (int k = 0; k < n; k++)
        sum = __builtin_fmaf(a[row * n + k], b[k * n + column], sum);
      c[row * n + column] = sum;
    }
}

static uint64_t thread_instructions(const struct launch_counts *counts)
{
  uint64_t total = 0;

  for (size_t i = 0; i < counts->n_records; i++)
    total += counts->records[i].counts.threads;
  return total;
}

static double time_native(const struct work *w, const float *a,
                          const float *b, float *c)
{
  double best = 1e9;

  for (int i = 0; i < 3; i++) {
    double start = now();

    native(w, a, b, c);
    best = now() - start < best ? now() - start : best;
  }
  return best;
}

static int measure(const struct program *program, const struct work *w,
                   unsigned workers)
{
  size_t bytes = w->n * sizeof(float);
  uint64_t a = memory_allocate(bytes, 256, MEMORY_DEVICE, 0, "a");
  uint64_t b = memory_allocate(bytes, 256, MEMORY_DEVICE, 0, "b");
  uint64_t c = memory_allocate(bytes, 256, MEMORY_DEVICE, 0, "c");
  float *va = memory_view(a, bytes), *vb = memory_view(b, bytes);
  float *vc = memory_view(c, bytes), *expected = calloc(w->n, sizeof(float));
  struct { uint64_t a, b, c; int32_t n; } parameters = { a, b, c, w->size };
  struct launch launch = { .kernel = program_kernel(program, w->kernel),
                           .parameters = &parameters,
                           .n_workers = workers, .output = stdout };
  double best = 1e9, on_host;
  uint64_t instructions = 0;
  int wrong;

  memcpy(launch.grid, w->grid, sizeof launch.grid);
  memcpy(launch.block, w->block, sizeof launch.block);
  for (size_t i = 0; i < w->n; i++) {
    va[i] = (float)(i % 97) / 7.0f;
    vb[i] = (float)(i % 89) / 5.0f;
  }
  for (int i = 0; i < 3; i++) {
    struct launch_counts counts;
    struct fault fault;
    double start = now(), seconds;

    if (launch_run(&launch, &counts, &fault) != 0) {
      fprintf(stderr, "%s: %s %s\n", w->kernel, fault.instruction,
              fault.detail);
      return 1;
    }
    seconds = now() - start;
    best = seconds < best ? seconds : best;
    instructions = thread_instructions(&counts);
    launch_counts_free(&counts);
  }
  on_host = time_native(w, va, vb, expected);
  wrong = memcmp(vc, expected, bytes) != 0;
  printf("%-22s %10.2f M  %8.4f s  %8.0f M/s  native %8.4f s%s\n", w->label,
         (double)instructions * 1e-6, best,
         (double)instructions * 1e-6 / best, on_host,
         wrong ? "  WRONG RESULT" : "");
  free(expected);
  memory_release(a);
  memory_release(b);
  memory_release(c);
  return wrong;
}

int main(int argc, char **argv)
{
  static const struct work works[] = {
    { "vector_add", "vector add, 1 M", { VECTOR / 256, 1, 1 }, { 256, 1, 1 },
      VECTOR, VECTOR },
    { "matmul_naive", "naive matmul, 512", { SIDE / 16, SIDE / 16, 1 },
      { 16, 16, 1 }, SIDE * SIDE, SIDE },
    { "matmul_tiled", "tiled matmul, 512", { SIDE / 16, SIDE / 16, 1 },
      { 16, 16, 1 }, SIDE * SIDE, SIDE },
  };
  unsigned workers = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 1;
  struct program_error error;
  struct program *program;
  size_t bytes;
  char *text;
  int failed = 0;

  if (argc < 2) {
    fputs("usage: speed kernels.ptx [workers]\n", stderr);
    return 2;
  }
  text = read_all(argv[1], &bytes);
  program = program_load(text, bytes, 0, &error);
  if (program == NULL) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  printf("thread instructions, time, rate; %u worker%s\n", workers,
         workers == 1 ? "" : "s");
  for (size_t i = 0; i < sizeof works / sizeof *works; i++)
    failed |= measure(program, &works[i], workers);
  program_free(program);
  free(text);
  return failed;
}
