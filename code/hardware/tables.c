/* The hardware in tables: what each compute capability has, and one GPU of
 * each generation. No GPU is needed. --check computes NVIDIA's own peaks
 * from the numbers of the two files.
 *
 *   cc -I code code/hardware/tables.c -o tables && ./tables
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hardware/capability.h"
#include "occupancy/occupancy.h"

static const struct {
  const char *name, *gpu, *chip;
  int year, capability, multiprocessors, cores, clock_mhz;
  int gflop_per_s, gb_per_s, l2_kib, million_transistors, nm;
  const char *source;
} generations[] = {
#define GENERATION(...) {__VA_ARGS__},
#include "hardware/generations.def"
#undef GENERATION
};
enum { N_GENERATIONS = sizeof generations / sizeof generations[0] };

/* ---- the check ------------------------------------------------------- */

/* Floating-point operations per second: each core finishes a multiply-add,
 * which counts as two, in every cycle. */
static double peak_gflop_per_s(int multiprocessors, int per_clock,
                               double clock_mhz)
{
  return 2.0 * multiprocessors * per_clock * clock_mhz * 1e-3;
}

static int check_generation(int i)
{
  const capability_rates *r = capability_rates_of(generations[i].capability);
  int cores, n = generations[i].multiprocessors;
  int per_clock = r ? r->fp32 : 128;    /* 12.0: the guide has no table yet */
  double peak = peak_gflop_per_s(n, per_clock, generations[i].clock_mhz);
  cores = n * per_clock;
  if (cores == generations[i].cores &&
      fabs(peak / generations[i].gflop_per_s - 1.0) < 0.01 &&
      occupancy_limits_of(generations[i].capability) &&
      (!r || strcmp(r->architecture, generations[i].name) == 0))
    return 0;
  fprintf(stderr, "tables: error: %s: %d cores and %.0f GFLOP/s by the "
          "tables, %d and %d by its source: wrong\n", generations[i].gpu,
          cores, peak, generations[i].cores, generations[i].gflop_per_s);
  return 1;
}

/* Each row of rates.def has its limits; both go up. */
static int check_rates(int i)
{
  const capability_rates *r = &capability_all_rates[i];
  if (occupancy_limits_of(r->capability) &&
      (i == 0 || r[-1].capability < r->capability) && r->fp32 >= r->fp64)
    return 0;
  fprintf(stderr, "tables: error: rates.def: %d: wrong\n", r->capability);
  return 1;
}

static int check(void)
{
  int n_bad = 0;
  for (int i = 0; i < N_GENERATIONS; i++)
    n_bad += check_generation(i);
  for (int i = 0; i < CAPABILITY_N_RATES; i++)
    n_bad += check_rates(i);
  return n_bad;
}

/* ---- the tables ------------------------------------------------------ */

static const char *or_none(int n)
{
  static char text[4][16];
  static int at;
  at = (at + 1) % 4;
  snprintf(text[at], sizeof text[at], n > 0 ? "%d" : "-", n);
  return text[at];
}

static void print_capabilities(void)
{
  printf("capability,architecture,schedulers,fp32,fp64,special,int_add,"
         "threads,warps,blocks,registers,shared_kib,block_threads,"
         "limits_source,rates_source\n");
  for (int i = 0; i < CAPABILITY_N_RATES; i++) {
    const capability_rates *r = &capability_all_rates[i];
    const occupancy_limits *l = occupancy_limits_of(r->capability);
    printf("%d.%d,%s,%d,%d,%s,%d,%s,%d,%d,%d,%d,%d,%d,%s,%s\n",
           r->capability / 10, r->capability % 10, r->architecture,
           r->schedulers, r->fp32, or_none(r->fp64), r->special,
           or_none(r->int_add), l->threads, l->threads / WARP_THREADS,
           l->blocks, l->registers, l->shared / 1024, l->block_threads,
           l->source, r->source);
  }
}

static void print_generations(void)
{
  printf("generation,gpu,chip,year,capability,multiprocessors,cores,"
         "clock_mhz,gflop_per_s,gb_per_s,flop_per_byte,l2_kib,"
         "million_transistors,process_nm,source\n");
  for (int i = 0; i < N_GENERATIONS; i++)
    printf("%s,%s,%s,%d,%d.%d,%d,%d,%d,%d,%d,%.1f,%s,%d,%d,%s\n",
           generations[i].name, generations[i].gpu, generations[i].chip,
           generations[i].year, generations[i].capability / 10,
           generations[i].capability % 10, generations[i].multiprocessors,
           generations[i].cores, generations[i].clock_mhz,
           generations[i].gflop_per_s, generations[i].gb_per_s,
           (double)generations[i].gflop_per_s / generations[i].gb_per_s,
           or_none(generations[i].l2_kib),
           generations[i].million_transistors, generations[i].nm,
           generations[i].source);
}

/* For the exercise: what one would have to multiply by hand. */
static void print_peaks(void)
{
  printf("gpu,capability,multiprocessors,clock_mhz,fp32_gflop_per_s,"
         "fp64_gflop_per_s,special_g_per_s\n");
  for (int i = 0; i < N_GENERATIONS; i++) {
    const capability_rates *r =
        capability_rates_of(generations[i].capability);
    int n = generations[i].multiprocessors;
    double mhz = generations[i].clock_mhz;
    if (r)
      printf("%s,%d.%d,%d,%.0f,%.0f,%.0f,%.0f\n", generations[i].gpu,
             r->capability / 10, r->capability % 10, n, mhz,
             peak_gflop_per_s(n, r->fp32, mhz),
             peak_gflop_per_s(n, r->fp64, mhz),
             n * r->special * mhz * 1e-3);
  }
}

static const struct {
  const char *name;
  void (*print)(void);
} tables[] = {
  {"capabilities", print_capabilities},
  {"generations", print_generations},
  {"peaks", print_peaks},
};
enum { N_TABLES = sizeof tables / sizeof tables[0] };

int main(int argc, char **argv)
{
  const char *wanted = argc > 1 ? argv[1] : "--csv=capabilities";
  if (argc > 2 || strcmp(wanted, "--help") == 0) {
    printf("usage: %s [--check | --csv=capabilities | --csv=generations | "
           "--csv=peaks]\n", argv[0]);
    return argc > 2 ? 2 : EXIT_SUCCESS;
  }
  if (check() > 0)
    return EXIT_FAILURE;
  if (strcmp(wanted, "--check") == 0) {
    printf("%d GPUs have the peaks that their sources say\n", N_GENERATIONS);
    return EXIT_SUCCESS;
  }
  for (int i = 0; i < N_TABLES; i++)
    if (strncmp(wanted, "--csv=", 6) == 0 &&
        strcmp(wanted + 6, tables[i].name) == 0) {
      tables[i].print();
      return EXIT_SUCCESS;
    }
  fprintf(stderr, "%s: error: unknown option '%s'; try --help\n", argv[0],
          wanted);
  return 2;
}
