/* Attributes of streams. They ask for speed, or for an order that always is
 * kept here: they are checked and remembered. */
#include "state.h"
#include "stream.h"

static cudaLaunchAttributeValue *place(struct stream_attributes *attributes,
                                       enum cudaLaunchAttributeID attribute)
{
  switch (attribute) {
  case cudaLaunchAttributeAccessPolicyWindow: return &attributes->access_window;
  case cudaLaunchAttributeSynchronizationPolicy:
    return &attributes->synchronization;
  case cudaLaunchAttributeMemSyncDomainMap: return &attributes->domain_map;
  case cudaLaunchAttributeMemSyncDomain: return &attributes->domain;
  default: return NULL;
  }
}

static bool is_window(const struct cudaAccessPolicyWindow *window)
{
  return window->num_bytes <= (size_t)current_model()->access_window_bytes &&
         window->hitRatio >= 0 && window->hitRatio <= 1 &&
         window->hitProp >= 0 && window->hitProp <= 2 &&
         window->missProp >= 0 && window->missProp <= 1;
}

static bool is_good(enum cudaLaunchAttributeID attribute,
                    const cudaLaunchAttributeValue *value)
{
  int n = current_model()->sync_domains, domains = n > 0 ? n : 1;
  switch (attribute) {
  case cudaLaunchAttributeAccessPolicyWindow:
    return is_window(&value->accessPolicyWindow);
  case cudaLaunchAttributeSynchronizationPolicy:
    return value->syncPolicy >= 1 && value->syncPolicy <= 4;
  case cudaLaunchAttributeMemSyncDomainMap:
    return value->memSyncDomainMap.default_ < domains &&
           value->memSyncDomainMap.remote < domains;
  case cudaLaunchAttributeMemSyncDomain:
    return value->memSyncDomain == 0 || value->memSyncDomain == 1;
  default: return false;
  }
}

static cudaError_t begin(cudaStream_t stream)
{
  cudaError_t error = state_settle();
  return error == cudaSuccess && !stream_is_valid(stream)
             ? cudaErrorInvalidResourceHandle
             : error;
}

cudaError_t core_stream_set_attribute(cudaStream_t stream,
                                      enum cudaLaunchAttributeID attribute,
                                      const cudaLaunchAttributeValue *value)
{
  cudaError_t error = begin(stream);
  if (error == cudaSuccess && value == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess && attribute == cudaLaunchAttributePriority)
    return stream_set_priority(stream, value->priority);
  if (error == cudaSuccess && !is_good(attribute, value))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *place(stream_attributes(stream), attribute) = *value;
  return error;
}

cudaError_t core_stream_get_attribute(cudaStream_t stream,
                                      enum cudaLaunchAttributeID attribute,
                                      cudaLaunchAttributeValue *value)
{
  cudaError_t error = begin(stream);
  if (error == cudaSuccess && value == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess && attribute == cudaLaunchAttributePriority)
    return core_stream_get_priority(stream, &value->priority);
  const cudaLaunchAttributeValue *is =
      error == cudaSuccess ? place(stream_attributes(stream), attribute) : NULL;
  if (error == cudaSuccess && is == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *value = *is;
  return error;
}

cudaError_t core_stream_copy_attributes(cudaStream_t to, cudaStream_t from)
{
  cudaError_t error = begin(to);
  if (error == cudaSuccess && !stream_is_valid(from))
    error = cudaErrorInvalidResourceHandle;
  if (error == cudaSuccess)
    *stream_attributes(to) = *stream_attributes(from);
  return error;
}
