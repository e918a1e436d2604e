/* Calls of the driver API that the software device does not serve. */
#include "driver.h"

#define UNSUPPORTED_STATUS CUDA_ERROR_NOT_SUPPORTED
#include "../core/unsupported.h"

#include "exports.def"
