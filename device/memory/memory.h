/* Device memory: the allocations that kernels may touch.
 *
 * A device address is a 64-bit number that a program sees as a pointer. The
 * bytes it stands for are reached by the executor through a second mapping of the
 * same pages, `address + memory_view_offset()`. The first mapping stays
 * PROT_NONE for plain device memory, so that a host program that dereferences
 * a device pointer dies by SIGSEGV, as it does with a GPU. Pinned and managed
 * memory is readable by the host at the same address.
 *
 * All sizes are in bytes. Every function may be called from any thread.
 */
#ifndef DEVICE_MEMORY_MEMORY_H
#define DEVICE_MEMORY_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../support/exported.h"

/* Generic addresses: PTX ISA section 5.1 has windows for .shared and .local
 * inside the generic space. These two lie above every canonical user address,
 * so no host or device pointer can be mistaken for one. */
#define SHARED_WINDOW UINT64_C(0x0100000000000000)
#define LOCAL_WINDOW UINT64_C(0x0200000000000000)
#define WINDOW_BYTES UINT64_C(0x0000000100000000)

enum memory_kind {
  MEMORY_DEVICE,     /* cudaMalloc and relatives */
  MEMORY_VARIABLE,   /* a __device__ or __constant__ variable of a program */
  MEMORY_MANAGED,    /* cudaMallocManaged and __managed__: host may access it */
  MEMORY_PINNED,     /* cudaMallocHost, cudaHostAlloc */
  MEMORY_REGISTERED, /* cudaHostRegister: pages of the host program's own */
  MEMORY_MAPPED      /* cuMemMap: device memory at an address of its own */
};

struct allocation {
  uint64_t address; /* first byte, as the program sees it */
  size_t bytes;     /* as asked for, not rounded */
  enum memory_kind kind;
  int device;        /* ordinal of the device that owns it */
  uint64_t serial;   /* 1, 2, 3 … in order of allocation */
  const char *label; /* variable's name, or NULL; not owned */
  char site[80];     /* who asked for it, for the report of leaks; or "" */
  bool is_open;      /* see memory_open */
  unsigned flags;    /* of pinned and registered memory, as asked for */
};

/* Distance from a device address to where this process can read and write it.
 * Constant for the life of the process. 0 for MEMORY_REGISTERED. */
intptr_t memory_view_offset(void);

/* Returns the device address, aligned to `alignment` (a power of two, at
 * least 256), or 0 when the device's memory is exhausted. Contents of device
 * memory are poisoned, not zeroed: the hardware promises nothing. Managed and
 * pinned memory is zero, as new pages of the system are. */
uint64_t memory_allocate(uint64_t bytes, size_t alignment,
                         enum memory_kind kind, int device, const char *label);

/* False when `address` is not the start of a live allocation. */
bool memory_release(uint64_t address);

/* [address, address + bytes), which virtual.h gave, may be touched from now on,
 * or no longer. `forget`: no message will name it as freed. */
bool memory_show(uint64_t address, size_t bytes, int device)
    EXPORTED(memory_show);
void memory_hide(uint64_t address, bool forget) EXPORTED(memory_hide);

/* Counts bytes as used on a device, or no longer. False: so many are not free. */
bool memory_take(int device, size_t bytes) EXPORTED(memory_take);
void memory_give(int device, size_t bytes) EXPORTED(memory_give);

/* Releases all of a device but variables (cudaDeviceReset). */
void memory_release_device(int device);

/* Makes host pages known (cudaHostRegister). False when it overlaps one. */
bool memory_register(void *host, size_t bytes, int device);

/* Of the allocation that begins at `address`, if one does. */
void memory_set_flags(uint64_t address, unsigned flags);

/* Finds the live allocation that contains `address`. Copies it to `*found`
 * and returns true, or returns false and leaves `*found` alone. */
bool memory_find(uint64_t address, struct allocation *found)
    EXPORTED(memory_find);

/* Peer access: from now on kernels of `device` may use, or no longer use, the
 * memory of `owner`. Takes effect with the next launch. */
void memory_set_peer(int device, int owner, bool allowed);

/* Kernels of every device may use this allocation: its pool has rules of its
 * own about peers. */
void memory_open(uint64_t address);

/* May kernels of `device` use this allocation? Their own memory and the host's
 * they always may. */
bool memory_is_reachable(const struct allocation *found, int device);

/* Finds the allocation nearest to `address`, live or freed, for a message:
 * "4 bytes after allocation 3 of 4000 bytes". `*freed` says which. */
bool memory_nearest(uint64_t address, struct allocation *found, bool *freed)
    EXPORTED(memory_nearest);

/* The host-accessible bytes of [address, address+bytes), or NULL unless all
 * of it lies in one live allocation. */
void *memory_view(uint64_t address, size_t bytes) EXPORTED(memory_view);
/* The same to read from: they are not taken for written. */
const void *memory_look(uint64_t address, size_t bytes);

/* Does it still hold what new device memory holds? A kernel or the host may have
 * written the same. */
bool memory_is_new(uint64_t address, size_t bytes);

/* From now on the allocation that begins at `address` is known by this number:
 * a launch that was written down calls its memory as the program did. Those to
 * come count on from there. */
void memory_set_serial(uint64_t address, uint64_t serial);

/* Bumped by every release: a cached allocation is stale when it differs. */
uint64_t memory_generation(void);

/* Called when memory is allocated, and when something outside of kernels asks
 * for a view of it, usually to write. There is at most one such watch; it is
 * called without a lock. */
struct memory_watch {
  void (*allocated)(uint64_t address, size_t bytes, enum memory_kind kind);
  void (*viewed)(uint64_t address, size_t bytes);
};
void memory_set_watch(const struct memory_watch *watch);

/* Notes where in the host program an allocation was asked for. */
void memory_set_site(uint64_t address, const char *site);

/* Calls `visit` for each live allocation. */
void memory_each(void (*visit)(void *context, const struct allocation *row),
                 void *context);

/* What each device has if SOFTDEVICE_MEMORY doesn't say; at first 8 GiB. */
void memory_set_default_capacity(uint64_t bytes);

/* Bytes free and total of one device, for cudaMemGetInfo. */
/* SOFTDEVICE_MEMORY, or 8 GiB: what each device has, in bytes. */
size_t memory_capacity(void);
void memory_info(int device, size_t *free_bytes, size_t *total_bytes);

#endif
