/* Decoders of moves, conversions, comparisons and selections. */
#include <string.h>

#include "decode.h"
#include "half_steps.h"
#include "pack.h"

static bool decode_parts(struct decoder *d, const struct ptx_operand *list,
                         unsigned whole, bool are_results,
                         struct pack_extra *extra)
{
  if (list->n_items == 0 || list->n_items > 8 || whole % list->n_items != 0)
    return decode_refuse(d, "vector of %zu parts", list->n_items);
  extra->n = (unsigned)list->n_items;
  extra->bytes = whole / extra->n;
  extra->stride = extra->bytes < 2 ? 2 : extra->bytes;
  for (unsigned i = 0; i < extra->n; i++)
    if (!(are_results ? decode_result(d, &list->items[i], extra->stride,
                                      &extra->parts[i])
                      : decode_source(d, &list->items[i], extra->stride,
                                      &extra->parts[i])))
      return false;
  return true;
}

/* What mov's plain rows refuse: vectors and 128 bits. */
bool decode_move(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  unsigned whole = ptx_type_bytes(d->match.types[0]);
  struct pack_extra *extra = decode_keep(d, sizeof *extra);
  bool split =
      d->instruction->n_operands > 0 && operands[0].kind == OPERAND_LIST;
  slot other;
  struct step *s;

  if (!decode_operands(d, 2, 2))
    return false;
  if (!split && operands[1].kind != OPERAND_LIST) {
    slot source;

    if (whole != 16 || !decode_source(d, &operands[1], 16, &source) ||
        !decode_result(d, &operands[0], 16, &other))
      return false; /* the plain row has said why */
    s = decode_emit(d, pack_move_wide);
    s->a = source;
    s->d = other;
    return true;
  }
  if (!decode_parts(d, &operands[split ? 0 : 1], whole, split, extra) ||
      !(split ? decode_source(d, &operands[1], whole, &other)
              : decode_result(d, &operands[0], whole, &other)))
    return false;
  s = decode_emit(d, split ? pack_split : pack_join);
  s->extra = extra;
  s->a = s->d = other;
  return true;
}

/* ---- conversions --------------------------------------------------------- */

static int plain_conversion(const struct convert_extra *e)
{
  static const struct {
    enum ptx_type to, from;
    int plain;
  } table[] = {
    { TYPE_U64, TYPE_U32, CONVERT_U32_U64 },
    { TYPE_S64, TYPE_U32, CONVERT_U32_U64 },
    { TYPE_S64, TYPE_S32, CONVERT_S32_S64 },
    { TYPE_U64, TYPE_S32, CONVERT_S32_S64 },
    { TYPE_U32, TYPE_U64, CONVERT_64_32 },
    { TYPE_S32, TYPE_U64, CONVERT_64_32 },
    { TYPE_U32, TYPE_S64, CONVERT_64_32 },
    { TYPE_S32, TYPE_S64, CONVERT_64_32 },
    { TYPE_F32, TYPE_S32, CONVERT_S32_F32 },
    { TYPE_F32, TYPE_U32, CONVERT_U32_F32 },
    { TYPE_F64, TYPE_S32, CONVERT_S32_F64 },
  };

  if (e->saturate || e->ftz || e->relu || e->round_to_integer ||
      e->rounding != CONVERT_RN || e->to_bytes != ptx_type_bytes(e->to) ||
      e->from_bytes != ptx_type_bytes(e->from))
    return -1;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (table[i].to == e->to && table[i].from == e->from)
      return table[i].plain;
  return -1;
}

static void conversion_modifiers(const struct ptx_match *match,
                                 struct convert_extra *extra)
{
  static const char *const modes[] = { "rn", "rz", "rm", "rp", "rna" };
  static const char *const whole[] = { "rni", "rzi", "rmi", "rpi" };

  for (unsigned i = 0; i < 5; i++)
    if (ptx_has(match, modes[i]))
      extra->rounding = i;
  for (unsigned i = 0; i < 4; i++)
    if (ptx_has(match, whole[i])) {
      extra->rounding = i;
      extra->round_to_integer = true;
    }
  extra->saturate = ptx_has(match, "sat");
  extra->ftz = ptx_has(match, "ftz");
  extra->relu = ptx_has(match, "relu");
  extra->finite = ptx_has(match, "satfinite");
}

/* Which rounding goes with which types (PTX ISA, cvt): .rni and relatives to
 * integers or within one float type; .rn and relatives into a float. */
