/* PTX has as many registers as the compiler likes, and most of them are written
 * once and read once. A frame with a place for each would be far larger than
 * the processor's nearest cache, and clearing it could take longer than the
 * kernel's own work. So registers share places, chosen by a linear scan.
 *
 * Instructions are numbered in the order of the text, from 1. A register's
 * *range* goes from the first number at which it is mentioned or alive to the
 * last one. Registers whose ranges have no number in common can share a place.
 * Everything that an instruction mentions is in range at its number, so a
 * result never overwrites a source.
 *
 * Each lane has its own part of every register and goes its own way through the
 * function, so it is enough that this holds for each lane by itself. A write
 * under a guard leaves the old value in some lanes: it counts as a use. So does
 * everything that isn't known to write the whole of its first operand, which
 * costs space but is never wrong. */
#include "registers.h"

#include <stdlib.h>
#include <string.h>

#include "../ptx/pattern.h"
#include "../support/host_memory.h"
#include "cfg.h"

enum { NONE = UINT32_MAX };
enum { SIZES = 5 }; /* predicates; 2, 4, 8 and 16 bytes */

struct range {
  uint32_t first, last; /* first > last: never mentioned */
};

struct sharing {
  const struct function *function;
  uint32_t n_registers, n_positions;
  struct range *ranges; /* by register */
  /* Registers that may be alive between blocks have numbers: few have. */
  uint32_t *number, *with_number, n_numbers;
  uint32_t *last_block; /* by register: where it was mentioned last */
  size_t words;         /* of a set of numbers */
  uint64_t *needs;      /* by block: what it reads before writing it, */
  uint64_t *kills;      /* what it writes in any case, */
  uint64_t *in;         /* what is alive at its entry */
  uint64_t *now;
  uint32_t *successors;
};

/* ---- what an instruction mentions ---------------------------------------- */

/* Opcodes that write every active lane of their whole first operand, and read
 * nothing of it. */
static bool is_complete(const char *opcode)
{
  static const char *const stems[] = {
    "abs",      "activemask", "add",   "addc",  "and",   "atom",     "bfe",
    "bfi",      "bfind",      "brev",  "clz",   "cnot",  "copysign", "cos",
    "cvt",      "cvta",       "div",   "dp2a",  "dp4a",  "ex2",      "fma",
    "isspacep", "ld",         "ldu",   "lg2",   "lop3",  "mad",      "mad24",
    "madc",     "mapa",       "match", "max",   "min",   "mma",      "mov",
    "mul",      "mul24",      "neg",   "not",   "or",    "popc",     "prmt",
    "rcp",      "redux",      "rem",   "rsqrt", "sad",   "selp",     "set",
    "setp",     "shf",        "shfl",  "shl",   "shr",   "sin",      "slct",
    "sqrt",     "sub",        "subc",  "tanh",  "testp", "vote",     "xor",
    "ldmatrix", "tex",        "wmma",
  };
  size_t length = ptx_stem(opcode);

  for (size_t i = 0; i < sizeof stems / sizeof *stems; i++)
    if (stems[i][0] == opcode[0] && strncmp(stems[i], opcode, length) == 0 &&
        stems[i][length] == '\0')
      return true;
  return false;
}

typedef void mention(struct sharing *s, uint32_t at, uint32_t block,
                     unsigned reg, bool complete);

static void mention_operand(struct sharing *s, uint32_t at, uint32_t block,
                            const struct ptx_operand *operand, bool complete,
                            mention *see)
{
  if (operand->kind == OPERAND_REGISTER)
    see(s, at, block, operand->reg, complete && operand->selector == NULL);
  if (operand->base != NULL)
    mention_operand(s, at, block, operand->base, false, see);
  if (operand->second != NULL)
    mention_operand(s, at, block, operand->second, complete, see);
  for (size_t i = 0; i < operand->n_items; i++)
    mention_operand(s, at, block, &operand->items[i], complete, see);
}

