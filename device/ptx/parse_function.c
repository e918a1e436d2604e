/* .entry and .func with their bodies (PTX ISA sections 11.2 and 11.3). */
#include <string.h>

#include "parser.h"

/* Appends the parameters between parentheses to `*list`. */
static void parse_parameters(struct ptx_parser *parser,
                             struct ptx_variable ***list, size_t *n)
{
  ptx_expect(parser, '(');
  while (!ptx_at(parser, ')')) {
    *list = ptx_arena_grow(parser->arena, *list, *n, sizeof **list);
    (*list)[(*n)++] = ptx_parse_parameter(parser);
    if (!ptx_accept(parser, ','))
      break;
  }
  ptx_expect(parser, ')');
}

static void parse_extents(struct ptx_parser *parser, unsigned extent[3])
{
  extent[0] = extent[1] = extent[2] = 1;
  for (int i = 0; i < 3; i++) {
    extent[i] = (unsigned)ptx_take_integer(parser);
    if (!ptx_accept(parser, ','))
      break;
  }
}

/* Performance hints and limits between the head and the body. */
static void parse_limits(struct ptx_parser *parser,
                         struct ptx_function *function)
{
  while (parser->token.kind == TOKEN_DIRECTIVE) {
    if (ptx_accept_directive(parser, ".maxntid") ||
        ptx_accept_directive(parser, ".reqntid"))
      parse_extents(parser, function->max_threads);
    else if (ptx_accept_directive(parser, ".minnctapersm") ||
             ptx_accept_directive(parser, ".maxnctapersm"))
      function->min_blocks = (unsigned)ptx_take_integer(parser);
    else if (ptx_accept_directive(parser, ".maxnreg"))
      function->max_registers = (unsigned)ptx_take_integer(parser);
    else if (ptx_accept_directive(parser, ".pragma")) {
      ptx_take(parser);
      ptx_accept(parser, ';');
    } else if (ptx_accept_directive(parser, ".reqnctapercluster"))
      parse_extents(parser, function->cluster);
    else if (ptx_accept_directive(parser, ".maxclusterrank"))
      ptx_take_integer(parser);
    else if (ptx_accept_directive(parser, ".blocksareclusters"))
      function->blocks_are_clusters = true;
    else if (!ptx_accept_directive(parser, ".noreturn") &&
             !ptx_accept_directive(parser, ".explicitcluster"))
      ptx_fail(parser, "unknown directive '%.*s' of a function",
               (int)parser->token.length, parser->token.text);
  }
}

static struct ptx_place parse_place(struct ptx_parser *parser)
{
  struct ptx_place place;

  place.file = (unsigned)ptx_take_integer(parser);
  place.line = (unsigned)ptx_take_integer(parser);
  place.column = (unsigned)ptx_take_integer(parser);
  return place;
}

static bool same_place(struct ptx_place a, struct ptx_place b)
{
  return a.file == b.file && a.line == b.line && a.column == b.column;
}

static struct ptx_loc **bucket_of(struct ptx_parser *parser,
                                  struct ptx_place place)
{
  return &parser
              ->locs[(place.file * 31 + place.line * 7 + place.column) % LOCS];
}

static const struct ptx_loc *outermost(const struct ptx_loc *loc)
{
  while (loc->caller != NULL)
    loc = loc->caller;
  return loc;
}

/* `inlined_at` names a place by its numbers only, and a .loc before says where
 * that one was inlined in turn. Where a function was inlined twice there are
 * two of them: code of one call stands together as a rule, so the one that
 * belongs to the same call as the .loc before is preferred to the latest. */
static const struct ptx_loc *find_caller(struct ptx_parser *parser,
                                         struct ptx_place place)
{
  const struct ptx_loc *latest = NULL;

  for (const struct ptx_loc *l = *bucket_of(parser, place); l; l = l->before) {
    if (!same_place(l->place, place))
      continue;
    if (latest == NULL)
      latest = l;
    if (parser->loc != NULL &&
        same_place(outermost(l)->place, outermost(parser->loc)->place))
      return l;
  }
  return latest;
}

