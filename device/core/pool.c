/* Memory pools and stream-ordered allocation. Memory comes and goes when the
 * call is made, which is where the stream's order has it: every earlier
 * operation is done. So a kernel that uses it after cudaFreeAsync is reported
 * like any other use after free. What a pool keeps for later is a number. */
#include "pool.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../memory/memory.h"
#include "../support/host_memory.h"
#include "config.h"
#include "graph/capture.h"
#include "host_fault.h"
#include "state.h"
#include "stream.h"

#define ALIGNMENT 512
#define KEPT_AT_ONCE (UINT64_C(32) << 20) /* as pools of an H200 grow */

struct memory_pool {
  int device;
  bool is_host;
  uint64_t release_threshold, used, used_high, reserved, reserved_high;
  int reuse[3];
  enum cudaMemAccessFlags access[MAX_DEVICES];
  struct memory_pool *next;
};

struct piece {
  uint64_t address, bytes;
  struct memory_pool *pool; /* NULL: of a graph, or the pool is gone */
  unsigned graphs;          /* that have it as a node */
  bool of_graph, in_use;
  int device;
  struct piece *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct memory_pool defaults[MAX_DEVICES], *current[MAX_DEVICES];
static struct memory_pool *pools;
static struct piece *pieces;

/* ---- pools -------------------------------------------------------------- */

static struct memory_pool *default_pool(int device)
{
  struct memory_pool *pool = &defaults[device];
  if (pool->reuse[0] == 0)
    *pool = (struct memory_pool){ .device = device, .reuse = { 1, 1, 1 } };
  return pool;
}

static struct memory_pool *pool_of(int device)
{
  return current[device] != NULL ? current[device] : default_pool(device);
}

static bool is_default(const struct memory_pool *pool)
{
  return pool >= defaults && pool < defaults + config()->n_devices;
}

static bool is_pool(const struct memory_pool *pool)
{
  const struct memory_pool *p = pools;
  while (p != NULL && p != pool)
    p = p->next;
  return pool != NULL && (p != NULL || is_default(pool));
}

static uint64_t whole(uint64_t bytes)
{
  return (bytes + KEPT_AT_ONCE - 1) / KEPT_AT_ONCE * KEPT_AT_ONCE;
}

static void count(struct memory_pool *pool, int64_t change)
{
  pool->used += (uint64_t)change;
  if (pool->used > pool->used_high)
    pool->used_high = pool->used;
  if (whole(pool->used) > pool->reserved)
    pool->reserved = whole(pool->used);
  if (pool->reserved > pool->release_threshold)
    pool->reserved = whole(pool->used);
  if (pool->reserved > pool->reserved_high)
    pool->reserved_high = pool->reserved;
}

bool pool_location_is_valid(const struct cudaMemLocation *location)
{
  return location->type == 1 /* cudaMemLocationTypeDevice */ &&
         location->id >= 0 && location->id < config()->n_devices;
}

cudaError_t core_mem_pool_create(cudaMemPool_t *pool,
                                 const struct cudaMemPoolProps *properties)
{
  cudaError_t error = state_settle();
  if (error == cudaSuccess &&
      (pool == NULL || properties == NULL || properties->allocType != 1 ||
       !pool_location_is_valid(&properties->location)))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess && properties->handleTypes != 0) {
    explain("cudaMemPoolCreate", "memory shared with other processes is not "
                                 "supported");
    error = cudaErrorNotSupported;
  }
  if (error != cudaSuccess)
    return error;
  struct memory_pool *made = host_try_new(1, sizeof *made);
  if (made == NULL)
    return cudaErrorMemoryAllocation;
  *made = (struct memory_pool){ .device = properties->location.id,
                                .reuse = { 1, 1, 1 } };
  pthread_mutex_lock(&lock);
  made->next = pools;
  pools = made;
  pthread_mutex_unlock(&lock);
  *pool = made;
  return cudaSuccess;
}

