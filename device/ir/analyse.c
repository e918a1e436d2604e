/* Spaces of pointers, parameters by value, sums of products: what LLVM's passes
 * for NVPTX would do. */
#include "analyse.h"

#include <string.h>

#include "parse.h"

/* --- spaces ------------------------------------------------------------------------- */

enum { UNKNOWN = -1, MOST_ROUNDS = 64 };

int ir_space_of(const struct ir_value *value)
{
  if (value->type->kind == IR_POINTER && value->type->bits != IR_GENERIC)
    return (int)value->type->bits;
  switch (value->kind) {
  case IR_NAMED: return value->named->space;
  case IR_UNDEFINED: return UNKNOWN;
  case IR_ADDRESS:
    if (value->global->is_function || value->global->alias != NULL)
      return IR_GENERIC;
    return value->global->space == IR_GENERIC ? IR_GLOBAL
                                              : (int)value->global->space;
  default: return IR_GENERIC;
  }
}

static int both(int a, int b)
{
  if (a == UNKNOWN || a == b)
    return b;
  return b == UNKNOWN ? a : IR_GENERIC;
}

static int space_of_result(const struct ir_function *function,
                           const struct ir_instruction *i)
{
  int space = UNKNOWN;

  switch (i->operation) {
  case IR_OP_getelementptr:
  case IR_OP_freeze:
  case IR_OP_bitcast:
  case IR_OP_addrspacecast: return ir_space_of(i->operand[0]);
  case IR_OP_select:
    return both(ir_space_of(i->operand[1]), ir_space_of(i->operand[2]));
  case IR_OP_phi:
    for (size_t k = 0; k < i->n_operands; k++)
      space = both(space, ir_space_of(i->operand[k]));
    return space;
  case IR_OP_alloca: return IR_LOCAL;
  case IR_OP_load:
    /* What a kernel is given by value points to global memory, as its
     * parameters do. */
    return function->is_kernel && ir_space_of(i->operand[0]) == IR_PARAMETER
               ? IR_GLOBAL
               : IR_GENERIC;
  default: return IR_GENERIC;
  }
}

static void start_spaces(struct ir_function *function)
{
  for (size_t k = 0; k < function->n_parameters; k++) {
    struct ir_named *named = function->parameter[k];
    if (named->type->kind != IR_POINTER)
      continue;
    named->space = (int)named->type->bits;
    if (function->argument[k].byval != NULL)
      named->space = named->is_parameter_space ? IR_PARAMETER : IR_LOCAL;
    else if (function->is_kernel && named->space == IR_GENERIC)
      named->space = IR_GLOBAL;
  }
}

static bool find_spaces_once(const struct ir_function *function)
{
  bool changed = false;

  for (struct ir_block *b = function->first; b != NULL; b = b->next)
    for (struct ir_instruction *i = b->first; i != NULL; i = i->next) {
      if (i->result == NULL || i->type->kind != IR_POINTER)
        continue;
      int space = i->type->bits != IR_GENERIC ? (int)i->type->bits
                                              : space_of_result(function, i);
      space = both(i->result->space, space);
      changed |= space != i->result->space;
      i->result->space = space;
    }
  return changed;
}

/* Begins with the hope that all are in one space, and gives up where they are
 * not. */
static void find_spaces(struct ir_function *function)
{
  int rounds = 0;

  start_spaces(function);
  while (find_spaces_once(function) && ++rounds < MOST_ROUNDS)
    ;
  for (struct ir_block *b = function->first; b != NULL; b = b->next)
    for (struct ir_instruction *i = b->first; i != NULL; i = i->next)
      if (i->result != NULL && i->type->kind == IR_POINTER &&
          (i->result->space == UNKNOWN ||
           (rounds == MOST_ROUNDS && i->operation != IR_OP_alloca)))
        i->result->space = (int)i->type->bits;
}

/* --- parameters by value ---------------------------------------------------------------- */

static bool comes_from(const struct ir_value *value,
                       const struct ir_named *parameter)
{
  return value->kind == IR_NAMED &&
         (value->named == parameter || value->named->root == parameter);
}

static bool is_constant_copy(const struct ir_instruction *i)
{
  return i->operation == IR_OP_call && i->n_operands == 5 &&
         i->operand[0]->kind == IR_ADDRESS &&
         ir_begins(i->operand[0]->global->name, "llvm.memcpy.") &&
         ir_is_constant_number(i->operand[3]) && i->operand[3]->bits <= 128;
}

/* May operand k of the instruction be the parameter, left in its space? */
static bool may_use(struct ir *ir, const struct ir_function *function,
                    const struct ir_instruction *i, size_t k)
{
  int64_t offset;

  if (i->operation == IR_OP_load)
    return !i->is_volatile && i->order == IR_NOT_ATOMIC;
  if (i->operation == IR_OP_getelementptr && k == 0)
    return function->is_kernel || ir_constant_offset(ir, i, &offset);
  return is_constant_copy(i) && k == 2;
}

