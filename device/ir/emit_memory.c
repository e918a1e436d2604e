/* Addresses, loads and stores, atomics, copies. */
#include <string.h>

#include "analyse.h"
#include "emit.h"
#include "parse.h"

/* --- addresses ------------------------------------------------------------------------ */

/* base + index * bytes, in a register of 64 bits. */
static struct ir_leaf add_scaled(struct ir_writer *w, struct ir_leaf base,
                                 struct ir_value *index, uint64_t bytes)
{
  struct ir_leaf leaf = ir_leaf(w, index), product, sum;
  unsigned shift = 0;

  if (index->type->kind != IR_INTEGER)
    ir_stop_instruction(w->ir, "has an index that is no integer");
  leaf = leaf.class == IR_PREDICATE
             ? ir_resized(w, leaf, IR_B64, true)
             : ir_sign_extended(w, leaf, index->type->bits);
  while (shift < 63 && (uint64_t)1 << shift < bytes)
    shift++;
  if (leaf.class == IR_B32 && bytes != 1 && bytes <= INT32_MAX) {
    product = ir_new(w, IR_B64);
    ir_say(w, "mul.wide.s32 \t%s, %s, %llu;", ir_register(w, product),
           ir_register(w, leaf), (unsigned long long)bytes);
  } else {
    leaf = ir_resized(w, leaf, IR_B64, true);
    product = bytes == 1 ? leaf : ir_new(w, IR_B64);
    if (bytes != 1 && bytes == (uint64_t)1 << shift)
      ir_say(w, "shl.b64 \t%s, %s, %u;", ir_register(w, product),
             ir_operand(w, leaf), shift);
    else if (bytes != 1)
      ir_say(w, "mul.lo.s64 \t%s, %s, %llu;", ir_register(w, product),
             ir_operand(w, leaf), (unsigned long long)bytes);
  }
  int64_t offset = base.kind == IR_IN_REGISTER ? base.offset : 0;
  if (base.kind == IR_IN_REGISTER)
    base.offset = 0;
  sum = ir_new(w, IR_B64);
  ir_say(w, "add.s64 \t%s, %s, %s;", ir_register(w, sum), ir_register(w, base),
         ir_operand(w, product));
  sum.offset = offset;
  return sum;
}

static int64_t signed_number(const struct ir_value *value)
{
  unsigned up = 64 - value->type->bits;
  return (int64_t)(value->bits << up) >> up;
}

void ir_emit_gep(struct ir_writer *w, struct ir_instruction *i)
{
  const struct ir_type *type = i->about;
  struct ir_leaf leaf = ir_leaf(w, i->operand[0]);
  int space = i->operand[0]->kind == IR_ADDRESS ? leaf.space
                                                : ir_space_of(i->operand[0]);
  uint64_t constant = 0;

  leaf = ir_in_space(w, leaf, space, i->result->space);
  if (leaf.kind != IR_IN_REGISTER && leaf.kind != IR_A_SYMBOL)
    leaf = ir_in_register(w, leaf);
  for (size_t k = 1; k < i->n_operands; k++) {
    struct ir_value *index = i->operand[k];
    bool is_constant = ir_is_constant_number(index);
    uint64_t bytes = k == 1 ? type->bytes
                     : type->kind == IR_STRUCT
                         ? 0
                         : ir_element_offset(w->ir, type, 1);
    if (is_constant && (k == 1 || type->kind != IR_STRUCT))
      constant += (uint64_t)signed_number(index) * bytes;
    else if (is_constant)
      constant += ir_element_offset(w->ir, type, index->bits);
    else if (k > 1 && type->kind == IR_STRUCT)
      ir_stop_instruction(w->ir, "takes a field by a number not constant");
    else
      leaf = add_scaled(w, leaf, index, bytes);
    if (k > 1)
      type = ir_element(w->ir, type, type->kind == IR_STRUCT ? index->bits : 0);
  }
  leaf.offset = (int64_t)((uint64_t)leaf.offset + constant);
  ir_define(w, i, leaf);
}

