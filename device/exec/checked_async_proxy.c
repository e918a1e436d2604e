/* Pieces of shared memory and registers with the last operation on each that a
 * fence or a wait has to follow. */
#include "checked_async_proxy.h"

#include <stdlib.h>
#include <string.h>

#include "../check/watch.h"
#include "../support/host_memory.h"
#include "cluster.h"
#include "wgmma.h"

enum { PIECE = 16, GROUPS = 64, NO_RECORD = 0 };

/* 16 bytes of shared memory. Records are stored plus one. */
struct piece {
  uint32_t stored, store_fences; /* by which record; fences until then */
  uint32_t read, read_number;    /* by which wgmma of the warpgroup */
  uint32_t group;                /* which warpgroup */
};
struct register_state {
  uint32_t product; /* number of the wgmma that writes it; 0: none */
  uint32_t record;  /* of that wgmma */
  bool written;     /* by another instruction */
  uint32_t reader;  /* number of the last wgmma that has it as a part of A */
  uint32_t reader_record;
};
struct warp_products {
  uint32_t issued, completed; /* numbers of wgmma */
  uint32_t n_waits;
  struct {
    uint32_t completed, clock;
  } waits[GROUPS];                     /* the last ones */
  uint32_t n_groups, at_group[GROUPS]; /* issued when each was committed */
  bool fenced;                         /* since the last wait */
  uint32_t known[WARPGROUPS];      /* of other groups: number that had ended */
  const struct function *function; /* that `registers` belong to */
  size_t n_registers;
  struct register_state *registers; /* by slot */
};
struct proxy_checks {
  uint32_t fences; /* fence.proxy.async executed; of a cluster: rank 0's */
  size_t n_pieces;
  struct piece *pieces;
  uint32_t n_warps;
  uint32_t teller[WARPGROUPS]; /* the warp whose wait was known last */
  struct warp_products *warps;
};

enum { MOST_SLOTS = 64 };

/* Registers of an instruction that wgmma's sums, or its A, may be in. */
struct register_uses {
  bool moves; /* the one source to the one result */
  unsigned n_sources, n_results;
  slot slots[]; /* sources, then results */
};

static struct check_report report_at(const struct warp *w, const struct step *s,
                                     unsigned lane, const char *title,
                                     const char *did)
{
  return (struct check_report){ .check = CHECK_RACE,
                                .title = title,
                                .did = did,
                                .warp = w->index,
                                .lane = lane,
                                .record = s->record };
}

static unsigned line_of(const struct warp *w, uint32_t record)
{
  const struct ptx_instruction *ptx =
      w->block->grid->program->records[record].ptx;

  if (ptx == NULL)
    return 0;
  return ptx->source.line != 0 ? ptx->source.line : ptx->line;
}

/* ---- shared memory ------------------------------------------------------- */

static struct proxy_checks *checks(const struct block *block)
{
  return block->checked == NULL ? NULL : block->checked->proxy;
}

static struct proxy_checks *lead_checks(struct block *block)
{
  return checks(block->cluster == NULL ? block : block->cluster->blocks[0]);
}

void proxy_block_start(struct block *block)
{
  struct proxy_checks *p = checks(block);

  if (p == NULL) {
    if (!block->grid->program->has_async_proxy || !check_wanted(CHECK_RACE))
      return;
    p = block->checked->proxy = host_new(1, sizeof *p);
    p->n_pieces = block->shared_bytes / PIECE + 1;
    p->pieces = host_new(p->n_pieces, sizeof *p->pieces);
    p->n_warps = block->n_warps;
    p->warps = host_new(p->n_warps, sizeof *p->warps);
  }
  p->fences = 1;
  memset(p->pieces, 0, p->n_pieces * sizeof *p->pieces);
  for (uint32_t i = 0; i < p->n_warps; i++) {
    free(p->warps[i].registers);
    memset(&p->warps[i], 0, sizeof p->warps[i]);
  }
}

void proxy_block_free(struct block *block)
{
  struct proxy_checks *p = checks(block);

  if (p == NULL)
    return;
  for (uint32_t i = 0; i < p->n_warps; i++)
    free(p->warps[i].registers);
  free(p->warps);
  free(p->pieces);
  free(p);
}

void proxy_fence(struct warp *w)
{
  struct proxy_checks *p = lead_checks(w->block);

  if (p != NULL)
    p->fences++;
}

/* Has warp `x` of the block waited for the product before what the lane of `w`
 * does now? A wait that is too long ago to be remembered counts. */
