/* Finds gaps for allocations, answers whose a byte is, and remembers what was
 * freed. One lock for everything. */
#define _POSIX_C_SOURCE 200809L /* pthread_rwlock */
#include "memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "../support/setting.h"
#include "arena.h"
#include "table.h"

/* At least this many bytes between two allocations stay free, so that
 * a small overrun is caught instead of landing in a neighbour. */
#define GUARD_BYTES 512
#define MAX_DEVICES 64
#define DEFAULT_DEVICE_BYTES (UINT64_C(8) << 30)

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct allocation_table live;
static uint64_t n_allocations;    /* ever */
static uint64_t cursors[N_ZONES]; /* where to look first; 0: begin */
static size_t used_bytes[MAX_DEVICES];
static atomic_uint_fast64_t generation;

static atomic_uint_fast64_t default_bytes = DEFAULT_DEVICE_BYTES;

void memory_set_default_capacity(uint64_t bytes)
{
  atomic_store(&default_bytes, bytes);
}

size_t memory_capacity(void)
{
  uint64_t n = setting_bytes("SOFTDEVICE_MEMORY", atomic_load(&default_bytes));
  return n > SIZE_MAX ? SIZE_MAX : (size_t)n; /* of 32 bits in WebAssembly */
}

static const struct memory_watch *_Atomic watch;

void memory_set_watch(const struct memory_watch *wanted)
{
  atomic_store(&watch, wanted);
}

void memory_set_site(uint64_t address, const char *site)
{
  pthread_rwlock_wrlock(&lock);
  struct allocation *row = table_containing(&live, address);
  if (row != NULL)
    snprintf(row->site, sizeof row->site, "%s", site);
  pthread_rwlock_unlock(&lock);
}

void memory_each(void (*visit)(void *context, const struct allocation *row),
                 void *context)
{
  pthread_rwlock_rdlock(&lock);
  for (size_t i = 0; i < live.n_rows; i++)
    visit(context, &live.rows[i]);
  pthread_rwlock_unlock(&lock);
}

intptr_t memory_view_offset(void) { return arena_view_offset(); }

static enum arena_zone zone_of(enum memory_kind kind)
{
  bool host = kind == MEMORY_MANAGED || kind == MEMORY_PINNED;
  return host ? ZONE_HOST : ZONE_DEVICE;
}

static bool limited(enum memory_kind kind)
{
  return kind == MEMORY_DEVICE || kind == MEMORY_VARIABLE;
}

static uint64_t round_up(uint64_t n, uint64_t multiple)
{
  return (n + multiple - 1) & ~(multiple - 1);
}

/* Next fit: the first gap of `bytes` at or after `from`. Freed addresses
 * come back only after the whole zone was walked, which lets a use after
 * free be recognised for long. */
static uint64_t find_gap(struct arena_range zone, uint64_t from, size_t bytes,
                         size_t alignment)
{
  size_t i = table_upper(&live, from);
  uint64_t start = from;
  if (i > 0 && live.rows[i - 1].address >= zone.begin) {
    const struct allocation *row = &live.rows[i - 1];
    uint64_t free_from = row->address + row->bytes + GUARD_BYTES;
    start = free_from > start ? free_from : start;
  }
  for (;; i++) {
    start = round_up(start, alignment);
    if (start >= zone.end || zone.end - start < bytes + GUARD_BYTES)
      return 0;
    if (i == live.n_rows || live.rows[i].address >= zone.end ||
        live.rows[i].address >= start + bytes + GUARD_BYTES)
      return start;
    start = live.rows[i].address + live.rows[i].bytes + GUARD_BYTES;
  }
}

static uint64_t place(enum arena_zone zone, size_t bytes, size_t alignment)
{
  struct arena_range range = arena_zone_range(zone);
  if (bytes > range.end - range.begin - 2 * GUARD_BYTES)
    return 0;
  if (cursors[zone] == 0)
    cursors[zone] = range.begin + GUARD_BYTES;
  uint64_t address = find_gap(range, cursors[zone], bytes, alignment);
  if (address == 0)
    address = find_gap(range, range.begin + GUARD_BYTES, bytes, alignment);
  if (address != 0)
    cursors[zone] = address + bytes;
  return address;
}

/* What the allocation occupies: host memory comes in whole pages, because
 * the system protects nothing smaller. */
static size_t footprint(enum memory_kind kind, size_t bytes)
{
  size_t page = arena_page_bytes();
  return zone_of(kind) == ZONE_HOST ? round_up(bytes, page) : bytes;
}

