/* What requests cost: the definitions in device/count on cases worked out by
 * hand, and the fast counting of exec/lanes against them, on random and on
 * regular addresses. */
#include "../runtime/test.h"
#include "count/flops.h"
#include "count/sectors.h"
#include "count/wavefronts.h"
#include "exec/lanes/handlers.h"
#include "level.h"

static uint64_t address[COUNT_LANES];

static void stride(uint64_t first, uint64_t step)
{
  for (unsigned l = 0; l < COUNT_LANES; l++)
    address[l] = first + l * step;
}

static void check_passes(uint32_t mask, unsigned bytes, bool is_load,
                         unsigned passes, unsigned without)
{
  unsigned wavefronts, ideal;
  count_wavefronts(address, mask, bytes, is_load, &wavefronts, &ideal, NULL);
  CHECK_EQUAL(wavefronts, passes);
  CHECK_EQUAL(ideal, without);
}

BEHAVIOUR(sector_is_32_bytes)
{
  stride(0, 4);
  CHECK_EQUAL(count_sectors(address, FULL), 4);
  stride(16, 4);
  CHECK_EQUAL(count_sectors(address, FULL), 5);
  stride(0, 32);
  CHECK_EQUAL(count_sectors(address, FULL), 32);
  CHECK_EQUAL(count_sectors(address, 0x80000001), 2);
  stride(96, 0);
  CHECK_EQUAL(count_sectors(address, FULL), 1);
}

BEHAVIOUR(word_is_4_bytes)
{
  stride(0, 1);
  CHECK_EQUAL(count_words(address, FULL), 8);
  CHECK_EQUAL(count_words(address, 0xf), 1);
  CHECK_EQUAL(count_words(address, 0), 0);
}

/* Lanes of one offset share sectors by eights; others share nothing. */
BEHAVIOUR(local_memory_is_interleaved)
{
  stride(8, 0);
  CHECK_EQUAL(count_local_sectors(address, FULL, 4), 4);
  CHECK_EQUAL(count_local_sectors(address, FULL, 16), 16);
  CHECK_EQUAL(count_local_sectors(address, 0x00000101, 1), 2);
  stride(0, 4);
  CHECK_EQUAL(count_local_sectors(address, FULL, 4), 32);
}

BEHAVIOUR(bank_serves_one_word_at_a_time)
{
  for (unsigned step = 1; step <= 64; step++) {
    unsigned together = step & -step; /* 32 lanes are in 32 / it banks */
    stride(4, 4 * step);
    check_passes(FULL, 4, true, together > 32 ? 32 : together, 1);
  }
  stride(64, 0);
  check_passes(FULL, 4, false, 1, 1);
  check_passes(0, 4, false, 0, 0);
}

BEHAVIOUR(wide_words_go_by_groups)
{
  stride(0, 8);
  check_passes(FULL, 8, true, 2, 2);
  check_passes(0xffff, 8, false, 1, 1);
  stride(0, 16);
  check_passes(FULL, 16, true, 4, 4);
  check_passes(0xff, 16, false, 1, 1);
  stride(0, 256);
  check_passes(FULL, 16, false, 32, 4);
}

/* Pairs of lanes that want the same: two groups go as one. */
BEHAVIOUR(pairs_share_a_pass)
{
  for (unsigned l = 0; l < COUNT_LANES; l++)
    address[l] = l / 2 * 8;
  check_passes(FULL, 8, true, 1, 1);
  check_passes(FULL, 8, false, 2, 2);
  for (unsigned l = 0; l < COUNT_LANES; l++)
    address[l] = l / 2 * 16;
  check_passes(FULL, 16, true, 2, 2);
}

/* Lanes at a distance of 2 are pairs, too, but not for stores. */
BEHAVIOUR(pairs_may_be_two_lanes_apart)
{
  for (unsigned l = 0; l < COUNT_LANES; l++)
    address[l] = (l / 4 * 2 + l % 2) * 8;
  check_passes(FULL, 8, true, 1, 1);
  check_passes(FULL, 8, false, 2, 2);
  for (unsigned l = 0; l < COUNT_LANES; l++)
    address[l] = (l / 4 * 2 + l % 2) * 16;
  check_passes(FULL, 16, true, 2, 2);
  check_passes(FULL, 16, false, 4, 4);
}

