/* Calls of the runtime API in device code, from the answers that a launch
 * brings along. */
#include "device_calls.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../support/host_memory.h"
#include "control.h"
#include "fault.h"

enum { SUCCESS = 0, INVALID_VALUE = 1, BAD_FUNCTION = 98 };

static const struct device_answers *answers_of(const struct warp *w)
{
  static const struct device_answers none;
  const struct device_answers *answers = w->block->grid->launch->answers;

  return answers != NULL ? answers : &none;
}

/* The same number for every lane, through its first argument. */
static const struct step *give(struct warp *w, const struct step *s, int value)
{
  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    bool done =
        builtin_put(w, s, l, builtin_argument(w, s, l, 0), (uint32_t)value, 4);

    builtin_result(w, s, l, done ? SUCCESS : INVALID_VALUE);
  }
  return s + 1;
}

const struct step *device_get(struct warp *w, const struct step *s)
{
  return give(w, s, w->block->grid->launch->device);
}

const struct step *device_count(struct warp *w, const struct step *s)
{
  return give(w, s, answers_of(w)->n_devices);
}

const struct step *device_version(struct warp *w, const struct step *s)
{
  return give(w, s, answers_of(w)->version);
}

/* int *value, attribute, device */
const struct step *device_attribute(struct warp *w, const struct step *s)
{
  const struct device_answers *answers = answers_of(w);

  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    int which = (int)builtin_argument(w, s, l, 1), value = 0;
    int error = INVALID_VALUE;

    if (answers->attribute != NULL)
      error =
          answers->attribute(&value, which, (int)builtin_argument(w, s, l, 2));
    if (error == SUCCESS &&
        !builtin_put(w, s, l, builtin_argument(w, s, l, 0), (uint32_t)value, 4))
      error = INVALID_VALUE;
    builtin_result(w, s, l, (uint32_t)error);
  }
  return s + 1;
}

/* size_t *value, limit */
const struct step *device_limit(struct warp *w, const struct step *s)
{
  const struct device_answers *answers = answers_of(w);

  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    uint64_t value = 0;
    int error = INVALID_VALUE;

    if (answers->limit != NULL)
      error = answers->limit(&value, (int)builtin_argument(w, s, l, 1),
                             w->block->grid->launch->device);
    if (error == SUCCESS &&
        !builtin_put(w, s, l, builtin_argument(w, s, l, 0), value, 8))
      error = INVALID_VALUE;
    builtin_result(w, s, l, (uint32_t)error);
  }
  return s + 1;
}

const struct step *device_no_preference(struct warp *w, const struct step *s)
{
  return give(w, s, 0);
}

/* int *blocks, kernel, int threads, size_t dynamic bytes [, flags] */
const struct step *device_occupancy(struct warp *w, const struct step *s)
{
  const struct device_answers *answers = answers_of(w);
  const struct call_extra *extra = s->extra;

  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    const struct kernel *kernel =
        builtin_kernel(w->block->grid->program, builtin_argument(w, s, l, 1));
    unsigned flags =
        extra->n_arguments > 4 ? (unsigned)builtin_argument(w, s, l, 4) : 0;
    struct kernel_info info;
    int n = 0, error = kernel == NULL ? BAD_FUNCTION : INVALID_VALUE;

    if (kernel != NULL && answers->occupancy != NULL) {
      kernel_describe(kernel, &info);
      error = answers->occupancy(&n, &info, (int)builtin_argument(w, s, l, 2),
                                 builtin_argument(w, s, l, 3), flags);
    }
    if (error == SUCCESS &&
        !builtin_put(w, s, l, builtin_argument(w, s, l, 0), (uint32_t)n, 4))
      error = INVALID_VALUE;
    builtin_result(w, s, l, (uint32_t)error);
  }
  return s + 1;
}

/* struct cudaFuncAttributes *, kernel */
static int describe_function(struct warp *w, const struct step *s, unsigned l)
{
  const struct device_answers *answers = answers_of(w);
  const struct kernel *kernel =
      builtin_kernel(w->block->grid->program, builtin_argument(w, s, l, 1));
  uint64_t to = builtin_argument(w, s, l, 0);
  uint32_t words[64];
  struct kernel_info info;
  size_t bytes;

  if (kernel == NULL)
    return BAD_FUNCTION;
  if (answers->function == NULL)
    return INVALID_VALUE;
  kernel_describe(kernel, &info);
  bytes = answers->function(words, sizeof words, &info,
                            w->block->grid->launch->device);
  for (size_t i = 0; i < bytes / sizeof *words; i++)
    if (!builtin_put(w, s, l, to + i * sizeof *words, words[i], sizeof *words))
      return INVALID_VALUE;
  return SUCCESS;
}

const struct step *device_function(struct warp *w, const struct step *s)
{
  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);

    builtin_result(w, s, l, (uint32_t)describe_function(w, s, l));
  }
  return s + 1;
}

/* A text that device code can read: each once for a device, by its address
 * on the host. */
static uint64_t text_on_device(const char *text, int device)
{
  static struct text {
    const char *text;
    int device;
    uint64_t place;
    struct text *next;
  } * texts;
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  struct allocation found;
  struct text *t;

  pthread_mutex_lock(&lock);
  for (t = texts; t != NULL; t = t->next)
    if (t->text == text && t->device == device)
      break;
  if (t == NULL && (t = host_try_new(1, sizeof *t)) != NULL) {
    t->text = text;
    t->device = device;
    t->next = texts;
    texts = t;
  }
  if (t != NULL && !memory_find(t->place, &found)) { /* reset takes it away */
    t->place = memory_allocate(strlen(text) + 1, 256, MEMORY_VARIABLE, device,
                               "text of an error");
    if (t->place != 0)
      memcpy(memory_view(t->place, strlen(text) + 1), text, strlen(text) + 1);
  }
  pthread_mutex_unlock(&lock);
  return t == NULL ? 0 : t->place;
}

static const struct step *return_error_text(struct warp *w,
                                            const struct step *s, bool name)
{
  const struct device_answers *answers = answers_of(w);

  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    int error = (int)builtin_argument(w, s, l, 0);
    const char *text =
        answers->error == NULL ? "" : answers->error(error, name);

    builtin_result(w, s, l,
                   text_on_device(text, w->block->grid->launch->device));
  }
  return s + 1;
}

const struct step *device_error_name(struct warp *w, const struct step *s)
{
  return return_error_text(w, s, true);
}

const struct step *device_error_text(struct warp *w, const struct step *s)
{
  return return_error_text(w, s, false);
}

/* cudaError_t cudaGraphLaunch(exec, stream): done by the runtime once this
 * kernel or this graph has ended. */
const struct step *device_launch_graph(struct warp *w, const struct step *s)
{
  const struct device_answers *answers = answers_of(w);
  const struct launch *launch = w->block->grid->launch;

  if (answers->launch_graph == NULL || launch->graph_run == NULL)
    return exec_fault(w, s, (unsigned)__builtin_ctz(w->mask), FAULT_UNSUPPORTED,
                      "cudaGraphLaunch by a kernel that no graph launched; "
                      "CUDA allows it to kernels of graphs only");
  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    int error =
        answers->launch_graph(launch->graph_run, builtin_argument(w, s, l, 0),
                              builtin_argument(w, s, l, 1));
    builtin_result(w, s, l, (uint32_t)error);
  }
  return s + 1;
}
