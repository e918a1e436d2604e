/* The executor's own structures: what a decoded program and a running warp
 * look like. Private to device/exec.
 *
 * A warp's registers are arrays of 32 lanes: uint16_t[32], uint32_t[32] or
 * uint64_t[32]; a predicate is one uint32_t with a bit per lane. Immediate
 * operands are such arrays too, in the function's constants, so that a
 * handler never asks what kind an operand is.
 */
#ifndef DEVICE_EXEC_MACHINE_H
#define DEVICE_EXEC_MACHINE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../memory/memory.h"
#include "../ptx/module.h"
#include "launch.h"

#define LANES 32
#define FULL UINT32_C(0xffffffff)
enum { LANE_ALIGNMENT = 64 };

/* Generic addresses of kernel parameters and of functions. */
#define PARAMETER_WINDOW UINT64_C(0x0300000000000000)
#define FUNCTION_WINDOW  UINT64_C(0x0400000000000000)

struct warp;
struct step;
struct worker;
struct block;
struct grid;
struct check_site;    /* see checked.h; unused without checks */
struct check_launch;
struct checked_block;

/* Where an operand lives: a multiple of 4 within one of a warp's areas,
 * with the area's number in the two low bits. */
typedef uint32_t slot;
enum area { AREA_FRAME, AREA_CONSTANTS, AREA_SPECIALS, AREA_BLOCK };
enum { SLOT_TRUE = 0 }; /* a predicate that always holds, in every frame */

/* Executes one decoded instruction for the active lanes of the current path.
 * Returns the next one, or NULL when the path cannot go on just now. */
typedef const struct step *step_function(struct warp *w, const struct step *s);

struct step {
  step_function *run;
  slot d, a, b, c;
  slot guard;            /* predicate; SLOT_TRUE when unconditional */
  uint32_t guard_invert; /* FULL for @!p */
  uint32_t record;       /* index of its counts in the program */
  uint32_t flags;        /* of the handler's own */
  uint64_t immediate;
  const void *extra;     /* of the handler's own; owned by the program */
};

/* ---- decoded program ---------------------------------------------------- */

struct basic_block {
  uint32_t first, n;     /* PTX instructions */
  uint32_t record;       /* pseudo record: entries are counted once for all */
  int32_t join;          /* immediate post-dominator, -1 when there is none */
  uint32_t step;         /* index of its first step */
};

/* Of the functions that a kernel calls, directly or not; see call_stack.h. */
struct stack_need {
  uint64_t bytes;        /* where each of them is called once at a time */
  uint64_t gpu_bytes;    /* the same of a GPU's frames */
  uint32_t ratio;        /* bytes to a GPU's bytes, at most */
  bool recursive;        /* one may be called again while it runs */
  bool allocates;
};

struct function {
  struct program *program;
  const struct ptx_function *ptx;
  struct step *steps;    /* NULL until decoded */
  size_t n_steps;
  uint32_t frame_bytes;
  uint8_t *constants;
  size_t constant_bytes;
  uint32_t local_bytes;  /* variables, parameters and results of one call */
  uint32_t n_records, first_record;
  uint32_t n_blocks;
  struct basic_block *blocks;
  uint32_t static_shared_bytes;
  uint32_t dynamic_alignment; /* of its dynamic shared memory */
  bool reserves_shared;  /* reads where the system's shared memory lies */
  uint32_t n_callees;
  const struct function **callees; /* those with code that it calls by name */
  bool calls_indirect, is_builtin;
  uint32_t gpu_frame_bytes;  /* see call_stack.h */
  struct stack_need need;    /* of a kernel */
  bool allocates;        /* alloca: its stack is given back at its return */
  step_function **traced; /* by step, see trace.h; NULL without a trace */
  uint32_t index;        /* in program->functions, for its address */
  slot local_base;       /* .func: uint32_t lanes with the frame's base */
};

/* One PTX instruction that may be executed: kept for counts and faults. */
struct record {
  const struct ptx_instruction *ptx; /* NULL for a basic block's entry */
  enum count_class class_;
  bool by_itself;        /* counts itself; otherwise its block's entry does */
  uint32_t block_record; /* the entry that counts it */
  unsigned access_bytes; /* see struct instruction_record */
  struct flops flops;
};

