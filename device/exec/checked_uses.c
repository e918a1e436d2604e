/* Reads a function's instructions once: which registers are used, how much of
 * them, and which of them only a selp chooses. */
#include "checked_uses.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/host_memory.h"

/* CHOSEN: a selp may take it, or leave it. OUT: it is stored, not known to be
 * in local memory. */
enum { USED = 1, COMPUTED = 2, CHOSEN = 4, OUT = 8 };

struct uses {
  const struct function *function;
  struct {
    uint8_t how;
    uint8_t low;    /* bytes that conversions to narrower integers take */
    bool otherwise; /* something else takes it as well */
    bool many;      /* choosers */
    uint8_t taken;  /* how it is used, apart from being written */
    bool followed;  /* see uses_followed() */
    bool unseen;    /* something writes it that the checks do not wrap */
    const struct ptx_instruction *chooser;
  } of[]; /* by register */
};

static bool starts(const char *opcode, const char *with)
{
  return strncmp(opcode, with, strlen(with)) == 0;
}

static void use(struct uses *uses, const struct ptx_operand *operand,
                uint8_t how)
{
  if (operand == NULL)
    return;
  if (operand->kind == OPERAND_REGISTER) {
    uses->of[operand->reg].how |= how;
    uses->of[operand->reg].otherwise = true;
  }
  use(uses, operand->base, USED | COMPUTED);
  use(uses, operand->second, how);
  for (size_t i = 0; i < operand->n_items; i++)
    use(uses, &operand->items[i], how);
}

static uint8_t stored(const char *opcode)
{
  return starts(opcode, "st.local") || starts(opcode, "st.param") ? USED
                                                                  : USED | OUT;
}

/* Does it read its first operand, where others have what they write? */
static bool reads_first(const struct ptx_instruction *p)
{
  static const char *const those[] = {
    "st.",       "red",   "bar",        "brx",        "call",
    "nanosleep", "wgmma", "setmaxnreg", "wmma.store", "stmatrix",
    "sust",      "sured", "tensormap",  "cp.",        "stackrestore",
  };

  for (size_t i = 0; i < sizeof those / sizeof *those; i++)
    if (starts(p->opcode, those[i]))
      return true;
  return false;
}

/* What is written is not used thereby, but an address is. */
static void use_bases(struct uses *uses, const struct ptx_operand *to)
{
  use(uses, to->base, USED | COMPUTED);
  if (to->second != NULL)
    use_bases(uses, to->second);
  for (size_t i = 0; i < to->n_items; i++)
    use_bases(uses, &to->items[i]);
}

/* selp d, a, b, predicate; of a twice the choice would be none. */
static void note_choice(struct uses *uses, const struct ptx_instruction *selp)
{
  const struct ptx_operand *o = selp->operands;
  bool same = o[1].kind == OPERAND_REGISTER && o[2].kind == OPERAND_REGISTER &&
              o[1].reg == o[2].reg;

  use(uses, &o[3], USED | COMPUTED);
  for (int i = 1; i <= 2; i++) {
    use(uses, &o[i], same ? USED | COMPUTED : CHOSEN);
    if (o[i].kind != OPERAND_REGISTER)
      continue;
    uses->of[o[i].reg].many |= uses->of[o[i].reg].chooser != NULL;
    uses->of[o[i].reg].chooser = selp;
  }
}

/* cvt.u32.u64 d, a; and its like: the bytes of d, or 0 if it is none. */
static unsigned narrowed_bytes(const struct ptx_instruction *p)
{
  char to_type, from_type;
  unsigned to, from;
  int end = 0;

  if (p->n_operands != 2 || p->operands[1].kind != OPERAND_REGISTER ||
      sscanf(p->opcode, "cvt.%c%u.%c%u%n", &to_type, &to, &from_type, &from,
             &end) != 4 ||
      p->opcode[end] != '\0' || strchr("usb", to_type) == NULL ||
      strchr("usb", from_type) == NULL || to >= from)
    return 0;
  return to / 8;
}

static void note_narrowing(struct uses *uses, const struct ptx_instruction *cvt,
                           unsigned bytes)
{
  unsigned reg = cvt->operands[1].reg;

  uses->of[reg].how |= USED | COMPUTED;
  if (bytes > uses->of[reg].low)
    uses->of[reg].low = (uint8_t)bytes;
}

static bool is_choice(const struct ptx_instruction *p)
{
  return starts(p->opcode, "selp.") && p->n_operands == 4;
}

