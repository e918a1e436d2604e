/* Loads, stores and atomics with a memory order and a scope:
 * __nv_atomic_load_n and its family, which nvcc has built in, and what
 * cuda/atomic is made of. In the order of the CUDA C++ Programming Guide. Each
 * is one instruction, with a fence before it for sequential consistency. */
#ifndef SOFTDEVICE_ORDERED_H
#define SOFTDEVICE_ORDERED_H

#define __NV_ATOMIC_RELAXED 0
#define __NV_ATOMIC_CONSUME 1
#define __NV_ATOMIC_ACQUIRE 2
#define __NV_ATOMIC_RELEASE 3
#define __NV_ATOMIC_ACQ_REL 4
#define __NV_ATOMIC_SEQ_CST 5

#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4

/* A fence for sequential consistency: before the access. */
SOFTDEVICE_CALL void softdevice_fence(int scope)
{
  if (scope <= __NV_THREAD_SCOPE_BLOCK)
    asm volatile("fence.sc.cta;" ::: "memory");
  else if (scope == __NV_THREAD_SCOPE_CLUSTER)
    asm volatile("fence.sc.cluster;" ::: "memory");
  else if (scope == __NV_THREAD_SCOPE_DEVICE)
    asm volatile("fence.sc.gpu;" ::: "memory");
  else
    asm volatile("fence.sc.sys;" ::: "memory");
}

/* One instruction, in all scopes. A thread alone has no scope in PTX: its
 * block's is the next larger one. */
#define SOFTDEVICE_SCOPED(scope, before, after, ...)                           \
  if ((scope) <= __NV_THREAD_SCOPE_BLOCK)                                      \
    asm volatile(before ".cta" after __VA_ARGS__ : "memory");                  \
  else if ((scope) == __NV_THREAD_SCOPE_CLUSTER)                               \
    asm volatile(before ".cluster" after __VA_ARGS__ : "memory");              \
  else if ((scope) == __NV_THREAD_SCOPE_DEVICE)                                \
    asm volatile(before ".gpu" after __VA_ARGS__ : "memory");                  \
  else                                                                         \
    asm volatile(before ".sys" after __VA_ARGS__ : "memory")

/* For numbers of 4 and 8 bytes: B is a type of as many bits. */
#define SOFTDEVICE_ORDERED(B, bits, letter)                                    \
  SOFTDEVICE_CALL B softdevice_load(const B *address, int order, int scope)    \
  {                                                                            \
    B value;                                                                   \
    if (order == __NV_ATOMIC_SEQ_CST)                                          \
      softdevice_fence(scope);                                                 \
    if (order == __NV_ATOMIC_RELAXED) {                                        \
      SOFTDEVICE_SCOPED(scope, "ld.relaxed", ".b" bits " %0, [%1];",           \
                        : "=" letter(value)                                    \
                        : "l"(address));                                       \
    } else {                                                                   \
      SOFTDEVICE_SCOPED(scope, "ld.acquire", ".b" bits " %0, [%1];",           \
                        : "=" letter(value)                                    \
                        : "l"(address));                                       \
    }                                                                          \
    return value;                                                              \
  }                                                                            \
  SOFTDEVICE_CALL void softdevice_store(B *address, B value, int order,        \
                                        int scope)                             \
  {                                                                            \
    if (order == __NV_ATOMIC_SEQ_CST)                                          \
      softdevice_fence(scope);                                                 \
    if (order == __NV_ATOMIC_RELEASE) {                                        \
      SOFTDEVICE_SCOPED(scope, "st.release", ".b" bits " [%0], %1;",           \
                        ::"l"(address), letter(value));                        \
    } else {                                                                   \
      SOFTDEVICE_SCOPED(scope, "st.relaxed", ".b" bits " [%0], %1;",           \
                        ::"l"(address), letter(value));                        \
    }                                                                          \
  }                                                                            \
  SOFTDEVICE_ORDERED_ATOMIC(B, exchange, "exch", ".b" bits, letter)            \
  SOFTDEVICE_ORDERED_ATOMIC(B, and, "and", ".b" bits, letter)                  \
  SOFTDEVICE_ORDERED_ATOMIC(B, or, "or", ".b" bits, letter)                    \
  SOFTDEVICE_ORDERED_ATOMIC(B, xor, "xor", ".b" bits, letter)                  \
  SOFTDEVICE_CALL B softdevice_atomic_cas(B *address, B expected, B value,     \
                                          int order, int scope)                \
  {                                                                            \
    B old;                                                                     \
    SOFTDEVICE_IN_ORDER(order, scope, "atom",                                  \
                        ".cas.b" bits " %0, [%1], %2, %3;",                    \
                        : "=" letter(old)                                      \
                        : "l"(address), letter(expected), letter(value));      \
    return old;                                                                \
  }

