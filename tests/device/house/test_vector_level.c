/* The level of vector instructions: what the environment asks for, and never
 * more than the processor has. */
#include "../runtime/test.h"

#include "support/vector_level.h"

static enum vector_level level_for(const char *asked)
{
  setenv("SOFTDEVICE_LANES", asked, 1);
  return vector_level();
}

BEHAVIOUR(plainer_level_is_used_when_asked_for)
{
  CHECK_EQUAL(level_for("base"), VECTOR_BASE);
  CHECK(level_for("v3") <= VECTOR_V3);
}

BEHAVIOUR(best_level_is_what_the_processor_has)
{
  unsetenv("SOFTDEVICE_LANES");
  enum vector_level best = vector_level();
#if defined __x86_64__
  CHECK((best >= VECTOR_V3) ==
        (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")));
  CHECK(best < VECTOR_V4 || __builtin_cpu_supports("avx512f"));
#else
  CHECK_EQUAL(best, VECTOR_BASE);
#endif
  CHECK_EQUAL(level_for("v4"), best);
  CHECK_EQUAL(level_for("v3"), best < VECTOR_V3 ? best : VECTOR_V3);
}
