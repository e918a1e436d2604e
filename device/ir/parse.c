/* The module's level: globals, functions' heads, attributes, metadata. */
#include "parse.h"

#include <stdlib.h>
#include <string.h>

struct ir_global *ir_global_named(struct ir *ir, struct ir_text name)
{
  void **place = ir_names_place(ir, &ir->globals, name);

  if (*place == NULL) {
    struct ir_global *global = ir_take(ir, sizeof *global);
    global->name = name;
    global->line = ir->lexer.token_line;
    ir->global = ir_grow(ir, ir->global, ir->n_globals, sizeof global);
    ir->global[ir->n_globals++] = global;
    *place = global;
  }
  return *place;
}

/* --- attributes --------------------------------------------------------------------- */

void ir_skip_parentheses(struct ir *ir)
{
  int depth = 0;

  do {
    if (ir_at(ir, '(') || ir_at(ir, '{') || ir_at(ir, '['))
      depth++;
    else if (ir_at(ir, ')') || ir_at(ir, '}') || ir_at(ir, ']'))
      depth--;
    else if (ir->lexer.kind == IR_TOKEN_END)
      ir_stop_token(ir, "')'");
    ir_next(ir);
  } while (depth > 0);
}

static unsigned number_at(struct ir_text text, int which)
{
  unsigned number = 0;

  for (size_t i = 0; i < text.n; i++) {
    if (text.at[i] == ',')
      which--;
    else if (which == 0 && text.at[i] >= '0' && text.at[i] <= '9' &&
             number < 100000000)
      number = 10 * number + (unsigned)(text.at[i] - '0');
  }
  return number;
}

static void numbers_at(struct ir_text text, unsigned number[3])
{
  for (int i = 0; i < 3; i++) {
    number[i] = number_at(text, i);
    if (number[i] == 0)
      number[i] = 1;
  }
}

void ir_apply_attribute(struct ir *ir, struct ir_function *function,
                        struct ir_text key, struct ir_text value)
{
  struct ir_bounds *bounds = &function->bounds;

  if (ir_is(key, "target-cpu"))
    ir->target = value;
  else if (ir_is(key, "denormal-fp-math-f32"))
    function->flushes = ir_begins(value, "preserve-sign");
  else if (ir_is(key, "nvvm.maxntid"))
    numbers_at(value, bounds->most_threads);
  else if (ir_is(key, "nvvm.reqntid"))
    numbers_at(value, bounds->threads);
  else if (ir_is(key, "nvvm.cluster_dim")) {
    numbers_at(value, bounds->cluster);
    bounds->explicit_cluster = true;
  } else if (ir_is(key, "nvvm.minctasm"))
    bounds->least_blocks = number_at(value, 0);
  else if (ir_is(key, "nvvm.maxnreg"))
    bounds->registers = number_at(value, 0);
  else if (ir_is(key, "nvvm.maxclusterrank"))
    bounds->most_cluster = number_at(value, 0);
  else if (ir_is(key, "nvvm.blocksareclusters"))
    bounds->cluster_launch = true;
  else if (ir_is(key, "nvvm.kernel"))
    function->is_kernel = true;
}

/* "key" or "key"="value". */
static void parse_string_attribute(struct ir *ir, struct ir_function *function)
{
  struct ir_text key = ir->lexer.text, value = { "", 0 };

  ir_next(ir);
  if (ir_take_mark(ir, '=')) {
    value = ir->lexer.text;
    if (ir->lexer.kind != IR_TOKEN_STRING)
      ir_stop_token(ir, "an attribute's value");
    ir_next(ir);
  }
  if (function != NULL)
    ir_apply_attribute(ir, function, key, value);
}

static bool is_value_word(struct ir_text word)
{
  static const char *const words[] = {
    "true", "false", "null",   "zeroinitializer",
    "none", "undef", "poison", "splat",
    "asm",  "to",    "x"
  };

  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (ir_is(word, words[i]))
      return true;
  for (int i = 0; i < IR_N_OPERATIONS; i++)
    if (ir_is(word, ir_operation_name((enum ir_operation)i)))
      return true;
  return false;
}

