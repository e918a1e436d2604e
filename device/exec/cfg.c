/* Divides a function into basic blocks and computes their immediate post-
 * dominators, which are the places where diverged lanes meet again. */
#include "cfg.h"

#include <stdlib.h>
#include <string.h>

#include "../ptx/pattern.h"
#include "../ptx/scope.h"
#include "../support/host_memory.h"

static bool stem_is(const char *opcode, const char *stem)
{
  size_t length = strlen(stem);

  return strncmp(opcode, stem, length) == 0 && ptx_stem(opcode) == length;
}

enum flow flow_of(const struct ptx_instruction *instruction)
{
  static const struct {
    const char *stem;
    enum flow flow;
  } flows[] = {
    { "bra", FLOW_BRANCH }, { "brx", FLOW_TABLE }, { "ret", FLOW_RETURN },
    { "exit", FLOW_EXIT },  { "trap", FLOW_TRAP }, { "call", FLOW_CALL },
  };

  for (size_t i = 0; i < sizeof flows / sizeof *flows; i++)
    if (stem_is(instruction->opcode, flows[i].stem))
      return flows[i].flow;
  return FLOW_NONE;
}

long cfg_label(const struct ptx_operand *operand)
{
  const struct ptx_symbol *symbol;

  if (operand->kind != OPERAND_SYMBOL)
    return -1;
  symbol = ptx_scope_find(operand->scope, operand->name, strlen(operand->name));
  if (symbol == NULL || symbol->kind != SYMBOL_LABEL)
    return -1;
  return (long)symbol->instruction;
}

static const struct ptx_target_list *
table_of(const struct ptx_instruction *instruction)
{
  const struct ptx_operand *operand;
  const struct ptx_symbol *symbol;

  if (instruction->n_operands != 2 ||
      instruction->operands[1].kind != OPERAND_SYMBOL)
    return NULL;
  operand = &instruction->operands[1];
  symbol = ptx_scope_find(operand->scope, operand->name, strlen(operand->name));
  return symbol != NULL && symbol->kind == SYMBOL_TARGETS ? symbol->targets
                                                          : NULL;
}

/* Marks in `leader` the instructions that begin a block. */
static const char *mark_leaders(const struct ptx_function *ptx,
                                unsigned char *leader)
{
  leader[0] = 1;
  for (size_t i = 0; i < ptx->n_instructions; i++) {
    const struct ptx_instruction *instruction = &ptx->instructions[i];
    const struct ptx_target_list *table;
    enum flow flow = flow_of(instruction);

    if (flow == FLOW_NONE)
      continue;
    leader[i + 1] = 1;
    if (flow == FLOW_BRANCH) {
      long target = instruction->n_operands < 1
                        ? -1
                        : cfg_label(&instruction->operands[0]);

      if (target < 0)
        return "branch to a label that is not there";
      leader[target] = 1;
    } else if (flow == FLOW_TABLE) {
      table = table_of(instruction);
      if (table == NULL)
        return "brx.idx without a list of targets";
      for (size_t k = 0; k < table->n; k++) {
        long target = cfg_label(&table->labels[k]);

        if (target < 0)
          return "branch to a label that is not there";
        leader[target] = 1;
      }
    }
  }
  return NULL;
}

