/* Devices: how many, which, and what they have. */
#include <unistd.h>

#include "runtime/api.h"
#include "test.h"

static struct cudaDeviceProp properties;

static int attribute(enum cudaDeviceAttr which)
{
  int value = -1;
  CHECK_EQUAL(cudaDeviceGetAttribute(&value, which, 0), 0);
  return value;
}

BEHAVIOUR(one_device_by_default)
{
  int n;
  CHECK_EQUAL(cudaGetDeviceCount(&n), 0);
  CHECK_EQUAL(n, 1);
}

BEHAVIOUR(as_many_devices_as_asked_for)
{
  int n;
  setenv("SOFTDEVICE_DEVICES", "3", 1);
  CHECK_EQUAL(cudaGetDeviceCount(&n), 0);
  CHECK_EQUAL(n, 3);
  CHECK_EQUAL(cudaSetDevice(2), 0);
  CHECK_EQUAL(cudaGetDevice(&n), 0);
  CHECK_EQUAL(n, 2);
  CHECK_EQUAL(cudaSetDevice(3), cudaErrorInvalidDevice);
}

BEHAVIOUR(no_device)
{
  int n;
  void *p;
  setenv("SOFTDEVICE_DEVICES", "0", 1);
  CHECK_EQUAL(cudaGetDeviceCount(&n), cudaErrorNoDevice);
  CHECK_EQUAL(cudaMalloc(&p, 4), cudaErrorNoDevice);
}

BEHAVIOUR(name_says_what_it_is)
{
  CHECK_EQUAL(cudaGetDeviceProperties(&properties, 0), 0);
  CHECK(strncmp(properties.name, "software device", 15) == 0);
}

BEHAVIOUR(capability_is_9_0_by_default)
{
  cudaGetDeviceProperties(&properties, 0);
  CHECK_EQUAL(properties.major, 9);
  CHECK_EQUAL(properties.minor, 0);
  CHECK_EQUAL(properties.maxThreadsPerMultiProcessor, 2048);
  CHECK_EQUAL(properties.sharedMemPerMultiprocessor, 228 << 10);
}

BEHAVIOUR(capability_is_as_asked_for)
{
  setenv("SOFTDEVICE_COMPUTE_CAPABILITY", "7.5", 1);
  cudaGetDeviceProperties(&properties, 0);
  CHECK_EQUAL(properties.major, 7);
  CHECK_EQUAL(properties.minor, 5);
  CHECK_EQUAL(properties.maxThreadsPerMultiProcessor, 1024);
}

/* A program of its own: some variables are read before main. */
static void ask(void)
{
  execl("/proc/self/exe", "test", "attributes_agree_with_properties",
        (char *)NULL);
}

static void refuse(const char *name, const char *value)
{
  const char *text;
  setenv(name, value, 1);
  CHECK_EQUAL(in_child(ask, 2, &text), 2);
  CHECK_HAS(text, name);
  CHECK_HAS(text, value);
  CHECK_HAS(text, "expected");
}

BEHAVIOUR(unknown_capability_is_refused)
{
  refuse("SOFTDEVICE_COMPUTE_CAPABILITY", "6.1");
}

BEHAVIOUR(nonsense_is_refused)
{
  static const char *const wrong[][2] = {
    { "SOFTDEVICE_WORKERS", "many" },
    { "SOFTDEVICE_WORKERS", "2x" },
    { "SOFTDEVICE_DEVICES", "-1" },
    { "SOFTDEVICE_SHUFFLE", "first" },
    { "SOFTDEVICE_TIME_LIMIT", "3s" },
    { "SOFTDEVICE_MEMORY", "-5" },
    { "SOFTDEVICE_MEMORY", "abc" },
    { "SOFTDEVICE_MEMORY", "2GB" },
    { "SOFTDEVICE_CHECK", "races" },
    { "SOFTDEVICE_CHECK_STATUS", "1x" },
    { "SOFTDEVICE_CHECK_STATUS", "256" },
    { "SOFTDEVICE_ACCESS_BLOCK", "1,2" },
    { "SOFTDEVICE_ACCESS_BLOCK", "-1,0,0" },
    { "SOFTDEVICE_ACCESS_WARP", "x" },
    { "SOFTDEVICE_LANES", "v5" },
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    refuse(wrong[i][0], wrong[i][1]);
    unsetenv(wrong[i][0]);
  }
}

