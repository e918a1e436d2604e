/* PTX instructions into steps. Private to the decode files. */
#ifndef DEVICE_EXEC_DECODE_H
#define DEVICE_EXEC_DECODE_H

#include "../ptx/pattern.h"
#include "control.h"
#include "lanes/handlers.h"
#include "machine.h"

struct constant {
  uint64_t value;
  unsigned bytes;
  uint32_t offset;
};

enum { SEEN_OPCODES = 256 };
struct seen_opcode {
  const char *opcode;
  size_t row; /* of the instruction table */
};

struct decoder {
  struct program *program;
  struct function *function;
  const struct ptx_function *ptx;
  const struct lane_handlers *lanes;
  size_t n_steps, capacity;
  struct step *steps;        /* being built; malloc */
  uint32_t *register_offset; /* in the frame, by register number */
  uint32_t frame_bytes;
  size_t n_constants;
  struct constant *constants; /* malloc */
  uint32_t *constant_table;   /* hash: index + 1 */
  size_t constant_table_size;
  uint32_t constant_bytes;
  struct seen_opcode seen[SEEN_OPCODES]; /* by hash */
  const struct ptx_instruction *instruction;
  struct ptx_match match;
  uint32_t record, block;
  slot stack;        /* its top at the function's entry */
  slot carry;        /* predicate for CC.CF; 0: none yet */
  char problem[160]; /* why an instruction was refused */
};

/* One row of the instruction table that needs a decoder. Returns false, with
 * d->problem filled, when the operands do not fit. */
typedef bool decode_function(struct decoder *d);

bool decode_refuse(struct decoder *d, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends a step for the current instruction, its guard filled in. */
struct step *decode_emit(struct decoder *d, step_function *run);

/* Slot of a source or result of `bytes` (1: a predicate) per lane. */
bool decode_source(struct decoder *d, const struct ptx_operand *operand,
                   unsigned bytes, slot *to);
bool decode_result(struct decoder *d, const struct ptx_operand *operand,
                   unsigned bytes, slot *to);
bool decode_predicate(struct decoder *d, const struct ptx_operand *operand,
                      slot *to, uint32_t *invert);
slot decode_constant(struct decoder *d, uint64_t value, unsigned bytes);
slot decode_temporary(struct decoder *d, unsigned bytes);
unsigned decode_register_bytes(const struct ptx_operand *operand);

/* A named address: value, and whether it counts from the frame's local
 * base (`*local`) or from the block's dynamic shared memory (`*dynamic`). */
struct symbol_address {
  uint64_t value;
  enum access_space space;
  bool local, dynamic, parameter_of_kernel;
};
bool decode_symbol(struct decoder *d, const struct ptx_operand *operand,
                   struct symbol_address *address);

bool decode_operands(struct decoder *d, size_t least, size_t most);

/* Room that lives as long as the program. */
void *decode_keep(struct decoder *d, size_t bytes);

/* `[base + offset]` into s->a, s->immediate, extra->… */
bool decode_address(struct decoder *d, const struct ptx_operand *operand,
                    enum access_space space, struct memory_extra *extra,
                    slot *base, uint64_t *offset);

#define LARGE(name, pattern, decoder, ...) decode_function decode_##decoder;
#include "../ptx/instructions.def"

/* Decodes a function with a body. Problems of single instructions become
 * FAULT_UNSUPPORTED steps; only a broken control flow is an error. */
const char *decode_function_body(struct program *program,
                                 struct function *function);

#endif
