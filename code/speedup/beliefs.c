/* Two beliefs about performance, put to the test on one core of the CPU:
 * that a core finds the parallelism by itself, and that arithmetic is slow
 * and memory fast.
 *
 *   cc -O3 -fno-tree-vectorize -fno-tree-slp-vectorize -I code \
 *     code/speedup/beliefs.c -o beliefs && ./beliefs
 */
#define _POSIX_C_SOURCE 199309L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/host.h"

enum { N_LINKS = 1 << 22 };

/* Chains of dependent additions and multiplications, `chains` of them side
 * by side. Nothing but their number changes; none needs another's value. */
#define CHAINS(chains)                                                  \
  static double run_##chains(double factor, long n_links)               \
  {                                                                     \
    double x[chains], sum = 0.0;                                        \
    for (int c = 0; c < chains; c++)                                    \
      x[c] = c + 1.0;                                                   \
    for (long link = 0; link < n_links; link++)                         \
      for (int c = 0; c < chains; c++)                                  \
        x[c] = x[c] * factor + 1.0;                                     \
    for (int c = 0; c < chains; c++)                                    \
      sum += x[c];                                                      \
    return sum;                                                         \
  }
CHAINS(1)
CHAINS(2)
CHAINS(4)
CHAINS(8)
CHAINS(12)

static const struct {
  int chains;
  double (*run)(double, long);
} runs[] = {{1, run_1}, {2, run_2}, {4, run_4}, {8, run_8},
            {12, run_12}};
enum { N_RUNS = sizeof runs / sizeof runs[0] };

/* next[i] is where to go from i: each load needs the one before. */
static uint32_t walk(const uint32_t *next, uint32_t from, long n_steps)
{
  for (long step = 0; step < n_steps; step++)
    from = next[from];
  return from;
}

/* One cycle through all n words in random order (Sattolo's shuffle). */
static void make_cycle(uint32_t *next, uint32_t n)
{
  uint64_t state = 88172645463325252u;
  for (uint32_t i = 0; i < n; i++)
    next[i] = i;
  for (uint32_t i = n - 1; i > 0; i--) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    uint32_t j = (uint32_t)(state % i), was = next[i];
    next[i] = next[j];
    next[j] = was;
  }
}

static int check(void)
{
  for (int r = 0; r < N_RUNS; r++) {
    /* x -> x / 2 + 1 ends at 2 wherever it began. */
    double expected = 2.0 * runs[r].chains, got = runs[r].run(0.5, 200);
    if (got != expected) {
      fprintf(stderr, "beliefs: error: %d chains end at %g, expected %g\n",
              runs[r].chains, got, expected);
      return 1;
    }
  }
  enum { N = 4096 };
  static uint32_t next[N];
  make_cycle(next, N);
  uint32_t at = walk(next, 0, 1);
  long steps = 1;
  for (; at != 0 && steps < N + 1; steps++)
    at = walk(next, at, 1);
  if (steps != N || walk(next, 0, N) != 0) {
    fprintf(stderr, "beliefs: error: the walk is back after %ld steps, "
            "expected %d\n", steps, N);
    return 1;
  }
  return 0;
}

static double never;            /* keeps what would be left out */

static void print_chains(int repetitions)
{
  static host_times t;
  double one = 0.0;
  printf("chains,time_us,time_spread_us,ns_per_link,links_per_ns,gain\n");
  for (int r = 0; r < N_RUNS; r++) {
    for (int i = -1; i < repetitions; i++) {
      double start = host_now_us();
      never += runs[r].run(0.999999, N_LINKS);
      if (i >= 0)
        t.us[i] = host_now_us() - start;
    }
    t.n = repetitions;
    double us = host_median(&t);
    double rate = (double)runs[r].chains * N_LINKS / us * 1e-3;
    if (r == 0)
      one = rate;
    printf("%d,%.1f,%.1f,%.4f,%.4f,%.3f\n", runs[r].chains, us,
           host_spread(&t), us * 1e3 / N_LINKS, rate, rate / one);
    fflush(stdout);
  }
}

static void print_loads(int repetitions)
{
  static host_times t;
  printf("n_bytes,n_kib,time_us,time_spread_us,ns_per_load\n");
  for (uint32_t n = 1u << 12; n <= 1u << 27; n <<= 1) {
    uint32_t *next = host_memory("beliefs", n * sizeof *next);
    uint32_t at = 0;
    make_cycle(next, n);
    at = walk(next, at, n < 1u << 20 ? n : 1 << 20);
    t.n = repetitions;
    for (int i = 0; i < repetitions; i++) {
      double start = host_now_us();
      at = walk(next, at, 1 << 20);
      t.us[i] = host_now_us() - start;
    }
    never += at;
    double us = host_median(&t);
    printf("%zu,%zu,%.1f,%.1f,%.4f\n", n * sizeof *next,
           n * sizeof *next / 1024, us, host_spread(&t),
           us * 1e3 / (1 << 20));
    fflush(stdout);
    free(next);
  }
}

static const char usage[] =
  "  (none)               check, then print both tables\n"
  "  --check              check only\n"
  "  --csv=chains|loads   chains side by side, or loads one after another\n"
  "  --repetitions N      measurements for each time (default 5)\n"
  "  --help               this text\n";

int main(int argc, char **argv)
{
  const char *csv = "";
  int only_check = 0, repetitions = 5;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--check") == 0) {
      only_check = 1;
    } else if (strcmp(argv[i], "--csv=chains") == 0 ||
               strcmp(argv[i], "--csv=loads") == 0) {
      csv = argv[i] + 6;
    } else if (strcmp(argv[i], "--help") == 0) {
      printf("usage: %s [option …]\n%s", argv[0], usage);
      return EXIT_SUCCESS;
    } else if (strcmp(argv[i], "--repetitions") == 0 && i + 1 < argc &&
               (repetitions = atoi(argv[i + 1])) > 0 &&
               repetitions <= HOST_MAX_REPETITIONS) {
      i++;
    } else {
      fprintf(stderr, "%s: error: what is '%s'?\n%s", argv[0], argv[i],
              usage);
      return 2;
    }
  }
  if (check() > 0)
    return EXIT_FAILURE;
  if (only_check)
    return puts("all right") < 0;
  if (strcmp(csv, "loads") != 0)
    print_chains(repetitions);
  if (strcmp(csv, "chains") != 0)
    print_loads(repetitions);
  return never == 0.125;        /* no sum of whole numbers is that */
}
