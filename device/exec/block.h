/* One thread block while it runs. */
#ifndef DEVICE_EXEC_BLOCK_H
#define DEVICE_EXEC_BLOCK_H

#include "machine.h"

struct block *block_start(struct worker *worker, uint64_t index);
void block_finish(struct worker *worker, struct block *block);

enum block_progress {
  BLOCK_DONE,
  BLOCK_RUNNING, /* waits for other blocks */
  BLOCK_STOPPED  /* the grid was stopped */
};

/* Gives every warp of the block turns until it is done, or until all that
 * its warps do is to wait for somebody else. */
enum block_progress block_run(struct block *block);

void block_free_all(struct worker *worker);

#endif
