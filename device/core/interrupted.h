/* What a program did when a signal interrupted it. */
#ifndef DEVICE_CORE_INTERRUPTED_H
#define DEVICE_CORE_INTERRUPTED_H

#include <stdbool.h>
#include <stdint.h>

struct interrupted {
  const void *pc; /* the instruction; NULL: not known on this processor */
  bool stores;    /* whether its access stores; not known where pc isn't */
};

/* `context` is what the handler of a SIGSEGV gets as its third argument. */
struct interrupted interrupted_by(const void *context);

/* Does this instruction of an arm64 processor (A64) store? Says nothing useful
 * about one that accesses no memory. The encodings are in Arm's Architecture
 * Reference Manual (DDI 0487), C4.1, "Loads and Stores". */
bool interrupted_arm64_stores(uint32_t instruction);

#endif
