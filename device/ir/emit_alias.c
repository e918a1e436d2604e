/* Instructions that only say where a value is already: parts of structures and
 * vectors, casts that change nothing, constant steps from an address. */
#include <string.h>

#include "analyse.h"
#include "emit.h"
#include "parse.h"

/* Does naming this operand's scalars take no instruction? An alias is made where
 * it is first asked for, which needn't be where it is valid for all others. */
static bool is_free(const struct ir_value *value)
{
  const struct ir_type *type = value->type;

  switch (value->kind) {
  case IR_NAMED:
    return type->kind != IR_POINTER || value->named->space == (int)type->bits;
  case IR_BITS:
  case IR_ZERO:
  case IR_UNDEFINED: return true;
  case IR_AGGREGATE:
    for (size_t i = 0; value->item != NULL && i < value->n_items; i++)
      if (value->item[i]->kind != IR_BITS && value->item[i]->kind != IR_ZERO &&
          value->item[i]->kind != IR_UNDEFINED)
        return false;
    return true;
  default: return false;
  }
}

static bool is_same_scalar(const struct ir_type *a, const struct ir_type *b)
{
  return a->kind == b->kind && a->bits == b->bits && !ir_is_aggregate(a);
}

static bool is_pointer_sized(const struct ir_type *type)
{
  return type->kind == IR_POINTER
             ? type->bits != 6
             : type->kind == IR_INTEGER && type->bits == 64;
}

bool ir_is_alias(struct ir_writer *w, const struct ir_instruction *i)
{
  const struct ir_value *first = i->n_operands > 0 ? i->operand[0] : NULL;

  switch (i->operation) {
  case IR_OP_extractvalue: return is_free(first);
  case IR_OP_shufflevector:
  case IR_OP_insertvalue: return is_free(first) && is_free(i->operand[1]);
  case IR_OP_extractelement:
    return is_free(first) && ir_is_constant_number(i->operand[1]);
  case IR_OP_insertelement:
    return is_free(first) && is_free(i->operand[1]) &&
           ir_is_constant_number(i->operand[2]);
  case IR_OP_freeze:
    return is_free(first) ||
           (first->kind == IR_NAMED && i->result->space == first->named->space);
  case IR_OP_addrspacecast:
    return first->kind == IR_NAMED && first->type->kind == IR_POINTER &&
           i->type->kind == IR_POINTER &&
           ir_space_of(first) == i->result->space;
  case IR_OP_bitcast:
    return first->kind == IR_NAMED && is_same_scalar(first->type, i->type);
  case IR_OP_ptrtoint:
  case IR_OP_ptrtoaddr:
  case IR_OP_inttoptr:
    return is_free(first) && is_pointer_sized(first->type) &&
           is_pointer_sized(i->type);
  case IR_OP_getelementptr: {
    int64_t offset;
    return first->kind == IR_NAMED && ir_space_of(first) == i->result->space &&
           ir_constant_offset(w->ir, i, &offset);
  }
  default: return false;
  }
}

static struct ir_leaf *copy_of(struct ir_writer *w, const struct ir_leaf *from,
                               uint64_t n)
{
  struct ir_leaf *copy = ir_take(w->ir, (size_t)(n + 1) * sizeof *copy);
  memcpy(copy, from, (size_t)n * sizeof *copy);
  return copy;
}

/* The first scalar of a part, and the part's type. */
static uint64_t part_of(struct ir_writer *w, const struct ir_type **type,
                        const uint64_t *number, size_t n)
{
  uint64_t leaf = 0;

  for (size_t k = 0; k < n; k++) {
    for (uint64_t i = 0; (*type)->kind == IR_STRUCT && i < number[k]; i++)
      leaf += ir_element(w->ir, *type, i)->n_leaves;
    if ((*type)->kind != IR_STRUCT)
      leaf += number[k] * ir_element(w->ir, *type, 0)->n_leaves;
    *type = ir_element(w->ir, *type, number[k]);
  }
  return leaf;
}

static struct ir_leaf *extracted(struct ir_writer *w, struct ir_instruction *i)
{
  const struct ir_type *type = i->operand[0]->type;
  const struct ir_leaf *leaves = ir_plain_leaves(w, i->operand[0]);
  uint64_t first;

