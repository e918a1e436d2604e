/* Declarations of variables, parameters and registers (PTX ISA 5.4). */
#include <string.h>

#include "parser.h"

static const struct {
  const char *name;
  enum ptx_space space;
} spaces[] = {
  { ".reg", PTX_SPACE_REGISTER },    { ".const", PTX_SPACE_CONSTANT },
  { ".global", PTX_SPACE_GLOBAL },   { ".local", PTX_SPACE_LOCAL },
  { ".param", PTX_SPACE_PARAMETER }, { ".shared", PTX_SPACE_SHARED },
  { ".tex", PTX_SPACE_GLOBAL },
};

static enum ptx_space space_here(const struct ptx_parser *parser)
{
  for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
    if (ptx_at_directive(parser, spaces[i].name))
      return spaces[i].space;
  return PTX_SPACE_NONE;
}

bool ptx_at_space(const struct ptx_parser *parser)
{
  return space_here(parser) != PTX_SPACE_NONE;
}

static void parse_attribute(struct ptx_parser *parser,
                            struct ptx_variable *variable)
{
  ptx_expect(parser, '(');
  do {
    if (ptx_accept_directive(parser, ".managed"))
      variable->is_managed = true;
    else
      ptx_fail(parser, "unknown attribute '%.*s'", (int)parser->token.length,
               parser->token.text);
  } while (ptx_accept(parser, ','));
  ptx_expect(parser, ')');
}

/* `.ptr .global .align 4` of a kernel parameter: a hint. */
static void skip_pointer_hint(struct ptx_parser *parser)
{
  while (ptx_at_space(parser) || ptx_at_directive(parser, ".align")) {
    bool align = ptx_at_directive(parser, ".align");

    ptx_take(parser);
    if (align)
      ptx_take_integer(parser);
  }
}

static void parse_type(struct ptx_parser *parser, struct ptx_variable *variable)
{
  for (;;) {
    enum ptx_type type;

    if (parser->token.kind != TOKEN_DIRECTIVE)
      break;
    if (ptx_accept_directive(parser, ".align")) {
      variable->alignment = (unsigned)ptx_take_integer(parser);
      if (variable->alignment == 0 ||
          (variable->alignment & (variable->alignment - 1)) != 0)
        ptx_fail(parser, "alignment must be a power of two");
    } else if (ptx_accept_directive(parser, ".ptr")) {
      skip_pointer_hint(parser);
    } else if (ptx_accept_directive(parser, ".attribute")) {
      parse_attribute(parser, variable);
    } else if (ptx_accept_directive(parser, ".v2")) {
      variable->vector = 2;
    } else if (ptx_accept_directive(parser, ".v4")) {
      variable->vector = 4;
    } else {
      type = ptx_type_named(parser->token.text + 1, parser->token.length - 1);
      if (type == TYPE_NONE)
        ptx_fail(parser, "unknown type '%.*s'", (int)parser->token.length,
                 parser->token.text);
      variable->type = type;
      ptx_take(parser);
    }
  }
  if (variable->type == TYPE_NONE)
    ptx_fail(parser, "declaration without a type");
}

enum { MAX_DIMENSIONS = 8 };

struct shape {
  size_t n;
  uint64_t extent[MAX_DIMENSIONS];
};

static void parse_shape(struct ptx_parser *parser,
                        struct ptx_variable *variable, struct shape *shape)
{
  unsigned item = ptx_type_bytes(variable->type) * variable->vector;
  uint64_t bytes = item;

  shape->n = 0;
  while (ptx_accept(parser, '[')) {
    if (shape->n == MAX_DIMENSIONS) {
      ptx_fail(parser, "more than %d dimensions", MAX_DIMENSIONS);
      return;
    }
    shape->extent[shape->n] = 0;
    if (!ptx_at(parser, ']'))
      shape->extent[shape->n] = ptx_take_integer(parser);
    ptx_expect(parser, ']');
    if (shape->extent[shape->n] > UINT32_MAX ||
        __builtin_mul_overflow(bytes, shape->extent[shape->n], &bytes))
      ptx_fail(parser, "array too large");
    shape->n++;
  }
  variable->is_array = shape->n > 0;
  variable->bytes = bytes;
  if (variable->alignment == 0)
    variable->alignment = item;
}

