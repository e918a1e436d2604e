/* SOFTDEVICE_LAUNCH: launches, written down so that they can be run again without
 * the program (see tools/launch.h for the notation).
 *
 * The texts of the kernels go into the folder of that file, as HASH.ptx, and so
 * do contents of memory that are too long to be said in a line, as HASH.data.
 * What the notation cannot say ends with a message and leaves no file. */
#ifndef DEVICE_REPORT_LAUNCH_H
#define DEVICE_REPORT_LAUNCH_H

#include "report.h"

/* Before a launch: what it is, and what is in the memory that it can reach. */
void launch_note(const struct report_launch *id, const char *kernel,
                 const struct launch *launch);
/* After it: what is there now. */
void launch_note_end(void);
/* At exit. */
void launch_note_finish(void);

#endif
