/* Conversions between types, bit by bit and with a direction of rounding, in
 * the order of the CUDA Math API, "Type Casting Intrinsics". Each is one
 * instruction, and exact as PTX defines it. */
#ifndef SOFTDEVICE_CONVERT_H
#define SOFTDEVICE_CONVERT_H

#define SOFTDEVICE_CONVERT(name, to, from, form, to_letter, from_letter)       \
  SOFTDEVICE_CALL to name(from x)                                              \
  {                                                                            \
    to result;                                                                 \
    asm("cvt." form " %0, %1;" : "=" to_letter(result) : from_letter(x));      \
    return result;                                                             \
  }
/* _rd, _rn, _ru, _rz: to a floating type, and to an integer. */
#define SOFTDEVICE_ROUNDED(name, to, from, form, to_letter, from_letter)       \
  SOFTDEVICE_CONVERT(name##_rd, to, from, "rm." form, to_letter, from_letter)  \
  SOFTDEVICE_CONVERT(name##_rn, to, from, "rn." form, to_letter, from_letter)  \
  SOFTDEVICE_CONVERT(name##_ru, to, from, "rp." form, to_letter, from_letter)  \
  SOFTDEVICE_CONVERT(name##_rz, to, from, "rz." form, to_letter, from_letter)
#define SOFTDEVICE_WHOLE(name, to, from, form, to_letter, from_letter)         \
  SOFTDEVICE_CONVERT(name##_rd, to, from, "rmi." form, to_letter, from_letter) \
  SOFTDEVICE_CONVERT(name##_rn, to, from, "rni." form, to_letter, from_letter) \
  SOFTDEVICE_CONVERT(name##_ru, to, from, "rpi." form, to_letter, from_letter) \
  SOFTDEVICE_CONVERT(name##_rz, to, from, "rzi." form, to_letter, from_letter)

SOFTDEVICE_ROUNDED(__double2float, float, double, "f32.f64", "f", "d")
SOFTDEVICE_WHOLE(__double2int, int, double, "s32.f64", "r", "d")
SOFTDEVICE_WHOLE(__double2uint, unsigned int, double, "u32.f64", "r", "d")
SOFTDEVICE_WHOLE(__double2ll, long long, double, "s64.f64", "l", "d")
SOFTDEVICE_WHOLE(__double2ull, unsigned long long, double, "u64.f64", "l", "d")
SOFTDEVICE_WHOLE(__float2int, int, float, "s32.f32", "r", "f")
SOFTDEVICE_WHOLE(__float2uint, unsigned int, float, "u32.f32", "r", "f")
SOFTDEVICE_WHOLE(__float2ll, long long, float, "s64.f32", "l", "f")
SOFTDEVICE_WHOLE(__float2ull, unsigned long long, float, "u64.f32", "l", "f")
SOFTDEVICE_ROUNDED(__int2float, float, int, "f32.s32", "f", "r")
SOFTDEVICE_ROUNDED(__uint2float, float, unsigned int, "f32.u32", "f", "r")
SOFTDEVICE_ROUNDED(__ll2double, double, long long, "f64.s64", "d", "l")
SOFTDEVICE_ROUNDED(__ull2double, double, unsigned long long, "f64.u64", "d",
                   "l")
SOFTDEVICE_ROUNDED(__ll2float, float, long long, "f32.s64", "f", "l")
SOFTDEVICE_ROUNDED(__ull2float, float, unsigned long long, "f32.u64", "f", "l")

#undef SOFTDEVICE_WHOLE
#undef SOFTDEVICE_ROUNDED
#undef SOFTDEVICE_CONVERT

SOFTDEVICE_CALL double __int2double_rn(int x) { return x; }
SOFTDEVICE_CALL double __uint2double_rn(unsigned int x) { return x; }

#define SOFTDEVICE_BITS(name, to, from)                                        \
  SOFTDEVICE_CALL to name(from x) { return __builtin_bit_cast(to, x); }

SOFTDEVICE_BITS(__double_as_longlong, long long, double)
SOFTDEVICE_BITS(__float_as_int, int, float)
SOFTDEVICE_BITS(__float_as_uint, unsigned int, float)
SOFTDEVICE_BITS(__int_as_float, float, int)
SOFTDEVICE_BITS(__longlong_as_double, double, long long)
SOFTDEVICE_BITS(__uint_as_float, float, unsigned int)

#undef SOFTDEVICE_BITS

SOFTDEVICE_CALL int __double2hiint(double x)
{
  return (int)(__double_as_longlong(x) >> 32);
}
SOFTDEVICE_CALL int __double2loint(double x)
{
  return (int)__double_as_longlong(x);
}
SOFTDEVICE_CALL double __hiloint2double(int high, int low)
{
  return __longlong_as_double((long long)high << 32 | (unsigned int)low);
}

#endif
