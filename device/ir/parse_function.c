/* A function's blocks and instructions. */
#include <stdlib.h>
#include <string.h>

#include "parse.h"

static const char *const names[] = {
#define OPERATION(name) #name,
#include "operations.def"
};

const char *ir_operation_name(enum ir_operation operation)
{
  return names[operation];
}

struct ir_named *ir_local_named(struct ir *ir, struct ir_text name)
{
  void **place = ir_names_place(ir, &ir->function->locals, name);

  if (*place == NULL) {
    struct ir_named *named = ir_take(ir, sizeof *named);
    named->name = name;
    named->space = -1;
    *place = named;
  }
  return *place;
}

struct ir_block *ir_block_named(struct ir *ir, struct ir_text name)
{
  void **place = ir_names_place(ir, &ir->function->blocks, name);

  if (*place == NULL) {
    struct ir_block *block = ir_take(ir, sizeof *block);
    block->name = name;
    *place = block;
  }
  return *place;
}

static void add_operand(struct ir *ir, struct ir_instruction *instruction,
                        struct ir_value *value)
{
  instruction->operand =
      ir_grow(ir, instruction->operand, instruction->n_operands, sizeof value);
  instruction->operand[instruction->n_operands++] = value;
}

static void add_target(struct ir *ir, struct ir_instruction *instruction,
                       struct ir_text name)
{
  struct ir_block *block = ir_block_named(ir, name);

  instruction->target =
      ir_grow(ir, instruction->target, instruction->n_targets, sizeof block);
  instruction->target[instruction->n_targets++] = block;
}

static void add_number(struct ir *ir, struct ir_instruction *instruction,
                       uint64_t number)
{
  instruction->number =
      ir_grow(ir, instruction->number, instruction->n_numbers, sizeof number);
  instruction->number[instruction->n_numbers++] = number;
}

/* label %name */
static void parse_target(struct ir *ir, struct ir_instruction *instruction)
{
  ir_expect_word(ir, "label");
  if (ir->lexer.kind != IR_TOKEN_LOCAL)
    ir_stop_token(ir, "a block's name");
  add_target(ir, instruction, ir->lexer.text);
  ir_next(ir);
}

/* --- words between an operation and its operands ------------------------------------ */

static void parse_flags(struct ir *ir, struct ir_instruction *instruction)
{
  static const struct {
    const char *word;
    unsigned fast;
  } flags[] = {
    { "nuw", 0 },      { "nsw", 0 },  { "exact", 0 },
    { "disjoint", 0 }, { "nneg", 0 }, { "samesign", 0 },
    { "inbounds", 0 }, { "nusw", 0 }, { "fast", IR_CONTRACT | IR_AFN },
    { "nnan", 0 },     { "ninf", 0 }, { "nsz", 0 },
    { "reassoc", 0 },  { "arcp", 0 }, { "contract", IR_CONTRACT },
    { "afn", IR_AFN }
  };

  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    if (ir_take_word(ir, flags[i].word)) {
      instruction->fast |= flags[i].fast;
      i = (size_t)-1;
    }
}

static void parse_scope(struct ir *ir, struct ir_instruction *instruction)
{
  if (!ir_take_word(ir, "syncscope"))
    return;
  ir_expect(ir, '(');
  if (ir->lexer.kind != IR_TOKEN_STRING)
    ir_stop_token(ir, "a scope's name");
  instruction->scope = ir->lexer.text;
  ir_next(ir);
  ir_expect(ir, ')');
}

static enum ir_order parse_order(struct ir *ir)
{
  static const struct {
    const char *word;
    enum ir_order order;
  } orders[] = { { "unordered", IR_UNORDERED }, { "monotonic", IR_MONOTONIC },
                 { "acquire", IR_ACQUIRE },     { "release", IR_RELEASE },
                 { "acq_rel", IR_ACQ_REL },     { "seq_cst", IR_SEQ_CST } };

  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
    if (ir_take_word(ir, orders[i].word))
      return orders[i].order;
  return IR_NOT_ATOMIC;
}

