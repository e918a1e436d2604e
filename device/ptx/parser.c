/* The module's level: directives outside of functions (PTX ISA chapter 11). */
#include "parser.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/host_memory.h"

void ptx_fail(struct ptx_parser *parser, const char *format, ...)
{
  va_list arguments;

  if (!parser->failed) {
    parser->failed = true;
    parser->error->line = parser->token.line;
    va_start(arguments, format);
    vsnprintf(parser->error->message, sizeof parser->error->message, format,
              arguments);
    va_end(arguments);
  }
  parser->lexer.at = parser->lexer.end;
  ptx_lexer_next(&parser->lexer, &parser->token);
}

void ptx_take(struct ptx_parser *parser)
{
  ptx_lexer_next(&parser->lexer, &parser->token);
  if (parser->lexer.error != NULL)
    ptx_fail(parser, "%s", parser->lexer.error);
}

bool ptx_at(const struct ptx_parser *parser, char punctuation)
{
  return parser->token.kind == TOKEN_PUNCTUATION &&
         parser->token.punctuation == punctuation;
}

bool ptx_accept(struct ptx_parser *parser, char punctuation)
{
  if (!ptx_at(parser, punctuation))
    return false;
  ptx_take(parser);
  return true;
}

void ptx_expect(struct ptx_parser *parser, char punctuation)
{
  if (parser->token.kind == TOKEN_END)
    ptx_fail(parser, "expected '%c' before the end of the text", punctuation);
  if (!ptx_accept(parser, punctuation))
    ptx_fail(parser, "expected '%c' before '%.*s'", punctuation,
             (int)(parser->token.length < 60 ? parser->token.length : 60),
             parser->token.text);
}

bool ptx_at_directive(const struct ptx_parser *parser, const char *name)
{
  return parser->token.kind == TOKEN_DIRECTIVE &&
         parser->token.length == strlen(name) &&
         memcmp(parser->token.text, name, parser->token.length) == 0;
}

bool ptx_accept_directive(struct ptx_parser *parser, const char *name)
{
  if (!ptx_at_directive(parser, name))
    return false;
  ptx_take(parser);
  return true;
}

uint64_t ptx_take_integer(struct ptx_parser *parser)
{
  bool negative = ptx_accept(parser, '-');
  uint64_t value = parser->token.integer;

  if (parser->token.kind != TOKEN_INTEGER) {
    ptx_fail(parser, "expected a number before '%.*s'",
             (int)(parser->token.length < 60 ? parser->token.length : 60),
             parser->token.text);
    return 0;
  }
  ptx_take(parser);
  return negative ? 0 - value : value;
}

char *ptx_take_name(struct ptx_parser *parser)
{
  char *name;

  if (parser->token.kind != TOKEN_NAME) {
    ptx_fail(parser, "expected a name before '%.*s'",
             (int)(parser->token.length < 60 ? parser->token.length : 60),
             parser->token.text);
    return ptx_arena_text(parser->arena, "", 0);
  }
  name =
      ptx_arena_text(parser->arena, parser->token.text, parser->token.length);
  ptx_take(parser);
  return name;
}

static void parse_version(struct ptx_parser *parser)
{
  double version = 0;

  if (parser->token.kind != TOKEN_FLOAT) {
    ptx_fail(parser, "expected a version number after .version");
    return;
  }
  memcpy(&version, &parser->token.integer, sizeof version);
  if (!(version >= 0 && version < 1000)) {
    ptx_fail(parser, "no version number: '%.*s'",
             (int)(parser->token.length < 60 ? parser->token.length : 60),
             parser->token.text);
    return;
  }
  parser->module->version_major = (unsigned)version;
  parser->module->version_minor =
      (unsigned)((version - (unsigned)version) * 10 + 0.5);
  ptx_take(parser);
}

static void parse_target(struct ptx_parser *parser)
{
  do {
    char *name = ptx_take_name(parser);

    if (strncmp(name, "sm_", 3) == 0)
      parser->module->target = (unsigned)strtoul(name + 3, NULL, 10);
    else if (strcmp(name, "debug") == 0)
      parser->module->debug = true;
  } while (ptx_accept(parser, ','));
}

