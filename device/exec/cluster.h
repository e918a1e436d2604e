/* Clusters: blocks that run together, meet at a barrier of their own and
 * reach each other's shared memory (PTX ISA 2.2.2, 5.1.4, 9.7.13.4).
 *
 * One worker runs all blocks of a cluster, in turns, so that what they share
 * needs no locks. An address of shared memory counts from the block's own
 * first byte; `mapa` puts the rank of another block, plus one, into the bits
 * from CLUSTER_RANK_SHIFT on. */
#ifndef DEVICE_EXEC_CLUSTER_H
#define DEVICE_EXEC_CLUSTER_H

#include "block.h"
#include "lanes/access.h"

enum { CLUSTER_RANK_SHIFT = 24, CLUSTER_RANK_BITS = 8 };

struct cluster {
  uint32_t n, n_ended;
  struct block *blocks[]; /* by rank */
};

/* Starts the blocks of cluster `number`, x fastest; the one of rank 0. */
struct block *cluster_start(struct worker *worker, uint64_t number);
enum block_progress cluster_run(struct cluster *cluster);
void cluster_finish(struct worker *worker, struct cluster *cluster);

/* Lanes of `w` have exited: the barrier no longer waits for them. */
void cluster_lanes_left(struct warp *w, uint32_t lanes);

/* barrier.cluster.arrive and .wait */
step_function cluster_arrive, cluster_wait;

/* The block whose shared memory `address` (without its window) lies in, with
 * the offset there; NULL when it names no block of the cluster, or one that
 * has ended. */
struct block *cluster_owner(const struct block *block, uint64_t address,
                            uint64_t *offset);

/* The same of a block that has ended, else NULL. What others still store there
 * is lost, as on a GPU: its memory stays until the whole cluster has ended,
 * and none of its threads is left to look. */
struct block *cluster_ended_owner(const struct block *block, uint64_t address,
                                  uint64_t *offset);

/* The address in the shared memory of the block of rank `rank`, of what lies
 * at `address` in the own. */
uint64_t cluster_map(const struct block *block, uint64_t address,
                     uint32_t rank);

/* Resolves a request for shared memory in which some lanes ask for another
 * block's. False after a fault. */
bool cluster_resolve(struct warp *w, const struct step *s, struct request *r);

/* Ends the launch: lane `lane` asks for `bytes` at `address`, where no block
 * of the cluster has them. */
void cluster_fault(struct warp *w, const struct step *s, unsigned lane,
                   uint64_t address, unsigned bytes, bool is_store);

/* mapa and getctarank; flags: bytes of an address */
step_function cluster_mapa, cluster_rank_of;

#endif
