/* Another name of driver_types.h, which has all types of the runtime API. */
#include "driver_types.h"
