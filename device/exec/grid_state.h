/* What runs around a warp: its block, the worker thread that executes the
 * block, and the grid whose blocks the workers share. */
#ifndef DEVICE_EXEC_GRID_STATE_H
#define DEVICE_EXEC_GRID_STATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../check/fault.h"
#include "step.h"

struct check_launch; /* see ../check/hooks.h */
struct checked_block;
struct cluster;
struct frame;
struct instruction_counts;
struct join;
struct kernel;
struct launch;
struct path;
struct program;
struct warp;

enum block_slots { /* offsets in AREA_BLOCK, LANES * 4 bytes each */
                   BLOCK_NTID_X,
                   BLOCK_NTID_Y,
                   BLOCK_NTID_Z,
                   BLOCK_CTAID_X,
                   BLOCK_CTAID_Y,
                   BLOCK_CTAID_Z,
                   BLOCK_NCTAID_X,
                   BLOCK_NCTAID_Y,
                   BLOCK_NCTAID_Z,
                   BLOCK_CLUSTERID_X,
                   BLOCK_CLUSTERID_Y,
                   BLOCK_CLUSTERID_Z,
                   BLOCK_NCLUSTERID_X,
                   BLOCK_NCLUSTERID_Y,
                   BLOCK_NCLUSTERID_Z,
                   BLOCK_CLUSTER_CTAID_X,
                   BLOCK_CLUSTER_CTAID_Y,
                   BLOCK_CLUSTER_CTAID_Z,
                   BLOCK_CLUSTER_NCTAID_X,
                   BLOCK_CLUSTER_NCTAID_Y,
                   BLOCK_CLUSTER_NCTAID_Z,
                   BLOCK_CLUSTER_RANK,
                   BLOCK_CLUSTER_SIZE,
                   BLOCK_EXPLICIT_CLUSTER, /* a predicate */
                   BLOCK_NWARPID,
                   BLOCK_SMID,
                   BLOCK_NSMID,
                   BLOCK_GRIDID,
                   BLOCK_TOTAL_SHARED,
                   BLOCK_ALL_SHARED,
                   BLOCK_DYNAMIC_SHARED,
                   BLOCK_RESERVED,
                   BLOCK_RESERVED_1,
                   BLOCK_RESERVED_END,
                   BLOCK_ENVREG1,
                   BLOCK_ENVREG2,
                   BLOCK_DYNAMIC_BASE,
                   BLOCK_DYNAMIC_BASE_WIDE,
                   BLOCK_DYNAMIC_BASE_WIDE_HIGH, /* 64-bit lanes take two */
                   BLOCK_GRIDID_WIDE,
                   BLOCK_GRIDID_WIDE_HIGH,
                   BLOCK_GRAPH_EXEC,
                   BLOCK_GRAPH_EXEC_HIGH,
                   BLOCK_SLOTS
};

/* A path at CLUSTER_BARRIER waits for the cluster: see cluster.h; one at
 * WARPGROUP_BARRIER for the other warps of its warpgroup: see wgmma.h. */
enum { BARRIERS = 16, CLUSTER_BARRIER = BARRIERS, WARPGROUP_BARRIER };
/* Four warps side by side; a block has up to 32 warps. */
enum { WARPGROUP = 4, WARPGROUPS = 8 };
struct warpgroup {
  const struct step *at; /* the wgmma that some warps have come to */
  uint32_t arrived;      /* a bit for each */
};
struct block_barrier {
  uint32_t expected; /* threads; 0 for all of the block */
  uint32_t arrived;
  uint32_t signalled;  /* bar.arrive */
  uint32_t count_true; /* bar.red: lanes whose predicate held */
  bool in_use;
};

