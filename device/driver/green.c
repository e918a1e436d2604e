/* Green contexts: the primary context with a part of the SMs. What a program
 * sees of one is where its kernels' blocks run. */
#define _POSIX_C_SOURCE 200809L
#include "green.h"

#include <pthread.h>
#include <stdlib.h>

#include "../support/host_memory.h"

enum { DEFAULT_STREAM = 1, NON_BLOCKING = 1 };

struct green {
  struct partition partition;
  struct context *context; /* what cuCtxFromGreenCtx gives */
  struct green *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct green *greens; /* destroyed ones stay, to be recognised */

static CUresult find(const struct green *green)
{
  pthread_mutex_lock(&lock);
  const struct green *g = greens;
  while (g != NULL && g != green)
    g = g->next;
  pthread_mutex_unlock(&lock);
  if (g == NULL)
    return CUDA_ERROR_INVALID_CONTEXT;
  return g->partition.is_destroyed ? CUDA_ERROR_CONTEXT_IS_DESTROYED
                                   : CUDA_SUCCESS;
}

static CUresult create(CUgreenCtx *green, CUdevResourceDesc description,
                       CUdevice device, unsigned flags)
{
  if (green == NULL || flags != DEFAULT_STREAM)
    return CUDA_ERROR_INVALID_VALUE;
  if (description == NULL) { /* an H200 takes it; for what, is documented
                                nowhere */
    explain("cuGreenCtxCreate", "without a description is not supported");
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  if (device < 0 || device >= config()->n_devices)
    return CUDA_ERROR_INVALID_DEVICE;
  const struct partition *partition = description_find(description);
  if (partition == NULL || partition->device != device)
    return CUDA_ERROR_INVALID_VALUE;
  struct green *g = host_try_new(1, sizeof *g);
  if (g == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  g->partition = *partition;
  g->context = context_of_green(g, &g->partition);
  if (g->context == NULL) {
    free(g);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  context_retain(device);
  pthread_mutex_lock(&lock);
  g->next = greens;
  greens = g;
  pthread_mutex_unlock(&lock);
  *green = g;
  return CUDA_SUCCESS;
}

API CUresult cuGreenCtxCreate(CUgreenCtx *green, CUdevResourceDesc description,
                              CUdevice device, unsigned flags)
{
  SERVE_AFTER(DRIVER_INIT, create(green, description, device, flags));
}

/* Its streams remain, and so does the current context where it is that; but
 * every call about them fails. */
static CUresult destroy(struct green *green)
{
  CUresult status = find(green);
  if (status != CUDA_SUCCESS)
    return status;
  green->partition.is_destroyed = true;
  green->context->is_destroyed = true;
  return context_release(green->partition.device);
}

API CUresult cuGreenCtxDestroy(CUgreenCtx green)
{
  SERVE_AFTER(DRIVER_INIT, destroy(green));
}

static CUresult convert(CUcontext *context, struct green *green)
{
  if (context == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult status = find(green);
  if (status != CUDA_SUCCESS)
    return status;
  *context = green->context;
  return CUDA_SUCCESS;
}

API CUresult cuCtxFromGreenCtx(CUcontext *context, CUgreenCtx green)
{
  SERVE_AFTER(DRIVER_INIT, convert(context, green));
}

static CUresult get_resource(struct green *green, CUdevResource *resource,
                             CUdevResourceType type)
{
  if (resource == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult status = find(green);
  if (status != CUDA_SUCCESS)
    return status;
  if (type != CU_DEV_RESOURCE_TYPE_SM)
    return CUDA_ERROR_INVALID_RESOURCE_TYPE;
  resource_of(resource, green->partition.device, &green->partition);
  return CUDA_SUCCESS;
}

API CUresult cuGreenCtxGetDevResource(CUgreenCtx green, CUdevResource *resource,
                                      CUdevResourceType type)
{
  SERVE_AFTER(DRIVER_INIT, get_resource(green, resource, type));
}

static CUresult get_id(struct green *green, unsigned long long *id)
{
  if (id == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult status = find(green);
  if (status != CUDA_SUCCESS)
    return status;
  *id = green->context->id;
  return CUDA_SUCCESS;
}

API CUresult cuGreenCtxGetId(CUgreenCtx green, unsigned long long *id)
{
  SERVE_AFTER(DRIVER_INIT, get_id(green, id));
}

/* ---- streams ------------------------------------------------------------- */

static CUresult create_stream(CUstream *stream, struct green *green,
                              unsigned flags, int priority)
{
  if (stream == NULL || flags != NON_BLOCKING)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult status = find(green);
  if (status != CUDA_SUCCESS)
    return status;
  return status_of(
      stream_create_in(stream, flags, priority, &green->partition));
}

API CUresult cuGreenCtxStreamCreate(CUstream *stream, CUgreenCtx green,
                                    unsigned flags, int priority)
{
  SERVE_AFTER(DRIVER_INIT, create_stream(stream, green, flags, priority));
}

/* A stream's partition is inside its green context. */
static struct green *green_of(CUstream stream)
{
  const struct partition *partition = stream_partition(stream);
  pthread_mutex_lock(&lock);
  struct green *g = greens;
  while (g != NULL && &g->partition != partition)
    g = g->next;
  pthread_mutex_unlock(&lock);
  return g;
}

static CUresult get_green(CUstream stream, CUgreenCtx *green)
{
  if (green == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (!stream_is_valid(stream))
    return CUDA_ERROR_INVALID_HANDLE;
  *green = green_of(stream);
  return CUDA_SUCCESS;
}

API CUresult cuStreamGetGreenCtx(CUstream stream, CUgreenCtx *green)
{
  SERVE_STATUS(get_green(stream, green));
}

/* The context that another stream was made in is known by its device only. */
static CUresult get_context(CUstream stream, CUcontext *context)
{
  const struct context *current = context_current();
  if (context == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (!stream_is_valid(stream))
    return CUDA_ERROR_INVALID_HANDLE;
  int device = stream_device(stream);
  const struct green *green = green_of(stream);
  if (green != NULL)
    *context = green->context;
  else if (current->device == device && current->green == NULL)
    *context = context_current();
  else
    *context = context_primary(device);
  return CUDA_SUCCESS;
}

API CUresult cuStreamGetCtx(CUstream stream, CUcontext *context)
{
  SERVE_STATUS(get_context(stream, context));
}

/* For a green context's stream it gives the primary context. */
static CUresult get_both(CUstream stream, CUcontext *context, CUgreenCtx *green)
{
  if (green == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult status = get_context(stream, context);
  if (status == CUDA_SUCCESS) {
    *green = green_of(stream);
    if (*green != NULL)
      *context = context_primary(stream_device(stream));
  }
  return status;
}

API CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext *context,
                               CUgreenCtx *green)
{
  SERVE_STATUS(get_both(stream, context, green));
}

PER_THREAD(cuStreamGetCtx, cuStreamGetCtx_ptsz);
PER_THREAD(cuStreamGetCtx_v2, cuStreamGetCtx_v2_ptsz);
