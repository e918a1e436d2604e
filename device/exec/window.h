/* Addresses of shared and local memory where only global memory can be used.
 * nvcc takes a pointer that a kernel is given for one into global memory, so
 * this is what a kernel meets that gets another one: from the kernel that
 * launched it, or from one that ran before. */
#ifndef DEVICE_EXEC_WINDOW_H
#define DEVICE_EXEC_WINDOW_H

#include "machine.h"

/* Does the address lie where those of shared and local memory do? */
bool window_has(uint64_t address);

/* False: it is no such address. Else whose memory it is, as far as known, goes
 * to `text`. */
bool window_explain(const struct warp *w, uint64_t address, char *text,
                    size_t text_bytes);

#endif
