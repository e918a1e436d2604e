/* Reads and writes one number of any type that cuBLAS knows. */
#include "numbers.h"

#include "narrow.h"

size_t number_bytes(int type)
{
  switch (type) {
  case CUDA_R_8I:
  case CUDA_R_8F_E4M3:
  case CUDA_R_8F_E5M2: return 1;
  case CUDA_R_16F:
  case CUDA_R_16BF: return 2;
  case CUDA_R_32I:
  case CUDA_R_32F: return 4;
  case CUDA_R_64F:
  case CUDA_C_32F: return 8;
  case CUDA_C_64F: return 16;
  default: return 0;
  }
}

unsigned number_parts(int type)
{
  return type == CUDA_C_32F || type == CUDA_C_64F ? 2 : 1;
}

/* Without steps the compiler can use vector instructions. */
#define WIDEN(C, PARTS, CONVERT)                                               \
  if (step == 1)                                                               \
    for (int64_t i = 0; i < n * PARTS; i++)                                    \
      to[i] = (double)CONVERT(((const C *)from)[i]);                           \
  else                                                                         \
    for (int64_t i = 0; i < n; i++)                                            \
      for (int part = 0; part < PARTS; part++)                                 \
        to[PARTS * i + part] =                                                 \
            (double)CONVERT(((const C *)from)[PARTS * (step * i) + part]);     \
  break

#define NARROW(C, PARTS, CONVERT)                                              \
  if (step == 1)                                                               \
    for (int64_t i = 0; i < n * PARTS; i++)                                    \
      ((C *)to)[i] = CONVERT(from[i]);                                         \
  else                                                                         \
    for (int64_t i = 0; i < n; i++)                                            \
      for (int part = 0; part < PARTS; part++)                                 \
        ((C *)to)[PARTS * (step * i) + part] =                                 \
            CONVERT(from[PARTS * i + part]);                                   \
  break

#define TO_HALF(value) narrow_to_half((float)(value))
#define TO_BFLOAT(value) narrow_to_bfloat((float)(value))
#define TO_E4M3(value) narrow_to_e4m3((float)(value))
#define TO_E5M2(value) narrow_to_e5m2((float)(value))
#define TO_BYTE(value) narrow_to_whole((float)(value))

/* A whole double below 2^63; only its last 32 bits count. */
static int32_t to_whole(double value)
{
  return (int32_t)(uint32_t)(uint64_t)(int64_t)value;
}

void numbers_widen(double *to, int type, const void *from, int64_t step,
                   int64_t n)
{
  switch (type) {
  case CUDA_R_16F: WIDEN(uint16_t, 1, narrow_from_half);
  case CUDA_R_16BF: WIDEN(uint16_t, 1, narrow_from_bfloat);
  case CUDA_R_8F_E4M3: WIDEN(uint8_t, 1, narrow_from_e4m3);
  case CUDA_R_8F_E5M2: WIDEN(uint8_t, 1, narrow_from_e5m2);
  case CUDA_R_8I: WIDEN(int8_t, 1, );
  case CUDA_R_32I: WIDEN(int32_t, 1, );
  case CUDA_R_32F: WIDEN(float, 1, );
  case CUDA_R_64F: WIDEN(double, 1, );
  case CUDA_C_32F: WIDEN(float, 2, );
  case CUDA_C_64F: WIDEN(double, 2, );
  default: break;
  }
}

void numbers_narrow(void *to, int type, int64_t step, const double *from,
                    int64_t n)
{
  switch (type) {
  case CUDA_R_16F: NARROW(uint16_t, 1, TO_HALF);
  case CUDA_R_16BF: NARROW(uint16_t, 1, TO_BFLOAT);
  case CUDA_R_8F_E4M3: NARROW(uint8_t, 1, TO_E4M3);
  case CUDA_R_8F_E5M2: NARROW(uint8_t, 1, TO_E5M2);
  case CUDA_R_8I: NARROW(int8_t, 1, TO_BYTE);
  case CUDA_R_32I: NARROW(int32_t, 1, to_whole);
  case CUDA_R_32F: NARROW(float, 1, (float));
  case CUDA_R_64F: NARROW(double, 1, );
  case CUDA_C_32F: NARROW(float, 2, (float));
  case CUDA_C_64F: NARROW(double, 2, );
  default: break;
  }
}
