/* Calls of LLVM's own functions. */
#include <stdlib.h>
#include <string.h>

#include "analyse.h"
#include "emit.h"
#include "parse.h"

static const struct {
  const char *name, *instruction, *order;
} table[] = {
#define INTRINSIC(name, instruction, order) { name, instruction, order },
#include "intrinsics.def"
};

/* Operand k of the call, as its type says. */
static struct ir_leaf argument(struct ir_writer *w, struct ir_instruction *i,
                               size_t k)
{
  if (k + 1 >= i->n_operands)
    ir_stop_instruction(w->ir, "has too few operands");
  return ir_plain_leaf(w, i->operand[k + 1]);
}

static void expect_operands(struct ir_writer *w, const struct ir_instruction *i,
                            size_t n)
{
  if (i->n_operands < n + 1)
    ir_stop_instruction(w->ir, "has too few operands");
}

static const char *result_text(struct ir_writer *w, struct ir_instruction *i)
{
  struct ir_leaf *to = ir_results(w, i);
  uint64_t n = i->type->n_leaves;

  if (n == 2)
    return ir_print(w, "%s|%s", ir_register(w, to[0]), ir_register(w, to[1]));
  if (n != 1)
    ir_stop_instruction(w->ir, "has a result that is not known");
  return ir_register(w, *to);
}

/* --- one instruction each ------------------------------------------------------------- */

static void say_one(struct ir_writer *w, struct ir_instruction *i,
                    const char *instruction, const char *order)
{
  char *list = ir_print(w, "%s%s", i->result != NULL ? " \t" : "",
                        i->result != NULL ? result_text(w, i) : "");

  for (const char *p = order; *p != '\0'; p++) {
    size_t k = *p == 'k' ? (size_t)(p - order) : (size_t)(*p - '0');
    struct ir_leaf leaf = argument(w, i, k);
    if (*p == 'k' && leaf.kind != IR_A_CONSTANT)
      ir_stop_instruction(w->ir, "has an operand that isn't constant");
    list = ir_print(w, "%s%s%s", list, *list != '\0' ? ", " : " \t",
                    ir_operand(w, leaf));
  }
  ir_say(w, "%s%s;", instruction, list);
}

static bool from_table(struct ir_writer *w, struct ir_instruction *i,
                       struct ir_text name)
{
  for (size_t k = 0; k < sizeof table / sizeof *table; k++)
    if (ir_is(name, table[k].name)) {
      say_one(w, i, table[k].instruction, table[k].order);
      return true;
    }
  return false;
}

/* nvvm.add.rn.ftz.f is add.rn.ftz.f32, and so are all operations with a rounding;
 * fmax and fmin lose their f. */
static bool by_name(struct ir_writer *w, struct ir_instruction *i,
                    struct ir_text name)
{
  static const char *const known[] = {
    "add.r",       "mul.r",       "fma.r",        "div.",
    "rcp.",        "sqrt.r",      "sqrt.approx.", "rsqrt.approx.",
    "sin.approx.", "cos.approx.", "ex2.approx.",  "lg2.approx.",
    "fmax.",       "fmin."
  };
  static const char *const orders[] = { "", "0", "01", "012" };
  struct ir_text rest = { name.at + 5, name.n - 5 };
  bool is_known = false;

  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    is_known |= ir_begins(rest, known[k]);
  if (!is_known || rest.n < 3 || rest.at[rest.n - 2] != '.' ||
      (rest.at[rest.n - 1] != 'f' && rest.at[rest.n - 1] != 'd'))
    return false;
  if (rest.at[0] == 'f' && rest.at[1] == 'm' && rest.at[2] != 'a')
    rest = (struct ir_text){ rest.at + 1, rest.n - 1 };
  else if (rest.at[0] == 'f' && rest.at[2] == 'a' && rest.at[3] == 'x')
    rest = (struct ir_text){ rest.at + 1, rest.n - 1 };
  char *opcode = ir_print(w, "%.*s.%s", (int)rest.n - 2, rest.at,
                          rest.at[rest.n - 1] == 'f' ? "f32" : "f64");
  char *nan = strstr(opcode, ".nan.");
  if (nan != NULL)
    memcpy(nan, ".NaN.", 5);
  if (i->n_operands > 4)
    ir_stop_instruction(w->ir, "has too many operands");
  say_one(w, i, opcode, orders[i->n_operands - 1]);
  return true;
}

/* nvvm.read.ptx.sreg.tid.x reads %tid.x. */
static bool special_register(struct ir_writer *w, struct ir_instruction *i,
                             struct ir_text name)
{
  static const char START[] = "nvvm.read.ptx.sreg.";
  char *text;

