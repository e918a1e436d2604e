/* A sorted list of reserved ranges. Pages become accessible by memory_show. */
#include "virtual.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../support/host_memory.h"
#include "arena.h"

struct range {
  uint64_t begin, end;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct range *ranges; /* taken ones, in order of address */
static size_t n_ranges, capacity;

/* Where a range that begins at or after `from` belongs in the list. */
static size_t index_from(uint64_t from)
{
  size_t i = 0;
  while (i < n_ranges && ranges[i].begin < from)
    i++;
  return i;
}

static bool is_free(uint64_t begin, size_t bytes, size_t alignment)
{
  struct arena_range zone = arena_zone_range(ZONE_VIRTUAL);
  size_t i = index_from(begin);
  if (begin % alignment != 0 || begin < zone.begin || begin >= zone.end ||
      bytes > zone.end - begin)
    return false;
  return (i == 0 || ranges[i - 1].end <= begin) &&
         (i == n_ranges || ranges[i].begin >= begin + bytes);
}

static uint64_t round_up(uint64_t n, uint64_t multiple)
{
  return (n + multiple - 1) & ~(multiple - 1);
}

/* The first gap. */
static uint64_t find_gap(size_t bytes, size_t alignment)
{
  struct arena_range zone = arena_zone_range(ZONE_VIRTUAL);
  uint64_t begin = round_up(zone.begin, alignment);
  for (size_t i = 0; i < n_ranges && ranges[i].begin < begin + bytes; i++)
    if (ranges[i].end > begin)
      begin = round_up(ranges[i].end, alignment);
  return is_free(begin, bytes, alignment) ? begin : 0;
}

static bool insert_range(struct range range)
{
  if (n_ranges == capacity) {
    size_t larger = 2 * capacity + 16;
    struct range *moved = host_try_grow(ranges, larger, sizeof *moved);
    if (moved == NULL)
      return false;
    ranges = moved;
    capacity = larger;
  }
  size_t i = index_from(range.begin);
  memmove(&ranges[i + 1], &ranges[i], (n_ranges - i) * sizeof *ranges);
  ranges[i] = range;
  n_ranges++;
  return true;
}

uint64_t virtual_take(size_t bytes, size_t alignment, uint64_t hint)
{
  uint64_t begin = 0;
  if (bytes == 0 || bytes > SIZE_MAX / 4)
    return 0;
  pthread_mutex_lock(&lock);
  if (hint != 0 && is_free(hint, bytes, alignment))
    begin = hint;
  else
    begin = find_gap(bytes, alignment);
  if (begin != 0 && !insert_range((struct range){ begin, begin + bytes }))
    begin = 0;
  pthread_mutex_unlock(&lock);
  return begin;
}

uint64_t virtual_pages(size_t bytes, size_t alignment)
{
  uint64_t begin = virtual_take(bytes, alignment, 0);
  if (begin != 0)
    arena_poison(begin, bytes);
  return begin;
}

void virtual_give(uint64_t begin)
{
  pthread_mutex_lock(&lock);
  size_t i = index_from(begin);
  if (i < n_ranges && ranges[i].begin == begin) {
    arena_discard(begin, ranges[i].end);
    memmove(&ranges[i], &ranges[i + 1], (n_ranges - i - 1) * sizeof *ranges);
    n_ranges--;
  }
  pthread_mutex_unlock(&lock);
}

bool virtual_show(uint64_t begin, size_t bytes, uint64_t source)
{
  return arena_show(begin, bytes, source);
}
