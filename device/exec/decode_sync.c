/* Decoders of barriers and warp-level operations. */
#include <string.h>

#include "barrier.h"
#include "cluster.h"
#include "decode.h"
#include "mbarrier.h"
#include "memory_order.h"
#include "pack.h"

static bool decode_barrier_kind(struct decoder *d, struct barrier_extra *extra)
{
  const struct ptx_match *match = &d->match;
  bool predicate = match->n_types == 1 && match->types[0] == TYPE_PRED;

  extra->kind = ptx_has(match, "arrive") ? BARRIER_ARRIVE
                : ptx_has(match, "popc") ? BARRIER_POPC
                : ptx_has(match, "and")  ? BARRIER_AND
                : ptx_has(match, "or")   ? BARRIER_OR
                                         : BARRIER_SYNC;
  if (extra->kind >= BARRIER_POPC && predicate != (extra->kind != BARRIER_POPC))
    return decode_refuse(d, "bar.red with this type");
  return true;
}

bool decode_barrier(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  struct barrier_extra *extra = decode_keep(d, sizeof *extra);
  size_t n = d->instruction->n_operands, at = 0;
  slot result = SLOT_TRUE;
  struct step *s;
  bool votes;

  if (!decode_barrier_kind(d, extra))
    return false;
  extra->aligned = strncmp(d->instruction->opcode, "bar.", 4) == 0 ||
                   ptx_has(&d->match, "aligned");
  votes = extra->kind >= BARRIER_POPC;
  if (n < 1u + 2u * votes || n > 2u + 2u * votes)
    return decode_refuse(d, "%zu operands", n);
  if (votes && !decode_result(d, &operands[at++],
                              extra->kind == BARRIER_POPC ? 4 : 1, &result))
    return false;
  if (!decode_source(d, &operands[at++], 4, &extra->id))
    return false;
  extra->has_count = at + votes < n;
  if (extra->has_count && !decode_source(d, &operands[at++], 4, &extra->count))
    return false;
  if (extra->kind == BARRIER_ARRIVE && !extra->has_count)
    return decode_refuse(d, "bar.arrive needs a thread count");
  if (votes &&
      !decode_predicate(d, &operands[at], &extra->predicate, &extra->invert))
    return false;
  s = decode_emit(d, barrier_block);
  s->d = result;
  s->extra = extra;
  return true;
}

bool decode_cluster_barrier(struct decoder *d)
{
  bool wait = ptx_has(&d->match, "wait");

  if (!decode_operands(d, 0, 0))
    return false;
  if (ptx_has(&d->match, wait ? "release" : "acquire") ||
      (wait && ptx_has(&d->match, "relaxed")))
    return decode_refuse(d, "barrier.cluster with this order");
  decode_emit(d, wait ? cluster_wait : cluster_arrive);
  return true;
}

static bool decode_cluster_address(struct decoder *d, bool maps)
{
  const struct ptx_operand *operands = d->instruction->operands;
  unsigned bytes = ptx_type_bytes(d->match.types[0]);
  slot result, address, rank = SLOT_TRUE;
  struct step *s;

  if (!decode_operands(d, 2u + maps, 2u + maps) ||
      !decode_result(d, &operands[0], maps ? bytes : 4, &result) ||
      !decode_source(d, &operands[1], bytes, &address) ||
      (maps && !decode_source(d, &operands[2], 4, &rank)))
    return false;
  s = decode_emit(d, maps ? cluster_mapa : cluster_rank_of);
  s->d = result;
  s->a = address;
  s->b = rank;
  s->flags = bytes;
  return true;
}

bool decode_mapa(struct decoder *d) { return decode_cluster_address(d, true); }

bool decode_getctarank(struct decoder *d)
{
  return decode_cluster_address(d, false);
}

bool decode_fence(struct decoder *d)
{
  bool names_map =
      ptx_has(&d->match, "tensormap::generic") && ptx_has(&d->match, "acquire");

  decode_emit(d, memory_fence);
  return decode_operands(d, names_map ? 2 : 0, names_map ? 2 : 0);
}

static bool is_result(const struct ptx_instruction *i,
                      const struct ptx_operand *operand, unsigned reg)
{
  if (strncmp(i->opcode, "bar", 3) == 0) /* its first operand is a source */
    return false;
  if (operand->kind == OPERAND_LIST) {
    for (size_t k = 0; k < operand->n_items; k++)
      if (is_result(i, &operand->items[k], reg))
        return true;
    return false;
  }
  return operand->kind == OPERAND_REGISTER &&
         (operand->reg == reg ||
          (operand->second != NULL && is_result(i, operand->second, reg)));
}

/* A number, or a register that one `mov` of a number sets: nvcc writes
 * constants that way. */
