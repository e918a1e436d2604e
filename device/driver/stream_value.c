/* Streams that write a value, or wait for one. Every call is done when it
 * returns: a value that is not there yet will never come. */
#include "../core/ordering.h"
#include "driver.h"

enum { WAIT_AT_LEAST, WAIT_EQUAL, WAIT_AND, WAIT_NOR };
enum { WAIT_FLUSH = 1 << 30, WRITE_NO_BARRIER = 1 };

static CUresult begin(const char *call, CUstream stream, CUdeviceptr address,
                      size_t bytes)
{
  int captures = 0;
  if (address == 0 || address % bytes != 0)
    return CUDA_ERROR_INVALID_VALUE;
  cudaError_t error = core_stream_is_capturing(stream, &captures);
  if (error == cudaSuccess && captures) {
    explain(call, "not supported while the stream captures a graph");
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  return status_of(error);
}

static CUresult write_value(const char *call, CUstream stream,
                            CUdeviceptr address, uint64_t value, size_t bytes,
                            unsigned flags)
{
  CUresult status = begin(call, stream, address, bytes);
  if (status == CUDA_SUCCESS && (flags & ~(unsigned)WRITE_NO_BARRIER) != 0)
    status = CUDA_ERROR_INVALID_VALUE;
  if (status != CUDA_SUCCESS)
    return status;
  return status_of(core_memcpy_async(pointer_of(address), &value, bytes,
                                     cudaMemcpyDefault, stream));
}

static bool holds(uint64_t now, uint64_t value, size_t bytes, unsigned how)
{
  uint64_t all = bytes == 4 ? UINT32_MAX : UINT64_MAX;
  switch (how) {
  case WAIT_AT_LEAST: /* of numbers that wrap around */
    return ((now - value) & (all ^ all >> 1)) == 0;
  case WAIT_EQUAL: return now == value;
  case WAIT_AND: return (now & value) != 0;
  default: return (~(now | value) & all) != 0;
  }
}

static CUresult wait_value(const char *call, CUstream stream,
                           CUdeviceptr address, uint64_t value, size_t bytes,
                           unsigned flags)
{
  unsigned how = flags & ~(unsigned)WAIT_FLUSH;
  uint64_t now = 0;
  CUresult status = begin(call, stream, address, bytes);
  if (status == CUDA_SUCCESS && how > WAIT_NOR)
    status = CUDA_ERROR_INVALID_VALUE;
  if (status == CUDA_SUCCESS)
    ordering_stream_after_all(stream); /* who wrote the value is not known */
  if (status == CUDA_SUCCESS)
    status = status_of(core_memcpy_async(&now, pointer_of(address), bytes,
                                         cudaMemcpyDefault, stream));
  if (status != CUDA_SUCCESS || holds(now, value, bytes, how))
    return status;
  explain(call,
          "0x%llx is at %p, which does not fit 0x%llx: the stream would "
          "wait for ever, since every call is done when it returns",
          (unsigned long long)now, pointer_of(address),
          (unsigned long long)value);
  return CUDA_ERROR_LAUNCH_TIMEOUT;
}

API CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr address,
                                     uint32_t value, unsigned flags)
{
  SERVE_STATUS(
      write_value("cuStreamWriteValue32", stream, address, value, 4, flags));
}

API CUresult cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr address,
                                     uint64_t value, unsigned flags)
{
  SERVE_STATUS(
      write_value("cuStreamWriteValue64", stream, address, value, 8, flags));
}

API CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr address,
                                    uint32_t value, unsigned flags)
{
  SERVE_STATUS(
      wait_value("cuStreamWaitValue32", stream, address, value, 4, flags));
}

API CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr address,
                                    uint64_t value, unsigned flags)
{
  SERVE_STATUS(
      wait_value("cuStreamWaitValue64", stream, address, value, 8, flags));
}

PER_THREAD(cuStreamWriteValue32_v2, cuStreamWriteValue32_v2_ptsz);
PER_THREAD(cuStreamWriteValue64_v2, cuStreamWriteValue64_v2_ptsz);
PER_THREAD(cuStreamWaitValue32_v2, cuStreamWaitValue32_v2_ptsz);
PER_THREAD(cuStreamWaitValue64_v2, cuStreamWaitValue64_v2_ptsz);