struct block {
  struct block *next;
  struct grid *grid;
  uint64_t index; /* x fastest */
  uint32_t id[3];
  uint32_t n_threads, n_warps, n_done;
  uint32_t n_alive; /* threads not exited */
  uint8_t *shared;
  uint32_t shared_bytes;
  uint8_t *local;
  struct warp *warps;
  uint32_t *order; /* in which warps take turns */
  struct block_barrier barriers[BARRIERS];
  struct warpgroup warpgroups[WARPGROUPS];
  struct cluster *cluster;       /* NULL: the block is one by itself */
  uint32_t rank;                 /* in it */
  uint32_t cluster_phase;        /* of its barrier; kept by rank 0 */
  uint32_t cluster_arrived;      /* threads, of those not exited */
  bool ended;                    /* before others of the cluster */
  struct checked_block *checked; /* NULL without checks */
  bool looked;                   /* at memory, since it last began to run */
  struct {                       /* see endless.h */
    uint64_t state, at;
    uint32_t looks, limit, matches, misses;
    uint64_t quiet; /* the time that `confirmations` belong to */
    uint32_t confirmations;
    bool repeats;
  } seen;
  _Alignas(LANE_ALIGNMENT) uint32_t values[BLOCK_SLOTS][LANES];
};

/* The last allocation that an instruction touched: most stay in one. */
struct cached_range {
  uint64_t low, high; /* [low, high) */
  intptr_t offset;    /* from address to where it can be read */
};

/* The last pattern of addresses that an instruction made in shared memory, and
 * all that follows from it: what it costs the banks, and which lanes are
 * neighbours. Any other that is whole accesses away from it is the same.
 * Instructions share these entries, by their number. */
struct bank_pattern {
  uint32_t mask;
  uint32_t bytes;    /* per lane; 0: no pattern yet */
  uint32_t first;    /* lane 0's address */
  int32_t low, high; /* least and greatest distance */
  uint32_t wavefronts, ideal;
  uint8_t kind, uniform, contiguous, half[2];        /* see lanes/access.h */
  _Alignas(LANE_ALIGNMENT) uint32_t distance[LANES]; /* from lane 0 */
};
enum { BANK_PATTERNS = 64 };

/* For the last mask that was asked about, by lane: itself, or the active one
 * before it; see lanes/memory.c. */
struct filling {
  uint32_t mask;
  uint32_t before[LANES];
};

/* Allocations that several instructions look for. */
enum { RECENT_RANGES = 8 };

struct worker {
  struct grid *grid;
  unsigned index;
  pthread_t thread;
  struct instruction_counts *counts;
  uint8_t *classes; /* by record: count_class + 1 seen at run time */
  struct cached_range *ranges;
  struct bank_pattern *patterns; /* BANK_PATTERNS of them */
  atomic_uint_fast64_t events;   /* turns in which something was done */
  atomic_uint_fast64_t turns;    /* UINT64_MAX: it has ended */
  uint64_t seen_events;          /* of all workers */
  uint64_t *seen_turns;          /* by worker, when `seen_events` was new */
  uint64_t generation;           /* of memory, when `ranges` were filled */
  struct cached_range recent[RECENT_RANGES];
  uint64_t recent_generation;
  unsigned n_recent; /* ever */
  struct filling filling;
  struct frame *free_frames;
  struct join *free_joins;
  struct path *free_paths;
  struct block *free_blocks;
  bool faulted;
  unsigned rounds_left; /* of warps, once an assertion failed */
  struct fault fault;
};

struct grid {
  const struct launch *launch;
  struct program *program;
  const struct kernel *kernel;
  const struct function *function;
  uint64_t n_blocks;
  uint64_t n_clusters; /* what workers take: n_blocks without */
  uint64_t number;     /* of this launch in the process */
  uint32_t local_stride;
  uint32_t most_stack; /* see call_stack.h; 0: no end */
  uint32_t shared_bytes, static_shared_bytes;
  uint32_t user_shared_bytes; /* without what the system keeps */
  uint8_t *parameters;        /* own copy */
  uint64_t workspace;         /* device memory of the grid-wide barrier */
  atomic_uint_fast64_t next_block;
  atomic_uint_fast64_t next_request;
  uint64_t n_issued;   /* instructions numbered, under the lock */
  atomic_int stopped;  /* a fault: all workers leave */
  atomic_int asserted; /* lanes failed an assertion: see fault.h */
  size_t assert_bytes; /* of text about them, under the lock */
  uint64_t started;    /* see overtime.h; nanoseconds */
  atomic_uint_fast64_t progressed;
  atomic_int waits, reported_waiting;
  atomic_int n_residents; /* blocks, see endless.h */
  _Atomic uint64_t quiet; /* see endless.c */
  pthread_mutex_t lock;   /* sink, output, heap */
  unsigned n_workers;
  struct worker *workers;
  struct check_launch *check; /* NULL without checks */
};

#endif
