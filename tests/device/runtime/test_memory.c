#include <signal.h>
#include <stdint.h>

#include "memory/memory.h"
#include "test.h"

static uint64_t device(size_t bytes)
{
  uint64_t address = memory_allocate(bytes, 256, MEMORY_DEVICE, 0, NULL);
  CHECK(address != 0);
  return address;
}

BEHAVIOUR(alignment_is_kept)
{
  for (size_t alignment = 256; alignment <= 65536; alignment *= 2)
    CHECK_EQUAL(
        memory_allocate(1, alignment, MEMORY_DEVICE, 0, NULL) % alignment, 0);
}

BEHAVIOUR(view_reaches_the_bytes)
{
  uint64_t address = device(100);
  char *view = memory_view(address, 100);
  view[99] = 7;
  CHECK_EQUAL(
      *(char *)(uintptr_t)(address + 99 + (uint64_t)memory_view_offset()), 7);
}

BEHAVIOUR(view_beyond_the_end_is_refused)
{
  uint64_t address = device(100);
  CHECK(memory_view(address + 1, 99) != NULL);
  CHECK(memory_view(address + 1, 100) == NULL);
  CHECK(memory_view(address + 100, 0) == NULL);
  CHECK(memory_view(address, SIZE_MAX) == NULL);
}

BEHAVIOUR(fresh_memory_reads_as_nan)
{
  uint64_t address = device(4001);
  const float *floats = memory_view(address, 4000);
  const double *doubles = memory_view(address, 4000);
  for (int i = 0; i < 1000; i++)
    CHECK(floats[i] != floats[i]);
  for (int i = 0; i < 500; i++)
    CHECK(doubles[i] != doubles[i]);
}

/* Wherever a byte is written, be it beyond the part that is poisoned. */
BEHAVIOUR(memory_is_new_until_it_is_written)
{
  static const size_t places[] = { 0, 1, 2, 4099, (3 << 20) - 1 };
  const size_t bytes = 3 << 20;
  uint64_t address = device(bytes);
  uint8_t *view = memory_view(address, bytes);
  CHECK(memory_is_new(address, bytes));
  CHECK(memory_is_new(address, 1));
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    view[places[i]] ^= 1;
    CHECK(!memory_is_new(address, bytes));
    view[places[i]] ^= 1;
  }
  CHECK(memory_is_new(address, bytes));
  CHECK(!memory_is_new(address, bytes + 1));
}

BEHAVIOUR(small_overruns_hit_nobody)
{
  uint64_t a = device(1000), b = device(1000);
  struct allocation found;
  uint64_t low = a < b ? a : b, high = a < b ? b : a;
  CHECK(high - (low + 1000) >= 512);
  for (uint64_t i = low + 1000; i < high; i += 4)
    CHECK(!memory_find(i, &found));
}

static void read_device_memory(void)
{
  volatile char *p = (volatile char *)(uintptr_t)device(64);
  (void)*p;
}

BEHAVIOUR(host_read_of_device_memory_dies)
{
  CHECK_EQUAL(in_child(read_device_memory, 2, NULL), -SIGSEGV);
}

BEHAVIOUR(host_and_device_share_pinned_memory)
{
  uint64_t address = memory_allocate(5000, 256, MEMORY_PINNED, 0, NULL);
  *(int *)(uintptr_t)address = 42;
  CHECK_EQUAL(*(int *)memory_view(address, 4), 42);
}

static void read_freed_pinned_memory(void)
{
  uint64_t address = memory_allocate(64, 256, MEMORY_PINNED, 0, NULL);
  memory_release(address);
  (void)*(volatile char *)(uintptr_t)address;
}

BEHAVIOUR(host_read_of_freed_pinned_memory_dies)
{
  CHECK_EQUAL(in_child(read_freed_pinned_memory, 2, NULL), -SIGSEGV);
}

BEHAVIOUR(find_tells_start_and_size)
{
  uint64_t address = device(4000);
  struct allocation found;
  CHECK(memory_find(address + 3999, &found));
  CHECK_EQUAL(found.address, address);
  CHECK_EQUAL(found.bytes, 4000);
  CHECK(!memory_find(address + 4000, &found));
  CHECK(!memory_find(address - 1, &found));
}

BEHAVIOUR(release_needs_the_start)
{
  uint64_t address = device(64);
  CHECK(!memory_release(address + 4));
  CHECK(memory_release(address));
  CHECK(!memory_release(address));
}

BEHAVIOUR(release_changes_the_generation)
{
  uint64_t address = device(64), before = memory_generation();
  device(64);
  CHECK_EQUAL(memory_generation(), before);
  memory_release(address);
  CHECK(memory_generation() != before);
}

BEHAVIOUR(nearest_remembers_freed_memory)
{
  uint64_t address = device(4000);
  struct allocation found;
  bool freed;
  memory_release(address);
  CHECK(memory_nearest(address + 40, &found, &freed));
  CHECK(freed);
  CHECK_EQUAL(found.address, address);
  CHECK_EQUAL(found.bytes, 4000);
}

BEHAVIOUR(nearest_prefers_the_closer_side)
{
  uint64_t a = device(1000), b = device(1000);
  struct allocation found;
  bool freed;
  CHECK(memory_nearest(a + 1004, &found, &freed));
  CHECK_EQUAL(found.address, a);
  CHECK(memory_nearest(b - 4, &found, &freed));
  CHECK_EQUAL(found.address, b);
  CHECK(!freed);
}

BEHAVIOUR(memory_runs_out)
{
  size_t free_bytes, total;
  setenv("SOFTDEVICE_MEMORY", "1000000", 1);
  device(600000);
  memory_info(0, &free_bytes, &total);
  CHECK_EQUAL(free_bytes, 400000);
  CHECK_EQUAL(total, 1000000);
  CHECK_EQUAL(memory_allocate(400001, 256, MEMORY_DEVICE, 0, NULL), 0);
  device(400000);
}

BEHAVIOUR(each_device_has_its_own_memory)
{
  size_t free_bytes, total;
  device(600000);
  memory_info(1, &free_bytes, &total);
  CHECK_EQUAL(free_bytes, total);
}

BEHAVIOUR(many_small_allocations_do_not_leak_pages)
{
  for (int i = 0; i < 200000; i++)
    CHECK(memory_release(device(100)));
}

BEHAVIOUR(registered_host_memory_is_itself)
{
  static char bytes[100];
  struct allocation found;
  uint64_t address = (uint64_t)(uintptr_t)bytes;
  CHECK(memory_register(bytes, sizeof bytes, 0));
  CHECK(!memory_register(bytes + 50, 10, 0));
  CHECK(memory_find(address + 99, &found));
  CHECK_EQUAL(found.kind, MEMORY_REGISTERED);
  CHECK(memory_view(address, 100) == bytes);
  CHECK(memory_release(address));
  CHECK(!memory_find(address, &found));
}

BEHAVIOUR(reset_spares_variables_and_other_devices)
{
  struct allocation found;
  uint64_t mine = device(64);
  uint64_t variable = memory_allocate(64, 256, MEMORY_VARIABLE, 0, "v");
  uint64_t other = memory_allocate(64, 256, MEMORY_DEVICE, 1, NULL);
  memory_release_device(0);
  CHECK(!memory_find(mine, &found));
  CHECK(memory_find(variable, &found));
  CHECK_TEXT(found.label, "v");
  CHECK(memory_find(other, &found));
}