static bool is_constant(const struct decoder *d,
                        const struct ptx_operand *operand)
{
  unsigned n = 0;

  if (operand->kind != OPERAND_REGISTER)
    return operand->kind == OPERAND_INTEGER;
  for (size_t k = 0; k < d->ptx->n_instructions; k++) {
    const struct ptx_instruction *i = &d->ptx->instructions[k];

    if (i->n_operands == 0 || !is_result(i, &i->operands[0], operand->reg))
      continue;
    if (strncmp(i->opcode, "mov.", 4) != 0 || i->guard != NULL ||
        i->n_operands != 2 || i->operands[1].kind != OPERAND_INTEGER)
      return false;
    n++;
  }
  return n == 1;
}

static bool decode_members(struct decoder *d, size_t at,
                           struct warp_extra *extra)
{
  extra->has_members = ptx_has(&d->match, "sync");
  if (!extra->has_members)
    return true;
  extra->constant_members = is_constant(d, &d->instruction->operands[at]);
  return decode_source(d, &d->instruction->operands[at], 4, &extra->members);
}

/* d or d|p: a value of 4 or 8 bytes, and a predicate. */
static bool decode_pair(struct decoder *d, unsigned bytes,
                        struct warp_extra *extra)
{
  const struct ptx_operand *result = &d->instruction->operands[0];

  if (result->second != NULL) {
    extra->has_predicate = true;
    if (!decode_result(d, result->second, 1, &extra->predicate))
      return false;
  }
  extra->has_result = true;
  return decode_result(d, result, bytes, &extra->result);
}

static bool emit_warp(struct decoder *d, const struct warp_extra *extra)
{
  struct warp_extra *kept = decode_keep(d, sizeof *kept);

  *kept = *extra;
  decode_emit(d, warp_operation)->extra = kept;
  return true;
}

static unsigned variant_of(const struct ptx_match *match,
                           const char *const *names, unsigned first)
{
  while (!ptx_has(match, *names))
    names++, first++;
  return first;
}

bool decode_warp_sync(struct decoder *d)
{
  struct warp_extra extra = { .op = WARP_SYNC };

  if (!decode_operands(d, 1, 1) || !decode_members(d, 0, &extra))
    return false;
  return emit_warp(d, &extra);
}

bool decode_shuffle(struct decoder *d)
{
  static const char *const names[] = { "up", "down", "bfly", "idx" };
  const struct ptx_operand *operands = d->instruction->operands;
  bool sync = ptx_has(&d->match, "sync");
  struct warp_extra extra = { .op = WARP_SHUFFLE, .bytes = 4 };

  extra.variant = variant_of(&d->match, names, SHUFFLE_UP);
  if (!decode_operands(d, 4 + sync, 4 + sync) ||
      !decode_source(d, &operands[1], 4, &extra.value) ||
      !decode_source(d, &operands[2], 4, &extra.lane) ||
      !decode_source(d, &operands[3], 4, &extra.clamp) ||
      !decode_members(d, 4, &extra) || !decode_pair(d, 4, &extra))
    return false;
  return emit_warp(d, &extra);
}

bool decode_vote(struct decoder *d)
{
  static const char *const names[] = { "all", "any", "uni", "ballot" };
  const struct ptx_operand *operands = d->instruction->operands;
  bool sync = ptx_has(&d->match, "sync");
  struct warp_extra extra = { .op = WARP_VOTE, .has_result = true };

  extra.variant = variant_of(&d->match, names, VOTE_ALL);
  extra.predicate_result = extra.variant != VOTE_BALLOT;
  if (extra.predicate_result != (d->match.types[0] == TYPE_PRED))
    return decode_refuse(d, "vote with this type");
  if (!decode_operands(d, 2 + sync, 2 + sync) ||
      !decode_predicate(d, &operands[1], &extra.value, &extra.invert) ||
      !decode_members(d, 2, &extra) ||
      !decode_result(d, &operands[0], extra.predicate_result ? 1 : 4,
                     &extra.result))
    return false;
  return emit_warp(d, &extra);
}

bool decode_match(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  struct warp_extra extra = { .op = WARP_MATCH,
                              .bytes = ptx_type_bytes(d->match.types[0]),
                              .variant = ptx_has(&d->match, "any")
                                             ? MATCH_ANY
                                             : MATCH_ALL };

  if (!decode_operands(d, 3, 3) ||
      !decode_source(d, &operands[1], extra.bytes, &extra.value) ||
      !decode_members(d, 2, &extra) || !decode_pair(d, 4, &extra))
    return false;
  return emit_warp(d, &extra);
}

bool decode_redux(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  const struct ptx_match *match = &d->match;
  bool is_signed = match->types[0] == TYPE_S32;
  struct warp_extra extra = { .op = WARP_REDUCE, .bytes = 4 };

  extra.variant =
      ptx_has(match, "add")   ? REDUCE_ADD_U
      : ptx_has(match, "min") ? (is_signed ? REDUCE_MIN_S : REDUCE_MIN_U)
      : ptx_has(match, "max") ? (is_signed ? REDUCE_MAX_S : REDUCE_MAX_U)
      : ptx_has(match, "and") ? REDUCE_AND
      : ptx_has(match, "or")  ? REDUCE_OR
                              : REDUCE_XOR;
  if ((extra.variant >= REDUCE_AND) != (match->types[0] == TYPE_B32))
    return decode_refuse(d, "redux with this type");
  if (!decode_operands(d, 3, 3) ||
      !decode_source(d, &operands[1], 4, &extra.value) ||
      !decode_members(d, 2, &extra) || !decode_pair(d, 4, &extra))
    return false;
  return emit_warp(d, &extra);
}

