#include "builtin.h"

#include <string.h>

#include "control.h"
#include "fault.h"

typedef const struct step *builtin(struct warp *w, const struct step *s);

static uint8_t *local_at(const struct warp *w, unsigned lane, uint32_t at)
{
  return w->local + (size_t)lane * w->local_stride + at;
}

static uint64_t argument(const struct warp *w, const struct step *s,
                         unsigned lane, unsigned i)
{
  const struct call_extra *extra = s->extra;
  uint64_t value = 0;

  memcpy(&value,
         local_at(w, lane, w->path->frame->local_base +
                               extra->arguments[i].offset),
         extra->arguments[i].bytes > 8 ? 8 : extra->arguments[i].bytes);
  return value;
}

static void set_result(const struct warp *w, const struct step *s,
                       unsigned lane, uint64_t value)
{
  const struct call_extra *extra = s->extra;

  if (extra->n_results > 0)
    memcpy(local_at(w, lane, w->path->frame->local_base +
                                 extra->results[0].offset),
           &value,
           extra->results[0].bytes > 8 ? 8 : extra->results[0].bytes);
}

/* Host bytes behind a generic address of `lane`, and how many follow. */
static const uint8_t *generic_view(const struct warp *w, unsigned lane,
                                   uint64_t address, size_t *bytes)
{
  struct allocation found;

  if (address >> 56 == LOCAL_WINDOW >> 56 &&
      address - LOCAL_WINDOW < w->local_stride) {
    *bytes = w->local_stride - (address - LOCAL_WINDOW);
    return local_at(w, lane, (uint32_t)(address - LOCAL_WINDOW));
  }
  if (address >> 56 == SHARED_WINDOW >> 56 &&
      address - SHARED_WINDOW < w->block->shared_bytes) {
    *bytes = w->block->shared_bytes - (address - SHARED_WINDOW);
    return w->block->shared + (address - SHARED_WINDOW);
  }
  if (!memory_find(address, &found))
    return NULL;
  *bytes = found.bytes - (address - found.address);
  return memory_view(address, *bytes);
}

struct reader {
  const struct warp *w;
  unsigned lane;
};

static const char *read_string(void *context, uint64_t address)
{
  struct reader *reader = context;
  size_t bytes;
  const uint8_t *text =
      address == 0 ? NULL
                   : generic_view(reader->w, reader->lane, address, &bytes);

  if (text == NULL || memchr(text, 0, bytes) == NULL)
    return NULL;
  return (const char *)text;
}

static const struct step *print(struct warp *w, const struct step *s)
{
  struct grid *grid = w->block->grid;
  FILE *output = grid->launch->output;

  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    struct reader reader = { w, l };
    const char *format = read_string(&reader, argument(w, s, l, 0));
    static const uint8_t nothing[8];
    const uint8_t *arguments = nothing;
    uint64_t address = argument(w, s, l, 1);
    size_t bytes;
    int n = -1;

    if (address != 0)
      arguments = generic_view(w, l, address, &bytes);
    if (format != NULL && arguments != NULL) {
      pthread_mutex_lock(&grid->lock);
      n = printf_format(output == NULL ? stdout : output, format, arguments,
                        read_string, &reader);
      pthread_mutex_unlock(&grid->lock);
    }
    set_result(w, s, l, (uint64_t)(int64_t)n);
  }
  return s + 1;
}

/* void __assertfail(message, file, unsigned line, function, char size) */
static const struct step *assert_failed(struct warp *w, const struct step *s)
{
  unsigned l = (unsigned)__builtin_ctz(w->mask);
  struct reader reader = { w, l };
  const char *message = read_string(&reader, argument(w, s, l, 0));
  const char *file = read_string(&reader, argument(w, s, l, 1));
  const char *function = read_string(&reader, argument(w, s, l, 3));

  return exec_fault(w, s, l, FAULT_ASSERT, "%s:%u: %s: Assertion `%s' failed",
                    file == NULL ? "?" : file,
                    (unsigned)argument(w, s, l, 2),
                    function == NULL ? "?" : function,
                    message == NULL ? "?" : message);
}

static const struct step *allocate(struct warp *w, const struct step *s)
{
  const struct launch *launch = w->block->grid->launch;

  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    uint64_t bytes = argument(w, s, l, 0);

    set_result(w, s, l,
               bytes == 0 ? 0
                          : memory_allocate(bytes, 256, MEMORY_DEVICE,
                                            launch->device, "malloc"));
  }
  return s + 1;
}

static const struct step *release(struct warp *w, const struct step *s)
{
  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    uint64_t address = argument(w, s, l, 0);

    if (address != 0 && !memory_release(address))
      return exec_fault_access(w, s, l, FAULT_OUT_OF_BOUNDS, SPACE_GLOBAL,
                               address, 0, false);
  }
  /* At once here; other workers notice at their next round of warps. */
  memset(w->ranges, 0,
         w->block->grid->program->n_records * sizeof *w->ranges);
  return s + 1;
}

static const struct {
  const char *name;
  builtin *call;
  unsigned n_arguments;
} builtins[] = {
  { "vprintf", print, 2 },
  { "__assertfail", assert_failed, 5 },
  { "malloc", allocate, 1 },
  { "free", release, 1 },
};

bool builtin_known(const char *name)
{
  for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
    if (strcmp(builtins[i].name, name) == 0)
      return true;
  return false;
}

const struct step *builtin_call(struct warp *w, const struct step *s,
                                const struct function *callee)
{
  const struct call_extra *extra = s->extra;

  for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
    if (strcmp(builtins[i].name, callee->ptx->name) == 0 &&
        extra->n_arguments == builtins[i].n_arguments)
      return builtins[i].call(w, s);
  return exec_fault(w, s, (unsigned)__builtin_ctz(w->mask),
                    FAULT_UNSUPPORTED, "call of %s with %u arguments",
                    callee->ptx->name, extra->n_arguments);
}
