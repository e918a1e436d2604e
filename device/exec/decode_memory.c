/* Decoders of instructions that touch memory. */
#include <stdlib.h>
#include <string.h>

#include "../check/options.h"
#include "async.h"
#include "atomic.h"
#include "decode.h"
#include "memory_order.h"
#include "special_registers.h"

static enum access_space named_space(const struct ptx_match *match)
{
  static const struct {
    const char *name;
    enum access_space space;
  } names[] = {
    { "global", ACCESS_GLOBAL },         { "shared", ACCESS_SHARED },
    { "shared::cta", ACCESS_SHARED },    { "shared::cluster", ACCESS_SHARED },
    { "local", ACCESS_LOCAL },           { "const", ACCESS_CONSTANT },
    { "param", ACCESS_PARAMETER },       { "param::entry", ACCESS_PARAMETER },
    { "param::func", ACCESS_PARAMETER },
  };

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (ptx_has(match, names[i].name))
      return names[i].space;
  return ACCESS_GENERIC;
}

/* A cache policy as the last operand: it changes no result. */
static size_t hint_operands(const struct decoder *d)
{
  return ptx_has(&d->match, "L2::cache_hint");
}

static bool symbol_base(struct decoder *d, const struct ptx_operand *base,
                        struct memory_extra *extra, slot *to, uint64_t *offset)
{
  struct symbol_address address;

  if (!decode_symbol(d, base, &address))
    return false;
  *offset += address.value;
  if (extra->space == ACCESS_PARAMETER || extra->space == ACCESS_GENERIC)
    extra->space = address.space;
  if (extra->space != address.space &&
      !(extra->space == ACCESS_GLOBAL && address.space == ACCESS_CONSTANT))
    return decode_refuse(d, "'%s' is in another state space", base->name);
  if (address.dynamic) {
    extra->has_base = true;
    *to = (slot)(BLOCK_DYNAMIC_BASE * LANES * sizeof(uint32_t)) | AREA_BLOCK;
  } else if (address.local && !d->ptx->is_entry) {
    extra->has_base = true;
    *to = d->function->local_base;
  }
  return true;
}

bool decode_address(struct decoder *d, const struct ptx_operand *operand,
                    enum access_space space, struct memory_extra *extra,
                    slot *base, uint64_t *offset)
{
  unsigned bytes;

  if (operand->kind != OPERAND_ADDRESS || operand->n_items != 0)
    return decode_refuse(d, "operand must be an address in brackets");
  extra->space = space;
  *offset = operand->value;
  if (operand->base == NULL)
    return true;
  if (operand->base->kind == OPERAND_SYMBOL)
    return symbol_base(d, operand->base, extra, base, offset);
  if (operand->base->kind != OPERAND_REGISTER)
    return decode_refuse(d, "address from %s", operand->base->name);
  bytes = decode_register_bytes(operand->base);
  if (bytes != 4 && bytes != 8)
    return decode_refuse(d, "address in a register of %u bytes", bytes);
  extra->has_base = true;
  extra->wide_address = bytes == 8;
  if (space == ACCESS_PARAMETER && !d->ptx->is_entry)
    extra->space = ACCESS_LOCAL; /* a device function's live on its stack */
  return decode_source(d, operand->base, bytes, base);
}

/* By memory type and register size. */
static bool find_transfer(struct decoder *d, enum ptx_type type,
                          unsigned register_bytes, enum transfer *transfer)
{
  static const struct {
    unsigned bytes;
    int is_signed; /* -1: either */
    unsigned register_bytes;
    enum transfer transfer;
  } table[] = {
    { 1, 0, 2, TRANSFER_U8_16 },  { 1, 1, 2, TRANSFER_S8_16 },
    { 1, 0, 4, TRANSFER_U8_32 },  { 1, 1, 4, TRANSFER_S8_32 },
    { 1, 0, 8, TRANSFER_U8_64 },  { 1, 1, 8, TRANSFER_S8_64 },
    { 2, -1, 2, TRANSFER_16_16 }, { 2, 0, 4, TRANSFER_U16_32 },
    { 2, 1, 4, TRANSFER_S16_32 }, { 2, 0, 8, TRANSFER_U16_64 },
    { 2, 1, 8, TRANSFER_S16_64 }, { 4, -1, 4, TRANSFER_32_32 },
    { 4, 0, 8, TRANSFER_U32_64 }, { 4, 1, 8, TRANSFER_S32_64 },
    { 8, -1, 8, TRANSFER_64_64 }, { 16, -1, 16, TRANSFER_128_128 },
  };

  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (table[i].bytes == ptx_type_bytes(type) &&
        table[i].register_bytes == register_bytes &&
        (table[i].is_signed < 0 ||
         table[i].is_signed == ptx_type_is_signed(type))) {
      *transfer = table[i].transfer;
      return true;
    }
  return decode_refuse(d, "register of %u bytes for .%s", register_bytes,
                       ptx_type_name(type));
}

