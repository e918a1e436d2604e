/* Follows a loaded value through a function's instructions, in whatever order
 * they run: a register belongs to the flow if any of its values does. */
#include "checked_flow.h"

#include <stdlib.h>
#include <string.h>

#include "../support/host_memory.h"

enum {
  CHAIN = 8,     /* instructions between a symbol or base and an address */
  ARGUMENTS = 24 /* instructions before a call that may store arguments */
};

struct flow {
  const struct ptx_function *ptx;
  bool swaps;     /* the function may execute atom.cas */
  uint8_t *holds; /* by register: it is in the flow */
  struct {
    const struct ptx_instruction *writer; /* the first */
    bool many;                            /* there are others */
  } of[];                                 /* by register */
};

/* An address, as far back as it can be told: a symbol's or a register's, and
 * an offset. */
struct place {
  const char *symbol;
  unsigned reg;
  uint64_t offset;
};

static bool starts(const char *opcode, const char *with)
{
  return strncmp(opcode, with, strlen(with)) == 0;
}

static bool is_swap(const struct ptx_instruction *p)
{
  return starts(p->opcode, "atom.") && strstr(p->opcode, ".cas.") != NULL &&
         p->n_operands == 4;
}

/* In a debug build, atomicCAS() is a function. */
static bool is_swap_call(const struct ptx_instruction *p)
{
  return starts(p->opcode, "call") && p->n_operands == 3 &&
         p->operands[1].kind == OPERAND_SYMBOL &&
         strstr(p->operands[1].name, "tomicCAS") != NULL &&
         p->operands[2].n_items == 3;
}

static void note_writer(struct flow *flow, const struct ptx_operand *to,
                        const struct ptx_instruction *p)
{
  if (to->kind == OPERAND_REGISTER) {
    flow->of[to->reg].many |= flow->of[to->reg].writer != NULL;
    if (flow->of[to->reg].writer == NULL)
      flow->of[to->reg].writer = p;
  }
  if (to->second != NULL)
    note_writer(flow, to->second, p);
  for (size_t i = 0; i < to->n_items; i++)
    note_writer(flow, &to->items[i], p);
}

struct flow *flow_find(const struct function *function)
{
  const struct ptx_function *ptx = function->ptx;
  struct flow *flow =
      host_new(1, sizeof *flow + (ptx->n_registers + 1) * sizeof flow->of[0]);

  flow->ptx = ptx;
  flow->holds = host_new(ptx->n_registers + 1, sizeof *flow->holds);
  for (size_t i = 0; i < ptx->n_instructions; i++) {
    const struct ptx_instruction *p = &ptx->instructions[i];

    flow->swaps |= is_swap(p) || is_swap_call(p);
    if (p->n_operands != 0 && !starts(p->opcode, "st."))
      note_writer(flow, &p->operands[0], p);
  }
  return flow;
}

void flow_free(struct flow *flow)
{
  free(flow->holds);
  free(flow);
}

/* ---- addresses -------- */

/* A register written once may only be another name of its source. */
static struct place base_of(const struct flow *flow,
                            const struct ptx_operand *base, uint64_t offset)
{
  for (int i = 0; base != NULL && base->kind == OPERAND_REGISTER && i < CHAIN;
       i++) {
    const struct ptx_instruction *p = flow->of[base->reg].writer;
    const struct ptx_operand *from;

    if (p == NULL || flow->of[base->reg].many || p->n_operands < 2 ||
        p->guard != NULL)
      break;
    from = &p->operands[1];
    if (starts(p->opcode, "add.") && p->n_operands == 3 &&
        p->operands[2].kind == OPERAND_INTEGER)
      offset += p->operands[2].value;
    else if (!starts(p->opcode, "mov.") && !starts(p->opcode, "cvta."))
      break;
    if (from->kind != OPERAND_REGISTER && from->kind != OPERAND_SYMBOL)
      break;
    if (from->kind == OPERAND_SYMBOL)
      offset += from->value;
    base = from;
  }
  if (base != NULL && base->kind == OPERAND_REGISTER)
    return (struct place){ NULL, base->reg, offset };
  return (struct place){ base == NULL ? "" : base->name, 0, offset };
}

