/* The orders of common/rounds.h: each holds every version once, each version
 * follows each other about equally often, both within a round and from one
 * round to the next, and a second run has the same orders.
 *
 * Exit status: 0 all as it should be, 1 not. */
#define _POSIX_C_SOURCE 200809L
#include <stdbool.h>
#include <stdio.h>

#include "common/rounds.h"

enum { VERSIONS = 5, ROUNDS = 4000 };

/* With two versions there is one exchange in a round, or none. */
static bool two_versions_take_turns(void)
{
  rounds r = rounds_start(2);
  int n_first = 0;
  for (int round = 0; round < ROUNDS; round++) {
    int before = r.order[0];
    rounds_shuffle(&r);
    n_first += r.order[0] != before;
  }
  if (n_first > 0.45 * ROUNDS && n_first < 0.55 * ROUNDS)
    return true;
  fprintf(stderr, "rounds: error: two versions changed places in %d of %d\n",
          n_first, ROUNDS);
  return false;
}

static bool seed_is_the_fixed_one(void)
{
  rounds r = rounds_start(VERSIONS);
  random_source expected = random_from_seed(ROUNDS_SEED);
  if (random_bits(&r.source) == random_bits(&expected))
    return true;
  fprintf(stderr, "rounds: error: another seed\n");
  return false;
}

int main(void)
{
  static int follows[VERSIONS][VERSIONS], is_at[VERSIONS][VERSIONS];
  rounds r = rounds_start(VERSIONS), again = rounds_start(VERSIONS);
  int before = -1, n_across = 0, n_faults = 0;
  for (int round = 0; round < ROUNDS; round++) {
    int seen = 0;
    rounds_shuffle(&r);
    rounds_shuffle(&again);
    for (int i = 0; i < VERSIONS; i++) {
      int at = r.order[i];
      if (at < 0 || at >= VERSIONS || again.order[i] != at) {
        fprintf(stderr, "rounds: error: round %d has version %d, then %d\n",
                round, at, again.order[i]);
        return 1;
      }
      seen |= 1 << at;
      is_at[at][i]++;
      if (before >= 0 && before != at)
        follows[before][at]++;
      n_across += i == 0 && before == at;
      before = at;
    }
    if (seen != (1 << VERSIONS) - 1) {
      fprintf(stderr, "rounds: error: round %d lacks a version\n", round);
      return 1;
    }
  }
  /* One round in five has a version at a given place. A given other version
   * follows it within one round in five, and across the seam of two rounds
   * in one of 25. At one seam in five, a version follows itself. */
  for (int a = 0; a < VERSIONS; a++)
    for (int b = 0; b < VERSIONS; b++) {
      int wanted = ROUNDS / VERSIONS;
      int pairs = wanted + ROUNDS / (VERSIONS * VERSIONS);
      if (is_at[a][b] < 0.9 * wanted || is_at[a][b] > 1.1 * wanted) {
        fprintf(stderr,
                "rounds: error: version %d is at place %d in %d of %d "
                "rounds\n",
                a, b, is_at[a][b], ROUNDS);
        n_faults++;
      }
      if (a != b &&
          (follows[a][b] < 0.9 * pairs || follows[a][b] > 1.1 * pairs)) {
        fprintf(stderr,
                "rounds: error: version %d follows %d in %d of %d "
                "rounds\n",
                b, a, follows[a][b], ROUNDS);
        n_faults++;
      }
    }
  if (n_across < 0.9 * ROUNDS / VERSIONS ||
      n_across > 1.1 * ROUNDS / VERSIONS) {
    fprintf(stderr,
            "rounds: error: %d of %d rounds begin with the version "
            "that the last one ended with\n",
            n_across, ROUNDS);
    n_faults++;
  }
  n_faults += !two_versions_take_turns() + !seed_is_the_fixed_one();
  /* A single version, and none. */
  rounds one = rounds_start(1), none = rounds_start(0);
  rounds_shuffle(&one);
  rounds_shuffle(&none);
  return n_faults > 0 || one.order[0] != 0;
}