  if (!ir_begins(name, START) || i->result == NULL)
    return false;
  text = ir_print(w, "%.*s", (int)(name.n - strlen(START)),
                  name.at + strlen(START));
  if (strncmp(text, "lanemask.", 9) == 0)
    text[8] = '_';
  else if (strncmp(text, "cluster.", 8) == 0)
    text[7] = '_';
  struct ir_leaf to = ir_result(w, i);
  if (strcmp(text, "warpsize") == 0)
    ir_say(w, "mov.u32 \t%s, WARP_SZ;", ir_register(w, to));
  else
    ir_say(w, "mov.%s \t%s, %%%s;", ir_unsigned(to.class), ir_register(w, to),
           text);
  return true;
}

/* nvvm.ldg.global.f.v4f32.p0: a load that may go through the read-only cache. */
static bool cached_load(struct ir_writer *w, struct ir_instruction *i,
                        struct ir_text name)
{
  bool is_ldu = ir_begins(name, "nvvm.ldu.global.");

  if (!is_ldu && !ir_begins(name, "nvvm.ldg.global."))
    return false;
  expect_operands(w, i, 2);
  struct ir_value *pointer = i->operand[1];
  struct ir_leaf base = ir_in_space(w, ir_plain_leaf(w, pointer),
                                    (int)pointer->type->bits, IR_GLOBAL);
  uint64_t alignment = ir_is_constant_number(i->operand[2])
                           ? i->operand[2]->bits
                           : i->type->alignment;
  if (alignment == 0 || (alignment & (alignment - 1)) != 0)
    ir_stop_instruction(w->ir, "has an alignment that is not a power of two");
  ir_load_leaves(w, i->type, ir_results(w, i), base,
                 is_ldu ? IR_GLOBAL : IR_READ_ONLY, alignment,
                 is_ldu ? "u" : "");
  return true;
}

/* nvvm.atomic.add.gen.i.cta.*: what clang's scoped built-in functions are. */
static bool scoped_atomic(struct ir_writer *w, struct ir_instruction *i,
                          struct ir_text name)
{
  static const char *const scopes[] = { ".cta.", ".sys.", ".gpu." };
  static const struct {
    const char *word, *form;
  } known[] = { { "add.gen.f", "f" },  { "add.gen.i", "u" },
                { "exch.gen.i", "b" }, { "max.gen.i", "s" },
                { "min.gen.i", "s" },  { "max.gen.u", "u" },
                { "min.gen.u", "u" },  { "inc.gen.i", "u" },
                { "dec.gen.i", "u" },  { "and.gen.i", "b" },
                { "or.gen.i", "b" },   { "xor.gen.i", "b" },
                { "cas.gen.i", "b" } };
  struct ir_text rest = { name.at + 12, name.n - 12 };
  const char *scope = NULL;

  if (!ir_begins(name, "nvvm.atomic.") || i->result == NULL)
    return false;
  for (size_t k = 0; k < 3; k++)
    for (size_t at = 0; at + 5 <= rest.n; at++)
      if (memcmp(rest.at + at, scopes[k], 5) == 0)
        scope = scopes[k];
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    if (!ir_begins(rest, known[k].word) || scope == NULL)
      continue;
    struct ir_value *pointer = i->operand[1];
    expect_operands(w, i, known[k].word[0] == 'c' ? 3 : 2);
    struct ir_leaf base = ir_plain_leaf(w, pointer);
    const char *more =
        known[k].word[0] == 'c'
            ? ir_print(w, ", %s", ir_register(w, argument(w, i, 2)))
            : "";
    ir_say(w, "atom.%.3s.%.*s.%s%u \t%s, [%s], %s%s;", scope + 1,
           (int)strcspn(known[k].word, "."), known[k].word, known[k].form,
           (unsigned)i->type->stored * 8, ir_register(w, ir_result(w, i)),
           ir_address(w, base, 0), ir_register(w, argument(w, i, 1)), more);
    return true;
  }
  return false;
}

/* --- LLVM's functions of integers ---------------------------------------------------- */

static const struct ir_type *scalar_of(const struct ir_type *type)
{
  return type->kind == IR_VECTOR ? type->element : type;
}

/* One element of a call whose operands are all of the same shape. */
struct element {
  struct ir_writer *w;
  struct ir_instruction *i;
  const struct ir_type *type;
  unsigned bits;
  uint64_t k;
  struct ir_leaf to;
};

static struct ir_leaf operand(const struct element *e, size_t n)
{
  struct ir_instruction *i = e->i;

  expect_operands(e->w, i, n + 1);
  struct ir_value *value = i->operand[n + 1];
  if (ir_is_aggregate(value->type) != ir_is_aggregate(i->type))
    return ir_leaf(e->w, value);
  if (value->type->n_leaves != i->type->n_leaves)
    ir_stop_instruction(e->w->ir, "has operands of different shapes");
  return ir_leaves(e->w, value)[e->k];
}

