/* Processes that fork. As on a GPU, what a process has of its devices does not
 * go to its children: a child of one that had made a call of CUDA can make
 * none. It must not touch the parent's memory either, not even at its end. */
#ifndef DEVICE_CORE_FORKED_H
#define DEVICE_CORE_FORKED_H

#include <stdbool.h>

#include "../support/exported.h"

/* The process begins to use its devices: children from now on have none. */
void forked_watch(void) EXPORTED(forked_watch);

/* Is this process such a child? Says so on stderr, once, when `reports`. */
bool forked_is(bool reports) EXPORTED(forked_is);

#endif
