/* Loads and stores with a hint for the caches. In the order of the CUDA C++
 * Programming Guide. __ldg reads what no thread changes while the kernel runs,
 * so the compiler may move it; the others stay where they are written. */
#ifndef SOFTDEVICE_LOAD_STORE_H
#define SOFTDEVICE_LOAD_STORE_H

/* How a register is called in inline PTX: by a type of as many bits. */
#define SOFTDEVICE_LOAD_1(name, keep, type, in, as, letter, op)                \
  SOFTDEVICE_CALL type name(const type *address)                               \
  {                                                                            \
    as x;                                                                      \
    asm keep("ld." op "." in " %0, [%1];"                                      \
             : "=" letter(x)                                                   \
             : "l"(address)SOFTDEVICE_CLOBBER_##keep);                         \
    return (type)x;                                                            \
  }
#define SOFTDEVICE_LOAD_2(name, keep, type, in, as, letter, op)                \
  SOFTDEVICE_CALL type name(const type *address)                               \
  {                                                                            \
    as x, y;                                                                   \
    asm keep("ld." op ".v2." in " {%0, %1}, [%2];"                             \
             : "=" letter(x), "=" letter(y)                                    \
             : "l"(address)SOFTDEVICE_CLOBBER_##keep);                         \
    type v;                                                                    \
    v.x = x, v.y = y;                                                          \
    return v;                                                                  \
  }
#define SOFTDEVICE_LOAD_4(name, keep, type, in, as, letter, op)                \
  SOFTDEVICE_CALL type name(const type *address)                               \
  {                                                                            \
    as x, y, z, w;                                                             \
    asm keep("ld." op ".v4." in " {%0, %1, %2, %3}, [%4];"                     \
             : "=" letter(x), "=" letter(y), "=" letter(z), "=" letter(w)      \
             : "l"(address)SOFTDEVICE_CLOBBER_##keep);                         \
    type v;                                                                    \
    v.x = x, v.y = y, v.z = z, v.w = w;                                        \
    return v;                                                                  \
  }
#define SOFTDEVICE_CLOBBER_
#define SOFTDEVICE_CLOBBER_volatile : "memory"

/* X(type, form in PTX, register's type, constraint) for one, two and four. */
#define SOFTDEVICE_TYPES(X1, X2, X4, ...)                                      \
  X1(__VA_ARGS__, char, "s8", short, "h")                                      \
  X1(__VA_ARGS__, signed char, "s8", short, "h")                               \
  X1(__VA_ARGS__, unsigned char, "u8", unsigned short, "h")                    \
  X1(__VA_ARGS__, short, "s16", short, "h")                                    \
  X1(__VA_ARGS__, unsigned short, "u16", unsigned short, "h")                  \
  X1(__VA_ARGS__, int, "s32", int, "r")                                        \
  X1(__VA_ARGS__, unsigned int, "u32", unsigned int, "r")                      \
  X1(__VA_ARGS__, long, "s64", long, "l")                                      \
  X1(__VA_ARGS__, unsigned long, "u64", unsigned long, "l")                    \
  X1(__VA_ARGS__, long long, "s64", long long, "l")                            \
  X1(__VA_ARGS__, unsigned long long, "u64", unsigned long long, "l")          \
  X1(__VA_ARGS__, float, "f32", float, "f")                                    \
  X1(__VA_ARGS__, double, "f64", double, "d")                                  \
  X2(__VA_ARGS__, char2, "s8", short, "h")                                     \
  X2(__VA_ARGS__, uchar2, "u8", unsigned short, "h")                           \
  X2(__VA_ARGS__, short2, "s16", short, "h")                                   \
  X2(__VA_ARGS__, ushort2, "u16", unsigned short, "h")                         \
  X2(__VA_ARGS__, int2, "s32", int, "r")                                       \
  X2(__VA_ARGS__, uint2, "u32", unsigned int, "r")                             \
  X2(__VA_ARGS__, longlong2, "s64", long long, "l")                            \
  X2(__VA_ARGS__, ulonglong2, "u64", unsigned long long, "l")                  \
  X2(__VA_ARGS__, float2, "f32", float, "f")                                   \
  X2(__VA_ARGS__, double2, "f64", double, "d")                                 \
  X4(__VA_ARGS__, char4, "s8", short, "h")                                     \
  X4(__VA_ARGS__, uchar4, "u8", unsigned short, "h")                           \
  X4(__VA_ARGS__, short4, "s16", short, "h")                                   \
  X4(__VA_ARGS__, ushort4, "u16", unsigned short, "h")                         \
  X4(__VA_ARGS__, int4, "s32", int, "r")                                       \
  X4(__VA_ARGS__, uint4, "u32", unsigned int, "r")                             \
  X4(__VA_ARGS__, float4, "f32", float, "f")

#define SOFTDEVICE_X1(name, keep, op, type, in, as, letter)                    \
  SOFTDEVICE_LOAD_1(name, keep, type, in, as, letter, op)
#define SOFTDEVICE_X2(name, keep, op, type, in, as, letter)                    \
  SOFTDEVICE_LOAD_2(name, keep, type, in, as, letter, op)
#define SOFTDEVICE_X4(name, keep, op, type, in, as, letter)                    \
  SOFTDEVICE_LOAD_4(name, keep, type, in, as, letter, op)
#define SOFTDEVICE_LOADS(name, keep, op)                                       \
  SOFTDEVICE_TYPES(SOFTDEVICE_X1, SOFTDEVICE_X2, SOFTDEVICE_X4, name, keep, op)

SOFTDEVICE_LOADS(__ldg, , "global.nc")
SOFTDEVICE_LOADS(__ldcg, volatile, "global.cg")
SOFTDEVICE_LOADS(__ldca, volatile, "global.ca")
SOFTDEVICE_LOADS(__ldcs, volatile, "global.cs")
SOFTDEVICE_LOADS(__ldlu, volatile, "global.lu")
SOFTDEVICE_LOADS(__ldcv, volatile, "global.cv")

#undef SOFTDEVICE_X1
#undef SOFTDEVICE_X2
#undef SOFTDEVICE_X4
#undef SOFTDEVICE_LOADS

#define SOFTDEVICE_X1(name, op, type, in, as, letter)                          \
  SOFTDEVICE_CALL void name(type *address, type v)                             \
  {                                                                            \
    asm volatile("st." op "." in " [%0], %1;" ::"l"(address), letter((as)v)    \
                 : "memory");                                                  \
  }
#define SOFTDEVICE_X2(name, op, type, in, as, letter)                          \
  SOFTDEVICE_CALL void name(type *address, type v)                             \
  {                                                                            \
    asm volatile("st." op ".v2." in " [%0], {%1, %2};" ::"l"(address),         \
                 letter((as)v.x), letter((as)v.y)                              \
                 : "memory");                                                  \
  }
#define SOFTDEVICE_X4(name, op, type, in, as, letter)                          \
  SOFTDEVICE_CALL void name(type *address, type v)                             \
  {                                                                            \
    asm volatile("st." op ".v4." in " [%0], {%1, %2, %3, %4};" ::"l"(address), \
                 letter((as)v.x), letter((as)v.y), letter((as)v.z),            \
                 letter((as)v.w)                                               \
                 : "memory");                                                  \
  }
#define SOFTDEVICE_STORES(name, op)                                            \
  SOFTDEVICE_TYPES(SOFTDEVICE_X1, SOFTDEVICE_X2, SOFTDEVICE_X4, name, op)

SOFTDEVICE_STORES(__stwb, "global.wb")
SOFTDEVICE_STORES(__stcg, "global.cg")
SOFTDEVICE_STORES(__stcs, "global.cs")
SOFTDEVICE_STORES(__stwt, "global.wt")

#undef SOFTDEVICE_X1
#undef SOFTDEVICE_X2
#undef SOFTDEVICE_X4
#undef SOFTDEVICE_STORES
#undef SOFTDEVICE_TYPES
#undef SOFTDEVICE_LOAD_1
#undef SOFTDEVICE_LOAD_2
#undef SOFTDEVICE_LOAD_4
#undef SOFTDEVICE_CLOBBER_
#undef SOFTDEVICE_CLOBBER_volatile

#endif