/* ", align 4" and ", !dbg !5" and the like. */
static void parse_rest(struct ir *ir, struct ir_instruction *instruction)
{
  while (ir_take_mark(ir, ',')) {
    if (ir_take_word(ir, "align")) {
      instruction->alignment = ir_expect_number(ir);
      if (instruction->alignment == 0 ||
          (instruction->alignment & (instruction->alignment - 1)) != 0)
        ir_stop_token(ir, "an alignment that is a power of two before it");
    } else if (instruction->operation == IR_OP_alloca &&
               ir_take_word(ir, "addrspace")) {
      ir_expect(ir, '(');
      uint64_t space = ir_expect_number(ir);
      ir_expect(ir, ')');
      if (space != IR_GENERIC && space != IR_LOCAL)
        ir_stop_token(ir, "local memory before it");
      instruction->type = ir_simple_type(ir, IR_POINTER, (unsigned)space);
    } else if (ir->lexer.kind == IR_TOKEN_METADATA) {
      bool is_debug = ir_is(ir->lexer.text, "dbg");
      ir_next(ir);
      if (ir->lexer.kind != IR_TOKEN_METADATA)
        ir_stop_token(ir, "metadata");
      struct ir_text number = ir->lexer.text;
      ir_next(ir);
      if (ir_at(ir, '{') || ir_at(ir, '('))
        ir_skip_parentheses(ir);
      else if (is_debug && number.n < 10)
        instruction->debug = strtoul(number.at, NULL, 10) + 1;
    } else if (instruction->operation == IR_OP_alloca) {
      struct ir_value *count = ir_parse_typed_value(ir);
      add_operand(ir, instruction, count);
    } else
      ir_stop_token(ir, "an instruction's end");
  }
}

/* --- operands ------------------------------------------------------------------------- */

static const struct ir_type *same_shape(struct ir *ir,
                                        const struct ir_type *type,
                                        const struct ir_type *scalar)
{
  if (type->kind != IR_VECTOR)
    return scalar;
  struct ir_type *vector = ir_take(ir, sizeof *vector);
  *vector = *type;
  vector->element = scalar;
  vector->state = 0;
  vector->stored = 0;
  vector->bytes = 0;
  (void)ir_element(ir, vector, 0);
  return vector;
}

static void parse_two(struct ir *ir, struct ir_instruction *i)
{
  const struct ir_type *type = ir_parse_type(ir);

  add_operand(ir, i, ir_parse_value(ir, type));
  ir_expect(ir, ',');
  add_operand(ir, i, ir_parse_value(ir, type));
  i->type = type;
}

static void parse_comparison(struct ir *ir, struct ir_instruction *i)
{
  parse_flags(ir, i);
  if (ir->lexer.kind != IR_TOKEN_WORD)
    ir_stop_token(ir, "a comparison");
  i->word = ir->lexer.text;
  ir_next(ir);
  parse_two(ir, i);
  i->type = same_shape(ir, i->type, ir_simple_type(ir, IR_INTEGER, 1));
}

static void parse_typed_list(struct ir *ir, struct ir_instruction *i, size_t n)
{
  for (size_t k = 0; k < n; k++) {
    if (k > 0)
      ir_expect(ir, ',');
    add_operand(ir, i, ir_parse_typed_value(ir));
  }
}

static void parse_cast(struct ir *ir, struct ir_instruction *i)
{
  parse_flags(ir, i);
  parse_typed_list(ir, i, 1);
  ir_expect_word(ir, "to");
  i->type = ir_parse_type(ir);
}

static void parse_phi(struct ir *ir, struct ir_instruction *i)
{
  parse_flags(ir, i);
  i->type = ir_parse_type(ir);
  do {
    ir_expect(ir, '[');
    add_operand(ir, i, ir_parse_value(ir, i->type));
    ir_expect(ir, ',');
    if (ir->lexer.kind != IR_TOKEN_LOCAL)
      ir_stop_token(ir, "a block's name");
    add_target(ir, i, ir->lexer.text);
    ir_next(ir);
    ir_expect(ir, ']');
    if (!ir_at(ir, ','))
      return;
    struct ir_lexer before = ir->lexer;
    ir_next(ir);
    if (!ir_at(ir, '[')) {
      ir->lexer = before;
      return;
    }
  } while (true);
}

