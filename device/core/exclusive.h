/* Managed memory where the host and the device can't use it at the same time
 * (cudaDevAttrConcurrentManagedAccess is 0): Windows, WSL, and what
 * SOFTDEVICE_MACHINE says is like it. CUDA Programming Guide, "Unified Memory
 * on Windows, WSL, and Tegra": from a kernel's launch until the host has waited
 * for it, all managed memory is the device's, but for memory that was attached
 * to the host, or to a stream that has no kernel pending. The host's first
 * access kills it; a message says why.
 *
 * Kernels are known here by the lines of ordering.h: line and number. Its lock
 * is held by the caller wherever a clock is handed over. */
#ifndef DEVICE_CORE_EXCLUSIVE_H
#define DEVICE_CORE_EXCLUSIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "../check/operations.h"

/* Is this such a machine? */
bool exclusive_wanted(void);

/* A kernel, named as the PTX does, was given to the stream whose line is
 * `stream`, as operation `number` of `line`: the stream's own or a branch. */
void exclusive_launched(uint32_t stream, uint32_t line, uint32_t number,
                        const char *kernel);

/* What the host knows to have ended: opens and closes managed memory. */
void exclusive_update(const struct op_clock *host);

/* New managed memory, attached to all or to the host, or attached anew: to the
 * stream with that line. */
enum exclusive_to { EXCLUSIVE_TO_ALL, EXCLUSIVE_TO_HOST, EXCLUSIVE_TO_STREAM };
void exclusive_attached(uint64_t serial, enum exclusive_to to, uint32_t stream);

/* The host's instruction at `pc`, NULL if it is not known, has caught a SIGSEGV.
 * True: the memory is the device's, which was said on stderr. */
bool exclusive_fault(uint64_t address, const void *pc, bool stores);

#endif
