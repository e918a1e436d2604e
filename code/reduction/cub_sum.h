/* CUB's sum of n numbers, for programs that need not compile CUB. */
#ifndef CODE_REDUCTION_CUB_SUM_H
#define CODE_REDUCTION_CUB_SUM_H

#include <stddef.h>

#include "common/cuda_check.h"

void cub_sum_floats(void *d_temp, size_t *n_temp_bytes, float *d_out,
                    const float *d_x, size_t n);
void cub_sum_doubles(void *d_temp, size_t *n_temp_bytes, double *d_out,
                     const double *d_x, size_t n);

#endif