static void parse_branch(struct ir *ir, struct ir_instruction *i)
{
  if (!ir_at_word(ir, "label")) {
    parse_typed_list(ir, i, 1);
    ir_expect(ir, ',');
    parse_target(ir, i);
    ir_expect(ir, ',');
  }
  parse_target(ir, i);
}

static void parse_switch(struct ir *ir, struct ir_instruction *i)
{
  parse_typed_list(ir, i, 1);
  ir_expect(ir, ',');
  parse_target(ir, i);
  ir_expect(ir, '[');
  while (!ir_at(ir, ']')) {
    struct ir_value *value = ir_parse_typed_value(ir);
    if (!ir_is_constant_number(value))
      ir_stop_token(ir, "a number before it");
    if (!ir_is_same_type(value->type, i->operand[0]->type))
      ir_stop_token(ir, "a number of the type of what chooses before it");
    add_number(ir, i, value->bits);
    ir_expect(ir, ',');
    parse_target(ir, i);
  }
  ir_expect(ir, ']');
}

static void parse_return(struct ir *ir, struct ir_instruction *i)
{
  const struct ir_type *type = ir_parse_type(ir);

  if (type->kind != IR_VOID)
    add_operand(ir, i, ir_parse_value(ir, type));
}

static const struct ir_type *indexed(struct ir *ir, const struct ir_type *type,
                                     uint64_t index)
{
  if (!ir_is_aggregate(type) || type->kind == IR_VECTOR ||
      index >= ir_element_count(type))
    ir_stop_token(ir, "an index that the type has before it");
  return ir_element(ir, type, index);
}

/* The indices of extractvalue and insertvalue: numbers without types. */
static const struct ir_type *parse_indices(struct ir *ir,
                                           struct ir_instruction *i,
                                           const struct ir_type *type)
{
  while (ir_at(ir, ',')) {
    struct ir_lexer before = ir->lexer;
    ir_next(ir);
    if (ir->lexer.kind != IR_TOKEN_NUMBER) {
      ir->lexer = before;
      break;
    }
    add_number(ir, i, ir_expect_number(ir));
    type = indexed(ir, type, i->number[i->n_numbers - 1]);
  }
  if (i->n_numbers == 0)
    ir_stop_token(ir, "an index");
  return type;
}

static void parse_extractvalue(struct ir *ir, struct ir_instruction *i)
{
  parse_typed_list(ir, i, 1);
  i->type = parse_indices(ir, i, i->operand[0]->type);
}

static void parse_insertvalue(struct ir *ir, struct ir_instruction *i)
{
  parse_typed_list(ir, i, 2);
  const struct ir_type *part = parse_indices(ir, i, i->operand[0]->type);
  if (!ir_is_same_type(part, i->operand[1]->type))
    ir_stop_token(ir, "a value of the part's type before it");
  i->type = i->operand[0]->type;
}

static void expect_vector(struct ir *ir, const struct ir_instruction *i)
{
  if (i->operand[0]->type->kind != IR_VECTOR)
    ir_stop_token(ir, "a vector before it");
}

static void parse_shuffle(struct ir *ir, struct ir_instruction *i)
{
  parse_typed_list(ir, i, 3);
  expect_vector(ir, i);
  const struct ir_value *mask = i->operand[2];
  struct ir_type *type = ir_take(ir, sizeof *type);
  if (mask->type->kind != IR_VECTOR ||
      !ir_is_same_type(i->operand[0]->type, i->operand[1]->type))
    ir_stop_token(ir, "two vectors of one type, and a mask, before it");
  *type = *i->operand[0]->type;
  type->count = mask->type->count;
  type->state = 0;
  type->stored = type->bytes = 0;
  (void)ir_element(ir, type, 0);
  i->type = type;
  for (uint64_t k = 0; k < type->count; k++) {
    struct ir_value *item = ir_constant_element(ir, mask, k);
    if (item == NULL)
      ir_stop_token(ir, "a constant mask before it");
    add_number(ir, i, item->kind == IR_UNDEFINED ? UINT64_MAX : item->bits);
  }
}