/* An atomic in all orders. */
#define SOFTDEVICE_IN_ORDER(order, scope, before, after, ...)                  \
  if ((order) == __NV_ATOMIC_SEQ_CST)                                          \
    softdevice_fence(scope);                                                   \
  if ((order) == __NV_ATOMIC_RELAXED) {                                        \
    SOFTDEVICE_SCOPED(scope, before ".relaxed", after, __VA_ARGS__);           \
  } else if ((order) == __NV_ATOMIC_RELEASE) {                                 \
    SOFTDEVICE_SCOPED(scope, before ".release", after, __VA_ARGS__);           \
  } else if ((order) == __NV_ATOMIC_ACQ_REL) {                                 \
    SOFTDEVICE_SCOPED(scope, before ".acq_rel", after, __VA_ARGS__);           \
  } else {                                                                     \
    SOFTDEVICE_SCOPED(scope, before ".acquire", after, __VA_ARGS__);           \
  }
#define SOFTDEVICE_ORDERED_ATOMIC(B, name, operation, type, letter)            \
  SOFTDEVICE_CALL B softdevice_atomic_##name(B *address, B value, int order,   \
                                             int scope)                        \
  {                                                                            \
    B old;                                                                     \
    SOFTDEVICE_IN_ORDER(order, scope, "atom",                                  \
                        "." operation type " %0, [%1], %2;",                   \
                        : "=" letter(old)                                      \
                        : "l"(address), letter(value));                        \
    return old;                                                                \
  }

SOFTDEVICE_ORDERED(unsigned int, "32", "r")
SOFTDEVICE_ORDERED(unsigned long long, "64", "l")
SOFTDEVICE_ORDERED_ATOMIC(int, add, "add", ".u32", "r")
SOFTDEVICE_ORDERED_ATOMIC(unsigned int, add, "add", ".u32", "r")
SOFTDEVICE_ORDERED_ATOMIC(long long, add, "add", ".u64", "l")
SOFTDEVICE_ORDERED_ATOMIC(unsigned long long, add, "add", ".u64", "l")
SOFTDEVICE_ORDERED_ATOMIC(float, add, "add", ".f32", "f")
SOFTDEVICE_ORDERED_ATOMIC(double, add, "add", ".f64", "d")
SOFTDEVICE_ORDERED_ATOMIC(int, min, "min", ".s32", "r")
SOFTDEVICE_ORDERED_ATOMIC(unsigned int, min, "min", ".u32", "r")
SOFTDEVICE_ORDERED_ATOMIC(long long, min, "min", ".s64", "l")
SOFTDEVICE_ORDERED_ATOMIC(unsigned long long, min, "min", ".u64", "l")
SOFTDEVICE_ORDERED_ATOMIC(int, max, "max", ".s32", "r")
SOFTDEVICE_ORDERED_ATOMIC(unsigned int, max, "max", ".u32", "r")
SOFTDEVICE_ORDERED_ATOMIC(long long, max, "max", ".s64", "l")
SOFTDEVICE_ORDERED_ATOMIC(unsigned long long, max, "max", ".u64", "l")

#undef SOFTDEVICE_ORDERED

/* A number as a type of its size, and the type for arithmetic with it. */
template <size_t BYTES> struct softdevice_bits_type;
template <> struct softdevice_bits_type<4> {
  typedef unsigned int bits;
  typedef int whole;
};
template <> struct softdevice_bits_type<8> {
  typedef unsigned long long bits;
  typedef long long whole;
};
template <typename T>
using softdevice_as_bits = typename softdevice_bits_type<sizeof(T)>::bits;
/* long becomes long long; signed stays signed, and floating numbers stay. */
template <typename T>
using softdevice_as_number = typename std::conditional<
    std::is_floating_point<T>::value, T,
    typename std::conditional<
        std::is_signed<T>::value,
        typename softdevice_bits_type<sizeof(T)>::whole,
        typename softdevice_bits_type<sizeof(T)>::bits>::type>::type;

