/* Virtual memory of the driver API: reserved addresses, pages, and which
 * pages are mapped where. One lock around all; statuses are the driver's. */
#ifndef DEVICE_DRIVER_VIRTUAL_H
#define DEVICE_DRIVER_VIRTUAL_H

#include "driver.h"

enum { GRANULARITY = 2 << 20 };

/* CUmemAllocationProp, as far as it is looked at. */
struct page_properties {
  int type, handle_types;
  struct cudaMemLocation location;
  void *metadata;
  unsigned char flags[8];
};

struct access {
  struct cudaMemLocation location;
  int flags; /* 0: none, 1: read, 3: read and write */
};

typedef unsigned long long page_handle;

CUresult virtual_reserve(uint64_t *address, size_t bytes, size_t alignment,
                         uint64_t hint);
CUresult virtual_unreserve(uint64_t address, size_t bytes);

CUresult virtual_create(page_handle *handle, size_t bytes,
                        const struct page_properties *properties);
CUresult virtual_release(page_handle handle);
CUresult virtual_retain(page_handle *handle, uint64_t address);
CUresult virtual_properties(struct page_properties *properties,
                            page_handle handle);

CUresult virtual_map(uint64_t address, size_t bytes, page_handle handle);
CUresult virtual_unmap(uint64_t address, size_t bytes);
CUresult virtual_set_access(uint64_t address, size_t bytes,
                            const struct access *access, size_t n);
CUresult virtual_get_access(int *flags, int device, uint64_t address);

#endif