static void parse_alloca(struct ir *ir, struct ir_instruction *i)
{
  ir_take_word(ir, "inalloca");
  i->about = ir_parse_type(ir);
  i->type = ir_simple_type(ir, IR_POINTER, IR_GENERIC);
}

static void parse_access_words(struct ir *ir, struct ir_instruction *i,
                               bool *is_atomic)
{
  *is_atomic = ir_take_word(ir, "atomic");
  ir_take_word(ir, "weak");
  i->is_volatile = ir_take_word(ir, "volatile");
}

static void parse_atomic_words(struct ir *ir, struct ir_instruction *i)
{
  parse_scope(ir, i);
  i->order = parse_order(ir);
  if (i->order == IR_NOT_ATOMIC)
    ir_stop_token(ir, "an order of memory");
}

static void parse_load(struct ir *ir, struct ir_instruction *i)
{
  bool is_atomic;

  parse_access_words(ir, i, &is_atomic);
  i->type = i->about = ir_parse_type(ir);
  ir_expect(ir, ',');
  parse_typed_list(ir, i, 1);
  if (is_atomic)
    parse_atomic_words(ir, i);
}

static void parse_store(struct ir *ir, struct ir_instruction *i)
{
  bool is_atomic;

  parse_access_words(ir, i, &is_atomic);
  parse_typed_list(ir, i, 2);
  i->about = i->operand[0]->type;
  if (is_atomic)
    parse_atomic_words(ir, i);
}

static void parse_cmpxchg(struct ir *ir, struct ir_instruction *i)
{
  bool is_atomic;

  parse_access_words(ir, i, &is_atomic);
  parse_typed_list(ir, i, 3);
  parse_atomic_words(ir, i);
  enum ir_order failure = parse_order(ir);
  if (failure == IR_ACQUIRE && i->order == IR_MONOTONIC)
    i->order = IR_ACQUIRE;
  if (failure == IR_ACQUIRE && i->order == IR_RELEASE)
    i->order = IR_ACQ_REL;
  if (failure == IR_SEQ_CST)
    i->order = IR_SEQ_CST;
  struct ir_type *type = ir_take(ir, sizeof *type);
  type->kind = IR_STRUCT;
  type->defined = true;
  type->n_fields = 2;
  type->field = ir_take(ir, 2 * sizeof *type->field);
  type->field[0] = i->about = i->operand[1]->type;
  type->field[1] = ir_simple_type(ir, IR_INTEGER, 1);
  (void)ir_element(ir, type, 0);
  i->type = type;
}

static void parse_atomicrmw(struct ir *ir, struct ir_instruction *i)
{
  i->is_volatile = ir_take_word(ir, "volatile");
  i->word = ir->lexer.text;
  if (ir->lexer.kind != IR_TOKEN_WORD)
    ir_stop_token(ir, "an atomic operation");
  ir_next(ir);
  parse_typed_list(ir, i, 2);
  i->type = i->about = i->operand[1]->type;
  parse_atomic_words(ir, i);
}

static void parse_gep(struct ir *ir, struct ir_instruction *i)
{
  for (;;) {
    parse_flags(ir, i);
    if (!ir_take_word(ir, "inrange"))
      break;
    ir_skip_parentheses(ir);
  }
  i->about = ir_parse_type(ir);
  while (ir_at(ir, ',')) {
    struct ir_lexer before = ir->lexer;
    ir_next(ir);
    if (!ir_at_type(ir)) {
      ir->lexer = before;
      break;
    }
    add_operand(ir, i, ir_parse_typed_value(ir));
  }
  if (i->n_operands == 0 || i->operand[0]->type->kind != IR_POINTER)
    ir_stop_token(ir, "a pointer (vectors of pointers are not known)");
  for (size_t k = 1; k < i->n_operands; k++)
    if (i->operand[k]->type->kind != IR_INTEGER)
      ir_stop_token(ir, "integers as indices before it");
  i->type = i->operand[0]->type;
}

