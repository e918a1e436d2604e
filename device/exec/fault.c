/* Describes the first fault of a worker and stops the grid. */
#include "fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../check/hooks.h"
#include "control.h"
#include "story.h"
#include "window.h"

void fault_describe(struct fault *fault, const struct warp *w,
                    const struct step *s, unsigned lane)
{
  const struct grid *grid = w->block->grid;
  const struct ptx_instruction *ptx =
      s == NULL ? NULL : grid->program->records[s->record].ptx;
  size_t length = 0;

  memset(fault, 0, sizeof *fault);
  fault->kernel = grid->function->ptx->name;
  fault->space = SPACE_NONE;
  for (int i = 0; i < 3; i++)
    fault->block[i] = w->block->id[i];
  fault->thread[0] = w->specials[SPECIAL_TID_X][lane];
  fault->thread[1] = w->specials[SPECIAL_TID_Y][lane];
  fault->thread[2] = w->specials[SPECIAL_TID_Z][lane];
  if (ptx == NULL)
    return;
  fault->source = story_of_line(grid->program, ptx);
  fault->ptx_line = ptx->line;
  for (size_t i = 0;
       i < ptx->text_length && length + 1 < sizeof fault->instruction; i++) {
    char c = ptx->text[i];

    if (c == '\n' || c == '\t' || c == '\r')
      c = ' ';
    if (c != ' ' || (length > 0 && fault->instruction[length - 1] != ' '))
      fault->instruction[length++] = c;
  }
}

/* A block's entry counted its instructions; those after the fault did not
 * run. */
static void take_back_counts(struct warp *w, const struct step *s)
{
  const struct program *program = w->block->grid->program;
  uint32_t block = program->records[s->record].block_record;

  for (uint32_t i = s->record + 1; i < program->n_records; i++) {
    const struct record *record = &program->records[i];

    if (record->ptx == NULL || record->block_record != block)
      return;
    if (record->by_itself)
      continue;
    w->counts[i].warps--;
    w->counts[i].threads -= (unsigned)__builtin_popcount(w->mask);
  }
}

static bool has_asserted(const struct worker *worker)
{
  return worker->faulted && worker->fault.kind == FAULT_ASSERT;
}

static struct fault *stop(struct warp *w, const struct step *s, unsigned lane)
{
  static _Thread_local struct fault ignored;
  struct worker *worker = w->worker;

  if (has_asserted(worker)) { /* what comes of lanes that are gone */
    atomic_store(&worker->grid->stopped, 1);
    return &ignored;
  }
  if (!worker->faulted && s != NULL)
    take_back_counts(w, s);
  worker->faulted = true;
  atomic_store(&worker->grid->stopped, 1);
  fault_describe(&worker->fault, w, s, lane);
  return &worker->fault;
}

const struct step *exec_fault(struct warp *w, const struct step *s,
                              unsigned lane, enum fault_kind kind,
                              const char *detail, ...)
{
  struct fault *fault = stop(w, s, lane);
  va_list arguments;

  fault->kind = kind;
  va_start(arguments, detail);
  vsnprintf(fault->detail, sizeof fault->detail, detail, arguments);
  va_end(arguments);
  return NULL;
}

const struct step *exec_fault_access(struct warp *w, const struct step *s,
                                     unsigned lane, enum fault_kind kind,
                                     enum fault_space space, uint64_t address,
                                     unsigned bytes, bool is_store)
{
  struct fault *fault = stop(w, s, lane);

  fault->kind = kind;
  fault->space = space;
  fault->address = address;
  fault->bytes = bytes;
  fault->is_store = is_store;
  story_of_address(w->block->grid, space, address, fault->story,
                   sizeof fault->story);
  return NULL;
}

bool exec_find(const struct warp *w, uint64_t address, struct allocation *found)
{
  struct allocation row;

  if (!memory_find(address, &row) ||
      !memory_is_reachable(&row, w->block->grid->launch->device))
    return false;
  *found = row;
  return true;
}

enum fault_kind exec_explain(const struct warp *w, uint64_t address,
                             unsigned bytes, char *text, size_t text_bytes)
{
  struct allocation found;
  int device = w->block->grid->launch->device;

  text[0] = '\0';
  if (window_explain(w, address, text, text_bytes))
    return FAULT_ADDRESS_SPACE;
  if (!memory_find(address, &found) ||
      bytes > found.address + found.bytes - address ||
      memory_is_reachable(&found, device))
    return FAULT_OUT_OF_BOUNDS;
  snprintf(text, text_bytes,
           "it is memory of device %d, which kernels of device %d may use "
           "after cudaSetDevice(%d); cudaDeviceEnablePeerAccess(%d, 0)",
           found.device, device, device, found.device);
  return FAULT_NO_PEER;
}

const struct step *exec_fault_global(struct warp *w, const struct step *s,
                                     unsigned lane, uint64_t address,
                                     unsigned bytes, bool is_store)
{
  char text[EXPLAIN_BYTES];
  enum fault_kind kind = exec_explain(w, address, bytes, text, sizeof text);
  struct fault *fault;

  exec_fault_access(w, s, lane, kind, SPACE_GLOBAL, address, bytes, is_store);
  fault = &w->worker->fault;
  if (fault->kind == kind)
    memcpy(fault->detail, text, sizeof text);
  return NULL;
}

const struct step *exec_assert(struct warp *w, const struct step *s)
{
  struct worker *worker = w->worker;

  take_back_counts(w, s);
  if (!has_asserted(worker)) {
    fault_describe(&worker->fault, w, s, (unsigned)__builtin_ctz(w->mask));
    worker->fault.kind = FAULT_ASSERT;
    worker->faulted = true;
  }
  atomic_store(&worker->grid->asserted, 1);
  if (worker->grid->check != NULL)
    check_launch_mute(worker->grid->check);
  return control_exit(w, s);
}

void fault_place(struct warp *w, const struct step *s, unsigned lane)
{
  struct fault kept = w->worker->fault;

  if (has_asserted(w->worker))
    return;
  fault_describe(&w->worker->fault, w, s, lane);
  w->worker->fault.kind = kept.kind;
  memcpy(w->worker->fault.detail, kept.detail, sizeof kept.detail);
}
