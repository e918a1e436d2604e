/* Events, for calls outside of event.c. */
#ifndef DEVICE_CORE_EVENT_H
#define DEVICE_CORE_EVENT_H

#include <stdbool.h>

#include "calls.h"

/* One that was created and not destroyed. */
bool event_is_valid(cudaEvent_t event);

/* What was done when it was recorded: see ordering.h. */
const struct op_clock *event_known(cudaEvent_t event);

#endif
