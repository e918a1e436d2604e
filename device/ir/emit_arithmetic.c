/* Arithmetic, comparisons, choices, casts: scalar by scalar. */
#include <string.h>

#include "analyse.h"
#include "emit.h"
#include "parse.h"

static const struct ir_type *scalar_of(const struct ir_type *type)
{
  return type->kind == IR_VECTOR ? type->element : type;
}

static _Noreturn void stop_type(struct ir_writer *w)
{
  ir_stop_instruction(w->ir, "has an operand of a type that it can't have");
}

/* --- integers ------------------------------------------------------------------------ */

static void predicate_logic(struct ir_writer *w, enum ir_operation operation,
                            struct ir_leaf to, struct ir_leaf a,
                            struct ir_leaf b)
{
  const char *word = operation == IR_OP_and || operation == IR_OP_mul ? "and"
                     : operation == IR_OP_or                          ? "or"
                     : operation == IR_OP_xor || operation == IR_OP_add ||
                             operation == IR_OP_sub
                         ? "xor"
                         : NULL;

  if (word == NULL)
    stop_type(w);
  if (operation == IR_OP_xor && b.kind == IR_A_CONSTANT && b.bits != 0)
    ir_say(w, "not.pred \t%s, %s;", ir_register(w, to), ir_operand(w, a));
  else
    ir_say(w, "%s.pred \t%s, %s, %s;", word, ir_register(w, to),
           ir_operand(w, a), ir_operand(w, b));
}

static void shift(struct ir_writer *w, enum ir_operation operation,
                  unsigned bits, struct ir_leaf to, struct ir_leaf a,
                  struct ir_leaf b)
{
  b = ir_resized(w, ir_zero_extended(w, b, bits), IR_B32, false);
  if (operation == IR_OP_shl)
    ir_say(w, "shl.%s \t%s, %s, %s;", ir_suffix(to.class), ir_register(w, to),
           ir_operand(w, a), ir_operand(w, b));
  else if (operation == IR_OP_lshr)
    ir_say(w, "shr.%s \t%s, %s, %s;", ir_unsigned(to.class), ir_register(w, to),
           ir_operand(w, ir_zero_extended(w, a, bits)), ir_operand(w, b));
  else
    ir_say(w, "shr.%s \t%s, %s, %s;", ir_signed(to.class), ir_register(w, to),
           ir_operand(w, ir_sign_extended(w, a, bits)), ir_operand(w, b));
}

static void divide(struct ir_writer *w, enum ir_operation operation,
                   unsigned bits, struct ir_leaf to, struct ir_leaf a,
                   struct ir_leaf b)
{
  bool is_signed = operation == IR_OP_sdiv || operation == IR_OP_srem;
  bool divides = operation == IR_OP_sdiv || operation == IR_OP_udiv;

  if (is_signed) {
    a = ir_sign_extended(w, a, bits);
    b = ir_sign_extended(w, b, bits);
  } else {
    a = ir_zero_extended(w, a, bits);
    b = ir_zero_extended(w, b, bits);
  }
  ir_say(w, "%s.%s \t%s, %s, %s;", divides ? "div" : "rem",
         is_signed ? ir_signed(to.class) : ir_unsigned(to.class),
         ir_register(w, to), ir_operand(w, a), ir_operand(w, b));
}

/* Upper bits that an integer's width leaves unused may be anything after these
 * operations; those that would see them clear them first. */
static void integer(struct ir_writer *w, enum ir_operation operation,
                    unsigned bits, struct ir_leaf to, struct ir_leaf a,
                    struct ir_leaf b)
{
  const char *word = NULL;

