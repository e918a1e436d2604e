/* SHA-256 (FIPS 180-4): texts of kernels and contents of memory are known by
 * it. */
#ifndef DEVICE_SUPPORT_SHA256_H
#define DEVICE_SUPPORT_SHA256_H

#include <stddef.h>

enum { SHA256_DIGITS = 64 };

/* The 64 hexadecimal digits, NUL-terminated. */
void sha256_digits(const void *data, size_t bytes, char text[65]);

#endif