uint32_t cfg_block_at(const struct function *function, size_t index)
{
  uint32_t low = 0, high = function->n_blocks - 1;

  while (low < high) {
    uint32_t middle = (low + high) / 2;

    if (function->blocks[middle].first < index)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* A table may name a block many times; it is a successor once. */
static unsigned add_target(const struct function *function,
                           const struct ptx_operand *label, uint32_t *to,
                           unsigned n, unsigned capacity)
{
  uint32_t block = cfg_block_at(function, (size_t)cfg_label(label));

  for (unsigned i = 0; i < n; i++)
    if (to[i] == block)
      return n;
  if (n < capacity)
    to[n++] = block;
  return n;
}

unsigned cfg_successors(const struct function *function, uint32_t block,
                        uint32_t *to, unsigned capacity)
{
  const struct basic_block *b = &function->blocks[block];
  const struct ptx_instruction *last;
  uint32_t end = function->n_blocks - 1;
  unsigned n = 0;
  enum flow flow;

  if (block == end)
    return 0;
  if (b->n == 0) {
    to[0] = block + 1;
    return 1;
  }
  last = &function->ptx->instructions[b->first + b->n - 1];
  flow = flow_of(last);
  if (flow == FLOW_BRANCH) {
    n = add_target(function, &last->operands[0], to, n, capacity);
  } else if (flow == FLOW_TABLE) {
    const struct ptx_target_list *table = table_of(last);

    for (size_t i = 0; i < table->n; i++)
      n = add_target(function, &table->labels[i], to, n, capacity);
  } else if (flow == FLOW_RETURN || flow == FLOW_EXIT) {
    to[n++] = end;
  } /* after a trap nothing runs, so no lanes meet there */
  if ((flow == FLOW_NONE || flow == FLOW_CALL || last->guard != NULL) &&
      n < capacity)
    to[n++] = block + 1;
  return n;
}

static void split_blocks(struct ptx_arena *arena, struct function *function,
                         const unsigned char *leader)
{
  size_t n = function->ptx->n_instructions, n_blocks = 1;
  struct basic_block *block;

  for (size_t i = 0; i < n; i++)
    n_blocks += leader[i];
  function->blocks = ptx_arena_take(arena, n_blocks * sizeof *block);
  function->n_blocks = (uint32_t)n_blocks;
  block = function->blocks - 1;
  for (size_t i = 0; i < n; i++) {
    if (leader[i])
      (++block)->first = (uint32_t)i;
    block->n++;
  }
  (++block)->first = (uint32_t)n;
}

/* ---- immediate post-dominators (Cooper, Harvey and Kennedy) ------------- */

struct graph {
  uint32_t n;
  const bool *ends;   /* blocks to which edges are left out, */
  const bool *from;   /* from these blocks; NULL: all edges count */
  uint32_t *order;    /* blocks in post-order of the reversed graph */
  int32_t *number;    /* of each block in that order, -1: not reached */
  int32_t *parent;    /* immediate post-dominator, by block */
  uint32_t *first_in; /* predecessors: in[first_in[b] … first_in[b+1]) */
  uint32_t *in;
  uint32_t *to; /* scratch for successors */
};

/* The successors of `block` in g->to. */
static unsigned successors(const struct function *function,
                           const struct graph *g, uint32_t block)
{
  unsigned k = cfg_successors(function, block, g->to, function->n_blocks + 2);
  unsigned going_on = 0;

  if (g->from == NULL || !g->from[block])
    return k;
  for (unsigned i = 0; i < k; i++)
    if (!g->ends[g->to[i]])
      g->to[going_on++] = g->to[i];
  return going_on;
}

static void find_predecessors(const struct function *function, struct graph *g)
{
  uint32_t total = 0;

  for (uint32_t pass = 0; pass < 2; pass++) {
    for (uint32_t b = 0; b < g->n; b++) {
      unsigned k = successors(function, g, b);

      for (unsigned i = 0; i < k; i++) {
        if (pass == 0)
          g->first_in[g->to[i] + 1]++;
        else
          g->in[g->first_in[g->to[i]] + (uint32_t)g->number[g->to[i]]++] = b;
      }
      total += pass == 0 ? k : 0;
    }
    if (pass == 0) {
      for (uint32_t b = 0; b < g->n; b++)
        g->first_in[b + 1] += g->first_in[b];
      g->in = host_new(total + 1, sizeof *g->in);
      memset(g->number, 0, g->n * sizeof *g->number);
    }
  }
}

/* Depth first from the function's end against the edges. */
static void number_blocks(struct graph *g)
{
  uint32_t *stack = host_new(g->n + 1, sizeof *stack);
  uint32_t *next = host_new(g->n + 1, sizeof *next);
  uint32_t depth = 0, count = 0;

  for (uint32_t b = 0; b < g->n; b++)
    g->number[b] = -1;
  stack[depth++] = g->n - 1;
  g->number[g->n - 1] = 0;
  while (depth > 0) {
    uint32_t b = stack[depth - 1];
    uint32_t at = g->first_in[b] + next[depth - 1]++;

    if (at >= g->first_in[b + 1]) {
      g->number[b] = (int32_t)count;
      g->order[count++] = b;
      depth--;
    } else if (g->number[g->in[at]] < 0) {
      g->number[g->in[at]] = 0;
      next[depth] = 0;
      stack[depth++] = g->in[at];
    }
  }
  g->n = count; /* those that reach the end */
  free(stack);
  free(next);
}

static int32_t meet(const struct graph *g, int32_t a, int32_t b)
{
  while (a != b) {
    while (g->number[a] < g->number[b])
      a = g->parent[a];
    while (g->number[b] < g->number[a])
      b = g->parent[b];
  }
  return a;
}

static void find_parents(const struct function *function, struct graph *g)
{
  bool changed = true;
  uint32_t end = function->n_blocks - 1;

  for (uint32_t b = 0; b < function->n_blocks; b++)
    g->parent[b] = -1;
  g->parent[end] = (int32_t)end;
  while (changed) {
    changed = false;
    for (uint32_t i = g->n - 1; i-- > 0;) {
      uint32_t b = g->order[i];
      unsigned k = successors(function, g, b);
      int32_t parent = -1;

      for (unsigned j = 0; j < k; j++) {
        int32_t s = (int32_t)g->to[j];

        if (g->number[s] < 0 || g->parent[s] < 0)
          continue;
        parent = parent < 0 ? s : meet(g, parent, s);
      }
      if (parent != g->parent[b]) {
        g->parent[b] = parent;
        changed = true;
      }
    }
  }
}

/* Each block's immediate post-dominator in `parent`; -1: none. */
static void find_post_dominators(const struct function *function,
                                 const bool *ends, const bool *from,
                                 int32_t *parent)
{
  uint32_t n = function->n_blocks;
  struct graph g = {
    .n = n,
    .ends = ends,
    .from = from,
    .order = host_new(n + 1, sizeof *g.order),
    .number = host_new(n + 1, sizeof *g.number),
    .parent = parent,
    .first_in = host_new(n + 2, sizeof *g.first_in),
    .to = host_new(n + 4, sizeof *g.to),
  };

  find_predecessors(function, &g);
  number_blocks(&g);
  find_parents(function, &g);
  free(g.order);
  free(g.number);
  free(g.first_in);
  free(g.in);
  free(g.to);
}

/* The block ends a kernel's threads and does nothing before. */
static bool only_ends(const struct function *function, uint32_t block)
{
  const struct basic_block *b = &function->blocks[block];
  const struct ptx_instruction *first = &function->ptx->instructions[b->first];
  enum flow flow;

  if (block == function->n_blocks - 1)
    return true;
  flow = b->n == 0 ? FLOW_NONE : flow_of(first);
  return (flow == FLOW_RETURN || flow == FLOW_EXIT) && first->guard == NULL;
}

/* Which branches have lanes that end at once while others go on. */
static void find_partly_ending(const struct function *function,
                               const bool *ends, bool *partly)
{
  uint32_t n = function->n_blocks, *to = host_new(n + 4, sizeof *to);

  for (uint32_t b = 0; b < n; b++) {
    unsigned k = cfg_successors(function, b, to, n + 2), n_ends = 0;

    for (unsigned i = 0; i < k; i++)
      n_ends += ends[to[i]];
    partly[b] = n_ends > 0 && n_ends < k;
  }
  free(to);
}

/* Lanes that went different ways meet again where all that go on do: those
 * that return before that are not waited for. Without the edges on which lanes
 * end while others go on, such a place post-dominates its branch; but a loop
 * that is left on such edges only keeps them. The branches that lose an edge
 * need no join. Where none of the others changes, all stays as it is. */
static void join_without_ends(struct function *function)
{
  uint32_t n = function->n_blocks;
  int32_t *parent = host_new(n + 1, sizeof *parent);
  bool *ends = host_new(n + 1, sizeof *ends);
  bool *partly = host_new(n + 1, sizeof *partly), differs = false;

  for (uint32_t b = 0; b < n; b++)
    ends[b] = only_ends(function, b);
  find_partly_ending(function, ends, partly);
  find_post_dominators(function, ends, partly, parent);
  for (uint32_t b = 0; b < n; b++)
    partly[b] &= parent[b] >= 0;
  find_post_dominators(function, ends, partly, parent);
  for (uint32_t b = 0; b < n; b++)
    differs |=
        !partly[b] && b != n - 1 && parent[b] != function->blocks[b].join;
  for (uint32_t b = 0; differs && b + 1 < n; b++)
    function->blocks[b].join = partly[b] ? -1 : parent[b];
  free(parent);
  free(ends);
  free(partly);
}

static void find_joins(struct function *function)
{
  uint32_t n = function->n_blocks;
  int32_t *parent = host_new(n + 1, sizeof *parent);

  find_post_dominators(function, NULL, NULL, parent);
  for (uint32_t b = 0; b < n; b++)
    function->blocks[b].join = b == n - 1 ? -1 : parent[b];
  free(parent);
  if (function->ptx->is_entry)
    join_without_ends(function);
}

const char *cfg_build(struct ptx_arena *arena, struct function *function)
{
  size_t n = function->ptx->n_instructions;
  unsigned char *leader = host_new(n + 2, 1);
  const char *problem = mark_leaders(function->ptx, leader);

  if (problem == NULL) {
    split_blocks(arena, function, leader);
    find_joins(function);
  }
  free(leader);
  return problem;
}
