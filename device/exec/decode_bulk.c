/* Decoders of bulk copies and asynchronous stores. */
#include <string.h>

#include "async.h"
#include "bulk.h"
#include "decode.h"
#include "tensor.h"

static bool at_address(struct decoder *d, size_t operand,
                       enum access_space space, struct bulk_address *to)
{
  to->base = SLOT_TRUE;
  return decode_address(d, &d->instruction->operands[operand], space,
                        &to->memory, &to->base, &to->offset);
}

/* The spaces in their order in the opcode: destination, then source. */
static enum access_space space_at(const struct ptx_match *match, bool source)
{
  for (size_t i = 0; i < match->n_modifiers; i++) {
    bool shared = strncmp(match->modifiers[i].text, "shared", 6) == 0;
    bool global = strncmp(match->modifiers[i].text, "global", 6) == 0;

    if (!shared && !global)
      continue;
    if (!source)
      return shared ? ACCESS_SHARED : ACCESS_GLOBAL;
    source = false;
  }
  return ACCESS_GENERIC;
}

static enum atomic_op operation_of(const struct ptx_match *match)
{
  static const char *const names[] = { "and", "or",  "xor", "add",
                                       "inc", "dec", "min", "max" };

  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (ptx_has(match, names[i]))
      return (enum atomic_op)(ATOMIC_AND + i);
  return ATOMIC_EXCH;
}

static void take_operation(const struct decoder *d, struct bulk_extra *x)
{
  x->operation.op = operation_of(&d->match);
  x->operation.type = d->match.n_types > 0 ? d->match.types[0] : TYPE_B32;
  x->operation.memory.bytes = ptx_type_bytes(x->operation.type);
  x->operation.memory.n = 1;
}

bool decode_bulk_copy(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  struct bulk_extra *x = decode_keep(d, sizeof *x);
  size_t hint = ptx_has(&d->match, "L2::cache_hint"), n;

  x->has_barrier = ptx_has(&d->match, "mbarrier::complete_tx::bytes");
  x->reduces = ptx_has(&d->match, "reduce");
  take_operation(d, x);
  x->to_many = ptx_has(&d->match, "multicast::cluster");
  n = 3u + x->has_barrier + x->to_many + hint;
  if (!decode_operands(d, n, n) ||
      !at_address(d, 0, space_at(&d->match, false), &x->to) ||
      !at_address(d, 1, space_at(&d->match, true), &x->from) ||
      !decode_source(d, &operands[2], 4, &x->bytes) ||
      (x->has_barrier && !at_address(d, 3, ACCESS_SHARED, &x->barrier)) ||
      (x->to_many && !decode_source(d, &operands[4], 2, &x->ranks)))
    return false;
  decode_emit(d, bulk_copy)->extra = x;
  return true;
}

bool decode_bulk_store(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  const struct ptx_operand *values = &operands[1];
  struct bulk_extra *x = decode_keep(d, sizeof *x);

  if (!decode_operands(d, 3, 3) || !at_address(d, 0, ACCESS_SHARED, &x->to) ||
      !at_address(d, 2, ACCESS_SHARED, &x->barrier))
    return false;
  x->has_barrier = true;
  x->reduces = d->instruction->opcode[0] == 'r';
  take_operation(d, x);
  x->n = ptx_has(&d->match, "v2") ? 2 : ptx_has(&d->match, "v4") ? 4 : 1;
  if ((values->kind == OPERAND_LIST ? values->n_items : 1) != x->n ||
      x->n * x->operation.memory.bytes > 16)
    return decode_refuse(d, "a vector of %u elements is meant", x->n);
  if (values->kind == OPERAND_LIST)
    values = values->items;
  for (unsigned i = 0; i < x->n; i++)
    if (!decode_source(d, &values[i], x->operation.memory.bytes, &x->values[i]))
      return false;
  decode_emit(d, bulk_store)->extra = x;
  return true;
}

/* `[map, {coordinates}]` */
static bool at_tensor(struct decoder *d, const struct ptx_operand *operand,
                      struct tensor_extra *x)
{
  static const char *const ranks[] = { "1d", "2d", "3d", "4d", "5d" };
  const struct ptx_operand *list;

  for (unsigned i = 0; i < TENSOR_RANK; i++)
    if (ptx_has(&d->match, ranks[i]))
      x->rank = i + 1;
  if (operand->kind != OPERAND_ADDRESS || operand->base == NULL ||
      operand->n_items != 1)
    return decode_refuse(d, "operand must be [tensor map, {coordinates}]");
  list = &operand->items[0];
  if ((list->kind == OPERAND_LIST ? list->n_items : 1) != x->rank)
    return decode_refuse(d, "%u coordinates are meant", x->rank);
  if (list->kind == OPERAND_LIST)
    list = list->items;
  for (unsigned i = 0; i < x->rank; i++)
    if (!decode_source(d, &list[i], 4, &x->coordinates[i]))
      return false;
  return decode_source(d, operand->base, 8, &x->map);
}

/* Of a load, shared memory comes first, then the tensor; else the other way
 * round. */
bool decode_tensor_copy(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  struct tensor_extra *x = decode_keep(d, sizeof *x);
  size_t hint = ptx_has(&d->match, "L2::cache_hint"), n;
  bool loads = ptx_has(&d->match, "mbarrier::complete_tx::bytes");

  x->loads = x->bulk.has_barrier = loads;
  x->bulk.reduces = ptx_has(&d->match, "reduce");
  take_operation(d, &x->bulk);
  x->bulk.to_many = ptx_has(&d->match, "multicast::cluster");
  n = 2u + loads + x->bulk.to_many + hint;
  if (!decode_operands(d, n, n) ||
      !at_address(d, loads ? 0 : 1, ACCESS_SHARED, &x->bulk.to) ||
      !at_tensor(d, &operands[loads ? 1 : 0], x) ||
      (loads && !at_address(d, 2, ACCESS_SHARED, &x->bulk.barrier)) ||
      (x->bulk.to_many && !decode_source(d, &operands[3], 2, &x->bulk.ranks)))
    return false;
  decode_emit(d, tensor_copy)->extra = x;
  return true;
}
