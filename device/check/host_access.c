/* Closes pages to the host, and opens them. */
#include "host_access.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "../memory/arena.h"
#include "../memory/memory.h"
#include "../support/host_memory.h"
#include "caller.h"
#include "operation_cells.h"
#include "shadow.h"

struct page_list {
  uint64_t *at;
  size_t n, capacity;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct page_list noted, closed; /* `closed` may hold open ones, too */
static struct op_clock waited_for;     /* what the host knows to have ended */
static atomic_bool was_told;

static void add(struct page_list *list, uint64_t page)
{
  if (list->n == list->capacity) {
    list->capacity = list->capacity == 0 ? 64 : 2 * list->capacity;
    list->at = host_grow(list->at, list->capacity, sizeof *list->at);
  }
  list->at[list->n++] = page;
}

bool host_access_concerns(uint64_t page_address)
{
  struct arena_range zone = arena_zone_range(ZONE_HOST);

  return page_address >= zone.begin && page_address < zone.end &&
         !atomic_load_explicit(&was_told, memory_order_relaxed) &&
         arena_page_bytes() == SHADOW_BYTES;
}

void host_access_note(uint64_t page_address)
{
  pthread_mutex_lock(&lock);
  add(&noted, page_address);
  pthread_mutex_unlock(&lock);
}

void host_access_told(void) { atomic_store(&was_told, true); }

/* How much of the page an allocation has, from its first byte on. */
static uint64_t bytes_in_use(uint64_t page)
{
  struct allocation found;
  uint64_t left;

  if (!memory_find(page, &found) ||
      (found.kind != MEMORY_PINNED && found.kind != MEMORY_MANAGED))
    return 0;
  left = found.address + found.bytes - page;
  return left < SHADOW_BYTES ? left : SHADOW_BYTES;
}

static bool is_pending(uint32_t id, const struct op_clock *host)
{
  return id != 0 && (id & ID_STRONG) == 0 && !operation_is_known(id, host);
}

static bool all_written(const struct op_page *page, uint64_t bytes,
                        const struct op_clock *host)
{
  uint32_t last = 0;

  for (uint64_t i = 0; i * page->unit < bytes; i++) {
    uint32_t id = page->cells[i].id[WRITER];

    if ((id == 0 || id != last) && !is_pending(id, host))
      return false;
    last = id;
  }
  return bytes > 0;
}

static bool all_read(const struct op_page *page, uint64_t bytes,
                     const struct op_clock *host)
{
  uint32_t last = 0;

  for (uint64_t i = 0; i * page->unit < bytes; i++) {
    const uint32_t *id = page->cells[i].id;

    if (last != 0 && id[READER] == last)
      continue;
    if (!is_pending(id[READER], host) && !is_pending(id[OTHER_READER], host))
      return false;
    last = is_pending(id[READER], host) ? id[READER] : 0;
  }
  return bytes > 0;
}

/* What the host may do with a page; without a clock, all. */
static void set_page(struct op_page *page, uint64_t address, uint64_t bytes,
                     const struct op_clock *host)
{
  uint64_t end = address + SHADOW_BYTES;
  int wanted = host == NULL                     ? PAGE_OPEN
               : all_written(page, bytes, host) ? PAGE_CLOSED
               : all_read(page, bytes, host)    ? PAGE_TO_READ
                                                : PAGE_OPEN;

  if (wanted == (int)page->host)
    return;
  if (wanted == PAGE_OPEN)
    arena_open(address, end);
  else if (wanted == PAGE_TO_READ)
    arena_open_to_read(address, end);
  else
    arena_close(address, end);
  page->host = wanted;
}

void host_access_ended(const struct op_clock *host)
{
  pthread_mutex_lock(&lock);
  op_clock_join(&waited_for, host);
  for (size_t i = 0; i < noted.n; i++) {
    uint64_t bytes = bytes_in_use(noted.at[i]);
    struct shadow_page *shadow = shadow_lock(noted.at[i]);
    struct op_page *page = shadow == NULL ? NULL : shadow->operations;

    if (page != NULL) {
      bool was_open = page->host == PAGE_OPEN;

      page->is_noted = false;
      set_page(page, noted.at[i], bytes, atomic_load(&was_told) ? NULL : host);
      if (was_open && page->host != PAGE_OPEN)
        add(&closed, noted.at[i]);
    }
    if (shadow != NULL)
      shadow_unlock(shadow);
  }
  noted.n = 0;
  pthread_mutex_unlock(&lock);
}

static void set_pages(const struct op_clock *host)
{
  size_t left = 0;

  for (size_t i = 0; i < closed.n; i++) {
    uint64_t bytes = bytes_in_use(closed.at[i]);
    struct shadow_page *shadow = shadow_lock(closed.at[i]);

    set_page(shadow->operations, closed.at[i], bytes, host);
    if (shadow->operations->host != PAGE_OPEN)
      closed.at[left++] = closed.at[i];
    shadow_unlock(shadow);
  }
  closed.n = left;
}

void host_access_waited(const struct op_clock *host)
{
  pthread_mutex_lock(&lock);
  op_clock_join(&waited_for, host);
  set_pages(atomic_load(&was_told) ? NULL : host);
  pthread_mutex_unlock(&lock);
}

/* The side of the cell that the access races with. */
static unsigned side_of(const struct op_cell *cell, int page)
{
  return page == PAGE_CLOSED                         ? WRITER
         : is_pending(cell->id[READER], &waited_for) ? READER
                                                     : OTHER_READER;
}

static void report(uint64_t address, const void *pc, bool stores,
                   const struct op_cell *cell, unsigned side)
{
  struct finding f = { .check = CHECK_RACE,
                       .title = "race between the host and an operation",
                       .has_address = true,
                       .space = SPACE_GLOBAL,
                       .address = address };
  struct caller caller = caller_at(pc);
  char did[OPERATION_TEXT];

  f.here.did =
      stores ? "a store of the host program" : "a load of the host program";
  caller_source(&caller, &f.here.source);
  operation_side(cell->id[side], cell->site[side], side == WRITER, &f.there,
                 did);
  snprintf(f.detail, sizeof f.detail,
           "the host has to wait for it first: for the stream, the device, or "
           "an event recorded after it");
  finding_add(&f);
}

bool host_access_fault(uint64_t address, const void *pc, bool stores)
{
  struct arena_range zone = arena_zone_range(ZONE_HOST);
  uint64_t start = address - address % SHADOW_BYTES;
  struct op_cell cell = { { 0 }, { 0 } };
  struct allocation found;
  struct shadow_page *shadow;
  unsigned side = WRITER;
  int host = PAGE_OPEN;

  if (address < zone.begin || address >= zone.end || !operations_watched())
    return false;
  pthread_mutex_lock(&lock);
  shadow = shadow_lock(start);
  if (shadow != NULL && shadow->operations != NULL) {
    const struct op_page *page = shadow->operations;

    host = (int)page->host;
    cell = page->cells[(address - start) / page->unit];
    if (cell.id[side_of(&cell, host)] == 0) /* past the allocation's end */
      cell = page->cells[0];
    side = side_of(&cell, host);
  }
  if (shadow != NULL)
    shadow_unlock(shadow);
  if (host != PAGE_OPEN) /* one report about an operation is enough */
    set_pages(NULL);
  pthread_mutex_unlock(&lock);
  if (host != PAGE_OPEN && !atomic_load(&was_told))
    report(address, pc, stores, &cell, side);
  /* Otherwise another thread may have opened it in the meantime. */
  return host != PAGE_OPEN ||
         (memory_find(address, &found) &&
          (found.kind == MEMORY_PINNED || found.kind == MEMORY_MANAGED));
}