static uint64_t parse_alignment(struct ir *ir)
{
  bool parentheses = ir_take_mark(ir, '(');
  uint64_t alignment = ir_expect_number(ir);

  if (parentheses)
    ir_expect(ir, ')');
  if (alignment == 0 || alignment > (uint64_t)1 << 32 ||
      (alignment & (alignment - 1)) != 0)
    ir_stop_token(ir, "a power of two before it");
  return alignment;
}

/* #3: the attributes of a group, which is defined below. */
static void note_group(struct ir *ir, struct ir_function *function)
{
  if (function == NULL)
    return;
  function->group =
      ir_grow(ir, function->group, function->n_groups, sizeof *function->group);
  function->group[function->n_groups++] = ir->lexer.text;
}

void ir_parse_attributes(struct ir *ir, struct ir_argument *argument,
                         struct ir_function *function)
{
  /* They end with the line at the latest. */
  while (ir->lexer.token_line == ir->lexer.previous_line) {
    struct ir_text word = ir->lexer.text;
    if (ir->lexer.kind == IR_TOKEN_STRING)
      parse_string_attribute(ir, function);
    else if (ir->lexer.kind == IR_TOKEN_ATTRIBUTES) {
      note_group(ir, function);
      ir_next(ir);
    } else if (ir->lexer.kind == IR_TOKEN_WORD && !ir_at_type(ir) &&
               !is_value_word(word)) {
      ir_next(ir);
      if (ir_is(word, "align")) {
        uint64_t alignment = parse_alignment(ir);
        if (argument != NULL)
          argument->alignment = alignment;
      } else if (ir_is(word, "byval") && argument != NULL && ir_at(ir, '(')) {
        ir_next(ir);
        argument->byval = ir_parse_type(ir);
        ir_expect(ir, ')');
      } else if (ir_at(ir, '('))
        ir_skip_parentheses(ir);
    } else
      return;
  }
}

/* attributes #0 = { … }: read for each function that has them. */
static void parse_group(struct ir *ir)
{
  struct ir_metadata *group = ir_take(ir, sizeof *group);

  if (ir->lexer.kind != IR_TOKEN_ATTRIBUTES)
    ir_stop_token(ir, "the number of a group of attributes");
  *ir_names_place(ir, &ir->attributes, ir->lexer.text) = group;
  ir_next(ir);
  ir_expect(ir, '=');
  group->text = ir->lexer.token;
  group->line = ir->lexer.token_line;
  if (!ir_at(ir, '{'))
    ir_stop_token(ir, "'{'");
  ir_skip_parentheses(ir);
  group->bytes = (size_t)(ir->lexer.token - group->text);
}

static void apply_groups(struct ir *ir, struct ir_function *function)
{
  struct ir_lexer outer = ir->lexer;

  for (size_t i = 0; i < function->n_groups; i++) {
    const struct ir_metadata *group =
        ir_names_find(&ir->attributes, function->group[i]);
    if (group == NULL)
      continue;
    size_t n = function->n_groups;
    ir_lexer_start(ir, &ir->lexer, group->text, group->bytes, group->line);
    ir_expect(ir, '{');
    ir_parse_attributes(ir, NULL, function);
    function->n_groups = n;
  }
  ir->lexer = outer;
}

/* --- functions ------------------------------------------------------------------------ */

/* Linkage, visibility, calling convention, what is said of the result. */
static void parse_head_words(struct ir *ir, struct ir_function *function)
{
  struct ir_global *global = function->global;

  while (!ir_at_type(ir)) {
    struct ir_text word = ir->lexer.text;
    if (ir->lexer.kind != IR_TOKEN_WORD)
      ir_stop_token(ir, "the type that a function returns");
    if (ir_is(word, "internal") || ir_is(word, "private"))
      global->is_local = true;
    else if (ir_begins(word, "weak") || ir_begins(word, "linkonce"))
      global->is_weak = true;
    else if (ir_is(word, "available_externally"))
      global->ignored = true;
    else if (ir_is(word, "ptx_kernel") || ir_is(word, "cc71"))
      function->is_kernel = true;
    ir_next(ir);
    if (ir_is(word, "cc") && ir->lexer.kind == IR_TOKEN_NUMBER)
      function->is_kernel |= ir_expect_number(ir) == 71;
    else if (ir_is(word, "align") && ir->lexer.kind == IR_TOKEN_NUMBER)
      ir_next(ir);
    else if (ir_at(ir, '('))
      ir_skip_parentheses(ir);
  }
}