/* Memory that is still in use stays until it is freed. */
static void destroy_pool(struct memory_pool *pool)
{
  struct memory_pool **link = &pools;
  while (*link != pool)
    link = &(*link)->next;
  *link = pool->next;
  for (int i = 0; i < MAX_DEVICES; i++)
    if (current[i] == pool)
      current[i] = NULL;
  for (struct piece *p = pieces; p != NULL; p = p->next)
    if (p->pool == pool)
      p->pool = NULL;
  free(pool);
}

cudaError_t core_mem_pool_destroy(cudaMemPool_t pool)
{
  cudaError_t error = state_settle();
  pthread_mutex_lock(&lock);
  if (error == cudaSuccess && (!is_pool(pool) || is_default(pool)))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    destroy_pool(pool);
  pthread_mutex_unlock(&lock);
  return error;
}

static cudaError_t which_pool(cudaMemPool_t *pool, int device, bool standard)
{
  cudaError_t error = state_settle();
  if (error == cudaSuccess && pool == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess && (device < 0 || device >= config()->n_devices))
    error = cudaErrorInvalidDevice;
  if (error != cudaSuccess)
    return error;
  pthread_mutex_lock(&lock);
  *pool = standard ? default_pool(device) : pool_of(device);
  pthread_mutex_unlock(&lock);
  return cudaSuccess;
}

cudaError_t core_device_get_default_mem_pool(cudaMemPool_t *pool, int device)
{
  return which_pool(pool, device, true);
}

cudaError_t core_device_get_mem_pool(cudaMemPool_t *pool, int device)
{
  return which_pool(pool, device, false);
}

cudaError_t core_device_set_mem_pool(int device, cudaMemPool_t pool)
{
  cudaError_t error = state_settle();
  if (error == cudaSuccess && (device < 0 || device >= config()->n_devices))
    error = cudaErrorInvalidDevice;
  pthread_mutex_lock(&lock);
  if (error == cudaSuccess && (!is_pool(pool) || pool->device != device))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    current[device] = pool;
  pthread_mutex_unlock(&lock);
  return error;
}

cudaError_t core_mem_get_default_mem_pool(cudaMemPool_t *pool,
                                          struct cudaMemLocation *location,
                                          int type)
{
  if (location == NULL || type != 1 || !pool_location_is_valid(location))
    return cudaErrorInvalidValue;
  return which_pool(pool, location->id, true);
}

cudaError_t core_mem_get_mem_pool(cudaMemPool_t *pool,
                                  struct cudaMemLocation *location, int type)
{
  if (location == NULL || type != 1 || !pool_location_is_valid(location))
    return cudaErrorInvalidValue;
  return which_pool(pool, location->id, false);
}

cudaError_t core_mem_set_mem_pool(struct cudaMemLocation *location, int type,
                                  cudaMemPool_t pool)
{
  if (location == NULL || type != 1 || !pool_location_is_valid(location))
    return cudaErrorInvalidValue;
  return core_device_set_mem_pool(location->id, pool);
}

cudaError_t core_mem_pool_trim_to(cudaMemPool_t pool, size_t keep)
{
  cudaError_t error = state_settle();
  pthread_mutex_lock(&lock);
  if (error == cudaSuccess && !is_pool(pool))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess && pool->reserved > keep)
    pool->reserved = whole(pool->used) > keep ? whole(pool->used) : keep;
  pthread_mutex_unlock(&lock);
  return error;
}

/* Where an attribute of 64 bits lies; NULL for the others. */
static uint64_t *pool_attribute(struct memory_pool *pool,
                                enum cudaMemPoolAttr attribute)
{
  switch (attribute) {
  case cudaMemPoolAttrReleaseThreshold: return &pool->release_threshold;
  case cudaMemPoolAttrReservedMemCurrent: return &pool->reserved;
  case cudaMemPoolAttrReservedMemHigh: return &pool->reserved_high;
  case cudaMemPoolAttrUsedMemCurrent: return &pool->used;
  case cudaMemPoolAttrUsedMemHigh: return &pool->used_high;
  default: return NULL;
  }
}