static void parse_file(struct ptx_parser *parser)
{
  size_t number = ptx_take_integer(parser);
  struct ptx_module *module = parser->module;

  if (number > 1 << 20 || parser->token.kind != TOKEN_STRING) {
    ptx_fail(parser, "expected .file number \"name\"");
    return;
  }
  if (number >= module->n_files) {
    /* Twice as many, so that growing one by one does not take the square. */
    size_t n =
        number + 8 > 2 * module->n_files ? number + 8 : 2 * module->n_files;
    const char **files = ptx_arena_take(parser->arena, n * sizeof *files);

    if (module->n_files > 0)
      memcpy(files, module->files, module->n_files * sizeof *files);
    module->files = files;
    module->n_files = n;
  }
  module->files[number] =
      ptx_arena_text(parser->arena, parser->token.text, parser->token.length);
  ptx_take(parser);
  while (ptx_accept(parser, ',')) /* time stamp and size */
    ptx_take_integer(parser);
}

void ptx_skip_section(struct ptx_parser *parser)
{
  unsigned depth = 0;

  while (!ptx_at(parser, '{')) {
    if (parser->token.kind == TOKEN_END) {
      ptx_fail(parser, "expected '{' after .section");
      return;
    }
    ptx_take(parser);
  }
  do {
    if (parser->token.kind == TOKEN_END) {
      ptx_fail(parser, ".section without its '}'");
      return;
    }
    depth += ptx_at(parser, '{');
    depth -= ptx_at(parser, '}');
    ptx_take(parser);
  } while (depth > 0);
}

/* .visible, .extern, .weak, .common and .attribute(.managed). */
static struct linkage parse_linkage(struct ptx_parser *parser)
{
  struct linkage linkage = { false, false };

  for (;;) {
    if (ptx_accept_directive(parser, ".extern"))
      linkage.is_extern = true;
    else if (!ptx_accept_directive(parser, ".visible") &&
             !ptx_accept_directive(parser, ".weak") &&
             !ptx_accept_directive(parser, ".common"))
      return linkage;
  }
}

static void parse_alias(struct ptx_parser *parser)
{
  char *name = ptx_take_name(parser), *target;
  struct ptx_symbol *symbol;
  struct ptx_symbol alias;

  ptx_expect(parser, ',');
  target = ptx_take_name(parser);
  ptx_expect(parser, ';');
  symbol = ptx_scope_find(parser->scope, target, strlen(target));
  if (symbol == NULL) {
    ptx_fail(parser, ".alias of '%s', which is not declared", target);
    return;
  }
  alias = *symbol;
  alias.name = name;
  ptx_scope_add(parser->arena, parser->scope, &alias);
}

static void parse_top_level(struct ptx_parser *parser)
{
  struct linkage linkage = parse_linkage(parser);

  if (ptx_accept_directive(parser, ".version"))
    parse_version(parser);
  else if (ptx_accept_directive(parser, ".target"))
    parse_target(parser);
  else if (ptx_accept_directive(parser, ".address_size")) {
    if (ptx_take_integer(parser) != 64)
      ptx_fail(parser, ".address_size must be 64");
  } else if (ptx_accept_directive(parser, ".file"))
    parse_file(parser);
  else if (ptx_accept_directive(parser, ".section"))
    ptx_skip_section(parser);
  else if (ptx_accept_directive(parser, ".entry"))
    ptx_parse_function(parser, true, linkage);
  else if (ptx_accept_directive(parser, ".func"))
    ptx_parse_function(parser, false, linkage);
  else if (ptx_accept_directive(parser, ".alias"))
    parse_alias(parser);
  else if (ptx_accept_directive(parser, ".loc"))
    ptx_parse_loc(parser);
  else if (ptx_accept_directive(parser, ".pragma")) {
    ptx_take(parser);
    ptx_expect(parser, ';');
  } else if (ptx_at_space(parser))
    ptx_parse_variables(parser, linkage);
  else if (!ptx_accept(parser, ';'))
    ptx_fail(parser, "unknown directive '%.*s'",
             (int)(parser->token.length < 60 ? parser->token.length : 60),
             parser->token.text);
}

/* .file directives come last, so sources are resolved when all is read. */
static const char *file_of(const struct ptx_module *module,
                           struct ptx_place place)
{
  return place.file < module->n_files ? module->files[place.file] : NULL;
}

