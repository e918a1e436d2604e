/* Batches: several operations by one call. They are done one by one, which is
 * one of the orders that a batch allows. */
#include "config.h"
#include "state.h"
#include "stream.h"

/* `starts` says from which operation on each of `n_attributes` holds. */
static bool is_division(const size_t *starts, size_t n_attributes, size_t n)
{
  if (starts == NULL || n_attributes == 0 || n_attributes > n || starts[0] != 0)
    return false;
  for (size_t i = 1; i < n_attributes; i++)
    if (starts[i] <= starts[i - 1] || starts[i] >= n)
      return false;
  return true;
}

/* The legacy stream takes no batches. */
static cudaError_t begin(cudaStream_t stream)
{
  cudaError_t error = state_enter();
  if (error == cudaSuccess && !stream_is_valid(stream))
    error = cudaErrorInvalidResourceHandle;
  if (error == cudaSuccess && (stream == NULL || stream == cudaStreamLegacy))
    error = cudaErrorInvalidValue;
  return error;
}

cudaError_t core_memcpy_batch_async(void *const *destinations,
                                    const void *const *sources,
                                    const size_t *sizes, size_t n,
                                    struct cudaMemcpyAttributes *attributes,
                                    size_t *starts, size_t n_attributes,
                                    cudaStream_t stream)
{
  cudaError_t error = begin(stream);
  if (error == cudaSuccess &&
      (destinations == NULL || sources == NULL || sizes == NULL || n == 0 ||
       attributes == NULL || !is_division(starts, n_attributes, n)))
    error = cudaErrorInvalidValue;
  for (size_t i = 0; error == cudaSuccess && i < n_attributes; i++)
    if (attributes[i].srcAccessOrder < 1 || attributes[i].srcAccessOrder > 3)
      error = cudaErrorInvalidValue;
  for (size_t i = 0; error == cudaSuccess && i < n; i++)
    error = sizes[i] == 0
                ? cudaErrorInvalidValue
                : core_memcpy_async(destinations[i], sources[i], sizes[i],
                                    cudaMemcpyDefault, stream);
  return error;
}

/* The parts of one operand that cudaMemcpy3D wants. Memory beside an array is
 * measured in the array's elements. */
static cudaError_t operand(const struct cudaMemcpy3DOperand *from,
                           struct cudaExtent extent, size_t element,
                           cudaArray_t *array, struct cudaPos *position,
                           struct cudaPitchedPtr *memory)
{
  if (from->type == cudaMemcpyOperandTypeArray) {
    *array = from->op.array.array;
    *position = from->op.array.offset;
    return *array != NULL ? cudaSuccess : cudaErrorInvalidValue;
  }
  if (from->type != cudaMemcpyOperandTypePointer || from->op.ptr.ptr == NULL)
    return cudaErrorInvalidValue;
  size_t row = from->op.ptr.rowLength, rows = from->op.ptr.layerHeight;
  row = row != 0 ? row : extent.width;
  rows = rows != 0 ? rows : extent.height;
  *memory = (struct cudaPitchedPtr){ from->op.ptr.ptr, row * element,
                                     row * element, rows };
  return cudaSuccess;
}

static cudaError_t element_bytes(const struct cudaMemcpy3DBatchOp *copy,
                                 size_t *bytes)
{
  struct cudaChannelFormatDesc format;
  const struct cudaMemcpy3DOperand *array =
      copy->src.type == cudaMemcpyOperandTypeArray ? &copy->src : &copy->dst;
  *bytes = 1;
  if (array->type != cudaMemcpyOperandTypeArray)
    return cudaSuccess;
  cudaError_t error = core_get_channel_desc(&format, array->op.array.array);
  *bytes = (size_t)(format.x + format.y + format.z + format.w) / 8;
  return error;
}

static cudaError_t copy_one(const struct cudaMemcpy3DBatchOp *copy,
                            cudaStream_t stream)
{
  struct cudaMemcpy3DParms whole = { .extent = copy->extent,
                                     .kind = cudaMemcpyDefault };
  size_t element;
  if (copy->extent.width == 0 || copy->extent.height == 0 ||
      copy->extent.depth == 0)
    return cudaErrorInvalidValue;
  cudaError_t error = element_bytes(copy, &element);
  if (error == cudaSuccess)
    error = operand(&copy->src, copy->extent, element, &whole.srcArray,
                    &whole.srcPos, &whole.srcPtr);
  if (error == cudaSuccess)
    error = operand(&copy->dst, copy->extent, element, &whole.dstArray,
                    &whole.dstPos, &whole.dstPtr);
  return error == cudaSuccess ? core_memcpy_3d_async(&whole, stream) : error;
}