/* Are all uses loads from it? */
static bool is_only_read(struct ir *ir, const struct ir_function *function,
                         const struct ir_named *parameter)
{
  bool changed = true;

  for (int rounds = 0; changed; rounds++) {
    changed = false;
    if (rounds == MOST_ROUNDS)
      return false;
    for (struct ir_block *b = function->first; b != NULL; b = b->next)
      for (struct ir_instruction *i = b->first; i != NULL; i = i->next)
        for (size_t k = 0; k < i->n_operands; k++) {
          if (!comes_from(i->operand[k], parameter))
            continue;
          ir->instruction = i;
          if (!may_use(ir, function, i, k))
            return false;
          if (i->operation == IR_OP_getelementptr &&
              i->result->root != parameter) {
            i->result->root = parameter;
            changed = true;
          }
        }
  }
  return true;
}

static void find_parameters(struct ir *ir, struct ir_function *function)
{
  for (size_t k = 0; k < function->n_parameters; k++)
    if (function->argument[k].byval != NULL)
      function->parameter[k]->is_parameter_space =
          is_only_read(ir, function, function->parameter[k]);
  ir->instruction = NULL;
}

/* --- sums of products --------------------------------------------------------------------- */

static void count_uses(struct ir_function *function)
{
  for (struct ir_block *b = function->first; b != NULL; b = b->next)
    for (struct ir_instruction *i = b->first; i != NULL; i = i->next)
      for (size_t k = 0; k < i->n_operands; k++) {
        struct ir_value *value = i->operand[k];
        if (value->kind != IR_NAMED)
          continue;
        struct ir_named *named = value->named;
        bool away = named->definition == NULL ||
                    named->definition->block != b || i->operation == IR_OP_phi;
        /* All uses in other blocks are one, the register's. */
        if (!away || !named->elsewhere)
          named->weight++;
        named->elsewhere |= away;
        named->uses++;
      }
}

/* The product that this operand of a sum is, if it may become part of it. */
static struct ir_instruction *product_at(const struct ir_instruction *sum,
                                         int k)
{
  const struct ir_value *value = sum->operand[k];
  struct ir_instruction *i =
      value->kind == IR_NAMED ? value->named->definition : NULL;

  return i != NULL && i->operation == IR_OP_fmul && i->block == sum->block &&
                 (i->fast & IR_CONTRACT) != 0
             ? i
             : NULL;
}

/* Of two products, the one with fewer uses becomes part of the sum; of equals,
 * the first: as LLVM chooses. */
static void fuse(struct ir_instruction *sum)
{
  struct ir_instruction *first = product_at(sum, 0);
  struct ir_instruction *second = product_at(sum, 1);
  const struct ir_type *scalar =
      sum->type->kind == IR_VECTOR ? sum->type->element : sum->type;

  if ((sum->fast & IR_CONTRACT) == 0 || scalar->kind == IR_BFLOAT)
    return;
  bool takes_second =
      first == NULL ||
      (second != NULL && first->result->weight > second->result->weight);
  sum->product = takes_second ? second : first;
  sum->product_operand = takes_second;
  if (sum->product != NULL)
    sum->product->result->fused++;
}

static void find_sums(struct ir_function *function)
{
  for (struct ir_block *b = function->first; b != NULL; b = b->next)
    for (struct ir_instruction *i = b->first; i != NULL; i = i->next)
      if (i->operation == IR_OP_fadd || i->operation == IR_OP_fsub)
        fuse(i);
}

void ir_analyse(struct ir *ir, struct ir_function *function)
{
  find_parameters(ir, function);
  find_spaces(function);
  count_uses(function);
  find_sums(function);
}

/* --- variables of one function -------------------------------------------------------------- */

static void note_user(struct ir *ir, const struct ir_value *value,
                      struct ir_function *function, int depth)
{
  if (depth > IR_MOST_DEPTH)
    return;
  if (value->kind == IR_ADDRESS) {
    struct ir_global *global = value->global;
    if (global->alias != NULL) {
      note_user(ir, global->alias, function, depth + 1);
      return;
    }
    if (global->is_used && global->only_user != function)
      global->several_users = true;
    global->is_used = true;
    global->only_user = function;
  } else if (value->kind == IR_EXPRESSION) {
    for (size_t i = 0; i < value->expression->n_operands; i++)
      note_user(ir, value->expression->operand[i], function, depth + 1);
  } else if (value->kind == IR_AGGREGATE && value->item != NULL)
    for (size_t i = 0; i < value->n_items; i++)
      note_user(ir, value->item[i], function, depth + 1);
}

void ir_find_users(struct ir *ir)
{
  for (struct ir_function *f = ir->first_function; f != NULL; f = f->next)
    for (struct ir_block *b = f->first; b != NULL; b = b->next)
      for (struct ir_instruction *i = b->first; i != NULL; i = i->next)
        for (size_t k = 0; k < i->n_operands; k++)
          note_user(ir, i->operand[k], f, 0);
  for (size_t i = 0; i < ir->n_globals; i++)
    if (ir->global[i]->initial != NULL && !ir->global[i]->ignored)
      note_user(ir, ir->global[i]->initial, NULL, 0);
  for (size_t i = 0; i < ir->n_globals; i++) {
    struct ir_global *global = ir->global[i];
    struct ir_function *f = global->only_user;
    if (global->space != IR_SHARED || global->several_users || f == NULL ||
        !f->defined || !global->defined ||
        !(global->is_local || global->is_weak))
      continue;
    f->demoted = ir_grow(ir, f->demoted, f->n_demoted, sizeof global);
    f->demoted[f->n_demoted++] = global;
  }
}
