/* The race check against a simple judge that forgets nothing: it keeps every
 * access to every byte and compares each new one with all of them.
 *
 * Random accesses of 1 to 16 bytes, by random lanes of two blocks, to a small
 * piece of shared or global memory, with barriers of blocks and of warps
 * between them; most accesses are to bytes that the thread alone uses. Up to
 * the first race of a round both must agree whether an instruction races, and
 * both sides of what the check tells must be accesses that were made: thread,
 * line, load or store, a common byte, and nothing that orders them. With
 * barriers of parts of a warp the check may miss a
 * race, but must not invent one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../device/check/block.h"
#include "../../../device/memory/memory.h"
#include "../count/level.h"

enum {
  ROUNDS = 20000,
  STEPS = 50,
  BLOCKS = 2,
  WARPS = 2,
  LANES_USED = 6,
  MOST_SLOT = 16,
  THREADS = BLOCKS * WARPS * CHECK_LANES,
  EXTENT = THREADS * MOST_SLOT
};

struct event { /* one lane's access */
  unsigned block, warp, lane, line;
  unsigned from, bytes;
  bool stores;
  unsigned barriers;           /* of its block so far */
  unsigned known[CHECK_LANES]; /* syncs with each lane of its warp so far */
};

static struct event events[STEPS * CHECK_LANES];
static unsigned n_events;
static unsigned barriers[BLOCKS];
/* What a lane knows of its warp: it is ordered after what lane k did before
 * `done[k]` syncs of k. */
static unsigned done[BLOCKS][WARPS][CHECK_LANES];
static unsigned known[BLOCKS][WARPS][CHECK_LANES][CHECK_LANES];
static unsigned done_at[STEPS * CHECK_LANES];

static struct finding told[64];
static char told_did[64][2][48];
static unsigned n_told;

struct known *finding_add(const struct finding *f)
{
  if (n_told < 64) {
    snprintf(told_did[n_told][0], sizeof told_did[0][0], "%s", f->here.did);
    snprintf(told_did[n_told][1], sizeof told_did[0][0], "%s", f->there.did);
    told[n_told++] = *f;
  }
  return NULL;
}

void finding_again(struct known *ignored)
{
  (void)ignored;
  abort();
}

void findings_list(void) {}

static struct check_place line_of(const void *program, uint32_t record)
{
  struct check_place place = { .ptx_line = record + 1 };

  (void)program;
  return place;
}

static uint64_t state = 1;

static uint32_t any(uint32_t below)
{
  state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
  return (uint32_t)(state >> 33) % below;
}

/* ---- the judge -------- */

static bool ordered_before(unsigned i, const struct event *now)
{
  const struct event *old = &events[i];

  if (old->block != now->block)
    return false;
  if (old->barriers < now->barriers)
    return true;
  if (old->warp != now->warp)
    return false;
  return old->lane == now->lane ||
         done_at[i] < known[now->block][now->warp][now->lane][old->lane];
}

static bool races(unsigned i, const struct event *now)
{
  const struct event *old = &events[i];

  return (old->stores || now->stores) && old->from < now->from + now->bytes &&
         now->from < old->from + old->bytes && !ordered_before(i, now);
}

static void judge_sync(unsigned block, unsigned warp, uint32_t lanes)
{
  unsigned(*k)[CHECK_LANES] = known[block][warp], most[CHECK_LANES] = { 0 };

  for (unsigned l = 0; l < CHECK_LANES; l++)
    for (unsigned of = 0; of < CHECK_LANES && lanes >> l & 1; of++)
      if (k[l][of] > most[of])
        most[of] = k[l][of];
  for (unsigned l = 0; l < CHECK_LANES; l++)
    if (lanes >> l & 1)
      most[l] = ++done[block][warp][l];
  for (unsigned l = 0; l < CHECK_LANES; l++)
    if (lanes >> l & 1)
      memcpy(k[l], most, sizeof most);
}

/* ---- both -------- */

struct round {
  struct check_block *blocks[BLOCKS];
  uint64_t base;
  enum fault_space space;
  bool parts;    /* parts of warps synchronise */
  unsigned slot; /* bytes that each thread may call its own */
};

static void one_sync(struct round *r)
{
  unsigned block = any(BLOCKS), warp = any(WARPS), how = any(3);
  uint32_t lanes = UINT32_MAX;

  if (how == 0) {
    barriers[block]++;
    check_block_barrier(r->blocks[block], 0);
    return;
  }
  if (r->parts && how == 1)
    lanes = any(1 << LANES_USED) | 1;
  judge_sync(block, warp, lanes);
  check_warp_sync(r->blocks[block], warp, lanes, lanes == UINT32_MAX);
}

/* The side is one of the accesses that were made, and races with `now`. */
static bool is_real(const struct finding_side *side, const char *did,
                    const struct event *now, unsigned n)
{
  for (unsigned i = 0; i < n; i++) {
    const struct event *e = &events[i];

    if (races(i, now) && side->block[0] == e->block &&
        side->thread[0] == e->warp * CHECK_LANES + e->lane &&
        (side->ptx_line == 0 || side->ptx_line == e->line) &&
        strcmp(did, e->stores ? "a store" : "a load") == 0)
      return true;
  }
  return false;
}

