/* A two-level table from device addresses to pages of bits and cells. A page
 * is made when a checked program first touches its memory. */
#include "shadow.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "../memory/arena.h"
#include "../support/host_memory.h"

/* Two levels: device memory is one range of addresses. */
enum { LOW_BITS = 12, LOW = 1 << LOW_BITS };

struct low_table {
  _Atomic(struct shadow_page *) pages[LOW];
};
static _Atomic(struct low_table *) *table;
static uint64_t base, end;
static atomic_int state; /* 0 none, 1 being made, 2 there */

static void prepare(void)
{
  int none = 0;

  if (!atomic_compare_exchange_strong(&state, &none, 1)) {
    while (atomic_load(&state) != 2)
      sched_yield();
    return;
  }
  base = arena_zone_range(ZONE_DEVICE).begin & ~(uint64_t)(SHADOW_BYTES - 1);
  end = arena_zone_range(ZONE_HOST).end;
  if (arena_zone_range(ZONE_DEVICE).end > end)
    end = arena_zone_range(ZONE_DEVICE).end;
  table = host_new((size_t)((end - base) / SHADOW_BYTES >> LOW_BITS) + 2,
                   sizeof *table);
  atomic_store(&state, 2);
}

static struct low_table *low_table(uint64_t page, bool make)
{
  struct low_table *low =
      atomic_load_explicit(&table[page >> LOW_BITS], memory_order_acquire);
  struct low_table *made;

  if (low != NULL || !make)
    return low;
  made = host_new(1, sizeof *made);
  if (atomic_compare_exchange_strong(&table[page >> LOW_BITS], &low, made))
    return made;
  free(made);
  return low;
}

static struct shadow_page *find_page(uint64_t address, bool make)
{
  uint64_t page;
  struct low_table *low;
  struct shadow_page *found, *made;

  if (atomic_load_explicit(&state, memory_order_acquire) != 2)
    prepare();
  if (address < base || address >= end)
    return NULL;
  page = (address - base) / SHADOW_BYTES;
  low = low_table(page, make);
  if (low == NULL)
    return NULL;
  found = atomic_load_explicit(&low->pages[page % LOW], memory_order_acquire);
  if (found != NULL || !make)
    return found;
  made = host_new(1, sizeof *made);
  atomic_flag_clear(&made->lock);
  if (atomic_compare_exchange_strong(&low->pages[page % LOW], &found, made))
    return made;
  free(made);
  return found;
}

static void lock(struct shadow_page *page)
{
  while (atomic_flag_test_and_set_explicit(&page->lock, memory_order_acquire))
    sched_yield();
}

struct shadow_page *shadow_lock(uint64_t address)
{
  struct shadow_page *page = find_page(address, true);

  if (page != NULL)
    lock(page);
  return page;
}

void shadow_unlock(struct shadow_page *page)
{
  atomic_flag_clear_explicit(&page->lock, memory_order_release);
}

/* Empty cells for another launch than the last one. */
static void *cells_for(void *cells, size_t bytes, uint64_t *of, uint64_t launch,
                       bool make)
{
  if (*of == launch)
    return cells;
  if (!make)
    return NULL;
  *of = launch;
  if (cells == NULL)
    return host_new_aligned(CELL_ALIGNMENT, SHADOW_GROUPS * bytes);
  return memset(cells, 0, SHADOW_GROUPS * bytes);
}

struct cell_reads *shadow_reads(struct shadow_page *page, uint64_t launch,
                                bool make)
{
  struct cell_reads *reads =
      cells_for(page->reads, sizeof *reads, &page->read_launch, launch, make);

  if (reads != NULL && page->reads == NULL)
    page->others =
        host_take_aligned(CELL_ALIGNMENT, SHADOW_GROUPS * sizeof *page->others);
  if (reads != NULL)
    page->reads = reads;
  return reads;
}

struct cell_writes *shadow_writes(struct shadow_page *page, uint64_t launch,
                                  bool make)
{
  struct cell_writes *writes = cells_for(page->writes, sizeof *writes,
                                         &page->write_launch, launch, make);

  if (writes != NULL)
    page->writes = writes;
  return writes;
}

struct cell_split **shadow_splits(struct shadow_page *page, uint64_t launch)
{
  if (page->split_launch != launch && page->splits != NULL)
    for (unsigned i = 0; i < SHADOW_GROUPS; i++)
      page->splits[i].unit = 0;
  page->split_launch = launch;
  return &page->splits;
}

/* Bits [from, from + n) as they lie in one or two words; n <= 32. */
static uint64_t mask_of(uint64_t from, unsigned n)
{
  return ((UINT64_C(1) << n) - 1) << (from & 31);
}

