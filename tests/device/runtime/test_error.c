/* The last error of a thread, and errors that stick. */
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program.h"
#include "test.h"

BEHAVIOUR(names_and_texts)
{
  CHECK_TEXT(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue");
  CHECK_TEXT(cudaGetErrorString(cudaSuccess), "no error");
  CHECK_TEXT(cudaGetErrorString(cudaErrorIllegalAddress),
             "an illegal memory access was encountered");
  CHECK_TEXT(cudaGetErrorName((cudaError_t)12345), "unrecognized error code");
}

BEHAVIOUR(last_error_is_kept_until_asked)
{
  void *p;
  CHECK_EQUAL(cudaMemcpy(NULL, NULL, 4, cudaMemcpyHostToHost),
              cudaErrorInvalidValue);
  CHECK_EQUAL(cudaMalloc(&p, 4), cudaSuccess);
  CHECK_EQUAL(cudaPeekAtLastError(), cudaErrorInvalidValue);
  CHECK_EQUAL(cudaGetLastError(), cudaErrorInvalidValue);
  CHECK_EQUAL(cudaGetLastError(), cudaSuccess);
}

BEHAVIOUR(launch_of_a_fault_succeeds)
{
  program_begin();
  launch_into_nowhere();
  CHECK_EQUAL(cudaGetLastError(), cudaSuccess);
}

BEHAVIOUR(fault_shows_when_the_host_waits)
{
  program_begin();
  launch_into_nowhere();
  CHECK_EQUAL(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}

BEHAVIOUR(fault_shows_at_a_copy)
{
  int value, *p;
  program_begin();
  CHECK_EQUAL(cudaMalloc((void **)&p, 4), cudaSuccess);
  launch_into_nowhere();
  CHECK_EQUAL(cudaMemcpy(&value, p, 4, cudaMemcpyDeviceToHost),
              cudaErrorIllegalAddress);
}

BEHAVIOUR(fault_sticks)
{
  void *p;
  cudaStream_t stream;
  cudaEvent_t event;
  program_begin();
  launch_into_nowhere();
  cudaDeviceSynchronize();
  CHECK_EQUAL(cudaGetLastError(), cudaErrorIllegalAddress);
  CHECK_EQUAL(cudaGetLastError(), cudaSuccess); /* until the next call */
  CHECK_EQUAL(cudaMalloc(&p, 4), cudaErrorIllegalAddress);
  CHECK_EQUAL(cudaFree(NULL), cudaErrorIllegalAddress);
  CHECK_EQUAL(cudaStreamCreate(&stream), cudaErrorIllegalAddress);
  CHECK_EQUAL(cudaEventCreate(&event), cudaErrorIllegalAddress);
  CHECK_EQUAL(launch(&count_up, 1, 1, NULL), cudaErrorIllegalAddress);
  CHECK_EQUAL(cudaPeekAtLastError(), cudaErrorIllegalAddress);
  CHECK_EQUAL(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}

BEHAVIOUR(fault_spares_calls_that_only_ask)
{
  struct cudaDeviceProp properties;
  int value;
  program_begin();
  launch_into_nowhere();
  cudaDeviceSynchronize();
  cudaGetLastError();
  CHECK_EQUAL(cudaGetDevice(&value), 0);
  CHECK_EQUAL(cudaGetDeviceCount(&value), 0);
  CHECK_EQUAL(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0), 0);
  CHECK_EQUAL(cudaGetDeviceProperties(&properties, 0), 0);
  CHECK_EQUAL(cudaDriverGetVersion(&value), 0);
  CHECK_EQUAL(cudaGetLastError(), cudaSuccess);
}

BEHAVIOUR(device_is_gone_after_a_fault_and_a_reset)
{
  void *p;
  program_begin();
  launch_into_nowhere();
  CHECK_EQUAL(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  CHECK_EQUAL(cudaDeviceReset(), cudaSuccess);
  CHECK_EQUAL(cudaMalloc(&p, 4), cudaErrorDevicesUnavailable);
  CHECK_EQUAL(cudaSetDevice(0), cudaErrorDevicesUnavailable);
}

BEHAVIOUR(launches_after_a_fault_do_nothing)
{
  int *p;
  program_begin();
  cudaMallocManaged((void **)&p, 4, cudaMemAttachGlobal);
  *p = 7;
  launch_into_nowhere();
  CHECK_EQUAL(launch_fill(p, 8, 1, 1, 1), cudaSuccess);
  CHECK_EQUAL(*p, 7);
}

BEHAVIOUR(fault_of_one_device_spares_the_other)
{
  void *p;
  setenv("SOFTDEVICE_DEVICES", "2", 1);
  program_begin();
  launch_into_nowhere();
  CHECK_EQUAL(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  cudaSetDevice(1);
  CHECK_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
  CHECK_EQUAL(cudaMalloc(&p, 4), cudaSuccess);
}

BEHAVIOUR(launch_error_does_not_stick)
{
  program_begin();
  CHECK_EQUAL(launch(&count_up, 1, 2048, NULL), cudaErrorInvalidValue);
  CHECK_EQUAL(cudaGetLastError(), cudaErrorInvalidValue);
  CHECK_EQUAL(cudaGetLastError(), cudaSuccess);
  CHECK_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
}

static void run_again(void)
{
  execl("/proc/self/exe", "test", "findings_survive_an_abort", (char *)NULL);
}

/* Runs itself again with checks, and there aborts after a finding. */
BEHAVIOUR(findings_survive_an_abort)
{
  static char folder[] = "/tmp/findings.XXXXXX";
  const char *text;
  if (getenv("SOFTDEVICE_FINDINGS") != NULL) {
    void *p;
    CHECK_EQUAL(cudaMalloc(&p, 4), 0);
    cudaFree(p);
    cudaFree(p);
    abort();
  }
  CHECK(mkdtemp(folder) != NULL);
  CHECK_EQUAL(chdir(folder), 0);
  setenv("SOFTDEVICE_CHECK", "all", 1);
  setenv("SOFTDEVICE_FINDINGS", "found.csv", 1);
  CHECK_EQUAL(in_child(run_again, 2, &text), -SIGABRT);
  CHECK_HAS(text, "softdevice: checks: ");
  CHECK_HAS(file_text("found.csv"), "memory,double free");
  unlink("found.csv");
  rmdir(folder);
}