static uint64_t allocate_locked(struct allocation row, size_t alignment)
{
  size_t *used = &used_bytes[row.device];
  if (limited(row.kind) && row.bytes > memory_capacity() - *used)
    return 0;
  size_t occupied = footprint(row.kind, row.bytes);
  row.address = place(zone_of(row.kind), occupied, alignment);
  row.serial = n_allocations + 1;
  if (row.address == 0)
    return 0;
  if (zone_of(row.kind) == ZONE_HOST &&
      !arena_open(row.address, row.address + occupied))
    return 0;
  if (!table_insert(&live, row))
    return 0;
  n_allocations++;
  if (limited(row.kind))
    *used += row.bytes;
  return row.address;
}

uint64_t memory_allocate(uint64_t bytes, size_t alignment,
                         enum memory_kind kind, int device, const char *label)
{
  if (device < 0 || device >= MAX_DEVICES || bytes > SIZE_MAX / 4)
    return 0;
  if (bytes == 0)
    bytes = 1; /* an address of its own */
  if (zone_of(kind) == ZONE_HOST && alignment < arena_page_bytes())
    alignment = arena_page_bytes();
  struct allocation row = {
    .bytes = bytes, .kind = kind, .device = device, .label = label
  };
  pthread_rwlock_wrlock(&lock);
  uint64_t address = allocate_locked(row, alignment);
  pthread_rwlock_unlock(&lock);
  /* Memory that the host reaches is fresh from the system, and zero; programs
   * count on it. */
  if (address != 0 && zone_of(kind) != ZONE_HOST)
    arena_poison(address, bytes);
  const struct memory_watch *watcher = atomic_load(&watch);
  if (address != 0 && watcher != NULL)
    watcher->allocated(address, bytes, kind);
  return address;
}

/* Pages of row `index` that no neighbour uses too go back to the system. */
static void discard(size_t index)
{
  const struct allocation *row = &live.rows[index];
  struct arena_range free = arena_zone_range(zone_of(row->kind));
  uint64_t page = arena_page_bytes();
  uint64_t end = row->address + footprint(row->kind, row->bytes);
  if (zone_of(row->kind) == ZONE_HOST)
    arena_close(row->address, end);
  if (index > 0 && row[-1].address >= free.begin)
    free.begin = row[-1].address + row[-1].bytes;
  if (index + 1 < live.n_rows && row[1].address < free.end)
    free.end = row[1].address;
  uint64_t from = row->address & ~(page - 1), to = round_up(end, page);
  arena_discard(from > free.begin ? from : free.begin,
                to < free.end ? to : free.end);
}

static void release_row(size_t index)
{
  struct allocation row = live.rows[index];
  if (row.kind != MEMORY_REGISTERED && row.kind != MEMORY_MAPPED)
    discard(index);
  if (limited(row.kind))
    used_bytes[row.device] -= row.bytes;
  freed_remember(&row);
  table_remove(&live, index);
  atomic_fetch_add(&generation, 1);
}

bool memory_release(uint64_t address)
{
  pthread_rwlock_wrlock(&lock);
  size_t i = table_upper(&live, address);
  bool found = i > 0 && live.rows[i - 1].address == address;
  if (found)
    release_row(i - 1);
  pthread_rwlock_unlock(&lock);
  return found;
}

bool memory_show(uint64_t address, size_t bytes, int device)
{
  pthread_rwlock_wrlock(&lock);
  struct allocation row = { .address = address,
                            .bytes = bytes,
                            .kind = MEMORY_MAPPED,
                            .device = device,
                            .serial = n_allocations + 1 };
  bool done = table_insert(&live, row);
  n_allocations += done;
  pthread_rwlock_unlock(&lock);
  return done;
}

void memory_hide(uint64_t address, bool forget)
{
  pthread_rwlock_wrlock(&lock);
  size_t i = table_upper(&live, address);
  if (i > 0 && live.rows[i - 1].address == address) {
    if (forget) {
      table_remove(&live, i - 1);
      atomic_fetch_add(&generation, 1);
    } else {
      release_row(i - 1);
    }
  }
  pthread_rwlock_unlock(&lock);
}

bool memory_take(int device, size_t bytes)
{
  pthread_rwlock_wrlock(&lock);
  bool there = bytes <= memory_capacity() - used_bytes[device];
  if (there)
    used_bytes[device] += bytes;
  pthread_rwlock_unlock(&lock);
  return there;
}

void memory_give(int device, size_t bytes)
{
  pthread_rwlock_wrlock(&lock);
  used_bytes[device] -= bytes;
  pthread_rwlock_unlock(&lock);
}

void memory_release_device(int device)
{
  pthread_rwlock_wrlock(&lock);
  for (size_t i = live.n_rows; i-- > 0;)
    if (live.rows[i].device == device && live.rows[i].kind != MEMORY_VARIABLE)
      release_row(i);
  pthread_rwlock_unlock(&lock);
}

static bool overlaps_live(uint64_t begin, uint64_t end)
{
  size_t i = table_upper(&live, end - 1);
  return i > 0 && live.rows[i - 1].address + live.rows[i - 1].bytes > begin;
}