static bool has_waited(const struct warp *w, unsigned lane,
                       const struct block *owner, uint32_t x, uint32_t number)
{
  const struct warp_products *products = &checks(owner)->warps[x];
  uint32_t n = products->n_waits, oldest = n > GROUPS ? n - GROUPS : 0;

  if (products->completed < number)
    return false;
  /* The search for an order takes too long between the many mbarriers of a
   * cluster: there it is enough that the wait came before. */
  if (w->block->cluster != NULL)
    return true;
  for (uint32_t i = oldest; i < n; i++)
    if (products->waits[i % GROUPS].completed >= number)
      return (i == oldest && oldest > 0) ||
             check_is_ordered(checks_of(w), w->index, lane,
                              owner->checked->check, x,
                              products->waits[i % GROUPS].clock);
  return true;
}

/* A product is complete for all once one warp has waited for it. */
static void check_overwriting(struct warp *w, const struct step *s,
                              unsigned lane, const struct block *owner,
                              const struct piece *piece, uint64_t offset,
                              const char *did)
{
  struct proxy_checks *p = checks(owner);
  uint32_t first = piece->group * WARPGROUP;
  bool waited = false, here = owner == w->block;
  uint32_t *known = &checks(w->block)->warps[w->index].known[piece->group];
  struct check_report report;

  if (piece->read == NO_RECORD || (here && *known >= piece->read_number))
    return;
  /* Mostly the same warp waits and tells the others: it is asked first, because
   * an answer takes long to find where there is none. */
  for (uint32_t i = 0; i < WARPGROUP; i++) {
    uint32_t x = first + (p->teller[piece->group] + i) % WARPGROUP;

    if (x >= p->n_warps)
      continue;
    if (has_waited(w, lane, owner, x, piece->read_number)) {
      p->teller[piece->group] = x - first;
      if (here)
        *known = piece->read_number;
      return;
    }
    waited |= p->warps[x].completed >= piece->read_number;
  }
  report =
      report_at(w, s, lane, "shared memory overwritten under a wgmma", did);
  report.has_address = true;
  report.space = SPACE_SHARED;
  report.address = offset;
  check_report(checks_of(w), &report,
               waited ? "the wgmma of line %u by warps %u to %u may still read "
                        "it: nothing orders their wgmma.wait_group before this"
                      : "the wgmma of line %u by warps %u to %u may still read "
                        "it: they have not executed wgmma.wait_group",
               line_of(w, piece->read - 1), first, first + WARPGROUP - 1);
}

void proxy_stores(struct warp *w, const struct step *s, unsigned lane,
                  struct block *owner, uint64_t offset, unsigned bytes)
{
  struct proxy_checks *p = checks(owner), *lead = lead_checks(w->block);

  if (p == NULL || lead == NULL)
    return;
  for (uint64_t i = offset / PIECE;
       i <= (offset + bytes - 1) / PIECE && i < p->n_pieces; i++) {
    check_overwriting(w, s, lane, owner, &p->pieces[i], offset, "store");
    p->pieces[i] =
        (struct piece){ .stored = s->record + 1, .store_fences = lead->fences };
  }
}

void proxy_writes(struct warp *w, const struct step *s, unsigned lane,
                  struct block *owner, uint64_t offset, unsigned bytes)
{
  struct proxy_checks *p = checks(owner);

  if (p == NULL || bytes == 0)
    return;
  for (uint64_t i = offset / PIECE;
       i <= (offset + bytes - 1) / PIECE && i < p->n_pieces; i++) {
    check_overwriting(w, s, lane, owner, &p->pieces[i], offset, "bulk copy");
    p->pieces[i] = (struct piece){ 0 };
  }
}

void proxy_reads(struct warp *w, const struct step *s, unsigned lane,
                 struct block *owner, uint64_t offset, unsigned bytes)
{
  struct proxy_checks *p = checks(owner), *lead = lead_checks(w->block);

  if (p == NULL || lead == NULL || bytes == 0)
    return;
  for (uint64_t i = offset / PIECE;
       i <= (offset + bytes - 1) / PIECE && i < p->n_pieces; i++) {
    struct piece *piece = &p->pieces[i];
    struct check_report report;

    if (piece->stored == NO_RECORD || piece->store_fences != lead->fences)
      continue;
    report = report_at(w, s, lane, "missing fence.proxy.async", "called");
    report.has_address = true;
    report.space = SPACE_SHARED;
    report.address = i * PIECE;
    check_report(
        checks_of(w), &report,
        "it reads what line %u stored, by the async proxy: without a "
        "fence.proxy.async after the store it may read something older",
        line_of(w, piece->stored - 1));
    piece->stored = NO_RECORD;
  }
}

