/* shfl, vote, match, redux, elect, bar.warp.sync (PTX ISA 9.7.13, 9.7.9.6).
 *
 * Lanes of a member mask may come on different paths, even at different
 * instructions. Each path leaves its inputs in the warp and waits; when a
 * path's members are all there with the same mask and at the same kind of
 * instruction, results are computed from those inputs.
 *
 * PTX leaves a mask undefined that lacks a lane which executes it. An H200
 * refuses it as an illegal instruction, unless the compiler knew the mask: then
 * it drops the mask, and those who are there take part. */
#include <string.h>

#include "barrier.h"
#include "fault.h"
#include "path.h"

/* Lanes of `mask` whose member mask does not name them. */
static uint32_t lacking(const struct warp *w, const struct warp_extra *extra,
                        uint32_t mask)
{
  const uint32_t *members;
  uint32_t named = 0;

  if (!extra->has_members)
    return 0;
  members = slot_at(w, extra->members);
  if ((extra->members & 3) == AREA_CONSTANTS)
    return mask & ~members[0];
  for (unsigned l = 0; l < LANES; l++)
    named |= members[l] & UINT32_C(1) << l;
  return mask & ~named;
}

static const struct step *refuse_members(struct warp *w, const struct step *s,
                                         unsigned lane)
{
  const struct warp_extra *extra = s->extra;
  uint32_t members = ((const uint32_t *)slot_at(w, extra->members))[lane];

  if (members == 0)
    return exec_fault(w, s, lane, FAULT_ILLEGAL, "the member mask is empty");
  return exec_fault(w, s, lane, FAULT_ILLEGAL,
                    "the member mask 0x%08x does "
                    "not name lane %u, which executes it",
                    members, lane);
}

/* What lanes must agree on to meet. */
static uint8_t kind_of(const struct warp_extra *extra)
{
  return (uint8_t)(extra->op * WARP_VARIANTS + extra->variant);
}

/* `follows`: the lanes' member masks count; otherwise all of `mask` are
 * members. */
static void gather(struct warp *w, const struct warp_extra *extra,
                   uint32_t mask, bool follows, struct inputs *in)
{
  for (uint32_t m = mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);

    in->kind[l] = kind_of(extra);
    in->members[l] =
        follows ? ((uint32_t *)slot_at(w, extra->members))[l] : mask;
    if (extra->op == WARP_SHUFFLE) {
      in->lane[l] = ((uint32_t *)slot_at(w, extra->lane))[l];
      in->clamp[l] = ((uint32_t *)slot_at(w, extra->clamp))[l];
    }
    if (extra->op == WARP_SYNC || extra->op == WARP_ELECT)
      in->value[l] = 0;
    else if (extra->bytes == 0)
      in->value[l] = (predicate_at(w, extra->value) ^ extra->invert) >> l & 1;
    else if (extra->bytes == 4)
      in->value[l] = ((uint32_t *)slot_at(w, extra->value))[l];
    else
      in->value[l] = ((uint64_t *)slot_at(w, extra->value))[l];
  }
}

struct result {
  uint64_t value;
  bool predicate;
};

/* PTX ISA 9.7.9.6: the pseudo-code of shfl. Which lane `lane` takes its value
 * from; its own when the wanted one is not `inside`. */
static inline unsigned shuffle_from(enum warp_variant variant, unsigned lane,
                                    uint32_t wanted_lane, uint32_t clamp,
                                    bool *inside)
{
  unsigned b = wanted_lane & 31, c = clamp & 31, segment = clamp >> 8 & 31;
  unsigned most = (lane & segment) | (c & ~segment);
  unsigned least = lane & segment, from = lane;

  switch (variant) {
  case SHUFFLE_UP:
    from = lane - b;
    *inside = (int)from >= (int)most;
    break;
  case SHUFFLE_DOWN:
    from = lane + b;
    *inside = from <= most;
    break;
  case SHUFFLE_BFLY:
    from = lane ^ b;
    *inside = from <= most;
    break;
  default:
    from = least | (b & ~segment);
    *inside = from <= most;
    break;
  }
  return (*inside ? from : lane) & 31;
}

