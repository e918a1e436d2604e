/* The Mandelbrot set as a picture, with its squares: those that were filled
 * without looking inside, and those that had to be computed.
 *
 *   nvcc -rdc=true -I code code/dynamic/picture.cu -o picture
 *   ./picture squares.png */
#include <string.h>

#include "common/options.h"
#include "common/png.h"
#include "common/cuda_check.h"
#include "dynamic/mandelbrot.h"

enum { SIDE = 512, LIMIT = 256, FIRST = SIDE / 2 };

enum { SPLIT, FILLED, COMPUTED };

/* A word of `what` for each leaf; the word at a square's first leaf says how
 * large the square is and what became of it. */
__global__ void seen(canvas c, square parent, int *what)
{
  square s = quarter(parent, blockIdx.x);
  int must_split = visit(c, s);
  if (threadIdx.x != 0)
    return;
  if (must_split) {
    seen<<<4, SQUARE_THREADS>>>(c, s, what);
    return;
  }
  int row = s.y / LEAF, col = s.x / LEAF, across = c.side / LEAF;
  int value = c.dwells[s.y * c.side + s.x], is_same = 1;
  for (int i = 0; i < border_count(s); i++) {
    int x, y;
    border_pixel(s, i, &x, &y);
    is_same &= c.dwells[y * c.side + x] == value;
  }
  what[row * across + col] = s.side << 2 | (is_same ? FILLED : COMPUTED);
}

static void set_colour(picture *p, int col, int row, const int colour[3])
{
  for (int i = 0; i < 3; i++)
    p->rgb[3 * ((size_t)row * p->n_cols + col) + i] = (unsigned char)colour[i];
}

/* Dark inside; outside from blue to white, the slower the lighter. */
static void paint(picture *p, const int *dwells)
{
  for (int row = 0; row < SIDE; row++)
    for (int col = 0; col < SIDE; col++) {
      int steps = dwells[row * SIDE + col], light = 0;
      for (int part = LIMIT; part > 1 && steps > 0; part /= 2)
        light += steps >= LIMIT / part;
      int colour[3] = {26 * light, 90 + 20 * light, 150 + 12 * light};
      const int inside[3] = {16, 24, 48};
      for (int i = 0; i < 3; i++)
        colour[i] = colour[i] > 255 ? 255 : colour[i];
      set_colour(p, col, row, steps == LIMIT ? inside : colour);
    }
}

/* Filled squares in orange, those that were computed in grey. */
static void outline(picture *p, const int *what)
{
  static const int filled[3] = {230, 120, 20}, computed[3] = {110, 120, 130};
  int across = SIDE / LEAF;
  for (int i = 0; i < across * across; i++) {
    int side = what[i] >> 2, x = i % across * LEAF, y = i / across * LEAF;
    for (int k = 0; k < side; k++) {
      const int *colour = (what[i] & 3) == FILLED ? filled : computed;
      set_colour(p, x + k, y, colour);
      set_colour(p, x, y + k, colour);
    }
  }
}

static void write(const picture *p, const char *path)
{
  char error[PICTURE_ERROR_BYTES];
  if (!png_write(p, path, error)) {
    fprintf(stderr, "error: %s\n", error);
    exit(EXIT_FAILURE);
  }
}

static int check(const canvas c, const int *dwells)
{
  canvas expected = c;
  square_counts counts[32] = {};
  int good = 1;
  expected.dwells = (int *)malloc((size_t)SIDE * SIDE * sizeof(int));
  for (int i = 0; i < squares_across(c) * squares_across(c); i++)
    reference_square(expected, first_square(c, i), counts);
  for (int i = 0; i < SIDE * SIDE && good; i++)
    good = dwells[i] == expected.dwells[i];
  if (!good)
    fprintf(stderr, "picture: error: it is not the CPU's\n");
  free(expected.dwells);
  return good;
}

int main(int argc, char **argv)
{
  int is_check = argc == 2 && strcmp(argv[1], "--check") == 0;
  if (argc != 2) {
    fprintf(stderr, "usage: %s SQUARES.png, or --check\n", argv[0]);
    return EXIT_USAGE;
  }
  size_t n_bytes = (size_t)SIDE * SIDE * sizeof(int);
  size_t n_what = (size_t)(SIDE / LEAF) * (SIDE / LEAF) * sizeof(int);
  canvas c = canvas_of(SIDE, FIRST, LIMIT);
  int *d_what, *what = (int *)malloc(n_what), *dwells = (int *)malloc(n_bytes);
  CUDA_CHECK(cudaMalloc(&c.dwells, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_what, n_what));
  CUDA_CHECK(cudaMemset(d_what, 0, n_what));
  square whole = {0, 0, SIDE};
  seen<<<4, SQUARE_THREADS>>>(c, whole, d_what);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(dwells, c.dwells, n_bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(what, d_what, n_what, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(c.dwells));
  CUDA_CHECK(cudaFree(d_what));
  int good = check(c, dwells);

  picture p = {SIDE, SIDE, (unsigned char *)malloc(3 * (size_t)SIDE * SIDE)};
  paint(&p, dwells);
  if (good && !is_check) {
    outline(&p, what);
    write(&p, argv[1]);
  }
  picture_free(&p);
  free(dwells);
  free(what);
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
