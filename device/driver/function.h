/* Attributes of kernels, for cuFunc… and cuKernel…. */
#ifndef DEVICE_DRIVER_FUNCTION_H
#define DEVICE_DRIVER_FUNCTION_H

#include "driver.h"

CUresult function_get(int *value, CUfunction_attribute attribute,
                      CUfunction function);
CUresult function_set(CUfunction function, CUfunction_attribute attribute,
                      int value);

#endif
