/* What is known about device memory, byte by byte and word by word: a page
 * of knowledge for each page of memory that a checked program touches. */
#ifndef DEVICE_CHECK_SHADOW_H
#define DEVICE_CHECK_SHADOW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cells.h"

enum { SHADOW_BYTES = 4096, SHADOW_GROUPS = SHADOW_BYTES / GROUP_BYTES };

enum { SHADOW_SIZES = 3 }; /* numbers of 2, 4 and 8 bytes */

struct shadow_page {
  atomic_flag lock;
  bool all_init;
  uint32_t init[SHADOW_BYTES / 32]; /* a bit per byte: written */
  uint32_t stored[SHADOW_SIZES][SHADOW_BYTES / 2 / 32]; /* a bit per number of
                                                that size: stored as one */
  uint64_t read_launch, write_launch, split_launch;     /* the launch whose
                              accesses each of the following remembers */
  struct cell_reads *reads;
  struct cell_others *others;
  struct cell_writes *writes;
  struct cell_split *splits;  /* SHADOW_GROUPS of them, or NULL */
  struct op_page *operations; /* of which streams did what; or NULL */
};

/* The page of a device address, locked; NULL outside of device memory. */
struct shadow_page *shadow_lock(uint64_t address);
void shadow_unlock(struct shadow_page *page);

/* What `launch` did there; NULL when it has not, unless they are to be
 * made. Where there are reads, page->others is there, too. */
struct cell_reads *shadow_reads(struct shadow_page *page, uint64_t launch,
                                bool make);
struct cell_writes *shadow_writes(struct shadow_page *page, uint64_t launch,
                                  bool make);

/* Where the page keeps its split groups, none of which is of another launch
 * than this one. */
struct cell_split **shadow_splits(struct shadow_page *page, uint64_t launch);

/* Bytes [from, from + n) of a bit map with a bit per byte. */
bool shadow_all_set(const uint32_t *bits, uint64_t from, unsigned n);
/* n <= 32 */
bool shadow_none_set(const uint32_t *bits, uint64_t from, unsigned n);
void shadow_set(uint32_t *bits, uint64_t from, uint64_t n, bool value);

/* The same for device memory of any extent. */
void shadow_mark(uint64_t address, uint64_t bytes, bool written);
/* The first byte in [address, end) that was written, or was not; or `end`. */
uint64_t shadow_next(uint64_t address, uint64_t end, bool written);

/* Kernels stored numbers of `size` bytes from `at` on. */
void shadow_note_size(struct shadow_page *page, uint64_t at, unsigned bytes,
                      unsigned size);
/* Was a number of `size` bytes stored at this multiple of it? */
bool shadow_stored_as(uint64_t address, unsigned size);
void shadow_copy_sizes(uint64_t from, uint64_t to, uint64_t bytes);

/* A program has kernels whose writes are not all seen: what is marked as
 * unwritten may be written. */
void shadow_set_blind(void);
bool shadow_is_blind(void);

#endif
