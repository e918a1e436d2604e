/* Types as LLVM's text has them. Layout is NVPTX's: everything at a multiple of
 * its size, pointers of 64 bits in every space but that of tensor memory. */
#include "types.h"

#include <ctype.h>
#include <string.h>

#define MOST_BYTES ((uint64_t)1 << 40)

static const struct {
  const char *word;
  enum ir_type_kind kind;
} simple[] = { { "void", IR_VOID },     { "half", IR_HALF },
               { "bfloat", IR_BFLOAT }, { "float", IR_FLOAT },
               { "double", IR_DOUBLE }, { "ptr", IR_POINTER },
               { "label", IR_LABEL },   { "metadata", IR_METADATA } };

static int simple_kind(struct ir_text word)
{
  for (size_t i = 0; i < sizeof simple / sizeof *simple; i++)
    if (ir_is(word, simple[i].word))
      return (int)simple[i].kind;
  return -1;
}

static bool is_integer_word(struct ir_text word)
{
  if (word.n < 2 || word.n > 8 || word.at[0] != 'i')
    return false;
  for (size_t i = 1; i < word.n; i++)
    if (!isdigit((unsigned char)word.at[i]))
      return false;
  return true;
}

bool ir_at_type(struct ir *ir)
{
  const struct ir_lexer *lexer = &ir->lexer;

  if (lexer->kind == IR_TOKEN_WORD)
    return simple_kind(lexer->text) >= 0 || is_integer_word(lexer->text);
  return lexer->kind == IR_TOKEN_LOCAL || ir_at(ir, '[') || ir_at(ir, '<') ||
         ir_at(ir, '{');
}

/* --- layout ----------------------------------------------------------------- */

static uint64_t round_up(uint64_t bytes, uint64_t alignment)
{
  return (bytes + alignment - 1) / alignment * alignment;
}

static void lay_out(struct ir *ir, struct ir_type *type);

static void lay_out_structure(struct ir *ir, struct ir_type *type)
{
  type->alignment = 1;
  for (size_t i = 0; i < type->n_fields; i++) {
    struct ir_type *field = (struct ir_type *)type->field[i];
    lay_out(ir, field);
    uint64_t alignment = type->packed ? 1 : field->alignment;
    if (alignment > type->alignment)
      type->alignment = alignment;
    type->stored = round_up(type->stored, alignment) + field->bytes;
    type->n_leaves += field->n_leaves;
    if (type->stored > MOST_BYTES || type->n_leaves > MOST_BYTES)
      ir_stop_token(ir, "a type of less than 1 TiB");
  }
  type->bytes = type->stored = round_up(type->stored, type->alignment);
}

static void lay_out_scalar(struct ir *ir, struct ir_type *type)
{
  uint64_t bits = type->bits;

  switch (type->kind) {
  case IR_HALF:
  case IR_BFLOAT: bits = 16; break;
  case IR_FLOAT: bits = 32; break;
  case IR_DOUBLE: bits = 64; break;
  case IR_POINTER: bits = type->bits == 6 ? 32 : 64; break;
  case IR_INTEGER: break;
  default: ir_stop_token(ir, "a type that has a size");
  }
  type->stored = (bits + 7) / 8;
  type->alignment = 1;
  while (type->alignment < type->stored && type->alignment < 16)
    type->alignment *= 2;
  type->bytes = round_up(type->stored, type->alignment);
  type->n_leaves = 1;
}

static void lay_out_sequence(struct ir *ir, struct ir_type *type)
{
  const struct ir_type *element = type->element;

  lay_out(ir, (struct ir_type *)element);
  if (element->bytes != 0 && type->count > MOST_BYTES / element->bytes)
    ir_stop_token(ir, "a type of less than 1 TiB");
  if (type->count != 0 && element->n_leaves > MOST_BYTES / type->count)
    ir_stop_token(ir, "a type of less than 2^40 elements");
  type->n_leaves = type->count * element->n_leaves;
  type->stored = type->bytes = type->count * element->bytes;
  type->alignment = element->alignment;
  if (type->kind != IR_VECTOR)
    return;
  if (element->kind == IR_INTEGER && element->bits == 1)
    type->stored = type->bytes = (type->count + 7) / 8;
  if (type->count == 0 || ir_is_aggregate(element))
    ir_stop_token(ir, "a vector of one or more numbers");
  if (type->count > IR_MOST_LEAVES)
    ir_stop_token(ir, "a shorter vector");
  type->alignment = 1;
  while (type->alignment < type->bytes)
    type->alignment *= 2;
  type->bytes = type->alignment;
}

