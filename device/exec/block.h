/* One thread block while it runs. */
#ifndef DEVICE_EXEC_BLOCK_H
#define DEVICE_EXEC_BLOCK_H

#include "machine.h"

struct block *block_start(struct worker *worker, uint64_t index);
void block_finish(struct worker *worker, struct block *block);

enum block_progress {
  BLOCK_DONE,
  BLOCK_STOPPED, /* the grid was stopped */
  BLOCK_STUCK,   /* of a cluster: nothing in it could run */
  BLOCK_RUNNING, /* waits for other blocks */
  BLOCK_PAUSED,  /* lets other blocks begin, to be checked against it */
  BLOCK_WAITING  /* of a cluster: ran, and now nothing in it can */
};

/* Gives every warp of the block turns until it is done, or until all that
 * its warps do is wait for others. With checks, a block that looks at memory
 * by atomics and the like pauses early: one worker would otherwise let the
 * first block do all the work of a queue, and no other block would touch what
 * it stored. */
enum block_progress block_run(struct block *block);

/* Nothing can run: of each warp, the first lanes that wait to meet others again
 * go on without them. False when there are none. */
bool block_let_lanes_go(struct block *block);

/* Ends the launch: the block waits for ever. */
void block_deadlock(struct block *block);

void block_free_all(struct worker *worker);

#endif
