/* See operations.h. */
#include "operations.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/host_memory.h"
#include "block.h"
#include "caller.h"
#include "demangle.h"
#include "host_access.h"
#include "operation_cells.h"

/* ---- clocks -------- */

void op_clock_raise(struct op_clock *clock, uint32_t line, uint32_t n)
{
  if (line >= clock->n) {
    uint32_t more = line + 8;

    clock->at = host_grow(clock->at, more, sizeof *clock->at);
    memset(clock->at + clock->n, 0, (more - clock->n) * sizeof *clock->at);
    clock->n = more;
  }
  if (clock->at[line] < n)
    clock->at[line] = n;
}

void op_clock_join(struct op_clock *to, const struct op_clock *from)
{
  for (uint32_t line = 0; line < from->n; line++)
    if (from->at[line] != 0)
      op_clock_raise(to, line, from->at[line]);
}

void op_clock_free(struct op_clock *clock)
{
  free(clock->at);
  *clock = (struct op_clock){ 0, NULL };
}

/* ---- operations -------- */

/* An instruction of an operation that is remembered somewhere. */
struct op_site {
  const void *program;
  check_place_of *place_of;
  uint32_t record;
  bool settled, stored, loaded;
  struct source_line source;
  unsigned ptx_line;
};

struct operation {
  uint32_t line, number;
  const char *what;
  char *kernel;
  unsigned long long stream;
  struct caller caller;
  struct op_site *sites;
  uint32_t n_sites;
};

enum { CHUNK = 4096, MAX_CHUNKS = 1 << 14 };

struct op_now {
  struct operation *operation;
  uint32_t id;
  struct op_clock known;
  _Atomic uint32_t ordered; /* the last id that was found to be */
  pthread_mutex_t lock;     /* of the sites, the clock and the following */
  uint32_t told_id, told_site, told_other;
  struct known *told;
};

static struct operation *_Atomic chunks[MAX_CHUNKS];
static uint32_t n_operations; /* ids begin at 1 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool started;
static _Thread_local struct op_now *now_of_thread;

void operations_start(void)
{
  if (check_wanted(CHECK_RACE))
    atomic_store(&started, true);
}

bool operations_watched(void)
{
  return atomic_load_explicit(&started, memory_order_relaxed);
}

static struct operation *operation_of(uint32_t id)
{
  id &= ID_MASK;
  return &atomic_load_explicit(&chunks[id / CHUNK],
                               memory_order_acquire)[id % CHUNK];
}

static uint32_t new_id(void)
{
  uint32_t id = 0;

  pthread_mutex_lock(&lock);
  if (n_operations + 1 < (uint32_t)CHUNK * MAX_CHUNKS) {
    id = ++n_operations;
    if (chunks[id / CHUNK] == NULL)
      atomic_store_explicit(&chunks[id / CHUNK],
                            host_new(CHUNK, sizeof(struct operation)),
                            memory_order_release);
  }
  pthread_mutex_unlock(&lock);
  return id;
}

/* After so many operations that no id is left, nothing is watched. */
void operation_begin(const struct op_begin *begin)
{
  uint32_t id = operations_watched() ? new_id() : 0;
  struct op_now *now;

  now_of_thread = NULL;
  if (id == 0)
    return;
  now = host_new(1, sizeof *now);
  now->id = id;
  now->operation = operation_of(id);
  *now->operation = (struct operation){ .line = begin->line,
                                        .number = begin->number,
                                        .what = begin->what,
                                        .stream = begin->stream,
                                        .caller = caller_now() };
  if (begin->kernel != NULL)
    now->operation->kernel = host_copy(begin->kernel);
  op_clock_join(&now->known, &begin->clock);
  pthread_mutex_init(&now->lock, NULL);
  now_of_thread = now;
}

void operation_end(void)
{
  struct op_now *now = now_of_thread;

  now_of_thread = NULL;
  if (now == NULL)
    return;
  op_clock_free(&now->known);
  pthread_mutex_destroy(&now->lock);
  free(now);
}

struct op_now *operation_now(void) { return now_of_thread; }

/* ---- cells -------- */

static struct op_page *new_page(unsigned unit)
{
  struct op_page *page =
      host_new(1, sizeof *page + SHADOW_BYTES / unit * sizeof(struct op_cell));

  page->unit = unit;
  return page;
}

static struct op_page *page_for(struct shadow_page *of, uint64_t at,
                                uint64_t bytes)
{
  unsigned unit =
      at % CELL_BYTES == 0 && bytes % CELL_BYTES == 0 ? CELL_BYTES : 1;
  struct op_page *old = of->operations;

  if (old != NULL && old->unit <= unit)
    return old;
  of->operations = new_page(unit);
  for (unsigned i = 0; old != NULL && i < SHADOW_BYTES; i++)
    of->operations->cells[i] = old->cells[i / CELL_BYTES];
  if (old != NULL) {
    of->operations->is_noted = old->is_noted;
    of->operations->host = old->host;
  }
  free(old);
  return of->operations;
}

