/* Metadata is kept as text; here is what is read of it. */
#include "metadata.h"

#include <string.h>

#include "parse.h"

/* The value of `field` in a node like !DILocation(line: 5, scope: !3). Strings
 * are passed over. */
static struct ir_text field_of(const struct ir_metadata *node,
                               const char *field)
{
  const char *p = node->text, *end = node->text + node->bytes;
  size_t n = strlen(field);
  bool quoted = false;

  for (; p < end; p++) {
    quoted ^= *p == '"';
    if (quoted || (size_t)(end - p) < n + 1 || memcmp(p, field, n) != 0 ||
        (p[-1] != '(' && p[-1] != ' '))
      continue;
    const char *from = p + n;
    if (*from == '"') {
      const char *to = memchr(from + 1, '"', (size_t)(end - from - 1));
      return (struct ir_text){ from + 1,
                               to == NULL ? 0 : (size_t)(to - from - 1) };
    }
    const char *to = from;
    while (to < end && *to != ',' && *to != ')')
      to++;
    return (struct ir_text){ from, (size_t)(to - from) };
  }
  return (struct ir_text){ NULL, 0 };
}

static uint64_t number_of(struct ir_text text)
{
  uint64_t number = 0;

  for (size_t i = 0; i < text.n; i++)
    if (text.at[i] >= '0' && text.at[i] <= '9' && number < 1000000000)
      number = 10 * number + (uint64_t)(text.at[i] - '0');
  return number;
}

static const struct ir_metadata *node_at(const struct ir *ir,
                                         struct ir_text reference)
{
  uint64_t number = number_of(reference);

  return reference.n < 2 || reference.at[0] != '!' ||
                 number >= ir->n_metadata || ir->metadata[number].text == NULL
             ? NULL
             : ir->metadata + number;
}

/* The file of a scope, or of the scope around it. */
static const struct ir_metadata *file_of(const struct ir *ir,
                                         const struct ir_metadata *scope)
{
  for (int depth = 0; scope != NULL && depth < IR_MOST_DEPTH; depth++) {
    const struct ir_metadata *file = node_at(ir, field_of(scope, "file: "));
    if (file != NULL)
      return file;
    scope = node_at(ir, field_of(scope, "scope: "));
  }
  return NULL;
}

struct ir_place ir_place_of(const struct ir *ir, uint64_t debug)
{
  struct ir_place place = { 0 };

  if (debug == 0 || debug > ir->n_metadata ||
      ir->metadata[debug - 1].text == NULL)
    return place;
  const struct ir_metadata *node = ir->metadata + debug - 1;
  const struct ir_metadata *file =
      file_of(ir, node_at(ir, field_of(node, "scope: ")));
  if (file == NULL)
    return place;
  place.file = field_of(file, "filename: ");
  place.folder = field_of(file, "directory: ");
  place.line = number_of(field_of(node, "line: "));
  place.column = number_of(field_of(node, "column: "));
  return place;
}

/* --- annotations ---------------------------------------------------------------- */

/* One of !{ptr @kernel, !"maxntidx", i32 256, …}. */
static void annotate(struct ir_function *function, struct ir_text word,
                     unsigned number)
{
  struct ir_bounds *bounds = &function->bounds;
  static const char *const axes[] = { "x", "y", "z" };
  char name[16] = "";

  if (ir_is(word, "kernel"))
    function->is_kernel = number != 0;
  else if (ir_is(word, "minctasm"))
    bounds->least_blocks = number;
  else if (ir_is(word, "maxnreg"))
    bounds->registers = number;
  for (int axis = 0; axis < 3; axis++) {
    for (int kind = 0; kind < 2; kind++) {
      memcpy(name, kind == 0 ? "maxntid" : "reqntid", 7);
      memcpy(name + 7, axes[axis], 2);
      if (ir_is(word, name)) {
        unsigned *to = kind == 0 ? bounds->most_threads : bounds->threads;
        to[axis] = number;
        for (int other = 0; other < 3; other++)
          if (to[other] == 0)
            to[other] = 1;
      }
    }
  }
}

