/* How fast the software device runs PTX with all counters on: warp
 * instructions per second of CPU time, for vector addition, matrix products
 * (naive, tiled, in float4), shared memory with bank conflicts (the same each
 * time, and other ones each time), texture fetches (points, and means of
 * four) and lanes whose ways part (a loop that they leave one by one, ifs in
 * ifs, virtual calls, each at a place of its own in memory), beside native C of
 * the same loops on one core; how many lanes are active; and how many times
 * longer it takes with all checks.
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
#include "../../../device/texture/descriptor.h"

enum { VECTOR = 1 << 20, SIDE = 512, SQUARE = 32, ROUNDS = 3 };
enum { DIVERGED = 1 << 16 }; /* threads whose ways part */

/* Of all threads of the process, so that other processes do not count. */
static double now(void)
{
  struct timespec t;

  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
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
  void (*native)(const float *a, const float *b, float *c, int n);
  bool texture, linear; /* a is a texture of n x n; and its filter */
};

static void native_add(const float *a, const float *b, float *c, int n)
{
  for (int i = 0; i < n; i++)
    c[i] = a[i] + b[i];
}

static void native_matmul(const float *a, const float *b, float *c, int n)
{
  for (int row = 0; row < n; row++)
    for (int column = 0; column < n; column++) {
      float sum = 0.0f;

      for (int k = 0; k < n; k++)
        sum = __builtin_fmaf(a[row * n + k], b[k * n + column], sum);
      c[row * n + column] = sum;
    }
}

/* Row times row: of `terms` elements each. */
static float native_dot(const float *a, const float *b, int terms)
{
  float sum = 0.0f;

  for (int k = 0; k < terms; k++)
    sum = __builtin_fmaf(a[k], b[k], sum);
  return sum;
}

static void native_rows(const float *a, const float *b, float *c, int n)
{
  for (int row = 0; row < n; row++)
    for (int column = 0; column < n; column++)
      c[row * n + column] = native_dot(a + row * n, b + column * n, n);
}

static void native_squares(const float *a, const float *b, float *c, int n)
{
  (void)b;
  for (int row = 0; row < n; row++)
    for (int column = 0; column < n; column++)
      c[row * n + column] =
          native_dot(a + row * n + column / SQUARE * SQUARE,
                     a + (row / SQUARE * SQUARE + column % SQUARE) * n +
                         column / SQUARE * SQUARE,
                     SQUARE);
}

static void native_lookups(const float *a, const float *b, float *c, int n)
{
  for (int i = 0; i < n; i++) {
    uint32_t at = (uint32_t)i;
    float sum = 0.0f;

    for (int k = 0; k < 16; k++) {
      at = at * 1664525u + 1013904223u;
      sum += b[at >> 22];
    }
    c[i] = sum + a[i];
  }
}

static double native_texel(const float *a, int x, int y, int n)
{
  x = x < 0 ? 0 : x >= n ? n - 1 : x;
  y = y < 0 ? 0 : y >= n ? n - 1 : y;
  return (double)a[y * n + x];
}

static void native_points(const float *a, const float *b, float *c, int n)
{
  (void)b;
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++) {
      float sum = 0.0f;

      for (int i = 0; i < 9; i++)
        sum += (float)native_texel(a, x + i % 3 - 1, y + i / 3 - 1, n);
      c[y * n + x] = sum;
    }
}

/* Whole coordinates are corners, where four texels meet. */
static void native_means(const float *a, const float *b, float *c, int n)
{
  (void)b;
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++) {
      float sum = 0.0f;

      for (int i = 0; i < 9; i++) {
        int right = x + i % 3 - 1, low = y + i / 3 - 1;

        sum += (float)((native_texel(a, right - 1, low - 1, n) +
                        native_texel(a, right, low - 1, n) +
                        native_texel(a, right - 1, low, n) +
                        native_texel(a, right, low, n)) /
                       4);
      }
      c[y * n + x] = sum;
    }
}

static void native_escapes(const float *a, const float *b, float *c, int n)
{
  for (int i = 0; i < n; i++) {
    float x0 = a[i] / 6.0f - 1.5f, y0 = b[i] / 18.0f, x = 0.0f, y = 0.0f;
    int rounds = 0;

    for (; rounds < 200; rounds++) {
      float square = y * y;

      if (__builtin_fmaf(x, x, square) > 4.0f)
        break;
      y = __builtin_fmaf(2.0f * x, y, y0);
      x = __builtin_fmaf(x, x, x0 - square);
    }
    c[i] = (float)rounds;
  }
}

