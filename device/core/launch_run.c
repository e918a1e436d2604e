/* Runs a checked launch, reports it, and keeps its fault. */
#include <dirent.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "../check/fault.h"
#include "../exec/launch.h"
#include "../exec/nested.h"
#include "../memory/memory.h"
#include "../report/report.h"
#include "../support/host_memory.h"
#include "api_check.h"
#include "copy.h"
#include "graph/capture.h"
#include "graph/graph.h"
#include "launch.h"
#include "limit.h"
#include "occupancy.h"
#include "ordering.h"
#include "output.h"
#include "partition.h"
#include "process.h"
#include "property.h"
#include "state.h"
#include "stream.h"

static cudaError_t error_of_fault(enum fault_kind kind)
{
  switch (kind) {
  case FAULT_NONE: return cudaSuccess;
  case FAULT_OUT_OF_BOUNDS: return cudaErrorIllegalAddress;
  case FAULT_NO_PEER: return cudaErrorIllegalAddress;
  case FAULT_MISALIGNED: return cudaErrorMisalignedAddress;
  case FAULT_ADDRESS_SPACE: return cudaErrorInvalidAddressSpace;
  case FAULT_READ_ONLY: return cudaErrorIllegalAddress;
  case FAULT_ASSERT: return cudaErrorAssert;
  case FAULT_TRAP: return cudaErrorLaunchFailure;
  case FAULT_BARRIER: return cudaErrorLaunchTimeout;
  case FAULT_TIMEOUT: return cudaErrorLaunchTimeout;
  case FAULT_ENDLESS: return cudaErrorLaunchTimeout;
  case FAULT_STACK_OVERFLOW: return cudaErrorIllegalAddress;
  case FAULT_TEXTURE: return cudaErrorIllegalAddress;
  case FAULT_ILLEGAL: return cudaErrorIllegalInstruction;
  case FAULT_ENDED_BLOCK: return cudaErrorLaunchFailure;
  case FAULT_UNSUPPORTED: return cudaErrorNotSupported;
  case FAULT_WAITING:
  case FAULT_INTERNAL: break;
  }
  return cudaErrorUnknown;
}

/* The arguments, each at the offset that the kernel expects. */
static unsigned char *pack_arguments(const struct kernel_info *info,
                                     void **arguments)
{
  unsigned char *block = host_try_new(1, info->parameter_bytes + 1u);
  for (unsigned i = 0; block != NULL && i < info->n_parameters; i++)
    memcpy(block + info->parameters[i].offset, arguments[i],
           info->parameters[i].bytes);
  return block;
}

static void set_triple(uint32_t to[3], dim3 from)
{
  to[0] = from.x;
  to[1] = from.y;
  to[2] = from.z;
}

/* An access that a check reported was left out: the grid came to its end. */
static bool was_left_out(const struct fault *fault)
{
  return fault->reported &&
         (fault->kind == FAULT_OUT_OF_BOUNDS || fault->kind == FAULT_NO_PEER ||
          fault->kind == FAULT_MISALIGNED ||
          fault->kind == FAULT_ADDRESS_SPACE);
}

static void keep_fault(int device, const struct fault *fault)
{
  if (!fault->reported)
    fault_report(fault);
  if (fault->kind == FAULT_ENDLESS)
    process_note_endless();
  if (was_left_out(fault))
    state_pass_fault(device, error_of_fault(fault->kind));
  else
    state_fault(device, error_of_fault(fault->kind));
}

/* Called with the output locked: launches run one at a time. */
static void run_launch(struct launch *launch, const struct kernel_info *info)
{
  static uint64_t n_launches;
  struct launch_counts counts = { 0 };
  struct fault fault = { 0 };
  struct report_launch id = { .kernel = info->name, .number = ++n_launches };
  memcpy(id.grid, launch->grid, sizeof id.grid);
  memcpy(id.block, launch->block, sizeof id.block);
  launch->output = output_stream();
  report_begin(&id, launch);
  int status = launch_run(launch, &counts, &fault);
  report_add(&id, &counts);
  launch_counts_free(&counts);
  if (status != 0)
    keep_fault(launch->device, &fault);
}

static void run_nested(struct launch *parent);

/* A copy or a set that device code asked for. Outside of memory it is a fault
 * of the grid that asked, as a store of its own would be. */
static void copy_or_set(const struct launch *parent, const struct nested *n)
{
  cudaError_t error = cudaSuccess;
  void *to = (void *)(uintptr_t)n->to;
  const void *from = (const void *)(uintptr_t)n->from;
  if (n->bytes == 0)
    return;
  to = copy_view("an operation of device code", to, n->bytes, 1,
                 COPY_DESTINATION, &error);
  if (to != NULL && from != NULL)
    from = copy_view("an operation of device code", from, n->bytes, 1,
                     COPY_SOURCE, &error);
  if (error != cudaSuccess)
    state_fault(parent->device, cudaErrorIllegalAddress);
  else if (from != NULL)
    memmove(to, from, n->bytes);
  else
    memset(to, n->value, n->bytes);
}

static void run_one(const struct launch *parent, const struct nested *n)
{
  struct kernel_info info;
  if (n->kernel == NULL) {
    copy_or_set(parent, n);
    return;
  }
  struct launch launch = *parent;
  kernel_describe(n->kernel, &info);
  launch.kernel = n->kernel;
  memcpy(launch.grid, n->grid, sizeof launch.grid);
  memcpy(launch.block, n->block, sizeof launch.block);
  memcpy(launch.cluster, info.cluster, sizeof launch.cluster);
  launch.explicit_cluster = info.cluster[0] != 0;
  launch.dynamic_shared_bytes = n->shared_bytes;
  launch.cooperative = 0;
  launch.nested = n;
  launch.parameters = memory_view(n->parameters, info.parameter_bytes + 1u);
  run_launch(&launch, &info);
  run_nested(&launch);
}