static void lay_out(struct ir *ir, struct ir_type *type)
{
  if (type->state == 2)
    return;
  if (type->state == 1 || ++ir->depth > IR_MOST_DEPTH)
    ir_stop_token(ir, "a type that doesn't contain itself");
  type->state = 1;
  if (type->kind == IR_STRUCT) {
    if (!type->defined)
      ir_stop_token(ir, "a type whose fields are known");
    lay_out_structure(ir, type);
  } else if (type->kind == IR_VECTOR || type->kind == IR_ARRAY)
    lay_out_sequence(ir, type);
  else
    lay_out_scalar(ir, type);
  type->state = 2;
  ir->depth--;
}

/* --- reading ------------------------------------------------------------------ */

const struct ir_type *ir_simple_type(struct ir *ir, enum ir_type_kind kind,
                                     unsigned bits)
{
  struct ir_type *type = ir_take(ir, sizeof *type);

  type->kind = kind;
  type->bits = bits;
  type->defined = true;
  if (ir_is_value_type(type))
    lay_out(ir, type);
  return type;
}

static const struct ir_type *parse(struct ir *ir);

static void add_field(struct ir *ir, struct ir_type *type,
                      const struct ir_type *field)
{
  type->field = ir_grow(ir, type->field, type->n_fields, sizeof field);
  type->field[type->n_fields++] = field;
}

static void parse_fields(struct ir *ir, struct ir_type *type, bool packed)
{
  ir_expect(ir, '{');
  type->kind = IR_STRUCT;
  type->packed = packed;
  type->defined = true;
  while (!ir_at(ir, '}')) {
    add_field(ir, type, parse(ir));
    if (!ir_take_mark(ir, ','))
      break;
  }
  ir_expect(ir, '}');
  if (packed)
    ir_expect(ir, '>');
}

static const struct ir_type *parse_sequence(struct ir *ir, char end)
{
  struct ir_type *type = ir_take(ir, sizeof *type);

  if (ir_at_word(ir, "vscale"))
    ir_stop_token(ir, "a vector of fixed length");
  type->kind = end == ']' ? IR_ARRAY : IR_VECTOR;
  type->defined = true;
  type->count = ir_expect_number(ir);
  ir_expect_word(ir, "x");
  type->element = parse(ir);
  ir_expect(ir, end);
  return type;
}

static const struct ir_type *parse_word(struct ir *ir)
{
  struct ir_text word = ir->lexer.text;
  struct ir_type *type = ir_take(ir, sizeof *type);
  int kind = simple_kind(word);

  type->defined = true;
  if (kind >= 0)
    type->kind = (enum ir_type_kind)kind;
  else if (is_integer_word(word)) {
    type->kind = IR_INTEGER;
    for (size_t i = 1; i < word.n; i++)
      type->bits = 10 * type->bits + (unsigned)(word.at[i] - '0');
    if (type->bits == 0 || type->bits > IR_WORD_BITS)
      ir_stop_token(ir, "an integer of 1 to 64 bits");
  } else
    ir_stop_token(ir, "a type");
  ir_next(ir);
  if (type->kind == IR_POINTER && ir_take_word(ir, "addrspace")) {
    ir_expect(ir, '(');
    uint64_t space = ir_expect_number(ir);
    if (space > IR_PARAMETER)
      ir_stop_token(ir, "a known address space");
    type->bits = (unsigned)space;
    ir_expect(ir, ')');
  }
  return type;
}

static struct ir_type *named_type(struct ir *ir, struct ir_text name)
{
  void **place = ir_names_place(ir, &ir->types, name);

  if (*place == NULL) {
    struct ir_type *type = ir_take(ir, sizeof *type);
    type->kind = IR_STRUCT;
    type->has_name = true;
    *place = type;
  }
  return *place;
}

/* (i32, ptr) after the type of what is returned. */
static const struct ir_type *parse_function_type(struct ir *ir,
                                                 const struct ir_type *result)
{
  struct ir_type *type = ir_take(ir, sizeof *type);

  type->kind = IR_FUNCTION;
  type->element = result;
  type->defined = true;
  ir_expect(ir, '(');
  while (!ir_at(ir, ')')) {
    if (ir_take_mark(ir, '.'))
      type->variadic = true;
    else
      add_field(ir, type, parse(ir));
    if (!ir_take_mark(ir, ','))
      break;
  }
  ir_expect(ir, ')');
  return type;
}