/* Sources first: a register that is both has to hold a value before. */
static void mention_all(struct sharing *s, uint32_t at, uint32_t block,
                        mention *see)
{
  const struct ptx_instruction *p = &s->function->ptx->instructions[at - 1];
  bool complete =
      p->n_operands > 0 && p->guard == NULL && is_complete(p->opcode);

  if (p->guard != NULL)
    mention_operand(s, at, block, p->guard, false, see);
  for (size_t i = complete; i < p->n_operands; i++)
    mention_operand(s, at, block, &p->operands[i], false, see);
  if (complete)
    mention_operand(s, at, block, &p->operands[0], true, see);
}

static void mention_blocks(struct sharing *s, mention *see)
{
  for (uint32_t b = 0; b < s->function->n_blocks; b++) {
    const struct basic_block *block = &s->function->blocks[b];

    for (uint32_t i = block->first; i < block->first + block->n; i++)
      mention_all(s, i + 1, b, see);
  }
}

/* ---- ranges --------------------------------------------------------------- */

static void widen(struct range *range, uint32_t at)
{
  range->first = at < range->first ? at : range->first;
  range->last = at > range->last ? at : range->last;
}

static void see_first(struct sharing *s, uint32_t at, uint32_t block,
                      unsigned reg, bool complete)
{
  widen(&s->ranges[reg], at);
  if (s->last_block[reg] == block)
    return;
  if (s->number[reg] == NONE && (!complete || s->last_block[reg] != NONE)) {
    s->with_number[s->n_numbers] = reg;
    s->number[reg] = s->n_numbers++;
  }
  s->last_block[reg] = block;
}

static void see_again(struct sharing *s, uint32_t at, uint32_t block,
                      unsigned reg, bool complete)
{
  uint32_t n = s->number[reg];
  size_t word = block * s->words + n / 64;
  uint64_t bit = UINT64_C(1) << n % 64;

  (void)at;
  if (n == NONE)
    return;
  if (complete)
    s->kills[word] |= bit;
  else if (!(s->kills[word] & bit))
    s->needs[word] |= bit;
}

/* What is alive at the end of `block`, in s->now. */
static void find_out(struct sharing *s, uint32_t block)
{
  unsigned n = cfg_successors(s->function, block, s->successors,
                              s->function->n_blocks + 2);

  memset(s->now, 0, s->words * sizeof *s->now);
  for (unsigned i = 0; i < n; i++)
    for (size_t k = 0; k < s->words; k++)
      s->now[k] |= s->in[s->successors[i] * s->words + k];
}

static bool pass(struct sharing *s)
{
  bool changed = false;

  for (uint32_t b = s->function->n_blocks; b-- > 0;) {
    size_t at = b * s->words;

    find_out(s, b);
    for (size_t k = 0; k < s->words; k++) {
      uint64_t in = s->needs[at + k] | (s->now[k] & ~s->kills[at + k]);

      changed |= in != s->in[at + k];
      s->in[at + k] = in;
    }
  }
  return changed;
}

static void widen_all(struct sharing *s, const uint64_t *alive, uint32_t at)
{
  for (size_t k = 0; k < s->words; k++)
    for (uint64_t left = alive[k]; left != 0; left &= left - 1)
      widen(&s->ranges[s->with_number[64 * k + (size_t)__builtin_ctzll(left)]],
            at);
}

static void find_ranges(struct sharing *s)
{
  const struct function *function = s->function;

  for (uint32_t r = 0; r < s->n_registers; r++) {
    s->ranges[r].first = s->number[r] = s->last_block[r] = NONE;
    s->ranges[r].last = 0;
  }
  mention_blocks(s, see_first);
  s->words = (s->n_numbers + 63) / 64;
  s->needs = host_new(function->n_blocks * s->words + 1, sizeof *s->needs);
  s->kills = host_new(function->n_blocks * s->words + 1, sizeof *s->kills);
  s->in = host_new(function->n_blocks * s->words + 1, sizeof *s->in);
  s->now = host_new(s->words + 1, sizeof *s->now);
  s->successors = host_new(function->n_blocks + 2, sizeof *s->successors);
  mention_blocks(s, see_again);
  while (pass(s))
    continue;
  for (uint32_t b = 0; b < function->n_blocks; b++) {
    const struct basic_block *block = &function->blocks[b];

    if (block->n == 0)
      continue;
    widen_all(s, s->in + b * s->words, block->first + 1);
    find_out(s, b);
    widen_all(s, s->now, block->first + block->n);
  }
}