  if (to.class == IR_PREDICATE) {
    predicate_logic(w, operation, to, a, b);
    return;
  }
  switch (operation) {
  case IR_OP_shl:
  case IR_OP_lshr:
  case IR_OP_ashr: shift(w, operation, bits, to, a, b); return;
  case IR_OP_udiv:
  case IR_OP_sdiv:
  case IR_OP_urem:
  case IR_OP_srem: divide(w, operation, bits, to, a, b); return;
  case IR_OP_add: word = "add"; break;
  case IR_OP_sub: word = "sub"; break;
  case IR_OP_mul: word = "mul.lo"; break;
  default: break;
  }
  if (operation == IR_OP_xor && b.kind == IR_A_CONSTANT &&
      b.bits == ir_constant(b.class, UINT64_MAX).bits)
    ir_say(w, "not.%s \t%s, %s;", ir_suffix(to.class), ir_register(w, to),
           ir_operand(w, a));
  else if (word != NULL)
    ir_say(w, "%s.%s \t%s, %s, %s;", word, ir_signed(to.class),
           ir_register(w, to), ir_operand(w, a), ir_operand(w, b));
  else if (operation == IR_OP_and || operation == IR_OP_or ||
           operation == IR_OP_xor)
    ir_say(w, "%s.%s \t%s, %s, %s;", ir_operation_name(operation),
           ir_suffix(to.class), ir_register(w, to), ir_operand(w, a),
           ir_operand(w, b));
  else
    ir_stop_instruction(w->ir, "is not known");
}

void ir_emit_arithmetic(struct ir_writer *w, struct ir_instruction *i)
{
  const struct ir_type *scalar = scalar_of(i->type);

  if (scalar->kind != IR_INTEGER || i->n_operands != 2)
    stop_type(w);
  const struct ir_leaf *a = ir_leaves(w, i->operand[0]);
  const struct ir_leaf *b = ir_leaves(w, i->operand[1]);
  struct ir_leaf *to = ir_results(w, i);
  for (uint64_t k = 0; k < i->type->n_leaves; k++)
    integer(w, i->operation, scalar->bits, to[k], a[k], b[k]);
}

/* --- floating point ------------------------------------------------------------------- */

/* "f32" with ".ftz" if it is on; half has its own. */
static const char *float_type(struct ir_writer *w, const struct ir_type *type)
{
  switch (type->kind) {
  case IR_HALF: return "f16";
  case IR_FLOAT: return w->flush[0] != '\0' ? "ftz.f32" : "f32";
  case IR_DOUBLE: return "f64";
  default: stop_type(w);
  }
}

/* bfloat is calculated in single precision: what is rounded twice there is what
 * is rounded once, because float has more than twice as many digits. */
static struct ir_leaf widened(struct ir_writer *w, struct ir_leaf leaf)
{
  struct ir_leaf to = ir_new(w, IR_F32);

  ir_say(w, "cvt.f32.bf16 \t%s, %s;", ir_register(w, to), ir_register(w, leaf));
  return to;
}

static struct ir_leaf half_widened(struct ir_writer *w, struct ir_leaf leaf)
{
  struct ir_leaf to = ir_new(w, IR_F32);

  ir_say(w, "cvt.f32.f16 \t%s, %s;", ir_register(w, to), ir_register(w, leaf));
  return to;
}

static const struct ir_type single = { .kind = IR_FLOAT };

static struct ir_leaf negated(struct ir_writer *w, const struct ir_type *type,
                              struct ir_leaf leaf)
{
  if (leaf.kind == IR_A_CONSTANT) {
    uint64_t sign = (uint64_t)1 << (ir_class_bits(leaf.class) - 1);
    return ir_constant(leaf.class, leaf.bits ^ sign);
  }
  struct ir_leaf to = ir_new(w, leaf.class);
  ir_say(w, "neg.%s \t%s, %s;", float_type(w, type), ir_register(w, to),
         ir_operand(w, leaf));
  return to;
}

static const char *float_operand(struct ir_writer *w, struct ir_leaf leaf)
{
  return leaf.class == IR_B16 ? ir_register(w, leaf) : ir_operand(w, leaf);
}

static bool is_one(const struct ir_leaf *leaf)
{
  return leaf->kind == IR_A_CONSTANT &&
         leaf->bits ==
             (leaf->class == IR_F64 ? 0x3ff0000000000000u : 0x3f800000u);
}