struct kernel {
  struct function *function;
  struct program *program;
  struct kernel *next;
  uint32_t parameter_bytes;
  unsigned n_parameters;
  void *parameters;      /* array of kernel_info's anonymous structs */
  atomic_uint registers; /* estimated when first asked for; 0: not yet */
};

struct program {
  struct ptx_module *module;
  int device;
  size_t n_functions;
  struct function **functions;
  struct kernel *kernels;
  size_t n_records, record_capacity;
  struct record *records;
  struct ptx_arena arena;
  uint32_t common_shared_bytes; /* shared variables of .func and module */
  uint32_t constant_bytes;
  pthread_mutex_t lock;  /* decoding happens at first launch */
  struct check_site *sites; /* by record; NULL without checks */
  bool hidden_writes;    /* some instructions escape the checks */
  atomic_uchar *breaks;  /* by record: lanes that waited there in a join had
                            to go on before */
};

/* ---- running ------------------------------------------------------------ */

/* One activation of a function, shared by all lanes that called together. */
struct frame {
  struct frame *caller;
  const struct function *function;
  const struct step *return_step;
  const struct step *call;       /* its call instruction, for arguments */
  uint32_t lanes;                /* still inside */
  uint32_t local_base;           /* where its local variables begin */
  uint32_t gpu_stack;            /* a GPU's frames, this one included; see
                                    call_stack.h */
  size_t bytes;
  _Alignas(LANE_ALIGNMENT) uint8_t registers[];
};

/* Lanes that were split by a branch meet again at the branch's immediate
 * post-dominator. */
struct join {
  struct join *parent;
  const struct step *at;
  struct frame *frame;
  uint32_t expected, arrived;
};

enum path_state {
  PATH_READY,
  PATH_AT_BARRIER,   /* bar.sync and relatives */
  PATH_AT_WARP_SYNC  /* bar.warp.sync, shfl, vote, match, redux */
};

/* Some lanes of a warp that are at the same place. */
struct path {
  struct path *next;
  uint32_t mask;
  enum path_state state;
  const struct step *pc;         /* where to go on */
  struct frame *frame;
  struct join *join;             /* innermost */
  unsigned barrier;              /* PATH_AT_BARRIER: which */
  unsigned spins;                /* turns in a row that it looked at memory */
  bool polled;                   /* looked at memory before it was split off */
  struct {                       /* since when nothing else has happened: */
    unsigned turns, all_turns;   /* its own turns since then, and ever */
    uint64_t events;             /* the workers', at that time */
    uint32_t arrived;            /* lanes that have left the loop */
  } quiet;
  uint32_t sync_mask;            /* PATH_AT_WARP_SYNC: waits for these */
};

enum special_slots { /* offsets in AREA_SPECIALS, LANES * 4 bytes each */
  SPECIAL_TID_X, SPECIAL_TID_Y, SPECIAL_TID_Z, SPECIAL_LANEID,
  SPECIAL_WARPID, SPECIAL_LANEMASK_EQ, SPECIAL_LANEMASK_LE,
  SPECIAL_LANEMASK_LT, SPECIAL_LANEMASK_GE, SPECIAL_LANEMASK_GT,
  SPECIAL_SLOTS
};
enum block_slots { /* offsets in AREA_BLOCK, LANES * 4 bytes each */
  BLOCK_NTID_X, BLOCK_NTID_Y, BLOCK_NTID_Z,
  BLOCK_CTAID_X, BLOCK_CTAID_Y, BLOCK_CTAID_Z,
  BLOCK_NCTAID_X, BLOCK_NCTAID_Y, BLOCK_NCTAID_Z,
  BLOCK_CLUSTERID_X, BLOCK_CLUSTERID_Y, BLOCK_CLUSTERID_Z,
  BLOCK_NCLUSTERID_X, BLOCK_NCLUSTERID_Y, BLOCK_NCLUSTERID_Z,
  BLOCK_CLUSTER_CTAID_X, BLOCK_CLUSTER_CTAID_Y, BLOCK_CLUSTER_CTAID_Z,
  BLOCK_CLUSTER_NCTAID_X, BLOCK_CLUSTER_NCTAID_Y, BLOCK_CLUSTER_NCTAID_Z,
  BLOCK_CLUSTER_RANK, BLOCK_CLUSTER_SIZE,
  BLOCK_EXPLICIT_CLUSTER, /* a predicate */
  BLOCK_NWARPID, BLOCK_SMID, BLOCK_NSMID, BLOCK_GRIDID,
  BLOCK_TOTAL_SHARED, BLOCK_ALL_SHARED, BLOCK_DYNAMIC_SHARED,
  BLOCK_RESERVED, BLOCK_RESERVED_1, BLOCK_RESERVED_END,
  BLOCK_ENVREG1, BLOCK_ENVREG2,
  BLOCK_DYNAMIC_BASE, BLOCK_DYNAMIC_BASE_WIDE,
  BLOCK_DYNAMIC_BASE_WIDE_HIGH, /* 64-bit lanes take two */
  BLOCK_GRIDID_WIDE, BLOCK_GRIDID_WIDE_HIGH,
  BLOCK_SLOTS
};

