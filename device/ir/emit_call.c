/* Calls: of functions, and of inline PTX. */
#include <string.h>

#include "analyse.h"
#include "emit.h"
#include "parse.h"

/* The function that a constant names, aliases followed. */
static struct ir_global *callee_of(struct ir_writer *w,
                                   const struct ir_value *value)
{
  struct ir_global *global =
      value->kind == IR_ADDRESS && value->offset == 0 ? value->global : NULL;

  for (int depth = 0; global != NULL && global->alias != NULL; depth++) {
    if (global->alias->kind != IR_ADDRESS || depth > IR_MOST_DEPTH)
      ir_stop_instruction(w->ir, "an alias of something unknown");
    global = global->alias->global;
  }
  return global != NULL && global->is_function ? global : NULL;
}

static const char *argument_name(struct ir_writer *w, size_t k)
{
  return ir_print(w, "param%zu", k);
}

static void declare_argument(struct ir_writer *w,
                             const struct ir_argument *argument,
                             const struct ir_type *type,
                             struct ir_text_buffer *to, const char *name)
{
  if (argument->byval != NULL)
    ir_add(w->ir, to, ".param .align %llu .b8 %s[%llu]",
           (unsigned long long)(argument->alignment != 0
                                    ? argument->alignment
                                    : argument->byval->alignment),
           name,
           (unsigned long long)(argument->byval->bytes != 0
                                    ? argument->byval->bytes
                                    : 1));
  else
    ir_add_parameter(w, to, type, 0, name);
}

/* What is passed by value is copied from memory, in pieces. */
static void pass_memory(struct ir_writer *w, const struct ir_argument *argument,
                        struct ir_value *pointer, const char *name)
{
  uint64_t bytes = argument->byval->bytes;
  uint64_t alignment = argument->alignment != 0 ? argument->alignment
                                                : argument->byval->alignment;
  struct ir_leaf base = ir_leaf(w, pointer);
  int space = pointer->kind == IR_ADDRESS ? base.space : ir_space_of(pointer);
  uint64_t unit = alignment < 8 ? alignment : 8;

  if (bytes > 4096)
    ir_stop_instruction(w->ir, "passes more than 4096 bytes by value");
  for (uint64_t at = 0; at < bytes;) {
    uint64_t n = unit;
    while (n > bytes - at)
      n /= 2;
    struct ir_leaf part = ir_new(w, n <= 2 ? IR_B16 : n == 4 ? IR_B32 : IR_B64);
    ir_say(w, "ld%s.b%llu \t%s, [%s];", ir_space_name(w, space),
           (unsigned long long)n * 8, ir_register(w, part),
           ir_address(w, base, (int64_t)at));
    ir_say(w, "st.param.b%llu \t[%s+%llu], %s;", (unsigned long long)n * 8,
           name, (unsigned long long)at, ir_register(w, part));
    at += n;
  }
}

static const char *declare_prototype(struct ir_writer *w,
                                     const struct ir_instruction *i)
{
  const char *name = ir_print(w, "prototype_%u", w->prototypes++);

  ir_add(w->ir, &w->body, "\t%s : .callprototype ", name);
  if (i->type->kind == IR_VOID)
    ir_add(w->ir, &w->body, "() _ (");
  else {
    ir_add(w->ir, &w->body, "(");
    ir_add_parameter(w, &w->body, i->type, 0, "_");
    ir_add(w->ir, &w->body, ") _ (");
  }
  for (size_t k = 1; k < i->n_operands; k++) {
    ir_add(w->ir, &w->body, "%s", k > 1 ? ", " : "");
    declare_argument(w, i->argument + k - 1, i->operand[k]->type, &w->body,
                     "_");
  }
  ir_add(w->ir, &w->body, ");\n");
  return name;
}

static void check_signature(struct ir_writer *w, const struct ir_instruction *i,
                            const struct ir_function *function)
{
  const struct ir_type *type = function->type;

  if (function->is_kernel)
    ir_stop_instruction(w->ir, "calls a kernel");
  if (type->variadic)
    ir_stop_instruction(w->ir, "passes a variable number of arguments");
  if (type->n_fields != i->n_operands - 1 ||
      type->element->kind != i->type->kind ||
      type->element->n_leaves != i->type->n_leaves)
    ir_stop_instruction(w->ir, "doesn't fit the function's type");
  for (size_t k = 0; k < type->n_fields; k++)
    if (type->field[k]->kind != i->operand[k + 1]->type->kind ||
        type->field[k]->bytes != i->operand[k + 1]->type->bytes)
      ir_stop_instruction(w->ir, "doesn't fit the function's type");
}

