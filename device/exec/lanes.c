/* Chooses the build of exec/lanes that fits this processor. */
#include "../support/vector_level.h"
#include "lanes/handlers.h"

#define BUILD(name)                                                            \
  void lanes_arithmetic_##name(struct lane_handlers *handlers);                \
  void lanes_compare_##name(struct lane_handlers *handlers);                   \
  void lanes_convert_##name(struct lane_handlers *handlers);                   \
  void lanes_memory_##name(struct lane_handlers *handlers);                    \
  void lanes_products_##name(struct lane_handlers *handlers);                  \
  void lanes_textures_##name(struct lane_handlers *handlers);                  \
  static void fill_##name(struct lane_handlers *handlers)                      \
  {                                                                            \
    lanes_arithmetic_##name(handlers);                                         \
    lanes_compare_##name(handlers);                                            \
    lanes_convert_##name(handlers);                                            \
    lanes_memory_##name(handlers);                                             \
    lanes_products_##name(handlers);                                           \
    lanes_textures_##name(handlers);                                           \
  }

BUILD(base)
#ifdef LANES_X86
BUILD(v3)
BUILD(v4)
#endif

static struct lane_handlers handlers;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void choose_handlers(void)
{
  fill_base(&handlers);
#ifdef LANES_X86
  if (vector_level() >= VECTOR_V3)
    fill_v3(&handlers);
  if (vector_level() >= VECTOR_V4)
    fill_v4(&handlers);
#endif
}

const struct lane_handlers *lane_handlers(void)
{
  pthread_once(&once, choose_handlers);
  return &handlers;
}
