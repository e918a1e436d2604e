/* What the lanes of a warp exchange: votes, matches, reductions, shuffles. In
 * the order of the CUDA C++ Programming Guide. Each is one instruction, or two
 * for values of 64 bits. */
#ifndef SOFTDEVICE_WARP_H
#define SOFTDEVICE_WARP_H

/* --- votes --------------------------------------------------------------- */

SOFTDEVICE_CALL int __all_sync(unsigned int mask, int predicate)
{
  return __nvvm_vote_all_sync(mask, predicate);
}
SOFTDEVICE_CALL int __any_sync(unsigned int mask, int predicate)
{
  return __nvvm_vote_any_sync(mask, predicate);
}
SOFTDEVICE_CALL int __uni_sync(unsigned int mask, int predicate)
{
  return __nvvm_vote_uni_sync(mask, predicate);
}
SOFTDEVICE_CALL unsigned int __ballot_sync(unsigned int mask, int predicate)
{
  return __nvvm_vote_ballot_sync(mask, predicate);
}
SOFTDEVICE_CALL unsigned int __activemask()
{
  unsigned int mask;
  asm volatile("activemask.b32 %0;" : "=r"(mask));
  return mask;
}

/* --- matches ------------------------------------------------------------- */

#define SOFTDEVICE_MATCH(type, bits, as, constraint)                           \
  SOFTDEVICE_CALL unsigned int __match_any_sync(unsigned int mask, type value) \
  {                                                                            \
    unsigned int same;                                                         \
    asm volatile("match.any.sync.b" #bits " %0, %1, %2;"                       \
                 : "=r"(same)                                                  \
                 : constraint(__builtin_bit_cast(as, value)), "r"(mask));      \
    return same;                                                               \
  }                                                                            \
  SOFTDEVICE_CALL unsigned int __match_all_sync(unsigned int mask, type value, \
                                                int *predicate)                \
  {                                                                            \
    unsigned int same;                                                         \
    int all;                                                                   \
    asm volatile("{ .reg .pred all; match.all.sync.b" #bits                    \
                 " %0|all, %2, %3; selp.s32 %1, 1, 0, all; }"                  \
                 : "=r"(same), "=r"(all)                                       \
                 : constraint(__builtin_bit_cast(as, value)), "r"(mask));      \
    *predicate = all;                                                          \
    return same;                                                               \
  }

SOFTDEVICE_MATCH(int, 32, unsigned int, "r")
SOFTDEVICE_MATCH(unsigned int, 32, unsigned int, "r")
SOFTDEVICE_MATCH(long, 64, unsigned long, "l")
SOFTDEVICE_MATCH(unsigned long, 64, unsigned long, "l")
SOFTDEVICE_MATCH(long long, 64, unsigned long, "l")
SOFTDEVICE_MATCH(unsigned long long, 64, unsigned long, "l")
SOFTDEVICE_MATCH(float, 32, unsigned int, "r")
SOFTDEVICE_MATCH(double, 64, unsigned long, "l")

#undef SOFTDEVICE_MATCH

/* --- reductions ---------------------------------------------------------- */

#define SOFTDEVICE_REDUCE(name, type, instruction)                             \
  SOFTDEVICE_CALL type name(unsigned int mask, type value)                     \
  {                                                                            \
    type result;                                                               \
    asm volatile("redux.sync." instruction " %0, %1, %2;"                      \
                 : "=r"(result)                                                \
                 : "r"(value), "r"(mask));                                     \
    return result;                                                             \
  }

