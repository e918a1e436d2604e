/* Numbers of every type that the calls take, as doubles and back. */
#ifndef DEVICE_CUBLAS_NUMBERS_H
#define DEVICE_CUBLAS_NUMBERS_H

#include "api.h"

/* Of the types in api.h; 0 of any other. */
size_t number_bytes(int type);

/* Doubles per number: two for complex ones, else one. */
unsigned number_parts(int type);

/* `n` numbers, `step` numbers apart, from and to doubles without gaps. Into
 * float they are rounded to nearest; into narrower types by way of float, as
 * on a GPU, whose sums are floats. Into int are whole numbers only, of which the
 * last 32 bits count. */
void numbers_widen(double *to, int type, const void *from, int64_t step,
                   int64_t n);
void numbers_narrow(void *to, int type, int64_t step, const double *from,
                    int64_t n);

#endif