static void native_walks(const float *a, const float *b, float *c, int n)
{
  (void)b;
  for (int i = 0; i < n; i++) {
    uint32_t at = (uint32_t)i % 4093 + 1, sum = (uint32_t)a[i];
    uint32_t steps = 0;

    for (; at != 1 && steps < 100; steps++) {
      if (at & 1) {
        at = 3 * at + 1;
        if (at & 4)
          sum = sum * 5 + at;
        else
          sum += at / 3;
        if (at & 4 && at % 7 < 3)
          sum ^= sum >> 3;
      } else {
        at /= 2;
        if ((at ^ sum) & 2)
          sum = sum * 3 - at;
      }
    }
    c[i] = (float)(sum % 4096 + steps);
  }
}

static float native_shape(unsigned which, float size, float at)
{
  switch (which) {
  case 0: at = __builtin_fmaf(size, at, 0.5f); return at > 1.0f ? 1.0f : at;
  case 1:
    for (int i = 0; i < 4; i++)
      at = __builtin_fmaf(at, 0.5f, size);
    return at;
  default: return at < size ? __builtin_fmaf(at, 0.25f, 0.125f) : size;
  }
}

static void native_shapes(const float *a, const float *b, float *c, int n)
{
  for (int i = 0; i < n; i++) {
    float size = b[i] / 32.0f, at = a[i] / 16.0f;
    uint32_t which = (uint32_t)i;

    for (int k = 0; k < 12; k++) {
      which = which * 1664525u + 1013904223u;
      at = native_shape((which >> 16) % 3, size, at);
    }
    c[i] = at;
  }
}

static void native_visits(const float *a, const float *b, float *c, int n)
{
  for (int i = 0; i < n; i++) {
    uint32_t at = (uint32_t)i, left = ((uint32_t)i * 2654435761u >> 27) + 1;
    float sum = 0.0f, most = 0.0f;

    for (; left > 0; left--) {
      uint32_t place;

      at = at * 1664525u + 1013904223u;
      place = (at >> 8) % (uint32_t)n;
      if (a[place] > 6.0f) {
        if (b[place] > most)
          most = b[place];
        else
          sum += a[place];
      }
    }
    c[i] = sum + most;
  }
}

struct result {
  uint64_t instructions, of_threads;
  double seconds, native;
  bool right;
};

static void add_up(const struct launch_counts *counts, struct result *result)
{
  result->instructions = result->of_threads = 0;
  for (size_t i = 0; i < counts->n_records; i++) {
    result->instructions += counts->records[i].counts.warps;
    result->of_threads += counts->records[i].counts.threads;
  }
}

static double time_native(const struct work *w, const float *a, const float *b,
                          float *c)
{
  double best = 1e9;

  for (int i = 0; i < 3; i++) {
    double start = now();

    w->native(a, b, c, w->size);
    best = now() - start < best ? now() - start : best;
  }
  return best;
}

/* The number of a texture of side x side floats. */
static uint64_t texture_of(uint64_t address, uint32_t side, bool linear)
{
  struct descriptor texture = {
    .image = { .format = { TEXEL_FLOAT, 32, 1 },
               .dimensions = 2,
               .width = side,
               .height = side,
               .depth = 1,
               .layers = 1,
               .pitch = side * sizeof(float),
               .slice = (size_t)side * side * sizeof(float),
               .address = address,
               .bytes = (size_t)side * side * sizeof(float) },
    .sampler = { .address = { ADDRESS_CLAMP, ADDRESS_CLAMP, ADDRESS_CLAMP },
                 .linear = linear },
  };

  return descriptor_open(&texture);
}

