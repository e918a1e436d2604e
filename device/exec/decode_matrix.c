/* Decoders of the matrix instructions. */
#include <stdio.h>
#include <string.h>

#include "decode.h"
#include "matrix.h"

static enum access_space matrix_space(const struct ptx_match *match)
{
  if (ptx_has(match, "global"))
    return ACCESS_GLOBAL;
  return ptx_has(match, "shared") || ptx_has(match, "shared::cta")
             ? ACCESS_SHARED
             : ACCESS_GENERIC;
}

/* The matrix types that an opcode names, in its order. */
static unsigned matrix_types(const struct ptx_match *match,
                             enum matrix_type *types, unsigned most)
{
  static const char *const names[MATRIX_TYPES] = {
    [MATRIX_F16] = "f16",   [MATRIX_BF16] = "bf16", [MATRIX_TF32] = "tf32",
    [MATRIX_F32] = "f32",   [MATRIX_F64] = "f64",   [MATRIX_E4M3] = "e4m3",
    [MATRIX_E5M2] = "e5m2", [MATRIX_S8] = "s8",     [MATRIX_U8] = "u8",
    [MATRIX_S4] = "s4",     [MATRIX_U4] = "u4",     [MATRIX_B1] = "b1",
    [MATRIX_S32] = "s32",
  };
  unsigned n = 0;

  for (size_t i = 0; i < match->n_modifiers; i++)
    for (unsigned t = 0; t < MATRIX_TYPES; t++)
      if (strlen(names[t]) == match->modifiers[i].length &&
          memcmp(names[t], match->modifiers[i].text,
                 match->modifiers[i].length) == 0 &&
          n < most)
        types[n++] = (enum matrix_type)t;
  return n;
}

struct shape {
  unsigned m, n, k;
};

static struct shape shape_of(const struct ptx_match *match)
{
  struct shape shape = { 0, 0, 0 };

  for (size_t i = 0; i < match->n_modifiers; i++)
    if (sscanf(match->modifiers[i].text, "m%un%uk%u", &shape.m, &shape.n,
               &shape.k) == 3)
      break;
  return shape;
}

/* .row or .col: the first or the second of an opcode's. */
static bool by_row(const struct ptx_match *match, unsigned which)
{
  for (size_t i = 0; i < match->n_modifiers; i++) {
    bool row = strncmp(match->modifiers[i].text, "row", 3) == 0;

    if ((row || strncmp(match->modifiers[i].text, "col", 3) == 0) &&
        match->modifiers[i].length == 3 && which-- == 0)
      return row;
  }
  return false;
}

/* ---- shapes and types ---------------------------------------------------- */

struct rule {
  struct shape shape;
  unsigned types; /* of A and B: bits 1 << enum matrix_type */
};
#define BIT(type) (1u << MATRIX_##type)
#define BYTES (BIT(S8) | BIT(U8))
#define NIBBLES (BIT(S4) | BIT(U4))
#define SMALL (BIT(E4M3) | BIT(E5M2))

static const struct rule mma_rules[] = {
  { { 8, 8, 4 }, BIT(F16) | BIT(F64) },
  { { 8, 8, 16 }, BYTES },
  { { 8, 8, 32 }, NIBBLES },
  { { 8, 8, 128 }, BIT(B1) },
  { { 16, 8, 4 }, BIT(TF32) | BIT(F64) },
  { { 16, 8, 8 }, BIT(F16) | BIT(BF16) | BIT(TF32) | BIT(F64) },
  { { 16, 8, 16 }, BIT(F16) | BIT(BF16) | BIT(F64) | BYTES | SMALL },
  { { 16, 8, 32 }, BYTES | NIBBLES | SMALL },
  { { 16, 8, 64 }, NIBBLES },
  { { 16, 8, 128 }, BIT(B1) },
  { { 16, 8, 256 }, BIT(B1) },
  { { 0, 0, 0 }, 0 },
};
static const struct rule sparse_rules[] = {
  { { 16, 8, 8 }, BIT(TF32) },
  { { 16, 8, 16 }, BIT(F16) | BIT(BF16) | BIT(TF32) },
  { { 16, 8, 32 }, BIT(F16) | BIT(BF16) | BYTES },
  { { 16, 8, 64 }, BYTES | NIBBLES | SMALL },
  { { 16, 8, 128 }, NIBBLES },
  { { 0, 0, 0 }, 0 },
};
static const struct rule wmma_rules[] = {
  { { 16, 16, 16 }, BIT(F16) | BIT(BF16) | BYTES },
  { { 8, 32, 16 }, BIT(F16) | BIT(BF16) | BYTES },
  { { 32, 8, 16 }, BIT(F16) | BIT(BF16) | BYTES },
  { { 16, 16, 8 }, BIT(TF32) },
  { { 8, 8, 4 }, BIT(F64) },
  { { 8, 8, 32 }, NIBBLES },
  { { 8, 8, 128 }, BIT(B1) },
  { { 0, 0, 0 }, 0 },
};