void ir_emit_alloca(struct ir_writer *w, struct ir_instruction *i)
{
  uint64_t count = 1;
  uint64_t alignment = i->alignment != 0 ? i->alignment : i->about->alignment;

  if (i->n_operands > 0) {
    if (!ir_is_constant_number(i->operand[0]))
      ir_stop_instruction(w->ir, "takes memory of a size not constant");
    count = i->operand[0]->bits;
  }
  if (i->about->bytes != 0 && count > ((uint64_t)1 << 30) / i->about->bytes)
    ir_stop_instruction(w->ir, "takes more than a GiB");
  const char *symbol =
      ir_print(w, "$local_%u_%u", w->function_number, w->allocas++);
  uint64_t bytes = count * i->about->bytes;
  ir_add(w->ir, &w->locals, "\t.local .align %llu .b8 %s[%llu];\n",
         (unsigned long long)alignment, symbol,
         (unsigned long long)(bytes != 0 ? bytes : 1));
  ir_define(w, i,
            (struct ir_leaf){ .kind = IR_A_SYMBOL,
                              .class = IR_B64,
                              .symbol = symbol,
                              .space = IR_LOCAL });
}

/* --- accesses --------------------------------------------------------------------------- */

enum { WIDEST = 16 };

static uint64_t scalar_bytes(struct ir_writer *w, const struct ir_type *scalar)
{
  uint64_t bytes = scalar->stored;

  if (scalar->kind == IR_INTEGER && scalar->bits != 1 &&
      (bytes * 8 != scalar->bits || (bytes & (bytes - 1)) != 0))
    ir_stop_instruction(w->ir, "has such an integer in memory");
  return bytes;
}

/* How a number of so many bytes is called in memory. */
static const char *memory_type(enum ir_class class, uint64_t bytes)
{
  return class == IR_F32   ? "f32"
         : class == IR_F64 ? "f64"
         : bytes == 1      ? "b8"
         : bytes == 2      ? "b16"
         : bytes == 4      ? "b32"
                           : "b64";
}

static struct ir_leaf memory_register(struct ir_writer *w, struct ir_leaf leaf)
{
  return leaf.class == IR_PREDICATE ? ir_new(w, IR_B16) : leaf;
}

/* One access: n numbers of the same size, the first at `at`. */
struct access {
  struct ir_writer *w;
  struct ir_leaf base;
  int space;
  const char *how; /* ".volatile", or what an atomic one is */
  bool loads;
};

static void say_access(const struct access *a, int64_t at,
                       const struct ir_leaf *part, unsigned n, uint64_t bytes)
{
  struct ir_writer *w = a->w;
  const char *text[4] = { "", "", "", "" };
  for (unsigned k = 0; k < n; k++)
    text[k] =
        n == 1 && !a->loads ? ir_operand(w, part[k]) : ir_register(w, part[k]);
  const char *list = n == 1   ? text[0]
                     : n == 2 ? ir_print(w, "{%s, %s}", text[0], text[1])
                              : ir_print(w, "{%s, %s, %s, %s}", text[0],
                                         text[1], text[2], text[3]);
  const char *vector = n == 1 ? "" : n == 2 ? ".v2" : ".v4";
  const char *type = memory_type(part->class, bytes);
  const char *space = ir_space_name(w, a->space);
  const char *address = ir_address(w, a->base, at);

  if (a->loads)
    ir_say(w, "ld%s%s%s.%s \t%s, [%s];", a->how, space, vector, type, list,
           address);
  else
    ir_say(w, "st%s%s%s.%s \t[%s], %s;", a->how, space, vector, type, address,
           list);
}

/* A number at a place that isn't a multiple of its size: in pieces. */
static void access_pieces(const struct access *a, int64_t at,
                          struct ir_leaf leaf, uint64_t bytes, uint64_t piece)
{
  struct ir_writer *w = a->w;
  enum ir_class class = bytes <= 2 ? IR_B16 : bytes == 4 ? IR_B32 : IR_B64;
  struct ir_leaf all =
      a->loads ? ir_constant(class, 0) : ir_same_bits(w, leaf, class);

