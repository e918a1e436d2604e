/* The heat equation on a rectangular plate, one explicit Euler step after
 * another. Every solver of the book is checked against the loops below.
 *
 * A grid has `rows` × `columns` floats, stored row by row. Its outermost ring
 * holds the boundary, whose temperature never changes; a step computes every
 * other point from itself and its four neighbours. Two grids take turns as
 * input and output, and both must hold the boundary before the first step.
 *
 *   float *h_start = heat_allocate(rows, columns);
 *   heat_random(h_start, rows, columns, &source);
 *   float *h_expected = heat_reference(h_start, rows, columns, r, n_steps);
 *   … compute h_got on the device …
 *   good = heat_check("my solver", h_expected, h_got, rows, columns);
 *
 * heat_point() fixes the order of the operations and where they round, so a
 * correct solver agrees with the reference bit for bit, no matter how it cuts
 * up the grid or how many devices share it. */
#ifndef CODE_COMMON_HEAT_H
#define CODE_COMMON_HEAT_H

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/random.h"

/* r = conductivity × time step / spacing². Above 1/4 the steps are unstable:
 * rounding errors grow until nothing else is left. */
#define HEAT_R 0.2f

#ifdef __CUDACC__
#define HEAT_BOTH __host__ __device__
#else
#define HEAT_BOTH
#endif

// begin heat_point
HEAT_BOTH static inline float heat_point(float centre, float up, float down,
                                         float left, float right, float r)
{
  float around = (up + down) + (left + right);
  return fmaf(r, fmaf(-4.0f, centre, around), centre);
}
// end heat_point

/* One step on the CPU. Copies the boundary as well. */
static inline void heat_step(float *out, const float *in, size_t rows,
                             size_t columns, float r)
{
  memcpy(out, in, columns * sizeof(float));
  for (size_t row = 1; row + 1 < rows; row++) {
    const float *at = in + row * columns;
    float *to = out + row * columns;
    to[0] = at[0];
    for (size_t column = 1; column + 1 < columns; column++)
      to[column] = heat_point(at[column], at[column - columns],
                              at[column + columns], at[column - 1],
                              at[column + 1], r);
    to[columns - 1] = at[columns - 1];
  }
  memcpy(out + (rows - 1) * columns, in + (rows - 1) * columns,
         columns * sizeof(float));
}

/* A grid on the host, or the end of the program. Release it with free(). */
static inline float *heat_allocate(size_t rows, size_t columns)
{
  float *grid = (float *)malloc(rows * columns * sizeof(float));
  if (!grid) {
    fprintf(stderr, "error: no memory for a grid of %zu x %zu floats; "
            "try a smaller --size\n", rows, columns);
    exit(EXIT_FAILURE);
  }
  return grid;
}

/* A different temperature at every point, boundary included: a solver that
 * reads the wrong neighbour gets caught. Good for tests, and for timing. */
static inline void heat_random(float *grid, size_t rows, size_t columns,
                               random_source *source)
{
  random_fill_floats(source, grid, rows * columns);
}

/* A cold plate with a hot upper edge, which converges to a smooth state. */
static inline void heat_plate(float *grid, size_t rows, size_t columns)
{
  for (size_t row = 0; row < rows; row++)
    for (size_t column = 0; column < columns; column++)
      grid[row * columns + column] = row == 0 ? 1.0f : 0.0f;
}

/* The grid after n_steps. Release it with free(). */
static inline float *heat_reference(const float *start, size_t rows,
                                    size_t columns, float r, int n_steps)
{
  float *now = heat_allocate(rows, columns);
  float *next = heat_allocate(rows, columns);
  memcpy(now, start, rows * columns * sizeof(float));
  for (int step = 0; step < n_steps; step++) {
    heat_step(next, now, rows, columns, r);
    float *swap = now;
    now = next;
    next = swap;
  }
  free(next);
  return now;
}

/* By how much the most changed point changed from one grid to the other:
 * what "converged" is judged by. NaN if either grid holds one. */
static inline float heat_largest_change(const float *a, const float *b,
                                        size_t rows, size_t columns)
{
  float largest = 0.0f;
  for (size_t i = 0; i < rows * columns; i++) {
    float change = fabsf(a[i] - b[i]);
    if (!(change <= largest))
      largest = change;
    if (largest != largest)
      return largest;
  }
  return largest;
}

/* Returns 1 if both grids are the same, bit for bit. Otherwise says how many
 * points differ, and where the first one is. */
static inline int heat_check(const char *what, const float *expected,
                             const float *got, size_t rows, size_t columns)
{
  size_t n_wrong = 0, first = 0;
  for (size_t i = 0; i < rows * columns; i++)
    if (memcmp(&expected[i], &got[i], sizeof(float)) != 0 && n_wrong++ == 0)
      first = i;
  if (n_wrong == 0)
    return 1;
  fflush(stdout);
  fprintf(stderr, "%s: error: %zu of %zu points are wrong; the first is "
          "row %zu, column %zu: expected %.9g, got %.9g\n", what, n_wrong,
          rows * columns, first / columns, first % columns,
          (double)expected[first], (double)got[first]);
  return 0;
}

#endif
