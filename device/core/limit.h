/* Limits of a device: of them, the stack's is kept to. */
#ifndef DEVICE_CORE_LIMIT_H
#define DEVICE_CORE_LIMIT_H

#include <stdint.h>

#include "types.h"

/* cudaLimitStackSize; 0 is given as 1, since a launch takes 0 for the default. */
uint32_t limit_of_stack(int device);

/* As they are on a new device. */
void limit_reset(int device);

/* For device code, while a launch runs. */
cudaError_t limit_answer(uint64_t *value, enum cudaLimit limit, int device);

#endif