static bool rounding_fits(struct decoder *d, const struct convert_extra *e)
{
  bool to_float = ptx_type_is_float(e->to);
  bool from_float = ptx_type_is_float(e->from);
  bool rounds = ptx_has(&d->match, "rn") || e->rounding != CONVERT_RN;

  if (from_float && !to_float && !e->round_to_integer)
    return decode_refuse(d, "conversion to an integer needs .rni, .rzi, "
                            ".rmi or .rpi");
  if (e->round_to_integer && !(from_float && (!to_float || e->to == e->from)))
    return decode_refuse(d, "rounding to an integer does not go with these "
                            "types");
  if (e->finite &&
      (e->from != TYPE_F32 ||
       (e->to != TYPE_F16 && e->to != TYPE_BF16 && e->to != TYPE_TF32)))
    return decode_refuse(d, ".satfinite does not go with these types");
  if (!to_float && !from_float && rounds)
    return decode_refuse(d, "nothing to round between integers");
  return true;
}

bool decode_convert(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  struct convert_extra *extra = decode_keep(d, sizeof *extra);
  slot result, source;
  struct step *s;
  int plain;

  if (!decode_operands(d, 2, 2))
    return false;
  extra->to = d->match.types[0];
  extra->from = d->match.types[1];
  conversion_modifiers(&d->match, extra);
  if (!rounding_fits(d, extra))
    return false;
  extra->to_bytes = operands[0].kind == OPERAND_REGISTER
                        ? decode_register_bytes(&operands[0])
                        : ptx_type_bytes(extra->to);
  extra->from_bytes = operands[1].kind == OPERAND_REGISTER
                          ? decode_register_bytes(&operands[1])
                          : ptx_type_bytes(extra->from);
  if (extra->from_bytes < 2)
    extra->from_bytes = 2;
  if (extra->to_bytes < 2)
    extra->to_bytes = 2;
  if (extra->to_bytes < ptx_type_bytes(extra->to) ||
      extra->from_bytes < ptx_type_bytes(extra->from))
    return decode_refuse(d, "register narrower than its type");
  if (extra->to_bytes > 8 || extra->from_bytes > 8)
    return decode_refuse(d, "register of 16 bytes");
  if (!decode_source(d, &operands[1], extra->from_bytes, &source) ||
      !decode_result(d, &operands[0], extra->to_bytes, &result))
    return false;
  plain = plain_conversion(extra);
  s = decode_emit(d, plain < 0 ? d->lanes->convert
                               : d->lanes->convert_plain[plain]);
  s->d = result;
  s->a = source;
  s->extra = extra;
  return true;
}

bool decode_cache_policy(struct decoder *d)
{
  slot result;
  struct step *s;

  if (!decode_operands(d, 1, 5) ||
      !decode_result(d, &d->instruction->operands[0], 8, &result))
    return false;
  s = decode_emit(d, d->lanes->plain[OP_mov_64]);
  s->d = result;
  s->a = decode_constant(d, 0, 8);
  return true;
}

/* ---- comparisons --------------------------------------------------------- */

static int comparison_of(const struct ptx_match *match, bool is_float)
{
  static const struct {
    const char *name;
    int comparison;
  } names[] = {
    { "eq", COMPARE_EQ },   { "ne", COMPARE_NE },   { "lt", COMPARE_LT },
    { "le", COMPARE_LE },   { "gt", COMPARE_GT },   { "ge", COMPARE_GE },
    { "lo", COMPARE_LT },   { "ls", COMPARE_LE },   { "hi", COMPARE_GT },
    { "hs", COMPARE_GE },   { "equ", COMPARE_EQU }, { "neu", COMPARE_NEU },
    { "ltu", COMPARE_LTU }, { "leu", COMPARE_LEU }, { "gtu", COMPARE_GTU },
    { "geu", COMPARE_GEU }, { "num", COMPARE_NUM }, { "nan", COMPARE_NAN },
  };

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (ptx_has(match, names[i].name))
      return !is_float && names[i].comparison > COMPARE_GE
                 ? -1
                 : names[i].comparison;
  return -1;
}

static int compare_type_of(enum ptx_type type)
{
  switch (type) {
  case TYPE_B16:
  case TYPE_U16: return COMPARE_U16;
  case TYPE_S16: return COMPARE_S16;
  case TYPE_B32:
  case TYPE_U32: return COMPARE_U32;
  case TYPE_S32: return COMPARE_S32;
  case TYPE_B64:
  case TYPE_U64: return COMPARE_U64;
  case TYPE_S64: return COMPARE_S64;
  case TYPE_F32: return COMPARE_F32;
  case TYPE_F64: return COMPARE_F64;
  case TYPE_F16: return COMPARE_F16;
  case TYPE_BF16: return COMPARE_BF16;
  default: return -1;
  }
}

