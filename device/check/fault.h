/* A launch that must not go on: what happened, where, and by whom. */
#ifndef DEVICE_CHECK_FAULT_H
#define DEVICE_CHECK_FAULT_H

#include <stdint.h>
#include <stdio.h>

#include "../support/source_line.h"

enum fault_kind {
  FAULT_NONE,
  FAULT_OUT_OF_BOUNDS,  /* no live allocation there */
  FAULT_NO_PEER,        /* another device's memory, without peer access */
  FAULT_MISALIGNED,     /* address no multiple of the access size */
  FAULT_ADDRESS_SPACE,  /* shared or local memory, taken for global memory */
  FAULT_READ_ONLY,      /* store to constant memory or parameters */
  FAULT_ASSERT,         /* device-side assert */
  FAULT_TRAP,           /* trap; brkpt */
  FAULT_BARRIER,        /* barrier not reached by all; deadlock */
  FAULT_TIMEOUT,        /* beyond the time that was allowed */
  FAULT_WAITING,        /* no fault: it only waits, perhaps for ever */
  FAULT_ENDLESS,        /* it can never end */
  FAULT_STACK_OVERFLOW, /* recursion deeper than the local memory holds */
  FAULT_TEXTURE,        /* no such object, or outside a surface */
  FAULT_ILLEGAL,        /* an instruction that a GPU refuses to execute so */
  FAULT_ENDED_BLOCK,    /* shared memory of a cluster's block that has ended */
  FAULT_UNSUPPORTED,    /* instruction or modifier the device does not have */
  FAULT_INTERNAL        /* a bug of the software device's own */
};

enum fault_space {
  SPACE_GLOBAL,
  SPACE_SHARED,
  SPACE_LOCAL,
  SPACE_CONSTANT,
  SPACE_PARAMETER,
  SPACE_NONE
};

struct fault {
  enum fault_kind kind;
  const char *kernel; /* mangled name; owned by the program */
  struct source_line source;
  unsigned ptx_line;
  char instruction[128]; /* PTX text of the instruction */
  uint32_t block[3], thread[3];
  enum fault_space space;
  uint64_t address; /* as the program sees it; 0 if none */
  unsigned bytes;   /* of the access */
  int is_store;
  char story[160];  /* what is there, if it is not global; or "" */
  int reported;     /* reported already: by a check that went on */
  char detail[512]; /* anything else worth saying; may be empty */
};

/* Prints the report to stderr: what, kernel (demangled), source line with its
 * text when the file can be read, block, thread, address and the allocation
 * it belongs to or is nearest to. Holds no state. */
void fault_report(const struct fault *fault);
/* The same message to `out`. */
void fault_print(FILE *out, const struct fault *fault);
/* "out of bounds", "a kernel that never ends" … */
const char *fault_title(enum fault_kind kind);

#endif
