/* The Mandelbrot set by squares (Mariani and Silver): if all pixels on the
 * border of a square have the same value, so have those inside.  Otherwise
 * the square is split into four.  A block looks at one square; the versions
 * in mandelbrot.cu differ only in how the next squares get a block. */
#ifndef CODE_DYNAMIC_MANDELBROT_H
#define CODE_DYNAMIC_MANDELBROT_H

#include <cuda_runtime.h>
#include <math.h>

#ifndef SQUARE_THREADS
#define SQUARE_THREADS 256
#endif
#ifndef LEAF
#define LEAF 16          /* pixels; a square of this side is not split */
#endif

#ifndef FIRST_ACROSS
#define FIRST_ACROSS 16  /* squares in a row, to begin with */
#endif

/* The picture: side × side pixels of [-2, 0.5) × [-1.25, 1.25). */
typedef struct {
  int side;      /* a power of two */
  int first;     /* side of the squares to begin with */
  int limit;     /* a point that has not escaped by then never does */
  float step;    /* from one pixel to the next */
  int *dwells;
} canvas;

typedef struct {
  int x, y, side;
} square;

static inline canvas canvas_of(int side, int first, int limit)
{
  canvas c = {side, first, limit, 2.5f / (float)side, NULL};
  return c;
}

// begin dwell
/* Steps until the point escapes.  Every rounding is written down, so that
 * the CPU gets the same number. */
__host__ __device__ static inline int dwell(canvas c, int col, int row)
{
  float cx = fmaf((float)col, c.step, -2.0f);
  float cy = fmaf((float)row, c.step, -1.25f);
  float x = cx, y = cy;
  int steps = 0;
  while (steps < c.limit && fmaf(x, x, y * y) <= 4.0f) {
    float next = fmaf(x, x, fmaf(-y, y, cx));
    y = fmaf(x + x, y, cy);
    x = next;
    steps++;
  }
  return steps;
}
// end dwell

__host__ __device__ static inline int squares_across(canvas c)
{
  return c.side / c.first;
}

__host__ __device__ static inline square first_square(canvas c, int i)
{
  square s = {i % squares_across(c) * c.first, i / squares_across(c) * c.first,
              c.first};
  return s;
}

__host__ __device__ static inline square quarter(square s, int i)
{
  int half = s.side / 2;
  square q = {s.x + i % 2 * half, s.y + i / 2 * half, half};
  return q;
}

/* The i-th pixel of a square's border, clockwise; its place in the canvas. */
__host__ __device__ static inline int border_count(square s)
{
  return 4 * (s.side - 1);
}

__host__ __device__ static inline void border_pixel(square s, int i, int *col,
                                                    int *row)
{
  int edge = i / (s.side - 1), along = i % (s.side - 1), end = s.side - 1;
  *col = s.x + (edge == 0 ? along : edge == 1 ? end
                : edge == 2 ? end - along : 0);
  *row = s.y + (edge == 0 ? 0 : edge == 1 ? along
                : edge == 2 ? end : end - along);
}

// begin visit
/* The block computes the border of its square and, unless the square has to
 * be split, everything inside.  Returns 1 to all threads if it must be
 * split. */
__device__ static int visit(canvas c, square s)
{
  __shared__ int corner;
  int n_border = border_count(s), inner = s.side - 2;
  int mine = 0, is_same = 1;
  for (int i = threadIdx.x; i < n_border; i += SQUARE_THREADS) {
    int col, row;
    border_pixel(s, i, &col, &row);
    int steps = dwell(c, col, row);
    c.dwells[row * c.side + col] = steps;
    if (i == threadIdx.x)
      mine = steps;
    is_same &= steps == mine;
  }
  if (threadIdx.x == 0)
    corner = mine;
  __syncthreads();
  int value = corner;
  is_same &= threadIdx.x >= n_border || mine == value;
  is_same = __syncthreads_and(is_same);
  if (!is_same && s.side > LEAF)
    return 1;
  for (int i = threadIdx.x; i < inner * inner; i += SQUARE_THREADS) {
    int col = s.x + 1 + i % inner, row = s.y + 1 + i / inner;
    c.dwells[row * c.side + col] = is_same ? value : dwell(c, col, row);
  }
  return 0;
}
// end visit

/* ---- the CPU's answer, and what it takes ---- */

typedef struct {
  long squares, filled, split, computed;   /* squares, by what became of them */
  long pixels;                             /* whose dwell was computed */
  long long steps;
} square_counts;

static inline int reference_pixel(canvas c, int col, int row,
                                  square_counts *counts)
{
  int steps = dwell(c, col, row);
  counts->pixels++;
  counts->steps += steps;
  return c.dwells[row * c.side + col] = steps;
}

/* counts[0] is for the squares to begin with, counts[1] for the next … */
static inline void reference_square(canvas c, square s, square_counts *counts)
{
  int is_same = 1, col, row;
  int value = 0;
  for (int i = 0; i < border_count(s); i++) {
    border_pixel(s, i, &col, &row);
    int steps = reference_pixel(c, col, row, counts);
    if (i == 0)
      value = steps;
    is_same &= steps == value;
  }
  counts->squares++;
  if (!is_same && s.side > LEAF) {
    counts->split++;
    for (int i = 0; i < 4; i++)
      reference_square(c, quarter(s, i), counts + 1);
    return;
  }
  counts->filled += is_same;
  counts->computed += !is_same;
  for (row = s.y + 1; row < s.y + s.side - 1; row++)
    for (col = s.x + 1; col < s.x + s.side - 1; col++)
      if (is_same)
        c.dwells[row * c.side + col] = value;
      else
        reference_pixel(c, col, row, counts);
}

static inline int square_levels(canvas c)
{
  int n = 1;
  for (int side = c.first; side > LEAF; side /= 2)
    n++;
  return n;
}

#endif