static void take(struct uses *uses, const struct ptx_operand *operand,
                 uint8_t how)
{
  if (operand == NULL)
    return;
  if (operand->kind == OPERAND_REGISTER)
    uses->of[operand->reg].taken |= how;
  take(uses, operand->base, USED);
  take(uses, operand->second, how);
  for (size_t i = 0; i < operand->n_items; i++)
    take(uses, &operand->items[i], how);
}

static void mark_unseen(struct uses *uses, const struct ptx_operand *to)
{
  if (to->kind == OPERAND_REGISTER)
    uses->of[to->reg].unseen = true;
  if (to->second != NULL)
    mark_unseen(uses, to->second);
  for (size_t i = 0; i < to->n_items; i++)
    mark_unseen(uses, &to->items[i]);
}

/* Instructions that have handlers of their own, or give several values. */
static void note_takers(struct uses *uses, const struct ptx_instruction *p)
{
  static const char *const others[] = {
    "call",     "shfl",  "vote",     "match",   "redux",    "activemask",
    "ldmatrix", "wmma",  "mma",      "wgmma",   "mbarrier", "atom",
    "bar",      "elect", "ld.param", "tex",     "ld.const", "ldu",
    "tld4",     "suld",  "multimem", "tcgen05",
  };
  bool unseen = false, choice = is_choice(p), reads = reads_first(p);

  take(uses, p->guard, USED);
  for (size_t k = reads ? 0 : 1; k < p->n_operands; k++)
    take(uses, &p->operands[k], choice && k < 3 ? CHOSEN : USED);
  if (p->n_operands == 0 || starts(p->opcode, "st."))
    return;
  take(uses, p->operands[0].base, USED);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    unseen |= starts(p->opcode, others[i]);
  if (unseen || p->operands[0].kind != OPERAND_REGISTER ||
      p->operands[0].second != NULL)
    mark_unseen(uses, &p->operands[0]);
}

static bool follow(struct uses *uses, unsigned reg)
{
  bool is_new = !uses->of[reg].followed && !uses->of[reg].unseen;

  uses->of[reg].followed |= is_new;
  return is_new;
}

/* From the loads for a choice that comes later, on through choices. */
static void find_followed(struct uses *uses)
{
  const struct ptx_function *ptx = uses->function->ptx;
  bool more = true;

  for (size_t i = 0; i < ptx->n_instructions; i++)
    note_takers(uses, &ptx->instructions[i]);
  for (size_t i = 0; i < ptx->n_instructions; i++) {
    struct check_site site = { 0 };

    if (!starts(ptx->instructions[i].opcode, "ld."))
      continue;
    uses_describe(uses, &ptx->instructions[i], &site);
    if (site.chosen_later)
      follow(uses, ptx->instructions[i].operands[0].reg);
  }
  while (more) {
    more = false;
    for (size_t i = 0; i < ptx->n_instructions; i++) {
      const struct ptx_instruction *p = &ptx->instructions[i];

      if (uses_chooses(uses, p) && p->operands[0].kind == OPERAND_REGISTER &&
          (uses->of[p->operands[0].reg].taken & USED) == 0)
        more |= follow(uses, p->operands[0].reg);
    }
  }
}

const struct function *uses_function(const struct uses *uses)
{
  return uses->function;
}

bool uses_followed(const struct uses *uses, unsigned reg)
{
  return uses->of[reg].followed;
}

bool uses_chooses(const struct uses *uses, const struct ptx_instruction *p)
{
  bool chooses = false;

  for (int i = 1; is_choice(p) && i <= 2; i++)
    chooses |= p->operands[i].kind == OPERAND_REGISTER &&
               uses->of[p->operands[i].reg].followed;
  return chooses;
}

struct uses *uses_find(const struct function *function)
{
  const struct ptx_function *ptx = function->ptx;
  struct uses *uses =
      host_new(1, sizeof *uses + (ptx->n_registers + 1) * sizeof uses->of[0]);

  uses->function = function;
  for (size_t i = 0; i < ptx->n_instructions; i++) {
    const struct ptx_instruction *p = &ptx->instructions[i];
    bool store = starts(p->opcode, "st."), reads = reads_first(p);
    unsigned narrowed = narrowed_bytes(p);

    use(uses, p->guard, USED | COMPUTED);
    if (is_choice(p))
      note_choice(uses, p);
    else if (narrowed != 0)
      note_narrowing(uses, p, narrowed);
    else
      for (size_t k = reads ? 0 : 1; k < p->n_operands; k++)
        use(uses, &p->operands[k],
            store && k == 1 ? stored(p->opcode) : USED | COMPUTED);
    if (!reads && p->n_operands != 0)
      use_bases(uses, &p->operands[0]);
  }
  find_followed(uses);
  return uses;
}

