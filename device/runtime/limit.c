/* Limits that a program may ask for. The software device needs none of them:
 * it remembers what was set. */
#include "config.h"
#include "state.h"

#define N_LIMITS 7

/* CUDA's defaults. */
static const size_t defaults[N_LIMITS] = {
    [cudaLimitStackSize] = 1024,
    [cudaLimitPrintfFifoSize] = 1 << 20,
    [cudaLimitMallocHeapSize] = 8 << 20,
    [cudaLimitDevRuntimeSyncDepth] = 2,
    [cudaLimitDevRuntimePendingLaunchCount] = 2048,
    [cudaLimitMaxL2FetchGranularity] = 64,
    [cudaLimitPersistingL2CacheSize] = 0,
};

static size_t values[MAX_DEVICES][N_LIMITS];
static bool is_set[MAX_DEVICES][N_LIMITS];

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
  cudaError_t error = state_settle();
  if (error == cudaSuccess && (unsigned)limit >= N_LIMITS)
    error = cudaErrorUnsupportedLimit;
  if (error == cudaSuccess) {
    values[current_device()][limit] = value;
    is_set[current_device()][limit] = true;
  }
  return state_leave(error);
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
  cudaError_t error = state_settle();
  int device = current_device();
  if (error == cudaSuccess && value == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess && (unsigned)limit >= N_LIMITS)
    error = cudaErrorUnsupportedLimit;
  if (error == cudaSuccess)
    *value = is_set[device][limit] ? values[device][limit] : defaults[limit];
  return state_leave(error);
}

/* Preferences between L1 and shared memory, and of the width of its banks,
 * change nothing here. */
static _Thread_local int cache_config, bank_config;

static cudaError_t set_preference(int *preference, int value, int most)
{
  cudaError_t error = state_settle();
  if (error == cudaSuccess && (value < 0 || value > most))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *preference = value;
  return state_leave(error);
}

static cudaError_t get_preference(const int *preference, int *value)
{
  cudaError_t error = state_settle();
  if (error == cudaSuccess && value == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *value = *preference;
  return state_leave(error);
}

cudaError_t cudaDeviceSetCacheConfig(int config)
{
  return set_preference(&cache_config, config, 3);
}

cudaError_t cudaDeviceGetCacheConfig(int *config)
{
  return get_preference(&cache_config, config);
}

cudaError_t cudaDeviceSetSharedMemConfig(int config)
{
  return set_preference(&bank_config, config, 2);
}

cudaError_t cudaDeviceGetSharedMemConfig(int *config)
{
  return get_preference(&bank_config, config);
}

/* There is no cache whose lines could persist. */
cudaError_t cudaCtxResetPersistingL2Cache(void)
{
  return state_leave(state_settle());
}