static struct ptx_loc *take_loc(struct ptx_parser *parser,
                                struct ptx_place place,
                                const struct ptx_loc *caller)
{
  struct ptx_loc **bucket = bucket_of(parser, place), **at = bucket, *loc;

  while (*at != NULL &&
         (!same_place((*at)->place, place) || (*at)->caller != caller))
    at = &(*at)->before;
  loc = *at;
  if (loc == NULL) {
    loc = ptx_arena_take(parser->arena, sizeof *loc);
    loc->place = place;
    loc->caller = caller;
  } else {
    *at = loc->before;
  }
  loc->before = *bucket; /* the latest is first */
  *bucket = loc;
  return loc;
}

void ptx_parse_loc(struct ptx_parser *parser)
{
  struct ptx_place place = parse_place(parser);
  const struct ptx_loc *caller = NULL;

  while (ptx_accept(parser, ',')) { /* function_name x, inlined_at f l c */
    bool inlined =
        parser->token.kind == TOKEN_NAME &&
        parser->token.length == strlen("inlined_at") &&
        memcmp(parser->token.text, "inlined_at", parser->token.length) == 0;

    ptx_take(parser);
    if (inlined) {
      struct ptx_place at = parse_place(parser);

      caller = find_caller(parser, at);
      if (caller == NULL)
        caller = take_loc(parser, at, NULL);
    }
    while (parser->token.kind == TOKEN_INTEGER ||
           (parser->token.kind == TOKEN_NAME && parser->token.text[0] == '$') ||
           ptx_at(parser, '+'))
      ptx_take(parser);
  }
  parser->loc = take_loc(parser, place, caller);
}

static void parse_targets(struct ptx_parser *parser, const char *name)
{
  struct ptx_target_list *list = ptx_arena_take(parser->arena, sizeof *list);
  struct ptx_symbol symbol = { .kind = SYMBOL_TARGETS,
                               .name = name,
                               .targets = list };

  list->name = name;
  do {
    list->labels = ptx_arena_grow(parser->arena, list->labels, list->n,
                                  sizeof *list->labels);
    ptx_parse_operand(parser, &list->labels[list->n++]);
  } while (ptx_accept(parser, ','));
  ptx_expect(parser, ';');
  ptx_scope_add(parser->arena, parser->scope, &symbol);
}

static void parse_prototype(struct ptx_parser *parser, const char *name)
{
  struct ptx_symbol symbol = { .kind = SYMBOL_PROTOTYPE, .name = name };

  while (!ptx_at(parser, ';')) {
    if (parser->token.kind == TOKEN_END) {
      ptx_fail(parser, ".callprototype without its ';'");
      return;
    }
    ptx_take(parser);
  }
  ptx_take(parser);
  ptx_scope_add(parser->arena, parser->scope, &symbol);
}

static void parse_label(struct ptx_parser *parser, const char *name)
{
  struct ptx_symbol symbol = { .kind = SYMBOL_LABEL, .name = name };

  if (ptx_accept_directive(parser, ".branchtargets") ||
      ptx_accept_directive(parser, ".calltargets")) {
    parse_targets(parser, name);
    return;
  }
  if (ptx_accept_directive(parser, ".callprototype")) {
    parse_prototype(parser, name);
    return;
  }
  if (ptx_scope_own(parser->scope, name, strlen(name)) != NULL) {
    ptx_fail(parser, "label '%s' is there twice", name);
    return;
  }
  symbol.instruction = parser->function->n_instructions;
  ptx_scope_add(parser->arena, parser->scope, &symbol);
}

static void parse_body_directive(struct ptx_parser *parser)
{
  struct linkage linkage = { false, false };

  if (ptx_accept_directive(parser, ".loc")) {
    ptx_parse_loc(parser);
  } else if (ptx_accept_directive(parser, ".pragma")) {
    ptx_take(parser);
    ptx_expect(parser, ';');
  } else if (ptx_at_space(parser)) {
    ptx_parse_variables(parser, linkage);
  } else if (ptx_accept_directive(parser, ".extern")) {
    linkage.is_extern = true;
    ptx_parse_variables(parser, linkage);
  } else {
    ptx_fail(parser, "unknown directive '%.*s' in a function",
             (int)parser->token.length, parser->token.text);
  }
}

