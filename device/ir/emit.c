/* Registers, operands, lines; the scalars of values. */
#include "emit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/host_memory.h"
#include "analyse.h"
#include "metadata.h"
#include "parse.h"

#define MOST_TEXT ((size_t)1 << 28)

static const struct {
  const char *suffix, *is_unsigned, *is_signed, *name;
  unsigned bits;
} classes[] = {
  [IR_PREDICATE] = { "pred", "pred", "pred", "%p", 1 },
  [IR_B16] = { "b16", "u16", "s16", "%rs", 16 },
  [IR_B32] = { "b32", "u32", "s32", "%r", 32 },
  [IR_B64] = { "b64", "u64", "s64", "%rd", 64 },
  [IR_F32] = { "f32", "f32", "f32", "%f", 32 },
  [IR_F64] = { "f64", "f64", "f64", "%fd", 64 },
};

const char *ir_suffix(enum ir_class class) { return classes[class].suffix; }
const char *ir_unsigned(enum ir_class class)
{
  return classes[class].is_unsigned;
}
const char *ir_signed(enum ir_class class) { return classes[class].is_signed; }
unsigned ir_class_bits(enum ir_class class) { return classes[class].bits; }

/* --- text ----------------------------------------------------------------------- */

static void reserve(struct ir *ir, struct ir_text_buffer *buffer, size_t more)
{
  size_t capacity = buffer->capacity;

  if (buffer->n + more < capacity)
    return;
  if (buffer->n + more > MOST_TEXT)
    ir_stop_at(ir, 0, "the PTX is longer than 256 MiB");
  capacity = capacity == 0 ? 4096 : 2 * capacity;
  while (capacity <= buffer->n + more)
    capacity *= 2;
  buffer->at = host_grow(buffer->at, capacity, 1);
  buffer->capacity = capacity;
}

void ir_add_bytes(struct ir *ir, struct ir_text_buffer *buffer,
                  const char *from, size_t n)
{
  reserve(ir, buffer, n + 1);
  memcpy(buffer->at + buffer->n, from, n);
  buffer->n += n;
  buffer->at[buffer->n] = '\0';
}

static void add_list(struct ir *ir, struct ir_text_buffer *buffer,
                     const char *format, va_list list)
{
  va_list again;

  va_copy(again, list);
  int n = vsnprintf(NULL, 0, format, again);
  va_end(again);
  reserve(ir, buffer, (size_t)n + 1);
  vsnprintf(buffer->at + buffer->n, (size_t)n + 1, format, list);
  buffer->n += (size_t)n;
}

void ir_add(struct ir *ir, struct ir_text_buffer *buffer, const char *format,
            ...)
{
  va_list list;

  va_start(list, format);
  add_list(ir, buffer, format, list);
  va_end(list);
}

void ir_say(struct ir_writer *w, const char *format, ...)
{
  va_list list;

  ir_add_bytes(w->ir, &w->body, "\t", 1);
  va_start(list, format);
  add_list(w->ir, &w->body, format, list);
  va_end(list);
  ir_add_bytes(w->ir, &w->body, "\n", 1);
}

char *ir_print(struct ir_writer *w, const char *format, ...)
{
  va_list list;

  va_start(list, format);
  int n = vsnprintf(NULL, 0, format, list);
  va_end(list);
  char *text = ir_take(w->ir, (size_t)n + 1);
  va_start(list, format);
  vsnprintf(text, (size_t)n + 1, format, list);
  va_end(list);
  return text;
}

/* --- registers and operands ----------------------------------------------------- */

struct ir_leaf ir_new(struct ir_writer *w, enum ir_class class)
{
  return (struct ir_leaf){ .kind = IR_IN_REGISTER,
                           .class = class,
                           .number = ++w->registers[class] };
}

struct ir_leaf ir_constant(enum ir_class class, uint64_t bits)
{
  unsigned width = classes[class].bits;

