/* Sets a block up, gives its warps turns, and finds out when none of them can
 * go on. */
#include "block.h"

#include <stdlib.h>
#include <string.h>

#include "../support/small_limits.h"
#include "../support/host_memory.h"
#include "async.h"
#include "barrier.h"
#include "checked.h"
#include "endless.h"
#include "fault.h"
#include "overtime.h"
#include "path.h"
#include "place.h"
#include "warp.h"

/* Rounds in which all warps only wait, before other blocks have a turn; and
 * rounds of warps that meet at barriers and look at memory in between. */
enum { IDLE_ROUNDS = 2, POLLING_ROUNDS = LIMIT(64, 2) };
/* The same with checks, whether any of these rounds looked at memory. */
enum { CHECKED_ROUNDS = LIMIT(4, 2) };
/* Rounds before a block that does not wait is asked whether it ever ends. */
enum { LOOK_ROUNDS = 64 };

static void fill(struct block *block, unsigned n, uint32_t value)
{
  for (unsigned l = 0; l < LANES; l++)
    block->values[n][l] = value;
}

static void fill_wide(struct block *block, unsigned n, uint64_t value)
{
  uint64_t lanes[LANES];

  for (unsigned l = 0; l < LANES; l++)
    lanes[l] = value;
  memcpy(block->values[n], lanes, sizeof lanes);
}

/* What no block of the grid changes. */
static void fill_grid_values(struct block *block)
{
  const struct grid *grid = block->grid;
  const struct launch *launch = grid->launch;

  for (unsigned i = 0; i < 3; i++) {
    fill(block, BLOCK_NTID_X + i, launch->block[i]);
    fill(block, BLOCK_NCTAID_X + i, launch->grid[i]);
  }
  fill(block, BLOCK_NWARPID, 64);
  fill(block, BLOCK_NSMID,
       launch->sms != NULL ? launch->n_device_sms : grid->n_workers);
  fill(block, BLOCK_GRIDID, (uint32_t)grid->number);
  fill_wide(block, BLOCK_GRIDID_WIDE, grid->number);
  fill_wide(block, BLOCK_GRAPH_EXEC, launch->graph_exec);
  /* As on an H200: the first is rounded up, the second is not. */
  fill(block, BLOCK_TOTAL_SHARED,
       (grid->user_shared_bytes + 127) & ~UINT32_C(127));
  fill(block, BLOCK_ALL_SHARED, grid->user_shared_bytes + RESERVED_SHARED);
  fill(block, BLOCK_RESERVED, grid->shared_bytes - RESERVED_SHARED);
  fill(block, BLOCK_RESERVED_1,
       grid->shared_bytes - RESERVED_SHARED + RESERVED_SHARED_1);
  fill(block, BLOCK_RESERVED_END, grid->shared_bytes);
  fill(block, BLOCK_DYNAMIC_SHARED, launch->dynamic_shared_bytes);
  fill(block, BLOCK_ENVREG1, (uint32_t)(grid->workspace >> 32));
  fill(block, BLOCK_ENVREG2, (uint32_t)grid->workspace);
  for (unsigned i = 0; i < 3; i++) {
    fill(block, BLOCK_NCLUSTERID_X + i, launch->grid[i] / launch->cluster[i]);
    fill(block, BLOCK_CLUSTER_NCTAID_X + i, launch->cluster[i]);
  }
  fill(block, BLOCK_CLUSTER_SIZE,
       launch->cluster[0] * launch->cluster[1] * launch->cluster[2]);
  block->values[BLOCK_EXPLICIT_CLUSTER][0] =
      launch->explicit_cluster ? FULL : 0;
  fill(block, BLOCK_DYNAMIC_BASE, grid->static_shared_bytes);
  fill_wide(block, BLOCK_DYNAMIC_BASE_WIDE, grid->static_shared_bytes);
}

static struct block *block_new(struct worker *worker)
{
  struct grid *grid = worker->grid;
  struct block *block = host_new_aligned(LANE_ALIGNMENT, sizeof *block);
  size_t local;

