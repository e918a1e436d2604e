/* Asks the processor, then the environment. */
#include "vector_level.h"

#include <stdlib.h>
#include <string.h>

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
  const char *asked = getenv("SOFTDEVICE_LANES");
  enum vector_level best = processor_level(), most = VECTOR_V4;

  if (asked != NULL && strcmp(asked, "base") == 0)
    most = VECTOR_BASE;
  if (asked != NULL && strcmp(asked, "v3") == 0)
    most = VECTOR_V3;
  return best < most ? best : most;
}