/* ---- products ------------------------------------------------------------ */

static struct warp_products *products_of(const struct warp *w)
{
  struct proxy_checks *p = checks(w->block);

  return p == NULL ? NULL : &p->warps[w->index];
}

static struct register_state *state_of(struct warp *w, slot s)
{
  struct warp_products *products = products_of(w);
  const struct function *function = w->path->frame->function;
  size_t at = s / (LANES * sizeof(uint32_t));

  if (products->function != function) {
    free(products->registers);
    products->function = function;
    products->n_registers =
        function->frame_bytes / (LANES * sizeof(uint32_t)) + 1;
    products->registers =
        host_new(products->n_registers, sizeof *products->registers);
  }
  return (s & 3) == AREA_FRAME && at < products->n_registers
             ? &products->registers[at]
             : NULL;
}

static void note_reads(struct warp *w, const struct step *s,
                       uint64_t descriptor, bool crosswise, unsigned lines,
                       uint32_t number)
{
  const struct wgmma_extra *x = s->extra;
  struct proxy_checks *p = checks(w->block);
  struct wgmma_tile tile = wgmma_tile_of(descriptor);
  unsigned bits = matrix_bits(x->b_type), bytes = bits == 1 ? 4 : bits / 8;
  unsigned depth = 32 / bytes, inside;

  for (unsigned line = 0; line < lines; line += crosswise ? 8 : 1)
    for (unsigned k = 0; k < depth; k += crosswise ? 1 : 16 / bytes) {
      uint32_t at = wgmma_chunk(&tile, crosswise, line, k, bytes, &inside);

      if (at / PIECE >= p->n_pieces)
        return;
      proxy_reads(w, s, 0, w->block, at, PIECE);
      p->pieces[at / PIECE].read = s->record + 1;
      p->pieces[at / PIECE].read_number = number;
      p->pieces[at / PIECE].group = w->index / WARPGROUP;
    }
}

static void check_fence_of_registers(struct warp *w, const struct step *s)
{
  const struct wgmma_extra *x = s->extra;
  struct warp_products *products = products_of(w);
  bool written = products->issued == 0;
  struct check_report report;

  for (unsigned i = 0; i < x->n_registers; i++)
    written |= state_of(w, x->d[i]) != NULL && state_of(w, x->d[i])->written;
  for (unsigned i = 0; i < (x->a_is_shared ? 0 : 4); i++)
    written |= state_of(w, x->a_registers[i]) != NULL &&
               state_of(w, x->a_registers[i])->written;
  if (products->fenced || !written)
    return;
  report = report_at(w, s, 0, "missing wgmma.fence", "called");
  check_report(checks_of(w), &report,
               products->issued == 0
                   ? "it is the first one of its warp, which has to execute "
                     "wgmma.fence before"
                   : "other instructions wrote its registers after the last "
                     "wgmma.wait_group: a wgmma.fence has to follow them");
  products->fenced = true;
}

const struct step *checked_wgmma(struct warp *w, const struct step *s)
{
  const struct wgmma_extra *x = s->extra;
  struct warp_products *products = products_of(w);
  const struct step *next;

  if (products == NULL || active_lanes(w, s) == 0)
    return site_of(w, s)->run(w, s);
  check_fence_of_registers(w, s);
  products->issued++;
  for (unsigned i = 0; i < x->n_registers; i++)
    if (state_of(w, x->d[i]) != NULL)
      *state_of(w, x->d[i]) =
          (struct register_state){ .product = products->issued,
                                   .record = s->record };
  for (unsigned i = 0; i < (x->a_is_shared ? 0 : 4); i++)
    if (state_of(w, x->a_registers[i]) != NULL) {
      state_of(w, x->a_registers[i])->reader = products->issued;
      state_of(w, x->a_registers[i])->reader_record = s->record;
    }
  next = site_of(w, s)->run(w, s);
  if (next == NULL)
    return NULL;
  /* The last warp has multiplied for all. */
  note_reads(w, s, *(const uint64_t *)slot_at(w, x->b), x->b_crosswise, x->n,
             products->issued);
  if (x->a_is_shared)
    note_reads(w, s, *(const uint64_t *)slot_at(w, x->a), x->a_crosswise,
               WGMMA_ROWS, products->issued);
  return next;
}