/* A name in statement position: a label when a colon follows. */
static bool at_label(const struct ptx_parser *parser)
{
  struct ptx_lexer ahead = parser->lexer;
  struct ptx_token next;

  if (parser->token.kind != TOKEN_NAME)
    return false;
  ptx_lexer_next(&ahead, &next);
  return next.kind == TOKEN_PUNCTUATION && next.punctuation == ':';
}

static void parse_statement(struct ptx_parser *parser)
{
  if (parser->token.kind == TOKEN_DIRECTIVE) {
    parse_body_directive(parser);
  } else if (at_label(parser)) {
    char *name = ptx_take_name(parser);

    ptx_expect(parser, ':');
    parse_label(parser, name);
  } else if (parser->token.kind == TOKEN_NAME || ptx_at(parser, '@')) {
    ptx_parse_instruction(parser);
  } else if (!ptx_accept(parser, ';')) {
    ptx_fail(parser, "expected an instruction before '%.*s'",
             (int)(parser->token.length < 60 ? parser->token.length : 60),
             parser->token.text);
  }
}

static void parse_body(struct ptx_parser *parser)
{
  unsigned depth = 0;

  do {
    if (parser->token.kind == TOKEN_END) {
      ptx_fail(parser, "function '%s' without its '}'", parser->function->name);
      return;
    }
    if (ptx_accept(parser, '{')) {
      if (depth++ > 0)
        parser->scope = ptx_scope_new(parser->arena, parser->scope);
    } else if (ptx_accept(parser, '}')) {
      if (--depth > 0)
        parser->scope = ptx_scope_parent(parser->scope);
    } else {
      parse_statement(parser);
    }
  } while (depth > 0);
}

static void link_function(struct ptx_parser *parser,
                          struct ptx_function *function)
{
  struct ptx_symbol symbol = { .kind = SYMBOL_FUNCTION,
                               .name = function->name,
                               .function = function };
  struct ptx_symbol *known = ptx_scope_own(
      parser->module->scope, function->name, strlen(function->name));

  if (known != NULL && known->kind == SYMBOL_FUNCTION) {
    if (known->function->has_body && function->has_body)
      ptx_fail(parser, "function '%s' is defined twice", function->name);
    if (known->function->has_body)
      return;
  }
  ptx_scope_add(parser->arena, parser->module->scope, &symbol);
}

void ptx_parse_function(struct ptx_parser *parser, bool is_entry,
                        struct linkage linkage)
{
  struct ptx_function *function =
      ptx_arena_take(parser->arena, sizeof *function);
  struct ptx_variable **module_end = parser->variables_end;

  function->is_entry = is_entry;
  function->is_extern = linkage.is_extern;
  function->line = parser->token.line;
  function->scope = ptx_scope_new(parser->arena, parser->module->scope);
  parser->scope = function->scope;
  parser->function = function;
  parser->variables_end = &function->variables;
  parser->loc = NULL;
  memset(parser->locs, 0, sizeof parser->locs);
  if (!is_entry && ptx_at(parser, '('))
    parse_parameters(parser, &function->results, &function->n_results);
  function->name = ptx_take_name(parser);
  if (ptx_at(parser, '('))
    parse_parameters(parser, &function->parameters, &function->n_parameters);
  parse_limits(parser, function);
  if (!ptx_accept(parser, ';')) {
    if (!ptx_at(parser, '{'))
      ptx_fail(parser, "expected '{' or ';' after the head of '%s'",
               function->name);
    function->has_body = true;
    link_function(parser, function);
    parse_body(parser);
  } else {
    link_function(parser, function);
  }
  *parser->functions_end = function;
  parser->functions_end = &function->next;
  parser->function = NULL;
  parser->scope = parser->module->scope;
  parser->variables_end = module_end;
}
