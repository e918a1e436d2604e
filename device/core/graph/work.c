/* What a node of a graph does. */
#include <stdlib.h>
#include <string.h>

#include "../../memory/memory.h"
#include "../../support/host_memory.h"
#include "../copy.h"
#include "../event.h"
#include "../launch.h"
#include "../ordering.h"
#include "../pool.h"
#include "../state.h"
#include "../stream.h"
#include "graph.h"

/* ---- kernels ------------------------------------------------------------ */

/* Pointers and what they point to, in one piece of memory. */
static void **new_arguments(unsigned n, size_t bytes)
{
  void **arguments = host_new(1, n * sizeof *arguments + bytes + 1);
  return arguments;
}

static void copy_arguments(const struct kernel_info *info, void **from,
                           struct work *work)
{
  unsigned n = info->n_parameters;
  void **arguments = new_arguments(n, info->parameter_bytes);
  char *block = (char *)(arguments + n);
  for (unsigned i = 0; i < n; i++) {
    arguments[i] = block + info->parameters[i].offset;
    memcpy(arguments[i], from[i], info->parameters[i].bytes);
  }
  work->kernel.params.kernelParams = arguments;
  work->kernel.n_arguments = n;
  work->kernel.argument_bytes = info->parameter_bytes;
}

static void clone_arguments(const struct work *from, struct work *to)
{
  unsigned n = from->kernel.n_arguments;
  size_t bytes = from->kernel.argument_bytes;
  void **source = from->kernel.params.kernelParams;
  void **arguments = new_arguments(n, bytes);
  memcpy(arguments + n, source + n, bytes);
  for (unsigned i = 0; i < n; i++)
    arguments[i] = (char *)arguments + ((char *)source[i] - (char *)source);
  to->kernel.params.kernelParams = arguments;
}

/* cudaKernelNodeParams.extra: the arguments as one packed block. */
static void **unpack(const struct kernel_info *info, void **extra, void **room)
{
  const char *block = NULL;
  for (; extra != NULL && extra[0] != NULL; extra += 2)
    if (extra[0] == (void *)1) /* CU_LAUNCH_PARAM_BUFFER_POINTER */
      block = extra[1];
  if (block == NULL)
    return NULL;
  for (unsigned i = 0; i < info->n_parameters; i++)
    room[i] = (void *)(uintptr_t)(block + info->parameters[i].offset);
  return room;
}

cudaError_t work_kernel(const struct cudaKernelNodeParams *params,
                        const struct work_launch *how, struct work *work)
{
  const struct work_launch plain = { .partition = state_context().partition };
  const struct kernel *kernel;
  struct kernel_info info;
  struct launch_request request = { registry_function(params->func),
                                    params->gridDim,
                                    params->blockDim,
                                    params->kernelParams,
                                    params->sharedMemBytes,
                                    NULL,
                                    (how == NULL ? &plain : how)->cooperative,
                                    (how == NULL ? &plain : how)->cluster,
                                    true,
                                    (how == NULL ? &plain : how)->partition,
                                    params->func };
  if (request.function == NULL)
    return function_unknown(params->func);
  cudaError_t error =
      function_load(request.function, current_device(), &kernel);
  if (error != cudaSuccess)
    return error;
  kernel_describe(kernel, &info);
  void **room = host_try_new(info.n_parameters + 1u, sizeof *room);
  if (room == NULL)
    return cudaErrorMemoryAllocation;
  if (request.arguments == NULL)
    request.arguments = unpack(&info, params->extra, room);
  error = launch_check(&request, current_device(), &info);
  if (error == cudaSuccess) {
    *work = (struct work){ .type = cudaGraphNodeTypeKernel,
                           .device = current_device() };
    work->kernel.params = *params;
    work->kernel.params.extra = NULL;
    copy_arguments(&info, request.arguments, work);
    work->kernel.function = request.function;
    work->kernel.how = how == NULL ? plain : *how;
  }
  free(room);
  return error;
}

static cudaError_t run_kernel(const struct work *work)
{
  const struct cudaKernelNodeParams *p = &work->kernel.params;
  struct launch_request request = { work->kernel.function,
                                    p->gridDim,
                                    p->blockDim,
                                    p->kernelParams,
                                    p->sharedMemBytes,
                                    NULL,
                                    work->kernel.how.cooperative,
                                    work->kernel.how.cluster,
                                    true,
                                    work->kernel.how.partition,
                                    NULL };
  return launch_request_run(&request);
}

