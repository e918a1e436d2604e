/* Atomic functions: the device's, and with _block and _system those of other
 * scopes. In the order of the CUDA C++ Programming Guide. Each is one
 * instruction, except atomicAdd and atomicCAS of 16 bits on devices before
 * 9.0, which the guide leaves to the compiler as well. */
#ifndef SOFTDEVICE_ATOMIC_H
#define SOFTDEVICE_ATOMIC_H

/* One function in three scopes, by clang's built-in functions: these know in
 * which memory an address is when the compiler can tell. */
#define SOFTDEVICE_ATOMIC(name, type, operation, suffix, as)                   \
  SOFTDEVICE_CALL type name(type *address, type value)                         \
  {                                                                            \
    return (type)__nvvm_atom_##operation##_gen_##suffix((as *)address,         \
                                                        (as)value);            \
  }                                                                            \
  SOFTDEVICE_CALL type name##_block(type *address, type value)                 \
  {                                                                            \
    return (type)__nvvm_atom_cta_##operation##_gen_##suffix((as *)address,     \
                                                            (as)value);        \
  }                                                                            \
  SOFTDEVICE_CALL type name##_system(type *address, type value)                \
  {                                                                            \
    return (type)__nvvm_atom_sys_##operation##_gen_##suffix((as *)address,     \
                                                            (as)value);        \
  }

SOFTDEVICE_ATOMIC(atomicAdd, int, add, i, int)
SOFTDEVICE_ATOMIC(atomicAdd, unsigned int, add, i, int)
SOFTDEVICE_ATOMIC(atomicAdd, unsigned long long, add, ll, long long)
SOFTDEVICE_ATOMIC(atomicAdd, float, add, f, float)
SOFTDEVICE_ATOMIC(atomicAdd, double, add, d, double)

/* Subtraction is the addition of the opposite. */
#define SOFTDEVICE_SUBTRACT(scope)                                             \
  SOFTDEVICE_CALL int atomicSub##scope(int *address, int value)                \
  {                                                                            \
    return atomicAdd##scope(address, -value);                                  \
  }                                                                            \
  SOFTDEVICE_CALL unsigned int atomicSub##scope(unsigned int *address,         \
                                                unsigned int value)            \
  {                                                                            \
    return atomicAdd##scope(address, 0u - value);                              \
  }
SOFTDEVICE_SUBTRACT()
SOFTDEVICE_SUBTRACT(_block)
SOFTDEVICE_SUBTRACT(_system)
#undef SOFTDEVICE_SUBTRACT

SOFTDEVICE_ATOMIC(atomicExch, int, xchg, i, int)
SOFTDEVICE_ATOMIC(atomicExch, unsigned int, xchg, i, int)
SOFTDEVICE_ATOMIC(atomicExch, unsigned long long, xchg, ll, long long)

#define SOFTDEVICE_EXCHANGE_FLOAT(scope)                                       \
  SOFTDEVICE_CALL float atomicExch##scope(float *address, float value)         \
  {                                                                            \
    return __builtin_bit_cast(                                                 \
        float,                                                                 \
        atomicExch##scope((int *)address, __builtin_bit_cast(int, value)));    \
  }
SOFTDEVICE_EXCHANGE_FLOAT()
SOFTDEVICE_EXCHANGE_FLOAT(_block)
SOFTDEVICE_EXCHANGE_FLOAT(_system)
#undef SOFTDEVICE_EXCHANGE_FLOAT

SOFTDEVICE_ATOMIC(atomicMin, int, min, i, int)
SOFTDEVICE_ATOMIC(atomicMin, unsigned int, min, ui, unsigned int)
SOFTDEVICE_ATOMIC(atomicMin, long long, min, ll, long long)
SOFTDEVICE_ATOMIC(atomicMin, unsigned long long, min, ull, unsigned long long)
SOFTDEVICE_ATOMIC(atomicMax, int, max, i, int)
SOFTDEVICE_ATOMIC(atomicMax, unsigned int, max, ui, unsigned int)
SOFTDEVICE_ATOMIC(atomicMax, long long, max, ll, long long)
SOFTDEVICE_ATOMIC(atomicMax, unsigned long long, max, ull, unsigned long long)
SOFTDEVICE_ATOMIC(atomicInc, unsigned int, inc, ui, unsigned int)
SOFTDEVICE_ATOMIC(atomicDec, unsigned int, dec, ui, unsigned int)

#define SOFTDEVICE_COMPARE(type, suffix, as, scope, in)                        \
  SOFTDEVICE_CALL type atomicCAS##scope(type *address, type old, type value)   \
  {                                                                            \
    return (type)__nvvm_atom_##in##cas_gen_##suffix((as *)address, (as)old,    \
                                                    (as)value);                \
  }
#define SOFTDEVICE_COMPARES(type, suffix, as)                                  \
  SOFTDEVICE_COMPARE(type, suffix, as, , )                                     \
  SOFTDEVICE_COMPARE(type, suffix, as, _block, cta_)                           \
  SOFTDEVICE_COMPARE(type, suffix, as, _system, sys_)
SOFTDEVICE_COMPARES(int, i, int)
SOFTDEVICE_COMPARES(unsigned int, i, int)
SOFTDEVICE_COMPARES(unsigned long long, ll, long long)
#undef SOFTDEVICE_COMPARES
#undef SOFTDEVICE_COMPARE

#define SOFTDEVICE_COMPARE_16(scope, in)                                       \
  SOFTDEVICE_CALL unsigned short atomicCAS##scope(                             \
      unsigned short *address, unsigned short old, unsigned short value)       \
  {                                                                            \
    unsigned short was;                                                        \
    asm volatile("atom." in "cas.b16 %0, [%1], %2, %3;"                        \
                 : "=h"(was)                                                   \
                 : "l"(address), "h"(old), "h"(value)                          \
                 : "memory");                                                  \
    return was;                                                                \
  }
SOFTDEVICE_COMPARE_16(, )
SOFTDEVICE_COMPARE_16(_block, "cta.")
SOFTDEVICE_COMPARE_16(_system, "sys.")
#undef SOFTDEVICE_COMPARE_16

SOFTDEVICE_ATOMIC(atomicAnd, int, and, i, int)
SOFTDEVICE_ATOMIC(atomicAnd, unsigned int, and, i, int)
SOFTDEVICE_ATOMIC(atomicAnd, unsigned long long, and, ll, long long)
SOFTDEVICE_ATOMIC(atomicOr, int, or, i, int)
SOFTDEVICE_ATOMIC(atomicOr, unsigned int, or, i, int)
SOFTDEVICE_ATOMIC(atomicOr, unsigned long long, or, ll, long long)
SOFTDEVICE_ATOMIC(atomicXor, int, xor, i, int)
SOFTDEVICE_ATOMIC(atomicXor, unsigned int, xor, i, int)
SOFTDEVICE_ATOMIC(atomicXor, unsigned long long, xor, ll, long long)

#undef SOFTDEVICE_ATOMIC

#endif
