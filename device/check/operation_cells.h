/* What operations.c remembers of memory, for host_access.c as well. */
#ifndef DEVICE_CHECK_OPERATION_CELLS_H
#define DEVICE_CHECK_OPERATION_CELLS_H

#include "finding.h"
#include "operations.h"

enum { WRITER, READER, OTHER_READER, CELL_SIDES };

struct op_cell {
  uint32_t id[CELL_SIDES];   /* of operations; with ID_STRONG or not */
  uint32_t site[CELL_SIDES]; /* in the operation's list */
};

/* The number of an operation in a cell has a bit that says "strong". */
enum { ID_STRONG = 1 << 30, ID_MASK = ID_STRONG - 1 };

/* Cells of 4 bytes, or of 1 where a program uses less. */
struct op_page {
  unsigned unit;
  bool is_noted; /* see host_access.c */
  enum { PAGE_OPEN, PAGE_TO_READ, PAGE_CLOSED } host;
  struct op_cell cells[];
};

/* Does the clock say that the operation has ended? */
bool operation_is_known(uint32_t id, const struct op_clock *clock);

enum { OPERATION_TEXT = 256 };
/* What the operation did, in `did`, where, and in which stream. */
void operation_side(uint32_t id, uint32_t site, bool stored,
                    struct finding_side *side, char did[OPERATION_TEXT]);

#endif