static void call_function(struct ir_writer *w, struct ir_instruction *i,
                          struct ir_global *global)
{
  const char *target;
  struct ir_argument *argument = i->argument;

  if (global != NULL) {
    check_signature(w, i, global->function);
    argument = global->function->argument;
    target = ir_symbol_of(w->ir, global);
  } else
    target = ir_register(w, ir_plain_leaf(w, i->operand[0]));
  ir_say(w, "{");
  for (size_t k = 1; k < i->n_operands; k++) {
    const char *name = argument_name(w, k - 1);
    const struct ir_type *type = i->operand[k]->type;
    ir_add(w->ir, &w->body, "\t");
    declare_argument(w, argument + k - 1, type, &w->body, name);
    ir_add(w->ir, &w->body, ";\n");
    if (argument[k - 1].byval != NULL)
      pass_memory(w, argument + k - 1, i->operand[k], name);
    else
      ir_store_parameter(w, type, ir_plain_leaves(w, i->operand[k]), name);
  }
  if (i->result != NULL) {
    ir_add(w->ir, &w->body, "\t");
    ir_add_parameter(w, &w->body, i->type, 0, "retval0");
    ir_add(w->ir, &w->body, ";\n");
  }
  const char *prototype = global == NULL ? declare_prototype(w, i) : NULL;
  ir_add(w->ir, &w->body, "\tcall%s %s%s, (", global != NULL ? ".uni" : "",
         i->result != NULL ? "(retval0), " : "", target);
  for (size_t k = 1; k < i->n_operands; k++)
    ir_add(w->ir, &w->body, "%s%s", k > 1 ? ", " : "", argument_name(w, k - 1));
  ir_add(w->ir, &w->body, ")%s%s;\n", prototype != NULL ? ", " : "",
         prototype != NULL ? prototype : "");
  if (i->result != NULL)
    ir_load_parameter(w, i->type, ir_results(w, i), "retval0");
  ir_say(w, "}");
}

void ir_emit_call(struct ir_writer *w, struct ir_instruction *i)
{
  struct ir_value *callee = i->operand[0];

  if (callee->kind == IR_ASSEMBLY) {
    ir_emit_assembly(w, i);
    return;
  }
  struct ir_global *global = callee_of(w, callee);
  if (global != NULL && ir_begins(global->name, "llvm.")) {
    if (!ir_emit_intrinsic(w, i, global->name))
      ir_stop_instruction(w->ir, "is not known");
    return;
  }
  call_function(w, i, global);
}

/* --- inline PTX ----------------------------------------------------------------------- */

enum { MOST_OPERANDS = 160 };

struct assembly {
  struct ir_writer *w;
  struct ir_instruction *i;
  const char *text[MOST_OPERANDS];
  size_t n, n_outputs, n_inputs;
};

static enum ir_class class_of_letter(struct ir_writer *w, char letter)
{
  switch (letter) {
  case 'h':
  case 'c': return IR_B16;
  case 'r': return IR_B32;
  case 'l': return IR_B64;
  case 'f': return IR_F32;
  case 'd': return IR_F64;
  case 'b': return IR_PREDICATE;
  default:
    ir_stop_instruction(w->ir, "has an operand with an unknown constraint");
  }
}

static void add_text(struct assembly *a, const char *text)
{
  if (a->n == MOST_OPERANDS)
    ir_stop_instruction(a->w->ir, "has more than 160 operands");
  a->text[a->n++] = text;
}

static void add_output(struct assembly *a, struct ir_text constraint)
{
  struct ir_instruction *i = a->i;

  if (i->result == NULL || a->n_outputs >= i->type->n_leaves)
    ir_stop_instruction(a->w->ir, "has fewer results than constraints");
  if (constraint.n == 0 || constraint.at[0] == '*')
    ir_stop_instruction(a->w->ir, "has a result in memory");
  struct ir_leaf to = ir_results(a->w, i)[a->n_outputs];
  enum ir_class class = class_of_letter(a->w, constraint.at[0]);
  if (ir_class_bits(class) != ir_class_bits(to.class))
    ir_stop_instruction(a->w->ir, "has a result of another width");
  add_text(a, ir_register(a->w, to));
  a->n_outputs++;
}

static struct ir_leaf next_input(struct assembly *a)
{
  if (a->n_inputs + 1 >= a->i->n_operands)
    ir_stop_instruction(a->w->ir, "has fewer operands than constraints");
  return ir_plain_leaf(a->w, a->i->operand[1 + a->n_inputs++]);
}

