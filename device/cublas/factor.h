/* LU and QR factors of one matrix of complex doubles, column after column, and
 * what is solved with them. Real matrices have imaginary parts of 0. */
#ifndef DEVICE_CUBLAS_FACTOR_H
#define DEVICE_CUBLAS_FACTOR_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

typedef double complex number;

/* Gaussian elimination as LAPACK's getrf: `pivots`, from 1, are the rows
 * changed; NULL: none are. Returns the first column without a pivot, from 1,
 * or 0. */
int factor_lu(number *a, int64_t n, int *pivots);

/* Solves op(A) x = b for one column in place, given the factors of A. */
enum factor_op { FACTOR_PLAIN, FACTOR_TRANSPOSED, FACTOR_CONJUGATE };
void factor_solve_lu(const number *a, int64_t n, const int *pivots,
                     enum factor_op op, number *b);

/* Householder reflections as LAPACK's geqrf: R, and the reflections' vectors
 * below it. `tau` has n elements, m >= n. */
void factor_qr(number *a, int64_t m, int64_t n, number *tau);

/* The x for which |A x - b| is least, in the first n elements of b. */
void factor_solve_qr(const number *a, int64_t m, int64_t n, const number *tau,
                     number *b);

/* The first 0 on the diagonal of a matrix of m rows, from 1; or 0. Where U or R
 * has one, there is nothing to solve. */
int factor_first_zero(const number *a, int64_t m, int64_t n);

#endif
