/* How far approximations may be from the exact value, as the PTX ISA 9.0
 * promises. */
#ifndef ARITHMETIC_ACCURACY_H
#define ARITHMETIC_ACCURACY_H

#include "instruction.h"

/* Error of `result` for these sources as a part of the largest that is
 * allowed: up to 1 is right. For .f16x2 and .bf16x2: of the worse half. */
double accuracy_error(const struct instruction *instruction,
                      const uint64_t *sources, uint64_t result);

#endif
