/* Follows unwritten values from the load through moves of choices. What is
 * followed is a register of one activation of a function: few of them, so a
 * list does. */
#include "checked_chosen.h"

#include <stdlib.h>
#include <string.h>

#include "../support/host_memory.h"

struct chosen {
  const struct frame *frame;
  unsigned reg;
  uint32_t lanes;         /* whose value nothing has written */
  uint32_t record[LANES]; /* of the load */
  enum fault_space space[LANES];
  uint64_t address[LANES];
  unsigned bytes[LANES];
};

struct chosen_values {
  size_t n;
  struct chosen *all;
};

static struct chosen *find(const struct warp *w, unsigned reg)
{
  struct chosen_values *values = w->block->checked->chosen;

  for (size_t i = 0; values != NULL && i < values->n; i++)
    if (values->all[i].frame == w->path->frame && values->all[i].reg == reg)
      return &values->all[i];
  return NULL;
}

static struct chosen *find_or_add(const struct warp *w, unsigned reg)
{
  struct checked_block *checked = w->block->checked;
  struct chosen *found = find(w, reg);

  if (found != NULL)
    return found;
  if (checked->chosen == NULL)
    checked->chosen = host_new(1, sizeof *checked->chosen);
  checked->chosen->all = host_grow(checked->chosen->all, checked->chosen->n + 1,
                                   sizeof *checked->chosen->all);
  found = &checked->chosen->all[checked->chosen->n++];
  memset(found, 0, sizeof *found);
  found->frame = w->path->frame;
  found->reg = reg;
  return found;
}

void chosen_loaded(struct warp *w, const struct step *s, uint32_t mask,
                   uint32_t unwritten, enum fault_space space,
                   const uint64_t *address, unsigned bytes)
{
  unsigned reg = site_of(w, s)->followed - 1;
  struct chosen *to = unwritten != 0 ? find_or_add(w, reg) : find(w, reg);

  if (to == NULL)
    return;
  to->lanes = (to->lanes & ~mask) | unwritten;
  for (uint32_t m = unwritten; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);

    to->record[l] = s->record;
    to->space[l] = space;
    to->address[l] = address[l];
    to->bytes[l] = bytes;
  }
}

static void report(struct warp *w, const struct step *s,
                   const struct chosen *from, unsigned lane)
{
  const struct record *records = w->block->grid->program->records;
  const struct source_line *keeps = &records[s->record].ptx->source;
  const struct source_line *loads = &records[from->record[lane]].ptx->source;
  enum fault_space space = from->space[lane];
  struct check_report r = {
    .check = CHECK_INIT,
    .title = space == SPACE_GLOBAL   ? "read of uninitialised global memory"
             : space == SPACE_SHARED ? "read of uninitialised shared memory"
                                     : "read of uninitialised local memory",
    .did = check_did(true, false, CHECK_PLAIN, from->bytes[lane]),
    .warp = w->index,
    .lane = lane,
    .record = from->record[lane],
    .has_address = true,
    .space = space,
    .address = from->address[lane],
  };

  if (keeps->line != 0 && keeps->line != loads->line && keeps->file != NULL &&
      loads->file != NULL && strcmp(keeps->file, loads->file) == 0)
    check_report(
        checks_of(w), &r,
        "nothing was written there before, and line %u keeps the value",
        keeps->line);
  else
    check_report(checks_of(w), &r, "nothing was written there before");
}

/* The lanes of `mask` whose value in this operand nothing has written. */
static uint32_t unwritten_in(const struct warp *w,
                             const struct ptx_operand *operand, uint32_t mask)
{
  const struct chosen *from =
      operand->kind == OPERAND_REGISTER ? find(w, operand->reg) : NULL;

  return from == NULL ? 0 : from->lanes & mask;
}

static void copy_lanes(const struct warp *w, unsigned from_reg, unsigned to_reg,
                       uint32_t lanes)
{
  struct chosen *to = find_or_add(w, to_reg);
  const struct chosen *from = find(w, from_reg);

  to->lanes |= lanes;
  for (uint32_t m = lanes; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);

    to->record[l] = from->record[l];
    to->space[l] = from->space[l];
    to->address[l] = from->address[l];
    to->bytes[l] = from->bytes[l];
  }
}

static void forget(const struct warp *w, unsigned reg, uint32_t mask)
{
  struct chosen *found = find(w, reg);

  if (found != NULL)
    found->lanes &= ~mask;
}

/* Lanes that keep an unwritten value: it is used. Once is enough. */
static void tell(struct warp *w, const struct step *s, unsigned reg,
                 uint32_t lanes)
{
  struct chosen *from = find(w, reg);

  for (uint32_t m = lanes; m != 0; m &= m - 1)
    report(w, s, from, (unsigned)__builtin_ctz(m));
  from->lanes &= ~lanes;
}

/* selp d, a, b, predicate. The values of a and b go on to d, or are used; d may
 * be the same register as one of them. */
static const struct step *checked_select(struct warp *w, const struct step *s)
{
  const struct check_site *site = site_of(w, s);
  uint32_t mask = active_lanes(w, s);

  if (mask != 0 && w->block->checked->chosen != NULL) {
    const struct ptx_operand *o =
        w->block->grid->program->records[s->record].ptx->operands;
    uint32_t first = predicate_at(w, s->c) ^ (s->flags & 1 ? FULL : 0);
    uint32_t lanes[] = { unwritten_in(w, &o[1], mask & first),
                         unwritten_in(w, &o[2], mask & ~first) };

    if (site->followed != 0)
      forget(w, o[0].reg, mask & ~(lanes[0] | lanes[1]));
    for (int i = 0; i < 2; i++)
      if (lanes[i] != 0 && site->followed != 0)
        copy_lanes(w, o[i + 1].reg, o[0].reg, lanes[i]);
      else if (lanes[i] != 0)
        tell(w, s, o[i + 1].reg, lanes[i]);
  }
  return site->run(w, s);
}

static const struct step *checked_overwrite(struct warp *w,
                                            const struct step *s)
{
  forget(w, site_of(w, s)->followed - 1, active_lanes(w, s));
  return site_of(w, s)->run(w, s);
}

bool chosen_follows(const struct uses *uses, struct step *s,
                    struct check_site *site)
{
  const struct ptx_instruction *p =
      uses_function(uses)->program->records[s->record].ptx;

  if (p == NULL || p->n_operands == 0)
    return false;
  if (uses_chooses(uses, p)) {
    site->followed =
        uses_followed(uses, p->operands[0].reg) ? p->operands[0].reg + 1 : 0;
    s->run = checked_select;
    return true;
  }
  if (p->operands[0].kind != OPERAND_REGISTER ||
      strncmp(p->opcode, "st.", 3) == 0 ||
      !uses_followed(uses, p->operands[0].reg))
    return false;
  site->followed = p->operands[0].reg + 1;
  s->run = checked_overwrite;
  return true;
}

void chosen_frame_start(struct warp *w)
{
  struct chosen_values *values = w->block->checked->chosen;
  size_t n = 0;

  for (size_t i = 0; values != NULL && i < values->n; i++)
    if (values->all[i].frame != w->path->frame)
      values->all[n++] = values->all[i];
  if (values != NULL)
    values->n = n;
}

void chosen_block_start(struct checked_block *block)
{
  if (block->chosen != NULL)
    block->chosen->n = 0;
}

void chosen_block_free(struct checked_block *block)
{
  if (block->chosen != NULL)
    free(block->chosen->all);
  free(block->chosen);
}