/* What a grid launched runs after it, each with all that it launches; tail
 * launches last. That is one of the orders that CUDA allows. */
static void run_nested(struct launch *parent)
{
  struct nested *first = nested_take(), *next;
  for (int tail = 0; tail <= 1; tail++)
    for (struct nested *n = first; n != NULL; n = n->next)
      if (n->is_tail == tail && !state_is_dead(parent->device))
        run_one(parent, n);
  for (struct nested *n = first; n != NULL; n = next) {
    next = n->next;
    if (n->kernel != NULL)
      memory_release(n->parameters);
    free(n);
  }
}

/* ---- what device code asks ----------------------------------------------- */

static int answer_attribute(int *value, int which, int device)
{
  return attribute_read(value, (enum cudaDeviceAttr)which, device);
}

static const char *answer_error(int error, bool name)
{
  return name ? error_name((cudaError_t)error) : error_text((cudaError_t)error);
}

static int answer_limit(uint64_t *value, int which, int device)
{
  return limit_answer(value, (enum cudaLimit)which, device);
}

static int answer_occupancy(int *n_blocks, const struct kernel_info *info,
                            int block_threads, uint64_t dynamic_bytes,
                            unsigned flags)
{
  return occupancy_answer(n_blocks, info, block_threads, dynamic_bytes, flags);
}

static struct device_answers answers(void)
{
  struct device_answers a = { .n_devices = config()->n_devices,
                              .attribute = answer_attribute,
                              .error = answer_error,
                              .limit = answer_limit,
                              .occupancy = answer_occupancy,
                              .function = function_answer,
                              .launch_graph = graph_run_asks };
  core_runtime_get_version(&a.version);
  return a;
}

/* No thread but those that run a launch, of which this one is one? Then nothing
 * can happen that a kernel might wait for. */
static bool is_alone(unsigned n)
{
  DIR *threads = opendir("/proc/self/task");
  const struct dirent *entry;
  unsigned found = 0;
  if (threads == NULL)
    return false;
  while ((entry = readdir(threads)) != NULL)
    found += entry->d_name[0] != '.';
  closedir(threads);
  return found <= n;
}

static cudaError_t start(const struct launch_request *request, int device,
                         const struct kernel *kernel,
                         const struct kernel_info *info)
{
  unsigned char *parameters = pack_arguments(info, request->arguments);
  if (parameters == NULL)
    return cudaErrorMemoryAllocation;
  const struct device_answers lent = answers();
  struct launch launch = {
    .answers = &lent,
    .kernel = kernel,
    .dynamic_shared_bytes = (uint32_t)request->dynamic_bytes,
    .parameters = parameters,
    .device = device,
    .clock_khz = current_model()->clock_khz,
    .n_workers = config()->n_workers,
    .order_seed = config()->order_seed,
    .time_limit = config()->time_limit,
    .stack_limit = limit_of_stack(device),
    .heap = limit_heap(device),
    .printed = limit_note_printed,
    .report_waiting = fault_report,
    .is_alone = is_alone,
    .cooperative = request->cooperative,
    .graph_exec = graph_run_handle(),
    .graph_run = graph_run_current(),
  };
  const struct partition *partition = request->partition;
  if (partition != NULL) {
    launch.sms = partition->sms;
    launch.n_sms = partition->n_sms;
    launch.n_device_sms = (unsigned)current_model()->multiprocessors;
  }
  set_triple(launch.grid, request->grid);
  set_triple(launch.block, request->block);
  dim3 cluster;
  bool is_explicit;
  if (launch_cluster(request, info, &cluster, &is_explicit) == cudaSuccess)
    set_triple(launch.cluster, cluster);
  launch.explicit_cluster = is_explicit;
  output_lock();
  ordering_begin("kernel", info->name);
  run_launch(&launch, info);
  run_nested(&launch);
  ordering_end();
  output_unlock();
  free(parameters);
  return cudaSuccess;
}

static cudaError_t record(const struct launch_request *request)
{
  struct work work;
  struct cudaKernelNodeParams params = { .func = request->function,
                                         .gridDim = request->grid,
                                         .blockDim = request->block,
                                         .sharedMemBytes =
                                             (unsigned)request->dynamic_bytes,
                                         .kernelParams = request->arguments };
  const struct work_launch how = { request->cooperative, request->cluster,
                                   request->partition };
  graph_lock();
  cudaError_t error = work_kernel(&params, &how, &work);
  graph_unlock();
  return capture_add(request->stream, error, &work);
}

static cudaError_t run_request(const struct launch_request *request)
{
  int device = current_device();
  const struct kernel *kernel;
  struct kernel_info info;
  cudaError_t error = state_enter();
  if (error != cudaSuccess)
    return error;
  if (request->function == NULL)
    return function_unknown(request->host);
  if (!stream_is_valid(request->stream) ||
      stream_device(request->stream) != device)
    return cudaErrorInvalidResourceHandle;
  bool captures;
  error = stream_enter(request->stream, &captures);
  if (error != cudaSuccess || captures)
    return error != cudaSuccess ? error : record(request);
  error = function_load(request->function, device, &kernel);
  if (error != cudaSuccess)
    return error;
  kernel_describe(kernel, &info);
  error = launch_check(request, device, &info);
  if (error != cudaSuccess || state_is_dead(device))
    return error;
  return start(request, device, kernel, &info);
}

cudaError_t launch_request_run(const struct launch_request *request)
{
  struct launch_request placed = *request;
  if (!request->in_graph && stream_is_valid(request->stream))
    placed.partition = stream_partition(request->stream);
  return run_request(&placed);
}