struct compared {
  slot d, a, b, c;
  uint32_t flags;
  struct second_slot *second;
};

static bool compare_result(struct decoder *d, bool is_set, struct compared *to)
{
  const struct ptx_operand *result = &d->instruction->operands[0];

  if (is_set) {
    to->flags |= d->match.types[0] == TYPE_F32 ? COMPARE_TO_F32 : COMPARE_TO_32;
    return decode_result(d, result, 4, &to->d);
  }
  if (result->second != NULL) {
    to->second = decode_keep(d, sizeof *to->second);
    to->flags |= COMPARE_SECOND;
    if (!decode_result(d, result->second, 1, &to->second->q))
      return false;
  }
  return decode_result(d, result, 1, &to->d);
}

static bool compare_combined(struct decoder *d, struct compared *to)
{
  const struct ptx_match *match = &d->match;
  uint32_t how = ptx_has(match, "and")   ? 1
                 : ptx_has(match, "or")  ? 2
                 : ptx_has(match, "xor") ? 3
                                         : 0;
  uint32_t invert = 0;

  if ((how != 0) != (d->instruction->n_operands == 4))
    return decode_refuse(d, "the fourth operand goes with .and, .or, .xor");
  to->flags |= how;
  if (how != 0 &&
      !decode_predicate(d, &d->instruction->operands[3], &to->c, &invert))
    return false;
  to->flags |= invert ? COMPARE_INVERT : 0;
  return true;
}

bool decode_compare(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  bool is_set = d->match.n_types == 2;
  enum ptx_type type = d->match.types[is_set];
  int row = compare_type_of(type);
  int comparison = comparison_of(&d->match, ptx_type_is_float(type));
  struct compared to = { .flags = ptx_has(&d->match, "ftz") ? COMPARE_FTZ : 0 };
  struct step *s;

  if (!decode_operands(d, 3, 4))
    return false;
  if (row < 0 || comparison < 0 ||
      ((to.flags & COMPARE_FTZ) && type != TYPE_F32))
    return decode_refuse(d, "a comparison that .%s does not have",
                         ptx_type_name(type));
  if (!decode_source(d, &operands[1], ptx_type_bytes(type), &to.a) ||
      !decode_source(d, &operands[2], ptx_type_bytes(type), &to.b) ||
      !compare_combined(d, &to) || !compare_result(d, is_set, &to))
    return false;
  s = decode_emit(d, d->lanes->compare[row][comparison]);
  s->d = to.d;
  s->a = to.a;
  s->b = to.b;
  s->c = to.c;
  s->flags = to.flags;
  s->extra = to.second;
  return true;
}

/* lop3.or d|p, a, b, c, table, q: two steps. */
bool decode_logic_and_predicate(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  slot p, value, sources[4], q;
  uint32_t invert;
  struct step *s;

  if (!decode_operands(d, 6, 6) || operands[0].second == NULL)
    return decode_refuse(d, "lop3 with a predicate needs d|p and q");
  for (unsigned i = 0; i < 4; i++)
    if (!decode_source(d, &operands[1 + i], 4, &sources[i]))
      return false;
  if (!decode_predicate(d, &operands[5], &q, &invert) ||
      !decode_result(d, &operands[0], 4, &value) ||
      !decode_result(d, operands[0].second, 1, &p))
    return false;
  s = decode_emit(d, d->lanes->plain[OP_lop3_b32]);
  s->d = value;
  s->a = sources[0];
  s->b = sources[1];
  s->c = sources[2];
  s->immediate = sources[3];
  s = decode_emit(d, d->lanes->compare[COMPARE_U32][COMPARE_NE]);
  s->d = p;
  s->a = value;
  s->b = decode_constant(d, 0, 4);
  s->c = q;
  s->flags =
      (ptx_has(&d->match, "and") ? 1u : 2u) | (invert ? COMPARE_INVERT : 0);
  return true;
}

bool decode_select(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  unsigned bytes = ptx_type_bytes(d->match.types[0]);
  slot result, a, b, p;
  uint32_t invert;
  struct step *s;

  if (!decode_operands(d, 4, 4) || !decode_source(d, &operands[1], bytes, &a) ||
      !decode_source(d, &operands[2], bytes, &b) ||
      !decode_predicate(d, &operands[3], &p, &invert) ||
      !decode_result(d, &operands[0], bytes, &result))
    return false;
  s = decode_emit(d, bytes == 2   ? d->lanes->select16
                     : bytes == 4 ? d->lanes->select32
                                  : d->lanes->select64);
  s->d = result;
  s->a = a;
  s->b = b;
  s->c = p;
  s->flags = invert ? 1 : 0;
  return true;
}

