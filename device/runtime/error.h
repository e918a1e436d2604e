/* What every call of the runtime API that can fail ends with. */
#ifndef DEVICE_RUNTIME_ERROR_H
#define DEVICE_RUNTIME_ERROR_H

#include "api.h"

/* Remembers an error as this thread's last one, and returns it. */
cudaError_t error_leave_from(cudaError_t error, const char *call);
#define error_leave(error) error_leave_from(error, __func__)

#endif