static struct ptx_initial *add_initial(struct ptx_parser *parser,
                                       struct ptx_variable *variable,
                                       uint64_t offset)
{
  struct ptx_initial *initial;

  variable->initials =
      ptx_arena_grow(parser->arena, variable->initials, variable->n_initials,
                     sizeof *variable->initials);
  initial = &variable->initials[variable->n_initials++];
  memset(initial, 0, sizeof *initial);
  initial->offset = offset;
  initial->bytes = ptx_type_bytes(variable->type);
  return initial;
}

static uint64_t float_bits(const struct ptx_token *token, enum ptx_type type)
{
  double value;
  float single;
  uint32_t bits;

  if (token->bits == 32 || type != TYPE_F32)
    return token->integer;
  memcpy(&value, &token->integer, sizeof value);
  single = (float)value;
  memcpy(&bits, &single, sizeof bits);
  return bits;
}

/* The symbol of an initial value: `name`, `generic(name)`, either + number. */
static void parse_symbol_initial(struct ptx_parser *parser,
                                 struct ptx_initial *initial)
{
  initial->symbol = ptx_take_name(parser);
  if (strcmp(initial->symbol, "generic") == 0 && ptx_accept(parser, '(')) {
    initial->generic = true;
    initial->symbol = ptx_take_name(parser);
    ptx_expect(parser, ')');
  }
  if (ptx_accept(parser, '+'))
    initial->value = ptx_take_integer(parser);
  else if (ptx_at(parser, '-'))
    initial->value = ptx_take_integer(parser);
}

/* 0xFF00(name): one byte of an address. */
static void parse_masked_initial(struct ptx_parser *parser, uint64_t mask,
                                 struct ptx_initial *initial)
{
  while (mask != 0 && (mask & 0xff) == 0) {
    mask >>= 8;
    initial->shift += 8;
  }
  parse_symbol_initial(parser, initial);
  ptx_expect(parser, ')');
}

static void parse_scalar_initial(struct ptx_parser *parser,
                                 struct ptx_variable *variable, uint64_t offset)
{
  struct ptx_initial *initial = add_initial(parser, variable, offset);
  bool negative;

  if (parser->token.kind == TOKEN_NAME) {
    parse_symbol_initial(parser, initial);
    return;
  }
  negative = ptx_accept(parser, '-');
  if (parser->token.kind == TOKEN_FLOAT) {
    if (initial->bytes > sizeof initial->value) {
      ptx_fail(parser, "floating-point value of a variable of %u bytes",
               initial->bytes);
      return;
    }
    initial->value = float_bits(&parser->token, variable->type);
    if (negative)
      initial->value ^= UINT64_C(1) << (initial->bytes * 8 - 1);
    ptx_take(parser);
    return;
  }
  initial->value = ptx_take_integer(parser);
  if (negative)
    initial->value = 0 - initial->value;
  if (ptx_accept(parser, '('))
    parse_masked_initial(parser, initial->value, initial);
}

/* Returns how many bytes one item of dimension `level` takes. */
static uint64_t item_bytes(const struct ptx_variable *variable,
                           const struct shape *shape, size_t level)
{
  uint64_t bytes = ptx_type_bytes(variable->type) * variable->vector;

  for (size_t i = level + 1; i < shape->n; i++)
    bytes *= shape->extent[i];
  return level < shape->n ? bytes : ptx_type_bytes(variable->type);
}

static void parse_initial(struct ptx_parser *parser,
                          struct ptx_variable *variable,
                          const struct shape *shape, size_t level,
                          uint64_t offset)
{
  uint64_t step = item_bytes(variable, shape, level);

  if (level > MAX_DIMENSIONS)
    ptx_fail(parser, "initial value nested too deeply");
  if (!ptx_accept(parser, '{')) {
    parse_scalar_initial(parser, variable, offset);
    return;
  }
  while (!ptx_at(parser, '}')) {
    parse_initial(parser, variable, shape, level + 1, offset);
    offset += step;
    if (!ptx_accept(parser, ','))
      break;
  }
  ptx_expect(parser, '}');
  if (level == 0 && shape->n > 0 && shape->extent[0] == 0 &&
      variable->bytes < offset)
    variable->bytes = offset; /* extent left out: as many as there are */
}

