/* For tests of one level of vector instructions. */
#ifndef TESTS_DEVICE_COUNT_LEVEL_H
#define TESTS_DEVICE_COUNT_LEVEL_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* This processor may lack the instructions that the test asks for; the device
 * (exec/lanes.c) then quietly takes plainer ones. */
static inline void need_level(void)
{
  const char *level = getenv("SOFTDEVICE_LANES");
  if (level == NULL || strcmp(level, "base") == 0)
    return;
#if defined __x86_64__
  if (strcmp(level, "v3") == 0 && __builtin_cpu_supports("avx2") &&
      __builtin_cpu_supports("fma"))
    return;
  if (strcmp(level, "v4") == 0 && __builtin_cpu_supports("avx512f") &&
      __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return;
#endif
  printf("no %s instructions here\n", level);
  exit(77);
}

#endif