static unsigned types_for(const struct rule *rule, struct shape shape)
{
  for (; rule->shape.m != 0; rule++)
    if (rule->shape.m == shape.m && rule->shape.n == shape.n &&
        rule->shape.k == shape.k)
      return rule->types;
  return 0;
}

/* Types of C and D that go with a type of A and B. */
static unsigned sum_types(enum matrix_type type)
{
  switch (type) {
  case MATRIX_F16:
  case MATRIX_E4M3:
  case MATRIX_E5M2: return BIT(F16) | BIT(F32);
  case MATRIX_BF16:
  case MATRIX_TF32: return BIT(F32);
  case MATRIX_F64: return BIT(F64);
  default: return BIT(S32);
  }
}

/* ---- fragments ----------------------------------------------------------- */

static struct matrix_fragment factor(enum matrix_type type, unsigned lines,
                                     unsigned depth, bool left)
{
  unsigned bits = matrix_bits(type);

  return (struct matrix_fragment){ .type = type,
                                   .lines = lines,
                                   .depth = depth,
                                   .run = bits >= 32 ? 1 : 32 / bits,
                                   .stacked = left,
                                   .elements = lines * depth / LANES };
}

static struct matrix_fragment sum(enum matrix_type type, unsigned lines,
                                  unsigned depth)
{
  return (struct matrix_fragment){ .type = type,
                                   .lines = lines,
                                   .depth = depth,
                                   .run = 2,
                                   .stacked = true,
                                   .elements = lines * depth / LANES };
}

/* Shapes with 8 rows are turned when they have more columns than rows. */
static bool turned(struct shape shape) { return shape.m < shape.n; }

static bool fragment_registers(struct decoder *d,
                               const struct ptx_operand *list, bool repeats,
                               bool are_results, struct matrix_fragment *f)
{
  unsigned bits = matrix_bits(f->type), bytes = bits == 64 ? 8 : 4;
  unsigned n = f->elements * bits / (8 * bytes);

  if (repeats)
    n = MATRIX_REGISTERS;
  if (list->kind != OPERAND_LIST || list->n_items != n)
    return decode_refuse(d, "a vector of %u registers is meant", n);
  f->n_registers = n;
  for (unsigned i = 0; i < n; i++)
    if (!(are_results
              ? decode_result(d, &list->items[i], bytes, &f->registers[i])
              : decode_source(d, &list->items[i], bytes, &f->registers[i])))
      return false;
  return true;
}

/* ---- mma ----------------------------------------------------------------- */

static bool product_kind(struct decoder *d, const enum matrix_type *types,
                         struct matrix_extra *x)
{
  static const char *const modes[] = { "rz", "rm", "rp" };
  bool bits = types[1] == MATRIX_B1;

  x->saturate = ptx_has(&d->match, "satfinite");
  for (unsigned i = 0; i < 3; i++)
    if (ptx_has(&d->match, modes[i]))
      x->rounding = i + 1;
  if (bits != ptx_has(&d->match, "popc") ||
      (ptx_has(&d->match, "xor") || ptx_has(&d->match, "and")) != bits)
    return decode_refuse(d, ".popc is for .b1");
  if (x->saturate && (bits || types[0] != MATRIX_S32))
    return decode_refuse(d, ".satfinite is for whole numbers");
  if ((x->rounding != 0 || ptx_has(&d->match, "rn")) && types[1] != MATRIX_F64)
    return decode_refuse(d, "rounding is for .f64");
  if (bits)
    x->product = ptx_has(&d->match, "xor") ? PRODUCT_XOR : PRODUCT_AND;
  return true;
}

/* types: D, A, B, C. */
static bool check_types(struct decoder *d, const struct rule *rules,
                        struct shape shape, const enum matrix_type *types)
{
  unsigned allowed = types_for(rules, shape), sums = sum_types(types[1]);

  if (!(allowed >> types[1] & 1) || !(allowed >> types[2] & 1) ||
      matrix_bits(types[1]) != matrix_bits(types[2]) ||
      (types[1] != types[2] && sums != BIT(S32) &&
       !(BIT(E4M3) & allowed && types[1] >= MATRIX_E4M3)))
    return decode_refuse(d, "no product of this shape for these types");
  if (!(sums >> types[0] & 1) || !(sums >> types[3] & 1))
    return decode_refuse(d, "no sum of these types");
  return true;
}

/* m8n8k4 of f16 has two lines of four elements in each lane. */
static void quad_fragments(struct decoder *d, struct matrix_extra *x)
{
  x->quads = true;
  x->a_by_row = by_row(&d->match, 0);
  x->b_by_row = by_row(&d->match, 1);
  x->left.elements = x->right.elements = 4;
  x->c.elements = x->d.elements = 8;
}