  if (width < 64)
    bits &= ((uint64_t)1 << width) - 1;
  return (
      struct ir_leaf){ .kind = IR_A_CONSTANT, .class = class, .bits = bits };
}

enum ir_class ir_class_of(struct ir_writer *w, const struct ir_type *scalar)
{
  switch (scalar->kind) {
  case IR_HALF:
  case IR_BFLOAT: return IR_B16;
  case IR_FLOAT: return IR_F32;
  case IR_DOUBLE: return IR_F64;
  case IR_POINTER: return scalar->bits == 6 ? IR_B32 : IR_B64;
  case IR_INTEGER:
    return scalar->bits == 1    ? IR_PREDICATE
           : scalar->bits <= 16 ? IR_B16
           : scalar->bits <= 32 ? IR_B32
                                : IR_B64;
  default: ir_stop_instruction(w->ir, "has an operand that is no scalar");
  }
}

static const char *constant_text(struct ir_writer *w, struct ir_leaf leaf)
{
  unsigned long long bits = leaf.bits;

  switch (leaf.class) {
  case IR_F32: return ir_print(w, "0f%08llX", bits);
  case IR_F64: return ir_print(w, "0d%016llX", bits);
  case IR_B16: return ir_print(w, "%d", (int)(int16_t)bits);
  case IR_B32: return ir_print(w, "%d", (int)(int32_t)bits);
  case IR_PREDICATE: return bits != 0 ? "1" : "0";
  default: return ir_print(w, "%lld", (long long)bits);
  }
}

void ir_move(struct ir_writer *w, struct ir_leaf to, struct ir_leaf from)
{
  if (from.kind == IR_ANYTHING)
    from = ir_constant(to.class, 0);
  if (from.kind == IR_A_SYMBOL) {
    ir_say(w, "mov.u64 \t%s%u, %s;", classes[to.class].name, to.number,
           from.symbol);
    if (from.offset != 0)
      ir_say(w, "add.s64 \t%s%u, %s%u, %lld;", classes[to.class].name,
             to.number, classes[to.class].name, to.number,
             (long long)from.offset);
  } else if (from.kind == IR_IN_REGISTER && from.offset != 0)
    ir_say(w, "add.s64 \t%s%u, %s%u, %lld;", classes[to.class].name, to.number,
           classes[from.class].name, from.number, (long long)from.offset);
  else if (from.kind == IR_A_CONSTANT && to.class == IR_PREDICATE)
    ir_say(w, "setp.%s.u32 \t%%p%u, 0, 0;", from.bits != 0 ? "eq" : "ne",
           to.number);
  else if (from.kind == IR_A_CONSTANT)
    ir_say(w, "mov.%s \t%s%u, %s;", classes[to.class].suffix,
           classes[to.class].name, to.number, constant_text(w, from));
  else
    ir_say(w, "mov.%s \t%s%u, %s%u;", classes[to.class].suffix,
           classes[to.class].name, to.number, classes[from.class].name,
           from.number);
}

struct ir_leaf ir_in_register(struct ir_writer *w, struct ir_leaf leaf)
{
  if (leaf.kind == IR_IN_REGISTER && leaf.offset == 0)
    return leaf;
  struct ir_leaf to = ir_new(w, leaf.class);
  ir_move(w, to, leaf);
  return to;
}

const char *ir_register(struct ir_writer *w, struct ir_leaf leaf)
{
  leaf = ir_in_register(w, leaf);
  return ir_print(w, "%s%u", classes[leaf.class].name, leaf.number);
}

const char *ir_operand(struct ir_writer *w, struct ir_leaf leaf)
{
  if (leaf.kind == IR_ANYTHING)
    leaf = ir_constant(leaf.class, 0);
  if (leaf.kind == IR_A_CONSTANT && leaf.class != IR_PREDICATE)
    return constant_text(w, leaf);
  return ir_register(w, leaf);
}