/* An operand that is also a result: its register is the result's. */
static void add_tied(struct assembly *a, size_t to)
{
  struct ir_leaf leaf = next_input(a);

  if (to >= a->n_outputs)
    ir_stop_instruction(a->w->ir, "ties an operand to no result");
  struct ir_leaf result = ir_results(a->w, a->i)[to];
  if (ir_class_bits(leaf.class) != ir_class_bits(result.class))
    ir_stop_instruction(a->w->ir, "ties an operand of another width");
  if (leaf.offset == 0 && leaf.kind == IR_IN_REGISTER)
    leaf = ir_same_bits(a->w, leaf, result.class);
  ir_move(a->w, result, leaf);
  add_text(a, a->text[to]);
}

static void add_input(struct assembly *a, struct ir_text constraint)
{
  if (constraint.n > 0 && constraint.at[0] >= '0' && constraint.at[0] <= '9') {
    size_t to = 0;
    for (size_t k = 0; k < constraint.n && k < 4; k++)
      to = 10 * to + (size_t)(constraint.at[k] - '0');
    add_tied(a, to);
    return;
  }
  struct ir_leaf leaf = next_input(a);
  if (constraint.n > 0 &&
      (constraint.at[0] == 'n' || constraint.at[0] == 'i')) {
    if (leaf.kind != IR_A_CONSTANT)
      ir_stop_instruction(a->w->ir, "needs a constant operand");
    add_text(a, ir_operand(a->w, leaf));
    return;
  }
  enum ir_class class =
      class_of_letter(a->w, constraint.n > 0 ? constraint.at[0] : ' ');
  if (ir_class_bits(class) < ir_class_bits(leaf.class))
    ir_stop_instruction(a->w->ir, "has an operand that is too wide");
  leaf = ir_class_bits(class) == ir_class_bits(leaf.class)
             ? ir_same_bits(a->w, ir_in_register(a->w, leaf), class)
             : ir_resized(a->w, leaf, class, false);
  add_text(a, ir_register(a->w, leaf));
}

/* "=r,=&l,r,0,~{memory}" */
static void read_constraints(struct assembly *a, struct ir_text list)
{
  size_t from = 0;

  while (from < list.n) {
    size_t to = from;
    int depth = 0;
    while (to < list.n && (list.at[to] != ',' || depth > 0)) {
      depth += list.at[to] == '{';
      depth -= list.at[to] == '}';
      to++;
    }
    struct ir_text one = { list.at + from, to - from };
    from = to + 1;
    if (ir_begins(one, "~"))
      continue;
    bool is_output = ir_begins(one, "=");
    while (one.n > 0 && (*one.at == '=' || *one.at == '&' || *one.at == '%'))
      one = (struct ir_text){ one.at + 1, one.n - 1 };
    if (is_output)
      add_output(a, one);
    else
      add_input(a, one);
  }
}

/* The template with $0, ${0} and $$ replaced. */
static void write_template(struct assembly *a, struct ir_text text)
{
  struct ir_writer *w = a->w;
  struct ir_text_buffer *to = &w->body;

  ir_add(w->ir, to, "\t");
  for (size_t k = 0; k < text.n; k++) {
    if (text.at[k] != '$') {
      ir_add_bytes(w->ir, to, text.at + k, 1);
      continue;
    }
    bool braces = ++k < text.n && text.at[k] == '{';
    k += braces;
    if (k < text.n && text.at[k] == '$') {
      ir_add_bytes(w->ir, to, "$", 1);
      continue;
    }
    size_t number = 0, digits = 0;
    for (; k < text.n && text.at[k] >= '0' && text.at[k] <= '9' && digits < 4;
         k++, digits++)
      number = 10 * number + (size_t)(text.at[k] - '0');
    while (braces && k < text.n && text.at[k] != '}')
      k++;
    k -= !braces;
    if (digits == 0 || number >= a->n)
      ir_stop_instruction(w->ir, "names an operand that isn't there");
    ir_add(w->ir, to, "%s", a->text[number]);
  }
  ir_add(w->ir, to, "\n");
}

void ir_emit_assembly(struct ir_writer *w, struct ir_instruction *i)
{
  struct assembly *a = ir_take(w->ir, sizeof *a);

  a->w = w;
  a->i = i;
  read_constraints(a, i->operand[0]->constraints);
  if (i->result != NULL && a->n_outputs != i->type->n_leaves)
    ir_stop_instruction(w->ir, "has more results than constraints");
  write_template(a, i->operand[0]->assembly);
}
