/* What is known about device memory, byte by byte and word by word: a page
 * of knowledge for each page of memory that a checked program touches. */
#ifndef DEVICE_CHECK_SHADOW_H
#define DEVICE_CHECK_SHADOW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { SHADOW_BYTES = 4096, SHADOW_WORDS = SHADOW_BYTES / 4 };

/* The last write and the last reads of one 4-byte word. A clock of 0: none. */
struct shadow_cell {
  uint32_t write_block, write_clock;
  uint32_t write_site;  /* see race.c */
  uint32_t write_thread;
  uint32_t read_block, read_clock;
  uint32_t read_site, read_lanes;
};

struct shadow_page {
  atomic_flag lock;
  bool all_init;
  uint64_t launch;            /* that `cells` tell of */
  uint32_t init[SHADOW_BYTES / 32]; /* a bit per byte: written */
  struct shadow_cell *cells;
};

/* The page of a device address, locked; NULL outside of device memory. */
struct shadow_page *shadow_lock(uint64_t address);
void shadow_unlock(struct shadow_page *page);

/* Its cells, empty when another launch was the last to use them. */
struct shadow_cell *shadow_cells(struct shadow_page *page, uint64_t launch);

/* Bytes [from, from + n) of a bit map with a bit per byte. */
bool shadow_all_set(const uint32_t *bits, uint64_t from, unsigned n);
bool shadow_none_set(const uint32_t *bits, uint64_t from, unsigned n);
void shadow_set(uint32_t *bits, uint64_t from, uint64_t n, bool value);

/* The same for device memory of any extent. */
void shadow_mark(uint64_t address, uint64_t bytes, bool written);

#endif