/* ---- memory ------------------------------------------------------------- */

cudaError_t work_copy(const struct cudaMemcpy3DParms *copy, struct work *work)
{
  if (copy == NULL || (copy->srcArray == NULL && copy->srcPtr.ptr == NULL) ||
      (copy->dstArray == NULL && copy->dstPtr.ptr == NULL) ||
      (unsigned)copy->kind > cudaMemcpyDefault)
    return cudaErrorInvalidValue;
  *work = (struct work){ .type = cudaGraphNodeTypeMemcpy,
                         .device = current_device(),
                         .copy = *copy };
  return cudaSuccess;
}

cudaError_t work_copy_bytes(void *destination, const void *source, size_t bytes,
                            enum cudaMemcpyKind kind, struct work *work)
{
  struct cudaMemcpy3DParms copy = {
    .srcPtr = { (void *)(uintptr_t)source, bytes, bytes, 1 },
    .dstPtr = { destination, bytes, bytes, 1 },
    .extent = { bytes, 1, 1 },
    .kind = kind,
  };
  return work_copy(&copy, work);
}

cudaError_t work_set(const struct cudaMemsetParams *set, struct work *work)
{
  if (set == NULL || set->dst == NULL ||
      (set->elementSize != 1 && set->elementSize != 2 &&
       set->elementSize != 4) ||
      (set->height > 1 && set->width * set->elementSize > set->pitch))
    return cudaErrorInvalidValue;
  *work = (struct work){ .type = cudaGraphNodeTypeMemset,
                         .device = current_device(),
                         .set = *set };
  return cudaSuccess;
}

static cudaError_t run_set(const struct cudaMemsetParams *set)
{
  cudaError_t error = cudaSuccess;
  size_t row = set->width * set->elementSize;
  if (row == 0 || set->height == 0)
    return cudaSuccess;
  char *view = copy_view("cudaGraphLaunch: memset", set->dst,
                         (set->height - 1) * set->pitch + row, 1,
                         COPY_DESTINATION, &error);
  if (view == NULL)
    return error;
  ordering_begin("a memset node", NULL);
  for (size_t y = 0; y < set->height; y++) {
    for (size_t x = 0; x < set->width; x++) /* little-endian */
      memcpy(view + y * set->pitch + x * set->elementSize, &set->value,
             set->elementSize);
    operation_writes((uint64_t)(uintptr_t)set->dst + y * set->pitch, row);
  }
  ordering_end();
  return cudaSuccess;
}

cudaError_t work_alloc(struct cudaMemAllocNodeParams *alloc, struct work *work)
{
  if (alloc == NULL || alloc->bytesize == 0)
    return cudaErrorInvalidValue;
  if (!pool_location_is_valid(&alloc->poolProps.location))
    return cudaErrorInvalidValue;
  alloc->dptr =
      pool_reserve_for_graph(alloc->bytesize, alloc->poolProps.location.id);
  if (alloc->dptr == NULL)
    return cudaErrorMemoryAllocation;
  *work = (struct work){ .type = cudaGraphNodeTypeMemAlloc,
                         .device = current_device(),
                         .alloc = *alloc };
  return cudaSuccess;
}

cudaError_t work_free(void *address, struct work *work)
{
  if (address == NULL)
    return cudaErrorInvalidValue;
  *work = (struct work){ .type = cudaGraphNodeTypeMemFree,
                         .device = current_device(),
                         .freed = address };
  return cudaSuccess;
}

/* ---- the rest ----------------------------------------------------------- */

cudaError_t work_host(const struct cudaHostNodeParams *host, struct work *work)
{
  if (host == NULL || host->fn == NULL)
    return cudaErrorInvalidValue;
  *work = (struct work){ .type = cudaGraphNodeTypeHost,
                         .device = current_device(),
                         .host = *host };
  return cudaSuccess;
}

cudaError_t work_event(enum cudaGraphNodeType type, cudaEvent_t event,
                       struct work *work)
{
  if (!event_is_valid(event))
    return cudaErrorInvalidValue;
  *work =
      (struct work){ .type = type, .device = current_device(), .event = event };
  return cudaSuccess;
}

