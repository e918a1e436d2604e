/* Events are the runtime API's. */
#include "driver.h"

API CUresult cuEventCreate(CUevent *event, unsigned flags)
{
  SERVE(core_event_create_with_flags(event, flags));
}

API CUresult cuEventDestroy_v2(CUevent event)
{
  SERVE(core_event_destroy(event));
}

API CUresult cuEventRecord(CUevent event, CUstream stream)
{
  SERVE(core_event_record(event, stream));
}

API CUresult cuEventRecordWithFlags(CUevent event, CUstream stream,
                                    unsigned flags)
{
  SERVE(core_event_record_with_flags(event, stream, flags));
}

API CUresult cuEventQuery(CUevent event) { SERVE(core_event_query(event)); }

API CUresult cuEventSynchronize(CUevent event)
{
  SERVE(core_event_synchronize(event));
}

API CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end)
{
  SERVE(core_event_elapsed_time(milliseconds, start, end));
}

API CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent start,
                                   CUevent end)
{
  SERVE(core_event_elapsed_time(milliseconds, start, end));
}

PER_THREAD(cuEventRecord, cuEventRecord_ptsz);
PER_THREAD(cuEventRecordWithFlags, cuEventRecordWithFlags_ptsz);
