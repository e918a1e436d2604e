/* How fast the software device runs PTX: thread instructions a second of
 * vector addition of 1 M, and of 512² matrix products, naive and tiled, with
 * all counters on, beside native C of the same loops on one core; and how
 * many times longer it takes with all checks.
 *
 *   speed kernels.ptx [workers]      workers: 1 when left out
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../../device/exec/launch.h"
#include "../../../device/memory/memory.h"

enum { VECTOR = 1 << 20, SIDE = 512, ROUNDS = 3 };

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

struct result {
  uint64_t instructions;
  double seconds, native;
  bool right;
};

static bool measure(const struct program *program, const struct work *w,
                    unsigned workers, struct result *result)
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
  double best = 1e9;

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
      return false;
    }
    seconds = now() - start;
    best = seconds < best ? seconds : best;
    result->instructions = thread_instructions(&counts);
    launch_counts_free(&counts);
  }
  result->seconds = best;
  result->native = time_native(w, va, vb, expected);
  result->right = memcmp(vc, expected, bytes) == 0;
  free(expected);
  memory_release(a);
  memory_release(b);
  memory_release(c);
  return true;
}

/* What the process of its own does: measures one, writes it to `to`. */
static int measure_one(const char *file, const struct work *w,
                       unsigned workers, int to)
{
  struct result result;
  struct program_error error;
  struct program *program;
  size_t bytes;
  char *text = read_all(file, &bytes);
  bool done;

  program = program_load(text, bytes, 0, &error);
  if (program == NULL) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  done = measure(program, w, workers, &result) &&
         write(to, &result, sizeof result) == sizeof result;
  program_free(program);
  free(text);
  return done ? 0 : 1;
}

/* In a process of its own, since the checks are chosen when one starts. */
static bool measure_apart(char **argv, unsigned index, const char *checks,
                          struct result *result)
{
  int ends[2], status;
  bool whole;
  pid_t child;

  fflush(stdout);
  if (pipe(ends) != 0 || (child = fork()) < 0) {
    perror("speed");
    exit(2);
  }
  if (child == 0) {
    char which[24];

    snprintf(which, sizeof which, "%u:%d", index, ends[1]);
    setenv("SOFTDEVICE_CHECK", checks, 1);
    execl("/proc/self/exe", argv[0], argv[1], argv[2] ? argv[2] : "1", which,
          (char *)NULL);
    perror("speed");
    _exit(2);
  }
  close(ends[1]);
  whole = read(ends[0], result, sizeof *result) == sizeof *result;
  close(ends[0]);
  return waitpid(child, &status, 0) == child && status == 0 && whole;
}

/* False when a result is wrong. */
static bool report(char **argv, const struct work *works, unsigned index)
{
  const struct work *w = &works[index];
  struct result best[2] = { { 0 }, { 0 } }, plain, checked;
  double millions;

  /* By turns, so that what else the machine does slows both alike. */
  for (int i = 0; i < 2 * ROUNDS; i++) {
    struct result now;

    if (!measure_apart(argv, index, i % 2 ? "all" : "none", &now))
      return false;
    if (i < 2 || now.seconds < best[i % 2].seconds)
      best[i % 2] = now;
  }
  plain = best[0];
  checked = best[1];
  millions = (double)plain.instructions * 1e-6;
  printf("%-18s %8.2f M %8.4f s %6.0f M/s  native %7.4f s  all checks "
         "%7.4f s, %4.1f times%s\n", w->label, millions, plain.seconds,
         millions / plain.seconds, plain.native, checked.seconds,
         checked.seconds / plain.seconds,
         plain.right && checked.right ? "" : "  WRONG RESULT");
  return plain.right && checked.right;
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
  unsigned one;
  int to, failed = 0;

  if (argc < 2) {
    fputs("usage: speed kernels.ptx [workers]\n", stderr);
    return 2;
  }
  if (argc > 3 && sscanf(argv[3], "%u:%d", &one, &to) == 2)
    return measure_one(argv[1], &works[one % 3], workers, to);
  printf("thread instructions, time, rate; %u worker%s\n", workers,
         workers == 1 ? "" : "s");
  for (size_t i = 0; i < sizeof works / sizeof *works; i++)
    failed |= !report(argv, works, (unsigned)i);
  return failed;
}