/* ---- places --------------------------------------------------------------- */

static unsigned size_of(const struct sharing *s, uint32_t reg)
{
  enum ptx_type type = s->function->ptx->register_of[reg]->type;
  unsigned bytes = ptx_type_bytes(type);

  return type == TYPE_PRED ? 0
         : bytes <= 2      ? 1
         : bytes == 4      ? 2
         : bytes == 8      ? 3
                           : 4;
}

/* Registers by the position at which their range begins or ends. */
struct lists {
  uint32_t *first; /* by position */
  uint32_t *next;  /* by register */
};

static void lists_new(const struct sharing *s, struct lists *lists)
{
  lists->first = host_new(s->n_positions, sizeof *lists->first);
  lists->next = host_new(s->n_registers + 1, sizeof *lists->next);
  for (uint32_t i = 0; i < s->n_positions; i++)
    lists->first[i] = NONE;
}

static void lists_add(struct lists *lists, uint32_t position, uint32_t reg)
{
  lists->next[reg] = lists->first[position];
  lists->first[position] = reg;
}

static uint32_t share_places(const struct sharing *s, uint32_t *place)
{
  struct lists begin, end;
  uint32_t n = 0, idle[SIZES] = { NONE, NONE, NONE, NONE, NONE };
  uint32_t unused[SIZES] = { NONE, NONE, NONE, NONE, NONE };
  uint32_t *next_idle = host_new(s->n_registers + 1, sizeof *next_idle);

  lists_new(s, &begin);
  lists_new(s, &end);
  for (uint32_t r = s->n_registers; r-- > 0;)
    if (s->ranges[r].first <= s->ranges[r].last) {
      lists_add(&begin, s->ranges[r].first, r);
      lists_add(&end, s->ranges[r].last, r);
    } else {
      uint32_t *common = &unused[size_of(s, r)];

      *common = *common == NONE ? n++ : *common;
      place[r] = *common;
    }
  for (uint32_t at = 0; at < s->n_positions; at++) {
    for (uint32_t r = begin.first[at]; r != NONE; r = begin.next[r]) {
      uint32_t *from = &idle[size_of(s, r)];

      place[r] = *from == NONE ? n++ : *from;
      if (*from != NONE)
        *from = next_idle[*from];
    }
    for (uint32_t r = end.first[at]; r != NONE; r = end.next[r]) {
      uint32_t *to = &idle[size_of(s, r)];

      next_idle[place[r]] = *to;
      *to = place[r];
    }
  }
  free(begin.first);
  free(begin.next);
  free(end.first);
  free(end.next);
  free(next_idle);
  return n;
}

uint32_t registers_share(const struct function *function, uint32_t *place)
{
  size_t n = function->ptx->n_registers;
  struct sharing s = { .function = function,
                       .n_registers = (uint32_t)n,
                       .n_positions =
                           (uint32_t)function->ptx->n_instructions + 1 };
  uint32_t places;

  s.ranges = host_new(n + 1, sizeof *s.ranges);
  s.number = host_new(n + 1, sizeof *s.number);
  s.with_number = host_new(n + 1, sizeof *s.with_number);
  s.last_block = host_new(n + 1, sizeof *s.last_block);
  find_ranges(&s);
  places = share_places(&s, place);
  free(s.ranges);
  free(s.number);
  free(s.with_number);
  free(s.last_block);
  free(s.needs);
  free(s.kills);
  free(s.in);
  free(s.now);
  free(s.successors);
  return places;
}
