/* Chooses the build of exec/lanes that fits this processor. */
#include <stdlib.h>
#include <string.h>

#include "../check/cells.h"
#include "lanes/handlers.h"

#define BUILD(name)                                               \
  void lanes_arithmetic_##name(struct lane_handlers *handlers);   \
  void lanes_compare_##name(struct lane_handlers *handlers);      \
  void lanes_convert_##name(struct lane_handlers *handlers);      \
  void lanes_memory_##name(struct lane_handlers *handlers);       \
  void lanes_textures_##name(struct lane_handlers *handlers);     \
  extern const struct check_loops check_loops_##name;             \
  static void fill_##name(struct lane_handlers *handlers)         \
  {                                                               \
    lanes_arithmetic_##name(handlers);                            \
    lanes_compare_##name(handlers);                               \
    lanes_convert_##name(handlers);                               \
    lanes_memory_##name(handlers);                                \
    lanes_textures_##name(handlers);                              \
    check_set_loops(&check_loops_##name);                         \
  }

BUILD(base)
#ifdef LANES_X86
BUILD(v3)
BUILD(v4)
#endif

static struct lane_handlers handlers;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* SOFTDEVICE_LANES=base or v3 asks for a plainer build than the best one,
 * for tests. */
static void choose(void)
{
  const char *asked = getenv("SOFTDEVICE_LANES");

  fill_base(&handlers);
#ifdef LANES_X86
  if (asked != NULL && strcmp(asked, "base") == 0)
    return;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    fill_v3(&handlers);
  if (asked != NULL && strcmp(asked, "v3") == 0)
    return;
  if (__builtin_cpu_supports("avx512f") &&
      __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    fill_v4(&handlers);
#else
  (void)asked;
#endif
}

const struct lane_handlers *lane_handlers(void)
{
  pthread_once(&once, choose);
  return &handlers;
}
