/* A running warp. Its lanes are divided into paths: lanes that are at the same
 * place of the program and execute it together. */
#ifndef DEVICE_EXEC_WARP_STATE_H
#define DEVICE_EXEC_WARP_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "step.h"

struct async_copies;
struct block;
struct cached_range;
struct function;
struct instruction_counts;
struct worker;

/* One activation of a function, shared by all lanes that called together. */
struct frame {
  struct frame *caller;
  const struct function *function;
  const struct step *return_step;
  const struct step *call; /* its call instruction, for arguments */
  uint32_t lanes;          /* still inside */
  uint32_t local_base;     /* where its local variables begin */
  uint32_t gpu_stack;      /* a GPU's frames, this one included; see
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
  PATH_AT_BARRIER,  /* bar.sync and relatives */
  PATH_AT_WARP_SYNC /* bar.warp.sync, shfl, vote, match, redux */
};

/* Some lanes of a warp that are at the same place. */
struct path {
  struct path *next;
  uint32_t mask;
  enum path_state state;
  const struct step *pc; /* where to go on */
  struct frame *frame;
  struct join *join; /* innermost */
  unsigned barrier;  /* PATH_AT_BARRIER: which */
  unsigned spins;    /* turns in a row that it looked at memory */
  bool polled;       /* looked at memory before it was split off */
  /* How long only spinning has been going on around this path. */
  struct {
    unsigned turns;     /* of this path, since something happened */
    unsigned all_turns; /* of this path, ever */
    uint64_t events;    /* of all workers, when `turns` was 0 */
    uint32_t arrived;   /* lanes that have left the loop */
  } quiet;
};

enum special_slots { /* offsets in AREA_SPECIALS, LANES * 4 bytes each */
                     SPECIAL_TID_X,
                     SPECIAL_TID_Y,
                     SPECIAL_TID_Z,
                     SPECIAL_LANEID,
                     SPECIAL_WARPID,
                     SPECIAL_LANEMASK_EQ,
                     SPECIAL_LANEMASK_LE,
                     SPECIAL_LANEMASK_LT,
                     SPECIAL_LANEMASK_GE,
                     SPECIAL_LANEMASK_GT,
                     SPECIAL_SLOTS
};

/* What the lanes of a shuffle, vote or similar bring along, by lane. */
struct inputs {
  uint64_t value[LANES];
  uint32_t lane[LANES], clamp[LANES], members[LANES];
  uint8_t kind[LANES]; /* of instruction: see warp_sync.c */
};

/* Inputs of lanes that wait for other lanes to arrive at such an operation.
 * The value of a lane that isn't present is 0. */
struct warp_inputs {
  struct inputs inputs;
  uint32_t present;
};

struct warp {
  uint8_t *area[4];  /* of the current path */
  uint32_t mask;     /* lanes of the current path */
  int32_t budget;    /* basic blocks until others get their turn */
  struct path *path; /* current; its mask and pc are stale */
  struct instruction_counts *counts; /* the worker's, by record */
  struct cached_range *ranges;       /* the worker's, by record */
  uint8_t *local;                    /* local memory: lane-major */
  uint32_t local_stride;             /* bytes per lane */
  struct block *block;
  struct worker *worker;
  struct path *paths; /* all, the current one among them */
  uint32_t alive;     /* lanes not exited */
  uint32_t index;     /* within the block */
  bool done;
  bool has_stack;             /* alloca was used: `stack` is filled */
  uint32_t stack[LANES];      /* by lane: what alloca has taken begins */
  uint64_t step;              /* of the instruction that runs, if traced */
  bool polled;                /* read or changed memory as a spin would */
  bool parted;                /* lanes went on while others were spinning */
  uint32_t missed;            /* lanes that ended while others waited for
                                 them: reported by a check */
  bool gives_way;             /* ends its turn: control_pause */
  struct async_copies *async; /* cp.async not yet waited for */
  uint32_t at_cluster;        /* lanes between arrive and wait of the
                                    cluster's barrier */
  uint32_t cluster_odd;       /* those of them whose phase is odd */
  _Alignas(LANE_ALIGNMENT) uint32_t specials[SPECIAL_SLOTS][LANES];
  struct warp_inputs waiting; /* see warp_sync.c */
};

#endif