  for (uint64_t k = 0; k < bytes; k += piece) {
    struct ir_leaf part = ir_new(w, piece <= 2 ? IR_B16 : IR_B32);
    if (!a->loads) {
      struct ir_leaf low = all;
      if (k > 0) {
        low = ir_new(w, class);
        ir_say(w, "shr.%s \t%s, %s, %llu;", ir_unsigned(class),
               ir_register(w, low), ir_operand(w, all),
               (unsigned long long)k * 8);
      }
      part = ir_resized(w, low, part.class, false);
      say_access(a, at + (int64_t)k, &part, 1, piece);
      continue;
    }
    say_access(a, at + (int64_t)k, &part, 1, piece);
    struct ir_leaf up = ir_resized(
        w, ir_zero_extended(w, part, (unsigned)piece * 8), class, false);
    if (k > 0) {
      struct ir_leaf shifted = ir_new(w, class), sum = ir_new(w, class);
      ir_say(w, "shl.%s \t%s, %s, %llu;", ir_suffix(class),
             ir_register(w, shifted), ir_register(w, up),
             (unsigned long long)k * 8);
      ir_say(w, "or.%s \t%s, %s, %s;", ir_suffix(class), ir_register(w, sum),
             ir_register(w, all), ir_register(w, shifted));
      all = sum;
    } else
      all = up;
  }
  if (a->loads)
    ir_move(w, leaf, ir_same_bits(w, all, leaf.class));
}

/* Four words of two halves each: 16 bytes in one access. */
static void access_halves(const struct access *a, int64_t at,
                          const struct ir_leaf *leaf)
{
  struct ir_writer *w = a->w;
  struct ir_leaf word[4];

  for (unsigned k = 0; k < 4; k++) {
    word[k] = ir_new(w, IR_B32);
    if (!a->loads)
      ir_say(w, "mov.b32 \t%s, {%s, %s};", ir_register(w, word[k]),
             ir_register(w, leaf[2 * k]), ir_register(w, leaf[2 * k + 1]));
  }
  say_access(a, at, word, 4, 4);
  for (unsigned k = 0; a->loads && k < 4; k++)
    ir_say(w, "mov.b32 \t{%s, %s}, %s;", ir_register(w, leaf[2 * k]),
           ir_register(w, leaf[2 * k + 1]), ir_register(w, word[k]));
}

static void access_scalar(const struct access *a, int64_t at,
                          struct ir_leaf leaf, uint64_t bytes,
                          uint64_t alignment)
{
  struct ir_writer *w = a->w;

  if (alignment < bytes) {
    access_pieces(a, at, leaf, bytes, alignment);
    return;
  }
  struct ir_leaf part = memory_register(w, leaf);
  if (!a->loads && leaf.class == IR_PREDICATE)
    part = ir_resized(w, leaf, IR_B16, false);
  say_access(a, at, &part, 1, bytes);
  if (a->loads && leaf.class == IR_PREDICATE)
    ir_move(w, leaf, ir_resized(w, part, IR_PREDICATE, false));
}

/* How many numbers the next access of a vector may have. */
static unsigned at_once(uint64_t left, uint64_t bytes, uint64_t alignment)
{
  unsigned n = 4;

  while (n > 1 && (n > left || n * bytes > WIDEST || n * bytes > alignment))
    n /= 2;
  return n;
}

static uint64_t alignment_at(uint64_t alignment, uint64_t at)
{
  while (at % alignment != 0)
    alignment /= 2;
  return alignment;
}

static void access_vector(const struct access *a, const struct ir_type *type,
                          const struct ir_leaf *leaf, uint64_t alignment)
{
  uint64_t bytes = scalar_bytes(a->w, type->element);
  bool is_bits = type->element->kind == IR_INTEGER && type->element->bits == 1;

  if (is_bits)
    ir_stop_instruction(a->w->ir, "has a vector of bits in memory");
  for (uint64_t k = 0; k < type->count;) {
    uint64_t at = k * bytes, left = type->count - k;
    uint64_t here = alignment_at(alignment, at);
    unsigned n = at_once(left, bytes, here);
    if (bytes == 2 && left >= 8 && here >= 16) {
      access_halves(a, (int64_t)at, leaf + k);
      n = 8;
    } else if (n == 1)
      access_scalar(a, (int64_t)at, leaf[k], bytes, here);
    else
      say_access(a, (int64_t)at, leaf + k, n, bytes);
    k += n;
  }
}

