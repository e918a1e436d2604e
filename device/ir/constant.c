/* Values as operands: numbers, constants, names. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"

static struct ir_value *new_value(struct ir *ir, enum ir_value_kind kind,
                                  const struct ir_type *type)
{
  struct ir_value *value = ir_take(ir, sizeof *value);

  value->kind = kind;
  value->type = type;
  return value;
}

struct ir_value *ir_number(struct ir *ir, const struct ir_type *type,
                           uint64_t bits)
{
  struct ir_value *value = new_value(ir, IR_BITS, type);

  value->bits = bits;
  return value;
}

bool ir_is_constant_number(const struct ir_value *value)
{
  return value->kind == IR_BITS ||
         (value->kind == IR_ZERO && !ir_is_aggregate(value->type));
}

/* --- numbers -------------------------------------------------------------------- */

static uint64_t parse_digits(struct ir *ir, struct ir_text text, unsigned base)
{
  uint64_t number = 0;

  if (text.n == 0)
    ir_stop_token(ir, "a number");
  for (size_t i = 0; i < text.n; i++) {
    int c = tolower((unsigned char)text.at[i]);
    unsigned digit = isdigit(c)    ? (unsigned)(c - '0')
                     : isxdigit(c) ? (unsigned)(c - 'a' + 10)
                                   : 99;
    if (digit >= base || number > (UINT64_MAX - digit) / base)
      ir_stop_token(ir, "a number of at most 64 bits");
    number = number * base + digit;
  }
  return number;
}

static struct ir_text rest(struct ir_text text, size_t n)
{
  return (struct ir_text){ text.at + n, text.n - n };
}

static uint64_t integer_bits(struct ir *ir, struct ir_text text)
{
  bool minus = ir_begins(text, "-");

  if (ir_begins(text, "u0x") || ir_begins(text, "s0x"))
    return parse_digits(ir, rest(text, 3), 16);
  uint64_t number = parse_digits(ir, rest(text, minus), 10);
  return minus ? 0 - number : number;
}