static void note_wait(const struct warp *w, struct warp_products *products,
                      uint32_t completed)
{
  uint32_t at = products->n_waits % GROUPS;

  if (completed <= products->completed)
    return;
  products->completed = completed;
  products->waits[at].completed = completed;
  products->waits[at].clock = check_now(checks_of(w));
  products->n_waits++;
}

const struct step *checked_wgmma_order(struct warp *w, const struct step *s)
{
  struct warp_products *products = products_of(w);

  if (products != NULL && active_lanes(w, s) != 0) {
    if (s->flags == WGMMA_FENCE)
      products->fenced = true;
    if (s->flags == WGMMA_COMMIT)
      products->at_group[products->n_groups++ % GROUPS] = products->issued;
    if (s->flags == WGMMA_WAIT) {
      products->fenced = false;
      if (products->n_groups > s->immediate && s->immediate < GROUPS)
        note_wait(w, products,
                  products->at_group[(products->n_groups - 1 - s->immediate) %
                                     GROUPS]);
    }
  }
  return site_of(w, s)->run(w, s);
}

/* ---- registers ----------------------------------------------------------- */

static void check_use(struct warp *w, const struct step *s,
                      const struct register_state *state)
{
  struct warp_products *products = products_of(w);
  struct check_report report;

  if (state == NULL || state->product <= products->completed)
    return;
  report = report_at(w, s, (unsigned)__builtin_ctz(active_lanes(w, s)),
                     "wgmma's sums used before wgmma.wait_group", "called");
  check_report(checks_of(w), &report,
               "the wgmma of line %u may still be adding to this register",
               line_of(w, state->record));
}

/* Runs what writes registers that a wgmma may still be reading. A compiler may
 * load a constant again for each product: writing the value that is there
 * changes nothing. */
static const struct step *run_overwriting(struct warp *w, const struct step *s,
                                          const struct register_uses *uses)
{
  const slot *results = &uses->slots[uses->n_sources];
  const struct warp_products *products = products_of(w);
  const struct step *next;
  uint32_t before[MOST_SLOTS][LANES], lanes = active_lanes(w, s);

  for (unsigned i = 0; i < uses->n_results; i++)
    memcpy(before[i], slot_at(w, results[i]), sizeof before[i]);
  next = site_of(w, s)->inner(w, s);
  for (unsigned i = 0; i < uses->n_results; i++) {
    const struct register_state *state = state_of(w, results[i]);
    const uint32_t *now = slot_at(w, results[i]);
    uint32_t changed = 0;
    struct check_report report;

    for (unsigned l = 0; l < LANES; l++)
      changed |= (uint32_t)(now[l] != before[i][l]) << l;
    changed &= lanes;
    if (changed == 0 || state->reader <= products->completed)
      continue;
    report = report_at(w, s, (unsigned)__builtin_ctz(changed),
                       "registers overwritten under a wgmma", "called");
    check_report(checks_of(w), &report,
                 "the wgmma of line %u may still be reading its A from this "
                 "register: a wgmma.wait_group has to come before",
                 line_of(w, state->reader_record));
  }
  return next;
}

const struct step *checked_registers(struct warp *w, const struct step *s)
{
  const struct check_site *site = site_of(w, s);
  const struct register_uses *uses = site->registers;
  const struct warp_products *products = products_of(w);
  bool read = false;

  if (products == NULL || active_lanes(w, s) == 0)
    return site->inner(w, s);
  if (!uses->moves)
    for (unsigned i = 0; i < uses->n_sources; i++)
      check_use(w, s, state_of(w, uses->slots[i]));
  for (unsigned i = 0; i < uses->n_results; i++) {
    struct register_state *to = state_of(w, uses->slots[uses->n_sources + i]);
    const struct register_state *from = state_of(w, uses->slots[0]);
    struct register_state state = { .written = true };

    if (to == NULL)
      continue;
    /* A move is the compiler's renaming: what it moves is not used yet. */
    if (uses->moves && from == NULL)
      continue;
    if (uses->moves)
      state = *from;
    state.reader = to->reader;
    state.reader_record = to->reader_record;
    *to = state;
    read |= to->reader > products->completed;
  }
  return read ? run_overwriting(w, s, uses) : site->inner(w, s);
}

/* ---- which instructions -------------------------------------------------- */

static bool starts(const char *opcode, const char *with)
{
  return strncmp(opcode, with, strlen(with)) == 0;
}

