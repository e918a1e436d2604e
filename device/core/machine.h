/* The machine that the device is to be: sizes of its GPU, and what it can't do.
 * By default, those of the compute capability's model (device_model.h).
 *
 * SOFTDEVICE_MACHINE names a machine that is known here, or a file. A file has
 * a key and its value on each line; `#` begins a comment:
 *
 *   like laptop                     a known machine, with these changes
 *   compute_capability 8.9
 *   multiprocessors 24
 *   threads_per_multiprocessor 1536
 *   blocks_per_multiprocessor 24
 *   shared_per_multiprocessor 100K  bytes; K, M or G may follow
 *   shared_per_block 99K            after opting in
 *   l2 32M
 *   clock_mhz 2370
 *   memory_clock_mhz 8001
 *   memory_bus_bits 128
 *   memory 8G
 *   devices 1
 *   concurrent_managed_access no    or yes
 *
 * SOFTDEVICE_COMPUTE_CAPABILITY, SOFTDEVICE_MEMORY and SOFTDEVICE_DEVICES go
 * before what the machine says. */
#ifndef DEVICE_CORE_MACHINE_H
#define DEVICE_CORE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "device_model.h"

struct machine {
  struct device_model model;
  uint64_t memory; /* bytes of each device; 0: not said */
  int devices;     /* -1: not said */
  bool concurrent_managed;
};

/* What `text`, a name or a file's path, describes; NULL: nothing was asked for.
 * `capability`, if not 0, is the one to have. Ends the process with status 2
 * and a message at what makes no sense. */
void machine_read(struct machine *machine, const char *text, int capability);

#endif
