/* How much stack the functions that a kernel calls need.
 *
 * Without recursion the call graph says it. Where a function may call itself,
 * cudaLimitStackSize is what there is for the frames, as on a GPU; a frame is
 * taken to be as large as a GPU's would be about: arrays, and what is saved
 * at a call. Arguments, which PTX keeps in memory, are in registers there. */
#ifndef DEVICE_EXEC_CALL_STACK_H
#define DEVICE_EXEC_CALL_STACK_H

#include "machine.h"

enum { DEFAULT_STACK_LIMIT = 1024 };

/* Fills in who calls whom, and what each kernel needs. */
void call_stack_program(struct program *program);

/* Bytes after the kernel's own local memory. `*most` frames, in a GPU's
 * bytes, may be on it; 0: as many as there are. */
uint32_t call_stack_bytes(const struct function *kernel, uint64_t limit,
                          uint32_t *most);

#endif