static void access_leaves(const struct access *a, const struct ir_type *type,
                          const struct ir_leaf *leaf, uint64_t alignment)
{
  struct ir *ir = a->w->ir;

  if (type->kind == IR_VECTOR && !ir_is_aggregate(type->element)) {
    access_vector(a, type, leaf, alignment);
    return;
  }
  if (type->n_leaves > IR_MOST_LEAVES)
    ir_stop_instruction(ir, "a value of more than 4096 numbers");
  for (uint64_t k = 0; k < type->n_leaves; k++) {
    uint64_t at = 0;
    const struct ir_type *scalar = ir_leaf_type(ir, type, k, &at);
    access_scalar(a, (int64_t)at, leaf[k], scalar_bytes(a->w, scalar),
                  alignment_at(alignment, at));
  }
}

void ir_load_leaves(struct ir_writer *w, const struct ir_type *type,
                    struct ir_leaf *to, struct ir_leaf base, int space,
                    uint64_t alignment, const char *how)
{
  struct access access = { w, base, space, how, true };
  access_leaves(&access, type, to, alignment);
}

void ir_store_leaves(struct ir_writer *w, const struct ir_type *type,
                     const struct ir_leaf *from, struct ir_leaf base, int space,
                     uint64_t alignment, const char *how)
{
  struct access access = { w, base, space, how, false };
  access_leaves(&access, type, from, alignment);
}

/* --- the instructions -------------------------------------------------------------------- */

/* Where a pointer points, and in which space that is. */
static struct ir_leaf place_of(struct ir_writer *w, struct ir_value *pointer,
                               int *space)
{
  if (pointer->type->kind != IR_POINTER)
    ir_stop_instruction(w->ir, "has an address that is no pointer");
  struct ir_leaf leaf = ir_leaf(w, pointer);
  *space = pointer->kind == IR_ADDRESS ? leaf.space : ir_space_of(pointer);
  if (*space < 0)
    *space = IR_GENERIC;
  return leaf;
}

static const char *scope_text(struct ir_writer *w, struct ir_text scope)
{
  static const char *const known[][2] = { { "", ".sys" },
                                          { "system", ".sys" },
                                          { "device", ".gpu" },
                                          { "agent", ".gpu" },
                                          { "block", ".cta" },
                                          { "workgroup", ".cta" },
                                          { "cluster", ".cluster" },
                                          { "singlethread", ".cta" } };

  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (ir_is(scope, known[k][0]))
      return known[k][1];
  ir_stop_instruction(w->ir, "has a scope that is not known");
}

static void fence(struct ir_writer *w, enum ir_order order,
                  struct ir_text scope)
{
  ir_say(w, "fence%s%s;", order == IR_SEQ_CST ? ".sc" : ".acq_rel",
         scope_text(w, scope));
}

/* What "ld" and "st" are followed by. Volatile is relaxed at system scope in
 * PTX, so an atomic volatile access is as its order says. */
static const char *how_of(struct ir_writer *w, const struct ir_instruction *i,
                          bool loads, int space)
{
  if (space == IR_PARAMETER || space == IR_CONSTANT || space == IR_LOCAL)
    return i->is_volatile && space == IR_LOCAL ? ".volatile" : "";
  if (i->order == IR_NOT_ATOMIC)
    return i->is_volatile ? ".volatile" : "";
  bool strong = i->order >= IR_ACQUIRE;
  return ir_print(w, ".%s%s",
                  !strong ? "relaxed"
                  : loads ? "acquire"
                          : "release",
                  scope_text(w, i->scope));
}