/* One instruction. 0: no race; 1: one, as told; -1: the two disagree. */
static int one_access(struct round *r, unsigned step)
{
  uint8_t shared[EXTENT] = { 0 };
  uint64_t address[CHECK_LANES] = { 0 };
  struct check_run runs[CHECK_LANES];
  unsigned block = r->space == SPACE_SHARED ? 0 : any(BLOCKS);
  unsigned extent = THREADS * r->slot, at, shape, from, n;
  bool found = false, own = any(12) != 0;
  struct check_access a = {
    .warp = any(WARPS),
    .address = address,
    .bytes = 1u << any(5),
    .space = r->space,
    .record = step,
    .used = UINT32_MAX,
    .element_bytes = 0,
    .shared = shared,
  };
  struct event now;

  while (own && a.bytes > r->slot)
    a.bytes /= 2;
  a.stores = any(3) == 0;
  a.loads = !a.stores;
  a.lanes =
      any(3) == 0 ? UINT32_MAX : any(1 << LANES_USED) | 1u << any(LANES_USED);
  at = any(extent);
  shape = any(4);
  for (unsigned l = 0; l < CHECK_LANES; l++) {
    unsigned thread = (block * WARPS + a.warp) * CHECK_LANES + l;

    from = own          ? thread * r->slot + at % r->slot
           : shape == 0 ? at
           : shape == 3 ? any(extent)
                        : at + l * a.bytes;
    from = from % extent / a.bytes * a.bytes;
    address[l] = r->base + from;
  }
  n = n_events;
  for (unsigned l = 0; l < CHECK_LANES; l++) {
    if (!(a.lanes >> l & 1))
      continue;
    now = (struct event){ .block = block,
                          .warp = a.warp,
                          .lane = l,
                          .line = step + 1,
                          .bytes = a.bytes,
                          .from = (unsigned)(address[l] - r->base),
                          .stores = a.stores,
                          .barriers = barriers[block] };
    for (unsigned i = 0; i < n_events; i++)
      found |= races(i, &now);
    done_at[n_events] = done[block][a.warp][l];
    events[n_events++] = now;
  }
  n_told = 0;
  n = check_loops()->find_runs(address, a.lanes, a.bytes, runs);
  check_access(r->blocks[block], &a, runs, n);
  for (unsigned t = 0; t < n_told; t++) {
    bool real = false;

    for (unsigned i = 0; i < n_events; i++)
      real |= events[i].line == step + 1 &&
              told[t].here.thread[0] ==
                  events[i].warp * CHECK_LANES + events[i].lane &&
              is_real(&told[t].there, told_did[t][1], &events[i], n_events);
    if (!real || strstr(told_did[t][0], a.stores ? "store" : "load") == NULL) {
      printf("step %u: %s by thread %u, against %s of block %u, thread %u at "
             "line %u: no such race\n",
             step, told_did[t][0], told[t].here.thread[0], told_did[t][1],
             told[t].there.block[0], told[t].there.thread[0],
             told[t].there.ptx_line);
      return -1;
    }
  }
  if (found && n_told == 0 && !r->parts) {
    printf("step %u: a race is not found\n", step);
    return -1;
  }
  return found;
}

static int play(unsigned number, struct round *r)
{
  int result = 0;

  n_events = 0;
  memset(barriers, 0, sizeof barriers);
  memset(done, 0, sizeof done);
  memset(known, 0, sizeof known);
  for (unsigned step = 0; step < STEPS && result == 0; step++)
    if (any(3) == 0)
      one_sync(r);
    else
      result = one_access(r, step);
  if (result < 0)
    printf("round %u, %s memory%s\n", number,
           r->space == SPACE_SHARED ? "shared" : "global",
           r->parts ? ", parts of warps synchronise" : "");
  return result;
}

int main(void)
{
  const uint32_t grid[3] = { BLOCKS, 1, 1 };
  const struct check_program program = { .place_of = line_of };
  const struct check_shape shape = {
    { WARPS * 32, 1, 1 }, EXTENT, 0, false, 0, 0
  };
  unsigned n_races = 0, n_failed = 0, n_lost = 0;
  uint64_t global;

  need_level();
  global = memory_allocate(8192, 4096, MEMORY_DEVICE, 0, NULL);
  if (global == 0 || !check_wanted(CHECK_RACE))
    return 1;
  for (unsigned i = 0; i < ROUNDS && n_failed < 5; i++) {
    struct check_launch *launch = check_launch_new("k", grid, 1, &program);
    struct round r = { .space = i % 2 ? SPACE_GLOBAL : SPACE_SHARED,
                       .base = i % 2 ? global + 4096 - 1000 / 16 * 16 : 0,
                       .parts = i % 5 == 0,
                       .slot = 1u << any(5) };
    int result;

    for (uint32_t k = 0; k < BLOCKS; k++) {
      r.blocks[k] = check_block_new(launch, &shape);
      check_block_start(r.blocks[k], k, (uint32_t[]){ k, 0, 0 });
    }
    result = play(i, &r);
    n_races += result > 0;
    n_failed += result < 0;
    for (unsigned t = 0; t < n_told; t++)
      n_lost += told[t].there.ptx_line == 0;
    for (uint32_t k = 0; k < BLOCKS; k++)
      check_block_free(r.blocks[k]);
    check_launch_free(launch);
  }
  memory_release(global);
  printf("%u rounds ended with a race, %u sides without a line\n", n_races,
         n_lost);
  return n_failed > 0 || n_races < ROUNDS / 4 || n_races > ROUNDS - 100;
}