static void parse_call(struct ir *ir, struct ir_instruction *i)
{
  parse_flags(ir, i);
  while (!ir_at_type(ir)) {
    if (ir->lexer.kind != IR_TOKEN_WORD)
      ir_stop_token(ir, "the type that a function returns");
    ir_next(ir);
    if (ir_at(ir, '('))
      ir_skip_parentheses(ir);
    else if (ir->lexer.kind == IR_TOKEN_NUMBER)
      ir_next(ir);
  }
  const struct ir_type *type = ir_parse_type(ir);
  i->type = type->kind == IR_FUNCTION ? type->element : type;
  struct ir_value *callee =
      ir_parse_value(ir, ir_simple_type(ir, IR_POINTER, IR_GENERIC));
  add_operand(ir, i, callee);
  ir_expect(ir, '(');
  while (!ir_at(ir, ')')) {
    const struct ir_type *its = ir_parse_type(ir);
    struct ir_argument argument = { 0 };
    if (its->kind != IR_METADATA)
      ir_parse_attributes(ir, &argument, NULL);
    i->argument = ir_grow(ir, i->argument, i->n_operands - 1, sizeof argument);
    i->argument[i->n_operands - 1] = argument;
    add_operand(ir, i, ir_parse_value(ir, its));
    if (!ir_take_mark(ir, ','))
      break;
  }
  ir_expect(ir, ')');
  ir_parse_attributes(ir, NULL, NULL);
  if (ir_at(ir, '['))
    ir_skip_parentheses(ir);
}

static void expect_type(struct ir *ir, const struct ir_value *value,
                        enum ir_type_kind kind)
{
  if (value->type->kind != kind)
    ir_stop_instruction(ir, "an operand has the wrong type");
}

void ir_parse_operands(struct ir *ir, struct ir_instruction *i)
{
  switch (i->operation) {
  case IR_OP_ret: parse_return(ir, i); break;
  case IR_OP_br: parse_branch(ir, i); break;
  case IR_OP_switch: parse_switch(ir, i); break;
  case IR_OP_unreachable: break;
  case IR_OP_fneg:
  case IR_OP_freeze:
    parse_flags(ir, i);
    parse_typed_list(ir, i, 1);
    i->type = i->operand[0]->type;
    break;
  case IR_OP_extractelement:
    parse_typed_list(ir, i, 2);
    expect_vector(ir, i);
    expect_type(ir, i->operand[1], IR_INTEGER);
    i->type = i->operand[0]->type->element;
    break;
  case IR_OP_insertelement:
    parse_typed_list(ir, i, 3);
    expect_vector(ir, i);
    if (!ir_is_same_type(i->operand[1]->type, i->operand[0]->type->element))
      ir_stop_token(ir, "a value of the vector's type before it");
    expect_type(ir, i->operand[2], IR_INTEGER);
    i->type = i->operand[0]->type;
    break;
  case IR_OP_shufflevector: parse_shuffle(ir, i); break;
  case IR_OP_extractvalue: parse_extractvalue(ir, i); break;
  case IR_OP_insertvalue: parse_insertvalue(ir, i); break;
  case IR_OP_alloca: parse_alloca(ir, i); break;
  case IR_OP_load: parse_load(ir, i); break;
  case IR_OP_store: parse_store(ir, i); break;
  case IR_OP_fence: parse_atomic_words(ir, i); break;
  case IR_OP_cmpxchg: parse_cmpxchg(ir, i); break;
  case IR_OP_atomicrmw: parse_atomicrmw(ir, i); break;
  case IR_OP_getelementptr: parse_gep(ir, i); break;
  case IR_OP_icmp:
  case IR_OP_fcmp: parse_comparison(ir, i); break;
  case IR_OP_phi: parse_phi(ir, i); break;
  case IR_OP_select:
    parse_flags(ir, i);
    parse_typed_list(ir, i, 3);
    i->type = i->operand[1]->type;
    if (!ir_is_same_type(i->type, i->operand[2]->type))
      ir_stop_token(ir, "two values of one type before it");
    break;
  case IR_OP_call: parse_call(ir, i); break;
  case IR_OP_trunc:
  case IR_OP_zext:
  case IR_OP_sext:
  case IR_OP_fptrunc:
  case IR_OP_fpext:
  case IR_OP_fptoui:
  case IR_OP_fptosi:
  case IR_OP_uitofp:
  case IR_OP_sitofp:
  case IR_OP_ptrtoint:
  case IR_OP_ptrtoaddr:
  case IR_OP_inttoptr:
  case IR_OP_bitcast:
  case IR_OP_addrspacecast: parse_cast(ir, i); break;
  default: parse_flags(ir, i); parse_two(ir, i);
  }
}