static void quotient(struct ir_writer *w, const struct ir_instruction *i,
                     const struct ir_type *type, struct ir_leaf to,
                     struct ir_leaf a, struct ir_leaf b)
{
  bool approximate = type->kind == IR_FLOAT && (i->fast & IR_AFN) != 0;
  const char *rounding = approximate ? "approx" : "rn";

  if (type->kind == IR_HALF) {
    struct ir_leaf wide = ir_new(w, IR_F32);
    quotient(w, i, &single, wide, half_widened(w, a), half_widened(w, b));
    ir_say(w, "cvt.rn.f16.f32 \t%s, %s;", ir_register(w, to),
           ir_register(w, wide));
    return;
  }
  if (is_one(&a))
    ir_say(w, "rcp.%s.%s \t%s, %s;", rounding, float_type(w, type),
           ir_register(w, to), ir_operand(w, b));
  else
    ir_say(w, "div.%s.%s \t%s, %s, %s;", rounding, float_type(w, type),
           ir_register(w, to), ir_operand(w, a), ir_operand(w, b));
}

static void float_two(struct ir_writer *w, const struct ir_instruction *i,
                      const struct ir_type *type, struct ir_leaf to,
                      struct ir_leaf a, struct ir_leaf b)
{
  const char *word = i->operation == IR_OP_fadd   ? "add"
                     : i->operation == IR_OP_fsub ? "sub"
                                                  : "mul";

  if (type->kind == IR_BFLOAT) {
    struct ir_leaf wide = ir_new(w, IR_F32);
    float_two(w, i, &single, wide, widened(w, a), widened(w, b));
    ir_say(w, "cvt.rn.bf16.f32 \t%s, %s;", ir_register(w, to),
           ir_register(w, wide));
  } else if (i->operation == IR_OP_fdiv)
    quotient(w, i, type, to, a, b);
  else
    ir_say(w, "%s.rn.%s \t%s, %s, %s;", word, float_type(w, type),
           ir_register(w, to), float_operand(w, a), float_operand(w, b));
}

/* x * y + z, x * y - z, z - x * y */
static void fused(struct ir_writer *w, const struct ir_instruction *i,
                  const struct ir_type *type, uint64_t k, struct ir_leaf to)
{
  struct ir_leaf x = ir_leaves(w, i->product->operand[0])[k];
  struct ir_leaf y = ir_leaves(w, i->product->operand[1])[k];
  struct ir_leaf z = ir_leaves(w, i->operand[1 - i->product_operand])[k];

  if (i->operation == IR_OP_fsub && i->product_operand == 0)
    z = negated(w, type, z);
  else if (i->operation == IR_OP_fsub)
    x = negated(w, type, x);
  ir_say(w, "fma.rn.%s \t%s, %s, %s, %s;", float_type(w, type),
         ir_register(w, to), float_operand(w, x), float_operand(w, y),
         float_operand(w, z));
}

void ir_emit_float(struct ir_writer *w, struct ir_instruction *i)
{
  const struct ir_type *type = scalar_of(i->type);

  if (!ir_is_float(type))
    stop_type(w);
  struct ir_leaf *to = ir_results(w, i);
  const struct ir_leaf *a = ir_leaves(w, i->operand[0]);
  for (uint64_t k = 0; k < i->type->n_leaves; k++) {
    if (i->operation == IR_OP_fneg && type->kind == IR_BFLOAT)
      ir_say(w, "xor.b16 \t%s, %s, -32768;", ir_register(w, to[k]),
             ir_operand(w, a[k]));
    else if (i->operation == IR_OP_fneg)
      ir_say(w, "neg.%s \t%s, %s;", float_type(w, type), ir_register(w, to[k]),
             float_operand(w, a[k]));
    else if (i->product != NULL)
      fused(w, i, type, k, to[k]);
    else
      float_two(w, i, type, to[k], a[k], ir_leaves(w, i->operand[1])[k]);
  }
}

/* --- comparisons -------------------------------------------------------------------------- */