static void add_parameter(struct ir *ir, struct ir_function *function,
                          struct ir_type *type)
{
  size_t n = function->n_parameters;
  const struct ir_type *its = ir_parse_type(ir);
  struct ir_argument argument = { 0 };

  ir_parse_attributes(ir, &argument, NULL);
  type->field = ir_grow(ir, type->field, n, sizeof its);
  type->field[n] = its;
  function->argument =
      ir_grow(ir, function->argument, n, sizeof *function->argument);
  function->argument[n] = argument;
  function->parameter =
      ir_grow(ir, function->parameter, n, sizeof *function->parameter);
  struct ir_named *named;
  if (ir->lexer.kind == IR_TOKEN_LOCAL) {
    named = ir_local_named(ir, ir->lexer.text);
    ir_next(ir);
  } else {
    char *name = ir_take(ir, 24);
    size_t length = 0;
    for (size_t k = n, p = 1; p != 0; p = k != 0) {
      memmove(name + 1, name, length++);
      *name = (char)('0' + k % 10);
      k /= 10;
    }
    named = ir_local_named(ir, (struct ir_text){ name, length });
  }
  if (named->type != NULL)
    ir_stop_token(ir, "a parameter's own name before it");
  named->type = its;
  function->parameter[n] = named;
  type->n_fields = ++function->n_parameters;
}

static void parse_parameters(struct ir *ir, struct ir_function *function,
                             struct ir_type *type)
{
  ir_expect(ir, '(');
  while (!ir_at(ir, ')')) {
    if (ir_take_mark(ir, '.'))
      type->variadic = true;
    else
      add_parameter(ir, function, type);
    if (!ir_take_mark(ir, ','))
      break;
  }
  ir_expect(ir, ')');
}

/* After the parameters: attributes, section, alignment, !dbg. */
static void parse_tail(struct ir *ir, struct ir_function *function)
{
  for (;;) {
    ir_parse_attributes(ir, NULL, function);
    if (ir->lexer.token_line != ir->lexer.previous_line)
      return;
    if (ir->lexer.kind == IR_TOKEN_METADATA) {
      bool is_debug = ir_is(ir->lexer.text, "dbg");
      ir_next(ir);
      if (ir->lexer.kind != IR_TOKEN_METADATA)
        ir_stop_token(ir, "metadata");
      struct ir_text number = ir->lexer.text;
      ir_next(ir);
      if (is_debug && number.n < 10)
        function->debug = strtoul(number.at, NULL, 10) + 1;
    } else if (ir->lexer.kind == IR_TOKEN_COMDAT ||
               ir->lexer.kind == IR_TOKEN_STRING)
      ir_next(ir);
    else if (ir_at_word(ir, "prefix") || ir_at_word(ir, "prologue") ||
             ir_at_word(ir, "personality"))
      ir_stop_token(ir, "a function without it");
    else
      return;
  }
}