static struct ir_leaf natural(const struct element *e, size_t n, bool is_signed)
{
  struct ir_leaf leaf = operand(e, n);

  if (leaf.class == IR_PREDICATE)
    ir_stop_instruction(e->w->ir, "is calculated with single bits");
  return is_signed ? ir_sign_extended(e->w, leaf, e->bits)
                   : ir_zero_extended(e->w, leaf, e->bits);
}

static struct ir_leaf say_two(const struct element *e, const char *word,
                              enum ir_class class, const char *type,
                              struct ir_leaf a, struct ir_leaf b)
{
  struct ir_leaf to = ir_new(e->w, class);

  ir_say(e->w, "%s.%s \t%s, %s, %s;", word, type, ir_register(e->w, to),
         ir_operand(e->w, a), ir_operand(e->w, b));
  return to;
}

static void minimum(const struct element *e, const char *word, bool is_signed)
{
  enum ir_class c = e->to.class;

  if (c == IR_PREDICATE) {
    /* true is -1 as a signed number */
    bool is_and = (strcmp(word, "min") == 0) != is_signed;
    ir_say(e->w, "%s.pred \t%s, %s, %s;", is_and ? "and" : "or",
           ir_register(e->w, e->to), ir_operand(e->w, operand(e, 0)),
           ir_operand(e->w, operand(e, 1)));
    return;
  }
  ir_move(e->w, e->to,
          say_two(e, word, c, is_signed ? ir_signed(c) : ir_unsigned(c),
                  natural(e, 0, is_signed), natural(e, 1, is_signed)));
}

static void absolute(const struct element *e)
{
  ir_say(e->w, "abs.%s \t%s, %s;", ir_signed(e->to.class),
         ir_register(e->w, e->to), ir_operand(e->w, natural(e, 0, true)));
}

/* Bits are counted in 32 or 64; the result has 32. */
static struct ir_leaf counted(const struct element *e, const char *word,
                              struct ir_leaf leaf)
{
  struct ir_leaf to = ir_new(e->w, IR_B32);

  ir_say(e->w, "%s.%s \t%s, %s;", word, ir_suffix(leaf.class),
         ir_register(e->w, to), ir_operand(e->w, leaf));
  return to;
}

static struct ir_leaf in_word(const struct element *e, struct ir_leaf leaf)
{
  return leaf.class == IR_B64 ? leaf : ir_resized(e->w, leaf, IR_B32, false);
}

static void population(const struct element *e)
{
  struct ir_leaf n = counted(e, "popc", in_word(e, natural(e, 0, false)));
  ir_move(e->w, e->to, ir_resized(e->w, n, e->to.class, false));
}

static void leading_zeros(const struct element *e)
{
  struct ir_leaf word = in_word(e, natural(e, 0, false));
  struct ir_leaf n = counted(e, "clz", word);
  unsigned unused = ir_class_bits(word.class) - e->bits;

  if (unused > 0)
    n = say_two(e, "sub", IR_B32, "s32", n, ir_constant(IR_B32, unused));
  ir_move(e->w, e->to, ir_resized(e->w, n, e->to.class, false));
}

static struct ir_leaf reversed(const struct element *e, struct ir_leaf word)
{
  struct ir_leaf to = ir_new(e->w, word.class);

  ir_say(e->w, "brev.%s \t%s, %s;", ir_suffix(word.class),
         ir_register(e->w, to), ir_operand(e->w, word));
  return to;
}

/* A bit above the number ends the count where the number is zero. */
static void trailing_zeros(const struct element *e)
{
  struct ir_leaf word = in_word(e, natural(e, 0, false));

  if (e->bits < ir_class_bits(word.class))
    word = say_two(e, "or", word.class, ir_suffix(word.class), word,
                   ir_constant(word.class, (uint64_t)1 << e->bits));
  struct ir_leaf n = counted(e, "clz", reversed(e, word));
  ir_move(e->w, e->to, ir_resized(e->w, n, e->to.class, false));
}

static struct ir_leaf shifted(const struct element *e, const char *word,
                              struct ir_leaf leaf, struct ir_leaf by)
{
  const char *type = strcmp(word, "shl") == 0 ? ir_suffix(leaf.class)
                                              : ir_unsigned(leaf.class);
  return say_two(e, word, leaf.class, type, leaf, by);
}

static void reverse_bits(const struct element *e)
{
  struct ir_leaf word = reversed(e, in_word(e, operand(e, 0)));
  unsigned down = ir_class_bits(word.class) - e->bits;

  if (down > 0)
    word = shifted(e, "shr", word, ir_constant(IR_B32, down));
  ir_move(e->w, e->to, ir_resized(e->w, word, e->to.class, false));
}