bool decode_elect(struct decoder *d)
{
  struct warp_extra extra = { .op = WARP_ELECT };

  if (!decode_operands(d, 2, 2) || !decode_members(d, 1, &extra) ||
      !decode_pair(d, 4, &extra))
    return false;
  return emit_warp(d, &extra);
}

bool decode_activemask(struct decoder *d)
{
  slot result;

  if (!decode_operands(d, 1, 1) ||
      !decode_result(d, &d->instruction->operands[0], 4, &result))
    return false;
  decode_emit(d, pack_activemask)->d = result;
  return true;
}

/* ---- mbarrier ------------------------------------------------------------ */

static enum mbarrier_op mbarrier_op_of(const struct decoder *d)
{
  const struct ptx_match *match = &d->match;

  if (d->instruction->opcode[0] == 'c')
    return MBARRIER_COPIES;
  if (ptx_has(match, "init"))
    return MBARRIER_INIT;
  if (ptx_has(match, "inval"))
    return MBARRIER_INVAL;
  if (ptx_has(match, "arrive") || ptx_has(match, "arrive_drop"))
    return MBARRIER_ARRIVE;
  if (ptx_has(match, "expect_tx"))
    return MBARRIER_EXPECT;
  if (ptx_has(match, "complete_tx"))
    return MBARRIER_COMPLETE;
  return ptx_has(match, "pending_count") ? MBARRIER_PENDING : MBARRIER_TEST;
}

static bool mbarrier_pending(struct decoder *d, struct mbarrier_extra *extra)
{
  const struct ptx_operand *operands = d->instruction->operands;
  slot result, state;
  struct step *s;

  if (!decode_operands(d, 2, 2) ||
      !decode_result(d, &operands[0], 4, &result) ||
      !decode_source(d, &operands[1], 8, &state))
    return false;
  s = decode_emit(d, mbarrier_run);
  s->d = result;
  s->b = state;
  s->extra = extra;
  return true;
}

/* The operand after the address: a count, bytes, a state or a parity. */
static bool mbarrier_count(struct decoder *d, size_t at,
                           struct mbarrier_extra *extra)
{
  bool state = extra->op == MBARRIER_TEST && !extra->parity;
  bool needed = extra->op == MBARRIER_INIT || extra->op == MBARRIER_TEST ||
                extra->op == MBARRIER_EXPECT ||
                extra->op == MBARRIER_COMPLETE || extra->expects;

  extra->has_count = at < d->instruction->n_operands;
  if (!extra->has_count)
    return needed ? decode_refuse(d, "an operand is missing") : true;
  return decode_source(d, &d->instruction->operands[at], state ? 8 : 4,
                       &extra->count);
}

bool decode_mbarrier(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  struct mbarrier_extra *extra = decode_keep(d, sizeof *extra);
  slot base = SLOT_TRUE, result = SLOT_TRUE;
  uint64_t offset = 0;
  struct step *s;
  size_t at;

  extra->op = mbarrier_op_of(d);
  extra->parity = ptx_has(&d->match, "parity");
  extra->drop = ptx_has(&d->match, "arrive_drop");
  extra->expects =
      extra->op == MBARRIER_ARRIVE && ptx_has(&d->match, "expect_tx");
  extra->may_suspend = ptx_has(&d->match, "try_wait");
  extra->keeps_count = !ptx_has(&d->match, "noinc");
  extra->memory.n = 1;
  extra->memory.bytes = 8;
  if (extra->op == MBARRIER_PENDING)
    return mbarrier_pending(d, extra);
  extra->has_result =
      extra->op == MBARRIER_ARRIVE || extra->op == MBARRIER_TEST;
  at = extra->has_result;
  /* try_wait may have a time limit at its end; waiting shorter is fine. */
  if (!decode_operands(d, at + 1, at + 2 + extra->may_suspend) ||
      (extra->has_result &&
       !decode_result(d, &operands[0], extra->op == MBARRIER_TEST ? 1 : 8,
                      &result)) ||
      !decode_address(d, &operands[at], ACCESS_SHARED, &extra->memory, &base,
                      &offset) ||
      !mbarrier_count(d, at + 1, extra))
    return false;
  /* On a GPU, threads that wait for a phase wake up together when it is
   * complete. Those of other warps still see it if the first one goes on to
   * use the memory for a new barrier. */
  if (extra->op == MBARRIER_INIT || extra->op == MBARRIER_INVAL)
    decode_emit(d, control_pause)->guard = SLOT_TRUE;
  s = decode_emit(d, mbarrier_run);
  s->d = result;
  s->a = base;
  s->immediate = offset;
  s->extra = extra;
  return true;
}
