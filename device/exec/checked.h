/* Programs with checks: instructions that touch memory or wait for others
 * report to the checks first. Handlers are exchanged once, after decoding, so
 * that a program without checks runs the very same code as before. */
#ifndef DEVICE_EXEC_CHECKED_H
#define DEVICE_EXEC_CHECKED_H

#include "machine.h"

void checked_program(struct program *program);
void checked_program_free(struct program *program);

/* Nothing happens in these when the program has no checks. */
void checked_launch_begin(struct grid *grid);
void checked_launch_end(struct grid *grid);
void checked_block_new(struct block *block, const struct worker *worker);
void checked_block_start(struct block *block);
void checked_block_free(struct block *block);

struct memory_extra;
/* Part of what `s` does beyond a load or a store: lanes of `mask` read or
 * write `bytes` at `address`, which has LANES of them, in `x`'s space. */
void checked_touch(struct warp *w, const struct step *s,
                   const struct memory_extra *x, const uint64_t *address,
                   uint32_t mask, unsigned bytes, bool stores);
/* Lane `lane` stores `bytes` at `address` of shared memory, in a cluster's block
 * that has ended. */
void checked_lost(struct warp *w, const struct step *s, unsigned lane,
                  uint64_t address, unsigned bytes);
/* `path` waits at a warp-level instruction for `lanes`, which are past the place
 * where all meet again: they go on without it. */
void checked_passed_by(struct warp *w, const struct path *path, uint32_t lanes);
/* All lanes of the warp have come to one instruction. */
void checked_together(struct warp *w);

#endif
