/* Streams and events. */
#include "program.h"
#include "test.h"

static cudaStream_t stream;
static cudaEvent_t start, end;

BEHAVIOUR(created_and_destroyed)
{
  CHECK_EQUAL(cudaStreamCreate(&stream), 0);
  CHECK_EQUAL(cudaStreamSynchronize(stream), 0);
  CHECK_EQUAL(cudaStreamQuery(stream), 0);
  CHECK_EQUAL(cudaStreamDestroy(stream), 0);
  CHECK_EQUAL(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
}

BEHAVIOUR(named_streams_are_always_there)
{
  CHECK_EQUAL(cudaStreamSynchronize(NULL), 0);
  CHECK_EQUAL(cudaStreamSynchronize(cudaStreamLegacy), 0);
  CHECK_EQUAL(cudaStreamSynchronize(cudaStreamPerThread), 0);
  CHECK_EQUAL(cudaStreamDestroy(NULL), cudaErrorInvalidResourceHandle);
}

BEHAVIOUR(flags_and_priority)
{
  unsigned flags;
  int priority, least, greatest;
  CHECK_EQUAL(cudaDeviceGetStreamPriorityRange(&least, &greatest), 0);
  CHECK(greatest < least);
  CHECK_EQUAL(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -99),
              0);
  CHECK_EQUAL(cudaStreamGetPriority(stream, &priority), 0);
  CHECK_EQUAL(priority, greatest);
  CHECK_EQUAL(cudaStreamGetFlags(stream, &flags), 0);
  CHECK_EQUAL(flags, cudaStreamNonBlocking);
}

BEHAVIOUR(flags_of_events_are_taken_together)
{
  CHECK_EQUAL(cudaEventCreateWithFlags(&start, cudaEventBlockingSync), 0);
  CHECK_EQUAL(cudaEventCreateWithFlags(&start, cudaEventBlockingSync |
                                                   cudaEventDisableTiming),
              0);
}

BEHAVIOUR(strange_flags_are_refused)
{
  CHECK_EQUAL(cudaStreamCreateWithFlags(&stream, 8), cudaErrorInvalidValue);
  CHECK_EQUAL(cudaEventCreateWithFlags(&start, 64), cudaErrorInvalidValue);
}

static int sum;

static void add(void *n) { sum += *(int *)n; }

BEHAVIOUR(host_function_runs_in_order)
{
  int four = 4;
  CHECK_EQUAL(cudaLaunchHostFunc(NULL, add, &four), 0);
  CHECK_EQUAL(cudaStreamSynchronize(NULL), 0);
  CHECK_EQUAL(sum, 4);
}

static void called(cudaStream_t s, cudaError_t status, void *n)
{
  CHECK(s == NULL);
  sum = status == cudaSuccess ? *(int *)n : -1;
}

BEHAVIOUR(callback_is_told_the_status)
{
  int four = 4;
  CHECK_EQUAL(cudaStreamAddCallback(NULL, called, &four, 0), 0);
  CHECK_EQUAL(sum, 4);
}

BEHAVIOUR(elapsed_time_grows)
{
  float milliseconds = -1;
  CHECK_EQUAL(cudaEventCreate(&start), 0);
  CHECK_EQUAL(cudaEventCreate(&end), 0);
  CHECK_EQUAL(cudaEventRecord(start, NULL), 0);
  for (volatile int i = 0; i < 1000000; i++)
    ;
  CHECK_EQUAL(cudaEventRecord(end, NULL), 0);
  CHECK_EQUAL(cudaEventSynchronize(end), 0);
  CHECK_EQUAL(cudaEventElapsedTime(&milliseconds, start, end), 0);
  CHECK(milliseconds > 0);
}

BEHAVIOUR(no_time_without_a_record)
{
  float milliseconds;
  cudaEventCreate(&start);
  cudaEventCreate(&end);
  cudaEventRecord(start, NULL);
  CHECK_EQUAL(cudaEventElapsedTime(&milliseconds, start, end),
              cudaErrorInvalidResourceHandle);
}

BEHAVIOUR(no_time_when_timing_is_off)
{
  float milliseconds;
  CHECK_EQUAL(cudaEventCreateWithFlags(&start, cudaEventDisableTiming), 0);
  cudaEventCreate(&end);
  cudaEventRecord(start, NULL);
  cudaEventRecord(end, NULL);
  CHECK_EQUAL(cudaEventElapsedTime(&milliseconds, start, end),
              cudaErrorInvalidResourceHandle);
}

BEHAVIOUR(destroyed_event_is_refused)
{
  cudaEventCreate(&start);
  CHECK_EQUAL(cudaEventDestroy(start), 0);
  CHECK_EQUAL(cudaEventRecord(start, NULL), cudaErrorInvalidResourceHandle);
  CHECK_EQUAL(cudaEventQuery(start), cudaErrorInvalidResourceHandle);
}

BEHAVIOUR(stream_waits_for_event)
{
  cudaStreamCreate(&stream);
  cudaEventCreate(&start);
  cudaEventRecord(start, NULL);
  CHECK_EQUAL(cudaStreamWaitEvent(stream, start, 0), 0);
  CHECK_EQUAL(cudaStreamWaitEvent((cudaStream_t)&sum, start, 0),
              cudaErrorInvalidResourceHandle);
}

BEHAVIOUR(kernel_runs_in_a_stream)
{
  void *none[1];
  dim3 one = { 1, 1, 1 };
  int value;
  program_begin();
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  CHECK_EQUAL(cudaLaunchKernel(&count_up, one, one, none, 0, stream), 0);
  CHECK_EQUAL(cudaMemcpyFromSymbolAsync(&value, &counter, 4, 0,
                                        cudaMemcpyDeviceToHost, stream),
              0);
  CHECK_EQUAL(cudaStreamSynchronize(stream), 0);
  CHECK_EQUAL(value, 6);
}

BEHAVIOUR(event_and_stream_share_a_device)
{
  float milliseconds;
  setenv("SOFTDEVICE_DEVICES", "2", 1);
  cudaEventCreate(&start);
  cudaEventRecord(start, NULL);
  cudaSetDevice(1);
  cudaStreamCreate(&stream);
  cudaEventCreate(&end);
  CHECK_EQUAL(cudaEventRecord(start, stream), cudaErrorInvalidResourceHandle);
  CHECK_EQUAL(cudaEventRecord(start, NULL), cudaErrorInvalidResourceHandle);
  CHECK_EQUAL(cudaEventRecord(end, stream), 0);
  CHECK_EQUAL(cudaEventElapsedTime(&milliseconds, start, end),
              cudaErrorInvalidResourceHandle);
  CHECK_EQUAL(cudaEventSynchronize(start), 0);
  CHECK_EQUAL(cudaStreamWaitEvent(stream, start, 0), 0);
}

BEHAVIOUR(event_between_processes_has_no_time)
{
  unsigned shared = cudaEventInterprocess;
  CHECK_EQUAL(cudaEventCreateWithFlags(&start, shared), cudaErrorInvalidValue);
  shared |= cudaEventDisableTiming;
  CHECK_EQUAL(cudaEventCreateWithFlags(&start, shared), 0);
}

BEHAVIOUR(stream_of_another_device_is_refused)
{
  void *none[1];
  dim3 one = { 1, 1, 1 };
  setenv("SOFTDEVICE_DEVICES", "2", 1);
  program_begin();
  cudaStreamCreate(&stream);
  cudaSetDevice(1);
  CHECK_EQUAL(cudaLaunchKernel(&count_up, one, one, none, 0, stream),
              cudaErrorInvalidResourceHandle);
}