const char *ir_address(struct ir_writer *w, struct ir_leaf leaf, int64_t more)
{
  int64_t offset = (int64_t)((uint64_t)leaf.offset + (uint64_t)more);

  if (leaf.kind != IR_IN_REGISTER && leaf.kind != IR_A_SYMBOL) {
    leaf = ir_in_register(w, leaf);
    offset = more;
  }
  if (offset < INT32_MIN || offset > INT32_MAX) {
    leaf = ir_in_register(w, leaf);
    offset = more;
  }
  if (leaf.kind == IR_A_SYMBOL)
    return offset == 0 ? leaf.symbol
                       : ir_print(w, "%s%+lld", leaf.symbol, (long long)offset);
  return offset == 0
             ? ir_print(w, "%%rd%u", leaf.number)
             : ir_print(w, "%%rd%u%+lld", leaf.number, (long long)offset);
}

const char *ir_space_name(struct ir_writer *w, int space)
{
  switch (space) {
  case IR_GENERIC: return "";
  case IR_GLOBAL: return ".global";
  case IR_SHARED: return ".shared";
  case IR_CONSTANT: return ".const";
  case IR_LOCAL: return ".local";
  case IR_SHARED_CLUSTER: return ".shared::cluster";
  case IR_PARAMETER: return ".param";
  case IR_READ_ONLY: return ".global.nc";
  default: ir_stop_instruction(w->ir, "an address space that is not known");
  }
}

static bool is_offset_fine(const struct ir_leaf *leaf)
{
  return leaf->offset >= -(1 << 20) && leaf->offset <= 1 << 20;
}

struct ir_leaf ir_in_space(struct ir_writer *w, struct ir_leaf leaf, int from,
                           int to)
{
  if (from == to || from < 0 || leaf.kind == IR_ANYTHING)
    return leaf;
  int named = to == IR_GENERIC ? from : to;
  const char *toward = to == IR_GENERIC ? "" : "to.";
  if (from != IR_GENERIC && to != IR_GENERIC)
    ir_stop_instruction(w->ir, "casts from one state space to another");
  struct ir_leaf result = ir_new(w, IR_B64);
  int64_t offset = is_offset_fine(&leaf) ? leaf.offset : 0;
  leaf.offset -= offset;
  ir_say(w, "cvta.%s%s.u64 \t%%rd%u, %s;", toward, ir_space_name(w, named) + 1,
         result.number, ir_register(w, leaf));
  result.offset = offset;
  return result;
}

/* --- values --------------------------------------------------------------------------- */

static struct ir_leaf *new_leaves(struct ir_writer *w, uint64_t n)
{
  if (n > IR_MOST_LEAVES)
    ir_stop_instruction(w->ir, "a value of more than 4096 numbers");
  return ir_take(w->ir, (size_t)(n + 1) * sizeof(struct ir_leaf));
}

static void constant_leaves(struct ir_writer *w, struct ir_value *value,
                            struct ir_leaf *to);

static void aggregate_leaves(struct ir_writer *w, struct ir_value *value,
                             struct ir_leaf *to)
{
  uint64_t n = ir_element_count(value->type);

  for (uint64_t i = 0; i < n; i++) {
    struct ir_value *item = ir_constant_element(w->ir, value, i);
    if (item == NULL)
      ir_stop_instruction(w->ir, "a constant that is not known");
    constant_leaves(w, item, to);
    to += item->type->n_leaves;
  }
}

static struct ir_leaf address_leaf(struct ir_writer *w,
                                   const struct ir_value *value)
{
  struct ir_global *global = value->global;
  int64_t offset = value->offset;

  for (int depth = 0; global->alias != NULL; depth++) {
    if (global->alias->kind != IR_ADDRESS || depth > IR_MOST_DEPTH)
      ir_stop_instruction(w->ir, "an alias of something unknown");
    offset += global->alias->offset;
    global = global->alias->global;
  }
  int space = global->is_function           ? IR_GENERIC
              : global->space == IR_GENERIC ? IR_GLOBAL
                                            : (int)global->space;
  if (global->type == NULL)
    ir_stop_instruction(w->ir, "names something that is not declared");
  if (global->is_function && global->function->is_kernel)
    ir_stop_instruction(w->ir, "the address of a kernel");
  return (struct ir_leaf){ .kind = IR_A_SYMBOL,
                           .class = IR_B64,
                           .offset = offset,
                           .symbol = ir_symbol_of(w->ir, global),
                           .space = space };
}

