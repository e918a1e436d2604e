/* Recordings of launches (report/recording.h), for launch_run's options
 *
 *   --recording FILE    of the last launch, with all checks of a kernel; `-` is
 *                       stdout. What goes wrong is in it and nowhere else
 *   --rows N            at most so many: a step is one, and each lane of an access.
 *                       Beyond, the recording has its counts and no steps
 *   --seconds N         a kernel that takes longer is stopped
 *   --plain             as the page's decoder would give it, for tests */
#ifndef DEVICE_TOOLS_RECORD_H
#define DEVICE_TOOLS_RECORD_H

#include <stdbool.h>

#include "../exec/launch.h"
#include "machine.h"

/* How many of the arguments are such an option, 0 for none. A value that is
 * wrong ends the program with status 2. */
int record_option(int n, char **arguments);
bool record_wanted(void);

/* Before the launch's program is loaded. */
void record_prepare(void);
/* Around the launch. */
void record_begin(const struct machine_launch *asked, struct launch *launch);
void record_end(const struct launch *launch, const struct launch_counts *counts,
                const struct fault *fault, const char *output);

#endif
