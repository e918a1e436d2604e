/* SOFTDEVICE_TRACE: the instructions that warps executed, one after the
 * other, and the lanes that took part. */
#ifndef DEVICE_REPORT_TRACE_H
#define DEVICE_REPORT_TRACE_H

#include <stdio.h>

#include "report.h"

void trace_head(FILE *out);

/* Sets the trace of `launch` when its kernel is wanted. `kernel` is the
 * readable name and must live as long as the launch runs. */
void trace_begin(FILE *out, const struct report_launch *id, const char *kernel,
                 struct launch *launch);

#endif
