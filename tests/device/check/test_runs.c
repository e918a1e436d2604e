/* The checks judge many lanes at once where they lie in a row or at one
 * place. The same accesses told lane by lane must leave the same knowledge
 * and the same findings behind: random ones of all shapes, in shared and in
 * global memory, with barriers and fences between them, by all the builds of
 * the loops that this processor runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../device/check/block.h"
#include "../../../device/memory/memory.h"
#include "../count/level.h"

enum {
  ROUNDS = 45,
  STEPS = 800,
  WARPS = 3,
  BLOCKS = 2,
  SHARED = 1024,
  GLOBAL = 12288,
  FINDINGS = 1 << 20
};

/* Takes the place of the device's: notes instead of telling. */
static uint64_t (*noted)[2];
static size_t n_noted;

static uint64_t side_of(const struct finding_side *s)
{
  return ((uint64_t)s->block[0] << 32 | s->thread[0] << 2 |
          (unsigned)s->has_block << 1 | (unsigned)s->has_thread)
             << 16 |
         s->ptx_line;
}

struct known *finding_add(const struct finding *f)
{
  if (n_noted == FINDINGS)
    return NULL;
  noted[n_noted][0] = side_of(&f->here) ^ f->address << 40;
  noted[n_noted++][1] = f->there.did == NULL ? 1 : side_of(&f->there) + 2;
  return NULL; /* so that each is told */
}

void finding_again(struct known *known)
{
  (void)known;
  abort();
}

void findings_list(void) {}

static struct check_place place_of(const void *program, uint32_t record)
{
  struct check_place place = { .ptx_line = record + 1 };

  (void)program;
  return place;
}

static uint64_t state;

static uint32_t any(uint32_t below)
{
  state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
  return (uint32_t)(state >> 33) % below;
}

/* Addresses of one of the shapes that programs have, within `extent`. */
static void fill(uint64_t *address, unsigned bytes, unsigned extent)
{
  unsigned shape = any(7), at = any(extent), step = 1 + any(3);
  unsigned second = any(3) == 0 ? at + 16 * bytes : any(extent);

  for (unsigned l = 0; l < CHECK_LANES; l++) {
    unsigned to = at + l * bytes;

    if (shape == 1)
      to = at;
    else if (shape == 2)
      to = at + l % 16 * bytes;
    else if (shape == 3)
      to = l < 16 ? at : second;
    else if (shape == 4)
      to = (l < 16 ? at : second) + l % 16 * bytes;
    else if (shape == 5)
      to = at + l * step * bytes;
    else if (shape == 6)
      to = any(extent);
    address[l] = to % extent / bytes * bytes;
  }
}

static void one_access(struct check_block *block, uint64_t global)
{
  static const uint8_t shared[SHARED], zeros[CHECK_LANES * 4];
  static const enum check_kind kinds[] = { CHECK_PLAIN, CHECK_VOLATILE,
                                           CHECK_STRONG };
  uint64_t address[CHECK_LANES], base = 0;
  struct check_run runs[CHECK_LANES];
  unsigned how = any(40) * 10 / 56, space = any(2), n;
  struct check_access a = {
    .warp = any(WARPS),
    .address = address,
    .bytes = 1u << any(5),
    .space = space ? SPACE_GLOBAL : SPACE_SHARED,
    .loads = how < 4 || how == 7,
    .stores = how >= 4,
    .kind = kinds[any(30) < 28 ? 0 : 1 + any(2)],
    .order = any(8) / 5,
    .record = any(5),
    .used = UINT32_MAX,
    .element_bytes = 4,
    .register_bytes = 4,
    .shared = shared,
  };

  if (how == 7)
    a.kind = CHECK_ATOMIC;
  a.lanes = any(3) == 0 ? any(UINT32_MAX) << any(20) : UINT32_MAX;
  a.lanes |= a.lanes == 0;
  if (a.bytes == 4 && any(2))
    a.value[0] = zeros;
  if (space) {
    base = global + 4096 * any(2) + 3072;
    fill(address, a.bytes, 2048);
  } else {
    fill(address, a.bytes, SHARED);
  }
  for (unsigned l = 0; l < CHECK_LANES; l++)
    address[l] += base;
  n = check_loops()->find_runs(address, a.lanes, a.bytes, runs);
  check_access(block, &a, runs, n);
}

static unsigned lane_by_lane(const uint64_t *address, uint32_t mask,
                             unsigned bytes, struct check_run *runs)
{
  unsigned n = 0;

  (void)address;
  (void)bytes;
  for (uint32_t m = mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);

    runs[n++] =
        (struct check_run){ UINT32_C(1) << l, (uint8_t)l, 1, false, false };
  }
  return n;
}

static void one_event(struct check_block *block)
{
  uint32_t warp = any(WARPS);

  switch (any(6)) {
  case 0: check_block_barrier(block, 0); break;
  case 1: check_warp_sync(block, warp, UINT32_MAX, true); break;
  case 2: check_warp_sync(block, warp, any(UINT32_MAX) | 1, false); break;
  case 3: check_fence(block, warp, any(2)); break;
  case 4: check_arrive(block, block, warp, 5); break;
  default: check_wait(block, block, warp, 5); break;
  }
}

