/* What a program said about ranges of managed memory. Nothing moves here, so
 * it only has to be remembered for those who ask. */
#ifndef DEVICE_CORE_RANGE_FACTS_H
#define DEVICE_CORE_RANGE_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "calls.h"

enum range_fact {
  RANGE_READ_MOSTLY, /* value.id: 1 or 0 */
  RANGE_PREFERRED,
  RANGE_PREFETCHED,
  RANGE_ACCESSED_BY /* + device + 1; + 0 is the host. value.id: 1 or 0 */
};

/* Until something else is said, or the allocation of that serial number ends,
 * the bytes of [start, end) have this value. */
void range_set(uint64_t serial, uint64_t start, uint64_t end, int fact,
               struct cudaMemLocation value);

/* All of [start, end) has `*value`; or false: not all of it has the same. What
 * no call was about has `{0, 0}`. */
bool range_get(uint64_t serial, uint64_t start, uint64_t end, int fact,
               struct cudaMemLocation *value);

#endif
