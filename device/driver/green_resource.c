/* The SMs of a device as a resource: asked for, split, and described for a
 * green context. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <string.h>

#include "../core/state.h"
#include "../support/host_memory.h"
#include "green.h"

enum { IGNORE_COSCHEDULING = 1, BOTH_FLAGS = 3 };

/* CUDA never frees a description, so there is a list of them. */
struct green_description {
  struct partition partition;
  struct green_description *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct green_description *descriptions;
static uint32_t n_splits;

/* cuda.h, "Green Contexts", for each compute capability: SMs that work together
 * come in these numbers, and fewer cannot be a group. */
enum { PAIR = 2 };

static unsigned alignment_of(int capability)
{
  return capability < 90 ? PAIR : 8;
}

/* An H200 of 132 SMs makes 15 groups of 8, though a 16th would fit; larger
 * groups as many as fit. */
enum { MOST_SMALL_GROUPS = 15 };

static unsigned least_of(int capability)
{
  return capability < 80 ? 2 : capability < 90 ? 4 : 8;
}

static void add_sm(CUdevResource *resource, unsigned sm)
{
  resource->sms[sm / 32] |= UINT32_C(1) << sm % 32;
  resource->sm.count++;
}

static bool has_sm(const CUdevResource *resource, unsigned sm)
{
  return (resource->sms[sm / 32] >> sm % 32 & 1) != 0;
}

/* What comes out of a split does not say how it could be split further. */
static CUdevResource empty_resource(unsigned device)
{
  return (CUdevResource){ .type = CU_DEV_RESOURCE_TYPE_SM, .device = device };
}

void resource_of(CUdevResource *resource, int device,
                 const struct partition *partition)
{
  const struct device_model *model = device_model(config()->capability);
  unsigned n =
      partition != NULL ? partition->n_sms : (unsigned)model->multiprocessors;
  *resource = empty_resource((unsigned)device);
  for (unsigned i = 0; i < n; i++)
    add_sm(resource, partition != NULL ? partition->sms[i] : i);
  bool in_pairs = partition != NULL && partition->in_pairs;
  resource->sm.least = in_pairs ? PAIR : least_of(config()->capability);
  resource->sm.alignment = in_pairs ? PAIR : alignment_of(config()->capability);
}

static CUresult get_of_device(CUdevice device, CUdevResource *resource,
                              CUdevResourceType type)
{
  if (resource == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (device < 0 || device >= config()->n_devices)
    return CUDA_ERROR_INVALID_DEVICE;
  if (type != CU_DEV_RESOURCE_TYPE_SM)
    return CUDA_ERROR_INVALID_RESOURCE_TYPE;
  resource_of(resource, device, NULL);
  return CUDA_SUCCESS;
}

API CUresult cuDeviceGetDevResource(CUdevice device, CUdevResource *resource,
                                    CUdevResourceType type)
{
  SERVE_AFTER(DRIVER_INIT, get_of_device(device, resource, type));
}

static CUresult get_of_context(struct context *context, CUdevResource *resource,
                               CUdevResourceType type)
{
  if (resource == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (context == NULL || !context_is_known(context))
    return CUDA_ERROR_INVALID_CONTEXT;
  if (type != CU_DEV_RESOURCE_TYPE_SM)
    return CUDA_ERROR_INVALID_RESOURCE_TYPE;
  resource_of(resource, context->device, context->partition);
  return CUDA_SUCCESS;
}

API CUresult cuCtxGetDevResource(CUcontext context, CUdevResource *resource,
                                 CUdevResourceType type)
{
  SERVE_AFTER(DRIVER_INIT, get_of_context(context, resource, type));
}

/* ---- splitting ----------------------------------------------------------- */

/* SMs of each group, if a group shall have at least so many. */
static unsigned group_size(const CUdevResource *input, unsigned flags,
                           unsigned wanted)
{
  bool in_pairs = (flags & IGNORE_COSCHEDULING) != 0;
  unsigned alignment = in_pairs ? PAIR : input->sm.alignment;
  unsigned least = in_pairs ? PAIR : input->sm.least;
  unsigned size = wanted < least ? least : wanted;
  size = (size + alignment - 1) / alignment * alignment;
  return size < input->sm.count ? size : input->sm.count;
}

/* The next SMs of the input, from `*sm` on. */
static CUdevResource take(const CUdevResource *input, unsigned *sm, unsigned n)
{
  CUdevResource group = empty_resource(input->device);
  for (; group.sm.count < n && *sm < MOST_SMS; ++*sm)
    if (has_sm(input, *sm))
      add_sm(&group, *sm);
  return group;
}

static CUresult split(CUdevResource *groups, unsigned *n_groups,
                      const CUdevResource *input, CUdevResource *rest,
                      unsigned flags, unsigned wanted)
{
  if (n_groups == NULL || input == NULL || (flags & BOTH_FLAGS) == BOTH_FLAGS ||
      (groups != NULL && *n_groups == 0))
    return CUDA_ERROR_INVALID_VALUE;
  if (input->type != CU_DEV_RESOURCE_TYPE_SM)
    return CUDA_ERROR_INVALID_RESOURCE_TYPE;
  if (input->split != 0 || wanted > input->sm.count)
    return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
  unsigned size = group_size(input, flags, wanted), sm = 0;
  unsigned n = input->sm.count / size;
  if (size == 8 && input->sm.alignment == 8 && n > MOST_SMALL_GROUPS &&
      (flags & IGNORE_COSCHEDULING) == 0)
    n = MOST_SMALL_GROUPS;
  if (groups != NULL && *n_groups < n)
    n = *n_groups;
  *n_groups = n;
  if (groups == NULL)
    return CUDA_SUCCESS;
  pthread_mutex_lock(&lock);
  uint32_t number = ++n_splits;
  pthread_mutex_unlock(&lock);
  const CUdevResource all = *input; /* it may be where a result goes */
  for (unsigned i = 0; i < n; i++) {
    groups[i] = take(&all, &sm, size);
    groups[i].split = number;
    groups[i].in_pairs = (flags & IGNORE_COSCHEDULING) != 0;
  }
  if (rest != NULL) {
    *rest = take(&all, &sm, MOST_SMS);
    rest->split = number;
    rest->in_pairs = true;
    if (rest->sm.count == 0)
      memset(rest, 0, sizeof *rest); /* CU_DEV_RESOURCE_TYPE_INVALID */
  }
  return CUDA_SUCCESS;
}

API CUresult cuDevSmResourceSplitByCount(CUdevResource *groups,
                                         unsigned *n_groups,
                                         const CUdevResource *input,
                                         CUdevResource *rest, unsigned flags,
                                         unsigned wanted)
{
  SERVE_AFTER(DRIVER_INIT, split(groups, n_groups, input, rest, flags, wanted));
}

/* ---- descriptions -------------------------------------------------------- */

/* Did the program change it? */
static bool is_whole(const CUdevResource *resource)
{
  unsigned n = 0;
  for (unsigned sm = 0; sm < MOST_SMS; sm++)
    n += has_sm(resource, sm);
  return n == resource->sm.count;
}

static CUresult combine(CUdevResource *all, const CUdevResource *resources,
                        unsigned n)
{
  *all = resources[0];
  for (unsigned i = 0; i < n; i++) {
    if (resources[i].type != CU_DEV_RESOURCE_TYPE_SM)
      return CUDA_ERROR_INVALID_RESOURCE_TYPE;
    if (!is_whole(&resources[i]) || resources[i].device != all->device)
      return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
    for (unsigned k = 0; k < SM_WORDS; k++)
      all->sms[k] |= resources[i].sms[k];
    all->in_pairs |= resources[i].in_pairs;
  }
  return CUDA_SUCCESS;
}

static CUresult describe(CUdevResourceDesc *description,
                         const CUdevResource *resources, unsigned n)
{
  CUdevResource all;
  if (description == NULL || resources == NULL || n == 0)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult status = combine(&all, resources, n);
  if (status != CUDA_SUCCESS)
    return status;
  struct green_description *d = host_try_new(1, sizeof *d);
  if (d == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  d->partition.device = (int)all.device;
  d->partition.in_pairs = all.in_pairs != 0;
  for (unsigned sm = 0; sm < MOST_SMS; sm++)
    if (has_sm(&all, sm))
      d->partition.sms[d->partition.n_sms++] = (uint16_t)sm;
  pthread_mutex_lock(&lock);
  d->next = descriptions;
  descriptions = d;
  pthread_mutex_unlock(&lock);
  *description = d;
  return CUDA_SUCCESS;
}

API CUresult cuDevResourceGenerateDesc(CUdevResourceDesc *description,
                                       CUdevResource *resources, unsigned n)
{
  SERVE_AFTER(DRIVER_INIT, describe(description, resources, n));
}

const struct partition *description_find(CUdevResourceDesc description)
{
  pthread_mutex_lock(&lock);
  const struct green_description *d = descriptions;
  while (d != NULL && d != description)
    d = d->next;
  pthread_mutex_unlock(&lock);
  return d != NULL ? &d->partition : NULL;
}