BEHAVIOUR(memory_has_a_unit)
{
  setenv("SOFTDEVICE_MEMORY", "2G", 1);
  cudaGetDeviceProperties(&properties, 0);
  CHECK_EQUAL(properties.totalGlobalMem, (size_t)2 << 30);
}

BEHAVIOUR(attributes_agree_with_properties)
{
  cudaGetDeviceProperties(&properties, 0);
  CHECK_EQUAL(attribute(cudaDevAttrMultiProcessorCount),
              properties.multiProcessorCount);
  CHECK_EQUAL(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin),
              properties.sharedMemPerBlockOptin);
  CHECK_EQUAL(attribute(cudaDevAttrWarpSize), 32);
  CHECK_EQUAL(attribute(cudaDevAttrMaxBlockDimZ), 64);
  CHECK_EQUAL(attribute(cudaDevAttrComputeCapabilityMajor), 9);
  CHECK(attribute(cudaDevAttrClockRate) > 0);
}

BEHAVIOUR(unknown_attribute_is_refused)
{
  int value;
  CHECK_EQUAL(cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)9999, 0),
              cudaErrorInvalidValue);
  CHECK_EQUAL(cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)0, 0),
              cudaErrorInvalidValue);
  CHECK_EQUAL(cudaDeviceGetAttribute(NULL, cudaDevAttrWarpSize, 0),
              cudaErrorInvalidValue);
  CHECK_EQUAL(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1),
              cudaErrorInvalidDevice);
}

BEHAVIOUR(versions_are_13_0)
{
  int driver, runtime;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  CHECK_EQUAL(driver, 13000);
  CHECK_EQUAL(runtime, 13000);
}

BEHAVIOUR(limits_are_remembered)
{
  size_t value;
  CHECK_EQUAL(cudaDeviceGetLimit(&value, cudaLimitStackSize), 0);
  CHECK_EQUAL(value, 1024);
  CHECK_EQUAL(cudaDeviceSetLimit(cudaLimitStackSize, 4096), 0);
  cudaDeviceGetLimit(&value, cudaLimitStackSize);
  CHECK_EQUAL(value, 4096);
  CHECK_EQUAL(cudaDeviceSetLimit((enum cudaLimit)99, 1), cudaErrorInvalidValue);
  CHECK_EQUAL(cudaDeviceGetLimit(&value, (enum cudaLimit)99),
              cudaErrorInvalidValue);
}

static void expect_limit(enum cudaLimit limit, size_t wanted, int error,
                         size_t then)
{
  size_t value = 0;
  CHECK_EQUAL(cudaDeviceSetLimit(limit, wanted), error);
  CHECK_EQUAL(cudaDeviceGetLimit(&value, limit), cudaSuccess);
  CHECK_EQUAL(value, then);
}

