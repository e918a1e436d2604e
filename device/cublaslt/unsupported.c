/* Calls that the software device does not serve, as those of cuBLAS: one line on
 * stderr, and CUBLAS_STATUS_NOT_SUPPORTED. */
#include "api.h"

#include "../core/state.h"

static int unsupported(const char *name, bool *reported)
{
  if (!*reported)
    explain(name, "not supported by the software device");
  *reported = true;
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

#define EXPORT(name)                                                           \
  API __attribute__((weak)) int name(void);                                    \
  int name(void)                                                               \
  {                                                                            \
    static bool reported;                                                      \
    return unsupported(#name, &reported);                                      \
  }
#include "exports.def"
