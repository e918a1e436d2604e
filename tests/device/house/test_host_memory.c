/* Host memory of the software device: what comes back, and what is said when
 * there is none left. */
#include "../runtime/test.h"

#include <stdint.h>

#include "support/host_memory.h"

BEHAVIOUR(new_memory_is_zeroed)
{
  for (unsigned round = 0; round < 100; round++) {
    unsigned char *plain = host_new(77, 13),
                  *aligned = host_new_aligned(64, 77);
    CHECK((uintptr_t)aligned % 64 == 0);
    for (unsigned i = 0; i < 77 * 13; i++)
      CHECK(plain[i] == 0);
    for (unsigned i = 0; i < 77; i++)
      CHECK(aligned[i] == 0);
    memset(plain, 0xff, 77 * 13);
    memset(aligned, 0xff, 77);
    free(plain);
    free(aligned);
  }
}

BEHAVIOUR(nothing_can_be_allocated)
{
  free(host_new(0, 8));
  free(host_new_aligned(64, 0));
  void *grown = host_grow(host_new(4, 4), 0, 4);
  CHECK(grown != NULL);
  free(grown);
  char *copy = host_copy("");
  CHECK_TEXT(copy, "");
  free(copy);
}

BEHAVIOUR(growing_keeps_what_was_there)
{
  char *text = host_copy("warp");
  text = host_grow(text, 1 << 20, 1);
  CHECK_TEXT(text, "warp");
  free(text);
}

BEHAVIOUR(an_impossible_size_is_refused)
{
  int *old = host_new(1, sizeof *old);
  *old = 7;
  CHECK(host_try_new(SIZE_MAX / 2, 4) == NULL);
  CHECK(host_try_grow(old, SIZE_MAX / 4 + 2, 4) == NULL);
  CHECK_EQUAL(*old, 7);
  free(old);
}

static void ask_for_too_much(void) { host_new(SIZE_MAX / 2, 4); }
static void ask_for_too_much_aligned(void) { host_new_aligned(64, SIZE_MAX); }
static void grow_too_much(void) { host_grow(NULL, SIZE_MAX / 4 + 2, 4); }

BEHAVIOUR(no_memory_left_ends_the_process_with_a_message)
{
  void (*const all[])(void) = { ask_for_too_much, ask_for_too_much_aligned,
                                grow_too_much };
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    const char *said;
    CHECK_EQUAL(in_child(all[i], 2, &said), 1);
    CHECK_HAS(said, "softdevice: out of host memory");
  }
}