static cudaError_t set_attribute(struct memory_pool *pool,
                                 enum cudaMemPoolAttr attribute,
                                 const void *value)
{
  uint64_t number;
  switch (attribute) {
  case cudaMemPoolReuseFollowEventDependencies:
  case cudaMemPoolReuseAllowOpportunistic:
  case cudaMemPoolReuseAllowInternalDependencies:
    memcpy(&pool->reuse[attribute - 1], value, sizeof(int));
    return cudaSuccess;
  case cudaMemPoolAttrReleaseThreshold:
    memcpy(&pool->release_threshold, value, sizeof number);
    count(pool, 0);
    return cudaSuccess;
  case cudaMemPoolAttrReservedMemHigh:
  case cudaMemPoolAttrUsedMemHigh: /* can be brought down, to 0, only */
    memcpy(&number, value, sizeof number);
    if (number != 0)
      return cudaErrorInvalidValue;
    *pool_attribute(pool, attribute) =
        attribute == cudaMemPoolAttrUsedMemHigh ? pool->used : pool->reserved;
    return cudaSuccess;
  default: return cudaErrorInvalidValue;
  }
}

cudaError_t core_mem_pool_set_attribute(cudaMemPool_t pool,
                                        enum cudaMemPoolAttr attribute,
                                        void *value)
{
  cudaError_t error = state_settle();
  pthread_mutex_lock(&lock);
  if (error == cudaSuccess && (!is_pool(pool) || value == NULL))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    error = set_attribute(pool, attribute, value);
  pthread_mutex_unlock(&lock);
  return error;
}

cudaError_t core_mem_pool_get_attribute(cudaMemPool_t pool,
                                        enum cudaMemPoolAttr attribute,
                                        void *value)
{
  cudaError_t error = state_settle();
  pthread_mutex_lock(&lock);
  if (error == cudaSuccess &&
      (!is_pool(pool) || value == NULL || attribute < 1 ||
       attribute > cudaMemPoolAttrUsedMemHigh))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess) {
    const uint64_t *number = pool_attribute(pool, attribute);
    if (number != NULL)
      memcpy(value, number, sizeof *number);
    else
      memcpy(value, &pool->reuse[attribute - 1], sizeof(int));
  }
  pthread_mutex_unlock(&lock);
  return error;
}

cudaError_t core_mem_pool_set_access(cudaMemPool_t pool,
                                     const struct cudaMemAccessDesc *list,
                                     size_t n)
{
  cudaError_t error = state_settle();
  pthread_mutex_lock(&lock);
  if (error == cudaSuccess && (!is_pool(pool) || (list == NULL && n > 0)))
    error = cudaErrorInvalidValue;
  for (size_t i = 0; error == cudaSuccess && i < n; i++)
    if (!pool_location_is_valid(&list[i].location) ||
        (list[i].location.id == pool->device &&
         list[i].flags != cudaMemAccessFlagsProtReadWrite))
      error = cudaErrorInvalidValue;
    else
      pool->access[list[i].location.id] = list[i].flags;
  pthread_mutex_unlock(&lock);
  return error;
}

cudaError_t core_mem_pool_get_access(enum cudaMemAccessFlags *flags,
                                     cudaMemPool_t pool,
                                     struct cudaMemLocation *location)
{
  cudaError_t error = state_settle();
  pthread_mutex_lock(&lock);
  if (error == cudaSuccess &&
      (flags == NULL || location == NULL || !is_pool(pool) ||
       !pool_location_is_valid(location)))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *flags = location->id == pool->device ? cudaMemAccessFlagsProtReadWrite
                                          : pool->access[location->id];
  pthread_mutex_unlock(&lock);
  return error;
}

/* ---- pieces ------------------------------------------------------------- */

