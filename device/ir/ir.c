/* From the text of a module to PTX: the way through all parts, and what is
 * said when it ends early. */
#include "ir.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/host_memory.h"
#include "analyse.h"
#include "emit.h"
#include "metadata.h"
#include "parse.h"

/* For a text of some megabytes; a page has 512 MiB in all. */
#define MOST_MEMORY ((size_t)400 << 20)

static struct ir *current;
static struct ir_writer *writer;

void *ir_take(struct ir *ir, size_t bytes)
{
  ir->taken += bytes;
  if (bytes > MOST_MEMORY || ir->taken > MOST_MEMORY)
    ir_stop_at(ir, 0, "the text needs more than 400 MiB of memory");
  return ptx_arena_take(&ir->arena, bytes);
}

void *ir_grow(struct ir *ir, void *items, size_t n, size_t bytes)
{
  if (n != 0 && (n < 4 || (n & (n - 1)) != 0))
    return items;
  void *grown = ir_take(ir, (n < 4 ? 4 : 2 * n) * bytes);
  if (n > 0)
    memcpy(grown, items, n * bytes);
  return grown;
}

/* --- messages --------------------------------------------------------------------------- */

static _Noreturn void stop(struct ir *ir, const char *message)
{
  if (ir->options->stop != NULL)
    ir->options->stop(ir->options->of, message);
  fprintf(stderr, "softdevice ir: %s\n", message);
  exit(1);
}

static _Noreturn void stop_list(struct ir *ir, unsigned line,
                                const char *format, va_list list)
{
  char what[400], message[1200];
  const struct ir_instruction *i = ir->instruction;
  struct ir_place place = { 0 };

  vsnprintf(what, sizeof what, format, list);
  if (i != NULL && i->debug != 0 && !ir->is_stopping) {
    ir->is_stopping = true;
    ir_find_metadata(ir);
  }
  if (i != NULL)
    place = ir_place_of(ir, i->debug);
  if (i != NULL && line == 0)
    line = i->line;
  if (place.line != 0)
    snprintf(message, sizeof message, "%.*s:%llu: %s (%s, line %u)",
             place.file.n < 300 ? (int)place.file.n : 300, place.file.at,
             (unsigned long long)place.line, what, ir->options->file, line);
  else
    snprintf(message, sizeof message, "%.300s:%u: %s", ir->options->file, line,
             what);
  for (char *p = message; *p != '\0'; p++)
    if ((unsigned char)*p < ' ')
      *p = ' ';
  stop(ir, message);
}

void ir_stop_at(struct ir *ir, unsigned line, const char *format, ...)
{
  va_list list;

  va_start(list, format);
  stop_list(ir, line, format, list);
  va_end(list);
}

/* What an instruction is called: the function for a call. */
static void name_of(const struct ir_instruction *i, char *name, size_t size)
{
  const char *word =
      i->operation < IR_N_OPERATIONS ? ir_operation_name(i->operation) : NULL;

  if (word == NULL)
    snprintf(name, size, "%.*s", i->word.n < 60 ? (int)i->word.n : 60,
             i->word.at);
  else if (i->operation == IR_OP_call && i->n_operands > 0 &&
           i->operand[0]->kind == IR_ADDRESS) {
    struct ir_text callee = i->operand[0]->global->name;
    snprintf(name, size, "call of %.*s", callee.n < 100 ? (int)callee.n : 100,
             callee.at);
  } else if (i->operation == IR_OP_call && i->n_operands > 0 &&
             i->operand[0]->kind == IR_ASSEMBLY)
    snprintf(name, size, "inline PTX");
  else if (i->operation == IR_OP_atomicrmw || i->operation == IR_OP_icmp ||
           i->operation == IR_OP_fcmp)
    snprintf(name, size, "%s %.*s", word, i->word.n < 60 ? (int)i->word.n : 60,
             i->word.at);
  else
    snprintf(name, size, "%s", word);
}

void ir_stop_instruction(struct ir *ir, const char *why)
{
  char name[160];

  if (ir->instruction == NULL)
    ir_stop_at(ir, 0, "%s", why);
  name_of(ir->instruction, name, sizeof name);
  ir_stop_at(ir, 0, "%s: %s", name, why);
}

