/* Decoders of wgmma. */
#include <stdio.h>
#include <string.h>

#include "decode.h"
#include "wgmma.h"

/* Of D, A and B: the last three types of an opcode. */
static bool types_of(struct decoder *d, struct wgmma_extra *x)
{
  static const char *const names[MATRIX_TYPES] = {
    [MATRIX_F16] = "f16", [MATRIX_BF16] = "bf16", [MATRIX_TF32] = "tf32",
    [MATRIX_F32] = "f32", [MATRIX_E4M3] = "e4m3", [MATRIX_E5M2] = "e5m2",
    [MATRIX_S8] = "s8",   [MATRIX_U8] = "u8",     [MATRIX_B1] = "b1",
    [MATRIX_S32] = "s32",
  };
  enum matrix_type *const to[] = { &x->d_type, &x->a_type, &x->b_type };
  const struct ptx_match *match = &d->match;
  unsigned n = 0;

  for (size_t i = 0; i < match->n_modifiers && n < 3; i++)
    for (unsigned t = 0; t < MATRIX_TYPES; t++)
      if (names[t] != NULL && strlen(names[t]) == match->modifiers[i].length &&
          memcmp(names[t], match->modifiers[i].text, strlen(names[t])) == 0 &&
          n < 3)
        *to[n++] = (enum matrix_type)t;
  return n == 3 || decode_refuse(d, "three types are meant");
}

static bool shape_of(struct decoder *d, struct wgmma_extra *x)
{
  unsigned most = 0;

  for (size_t i = 0; i < d->match.n_modifiers && most == 0; i++)
    if (sscanf(d->match.modifiers[i].text, "m64n%uk%u", &x->n, &x->k) == 2)
      most = MULTIPLICATION_COLUMNS;
  if (most == 0 || x->n == 0 || x->n > most || x->n % 8 != 0)
    return decode_refuse(d, "no such shape");
  /* Of whole numbers and bits there are fewer shapes. */
  if (x->d_type == MATRIX_S32 && x->n > 32 && x->n % 16 != 0)
    return decode_refuse(d, "no product of this shape for these types");
  return true;
}

static bool has_factors(const struct wgmma_extra *x)
{
  bool eight = x->a_type == MATRIX_E4M3 || x->a_type == MATRIX_E5M2;

  return eight ? x->b_type == MATRIX_E4M3 || x->b_type == MATRIX_E5M2
         : x->a_type == MATRIX_S8 || x->a_type == MATRIX_U8
             ? x->b_type == MATRIX_S8 || x->b_type == MATRIX_U8
             : x->a_type == x->b_type;
}

static bool has_sums(const struct wgmma_extra *x)
{
  switch (x->a_type) {
  case MATRIX_F16:
  case MATRIX_E4M3:
  case MATRIX_E5M2: return x->d_type == MATRIX_F32 || x->d_type == MATRIX_F16;
  case MATRIX_BF16:
  case MATRIX_TF32: return x->d_type == MATRIX_F32;
  default: return x->d_type == MATRIX_S32;
  }
}

static bool registers_of(struct decoder *d, const struct ptx_operand *list,
                         unsigned n, bool are_results, slot *to)
{
  if (list->kind != OPERAND_LIST || list->n_items != n)
    return decode_refuse(d, "a vector of %u registers is meant", n);
  for (unsigned i = 0; i < n; i++)
    if (!(are_results ? decode_result(d, &list->items[i], 4, &to[i])
                      : decode_source(d, &list->items[i], 4, &to[i])))
      return false;
  return true;
}

static bool immediate(struct decoder *d, size_t operand, uint64_t first,
                      uint64_t second, const char *what, bool *is_second)
{
  const struct ptx_operand *o = &d->instruction->operands[operand];

  if (o->kind != OPERAND_INTEGER || (o->value != first && o->value != second))
    return decode_refuse(d, "%s is %lld or %lld, an immediate", what,
                         (long long)first, (long long)second);
  *is_second = o->value == second;
  return true;
}

/* d, a, b, scale-d, imm-scale-a, imm-scale-b, imm-trans-a, imm-trans-b: whole
 * numbers have no imm-scale; only 16-bit elements may be turned, and A only
 * where it is in shared memory. */
bool decode_wgmma(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  struct wgmma_extra *x = decode_keep(d, sizeof *x);
  bool whole, turns;
  size_t n;

  if (!types_of(d, x) || !shape_of(d, x))
    return false;
  if (!has_factors(x) || !has_sums(x) || x->k != 256 / matrix_bits(x->a_type))
    return decode_refuse(d, "no product of this shape for these types");
  whole = x->d_type == MATRIX_S32;
  turns = matrix_bits(x->a_type) == 16;
  x->saturate = ptx_has(&d->match, "satfinite");
  if ((x->saturate && !whole) || (x->saturate && x->a_type == MATRIX_B1))
    return decode_refuse(d, ".satfinite is for .s8 and .u8");
  if ((x->a_type == MATRIX_B1) != ptx_has(&d->match, "popc") ||
      (x->a_type == MATRIX_B1) != ptx_has(&d->match, "and"))
    return decode_refuse(d, ".and.popc is for .b1");
  if (d->instruction->n_operands < 3)
    return decode_refuse(d, "%zu operands", d->instruction->n_operands);
  x->a_is_shared = operands[1].kind != OPERAND_LIST;
  n = 4u + (whole ? 0 : 2) + (turns ? 1 + x->a_is_shared : 0);
  x->n_registers = x->n / (x->d_type == MATRIX_F16 ? 4 : 2);
  if (!decode_operands(d, n, n) ||
      !registers_of(d, &operands[0], x->n_registers, true, x->d) ||
      !(x->a_is_shared
            ? decode_source(d, &operands[1], 8, &x->a)
            : registers_of(d, &operands[1], 4, false, x->a_registers)) ||
      !decode_source(d, &operands[2], 8, &x->b) ||
      !decode_predicate(d, &operands[3], &x->keeps, &x->keeps_invert))
    return false;
  if (!whole && (!immediate(d, 4, 1, UINT64_MAX, "imm-scale-a", &x->negate_a) ||
                 !immediate(d, 5, 1, UINT64_MAX, "imm-scale-b", &x->negate_b)))
    return false;
  if (turns && ((x->a_is_shared &&
                 !immediate(d, 6, 0, 1, "imm-trans-a", &x->a_crosswise)) ||
                !immediate(d, n - 1, 0, 1, "imm-trans-b", &x->b_crosswise)))
    return false;
  d->program->records[d->record].flops.matrix =
      2 * WGMMA_ROWS / WARPGROUP * x->n * x->k / LANES;
  decode_emit(d, wgmma_multiply)->extra = x;
  return true;
}

bool decode_wgmma_order(struct decoder *d)
{
  bool waits = ptx_has(&d->match, "wait_group");
  struct step *s;

  if (!decode_operands(d, waits, waits))
    return false;
  if (waits && d->instruction->operands[0].kind != OPERAND_INTEGER)
    return decode_refuse(d, "the number of groups is an immediate");
  s = decode_emit(d, wgmma_order);
  s->flags = waits                                ? WGMMA_WAIT
             : ptx_has(&d->match, "commit_group") ? WGMMA_COMMIT
                                                  : WGMMA_FENCE;
  s->immediate = waits ? d->instruction->operands[0].value : 0;
  return true;
}
