/* What wgmma and bulk copies ask of a program, which no result here shows:
 *
 * - fence.proxy.async between a store to shared memory and a wgmma or a bulk
 *   copy that reads it;
 * - wgmma.wait_group before what a wgmma reads in shared memory is overwritten,
 *   and before its sums are used or its A, where that is in registers, is
 *   overwritten;
 * - wgmma.fence before the first wgmma, and before one whose registers other
 *   instructions wrote.
 *
 * The fence is looked for in the order of execution: if nothing in the block (or
 * cluster) has executed it since the store, nothing orders the two. A fence of
 * another warp that happened to come in time hides its lack. The wait has to be
 * ordered before the overwriting by the rules of the race check; in a cluster
 * it is enough that it has been executed. A correct program is never reported. */
#ifndef DEVICE_EXEC_CHECKED_ASYNC_PROXY_H
#define DEVICE_EXEC_CHECKED_ASYNC_PROXY_H

#include "checked_site.h"

struct proxy_checks;

/* Puts handlers in front of a function's instructions that use wgmma's
 * registers; false: it has no wgmma and no bulk copy. */
bool proxy_function(struct program *program, struct function *function);

void proxy_block_start(struct block *block);
void proxy_block_free(struct block *block);

/* Shared memory of the block `owner`, in programs with checks: threads store
 * to it; the async proxy writes or reads it. */
void proxy_stores(struct warp *w, const struct step *s, unsigned lane,
                  struct block *owner, uint64_t offset, unsigned bytes);
void proxy_writes(struct warp *w, const struct step *s, unsigned lane,
                  struct block *owner, uint64_t offset, unsigned bytes);
void proxy_reads(struct warp *w, const struct step *s, unsigned lane,
                 struct block *owner, uint64_t offset, unsigned bytes);
void proxy_fence(struct warp *w);

step_function checked_wgmma, checked_wgmma_order, checked_registers;

#endif
