/* Paths of a warp: lanes that run together, part at branches and meet again.
 *
 * As on Volta and later, every thread has its own program counter in effect:
 * a path is a set of lanes that are at the same place. At a divergent branch
 * the path splits, and a join at the branch's immediate post-dominator
 * collects its lanes again. A join is only a meeting point for speed: when
 * lanes that spin would wait for ever for lanes that wait in a join, the
 * waiting ones go on alone.
 */
#ifndef DEVICE_EXEC_PATH_H
#define DEVICE_EXEC_PATH_H

#include "machine.h"

/* A new path of the current warp, ready to run at `pc`. */
struct path *path_new(struct warp *w, uint32_t mask, const struct step *pc,
                      struct frame *frame, struct join *join);

/* Makes `path` the one that handlers work on. */
void path_enter(struct warp *w, struct path *path);

/* Splits off the lanes of `taken` to run at `target`; the current path goes
 * on with the others. `at` is where both meet again, or NULL. */
void path_split(struct warp *w, uint32_t taken, const struct step *target,
                const struct step *at);

/* The current path has come to `at`, where a join may be. True when it may
 * go on (w->mask may have grown), false when it now waits: it is gone. */
bool path_join(struct warp *w, const struct step *at);

/* Ends the lanes of `mask` of the current path for good. */
void path_exit(struct warp *w, uint32_t mask);

/* The outermost join in which lanes wait for `path`; NULL when there is
 * none. */
const struct join *path_waiting_join(const struct path *path);

/* Lets lanes that wait in the joins of `path` go on by themselves. */
void path_break_joins(struct warp *w, struct path *path);

/* Where a path waits, at a barrier of the whole block or for lanes of its warp,
 * for some that wait in one of its joins for it in turn: lets the innermost
 * such go on. False when there are none. */
bool path_let_waiters_go(struct warp *w);

/* Nothing can run in the whole block or cluster: lets the first lanes go on
 * that wait in any join. False when none do. */
bool path_let_anyone_go(struct warp *w);

/* Lanes that wait in a join only to end together with others, and others that
 * have returned already and only wait for their turn to end; without the
 * current path's. */
uint32_t path_ending_lanes(const struct warp *w);

/* Frames of device functions. */
struct frame *frame_push(struct warp *w, const struct function *function,
                         uint32_t local_base);
void frame_pop(struct warp *w, uint32_t lanes);
struct frame *frame_new(struct worker *worker, const struct function *function);
void frame_free(struct worker *worker, struct frame *frame);

void warp_paths_free(struct warp *w);

#endif
