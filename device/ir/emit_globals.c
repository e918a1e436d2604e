/* Variables of the module, with what they begin with; the names of symbols. */
#include <stdio.h>
#include <string.h>

#include "emit.h"
#include "parse.h"

/* --- names ---------------------------------------------------------------------------- */

static bool is_plain(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '$';
}

/* What PTX can't have in a name is written as a number between dollar signs, so
 * that different names stay different; should two meet all the same, that stops. */
const char *ir_symbol_of(struct ir *ir, struct ir_global *global)
{
  if (global->symbol != NULL)
    return global->symbol;
  char *symbol = ir_take(ir, 5 * global->name.n + 3);
  size_t n = 0;
  if (global->name.n == 0 ||
      (global->name.at[0] >= '0' && global->name.at[0] <= '9'))
    symbol[n++] = '_', symbol[n++] = '$';
  for (size_t k = 0; k < global->name.n; k++) {
    char c = global->name.at[k];
    if (is_plain(c))
      symbol[n++] = c;
    else if (c == '.') {
      memcpy(symbol + n, "_$_", 3);
      n += 3;
    } else
      n +=
          (size_t)snprintf(symbol + n, 6, "$%02x$", (unsigned)(unsigned char)c);
  }
  void **place =
      ir_names_place(ir, &ir->symbols, (struct ir_text){ symbol, n });
  if (*place != NULL)
    ir_stop_at(ir, global->line, "two names become the same in PTX: %s",
               symbol);
  *place = global;
  global->symbol = symbol;
  return symbol;
}

/* --- initial values ------------------------------------------------------------------- */

struct image {
  struct ir_writer *w;
  unsigned char *bytes;
  uint64_t size;
  struct symbol_at {
    uint64_t at;
    const char *text;
  } * symbol;
  size_t n_symbols;
  bool is_zero;
};

static void put_bits(struct image *image, uint64_t at, uint64_t bits,
                     uint64_t n)
{
  for (uint64_t k = 0; k < n && k < 8 && at + k < image->size; k++) {
    image->bytes[at + k] = (unsigned char)(bits >> (8 * k));
    image->is_zero &= image->bytes[at + k] == 0;
  }
}

/* The address of a global, as generic(name)+8 where it is in a space. */
static void put_address(struct image *image, uint64_t at,
                        const struct ir_value *value)
{
  struct ir_writer *w = image->w;
  struct ir_global *global = value->global;
  int64_t offset = value->offset;

  for (int depth = 0; global->alias != NULL && depth < IR_MOST_DEPTH; depth++) {
    if (global->alias->kind != IR_ADDRESS)
      ir_stop_at(w->ir, global->line, "an alias of something unknown");
    offset += global->alias->offset;
    global = global->alias->global;
  }
  if (global->type == NULL)
    ir_stop_at(w->ir, global->line, "an address of something undeclared");
  bool is_generic = value->type->bits == IR_GENERIC && !global->is_function;
  const char *name = ir_symbol_of(w->ir, global);
  char *text =
      is_generic ? ir_print(w, "generic(%s)", name) : ir_print(w, "%s", name);
  if (offset != 0)
    text = ir_print(w, "%s%+lld", text, (long long)offset);
  image->symbol =
      ir_grow(w->ir, image->symbol, image->n_symbols, sizeof *image->symbol);
  image->symbol[image->n_symbols++] = (struct symbol_at){ at, text };
  image->is_zero = false;
}

static void put(struct image *image, uint64_t at, struct ir_value *value,
                int depth)
{
  struct ir_writer *w = image->w;
  const struct ir_type *type = value->type;

  if (depth > IR_MOST_DEPTH)
    ir_stop_at(w->ir, 0, "an initial value that is too deep");
  switch (value->kind) {
  case IR_UNDEFINED:
  case IR_ZERO: return;
  case IR_BITS: put_bits(image, at, value->bits, type->stored); return;
  case IR_ADDRESS: put_address(image, at, value); return;
  case IR_AGGREGATE:
    if (value->item == NULL && at + value->assembly.n <= image->size) {
      memcpy(image->bytes + at, value->assembly.at, value->assembly.n);
      for (size_t k = 0; k < value->assembly.n; k++)
        image->is_zero &= value->assembly.at[k] == 0;
      return;
    }
    for (size_t k = 0; k < value->n_items; k++)
      put(image, at + ir_element_offset(w->ir, type, k), value->item[k],
          depth + 1);
    return;
  case IR_EXPRESSION:
    if ((value->expression->operation == IR_OP_ptrtoint ||
         value->expression->operation == IR_OP_inttoptr) &&
        value->expression->operand[0]->kind == IR_ADDRESS &&
        type->stored == 8) {
      put_address(image, at, value->expression->operand[0]);
      return;
    }
    ir_stop_at(w->ir, value->expression->line,
               "an initial value that is calculated");
  default: ir_stop_at(w->ir, 0, "an initial value that is not known");
  }
}