/* mma.sp: metadata, and which lanes' it is: 0 to 3 where one lane of four has
 * all of it, 0 or 1 where two have, 0 where all four have. */
static bool sparse_operands(struct decoder *d, struct shape shape,
                            struct matrix_extra *x)
{
  const struct ptx_operand *operands = d->instruction->operands;
  unsigned bits = matrix_bits(x->left.type);
  unsigned groups = shape.k / (bits == 32 ? 2 : bits == 4 ? 8 : 4);

  if (operands[5].kind != OPERAND_INTEGER)
    return decode_refuse(d, "the sparsity selector is a constant");
  x->selector = (unsigned)operands[5].value;
  if (x->selector >= 4 / (groups / 4))
    return decode_refuse(d, "no such sparsity selector for this shape");
  return decode_source(d, &operands[4], 4, &x->metadata);
}

static bool emit_product(struct decoder *d, struct shape shape,
                         const enum matrix_type *types, bool repeats,
                         struct matrix_extra *x)
{
  const struct ptx_operand *operands = d->instruction->operands;
  struct matrix_fragment *a = &x->left, *b = &x->right;

  if (turned(shape)) {
    x->left = factor(types[2], shape.n, shape.k, true);
    x->right = factor(types[1], shape.m, shape.k, false);
    a = &x->right;
    b = &x->left;
  } else {
    x->left =
        factor(types[1], shape.m, x->sparse ? shape.k / 2 : shape.k, true);
    x->right = factor(types[2], shape.n, shape.k, false);
  }
  x->c = sum(types[3], x->left.lines, x->right.lines);
  x->d = sum(types[0], x->left.lines, x->right.lines);
  if (shape.k == 4 && types[1] == MATRIX_F16)
    quad_fragments(d, x);
  if (!decode_operands(d, x->sparse ? 6 : 4, x->sparse ? 6 : 4) ||
      (x->sparse && !sparse_operands(d, shape, x)) ||
      !fragment_registers(d, &operands[0], false, true, &x->d) ||
      !fragment_registers(d, &operands[1], repeats, false, a) ||
      !fragment_registers(d, &operands[2], repeats, false, b) ||
      !fragment_registers(d, &operands[3], false, false, &x->c))
    return false;
  d->program->records[d->record].flops.matrix =
      2 * shape.m * shape.n * (x->sparse ? shape.k / 2 : shape.k) *
      (x->quads ? 4 : 1) / LANES;
  decode_emit(d, matrix_multiply)->extra = x;
  return true;
}

bool decode_mma(struct decoder *d)
{
  struct matrix_extra *x = decode_keep(d, sizeof *x);
  struct shape shape = shape_of(&d->match);
  enum matrix_type types[4];

  if (matrix_types(&d->match, types, 4) != 4)
    return decode_refuse(d, "four types are meant");
  x->sparse =
      ptx_has(&d->match, "sp") || ptx_has(&d->match, "sp::ordered_metadata");
  if (!check_types(d, x->sparse ? sparse_rules : mma_rules, shape, types) ||
      !product_kind(d, types, x))
    return false;
  x->in_two_steps = SMALL >> types[1] & 1;
  if (x->sparse && x->in_two_steps && types[0] != MATRIX_F32)
    return decode_refuse(d, "no sum of this type on this GPU");
  if (!(shape.k == 4 && types[1] == MATRIX_F16) &&
      !(by_row(&d->match, 0) && !by_row(&d->match, 1)))
    return decode_refuse(d, "this shape is for .row.col only");
  return emit_product(d, shape, types, false, x);
}

/* wmma names two types when A and B are f16. Its fragments do not depend on
 * .row and .col: loading has taken care of those. */
bool decode_wmma_mma(struct decoder *d)
{
  struct matrix_extra *x = decode_keep(d, sizeof *x);
  struct shape shape = shape_of(&d->match);
  enum matrix_type types[4];
  unsigned n = matrix_types(&d->match, types, 4);

  if (n == 2) {
    types[3] = types[1];
    types[1] = types[2] = MATRIX_F16;
  } else if (n != 4) {
    return decode_refuse(d, "two or four types are meant");
  }
  if (!check_types(d, wmma_rules, shape, types) || !product_kind(d, types, x))
    return false;
  x->in_two_steps = types[1] == MATRIX_TF32;
  if (matrix_bits(types[1]) < 8 &&
      !(by_row(&d->match, 0) && !by_row(&d->match, 1)))
    return decode_refuse(d, "this type is for .row.col only");
  return emit_product(d, shape, types, types[1] == MATRIX_F16, x);
}

/* ---- wmma.load, wmma.store ----------------------------------------------- */

