/* Gives the blocks of a cluster turns and runs their common barrier. */
#include "cluster.h"

#include <stdlib.h>
#include <string.h>

#include "../support/small_limits.h"
#include "../support/host_memory.h"
#include "fault.h"
#include "launch.h"
#include "path.h"

/* How often the blocks of a cluster have their turns before others have. */
enum { SWEEPS = LIMIT(64, 2) };

struct block *cluster_start(struct worker *worker, uint64_t number)
{
  const struct launch *launch = worker->grid->launch;
  const uint32_t *extent = launch->cluster, *grid = launch->grid;
  uint32_t n = extent[0] * extent[1] * extent[2], first[3];
  struct cluster *cluster =
      host_new(1, sizeof *cluster + n * sizeof *cluster->blocks);

  cluster->n = n;
  for (unsigned i = 0; i < 3; i++) {
    first[i] = (uint32_t)(number % (grid[i] / extent[i])) * extent[i];
    number /= grid[i] / extent[i];
  }
  for (uint32_t rank = 0; rank < n; rank++) {
    uint64_t x = first[0] + rank % extent[0];
    uint64_t y = first[1] + rank / extent[0] % extent[1];
    uint64_t z = first[2] + rank / extent[0] / extent[1];
    struct block *block = block_start(worker, x + grid[0] * (y + grid[1] * z));

    block->cluster = cluster;
    cluster->blocks[rank] = block;
  }
  return cluster->blocks[0];
}

void cluster_finish(struct worker *worker, struct cluster *cluster)
{
  for (uint32_t i = 0; i < cluster->n; i++)
    block_finish(worker, cluster->blocks[i]);
  free(cluster);
}

/* Nothing can run in any block: lanes that wait for others go on alone. */
static bool free_some(struct cluster *cluster)
{
  bool some = false;

  for (uint32_t i = 0; i < cluster->n; i++)
    if (!cluster->blocks[i]->ended)
      some |= block_let_lanes_go(cluster->blocks[i]);
  return some;
}

static enum block_progress stuck(struct cluster *cluster)
{
  uint32_t i = 0;

  if (free_some(cluster))
    return BLOCK_WAITING;
  while (cluster->blocks[i]->ended)
    i++;
  block_deadlock(cluster->blocks[i]);
  return BLOCK_STOPPED;
}

/* One turn for each block. */
static enum block_progress sweep(struct cluster *cluster)
{
  uint64_t seed = cluster->blocks[0]->grid->launch->order_seed;
  enum block_progress best = BLOCK_STUCK;

  for (uint32_t i = 0; i < cluster->n; i++) {
    struct block *block = cluster->blocks[(i + seed) % cluster->n];
    enum block_progress progress;

    if (block->ended)
      continue;
    progress = block_run(block);
    if (progress == BLOCK_STOPPED)
      return BLOCK_STOPPED;
    if (progress == BLOCK_DONE) {
      block->ended = true;
      cluster->n_ended++;
      progress = BLOCK_WAITING;
    }
    best = progress > best ? progress : best;
  }
  if (cluster->n_ended == cluster->n)
    return BLOCK_DONE;
  return best == BLOCK_STUCK ? stuck(cluster) : best;
}

enum block_progress cluster_run(struct cluster *cluster)
{
  enum block_progress progress = BLOCK_WAITING;

  for (unsigned i = 0; i < SWEEPS && progress == BLOCK_WAITING; i++)
    progress = sweep(cluster);
  return progress;
}

/* ---- the barrier -------------------------------------------------------- */

static uint32_t n_blocks(const struct block *block)
{
  return block->cluster == NULL ? 1 : block->cluster->n;
}

static struct block *nth(struct block *block, uint32_t i)
{
  return block->cluster == NULL ? block : block->cluster->blocks[i];
}

static void release_cluster(struct block *block)
{
  for (uint32_t i = 0; i < block->n_warps; i++) {
    struct warp *w = &block->warps[i];

    for (struct path *path = w->paths; path != NULL; path = path->next)
      if (path->state == PATH_AT_BARRIER && path->barrier == CLUSTER_BARRIER) {
        path->state = PATH_READY;
        w->at_cluster &= ~path->mask;
      }
  }
}

/* Ends the phase when all threads that live have arrived. */
static void check_cluster_barrier(struct block *block)
{
  struct block *lead = nth(block, 0);
  uint32_t alive = 0;

  for (uint32_t i = 0; i < n_blocks(block); i++)
    alive += nth(block, i)->n_alive;
  if (lead->cluster_arrived == 0 || lead->cluster_arrived < alive)
    return;
  lead->cluster_phase++;
  lead->cluster_arrived = 0;
  for (uint32_t i = 0; i < n_blocks(block); i++)
    release_cluster(nth(block, i));
}

/* Lanes that have arrived in the phase that is running. */
static uint32_t arrived_now(const struct warp *w, const struct block *lead)
{
  return w->at_cluster &
         (lead->cluster_phase & 1 ? w->cluster_odd : ~w->cluster_odd);
}

void cluster_lanes_left(struct warp *w, uint32_t lanes)
{
  struct block *lead = nth(w->block, 0);

  if (lead->cluster_arrived == 0)
    return;
  lead->cluster_arrived -=
      (uint32_t)__builtin_popcount(arrived_now(w, lead) & lanes);
  w->at_cluster &= ~lanes;
  check_cluster_barrier(w->block);
}

const struct step *cluster_arrive(struct warp *w, const struct step *s)
{
  struct block *lead = nth(w->block, 0);
  uint32_t mask = step_mask(w, s);

  if (mask == 0)
    return s + 1;
  if (mask & w->at_cluster)
    return exec_fault(w, s, (unsigned)__builtin_ctz(mask & w->at_cluster),
                      FAULT_BARRIER,
                      "barrier.cluster.arrive a second time, "
                      "without a barrier.cluster.wait between");
  w->at_cluster |= mask;
  w->cluster_odd &= ~mask;
  if (lead->cluster_phase & 1)
    w->cluster_odd |= mask;
  lead->cluster_arrived += (uint32_t)__builtin_popcount(mask);
  check_cluster_barrier(w->block);
  return s + 1;
}

const struct step *cluster_wait(struct warp *w, const struct step *s)
{
  uint32_t mask = step_mask(w, s), wait;

  if (mask & ~w->at_cluster)
    return exec_fault(w, s, (unsigned)__builtin_ctz(mask & ~w->at_cluster),
                      FAULT_BARRIER,
                      "barrier.cluster.wait without barrier.cluster.arrive");
  wait = mask & arrived_now(w, nth(w->block, 0));
  w->at_cluster &= ~(mask & ~wait);
  if (wait == 0)
    return s + 1;
  if (wait != w->mask) { /* the others' phase is over */
    path_split(w, w->mask & ~wait, s + 1, NULL);
    w->mask = wait;
  }
  w->path->state = PATH_AT_BARRIER;
  w->path->barrier = CLUSTER_BARRIER;
  w->path->mask = w->mask;
  w->path->pc = s + 1;
  return NULL;
}