void ir_emit_load(struct ir_writer *w, struct ir_instruction *i)
{
  int space;
  struct ir_leaf base = place_of(w, i->operand[0], &space);
  uint64_t alignment = i->alignment != 0 ? i->alignment : i->type->alignment;

  if (i->order == IR_SEQ_CST)
    fence(w, i->order, i->scope);
  ir_load_leaves(w, i->type, ir_results(w, i), base, space, alignment,
                 how_of(w, i, true, space));
  if (i->type->kind == IR_POINTER && i->type->bits == IR_GENERIC &&
      i->result->space != IR_GENERIC) {
    struct ir_leaf to = ir_result(w, i);
    ir_move(w, to, ir_in_space(w, to, IR_GENERIC, i->result->space));
  }
}

void ir_emit_store(struct ir_writer *w, struct ir_instruction *i)
{
  int space;
  struct ir_leaf base = place_of(w, i->operand[1], &space);
  const struct ir_type *type = i->operand[0]->type;
  uint64_t alignment = i->alignment != 0 ? i->alignment : type->alignment;

  if (i->order == IR_SEQ_CST)
    fence(w, i->order, i->scope);
  ir_store_leaves(w, type, ir_plain_leaves(w, i->operand[0]), base, space,
                  alignment, how_of(w, i, false, space));
}

void ir_emit_fence(struct ir_writer *w, struct ir_instruction *i)
{
  if (!ir_is(i->scope, "singlethread"))
    fence(w, i->order, i->scope);
}

/* --- atomics --------------------------------------------------------------------------------- */

static const char *order_text(enum ir_order order)
{
  switch (order) {
  case IR_ACQUIRE: return ".acquire";
  case IR_RELEASE: return ".release";
  case IR_ACQ_REL:
  case IR_SEQ_CST: return ".acq_rel";
  default: return ".relaxed";
  }
}

struct atomic {
  const char *word, *type; /* "add", "u32" */
  bool negates;
};

static struct atomic atomic_of(struct ir_writer *w,
                               const struct ir_instruction *i)
{
  static const struct {
    const char *name, *word, *form;
  } known[] = { { "xchg", "exch", "b" },     { "add", "add", "u" },
                { "sub", "add", "u" },       { "and", "and", "b" },
                { "or", "or", "b" },         { "xor", "xor", "b" },
                { "max", "max", "s" },       { "min", "min", "s" },
                { "umax", "max", "u" },      { "umin", "min", "u" },
                { "uinc_wrap", "inc", "u" }, { "udec_wrap", "dec", "u" },
                { "fadd", "add", "f" },      { "fsub", "add", "f" } };
  const struct ir_type *type = i->type;
  unsigned bits = (unsigned)type->stored * 8;

  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    if (!ir_is(i->word, known[k].name))
      continue;
    bool is_float = known[k].form[0] == 'f';
    bool counts =
        strcmp(known[k].word, "inc") == 0 || strcmp(known[k].word, "dec") == 0;
    if (is_float != (ir_is_float(type) && strcmp(known[k].name, "xchg") != 0) ||
        (counts && bits != 32))
      break;
    if (!is_float && bits != 32 && bits != 64)
      break;
    return (struct atomic){ known[k].word,
                            type->kind == IR_HALF ? "noftz.f16"
                            : type->kind == IR_BFLOAT
                                ? "noftz.bf16"
                                : ir_print(w, "%s%u", known[k].form, bits),
                            strcmp(known[k].name, "sub") == 0 ||
                                strcmp(known[k].name, "fsub") == 0 };
  }
  ir_stop_instruction(w->ir, "does something that is not known");
}

static struct ir_leaf to_add(struct ir_writer *w, const struct ir_type *type,
                             struct ir_leaf leaf)
{
  struct ir_leaf to = ir_new(w, leaf.class);

  if (type->kind == IR_HALF || type->kind == IR_BFLOAT)
    ir_say(w, "xor.b16 \t%s, %s, -32768;", ir_register(w, to),
           ir_operand(w, leaf));
  else
    ir_say(w, "neg.%s \t%s, %s;", ir_signed(leaf.class), ir_register(w, to),
           ir_operand(w, leaf));
  return to;
}