cudaError_t work_child(struct graph *child, struct work *work)
{
  if (!graph_is_valid(child))
    return cudaErrorInvalidValue;
  *work = (struct work){ .type = cudaGraphNodeTypeGraph,
                         .device = current_device(),
                         .child = graph_copy(child) };
  work->child->is_part = true;
  return cudaSuccess;
}

cudaError_t work_of(struct cudaGraphNodeParams *params, struct work *work)
{
  if (params == NULL)
    return cudaErrorInvalidValue;
  switch (params->type) {
  case cudaGraphNodeTypeKernel: return work_kernel(&params->kernel, NULL, work);
  case cudaGraphNodeTypeMemcpy:
    return work_copy(&params->memcpy.copyParams, work);
  case cudaGraphNodeTypeMemset: return work_set(&params->memset, work);
  case cudaGraphNodeTypeHost: return work_host(&params->host, work);
  case cudaGraphNodeTypeGraph: return work_child(params->graph.graph, work);
  case cudaGraphNodeTypeEmpty:
    *work = (struct work){ .type = cudaGraphNodeTypeEmpty,
                           .device = current_device() };
    return cudaSuccess;
  case cudaGraphNodeTypeWaitEvent:
  case cudaGraphNodeTypeEventRecord:
    return work_event(params->type, params->eventWait.event, work);
  case cudaGraphNodeTypeMemAlloc: return work_alloc(&params->alloc, work);
  case cudaGraphNodeTypeMemFree: return work_free(params->free.dptr, work);
  case cudaGraphNodeTypeConditional:
    return work_condition(&params->conditional, work);
  }
  explain("cudaGraphAddNode", "nodes of type %d are not supported",
          (int)params->type);
  return cudaErrorNotSupported;
}

void work_clone(const struct work *from, struct work *to)
{
  *to = *from;
  if (from->type == cudaGraphNodeTypeKernel)
    clone_arguments(from, to);
  if (from->type == cudaGraphNodeTypeGraph) {
    to->child = graph_copy(from->child);
    to->child->is_part = true;
  }
  if (from->type == cudaGraphNodeTypeConditional)
    condition_clone(from, to);
  if (from->type == cudaGraphNodeTypeMemAlloc)
    pool_retain_for_graph(from->alloc.dptr);
}

void work_release(struct work *work)
{
  if (work->type == cudaGraphNodeTypeKernel) {
    free(work->kernel.params.kernelParams);
  } else if (work->type == cudaGraphNodeTypeGraph) {
    graph_free(work->child);
  } else if (work->type == cudaGraphNodeTypeConditional) {
    condition_release(work);
  } else if (work->type == cudaGraphNodeTypeMemAlloc) {
    pool_release_for_graph(work->alloc.dptr);
  }
}

static cudaError_t run_here(const struct work *work)
{
  switch (work->type) {
  case cudaGraphNodeTypeKernel: return run_kernel(work);
  case cudaGraphNodeTypeMemcpy: return core_memcpy_3d_async(&work->copy, NULL);
  case cudaGraphNodeTypeMemset: return run_set(&work->set);
  case cudaGraphNodeTypeHost:
    return core_launch_host_func(NULL, work->host.fn, work->host.userData);
  case cudaGraphNodeTypeEventRecord:
    return core_event_record(work->event, NULL);
  case cudaGraphNodeTypeMemAlloc: return pool_graph_allocates(work->alloc.dptr);
  case cudaGraphNodeTypeMemFree: return core_free_async(work->freed, NULL);
  case cudaGraphNodeTypeWaitEvent: /* what it waits for is done */
    ordering_wait(NULL, event_known(work->event));
    break;
  case cudaGraphNodeTypeEmpty:
  case cudaGraphNodeTypeGraph: /* see exec.c */
  case cudaGraphNodeTypeConditional: break;
  }
  return cudaSuccess;
}

cudaError_t work_run(const struct work *work)
{
  int device = current_device();
  struct state_context context = state_context();
  if (state_is_dead(work->device))
    return cudaSuccess;
  if (work->device != device)
    set_current_device(work->device);
  cudaError_t error = run_here(work);
  if (work->device != device)
    state_set_context(context, device);
  return error;
}