void operations_forget(uint64_t address, size_t bytes)
{
  uint64_t end = address + bytes;

  if (!operations_watched())
    return;
  for (uint64_t from = address, next; from < end; from = next) {
    struct shadow_page *page = shadow_lock(from);

    next = from - from % SHADOW_BYTES + SHADOW_BYTES;
    if (page == NULL)
      continue;
    if (page->operations != NULL) {
      uint64_t to = next < end ? next : end;
      unsigned unit = page->operations->unit;

      for (uint64_t at = from; at < to; at += unit)
        page->operations->cells[at % SHADOW_BYTES / unit] =
            (struct op_cell){ { 0 }, { 0 } };
    }
    shadow_unlock(page);
  }
}

/* ---- judging -------- */

#define NO_SITE UINT32_MAX

/* One range of bytes that an operation, or one of its threads, accesses. */
struct op_access {
  bool loads, stores, strong, acquires;
  uint32_t site;
  /* of a kernel's: */
  struct check_block *block;
  const struct check_access *a;
  unsigned lane;
};

bool operation_is_known(uint32_t id, const struct op_clock *clock)
{
  const struct operation *o = operation_of(id);

  return o->line < clock->n && clock->at[o->line] >= o->number;
}

static bool ordered(struct op_now *now, uint32_t id)
{
  bool is;

  id &= ID_MASK;
  if (id == 0 || id == now->id ||
      id == atomic_load_explicit(&now->ordered, memory_order_relaxed))
    return true;
  pthread_mutex_lock(&now->lock);
  is = operation_is_known(id, &now->known);
  pthread_mutex_unlock(&now->lock);
  if (is)
    atomic_store_explicit(&now->ordered, id, memory_order_relaxed);
  return is;
}

/* Kernels that run at once may pass flags to each other: what one acquired,
 * and all that came before it in its line, is known. */
static void learn(struct op_now *now, uint32_t id)
{
  const struct operation *other = operation_of(id);

  pthread_mutex_lock(&now->lock);
  op_clock_raise(&now->known, other->line, other->number);
  pthread_mutex_unlock(&now->lock);
}

static void name_stream(const struct operation *o, char *text, size_t bytes)
{
  if (o->stream == 1)
    snprintf(text, bytes, "the default stream");
  else if (o->stream == 2)
    snprintf(text, bytes, "the thread's default stream");
  else
    snprintf(text, bytes, "stream %llu", o->stream - 2);
}

static void fill_place(const struct operation *o, uint32_t site,
                       struct finding_side *side)
{
  if (o->sites == NULL) {
    caller_source(&o->caller, &side->source);
    return;
  }
  const struct op_site *s = &o->sites[site];

  if (s->settled) {
    side->source = s->source;
    side->ptx_line = s->ptx_line;
  } else { /* it still runs: the same kernel, or its parent */
    struct check_place place = s->place_of(s->program, s->record);

    side->source = place.source;
    side->ptx_line = place.ptx_line;
  }
}

void operation_side(uint32_t id, uint32_t site, bool stored,
                    struct finding_side *side, char did[OPERATION_TEXT])
{
  const struct operation *o = operation_of(id);
  char stream[48], name[96];

  name_stream(o, stream, sizeof stream);
  fill_place(o, site, side);
  if (o->kernel != NULL) {
    demangle(o->kernel, name, sizeof name);
    name[strcspn(name, "(")] = '\0';
    snprintf(did, OPERATION_TEXT, "a %s in kernel %s, %s",
             stored ? "store" : "load", name, stream);
  } else {
    snprintf(did, OPERATION_TEXT, "%s, %s", o->what, stream);
  }
  side->did = did;
}

static void report(struct op_now *now, const struct op_access *x, uint32_t id,
                   uint32_t site, bool stored, uint64_t address)
{
  const struct operation *me = now->operation;
  struct finding f = { .check = CHECK_RACE,
                       .title = "race between operations of different streams",
                       .kernel = me->kernel,
                       .has_address = true,
                       .space = SPACE_GLOBAL,
                       .address = address };
  char mine[48], did[OPERATION_TEXT];

  pthread_mutex_lock(&now->lock);
  if (now->told != NULL && now->told_id == id && now->told_site == x->site &&
      now->told_other == site) {
    finding_again(now->told);
    pthread_mutex_unlock(&now->lock);
    return;
  }
  pthread_mutex_unlock(&now->lock);
  name_stream(me, mine, sizeof mine);
  if (x->block != NULL) {
    fill_side(x->block, x->a->warp, x->lane, x->a->record, &f.here);
    f.here.did = check_did(x->a->loads, x->a->stores, x->a->kind, x->a->bytes);
  } else {
    fill_place(me, x->site, &f.here);
    f.here.did = me->what;
  }
  operation_side(id, site, stored, &f.there, did);
  snprintf(f.detail, sizeof f.detail,
           "%s is in %s; an event, or a wait of the host, between the two "
           "would order them",
           me->kernel != NULL ? "the kernel" : me->what, mine);
  struct known *known = finding_add(&f);

  pthread_mutex_lock(&now->lock);
  now->told = known;
  now->told_id = id;
  now->told_site = x->site;
  now->told_other = site;
  pthread_mutex_unlock(&now->lock);
}

