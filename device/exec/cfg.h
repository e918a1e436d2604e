/* Basic blocks of a function and where diverged lanes meet again. */
#ifndef DEVICE_EXEC_CFG_H
#define DEVICE_EXEC_CFG_H

#include "machine.h"

/* Kinds of instruction that end a basic block. */
enum flow {
  FLOW_NONE,
  FLOW_BRANCH,
  FLOW_TABLE,
  FLOW_RETURN,
  FLOW_EXIT,
  FLOW_TRAP,
  FLOW_CALL
};
enum flow flow_of(const struct ptx_instruction *instruction);

/* Fills function->blocks, n_blocks and each block's join. The last block is
 * the function's end: it has no instructions, and `ret` goes there. Returns
 * NULL or what is wrong. */
const char *cfg_build(struct ptx_arena *arena, struct function *function);

/* Block that begins at instruction `index` (a branch target). */
uint32_t cfg_block_at(const struct function *function, size_t index);

/* Index of the instruction that a branch's label names, or -1. */
long cfg_label(const struct ptx_operand *operand);

/* Successors of a block, n at most `capacity`; returns how many. */
unsigned cfg_successors(const struct function *function, uint32_t block,
                        uint32_t *to, unsigned capacity);

#endif