/* --- instructions and blocks ------------------------------------------------------------ */

static int find_operation(struct ir_text word)
{
  for (int i = 0; i < IR_N_OPERATIONS; i++)
    if (ir_is(word, names[i]))
      return i;
  return -1;
}

static bool ends_block(enum ir_operation operation)
{
  return operation == IR_OP_ret || operation == IR_OP_br ||
         operation == IR_OP_switch || operation == IR_OP_unreachable;
}

/* All but calls either have a result or none. */
static bool gives_value(enum ir_operation operation)
{
  return !ends_block(operation) && operation != IR_OP_store &&
         operation != IR_OP_fence && operation != IR_OP_call;
}

/* The next number of an instruction or block without a name. */
static struct ir_text number_name(struct ir *ir, unsigned *unnamed)
{
  char digits[16];
  size_t n = 0;
  unsigned number = (*unnamed)++;

  do
    digits[sizeof digits - ++n] = (char)('0' + number % 10);
  while ((number /= 10) > 0);
  char *name = ir_take(ir, n);
  memcpy(name, digits + sizeof digits - n, n);
  return (struct ir_text){ name, n };
}

/* The source's line of what can't be understood is at the end of its
 * line. */
static void find_debug(struct ir *ir, struct ir_instruction *i)
{
  static const char DEBUG[] = "!dbg !";
  const char *p = ir->lexer.token, *end = ir->lexer.end;

  for (; p < end && *p != '\n'; p++)
    if ((size_t)(end - p) > sizeof DEBUG && memcmp(p, DEBUG, 6) == 0) {
      size_t number = 0;
      for (p += 6; p < end && *p >= '0' && *p <= '9' && number < 10000000; p++)
        number = 10 * number + (size_t)(*p - '0');
      i->debug = number + 1;
      return;
    }
}

static struct ir_instruction *parse_instruction(struct ir *ir,
                                                unsigned *unnamed)
{
  struct ir_instruction *i = ir_take(ir, sizeof *i);
  struct ir_text name = { NULL, 0 };

  i->line = ir->lexer.token_line;
  i->type = ir_simple_type(ir, IR_VOID, 0);
  if (ir->lexer.kind == IR_TOKEN_LOCAL) {
    name = ir->lexer.text;
    ir_next(ir);
    ir_expect(ir, '=');
  }
  while (ir_at_word(ir, "tail") || ir_at_word(ir, "musttail") ||
         ir_at_word(ir, "notail"))
    ir_next(ir);
  if (ir->lexer.kind != IR_TOKEN_WORD)
    ir_stop_token(ir, "an instruction");
  int operation = find_operation(ir->lexer.text);
  if (operation < 0) {
    find_debug(ir, i);
    i->word = ir->lexer.text;
    i->operation = IR_N_OPERATIONS;
    ir->instruction = i;
    ir_stop_instruction(ir, "is not known");
  }
  i->operation = (enum ir_operation)operation;
  ir->instruction = i;
  find_debug(ir, i);
  ir_next(ir);
  ir_parse_operands(ir, i);
  parse_rest(ir, i);
  if (i->type->kind == IR_VOID ? gives_value(i->operation)
                               : !ir_is_value_type(i->type))
    ir_stop_instruction(ir, "has a result of a type without values");
  if (i->type->kind != IR_VOID) {
    if (name.at == NULL)
      name = number_name(ir, unnamed);
    i->result = ir_local_named(ir, name);
    if (i->result->type != NULL)
      ir_stop_instruction(ir, "defines a name for the second time");
    i->result->type = i->type;
    i->result->definition = i;
  } else if (name.at != NULL)
    ir_stop_instruction(ir, "has no result");
  ir->instruction = NULL;
  return i;
}

