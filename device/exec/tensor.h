/* Bulk copies of boxes of tensors, cp.async.bulk.tensor and its relatives, as
 * far as a tiled tensor map describes them (PTX ISA 5.5, 9.7.9.27). Like other
 * bulk copies they are done when they are issued. */
#ifndef DEVICE_EXEC_TENSOR_H
#define DEVICE_EXEC_TENSOR_H

#include "../texture/tensor_map.h"
#include "bulk.h"

struct tensor_extra {
  struct bulk_extra bulk; /* the side in shared memory, the barrier */
  bool loads;             /* from global memory */
  slot map;               /* generic address of the tensor map */
  unsigned rank;
  slot coordinates[TENSOR_RANK]; /* innermost first */
};
step_function tensor_copy;

#endif
