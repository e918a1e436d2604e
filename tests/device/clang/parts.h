/* What the two parts of a test program share. */
#ifndef TESTS_DEVICE_CLANG_PARTS_H
#define TESTS_DEVICE_CLANG_PARTS_H

/* The sum of n numbers, by a kernel of the other part. */
int sum_of(const int *x, int n);

#endif
