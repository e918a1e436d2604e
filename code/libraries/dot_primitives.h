/* The sums of products by CUB and by Thrust: dot_primitives.cu, apart from
 * the listing because their headers take long to compile. */
#ifndef CODE_LIBRARIES_DOT_PRIMITIVES_H
#define CODE_LIBRARIES_DOT_PRIMITIVES_H

#include <stddef.h>

/* Into *d_out. Without d_work it only says how many bytes of it are needed. */
void dot_cub(float *d_out, const float *d_x, const float *d_y, size_t n,
             void *d_work, size_t *n_work_bytes);

/* Returned to the host. */
float dot_thrust(const float *d_x, const float *d_y, size_t n);

#endif
