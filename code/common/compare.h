/* Is the result the reference's?  A comparison fails on NaN, says how many
 * elements differ and shows the first of them.  All return 1 for "equal".
 *
 * Outputs are poisoned before a kernel runs: a kernel that writes nothing
 * must not find last run's right answer already in place.  Guard bytes past
 * the end must still hold the poison afterwards. */
#ifndef CODE_COMMON_COMPARE_H
#define CODE_COMMON_COMPARE_H

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "common/cuda_check.h"

enum {
  POISON_BYTE = 0xff,  /* as float or double: NaN; as int: -1 */
  GUARD_BYTES = 1024   /* to allocate after an output, for the guard */
};

static inline void poison_host(void *data, size_t n_bytes)
{
  memset(data, POISON_BYTE, n_bytes);
}

static inline void poison_device(void *d_data, size_t n_bytes)
{
  if (n_bytes > 0)
    CUDA_CHECK(cudaMemset(d_data, POISON_BYTE, n_bytes));
}

/* The mismatches of one comparison. */
typedef struct {
  size_t count;
  size_t first;
} compare_mismatches;

static inline void compare_note(compare_mismatches *m, size_t index)
{
  if (m->count == 0)
    m->first = index;
  m->count++;
}

static inline int compare_verdict(const char *what, const char *units,
                                  compare_mismatches m, size_t n,
                                  double expected, double got)
{
  if (m.count == 0)
    return 1;
  fflush(stdout);
  fprintf(stderr, "%s: error: %zu of %zu %s are wrong; "
          "the first is [%zu]: expected %.9g, got %.9g\n",
          what, m.count, n, units, m.first, expected, got);
  return 0;
}

// begin compare
/* tolerance 0: the very same value.  Otherwise a share of the expected value
 * or, if that is larger, of `scale`: the size of the terms that were added.
 * Terms that cancel leave a small sum with the rounding errors of large ones.
 * A scale of 0 is for results without cancellation. */
static inline int compare_floats_within(const char *what,
    const float *expected, const float *got, size_t n, double tolerance,
    double scale)
{
  compare_mismatches m = {0, 0};
  for (size_t i = 0; i < n; i++) {
    double difference = fabs((double)got[i] - (double)expected[i]);
    double allowed = tolerance * fmax(scale, fabs((double)expected[i]));
    /* A share of infinity would allow anything.  And asked this way round,
     * a NaN is never within the tolerance. */
    int is_near = isfinite(expected[i]) && difference <= allowed;
    if (!(got[i] == expected[i] || is_near))
      compare_note(&m, i);
  }
  return compare_verdict(what, "elements", m, n,
                         m.count ? expected[m.first] : 0,
                         m.count ? got[m.first] : 0);
}
// end compare

static inline int compare_floats(const char *what, const float *expected,
                                 const float *got, size_t n)
{
  return compare_floats_within(what, expected, got, n, 0.0, 0.0);
}

static inline int compare_doubles(const char *what, const double *expected,
                                  const double *got, size_t n)
{
  compare_mismatches m = {0, 0};
  for (size_t i = 0; i < n; i++)
    if (!(got[i] == expected[i]))
      compare_note(&m, i);
  return compare_verdict(what, "elements", m, n,
                         m.count ? expected[m.first] : 0,
                         m.count ? got[m.first] : 0);
}

static inline int compare_ints(const char *what, const int *expected,
                               const int *got, size_t n)
{
  compare_mismatches m = {0, 0};
  for (size_t i = 0; i < n; i++)
    if (got[i] != expected[i])
      compare_note(&m, i);
  return compare_verdict(what, "elements", m, n,
                         m.count ? expected[m.first] : 0,
                         m.count ? got[m.first] : 0);
}

static inline int compare_bytes(const char *what, const void *expected,
                                const void *got, size_t n)
{
  const unsigned char *e = (const unsigned char *)expected;
  const unsigned char *g = (const unsigned char *)got;
  compare_mismatches m = {0, 0};
  for (size_t i = 0; i < n; i++)
    if (g[i] != e[i])
      compare_note(&m, i);
  return compare_verdict(what, "bytes", m, n, m.count ? e[m.first] : 0,
                         m.count ? g[m.first] : 0);
}

/* Nothing wrote to the n_bytes at `tail`, which were poisoned before. */
static inline int compare_guard(const char *what, const void *tail,
                                size_t n_bytes)
{
  const unsigned char *bytes = (const unsigned char *)tail;
  for (size_t i = 0; i < n_bytes; i++)
    if (bytes[i] != POISON_BYTE) {
      fflush(stdout);
      fprintf(stderr, "%s: error: wrote past the end of the output, "
              "at byte %zu after it\n", what, i);
      return 0;
    }
  return 1;
}

#endif