static struct ir_block *begin_block(struct ir *ir, unsigned *unnamed,
                                    unsigned number)
{
  struct ir_text name;

  if (ir->lexer.kind == IR_TOKEN_LABEL) {
    name = ir->lexer.text;
    ir_next(ir);
  } else
    name = number_name(ir, unnamed);
  if (name.n > 0 && name.at[0] >= '0' && name.at[0] <= '9')
    *unnamed = (unsigned)strtoul(name.at, NULL, 10) + 1;
  struct ir_block *block = ir_block_named(ir, name);
  if (block->defined)
    ir_stop_token(ir, "a label's own name before it");
  block->defined = true;
  block->number = number;
  return block;
}

static void parse_block(struct ir *ir, struct ir_block *block,
                        unsigned *unnamed)
{
  do {
    if (ir->lexer.kind == IR_TOKEN_ATTRIBUTES) {
      ir_skip_line(ir); /* #dbg_value and the like */
      continue;
    }
    struct ir_instruction *i = parse_instruction(ir, unnamed);
    i->block = block;
    if (block->last != NULL)
      block->last->next = i;
    else
      block->first = i;
    block->last = i;
  } while (block->last == NULL || !ends_block(block->last->operation));
}

static unsigned count_unnamed(const struct ir_function *function)
{
  unsigned n = 0;

  for (size_t i = 0; i < function->n_parameters; i++) {
    struct ir_text name = function->parameter[i]->name;
    n += name.n > 0 && name.at[0] >= '0' && name.at[0] <= '9';
  }
  return n;
}

static void check_definitions(struct ir *ir, struct ir_function *function)
{
  for (struct ir_block *b = function->first; b != NULL; b = b->next)
    for (struct ir_instruction *i = b->first; i != NULL; i = i->next) {
      ir->instruction = i;
      for (size_t k = 0; k < i->n_operands; k++) {
        const struct ir_value *value = i->operand[k];
        if (value->kind != IR_NAMED)
          continue;
        if (value->named->type == NULL)
          ir_stop_at(ir, i->line, "%%%.*s is never defined",
                     (int)value->named->name.n, value->named->name.at);
        if (!ir_is_same_type(value->named->type, value->type))
          ir_stop_at(ir, i->line, "%%%.*s has another type",
                     (int)value->named->name.n, value->named->name.at);
      }
      for (size_t k = 0; k < i->n_targets; k++)
        if (!i->target[k]->defined)
          ir_stop_at(ir, i->line, "there is no block %%%.*s",
                     (int)i->target[k]->name.n, i->target[k]->name.at);
    }
  ir->instruction = NULL;
}

void ir_parse_body(struct ir *ir, struct ir_function *function)
{
  unsigned unnamed = count_unnamed(function), n = 0;

  while (!ir_at(ir, '}')) {
    if (ir_at_word(ir, "uselistorder") ||
        ir->lexer.kind == IR_TOKEN_ATTRIBUTES) {
      ir_skip_line(ir);
      continue;
    }
    struct ir_block *block = begin_block(ir, &unnamed, n++);
    if (function->last != NULL)
      function->last->next = block;
    else
      function->first = block;
    function->last = block;
    parse_block(ir, block, &unnamed);
  }
  ir_expect(ir, '}');
  if (function->first == NULL)
    ir_stop_token(ir, "a function with at least one block");
  check_definitions(ir, function);
}
