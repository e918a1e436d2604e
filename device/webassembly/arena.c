/* Device memory for WebAssembly: one piece of the module's own memory, because
 * there is nothing to map and nothing to protect. Addresses have 64 bits as on
 * a machine with 64, and begin where they begin there, so that messages name
 * the same ones; their lower half is the offset in the piece. */
#include "../memory/arena.h"

#include <string.h>

/* The zones' addresses are as far apart as on other machines, and their offsets
 * don't overlap. A page asks for little; what it may have is bounded here. */
#define BASE UINT64_C(0x700000000000)
#define ZONE_DISTANCE (UINT64_C(512) << 30)
enum {
  DEVICE_BYTES = 64 << 20,
  HOST_BYTES = 4 << 20,
  VIRTUAL_BYTES = 1 << 20,
  PAGE_BYTES = 4096
};
static const uint32_t zone_bytes[N_ZONES] = {
  [ZONE_DEVICE] = DEVICE_BYTES,
  [ZONE_HOST] = HOST_BYTES,
  [ZONE_VIRTUAL] = VIRTUAL_BYTES,
};
/* Zero from the start, so that a page takes no memory before it is used. */
static _Alignas(
    PAGE_BYTES) char memory[DEVICE_BYTES + HOST_BYTES + VIRTUAL_BYTES];

static uint32_t offset_of(enum arena_zone zone)
{
  uint32_t offset = 0;

  for (unsigned i = 0; i < (unsigned)zone; i++)
    offset += zone_bytes[i];
  return offset;
}

struct arena_range arena_zone_range(enum arena_zone zone)
{
  uint64_t begin = BASE + (uint64_t)zone * ZONE_DISTANCE + offset_of(zone);

  return (struct arena_range){ begin, begin + zone_bytes[zone] };
}

/* An address, cut to 32 bits, and this make a pointer: BASE and ZONE_DISTANCE
 * end in 32 zeros. */
intptr_t arena_view_offset(void) { return (intptr_t)memory; }

size_t arena_page_bytes(void) { return PAGE_BYTES; }

/* There is no program whose pointers could go astray. */
bool arena_open(uint64_t begin, uint64_t end)
{
  (void)begin, (void)end;
  return true;
}

bool arena_open_to_read(uint64_t begin, uint64_t end)
{
  return arena_open(begin, end);
}

void arena_close(uint64_t begin, uint64_t end) { (void)begin, (void)end; }

/* Pages at two addresses: this is for the driver API alone. */
bool arena_show(uint64_t begin, size_t bytes, uint64_t source)
{
  (void)begin, (void)bytes, (void)source;
  return false;
}

static char *view_of(uint64_t address)
{
  return (char *)(uintptr_t)address + arena_view_offset();
}

void arena_poison(uint64_t begin, size_t bytes)
{
  const uint16_t half = POISON_HALF;
  char *p = view_of(begin);

  for (size_t i = 0; i < bytes; i++)
    p[i] = ((const char *)&half)[i % sizeof half];
}

/* Pages that the system gets back read as zero. */
void arena_discard(uint64_t begin, uint64_t end)
{
  begin = (begin + PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1);
  end &= ~(uint64_t)(PAGE_BYTES - 1);
  if (begin < end)
    memset(view_of(begin), 0, (size_t)(end - begin));
}
