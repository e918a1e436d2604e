/* One line of `instructions`, {,} expanded. */
#ifndef ARITHMETIC_INSTRUCTION_H
#define ARITHMETIC_INSTRUCTION_H

#include <stdbool.h>
#include <stdio.h>

#include "operands.h"

struct instruction {
  char name[96]; /* opcode, and the constant if there is one */
  char opcode[64];
  char result[16];
  char constant[16];
  size_t n_sources;
  const struct operand_type *sources[SOURCES];
  char part_of_result[8]; /* ".h1" of u32.h1; empty: all of it */
  char parts[SOURCES][8]; /* of the sources */
  bool negated[SOURCES];  /* -s32 */
};

typedef void instruction_function(const struct instruction *, void *context);

/* Calls `each` for each instruction of the file; false after a message. */
bool instructions_read(const char *path, instruction_function *each,
                       void *context);

/* PTX with a kernel `k`: (sources, results, cases). A case has SOURCES words
 * of 64 bits and one for the result. */
void instruction_ptx(const struct instruction *instruction, char *text,
                     size_t size);

/* Approximations: PTX promises a largest error, not the bits. */
bool instruction_is_approximate(const struct instruction *instruction);

/* Hexadecimal digits of a result. */
int instruction_digits(const struct instruction *instruction);

#endif