void ir_emit_atomic(struct ir_writer *w, struct ir_instruction *i)
{
  int space;
  struct ir_leaf base = place_of(w, i->operand[0], &space);
  /* clang has this order and no scope for the functions of CUDA C, which PTX's
   * atomics without either of them are. */
  bool is_plain = i->order == IR_SEQ_CST && i->scope.n == 0;
  const char *scope = is_plain ? "" : scope_text(w, i->scope);
  const char *order = is_plain ? "" : order_text(i->order);
  struct ir_leaf *to = ir_results(w, i);

  if (space == IR_LOCAL) { /* PTX has no atomics there */
    base = ir_in_space(w, base, IR_LOCAL, IR_GENERIC);
    space = IR_GENERIC;
  }
  const char *where = ir_space_name(w, space);
  if (i->order == IR_SEQ_CST && !is_plain)
    fence(w, i->order, i->scope);
  struct ir_leaf value = ir_plain_leaf(w, i->operand[1]);
  if (i->operation == IR_OP_atomicrmw) {
    struct atomic atomic = atomic_of(w, i);
    if (atomic.negates)
      value = to_add(w, i->type, value);
    ir_say(w, "atom%s%s%s.%s.%s \t%s, [%s], %s;", order, scope, where,
           atomic.word, atomic.type, ir_register(w, *to),
           ir_address(w, base, 0), ir_register(w, value));
    return;
  }
  struct ir_leaf next = ir_plain_leaf(w, i->operand[2]);
  if (value.class != IR_B16 && value.class != IR_B32 && value.class != IR_B64)
    ir_stop_instruction(w->ir, "compares something of this type");
  if (i->operand[1]->type->kind == IR_INTEGER &&
      i->operand[1]->type->bits != ir_class_bits(value.class))
    ir_stop_instruction(w->ir, "compares an integer of this width");
  if (i->operand[2]->type->n_leaves != 1 || next.class != value.class)
    ir_stop_instruction(w->ir, "has operands of different types");
  value = ir_in_register(w, value);
  ir_say(w, "atom%s%s%s.cas.%s \t%s, [%s], %s, %s;", order, scope, where,
         ir_suffix(value.class), ir_register(w, to[0]), ir_address(w, base, 0),
         ir_register(w, value), ir_register(w, next));
  ir_say(w, "setp.eq.%s \t%s, %s, %s;", ir_signed(value.class),
         ir_register(w, to[1]), ir_register(w, to[0]), ir_register(w, value));
}

/* --- memcpy, memmove, memset ----------------------------------------------------------------- */

enum { COPY_AT_ONCE = 128 };

struct side {
  struct ir_leaf base;
  int space;
  uint64_t alignment;
};

static struct side side_of(struct ir_writer *w, struct ir_instruction *i,
                           size_t k)
{
  struct side side;

  side.base = place_of(w, i->operand[k], &side.space);
  side.alignment = i->argument[k - 1].alignment;
  if (side.alignment == 0)
    side.alignment = 1;
  return side;
}

/* The widest pieces that both sides allow: up to four words. */
static uint64_t piece_of(uint64_t left, uint64_t alignment)
{
  uint64_t bytes = 16;

  while (bytes > alignment || bytes > left)
    bytes /= 2;
  return bytes;
}

static unsigned registers_for(struct ir_writer *w, uint64_t bytes,
                              struct ir_leaf *part)
{
  unsigned n = bytes == 16 ? 4 : 1;

  for (unsigned k = 0; k < n; k++)
    part[k] = ir_new(w, bytes <= 2 ? IR_B16 : bytes == 8 ? IR_B64 : IR_B32);
  return n;
}

static void copy_constant(struct ir_writer *w, struct side to, struct side from,
                          uint64_t bytes, const char *how)
{
  struct ir_leaf part[COPY_AT_ONCE];
  uint64_t alignment =
      to.alignment < from.alignment ? to.alignment : from.alignment;
  struct access loads = { w, from.base, from.space, how, true };
  struct access stores = { w, to.base, to.space, how, false };
  unsigned n = 0;

  if (from.space == IR_PARAMETER || from.space == IR_CONSTANT)
    loads.how = "";
  for (uint64_t at = 0, piece; at < bytes; at += piece) {
    piece = piece_of(bytes - at, alignment_at(alignment, at));
    unsigned k = registers_for(w, piece, part + n);
    say_access(&loads, (int64_t)at, part + n, k, piece == 16 ? 4 : piece);
    n += k;
  }
  n = 0;
  for (uint64_t at = 0, piece; at < bytes; at += piece) {
    piece = piece_of(bytes - at, alignment_at(alignment, at));
    unsigned k = piece == 16 ? 4 : 1;
    say_access(&stores, (int64_t)at, part + n, k, piece == 16 ? 4 : piece);
    n += k;
  }
}

