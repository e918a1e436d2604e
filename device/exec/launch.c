/* Prepares a grid, runs it on worker threads that take one cluster after the
 * other, and collects counts and faults. */
#include "launch.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../support/small_limits.h"
#include "../support/host_memory.h"
#include "block.h"
#include "call_stack.h"
#include "checked.h"
#include "cluster.h"
#include "endless.h"
#include "machine.h"
#include "merge.h"
#include "overtime.h"
#include "path.h"
#include "place.h"

/* Memory of the grid-wide barrier. */
enum { WORKSPACE = 1024 };
/* The most blocks that are under way at a time where they wait for each
 * other: what a GPU with 132 multiprocessors of 2048 threads holds. */
enum { MULTIPROCESSORS = 132, THREADS = 2048, MOST_BLOCKS = 32 };
/* Room for blocks under way, at first. */
enum { FIRST_RESIDENTS = LIMIT(8, 1) };

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
  while (b != 0) {
    uint64_t r = a % b;

    a = b;
    b = r;
  }
  return a;
}

/* The n-th cluster to run (usually a single block): a walk with a step that
 * visits every one once. */
static uint64_t shuffled(const struct grid *grid, uint64_t n)
{
  uint64_t seed = grid->launch->order_seed, step;

  if (seed == 0)
    return n;
  step = (seed * UINT64_C(0x9e3779b97f4a7c15) >> 20) % grid->n_clusters;
  while (greatest_common_divisor(step == 0 ? grid->n_clusters : step,
                                 grid->n_clusters) != 1)
    step++;
  return (uint64_t)(((unsigned __int128)n * step + seed) % grid->n_clusters);
}

static uint32_t cluster_blocks(const struct launch *launch)
{
  return launch->cluster[0] * launch->cluster[1] * launch->cluster[2];
}

/* The next block, or the first of the next cluster. */
static struct block *next_block(struct worker *worker)
{
  struct grid *grid = worker->grid;
  uint64_t n = atomic_fetch_add(&grid->next_block, 1);

  if (n >= grid->n_clusters)
    return NULL;
  n = shuffled(grid, n);
  return cluster_blocks(grid->launch) == 1 ? block_start(worker, n)
                                           : cluster_start(worker, n);
}

static enum block_progress run_resident(struct block *block)
{
  return block->cluster == NULL ? block_run(block)
                                : cluster_run(block->cluster);
}

static void finish_resident(struct worker *worker, struct block *block)
{
  endless_end(block);
  if (block->cluster == NULL)
    block_finish(worker, block);
  else
    cluster_finish(worker, block->cluster);
}

static unsigned resident_limit(const struct launch *launch)
{
  uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
  uint32_t each = threads == 0 ? 1 : THREADS / threads;

  if (launch->cooperative)
    return UINT32_MAX;
  each = each == 0 ? 1 : each > MOST_BLOCKS ? MOST_BLOCKS : each;
  return (MULTIPROCESSORS * each - 1) / cluster_blocks(launch) + 1;
}

struct residents {
  struct block **blocks;
  unsigned n, at, capacity;
  bool more; /* blocks not yet started */
};

static void add_resident(struct worker *worker, struct residents *r)
{
  struct block *block = next_block(worker);

  if (block == NULL) {
    r->more = false;
    return;
  }
  if (r->n == r->capacity) {
    r->capacity = r->capacity == 0 ? FIRST_RESIDENTS : 2 * r->capacity;
    r->blocks = host_grow(r->blocks, r->capacity, sizeof *r->blocks);
  }
  endless_begin(block);
  r->at = r->n;
  r->blocks[r->n++] = block;
}

/* Blocks that only pause leave it at so many that have begun. */
enum { PAUSED_RESIDENTS = 8 };

/* Runs blocks one after the other. Where one only waits for another, further
 * ones are started beside it: in a cooperative launch all of them. */
static void *work(void *context)
{
  struct worker *worker = context;
  struct grid *grid = worker->grid;
  struct residents r = { .more = true };
  unsigned limit = resident_limit(grid->launch);

  while (atomic_load_explicit(&grid->stopped, memory_order_relaxed) == 0) {
    if (r.at >= r.n && r.more && r.n < limit)
      add_resident(worker, &r);
    if (r.n == 0)
      break;
    if (r.at >= r.n)
      r.at = 0;
    switch (run_resident(r.blocks[r.at])) {
    case BLOCK_DONE:
      overtime_progress(grid);
      finish_resident(worker, r.blocks[r.at]);
      r.blocks[r.at] = r.blocks[--r.n];
      r.at = r.n; /* a new one, before the others go round again */
      break;
    case BLOCK_RUNNING:
      overtime_waits(r.blocks[r.at]);
      endless_is(r.blocks[r.at++]);
      break;
    case BLOCK_PAUSED:
      overtime_progress(grid);
      endless_is(r.blocks[r.at]);
      if (++r.at == r.n && r.n >= PAUSED_RESIDENTS)
        r.at = 0;
      break;
    default: overtime_progress(grid); r.at++;
    }
  }
  atomic_store(&worker->turns, UINT64_MAX);
  while (r.n > 0)
    finish_resident(worker, r.blocks[--r.n]);
  free(r.blocks);
  return NULL;
}

_Static_assert(COUNT_CLASSES < UINT8_MAX, "a worker keeps a class in a byte");