static uint64_t window(const uint32_t *bits, uint64_t from, unsigned n)
{
  uint64_t value = bits[from >> 5];

  if ((from & 31) + n > 32)
    value |= (uint64_t)bits[(from >> 5) + 1] << 32;
  return value;
}

bool shadow_all_set(const uint32_t *bits, uint64_t from, unsigned n)
{
  for (; n > 32; from += 32, n -= 32)
    if ((uint32_t)(window(bits, from, 32) >> (from & 31)) != UINT32_MAX)
      return false;
  return (~window(bits, from, n) & mask_of(from, n)) == 0;
}

bool shadow_none_set(const uint32_t *bits, uint64_t from, unsigned n)
{
  return (window(bits, from, n) & mask_of(from, n)) == 0;
}

void shadow_set(uint32_t *bits, uint64_t from, uint64_t n, bool value)
{
  while (n > 0) {
    unsigned at = from & 31, here = n < 32 - at ? (unsigned)n : 32 - at;
    uint32_t mask = (uint32_t)(((UINT64_C(1) << here) - 1) << at);

    if (value)
      bits[from >> 5] |= mask;
    else
      bits[from >> 5] &= ~mask;
    from += here;
    n -= here;
  }
}

void shadow_mark(uint64_t address, uint64_t bytes, bool written)
{
  while (bytes > 0) {
    uint64_t at = address % SHADOW_BYTES;
    uint64_t here = bytes < SHADOW_BYTES - at ? bytes : SHADOW_BYTES - at;
    struct shadow_page *page = find_page(address, written);

    if (page != NULL) {
      lock(page);
      shadow_set(page->init, at, here, written);
      for (unsigned i = 0; i < SHADOW_SIZES && !written; i++)
        shadow_set(page->stored[i], at >> (i + 1),
                   ((at + here + (2u << i) - 1) >> (i + 1)) - (at >> (i + 1)),
                   false);
      page->all_init = written && here == SHADOW_BYTES;
      shadow_unlock(page);
    }
    address += here;
    bytes -= here;
  }
}

/* [at, end) of a page: the first byte whose bit is `written`, or `end`. */
static uint64_t next_in_page(const uint32_t *bits, uint64_t at, uint64_t end,
                             bool written)
{
  while (at < end) {
    uint32_t left = (written ? bits[at >> 5] : ~bits[at >> 5]) >> (at & 31);

    if (left != 0) {
      at += (unsigned)__builtin_ctz(left);
      return at < end ? at : end;
    }
    at = (at | 31) + 1;
  }
  return end;
}

uint64_t shadow_next(uint64_t address, uint64_t end, bool written)
{
  while (address < end) {
    uint64_t at = address % SHADOW_BYTES, left = end - address;
    uint64_t here = left < SHADOW_BYTES - at ? left : SHADOW_BYTES - at;
    uint64_t found = written ? here : 0;
    struct shadow_page *page = find_page(address, false);

    if (page != NULL) {
      lock(page);
      found = next_in_page(page->init, at, at + here, written) - at;
      shadow_unlock(page);
    }
    if (found < here)
      return address + found;
    address += here;
  }
  return end;
}

/* 2, 4, 8: 0, 1, 2 */
static unsigned size_index(unsigned size)
{
  return (unsigned)__builtin_ctz(size) - 1;
}

static bool is_size(unsigned size)
{
  return size == 2 || size == 4 || size == 8;
}

void shadow_note_size(struct shadow_page *page, uint64_t at, unsigned bytes,
                      unsigned size)
{
  if (is_size(size))
    shadow_set(page->stored[size_index(size)], at / size, bytes / size, true);
}

bool shadow_stored_as(uint64_t address, unsigned size)
{
  struct shadow_page *page = find_page(address, false);
  uint64_t i = address % SHADOW_BYTES / size;
  bool stored;

  if (page == NULL || !is_size(size))
    return false;
  lock(page);
  stored = page->stored[size_index(size)][i >> 5] >> (i & 31) & 1;
  shadow_unlock(page);
  return stored;
}

void shadow_copy_sizes(uint64_t from, uint64_t to, uint64_t bytes)
{
  for (unsigned size = 2; size <= 8; size *= 2)
    for (uint64_t at = (size - from % size) % size;
         at + size <= bytes && (from + at) % size == (to + at) % size;
         at += size) {
      struct shadow_page *page;

      if (!shadow_stored_as(from + at, size) ||
          (page = shadow_lock(to + at)) == NULL)
        continue;
      shadow_note_size(page, (to + at) % SHADOW_BYTES, size, size);
      shadow_unlock(page);
    }
}

static atomic_bool blind;

void shadow_set_blind(void) { atomic_store(&blind, true); }

bool shadow_is_blind(void) { return atomic_load(&blind); }
