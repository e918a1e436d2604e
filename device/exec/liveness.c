/* A backward data-flow analysis over basic blocks, with sets of registers as
 * bits. */
#include "liveness.h"

#include <stdlib.h>
#include <string.h>

#include "../ptx/pattern.h"
#include "../support/host_memory.h"
#include "cfg.h"

enum { ALWAYS = 4, MOST = 255 }; /* stack pointer, addresses of constants */

/* A multiprocessor has four parts, each with this many registers per lane, and
 * a warp gets a multiple of eight. */
enum { PARTS = 4, PART_REGISTERS = 512, STEP = 8 };

struct liveness {
  const struct function *function;
  size_t words;  /* of one set */
  uint64_t *in;  /* by block: alive at its entry */
  uint64_t *now; /* alive where we are */
  uint32_t *successors;
};

static void add_register(uint64_t *set, unsigned reg)
{
  set[reg / 64] |= UINT64_C(1) << reg % 64;
}

static void take_away(uint64_t *set, unsigned reg)
{
  set[reg / 64] &= ~(UINT64_C(1) << reg % 64);
}

static void add_uses(uint64_t *set, const struct ptx_operand *operand)
{
  if (operand->kind == OPERAND_REGISTER)
    add_register(set, operand->reg);
  if (operand->base != NULL)
    add_uses(set, operand->base);
  for (size_t i = 0; i < operand->n_items; i++)
    add_uses(set, &operand->items[i]);
}

static void kill_results(uint64_t *set, const struct ptx_operand *operand)
{
  if (operand->kind == OPERAND_REGISTER)
    take_away(set, operand->reg);
  if (operand->second != NULL)
    kill_results(set, operand->second);
  for (size_t i = 0; i < operand->n_items; i++)
    kill_results(set, &operand->items[i]);
}

/* Instructions whose first operand is a source. */
static bool has_result(const struct ptx_instruction *instruction)
{
  static const char *const without[] = { "st",      "red",      "bra",
                                         "brx",     "call",     "bar",
                                         "barrier", "prefetch", "nanosleep",
                                         "trap",    "membar",   "fence" };
  size_t stem = ptx_stem(instruction->opcode);

  if (instruction->n_operands == 0 ||
      instruction->operands[0].kind == OPERAND_ADDRESS)
    return false;
  for (size_t i = 0; i < sizeof without / sizeof *without; i++)
    if (strncmp(without[i], instruction->opcode, stem) == 0 &&
        without[i][stem] == '\0')
      return strstr(instruction->opcode, ".red.") != NULL;
  return true;
}

/* From after the instruction to before it. */
static void step_back(uint64_t *set, const struct ptx_instruction *instruction)
{
  bool result = has_result(instruction);

  if (result && instruction->guard == NULL)
    kill_results(set, &instruction->operands[0]);
  for (size_t i = result; i < instruction->n_operands; i++)
    add_uses(set, &instruction->operands[i]);
  if (instruction->guard != NULL)
    add_uses(set, instruction->guard);
}

static void enter_end(struct liveness *l, uint32_t block)
{
  unsigned n = cfg_successors(l->function, block, l->successors,
                              l->function->n_blocks + 2);

  memset(l->now, 0, l->words * sizeof *l->now);
  for (unsigned i = 0; i < n; i++)
    for (size_t k = 0; k < l->words; k++)
      l->now[k] |= l->in[l->successors[i] * l->words + k];
}

static bool pass(struct liveness *l)
{
  const struct function *function = l->function;
  bool changed = false;

  for (uint32_t b = function->n_blocks; b-- > 0;) {
    const struct basic_block *block = &function->blocks[b];
    uint64_t *in = l->in + b * l->words;

    enter_end(l, b);
    for (uint32_t i = block->first + block->n; i-- > block->first;)
      step_back(l->now, &function->ptx->instructions[i]);
    changed |= memcmp(in, l->now, l->words * sizeof *in) != 0;
    memcpy(in, l->now, l->words * sizeof *in);
  }
  return changed;
}

static uint32_t weight(const struct liveness *l)
{
  uint32_t total = 0;

  for (size_t k = 0; k < l->words; k++)
    for (uint64_t left = l->now[k]; left != 0; left &= left - 1) {
      size_t reg = 64 * k + (size_t)__builtin_ctzll(left);
      enum ptx_type type = l->function->ptx->register_of[reg]->type;

      if (type != TYPE_PRED)
        total += (ptx_type_bytes(type) + 3) / 4;
    }
  return total;
}

static uint32_t most_alive(struct liveness *l)
{
  uint32_t most = 0;

  for (uint32_t b = 0; b < l->function->n_blocks; b++) {
    const struct basic_block *block = &l->function->blocks[b];

    enter_end(l, b);
    for (uint32_t i = block->first + block->n; i-- > block->first;) {
      uint32_t here;

      step_back(l->now, &l->function->ptx->instructions[i]);
      here = weight(l);
      most = here > most ? here : most;
    }
  }
  return most;
}

/* If a kernel says how large its blocks are, and how many of them should be
 * resident, ptxas keeps to what fits: it would rather spill than compile a
 * kernel that cannot be launched. */
static uint32_t most_allotted(const struct ptx_function *ptx)
{
  const unsigned *threads = ptx->max_threads;
  unsigned blocks = ptx->min_blocks == 0 ? 1 : ptx->min_blocks;
  unsigned warps = (threads[0] * threads[1] * threads[2] + 31) / 32 * blocks;
  unsigned per_part = (warps + PARTS - 1) / PARTS;
  unsigned most =
      per_part == 0 ? MOST : PART_REGISTERS / per_part / STEP * STEP;

  if (ptx->max_registers > 0 && ptx->max_registers < most)
    most = ptx->max_registers;
  return most > MOST ? MOST : most;
}

uint32_t liveness_registers(const struct function *function)
{
  struct liveness l = { .function = function };
  uint32_t limit = most_allotted(function->ptx), most;

  l.words = function->ptx->n_registers / 64 + 1;
  l.in = host_new(function->n_blocks * l.words, sizeof *l.in);
  l.now = host_new(l.words, sizeof *l.now);
  l.successors = host_new(function->n_blocks + 2, sizeof *l.successors);
  while (pass(&l))
    continue;
  most = most_alive(&l) + ALWAYS;
  free(l.in);
  free(l.now);
  free(l.successors);
  return most > limit ? limit : most;
}