static struct ir_leaf swapped(const struct element *e, struct ir_leaf word)
{
  struct ir_leaf to = ir_new(e->w, IR_B32);

  ir_say(e->w, "prmt.b32 \t%s, %s, 0, 0x0123;", ir_register(e->w, to),
         ir_register(e->w, word));
  return to;
}

static void swap_bytes(const struct element *e)
{
  struct ir_writer *w = e->w;
  struct ir_leaf leaf = operand(e, 0);

  if (e->bits == 64) {
    struct ir_leaf low = ir_new(w, IR_B32), high = ir_new(w, IR_B32);
    ir_say(w, "mov.b64 \t{%s, %s}, %s;", ir_register(w, low),
           ir_register(w, high), ir_register(w, leaf));
    ir_say(w, "mov.b64 \t%s, {%s, %s};", ir_register(w, e->to),
           ir_register(w, swapped(e, high)), ir_register(w, swapped(e, low)));
    return;
  }
  if (e->bits != 16 && e->bits != 32)
    ir_stop_instruction(w->ir, "swaps the bytes of such an integer");
  struct ir_leaf word = swapped(e, in_word(e, leaf));
  if (e->bits == 16)
    word = shifted(e, "shr", word, ir_constant(IR_B32, 16));
  ir_move(w, e->to, ir_resized(w, word, e->to.class, false));
}

/* The upper half of (a:b) << c, or the lower of (a:b) >> c. */
static void funnel(const struct element *e, bool left)
{
  struct ir_writer *w = e->w;
  struct ir_leaf a = natural(e, 0, false), b = natural(e, 1, false);
  struct ir_leaf c = in_word(e, natural(e, 2, false));

  c = ir_resized(w, c, IR_B32, false);
  if (e->bits == 32) {
    ir_say(w, "shf.%s.wrap.b32 \t%s, %s, %s, %s;", left ? "l" : "r",
           ir_register(w, e->to), ir_operand(w, b), ir_operand(w, a),
           ir_operand(w, c));
    return;
  }
  if ((e->bits & (e->bits - 1)) != 0)
    c = say_two(e, "rem", IR_B32, "u32", c, ir_constant(IR_B32, e->bits));
  else
    c = say_two(e, "and", IR_B32, "b32", c, ir_constant(IR_B32, e->bits - 1));
  struct ir_leaf others =
      say_two(e, "sub", IR_B32, "s32", ir_constant(IR_B32, e->bits - 1), c);
  struct ir_leaf up, down;
  struct ir_leaf one = ir_constant(IR_B32, 1);
  if (left) {
    up = shifted(e, "shl", a, c);
    down = shifted(e, "shr", shifted(e, "shr", b, one), others);
  } else {
    up = shifted(e, "shl", shifted(e, "shl", a, one), others);
    down = shifted(e, "shr", b, c);
  }
  ir_move(w, e->to, say_two(e, "or", up.class, ir_suffix(up.class), up, down));
}

/* Sums and differences that stop at the ends of the range. */
static void saturating(const struct element *e, bool adds, bool is_signed)
{
  struct ir_writer *w = e->w;
  enum ir_class c = e->to.class;

  if (is_signed && c == IR_B32 && e->bits == 32) {
    ir_say(w, "%s.sat.s32 \t%s, %s, %s;", adds ? "add" : "sub",
           ir_register(w, e->to), ir_operand(w, operand(e, 0)),
           ir_operand(w, operand(e, 1)));
    return;
  }
  if (is_signed)
    ir_stop_instruction(w->ir, "saturates such an integer");
  struct ir_leaf a = natural(e, 0, false), b = natural(e, 1, false);
  const char *type = ir_unsigned(c);
  if (adds) {
    uint64_t most = e->bits == 64 ? UINT64_MAX : ((uint64_t)1 << e->bits) - 1;
    struct ir_leaf room =
        say_two(e, "sub", c, ir_signed(c), ir_constant(c, most), b);
    a = say_two(e, "min", c, type, a, room);
  } else
    a = say_two(e, "max", c, type, a, b);
  ir_move(w, e->to, say_two(e, adds ? "add" : "sub", c, ir_signed(c), a, b));
}