static const char *integer_comparison(struct ir_writer *w, struct ir_text word,
                                      bool *is_signed)
{
  static const char *const known[][2] = { { "eq", "eq" },  { "ne", "ne" },
                                          { "ugt", "gt" }, { "uge", "ge" },
                                          { "ult", "lt" }, { "ule", "le" },
                                          { "sgt", "gt" }, { "sge", "ge" },
                                          { "slt", "lt" }, { "sle", "le" } };

  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (ir_is(word, known[k][0])) {
      *is_signed = known[k][0][0] == 's';
      return known[k][1];
    }
  ir_stop_instruction(w->ir, "compares in a way that is not known");
}

/* With one bit, true is 1 as an unsigned number and -1 as a signed one. */
static void compare_predicates(struct ir_writer *w, const char *how,
                               bool is_signed, struct ir_leaf to,
                               struct ir_leaf a, struct ir_leaf b)
{
  a = ir_resized(w, a, IR_B32, is_signed);
  b = ir_resized(w, b, IR_B32, is_signed);
  ir_say(w, "setp.%s.%s \t%s, %s, %s;", how, is_signed ? "s32" : "u32",
         ir_register(w, to), ir_operand(w, a), ir_operand(w, b));
}

static void compare_integers(struct ir_writer *w,
                             const struct ir_instruction *i,
                             const struct ir_type *type, struct ir_leaf to,
                             struct ir_leaf a, struct ir_leaf b)
{
  bool is_signed;
  const char *how = integer_comparison(w, i->word, &is_signed);

  if (to.class != IR_PREDICATE ||
      (type->kind != IR_INTEGER && type->kind != IR_POINTER))
    stop_type(w);
  if (a.class == IR_PREDICATE) {
    compare_predicates(w, how, is_signed, to, a, b);
    return;
  }
  if (type->kind == IR_INTEGER) {
    a = is_signed ? ir_sign_extended(w, a, type->bits)
                  : ir_zero_extended(w, a, type->bits);
    b = is_signed ? ir_sign_extended(w, b, type->bits)
                  : ir_zero_extended(w, b, type->bits);
  }
  ir_say(w, "setp.%s.%s \t%s, %s, %s;", how,
         is_signed || how[0] == 'e' || how[0] == 'n' ? ir_signed(a.class)
                                                     : ir_unsigned(a.class),
         ir_register(w, to), ir_operand(w, a), ir_operand(w, b));
}

static const char *float_comparison(struct ir_writer *w, struct ir_text word)
{
  static const char *const known[][2] = {
    { "oeq", "eq" },  { "ogt", "gt" },  { "oge", "ge" },  { "olt", "lt" },
    { "ole", "le" },  { "one", "ne" },  { "ord", "num" }, { "ueq", "equ" },
    { "ugt", "gtu" }, { "uge", "geu" }, { "ult", "ltu" }, { "ule", "leu" },
    { "une", "neu" }, { "uno", "nan" }
  };

  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (ir_is(word, known[k][0]))
      return known[k][1];
  ir_stop_instruction(w->ir, "compares in a way that is not known");
}

static void compare_floats(struct ir_writer *w, const struct ir_instruction *i,
                           const struct ir_type *type, struct ir_leaf to,
                           struct ir_leaf a, struct ir_leaf b)
{
  if (type->kind == IR_BFLOAT) {
    a = widened(w, a);
    b = widened(w, b);
    type = &single;
  }
  const char *its = float_type(w, type);
  bool flush = strncmp(its, "ftz.", 4) == 0;
  ir_say(w, "setp.%s.%s%s \t%s, %s, %s;", float_comparison(w, i->word),
         flush ? "ftz." : "", flush ? its + 4 : its, ir_register(w, to),
         float_operand(w, a), float_operand(w, b));
}

