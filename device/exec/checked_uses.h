/* What a function does with the values that it loads: a value that nothing
 * uses, or that is only stored again, may be an unwritten one. */
#ifndef DEVICE_EXEC_CHECKED_USES_H
#define DEVICE_EXEC_CHECKED_USES_H

#include "checked_site.h"

struct uses;

struct uses *uses_find(const struct function *function);
void uses_free(struct uses *uses);

/* Fills what `site`, a load, is to know of its results' uses. */
void uses_describe(const struct uses *uses, const struct ptx_instruction *load,
                   struct check_site *site);

/* Lanes whose value `site`'s load drops again, where `w` stands. */
uint32_t uses_dropped(const struct warp *w, const struct check_site *site);

#endif