/* -1, 0 or 1 */
static void three_way(const struct element *e, bool is_signed)
{
  struct ir_writer *w = e->w;
  const struct ir_type *from = scalar_of(e->i->operand[1]->type);
  struct element its = *e;

  its.bits = from->bits;
  struct ir_leaf a = natural(&its, 0, is_signed);
  struct ir_leaf b = natural(&its, 1, is_signed);
  const char *type = is_signed ? ir_signed(a.class) : ir_unsigned(a.class);
  struct ir_leaf less = ir_new(w, IR_PREDICATE), more = ir_new(w, IR_PREDICATE);
  ir_say(w, "setp.lt.%s \t%s, %s, %s;", type, ir_register(w, less),
         ir_operand(w, a), ir_operand(w, b));
  ir_say(w, "setp.gt.%s \t%s, %s, %s;", type, ir_register(w, more),
         ir_operand(w, a), ir_operand(w, b));
  struct ir_leaf up = ir_new(w, IR_B32), sum = ir_new(w, IR_B32);
  ir_say(w, "selp.b32 \t%s, 1, 0, %s;", ir_register(w, up),
         ir_register(w, more));
  ir_say(w, "selp.b32 \t%s, -1, %s, %s;", ir_register(w, sum),
         ir_register(w, up), ir_register(w, less));
  ir_move(w, e->to, ir_resized(w, sum, e->to.class, true));
}

static bool integer_function(const struct element *e, struct ir_text name)
{
  if (e->type->kind != IR_INTEGER)
    return false;
  if (ir_begins(name, "smin."))
    minimum(e, "min", true);
  else if (ir_begins(name, "smax."))
    minimum(e, "max", true);
  else if (ir_begins(name, "umin."))
    minimum(e, "min", false);
  else if (ir_begins(name, "umax."))
    minimum(e, "max", false);
  else if (ir_begins(name, "abs."))
    absolute(e);
  else if (ir_begins(name, "ctpop."))
    population(e);
  else if (ir_begins(name, "ctlz."))
    leading_zeros(e);
  else if (ir_begins(name, "cttz."))
    trailing_zeros(e);
  else if (ir_begins(name, "bitreverse."))
    reverse_bits(e);
  else if (ir_begins(name, "bswap."))
    swap_bytes(e);
  else if (ir_begins(name, "fshl."))
    funnel(e, true);
  else if (ir_begins(name, "fshr."))
    funnel(e, false);
  else if (ir_begins(name, "uadd.sat."))
    saturating(e, true, false);
  else if (ir_begins(name, "usub.sat."))
    saturating(e, false, false);
  else if (ir_begins(name, "sadd.sat."))
    saturating(e, true, true);
  else if (ir_begins(name, "ssub.sat."))
    saturating(e, false, true);
  else if (ir_begins(name, "scmp."))
    three_way(e, true);
  else if (ir_begins(name, "ucmp."))
    three_way(e, false);
  else
    return false;
  return true;
}

/* --- of floating-point numbers ---------------------------------------------------------- */

static const char *float_type(const struct element *e)
{
  return e->type->kind == IR_HALF     ? "f16"
         : e->type->kind == IR_BFLOAT ? "bf16"
         : e->type->kind == IR_FLOAT  ? "f32"
                                      : "f64";
}

static const char *flush(const struct element *e)
{
  return e->type->kind == IR_FLOAT ? e->w->flush : "";
}

static const char *number(const struct element *e, size_t n)
{
  struct ir_leaf leaf = operand(e, n);
  return leaf.class == IR_B16 ? ir_register(e->w, leaf)
                              : ir_operand(e->w, leaf);
}

static void say_float(const struct element *e, const char *word, size_t n)
{
  const char *a = number(e, 0);

  if (n == 1)
    ir_say(e->w, "%s%s.%s \t%s, %s;", word, flush(e), float_type(e),
           ir_register(e->w, e->to), a);
  else if (n == 2)
    ir_say(e->w, "%s%s.%s \t%s, %s, %s;", word, flush(e), float_type(e),
           ir_register(e->w, e->to), a, number(e, 1));
  else
    ir_say(e->w, "%s%s.%s \t%s, %s, %s, %s;", word, flush(e), float_type(e),
           ir_register(e->w, e->to), a, number(e, 1), number(e, 2));
}

static void round_to_integer(const struct element *e, const char *rounding)
{
  ir_say(e->w, "cvt.%s%s.%s.%s \t%s, %s;", rounding, flush(e), float_type(e),
         float_type(e), ir_register(e->w, e->to), number(e, 0));
}

/* copysign(x, y): PTX has the operand that gives the sign first. */
static void copy_sign(const struct element *e)
{
  if (e->type->kind == IR_FLOAT || e->type->kind == IR_DOUBLE) {
    ir_say(e->w, "copysign.%s \t%s, %s, %s;", float_type(e),
           ir_register(e->w, e->to), number(e, 1), number(e, 0));
    return;
  }
  struct ir_leaf size = say_two(e, "and", IR_B16, "b16", operand(e, 0),
                                ir_constant(IR_B16, 0x7fff));
  struct ir_leaf sign = say_two(e, "and", IR_B16, "b16", operand(e, 1),
                                ir_constant(IR_B16, 0x8000));
  ir_move(e->w, e->to, say_two(e, "or", IR_B16, "b16", size, sign));
}

