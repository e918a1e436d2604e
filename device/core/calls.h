/* What both APIs ask of the core: a function for each row of calls.def. */
#ifndef DEVICE_CORE_CALLS_H
#define DEVICE_CORE_CALLS_H

#include "../support/exported.h"
#include "types.h"

#define CALL(name, parameters, function, arguments)                            \
  cudaError_t function parameters EXPORTED(function);
#include "calls.def"

#endif
