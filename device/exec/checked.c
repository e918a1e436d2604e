/* Decides for each instruction what the checks need to know of it, and puts a
 * handler in front of its own. */
#include "checked.h"

#include <stdlib.h>
#include <string.h>

#include "../check/watch.h"
#include "../support/host_memory.h"
#include "async.h"
#include "atomic.h"
#include "barrier.h"
#include "checked_async_proxy.h"
#include "checked_chosen.h"
#include "checked_flow.h"
#include "checked_site.h"
#include "checked_uses.h"
#include "cluster.h"
#include "control.h"
#include "lanes/handlers.h"
#include "mbarrier.h"
#include "memory_order.h"
#include "place.h"
#include "story.h"
#include "wgmma.h"

/* ---- sites -------- */

static bool starts(const char *opcode, const char *with)
{
  return strncmp(opcode, with, strlen(with)) == 0;
}

static bool has(const char *opcode, const char *modifier)
{
  size_t n = strlen(modifier);

  for (const char *at = strchr(opcode, '.'); at != NULL;
       at = strchr(at + 1, '.'))
    if (strncmp(at + 1, modifier, n) == 0 &&
        (at[1 + n] == '\0' || at[1 + n] == '.'))
      return true;
  return false;
}

static void set_order(struct check_site *site, const char *opcode)
{
  bool both = has(opcode, "acq_rel") || has(opcode, "sc");

  if (starts(opcode, "atom") || starts(opcode, "red."))
    site->kind = CHECK_ATOMIC;
  else if (has(opcode, "relaxed") || has(opcode, "acquire") ||
           has(opcode, "release") || has(opcode, "mmio"))
    site->kind = CHECK_STRONG;
  else if (has(opcode, "volatile"))
    site->kind = CHECK_VOLATILE;
  if (both || has(opcode, "acquire"))
    site->order |= CHECK_ACQUIRE;
  if (both || has(opcode, "release"))
    site->order |= CHECK_RELEASE;
  if (has(opcode, "cta"))
    site->order |= CHECK_SCOPE_BLOCK;
}

static unsigned register_bytes(enum transfer transfer)
{
  switch (transfer) {
  case TRANSFER_U8_16:
  case TRANSFER_S8_16:
  case TRANSFER_16_16: return 2;
  case TRANSFER_U8_32:
  case TRANSFER_S8_32:
  case TRANSFER_U16_32:
  case TRANSFER_S16_32:
  case TRANSFER_32_32: return 4;
  case TRANSFER_128_128: return 16;
  default: return 8;
  }
}

static bool among(step_function *run, step_function *const *table, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (table[i] == run)
      return true;
  return false;
}

static step_function *handler_for(const struct step *s, struct check_site *site)
{
  const struct lane_handlers *lanes = lane_handlers();

  if (among(s->run, lanes->load, TRANSFERS) || s->run == lanes->load_many ||
      s->run == atomic_load_lanes || s->run == atomic_load_vector)
    site->loads = true;
  else if (among(s->run, lanes->store, TRANSFERS) ||
           s->run == lanes->store_many || s->run == atomic_store_lanes ||
           s->run == atomic_store_vector)
    site->stores = true;
  else if (s->run == atomic_run)
    site->loads = site->stores = true;
  if (site->loads || site->stores)
    return checked_memory;
  if (s->run == wgmma_multiply)
    return checked_wgmma;
  if (s->run == wgmma_order)
    return checked_wgmma_order;
  if (s->run == async_copy)
    return checked_async;
  if (s->run == mbarrier_run)
    return checked_mbarrier;
  if (s->run == barrier_block)
    return checked_barrier;
  if (s->run == cluster_arrive || s->run == cluster_wait)
    return checked_cluster;
  if (s->run == warp_operation)
    return checked_warp;
  if (s->run == control_exit)
    return checked_exit;
  if (s->run == control_call)
    return checked_call;
  if (s->run == control_leave)
    return checked_leave;
  return s->run == memory_fence && s->flags == 0 ? checked_fence : NULL;
}

static void describe_load(struct check_site *site, struct flow *flow,
                          const struct uses *uses,
                          const struct ptx_instruction *load)
{
  uses_describe(uses, load, site);
  site->kept = flow_is_kept(flow, load);
  if (site->kind == CHECK_PLAIN && flow_is_compared(flow, load))
    site->kind = CHECK_VOLATILE;
}