/* Halves away from zero: the integer part, and one more in the number's own
 * direction where half or more is left. */
static void round_away(const struct element *e)
{
  struct ir_writer *w = e->w;
  const char *type = float_type(e), *x = number(e, 0);
  bool is_double = e->type->kind == IR_DOUBLE;

  if (!is_double && e->type->kind != IR_FLOAT)
    ir_stop_instruction(w->ir, "rounds a number of this type");
  enum ir_class c = e->to.class;
  struct ir_leaf whole = ir_new(w, c), left = ir_new(w, c), size = ir_new(w, c);
  struct ir_leaf one = ir_new(w, c), more = ir_new(w, c),
                 p = ir_new(w, IR_PREDICATE);
  ir_say(w, "cvt.rzi.%s.%s \t%s, %s;", type, type, ir_register(w, whole), x);
  ir_say(w, "sub.rn.%s \t%s, %s, %s;", type, ir_register(w, left), x,
         ir_register(w, whole));
  ir_say(w, "abs.%s \t%s, %s;", type, ir_register(w, size),
         ir_register(w, left));
  ir_say(w, "setp.ge.%s \t%s, %s, %s;", type, ir_register(w, p),
         ir_register(w, size), is_double ? "0d3FE0000000000000" : "0f3F000000");
  ir_say(w, "selp.%s \t%s, %s, %s, %s;", type, ir_register(w, one),
         is_double ? "0d3FF0000000000000" : "0f3F800000",
         is_double ? "0d0000000000000000" : "0f00000000", ir_register(w, p));
  ir_say(w, "copysign.%s \t%s, %s, %s;", type, ir_register(w, more), x,
         ir_register(w, one));
  struct ir_leaf sum = ir_new(w, c);
  ir_say(w, "add.rn.%s \t%s, %s, %s;", type, ir_register(w, sum),
         ir_register(w, whole), ir_register(w, more));
  /* -0.3 becomes -0 */
  ir_say(w, "copysign.%s \t%s, %s, %s;", type, ir_register(w, e->to), x,
         ir_register(w, sum));
}

static bool float_function(const struct element *e, struct ir_text name)
{
  bool is_b = e->type->kind == IR_BFLOAT;

  if (!ir_is_float(e->type))
    return false;
  if (ir_begins(name, "fabs.") && (is_b || e->type->kind == IR_HALF))
    ir_move(e->w, e->to,
            say_two(e, "and", IR_B16, "b16", operand(e, 0),
                    ir_constant(IR_B16, 0x7fff)));
  else if (ir_begins(name, "fabs."))
    say_float(e, "abs", 1);
  else if (ir_begins(name, "copysign."))
    copy_sign(e);
  else if (ir_begins(name, "fma.") || ir_begins(name, "fmuladd."))
    say_float(e, "fma.rn", 3);
  else if (ir_begins(name, "minnum.") || ir_begins(name, "minimumnum."))
    say_float(e, "min", 2);
  else if (ir_begins(name, "maxnum.") || ir_begins(name, "maximumnum."))
    say_float(e, "max", 2);
  else if (is_b || e->type->kind == IR_HALF)
    return false;
  else if (ir_begins(name, "sqrt.") && (e->i->fast & IR_AFN) != 0 &&
           e->type->kind == IR_FLOAT)
    say_float(e, "sqrt.approx", 1);
  else if (ir_begins(name, "sqrt."))
    say_float(e, "sqrt.rn", 1);
  else if (ir_begins(name, "floor."))
    round_to_integer(e, "rmi");
  else if (ir_begins(name, "ceil."))
    round_to_integer(e, "rpi");
  else if (ir_begins(name, "trunc."))
    round_to_integer(e, "rzi");
  else if (ir_begins(name, "rint.") || ir_begins(name, "nearbyint.") ||
           ir_begins(name, "roundeven."))
    round_to_integer(e, "rni");
  else if (ir_begins(name, "round."))
    round_away(e);
  else if (ir_begins(name, "minimum.") && e->type->kind == IR_FLOAT)
    ir_say(e->w, "min%s.NaN.f32 \t%s, %s, %s;", flush(e),
           ir_register(e->w, e->to), number(e, 0), number(e, 1));
  else if (ir_begins(name, "maximum.") && e->type->kind == IR_FLOAT)
    ir_say(e->w, "max%s.NaN.f32 \t%s, %s, %s;", flush(e),
           ir_register(e->w, e->to), number(e, 0), number(e, 1));
  else if ((ir_begins(name, "sin.") || ir_begins(name, "cos.")) &&
           (e->i->fast & IR_AFN) != 0 && e->type->kind == IR_FLOAT)
    say_float(e, ir_begins(name, "sin.") ? "sin.approx" : "cos.approx", 1);
  else if (ir_begins(name, "exp2.") && (e->i->fast & IR_AFN) != 0 &&
           e->type->kind == IR_FLOAT)
    say_float(e, "ex2.approx", 1);
  else if (ir_begins(name, "log2.") && (e->i->fast & IR_AFN) != 0 &&
           e->type->kind == IR_FLOAT)
    say_float(e, "lg2.approx", 1);
  else
    return false;
  return true;
}