static const char *label(struct ir_writer *w)
{
  return ir_print(w, "$L_%u_%u", w->function_number,
                  w->first_label + w->function->last->number + 1 + w->labels++);
}

static void place(struct ir_writer *w, const char *name)
{
  ir_add(w->ir, &w->body, "%s:\n", name);
}

/* `count` pieces, one by one, from the first to the last or the other way. */
struct loop {
  struct ir_leaf at;
  const char *again, *end;
  bool down;
  uint64_t piece;
};

static struct loop begin_loop(struct ir_writer *w, struct ir_leaf bytes,
                              uint64_t piece, bool down)
{
  struct loop loop = { ir_new(w, IR_B64), label(w), label(w), down, piece };
  struct ir_leaf none = ir_new(w, IR_PREDICATE);

  ir_say(w, "setp.eq.s64 \t%s, %s, 0;", ir_register(w, none),
         ir_operand(w, bytes));
  ir_say(w, "@%s bra \t%s;", ir_register(w, none), loop.end);
  ir_move(w, loop.at, down ? bytes : ir_constant(IR_B64, 0));
  place(w, loop.again);
  if (down)
    ir_say(w, "sub.s64 \t%s, %s, %llu;", ir_register(w, loop.at),
           ir_register(w, loop.at), (unsigned long long)piece);
  return loop;
}

static void end_loop(struct ir_writer *w, struct loop *loop,
                     struct ir_leaf bytes)
{
  struct ir_leaf more = ir_new(w, IR_PREDICATE);

  if (!loop->down)
    ir_say(w, "add.s64 \t%s, %s, %llu;", ir_register(w, loop->at),
           ir_register(w, loop->at), (unsigned long long)loop->piece);
  ir_say(w, "setp.%s.u64 \t%s, %s, %s;", loop->down ? "ne" : "lt",
         ir_register(w, more), ir_register(w, loop->at),
         loop->down ? "0" : ir_operand(w, bytes));
  ir_say(w, "@%s bra \t%s;", ir_register(w, more), loop->again);
  place(w, loop->end);
}

static struct ir_leaf plus(struct ir_writer *w, struct ir_leaf base,
                           struct ir_leaf at)
{
  struct ir_leaf sum = ir_new(w, IR_B64);

  ir_say(w, "add.s64 \t%s, %s, %s;", ir_register(w, sum), ir_register(w, base),
         ir_register(w, at));
  return sum;
}

static void copy_loop(struct ir_writer *w, struct side to, struct side from,
                      struct ir_leaf bytes, uint64_t piece, const char *how,
                      bool down)
{
  struct ir_leaf part[4];

  to.base = ir_in_register(w, to.base);
  from.base = ir_in_register(w, from.base);
  struct loop loop = begin_loop(w, bytes, piece, down);
  unsigned n = registers_for(w, piece, part);
  struct access load = { w, plus(w, from.base, loop.at), from.space, how,
                         true };
  struct access store = { w, plus(w, to.base, loop.at), to.space, how, false };
  say_access(&load, 0, part, n, piece == 16 ? 4 : piece);
  say_access(&store, 0, part, n, piece == 16 ? 4 : piece);
  end_loop(w, &loop, bytes);
}

