/* Graphs that kernels launch. What a kernel asks for is put on a list of the
 * graph that it belongs to: graphs launched by "fire and forget" run once the
 * kernel has ended, tail launches once the graph has, with all that it fired.
 * That is one of the orders that CUDA allows. */
#include <stdlib.h>

#include "../../support/host_memory.h"
#include "../state.h"
#include "graph.h"

enum { MOST_FIRED = 120, MOST_TAIL = 255 };

#define STREAM_TAIL UINT64_C(0x0100000000000000)
#define STREAM_FIRE UINT64_C(0x0200000000000000)
#define STREAM_SIBLING UINT64_C(0x0300000000000000)

static _Thread_local struct graph_run *current;

bool graph_may_be_launched(const struct graph *graph)
{
  for (const struct graph_node *n = graph->first; n != NULL; n = n->next)
    switch (n->work.type) {
    case cudaGraphNodeTypeKernel:
    case cudaGraphNodeTypeMemcpy:
    case cudaGraphNodeTypeMemset:
    case cudaGraphNodeTypeEmpty:
      if (n->work.device != graph->first->work.device)
        return false;
      break;
    case cudaGraphNodeTypeGraph:
      if (!graph_may_be_launched(n->work.child))
        return false;
      break;
    default: return false;
    }
  return true;
}

void graph_run_begin(struct graph_run *run, struct graph_exec *exec)
{
  *run = (struct graph_run){ .outer = current, .exec = exec };
  run->last_fired = &run->fired;
  run->last_tail = &run->tail;
  current = run;
}

void graph_run_end(struct graph_run *run) { current = run->outer; }

void *graph_run_current(void) { return current; }

static bool is_for_kernels(const struct graph_exec *exec)
{
  return graph_exec_is_valid(exec) &&
         (exec->flags & cudaGraphInstantiateFlagDeviceLaunch) != 0;
}

uint64_t graph_run_handle(void)
{
  uint64_t handle = 0;
  graph_lock();
  if (current != NULL && is_for_kernels(current->exec))
    handle = (uint64_t)(uintptr_t)current->exec;
  graph_unlock();
  return handle;
}

struct graph_exec *graph_run_next(struct graph_run *run, bool tail)
{
  struct graph_asked **first = tail ? &run->tail : &run->fired;
  struct graph_exec *exec = NULL;
  graph_lock();
  struct graph_asked *asked = *first;
  if (asked != NULL) {
    *first = asked->next;
    if (*first == NULL)
      *(tail ? &run->last_tail : &run->last_fired) = first;
    exec = asked->exec;
    if (graph_exec_is_valid(exec))
      exec->pending = false;
    if (tail)
      run->n_tail--;
    free(asked);
  }
  graph_unlock();
  return exec;
}

static bool runs_now(const struct graph_run *run, const struct graph_exec *exec)
{
  while (run != NULL && run->exec != exec)
    run = run->outer;
  return run != NULL;
}

static cudaError_t ask(struct graph_run *run, struct graph_exec *exec,
                       uint64_t stream)
{
  bool tail = stream == STREAM_TAIL;
  if (!is_for_kernels(exec) ||
      (!tail && stream != STREAM_FIRE && stream != STREAM_SIBLING) ||
      !exec->uploaded || exec->pending || (!tail && runs_now(run, exec)) ||
      (tail ? run->n_tail >= MOST_TAIL : run->n_fired >= MOST_FIRED))
    return cudaErrorInvalidValue;
  struct graph_asked *asked = host_try_new(1, sizeof *asked);
  if (asked == NULL)
    return cudaErrorMemoryAllocation;
  struct graph_asked ***last = tail ? &run->last_tail : &run->last_fired;
  *asked = (struct graph_asked){ .exec = exec };
  **last = asked;
  *last = &asked->next;
  (*(tail ? &run->n_tail : &run->n_fired))++;
  exec->pending = true;
  return cudaSuccess;
}

int graph_run_asks(void *run, uint64_t exec, uint64_t stream)
{
  graph_lock();
  cudaError_t error = ask(run, (struct graph_exec *)(uintptr_t)exec, stream);
  graph_unlock();
  return (int)error;
}
