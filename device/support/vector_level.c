/* Asks the processor, then the environment. */
#include "vector_level.h"

#include "setting.h"

static enum vector_level processor_level(void)
{
#if defined __x86_64__
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    return VECTOR_BASE;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return VECTOR_V4;
  return VECTOR_V3;
#else
  return VECTOR_BASE;
#endif
}

enum vector_level vector_level(void)
{
  static const char *const names[] = {
    [VECTOR_BASE] = "base", [VECTOR_V3] = "v3", [VECTOR_V4] = "v4"
  };
  enum vector_level best = processor_level();
  enum vector_level most =
      (enum vector_level)setting_word("SOFTDEVICE_LANES", names, 3, VECTOR_V4);

  return best < most ? best : most;
}