static uint64_t bits_of_double(double number)
{
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

static double double_of(uint64_t bits)
{
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

static uint64_t bits_of_float(double number)
{
  float narrow = (float)number;
  uint32_t bits;
  memcpy(&bits, &narrow, sizeof bits);
  return bits;
}

/* 0x…: the bits of a double, also where a float is meant. Its NaNs keep what
 * is in them. */
static uint64_t narrowed(uint64_t bits)
{
  if ((bits >> 52 & 0x7ff) == 0x7ff)
    return (bits >> 32 & 0x80000000u) | 0x7f800000u | (bits >> 29 & 0x7fffff);
  return bits_of_float(double_of(bits));
}

static double decimal(struct ir *ir, struct ir_text text)
{
  char copy[128];
  char *end;

  if (text.n >= sizeof copy)
    ir_stop_token(ir, "a number with fewer digits");
  memcpy(copy, text.at, text.n);
  copy[text.n] = '\0';
  double number = strtod(copy, &end);
  if (*end != '\0' || end == copy || strchr("-+.0123456789", *copy) == NULL)
    ir_stop_token(ir, "a floating-point number");
  return number;
}

static uint64_t float_bits(struct ir *ir, const struct ir_type *type,
                           struct ir_text text)
{
  bool half = ir_begins(text, "0xH"), bfloat = ir_begins(text, "0xR");

  if (half || bfloat) {
    if (half != (type->kind == IR_HALF) || bfloat != (type->kind == IR_BFLOAT))
      ir_stop_token(ir, "a number of the type before it");
    return parse_digits(ir, rest(text, 3), 16) & 0xffff;
  }
  if (type->kind == IR_HALF || type->kind == IR_BFLOAT)
    ir_stop_token(ir, "a number as 0xH… or 0xR…");
  if (ir_begins(text, "0x")) {
    uint64_t bits = parse_digits(ir, rest(text, 2), 16);
    return type->kind == IR_FLOAT ? narrowed(bits) : bits;
  }
  double number = decimal(ir, text);
  return type->kind == IR_FLOAT ? bits_of_float(number)
                                : bits_of_double(number);
}

static uint64_t masked(const struct ir_type *type, uint64_t bits)
{
  return type->kind == IR_INTEGER && type->bits < 64
             ? bits & (((uint64_t)1 << type->bits) - 1)
             : bits;
}

static struct ir_value *parse_number(struct ir *ir, const struct ir_type *type)
{
  struct ir_text text = ir->lexer.text;
  uint64_t bits;

  if (type->kind == IR_INTEGER)
    bits = masked(type, integer_bits(ir, text));
  else if (ir_is_float(type))
    bits = float_bits(ir, type, text);
  else
    ir_stop_token(ir, "a value of another type");
  ir_next(ir);
  return ir_number(ir, type, bits);
}

/* A part of a constant is one, too. */
static struct ir_value *parse_part(struct ir *ir)
{
  struct ir_value *value = ir_parse_typed_value(ir);

  if (value->kind == IR_NAMED || value->kind == IR_ASSEMBLY)
    ir_stop_token(ir, "a constant before it");
  return value;
}

static void expect_type(struct ir *ir, const struct ir_value *value,
                        const struct ir_type *type)
{
  if (!ir_is_same_type(value->type, type))
    ir_stop_token(ir, "a constant of the right type before it");
}

/* --- aggregates ------------------------------------------------------------------- */

static struct ir_value *parse_items(struct ir *ir, const struct ir_type *type,
                                    char end)
{
  struct ir_value *value = new_value(ir, IR_AGGREGATE, type);

  while (!ir_at(ir, end)) {
    struct ir_value *item = parse_part(ir);
    value->item = ir_grow(ir, value->item, value->n_items, sizeof item);
    value->item[value->n_items++] = item;
    if (!ir_take_mark(ir, ','))
      break;
  }
  ir_expect(ir, end);
  if (!ir_is_aggregate(type) || value->n_items != ir_element_count(type))
    ir_stop_token(ir, "as many values as the type has");
  for (size_t i = 0; i < value->n_items; i++)
    expect_type(ir, value->item[i], ir_element(ir, type, i));
  return value;
}

static struct ir_value *parse_bytes(struct ir *ir, const struct ir_type *type)
{
  struct ir_text text = ir_unescaped(ir, ir->lexer.text);

  if (type->kind != IR_ARRAY || type->element->kind != IR_INTEGER ||
      type->element->bits != 8 || type->count != text.n)
    ir_stop_token(ir, "as many bytes as the type has");
  struct ir_value *value = new_value(ir, IR_AGGREGATE, type);
  value->assembly = text;
  value->n_items = text.n;
  ir_next(ir);
  return value;
}

struct ir_value *ir_constant_element(struct ir *ir,
                                     const struct ir_value *value, uint64_t i)
{
  if (!ir_is_aggregate(value->type) || i >= ir_element_count(value->type))
    return NULL;
  if (value->kind == IR_AGGREGATE && value->item == NULL)
    return i < value->assembly.n
               ? ir_number(ir, value->type->element,
                           (unsigned char)value->assembly.at[i])
               : NULL;
  if (value->kind == IR_AGGREGATE)
    return value->item[i];
  if (value->kind != IR_ZERO && value->kind != IR_UNDEFINED)
    return NULL;
  return new_value(ir, value->kind, ir_element(ir, value->type, i));
}

static struct ir_value *parse_splat(struct ir *ir, const struct ir_type *type)
{
  struct ir_value *value = new_value(ir, IR_AGGREGATE, type);

  ir_expect(ir, '(');
  struct ir_value *item = parse_part(ir);
  ir_expect(ir, ')');
  if (type->kind != IR_VECTOR)
    ir_stop_token(ir, "a vector before splat");
  expect_type(ir, item, type->element);
  value->n_items = type->count;
  value->item = ir_take(ir, value->n_items * sizeof item);
  for (size_t i = 0; i < value->n_items; i++)
    value->item[i] = item;
  return value;
}

/* --- constant expressions ----------------------------------------------------------- */

bool ir_constant_offset(struct ir *ir, const struct ir_instruction *gep,
                        int64_t *offset)
{
  const struct ir_type *type = gep->about;
  uint64_t sum = 0;

  for (size_t i = 1; i < gep->n_operands; i++) {
    const struct ir_value *index = gep->operand[i];
    if (!ir_is_constant_number(index) || index->type->kind != IR_INTEGER)
      return false;
    unsigned bits = index->type->bits;
    uint64_t number = index->bits << (64 - bits);
    int64_t at = (int64_t)number >> (64 - bits);
    if (i == 1)
      sum += (uint64_t)at * type->bytes;
    else {
      sum += ir_element_offset(ir, type, (uint64_t)at);
      type = ir_element(ir, type, (uint64_t)at);
    }
  }
  *offset = (int64_t)sum;
  return true;
}

/* An address plus constants, or the same address in another space, is an
 * address; other expressions are calculated where they are used. */
static struct ir_value *folded(struct ir *ir, struct ir_instruction *e)
{
  const struct ir_value *from = e->operand[0];
  struct ir_value *value;
  int64_t offset = 0;

  if (from->kind == IR_ADDRESS && e->type->kind == IR_POINTER &&
      ((e->operation == IR_OP_getelementptr &&
        ir_constant_offset(ir, e, &offset)) ||
       e->operation == IR_OP_addrspacecast || e->operation == IR_OP_bitcast)) {
    value = new_value(ir, IR_ADDRESS, e->type);
    value->global = from->global;
    value->offset = (int64_t)((uint64_t)from->offset + (uint64_t)offset);
    return value;
  }
  if (e->operation == IR_OP_inttoptr && e->type->kind == IR_POINTER &&
      ir_is_constant_number(from))
    return ir_number(ir, e->type, from->bits);
  value = new_value(ir, IR_EXPRESSION, e->type);
  value->expression = e;
  return value;
}

static bool is_cast(enum ir_operation operation)
{
  return operation == IR_OP_addrspacecast || operation == IR_OP_ptrtoint ||
         operation == IR_OP_ptrtoaddr || operation == IR_OP_inttoptr ||
         operation == IR_OP_bitcast || operation == IR_OP_trunc;
}

static bool is_binary(enum ir_operation operation)
{
  return operation == IR_OP_add || operation == IR_OP_sub ||
         operation == IR_OP_mul || operation == IR_OP_xor ||
         operation == IR_OP_and || operation == IR_OP_or ||
         operation == IR_OP_shl || operation == IR_OP_lshr;
}

static int operation_here(struct ir *ir)
{
  for (int i = 0; i < IR_N_OPERATIONS; i++)
    if (ir_at_word(ir, ir_operation_name((enum ir_operation)i)))
      return i;
  return -1;
}

static void add_operand(struct ir *ir, struct ir_instruction *e,
                        struct ir_value *value)
{
  e->operand = ir_grow(ir, e->operand, e->n_operands, sizeof value);
  e->operand[e->n_operands++] = value;
}

static void check_operands(struct ir *ir, const struct ir_instruction *e,
                           const struct ir_type *type)
{
  bool is_gep = e->operation == IR_OP_getelementptr;

  if (!ir_is_same_type(e->type, type))
    ir_stop_token(ir, "a cast to the right type before it");
  if (is_gep && type->kind != IR_POINTER)
    ir_stop_token(ir, "a pointer (vectors of pointers are not known)");
  for (size_t i = 0; i < e->n_operands; i++)
    if (is_binary(e->operation) || (is_gep && i == 0))
      expect_type(ir, e->operand[i], type);
    else if (is_gep && e->operand[i]->type->kind != IR_INTEGER)
      ir_stop_token(ir, "integers as indices before it");
}

static struct ir_value *parse_expression(struct ir *ir,
                                         const struct ir_type *type)
{
  int operation = operation_here(ir);
  struct ir_instruction *e = ir_take(ir, sizeof *e);

  if (operation < 0 || (!is_cast((enum ir_operation)operation) &&
                        !is_binary((enum ir_operation)operation) &&
                        operation != IR_OP_getelementptr))
    ir_stop_token(ir, "a constant expression that is known");
  e->operation = (enum ir_operation)operation;
  e->line = ir->lexer.token_line;
  e->type = type;
  do {
    ir_next(ir);
    if (ir_take_word(ir, "inrange"))
      ir_skip_parentheses(ir);
  } while (!ir_at(ir, '(') && ir->lexer.kind == IR_TOKEN_WORD);
  ir_expect(ir, '(');
  if (e->operation == IR_OP_getelementptr) {
    e->about = ir_parse_type(ir);
    ir_expect(ir, ',');
  }
  do {
    ir_take_word(ir, "inrange");
    add_operand(ir, e, parse_part(ir));
  } while (ir_take_mark(ir, ','));
  if (is_cast(e->operation)) {
    ir_expect_word(ir, "to");
    e->type = ir_parse_type(ir);
  }
  ir_expect(ir, ')');
  if (e->n_operands != (is_cast(e->operation)     ? 1
                        : is_binary(e->operation) ? 2
                                                  : e->n_operands))
    ir_stop_token(ir, "as many operands as the operation has");
  check_operands(ir, e, type);
  return folded(ir, e);
}

/* --- all kinds ---------------------------------------------------------------------- */

static struct ir_value *parse_assembly(struct ir *ir,
                                       const struct ir_type *type)
{
  struct ir_value *value = new_value(ir, IR_ASSEMBLY, type);

  while (ir_take_word(ir, "sideeffect") || ir_take_word(ir, "alignstack") ||
         ir_take_word(ir, "unwind"))
    ;
  if (ir->lexer.kind != IR_TOKEN_STRING)
    ir_stop_token(ir, "inline PTX");
  value->assembly = ir_unescaped(ir, ir->lexer.text);
  ir_next(ir);
  ir_expect(ir, ',');
  if (ir->lexer.kind != IR_TOKEN_STRING)
    ir_stop_token(ir, "the constraints of inline PTX");
  value->constraints = ir_unescaped(ir, ir->lexer.text);
  ir_next(ir);
  return value;
}

static struct ir_value *parse_word(struct ir *ir, const struct ir_type *type)
{
  if (ir_at_word(ir, "true") || ir_at_word(ir, "false")) {
    if (type->kind != IR_INTEGER || type->bits != 1)
      ir_stop_token(ir, "a value of another type");
    bool is_true = ir_take_word(ir, "true");
    if (!is_true)
      ir_next(ir);
    return ir_number(ir, type, is_true);
  }
  if (ir_take_word(ir, "null") || ir_take_word(ir, "zeroinitializer") ||
      ir_take_word(ir, "none"))
    return new_value(ir, IR_ZERO, type);
  if (ir_take_word(ir, "undef") || ir_take_word(ir, "poison"))
    return new_value(ir, IR_UNDEFINED, type);
  if (ir_take_word(ir, "splat"))
    return parse_splat(ir, type);
  if (ir_take_word(ir, "asm"))
    return parse_assembly(ir, type);
  return parse_expression(ir, type);
}

/* What llvm.dbg.* and their like are given; nothing reads it. */
static struct ir_value *skip_metadata(struct ir *ir)
{
  if (ir->lexer.kind == IR_TOKEN_METADATA) {
    ir_next(ir);
    if (ir_at(ir, '('))
      ir_skip_parentheses(ir);
    else if (ir_at(ir, '{'))
      ir_skip_parentheses(ir);
  } else
    ir_parse_typed_value(ir);
  return new_value(ir, IR_NOTHING, ir_simple_type(ir, IR_METADATA, 0));
}

static struct ir_value *parse_name(struct ir *ir, const struct ir_type *type)
{
  struct ir_value *value;
  struct ir_text name = ir->lexer.text;

  if (ir->lexer.kind == IR_TOKEN_GLOBAL) {
    if (type->kind != IR_POINTER)
      ir_stop_token(ir, "a value of another type");
    value = new_value(ir, IR_ADDRESS, type);
    value->global = ir_global_named(ir, name);
  } else {
    if (ir->function == NULL)
      ir_stop_token(ir, "a constant");
    value = new_value(ir, IR_NAMED, type);
    value->named = ir_local_named(ir, name);
  }
  ir_next(ir);
  return value;
}

struct ir_value *ir_parse_value(struct ir *ir, const struct ir_type *type)
{
  struct ir_value *value;

  if (++ir->depth > IR_MOST_DEPTH)
    ir_stop_token(ir, "a value that is less deep");
  if (type->kind == IR_METADATA)
    value = skip_metadata(ir);
  else if (!ir_is_value_type(type))
    ir_stop_token(ir, "a type that has values before it");
  else if (ir->lexer.kind == IR_TOKEN_GLOBAL ||
           ir->lexer.kind == IR_TOKEN_LOCAL)
    value = parse_name(ir, type);
  else if (ir->lexer.kind == IR_TOKEN_NUMBER)
    value = parse_number(ir, type);
  else if (ir->lexer.kind == IR_TOKEN_BYTES)
    value = parse_bytes(ir, type);
  else if (ir_take_mark(ir, '{'))
    value = parse_items(ir, type, '}');
  else if (ir_take_mark(ir, '['))
    value = parse_items(ir, type, ']');
  else if (ir_take_mark(ir, '<')) {
    bool packed = ir_take_mark(ir, '{');
    value = parse_items(ir, type, packed ? '}' : '>');
    if (packed)
      ir_expect(ir, '>');
  } else if (ir->lexer.kind == IR_TOKEN_WORD)
    value = parse_word(ir, type);
  else
    ir_stop_token(ir, "a value");
  ir->depth--;
  return value;
}

struct ir_value *ir_parse_typed_value(struct ir *ir)
{
  const struct ir_type *type = ir_parse_type(ir);
  return ir_parse_value(ir, type);
}