static struct ir_leaf expression_leaf(struct ir_writer *w,
                                      struct ir_value *value)
{
  struct ir_instruction copy = *value->expression;
  struct ir_named result = { .type = value->type, .definition = &copy };
  const struct ir_instruction *outer = w->ir->instruction;

  if (++w->ir->depth > IR_MOST_DEPTH)
    ir_stop_instruction(w->ir, "a constant expression that is too deep");
  if (ir_is_aggregate(value->type))
    ir_stop_instruction(w->ir, "a constant expression of vectors");
  copy.result = &result;
  if (!ir_emit_alias(w, &copy))
    ir_emit_instruction(w, &copy);
  w->ir->instruction = outer;
  w->ir->depth--;
  struct ir_leaf leaf = *result.leaf;
  if (value->type->kind == IR_POINTER)
    leaf = ir_in_space(w, leaf, result.space, (int)value->type->bits);
  return leaf;
}

static void constant_leaves(struct ir_writer *w, struct ir_value *value,
                            struct ir_leaf *to)
{
  const struct ir_type *type = value->type;

  if (ir_is_aggregate(type) &&
      (value->kind == IR_ZERO || value->kind == IR_UNDEFINED)) {
    for (uint64_t i = 0; i < type->n_leaves; i++) {
      enum ir_class class = ir_class_of(w, ir_leaf_type(w->ir, type, i, NULL));
      to[i] = ir_constant(class, 0);
      if (value->kind == IR_UNDEFINED)
        to[i].kind = IR_ANYTHING;
    }
    return;
  }
  switch (value->kind) {
  case IR_BITS: *to = ir_constant(ir_class_of(w, type), value->bits); break;
  case IR_ZERO: *to = ir_constant(ir_class_of(w, type), 0); break;
  case IR_UNDEFINED:
    *to = ir_constant(ir_class_of(w, type), 0);
    to->kind = IR_ANYTHING;
    break;
  case IR_ADDRESS: *to = address_leaf(w, value); break;
  case IR_EXPRESSION: *to = expression_leaf(w, value); break;
  case IR_AGGREGATE: aggregate_leaves(w, value, to); break;
  default: ir_stop_instruction(w->ir, "an operand that is no value");
  }
}

static void define_leaves(struct ir_writer *w, struct ir_named *named)
{
  struct ir *ir = w->ir;
  const struct ir_instruction *outer = ir->instruction;

  if (named->in_the_making || ++ir->depth > 10 * IR_MOST_DEPTH)
    ir_stop_instruction(ir, "has an operand that depends on itself");
  named->in_the_making = true;
  if (named->definition == NULL || !ir_is_alias(w, named->definition) ||
      !ir_emit_alias(w, named->definition)) {
    named->leaf = new_leaves(w, named->type->n_leaves);
    for (uint64_t i = 0; i < named->type->n_leaves; i++)
      named->leaf[i] =
          ir_new(w, ir_class_of(w, ir_leaf_type(ir, named->type, i, NULL)));
  }
  named->in_the_making = false;
  ir->depth--;
  ir->instruction = outer;
}

const struct ir_leaf *ir_leaves(struct ir_writer *w, struct ir_value *value)
{
  if (value->kind == IR_NAMED) {
    if (value->named->leaf == NULL)
      define_leaves(w, value->named);
    return value->named->leaf;
  }
  struct ir_leaf *leaves = new_leaves(w, value->type->n_leaves);
  constant_leaves(w, value, leaves);
  return leaves;
}