  if (i->operation == IR_OP_extractvalue)
    first = part_of(w, &type, i->number, i->n_numbers);
  else {
    if (!ir_is_constant_number(i->operand[1]))
      return NULL;
    first = i->operand[1]->bits % type->count;
    type = type->element;
  }
  return copy_of(w, leaves + first, type->n_leaves);
}

static struct ir_leaf *inserted(struct ir_writer *w, struct ir_instruction *i)
{
  const struct ir_type *type = i->operand[0]->type;
  uint64_t first;

  if (i->operation == IR_OP_insertelement &&
      !ir_is_constant_number(i->operand[2]))
    return NULL;
  struct ir_leaf *all =
      copy_of(w, ir_plain_leaves(w, i->operand[0]), type->n_leaves);
  const struct ir_leaf *part = ir_plain_leaves(w, i->operand[1]);
  if (i->operation == IR_OP_insertvalue)
    first = part_of(w, &type, i->number, i->n_numbers);
  else {
    first = i->operand[2]->bits % type->count;
    type = type->element;
  }
  memcpy(all + first, part, (size_t)type->n_leaves * sizeof *part);
  return all;
}

static struct ir_leaf *shuffled(struct ir_writer *w, struct ir_instruction *i)
{
  uint64_t n = i->operand[0]->type->count;
  const struct ir_leaf *a = ir_plain_leaves(w, i->operand[0]);
  const struct ir_leaf *b = ir_plain_leaves(w, i->operand[1]);
  struct ir_leaf *to = ir_take(w->ir, (i->n_numbers + 1) * sizeof *to);

  for (size_t k = 0; k < i->n_numbers; k++) {
    uint64_t from = i->number[k];
    if (from == UINT64_MAX) {
      to[k] = n > 0 ? a[0] : ir_constant(IR_B32, 0);
      to[k].kind = IR_ANYTHING;
    } else if (from >= 2 * n)
      ir_stop_instruction(w->ir, "takes an element that isn't there");
    else
      to[k] = from < n ? a[from] : b[from - n];
  }
  return to;
}

static struct ir_leaf *frozen(struct ir_writer *w, struct ir_instruction *i)
{
  const struct ir_value *from = i->operand[0];
  bool is_pointer = from->type->kind == IR_POINTER;
  struct ir_leaf *to = copy_of(w,
                               is_pointer ? ir_leaves(w, i->operand[0])
                                          : ir_plain_leaves(w, i->operand[0]),
                               from->type->n_leaves);

  for (uint64_t k = 0; k < from->type->n_leaves; k++)
    if (to[k].kind == IR_ANYTHING)
      to[k] = ir_constant(to[k].class, 0);
  return to;
}

static struct ir_leaf *same_leaf(struct ir_writer *w, struct ir_leaf leaf)
{
  return copy_of(w, &leaf, 1);
}

/* The scalars, or NULL: this instruction is none of these. */
static struct ir_leaf *alias_leaves(struct ir_writer *w,
                                    struct ir_instruction *i)
{
  int64_t offset;
  struct ir_leaf leaf;

  switch (i->operation) {
  case IR_OP_extractvalue:
  case IR_OP_extractelement: return extracted(w, i);
  case IR_OP_insertvalue:
  case IR_OP_insertelement: return inserted(w, i);
  case IR_OP_shufflevector: return shuffled(w, i);
  case IR_OP_freeze: return frozen(w, i);
  case IR_OP_addrspacecast:
    if (i->operand[0]->type->kind != IR_POINTER || i->type->kind != IR_POINTER)
      ir_stop_instruction(w->ir, "casts something other than a pointer");
    return same_leaf(w,
                     ir_in_space(w, ir_leaf(w, i->operand[0]),
                                 ir_space_of(i->operand[0]), i->result->space));
  case IR_OP_bitcast:
    return is_same_scalar(i->operand[0]->type, i->type)
               ? same_leaf(w, ir_leaf(w, i->operand[0]))
               : NULL;
  case IR_OP_ptrtoint:
  case IR_OP_ptrtoaddr:
  case IR_OP_inttoptr:
    return is_pointer_sized(i->operand[0]->type) && is_pointer_sized(i->type)
               ? same_leaf(w, ir_plain_leaf(w, i->operand[0]))
               : NULL;
  case IR_OP_getelementptr:
    if (!ir_constant_offset(w->ir, i, &offset))
      return NULL;
    leaf = ir_in_space(w, ir_leaf(w, i->operand[0]), ir_space_of(i->operand[0]),
                       i->result->space);
    if (leaf.kind != IR_IN_REGISTER && leaf.kind != IR_A_SYMBOL)
      leaf = ir_in_register(w, leaf);
    leaf.offset = (int64_t)((uint64_t)leaf.offset + (uint64_t)offset);
    return same_leaf(w, leaf);
  default: return NULL;
  }
}