void ir_emit_comparison(struct ir_writer *w, struct ir_instruction *i)
{
  const struct ir_type *type = scalar_of(i->operand[0]->type);
  const struct ir_leaf *a = ir_plain_leaves(w, i->operand[0]);
  const struct ir_leaf *b = ir_plain_leaves(w, i->operand[1]);
  struct ir_leaf *to = ir_results(w, i);
  bool is_constant = i->operation == IR_OP_fcmp &&
                     (ir_is(i->word, "true") || ir_is(i->word, "false"));

  for (uint64_t k = 0; k < i->type->n_leaves; k++) {
    if (is_constant)
      ir_move(w, to[k], ir_constant(IR_PREDICATE, ir_is(i->word, "true")));
    else if (i->operation == IR_OP_icmp)
      compare_integers(w, i, type, to[k], a[k], b[k]);
    else
      compare_floats(w, i, type, to[k], a[k], b[k]);
  }
}

/* --- choices ---------------------------------------------------------------------------------- */

/* p ? a : b for predicates; each term is left out where a constant says so. */
static void choose_predicate(struct ir_writer *w, struct ir_leaf to,
                             struct ir_leaf p, struct ir_leaf a,
                             struct ir_leaf b)
{
  const char *to_text = ir_register(w, to), *p_text = ir_operand(w, p);

  if (b.kind == IR_A_CONSTANT && b.bits == 0) {
    ir_say(w, "and.pred \t%s, %s, %s;", to_text, p_text, ir_operand(w, a));
    return;
  }
  if (a.kind == IR_A_CONSTANT && a.bits != 0) {
    ir_say(w, "or.pred \t%s, %s, %s;", to_text, p_text, ir_operand(w, b));
    return;
  }
  struct ir_leaf not = ir_new(w, IR_PREDICATE), x = ir_new(w, IR_PREDICATE);
  struct ir_leaf y = ir_new(w, IR_PREDICATE);
  ir_say(w, "not.pred \t%s, %s;", ir_register(w, not ), p_text);
  ir_say(w, "and.pred \t%s, %s, %s;", ir_register(w, x), p_text,
         ir_operand(w, a));
  ir_say(w, "and.pred \t%s, %s, %s;", ir_register(w, y), ir_register(w, not ),
         ir_operand(w, b));
  ir_say(w, "or.pred \t%s, %s, %s;", to_text, ir_register(w, x),
         ir_register(w, y));
}

static void choose(struct ir_writer *w, struct ir_leaf to, struct ir_leaf p,
                   struct ir_leaf a, struct ir_leaf b)
{
  if (to.class == IR_PREDICATE)
    choose_predicate(w, to, p, a, b);
  else {
    const char *a_text = ir_operand(w, a), *b_text = ir_operand(w, b);
    ir_say(w, "selp.%s \t%s, %s, %s, %s;", ir_suffix(to.class),
           ir_register(w, to), a_text, b_text, ir_operand(w, p));
  }
}

/* A pointer's alternatives, both in the space that the result is in. */
static struct ir_leaf in_result_space(struct ir_writer *w,
                                      const struct ir_instruction *i,
                                      struct ir_value *value)
{
  struct ir_leaf leaf = ir_leaf(w, value);

  return ir_in_space(
      w, leaf, value->kind == IR_ADDRESS ? leaf.space : ir_space_of(value),
      i->result->space);
}

void ir_emit_select(struct ir_writer *w, struct ir_instruction *i)
{
  const struct ir_leaf *p = ir_leaves(w, i->operand[0]);
  bool each = i->operand[0]->type->kind == IR_VECTOR;
  struct ir_leaf *to = ir_results(w, i);

  if (scalar_of(i->operand[0]->type)->kind != IR_INTEGER ||
      p->class != IR_PREDICATE ||
      i->operand[2]->type->n_leaves != i->type->n_leaves ||
      (each && i->operand[0]->type->n_leaves != i->type->n_leaves))
    stop_type(w);
  if (i->type->kind == IR_POINTER) {
    struct ir_leaf a = in_result_space(w, i, i->operand[1]);
    choose(w, *to, *p, a, in_result_space(w, i, i->operand[2]));
    return;
  }
  const struct ir_leaf *a = ir_plain_leaves(w, i->operand[1]);
  const struct ir_leaf *b = ir_plain_leaves(w, i->operand[2]);
  for (uint64_t k = 0; k < i->type->n_leaves; k++)
    choose(w, to[k], p[each ? k : 0], a[k], b[k]);
}

