/* Device printf: when its text appears. */
#include "program.h"
#include "test.h"

BEHAVIOUR(waits_for_the_host)
{
  program_begin();
  capture_begin(1);
  CHECK_EQUAL(launch(&hello, 1, 2, NULL), 0);
  printf("host\n");
  CHECK_EQUAL(cudaDeviceSynchronize(), 0);
  CHECK_TEXT(capture_end(), "host\nhello 0.\nhello 1.\n");
}

BEHAVIOUR(stream_and_event_synchronise_flush)
{
  cudaEvent_t event;
  program_begin();
  cudaEventCreate(&event);
  capture_begin(1);
  launch(&hello, 1, 1, NULL);
  cudaStreamSynchronize(NULL);
  printf("host\n");
  launch(&hello, 1, 1, NULL);
  cudaEventSynchronize(event);
  CHECK_TEXT(capture_end(), "hello 0.\nhost\nhello 0.\n");
}

BEHAVIOUR(copy_flushes)
{
  int value;
  program_begin();
  capture_begin(1);
  launch(&hello, 1, 1, NULL);
  cudaMemcpyFromSymbol(&value, &counter, 4, 0, cudaMemcpyDeviceToHost);
  printf("host\n");
  CHECK_TEXT(capture_end(), "hello 0.\nhost\n");
}

BEHAVIOUR(asynchronous_copy_does_not_flush)
{
  int value;
  program_begin();
  capture_begin(1);
  launch(&hello, 1, 1, NULL);
  cudaMemcpyFromSymbolAsync(&value, &counter, 4, 0, cudaMemcpyDeviceToHost,
                            NULL);
  printf("host\n");
  cudaDeviceSynchronize();
  CHECK_TEXT(capture_end(), "host\nhello 0.\n");
}

static void end_without_waiting(void)
{
  program_begin();
  launch(&hello, 1, 1, NULL);
}

BEHAVIOUR(end_of_the_program_does_not_flush)
{
  const char *text;
  CHECK_EQUAL(in_child(end_without_waiting, 1, &text), 0);
  CHECK_TEXT(text, "");
}

BEHAVIOUR(lost_text_is_told)
{
  const char *text;
  CHECK_EQUAL(in_child(end_without_waiting, 2, &text), 0);
  CHECK_HAS(text, "9 bytes of device printf were never shown");
}

static void fault_after_text(void)
{
  program_begin();
  launch(&hello, 1, 1, NULL);
  launch_into_nowhere();
  cudaDeviceSynchronize();
}

BEHAVIOUR(text_before_a_fault_is_shown)
{
  const char *text;
  CHECK_EQUAL(in_child(fault_after_text, 1, &text), 0);
  CHECK_TEXT(text, "hello 0.\n");
}