static void parse_function(struct ir *ir, bool defined)
{
  struct ir_function *function = ir_take(ir, sizeof *function);
  struct ir_type *type = ir_take(ir, sizeof *type);
  struct ir_global head = { 0 };

  function->global = &head;
  while (!defined && ir->lexer.kind == IR_TOKEN_METADATA)
    ir_next(ir);
  parse_head_words(ir, function);
  type->kind = IR_FUNCTION;
  type->defined = true;
  type->element = ir_parse_type(ir);
  if (ir->lexer.kind != IR_TOKEN_GLOBAL)
    ir_stop_token(ir, "a function's name");
  struct ir_global *global = ir_global_named(ir, ir->lexer.text);
  if (global->function != NULL || global->type != NULL)
    ir_stop_token(ir, "a name that is defined once");
  ir_next(ir);
  global->is_local = head.is_local;
  global->is_weak = head.is_weak;
  global->ignored = head.ignored;
  global->is_function = true;
  global->function = function;
  global->type = type;
  function->global = global;
  function->type = type;
  ir->function = function;
  parse_parameters(ir, function, type);
  parse_tail(ir, function);
  if (defined) {
    ir_expect(ir, '{');
    ir_parse_body(ir, function);
    function->defined = global->defined = !global->ignored;
  }
  ir->function = NULL;
  if (ir->last_function != NULL)
    ir->last_function->next = function;
  else
    ir->first_function = function;
  ir->last_function = function;
}

/* --- variables -------------------------------------------------------------------------- */

static void parse_global_words(struct ir *ir, struct ir_global *global,
                               bool *is_external)
{
  for (;;) {
    struct ir_text word = ir->lexer.text;
    if (ir->lexer.kind != IR_TOKEN_WORD || ir_is(word, "global") ||
        ir_is(word, "constant") || ir_is(word, "alias") || ir_is(word, "ifunc"))
      return;
    ir_next(ir);
    if (ir_is(word, "internal") || ir_is(word, "private"))
      global->is_local = true;
    else if (ir_begins(word, "weak") || ir_begins(word, "linkonce") ||
             ir_is(word, "common"))
      global->is_weak = true;
    else if (ir_is(word, "external") || ir_is(word, "extern_weak") ||
             ir_is(word, "available_externally"))
      *is_external = true;
    else if (ir_is(word, "addrspace")) {
      ir_expect(ir, '(');
      global->space = (enum ir_space)ir_expect_number(ir);
      ir_expect(ir, ')');
    } else if (ir_at(ir, '('))
      ir_skip_parentheses(ir);
  }
}

static void parse_global_tail(struct ir *ir, struct ir_global *global)
{
  while (ir_take_mark(ir, ',')) {
    if (ir_take_word(ir, "align"))
      global->alignment = parse_alignment(ir);
    else if (ir_take_word(ir, "section")) {
      global->ignored |= ir_is(ir->lexer.text, "llvm.metadata");
      ir_next(ir);
    } else if (ir_take_word(ir, "comdat")) {
      if (ir_at(ir, '('))
        ir_skip_parentheses(ir);
    } else if (ir->lexer.kind == IR_TOKEN_METADATA) {
      ir_next(ir);
      ir_next(ir);
    } else
      ir_next(ir);
  }
}

static void parse_global(struct ir *ir)
{
  struct ir_global *global = ir_global_named(ir, ir->lexer.text);
  bool is_external = false;

  if (global->type != NULL)
    ir_stop_token(ir, "a name that is defined once");
  global->line = ir->lexer.token_line;
  ir_next(ir);
  ir_expect(ir, '=');
  parse_global_words(ir, global, &is_external);
  bool is_alias = ir_take_word(ir, "alias");
  if (!is_alias && ir_take_word(ir, "constant"))
    global->is_constant = true;
  else if (!is_alias)
    ir_expect_word(ir, "global");
  global->type = ir_parse_type(ir);
  if (is_alias) {
    ir_expect(ir, ',');
    global->alias = ir_parse_typed_value(ir);
    global->ignored = true;
  } else if (!is_external) {
    global->initial = ir_parse_value(ir, global->type);
    global->defined = true;
  } else if (ir->lexer.kind != IR_TOKEN_GLOBAL && !ir_at(ir, ',') &&
             ir->lexer.line == ir->lexer.token_line &&
             ir->lexer.token_line == global->line &&
             ir->lexer.kind != IR_TOKEN_END)
    ir_parse_value(ir, global->type); /* available_externally */
  parse_global_tail(ir, global);
  if (ir_begins(global->name, "llvm."))
    global->ignored = true;
}