static void prepare_worker(struct grid *grid, unsigned index)
{
  struct worker *worker = &grid->workers[index];
  size_t n = grid->program->n_records + 1;

  memset(worker, 0, sizeof *worker);
  worker->grid = grid;
  worker->index = index;
  worker->generation = memory_generation();
  worker->counts = host_new(n, sizeof *worker->counts);
  worker->classes = host_new(n, sizeof *worker->classes);
  worker->ranges = host_new(n, sizeof *worker->ranges);
  worker->patterns = host_new_aligned(LANE_ALIGNMENT,
                                      BANK_PATTERNS * sizeof *worker->patterns);
  worker->seen_turns = host_new(grid->n_workers, sizeof *worker->seen_turns);
}

static void release_worker(struct worker *worker)
{
  block_free_all(worker);
  while (worker->free_frames != NULL) {
    struct frame *next = worker->free_frames->caller;

    free(worker->free_frames);
    worker->free_frames = next;
  }
  while (worker->free_joins != NULL) {
    struct join *next = worker->free_joins->parent;

    free(worker->free_joins);
    worker->free_joins = next;
  }
  while (worker->free_paths != NULL) {
    struct path *next = worker->free_paths->next;

    free(worker->free_paths);
    worker->free_paths = next;
  }
  free(worker->counts);
  free(worker->classes);
  free(worker->ranges);
  free(worker->patterns);
  free(worker->seen_turns);
}

static uint64_t stack_limit_of(const struct launch *launch)
{
  return launch->stack_limit == 0 ? DEFAULT_STACK_LIMIT : launch->stack_limit;
}

static void prepare_grid(struct grid *grid, const struct launch *launch)
{
  static atomic_uint_fast64_t launches;
  const struct kernel *kernel = launch->kernel;

  memset(grid, 0, sizeof *grid);
  grid->launch = launch;
  grid->kernel = kernel;
  grid->program = kernel->program;
  grid->function = kernel->function;
  grid->n_blocks =
      (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
  grid->n_clusters = grid->n_blocks / cluster_blocks(launch);
  grid->number = atomic_fetch_add(&launches, 1) + 1;
  grid->local_stride = grid->function->local_bytes +
                       call_stack_bytes(grid->function, stack_limit_of(launch),
                                        &grid->most_stack);
  grid->static_shared_bytes = place_dynamic_shared(grid->function);
  grid->user_shared_bytes =
      launch->dynamic_shared_bytes == 0
          ? place_shared_bytes(grid->function)
          : grid->static_shared_bytes + launch->dynamic_shared_bytes;
  grid->shared_bytes = grid->user_shared_bytes;
  if (grid->function->reserves_shared)
    grid->shared_bytes =
        ((grid->shared_bytes + 127) & ~UINT32_C(127)) + RESERVED_SHARED;
  grid->parameters = host_new(1, kernel->parameter_bytes + 1);
  if (kernel->parameter_bytes > 0)
    memcpy(grid->parameters, launch->parameters, kernel->parameter_bytes);
  pthread_mutex_init(&grid->lock, NULL);
  if (launch->cooperative)
    grid->workspace = memory_allocate(WORKSPACE, 256, MEMORY_VARIABLE,
                                      launch->device, "grid barrier");
  if (grid->workspace != 0)
    memset(memory_view(grid->workspace, WORKSPACE), 0, WORKSPACE);
}

static unsigned workers_for(const struct launch *launch, uint64_t n_blocks)
{
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  unsigned n = launch->n_workers != 0 ? launch->n_workers
               : online > 0           ? (unsigned)online
                                      : 1;

  return n_blocks < n ? (n_blocks == 0 ? 1 : (unsigned)n_blocks) : n;
}

static void run_workers(struct grid *grid)
{
  for (unsigned i = 1; i < grid->n_workers; i++)
    if (pthread_create(&grid->workers[i].thread, NULL, work,
                       &grid->workers[i]) != 0) {
      /* No thread: the others do its share, and none waits for its turns. */
      grid->workers[i].index = 0;
      atomic_store(&grid->workers[i].turns, UINT64_MAX);
    }
  work(&grid->workers[0]);
  for (unsigned i = 1; i < grid->n_workers; i++)
    if (grid->workers[i].index != 0)
      pthread_join(grid->workers[i].thread, NULL);
}

int launch_run(const struct launch *wanted, struct launch_counts *counts,
               struct fault *fault)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  struct launch launch = *wanted;
  struct grid grid;
  int result = 0;

  pthread_once(&once, host_keep_freed);
  for (unsigned i = 0; i < 3; i++)
    if (launch.cluster[i] == 0)
      launch.cluster[i] = 1;
  prepare_grid(&grid, &launch);
  grid.n_workers = workers_for(&launch, grid.n_clusters);
  grid.workers = host_new(grid.n_workers, sizeof *grid.workers);
  for (unsigned i = 0; i < grid.n_workers; i++)
    prepare_worker(&grid, i);
  overtime_begin(&grid);
  checked_launch_begin(&grid);
  run_workers(&grid);
  merge_counts(&grid, counts);
  for (unsigned i = 0; i < grid.n_workers; i++) {
    bool asserted = grid.workers[i].fault.kind == FAULT_ASSERT;

    if (grid.workers[i].faulted &&
        (result == 0 || (asserted && fault->kind != FAULT_ASSERT))) {
      *fault = grid.workers[i].fault;
      result = -1;
    }
    release_worker(&grid.workers[i]);
  }
  checked_launch_end(&grid);
  free(grid.workers);
  free(grid.parameters);
  if (grid.workspace != 0)
    memory_release(grid.workspace);
  pthread_mutex_destroy(&grid.lock);
  return result;
}
