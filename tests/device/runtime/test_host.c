/* What kind of memory of the host an address belongs to. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <stdint.h>
#include <sys/mman.h>

#include "check/host.h"
#include "memory/memory.h"
#include "support/host_memory.h"
#include "test.h"

static const char *region(uint64_t address)
{
  static char text[200];

  return host_region(address, text, sizeof text) ? text : "none";
}

static const char *region_of(const void *place)
{
  return region((uintptr_t)place);
}

BEHAVIOUR(variable_of_a_function)
{
  int local = 0;

  CHECK_HAS(region_of(&local), "the stack of the host program");
}

BEHAVIOUR(global_variable_of_the_program)
{
  static int global = 1;

  CHECK_TEXT(region_of(&global), "the data of device_host: a global variable "
                                 "or a constant of the host");
}

BEHAVIOUR(memory_without_a_name)
{
  void *place = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  CHECK(place != MAP_FAILED);
  CHECK_HAS(region_of(place), "a large malloc or new");
  CHECK_HAS(region_of((char *)place + 8191), "a large malloc or new");
  munmap(place, 8192);
  CHECK_TEXT(region_of(place), "none");
}

/* Neither where pointers point nor where the executor works: both are the
 * same file, which is the device's and not the program's. */
BEHAVIOUR(device_memory_is_no_memory_of_the_host)
{
  uint64_t place = memory_allocate(64, 256, MEMORY_DEVICE, 0, NULL);

  CHECK(place != 0);
  CHECK_TEXT(region(place), "none");
  CHECK_TEXT(region(place + (uint64_t)memory_view_offset()), "none");
  memory_release(place);
}

BEHAVIOUR(addresses_that_the_host_can_have)
{
  int local;
  char *large = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  CHECK(host_can_address((uintptr_t)&local));
  CHECK(host_can_address((uintptr_t)region_of));
  CHECK(host_can_address((uintptr_t)puts));
  CHECK(host_can_address((uintptr_t)large));
  CHECK(!host_can_address(0));
  CHECK(!host_can_address(4095));
  CHECK(!host_can_address(UINT64_C(1) << 48));
  CHECK(!host_can_address(UINT64_MAX));
}