/* Where only every other lane is active, nothing contradicts the pairs. */
BEHAVIOUR(idle_lanes_leave_pairs_as_they_are)
{
  for (unsigned l = 0; l < COUNT_LANES; l++)
    address[l] = l % 2 == 0 ? l / 2 * 8 : 4096 + l * 8;
  check_passes(0x55555555, 8, true, 1, 1);
  check_passes(FULL, 8, true, 4, 2);
}

/* Together the halves would take two passes, so they go one after the other,
 * with two passes each. What counts as a conflict is the second joint pass. */
BEHAVIOUR(pairs_with_conflicts_go_by_groups)
{
  for (unsigned l = 0; l < COUNT_LANES; l++)
    address[l] = l / 16 * 8 + l % 16 / 8 * 128;
  check_passes(FULL, 8, true, 4, 3);
  check_passes(FULL, 8, false, 4, 2);
}

/* 16 bytes: each half of the warp has pairs, or hasn't. */
BEHAVIOUR(halves_have_pairs_of_their_own)
{
  for (unsigned l = 0; l < COUNT_LANES; l++)
    address[l] = l < 16 ? l / 2 * 16 : 1024 + l * 16;
  check_passes(FULL, 16, true, 3, 3);
}

BEHAVIOUR(every_lane_has_its_pass)
{
  unsigned wavefronts, ideal, pass_of[COUNT_LANES];
  stride(0, 128);
  count_wavefronts(address, FULL, 4, true, &wavefronts, &ideal, pass_of);
  CHECK_EQUAL(wavefronts, 32);
  for (unsigned l = 0; l < COUNT_LANES; l++)
    CHECK_EQUAL(pass_of[l], l);
  stride(0, 8);
  count_wavefronts(address, FULL, 8, true, &wavefronts, &ideal, pass_of);
  for (unsigned l = 0; l < COUNT_LANES; l++)
    CHECK_EQUAL(pass_of[l], l / 16);
}

static void check_flops(const char *opcode, unsigned f32, unsigned f64)
{
  struct flops flops = flops_of(opcode);
  CHECK_EQUAL(flops.f32, f32);
  CHECK_EQUAL(flops.f64, f64);
}

BEHAVIOUR(multiply_add_is_two_operations)
{
  check_flops("add.f32", 1, 0);
  check_flops("sub.rn.ftz.f32", 1, 0);
  check_flops("mul.rn.f64", 0, 1);
  check_flops("fma.rn.f32", 2, 0);
  check_flops("mad.rn.f64", 0, 2);
  check_flops("mad.lo.u32", 0, 0);
  check_flops("add.f16x2", 0, 0);
  check_flops("div.rn.f32", 0, 0);
  check_flops("sqrt.rn.f64", 0, 0);
  check_flops("atom.global.add.f32", 0, 0);
}

/* Those of the second half come after those of the first. */
BEHAVIOUR(passes_of_wide_words_go_on)
{
  unsigned wavefronts, ideal, pass_of[COUNT_LANES];
  stride(0, 16);
  count_wavefronts(address, FULL, 8, false, &wavefronts, &ideal, pass_of);
  CHECK_EQUAL(wavefronts, 4);
  for (unsigned l = 0; l < COUNT_LANES; l++)
    CHECK_EQUAL(pass_of[l], l / 8);
}

/* ---- fast counting -------------------------------------------------------- */

static uint32_t random_state = 1;

static uint32_t random_bits(void)
{
  random_state ^= random_state << 13;
  random_state ^= random_state >> 17;
  random_state ^= random_state << 5;
  return random_state;
}

/* Below `most`, with few or many of them alike. */
static void some_addresses(unsigned kind, unsigned bytes, uint64_t most)
{
  uint64_t first = random_bits() % most, step = random_bits() % 70;
  unsigned rows = 1u << random_bits() % 6;

  for (unsigned l = 0; l < COUNT_LANES; l++) {
    uint64_t at = kind == 0   ? random_bits() % most
                  : kind == 1 ? first + random_bits() % (8 * bytes + 1)
                  : kind == 2 ? first + l * step * bytes
                  : kind == 3 ? first + (l % rows) * step * bytes
                  : kind == 4 ? first + (l / rows) * step * bytes
                  : kind == 5 ? first + (l ^ step % 32) * bytes
                  : kind == 6 ? first + (l & ~(step % 32)) * bytes
                              : first + random_bits() % 40 * 128;
    address[l] = at % most / bytes * bytes;
  }
  if (random_bits() % 4 == 0) /* pairs */
    for (unsigned l = 0; l < COUNT_LANES; l++)
      address[l] = address[l & ~(step % 4)];
}

