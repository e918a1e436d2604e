/* <stdio.h> as WASI has it, and locks of streams, which the only thread need
 * not wait for. */
#ifndef DEVICE_WEBASSEMBLY_STDIO_H
#define DEVICE_WEBASSEMBLY_STDIO_H

#include_next <stdio.h>

static inline void flockfile(FILE *file) { (void)file; }
static inline void funlockfile(FILE *file) { (void)file; }

#endif
