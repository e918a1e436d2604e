/* Findings that one mistake has brought about: one missing barrier lets a dozen
 * pairs of lines race. The first of them is told whole and counts as a finding;
 * the others are listed below it, by their lines. Races between lanes wait for
 * the launch's end, because what orders them may not order warps.
 *
 * Findings of one check have one cause if
 * - they have the same title and places, in instances of one template, or in
 *   copies of one function that was inlined in one kernel more than once;
 * - reporters gave them the same `cause` and `object` in one kernel (finding.h);
 * - they are races of one kernel and `cause`, and have a line in common.
 *
 * Private to device/check; finding.c calls it under its lock. */
#ifndef DEVICE_CHECK_CAUSE_H
#define DEVICE_CHECK_CAUSE_H

#include <stddef.h>

#include "finding.h"

struct cause;

struct known {
  struct finding finding; /* the first of its kind; its texts are copies, for
                             their owners may go */
  uint64_t times;
  struct cause *cause;
  bool listed; /* or told whole */
  struct known *next;
};

struct cause {
  struct known *first; /* the one that was told, or will be */
  size_t number;       /* 1, 2, 3 … */
  bool shown;          /* on stderr */
  bool waits;          /* `first` is weak, and not told yet */
  bool grown;          /* not all of it is listed */
  struct cause *next;
};

/* Are these the same place in the source, and were they inlined at the same
 * ones? */
bool same_place(const struct finding_side *a, const struct finding_side *b);
bool same_text(const char *a, const char *b);

/* The cause among `causes` that the finding has, too; NULL: it is a new one.
 * `all`: what is known. */
struct cause *cause_of(struct cause *causes, const struct known *all,
                       const struct finding *finding);

/* Lists what has come to the cause since it was told or listed. */
void cause_list(FILE *out, struct known *all, struct cause *cause);

#endif
