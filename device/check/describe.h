/* Pieces of messages: a source line with a caret, an address and whose it
 * is. */
#ifndef DEVICE_CHECK_DESCRIBE_H
#define DEVICE_CHECK_DESCRIBE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "fault.h"

const char *describe_space(enum fault_space space);

/* "4 bytes " and what follows. */
void describe_bytes(FILE *out, uint64_t n, const char *rest);

/* "  at file:line:column" and the line's text with a caret below it; then,
 * where it was inlined or calls the toolkit's headers, "  inlined at …" and
 * "  inside …". */
void describe_source(FILE *out, const struct source_line *at);

/* Those last two lines, as far as there is something to say. */
void describe_via(FILE *out, const struct source_line *at);

/* "address 0x20 of shared memory: 0 bytes into variable tile of 64 bytes". */
void describe_other(FILE *out, enum fault_space space, uint64_t address,
                    const char *story);

/* Is it so far away from the nearest allocation that this says nothing? */
struct allocation;
bool describe_is_far(uint64_t address, const struct allocation *near);

/* "4 bytes past the end of allocation 3 (cudaMalloc of 4000 bytes)". */
void describe_global(FILE *out, uint64_t address);

#endif
