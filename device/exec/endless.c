/* Hashes everything that a block can still see, again and again. When every
 * block keeps coming back to the same states, the launch is stopped. */
#include "endless.h"

#include <string.h>
#include <time.h>

#include "fault.h"
#include "overtime.h"

/* How long after the launch began a block is first looked at, and how long
 * after that the next time: a look at a large block takes a millisecond, which
 * should not be much of what a long launch takes. A block that is known to
 * repeat itself loses nothing by being looked at more often. */
#define PATIENCE UINT64_C(1000000000)
#define PAUSE UINT64_C(20000000)
#define PAUSE_OF_REPEATS UINT64_C(4000000)
/* A kernel is stopped when each of its blocks was found to repeat itself this
 * often while nothing else could change anything. Looks are counted, not
 * seconds: a block that had no processor for a while proves nothing. */
enum { CONFIRMATIONS = 150 };
/* Looks that found the same state again; looks without, until another state is
 * waited for; the longest wait for a first time. */
enum { MATCHES = 8, MISSES = 64, LONGEST = 256 };
/* A block with more local memory is not looked at. */
#define MOST_LOCAL ((size_t)8 << 20)

static uint64_t now(void)
{
  struct timespec t;

  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Something happened that may end the kernel: every block has to be found
 * repeating itself anew. The upper half of `quiet` numbers the quiet times; the
 * lower half counts the blocks confirmed in the present one. */
static void disturb(struct grid *grid)
{
  uint64_t quiet = atomic_load(&grid->quiet);

  while (!atomic_compare_exchange_weak(&grid->quiet, &quiet,
                                       ((quiet >> 32) + 1) << 32))
    ;
}

void endless_begin(struct block *block)
{
  memset(&block->seen, 0, sizeof block->seen);
  block->seen.limit = 1;
  atomic_fetch_add(&block->grid->n_residents, 1);
  disturb(block->grid);
}

void endless_end(struct block *block)
{
  atomic_fetch_sub(&block->grid->n_residents, 1);
  disturb(block->grid);
}

static uint64_t mix(uint64_t h, const void *data, size_t bytes)
{
  const uint8_t *p = data;
  uint64_t word;

  for (; bytes >= sizeof word; bytes -= sizeof word, p += sizeof word) {
    memcpy(&word, p, sizeof word);
    h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    h ^= h >> 29;
  }
  for (; bytes > 0; bytes--, p++)
    h = (h ^ *p) * UINT64_C(0x100000001b3);
  return h;
}

static uint64_t state_of_path(const struct path *path)
{
  const uint64_t place[] = { path->mask, (uint64_t)path->state,
                             (uint64_t)(uintptr_t)path->pc, path->barrier };
  uint64_t h = mix(1, place, sizeof place);

  for (const struct frame *f = path->frame; f != NULL; f = f->caller) {
    h = mix(h, &f->return_step, sizeof f->return_step);
    h = mix(h, f->registers, f->function->frame_bytes);
  }
  for (const struct join *j = path->join; j != NULL; j = j->parent) {
    const uint64_t join[] = { (uint64_t)(uintptr_t)j->at, j->expected,
                              j->arrived };

    h = mix(h, join, sizeof join);
  }
  return h;
}

/* Paths take turns: their order is no part of it. */
static uint64_t state_of(const struct block *block)
{
  uint64_t h = mix(2, block->barriers, sizeof block->barriers);

  h = mix(h, block->shared, block->shared_bytes);
  h = mix(h, block->local,
          (size_t)block->n_warps * LANES * block->grid->local_stride);
  for (uint32_t i = 0; i < block->n_warps; i++) {
    uint64_t paths = block->warps[i].alive;

    for (const struct path *p = block->warps[i].paths; p != NULL; p = p->next)
      paths += state_of_path(p);
    h = mix(h, &paths, sizeof paths);
  }
  return h;
}

/* Is the block where it was before? What it is compared with is taken anew
 * after longer and longer times, until it comes back. */
static bool look(struct block *block)
{
  uint64_t state = state_of(block);

  block->seen.looks++;
  if (state == block->seen.state) {
    block->seen.misses = 0;
    if (++block->seen.matches == MATCHES)
      block->seen.repeats = true;
    return true;
  }
  if (block->seen.matches > 0 ? ++block->seen.misses < MISSES
                              : block->seen.looks < block->seen.limit)
    return false;
  if (block->seen.repeats)
    disturb(block->grid);
  block->seen.repeats = false;
  if (block->seen.limit < LONGEST)
    block->seen.limit *= 2;
  block->seen.state = state;
  block->seen.looks = block->seen.matches = block->seen.misses = 0;
  return false;
}

/* The threads that the launch itself still has: the one that called, which
 * waits for the others at the end, and each worker that is not done. */
static unsigned own_threads(const struct grid *grid)
{
  unsigned n = 1;

  for (unsigned i = 1; i < grid->n_workers; i++)
    n += grid->workers[i].index != 0 &&
         atomic_load(&grid->workers[i].turns) != UINT64_MAX;
  return n;
}

/* Counts a look that found the block repeating itself. Whether anything else
 * is left is asked each time, not once at the end: a thread that sets a flag
 * and exits between this look and that question must not be missed. */
static void confirm(struct block *block)
{
  struct grid *grid = block->grid;
  uint64_t quiet = atomic_load(&grid->quiet);

  if (!grid->launch->is_alone(own_threads(grid))) {
    disturb(grid);
    return;
  }
  if (block->seen.quiet != quiet >> 32) {
    block->seen.quiet = quiet >> 32;
    block->seen.confirmations = 0;
  }
  if (++block->seen.confirmations != CONFIRMATIONS)
    return;
  while (block->seen.quiet == quiet >> 32 &&
         !atomic_compare_exchange_weak(&grid->quiet, &quiet, quiet + 1))
    ;
}

/* Blocks that have yet to begin might be what the others wait for. */
static bool all_began(const struct grid *grid)
{
  return atomic_load(&grid->next_block) >= grid->n_clusters;
}

static bool all_confirmed(const struct grid *grid)
{
  return (uint32_t)atomic_load(&grid->quiet) ==
         (uint32_t)atomic_load(&grid->n_residents);
}

bool endless_is(struct block *block)
{
  uint64_t t, pause = block->seen.repeats ? PAUSE_OF_REPEATS : PAUSE;
  struct grid *grid = block->grid;

  if (grid->launch->is_alone == NULL || block->cluster != NULL)
    return false;
  t = now();
  if (t - grid->started < PATIENCE || t - block->seen.at < pause ||
      (size_t)block->n_warps * LANES * grid->local_stride > MOST_LOCAL)
    return false;
  block->seen.at = t;
  if (look(block) && block->seen.repeats)
    confirm(block);
  if (!all_confirmed(grid) || !all_began(grid))
    return false;
  overtime_stop(block, FAULT_ENDLESS,
                "its threads go round in circles: nothing changes, and there "
                "is nothing left that\n  could change it. A launch is done "
                "when it returns, so what the host does after it comes\n  "
                "too late; a loop whose variable is neither volatile nor "
                "atomic may have read it only once.");
  return true;
}
