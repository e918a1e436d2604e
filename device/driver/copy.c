/* Copies of bytes. The checks are those of the runtime API. */
#include "context.h"

#define TO_DEVICE cudaMemcpyHostToDevice
#define TO_HOST cudaMemcpyDeviceToHost
#define WITHIN cudaMemcpyDeviceToDevice

API CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
  SERVE(
      core_memcpy(pointer_of(to), pointer_of(from), bytes, cudaMemcpyDefault));
}

API CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes,
                           CUstream stream)
{
  SERVE(core_memcpy_async(pointer_of(to), pointer_of(from), bytes,
                          cudaMemcpyDefault, stream));
}

API CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes)
{
  SERVE(core_memcpy(pointer_of(to), from, bytes, TO_DEVICE));
}

API CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from,
                                  size_t bytes, CUstream stream)
{
  SERVE(core_memcpy_async(pointer_of(to), from, bytes, TO_DEVICE, stream));
}

API CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes)
{
  SERVE(core_memcpy(to, pointer_of(from), bytes, TO_HOST));
}

API CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes,
                                  CUstream stream)
{
  SERVE(core_memcpy_async(to, pointer_of(from), bytes, TO_HOST, stream));
}

API CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
  SERVE(core_memcpy(pointer_of(to), pointer_of(from), bytes, WITHIN));
}

API CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from,
                                  size_t bytes, CUstream stream)
{
  SERVE(core_memcpy_async(pointer_of(to), pointer_of(from), bytes, WITHIN,
                          stream));
}

static CUresult between(CUdeviceptr to, const struct context *to_context,
                        CUdeviceptr from, const struct context *from_context,
                        size_t bytes, CUstream stream)
{
  if (to_context == NULL || from_context == NULL ||
      !context_is_known(to_context) || !context_is_known(from_context))
    return CUDA_ERROR_INVALID_CONTEXT;
  return status_of(core_memcpy_peer_async(pointer_of(to), to_context->device,
                                          pointer_of(from),
                                          from_context->device, bytes, stream));
}

API CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context,
                          CUdeviceptr from, CUcontext from_context,
                          size_t bytes)
{
  SERVE_STATUS(between(to, to_context, from, from_context, bytes, NULL));
}

API CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context,
                               CUdeviceptr from, CUcontext from_context,
                               size_t bytes, CUstream stream)
{
  SERVE_STATUS(between(to, to_context, from, from_context, bytes, stream));
}

PER_THREAD(cuMemcpy, cuMemcpy_ptds);
PER_THREAD(cuMemcpyAsync, cuMemcpyAsync_ptsz);
PER_THREAD(cuMemcpyHtoD_v2, cuMemcpyHtoD_v2_ptds);
PER_THREAD(cuMemcpyHtoDAsync_v2, cuMemcpyHtoDAsync_v2_ptsz);
PER_THREAD(cuMemcpyDtoH_v2, cuMemcpyDtoH_v2_ptds);
PER_THREAD(cuMemcpyDtoHAsync_v2, cuMemcpyDtoHAsync_v2_ptsz);
PER_THREAD(cuMemcpyDtoD_v2, cuMemcpyDtoD_v2_ptds);
PER_THREAD(cuMemcpyDtoDAsync_v2, cuMemcpyDtoDAsync_v2_ptsz);
PER_THREAD(cuMemcpyPeer, cuMemcpyPeer_ptds);
PER_THREAD(cuMemcpyPeerAsync, cuMemcpyPeerAsync_ptsz);