struct warp {
  uint8_t *area[4];              /* of the current path */
  uint32_t mask;                 /* lanes of the current path */
  int32_t budget;                /* basic blocks until others get their turn */
  struct path *path;             /* current; its mask and pc are stale */
  struct instruction_counts *counts; /* the worker's, by record */
  struct cached_range *ranges;   /* the worker's, by record */
  uint8_t *local;                /* local memory: lane-major */
  uint32_t local_stride;         /* bytes per lane */
  struct block *block;
  struct worker *worker;
  struct path *paths;            /* all, the current one among them */
  uint32_t alive;                /* lanes not exited */
  uint32_t index;                /* within the block */
  bool done;
  bool has_stack;                /* alloca was used: `stack` is filled */
  uint32_t stack[LANES];         /* by lane: what alloca has taken begins */
  bool polled;                   /* read or changed memory as a spin would */
  bool parted;                   /* lanes went on while others were spinning */
  struct async_copies *async;    /* cp.async not yet waited for */
  uint32_t at_cluster;           /* lanes between arrive and wait of the
                                    cluster's barrier */
  uint32_t cluster_odd;          /* those of them whose phase is odd */
  uint64_t *sync_values;         /* warp sync: inputs by lane, 2 each */
  uint32_t *sync_masks;          /* warp sync: member mask by lane */
  _Alignas(LANE_ALIGNMENT) uint32_t specials[SPECIAL_SLOTS][LANES];
};

/* A path at CLUSTER_BARRIER waits for the cluster: see cluster.h. */
enum { BARRIERS = 16, CLUSTER_BARRIER = BARRIERS };
struct block_barrier {
  uint32_t expected;             /* threads; 0 for all of the block */
  uint32_t arrived;
  uint32_t signalled;            /* bar.arrive */
  uint32_t count_true;           /* bar.red: lanes whose predicate held */
  bool in_use;
};

struct block {
  struct block *next;
  struct grid *grid;
  uint64_t index;                /* x fastest */
  uint32_t id[3];
  uint32_t n_threads, n_warps, n_done;
  uint32_t n_alive;              /* threads not exited */
  uint8_t *shared;
  uint32_t shared_bytes;
  uint8_t *local;
  struct warp *warps;
  uint32_t *order;               /* in which warps take turns */
  struct block_barrier barriers[BARRIERS];
  struct cluster *cluster;       /* NULL: the block is one by itself */
  uint32_t rank;                 /* in it */
  uint32_t cluster_phase;        /* of its barrier; kept by rank 0 */
  uint32_t cluster_arrived;      /* threads, of those not exited */
  bool ended;                    /* before others of the cluster */
  struct checked_block *checked; /* NULL without checks */
  struct {                       /* see endless.h */
    uint64_t state, at;
    uint32_t looks, limit, matches, misses;
    uint64_t quiet;              /* the time that `confirmations` belong to */
    uint32_t confirmations;
    bool repeats;
  } seen;
  _Alignas(LANE_ALIGNMENT) uint32_t values[BLOCK_SLOTS][LANES];
};