bool decode_select_by_sign(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  unsigned bytes = ptx_type_bytes(d->match.types[0]);
  bool by_float = d->match.types[1] == TYPE_F32;
  slot result, a, b, c;
  struct step *s;

  if (!decode_operands(d, 4, 4) || !decode_source(d, &operands[1], bytes, &a) ||
      !decode_source(d, &operands[2], bytes, &b) ||
      !decode_source(d, &operands[3], 4, &c) ||
      !decode_result(d, &operands[0], bytes, &result))
    return false;
  s = decode_emit(d, d->lanes->select_by_sign[by_float][bytes == 2   ? 0
                                                        : bytes == 4 ? 1
                                                                     : 2]);
  s->d = result;
  s->a = a;
  s->b = b;
  s->c = c;
  s->flags = ptx_has(&d->match, "ftz") ? COMPARE_FTZ : 0;
  return true;
}

bool decode_test_property(struct decoder *d)
{
  static const char *const names[] = { "finite",     "infinite", "number",
                                       "notanumber", "normal",   "subnormal" };
  const struct ptx_operand *operands = d->instruction->operands;
  bool wide = d->match.types[0] == TYPE_F64;
  slot result, source;
  struct step *s;

  if (!decode_operands(d, 2, 2) ||
      !decode_source(d, &operands[1], wide ? 8 : 4, &source) ||
      !decode_result(d, &operands[0], 1, &result))
    return false;
  s = decode_emit(d, d->lanes->test_property[wide]);
  s->d = result;
  s->a = source;
  for (uint32_t i = 0; i < 6; i++)
    if (ptx_has(&d->match, names[i]))
      s->flags = i;
  return true;
}

/* ---- half precision ------------------------------------------------------ */

bool decode_convert_pack(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  struct half_extra *extra = decode_keep(d, sizeof *extra);
  slot result, a, b;
  struct step *s;

  extra->bf16 = d->match.types[0] == TYPE_BF16X2;
  extra->rounding = ptx_has(&d->match, "rz") ? CONVERT_RZ : CONVERT_RN;
  extra->relu = ptx_has(&d->match, "relu");
  extra->finite = ptx_has(&d->match, "satfinite");
  if (!decode_operands(d, 3, 3) || !decode_source(d, &operands[1], 4, &a) ||
      !decode_source(d, &operands[2], 4, &b) ||
      !decode_result(d, &operands[0], 4, &result))
    return false;
  s = decode_emit(d, half_pack);
  s->d = result;
  s->a = a;
  s->b = b;
  s->extra = extra;
  return true;
}

static bool half_result(struct decoder *d, struct half_extra *extra,
                        slot *result)
{
  const struct ptx_operand *operand = &d->instruction->operands[0];
  enum ptx_type to = d->match.types[0];

  if (extra->is_set) {
    extra->to_float = ptx_type_is_float(to);
    extra->result_bytes = ptx_type_bytes(to);
    return decode_result(d, operand, extra->result_bytes, result);
  }
  extra->has_second = operand->second != NULL;
  if (extra->has_second &&
      !decode_result(d, operand->second, 1, &extra->second))
    return false;
  return decode_result(d, operand, 1, result);
}

bool decode_compare_x2(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  struct half_extra *extra = decode_keep(d, sizeof *extra);
  struct compared to = { 0 };
  enum ptx_type type;
  slot result;
  struct step *s;

  extra->is_set = d->match.n_types == 2;
  type = d->match.types[extra->is_set];
  extra->bf16 = type == TYPE_BF16 || type == TYPE_BF16X2;
  extra->pair = type == TYPE_F16X2 || type == TYPE_BF16X2;
  extra->ftz = ptx_has(&d->match, "ftz");
  extra->comparison = (enum comparison)comparison_of(&d->match, true);
  if (!decode_operands(d, 3, 4) ||
      !decode_source(d, &operands[1], ptx_type_bytes(type), &to.a) ||
      !decode_source(d, &operands[2], ptx_type_bytes(type), &to.b) ||
      !compare_combined(d, &to) || !half_result(d, extra, &result))
    return false;
  extra->combine = to.flags & COMPARE_COMBINE;
  extra->invert = to.flags & COMPARE_INVERT ? FULL : 0;
  s = decode_emit(d, half_compare);
  s->d = result;
  s->a = to.a;
  s->b = to.b;
  s->c = to.c;
  s->extra = extra;
  return true;
}