static unsigned element_register_bytes(const struct ptx_operand *operand,
                                       enum ptx_type type)
{
  unsigned bytes = ptx_type_bytes(type);

  return operand->kind == OPERAND_REGISTER ? decode_register_bytes(operand)
         : bytes < 2                       ? 2
                                           : bytes;
}

static unsigned vector_of(const struct decoder *d)
{
  return ptx_has(&d->match, "v2")   ? 2
         : ptx_has(&d->match, "v4") ? 4
         : ptx_has(&d->match, "v8") ? 8
                                    : 1;
}

static bool decode_elements(struct decoder *d,
                            const struct ptx_operand *operand, bool is_load,
                            struct memory_extra *extra)
{
  enum ptx_type type = d->match.types[0];
  const struct ptx_operand *items = operand;
  enum transfer transfer = TRANSFERS;

  extra->n = vector_of(d);
  extra->bytes = ptx_type_bytes(type);
  if (extra->n > 1 || operand->kind == OPERAND_LIST) {
    if (operand->kind != OPERAND_LIST || operand->n_items != extra->n)
      return decode_refuse(d, "a vector of %u elements is meant", extra->n);
    items = operand->items;
  }
  for (unsigned i = 0; i < extra->n; i++) {
    unsigned bytes = element_register_bytes(&items[i], type);

    if (!find_transfer(d, type, bytes, &transfer) ||
        !(is_load ? decode_result(d, &items[i], bytes, &extra->elements[i])
                  : decode_source(d, &items[i], bytes, &extra->elements[i])))
      return false;
    if (i > 0 && transfer != extra->transfer)
      return decode_refuse(d, "elements of different size");
    extra->transfer = transfer;
  }
  return true;
}

static const enum count_class load_class[ACCESS_SPACES] = {
  COUNT_GLOBAL_LOAD, COUNT_GLOBAL_LOAD,   COUNT_SHARED_LOAD,
  COUNT_LOCAL_LOAD,  COUNT_CONSTANT_LOAD, COUNT_CONSTANT_LOAD
};
static const enum count_class store_class[ACCESS_SPACES] = {
  COUNT_GLOBAL_STORE, COUNT_GLOBAL_STORE, COUNT_SHARED_STORE,
  COUNT_LOCAL_STORE,  COUNT_OTHER,        COUNT_OTHER
};

/* Parameters and call arguments that live on a thread's stack are not what a
 * profiler calls local memory: they are registers on hardware. */
static enum count_class memory_class(const struct decoder *d, bool is_load,
                                     const struct memory_extra *extra)
{
  if (ptx_has(&d->match, "param") || ptx_has(&d->match, "param::func"))
    return COUNT_CONSTANT_LOAD;
  return is_load ? load_class[extra->space] : store_class[extra->space];
}

static bool is_ordered(const struct decoder *d)
{
  static const char *const orders[] = { "relaxed", "acquire", "release",
                                        "volatile" };

  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
    if (ptx_has(&d->match, orders[i]))
      return true;
  return false;
}

/* Whether it is inside a kernel's parameters, wherever a thread is. Checks
 * look at every load. */
static bool is_parameter(const struct decoder *d,
                         const struct memory_extra *extra, uint64_t offset)
{
  const struct ptx_function *ptx = d->ptx;
  const struct ptx_variable *last =
      ptx->n_parameters == 0 ? NULL : ptx->parameters[ptx->n_parameters - 1];

  return ptx->is_entry && extra->space == ACCESS_PARAMETER &&
         !extra->has_base && last != NULL && offset % extra->bytes == 0 &&
         offset < last->place + last->bytes &&
         extra->bytes <= last->place + last->bytes - offset &&
         !check_wanted(CHECK_ALL);
}

static step_function *transfer_handler(const struct decoder *d, bool is_load,
                                       const struct memory_extra *extra,
                                       uint64_t offset)
{
  const struct lane_handlers *lanes = d->lanes;

  if (extra->n > 1 && is_ordered(d) && extra->bytes <= 8)
    return is_load ? atomic_load_vector : atomic_store_vector;
  if (extra->n > 1)
    return is_load ? lanes->load_many : lanes->store_many;
  if (is_ordered(d) && extra->bytes <= 8)
    return is_load ? atomic_load_lanes : atomic_store_lanes;
  if (is_load && lanes->load_parameter[extra->transfer] != NULL &&
      is_parameter(d, extra, offset))
    return lanes->load_parameter[extra->transfer];
  return is_load ? lanes->load[extra->transfer] : lanes->store[extra->transfer];
}