static void check_step(struct program *program, struct step *s,
                       const struct uses *uses, struct flow *flow,
                       bool arrivals)
{
  const struct ptx_instruction *ptx = program->records[s->record].ptx;
  struct check_site site = { .run = s->run };
  step_function *handler = handler_for(s, &site);
  const char *opcode = ptx == NULL ? "" : ptx->opcode;

  if (handler == NULL && check_wanted(CHECK_INIT) && ptx != NULL &&
      chosen_follows(uses, s, &site))
    program->sites[s->record] = site;
  if (handler == NULL)
    return;
  site.aligned = starts(opcode, "bar.") || has(opcode, "aligned");
  site.of_block = has(opcode, "cta");
  site.fences_proxy = starts(opcode, "fence.proxy.async");
  site.arrivals = arrivals;
  if (handler == checked_memory) {
    const struct memory_extra *extra = s->extra;

    set_order(&site, opcode);
    site.skip_init = starts(opcode, "ld.param");
    site.register_bytes = register_bytes(extra->transfer);
    site.used = UINT32_MAX;
    if (starts(opcode, "ld."))
      describe_load(&site, flow, uses, ptx);
  }
  if (starts(opcode, "shfl."))
    uses_describe(uses, ptx, &site);
  program->sites[s->record] = site;
  s->run = handler;
}

/* Instructions that write memory that the checks don't see. */
static bool writes_unseen(const char *opcode)
{
  static const char *const names[] = {
    "cp.async.bulk", "cp.reduce", "st.async", "red.async",
    "st.bulk",       "sust",      "sured",    "multimem",
  };

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (starts(opcode, names[i]))
      return true;
  return false;
}

static bool has_arrivals(const struct program *program)
{
  for (size_t f = 0; f < program->n_functions; f++) {
    const struct ptx_function *ptx = program->functions[f]->ptx;

    for (size_t i = 0; i < ptx->n_instructions; i++)
      if (starts(ptx->instructions[i].opcode, "bar") &&
          has(ptx->instructions[i].opcode, "arrive"))
        return true;
  }
  return false;
}

void checked_program(struct program *program)
{
  bool arrivals;

  if (!check_wanted(CHECK_MEMORY | CHECK_INIT | CHECK_RACE | CHECK_SYNC |
                    CHECK_API))
    return;
  check_watch_memory();
  program->sites = host_new(program->n_records + 1, sizeof *program->sites);
  arrivals = has_arrivals(program);
  for (size_t f = 0; f < program->n_functions; f++) {
    struct function *function = program->functions[f];
    struct uses *uses = uses_find(function);
    struct flow *flow = flow_find(function);

    for (size_t i = 0; i < function->n_steps; i++)
      check_step(program, &function->steps[i], uses, flow, arrivals);
    for (size_t i = 0; i < function->ptx->n_instructions; i++)
      program->hidden_writes |=
          writes_unseen(function->ptx->instructions[i].opcode);
    uses_free(uses);
    flow_free(flow);
    program->has_async_proxy |= proxy_function(program, function);
  }
}

void checked_program_free(struct program *program) { free(program->sites); }

/* ---- launches and blocks -------- */

static struct check_place place_of_record(const void *context, uint32_t record)
{
  const struct program *program = context;
  struct check_place place = { 0 };

  if (record < program->n_records && program->records[record].ptx != NULL) {
    place.source = story_of_line(program, program->records[record].ptx);
    place.ptx_line = program->records[record].ptx->line;
  }
  return place;
}

static void story_of(const void *grid, enum fault_space space, uint64_t address,
                     char *text, size_t n_text)
{
  story_of_address(grid, space, address, text, n_text);
}

void checked_launch_begin(struct grid *grid)
{
  struct check_program program = { .program = grid->program,
                                   .grid = grid,
                                   .place_of = place_of_record,
                                   .story_of = story_of,
                                   .hidden_writes =
                                       grid->program->hidden_writes };

  if (grid->program->sites != NULL)
    grid->check =
        check_launch_new(grid->function->ptx->name, grid->launch->grid,
                         grid->n_workers, &program);
}

void checked_launch_end(struct grid *grid)
{
  if (grid->check != NULL)
    check_launch_free(grid->check);
}

void checked_block_new(struct block *block, const struct worker *worker)
{
  const struct grid *grid = block->grid;
  bool reserves = grid->function->reserves_shared;
  struct check_shape shape = { .shared_bytes = block->shared_bytes,
                               .zeroed_bytes = reserves ? RESERVED_SHARED : 0,
                               .local_stride = grid->local_stride,
                               .in_cluster = grid->n_clusters < grid->n_blocks,
                               .worker = worker->index };

  if (grid->check == NULL)
    return;
  memcpy(shape.threads, grid->launch->block, sizeof shape.threads);
  block->checked = host_new(1, sizeof *block->checked);
  block->checked->check = check_block_new(grid->check, &shape);
}

void checked_block_start(struct block *block)
{
  if (block->checked != NULL)
    check_block_start(block->checked->check, block->index, block->id);
  if (block->checked != NULL)
    chosen_block_start(block->checked);
  if (block->checked != NULL)
    proxy_block_start(block);
}

void checked_block_free(struct block *block)
{
  proxy_block_free(block);
  if (block->checked != NULL) {
    chosen_block_free(block->checked);
    check_block_free(block->checked->check);
  }
  free(block->checked);
}
