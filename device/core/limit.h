/* Limits of a device: of them, those of the stack, of the heap and of the
 * printf buffer are kept to. */
#ifndef DEVICE_CORE_LIMIT_H
#define DEVICE_CORE_LIMIT_H

#include <stdint.h>

#include "types.h"

/* cudaLimitStackSize; 0 is given as 1, since a launch takes 0 for the default. */
uint32_t limit_of_stack(int device);

struct device_heap;
/* cudaLimitMallocHeapSize and what is taken of it. */
struct device_heap *limit_heap(int device);

/* A thread of a kernel on `device` has printed to output_stream(). */
void limit_note_printed(int device);

/* As they are on a new device. */
void limit_reset(int device);

/* For device code, while a launch runs. */
cudaError_t limit_answer(uint64_t *value, enum cudaLimit limit, int device);

#endif