static struct place place_of(const struct flow *flow,
                             const struct ptx_operand *address)
{
  return base_of(flow, address->base, address->value);
}

/* A base that something changes in between is another place. */
static bool same_place(const struct flow *flow, struct place a, struct place b,
                       const struct ptx_instruction *from,
                       const struct ptx_instruction *to)
{
  if (a.offset != b.offset || (a.symbol == NULL) != (b.symbol == NULL))
    return false;
  if (a.symbol != NULL)
    return strcmp(a.symbol, b.symbol) == 0;
  if (a.reg != b.reg)
    return false;
  for (const struct ptx_instruction *p = from + 1; p < to; p++)
    if (flow->of[a.reg].many && p->n_operands != 0 &&
        p->operands[0].kind == OPERAND_REGISTER && p->operands[0].reg == a.reg)
      return false;
  return true;
}

/* ---- values -------- */

static bool held(const struct flow *flow, const struct ptx_operand *operand)
{
  if (operand->kind == OPERAND_REGISTER && flow->holds[operand->reg])
    return true;
  for (size_t i = 0; i < operand->n_items; i++)
    if (held(flow, &operand->items[i]))
      return true;
  return false;
}

/* Returns whether a register is new in the flow. */
static bool hold(struct flow *flow, const struct ptx_operand *operand)
{
  bool more = false;

  if (operand->kind == OPERAND_REGISTER) {
    more = !flow->holds[operand->reg];
    flow->holds[operand->reg] = 1;
  }
  for (size_t i = 0; i < operand->n_items; i++)
    more |= hold(flow, &operand->items[i]);
  return more;
}

static void begin(struct flow *flow, const struct ptx_instruction *load)
{
  memset(flow->holds, 0, flow->ptx->n_registers + 1);
  hold(flow, &load->operands[0]);
}

/* ---- compare and swap -------- */

static const struct ptx_instruction *
argument(const struct flow *flow, const struct ptx_instruction *call, size_t i)
{
  const struct ptx_operand *name = &call->operands[2].items[i];
  const struct ptx_instruction *first = flow->ptx->instructions;

  for (const struct ptx_instruction *p = call;
       p > first && call - p < ARGUMENTS;) {
    const struct ptx_operand *base;

    p--;
    base = p->n_operands == 2 ? p->operands[0].base : NULL;
    if (starts(p->opcode, "st.param") && base != NULL && base->name != NULL &&
        name->name != NULL && strcmp(base->name, name->name) == 0)
      return p;
  }
  return NULL;
}

static bool swap_compares(const struct flow *flow,
                          const struct ptx_instruction *p, struct place loaded,
                          const struct ptx_instruction *load)
{
  const struct ptx_operand *compared = NULL;
  struct place place;

  if (is_swap(p)) {
    place = place_of(flow, &p->operands[1]);
    compared = &p->operands[2];
  } else if (is_swap_call(p)) {
    const struct ptx_instruction *address = argument(flow, p, 0);
    const struct ptx_instruction *expected = argument(flow, p, 1);

    if (address == NULL || expected == NULL)
      return false;
    place = base_of(flow, &address->operands[1], 0);
    compared = &expected->operands[1];
  }
  return compared != NULL && held(flow, compared) &&
         same_place(flow, loaded, place, load, p);
}

/* Copied, or put together with others to a wider word. */
static bool passes(const struct flow *flow, const struct ptx_instruction *p)
{
  return ((starts(p->opcode, "mov.") || starts(p->opcode, "cvt.")) &&
          p->n_operands == 2 && held(flow, &p->operands[1])) ||
         (starts(p->opcode, "bfi.") && p->n_operands == 5 &&
          (held(flow, &p->operands[1]) || held(flow, &p->operands[2])));
}

