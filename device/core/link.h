/* Linking of PTX texts, for programs compiled with nvcc -rdc=true. */
#ifndef DEVICE_CORE_LINK_H
#define DEVICE_CORE_LINK_H

#include <stddef.h>

/* One module's text out of `n`: names that are not visible outside of their
 * text are made different, declarations go where a definition is, and of weak
 * definitions the first stays. NUL-terminated, for the caller to free. */
char *link_ptx(char *const *texts, size_t n);

#endif
