/* Loads and stores of 32 lanes at once, against the same accesses lane by lane:
 * every register, every byte of memory and all that was counted, for random
 * addresses, masks, sizes and numbers of elements. */
#include "../runtime/test.h"
#include "count/sectors.h"
#include "count/wavefronts.h"
#include "exec/lanes/handlers.h"
#include "level.h"

enum {
  MEMORY = 4096,
  MOST_ELEMENTS = 8,
  RECORDS = 2 * BANK_PATTERNS,
  REGISTER = 512, /* bytes of a register of 32 lanes, at most */
  BASE = REGISTER,
  PREDICATE = 2 * REGISTER,
  FIRST = 3 * REGISTER,
  FRAME = FIRST + MOST_ELEMENTS * REGISTER
};
#define GLOBAL UINT64_C(0x700000000000)

struct kind {
  enum transfer transfer;
  unsigned bytes, register_bytes;
  bool is_signed;
};
static const struct kind kinds[] = {
  { TRANSFER_U8_16, 1, 2, false },     { TRANSFER_S8_16, 1, 2, true },
  { TRANSFER_U8_32, 1, 4, false },     { TRANSFER_S8_32, 1, 4, true },
  { TRANSFER_S8_64, 1, 8, true },      { TRANSFER_16_16, 2, 2, false },
  { TRANSFER_U16_32, 2, 4, false },    { TRANSFER_S16_64, 2, 8, true },
  { TRANSFER_32_32, 4, 4, false },     { TRANSFER_32_32, 4, 4, false },
  { TRANSFER_32_32, 4, 4, false },     { TRANSFER_S32_64, 4, 8, true },
  { TRANSFER_64_64, 8, 8, false },     { TRANSFER_64_64, 8, 8, false },
  { TRANSFER_128_128, 16, 16, false },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static uint32_t random_state = 1;

static uint32_t random_bits(void)
{
  random_state ^= random_state << 13;
  random_state ^= random_state >> 17;
  random_state ^= random_state << 5;
  return random_state;
}

static void some_bytes(uint8_t *to, size_t bytes)
{
  for (size_t i = 0; i < bytes; i += 4) {
    uint32_t four = random_bits();

    memcpy(to + i, &four, 4);
  }
}

struct access {
  struct kind kind;
  unsigned n, record;
  uint32_t mask;
  bool load, global, generic, guarded;
  uint64_t offset[LANES]; /* in memory */
};

/* What the device sees, and the same for lane by lane. */
struct state {
  _Alignas(LANE_ALIGNMENT) uint8_t frame[FRAME];
  _Alignas(LANE_ALIGNMENT) uint8_t memory[MEMORY];
};
static struct state device, plain;
static struct bank_pattern patterns[BANK_PATTERNS];

static uint32_t some_mask(void)
{
  switch (random_bits() % 6) {
  case 0: return random_bits() | 1;
  case 1: return FULL >> random_bits() % 32;
  case 2: return 1u << random_bits() % 32;
  default: return FULL;
  }
}

/* Each half of the lanes has a shape of its own, or all have one. */
static void some_offsets(unsigned bytes, uint64_t offset[LANES])
{
  static const unsigned steps[] = { 0, 0, 1, 1, 1, 2, 5, 8, 33 };
  const unsigned places = MEMORY / bytes, shape = random_bits() % 8;
  unsigned first = 0, step = 0, by = 1u << random_bits() % 5;

  for (unsigned l = 0; l < LANES; l++) {
    unsigned at = random_bits() % places;

    if (l == 0 || (l == LANES / 2 && shape != 3)) {
      first = at;
      step = steps[random_bits() % 9];
    }
    if (l == LANES / 2 && shape == 4) /* both halves at the same place */
      first = (unsigned)(offset[0] / bytes);
    if (shape >= 2)
      at = shape == 2   ? first + l / by * step
           : shape == 5 ? first + (l ^ by)
                        : first + (shape == 3 ? l : l % (LANES / 2)) * step;
    offset[l] = at % places * bytes;
  }
}

static struct access some_access(void)
{
  struct access a = { .kind = kinds[random_bits() % KINDS] };

  do
    a.n = 1u << random_bits() % 4;
  while (a.n * a.kind.bytes > 16);
  a.record = random_bits() % 3 + random_bits() % 2 * BANK_PATTERNS;
  a.mask = some_mask();
  a.load = random_bits() % 2;
  a.global = random_bits() % 2;
  a.generic = random_bits() % 4 == 0;
  a.guarded = random_bits() % 4 == 0;
  some_offsets(a.n * a.kind.bytes, a.offset);
  return a;
}

static uint64_t address_of(const struct access *a, unsigned lane)
{
  return a->offset[lane] + (a->global    ? GLOBAL
                            : a->generic ? SHARED_WINDOW
                                         : 0);
}

/* ---- lane by lane --------------------------------------------------------- */

static void do_lane(const struct access *a, unsigned l)
{
  const unsigned bytes = a->kind.bytes, wide = a->kind.register_bytes;

  for (unsigned i = 0; i < a->n && a->mask >> l & 1; i++) {
    uint8_t *lane = plain.frame + FIRST + i * REGISTER + l * wide;
    uint8_t *memory = plain.memory + a->offset[l] + i * bytes;

    if (a->load) {
      bool negative = a->kind.is_signed && memory[bytes - 1] & 0x80;

      memset(lane, negative ? 0xff : 0, wide);
      memcpy(lane, memory, bytes);
    } else {
      memcpy(memory, lane, bytes);
    }
  }
}

/* Of the active lanes that store to one address, the lowest of the last pass
 * wins, as on an H100. A pass has the lanes whose data are 128 bytes together,
 * or all of them. So the passes come one after the other, and the lanes of each
 * from the highest to the lowest. */
static void do_plainly(const struct access *a)
{
  const unsigned bytes = a->n * a->kind.bytes;
  const unsigned pass = bytes * LANES > 128 ? 128 / bytes : LANES;

  for (unsigned first = 0; first < LANES; first += pass)
    for (unsigned l = first + pass; l-- > first;)
      do_lane(a, l);
}

static void count_plainly(const struct access *a,
                          struct instruction_counts *counts)
{
  uint64_t address[LANES];
  unsigned wavefronts, ideal, bytes = a->n * a->kind.bytes;

  for (unsigned l = 0; l < LANES; l++)
    address[l] = a->offset[l];
  memset(counts, 0, sizeof *counts);
  if (a->guarded) {
    counts->warps = 1;
    counts->threads = (uint64_t)__builtin_popcount(a->mask);
  }
  if (a->global) {
    counts->sectors = count_sectors(address, a->mask);
    return;
  }
  count_wavefronts(address, a->mask, bytes, a->load, &wavefronts, &ideal, NULL);
  counts->wavefronts = wavefronts;
  counts->ideal_wavefronts = ideal;
}

/* ---- on the device -------------------------------------------------------- */

static void set_base(const struct access *a, bool wide)
{
  for (unsigned l = 0; l < LANES; l++) {
    uint64_t address = address_of(a, l) - 16; /* the immediate operand */

    if (!(a->mask >> l & 1))
      address = random_bits() * UINT64_C(0x100000001);
    memcpy(device.frame + BASE + l * (wide ? 8 : 4), &address, wide ? 8 : 4);
  }
}

static void do_on_device(const struct access *a,
                         struct instruction_counts *counts)
{
  static struct instruction_counts all[RECORDS];
  static struct cached_range ranges[RECORDS];
  static uint8_t classes[RECORDS];
  const struct launch launch = { .sink = NULL };
  struct grid grid = { .launch = &launch };
  struct block block = { .grid = &grid,
                         .shared = device.memory,
                         .shared_bytes = MEMORY };
  struct worker worker = { .classes = classes, .patterns = patterns };
  struct warp w = { .block = &block,
                    .worker = &worker,
                    .counts = all,
                    .ranges = ranges,
                    .mask = a->guarded ? FULL : a->mask };
  struct memory_extra extra = {
    .transfer = a->kind.transfer,
    .bytes = a->kind.bytes,
    .n = a->n,
    .space = a->generic  ? ACCESS_GENERIC
             : a->global ? ACCESS_GLOBAL
                         : ACCESS_SHARED,
    .wide_address = a->global || a->generic || random_bits() % 2,
    .has_base = true,
  };
  struct step s = { .d = FIRST,
                    .a = BASE,
                    .record = a->record,
                    .guard = a->guarded ? PREDICATE : SLOT_TRUE,
                    .guard_invert = FULL,
                    .immediate = 16,
                    .extra = &extra };
  const struct lane_handlers *handlers = lane_handlers();

  w.area[AREA_FRAME] = device.frame;
  for (unsigned i = 0; i < a->n; i++)
    extra.elements[i] = (slot)(FIRST + i * REGISTER);
  ranges[a->record] = (struct cached_range){
    GLOBAL, GLOBAL + MEMORY,
    (intptr_t)((uint64_t)(uintptr_t)device.memory - GLOBAL)
  };
  set_base(a, extra.wide_address);
  memcpy(device.frame + PREDICATE, &(uint32_t){ ~a->mask }, 4);
  memset(&all[a->record], 0, sizeof *all);
  if (a->n > 1)
    s.run = a->load ? handlers->load_many : handlers->store_many;
  else
    s.run = a->load ? handlers->load[a->kind.transfer]
                    : handlers->store[a->kind.transfer];
  CHECK(s.run(&w, &s) == &s + 1);
  *counts = all[a->record];
}

static void tell(const struct access *a, const char *what,
                 unsigned long long got, unsigned long long expected)
{
  fprintf(stderr,
          "%s: %llu, expected %llu; %s of %u x %u bytes, registers of "
          "%u, %s memory%s, mask %08x, offsets",
          what, got, expected, a->load ? "load" : "store", a->n, a->kind.bytes,
          a->kind.register_bytes, a->global ? "global" : "shared",
          a->generic ? ", generic" : "", a->mask);
  for (unsigned l = 0; l < LANES; l++)
    fprintf(stderr, " %llu", (unsigned long long)a->offset[l]);
  fprintf(stderr, "\n");
  exit(1);
}

static void compare_bytes(const struct access *a, const char *what,
                          const uint8_t *got, const uint8_t *expected,
                          size_t bytes)
{
  for (size_t i = 0; i < bytes; i++)
    if (got[i] != expected[i]) {
      fprintf(stderr, "byte %zu: ", i);
      tell(a, what, got[i], expected[i]);
    }
}

static void compare(const struct access *a)
{
  struct instruction_counts got, expected;

  do_plainly(a);
  count_plainly(a, &expected);
  do_on_device(a, &got);
#define SAME(what)                                                             \
  if (got.what != expected.what)                                               \
  tell(a, #what, got.what, expected.what)
  SAME(warps);
  SAME(threads);
  SAME(sectors);
  SAME(wavefronts);
  SAME(ideal_wavefronts);
  if (memcmp(device.memory, plain.memory, MEMORY) != 0)
    compare_bytes(a, "memory", device.memory, plain.memory, MEMORY);
  if (memcmp(device.frame + FIRST, plain.frame + FIRST, FRAME - FIRST) != 0)
    compare_bytes(a, "registers", device.frame + FIRST, plain.frame + FIRST,
                  FRAME - FIRST);
}

BEHAVIOUR(accesses_of_all_lanes_are_those_of_each_lane)
{
  need_level();
  some_bytes(device.memory, MEMORY);
  some_bytes(device.frame, FRAME);
  plain = device;
  for (unsigned round = 0; round < 100000; round++) {
    struct access a = some_access();
    uint64_t by = random_bits() % MEMORY;

    if (round % 16 == 0) { /* stores of few registers make all alike */
      some_bytes(device.memory, MEMORY);
      some_bytes(device.frame + FIRST, FRAME - FIRST);
      plain = device;
    }
    compare(&a);
    /* The same pattern elsewhere, as it comes again in a loop. */
    by -= by % (a.n * a.kind.bytes);
    for (unsigned l = 0; l < LANES; l++)
      a.offset[l] = (a.offset[l] + by) % MEMORY;
    compare(&a);
  }
}
