/* The end of the process. */
#ifndef DEVICE_CORE_PROCESS_H
#define DEVICE_CORE_PROCESS_H

/* A launch that could never end was stopped. If the program then ends without
 * a call that returns the error, and with status 0, its status becomes 1. */
void process_note_endless(void);

/* A program that aborts, because of an assertion of its host's code say, still
 * gets its findings: the summary and SOFTDEVICE_FINDINGS. */
void process_watch_abort(void);

#endif
