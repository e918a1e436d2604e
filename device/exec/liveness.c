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
  bool guards_end; /* a guarded instruction ends what it writes, too */
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
static void step_back(const struct liveness *l, uint64_t *set,
                      const struct ptx_instruction *instruction)
{
  bool result = has_result(instruction);

  if (result && (instruction->guard == NULL || l->guards_end))
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
      step_back(l, l->now, &function->ptx->instructions[i]);
    changed |= memcmp(in, l->now, l->words * sizeof *in) != 0;
    memcpy(in, l->now, l->words * sizeof *in);
  }
  return changed;
}

static void live_begin(struct liveness *l, const struct function *function,
                       bool guards_end)
{
  *l = (struct liveness){ .function = function, .guards_end = guards_end };
  l->words = function->ptx->n_registers / 64 + 1;
  l->in = host_new(function->n_blocks * l->words, sizeof *l->in);
  l->now = host_new(l->words, sizeof *l->now);
  l->successors = host_new(function->n_blocks + 2, sizeof *l->successors);
  while (pass(l))
    continue;
}

static void live_end(const struct liveness *l)
{
  free(l->in);
  free(l->now);
  free(l->successors);
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

      step_back(l, l->now, &l->function->ptx->instructions[i]);
      here = weight(l);
      most = here > most ? here : most;
    }
  }
  return most;
}

/* If a kernel says how large its blocks are, and how many of them should be
 * resident, ptxas keeps to what fits: it would rather spill than compile a
 * kernel that cannot be launched. */
static uint32_t most_allotted(const struct function *function)
{
  const struct ptx_function *ptx = function->ptx;
  const unsigned *threads = ptx->max_threads;
  unsigned blocks = ptx->min_blocks == 0 ? 1 : ptx->min_blocks;
  unsigned warps = (threads[0] * threads[1] * threads[2] + 31) / 32 * blocks;
  unsigned per_part = (warps + PARTS - 1) / PARTS;
  unsigned most =
      per_part == 0 ? MOST : PART_REGISTERS / per_part / STEP * STEP;

  if (ptx->max_registers > 0 && ptx->max_registers < most)
    most = ptx->max_registers;
  if (function->program->max_registers > 0 &&
      function->program->max_registers < most)
    most = function->program->max_registers;
  return most > MOST ? MOST : most;
}

/* ---- what a loop carries ------------------------------------------------- */

/* Integers that are the same in all lanes may be in registers of the warp's
 * own, of which there are so many. */
enum { UNIFORM_REGISTERS = 63 };

struct carrying {
  struct liveness live;
  uint64_t *useful;         /* a set: what comes of it is stored or decides */
  uint64_t *varying;        /* a set: depends on more than the code */
  uint32_t *defined;        /* by register: by so many instructions */
  uint32_t *inside;         /* the same, of the loop that is looked at */
  bool *in_loop;            /* by block */
  uint32_t *todo;           /* blocks */
  uint32_t *first_in, *ins; /* predecessors: ins[first_in[b] … [b + 1]) */
};

static void count_results(const struct ptx_operand *operand, uint32_t *count)
{
  if (operand->kind == OPERAND_REGISTER)
    count[operand->reg]++;
  if (operand->second != NULL)
    count_results(operand->second, count);
  for (size_t i = 0; i < operand->n_items; i++)
    count_results(&operand->items[i], count);
}

static void add_results(uint64_t *set, const struct ptx_operand *operand)
{
  if (operand->kind == OPERAND_REGISTER)
    add_register(set, operand->reg);
  if (operand->second != NULL)
    add_results(set, operand->second);
  for (size_t i = 0; i < operand->n_items; i++)
    add_results(set, &operand->items[i]);
}

static bool any_in(const uint64_t *set, const struct ptx_operand *operand)
{
  if (operand->kind == OPERAND_REGISTER &&
      (set[operand->reg / 64] >> operand->reg % 64 & 1) != 0)
    return true;
  if (operand->second != NULL && any_in(set, operand->second))
    return true;
  for (size_t i = 0; i < operand->n_items; i++)
    if (any_in(set, &operand->items[i]))
      return true;
  return false;
}

/* Backwards from what leaves the thread: an instruction whose results only
 * other such instructions use is one that ptxas drops. */