static int by_value(const void *a, const void *b)
{
  return memcmp(a, b, sizeof *noted);
}

static uint64_t mix(uint64_t hash, const void *data, size_t bytes)
{
  for (size_t i = 0; i < bytes; i++)
    hash = (hash ^ ((const uint8_t *)data)[i]) * UINT64_C(0x100000001b3);
  return hash;
}

static uint64_t mix_reads(uint64_t hash, const struct cell_reads *reads,
                          const struct cell_others *others, size_t n)
{
  hash = mix(hash, reads, n * sizeof *reads);
  for (size_t i = 0; i < n * CELLS; i++) {
    uint32_t site = reads[i / CELLS].site[i % CELLS];
    const struct cell_others *o = &others[i / CELLS];

    if (site & SITE_MANY_LINES)
      hash = mix(hash, &o->last[i % CELLS], 4);
    if (site & SITE_FLAGS)
      hash = mix(hash, &o->also[i % CELLS], 4);
    if (site & SITE_FLAGS)
      hash = mix(hash, &o->also_block[i % CELLS], 4);
  }
  return hash;
}

static uint64_t mix_splits(uint64_t hash, const struct cell_split *splits,
                           size_t n)
{
  for (size_t i = 0; splits != NULL && i < n; i++) {
    size_t cells = splits[i].unit == 0 ? 0 : 4 / splits[i].unit;

    if (cells == 0)
      continue;
    hash = mix(hash, &splits[i].unit, sizeof splits[i].unit);
    hash = mix_reads(hash, splits[i].reads, splits[i].others, cells);
    hash = mix(hash, splits[i].writes, cells * sizeof *splits[i].writes);
  }
  return hash;
}

/* All that is known after a run of events, as one number for each step. */
static void play(const struct check_loops *loops, uint64_t seed,
                 unsigned events, uint64_t global, uint64_t *known)
{
  const uint32_t grid[3] = { BLOCKS, 1, 1 };
  const struct check_program program = { .place_of = place_of };
  const struct check_shape shape = {
    { WARPS * 32, 1, 1 }, SHARED, 0, false, 0, 0
  };
  struct check_launch *launch = check_launch_new("k", grid, 1, &program);
  struct check_block *blocks[BLOCKS];

  check_set_loops(loops);
  shadow_mark(global, GLOBAL, false);
  for (uint32_t i = 0; i < BLOCKS; i++) {
    blocks[i] = check_block_new(launch, &shape);
    check_block_start(blocks[i], i, (uint32_t[]){ i, 0, 0 });
  }
  state = seed;
  for (unsigned step = 0; step < STEPS; step++) {
    struct check_block *block = blocks[any(BLOCKS)];
    uint64_t hash = 0;

    n_noted = 0;
    if (any(100) < events)
      one_event(block);
    else
      one_access(block, global);
    qsort(noted, n_noted, sizeof *noted, by_value);
    hash = mix(hash, noted, n_noted * sizeof *noted);
    if (step % 16 == 0) {
      hash = mix_reads(hash, block->shared_reads, block->shared_others,
                       SHARED / 64);
      hash = mix(hash, block->shared_writes,
                 SHARED / 64 * sizeof *block->shared_writes);
      hash = mix_splits(hash, block->shared_splits, SHARED / 64);
      hash = mix(hash, block->shared_init, SHARED / 8);
    }
    for (unsigned page = 0; page < GLOBAL && step % 128 == 0;
         page += SHADOW_BYTES) {
      struct shadow_page *p = shadow_lock(global + page);

      hash = mix(hash, p->init, sizeof p->init);
      shadow_reads(p, launch->number, true);
      hash = mix_reads(hash, p->reads, p->others, SHADOW_GROUPS);
      hash = mix(hash, shadow_writes(p, launch->number, true),
                 SHADOW_GROUPS * sizeof *p->writes);
      hash = mix_splits(hash, *shadow_splits(p, launch->number), SHADOW_GROUPS);
      shadow_unlock(p);
    }
    known[step] = hash ^ n_noted << 56;
  }
  for (uint32_t i = 0; i < BLOCKS; i++)
    check_block_free(blocks[i]);
  check_launch_free(launch);
}

int main(void)
{
  static const unsigned shares[] = { 0, 2, 15 }; /* events in a hundred */
  static uint64_t expected[STEPS], found[STEPS];
  const struct check_loops *loops;
  struct check_loops slow;
  uint64_t global;
  int failed = 0;

  need_level();
  loops = check_loops();
  slow = *loops;
  slow.find_runs = lane_by_lane;
  noted = malloc(FINDINGS * sizeof *noted);
  global = memory_allocate(GLOBAL, 4096, MEMORY_DEVICE, 0, NULL);
  if (noted == NULL || global == 0 || !check_wanted(CHECK_RACE))
    return 1;
  for (unsigned i = 0; i < ROUNDS; i++) {
    unsigned step = 0, share = shares[i % 3];

    play(&slow, i + 1, share, global, expected);
    play(loops, i + 1, share, global, found);
    while (step < STEPS && expected[step] == found[step])
      step++;
    if (step < STEPS)
      printf("round %u, %u events in 100: step %u differs\n", i, share, step);
    failed |= step < STEPS;
  }
  free(noted);
  memory_release(global);
  return failed;
}
