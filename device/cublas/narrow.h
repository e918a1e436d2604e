/* Numbers of 16 bits, IEEE's half precision and bfloat16, and of 8 bits: floats
 * of both kinds, and whole numbers. */
#ifndef DEVICE_CUBLAS_NARROW_H
#define DEVICE_CUBLAS_NARROW_H

#include <stdint.h>

float narrow_from_half(uint16_t bits);
float narrow_from_bfloat(uint16_t bits);

/* Rounded to nearest, ties to even. */
uint16_t narrow_to_half(float value);
uint16_t narrow_to_bfloat(float value);

/* Of e4m3, which has no infinity, and e5m2. */
float narrow_from_e4m3(uint8_t bits);
float narrow_from_e5m2(uint8_t bits);

/* The same to 8 bits; what is too large becomes the largest number, as a GPU's
 * conversions with `satfinite` do it. */
uint8_t narrow_to_e4m3(float value);
uint8_t narrow_to_e5m2(float value);
int8_t narrow_to_whole(float value); /* NaN: 0 */

#endif
