/* What the executor passes to the checks, as plain data: which lanes access
 * which bytes, and which threads wait for which others. Nothing here is called
 * unless a check is wanted. */
#ifndef DEVICE_CHECK_HOOKS_H
#define DEVICE_CHECK_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "cells.h"
#include "fault.h"
#include "options.h"

enum { CHECK_LANES = 32, CHECK_ELEMENTS = 8 };

/* Where a record of the program stands in its source. */
struct check_place {
  struct source_line source;
  unsigned ptx_line;
};
typedef struct check_place check_place_of(const void *program, uint32_t record);

struct check_launch;
struct check_block;

/* What an address of shared or local memory belongs to, in words. */
typedef void check_story_of(const void *grid, enum fault_space space,
                            uint64_t address, char *text, size_t n_text);

struct check_program {
  const void *program, *grid;
  check_place_of *place_of;
  check_story_of *story_of; /* NULL: not known */
  bool hidden_writes;       /* it has instructions whose writes are not seen */
};
/* Its blocks are run by `n_workers` threads. */
struct check_launch *check_launch_new(const char *kernel,
                                      const uint32_t grid[3],
                                      unsigned n_workers,
                                      const struct check_program *program);
void check_launch_free(struct check_launch *launch);
/* From now on nothing is reported: threads ended where a program would not
 * have ended them. */
void check_launch_mute(struct check_launch *launch);

struct check_shape {
  uint32_t threads[3]; /* extents of the block */
  uint32_t shared_bytes;
  uint64_t local_stride; /* bytes per lane */
  bool in_cluster;       /* of several blocks */
  uint32_t zeroed_bytes; /* the last of `shared_bytes`, by the system */
  unsigned worker;       /* that runs the block: 0, 1, 2 … */
};
struct check_block *check_block_new(struct check_launch *launch,
                                    const struct check_shape *shape);
void check_block_start(struct check_block *block, uint64_t index,
                       const uint32_t id[3]);
void check_block_free(struct check_block *block);

/* How an access stands in the memory model, by its strength. */
enum check_kind { CHECK_PLAIN, CHECK_VOLATILE, CHECK_STRONG, CHECK_ATOMIC };
enum { /* check_access.order */
       CHECK_ACQUIRE = 1,
       CHECK_RELEASE = 2,
       CHECK_SCOPE_BLOCK = 4
};

struct check_access {
  uint32_t warp, lanes;
  const uint64_t *address; /* global: as the program sees it; shared, local:
                                offset in the block's or the lane's memory */
  unsigned bytes;          /* per lane */
  enum fault_space space;
  bool loads, stores;
  enum check_kind kind;
  unsigned order;
  uint32_t record;
  bool only_copied; /* what is loaded goes to memory again */
  bool moved;       /* to local memory, if it came from there */
  bool kept;        /* only to be stored around a bit-field's new value */
  bool skip_init;
  uint32_t dropped; /* lanes that do not use what they load */
  /* Not NULL: lanes may use it or not. Those that load what nothing has written
   * are noted here and not reported. */
  uint32_t *unwritten;
  uint32_t used; /* elements whose value is used at all */
  unsigned n_elements, element_bytes, register_bytes;
  unsigned low_bytes; /* of a single element, all that is used; 0: the whole */
  const uint8_t *value[CHECK_ELEMENTS]; /* stores: lane 0's register; NULL:
                                           not known */
  const uint8_t *shared;                /* the block's shared memory */
  struct check_block *owner; /* shared, in a cluster: whose it is; else NULL */
};
/* `runs`: those of a->lanes, as check_loops()->find_runs makes them. */
void check_access(struct check_block *block, const struct check_access *a,
                  const struct check_run *runs, unsigned n_runs);
/* Around check_access and a store to global memory of which `a` knows the
 * values: in between, other workers find the store noted but its values not
 * yet in memory. `a` has the lanes that store to global memory. */
void check_store_begin(struct check_block *block, const struct check_access *a);
void check_store_end(struct check_block *block);
/* The access was made: what it saw may have been released since
 * check_access, by another worker. */
void check_acquired(struct check_block *block, const struct check_access *a);

/* Every thread of the block that lives passed the barrier at `record`. */
void check_block_barrier(struct check_block *block, uint32_t record);
/* Some did: threads that wait know what those that arrive did. `key` is
 * different for each barrier and phase; they belong to block `of`. */
void check_arrive(struct check_block *block, const struct check_block *of,
                  uint32_t warp, uint64_t key);
void check_wait(struct check_block *block, const struct check_block *of,
                uint32_t warp, uint64_t key);
/* Lanes of a warp passed a barrier or shuffle together. */
void check_warp_sync(struct check_block *block, uint32_t warp, uint32_t lanes,
                     bool all);
void check_fence(struct check_block *block, uint32_t warp, bool of_block);

/* The block's time, and whether what warp `of_warp` of block `of` did until its
 * time `clock` is ordered before what `lane` of `warp` does now. For operations
 * that are no accesses of threads. */
uint32_t check_now(const struct check_block *block);
bool check_is_ordered(const struct check_block *block, uint32_t warp,
                      uint32_t lane, const struct check_block *of,
                      uint32_t of_warp, uint32_t clock);

/* A call gives its lanes new local memory; its arguments are written. */
void check_local(struct check_block *block, uint32_t warp, uint32_t lanes,
                 uint64_t offset, uint64_t bytes, bool written);

/* A finding about the instruction that `lane` executes. */
struct check_report {
  enum check check;
  const char *title;
  const char *cause; /* as in finding.h; NULL: the title */
  const char *did;   /* "store of 4 bytes" */
  uint32_t warp, lane, record;
  const char *other_did; /* "a call" of another lane; NULL: there is none */
  uint32_t other_lane, other_record;
  bool has_address;
  enum fault_space space;
  uint64_t address;
};
void check_report(struct check_block *block, const struct check_report *report,
                  const char *detail, ...)
    __attribute__((format(printf, 3, 4)));

/* "store of 4 bytes"; valid until this thread's next call but one. */
const char *check_did(bool loads, bool stores, enum check_kind kind,
                      unsigned bytes);

#endif
