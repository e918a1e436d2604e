/* The harness of a listing whose versions all make one array of floats of
 * another, element by element or not:
 *
 *   program p = {"multiplies a vector by 2", reference, versions, n_versions};
 *   return program_run(&p, argc, argv);
 *
 * Every version is checked at sizes around a warp and a block, with random
 * input. Then it is measured, or counted with --count. The columns of
 * --csv are version, n_elems, repetitions, time_us, time_spread_us and gb_per_s;
 * those of --count version and n_elems. */
#ifndef CODE_COMMON_PROGRAM_H
#define CODE_COMMON_PROGRAM_H

#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"

typedef struct {
  const char *name;
  const char *idea;
  void (*launch)(float *d_out, const float *d_in, size_t n);
} program_version;

typedef struct {
  const char *what; /* for --help */
  void (*reference)(float *h_out, const float *h_in, size_t n);
  const program_version *versions;
  int n_versions;
} program;

enum { PROGRAM_MEASURED = 1 << 26, PROGRAM_COUNTED = 4096 };

typedef struct {
  float *d_in, *d_out;
  size_t n;
} program_arrays;

/* After the output there are bytes that no version may write. */
static inline program_arrays program_allocate(size_t n)
{
  program_arrays a = { NULL, NULL, n };
  size_t n_bytes = n * sizeof(float);
  CUDA_CHECK(cudaMalloc(&a.d_in, n_bytes));
  CUDA_CHECK(cudaMalloc(&a.d_out, n_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMemset(a.d_in, 0, n_bytes));
  poison_device(a.d_out, n_bytes + GUARD_BYTES);
  return a;
}

static inline void program_free(program_arrays a)
{
  CUDA_CHECK(cudaFree(a.d_in));
  CUDA_CHECK(cudaFree(a.d_out));
}

static inline void program_launch(const program_version *v, program_arrays a)
{
  v->launch(a.d_out, a.d_in, a.n);
  CUDA_CHECK_LAUNCH();
}

static inline int program_check_version(const program_version *v,
                                        const float *h_in,
                                        const float *h_expected, size_t n)
{
  size_t n_bytes = n * sizeof(float);
  program_arrays a = program_allocate(n);
  char *h_out = (char *)malloc(n_bytes + GUARD_BYTES);
  char what[80];
  snprintf(what, sizeof what, "%s, n = %zu", v->name, n);
  CUDA_CHECK(cudaMemcpy(a.d_in, h_in, n_bytes, cudaMemcpyHostToDevice));
  program_launch(v, a);
  CUDA_CHECK(cudaMemcpy(h_out, a.d_out, n_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  int is_right = compare_floats(what, h_expected, (float *)h_out, n) &&
                 compare_guard(what, h_out + n_bytes, GUARD_BYTES);
  program_free(a);
  free(h_out);
  return is_right;
}

/* How many of the versions and sizes are wrong. */
static inline int program_check(const program *p, const options *o)
{
  static const size_t sizes[] = { 1, 31, 32, 33, 1000, 65537 };
  random_source source = random_from_seed(o->seed);
  int n_wrong = 0;
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
    size_t n = sizes[s];
    float *h_in = (float *)malloc(n * sizeof(float));
    float *h_expected = (float *)malloc(n * sizeof(float));
    random_fill_floats(&source, h_in, n);
    p->reference(h_expected, h_in, n);
    for (int i = 0; i < p->n_versions; i++)
      if (options_wants(o, p->versions[i].name))
        n_wrong += !program_check_version(&p->versions[i], h_in, h_expected, n);
    free(h_in);
    free(h_expected);
  }
  if (n_wrong == 0)
    fprintf(o->csv ? stderr : stdout,
            "every version agrees with the reference (--seed %llu)\n",
            (unsigned long long)o->seed);
  return n_wrong;
}

static inline void program_measure(const program *p, const options *o)
{
  size_t n = memory_length(o, PROGRAM_MEASURED, 2 * sizeof(float));
  double n_bytes = 2.0 * (double)n * sizeof(float);
  program_arrays a = program_allocate(n);
  if (o->csv)
    printf("version,n_elems,repetitions,time_us,time_spread_us,gb_per_s\n");
  else
    timing_print_head();
  for (int i = 0; i < p->n_versions; i++) {
    if (!options_wants(o, p->versions[i].name))
      continue;
    timing t = timing_start(o->repetitions);
    while (timing_next(&t))
      program_launch(&p->versions[i], a);
    if (o->csv)
      printf("%s,%zu,%d,%.3f,%.3f,%.2f\n", p->versions[i].name, n,
             t.repetitions, t.median_us, t.spread_us,
             timing_gb_per_s(n_bytes, t.median_us));
    else
      timing_print_row(p->versions[i].name, t, n_bytes);
  }
  program_free(a);
}

/* Each version once, for a profiler or the software device to count; prints
 * which launch is which. */
static inline void program_count(const program *p, const options *o)
{
  program_arrays a =
      program_allocate(memory_length(o, PROGRAM_COUNTED, 2 * sizeof(float)));
  printf("version,n_elems\n");
  for (int i = 0; i < p->n_versions; i++)
    if (options_wants(o, p->versions[i].name)) {
      program_launch(&p->versions[i], a);
      printf("%s,%zu\n", p->versions[i].name, a.n);
    }
  CUDA_CHECK(cudaDeviceSynchronize());
  program_free(a);
}

static inline int program_run(const program *p, int argc, char **argv)
{
  options o = options_parse(argc, argv, p->what, "bandwidth", "versions");
  options_versions(&o, p->versions, sizeof p->versions[0], p->n_versions);
  if (o.count)
    program_count(p, &o);
  else if (program_check(p, &o) > 0)
    return EXIT_FAILURE;
  else if (!o.check && timing_is_possible())
    program_measure(p, &o);
  return EXIT_SUCCESS;
}

#endif
