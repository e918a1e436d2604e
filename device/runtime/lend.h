/* What this library lends to the ones beside it, device/driver and
 * device/cublas: devices, memory, errors and modules exist once in a process.
 * One table under a private symbol version, so that no other name gets out.
 * Beside it they call the runtime API itself, between lend and take_back. */
#ifndef DEVICE_RUNTIME_LEND_H
#define DEVICE_RUNTIME_LEND_H

#include "../memory/memory.h"
#include "../memory/virtual.h"
#include "config.h"
#include "property.h"
#include "registry.h"
#include "state.h"

struct softdevice_core {
  /* state.h */
  void (*lend)(const char *call);
  void (*take_back)(void);
  const char *(*message)(void);
  struct state_context (*context)(void);
  void (*set_context)(struct state_context context, int device);
  bool (*is_used)(int device);
  void (*watch_forks)(void);
  bool (*is_forked)(bool reports);
  int (*current_device)(void);
  cudaError_t (*enter)(void), (*settle)(void), (*wait)(void);
  void (*fault)(int device, cudaError_t error);
  bool (*is_dead)(int device);
  void (*explain)(const char *call, const char *format, ...)
      __attribute__((format(printf, 2, 3)));
  const struct config *(*config)(void);

  /* memory.h */
  bool (*memory_find)(uint64_t address, struct allocation *found);
  bool (*memory_nearest)(uint64_t address, struct allocation *found,
                         bool *freed);
  void *(*memory_view)(uint64_t address, size_t bytes);
  bool (*memory_show)(uint64_t address, size_t bytes, int device);
  void (*memory_hide)(uint64_t address, bool forget);
  bool (*memory_take)(int device, size_t bytes);
  void (*memory_give)(int device, size_t bytes);

  /* virtual.h */
  uint64_t (*virtual_take)(size_t bytes, size_t alignment, uint64_t hint);
  uint64_t (*virtual_pages)(size_t bytes, size_t alignment);
  void (*virtual_give)(uint64_t begin);
  bool (*virtual_show)(uint64_t begin, size_t bytes, uint64_t source);

  /* registry.h */
  struct function *(*function)(const void *host);
  cudaError_t (*load)(void **module, int device);

  /* stream.h */
  bool (*stream_is_valid)(cudaStream_t stream);
  int (*stream_device)(cudaStream_t stream);

  /* ordering.h */
  void (*stream_after_all)(cudaStream_t stream);

  /* fatbin.h */
  size_t (*fatbin_size)(const void *data);
};

API extern const struct softdevice_core softdevice_core;
#define core softdevice_core

#endif
