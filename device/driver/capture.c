/* Streams that record a graph. */
#include "driver.h"

API CUresult cuStreamBeginCapture_v2(CUstream stream,
                                     enum cudaStreamCaptureMode mode)
{
  SERVE(core_stream_begin_capture(stream, mode));
}

API CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph,
                                         const CUgraphNode *before,
                                         const cudaGraphEdgeData *data,
                                         size_t n,
                                         enum cudaStreamCaptureMode mode)
{
  SERVE(
      core_stream_begin_capture_to_graph(stream, graph, before, data, n, mode));
}

API CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph)
{
  SERVE(core_stream_end_capture(stream, graph));
}

API CUresult cuStreamGetCaptureInfo_v3(CUstream stream,
                                       enum cudaStreamCaptureStatus *status,
                                       unsigned long long *id, CUgraph *graph,
                                       const CUgraphNode **before,
                                       const cudaGraphEdgeData **data,
                                       size_t *n)
{
  SERVE(
      core_stream_get_capture_info(stream, status, id, graph, before, data, n));
}

API CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream,
                                                  CUgraphNode *before,
                                                  const cudaGraphEdgeData *data,
                                                  size_t n, unsigned flags)
{
  SERVE(
      core_stream_update_capture_dependencies(stream, before, data, n, flags));
}

API CUresult cuThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
  SERVE(core_thread_exchange_stream_capture_mode(mode));
}

PER_THREAD(cuStreamBeginCapture_v2, cuStreamBeginCapture_v2_ptsz);
PER_THREAD(cuStreamBeginCaptureToGraph, cuStreamBeginCaptureToGraph_ptsz);
PER_THREAD(cuStreamEndCapture, cuStreamEndCapture_ptsz);
PER_THREAD(cuStreamGetCaptureInfo_v3, cuStreamGetCaptureInfo_v3_ptsz);
PER_THREAD(cuStreamUpdateCaptureDependencies_v2,
           cuStreamUpdateCaptureDependencies_v2_ptsz);