/* The last allocation that an instruction touched: most stay in one. */
struct cached_range {
  uint64_t low, high;            /* [low, high) */
  intptr_t offset;               /* from address to where it can be read */
};

/* The last pattern of addresses that an instruction made in shared memory, and
 * what it cost the banks. Any other that lies whole words before or behind it
 * costs the same. Instructions share these entries, by their number. */
struct bank_pattern {
  uint32_t key;                  /* the instruction's number, plus 1 */
  uint32_t mask;
  uint32_t first;                /* lane 0's place in its word */
  uint32_t wavefronts, ideal;
  _Alignas(LANE_ALIGNMENT) uint32_t distance[LANES]; /* from lane 0 */
};
enum { BANK_PATTERNS = 64 };

struct worker {
  struct grid *grid;
  unsigned index;
  pthread_t thread;
  struct instruction_counts *counts;
  uint8_t *classes;              /* by record: count_class + 1 seen at run time */
  struct cached_range *ranges;
  struct bank_pattern *patterns; /* BANK_PATTERNS of them */
  atomic_uint_fast64_t events;   /* turns in which something was done */
  atomic_uint_fast64_t turns;    /* UINT64_MAX: it has ended */
  uint64_t seen_events;          /* of all workers */
  uint64_t *seen_turns;          /* by worker, when `seen_events` was new */
  uint64_t generation;           /* of memory, when `ranges` were filled */
  struct frame *free_frames;
  struct join *free_joins;
  struct path *free_paths;
  struct block *free_blocks;
  bool faulted;
  unsigned rounds_left;          /* of warps, once an assertion failed */
  struct fault fault;
};

struct grid {
  const struct launch *launch;
  struct program *program;
  const struct kernel *kernel;
  const struct function *function;
  uint64_t n_blocks;
  uint64_t n_clusters;           /* what workers take: n_blocks without */
  uint64_t number;               /* of this launch in the process */
  uint32_t local_stride;
  uint32_t most_stack;           /* see call_stack.h; 0: no end */
  uint32_t shared_bytes, static_shared_bytes;
  uint32_t user_shared_bytes;    /* without what the system keeps */
  uint8_t *parameters;           /* own copy */
  uint64_t workspace;            /* device memory of the grid-wide barrier */
  atomic_uint_fast64_t next_block;
  atomic_uint_fast64_t next_request;
  uint64_t n_issued;             /* instructions traced, under the lock */
  atomic_int stopped;            /* a fault: everybody leaves */
  atomic_int asserted;           /* lanes failed an assertion: see fault.h */
  size_t assert_bytes;           /* of text about them, under the lock */
  uint64_t started;              /* see overtime.h; nanoseconds */
  atomic_uint_fast64_t progressed;
  atomic_int waits, told_waiting;
  atomic_int n_residents;        /* blocks, see endless.h */
  _Atomic uint64_t quiet;        /* see endless.c */
  pthread_mutex_t lock;          /* sink, output, heap */
  unsigned n_workers;
  struct worker *workers;
  struct check_launch *check;    /* NULL without checks */
};

/* ---- helpers every handler file uses ------------------------------------ */

static inline void *slot_at(const struct warp *w, slot s)
{
  return w->area[s & 3] + (s & ~UINT32_C(3));
}

static inline uint32_t predicate_at(const struct warp *w, slot s)
{
  return *(const uint32_t *)slot_at(w, s);
}

/* Lanes that execute `s`: the path's, less those whose guard fails. A guarded
 * instruction counts itself, the others are counted by their block's entry. */
static inline uint32_t step_mask(struct warp *w, const struct step *s)
{
  uint32_t mask = w->mask;

  if (s->guard != SLOT_TRUE) {
    struct instruction_counts *counts = &w->counts[s->record];

    mask &= predicate_at(w, s->guard) ^ s->guard_invert;
    counts->warps += mask != 0;
    counts->threads += (unsigned)__builtin_popcount(mask);
  }
  return mask;
}

#endif
