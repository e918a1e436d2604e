/* The calls of the product of matrices. */
#include "gemm.h"

#define TEMPLATE "gemm_template.h"
#include "instances.h"
