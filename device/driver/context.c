/* The list of contexts, the stack of current ones that each thread has, and
 * the calls about them. */
#define _POSIX_C_SOURCE 200809L
#include "context.h"

#include <pthread.h>
#include <stdlib.h>

#include "module.h"
#include "../support/host_memory.h"

#define MOST_PUSHED 64

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct context primaries[MAX_DEVICES];
static struct context *created; /* destroyed ones stay, to be recognised */
static unsigned long long n_contexts = MAX_DEVICES;
static _Thread_local struct context *pushed[MOST_PUSHED];
static _Thread_local unsigned n_pushed;

struct context *context_primary(int device)
{
  struct context *primary = &primaries[device];
  pthread_mutex_lock(&lock);
  primary->device = device;
  primary->is_primary = true;
  primary->id = (unsigned long long)device + 1;
  pthread_mutex_unlock(&lock);
  return primary;
}

struct context *context_current(void)
{
  struct state_context current = state_context();
  if (!current.is_current)
    return NULL;
  return current.context != NULL ? current.context
                                 : context_primary(current_device());
}

bool context_is_alive(const struct context *context)
{
  if (context->is_primary)
    return context->n_retained > 0 || state_is_used(context->device);
  return !context->is_destroyed;
}

bool context_is_known(const struct context *context)
{
  if (context >= primaries && context < primaries + MAX_DEVICES)
    return context->is_primary;
  pthread_mutex_lock(&lock);
  const struct context *c = created;
  while (c != NULL && c != context)
    c = c->next;
  pthread_mutex_unlock(&lock);
  return c != NULL && !c->is_destroyed;
}

void context_make_current(struct context *context)
{
  struct state_context state = { .is_current = context != NULL };
  if (context != NULL && !context->is_primary) {
    state.context = context;
    state.partition = context->partition;
  }
  state_set_context(state, context != NULL ? context->device : 0);
}

struct state_context context_visit(int device, int *before)
{
  struct state_context state = state_context();
  *before = current_device();
  state_set_context((struct state_context){ .is_current = true }, device);
  return state;
}

void context_return(struct state_context context, int before)
{
  state_set_context(context, before);
}

void context_adopt(CUdeviceptr address)
{
  struct context *context = context_current();
  if (context == NULL || context->is_primary || context->green != NULL)
    return; /* the primary context's memory */
  pthread_mutex_lock(&lock);
  if (context->n_addresses == context->capacity) {
    size_t capacity = context->capacity ? 2 * context->capacity : 16;
    uint64_t *more =
        host_try_grow(context->addresses, capacity, sizeof *context->addresses);
    if (more != NULL) {
      context->addresses = more;
      context->capacity = capacity;
    }
  }
  if (context->n_addresses < context->capacity)
    context->addresses[context->n_addresses++] = address;
  pthread_mutex_unlock(&lock);
}

void context_forget(CUdeviceptr address)
{
  pthread_mutex_lock(&lock);
  for (struct context *c = created; c != NULL; c = c->next)
    for (size_t i = 0; i < c->n_addresses; i++)
      if (c->addresses[i] == address)
        c->addresses[i--] = c->addresses[--c->n_addresses];
  pthread_mutex_unlock(&lock);
}

static CUresult push(struct context *context)
{
  if (n_pushed == MOST_PUSHED)
    return CUDA_ERROR_OUT_OF_MEMORY;
  pushed[n_pushed++] = context_current();
  context_make_current(context);
  return CUDA_SUCCESS;
}

static struct context *pop(void)
{
  struct context *top = context_current();
  context_make_current(n_pushed > 0 ? pushed[--n_pushed] : NULL);
  return top;
}

static struct context *new_context(int device)
{
  struct context *c = host_try_new(1, sizeof *c);
  if (c == NULL)
    return NULL;
  c->device = device;
  pthread_mutex_lock(&lock);
  c->id = ++n_contexts;
  c->next = created;
  created = c;
  pthread_mutex_unlock(&lock);
  return c;
}

struct context *context_of_green(struct green *green,
                                 const struct partition *partition)
{
  struct context *c = new_context(partition->device);
  if (c != NULL) {
    c->green = green;
    c->partition = partition;
  }
  return c;
}

static CUresult create_context(CUcontext *context, unsigned flags,
                               CUdevice device)
{
  if (context == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (device < 0 || device >= config()->n_devices)
    return CUDA_ERROR_INVALID_DEVICE;
  struct context *c = new_context(device);
  if (c == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  c->flags = flags;
  CUresult status = push(c);
  if (status == CUDA_SUCCESS)
    *context = c;
  return status;
}

API CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device)
{
  SERVE_AFTER(DRIVER_INIT, create_context(context, flags, device));
}

API CUresult cuCtxCreate_v3(CUcontext *context, void *affinities,
                            int n_affinities, unsigned flags, CUdevice device)
{
  (void)affinities, (void)n_affinities; /* a device is never shared here */
  SERVE_AFTER(DRIVER_INIT, create_context(context, flags, device));
}

API CUresult cuCtxCreate_v4(CUcontext *context, void *parameters,
                            unsigned flags, CUdevice device)
{
  (void)parameters; /* the same affinities, and graphics */
  SERVE_AFTER(DRIVER_INIT, create_context(context, flags, device));
}

static CUresult destroy(struct context *context)
{
  int device;
  if (context == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (!context_is_known(context) || context->is_primary ||
      context->green != NULL)
    return CUDA_ERROR_INVALID_CONTEXT;
  module_unload_all(context);
  if (context == context_current())
    pop();
  struct state_context before = context_visit(context->device, &device);
  while (context->n_addresses > 0)
    core_free(pointer_of(context->addresses[--context->n_addresses]));
  context_return(before, device);
  free(context->addresses);
  context->addresses = NULL;
  context->capacity = 0;
  context->is_destroyed = true;
  return CUDA_SUCCESS;
}

API CUresult cuCtxDestroy_v2(CUcontext context)
{
  SERVE_AFTER(DRIVER_INIT, destroy(context));
}

static CUresult set_current(struct context *context)
{
  if (context != NULL && !context_is_known(context))
    return CUDA_ERROR_INVALID_CONTEXT;
  context_make_current(context);
  return CUDA_SUCCESS;
}

API CUresult cuCtxSetCurrent(CUcontext context)
{
  SERVE_AFTER(DRIVER_INIT, set_current(context));
}

static CUresult get_current(CUcontext *context)
{
  if (context == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  *context = context_current();
  return CUDA_SUCCESS;
}

API CUresult cuCtxGetCurrent(CUcontext *context)
{
  SERVE_AFTER(DRIVER_INIT, get_current(context));
}

static CUresult push_current(struct context *context)
{
  if (context == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (!context_is_known(context))
    return CUDA_ERROR_INVALID_CONTEXT;
  return push(context);
}

API CUresult cuCtxPushCurrent_v2(CUcontext context)
{
  SERVE_AFTER(DRIVER_INIT, push_current(context));
}

static CUresult pop_current(CUcontext *context)
{
  if (context_current() == NULL)
    return CUDA_ERROR_INVALID_CONTEXT;
  struct context *top = pop();
  if (context != NULL)
    *context = top;
  return CUDA_SUCCESS;
}

API CUresult cuCtxPopCurrent_v2(CUcontext *context)
{
  SERVE_AFTER(DRIVER_INIT, pop_current(context));
}
