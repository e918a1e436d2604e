/* Where loaded values go, of loads that look like mistakes and are none. */
#ifndef DEVICE_EXEC_CHECKED_FLOW_H
#define DEVICE_EXEC_CHECKED_FLOW_H

#include "code.h"

struct flow;

struct flow *flow_find(const struct function *function);
void flow_free(struct flow *flow);

/* Does a compare-and-swap of the loaded word compare it with what `load`
 * gave? Then the swap fails if the load came too early, and the program
 * tries again. */
bool flow_is_compared(struct flow *flow, const struct ptx_instruction *load);

/* Does `load` only fetch the bits around a bit-field, which are masked and
 * stored again together with the field's new value? */
bool flow_is_kept(struct flow *flow, const struct ptx_instruction *load);

#endif
