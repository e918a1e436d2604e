/* Calls that the software device does not serve: one line on stderr, and
 * cudaErrorNotSupported. Defined weakly for every name there is, so that a
 * real definition elsewhere takes its place. */
#include <stdbool.h>

#include "unsupported.h"

#define API __attribute__((visibility("default")))

#define EXPORT(name)                                                           \
  API __attribute__((weak)) int name(void);                                    \
  int name(void)                                                               \
  {                                                                            \
    static bool reported;                                                      \
    return unsupported_call(#name, &reported);                                 \
  }
#include "exports.def"