static struct piece *piece_at(const void *address)
{
  struct piece *p = pieces;
  while (p != NULL && p->address != (uint64_t)(uintptr_t)address)
    p = p->next;
  return p;
}

static void *new_piece(size_t bytes, int device, struct memory_pool *pool)
{
  struct piece *piece = host_try_new(1, sizeof *piece);
  if (piece == NULL)
    return NULL;
  piece->address =
      memory_allocate(bytes, ALIGNMENT, MEMORY_DEVICE, device, NULL);
  if (piece->address == 0) {
    free(piece);
    return NULL;
  }
  memory_open(piece->address);
  host_fault_watch();
  piece->bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  piece->device = device;
  piece->pool = pool;
  piece->in_use = pool != NULL;
  piece->of_graph = pool == NULL;
  piece->graphs = pool == NULL;
  piece->next = pieces;
  pieces = piece;
  if (pool != NULL)
    count(pool, (int64_t)piece->bytes);
  return (void *)(uintptr_t)piece->address;
}

static void drop(struct piece *piece, bool release)
{
  struct piece **link = &pieces;
  while (*link != piece)
    link = &(*link)->next;
  *link = piece->next;
  if (release)
    memory_release(piece->address);
  if (piece->pool != NULL)
    count(piece->pool, -(int64_t)piece->bytes);
  free(piece);
}

bool pool_free(void *address)
{
  pthread_mutex_lock(&lock);
  struct piece *piece = piece_at(address);
  bool found = piece != NULL && piece->in_use;
  if (found && piece->of_graph && piece->graphs > 0)
    piece->in_use = false;
  else if (found)
    drop(piece, true);
  pthread_mutex_unlock(&lock);
  return found;
}

void pool_reset(int device)
{
  pthread_mutex_lock(&lock);
  for (struct piece *p = pieces, *next; p != NULL; p = next) {
    next = p->next;
    if (p->device == device && p->graphs == 0)
      drop(p, false);
    else if (p->device == device)
      p->in_use = false;
  }
  current[device] = NULL;
  pthread_mutex_unlock(&lock);
}

void *pool_reserve_for_graph(size_t bytes, int device)
{
  pthread_mutex_lock(&lock);
  void *address = new_piece(bytes, device, NULL);
  pthread_mutex_unlock(&lock);
  return address;
}

void pool_retain_for_graph(void *address)
{
  pthread_mutex_lock(&lock);
  struct piece *piece = piece_at(address);
  if (piece != NULL)
    piece->graphs++;
  pthread_mutex_unlock(&lock);
}

void pool_release_for_graph(void *address)
{
  pthread_mutex_lock(&lock);
  struct piece *piece = piece_at(address);
  if (piece != NULL && --piece->graphs == 0 && !piece->in_use)
    drop(piece, true);
  pthread_mutex_unlock(&lock);
}

cudaError_t pool_graph_allocates(void *address)
{
  pthread_mutex_lock(&lock);
  struct piece *piece = piece_at(address);
  cudaError_t error =
      piece == NULL || piece->in_use ? cudaErrorInvalidValue : cudaSuccess;
  if (error == cudaSuccess)
    piece->in_use = true;
  pthread_mutex_unlock(&lock);
  return error;
}

/* ---- calls -------------------------------------------------------------- */

static cudaError_t allocate(void **address, size_t bytes,
                            struct memory_pool *pool)
{
  cudaError_t error = cudaErrorMemoryAllocation;
  *address = NULL;
  if (bytes == 0)
    return cudaSuccess;
  pthread_mutex_lock(&lock);
  if (!is_pool(pool))
    error = cudaErrorInvalidValue;
  else if ((*address = new_piece(bytes, pool->device, pool)) != NULL)
    error = cudaSuccess;
  pthread_mutex_unlock(&lock);
  return error;
}