template <typename T>
SOFTDEVICE_CALL T __nv_atomic_load_n(const T *address, int order,
                                     int scope = __NV_THREAD_SCOPE_SYSTEM)
{
  return __builtin_bit_cast(
      T, softdevice_load((const softdevice_as_bits<T> *)address, order, scope));
}
template <typename T, typename U>
SOFTDEVICE_CALL void __nv_atomic_store_n(T *address, U value, int order,
                                         int scope = __NV_THREAD_SCOPE_SYSTEM)
{
  T converted = (T)value;
  softdevice_store((softdevice_as_bits<T> *)address,
                   __builtin_bit_cast(softdevice_as_bits<T>, converted), order,
                   scope);
}

#define SOFTDEVICE_ON_BITS(name, operation)                                    \
  template <typename T, typename U>                                            \
  SOFTDEVICE_CALL T name(T *address, U value, int order,                       \
                         int scope = __NV_THREAD_SCOPE_SYSTEM)                 \
  {                                                                            \
    T converted = (T)value;                                                    \
    return __builtin_bit_cast(                                                 \
        T, softdevice_atomic_##operation(                                      \
               (softdevice_as_bits<T> *)address,                               \
               __builtin_bit_cast(softdevice_as_bits<T>, converted), order,    \
               scope));                                                        \
  }
#define SOFTDEVICE_ON_NUMBERS(name, operation)                                 \
  template <typename T, typename U>                                            \
  SOFTDEVICE_CALL T name(T *address, U value, int order,                       \
                         int scope = __NV_THREAD_SCOPE_SYSTEM)                 \
  {                                                                            \
    return (T)softdevice_atomic_##operation(                                   \
        (softdevice_as_number<T> *)address, (softdevice_as_number<T>)value,    \
        order, scope);                                                         \
  }
SOFTDEVICE_ON_BITS(__nv_atomic_exchange_n, exchange)
SOFTDEVICE_ON_NUMBERS(__nv_atomic_fetch_add, add)
template <typename T, typename U>
SOFTDEVICE_CALL T __nv_atomic_fetch_sub(T *address, U value, int order,
                                        int scope = __NV_THREAD_SCOPE_SYSTEM)
{
  return __nv_atomic_fetch_add(address, (T)(0 - (T)value), order, scope);
}
SOFTDEVICE_ON_BITS(__nv_atomic_fetch_and, and)
SOFTDEVICE_ON_BITS(__nv_atomic_fetch_or, or)
SOFTDEVICE_ON_BITS(__nv_atomic_fetch_xor, xor)
SOFTDEVICE_ON_NUMBERS(__nv_atomic_fetch_max, max)
SOFTDEVICE_ON_NUMBERS(__nv_atomic_fetch_min, min)
#undef SOFTDEVICE_ON_BITS
#undef SOFTDEVICE_ON_NUMBERS

/* Stores `value` if *expected is there, else what is there into *expected. */
template <typename T, typename U>
SOFTDEVICE_CALL bool
__nv_atomic_compare_exchange_n(T *address, T *expected, U value, bool weak,
                               int success, int failure,
                               int scope = __NV_THREAD_SCOPE_SYSTEM)
{
  (void)weak, (void)failure;
  T converted = (T)value;
  auto wanted = __builtin_bit_cast(softdevice_as_bits<T>, *expected);
  auto old = softdevice_atomic_cas(
      (softdevice_as_bits<T> *)address, wanted,
      __builtin_bit_cast(softdevice_as_bits<T>, converted), success, scope);
  *expected = __builtin_bit_cast(T, old);
  return old == wanted;
}

SOFTDEVICE_CALL void
__nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM)
{
  if (order == __NV_ATOMIC_SEQ_CST)
    softdevice_fence(scope);
  else if (order != __NV_ATOMIC_RELAXED) {
    if (scope <= __NV_THREAD_SCOPE_BLOCK)
      asm volatile("fence.acq_rel.cta;" ::: "memory");
    else if (scope == __NV_THREAD_SCOPE_CLUSTER)
      asm volatile("fence.acq_rel.cluster;" ::: "memory");
    else if (scope == __NV_THREAD_SCOPE_DEVICE)
      asm volatile("fence.acq_rel.gpu;" ::: "memory");
    else
      asm volatile("fence.acq_rel.sys;" ::: "memory");
  }
}

#endif
