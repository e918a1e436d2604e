/* Linking of PTX texts: parts of programs that were compiled with nvcc -rdc=true,
 * and what a program hands to cuLinkAddData. */
#ifndef DEVICE_CORE_LINK_H
#define DEVICE_CORE_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "../support/exported.h"
#include "types.h"

/* One module's text out of `n`: names that are not visible outside of their
 * text are made different, declarations go where a definition is, and of weak
 * definitions the first stays, unless there is a strong one.
 * NUL-terminated, for the caller to free. */
char *link_ptx(char *const *texts, size_t n) EXPORTED(link_ptx);

/* Is it PTX for this device? Explains why not. */
cudaError_t link_check(const char *call, const char *text) EXPORTED(link_check);

/* What a GPU's linker says of texts that do not fit, a line for each: about
 * symbols of the last text that others have, too, or have otherwise; about
 * symbols that none defines. `names` are the texts'. */
void link_tell_conflicts(char *const *texts, char *const *names, size_t n,
                         FILE *out) EXPORTED(link_tell_conflicts);
void link_tell_undefined(char *const *texts, char *const *names, size_t n,
                         FILE *out) EXPORTED(link_tell_undefined);

#endif