cudaError_t core_memcpy_3d_batch_async(size_t n,
                                       struct cudaMemcpy3DBatchOp *copies,
                                       unsigned long long flags,
                                       cudaStream_t stream)
{
  cudaError_t error = begin(stream);
  if (error == cudaSuccess && (n == 0 || copies == NULL || flags != 0))
    error = cudaErrorInvalidValue;
  for (size_t i = 0; error == cudaSuccess && i < n; i++)
    error = copy_one(&copies[i], stream);
  return error;
}

static cudaError_t check_ranges(void *const *addresses, const size_t *sizes,
                                size_t n, unsigned long long flags)
{
  return addresses == NULL || sizes == NULL || n == 0 || flags != 0
             ? cudaErrorInvalidValue
             : cudaSuccess;
}

cudaError_t core_mem_prefetch_batch_async(void **addresses, size_t *sizes,
                                          size_t n,
                                          struct cudaMemLocation *locations,
                                          size_t *starts, size_t n_locations,
                                          unsigned long long flags,
                                          cudaStream_t stream)
{
  cudaError_t error = begin(stream);
  if (error == cudaSuccess)
    error = check_ranges(addresses, sizes, n, flags);
  if (error == cudaSuccess &&
      (locations == NULL || !is_division(starts, n_locations, n)))
    error = cudaErrorInvalidValue;
  for (size_t i = 0, of = 0; error == cudaSuccess && i < n; i++) {
    if (of + 1 < n_locations && starts[of + 1] == i)
      of++;
    error = core_mem_prefetch_async(addresses[i], sizes[i], locations[of], 0,
                                    stream);
  }
  return error;
}

/* What was discarded may be read as anything, the old contents included. */
cudaError_t core_mem_discard_batch_async(void **addresses, size_t *sizes,
                                         size_t n, unsigned long long flags,
                                         cudaStream_t stream)
{
  cudaError_t error = begin(stream);
  if (error == cudaSuccess)
    error = check_ranges(addresses, sizes, n, flags);
  for (size_t i = 0; error == cudaSuccess && i < n; i++) {
    int known;
    error = core_mem_range_get_attribute(&known, sizeof known,
                                         cudaMemRangeAttributeReadMostly,
                                         addresses[i], sizes[i]);
  }
  return error;
}

cudaError_t core_mem_discard_and_prefetch_batch_async(
    void **addresses, size_t *sizes, size_t n,
    struct cudaMemLocation *locations, size_t *starts, size_t n_locations,
    unsigned long long flags, cudaStream_t stream)
{
  return core_mem_prefetch_batch_async(addresses, sizes, n, locations, starts,
                                       n_locations, flags, stream);
}

/* ---- boxes between devices ----------------------------------------------- */

static cudaError_t peer_copy(const struct cudaMemcpy3DPeerParms *copy,
                             struct cudaMemcpy3DParms *plain)
{
  int n = config()->n_devices;
  if (copy == NULL)
    return cudaErrorInvalidValue;
  if (copy->srcDevice < 0 || copy->srcDevice >= n || copy->dstDevice < 0 ||
      copy->dstDevice >= n)
    return cudaErrorInvalidDevice;
  *plain = (struct cudaMemcpy3DParms){
    copy->srcArray, copy->srcPos, copy->srcPtr, copy->dstArray,
    copy->dstPos,   copy->dstPtr, copy->extent, cudaMemcpyDeviceToDevice
  };
  return cudaSuccess;
}

cudaError_t core_memcpy_3d_peer_async(const struct cudaMemcpy3DPeerParms *copy,
                                      cudaStream_t stream)
{
  struct cudaMemcpy3DParms plain;
  cudaError_t error = state_enter();
  if (error == cudaSuccess)
    error = peer_copy(copy, &plain);
  return error == cudaSuccess ? core_memcpy_3d_async(&plain, stream) : error;
}

cudaError_t core_memcpy_3d_peer(const struct cudaMemcpy3DPeerParms *copy)
{
  struct cudaMemcpy3DParms plain;
  cudaError_t error = state_settle();
  if (error == cudaSuccess)
    error = peer_copy(copy, &plain);
  return error == cudaSuccess ? core_memcpy_3d(&plain) : error;
}