/* --- with two results ---------------------------------------------------------------------- */

/* uadd.with.overflow and its like: the result, and whether it was too large. */
static bool overflowing(struct ir_writer *w, struct ir_instruction *i,
                        struct ir_text name)
{
  bool adds = ir_begins(name, "uadd.with.overflow.");
  bool subtracts = ir_begins(name, "usub.with.overflow.");
  bool multiplies = ir_begins(name, "umul.with.overflow.");

  if (!adds && !subtracts && !multiplies)
    return false;
  expect_operands(w, i, 2);
  struct ir_leaf a = argument(w, i, 0), b = argument(w, i, 1);
  struct ir_leaf *to = ir_results(w, i);
  const char *u = ir_unsigned(a.class);
  if ((a.class != IR_B32 && a.class != IR_B64) || i->type->n_leaves != 2 ||
      i->operand[1]->type->bits != ir_class_bits(a.class))
    ir_stop_instruction(w->ir, "has operands of such a width");
  if (multiplies) {
    struct ir_leaf high = ir_new(w, a.class);
    ir_say(w, "mul.hi.%s \t%s, %s, %s;", u, ir_register(w, high),
           ir_operand(w, a), ir_operand(w, b));
    ir_say(w, "mul.lo.%s \t%s, %s, %s;", u, ir_register(w, to[0]),
           ir_operand(w, a), ir_operand(w, b));
    ir_say(w, "setp.ne.%s \t%s, %s, 0;", u, ir_register(w, to[1]),
           ir_register(w, high));
    return true;
  }
  ir_say(w, "%s.%s \t%s, %s, %s;", adds ? "add" : "sub", u,
         ir_register(w, to[0]), ir_operand(w, a), ir_operand(w, b));
  ir_say(w, "setp.lt.%s \t%s, %s, %s;", u, ir_register(w, to[1]),
         adds ? ir_register(w, to[0]) : ir_operand(w, a),
         ir_operand(w, adds ? a : b));
  return true;
}

/* is.fpclass: which of ten classes, by the bits. Only tests for NaN, infinity
 * and zero are known. */
static bool class_test(struct ir_writer *w, struct ir_instruction *i,
                       struct ir_text name)
{
  if (!ir_begins(name, "is.fpclass."))
    return false;
  expect_operands(w, i, 2);
  struct ir_leaf x = argument(w, i, 0), to = ir_result(w, i);
  uint64_t mask =
      ir_is_constant_number(i->operand[2]) ? i->operand[2]->bits : 0;
  if (x.class != IR_F32 && x.class != IR_F64)
    ir_stop_instruction(w->ir, "tests a number of this type");
  const char *type = ir_suffix(x.class), *text = ir_operand(w, x);
  const char *infinity =
      x.class == IR_F32 ? "0f7F800000" : "0d7FF0000000000000";
  struct ir_leaf size = ir_new(w, x.class);
  ir_say(w, "abs.%s \t%s, %s;", type, ir_register(w, size), text);
  const char *absolute_text = ir_register(w, size);
  const char *to_text = ir_register(w, to);
  switch (mask) {
  case 0x003:
    ir_say(w, "setp.nan.%s \t%s, %s, %s;", type, to_text, text, text);
    break;
  case 0x3fc:
    ir_say(w, "setp.num.%s \t%s, %s, %s;", type, to_text, text, text);
    break;
  case 0x204:
    ir_say(w, "setp.eq.%s \t%s, %s, %s;", type, to_text, absolute_text,
           infinity);
    break;
  case 0x1f8:
    ir_say(w, "setp.lt.%s \t%s, %s, %s;", type, to_text, absolute_text,
           infinity);
    break;
  case 0x207:
    ir_say(w, "setp.geu.%s \t%s, %s, %s;", type, to_text, absolute_text,
           infinity);
    break;
  case 0x1fb:
    ir_say(w, "setp.neu.%s \t%s, %s, %s;", type, to_text, absolute_text,
           infinity);
    break;
  default: ir_stop_instruction(w->ir, "tests for such a class");
  }
  return true;
}