static bool measure(const struct program *program, const struct work *w,
                    unsigned workers, struct result *result)
{
  size_t bytes = w->n * sizeof(float);
  uint64_t a = memory_allocate(bytes, 256, MEMORY_DEVICE, 0, "a");
  uint64_t b = memory_allocate(bytes, 256, MEMORY_DEVICE, 0, "b");
  uint64_t c = memory_allocate(bytes, 256, MEMORY_DEVICE, 0, "c");
  float *va = memory_view(a, bytes), *vb = memory_view(b, bytes);
  float *vc = memory_view(c, bytes), *expected = calloc(w->n, sizeof(float));
  struct {
    uint64_t a, b, c;
    int32_t n;
  } parameters = { w->texture ? texture_of(a, (uint32_t)w->size, w->linear) : a,
                   b, c, w->size };
  struct launch launch = { .kernel = program_kernel(program, w->kernel),
                           .parameters = &parameters,
                           .n_workers = workers,
                           .output = stdout };
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
    add_up(&counts, result);
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
static int measure_one(const char *file, const struct work *w, unsigned workers,
                       int to)
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
  printf("%-22s %6.2f M of %4.1f lanes %8.4f s %6.1f M/s  native %7.4f s  "
         "all checks %7.4f s, %4.1f times%s\n",
         w->label, millions,
         (double)plain.of_threads / (double)plain.instructions, plain.seconds,
         millions / plain.seconds, plain.native, checked.seconds,
         checked.seconds / plain.seconds,
         plain.right && checked.right ? "" : "  WRONG RESULT");
  return plain.right && checked.right;
}

int main(int argc, char **argv)
{
  static const struct work works[] = {
    { "vector_add",
      "vector add, 1 M",
      { VECTOR / 256, 1, 1 },
      { 256, 1, 1 },
      VECTOR,
      VECTOR,
      native_add,
      false,
      false },
    { "matmul_naive",
      "matmul, naive",
      { SIDE / 16, SIDE / 16, 1 },
      { 16, 16, 1 },
      SIDE * SIDE,
      SIDE,
      native_matmul,
      false,
      false },
    { "matmul_tiled",
      "matmul, tiled",
      { SIDE / 16, SIDE / 16, 1 },
      { 16, 16, 1 },
      SIDE * SIDE,
      SIDE,
      native_matmul,
      false,
      false },
    { "matmul_float4",
      "matmul, float4",
      { SIDE / 16, SIDE / 16, 1 },
      { 16, 16, 1 },
      SIDE * SIDE,
      SIDE,
      native_rows,
      false,
      false },
    { "squares",
      "conflicts, all alike",
      { SIDE / 32, SIDE / 32, 1 },
      { 32, 8, 1 },
      SIDE * SIDE,
      SIDE,
      native_squares,
      false,
      false },
    { "lookups",
      "conflicts, at random",
      { VECTOR / 256, 1, 1 },
      { 256, 1, 1 },
      VECTOR,
      VECTOR,
      native_lookups,
      false,
      false },
    { "points",
      "texture, points",
      { SIDE / 16, SIDE / 16, 1 },
      { 16, 16, 1 },
      SIDE * SIDE,
      SIDE,
      native_points,
      true,
      false },
    { "means",
      "texture, linear",
      { SIDE / 16, SIDE / 16, 1 },
      { 16, 16, 1 },
      SIDE * SIDE,
      SIDE,
      native_means,
      true,
      true },
    { "escapes",
      "lanes leave a loop",
      { DIVERGED / 256, 1, 1 },
      { 256, 1, 1 },
      DIVERGED,
      DIVERGED,
      native_escapes,
      false,
      false },
    { "walks",
      "ifs in ifs",
      { DIVERGED / 256, 1, 1 },
      { 256, 1, 1 },
      DIVERGED,
      DIVERGED,
      native_walks,
      false,
      false },
    { "shapes",
      "virtual calls",
      { DIVERGED / 256, 1, 1 },
      { 256, 1, 1 },
      DIVERGED,
      DIVERGED,
      native_shapes,
      false,
      false },
    { "visits",
      "places in memory",
      { DIVERGED / 256, 1, 1 },
      { 256, 1, 1 },
      DIVERGED,
      DIVERGED,
      native_visits,
      false,
      false },
  };
  enum { WORKS = sizeof works / sizeof *works };
  unsigned workers = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 1;
  unsigned one;
  int to, failed = 0;

  if (argc < 2) {
    fputs("usage: speed kernels.ptx [workers]\n", stderr);
    return 2;
  }
  if (argc > 3 && sscanf(argv[3], "%u:%d", &one, &to) == 2)
    return measure_one(argv[1], &works[one % WORKS], workers, to);
  printf("warp instructions, CPU time, rate; %u worker%s\n", workers,
         workers == 1 ? "" : "s");
  for (size_t i = 0; i < WORKS; i++)
    failed |= !report(argv, works, (unsigned)i);
  return failed;
}