/* What an H200 made of each of these. */
BEHAVIOUR(limits_are_rounded_and_refused)
{
  const size_t huge = (size_t)1 << 50;
  size_t value;
  expect_limit(cudaLimitStackSize, 1, cudaSuccess, 16);
  expect_limit(cudaLimitStackSize, 100, cudaSuccess, 112);
  expect_limit(cudaLimitStackSize, 65536, cudaSuccess, 65536);
  expect_limit(cudaLimitStackSize, 512 << 10, cudaErrorInvalidValue, 65536);
  expect_limit(cudaLimitStackSize, huge, cudaErrorInvalidValue, 65536);
  expect_limit(cudaLimitPrintfFifoSize, 100, cudaSuccess, 512 << 10);
  expect_limit(cudaLimitPrintfFifoSize, 1 << 20, cudaSuccess, 1 << 20);
  expect_limit(cudaLimitMallocHeapSize, 0, cudaSuccess, 4 << 20);
  expect_limit(cudaLimitMallocHeapSize, 1 << 30, cudaSuccess, 1 << 30);
  CHECK_EQUAL(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 2),
              cudaErrorUnsupportedLimit);
  CHECK_EQUAL(cudaDeviceGetLimit(&value, cudaLimitDevRuntimeSyncDepth),
              cudaErrorUnsupportedLimit);
  expect_limit(cudaLimitDevRuntimePendingLaunchCount, 1, cudaSuccess, 32);
  expect_limit(cudaLimitDevRuntimePendingLaunchCount, huge, cudaSuccess,
               599186);
  expect_limit(cudaLimitMaxL2FetchGranularity, 100, cudaSuccess, 100);
  expect_limit(cudaLimitMaxL2FetchGranularity, 1000, cudaErrorInvalidValue,
               100);
  expect_limit(cudaLimitPersistingL2CacheSize, 0, cudaSuccess, 0);
  expect_limit(cudaLimitPersistingL2CacheSize, 1, cudaSuccess, 3932160);
  expect_limit(cudaLimitPersistingL2CacheSize, (size_t)1 << 31,
               cudaErrorInvalidValue, 3932160);
}

BEHAVIOUR(reset_brings_the_limits_back)
{
  size_t value;
  CHECK_EQUAL(cudaDeviceSetLimit(cudaLimitStackSize, 4096), cudaSuccess);
  CHECK_EQUAL(cudaDeviceReset(), cudaSuccess);
  CHECK_EQUAL(cudaDeviceGetLimit(&value, cudaLimitStackSize), cudaSuccess);
  CHECK_EQUAL(value, 1024);
}

BEHAVIOUR(preferences_are_remembered)
{
  int value = -1;
  CHECK_EQUAL(cudaDeviceSetCacheConfig(2), 0);
  CHECK_EQUAL(cudaDeviceGetCacheConfig(&value), 0);
  CHECK_EQUAL(value, 2);
  CHECK_EQUAL(cudaDeviceSetCacheConfig(4), cudaErrorInvalidValue);
  CHECK_EQUAL(cudaDeviceGetSharedMemConfig(&value), 0);
  CHECK_EQUAL(value, 0);
  CHECK_EQUAL(cudaDeviceSetSharedMemConfig(3), cudaErrorInvalidValue);
}

BEHAVIOUR(peers_are_enabled_once)
{
  int can;
  setenv("SOFTDEVICE_DEVICES", "2", 1);
  CHECK_EQUAL(cudaDeviceCanAccessPeer(&can, 0, 1), 0);
  CHECK_EQUAL(can, 1);
  CHECK_EQUAL(cudaDeviceEnablePeerAccess(1, 0), 0);
  CHECK_EQUAL(cudaDeviceEnablePeerAccess(1, 0),
              cudaErrorPeerAccessAlreadyEnabled);
  CHECK_EQUAL(cudaDeviceDisablePeerAccess(1), 0);
  CHECK_EQUAL(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
  CHECK_EQUAL(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessUnsupported);
}

BEHAVIOUR(bus_id_names_a_device)
{
  char text[32];
  int device = -1;
  CHECK_EQUAL(cudaDeviceGetPCIBusId(text, sizeof text, 0), 0);
  CHECK_EQUAL(cudaDeviceGetByPCIBusId(&device, text), 0);
  CHECK_EQUAL(device, 0);
  CHECK_EQUAL(cudaDeviceGetPCIBusId(text, 4, 0), cudaErrorInvalidValue);
}
