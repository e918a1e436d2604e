/* SOFTDEVICE_ACCESS_MAP: which lane touched which sector or bank. */
#ifndef DEVICE_REPORT_ACCESS_H
#define DEVICE_REPORT_ACCESS_H

#include <stdio.h>

#include "report.h"

void access_head(FILE *out);

/* Sets the sink of `launch` when SOFTDEVICE_ACCESS_KERNEL and _BLOCK want its
 * accesses. `kernel` is the readable name. */
void access_begin(FILE *out, const struct report_launch *id, const char *kernel,
                  struct launch *launch);

#endif
