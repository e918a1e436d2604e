/* Numbers of 16 bits: IEEE's half precision and bfloat16. */
#ifndef DEVICE_CUBLAS_NARROW_H
#define DEVICE_CUBLAS_NARROW_H

#include <stdint.h>

float narrow_from_half(uint16_t bits);
float narrow_from_bfloat(uint16_t bits);

/* Rounded to nearest, ties to even. */
uint16_t narrow_to_half(float value);
uint16_t narrow_to_bfloat(float value);

#endif
