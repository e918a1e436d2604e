/* What the environment asks for. Read once; a value that makes no sense ends
 * the program with a message, because going on would do something else than
 * was asked. */
#ifndef DEVICE_CORE_CONFIG_H
#define DEVICE_CORE_CONFIG_H

#include <stdint.h>

#include "../support/exported.h"
#include "machine.h"

#define MAX_DEVICES 16

struct config {
  struct machine machine; /* SOFTDEVICE_MACHINE */
  int n_devices;          /* SOFTDEVICE_DEVICES, 0 … MAX_DEVICES; default 1 */
  int capability;         /* SOFTDEVICE_COMPUTE_CAPABILITY, 90 for 9.0 */
  unsigned n_workers;     /* SOFTDEVICE_WORKERS; 0: one per online core */
  uint64_t order_seed;    /* SOFTDEVICE_SHUFFLE; 0: in order */
  const char *ptx_file;   /* SOFTDEVICE_PTX; NULL: each program's own PTX */
  const char *ptx;        /* what is in it */
  unsigned time_limit;    /* SOFTDEVICE_TIME_LIMIT, seconds; 0: none */
};

const struct config *config(void) EXPORTED(config);

/* All of a file as text, NUL-terminated, for free(); NULL when it cannot be
 * read. */
char *file_contents(const char *path);

#endif