static void add_bytes(struct image *image, struct ir_text_buffer *to)
{
  uint64_t n = image->size;

  while (n > 0 && image->bytes[n - 1] == 0)
    n--;
  for (uint64_t k = 0; k < n; k++)
    ir_add(image->w->ir, to, "%s%u", k > 0 ? ", " : "", image->bytes[k]);
}

/* With addresses in it, a variable is an array of 64-bit numbers. */
static void add_words(struct image *image, struct ir_text_buffer *to)
{
  struct ir *ir = image->w->ir;
  size_t next = 0;

  for (uint64_t at = 0; at < image->size; at += 8) {
    ir_add(ir, to, "%s", at > 0 ? ", " : "");
    if (next < image->n_symbols && image->symbol[next].at == at) {
      ir_add(ir, to, "%s", image->symbol[next++].text);
      continue;
    }
    uint64_t word = 0;
    for (int k = 0; k < 8; k++)
      word |= (uint64_t)image->bytes[at + (uint64_t)k] << (8 * k);
    ir_add(ir, to, "%llu", (unsigned long long)word);
  }
  if (next < image->n_symbols)
    ir_stop_at(ir, 0, "an initial value with an address at such a place");
}

static const char *space_of(struct ir_writer *w, const struct ir_global *global)
{
  switch (global->space) {
  case IR_GENERIC:
  case IR_GLOBAL: return ".global";
  case IR_SHARED: return ".shared";
  case IR_CONSTANT: return ".const";
  case IR_LOCAL: return ".local";
  default:
    ir_stop_at(w->ir, global->line, "a variable in address space %d",
               (int)global->space);
  }
}

void ir_emit_variable(struct ir_writer *w, struct ir_text_buffer *to,
                      struct ir_global *global, const char *indent)
{
  struct ir *ir = w->ir;
  const struct ir_type *type = global->type;
  struct image image = { .w = w, .size = type->bytes, .is_zero = true };
  const char *space = space_of(w, global), *symbol = ir_symbol_of(ir, global);
  bool has_value = global->initial != NULL && global->space != IR_SHARED;

  if (type->n_leaves > 0 && type->bytes > (uint64_t)1 << 32)
    ir_stop_at(ir, global->line, "a variable of more than 4 GiB");
  if (has_value && global->initial->kind != IR_ZERO &&
      global->initial->kind != IR_UNDEFINED) {
    image.size = (type->bytes + 7) / 8 * 8;
    image.bytes = ir_take(ir, (size_t)image.size + 8);
    put(&image, 0, global->initial, 0);
    image.size = image.n_symbols > 0 ? image.size : type->bytes;
  }
  ir_add(ir, to, "%s%s%s .align %llu ", indent,
         indent[0] != '\0'  ? ""
         : !global->defined ? ".extern "
         : global->is_weak  ? ".weak "
         : global->is_local ? ""
                            : ".visible ",
         space,
         (unsigned long long)(global->alignment != 0 ? global->alignment
                                                     : type->alignment));
  if (!global->defined && type->bytes == 0)
    ir_add(ir, to, ".b8 %s[]", symbol);
  else if (image.n_symbols > 0)
    ir_add(ir, to, ".u64 %s[%llu]", symbol, (unsigned long long)image.size / 8);
  else
    ir_add(ir, to, ".b8 %s[%llu]", symbol,
           (unsigned long long)(type->bytes != 0 ? type->bytes : 1));
  if (!image.is_zero) {
    ir_add(ir, to, " = {");
    if (image.n_symbols > 0)
      add_words(&image, to);
    else
      add_bytes(&image, to);
    ir_add(ir, to, "}");
  }
  ir_add(ir, to, ";\n");
}