static bool memory_fragment(struct decoder *d, enum matrix_type type,
                            struct matrix_memory *x)
{
  struct shape shape = shape_of(&d->match);
  bool row = by_row(&d->match, 0), turn = turned(shape);
  unsigned allowed = types_for(wmma_rules, shape), sums = 0;

  for (unsigned t = 0; t < MATRIX_TYPES; t++)
    if (allowed >> t & 1)
      sums |= sum_types((enum matrix_type)t);
  if (ptx_has(&d->match, "a")) {
    x->fragment = factor(type, shape.m, shape.k, !turn);
    x->along_lines = row;
  } else if (ptx_has(&d->match, "b")) {
    x->fragment = factor(type, shape.n, shape.k, turn);
    x->along_lines = !row;
  } else {
    allowed = sums;
    x->fragment =
        turn ? sum(type, shape.n, shape.m) : sum(type, shape.m, shape.n);
    x->along_lines = row != turn;
  }
  if (!(allowed >> type & 1))
    return decode_refuse(d, "no matrix of this shape and type");
  if (matrix_bits(type) < 8 && !x->along_lines)
    return decode_refuse(d, "this type lies the other way only");
  return true;
}

static bool decode_wmma_memory(struct decoder *d, bool is_store)
{
  const struct ptx_operand *operands = d->instruction->operands;
  struct matrix_memory *x = decode_keep(d, sizeof *x);
  struct record *record = &d->program->records[d->record];
  enum matrix_type type = MATRIX_TYPES;
  uint64_t offset = 0;
  slot base = SLOT_TRUE;
  struct step *s;

  if (matrix_types(&d->match, &type, 1) != 1)
    return decode_refuse(d, "a type is missing");
  x->is_store = is_store;
  x->address = decode_temporary(d, 8);
  x->has_stride = d->instruction->n_operands == 3;
  if (!decode_operands(d, 2, 3) || !memory_fragment(d, type, x) ||
      !fragment_registers(d, &operands[is_store],
                          type == MATRIX_F16 && !ptx_has(&d->match, "c") &&
                              !is_store,
                          !is_store, &x->fragment) ||
      !decode_address(d, &operands[!is_store], matrix_space(&d->match),
                      &x->memory, &base, &offset) ||
      (x->has_stride && !decode_source(d, &operands[2], 4, &x->stride)))
    return false;
  s = decode_emit(d, matrix_move);
  s->a = base;
  s->immediate = offset;
  s->extra = x;
  record->class_ = x->memory.space == ACCESS_SHARED
                       ? (is_store ? COUNT_SHARED_STORE : COUNT_SHARED_LOAD)
                       : (is_store ? COUNT_GLOBAL_STORE : COUNT_GLOBAL_LOAD);
  record->access_bytes = x->fragment.elements * matrix_bits(type) / 8;
  return true;
}

bool decode_wmma_load(struct decoder *d)
{
  return decode_wmma_memory(d, false);
}

bool decode_wmma_store(struct decoder *d)
{
  return decode_wmma_memory(d, true);
}

/* ---- ldmatrix, stmatrix, movmatrix --------------------------------------- */

bool decode_matrix_rows(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  struct matrix_rows *x = decode_keep(d, sizeof *x);
  const struct ptx_operand *list;
  uint64_t offset = 0;
  slot base = SLOT_TRUE;
  struct step *s;

  x->is_store = d->instruction->opcode[0] == 's';
  x->transposed = ptx_has(&d->match, "trans");
  x->n = ptx_has(&d->match, "x1") ? 1 : ptx_has(&d->match, "x2") ? 2 : 4;
  list = &operands[x->is_store];
  if (!decode_operands(d, 2, 2) ||
      !decode_address(d, &operands[!x->is_store], ACCESS_SHARED, &x->memory,
                      &base, &offset))
    return false;
  if (list->kind != OPERAND_LIST || list->n_items != x->n)
    return decode_refuse(d, "a vector of %u registers is meant", x->n);
  for (unsigned i = 0; i < x->n; i++)
    if (!(x->is_store ? decode_source(d, &list->items[i], 4, &x->registers[i])
                      : decode_result(d, &list->items[i], 4, &x->registers[i])))
      return false;
  s = decode_emit(d, matrix_rows);
  s->a = base;
  s->immediate = offset;
  s->extra = x;
  d->program->records[d->record].class_ =
      x->is_store ? COUNT_SHARED_STORE : COUNT_SHARED_LOAD;
  return true;
}

bool decode_matrix_transpose(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  slot result, source;
  struct step *s;

  if (!decode_operands(d, 2, 2) ||
      !decode_source(d, &operands[1], 4, &source) ||
      !decode_result(d, &operands[0], 4, &result))
    return false;
  s = decode_emit(d, matrix_transpose);
  s->d = result;
  s->a = source;
  return true;
}