struct ir_leaf ir_leaf(struct ir_writer *w, struct ir_value *value)
{
  if (ir_is_aggregate(value->type) || value->kind == IR_NOTHING)
    ir_stop_instruction(w->ir, "has an operand that is no scalar");
  return *ir_leaves(w, value);
}

/* Where a single pointer is, unlike where its type says it is. */
static int space_now(const struct ir_value *value, const struct ir_leaf *leaf)
{
  return value->kind == IR_ADDRESS ? leaf->space : ir_space_of(value);
}

struct ir_leaf ir_plain_leaf(struct ir_writer *w, struct ir_value *value)
{
  struct ir_leaf leaf = ir_leaf(w, value);

  if (value->type->kind != IR_POINTER)
    return leaf;
  return ir_in_space(w, leaf, space_now(value, &leaf), (int)value->type->bits);
}

/* Constants inside an aggregate may be addresses, too. */
const struct ir_leaf *ir_plain_leaves(struct ir_writer *w,
                                      struct ir_value *value)
{
  uint64_t n = value->type->n_leaves;

  if (!ir_is_aggregate(value->type)) {
    struct ir_leaf *leaf = new_leaves(w, 1);
    *leaf = ir_plain_leaf(w, value);
    return leaf;
  }
  const struct ir_leaf *leaves = ir_leaves(w, value);
  if (value->kind == IR_NAMED)
    return leaves;
  struct ir_leaf *plain = new_leaves(w, n);
  for (uint64_t i = 0; i < n; i++)
    plain[i] =
        leaves[i].kind == IR_A_SYMBOL
            ? ir_in_space(w, leaves[i], leaves[i].space,
                          (int)ir_leaf_type(w->ir, value->type, i, NULL)->bits)
            : leaves[i];
  return plain;
}

struct ir_leaf *ir_results(struct ir_writer *w, struct ir_instruction *i)
{
  if (i->result == NULL)
    ir_stop_instruction(w->ir, "has no result");
  if (i->result->leaf == NULL)
    define_leaves(w, i->result);
  return i->result->leaf;
}

struct ir_leaf ir_result(struct ir_writer *w, struct ir_instruction *i)
{
  return *ir_results(w, i);
}

void ir_define(struct ir_writer *w, struct ir_instruction *i,
               struct ir_leaf leaf)
{
  if (i->result->leaf != NULL) {
    ir_move(w, *i->result->leaf, leaf);
    return;
  }
  i->result->leaf = new_leaves(w, 1);
  *i->result->leaf = leaf;
}

/* --- widths ------------------------------------------------------------------------------ */