bool memory_register(void *host, size_t bytes, int device)
{
  uint64_t address = (uint64_t)(uintptr_t)host;
  if (bytes == 0 || address + bytes < address)
    return false;
  pthread_rwlock_wrlock(&lock);
  struct allocation row = { .address = address,
                            .bytes = bytes,
                            .kind = MEMORY_REGISTERED,
                            .device = device,
                            .serial = n_allocations + 1 };
  bool done =
      !overlaps_live(address, address + bytes) && table_insert(&live, row);
  n_allocations += done;
  pthread_rwlock_unlock(&lock);
  return done;
}

void memory_set_flags(uint64_t address, unsigned flags)
{
  pthread_rwlock_wrlock(&lock);
  struct allocation *row = table_containing(&live, address);
  if (row != NULL && row->address == address)
    row->flags = flags;
  pthread_rwlock_unlock(&lock);
}

bool memory_find(uint64_t address, struct allocation *found)
{
  pthread_rwlock_rdlock(&lock);
  const struct allocation *row = table_containing(&live, address);
  if (row != NULL)
    *found = *row;
  pthread_rwlock_unlock(&lock);
  return row != NULL;
}

static atomic_uint peers_of[MAX_DEVICES]; /* owner: a bit for each device */

void memory_set_peer(int device, int owner, bool allowed)
{
  if (allowed)
    atomic_fetch_or(&peers_of[owner], 1u << device);
  else
    atomic_fetch_and(&peers_of[owner], ~(1u << device));
}

void memory_open(uint64_t address)
{
  pthread_rwlock_wrlock(&lock);
  struct allocation *row = table_containing(&live, address);
  if (row != NULL)
    row->is_open = true;
  pthread_rwlock_unlock(&lock);
}

bool memory_is_reachable(const struct allocation *found, int device)
{
  bool is_owned =
      found->kind == MEMORY_DEVICE || found->kind == MEMORY_VARIABLE;
  return !is_owned || found->is_open || found->device == device ||
         (atomic_load(&peers_of[found->device]) >> device & 1) != 0;
}

static const struct allocation *live_nearest(uint64_t address,
                                             uint64_t *distance)
{
  size_t i = table_upper(&live, address);
  const struct allocation *best = NULL;
  if (i > 0) {
    best = &live.rows[i - 1];
    *distance = allocation_distance(best, address);
  }
  if (i < live.n_rows) {
    uint64_t d = allocation_distance(&live.rows[i], address);
    if (best == NULL || d < *distance) {
      best = &live.rows[i];
      *distance = d;
    }
  }
  return best;
}

bool memory_nearest(uint64_t address, struct allocation *found, bool *freed)
{
  uint64_t distance = 0, freed_distance = 0;
  pthread_rwlock_rdlock(&lock);
  const struct allocation *row = live_nearest(address, &distance);
  const struct allocation *old = freed_nearest(address, &freed_distance);
  *freed = old != NULL && (row == NULL || freed_distance < distance);
  if (*freed)
    row = old;
  if (row != NULL)
    *found = *row;
  pthread_rwlock_unlock(&lock);
  return row != NULL;
}

static void *view(uint64_t address, size_t bytes, bool to_write)
{
  struct allocation row;
  if (!memory_find(address, &row))
    return NULL;
  if (bytes > row.bytes - (address - row.address))
    return NULL;
  intptr_t offset = row.kind == MEMORY_REGISTERED ? 0 : arena_view_offset();
  const struct memory_watch *watcher = atomic_load(&watch);
  if (watcher != NULL && to_write && row.kind != MEMORY_REGISTERED)
    watcher->viewed(address, bytes);
  return (char *)(uintptr_t)address + offset;
}

void *memory_view(uint64_t address, size_t bytes)
{
  return view(address, bytes, true);
}

const void *memory_look(uint64_t address, size_t bytes)
{
  return view(address, bytes, false);
}

bool memory_is_new(uint64_t address, size_t bytes)
{
  const uint8_t *at = memory_look(address, bytes);
  bool is_new = at != NULL;
  for (size_t i = 0; is_new && i < bytes; i++)
    is_new = at[i] == (i < POISON_LIMIT ? POISON_HALF >> i % 2 * 8 & 255 : 0);
  return is_new;
}

void memory_set_serial(uint64_t address, uint64_t serial)
{
  pthread_rwlock_wrlock(&lock);
  struct allocation *row = table_containing(&live, address);
  if (row != NULL && row->address == address) {
    row->serial = serial;
    if (serial > n_allocations)
      n_allocations = serial;
  }
  pthread_rwlock_unlock(&lock);
}

uint64_t memory_generation(void) { return atomic_load(&generation); }

void memory_info(int device, size_t *free_bytes, size_t *total_bytes)
{
  pthread_rwlock_rdlock(&lock);
  *total_bytes = memory_capacity();
  *free_bytes = *total_bytes - used_bytes[device];
  pthread_rwlock_unlock(&lock);
}
