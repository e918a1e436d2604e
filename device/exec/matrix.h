/* Matrix instructions: wmma, mma, ldmatrix, stmatrix, movmatrix (PTX ISA
 * 9.7.14).
 *
 * A matrix is spread over a warp's registers in *runs*: neighbouring elements
 * of one line, held by one lane. Four lanes side by side hold a *slab* of a
 * line, eight such groups hold eight lines. Lines of A are its rows, lines of
 * B its columns, so that the direction of the sum (k) runs along every line.
 * The ISA leaves wmma's fragments open; they are placed here as an H200 does.
 */
#ifndef DEVICE_EXEC_MATRIX_H
#define DEVICE_EXEC_MATRIX_H

#include "lanes/handlers.h"
#include "machine.h"

enum matrix_type {
  MATRIX_F16,
  MATRIX_BF16,
  MATRIX_TF32,
  MATRIX_F32,
  MATRIX_F64,
  MATRIX_E4M3,
  MATRIX_E5M2,
  MATRIX_S8,
  MATRIX_U8,
  MATRIX_S4,
  MATRIX_U4,
  MATRIX_B1,
  MATRIX_S32,
  MATRIX_TYPES
};
unsigned matrix_bits(enum matrix_type type);

enum { MATRIX_REGISTERS = 8 };
struct matrix_fragment {
  enum matrix_type type;
  unsigned lines, depth; /* of the matrix */
  unsigned run;          /* elements */
  bool stacked;          /* lines 8..15 before the next slab */
  unsigned elements;     /* of one lane, each once */
  unsigned n_registers;  /* of one lane, repetitions included */
  slot registers[MATRIX_REGISTERS];
};
struct matrix_place {
  unsigned line, at;
};

/* Where in the matrix element `i` of `lane` lies. */
struct matrix_place matrix_place(const struct matrix_fragment *f, unsigned lane,
                                 unsigned i);

enum matrix_product { PRODUCT_MULTIPLY, PRODUCT_XOR, PRODUCT_AND };
struct matrix_extra {
  /* For shapes with 8 rows and 32 columns B is on the left: as on hardware,
   * the transposed product is what is calculated. */
  struct matrix_fragment left, right, c, d;
  enum matrix_product product;
  bool saturate;
  unsigned rounding;       /* f64: FLOAT_RZ and relatives */
  bool in_two_steps;       /* each of half of k */
  bool quads;              /* m8n8k4 of f16: four products */
  bool a_by_row, b_by_row; /* quads */
  /* mma.sp: half of A is left out, and `metadata`, of some lanes, says which.
   * `left` is what is there, half as deep as `right`. */
  bool sparse;
  unsigned selector;
  slot metadata; /* uint32_t lanes */
};
step_function matrix_multiply, matrix_transpose;

struct matrix_memory {
  struct memory_extra memory; /* first: the request's addresses */
  struct matrix_fragment fragment;
  bool along_lines; /* neighbours of a line are so in memory */
  bool is_store;
  bool has_stride;
  slot stride;  /* uint32_t lanes, elements */
  slot address; /* uint64_t lanes: for one access */
};
step_function matrix_move;

struct matrix_rows { /* ldmatrix, stmatrix */
  struct memory_extra memory;
  unsigned n; /* matrices */
  bool transposed, is_store;
  slot registers[4];
};
step_function matrix_rows;

/* Sums, rounded to nearest; zero has no sign. */
uint32_t matrix_half(double sum);
static inline uint32_t matrix_single(double sum)
{
  union {
    float value;
    uint32_t bits;
  } to = { .value = (float)sum };

  return (to.bits & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : to.bits;
}

/* All lanes must be there; otherwise ends the launch and returns false. */
bool matrix_whole_warp(struct warp *w, const struct step *s, uint32_t mask);

#endif
