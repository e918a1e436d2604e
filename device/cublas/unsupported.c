/* cuBLAS's calls that the software device does not serve. */
#include "api.h"

#define UNSUPPORTED_STATUS CUBLAS_STATUS_NOT_SUPPORTED
#include "../core/unsupported.h"

#include "exports.def"