/* The sum or another combination of all elements of a vector. */
static bool reduction(struct ir_writer *w, struct ir_instruction *i,
                      struct ir_text name)
{
  static const struct {
    const char *name, *word;
    bool is_signed;
  } known[] = { { "vector.reduce.add.", "add", true },
                { "vector.reduce.mul.", "mul.lo", true },
                { "vector.reduce.and.", "and", false },
                { "vector.reduce.or.", "or", false },
                { "vector.reduce.xor.", "xor", false },
                { "vector.reduce.smin.", "min", true },
                { "vector.reduce.smax.", "max", true },
                { "vector.reduce.umin.", "min", false },
                { "vector.reduce.umax.", "max", false } };

  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    if (!ir_begins(name, known[k].name))
      continue;
    expect_operands(w, i, 1);
    struct ir_value *vector = i->operand[1];
    const struct ir_leaf *leaf = ir_leaves(w, vector);
    struct ir_leaf sum = leaf[0];
    bool is_logic = known[k].word[0] == 'a' && known[k].word[1] == 'n';
    is_logic |= known[k].word[0] == 'o' || known[k].word[0] == 'x';
    if (vector->type->kind != IR_VECTOR ||
        vector->type->element->kind != IR_INTEGER ||
        (!is_logic &&
         vector->type->element->bits != ir_class_bits(sum.class)) ||
        (sum.class == IR_PREDICATE && !is_logic))
      ir_stop_instruction(w->ir, "combines such elements");
    for (uint64_t n = 1; n < vector->type->count; n++) {
      struct ir_leaf next = ir_new(w, sum.class);
      ir_say(w, "%s.%s \t%s, %s, %s;", known[k].word,
             is_logic             ? ir_suffix(sum.class)
             : known[k].is_signed ? ir_signed(sum.class)
                                  : ir_unsigned(sum.class),
             ir_register(w, next), ir_operand(w, sum), ir_operand(w, leaf[n]));
      sum = next;
    }
    ir_move(w, ir_result(w, i), sum);
    return true;
  }
  return false;
}

/* --- all of them ------------------------------------------------------------------------------ */

/* What says something about the program and does nothing. */
static bool says_only(struct ir_text name)
{
  static const char *const known[] = { "lifetime.",
                                       "assume",
                                       "dbg.",
                                       "var.annotation",
                                       "experimental.noalias",
                                       "invariant.",
                                       "donothing",
                                       "sideeffect",
                                       "prefetch.",
                                       "pseudoprobe",
                                       "fake.use" };

  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (ir_begins(name, known[k]))
      return true;
  return false;
}

/* Those that are their first operand. */
static bool passes_through(struct ir_writer *w, struct ir_instruction *i,
                           struct ir_text name)
{
  static const char *const known[] = { "expect.",
                                       "launder.invariant.group",
                                       "strip.invariant.group",
                                       "ssa.copy.",
                                       "ptr.annotation",
                                       "annotation.",
                                       "threadlocal.address" };

  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (ir_begins(name, known[k])) {
      struct ir_leaf leaf = argument(w, i, 0);
      ir_move(w, ir_result(w, i), leaf);
      return true;
    }
  return false;
}

static bool element_by_element(struct ir_writer *w, struct ir_instruction *i,
                               struct ir_text name)
{
  const struct ir_type *scalar = scalar_of(i->type);

  if (i->result == NULL || ir_is_aggregate(scalar))
    return false;
  struct ir_leaf *to = ir_results(w, i);
  struct element e = { w, i, scalar, scalar->bits, 0, to[0] };
  for (; e.k < i->type->n_leaves; e.k++) {
    e.to = to[e.k];
    if (!integer_function(&e, name) && !float_function(&e, name))
      return false;
  }
  return i->type->n_leaves > 0;
}

static bool memory_function(struct ir_writer *w, struct ir_instruction *i,
                            struct ir_text name)
{
  if (ir_begins(name, "memcpy."))
    ir_emit_copy(w, i, false);
  else if (ir_begins(name, "memmove."))
    ir_emit_copy(w, i, true);
  else if (ir_begins(name, "memset."))
    ir_emit_fill(w, i);
  else
    return false;
  return true;
}

bool ir_emit_intrinsic(struct ir_writer *w, struct ir_instruction *i,
                       struct ir_text name)
{
  struct ir_text rest = { name.at + 5, name.n - 5 };

  if (says_only(rest))
    return true;
  if (ir_begins(rest, "is.constant.")) {
    ir_move(w, ir_result(w, i), ir_constant(IR_PREDICATE, 0));
    return true;
  }
  if (ir_begins(rest, "nvvm."))
    return special_register(w, i, rest) || from_table(w, i, rest) ||
           by_name(w, i, rest) || cached_load(w, i, rest) ||
           scoped_atomic(w, i, rest);
  return memory_function(w, i, rest) || passes_through(w, i, rest) ||
         overflowing(w, i, rest) || class_test(w, i, rest) ||
         reduction(w, i, rest) || element_by_element(w, i, rest) ||
         from_table(w, i, rest);
}
