/* Registers to and from vectors: mov.b64 d, {a, b} (PTX ISA 9.7.9.2). */
#ifndef DEVICE_EXEC_PACK_H
#define DEVICE_EXEC_PACK_H

#include "machine.h"

struct pack_extra {
  unsigned n, bytes; /* parts, bytes of each */
  unsigned stride;   /* bytes of a part's register: 2 for one byte */
  slot parts[8];
};
step_function pack_join, pack_split;
step_function pack_activemask, pack_move_wide;

#endif