static bool has_result(const struct ptx_instruction *p)
{
  static const char *const without[] = { "st.",  "red.",     "bar",  "bra",
                                         "call", "stmatrix", "wgmma" };

  for (size_t i = 0; i < sizeof without / sizeof *without; i++)
    if (starts(p->opcode, without[i]))
      return false;
  return p->n_operands > 0;
}

static bool is_move(const struct ptx_instruction *p)
{
  return starts(p->opcode, "mov.") && p->n_operands == 2 &&
         p->operands[0].kind == OPERAND_REGISTER &&
         p->operands[1].kind == OPERAND_REGISTER;
}

static void mark(bool *in, const struct ptx_operand *operand)
{
  if (operand->kind == OPERAND_REGISTER)
    in[operand->reg] = true;
  for (size_t i = 0; i < operand->n_items; i++)
    mark(in, &operand->items[i]);
}

/* Registers of products, and all that moves connect with them. */
static bool find_registers(const struct ptx_function *ptx, bool *in)
{
  bool some = false, more = true;

  for (size_t i = 0; i < ptx->n_instructions; i++)
    if (starts(ptx->instructions[i].opcode, "wgmma.mma_async.") &&
        ptx->instructions[i].n_operands > 2) {
      mark(in, &ptx->instructions[i].operands[0]);
      if (ptx->instructions[i].operands[1].kind == OPERAND_LIST)
        mark(in, &ptx->instructions[i].operands[1]);
      some = true;
    }
  while (more) {
    more = false;
    for (size_t i = 0; i < ptx->n_instructions; i++) {
      const struct ptx_instruction *p = &ptx->instructions[i];

      if (!is_move(p) || in[p->operands[0].reg] == in[p->operands[1].reg])
        continue;
      in[p->operands[0].reg] = in[p->operands[1].reg] = more = true;
    }
  }
  return some;
}

static void add_slots(const bool *in, const struct function *function,
                      const struct ptx_operand *operand, slot *slots,
                      unsigned *n)
{
  if (operand->kind == OPERAND_REGISTER && in[operand->reg] &&
      operand->variable->type != TYPE_PRED)
    slots[(*n)++] = function->register_slots[operand->reg];
  if (operand->base != NULL)
    add_slots(in, function, operand->base, slots, n);
  for (size_t i = 0; i < operand->n_items; i++)
    add_slots(in, function, &operand->items[i], slots, n);
}

static struct register_uses *uses_of(struct program *program,
                                     const struct function *function,
                                     const bool *in,
                                     const struct ptx_instruction *p)
{
  slot sources[MOST_SLOTS], results[MOST_SLOTS];
  unsigned n = 0, m = 0;
  bool result = has_result(p);
  struct register_uses *uses;

  if (starts(p->opcode, "call"))
    return NULL;
  for (size_t i = 0; i < p->n_operands; i++)
    if (result && i == 0 && p->operands[i].kind != OPERAND_ADDRESS)
      add_slots(in, function, &p->operands[i], results, &m);
    else
      add_slots(in, function, &p->operands[i], sources, &n);
  if (n + m == 0)
    return NULL;
  uses = ptx_arena_take(&program->arena,
                        sizeof *uses + (n + m) * sizeof uses->slots[0]);
  uses->moves = is_move(p) && n == 1 && m == 1;
  uses->n_sources = n;
  uses->n_results = m;
  memcpy(uses->slots, sources, n * sizeof *sources);
  memcpy(uses->slots + n, results, m * sizeof *results);
  return uses;
}

static bool has_bulk_copies(const struct ptx_function *ptx)
{
  for (size_t i = 0; i < ptx->n_instructions; i++)
    if (starts(ptx->instructions[i].opcode, "cp.async.bulk.") ||
        starts(ptx->instructions[i].opcode, "cp.reduce.async.bulk."))
      return true;
  return false;
}

bool proxy_function(struct program *program, struct function *function)
{
  const struct ptx_function *ptx = function->ptx;
  bool *in = host_new(ptx->n_registers + 1, sizeof *in);
  bool some = find_registers(ptx, in);

  for (size_t i = 0; some && i < function->n_steps; i++) {
    struct step *s = &function->steps[i];
    const struct ptx_instruction *p = program->records[s->record].ptx;
    struct check_site *site = &program->sites[s->record];

    if (p == NULL || starts(p->opcode, "wgmma.") ||
        (i > 0 && s[-1].record == s->record))
      continue;
    site->registers = uses_of(program, function, in, p);
    if (site->registers == NULL)
      continue;
    site->inner = s->run;
    s->run = checked_registers;
  }
  free(in);
  return some || has_bulk_copies(ptx);
}
