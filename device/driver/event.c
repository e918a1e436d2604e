/* Events are the runtime API's. */
#include "driver.h"

API CUresult cuEventCreate(CUevent *event, unsigned flags)
{
  SERVE(cudaEventCreateWithFlags(event, flags));
}

API CUresult cuEventDestroy_v2(CUevent event)
{
  SERVE(cudaEventDestroy(event));
}

API CUresult cuEventRecord(CUevent event, CUstream stream)
{
  SERVE(cudaEventRecord(event, stream));
}

API CUresult cuEventRecordWithFlags(CUevent event, CUstream stream,
                                    unsigned flags)
{
  SERVE(cudaEventRecordWithFlags(event, stream, flags));
}

API CUresult cuEventQuery(CUevent event) { SERVE(cudaEventQuery(event)); }

API CUresult cuEventSynchronize(CUevent event)
{
  SERVE(cudaEventSynchronize(event));
}

API CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end)
{
  SERVE(cudaEventElapsedTime(milliseconds, start, end));
}

API CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent start,
                                   CUevent end)
{
  SERVE(cudaEventElapsedTime(milliseconds, start, end));
}

PER_THREAD(cuEventRecord, cuEventRecord_ptsz);
PER_THREAD(cuEventRecordWithFlags, cuEventRecordWithFlags_ptsz);
