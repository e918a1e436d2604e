/* Device printf: when its text appears. */
#include "fat_builder.h"
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

static unsigned lines_of(const char *text)
{
  unsigned n = 0;

  for (; *text != '\0'; text++)
    n += *text == '\n';
  return n;
}

/* 256 bytes a call, on an H100, too: the smallest buffer has 512 KiB. */
BEHAVIOUR(the_last_lines_survive)
{
  program_begin();
  CHECK_EQUAL(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1), 0);
  launch(&hello, 10, 256, NULL);
  capture_begin(1);
  CHECK_EQUAL(cudaDeviceSynchronize(), 0);
  const char *text = capture_end();
  CHECK_EQUAL(lines_of(text), 2048);
  CHECK_EQUAL(strncmp(text, "hello ", 6), 0);
}

BEHAVIOUR(a_full_buffer_loses_nothing)
{
  program_begin();
  CHECK_EQUAL(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1), 0);
  launch(&hello, 8, 256, NULL);
  capture_begin(2);
  CHECK_EQUAL(cudaDeviceSynchronize(), 0);
  CHECK_TEXT(capture_end(), "");
}

BEHAVIOUR(lost_lines_are_told)
{
  program_begin();
  CHECK_EQUAL(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1), 0);
  launch(&hello, 10, 256, NULL);
  capture_begin(2);
  CHECK_EQUAL(cudaDeviceSynchronize(), 0);
  CHECK_HAS(capture_end(), "512 printf calls of kernels are lost, the oldest "
                           "ones: the buffer holds 2048");
}

/* As on an H100, before the host waits, too, and for the same value. */
BEHAVIOUR(the_buffer_is_not_changed_once_used)
{
  size_t value;
  program_begin();
  CHECK_EQUAL(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 4 << 20), 0);
  launch(&hello, 1, 1, NULL);
  CHECK_EQUAL(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 8 << 20),
              cudaErrorInvalidValue);
  CHECK_EQUAL(cudaDeviceSynchronize(), 0);
  CHECK_EQUAL(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 4 << 20),
              cudaErrorInvalidValue);
  CHECK_EQUAL(cudaDeviceGetLimit(&value, cudaLimitPrintfFifoSize), 0);
  CHECK_EQUAL(value, 4 << 20);
  CHECK_EQUAL(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20), 0);
  CHECK_EQUAL(cudaDeviceReset(), 0);
  CHECK_EQUAL(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 8 << 20), 0);
}

/* ---- the heap of malloc ------------------------------------------------- */

/* Thread t asks for `bytes` and stores whether it got them. */
static const char takes[] =
    ".version 8.0\n.target sm_75\n.address_size 64\n"
    ".extern .func (.param .b64 r) malloc(.param .b64 n);\n"
    ".extern .func free(.param .b64 p);\n"
    ".visible .entry take(.param .u64 to, .param .u64 bytes, .param .u32 back)"
    "{\n.reg .b64 %q<6>; .reg .b32 %r<4>; .reg .pred %p<3>;\n"
    ".param .b64 n; .param .b64 r;\n"
    "ld.param.u64 %q0, [to];\nld.param.u64 %q1, [bytes];\n"
    "st.param.b64 [n], %q1;\ncall.uni (r), malloc, (n);\n"
    "ld.param.b64 %q2, [r];\nsetp.ne.u64 %p0, %q2, 0;\n"
    "selp.u32 %r0, 1, 0, %p0;\nmov.u32 %r1, %tid.x;\n"
    "mad.wide.u32 %q3, %r1, 4, %q0;\nst.global.u32 [%q3], %r0;\n"
    "ld.param.u32 %r2, [back];\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 ret;\n"
    "{.param .b64 p;\nst.param.b64 [p], %q2;\ncall.uni free, (p);\n}\nret;\n}\n";
static char take;

/* How many of so many threads got their bytes. */
static unsigned taken(size_t bytes, unsigned threads, unsigned back)
{
  static unsigned *got, here[256];
  unsigned n = 0;
  if (got == NULL)
    CHECK_EQUAL(cudaMalloc((void **)&got, sizeof here), 0);
  void *arguments[] = { &got, &bytes, &back };
  CHECK_EQUAL(launch(&take, 1, threads, arguments), 0);
  CHECK_EQUAL(cudaMemcpy(here, got, 4 * threads, cudaMemcpyDeviceToHost), 0);
  for (unsigned i = 0; i < threads; i++)
    n += here[i];
  return n;
}

static void heap_begin(void)
{
  static struct fat_builder fat;
  static struct {
    int magic, version;
    const void *data;
    void *extra;
  } wrapper = { 0x466243b1, 1, fat.bytes, NULL };
  fat_begin(&fat);
  fat_add_ptx(&fat, 75, takes);
  void **module = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(module, &take, &take, "take", -1, NULL, NULL, NULL,
                         NULL, NULL);
  __cudaRegisterFatBinaryEnd(module);
}

BEHAVIOUR(malloc_beyond_the_heap_is_null)
{
  heap_begin();
  capture_begin(2);
  CHECK_EQUAL(taken(1 << 20, 64, 0), 7);
  CHECK_HAS(capture_end(), "malloc of 1048576 bytes in a kernel returns NULL, "
                           "as on a GPU: its heap has 8388608 bytes");
}

BEHAVIOUR(freed_memory_is_in_the_heap_again)
{
  heap_begin();
  for (int i = 0; i < 8; i++)
    CHECK_EQUAL(taken(1 << 20, 4, 1), 4);
  CHECK_EQUAL(taken(7 << 20, 1, 0), 1);
}

/* Blocks on several cores take and give back at once, and nothing is lost or
 * counted twice. */
BEHAVIOUR(blocks_at_once_leave_the_heap_as_it_was)
{
  static unsigned *got;
  size_t bytes = 16;
  unsigned back = 1;
  void *arguments[] = { &got, &bytes, &back };
  setenv("SOFTDEVICE_WORKERS", "4", 1);
  heap_begin();
  CHECK_EQUAL(cudaMalloc((void **)&got, 1024), 0);
  CHECK_EQUAL(launch(&take, 400, 256, arguments), 0);
  CHECK_EQUAL(cudaDeviceSynchronize(), 0);
  CHECK_EQUAL(taken(1 << 20, 64, 0), 7);
}

/* As on an H100. */
BEHAVIOUR(the_heap_is_not_changed_once_used)
{
  heap_begin();
  CHECK_EQUAL(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20), 0);
  CHECK_EQUAL(taken(1 << 20, 40, 0), 31);
  CHECK_EQUAL(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20),
              cudaErrorInvalidValue);
  CHECK_EQUAL(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20),
              cudaErrorInvalidValue);
  CHECK_EQUAL(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 16 << 20), 0);
}