unsigned warp_shuffle_source(const struct warp *w,
                             const struct warp_extra *shuffle, unsigned lane)
{
  const uint32_t *wanted = slot_at(w, shuffle->lane);
  const uint32_t *clamp = slot_at(w, shuffle->clamp);
  bool inside;

  return shuffle_from(shuffle->variant, lane, wanted[lane], clamp[lane],
                      &inside);
}

static struct result shuffle(const struct inputs *in, enum warp_variant variant,
                             unsigned lane)
{
  bool inside;
  unsigned from =
      shuffle_from(variant, lane, in->lane[lane], in->clamp[lane], &inside);

  return (struct result){ in->value[from], inside };
}

/* All lanes are there: does each lane's mask name all of them? */
static bool all_name_all(const struct warp *w, const struct warp_extra *extra)
{
  const uint32_t *members = slot_at(w, extra->members);
  uint32_t named = FULL;

  if (!extra->has_members || (extra->members & 3) == AREA_CONSTANTS)
    return true;
  for (unsigned l = 0; l < LANES; l++)
    named &= members[l];
  return named == FULL;
}

/* The usual case: 32 bits, and all lanes are there. */
static inline void shuffle_lanes(struct warp *w, const struct warp_extra *extra,
                                 enum warp_variant variant)
{
  const uint32_t *lane = slot_at(w, extra->lane);
  const uint32_t *clamp = slot_at(w, extra->clamp);
  const uint32_t *value = slot_at(w, extra->value);
  uint32_t results[LANES], all_inside = 0;

  for (unsigned l = 0; l < LANES; l++) {
    bool inside;

    results[l] = value[shuffle_from(variant, l, lane[l], clamp[l], &inside)];
    all_inside |= (uint32_t)inside << l;
  }
  if (extra->has_result)
    memcpy(slot_at(w, extra->result), results, sizeof results);
  if (extra->has_predicate)
    *(uint32_t *)slot_at(w, extra->predicate) = all_inside;
}

static void shuffle_whole_warp(struct warp *w, const struct warp_extra *extra)
{
  switch (extra->variant) {
  case SHUFFLE_UP: shuffle_lanes(w, extra, SHUFFLE_UP); break;
  case SHUFFLE_DOWN: shuffle_lanes(w, extra, SHUFFLE_DOWN); break;
  case SHUFFLE_BFLY: shuffle_lanes(w, extra, SHUFFLE_BFLY); break;
  default: shuffle_lanes(w, extra, SHUFFLE_IDX); break;
  }
}

static struct result vote(const struct inputs *in, enum warp_variant variant,
                          uint32_t members)
{
  uint32_t ballot = 0;

  for (uint32_t m = members; m != 0; m &= m - 1)
    ballot |= (uint32_t)in->value[__builtin_ctz(m)] << __builtin_ctz(m);
  switch (variant) {
  case VOTE_ALL: return (struct result){ 0, ballot == members };
  case VOTE_ANY: return (struct result){ 0, ballot != 0 };
  case VOTE_UNI: return (struct result){ 0, ballot == 0 || ballot == members };
  default: return (struct result){ ballot, ballot != 0 };
  }
}

static struct result match(const struct inputs *in, enum warp_variant variant,
                           uint32_t members, unsigned lane)
{
  uint32_t same = 0;

  for (uint32_t m = members; m != 0; m &= m - 1)
    if (in->value[__builtin_ctz(m)] == in->value[lane])
      same |= m & -m;
  if (variant == MATCH_ANY)
    return (struct result){ same, true };
  return (struct result){ same == members ? members : 0, same == members };
}

static uint32_t reduce_two(enum warp_variant variant, uint32_t a, uint32_t b)
{
  switch (variant) {
  case REDUCE_ADD_U: return a + b;
  case REDUCE_MIN_U: return a < b ? a : b;
  case REDUCE_MAX_U: return a > b ? a : b;
  case REDUCE_MIN_S: return (int32_t)a < (int32_t)b ? a : b;
  case REDUCE_MAX_S: return (int32_t)a > (int32_t)b ? a : b;
  case REDUCE_AND: return a & b;
  case REDUCE_OR: return a | b;
  default: return a ^ b;
  }
}

static struct result reduce(const struct inputs *in, enum warp_variant variant,
                            uint32_t members)
{
  uint32_t value = (uint32_t)in->value[__builtin_ctz(members)];

  for (uint32_t m = members & (members - 1); m != 0; m &= m - 1)
    value = reduce_two(variant, value, (uint32_t)in->value[__builtin_ctz(m)]);
  return (struct result){ value, true };
}

