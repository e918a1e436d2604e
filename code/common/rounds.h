/* Versions that are timed in rounds, each round in another order.
 *
 *   rounds r = rounds_start(n_versions);
 *   for (int round = 0; round < n_rounds; round++) {
 *     rounds_shuffle(&r);
 *     for (int i = 0; i < n_versions; i++)
 *       measure(r.order[i], round);
 *   }
 *
 * A launch leaves the GPU warm, its clock lowered and its cache filled, and
 * the next one starts with that. If every round had the same order, each
 * version would be measured with what one and the same neighbour left. The
 * seed is fixed, so that two runs differ by what they measure and not by
 * their orders. */
#ifndef CODE_COMMON_ROUNDS_H
#define CODE_COMMON_ROUNDS_H

#include "common/random.h"

enum { ROUNDS_MOST_VERSIONS = 32, ROUNDS_SEED = 1 };

typedef struct {
  int n_versions;
  int order[ROUNDS_MOST_VERSIONS];
  random_source source;
} rounds;

static inline rounds rounds_start(int n_versions)
{
  rounds r;
  r.n_versions = n_versions;
  for (int i = 0; i < n_versions; i++)
    r.order[i] = i;
  r.source = random_from_seed(ROUNDS_SEED);
  return r;
}

/* All orders are equally likely: the last place gets one of all versions, the
 * place before it one of those that are left, and so on. */
static inline void rounds_shuffle(rounds *r)
{
  for (int last = r->n_versions - 1; last > 0; last--) {
    int at = (int)random_below(&r->source, (uint64_t)last + 1);
    int chosen = r->order[at];
    r->order[at] = r->order[last];
    r->order[last] = chosen;
  }
}

#endif