void uses_free(struct uses *uses) { free(uses); }

/* ---- choices -------- */

static bool writes(const struct ptx_instruction *p, unsigned reg)
{
  const struct ptx_operand *to = p->operands;

  if (p->n_operands == 0)
    return false;
  if (to->kind == OPERAND_REGISTER && to->reg == reg)
    return true;
  if (to->second != NULL && to->second->kind == OPERAND_REGISTER &&
      to->second->reg == reg)
    return true;
  for (size_t i = 0; i < to->n_items; i++)
    if (to->items[i].kind == OPERAND_REGISTER && to->items[i].reg == reg)
      return true;
  return false;
}

/* Is the choice already made at the load: same block, nothing in between
 * changes the predicate or the value? */
static bool is_made(const struct function *function,
                    const struct ptx_instruction *load,
                    const struct ptx_instruction *selp)
{
  const struct ptx_instruction *all = function->ptx->instructions;
  const struct ptx_operand *predicate = &selp->operands[3];
  bool one_block = false;

  for (uint32_t b = 0; b < function->n_blocks; b++) {
    const struct ptx_instruction *first = all + function->blocks[b].first;
    const struct ptx_instruction *end = first + function->blocks[b].n;

    one_block |= load >= first && load < selp && selp < end;
  }
  if (!one_block || selp->guard != NULL || predicate->kind != OPERAND_REGISTER)
    return false;
  for (const struct ptx_instruction *p = load + 1; p < selp; p++)
    if (writes(p, predicate->reg) || writes(p, load->operands[0].reg))
      return false;
  return true;
}

static void find_choice(const struct uses *uses,
                        const struct ptx_instruction *load,
                        struct check_site *site)
{
  const struct function *function = uses->function;
  unsigned reg = load->operands[0].reg;
  const struct ptx_instruction *selp = uses->of[reg].chooser;

  if (uses->of[reg].many || !is_made(function, load, selp))
    return;
  for (size_t i = 0; i < function->n_steps; i++) {
    const struct step *s = &function->steps[i];

    if (function->program->records[s->record].ptx != selp)
      continue;
    site->choice = s->c;
    site->choice_invert = s->flags & 1 ? FULL : 0;
    if (selp->operands[2].kind == OPERAND_REGISTER &&
        selp->operands[2].reg == reg)
      site->choice_invert ^= FULL;
    site->choice_known = true;
  }
}

void uses_describe(const struct uses *uses, const struct ptx_instruction *load,
                   struct check_site *site)
{
  const struct ptx_operand *to = &load->operands[0];
  const struct ptx_operand *items = to->kind == OPERAND_LIST ? to->items : to;
  size_t n = to->kind == OPERAND_LIST ? to->n_items : 1;

  bool debug = uses->function->program->module->debug;

  site->only_copied = site->moved = true;
  site->used = 0;
  site->low_bytes = 0;
  if (to->kind == OPERAND_REGISTER && !uses->of[to->reg].otherwise)
    site->low_bytes = uses->of[to->reg].low;
  for (size_t i = 0; i < n && i < 32; i++) {
    uint8_t how;

    if (items[i].kind != OPERAND_REGISTER)
      continue;
    how = uses->of[items[i].reg].how;
    site->used |= (uint32_t)((how & (USED | CHOSEN)) != 0) << i;
    site->only_copied &= (how & (COMPUTED | CHOSEN)) == 0;
    site->moved &= debug || (how & OUT) == 0;
  }
  site->moved &= site->only_copied;
  site->only_chosen =
      to->kind == OPERAND_REGISTER && uses->of[to->reg].how == CHOSEN;
  if (site->only_chosen)
    find_choice(uses, load, site);
  site->chosen_later = site->only_chosen && !site->choice_known;
  if (to->kind == OPERAND_REGISTER && uses->of[to->reg].followed)
    site->followed = to->reg + 1;
}

/* Where the choice is made later, checked_chosen.c sees whether the value is
 * dropped. */
uint32_t uses_dropped(const struct warp *w, const struct check_site *site)
{
  if (!site->only_chosen)
    return 0;
  return site->choice_known
             ? ~(predicate_at(w, site->choice) ^ site->choice_invert)
             : FULL;
}
