/* Unwritten values that the program may drop again: loaded before the choice
 * that takes them or leaves them. They are reported where a choice keeps
 * them. */
#ifndef DEVICE_EXEC_CHECKED_CHOSEN_H
#define DEVICE_EXEC_CHECKED_CHOSEN_H

#include "checked_site.h"
#include "checked_uses.h"

/* Puts a handler in front of `s`, if it chooses a value that is followed, or
 * writes to the register that holds one. `site` is that of the step, which no
 * other handler has taken. */
bool chosen_follows(const struct uses *uses, struct step *s,
                    struct check_site *site);

/* `site`'s load gave what nothing had written to the lanes of `unwritten`, and
 * something else to the others of `mask`. */
void chosen_loaded(struct warp *w, const struct step *s, uint32_t mask,
                   uint32_t unwritten, enum fault_space space,
                   const uint64_t *address, unsigned bytes);

/* The current frame is new: where it lies, an ended one may have been. */
void chosen_frame_start(struct warp *w);
void chosen_block_start(struct checked_block *block);
void chosen_block_free(struct checked_block *block);

#endif
