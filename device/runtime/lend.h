/* What this library lends to the ones beside it, device/driver and
 * device/cublas: devices, memory, errors and modules exist once in a process.
 * One table under a private symbol version, so that no other name gets out.
 * Beside it they call the runtime API itself, between lend and take_back. */
#ifndef DEVICE_RUNTIME_LEND_H
#define DEVICE_RUNTIME_LEND_H

#include "../memory/memory.h"
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

  /* registry.h */
  struct function *(*function)(const void *host);
  cudaError_t (*load)(void **module, int device);

  /* stream.h */
  bool (*stream_is_valid)(cudaStream_t stream);
  int (*stream_device)(cudaStream_t stream);

  /* fatbin.h */
  size_t (*fatbin_size)(const void *data);
};

API extern const struct softdevice_core softdevice_core;
#define core softdevice_core

#endif
