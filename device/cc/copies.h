/* Copies of structures, as nvcc makes them. */
#ifndef DEVICE_CC_COPIES_H
#define DEVICE_CC_COPIES_H

#include "words.h"

/* If the line of LLVM's text at `line` copies a fixed number of times 16 bytes
 * between places that are multiples of 16, adds to `out` the same as loads and
 * stores of 16 bytes each; the new names contain `number`, which must be another
 * one for each call in a function. False, and nothing, for any other line. */
bool copies_write(struct text *out, const char *line, int number);

#endif