static cudaError_t record_malloc(void **address, size_t bytes,
                                 struct memory_pool *pool, cudaStream_t stream)
{
  struct work work;
  struct cudaMemAllocNodeParams alloc = {
    .poolProps = { .allocType = 1, .location = { 1, pool->device } },
    .bytesize = bytes
  };
  cudaError_t error = work_alloc(&alloc, &work);
  *address = alloc.dptr;
  return capture_add(stream, error, &work);
}

static cudaError_t malloc_from(void **address, size_t bytes,
                               struct memory_pool *pool, cudaStream_t stream)
{
  bool captures;
  cudaError_t error = state_settle();
  if (error == cudaSuccess && address == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    error = stream_enter(stream, &captures);
  if (error == cudaSuccess)
    error = captures ? record_malloc(address, bytes, pool, stream)
                     : allocate(address, bytes, pool);
  return error;
}

cudaError_t core_malloc_async(void **address, size_t bytes, cudaStream_t stream)
{
  pthread_mutex_lock(&lock);
  struct memory_pool *pool = pool_of(current_device());
  pthread_mutex_unlock(&lock);
  return malloc_from(address, bytes, pool, stream);
}

cudaError_t core_malloc_from_pool_async(void **address, size_t bytes,
                                        cudaMemPool_t pool, cudaStream_t stream)
{
  pthread_mutex_lock(&lock);
  bool known = is_pool(pool);
  pthread_mutex_unlock(&lock);
  if (!known)
    return cudaErrorInvalidValue;
  return malloc_from(address, bytes, pool, stream);
}

/* Memory of cudaMalloc may be freed in a stream's order, too. */
cudaError_t core_free_async(void *address, cudaStream_t stream)
{
  bool captures;
  struct work work;
  cudaError_t error = state_settle();
  if (error == cudaSuccess)
    error = stream_enter(stream, &captures);
  if (error != cudaSuccess || (address == NULL && !captures))
    return error;
  if (captures)
    return capture_add(stream, work_free(address, &work), &work);
  if (pool_free(address))
    return cudaSuccess;
  return core_free(address);
}

/* ---- memory of graphs --------------------------------------------------- */

enum { USED, USED_HIGH, RESERVED, RESERVED_HIGH };

static uint64_t graph_bytes(int device, bool in_use)
{
  uint64_t bytes = 0;
  for (const struct piece *p = pieces; p != NULL; p = p->next)
    if (p->of_graph && p->device == device && (p->in_use || !in_use))
      bytes += p->bytes;
  return bytes;
}

cudaError_t core_device_get_graph_mem_attribute(int device, int attribute,
                                                void *value)
{
  cudaError_t error = state_settle();
  if (error == cudaSuccess && (device < 0 || device >= config()->n_devices))
    error = cudaErrorInvalidDevice;
  if (error == cudaSuccess &&
      (value == NULL || attribute < USED || attribute > RESERVED_HIGH))
    error = cudaErrorInvalidValue;
  if (error != cudaSuccess)
    return error;
  pthread_mutex_lock(&lock);
  uint64_t bytes = graph_bytes(device, attribute == USED);
  pthread_mutex_unlock(&lock);
  memcpy(value, &bytes, sizeof bytes);
  return cudaSuccess;
}

/* High-water marks are what is reserved now: nothing to bring down. */
cudaError_t core_device_set_graph_mem_attribute(int device, int attribute,
                                                void *value)
{
  cudaError_t error = state_settle();
  uint64_t number = 1;
  if (value != NULL)
    memcpy(&number, value, sizeof number);
  if (error == cudaSuccess && (device < 0 || device >= config()->n_devices))
    error = cudaErrorInvalidDevice;
  if (error == cudaSuccess &&
      (number != 0 || (attribute != USED_HIGH && attribute != RESERVED_HIGH)))
    error = cudaErrorInvalidValue;
  return error;
}

/* Memory goes with the last graph that has it. */
cudaError_t core_device_graph_mem_trim(int device)
{
  cudaError_t error = state_settle();
  if (error == cudaSuccess && (device < 0 || device >= config()->n_devices))
    error = cudaErrorInvalidDevice;
  return error;
}
