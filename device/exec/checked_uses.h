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

const struct function *uses_function(const struct uses *uses);

/* Is the register followed: it holds what was loaded for a choice that comes
 * later, or what such a choice gave to another one, and nothing else looks at
 * it? */
bool uses_followed(const struct uses *uses, unsigned reg);
/* Is this a selp that may take the value of such a register? */
bool uses_chooses(const struct uses *uses, const struct ptx_instruction *p);

#endif