static const struct ir_type *parse(struct ir *ir)
{
  const struct ir_type *type;

  if (++ir->depth > IR_MOST_DEPTH)
    ir_stop_token(ir, "a type that is less deep");
  if (ir->lexer.kind == IR_TOKEN_LOCAL) {
    type = named_type(ir, ir->lexer.text);
    ir_next(ir);
  } else if (ir_take_mark(ir, '['))
    type = parse_sequence(ir, ']');
  else if (ir_at(ir, '{')) {
    struct ir_type *fields = ir_take(ir, sizeof *fields);
    parse_fields(ir, fields, false);
    type = fields;
  } else if (ir_take_mark(ir, '<')) {
    if (ir_at(ir, '{')) {
      struct ir_type *fields = ir_take(ir, sizeof *fields);
      parse_fields(ir, fields, true);
      type = fields;
    } else
      type = parse_sequence(ir, '>');
  } else
    type = parse_word(ir);
  if (ir_at(ir, '*'))
    ir_stop_token(ir, "opaque pointers, which LLVM has since version 15,");
  if (ir_at(ir, '('))
    type = parse_function_type(ir, type);
  ir->depth--;
  return type;
}

bool ir_is_value_type(const struct ir_type *type)
{
  return type->kind != IR_VOID && type->kind != IR_LABEL &&
         type->kind != IR_METADATA && type->kind != IR_FUNCTION;
}

const struct ir_type *ir_parse_type(struct ir *ir)
{
  const struct ir_type *type = parse(ir);

  if (ir_is_value_type(type))
    lay_out(ir, (struct ir_type *)type);
  return type;
}

void ir_define_type(struct ir *ir, struct ir_text name)
{
  struct ir_type *type = named_type(ir, name);

  if (type->defined)
    ir_stop_token(ir, "a type's only definition");
  if (ir_take_word(ir, "opaque"))
    return;
  bool packed = ir_take_mark(ir, '<');
  if (!ir_at(ir, '{'))
    ir_stop_token(ir, "a structure's fields");
  parse_fields(ir, type, packed);
}

/* --- parts ---------------------------------------------------------------------- */

bool ir_is_aggregate(const struct ir_type *type)
{
  return type->kind == IR_VECTOR || type->kind == IR_ARRAY ||
         type->kind == IR_STRUCT;
}

bool ir_is_float(const struct ir_type *type)
{
  return type->kind == IR_HALF || type->kind == IR_BFLOAT ||
         type->kind == IR_FLOAT || type->kind == IR_DOUBLE;
}

bool ir_is_same_type(const struct ir_type *a, const struct ir_type *b)
{
  if (a == b)
    return true;
  if (a->kind != b->kind || a->has_name || b->has_name || a->bits != b->bits ||
      a->count != b->count || a->packed != b->packed ||
      a->variadic != b->variadic || a->n_fields != b->n_fields)
    return false;
  for (size_t i = 0; i < a->n_fields; i++)
    if (!ir_is_same_type(a->field[i], b->field[i]))
      return false;
  return a->element == b->element ||
         (a->element != NULL && b->element != NULL &&
          ir_is_same_type(a->element, b->element));
}

uint64_t ir_element_count(const struct ir_type *type)
{
  return type->kind == IR_STRUCT ? type->n_fields : type->count;
}

const struct ir_type *ir_element(struct ir *ir, const struct ir_type *type,
                                 uint64_t i)
{
  if (!ir_is_aggregate(type))
    ir_stop_instruction(ir, "an index into something without parts");
  if (type->kind == IR_STRUCT && i >= type->n_fields)
    ir_stop_instruction(ir, "a structure has fewer fields");
  lay_out(ir, (struct ir_type *)type);
  const struct ir_type *element =
      type->kind == IR_STRUCT ? type->field[i] : type->element;
  lay_out(ir, (struct ir_type *)element);
  return element;
}

uint64_t ir_element_offset(struct ir *ir, const struct ir_type *type,
                           uint64_t i)
{
  uint64_t offset = 0;

  if (type->kind != IR_STRUCT) {
    if (type->kind == IR_VECTOR && type->element->kind == IR_INTEGER &&
        type->element->bits % 8 != 0)
      ir_stop_instruction(ir, "vectors of such integers in memory");
    return i * ir_element(ir, type, 0)->bytes;
  }
  for (uint64_t k = 0; k <= i; k++) {
    const struct ir_type *field = ir_element(ir, type, k);
    offset = round_up(offset, type->packed ? 1 : field->alignment);
    if (k < i)
      offset += field->bytes;
  }
  return offset;
}

const struct ir_type *ir_leaf_type(struct ir *ir, const struct ir_type *type,
                                   uint64_t leaf, uint64_t *offset)
{
  while (ir_is_aggregate(type)) {
    uint64_t i = 0;
    if (type->kind == IR_STRUCT) {
      while (leaf >= ir_element(ir, type, i)->n_leaves)
        leaf -= type->field[i++]->n_leaves;
    } else {
      uint64_t each = ir_element(ir, type, 0)->n_leaves;
      i = each == 0 ? 0 : leaf / each;
      leaf -= i * each;
    }
    if (offset != NULL)
      *offset += ir_element_offset(ir, type, i);
    type = ir_element(ir, type, i);
  }
  return type;
}