  block->grid = grid;
  block->n_threads =
      grid->launch->block[0] * grid->launch->block[1] * grid->launch->block[2];
  block->n_warps = (block->n_threads + LANES - 1) / LANES;
  block->warps =
      host_new_aligned(LANE_ALIGNMENT, block->n_warps * sizeof *block->warps);
  block->order = host_new(block->n_warps, sizeof *block->order);
  block->shared_bytes = grid->shared_bytes;
  block->shared = host_new_aligned(LANE_ALIGNMENT, grid->shared_bytes + 256);
  local = (size_t)block->n_warps * LANES * grid->local_stride;
  block->local = host_new(local + 1, 1); /* touched page by page */
  fill_grid_values(block);
  for (uint32_t i = 0; i < block->n_warps; i++)
    warp_prepare(&block->warps[i], block, worker, i);
  checked_block_new(block, worker);
  return block;
}

static void block_free(struct block *block)
{
  for (uint32_t i = 0; i < block->n_warps; i++)
    warp_release(&block->warps[i]);
  checked_block_free(block);
  free(block->warps);
  free(block->order);
  free(block->shared);
  free(block->local);
  free(block);
}

static uint64_t mix(uint64_t x)
{
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

static void order_warps(struct block *block)
{
  uint64_t seed = block->grid->launch->order_seed;

  for (uint32_t i = 0; i < block->n_warps; i++)
    block->order[i] = i;
  if (seed == 0)
    return;
  for (uint32_t i = block->n_warps - 1; i > 0; i--) {
    uint32_t k = (uint32_t)(mix(seed ^ block->index << 16 ^ i) % (i + 1));
    uint32_t other = block->order[k];

    block->order[k] = block->order[i];
    block->order[i] = other;
  }
}

/* Memory was freed meanwhile (by device code, or by another stream): forget
 * where things were. */
static void refresh_ranges(struct worker *worker)
{
  uint64_t generation = memory_generation();

  if (generation == worker->generation)
    return;
  worker->generation = generation;
  memset(worker->ranges, 0,
         worker->grid->program->n_records * sizeof *worker->ranges);
}

/* Where the block is in its cluster, which usually has no other block. */
static void take_place(struct block *block)
{
  const uint32_t *extent = block->grid->launch->cluster;
  uint32_t at[3];

  for (unsigned i = 0; i < 3; i++) {
    at[i] = block->id[i] % extent[i];
    fill(block, BLOCK_CLUSTERID_X + i, block->id[i] / extent[i]);
    fill(block, BLOCK_CLUSTER_CTAID_X + i, at[i]);
  }
  block->rank = at[0] + extent[0] * (at[1] + extent[1] * at[2]);
  fill(block, BLOCK_CLUSTER_RANK, block->rank);
  block->cluster = NULL;
  block->cluster_phase = block->cluster_arrived = 0;
  block->ended = false;
}

/* The CPU has fewer threads than a GPU has SMs. In a part of the GPU it is the
 * SMs that matter, so the blocks visit all of the part's. */
static uint32_t sm_of(const struct worker *worker, uint64_t index)
{
  const struct launch *launch = worker->grid->launch;

  return launch->sms != NULL ? launch->sms[index % launch->n_sms]
                             : worker->index;
}

struct block *block_start(struct worker *worker, uint64_t index)
{
  const uint32_t *grid = worker->grid->launch->grid;
  struct block *block = worker->free_blocks;

  if (block != NULL)
    worker->free_blocks = block->next;
  else
    block = block_new(worker);
  block->index = index;
  block->id[0] = (uint32_t)(index % grid[0]);
  block->id[1] = (uint32_t)(index / grid[0] % grid[1]);
  block->id[2] = (uint32_t)(index / grid[0] / grid[1]);
  for (unsigned i = 0; i < 3; i++)
    fill(block, BLOCK_CTAID_X + i, block->id[i]);
  fill(block, BLOCK_SMID, sm_of(worker, index));
  take_place(block);
  block->n_done = 0;
  block->n_alive = block->n_threads;
  memset(block->barriers, 0, sizeof block->barriers);
  memset(block->warpgroups, 0, sizeof block->warpgroups);
  order_warps(block);
  if (block->grid->function->reserves_shared)
    memset(block->shared + block->shared_bytes - RESERVED_SHARED, 0,
           RESERVED_SHARED);
  checked_block_start(block);
  for (uint32_t i = 0; i < block->n_warps; i++)
    warp_start(&block->warps[i]);
  return block;
}

void block_finish(struct worker *worker, struct block *block)
{
  for (uint32_t i = 0; i < block->n_warps; i++) {
    async_finish(&block->warps[i]);
    warp_paths_free(&block->warps[i]);
  }
  block->next = worker->free_blocks;
  worker->free_blocks = block;
}

void block_free_all(struct worker *worker)
{
  while (worker->free_blocks != NULL) {
    struct block *next = worker->free_blocks->next;

    block_free(worker->free_blocks);
    worker->free_blocks = next;
  }
}

void block_deadlock(struct block *block)
{
  struct warp *w = block->warps;
  char text[480];
  const struct path *path;

  if (atomic_load(&block->grid->asserted)) { /* they wait for lanes that
                                                failed an assertion */
    atomic_store(&block->grid->stopped, 1);
    return;
  }
  while (w->done || w->paths == NULL)
    w++;
  for (path = w->paths; path->state == PATH_READY && path->next != NULL;)
    path = path->next;
  barrier_describe(block, text, sizeof text);
  /* An H200 refuses a wgmma that not all warps of the warpgroup execute. */
  exec_fault(w, NULL, (unsigned)__builtin_ctz(path->mask),
             path->state == PATH_AT_BARRIER &&
                     path->barrier == WARPGROUP_BARRIER
                 ? FAULT_ILLEGAL
                 : FAULT_BARRIER,
             "%s:%s", barrier_cause(block), text);
  fault_place(w, path->state == PATH_AT_BARRIER ? path->pc - 1 : path->pc,
              (unsigned)__builtin_ctz(path->mask));
}

static bool polls(const struct block *block)
{
  for (uint32_t i = 0; i < block->n_warps; i++)
    if (!block->warps[i].done && block->warps[i].polled)
      return true;
  return false;
}

bool block_let_lanes_go(struct block *block)
{
  bool some = false;

  for (uint32_t i = 0; i < block->n_warps; i++)
    some |= path_let_anyone_go(&block->warps[i]);
  return some;
}

/* How long others go on after a failed assertion. */
static bool assert_is_over(struct worker *worker)
{
  if (worker->rounds_left == 0)
    worker->rounds_left = ASSERT_ROUNDS + 1;
  if (--worker->rounds_left == 1)
    atomic_store(&worker->grid->stopped, 1);
  return worker->rounds_left == 1;
}

/* One turn for each warp. */
static enum turn block_round(struct block *block)
{
  enum turn best = TURN_NONE;

  if (atomic_load_explicit(&block->grid->asserted, memory_order_relaxed) &&
      assert_is_over(block->warps[0].worker))
    return TURN_STOPPED;
  refresh_ranges(block->warps[0].worker);
  if (block->grid->launch->time_limit != 0 && overtime_is_up(block))
    return TURN_STOPPED;
  for (uint32_t i = 0; i < block->n_warps; i++) {
    struct warp *w = &block->warps[block->order[i]];
    enum turn turn;

    if (w->done)
      continue;
    turn = warp_turn(w);
    if (atomic_load_explicit(&block->grid->stopped, memory_order_relaxed))
      return TURN_STOPPED;
    best = turn > best ? turn : best;
    if (w->paths == NULL) {
      w->done = true;
      block->n_done++;
    }
  }
  return best;
}

enum block_progress block_run(struct block *block)
{
  bool is_checked = block->checked != NULL && block->cluster == NULL;
  bool ran = false;
  unsigned rounds = 0;

  block->looked = false;
  for (unsigned idle = 0; idle < IDLE_ROUNDS;) {
    switch (block_round(block)) {
    case TURN_STOPPED: return BLOCK_STOPPED;
    case TURN_NONE:
      if (block->n_done != block->n_warps) {
        if (block->cluster != NULL)
          return ran ? BLOCK_WAITING : BLOCK_STUCK;
        if (block_let_lanes_go(block))
          break;
        block_deadlock(block);
        return BLOCK_STOPPED;
      }
      break;
    case TURN_WAITED:
      idle++;
      ran = true;
      break;
    case TURN_RAN:
      idle = 0;
      ran = true;
      break;
    }
    if (block->n_done == block->n_warps)
      return BLOCK_DONE;
    if (++rounds >= POLLING_ROUNDS && polls(block))
      break;
    if (is_checked && block->looked && rounds >= CHECKED_ROUNDS)
      return BLOCK_PAUSED;
    if (rounds % LOOK_ROUNDS == 0 && endless_is(block))
      return BLOCK_STOPPED;
  }
  return BLOCK_RUNNING;
}