static bool decode_transfer(struct decoder *d, bool is_load)
{
  const struct ptx_operand *operands = d->instruction->operands;
  struct memory_extra *extra = decode_keep(d, sizeof *extra);
  slot base = SLOT_TRUE;
  uint64_t offset = 0;
  struct step *s;

  if (!decode_operands(d, 2 + hint_operands(d), 2 + hint_operands(d)) ||
      !decode_elements(d, &operands[is_load ? 0 : 1], is_load, extra) ||
      !decode_address(d, &operands[is_load ? 1 : 0], named_space(&d->match),
                      extra, &base, &offset))
    return false;
  if (extra->n * extra->bytes > 32)
    return decode_refuse(d, "more than 32 bytes");
  if (!is_load)
    memory_order_before(d);
  s = decode_emit(d, transfer_handler(d, is_load, extra, offset));
  s->a = base;
  s->d = extra->elements[0];
  s->immediate = offset;
  s->extra = extra;
  d->program->records[d->record].class_ = memory_class(d, is_load, extra);
  d->program->records[d->record].access_bytes = extra->n * extra->bytes;
  if (is_load)
    memory_order_after(d);
  return true;
}

bool decode_load(struct decoder *d) { return decode_transfer(d, true); }

bool decode_store(struct decoder *d) { return decode_transfer(d, false); }

/* ---- addresses ----------------------------------------------------------- */

static uint64_t window_of(const struct decoder *d)
{
  switch (named_space(&d->match)) {
  case ACCESS_SHARED: return SHARED_WINDOW;
  case ACCESS_LOCAL: return LOCAL_WINDOW;
  case ACCESS_PARAMETER: /* a device function's live on its stack */
    return d->ptx->is_entry ? PARAMETER_WINDOW : LOCAL_WINDOW;
  default: return 0;
  }
}

bool decode_cvta(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  uint64_t window = window_of(d);
  bool to = ptx_has(&d->match, "to");
  struct step *s;
  slot result, source;

  if (!decode_operands(d, 2, 2))
    return false;
  if (d->match.types[0] != TYPE_U64)
    return decode_refuse(d, "32-bit generic address");
  if (!decode_source(d, &operands[1], 8, &source) ||
      !decode_result(d, &operands[0], 8, &result))
    return false;
  if (window == PARAMETER_WINDOW && !to)
    window = 0; /* a parameter's address is in its window already */
  s = decode_emit(d, d->lanes->plain[window == 0 ? OP_mov_64
                                     : to        ? OP_sub_64
                                                 : OP_add_64]);
  s->d = result;
  s->a = source;
  s->b = decode_constant(d, window, 8);
  return true;
}

bool decode_isspacep(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  uint64_t window = window_of(d);
  struct step *s;
  slot result, source, shifted;

  if (!decode_operands(d, 2, 2) ||
      !decode_source(d, &operands[1], 8, &source) ||
      !decode_result(d, &operands[0], 1, &result))
    return false;
  if (ptx_has(&d->match, "const")) {
    s = decode_emit(d, special_is_constant);
    s->d = result;
    s->a = source;
    return true;
  }
  shifted = decode_temporary(d, 8);
  s = decode_emit(d, d->lanes->plain[OP_shr_u64]);
  s->d = shifted;
  s->a = source;
  s->b = decode_constant(d, 56, 4);
  s = decode_emit(d, d->lanes->compare[COMPARE_U64][COMPARE_EQ]);
  s->d = result;
  s->a = shifted;
  s->b = decode_constant(d, window >> 56, 8);
  return true;
}

/* ---- atomics ------------------------------------------------------------- */

static enum atomic_op atomic_op_of(const struct ptx_match *match)
{
  static const struct {
    const char *name;
    enum atomic_op op;
  } names[] = {
    { "and", ATOMIC_AND }, { "or", ATOMIC_OR },   { "xor", ATOMIC_XOR },
    { "add", ATOMIC_ADD }, { "inc", ATOMIC_INC }, { "dec", ATOMIC_DEC },
    { "min", ATOMIC_MIN }, { "max", ATOMIC_MAX }, { "exch", ATOMIC_EXCH },
  };

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (ptx_has(match, names[i].name))
      return names[i].op;
  return ATOMIC_CAS;
}

/* {a, b} of a vector: results at operand 0, sources at operand `at`. */
static bool atomic_vector(struct decoder *d, struct atomic_extra *extra,
                          size_t at)
{
  const struct ptx_operand *sources = &d->instruction->operands[at];
  const struct ptx_operand *results = &d->instruction->operands[0];
  unsigned n = extra->memory.n, bytes = extra->memory.bytes;

  if (n * bytes > 16)
    return decode_refuse(d, "more than 16 bytes");
  if (sources->kind != OPERAND_LIST || sources->n_items != n ||
      (extra->has_result &&
       (results->kind != OPERAND_LIST || results->n_items != n)))
    return decode_refuse(d, "a vector of %u elements is meant", n);
  for (unsigned i = 0; i < n; i++)
    if (!decode_source(d, &sources->items[i], bytes,
                       &extra->memory.elements[i]) ||
        (extra->has_result &&
         !decode_result(d, &results->items[i], bytes, &extra->results[i])))
      return false;
  return true;
}

