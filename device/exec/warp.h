/* One warp's turns. */
#ifndef DEVICE_EXEC_WARP_H
#define DEVICE_EXEC_WARP_H

#include "machine.h"

/* Once per warp structure: what no block changes. */
void warp_prepare(struct warp *w, struct block *block, struct worker *worker,
                  uint32_t index);
void warp_release(struct warp *w);

/* At the start of each block. */
void warp_start(struct warp *w);

enum turn {
  TURN_NONE,   /* no path could run */
  TURN_WAITED, /* paths ran, but only looked whether something had changed */
  TURN_RAN,
  TURN_STOPPED /* the grid was stopped */
};

/* Runs the warp's paths until all wait or have had a turn. */
enum turn warp_turn(struct warp *w);

#endif
