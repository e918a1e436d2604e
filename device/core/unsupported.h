/* Calls of an API that the software device does not serve: one line on stderr,
 * and the API's own status for that. Included once in each library, before the
 * list of its names; UNSUPPORTED_STATUS is the status (of the call `name`), API
 * what exports a name.
 * Each name is defined weakly, so that a real definition elsewhere takes its
 * place. */
#ifndef DEVICE_CORE_UNSUPPORTED_H
#define DEVICE_CORE_UNSUPPORTED_H

#include "state.h"

static int unsupported(const char *name, bool *reported)
{
  if (!*reported)
    explain(name, "not supported by the software device");
  *reported = true;
  return UNSUPPORTED_STATUS;
}

#define EXPORT(name)                                                           \
  API __attribute__((weak)) int name(void);                                    \
  int name(void)                                                               \
  {                                                                            \
    static bool reported;                                                      \
    return unsupported(#name, &reported);                                      \
  }

#endif