static void find_useful(struct carrying *c)
{
  const struct ptx_function *ptx = c->live.function->ptx;
  bool changed = true;

  while (changed) {
    changed = false;
    for (size_t i = ptx->n_instructions; i-- > 0;) {
      const struct ptx_instruction *p = &ptx->instructions[i];
      bool result = has_result(p);

      if (result && strncmp(p->opcode, "atom.", 5) != 0 &&
          !any_in(c->useful, &p->operands[0]))
        continue;
      memcpy(c->live.now, c->useful, c->live.words * sizeof *c->useful);
      for (size_t k = result; k < p->n_operands; k++)
        add_uses(c->useful, &p->operands[k]);
      if (p->guard != NULL)
        add_uses(c->useful, p->guard);
      changed |= memcmp(c->live.now, c->useful,
                        c->live.words * sizeof *c->useful) != 0;
    }
  }
}

/* Is the result something that is not computed from the operands alone? */
static bool is_input(const struct ptx_instruction *p)
{
  static const char *const kinds[] = { "ld",      "ldu",   "atom",  "shfl",
                                       "vote",    "match", "redux", "tex",
                                       "tld4",    "suld",  "txq",   "suq",
                                       "ldmatrix" };
  size_t stem = ptx_stem(p->opcode);

  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strncmp(kinds[i], p->opcode, stem) == 0 && kinds[i][stem] == '\0')
      return true;
  return false;
}

static bool has_special(const struct ptx_operand *operand)
{
  if (operand->kind == OPERAND_SPECIAL || operand->kind == OPERAND_SYMBOL)
    return true;
  for (size_t i = 0; i < operand->n_items; i++)
    if (has_special(&operand->items[i]))
      return true;
  return false;
}

static void find_varying(struct carrying *c)
{
  const struct ptx_function *ptx = c->live.function->ptx;
  bool changed = true;

  while (changed) {
    changed = false;
    for (size_t i = 0; i < ptx->n_instructions; i++) {
      const struct ptx_instruction *p = &ptx->instructions[i];
      bool varies =
          is_input(p) || (p->guard != NULL && any_in(c->varying, p->guard));

      if (!has_result(p))
        continue;
      for (size_t k = 1; k < p->n_operands; k++)
        varies |=
            any_in(c->varying, &p->operands[k]) || has_special(&p->operands[k]);
      if (!varies)
        continue;
      memcpy(c->live.now, c->varying, c->live.words * sizeof *c->varying);
      add_results(c->varying, &p->operands[0]);
      changed |= memcmp(c->live.now, c->varying,
                        c->live.words * sizeof *c->varying) != 0;
    }
  }
}

static void find_predecessors(struct carrying *c)
{
  const struct function *function = c->live.function;
  uint32_t n = function->n_blocks, total = 0;

  for (uint32_t b = 0; b < n; b++) {
    unsigned k = cfg_successors(function, b, c->live.successors, n + 2);

    for (unsigned i = 0; i < k; i++)
      c->first_in[c->live.successors[i] + 1]++;
    total += k;
  }
  for (uint32_t b = 0; b < n; b++)
    c->first_in[b + 1] += c->first_in[b];
  c->ins = host_new(total + 1, sizeof *c->ins);
  memset(c->todo, 0, n * sizeof *c->todo);
  for (uint32_t b = 0; b < n; b++) {
    unsigned k = cfg_successors(function, b, c->live.successors, n + 2);

    for (unsigned i = 0; i < k; i++) {
      uint32_t to = c->live.successors[i];

      c->ins[c->first_in[to] + c->todo[to]++] = b;
    }
  }
}

/* The blocks from which a jump back to `head` can be reached without it. False:
 * there is none, or one can come into them elsewhere. */
static bool find_loop(struct carrying *c, uint32_t head)
{
  uint32_t n = 0;
  bool is_loop = false;

  memset(c->in_loop, 0, c->live.function->n_blocks * sizeof *c->in_loop);
  c->in_loop[head] = true;
  for (uint32_t i = c->first_in[head]; i < c->first_in[head + 1]; i++) {
    uint32_t from = c->ins[i];

    is_loop |= from >= head;
    if (from >= head && !c->in_loop[from]) {
      c->in_loop[from] = true;
      c->todo[n++] = from;
    }
  }
  while (n > 0) {
    uint32_t b = c->todo[--n];

    for (uint32_t i = c->first_in[b]; i < c->first_in[b + 1]; i++)
      if (!c->in_loop[c->ins[i]]) {
        c->in_loop[c->ins[i]] = true;
        c->todo[n++] = c->ins[i];
      }
  }
  return is_loop && (head == 0 || !c->in_loop[0]);
}

