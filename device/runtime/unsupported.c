/* Calls that the software device does not serve: one line on stderr, and
 * cudaErrorNotSupported. Defined weakly for every name there is, so that a
 * real definition elsewhere takes its place. */
#include "../core/state.h"
#include "../support/exported.h"

/* Not by error.h: it declares some of these names with their true types. */
cudaError_t error_leave_from(cudaError_t error, const char *call);

static int unsupported(const char *name, bool *reported)
{
  if (!*reported)
    explain(name, "not supported by the software device");
  *reported = true;
  return (int)error_leave_from(cudaErrorNotSupported, name);
}

#define EXPORT(name)                                                           \
  API __attribute__((weak)) int name(void);                                    \
  int name(void)                                                               \
  {                                                                            \
    static bool reported;                                                      \
    return unsupported(#name, &reported);                                      \
  }
#include "exports.def"
