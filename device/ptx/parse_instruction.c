/* Instructions and their operands (PTX ISA chapters 4 and 6). */
#include <string.h>

#include "parser.h"

/* A register, or bytes and halves of one as video instructions name them:
 * %r1.b0, %r1.h10. */
static bool parse_register(struct ptx_parser *parser,
                           struct ptx_operand *operand)
{
  struct ptx_variable *variable;
  size_t length = parser->token.length, whole = 0;
  long reg =
      ptx_scope_register(parser->scope, parser->token.text, length, &variable);

  if (reg < 0) {
    while (whole < length && parser->token.text[whole] != '.')
      whole++;
    if (whole == length)
      return false;
    reg =
        ptx_scope_register(parser->scope, parser->token.text, whole, &variable);
  }
  if (reg < 0)
    return false;
  operand->kind = OPERAND_REGISTER;
  operand->reg = (unsigned)reg;
  operand->variable = variable;
  if (whole == 0)
    ptx_take(parser);
  else
    operand->selector = ptx_take_name(parser) + whole + 1;
  return true;
}

static void parse_register_or_special(struct ptx_parser *parser,
                                      struct ptx_operand *operand)
{
  if (parse_register(parser, operand))
    return;
  if (parser->token.text[0] == '%') {
    operand->kind = OPERAND_SPECIAL;
    operand->name = ptx_take_name(parser);
    return;
  }
  operand->kind = OPERAND_SYMBOL;
  operand->scope = parser->scope;
  operand->name = ptx_take_name(parser);
  if (strcmp(operand->name, "WARP_SZ") == 0) {
    operand->kind = OPERAND_INTEGER;
    operand->value = 32;
  } else if (strcmp(operand->name, "_") == 0) {
    operand->kind = OPERAND_SINK;
  }
}

static void parse_offset(struct ptx_parser *parser, struct ptx_operand *operand)
{
  if (ptx_accept(parser, '+') || ptx_at(parser, '-'))
    operand->value = ptx_take_integer(parser);
}

/* p|q, and {a, b, c, d}|p of a texture fetch. */
static void parse_second(struct ptx_parser *parser, struct ptx_operand *operand)
{
  if (ptx_accept(parser, '|')) {
    operand->second = ptx_arena_take(parser->arena, sizeof *operand);
    ptx_parse_operand(parser, operand->second);
  }
}

static void parse_name_operand(struct ptx_parser *parser,
                               struct ptx_operand *operand)
{
  parse_register_or_special(parser, operand);
  if (operand->kind == OPERAND_SYMBOL)
    parse_offset(parser, operand);
  parse_second(parser, operand);
}

static void parse_list(struct ptx_parser *parser, struct ptx_operand *operand,
                       char close)
{
  operand->kind = OPERAND_LIST;
  while (!ptx_at(parser, close)) {
    operand->items = ptx_arena_grow(parser->arena, operand->items,
                                    operand->n_items, sizeof *operand);
    ptx_parse_operand(parser, &operand->items[operand->n_items++]);
    if (!ptx_accept(parser, ','))
      break;
  }
  ptx_expect(parser, close);
}

/* After '[': base, offset, and for textures the coordinates. */
static void parse_address(struct ptx_parser *parser,
                          struct ptx_operand *operand)
{
  operand->kind = OPERAND_ADDRESS;
  if (parser->token.kind == TOKEN_NAME) {
    operand->base = ptx_arena_take(parser->arena, sizeof *operand);
    parse_register_or_special(parser, operand->base);
    parse_offset(parser, operand);
  } else {
    operand->value = ptx_take_integer(parser);
  }
  while (ptx_accept(parser, ',')) {
    operand->items = ptx_arena_grow(parser->arena, operand->items,
                                    operand->n_items, sizeof *operand);
    ptx_parse_operand(parser, &operand->items[operand->n_items++]);
  }
  ptx_expect(parser, ']');
  ptx_accept_directive(parser, ".unified"); /* one copy for all devices */
}

static void parse_negative(struct ptx_parser *parser,
                           struct ptx_operand *operand)
{
  if (!parse_register(parser, operand))
    ptx_fail(parser, "only a register may be negated by '-'");
  operand->negated = true;
}

static void parse_number(struct ptx_parser *parser, struct ptx_operand *operand)
{
  bool negative = ptx_accept(parser, '-');

  if (negative && parser->token.kind == TOKEN_NAME) {
    parse_negative(parser, operand);
    return;
  }
  if (parser->token.kind == TOKEN_FLOAT) {
    operand->kind = OPERAND_FLOAT;
    operand->bits = parser->token.bits;
    operand->value = parser->token.integer;
    if (negative)
      operand->value ^= UINT64_C(1) << (operand->bits - 1);
    ptx_take(parser);
    return;
  }
  operand->kind = OPERAND_INTEGER;
  operand->value = ptx_take_integer(parser);
  if (negative)
    operand->value = 0 - operand->value;
}

enum { MOST_NESTED = 8 };

void ptx_parse_operand(struct ptx_parser *parser, struct ptx_operand *operand)
{
  memset(operand, 0, sizeof *operand);
  if (++parser->operand_depth > MOST_NESTED)
    ptx_fail(parser, "operand nested too deeply");
  if (ptx_accept(parser, '!')) {
    ptx_parse_operand(parser, operand);
    operand->negated = !operand->negated;
  } else if (ptx_accept(parser, '{')) {
    parse_list(parser, operand, '}');
    parse_second(parser, operand);
  } else if (ptx_accept(parser, '(')) {
    parse_list(parser, operand, ')');
  } else if (ptx_accept(parser, '[')) {
    parse_address(parser, operand);
  } else if (parser->token.kind == TOKEN_NAME) {
    parse_name_operand(parser, operand);
  } else {
    parse_number(parser, operand);
  }
  parser->operand_depth--;
}

static void parse_guard(struct ptx_parser *parser,
                        struct ptx_instruction *instruction)
{
  struct ptx_operand *guard = ptx_arena_take(parser->arena, sizeof *guard);

  ptx_parse_operand(parser, guard);
  if (guard->kind != OPERAND_REGISTER || guard->variable == NULL ||
      guard->variable->type != TYPE_PRED)
    ptx_fail(parser, "the guard of an instruction must be a predicate");
  instruction->guard = guard;
}

void ptx_parse_instruction(struct ptx_parser *parser)
{
  struct ptx_function *function = parser->function;
  struct ptx_instruction *instruction;

  function->instructions =
      ptx_arena_grow(parser->arena, function->instructions,
                     function->n_instructions, sizeof *function->instructions);
  instruction = &function->instructions[function->n_instructions];
  memset(instruction, 0, sizeof *instruction);
  instruction->line = parser->token.line;
  instruction->text = parser->token.text;
  instruction->loc = parser->loc;
  if (ptx_accept(parser, '@'))
    parse_guard(parser, instruction);
  instruction->opcode = ptx_take_name(parser);
  while (!ptx_at(parser, ';')) {
    instruction->operands =
        ptx_arena_grow(parser->arena, instruction->operands,
                       instruction->n_operands, sizeof(struct ptx_operand));
    ptx_parse_operand(parser,
                      &instruction->operands[instruction->n_operands++]);
    if (!ptx_accept(parser, ','))
      break;
  }
  instruction->text_length = (size_t)(parser->token.text - instruction->text);
  ptx_expect(parser, ';');
  function->n_instructions++;
}
