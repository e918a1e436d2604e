/* The slow and rare parts of a memory request; see lanes/access.h. */
#ifndef DEVICE_EXEC_RESOLVE_H
#define DEVICE_EXEC_RESOLVE_H

#include "lanes/access.h"

/* Global addresses, lane by lane: fills host_storage and the range cache of
 * `s`. False after a fault. */
bool exec_resolve_each(struct warp *w, const struct step *s,
                       struct request *r);

/* Passes of the shared-memory banks for the lanes of `mask`, and how many
 * there would be without conflicts: one for each group of lanes that is
 * served together. When `pass_of` is not NULL it gets the
 * pass that serves each lane. */
void exec_wavefronts(const u64 *address, u32 mask, unsigned bytes,
                     bool is_load, unsigned *wavefronts, unsigned *ideal,
                     unsigned *pass_of);

/* Distinct 32-byte sectors of lanes' [address, address + bytes). */
unsigned exec_sectors(const u64 *address, u32 mask, unsigned bytes);

/* Distinct words among the lanes' addresses: a constant cache hands out one
 * word at a time, to all lanes that ask for it. */
unsigned exec_words(const u64 *address, u32 mask);

/* Sectors of a local-memory request: thread-interleaved by 4-byte words. */
unsigned exec_local_sectors(const u64 *offset, u32 mask, unsigned bytes);

/* Hands each lane's access to the launch's sink. */
void exec_trace(struct warp *w, const struct step *s,
                const struct request *r);

#endif