/* --- casts -------------------------------------------------------------------------------------- */

static const char *float_name(struct ir_writer *w, const struct ir_type *type)
{
  return type->kind == IR_BFLOAT ? "bf16"
         : type->kind == IR_HALF ? "f16"
         : type->kind == IR_FLOAT
             ? "f32"
             : (type->kind == IR_DOUBLE ? "f64" : (stop_type(w), ""));
}

static void to_integer(struct ir_writer *w, bool is_signed,
                       const struct ir_type *from, struct ir_leaf leaf,
                       struct ir_leaf to)
{
  struct ir_leaf wide = to.class == IR_PREDICATE ? ir_new(w, IR_B16) : to;

  if (from->kind == IR_BFLOAT) {
    leaf = widened(w, leaf);
    from = &single;
  }
  ir_say(w, "cvt.rzi.%s%s.%s \t%s, %s;",
         from->kind == IR_FLOAT && w->flush[0] != '\0' ? "ftz." : "",
         is_signed ? ir_signed(wide.class) : ir_unsigned(wide.class),
         float_name(w, from), ir_register(w, wide), float_operand(w, leaf));
  if (to.class == IR_PREDICATE)
    ir_move(w, to, ir_resized(w, wide, IR_PREDICATE, false));
}

static void from_integer(struct ir_writer *w, bool is_signed,
                         const struct ir_type *from, const struct ir_type *type,
                         struct ir_leaf leaf, struct ir_leaf to)
{
  if (leaf.class == IR_PREDICATE)
    leaf = ir_resized(w, leaf, IR_B32, is_signed);
  else
    leaf = is_signed ? ir_sign_extended(w, leaf, from->bits)
                     : ir_zero_extended(w, leaf, from->bits);
  if (type->kind == IR_BFLOAT)
    ir_stop_instruction(w->ir, "makes a bfloat of an integer");
  ir_say(w, "cvt.rn.%s.%s \t%s, %s;", float_name(w, type),
         is_signed ? ir_signed(leaf.class) : ir_unsigned(leaf.class),
         ir_register(w, to), ir_register(w, leaf));
}

static void float_to_float(struct ir_writer *w, const struct ir_type *from,
                           const struct ir_type *type, struct ir_leaf leaf,
                           struct ir_leaf to)
{
  bool narrows = ir_class_bits(to.class) < ir_class_bits(leaf.class);

  if (from->kind == IR_BFLOAT && type->kind == IR_DOUBLE) {
    leaf = widened(w, leaf);
    from = &single;
  }
  if (from->kind == IR_DOUBLE && type->kind == IR_BFLOAT)
    ir_stop_instruction(w->ir, "makes a bfloat of a double");
  if (from->kind == type->kind)
    stop_type(w);
  bool flushes = w->flush[0] != '\0' &&
                 (from->kind == IR_FLOAT || type->kind == IR_FLOAT) &&
                 from->kind != IR_BFLOAT && type->kind != IR_BFLOAT;
  ir_say(w, "cvt.%s%s%s.%s \t%s, %s;", narrows ? "rn." : "",
         flushes ? "ftz." : "", float_name(w, type), float_name(w, from),
         ir_register(w, to), float_operand(w, leaf));
}

static void integer_to_integer(struct ir_writer *w, enum ir_operation operation,
                               const struct ir_type *from, struct ir_leaf leaf,
                               struct ir_leaf to)
{
  bool is_signed = operation == IR_OP_sext;