/* --- the module ------------------------------------------------------------------------- */

/* "sm_90a" */
static void check_target(struct ir *ir, struct ir_text target)
{
  if (!ir_begins(target, "sm_") || target.n > 8)
    ir_stop_at(ir, 0, "the target %.*s isn't known", (int)target.n, target.at);
  for (size_t k = 3; k < target.n; k++)
    if ((target.at[k] < '0' || target.at[k] > '9') &&
        (k + 1 < target.n || (target.at[k] != 'a' && target.at[k] != 'f')))
      ir_stop_at(ir, 0, "the target %.*s isn't known", (int)target.n,
                 target.at);
}

static void emit_variables(struct ir_writer *w)
{
  struct ir *ir = w->ir;

  for (size_t k = 0; k < ir->n_globals; k++) {
    struct ir_global *global = ir->global[k];
    bool demoted = global->only_user != NULL && !global->several_users &&
                   global->space == IR_SHARED && global->defined &&
                   (global->is_local || global->is_weak) &&
                   global->only_user->defined;
    if (global->is_function || global->ignored || demoted)
      continue;
    if (global->type == NULL)
      ir_stop_at(ir, global->line, "@%.*s is never declared",
                 global->name.n < 100 ? (int)global->name.n : 100,
                 global->name.at);
    if (!global->is_used && (global->is_local || !global->defined))
      continue;
    ir_emit_variable(w, &w->out, global, "");
  }
}

/* Functions are declared before anything calls them. */
static void declare_functions(struct ir_writer *w)
{
  for (struct ir_function *f = w->ir->first_function; f != NULL; f = f->next) {
    if (f->is_kernel || ir_begins(f->global->name, "llvm.") ||
        (!f->global->is_used && !f->defined) || f->type->variadic)
      continue;
    if (!f->global->is_used && f->defined)
      continue;
    ir_add(w->ir, &w->out, "%s",
           !f->defined           ? ".extern "
           : f->global->is_weak  ? ".weak "
           : f->global->is_local ? ""
                                 : ".visible ");
    ir_add_signature(w, &w->out, f);
    ir_add(w->ir, &w->out, ";\n\n");
  }
}

static void emit_module(struct ir_writer *w)
{
  struct ir *ir = w->ir;
  struct ir_text target = ir->options->target != NULL
                              ? ir_text_of(ir->options->target)
                              : ir->target;

  if (target.n == 0)
    target = ir_text_of("sm_90");
  check_target(ir, target);
  ir_find_users(ir);
  emit_variables(w);
  declare_functions(w);
  for (struct ir_function *f = ir->first_function; f != NULL; f = f->next)
    if (f->defined)
      ir_emit_function(w, f);
  struct ir_text_buffer head = { 0 };
  ir_add(ir, &head, ".version 9.0\n.target %.*s\n.address_size 64\n\n",
         (int)target.n, target.at);
  ir_add_bytes(ir, &head, w->out.n > 0 ? w->out.at : "", w->out.n);
  ir_add_bytes(ir, &head, w->files.n > 0 ? w->files.at : "", w->files.n);
  free(w->out.at);
  w->out = head;
}

char *ir_to_ptx(const char *text, size_t bytes,
                const struct ir_options *options)
{
  char *ptx;

  current = host_new(1, sizeof *current);
  writer = host_new(1, sizeof *writer);
  current->options = options;
  writer->ir = current;
  ir_lexer_start(current, &current->lexer, text, bytes, 1);
  ir_parse(current);
  emit_module(writer);
  ptx = writer->out.at;
  writer->out.at = NULL;
  ir_forget();
  return ptx;
}

void ir_forget(void)
{
  if (writer != NULL) {
    free(writer->out.at);
    free(writer->body.at);
    free(writer->locals.at);
    free(writer->files.at);
  }
  if (current != NULL)
    ptx_arena_free(&current->arena);
  free(writer);
  free(current);
  writer = NULL;
  current = NULL;
}