SOFTDEVICE_REDUCE(__reduce_add_sync, unsigned int, "add.u32")
SOFTDEVICE_REDUCE(__reduce_add_sync, int, "add.s32")
SOFTDEVICE_REDUCE(__reduce_min_sync, unsigned int, "min.u32")
SOFTDEVICE_REDUCE(__reduce_min_sync, int, "min.s32")
SOFTDEVICE_REDUCE(__reduce_max_sync, unsigned int, "max.u32")
SOFTDEVICE_REDUCE(__reduce_max_sync, int, "max.s32")
SOFTDEVICE_REDUCE(__reduce_and_sync, unsigned int, "and.b32")
SOFTDEVICE_REDUCE(__reduce_or_sync, unsigned int, "or.b32")
SOFTDEVICE_REDUCE(__reduce_xor_sync, unsigned int, "xor.b32")

#undef SOFTDEVICE_REDUCE

/* --- shuffles ------------------------------------------------------------ */

/* The last operand: which lanes form a group, in bits 8 to 12, and the last
 * lane that may be read. */
#define SOFTDEVICE_SHUFFLE(name, mode, parameter, type_of_parameter, last)     \
  SOFTDEVICE_CALL int name(unsigned int mask, int value,                       \
                           type_of_parameter parameter, int width = warpSize)  \
  {                                                                            \
    return __nvvm_shfl_sync_##mode##_i32(mask, value, parameter,               \
                                         ((warpSize - width) << 8) | last);    \
  }                                                                            \
  SOFTDEVICE_CALL float name(unsigned int mask, float value,                   \
                             type_of_parameter parameter,                      \
                             int width = warpSize)                             \
  {                                                                            \
    return __nvvm_shfl_sync_##mode##_f32(mask, value, parameter,               \
                                         ((warpSize - width) << 8) | last);    \
  }                                                                            \
  SOFTDEVICE_CALL unsigned int name(unsigned int mask, unsigned int value,     \
                                    type_of_parameter parameter,               \
                                    int width = warpSize)                      \
  {                                                                            \
    return (unsigned int)name(mask, (int)value, parameter, width);             \
  }                                                                            \
  SOFTDEVICE_CALL unsigned long long name(                                     \
      unsigned int mask, unsigned long long value,                             \
      type_of_parameter parameter, int width = warpSize)                       \
  {                                                                            \
    unsigned int low = name(mask, (unsigned int)value, parameter, width);      \
    unsigned int high =                                                        \
        name(mask, (unsigned int)(value >> 32), parameter, width);             \
    return (unsigned long long)high << 32 | low;                               \
  }                                                                            \
  SOFTDEVICE_CALL long long name(unsigned int mask, long long value,           \
                                 type_of_parameter parameter,                  \
                                 int width = warpSize)                         \
  {                                                                            \
    return (long long)name(mask, (unsigned long long)value, parameter, width); \
  }                                                                            \
  SOFTDEVICE_CALL unsigned long name(unsigned int mask, unsigned long value,   \
                                     type_of_parameter parameter,              \
                                     int width = warpSize)                     \
  {                                                                            \
    return name(mask, (unsigned long long)value, parameter, width);            \
  }                                                                            \
  SOFTDEVICE_CALL long name(unsigned int mask, long value,                     \
                            type_of_parameter parameter, int width = warpSize) \
  {                                                                            \
    return (long)name(mask, (unsigned long long)value, parameter, width);      \
  }                                                                            \
  SOFTDEVICE_CALL double name(unsigned int mask, double value,                 \
                              type_of_parameter parameter,                     \
                              int width = warpSize)                            \
  {                                                                            \
    return __builtin_bit_cast(                                                 \
        double, name(mask, __builtin_bit_cast(unsigned long long, value),      \
                     parameter, width));                                       \
  }

SOFTDEVICE_SHUFFLE(__shfl_sync, idx, lane, int, 0x1f)
SOFTDEVICE_SHUFFLE(__shfl_up_sync, up, delta, unsigned int, 0)
SOFTDEVICE_SHUFFLE(__shfl_down_sync, down, delta, unsigned int, 0x1f)
SOFTDEVICE_SHUFFLE(__shfl_xor_sync, bfly, lanes, int, 0x1f)

#undef SOFTDEVICE_SHUFFLE

#endif