static struct result result_of(const struct warp_extra *extra,
                               const struct inputs *in, uint32_t members,
                               unsigned lane)
{
  switch (extra->op) {
  case WARP_SHUFFLE: return shuffle(in, extra->variant, lane);
  case WARP_VOTE: return vote(in, extra->variant, members);
  case WARP_MATCH: return match(in, extra->variant, members, lane);
  case WARP_REDUCE: return reduce(in, extra->variant, members);
  case WARP_ELECT:
    return (struct result){ (unsigned)__builtin_ctz(members),
                            lane == (unsigned)__builtin_ctz(members) };
  default: return (struct result){ 0, false };
  }
}

static void set_predicate(struct warp *w, slot to, unsigned lane, bool value)
{
  uint32_t *d = slot_at(w, to);

  *d = (*d & ~(UINT32_C(1) << lane)) | (uint32_t)value << lane;
}

static void complete(struct warp *w, const struct warp_extra *extra,
                     const struct inputs *in, uint32_t mask)
{
  struct result results[LANES];
  bool same_for_all = extra->op == WARP_VOTE || extra->op == WARP_REDUCE;
  uint32_t last_members = 0;
  unsigned last = 0;

  if (extra->op == WARP_SYNC)
    return;
  for (uint32_t m = mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    uint32_t members = in->members[l] & w->alive;

    if (same_for_all && members == last_members)
      results[l] = results[last];
    else
      results[l] = result_of(extra, in, members, l);
    last_members = members;
    last = l;
  }
  for (uint32_t m = mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);

    if (extra->has_result && extra->predicate_result)
      set_predicate(w, extra->result, l, results[l].predicate);
    else if (extra->has_result && extra->bytes == 8 &&
             extra->op == WARP_SHUFFLE)
      ((uint64_t *)slot_at(w, extra->result))[l] = results[l].value;
    else if (extra->has_result)
      ((uint32_t *)slot_at(w, extra->result))[l] = (uint32_t)results[l].value;
    if (extra->has_predicate)
      set_predicate(w, extra->predicate, l, results[l].predicate);
  }
}

/* Two lanes meet if they come with the same mask, and to the same kind of
 * instruction: an H100 waits for ever if the masks differ, be it only by lanes
 * that do not exist, or if it is one shuffle or vote here and another there. */
static bool agrees(const struct inputs *in, unsigned lane, uint32_t members,
                   unsigned kind)
{
  return in->members[lane] == members && in->kind[lane] == kind;
}

/* Have all lanes of `members` that live come, and do they agree? */
static bool all_agree(const struct warp *w, const struct inputs *in,
                      uint32_t members, unsigned kind, uint32_t present)
{
  if ((members & w->alive & ~present) != 0)
    return false;
  for (uint32_t m = members & w->alive; m != 0; m &= m - 1)
    if (!agrees(in, (unsigned)__builtin_ctz(m), members, kind))
      return false;
  return true;
}

/* Lanes of `mask` that have met all lanes which their masks name. */
static uint32_t ready_lanes(const struct warp *w, const struct inputs *in,
                            uint32_t mask, uint32_t present)
{
  unsigned kind = in->kind[__builtin_ctz(mask)];
  uint32_t ready = 0;

  for (uint32_t m = mask; m != 0;) {
    uint32_t members = in->members[__builtin_ctz(m)], same = 0;

    for (uint32_t k = m; k != 0; k &= k - 1)
      if (in->members[__builtin_ctz(k)] == members)
        same |= k & -k;
    if ((same == mask && (members & w->alive & ~mask) == 0) ||
        all_agree(w, in, members, kind, present))
      ready |= same;
    m &= ~same;
  }
  return ready;
}

uint32_t warp_sync_missing(const struct warp *w, const struct path *path)
{
  uint32_t members = 0;

  for (uint32_t m = path->mask; m != 0; m &= m - 1)
    members |= w->waiting.inputs.members[__builtin_ctz(m)];
  return members & w->alive & ~w->waiting.present;
}

