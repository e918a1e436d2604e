/* Lists of reservations, pages and mappings, kept under one lock and checked
 * against each other at each call. */
#include "virtual.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../memory/virtual.h"
#include "../support/host_memory.h"

struct pages {
  struct pages *next;
  uint64_t place; /* see ../memory/virtual.h */
  size_t bytes;
  unsigned references; /* of the program, and mappings */
  unsigned handles;    /* of the program alone */
  struct page_properties properties;
};

struct mapping {
  struct mapping *next; /* in order of address */
  uint64_t address;
  size_t bytes;
  struct pages *pages;
  unsigned char access[MAX_DEVICES];
};

/* Mappings that lie side by side are one piece of memory to kernels and
 * copies: `shown` are the begins of these pieces. */
struct reservation {
  struct reservation *next;
  uint64_t address;
  size_t bytes;
  struct mapping *mappings;
  uint64_t *shown;
  size_t n_shown;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct reservation *reservations;
static struct pages *all_pages;

static bool is_aligned(uint64_t n) { return n % GRANULARITY == 0; }

/* ---- addresses -------- */

static struct reservation *reservation_of(uint64_t address, size_t bytes)
{
  struct reservation *r = reservations;
  while (r != NULL &&
         (address < r->address || address - r->address >= r->bytes ||
          bytes > r->bytes - (address - r->address)))
    r = r->next;
  return r;
}

CUresult virtual_reserve(uint64_t *address, size_t bytes, size_t alignment,
                         uint64_t hint)
{
  if (alignment < GRANULARITY)
    alignment = GRANULARITY;
  if (bytes == 0 || !is_aligned(bytes) || (alignment & (alignment - 1)) != 0)
    return CUDA_ERROR_INVALID_VALUE;
  struct reservation *r = host_try_new(1, sizeof *r);
  if (r == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  r->bytes = bytes;
  r->address = virtual_take(bytes, alignment, hint);
  if (r->address == 0) {
    free(r);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  *address = r->address;
  pthread_mutex_lock(&lock);
  r->next = reservations;
  reservations = r;
  pthread_mutex_unlock(&lock);
  return CUDA_SUCCESS;
}

static CUresult unreserve(uint64_t address, size_t bytes)
{
  struct reservation **link = &reservations, *r;
  while (*link != NULL && (*link)->address != address)
    link = &(*link)->next;
  r = *link;
  if (r == NULL || r->bytes != bytes || r->mappings != NULL)
    return CUDA_ERROR_INVALID_VALUE;
  *link = r->next;
  virtual_give(address);
  free(r->shown);
  free(r);
  return CUDA_SUCCESS;
}

/* ---- pages -------- */

static struct pages *pages_of(page_handle handle)
{
  struct pages *p = all_pages;
  while (p != NULL && (page_handle)(uintptr_t)p != handle)
    p = p->next;
  return p;
}

static void drop(struct pages *pages)
{
  struct pages **link = &all_pages;
  if (--pages->references > 0)
    return;
  while (*link != pages)
    link = &(*link)->next;
  *link = pages->next;
  virtual_give(pages->place);
  memory_give(pages->properties.location.id, pages->bytes);
  free(pages);
}

CUresult virtual_create(page_handle *handle, size_t bytes,
                        const struct page_properties *properties)
{
  int device = properties->location.id;
  if (bytes == 0 || !is_aligned(bytes))
    return CUDA_ERROR_INVALID_VALUE;
  struct pages *pages = host_try_new(1, sizeof *pages);
  if (pages == NULL || !memory_take(device, bytes)) {
    free(pages);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  *pages = (struct pages){ .bytes = bytes,
                           .references = 1,
                           .handles = 1,
                           .properties = *properties,
                           .place = virtual_pages(bytes, GRANULARITY) };
  if (pages->place == 0) {
    memory_give(device, bytes);
    free(pages);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  pthread_mutex_lock(&lock);
  pages->next = all_pages;
  all_pages = pages;
  pthread_mutex_unlock(&lock);
  *handle = (page_handle)(uintptr_t)pages;
  return CUDA_SUCCESS;
}

static CUresult release(page_handle handle)
{
  struct pages *pages = pages_of(handle);
  if (pages == NULL || pages->handles == 0)
    return CUDA_ERROR_INVALID_VALUE;
  pages->handles--;
  drop(pages);
  return CUDA_SUCCESS;
}

static CUresult properties_of(struct page_properties *properties,
                              page_handle handle)
{
  struct pages *pages = pages_of(handle);
  if (pages == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  *properties = pages->properties;
  return CUDA_SUCCESS;
}

/* ---- mappings -------- */

static struct mapping *mapping_of(uint64_t address)
{
  struct reservation *r = reservation_of(address, 1);
  struct mapping *m = r != NULL ? r->mappings : NULL;
  while (m != NULL &&
         (address < m->address || address - m->address >= m->bytes))
    m = m->next;
  return m;
}

static CUresult retain(page_handle *handle, uint64_t address)
{
  struct mapping *m = mapping_of(address);
  if (m == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  m->pages->references++;
  m->pages->handles++;
  *handle = (page_handle)(uintptr_t)m->pages;
  return CUDA_SUCCESS;
}

static bool is_accessible(const struct mapping *m)
{
  for (int device = 0; device < MAX_DEVICES; device++)
    if (m->access[device] != 0)
      return true;
  return false;
}

/* The next piece of memory from `*m` on, which moves past it. */
static bool next_piece(const struct mapping **m, uint64_t *begin, size_t *bytes,
                       int *device)
{
  while (*m != NULL && !is_accessible(*m))
    *m = (*m)->next;
  if (*m == NULL)
    return false;
  *begin = (*m)->address;
  *device = (*m)->pages->properties.location.id;
  *bytes = 0;
  while (*m != NULL && (*m)->address == *begin + *bytes && is_accessible(*m)) {
    *bytes += (*m)->bytes;
    *m = (*m)->next;
  }
  return true;
}

/* Makes known what kernels and copies may touch. `forget`: it only changes
 * its extent. */
static CUresult show(struct reservation *r, bool forget)
{
  const struct mapping *m = r->mappings;
  uint64_t begin;
  size_t bytes, n = 0;
  int device;
  for (size_t i = 0; i < r->n_shown; i++)
    memory_hide(r->shown[i], forget);
  r->n_shown = 0;
  for (const struct mapping *each = m; each != NULL; each = each->next)
    n++;
  uint64_t *shown = host_try_grow(r->shown, n + 1, sizeof *shown);
  if (shown == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  r->shown = shown;
  while (next_piece(&m, &begin, &bytes, &device)) {
    if (!memory_show(begin, bytes, device))
      return CUDA_ERROR_OUT_OF_MEMORY;
    r->shown[r->n_shown++] = begin;
  }
  return CUDA_SUCCESS;
}

static CUresult map(uint64_t address, size_t bytes, page_handle handle)
{
  struct reservation *r = reservation_of(address, bytes);
  struct pages *pages = pages_of(handle);
  if (r == NULL || pages == NULL || bytes == 0 || bytes > pages->bytes ||
      !is_aligned(address) || !is_aligned(bytes))
    return CUDA_ERROR_INVALID_VALUE;
  struct mapping **link = &r->mappings;
  while (*link != NULL && (*link)->address + (*link)->bytes <= address)
    link = &(*link)->next;
  if (*link != NULL && (*link)->address < address + bytes)
    return CUDA_ERROR_INVALID_VALUE;
  struct mapping *m = host_try_new(1, sizeof *m);
  if (m == NULL || !virtual_show(address, bytes, pages->place)) {
    free(m);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  *m = (struct mapping){ *link, address, bytes, pages, { 0 } };
  *link = m;
  pages->references++;
  return CUDA_SUCCESS;
}

/* The link to the first mapping of [address, address + bytes), which must be
 * made of whole mappings, or NULL. */
static struct mapping **whole_mappings(struct reservation *r, uint64_t address,
                                       size_t bytes)
{
  struct mapping **first = &r->mappings;
  while (*first != NULL && (*first)->address != address)
    first = &(*first)->next;
  uint64_t end = address;
  for (const struct mapping *m = *first;
       m != NULL && m->address == end && end < address + bytes; m = m->next)
    end += m->bytes;
  return bytes > 0 && end == address + bytes ? first : NULL;
}

static CUresult unmap(uint64_t address, size_t bytes)
{
  struct reservation *r = reservation_of(address, bytes);
  struct mapping **first = r == NULL ? NULL : whole_mappings(r, address, bytes);
  if (first == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  while (*first != NULL && (*first)->address < address + bytes) {
    struct mapping *m = *first;
    *first = m->next;
    virtual_show(m->address, m->bytes, m->address);
    drop(m->pages);
    free(m);
  }
  return show(r, false);
}

static CUresult set_access(uint64_t address, size_t bytes,
                           const struct access *access, size_t n)
{
  struct reservation *r = reservation_of(address, bytes);
  struct mapping **first = r == NULL ? NULL : whole_mappings(r, address, bytes);
  if (first == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  for (struct mapping *m = *first; m != NULL && m->address < address + bytes;
       m = m->next)
    for (size_t i = 0; i < n; i++)
      m->access[access[i].location.id] = (unsigned char)access[i].flags;
  return show(r, true);
}

static CUresult get_access(int *flags, int device, uint64_t address)
{
  const struct mapping *m = mapping_of(address);
  if (m == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  *flags = m->access[device];
  return CUDA_SUCCESS;
}

/* ---- with the lock -------- */

#define LOCKED(call)                                                           \
  do {                                                                         \
    pthread_mutex_lock(&lock);                                                 \
    CUresult status_ = (call);                                                 \
    pthread_mutex_unlock(&lock);                                               \
    return status_;                                                            \
  } while (0)

CUresult virtual_unreserve(uint64_t address, size_t bytes)
{
  LOCKED(unreserve(address, bytes));
}

CUresult virtual_release(page_handle handle) { LOCKED(release(handle)); }

CUresult virtual_retain(page_handle *handle, uint64_t address)
{
  LOCKED(retain(handle, address));
}

CUresult virtual_properties(struct page_properties *properties,
                            page_handle handle)
{
  LOCKED(properties_of(properties, handle));
}

CUresult virtual_map(uint64_t address, size_t bytes, page_handle handle)
{
  LOCKED(map(address, bytes, handle));
}

CUresult virtual_unmap(uint64_t address, size_t bytes)
{
  LOCKED(unmap(address, bytes));
}

CUresult virtual_set_access(uint64_t address, size_t bytes,
                            const struct access *access, size_t n)
{
  LOCKED(set_access(address, bytes, access, n));
}

CUresult virtual_get_access(int *flags, int device, uint64_t address)
{
  LOCKED(get_access(flags, device, address));
}
