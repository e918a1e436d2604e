/* What an address of shared or local memory belongs to, in words. */
#ifndef DEVICE_EXEC_STORY_H
#define DEVICE_EXEC_STORY_H

#include "../check/fault.h"
#include "machine.h"

/* "4 bytes before the thread's local memory of 32 bytes", "12 bytes into
 * variable tile of 1024 bytes"; "" for other spaces. `address` is an offset in
 * the block's or the thread's memory; a negative one is as it wraps around. */
void story_of_address(const struct grid *grid, enum fault_space space,
                      uint64_t address, char *text, size_t n_text);

/* A variable's name in the source: of _ZZ3sumPiE4tile, tile. */
void story_variable(const char *mangled, char *name, size_t n_name);

/* The line of an instruction. Where the compiler gives none, the one of the
 * instruction before it in its function. */
struct source_line story_of_line(const struct program *program,
                                 const struct ptx_instruction *instruction);

#endif