bool ir_emit_alias(struct ir_writer *w, struct ir_instruction *i)
{
  w->ir->instruction = i;
  struct ir_leaf *leaves = alias_leaves(w, i);
  if (leaves == NULL)
    return false;
  if (i->result->leaf == NULL) {
    i->result->leaf = leaves;
    return true;
  }
  for (uint64_t k = 0; k < i->type->n_leaves; k++)
    ir_move(w, i->result->leaf[k], leaves[k]);
  return true;
}

/* --- elements at an index that isn't constant --------------------------------------- */

static const char *index_text(struct ir_writer *w, struct ir_value *value)
{
  struct ir_leaf leaf =
      ir_zero_extended(w, ir_leaf(w, value), value->type->bits);
  return ir_operand(w, ir_resized(w, leaf, IR_B32, false));
}

static void choose(struct ir_writer *w, struct ir_leaf to, struct ir_leaf yes,
                   struct ir_leaf no, const char *index, uint64_t at)
{
  struct ir_leaf is = ir_new(w, IR_PREDICATE);

  ir_say(w, "setp.eq.u32 \t%s, %s, %llu;", ir_register(w, is), index,
         (unsigned long long)at);
  if (to.class == IR_PREDICATE) {
    const char *a = ir_operand(w, yes), *b = ir_operand(w, no);
    const char *p = ir_register(w, is);
    struct ir_leaf not = ir_new(w, IR_PREDICATE), x = ir_new(w, IR_PREDICATE);
    struct ir_leaf y = ir_new(w, IR_PREDICATE);
    ir_say(w, "not.pred \t%s, %s;", ir_register(w, not ), p);
    ir_say(w, "and.pred \t%s, %s, %s;", ir_register(w, x), p, a);
    ir_say(w, "and.pred \t%s, %s, %s;", ir_register(w, y), ir_register(w, not ),
           b);
    ir_say(w, "or.pred \t%s, %s, %s;", ir_register(w, to), ir_register(w, x),
           ir_register(w, y));
  } else
    ir_say(w, "selp.%s \t%s, %s, %s, %s;", ir_suffix(to.class),
           ir_register(w, to), ir_operand(w, yes), ir_operand(w, no),
           ir_register(w, is));
}

void ir_emit_element(struct ir_writer *w, struct ir_instruction *i)
{
  bool inserts = i->operation == IR_OP_insertelement;
  uint64_t n = i->operand[0]->type->count;
  const struct ir_leaf *all = ir_plain_leaves(w, i->operand[0]);
  struct ir_leaf *to = ir_results(w, i);

  if (inserts) {
    struct ir_leaf part = ir_plain_leaf(w, i->operand[1]);
    const char *index = index_text(w, i->operand[2]);
    for (uint64_t k = 0; k < n; k++)
      choose(w, to[k], part, all[k], index, k);
    return;
  }
  const char *index = index_text(w, i->operand[1]);
  struct ir_leaf so_far = all[0];
  for (uint64_t k = 1; k < n; k++) {
    struct ir_leaf next = k + 1 == n ? *to : ir_new(w, to->class);
    choose(w, next, all[k], so_far, index, k);
    so_far = next;
  }
  if (n == 1)
    ir_move(w, *to, so_far);
}