static bool races(struct op_now *now, const struct op_access *x,
                  const struct op_cell *cell, unsigned side)
{
  uint32_t id = cell->id[side];

  if (ordered(now, id))
    return false;
  if (x->strong && (id & ID_STRONG) != 0) {
    if (x->acquires && side == WRITER)
      learn(now, id & ID_MASK);
    return false;
  }
  return true;
}

static void judge(struct op_now *now, const struct op_access *x,
                  struct op_cell *cell, uint64_t address)
{
  uint32_t me = now->id | (x->strong ? ID_STRONG : 0);

  if (races(now, x, cell, WRITER))
    report(now, x, cell->id[WRITER], cell->site[WRITER], true, address);
  if (x->stores) {
    for (unsigned side = READER; side < CELL_SIDES; side++)
      if (races(now, x, cell, side))
        report(now, x, cell->id[side], cell->site[side], false, address);
    *cell = (struct op_cell){ { me }, { x->site } };
    return;
  }
  for (unsigned side = READER; side < CELL_SIDES; side++)
    if (ordered(now, cell->id[side])) {
      cell->id[side] = me;
      cell->site[side] = x->site;
      return;
    }
}

/* The instruction's number in the operation's list. */
static uint32_t site_of(struct op_now *now, const struct check_block *b,
                        const struct check_access *a)
{
  struct operation *o = now->operation;
  const struct check_program *program = &b->launch->program;
  uint32_t i;

  pthread_mutex_lock(&now->lock);
  for (i = 0; i < o->n_sites; i++)
    if (o->sites[i].record == a->record &&
        o->sites[i].program == program->program)
      break;
  if (i == o->n_sites) {
    o->sites = host_grow(o->sites, ++o->n_sites, sizeof *o->sites);
    o->sites[i] = (struct op_site){ .program = program->program,
                                    .place_of = program->place_of,
                                    .record = a->record };
  }
  pthread_mutex_unlock(&now->lock);
  return i;
}

/* Bytes [at, at + bytes) of a page, which is locked. */
static void judge_range(struct op_now *now, struct op_access *x,
                        struct shadow_page *page, uint64_t page_address,
                        uint64_t at, uint64_t bytes)
{
  struct op_page *cells = page_for(page, at, bytes);
  unsigned unit = cells->unit;
  uint32_t me = now->id | (x->strong ? ID_STRONG : 0);

  if (host_access_concerns(page_address)) {
    if (x->stores && x->strong)
      host_access_told();
    else if (!cells->is_noted)
      host_access_note(page_address);
    cells->is_noted = true;
  }
  for (uint64_t i = at / unit; i * unit < at + bytes; i++) {
    struct op_cell *cell = &cells->cells[i];

    /* This operation was here before, and none since. */
    if (cell->id[WRITER] == me && cell->id[READER] == 0)
      continue;
    if (!x->stores && cell->id[READER] == me)
      continue;
    if (x->site == NO_SITE)
      x->site = site_of(now, x->block, x->a);
    judge(now, x, cell, page_address + i * unit);
  }
}

/* ---- kernels -------- */

void operation_run(struct op_now *now, struct check_block *b,
                   const struct check_access *a, const struct check_run *run,
                   struct shadow_page *page, uint64_t at)
{
  struct op_access x = { .loads = a->loads,
                         .stores = a->stores,
                         .strong = a->kind != CHECK_PLAIN,
                         .acquires = a->kind != CHECK_PLAIN,
                         .site = NO_SITE,
                         .block = b,
                         .a = a,
                         .lane = run->first };
  unsigned n = run->same ? 1 : run->twin ? 16 : run->n;
  uint64_t page_address = a->address[run->first] - at;

  judge_range(now, &x, page, page_address, at, (uint64_t)n * a->bytes);
}

void operation_settle(struct op_now *now)
{
  for (uint32_t i = 0; i < now->operation->n_sites; i++) {
    struct op_site *s = &now->operation->sites[i];
    struct check_place place;

    if (s->settled)
      continue;
    place = s->place_of(s->program, s->record);
    s->source = place.source;
    if (place.source.file != NULL)
      s->source.file = host_copy(place.source.file);
    s->ptx_line = place.ptx_line;
    s->settled = true;
  }
}

/* ---- copies and sets -------- */

static void whole(struct op_access *x, uint64_t address, size_t bytes)
{
  struct op_now *now = now_of_thread;
  uint64_t end = address + bytes;

  for (uint64_t from = address, next; now != NULL && from < end; from = next) {
    struct shadow_page *page = shadow_lock(from);
    uint64_t at = from % SHADOW_BYTES;

    next = from - at + SHADOW_BYTES;
    if (page == NULL)
      continue;
    judge_range(now, x, page, from - at, at, (next < end ? next : end) - from);
    shadow_unlock(page);
  }
}

void operation_reads(uint64_t address, size_t bytes)
{
  whole(&(struct op_access){ .loads = true }, address, bytes);
}

void operation_writes(uint64_t address, size_t bytes)
{
  whole(&(struct op_access){ .stores = true }, address, bytes);
}
