/* Calls of the runtime API that the software device does not serve. */
#include "../core/types.h"
#include "../support/exported.h"

/* Not by error.h: it declares some of these names with their true types. */
cudaError_t error_leave_from(cudaError_t error, const char *call);

#define UNSUPPORTED_STATUS ((int)error_leave_from(cudaErrorNotSupported, name))
#include "../core/unsupported.h"

#include "exports.def"