static bool atomic_operands(struct decoder *d, struct atomic_extra *extra,
                            size_t at, slot *b, slot *c)
{
  const struct ptx_operand *operands = d->instruction->operands;
  unsigned bytes = ptx_type_bytes(extra->type);
  size_t n = at + 2 + (extra->op == ATOMIC_CAS) + hint_operands(d);

  if (!decode_operands(d, n, n))
    return false;
  extra->has_result = at == 1 && operands[0].kind != OPERAND_SINK;
  if (extra->memory.n > 1)
    return atomic_vector(d, extra, at + 1);
  if (!decode_source(d, &operands[at + 1], bytes, b))
    return false;
  return extra->op != ATOMIC_CAS ||
         decode_source(d, &operands[at + 2], bytes, c);
}

bool decode_atomic(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  struct atomic_extra *extra = decode_keep(d, sizeof *extra);
  bool has_result = d->instruction->opcode[0] == 'a';
  slot result = SLOT_TRUE, base = SLOT_TRUE, b = 0, c = 0;
  uint64_t offset = 0;
  struct step *s;

  extra->op = atomic_op_of(&d->match);
  extra->type = d->match.types[0];
  extra->memory.n = vector_of(d);
  extra->memory.bytes = ptx_type_bytes(extra->type);
  if (!atomic_operands(d, extra, has_result, &b, &c) ||
      !decode_address(d, &operands[has_result], named_space(&d->match),
                      &extra->memory, &base, &offset) ||
      (has_result && extra->memory.n == 1 &&
       !decode_result(d, &operands[0], extra->memory.bytes, &result)))
    return false;
  s = decode_emit(d, atomic_run);
  s->d = result;
  s->a = base;
  s->b = b;
  s->c = c;
  s->immediate = offset;
  s->extra = extra;
  d->program->records[d->record].class_ = extra->memory.space == ACCESS_SHARED
                                              ? COUNT_SHARED_ATOMIC
                                              : COUNT_GLOBAL_ATOMIC;
  return true;
}

/* ---- asynchronous copies ------------------------------------------------- */

bool decode_async_copy(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  struct async_extra *extra = decode_keep(d, sizeof *extra);
  slot base = SLOT_TRUE;
  uint64_t offset = 0;
  struct step *s;

  if (!decode_operands(d, 3 + hint_operands(d), 4 + hint_operands(d)))
    return false;
  if (operands[2].kind != OPERAND_INTEGER ||
      (operands[2].value != 4 && operands[2].value != 8 &&
       operands[2].value != 16))
    return decode_refuse(d, "copies are of 4, 8 or 16 bytes");
  extra->bytes = (unsigned)operands[2].value;
  extra->past_l1 = ptx_has(&d->match, "cg");
  if (d->instruction->n_operands == 4 + hint_operands(d)) {
    extra->may_ignore = operands[3].kind == OPERAND_REGISTER &&
                        operands[3].variable->type == TYPE_PRED;
    extra->has_source_bytes = !extra->may_ignore;
  }
  if (extra->may_ignore &&
      !decode_predicate(d, &operands[3], &extra->ignore, &extra->ignore_invert))
    return false;
  if (extra->has_source_bytes &&
      !decode_source(d, &operands[3], 4, &extra->source_bytes))
    return false;
  if (!decode_address(d, &operands[0], ACCESS_SHARED, &extra->destination,
                      &extra->destination_base, &extra->destination_offset) ||
      !decode_address(d, &operands[1], ACCESS_GLOBAL, &extra->source, &base,
                      &offset))
    return false;
  s = decode_emit(d, async_copy);
  s->a = base;
  s->immediate = offset;
  s->extra = extra;
  return true;
}

bool decode_async_commit(struct decoder *d)
{
  decode_emit(d, async_commit);
  return decode_operands(d, 0, 0);
}

bool decode_async_wait(struct decoder *d)
{
  bool all = ptx_has(&d->match, "wait_all");
  struct step *s;

  if (!decode_operands(d, !all, !all))
    return false;
  if (!all && d->instruction->operands[0].kind != OPERAND_INTEGER)
    return decode_refuse(d, "the number of groups must be a constant");
  s = decode_emit(d, async_wait);
  s->flags = all;
  s->immediate = all ? 0 : d->instruction->operands[0].value;
  return true;
}
