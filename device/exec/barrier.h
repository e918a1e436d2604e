/* Waiting for one another: block-wide barriers and warp-level
 * synchronisation (PTX ISA 9.7.13). */
#ifndef DEVICE_EXEC_BARRIER_H
#define DEVICE_EXEC_BARRIER_H

#include "machine.h"

enum barrier_kind {
  BARRIER_SYNC,
  BARRIER_ARRIVE,
  BARRIER_POPC,
  BARRIER_AND,
  BARRIER_OR
};
struct barrier_extra {
  enum barrier_kind kind;
  bool has_count;
  bool aligned;   /* all lanes of a warp execute the same one */
  slot id, count; /* uint32_t lanes */
  slot predicate;
  uint32_t invert;
};
step_function barrier_block;

/* Threads have exited: a barrier that waits for all may be complete now. */
void barrier_lanes_left(struct block *block);

/* Lanes of the warp that `path`, which waits at a barrier, cannot do without:
 * they have not ended and are not there. None when the barrier counts threads,
 * as others may come in their place. */
uint32_t barrier_missing(const struct warp *w, const struct path *path);

/* Of a block in which nothing can run: why, and which threads wait where. */
const char *barrier_cause(const struct block *block);
void barrier_describe(const struct block *block, char *text, size_t bytes);

/* Warp-level operations take their inputs from all lanes of the member mask
 * at once, whatever paths those are on. */
enum warp_op {
  WARP_SYNC,
  WARP_SHUFFLE,
  WARP_VOTE,
  WARP_MATCH,
  WARP_REDUCE,
  WARP_ELECT
};
enum warp_variant {
  SHUFFLE_UP,
  SHUFFLE_DOWN,
  SHUFFLE_BFLY,
  SHUFFLE_IDX,
  VOTE_ALL,
  VOTE_ANY,
  VOTE_UNI,
  VOTE_BALLOT,
  MATCH_ANY,
  MATCH_ALL,
  REDUCE_ADD_U,
  REDUCE_MIN_U,
  REDUCE_MAX_U,
  REDUCE_MIN_S,
  REDUCE_MAX_S,
  REDUCE_AND,
  REDUCE_OR,
  REDUCE_XOR,
  WARP_VARIANTS
};
struct warp_extra {
  enum warp_op op;
  enum warp_variant variant;
  unsigned bytes;        /* of the value: 4 or 8; 0 for a predicate */
  bool has_members;      /* false: the old forms without .sync */
  bool constant_members; /* known when the program was compiled */
  slot members;          /* uint32_t lanes: member mask */
  slot value;            /* or predicate */
  uint32_t invert;       /* of the predicate */
  slot lane, clamp;      /* shuffle: b and c */
  slot result;           /* value, or mask */
  bool has_result, has_predicate;
  slot predicate;        /* second result */
  bool predicate_result; /* vote: the result is a predicate */
};
step_function warp_operation;

/* Where `lane` takes its value from in a shuffle: from itself if the lane that it
 * wants is out of its segment. */
unsigned warp_shuffle_source(const struct warp *w,
                             const struct warp_extra *shuffle, unsigned lane);
void warp_sync_lanes_left(struct warp *w);

/* Lanes that a path which waits in such an operation has to meet there, and
 * that have not come. */
uint32_t warp_sync_missing(const struct warp *w, const struct path *path);

/* Some lanes of a path have met all lanes that their masks name, others have
 * not: lets the former go on alone. False when there is no such path. */
bool warp_sync_divide(struct warp *w);

/* Why a path waits though all lanes that it has to meet have come; NULL: some
 * have not. */
const char *warp_sync_cause(const struct warp *w, const struct path *path);

/* The member masks of a path that waits, of one lane and of one whose mask is
 * another: the same twice if there is none. */
void warp_sync_masks(const struct warp *w, const struct path *path,
                     uint32_t masks[2]);

#endif