  if (leaf.class != IR_PREDICATE && operation == IR_OP_sext)
    leaf = ir_sign_extended(w, leaf, from->bits);
  else if (leaf.class != IR_PREDICATE && operation == IR_OP_zext)
    leaf = ir_zero_extended(w, leaf, from->bits);
  if (leaf.class == to.class) {
    ir_move(w, to, leaf);
    return;
  }
  if (leaf.kind != IR_IN_REGISTER) {
    ir_move(w, to, ir_resized(w, leaf, to.class, is_signed));
    return;
  }
  if (to.class == IR_PREDICATE || leaf.class == IR_PREDICATE)
    ir_move(w, to, ir_resized(w, leaf, to.class, is_signed));
  else
    ir_say(w, "cvt.%s.%s \t%s, %s;",
           is_signed ? ir_signed(to.class) : ir_unsigned(to.class),
           is_signed ? ir_signed(leaf.class) : ir_unsigned(leaf.class),
           ir_register(w, to), ir_register(w, leaf));
}

/* --- the same bits as other numbers ------------------------------------------------------------ */

static unsigned bits_of(struct ir_writer *w, const struct ir_type *scalar)
{
  return scalar->kind == IR_INTEGER ? scalar->bits
                                    : ir_class_bits(ir_class_of(w, scalar));
}

static enum ir_class class_for(unsigned bits)
{
  return bits == 1    ? IR_PREDICATE
         : bits <= 16 ? IR_B16
         : bits <= 32 ? IR_B32
                      : IR_B64;
}

/* The bits from `at` of an integer of 64, as one of `bits`. */
static struct ir_leaf cut(struct ir_writer *w, struct ir_leaf all, unsigned at,
                          unsigned bits)
{
  if (at > 0) {
    struct ir_leaf low = ir_new(w, all.class);
    ir_say(w, "shr.%s \t%s, %s, %u;", ir_unsigned(all.class),
           ir_register(w, low), ir_operand(w, all), at);
    all = low;
  }
  return ir_resized(w, all, class_for(bits), false);
}

/* One number of several: `mov.b32 %r, {%rs1, %rs2}` where PTX has it. */
static struct ir_leaf joined(struct ir_writer *w, const struct ir_leaf *part,
                             unsigned n, unsigned bits)
{
  enum ir_class class = class_for(n * bits);
  struct ir_leaf to = ir_new(w, class);

  if ((bits == 16 || bits == 32) && (n == 2 || n == 4)) {
    char list[160] = "";
    for (unsigned k = 0; k < n; k++) {
      const char *text =
          ir_register(w, ir_same_bits(w, part[k], class_for(bits)));
      strcat(strcat(list, k > 0 ? ", " : ""), text);
    }
    ir_say(w, "mov.b%u \t%s, {%s};", n * bits, ir_register(w, to), list);
    return to;
  }
  struct ir_leaf sum = ir_constant(class, 0);
  for (unsigned k = 0; k < n; k++) {
    struct ir_leaf one = part[k];
    if (one.class != IR_PREDICATE)
      one = ir_zero_extended(w, ir_same_bits(w, one, class_for(bits)), bits);
    one = ir_resized(w, one, class, false);
    struct ir_leaf up = k == 0 ? one : ir_new(w, class);
    if (k > 0)
      ir_say(w, "shl.%s \t%s, %s, %u;", ir_suffix(class), ir_register(w, up),
             ir_operand(w, one), k * bits);
    if (k == 0) {
      sum = up;
      continue;
    }
    struct ir_leaf next = ir_new(w, class);
    ir_say(w, "or.%s \t%s, %s, %s;", ir_suffix(class), ir_register(w, next),
           ir_operand(w, sum), ir_operand(w, up));
    sum = next;
  }
  return sum;
}

