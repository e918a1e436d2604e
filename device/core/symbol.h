/* Variables of device code as ends of copies. */
#ifndef DEVICE_CORE_SYMBOL_H
#define DEVICE_CORE_SYMBOL_H

#include <stdbool.h>

#include "calls.h"

/* Where `bytes` bytes at `offset` of a variable lie, for a copy of `kind` to
 * it or from it. Says why on stderr when they do not fit. */
cudaError_t symbol_locate(const char *call, const void *symbol, size_t bytes,
                          size_t offset, bool to_symbol,
                          enum cudaMemcpyKind kind, char **address);

#endif