static void read_node(struct ir *ir, const struct ir_metadata *node)
{
  struct ir_text word = { "", 0 };

  ir_lexer_start(ir, &ir->lexer, node->text, node->bytes, node->line);
  ir_take_word(ir, "distinct");
  if (ir->lexer.kind != IR_TOKEN_METADATA)
    return;
  ir_next(ir);
  ir_expect(ir, '{');
  if (!ir_take_word(ir, "ptr") || ir->lexer.kind != IR_TOKEN_GLOBAL)
    return;
  struct ir_global *global = ir_names_find(&ir->globals, ir->lexer.text);
  ir_next(ir);
  while (global != NULL && global->function != NULL && ir_take_mark(ir, ',')) {
    if (ir->lexer.kind == IR_TOKEN_METADATA) {
      word = ir->lexer.text;
      ir_next(ir);
    } else if (ir_take_word(ir, "i32") && ir->lexer.kind == IR_TOKEN_NUMBER) {
      annotate(global->function, word, (unsigned)number_of(ir->lexer.text));
      ir_next(ir);
    } else
      return;
  }
}

static void read_list(struct ir *ir, const struct ir_metadata *list)
{
  struct ir_lexer outer = ir->lexer;

  ir_lexer_start(ir, &ir->lexer, list->text, list->bytes, list->line);
  ir_next(ir);
  ir_expect(ir, '{');
  while (ir->lexer.kind == IR_TOKEN_METADATA) {
    struct ir_text reference = { ir->lexer.token, ir->lexer.text.n + 1 };
    const struct ir_metadata *node = node_at(ir, reference);
    struct ir_lexer inner = ir->lexer;
    if (node != NULL)
      read_node(ir, node);
    ir->lexer = inner;
    ir_next(ir);
    if (!ir_take_mark(ir, ','))
      break;
  }
  ir->lexer = outer;
}

/* The bytes of a string constant, without its end. */
static struct ir_text string_of(const struct ir_value *value)
{
  const struct ir_value *initial =
      value->kind == IR_ADDRESS ? value->global->initial : NULL;

  if (initial == NULL || initial->kind != IR_AGGREGATE ||
      initial->item != NULL || initial->assembly.n == 0)
    return (struct ir_text){ "", 0 };
  return (struct ir_text){ initial->assembly.at, initial->assembly.n - 1 };
}

static unsigned argument_of(struct ir *ir, const struct ir_value *value,
                            uint64_t i)
{
  const struct ir_value *initial =
      value->kind == IR_ADDRESS ? value->global->initial : NULL;
  const struct ir_value *item =
      initial != NULL ? ir_constant_element(ir, initial, i) : NULL;

  return item != NULL && item->kind == IR_BITS ? (unsigned)item->bits : 0;
}

/* What device/include says with __attribute__((annotate)): function, word,
 * file, line, arguments. */
static void read_own(struct ir *ir, const struct ir_value *row)
{
  if (row->kind != IR_AGGREGATE || row->n_items < 5 || row->item == NULL ||
      row->item[0]->kind != IR_ADDRESS ||
      row->item[0]->global->function == NULL)
    return;
  struct ir_bounds *bounds = &row->item[0]->global->function->bounds;
  struct ir_text word = string_of(row->item[1]);
  if (ir_is(word, "softdevice.cluster_dims")) {
    for (unsigned i = 0; i < 3; i++)
      bounds->cluster[i] = argument_of(ir, row->item[4], i);
    bounds->explicit_cluster = true;
  } else if (ir_is(word, "softdevice.maxnreg"))
    bounds->registers = argument_of(ir, row->item[4], 0);
}

void ir_read_annotations(struct ir *ir)
{
  const struct ir_metadata *list =
      ir_names_find(&ir->named_metadata, ir_text_of("nvvm.annotations"));
  const struct ir_global *own =
      ir_names_find(&ir->globals, ir_text_of("llvm.global.annotations"));

  if (list != NULL)
    read_list(ir, list);
  if (own != NULL && own->initial != NULL &&
      own->initial->kind == IR_AGGREGATE && own->initial->item != NULL)
    for (size_t i = 0; i < own->initial->n_items; i++)
      read_own(ir, own->initial->item[i]);
}
