/* Puts a handler in front of each instruction that reports it to the trace. */
#include "trace.h"

#include <stdlib.h>
#include <string.h>

#include "../ptx/arena.h"

static bool is_wanted_block(const struct warp *w)
{
  const struct launch *launch = w->block->grid->launch;

  return !launch->has_sink_block ||
         memcmp(w->block->id, launch->sink_block, sizeof w->block->id) == 0;
}

/* Numbers the instruction, for the access map as well. */
static void trace_step(struct warp *w, const struct step *s)
{
  struct grid *grid = w->block->grid;
  const struct ptx_instruction *ptx = grid->program->records[s->record].ptx;
  struct issued_instruction issued = {
    .source = ptx->source,
    .ptx_line = ptx->line,
    .opcode = ptx->opcode,
    .block = { w->block->id[0], w->block->id[1], w->block->id[2] },
    .warp = w->index,
    .active = w->mask,
    .executed = w->mask,
  };

  if (s->guard != SLOT_TRUE)
    issued.executed &= predicate_at(w, s->guard) ^ s->guard_invert;
  pthread_mutex_lock(&grid->lock);
  issued.step = w->step = grid->n_issued++;
  if (grid->launch->trace != NULL)
    grid->launch->trace(grid->launch->sink_context, &issued);
  pthread_mutex_unlock(&grid->lock);
}

static const struct step *traced(struct warp *w, const struct step *s)
{
  const struct function *function = w->path->frame->function;
  const struct launch *launch = w->block->grid->launch;

  if ((launch->trace != NULL || launch->sink != NULL) && is_wanted_block(w))
    trace_step(w, s);
  return trace_handler(function, s)(w, s);
}

/* An instruction may take several steps: the first of them is traced. The entry
 * of a basic block belongs to no instruction. */
static void trace_function(struct program *program, struct function *function)
{
  function->traced = ptx_arena_take(
      &program->arena, (function->n_steps + 1) * sizeof *function->traced);
  for (size_t i = 0; i < function->n_steps; i++) {
    struct step *s = &function->steps[i];

    function->traced[i] = s->run;
    if (program->records[s->record].ptx != NULL &&
        (i == 0 || s[-1].record != s->record))
      s->run = traced;
  }
}

static bool is_set(const char *name)
{
  const char *value = getenv(name);

  return value != NULL && value[0] != '\0';
}

static bool is_wanted;

void program_trace(void) { is_wanted = true; }

void trace_program(struct program *program)
{
  if (!is_wanted && !is_set("SOFTDEVICE_TRACE") &&
      !is_set("SOFTDEVICE_ACCESS_MAP"))
    return;
  for (size_t f = 0; f < program->n_functions; f++)
    if (program->functions[f]->steps != NULL)
      trace_function(program, program->functions[f]);
}
