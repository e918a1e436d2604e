/* What metadata says of where an instruction comes from. */
#ifndef DEVICE_IR_METADATA_H
#define DEVICE_IR_METADATA_H

#include "module.h"

struct ir_place {
  struct ir_text folder, file;
  uint64_t line, column; /* line 0: not known */
};

/* `debug`: the metadata's number plus one, as instructions have it. */
struct ir_place ir_place_of(const struct ir *ir, uint64_t debug);

#endif