static uint32_t some_mask(void)
{
  switch (random_bits() % 8) {
  case 0: return random_bits() | 1u << random_bits() % 32;
  case 1: return FULL >> random_bits() % 32;
  case 2: return FULL << random_bits() % 32;
  case 3: return 1u << random_bits() % 32;
  case 4: return 1u | (random_bits() & random_bits());
  default: return FULL;
  }
}

static void tell(const char *what, uint32_t mask, unsigned bytes, bool is_load,
                 unsigned got, unsigned expected)
{
  fprintf(stderr, "%s: %u, expected %u; %s of %u bytes, mask %08x, addresses",
          what, got, expected, is_load ? "load" : "store", bytes, mask);
  for (unsigned l = 0; l < COUNT_LANES; l++)
    fprintf(stderr, " %llu", (unsigned long long)address[l]);
  fprintf(stderr, "\n");
  exit(1);
}

static struct bank_pattern patterns[BANK_PATTERNS];

static void check_shared(uint32_t mask, unsigned bytes, bool is_load)
{
  unsigned wavefronts, ideal;
  /* A load and a store are two instructions; neighbours share an entry. */
  uint32_t key = 2 * bytes + is_load + random_bits() % 2 * BANK_PATTERNS;
  struct request_cost cost = lane_handlers()->cost(
      SPACE_SHARED, address, mask, bytes, is_load, patterns, key);
  count_wavefronts(address, mask, bytes, is_load, &wavefronts, &ideal, NULL);
  if (cost.wavefronts != wavefronts)
    tell("wavefronts", mask, bytes, is_load, cost.wavefronts, wavefronts);
  if (cost.ideal != ideal)
    tell("ideal wavefronts", mask, bytes, is_load, cost.ideal, ideal);
}

BEHAVIOUR(fast_passes_are_those_of_the_definition)
{
  need_level();
  for (unsigned round = 0; round < 300000; round++) {
    unsigned bytes = 1u << random_bits() % 5;
    bool is_load = random_bits() % 2;
    uint32_t mask = some_mask();
    uint64_t by = random_bits() % 256;

    some_addresses(random_bits() % 8, bytes,
                   round % 7 == 0 ? 4096 : (228 << 10) - 4096);
    check_shared(mask, bytes, is_load);
    /* The same pattern elsewhere, maybe not whole words away. */
    by = by / bytes * bytes;
    for (unsigned l = 0; l < COUNT_LANES; l++)
      address[l] += by;
    check_shared(mask, bytes, is_load);
  }
}

static void check_units(enum fault_space space, const char *what, uint32_t mask,
                        unsigned bytes, unsigned expected)
{
  struct request_cost cost =
      lane_handlers()->cost(space, address, mask, bytes, true, patterns, 0);
  if (cost.units != expected)
    tell(what, mask, bytes, true, cost.units, expected);
}

BEHAVIOUR(fast_sectors_are_those_of_the_definition)
{
  need_level();
  for (unsigned round = 0; round < 300000; round++) {
    unsigned bytes = 1u << random_bits() % 5;
    uint32_t mask = some_mask();
    uint64_t at = round % 3 == 0 ? 0 : UINT64_C(0x700000000000);

    some_addresses(random_bits() % 8, bytes, 1 << (6 + random_bits() % 20));
    check_units(SPACE_LOCAL, "local sectors", mask, bytes,
                count_local_sectors(address, mask, bytes));
    for (unsigned l = 0; l < COUNT_LANES; l++) /* far apart, now and then */
      address[l] += at + (round % 11 == 0 ? (uint64_t)l % 3 << 40 : 0);
    check_units(SPACE_GLOBAL, "sectors", mask, bytes,
                count_sectors(address, mask));
    check_units(SPACE_CONSTANT, "words", mask, bytes,
                count_words(address, mask));
  }
}
