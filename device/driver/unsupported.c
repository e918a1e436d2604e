/* Calls that the software device does not serve: one line on stderr, and
 * CUDA_ERROR_NOT_SUPPORTED. Defined weakly for every name there is, so that a
 * real definition elsewhere takes its place. */
#include "driver.h"

static int unsupported(const char *name, bool *reported)
{
  if (!*reported)
    explain(name, "not supported by the software device");
  *reported = true;
  return CUDA_ERROR_NOT_SUPPORTED;
}

#define EXPORT(name)                                                           \
  API __attribute__((weak)) int name(void);                                    \
  int name(void)                                                               \
  {                                                                            \
    static bool reported;                                                      \
    return unsupported(#name, &reported);                                      \
  }
#include "exports.def"
