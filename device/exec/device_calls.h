/* Calls of the runtime API in device code that ask about the device: the
 * runtime has lent the answers (launch.h). */
#ifndef DEVICE_EXEC_DEVICE_CALLS_H
#define DEVICE_EXEC_DEVICE_CALLS_H

#include "builtin.h"

builtin device_get, device_count, device_attribute, device_version,
    device_error_name, device_error_text, device_launch_graph, device_limit,
    device_no_preference, device_function, device_occupancy;

#endif
