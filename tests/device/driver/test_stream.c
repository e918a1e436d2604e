/* Streams and events. */
#include "driver_program.h"

static void add_one(void *count) { ++*(int *)count; }

static void note(CUstream stream, CUresult status, void *noted)
{
  (void)stream;
  *(int *)noted = (int)status;
}

BEHAVIOUR(host_function_runs_in_order)
{
  int count = 0;
  begin();
  CHECK_EQUAL(cuLaunchHostFunc(NULL, add_one, &count), CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxSynchronize(), CUDA_SUCCESS);
  CHECK_EQUAL(count, 1);
}

BEHAVIOUR(captured_host_function_runs_at_each_launch)
{
  CUstream stream;
  CUgraph graph;
  CUgraphExec exec;
  int count = 0;
  begin();
  CHECK_EQUAL(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  CHECK_EQUAL(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL),
              CUDA_SUCCESS);
  CHECK_EQUAL(cuLaunchHostFunc(stream, add_one, &count), CUDA_SUCCESS);
  CHECK_EQUAL(cuStreamEndCapture(stream, &graph), CUDA_SUCCESS);
  CHECK_EQUAL(cuGraphInstantiateWithFlags(&exec, graph, 0), CUDA_SUCCESS);
  for (int launch = 0; launch < 3; launch++)
    CHECK_EQUAL(cuGraphLaunch(exec, stream), CUDA_SUCCESS);
  CHECK_EQUAL(cuStreamSynchronize(stream), CUDA_SUCCESS);
  CHECK_EQUAL(count, 3);
}

BEHAVIOUR(callback_is_told_the_status)
{
  int status = 77;
  begin();
  CHECK_EQUAL(cuStreamAddCallback(NULL, note, &status, 0), CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxSynchronize(), CUDA_SUCCESS);
  CHECK_EQUAL(status, CUDA_SUCCESS);
}

BEHAVIOUR(stream_knows_its_flags_and_context)
{
  CUstream stream;
  CUcontext current, context;
  unsigned flags;
  begin();
  CHECK_EQUAL(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  CHECK_EQUAL(cuStreamGetFlags(stream, &flags), CUDA_SUCCESS);
  CHECK_EQUAL(flags, CU_STREAM_NON_BLOCKING);
  CHECK_EQUAL(cuStreamGetCtx(stream, &context), CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxGetCurrent(&current), CUDA_SUCCESS);
  CHECK(context == current);
  CHECK_EQUAL(cuStreamQuery(stream), CUDA_SUCCESS);
  CHECK_EQUAL(cuStreamDestroy(stream), CUDA_SUCCESS);
}

BEHAVIOUR(elapsed_time_grows)
{
  CUevent start, end;
  float milliseconds = -1;
  begin();
  CHECK_EQUAL(cuEventCreate(&start, CU_EVENT_DEFAULT), CUDA_SUCCESS);
  CHECK_EQUAL(cuEventCreate(&end, CU_EVENT_DEFAULT), CUDA_SUCCESS);
  CHECK_EQUAL(cuEventRecord(start, NULL), CUDA_SUCCESS);
  CHECK_EQUAL(cuEventRecord(end, NULL), CUDA_SUCCESS);
  CHECK_EQUAL(cuEventSynchronize(end), CUDA_SUCCESS);
  CHECK_EQUAL(cuEventElapsedTime(&milliseconds, start, end), CUDA_SUCCESS);
  CHECK(milliseconds >= 0);
}

BEHAVIOUR(no_time_without_a_record)
{
  CUevent start, end;
  float milliseconds;
  begin();
  CHECK_EQUAL(cuEventCreate(&start, CU_EVENT_DEFAULT), CUDA_SUCCESS);
  CHECK_EQUAL(cuEventCreate(&end, CU_EVENT_DEFAULT), CUDA_SUCCESS);
  CHECK_EQUAL(cuEventElapsedTime(&milliseconds, start, end),
              CUDA_ERROR_INVALID_HANDLE);
}

BEHAVIOUR(stream_writes_and_waits_for_values)
{
  CUdeviceptr a;
  unsigned long long back[2];
  begin();
  CHECK_EQUAL(cuMemAlloc(&a, 16), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemsetD32(a, 0, 4), CUDA_SUCCESS);
  CHECK_EQUAL(cuStreamWriteValue32(NULL, a, 5, 0), CUDA_SUCCESS);
  CHECK_EQUAL(cuStreamWriteValue64(NULL, a + 8, 1ull << 40, 0), CUDA_SUCCESS);
  CHECK_EQUAL(cuStreamWaitValue32(NULL, a, 4, CU_STREAM_WAIT_VALUE_GEQ),
              CUDA_SUCCESS);
  CHECK_EQUAL(cuStreamWaitValue32(NULL, a, 5, CU_STREAM_WAIT_VALUE_EQ),
              CUDA_SUCCESS);
  CHECK_EQUAL(
      cuStreamWaitValue32(NULL, a, 0xfffffff0u, CU_STREAM_WAIT_VALUE_GEQ),
      CUDA_SUCCESS);
  CHECK_EQUAL(
      cuStreamWaitValue64(NULL, a + 8, 3ull << 40, CU_STREAM_WAIT_VALUE_AND),
      CUDA_SUCCESS);
  CHECK_EQUAL(cuMemcpyDtoH(back, a, 16), CUDA_SUCCESS);
  CHECK_EQUAL(back[0], 5);
  CHECK_EQUAL(back[1], 1ull << 40);
}

BEHAVIOUR(stream_has_attributes)
{
  CUstream one, other;
  CUstreamAttrValue value = { .syncPolicy = CU_SYNC_POLICY_YIELD },
                    back = { 0 };
  begin();
  CHECK_EQUAL(cuStreamCreate(&one, CU_STREAM_DEFAULT), CUDA_SUCCESS);
  CHECK_EQUAL(cuStreamCreate(&other, CU_STREAM_DEFAULT), CUDA_SUCCESS);
  CHECK_EQUAL(cuStreamSetAttribute(
                  one, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value),
              CUDA_SUCCESS);
  CHECK_EQUAL(cuStreamCopyAttributes(other, one), CUDA_SUCCESS);
  CHECK_EQUAL(cuStreamGetAttribute(
                  other, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &back),
              CUDA_SUCCESS);
  CHECK_EQUAL(back.syncPolicy, CU_SYNC_POLICY_YIELD);
}
