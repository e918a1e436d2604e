/* Limits that a program may ask for. Those of the stack, of the kernels' heap
 * and of the printf buffer are kept to. The others are rounded and refused as
 * on an H200, and limit nothing. */
#include "limit.h"

#include <pthread.h>
#include <string.h>

#include "../exec/launch.h"
#include "config.h"
#include "output.h"
#include "state.h"

#define N_LIMITS 7

/* What an H200 makes of a value (asked with CUDA 13.0): it rounds up to a
 * multiple of `unit`, keeps it between `least` and `most`, and refuses what is
 * above `largest`. */
struct rule {
  size_t first, unit, least, most, largest;
};
static const struct rule rules[N_LIMITS] = {
  [cudaLimitStackSize] = { 1024, 16, 0, SIZE_MAX, (512 << 10) - 1 },
  [cudaLimitPrintfFifoSize] = { 8650752, 1, 512 << 10, (size_t)2 << 30,
                                SIZE_MAX },
  [cudaLimitMallocHeapSize] = { 8 << 20, 1, 4 << 20, 17681179680, SIZE_MAX },
  [cudaLimitDevRuntimePendingLaunchCount] = { 2048, 1, 32, 599186, SIZE_MAX },
  [cudaLimitMaxL2FetchGranularity] = { 64, 1, 0, SIZE_MAX, 128 },
};

/* What a thread asks for, another one's launch looks at. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t values[MAX_DEVICES][N_LIMITS];
static bool is_set[MAX_DEVICES][N_LIMITS];

/* A call of printf takes this much of the buffer, whatever it prints: an H100
 * keeps 33 792 lines in its 8 650 752 bytes. It holds 32 arguments. */
enum { PRINTED_BYTES = 256 };
static struct device_heap heaps[MAX_DEVICES];
static atomic_bool has_printed[MAX_DEVICES];

/* The depth to which kernels wait for kernels: CUDA 13 has no such thing. */
static cudaError_t known(enum cudaLimit limit)
{
  if ((unsigned)limit >= N_LIMITS)
    return cudaErrorInvalidValue;
  return limit != cudaLimitDevRuntimeSyncDepth ? cudaSuccess
                                               : cudaErrorUnsupportedLimit;
}

/* The part of L2 that lines may persist in is given out by tenths; at first
 * an H200 has three of them. */
static size_t limit_value(int device, enum cudaLimit limit)
{
  size_t value = limit == cudaLimitPersistingL2CacheSize
                     ? (size_t)current_model()->persisting_l2_bytes / 10 * 3
                     : rules[limit].first;
  pthread_mutex_lock(&lock);
  if (is_set[device][limit])
    value = values[device][limit];
  pthread_mutex_unlock(&lock);
  return value;
}

static void keep(int device, enum cudaLimit limit, size_t value)
{
  pthread_mutex_lock(&lock);
  values[device][limit] = value;
  is_set[device][limit] = true;
  pthread_mutex_unlock(&lock);
}

static cudaError_t set_persisting(int device, size_t value)
{
  size_t largest = (size_t)current_model()->persisting_l2_bytes,
         unit = largest / 10;
  if (value > largest)
    return cudaErrorInvalidValue;
  keep(device, cudaLimitPersistingL2CacheSize,
       unit == 0 ? 0 : (value + unit - 1) / unit * unit);
  return cudaSuccess;
}

/* The heap and the buffer are there once a kernel has used them. */
static bool is_too_late(int device, enum cudaLimit limit)
{
  return (limit == cudaLimitMallocHeapSize &&
          atomic_load(&heaps[device].is_touched)) ||
         (limit == cudaLimitPrintfFifoSize &&
          atomic_load(&has_printed[device]));
}

static cudaError_t set(int device, enum cudaLimit limit, size_t value)
{
  const struct rule *rule = &rules[limit];
  if (is_too_late(device, limit))
    return cudaErrorInvalidValue;
  if (limit == cudaLimitPersistingL2CacheSize)
    return set_persisting(device, value);
  if (value > rule->largest)
    return cudaErrorInvalidValue;
  if (value < rule->least)
    value = rule->least;
  if (value > rule->most)
    value = rule->most;
  keep(device, limit, (value + rule->unit - 1) / rule->unit * rule->unit);
  return cudaSuccess;
}

uint32_t limit_of_stack(int device)
{
  size_t bytes = limit_value(device, cudaLimitStackSize);
  return bytes == 0 ? 1 : (uint32_t)bytes;
}

struct device_heap *limit_heap(int device)
{
  atomic_store(&heaps[device].limit,
               limit_value(device, cudaLimitMallocHeapSize));
  return &heaps[device];
}

void limit_note_printed(int device)
{
  atomic_store(&has_printed[device], true);
  output_note(limit_value(device, cudaLimitPrintfFifoSize) / PRINTED_BYTES);
}

void limit_reset(int device)
{
  pthread_mutex_lock(&lock);
  memset(is_set[device], 0, sizeof is_set[device]);
  pthread_mutex_unlock(&lock);
  atomic_store(&heaps[device].used, 0);
  atomic_store(&heaps[device].is_touched, false);
  atomic_store(&has_printed[device], false);
}

cudaError_t core_device_set_limit(enum cudaLimit limit, size_t value)
{
  cudaError_t error = state_settle();
  if (error == cudaSuccess)
    error = known(limit);
  if (error == cudaSuccess)
    error = set(current_device(), limit, value);
  return error;
}

cudaError_t limit_answer(uint64_t *value, enum cudaLimit limit, int device)
{
  cudaError_t error = known(limit);
  if (error == cudaSuccess)
    *value = limit_value(device, limit);
  return error;
}

cudaError_t core_device_get_limit(size_t *value, enum cudaLimit limit)
{
  cudaError_t error = state_settle();
  if (error == cudaSuccess && value == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    error = known(limit);
  if (error == cudaSuccess)
    *value = limit_value(current_device(), limit);
  return error;
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
  return error;
}

static cudaError_t get_preference(const int *preference, int *value)
{
  cudaError_t error = state_settle();
  if (error == cudaSuccess && value == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *value = *preference;
  return error;
}

cudaError_t core_device_set_cache_config(int config)
{
  return set_preference(&cache_config, config, 3);
}

cudaError_t core_device_get_cache_config(int *config)
{
  return get_preference(&cache_config, config);
}

cudaError_t core_device_set_shared_mem_config(int config)
{
  return set_preference(&bank_config, config, 2);
}

cudaError_t core_device_get_shared_mem_config(int *config)
{
  return get_preference(&bank_config, config);
}

/* There is no cache whose lines could persist. */
cudaError_t core_ctx_reset_persisting_l2_cache(void) { return state_settle(); }
