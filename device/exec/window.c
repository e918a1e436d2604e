/* Finds out whose shared or local memory an address means: that of the thread
 * that launched the grid, if it is among the grid's arguments. */
#include "window.h"

#include <stdio.h>
#include <string.h>

#include "../check/demangle.h"
#include "../check/source.h"
#include "nested.h"
#include "place.h"
#include "story.h"

/* As far past a pointer as an index may lead: no block has more. */
#define REACH (UINT64_C(1) << 20)

bool window_has(uint64_t address)
{
  return address - SHARED_WINDOW < WINDOW_BYTES ||
         address - LOCAL_WINDOW < WINDOW_BYTES;
}

/* Is the address among the grid's arguments, or a little past one? */
static bool was_given(const struct grid *grid, uint64_t address)
{
  for (size_t at = 0; at + sizeof(uint64_t) <= grid->kernel->parameter_bytes;
       at += sizeof(uint64_t)) {
    uint64_t value;

    memcpy(&value, grid->parameters + at, sizeof value);
    if (window_has(value) && address - value < REACH)
      return true;
  }
  return false;
}

/* " (variable s)" for `__shared__ int s[4]`, or nothing. */
static void name_variable(const struct kernel *kernel, uint64_t offset,
                          char *text, size_t n)
{
  const struct ptx_variable *v = place_nearest_shared(kernel->function, offset);
  char name[80];

  text[0] = '\0';
  if (v == NULL || offset - v->place >= v->bytes)
    return;
  story_variable(v->name, name, sizeof name);
  snprintf(text, n, " (variable %s)", name);
}

static void tell_launcher(const struct launcher *by, uint64_t address,
                          char *text, size_t n)
{
  const bool is_shared = address < LOCAL_WINDOW;
  const unsigned offset = (unsigned)address;
  char kernel[100], variable[120] = "", line[160] = "";

  demangle(by->kernel->function->ptx->name, kernel, sizeof kernel);
  if (is_shared)
    name_variable(by->kernel, offset, variable, sizeof variable);
  if (by->source.file != NULL && by->source.line != 0)
    snprintf(line, sizeof line, " at %.140s:%u", source_name(by->source.file),
             by->source.line);
  snprintf(text, n,
           "it is byte %u%s of the %s memory of kernel %s, block (%u,%u,%u), "
           "thread (%u,%u,%u), which launched this grid%s: no other %s can "
           "use it",
           offset, variable, is_shared ? "shared" : "local", kernel,
           by->block[0], by->block[1], by->block[2], by->thread[0],
           by->thread[1], by->thread[2], line, is_shared ? "block" : "thread");
}

bool window_explain(const struct warp *w, uint64_t address, char *text,
                    size_t text_bytes)
{
  const struct grid *grid = w->block->grid;
  const struct nested *nested = grid->launch->nested;
  const bool is_shared = address < LOCAL_WINDOW;

  if (!window_has(address))
    return false;
  if (nested != NULL && was_given(grid, address))
    tell_launcher(&nested->by, address, text, text_bytes);
  else
    snprintf(text, text_bytes,
             "it is byte %u of the %s memory of some %s, which alone can use "
             "it, and not as global memory: that is what nvcc takes every "
             "pointer for that a kernel is given",
             (unsigned)address, is_shared ? "shared" : "local",
             is_shared ? "block" : "thread");
  return true;
}