void ir_emit_copy(struct ir_writer *w, struct ir_instruction *i, bool overlaps)
{
  if (i->n_operands != 5)
    ir_stop_instruction(w->ir, "has too few operands");
  struct side to = side_of(w, i, 1), from = side_of(w, i, 2);
  struct ir_value *size = i->operand[3];
  const char *how =
      ir_is_constant_number(i->operand[4]) && i->operand[4]->bits != 0
          ? ".volatile"
          : "";
  struct ir_leaf bytes = ir_resized(w, ir_leaf(w, size), IR_B64, false);
  uint64_t piece = 1;

  if (ir_is_constant_number(size) && size->bits <= COPY_AT_ONCE) {
    copy_constant(w, to, from, size->bits, how);
    return;
  }
  if (ir_is_constant_number(size))
    while (piece < 16 && piece < to.alignment && piece < from.alignment &&
           size->bits % (2 * piece) == 0)
      piece *= 2;
  bytes = ir_is_constant_number(size) ? bytes : ir_in_register(w, bytes);
  if (!overlaps) {
    copy_loop(w, to, from, bytes, piece, how, false);
    return;
  }
  struct ir_leaf up = ir_new(w, IR_PREDICATE);
  const char *down = label(w), *end = label(w);
  const char *to_text = ir_register(w, ir_plain_leaf(w, i->operand[1]));
  const char *from_text = ir_register(w, ir_plain_leaf(w, i->operand[2]));
  ir_say(w, "setp.gt.u64 \t%s, %s, %s;", ir_register(w, up), to_text,
         from_text);
  ir_say(w, "@%s bra \t%s;", ir_register(w, up), down);
  copy_loop(w, to, from, bytes, piece, how, false);
  ir_say(w, "bra.uni \t%s;", end);
  place(w, down);
  copy_loop(w, to, from, bytes, piece, how, true);
  place(w, end);
}

/* The byte in all bytes of a word. */
static struct ir_leaf repeated(struct ir_writer *w, struct ir_leaf byte)
{
  if (byte.kind == IR_A_CONSTANT)
    return ir_constant(IR_B64, (byte.bits & 0xff) * 0x0101010101010101u);
  struct ir_leaf wide =
      ir_resized(w, ir_zero_extended(w, byte, 8), IR_B64, false);
  struct ir_leaf to = ir_new(w, IR_B64);
  ir_say(w, "mul.lo.s64 \t%s, %s, 72340172838076673;", ir_register(w, to),
         ir_register(w, wide));
  return to;
}

void ir_emit_fill(struct ir_writer *w, struct ir_instruction *i)
{
  if (i->n_operands != 5)
    ir_stop_instruction(w->ir, "has too few operands");
  struct side to = side_of(w, i, 1);
  struct ir_value *size = i->operand[3];
  struct ir_leaf word = repeated(w, ir_leaf(w, i->operand[2]));
  const char *how =
      ir_is_constant_number(i->operand[4]) && i->operand[4]->bits != 0
          ? ".volatile"
          : "";
  struct access access = { w, to.base, to.space, how, false };

  if (ir_is_constant_number(size) && size->bits <= COPY_AT_ONCE) {
    for (uint64_t at = 0, piece; at < size->bits; at += piece) {
      piece = piece_of(size->bits - at, alignment_at(to.alignment, at));
      struct ir_leaf quarter = ir_resized(w, word, IR_B32, false);
      struct ir_leaf part[4] = { quarter, quarter, quarter, quarter };
      if (piece <= 2)
        part[0] = ir_resized(w, word, IR_B16, false);
      else if (piece == 8)
        part[0] = word;
      say_access(&access, (int64_t)at, part, piece == 16 ? 4 : 1,
                 piece == 16 ? 4 : piece);
    }
    return;
  }
  struct ir_leaf bytes =
      ir_in_register(w, ir_resized(w, ir_leaf(w, size), IR_B64, false));
  uint64_t piece = 1;
  if (ir_is_constant_number(size))
    while (piece < 8 && piece < to.alignment && size->bits % (2 * piece) == 0)
      piece *= 2;
  struct ir_leaf part = ir_resized(w, word,
                                   piece <= 2   ? IR_B16
                                   : piece == 4 ? IR_B32
                                                : IR_B64,
                                   false);
  part = ir_in_register(w, part);
  struct ir_leaf base = ir_in_register(w, to.base);
  struct loop loop = begin_loop(w, bytes, piece, false);
  access.base = plus(w, base, loop.at);
  say_access(&access, 0, &part, 1, piece);
  end_loop(w, &loop, bytes);
}