bool flow_is_compared(struct flow *flow, const struct ptx_instruction *load)
{
  const struct ptx_instruction *all = flow->ptx->instructions;
  struct place loaded;
  bool more = true;

  if (!flow->swaps || load->n_operands != 2)
    return false;
  begin(flow, load);
  while (more) {
    more = false;
    for (size_t i = 0; i < flow->ptx->n_instructions; i++)
      if (passes(flow, &all[i]))
        more |= hold(flow, &all[i].operands[0]);
  }
  loaded = place_of(flow, &load->operands[1]);
  for (size_t i = 0; i < flow->ptx->n_instructions; i++)
    if (swap_compares(flow, &all[i], loaded, load))
      return true;
  return false;
}

/* ---- bit-fields -------- */

static bool uses(const struct flow *flow, const struct ptx_operand *operand)
{
  return held(flow, operand) ||
         (operand->base != NULL && held(flow, operand->base));
}

/* What becomes of a value of the flow that an instruction takes. */
enum fate { KEPT, PASSED_ON, LOOKED_AT };

static bool takes_register(const struct ptx_instruction *p, unsigned reg)
{
  for (size_t k = 1; k < p->n_operands; k++)
    if (p->operands[k].kind == OPERAND_REGISTER && p->operands[k].reg == reg)
      return true;
  return false;
}

/* The loaded word itself must be masked first: `word |= 4` looks at it. */
static enum fate fate_of(const struct flow *flow,
                         const struct ptx_instruction *p, struct place loaded,
                         const struct ptx_instruction *load)
{
  const struct ptx_operand *o = p->operands;

  if (starts(p->opcode, "st.") && p->n_operands == 2)
    return !uses(flow, &o[0]) &&
                   same_place(flow, loaded, place_of(flow, &o[0]), load, p)
               ? KEPT
               : LOOKED_AT;
  if (starts(p->opcode, "and.") && p->n_operands == 3)
    return o[2].kind == OPERAND_INTEGER ? PASSED_ON : LOOKED_AT;
  if (starts(p->opcode, "bfi.") && p->n_operands == 5)
    return !uses(flow, &o[1]) && !uses(flow, &o[3]) && !uses(flow, &o[4])
               ? PASSED_ON
               : LOOKED_AT;
  if (p->n_operands == 3 && takes_register(p, load->operands[0].reg))
    return LOOKED_AT;
  return starts(p->opcode, "or.") || starts(p->opcode, "lop3.") ||
                 starts(p->opcode, "mov.") || starts(p->opcode, "cvt.")
             ? PASSED_ON
             : LOOKED_AT;
}

static bool masks(const struct ptx_instruction *p, unsigned reg)
{
  const struct ptx_operand *from =
      starts(p->opcode, "and.") && p->n_operands == 3   ? &p->operands[1]
      : starts(p->opcode, "bfi.") && p->n_operands == 5 ? &p->operands[2]
                                                        : NULL;

  return from != NULL && from->kind == OPERAND_REGISTER && from->reg == reg;
}

static bool is_masked(const struct flow *flow,
                      const struct ptx_instruction *load)
{
  if (load->n_operands != 2 || load->operands[0].kind != OPERAND_REGISTER)
    return false;
  for (size_t i = 0; i < flow->ptx->n_instructions; i++)
    if (masks(&flow->ptx->instructions[i], load->operands[0].reg))
      return true;
  return false;
}

bool flow_is_kept(struct flow *flow, const struct ptx_instruction *load)
{
  struct place loaded;
  bool more = true, kept = false;

  if (!is_masked(flow, load))
    return false;
  begin(flow, load);
  loaded = place_of(flow, &load->operands[1]);
  while (more) {
    more = false;
    for (size_t i = 0; i < flow->ptx->n_instructions; i++) {
      const struct ptx_instruction *p = &flow->ptx->instructions[i];
      bool store = starts(p->opcode, "st."), takes = false;

      if (p->guard != NULL && uses(flow, p->guard))
        return false;
      for (size_t k = 0; k < p->n_operands; k++)
        takes |= k > 0 || store || p->operands[0].base != NULL
                     ? uses(flow, &p->operands[k])
                     : false;
      if (!takes)
        continue;
      switch (fate_of(flow, p, loaded, load)) {
      case KEPT: kept = true; break;
      case PASSED_ON: more |= hold(flow, &p->operands[0]); break;
      case LOOKED_AT: return false;
      }
    }
  }
  return kept;
}
