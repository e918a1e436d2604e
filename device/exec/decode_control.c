/* Decoders of branches, calls and exits. */
#include <string.h>

#include "../ptx/scope.h"
#include "barrier.h"
#include "cfg.h"
#include "decode.h"
#include "stack.h"

static uint32_t join_of_block(const struct decoder *d)
{
  const struct basic_block *block = &d->function->blocks[d->block];

  /* Lanes that meet at a kernel's end need not: they exit there. */
  if (block->join < 0 ||
      (d->ptx->is_entry && (uint32_t)block->join == d->function->n_blocks - 1))
    return UINT32_MAX;
  return (uint32_t)block->join;
}

static bool emit_branch(struct decoder *d, uint32_t target)
{
  struct branch_extra *extra = decode_keep(d, sizeof *extra);
  struct step *s = decode_emit(
      d, d->instruction->guard == NULL ? control_branch : control_branch_if);

  extra->target_block = target;
  extra->join_block = join_of_block(d);
  s->extra = extra;
  return true;
}

bool decode_branch(struct decoder *d)
{
  if (!decode_operands(d, 1, 1))
    return false;
  return emit_branch(
      d, cfg_block_at(d->function,
                      (size_t)cfg_label(&d->instruction->operands[0])));
}

bool decode_return(struct decoder *d)
{
  if (!decode_operands(d, 0, 0))
    return false;
  return emit_branch(d, d->function->n_blocks - 1);
}

bool decode_branch_table(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  struct branch_table *table = decode_keep(d, sizeof *table);
  const struct ptx_target_list *list;
  struct step *s;
  slot index;

  if (!decode_operands(d, 2, 2) || !decode_source(d, &operands[0], 4, &index))
    return false;
  list = ptx_scope_find(operands[1].scope, operands[1].name,
                        strlen(operands[1].name))
             ->targets;
  table->n = list->n;
  table->blocks = decode_keep(d, list->n * sizeof *table->blocks);
  table->targets = decode_keep(d, list->n * sizeof *table->targets);
  for (size_t i = 0; i < list->n; i++)
    table->blocks[i] =
        cfg_block_at(d->function, (size_t)cfg_label(&list->labels[i]));
  table->common.join_block = join_of_block(d);
  s = decode_emit(d, control_branch_table);
  s->a = index;
  s->extra = table;
  return true;
}

/* The operands of a call between parentheses: .param variables of ours. */
static bool decode_arguments(struct decoder *d, const struct ptx_operand *list,
                             struct argument **arguments, unsigned *n)
{
  *n = (unsigned)list->n_items;
  *arguments = decode_keep(d, (*n + 1) * sizeof **arguments);
  for (unsigned i = 0; i < *n; i++) {
    const struct ptx_operand *item = &list->items[i];
    const struct ptx_symbol *symbol;

    if (item->kind != OPERAND_SYMBOL)
      return decode_refuse(d, "call with an argument that is no .param");
    symbol = ptx_scope_find(item->scope, item->name, strlen(item->name));
    if (symbol == NULL || symbol->kind != SYMBOL_VARIABLE ||
        symbol->variable->space != PTX_SPACE_PARAMETER)
      return decode_refuse(d, "'%s' is no .param variable", item->name);
    (*arguments)[i].offset = (uint32_t)symbol->variable->place;
    (*arguments)[i].bytes = (uint32_t)symbol->variable->bytes;
  }
  return true;
}

static bool decode_callee(struct decoder *d, const struct ptx_operand *operand,
                          struct call_extra *extra)
{
  const struct ptx_symbol *symbol;

  if (operand->kind == OPERAND_REGISTER) {
    d->function->calls_indirect = true;
    return decode_source(d, operand, 8, &extra->target);
  }
  if (operand->kind != OPERAND_SYMBOL)
    return decode_refuse(d, "call of something that has no name");
  symbol = ptx_scope_find(operand->scope, operand->name, strlen(operand->name));
  if (symbol == NULL || symbol->kind != SYMBOL_FUNCTION)
    return decode_refuse(d, "'%s' is no function", operand->name);
  extra->callee = symbol->function->decoded;
  return true;
}

bool decode_call(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  size_t n = d->instruction->n_operands, at = 0;
  struct call_extra *extra = decode_keep(d, sizeof *extra);

  if (n > 0 && operands[0].kind == OPERAND_LIST &&
      !decode_arguments(d, &operands[at++], &extra->results, &extra->n_results))
    return false;
  if (at >= n || !decode_callee(d, &operands[at++], extra))
    return at >= n ? decode_refuse(d, "call without a function") : false;
  if (at < n && operands[at].kind == OPERAND_LIST &&
      !decode_arguments(d, &operands[at++], &extra->arguments,
                        &extra->n_arguments))
    return false;
  if (at < n && (extra->callee != NULL || operands[at].kind != OPERAND_SYMBOL))
    return decode_refuse(d, "call with %zu operands", n);
  decode_emit(d, control_call)->extra = extra;
  return true;
}

/* ---- alloca -------------------------------------------------------------- */

bool decode_stack(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  bool saves = strncmp(d->instruction->opcode, "stacksave", 9) == 0;
  struct step *s;
  slot where;

  if (!decode_operands(d, 1, 1) ||
      !(saves ? decode_result(d, &operands[0], 8, &where)
              : decode_source(d, &operands[0], 8, &where)))
    return false;
  s = decode_emit(d, saves ? stack_save : stack_restore);
  s->a = s->d = where;
  return true;
}

bool decode_alloca(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  uint64_t alignment = 8;
  slot result, bytes;
  struct step *s;

  if (!decode_operands(d, 2, 3))
    return false;
  if (d->instruction->n_operands == 3) {
    alignment = operands[2].value;
    if (operands[2].kind != OPERAND_INTEGER || alignment == 0 ||
        (alignment & (alignment - 1)) != 0 || alignment > 4096)
      return decode_refuse(d, "alignment must be a power of two");
  }
  if (!decode_source(d, &operands[1], 8, &bytes) ||
      !decode_result(d, &operands[0], 8, &result))
    return false;
  s = decode_emit(d, stack_allocate);
  s->d = result;
  s->a = bytes;
  s->immediate = alignment < 8 ? 8 : alignment;
  return true;
}

static bool emit_alone(struct decoder *d, step_function *run)
{
  if (!decode_operands(d, 0, 0))
    return false;
  decode_emit(d, run);
  return true;
}

bool decode_exit(struct decoder *d) { return emit_alone(d, control_exit); }

bool decode_trap(struct decoder *d) { return emit_alone(d, control_trap); }

bool decode_hint(struct decoder *d)
{
  decode_emit(d, control_nothing);
  return true;
}

bool decode_yield(struct decoder *d)
{
  if (!decode_operands(d, 1, 1))
    return false;
  decode_emit(d, control_yield);
  return true;
}