/* A header of the CUDA Toolkit: what it does is the caller's doing. The
 * toolkit's folder has the version in its name, or is that of a package:
 * /usr/local/cuda-13.0/include, /usr/lib/cuda/include, nvidia/cu13/include. */
bool ptx_is_toolkit(const char *file)
{
  const char *at = file;

  if (file == NULL)
    return false;
  if (strstr(file, "/targets/") != NULL ||
      strncmp(file, "/usr/include/", 13) == 0)
    return true;
  while ((at = strstr(at, "/include/")) != NULL) {
    const char *folder = at;

    while (folder > file && folder[-1] != '/')
      folder--;
    if (strncmp(folder, "cuda/", 5) == 0 || strncmp(folder, "cuda-", 5) == 0 ||
        (strncmp(folder, "cu", 2) == 0 && isdigit((unsigned char)folder[2])))
      return true;
    at++;
  }
  return false;
}

static bool is_own(const struct ptx_module *module, const struct ptx_loc *loc)
{
  const char *file = file_of(module, loc->place);

  return file != NULL && loc->place.line != 0 && !ptx_is_toolkit(file);
}

static struct source_line line_of(const struct ptx_module *module,
                                  const struct ptx_loc *loc)
{
  const char *file = file_of(module, loc->place);

  if (file == NULL)
    return (struct source_line){ 0 };
  return (struct source_line){ .file = file,
                               .line = loc->place.line,
                               .column = loc->place.column };
}

/* The program's own lines that called it, outwards. */
static const struct source_line *callers_of(struct ptx_module *module,
                                            const struct ptx_loc *loc)
{
  struct source_line *first = NULL, *last = NULL;

  for (loc = loc->caller; loc != NULL; loc = loc->caller) {
    struct source_line *line;

    if (!is_own(module, loc))
      continue;
    line = ptx_arena_take(&module->arena, sizeof *line);
    *line = line_of(module, loc);
    if (last == NULL)
      first = line;
    else
      last->caller = line;
    last = line;
  }
  return first;
}

/* The innermost line of the program itself; where there is none, the
 * innermost of all. */
static void resolve_loc(struct ptx_module *module, struct ptx_loc *loc)
{
  const struct ptx_loc *own = loc;

  loc->is_resolved = true;
  while (own != NULL && !is_own(module, own))
    own = own->caller;
  if (own == NULL || !ptx_is_toolkit(file_of(module, loc->place)))
    own = loc;
  loc->source = line_of(module, own);
  loc->source.caller = callers_of(module, own);
  if (own != loc) {
    struct source_line *inside = ptx_arena_take(&module->arena, sizeof *inside);

    *inside = line_of(module, loc);
    loc->source.inside = inside;
  }
}

static void resolve_files(struct ptx_module *module)
{
  struct ptx_function *function;

  for (function = module->functions; function; function = function->next)
    for (size_t i = 0; i < function->n_instructions; i++) {
      struct ptx_instruction *instruction = &function->instructions[i];

      if (instruction->loc == NULL)
        continue;
      if (!instruction->loc->is_resolved)
        resolve_loc(module, instruction->loc);
      instruction->source = instruction->loc->source;
    }
}

struct ptx_module *ptx_parse(const char *text, size_t bytes,
                             struct ptx_error *error)
{
  struct ptx_module *module = host_try_new(1, sizeof *module);
  struct ptx_parser parser = { .module = module, .error = error };

  if (module == NULL) {
    *error = (struct ptx_error){ 0, "out of host memory" };
    return NULL;
  }
  parser.arena = &module->arena;
  parser.variables_end = &module->variables;
  parser.functions_end = &module->functions;
  module->text = ptx_arena_text(&module->arena, text, bytes);
  module->scope = ptx_scope_new(&module->arena, NULL);
  parser.scope = module->scope;
  ptx_lexer_start(&parser.lexer, module->text, bytes);
  ptx_take(&parser);
  while (parser.token.kind != TOKEN_END)
    parse_top_level(&parser);
  if (parser.failed) {
    ptx_module_free(module);
    return NULL;
  }
  resolve_files(module);
  return module;
}

void ptx_module_free(struct ptx_module *module)
{
  if (module == NULL)
    return;
  ptx_arena_free(&module->arena);
  free(module);
}
