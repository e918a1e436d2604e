/* What device code gives to streams: launches with a parameter buffer of their
 * own, and copies and fills of rows and boxes. */
#ifndef DEVICE_EXEC_NESTED_CALLS_H
#define DEVICE_EXEC_NESTED_CALLS_H

#include "builtin.h"
#include "nested.h"

/* The lane that executes the call `s`. */
struct launcher nested_launcher(const struct warp *w, const struct step *s,
                                unsigned lane);

builtin nested_parameter_buffer, nested_launch_device, nested_copy_rows,
    nested_copy_box, nested_set_rows, nested_set_box;

#endif