/* How often the loop goes round has to be known at run time only: ptxas may
 * unroll another one as a whole, and then nothing is carried. */
static bool is_open(struct carrying *c)
{
  const struct function *function = c->live.function;
  uint32_t n_exits = 0;

  for (uint32_t b = 0; b < function->n_blocks; b++) {
    const struct basic_block *block = &function->blocks[b];
    const struct ptx_operand *guard;
    bool leaves = false;
    unsigned k;

    if (!c->in_loop[b] || block->n == 0)
      continue;
    k = cfg_successors(function, b, c->live.successors, function->n_blocks + 2);
    for (unsigned i = 0; i < k; i++)
      leaves |= !c->in_loop[c->live.successors[i]];
    if (!leaves)
      continue;
    guard = function->ptx->instructions[block->first + block->n - 1].guard;
    if (guard == NULL || !any_in(c->varying, guard))
      return false;
    n_exits++;
  }
  return n_exits > 0;
}

/* Of the loop that was found: registers that one round hands to the next, which
 * had a value before the first. */
static uint32_t carried(struct carrying *c, uint32_t head)
{
  const struct function *function = c->live.function;
  const struct ptx_function *ptx = function->ptx;
  const uint64_t *alive = c->live.in + head * c->live.words;
  uint32_t floats = 0, integers = 0;

  memset(c->inside, 0, ptx->n_registers * sizeof *c->inside);
  for (uint32_t b = 0; b < function->n_blocks; b++)
    for (uint32_t i = 0; c->in_loop[b] && i < function->blocks[b].n; i++) {
      const struct ptx_instruction *p =
          &ptx->instructions[function->blocks[b].first + i];

      if (has_result(p))
        count_results(&p->operands[0], c->inside);
    }
  for (uint32_t r = 0; r < ptx->n_registers; r++) {
    enum ptx_type type = ptx->register_of[r]->type;
    bool is_carried = (alive[r / 64] & c->useful[r / 64]) >> r % 64 & 1 &&
                      c->inside[r] > 0 && c->defined[r] > c->inside[r];

    if (!is_carried || type == TYPE_PRED || ptx_type_bytes(type) < 4)
      continue;
    if (type == TYPE_F32 || type == TYPE_F64)
      floats += ptx_type_bytes(type) / 4;
    else
      integers++;
  }
  return floats +
         (integers > UNIFORM_REGISTERS ? integers - UNIFORM_REGISTERS : 0);
}

uint32_t liveness_least(const struct function *function)
{
  const struct ptx_function *ptx = function->ptx;
  uint32_t n = function->n_blocks, most = 0;
  struct carrying c;

  live_begin(&c.live, function, true);
  c.useful = host_new(c.live.words, sizeof *c.useful);
  c.varying = host_new(c.live.words, sizeof *c.varying);
  c.defined = host_new(ptx->n_registers + 1, sizeof *c.defined);
  c.inside = host_new(ptx->n_registers + 1, sizeof *c.inside);
  c.in_loop = host_new(n + 1, sizeof *c.in_loop);
  c.todo = host_new(n + 1, sizeof *c.todo);
  c.first_in = host_new(n + 2, sizeof *c.first_in);
  for (size_t i = 0; i < ptx->n_instructions; i++)
    if (has_result(&ptx->instructions[i]))
      count_results(&ptx->instructions[i].operands[0], c.defined);
  find_useful(&c);
  find_varying(&c);
  find_predecessors(&c);
  for (uint32_t b = 0; b < n; b++)
    if (find_loop(&c, b) && is_open(&c)) {
      uint32_t here = carried(&c, b);

      most = here > most ? here : most;
    }
  live_end(&c.live);
  free(c.useful);
  free(c.varying);
  free(c.defined);
  free(c.inside);
  free(c.in_loop);
  free(c.todo);
  free(c.first_in);
  free(c.ins);
  n = most_allotted(function);
  if (most > n && ptx->max_threads[0] != 0)
    return 0; /* its blocks fit, and who knows how many it spills for that */
  return most > n ? n : most;
}

uint32_t liveness_registers(const struct function *function)
{
  struct liveness l;
  uint32_t limit = most_allotted(function), most;

  live_begin(&l, function, false);
  most = most_alive(&l) + ALWAYS;
  live_end(&l);
  return most > limit ? limit : most;
}