static void link_variable(struct ptx_parser *parser,
                          struct ptx_variable *variable)
{
  struct ptx_symbol symbol = { .kind = SYMBOL_VARIABLE,
                               .name = variable->name,
                               .variable = variable };
  struct ptx_symbol *known =
      ptx_scope_own(parser->scope, variable->name, strlen(variable->name));

  if (known != NULL && parser->scope == parser->module->scope) {
    if (variable->is_extern)
      return; /* declared again */
    if (known->kind == SYMBOL_VARIABLE && known->variable->is_extern)
      known->variable->is_extern = false;
  }
  variable->function = parser->function;
  *parser->variables_end = variable;
  parser->variables_end = &variable->next;
  ptx_scope_add(parser->arena, parser->scope, &symbol);
}

/* No compiler comes near; a damaged number must not take much memory. */
enum { MOST_REGISTERS = 1 << 20, MOST_REGISTERS_IN_ALL = 1 << 22 };

static void number_registers(struct ptx_parser *parser,
                             struct ptx_variable *variable)
{
  struct ptx_function *function = parser->function;
  unsigned n = variable->count == 0 ? 1 : variable->count;

  if (function == NULL) {
    ptx_fail(parser, "register '%s' outside of a function", variable->name);
    return;
  }
  if (n > MOST_REGISTERS - function->n_registers ||
      n > MOST_REGISTERS_IN_ALL - parser->n_registers) {
    ptx_fail(parser, "too many registers");
    return;
  }
  parser->n_registers += n;
  variable->first_register = function->n_registers;
  for (unsigned i = 0; i < n; i++) {
    function->register_of =
        ptx_arena_grow(parser->arena, function->register_of,
                       function->n_registers, sizeof *function->register_of);
    function->register_of[function->n_registers++] = variable;
  }
}

static void parse_declarator(struct ptx_parser *parser,
                             struct ptx_variable *variable)
{
  struct shape shape;

  variable->line = parser->token.line;
  variable->name = ptx_take_name(parser);
  if (variable->space == PTX_SPACE_REGISTER) {
    if (ptx_accept(parser, '<')) {
      variable->count = (unsigned)ptx_take_integer(parser);
      ptx_expect(parser, '>');
    }
    number_registers(parser, variable);
    return;
  }
  parse_shape(parser, variable, &shape);
  if (ptx_accept(parser, '='))
    parse_initial(parser, variable, &shape, 0, 0);
}

static struct ptx_variable *begin_variable(struct ptx_parser *parser)
{
  struct ptx_variable *variable =
      ptx_arena_take(parser->arena, sizeof *variable);

  variable->space = space_here(parser);
  variable->vector = 1;
  if (variable->space == PTX_SPACE_NONE)
    ptx_fail(parser, "expected a state space before '%.*s'",
             (int)(parser->token.length < 60 ? parser->token.length : 60),
             parser->token.text);
  if (ptx_at_directive(parser, ".tex"))
    variable->type = TYPE_TEXREF;
  ptx_take(parser);
  parse_type(parser, variable);
  return variable;
}

void ptx_parse_variables(struct ptx_parser *parser, struct linkage linkage)
{
  struct ptx_variable *first = begin_variable(parser);
  struct ptx_variable model = *first;
  struct ptx_variable *variable = first;

  for (;;) {
    variable->is_extern = linkage.is_extern;
    parse_declarator(parser, variable);
    link_variable(parser, variable);
    if (!ptx_accept(parser, ','))
      break;
    variable = ptx_arena_take(parser->arena, sizeof *variable);
    *variable = model;
  }
  ptx_expect(parser, ';');
}

struct ptx_variable *ptx_parse_parameter(struct ptx_parser *parser)
{
  struct ptx_variable *variable = begin_variable(parser);

  variable->is_parameter = true;
  parse_declarator(parser, variable);
  link_variable(parser, variable);
  return variable;
}
