/* Streams and events. */
#include "driver_program.h"

static void add_one(void *count)
{
  ++*(int *)count;
}

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
