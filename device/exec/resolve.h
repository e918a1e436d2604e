/* The slow and rare parts of a memory request; see lanes/access.h. */
#ifndef DEVICE_EXEC_RESOLVE_H
#define DEVICE_EXEC_RESOLVE_H

#include "lanes/access.h"

/* Global addresses, lane by lane: fills host_storage and the range cache of
 * `s`. False after a fault. */
bool exec_resolve_each(struct warp *w, const struct step *s, struct request *r);

/* Hands each lane's access to the launch's sink. */
void exec_trace(struct warp *w, const struct step *s, const struct request *r);

#endif