static uint64_t mask_of(unsigned bits)
{
  return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

struct ir_leaf ir_zero_extended(struct ir_writer *w, struct ir_leaf leaf,
                                unsigned bits)
{
  if (bits >= ir_class_bits(leaf.class) || leaf.class == IR_PREDICATE)
    return leaf;
  if (leaf.kind == IR_A_CONSTANT)
    return ir_constant(leaf.class, leaf.bits & mask_of(bits));
  struct ir_leaf to = ir_new(w, leaf.class);
  ir_say(w, "and.%s \t%s, %s, %lld;", ir_suffix(leaf.class), ir_register(w, to),
         ir_operand(w, leaf), (long long)mask_of(bits));
  return to;
}

struct ir_leaf ir_sign_extended(struct ir_writer *w, struct ir_leaf leaf,
                                unsigned bits)
{
  unsigned width = ir_class_bits(leaf.class);

  if (bits >= width || leaf.class == IR_PREDICATE)
    return leaf;
  if (leaf.kind == IR_A_CONSTANT) {
    uint64_t sign = (uint64_t)1 << (bits - 1);
    return ir_constant(leaf.class, ((leaf.bits & mask_of(bits)) ^ sign) - sign);
  }
  struct ir_leaf up = ir_new(w, leaf.class), to = ir_new(w, leaf.class);
  ir_say(w, "shl.%s \t%s, %s, %u;", ir_suffix(leaf.class), ir_register(w, up),
         ir_operand(w, leaf), width - bits);
  ir_say(w, "shr.%s \t%s, %s, %u;", ir_signed(leaf.class), ir_register(w, to),
         ir_register(w, up), width - bits);
  return to;
}

struct ir_leaf ir_resized(struct ir_writer *w, struct ir_leaf leaf,
                          enum ir_class class, bool is_signed)
{
  if (leaf.class == class)
    return leaf;
  if (leaf.kind == IR_A_CONSTANT) {
    unsigned bits = ir_class_bits(leaf.class);
    uint64_t sign = (uint64_t)1 << (bits - 1);
    return ir_constant(class, is_signed && bits > 1 ? (leaf.bits ^ sign) - sign
                                                    : leaf.bits);
  }
  struct ir_leaf to = ir_new(w, class);
  const char *name = ir_register(w, to);
  if (class == IR_PREDICATE) {
    struct ir_leaf low = ir_new(w, leaf.class);
    ir_say(w, "and.%s \t%s, %s, 1;", ir_suffix(leaf.class), ir_register(w, low),
           ir_operand(w, leaf));
    ir_say(w, "setp.ne.%s \t%s, %s, 0;", ir_signed(leaf.class), name,
           ir_register(w, low));
  } else if (leaf.class == IR_PREDICATE)
    ir_say(w, "selp.%s \t%s, %d, 0, %s;", ir_suffix(class), name,
           is_signed ? -1 : 1, ir_operand(w, leaf));
  else
    ir_say(w, "cvt.%s.%s \t%s, %s;",
           is_signed ? ir_signed(class) : ir_unsigned(class),
           is_signed ? ir_signed(leaf.class) : ir_unsigned(leaf.class), name,
           ir_operand(w, leaf));
  return to;
}

struct ir_leaf ir_same_bits(struct ir_writer *w, struct ir_leaf leaf,
                            enum ir_class class)
{
  if (leaf.class == class)
    return leaf;
  if (leaf.kind == IR_A_CONSTANT || leaf.kind == IR_ANYTHING) {
    leaf.class = class;
    return leaf;
  }
  struct ir_leaf to = ir_new(w, class);
  ir_say(w, "mov.b%u \t%s, %s;", ir_class_bits(class), ir_register(w, to),
         ir_register(w, leaf));
  return to;
}

/* --- places in the source ------------------------------------------------------------------ */

static size_t file_number(struct ir_writer *w, struct ir_place place)
{
  bool is_absolute = ir_begins(place.file, "/") || place.folder.n == 0;
  char *name =
      is_absolute ? ir_print(w, "%.*s", (int)place.file.n, place.file.at)
                  : ir_print(w, "%.*s/%.*s", (int)place.folder.n,
                             place.folder.at, (int)place.file.n, place.file.at);
  void **number = ir_names_place(w->ir, &w->file_numbers, ir_text_of(name));

  if (*number == NULL) {
    size_t *mine = ir_take(w->ir, sizeof *mine);
    *mine = ++w->n_files;
    *number = mine;
    ir_add(w->ir, &w->files, "\t.file\t%zu \"%s\"\n", *mine, name);
  }
  return *(size_t *)*number;
}

void ir_mark_place(struct ir_writer *w, uint64_t debug)
{
  if (debug == 0 || debug == w->debug)
    return;
  struct ir_place place = ir_place_of(w->ir, debug);
  w->debug = debug;
  if (place.file.n == 0)
    return;
  size_t file = file_number(w, place);
  if (file == w->file && place.line == w->line && place.column == w->column)
    return;
  w->file = file;
  w->line = place.line;
  w->column = place.column;
  ir_say(w, ".loc\t%zu %llu %llu", file, (unsigned long long)place.line,
         (unsigned long long)place.column);
}
