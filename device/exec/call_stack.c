/* Walks the call graph of each kernel once, when its program is loaded. */
#include "call_stack.h"

#include <stdlib.h>
#include <string.h>

#include "../support/host_memory.h"
#include "control.h"

/* What a GPU's function saves when it is called, at least. */
enum { SAVED_BYTES = 16 };
/* What alloca has at least, and what is never given to a thread. */
enum { ALLOCA_BYTES = 16 << 10 };
#define MOST_BYTES (UINT64_C(2) << 20)

static uint32_t gpu_frame(const struct function *function)
{
  uint64_t bytes = 0;

  for (const struct ptx_variable *v = function->ptx->variables; v != NULL;
       v = v->next)
    if (v->space == PTX_SPACE_LOCAL)
      bytes += (v->bytes + 7) & ~UINT64_C(7);
  return (uint32_t)(((bytes + 15) & ~UINT64_C(15)) + SAVED_BYTES);
}

static void find_callees(struct program *program, struct function *function)
{
  uint32_t n = 0;

  for (size_t i = 0; i < function->n_steps; i++)
    n += function->steps[i].run == control_call;
  function->callees =
      ptx_arena_take(&program->arena, (n + 1) * sizeof *function->callees);
  function->gpu_frame_bytes = gpu_frame(function);
  for (size_t i = 0; i < function->n_steps; i++) {
    const struct step *s = &function->steps[i];
    const struct call_extra *call = s->extra;

    if (s->run != control_call || call->callee == NULL ||
        call->callee->steps == NULL)
      continue;
    function->callees[function->n_callees++] = call->callee;
  }
}

/* A walk over what a kernel may call, callers first. */
struct walk {
  const struct program *program;
  uint32_t *calls;      /* by function: that were not walked yet */
  uint64_t *before;     /* by function: bytes of frames above its own */
  uint64_t *gpu_before; /* the same as a GPU's */
  const struct function **todo;
  size_t n_todo;
  bool counts; /* first pass: reaches functions, counts calls */
};

static void visit(struct walk *walk, const struct function *from,
                  const struct function *to)
{
  uint64_t before = walk->before[from->index] + from->local_bytes;
  uint64_t gpu = walk->gpu_before[from->index] + from->gpu_frame_bytes;

  if (walk->counts) {
    if (walk->calls[to->index]++ == 0)
      walk->todo[walk->n_todo++] = to;
    return;
  }
  if (before > walk->before[to->index])
    walk->before[to->index] = before;
  if (gpu > walk->gpu_before[to->index])
    walk->gpu_before[to->index] = gpu;
  if (--walk->calls[to->index] == 0)
    walk->todo[walk->n_todo++] = to;
}

/* Through a pointer any function may be called. */
static void visit_callees(struct walk *walk, const struct function *from)
{
  const struct program *program = walk->program;

  for (uint32_t i = 0; i < from->n_callees; i++)
    visit(walk, from, from->callees[i]);
  for (size_t i = 0; from->calls_indirect && i < program->n_functions; i++)
    if (!program->functions[i]->ptx->is_entry &&
        program->functions[i]->steps != NULL)
      visit(walk, from, program->functions[i]);
}

/* Of a function that is reached. */
static void take_need(struct stack_need *need, const struct function *f,
                      uint64_t above, uint64_t gpu_above)
{
  uint32_t ratio =
      (f->local_bytes + f->gpu_frame_bytes - 1) / f->gpu_frame_bytes;

  if (above + f->local_bytes > need->bytes)
    need->bytes = above + f->local_bytes;
  if (gpu_above + f->gpu_frame_bytes > need->gpu_bytes)
    need->gpu_bytes = gpu_above + f->gpu_frame_bytes;
  if (ratio > need->ratio)
    need->ratio = ratio;
  need->allocates |= f->allocates;
}

/* Functions are walked when all calls of them were: those that are left call
 * each other in a circle, or are called from one. Each of them has its frame
 * once, on top of all others. */
static void measure(struct program *program, struct function *kernel)
{
  size_t n = program->n_functions, first = 0;
  struct stack_need *need = &kernel->need;
  struct walk walk = {
    .program = program,
    .counts = true,
    .calls = host_new(n + 1, sizeof *walk.calls),
    .before = host_new(n + 1, sizeof *walk.before),
    .gpu_before = host_new(n + 1, sizeof *walk.gpu_before),
    .todo = host_new(n + 1, sizeof *walk.todo),
  };

  visit_callees(&walk, kernel);
  for (size_t at = 0; at < walk.n_todo; at++)
    visit_callees(&walk, walk.todo[at]);
  walk.counts = false;
  walk.n_todo = 0;
  walk.before[kernel->index] = -(uint64_t)kernel->local_bytes;
  walk.gpu_before[kernel->index] = -(uint64_t)kernel->gpu_frame_bytes;
  visit_callees(&walk, kernel);
  for (; first < walk.n_todo; first++) {
    const struct function *f = walk.todo[first];

    take_need(need, f, walk.before[f->index], walk.gpu_before[f->index]);
    visit_callees(&walk, f);
  }
  for (size_t i = 0; i < n; i++)
    if (walk.calls[i] != 0) {
      need->recursive = true;
      take_need(need, program->functions[i], need->bytes, need->gpu_bytes);
    }
  need->allocates |= kernel->allocates;
  free(walk.calls);
  free(walk.before);
  free(walk.gpu_before);
  free(walk.todo);
}

void call_stack_program(struct program *program)
{
  for (size_t i = 0; i < program->n_functions; i++)
    if (program->functions[i]->steps != NULL)
      find_callees(program, program->functions[i]);
  for (size_t i = 0; i < program->n_functions; i++)
    if (program->functions[i]->ptx->is_entry)
      measure(program, program->functions[i]);
}

uint32_t call_stack_bytes(const struct function *kernel, uint64_t limit,
                          uint32_t *most)
{
  const struct stack_need *need = &kernel->need;
  uint64_t bytes = need->bytes;

  *most = 0;
  if (need->recursive) {
    *most = (uint32_t)(limit > need->gpu_bytes ? limit : need->gpu_bytes);
    bytes += (uint64_t)*most * need->ratio;
  }
  if (need->allocates)
    bytes += limit > ALLOCA_BYTES ? limit : ALLOCA_BYTES;
  return (uint32_t)((bytes < MOST_BYTES ? bytes : MOST_BYTES) + 15) &
         ~UINT32_C(15);
}