static void split(struct ir_writer *w, struct ir_leaf whole, unsigned n,
                  unsigned bits, struct ir_leaf *to)
{
  whole = ir_same_bits(w, whole, class_for(n * bits));
  if ((bits == 16 || bits == 32) && (n == 2 || n == 4)) {
    char list[160] = "";
    struct ir_leaf part[4];
    for (unsigned k = 0; k < n; k++) {
      part[k] =
          to[k].class == class_for(bits) ? to[k] : ir_new(w, class_for(bits));
      strcat(strcat(list, k > 0 ? ", " : ""), ir_register(w, part[k]));
    }
    ir_say(w, "mov.b%u \t{%s}, %s;", n * bits, list, ir_register(w, whole));
    for (unsigned k = 0; k < n; k++)
      if (part[k].class != to[k].class)
        ir_move(w, to[k], ir_same_bits(w, part[k], to[k].class));
    return;
  }
  for (unsigned k = 0; k < n; k++) {
    struct ir_leaf part = cut(w, whole, k * bits, bits);
    ir_move(w, to[k], ir_same_bits(w, part, to[k].class));
  }
}

static void cast_bits(struct ir_writer *w, struct ir_instruction *i)
{
  const struct ir_type *from = i->operand[0]->type, *type = i->type;
  const struct ir_leaf *leaves = ir_plain_leaves(w, i->operand[0]);
  struct ir_leaf *to = ir_results(w, i);
  unsigned a = bits_of(w, scalar_of(from)), b = bits_of(w, scalar_of(type));
  uint64_t n = from->n_leaves, m = type->n_leaves;

  if (n * a != m * b || from->kind == IR_STRUCT || from->kind == IR_ARRAY)
    stop_type(w);
  if (a == b)
    for (uint64_t k = 0; k < n; k++)
      ir_move(w, to[k], ir_same_bits(w, leaves[k], to[k].class));
  else if (a < b && b % a == 0)
    for (uint64_t k = 0; k < m; k++)
      ir_move(w, to[k],
              ir_same_bits(w, joined(w, leaves + k * (b / a), b / a, a),
                           to[k].class));
  else if (a > b && a % b == 0)
    for (uint64_t k = 0; k < n; k++)
      split(w, leaves[k], a / b, b, to + k * (a / b));
  else
    ir_stop_instruction(w->ir, "casts to numbers of such a width");
}

static void cast_one(struct ir_writer *w, struct ir_instruction *i,
                     const struct ir_type *from, const struct ir_type *type,
                     struct ir_leaf leaf, struct ir_leaf to)
{
  bool from_float = ir_is_float(from), to_float = ir_is_float(type);

  switch (i->operation) {
  case IR_OP_trunc:
  case IR_OP_zext:
  case IR_OP_sext:
  case IR_OP_ptrtoint:
  case IR_OP_ptrtoaddr:
  case IR_OP_inttoptr:
    if (from_float || to_float)
      stop_type(w);
    integer_to_integer(
        w, i->operation == IR_OP_inttoptr ? IR_OP_zext : i->operation, from,
        leaf, to);
    return;
  case IR_OP_fptrunc:
  case IR_OP_fpext:
    if (!from_float || !to_float)
      stop_type(w);
    float_to_float(w, from, type, leaf, to);
    return;
  case IR_OP_fptoui:
  case IR_OP_fptosi:
    if (!from_float || type->kind != IR_INTEGER)
      stop_type(w);
    to_integer(w, i->operation == IR_OP_fptosi, from, leaf, to);
    return;
  default:
    if (from->kind != IR_INTEGER || !to_float)
      stop_type(w);
    from_integer(w, i->operation == IR_OP_sitofp, from, type, leaf, to);
  }
}

void ir_emit_cast(struct ir_writer *w, struct ir_instruction *i)
{
  if (i->operation == IR_OP_bitcast) {
    cast_bits(w, i);
    return;
  }
  const struct ir_type *from = scalar_of(i->operand[0]->type);
  const struct ir_type *type = scalar_of(i->type);
  if (i->operand[0]->type->n_leaves != i->type->n_leaves ||
      ir_is_aggregate(from) || ir_is_aggregate(type))
    stop_type(w);
  const struct ir_leaf *leaves = ir_plain_leaves(w, i->operand[0]);
  struct ir_leaf *to = ir_results(w, i);
  for (uint64_t k = 0; k < i->type->n_leaves; k++)
    cast_one(w, i, from, type, leaves[k], to[k]);
}