const char *warp_sync_cause(const struct warp *w, const struct path *path)
{
  const struct inputs *in = &w->waiting.inputs;

  if (warp_sync_missing(w, path) != 0)
    return NULL;
  for (uint32_t m = path->mask; m != 0; m &= m - 1) {
    uint32_t members = in->members[__builtin_ctz(m)];

    for (uint32_t k = members & w->alive; k != 0; k &= k - 1)
      if (in->members[__builtin_ctz(k)] != members)
        return "lanes of one warp wait for one another with different masks";
  }
  return "lanes of one warp wait for one another in different instructions";
}

void warp_sync_masks(const struct warp *w, const struct path *path,
                     uint32_t masks[2])
{
  masks[0] = masks[1] = w->waiting.inputs.members[__builtin_ctz(path->mask)];
  for (uint32_t m = path->mask; m != 0 && masks[1] == masks[0]; m &= m - 1)
    masks[1] = w->waiting.inputs.members[__builtin_ctz(m)];
}

/* An exited lane has no value that a shuffle could read, so what it brought to
 * an earlier operation must not come back. */
static void forget_inputs(struct warp_inputs *waiting, uint32_t gone)
{
  waiting->present &= ~gone;
  for (uint32_t m = gone; m != 0; m &= m - 1)
    waiting->inputs.value[__builtin_ctz(m)] = 0;
}

/* Completes every waiting path whose members are all there. */
static void release_ready(struct warp *w)
{
  struct warp_inputs *waiting = &w->waiting;
  struct path *current = w->path;
  uint32_t mask = w->mask, gone = 0;

  for (struct path *path = w->paths; path != NULL; path = path->next) {
    if (path->state != PATH_AT_WARP_SYNC ||
        ready_lanes(w, &waiting->inputs, path->mask, waiting->present) !=
            path->mask)
      continue;
    path_enter(w, path);
    complete(w, path->pc->extra, &waiting->inputs, path->mask);
    path->state = PATH_READY;
    path->pc++;
    gone |= path->mask;
  }
  forget_inputs(waiting, gone);
  w->path = NULL;
  if (current != NULL)
    path_enter(w, current);
  w->mask = mask;
}

void warp_sync_lanes_left(struct warp *w)
{
  if (w->waiting.present != 0)
    release_ready(w);
}

bool warp_sync_divide(struct warp *w)
{
  for (struct path *path = w->paths; path != NULL; path = path->next) {
    uint32_t ready = path->state != PATH_AT_WARP_SYNC
                         ? 0
                         : ready_lanes(w, &w->waiting.inputs, path->mask,
                                       w->waiting.present);

    if (ready == 0)
      continue;
    path->mask &= ~ready;
    path_new(w, ready, path->pc, path->frame, path->join)->state =
        PATH_AT_WARP_SYNC;
    release_ready(w);
    return true;
  }
  return false;
}

const struct step *warp_operation(struct warp *w, const struct step *s)
{
  const struct warp_extra *extra = s->extra;
  struct warp_inputs *waiting = &w->waiting;
  uint32_t mask = step_mask(w, s), outside;
  struct inputs in;

  if (mask == 0)
    return s + 1;
  outside = lacking(w, extra, mask);
  if (outside != 0 && !extra->constant_members)
    return refuse_members(w, s, (unsigned)__builtin_ctz(outside));
  if (mask == FULL && extra->op == WARP_SHUFFLE && extra->bytes == 4 &&
      !extra->predicate_result && (outside != 0 || all_name_all(w, extra))) {
    shuffle_whole_warp(w, extra);
    return s + 1;
  }
  memset(in.value, 0, sizeof in.value);
  gather(w, extra, mask, extra->has_members && outside == 0, &in);
  if (ready_lanes(w, &in, mask, mask) == mask) {
    complete(w, extra, &in, mask);
    return s + 1;
  }
  if (mask != w->mask) { /* guarded: those who skip it do not wait */
    path_split(w, w->mask & ~mask, s + 1, NULL);
    w->mask = mask;
  }
  for (uint32_t m = mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);

    waiting->inputs.value[l] = in.value[l];
    waiting->inputs.members[l] = in.members[l];
    waiting->inputs.lane[l] = in.lane[l];
    waiting->inputs.clamp[l] = in.clamp[l];
    waiting->inputs.kind[l] = in.kind[l];
  }
  waiting->present |= mask;
  w->path->state = PATH_AT_WARP_SYNC;
  w->path->pc = s;
  w->path->mask = w->mask;
  release_ready(w);
  return NULL;
}