/* --- metadata --------------------------------------------------------------------------- */

static void note_metadata(struct ir *ir, struct ir_text name,
                          struct ir_metadata metadata)
{
  size_t number = 0;

  if (name.n == 0 || name.at[0] < '0' || name.at[0] > '9') {
    struct ir_metadata *kept = ir_take(ir, sizeof *kept);
    *kept = metadata;
    *ir_names_place(ir, &ir->named_metadata, name) = kept;
    return;
  }
  for (size_t i = 0; i < name.n; i++) {
    if (name.at[i] < '0' || name.at[i] > '9' || name.n > 7)
      ir_stop_at(ir, metadata.line, "metadata with a number out of range");
    number = 10 * number + (size_t)(name.at[i] - '0');
  }
  if (number >= ir->n_metadata) {
    size_t n = 2 * number + 64;
    struct ir_metadata *larger = ir_take(ir, n * sizeof *larger);
    if (ir->n_metadata > 0)
      memcpy(larger, ir->metadata, ir->n_metadata * sizeof *larger);
    ir->metadata = larger;
    ir->n_metadata = n;
  }
  ir->metadata[number] = metadata;
}

static void parse_metadata(struct ir *ir)
{
  struct ir_text name = ir->lexer.text;

  ir_next(ir);
  ir_expect(ir, '=');
  const char *from = ir->lexer.token;
  unsigned line = ir->lexer.token_line;
  ir_skip_line(ir);
  note_metadata(
      ir, name,
      (struct ir_metadata){ from, (size_t)(ir->lexer.token - from), line });
}

/* Metadata is at the end; a message about what is before it needs it. */
void ir_find_metadata(struct ir *ir)
{
  const char *p = ir->lexer.at, *end = ir->lexer.end;
  unsigned line = 0;

  while (p < end) {
    const char *next = memchr(p, '\n', (size_t)(end - p));
    size_t n = next == NULL ? (size_t)(end - p) : (size_t)(next - p), name = 1;
    while (name < n && p[name] >= '0' && p[name] <= '9')
      name++;
    if (*p == '!' && name > 1 && name < 8 && n > name + 3 &&
        memcmp(p + name, " = ", 3) == 0)
      note_metadata(ir, (struct ir_text){ p + 1, name - 1 },
                    (struct ir_metadata){ p + name + 3, n - name - 3, line });
    p += next == NULL ? n : n + 1;
  }
}

/* --- the module ------------------------------------------------------------------------- */

static void parse_named_type(struct ir *ir)
{
  struct ir_text name = ir->lexer.text;

  ir_next(ir);
  ir_expect(ir, '=');
  ir_expect_word(ir, "type");
  ir_define_type(ir, name);
}

static void parse_item(struct ir *ir)
{
  switch (ir->lexer.kind) {
  case IR_TOKEN_LOCAL: parse_named_type(ir); return;
  case IR_TOKEN_GLOBAL: parse_global(ir); return;
  case IR_TOKEN_METADATA: parse_metadata(ir); return;
  case IR_TOKEN_COMDAT:
  case IR_TOKEN_SUMMARY: ir_skip_line(ir); return;
  default: break;
  }
  if (ir_take_word(ir, "define"))
    parse_function(ir, true);
  else if (ir_take_word(ir, "declare"))
    parse_function(ir, false);
  else if (ir_take_word(ir, "attributes"))
    parse_group(ir);
  else if (ir_at_word(ir, "source_filename") || ir_at_word(ir, "target") ||
           ir_at_word(ir, "module") || ir_at_word(ir, "uselistorder"))
    ir_skip_line(ir);
  else
    ir_stop_token(ir, "something that a module consists of");
}

void ir_parse(struct ir *ir)
{
  while (ir->lexer.kind != IR_TOKEN_END)
    parse_item(ir);
  for (struct ir_function *f = ir->first_function; f != NULL; f = f->next)
    apply_groups(ir, f);
  ir_read_annotations(ir);
}
