/* Functions: heads, blocks, branches, the values that blocks begin with. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse.h"
#include "emit.h"
#include "parse.h"

/* --- parameters ----------------------------------------------------------------------- */

bool ir_is_block_of_bytes(const struct ir_type *type)
{
  return ir_is_aggregate(type) || type->kind == IR_HALF ||
         type->kind == IR_BFLOAT;
}

void ir_add_parameter(struct ir_writer *w, struct ir_text_buffer *to,
                      const struct ir_type *type, uint64_t alignment,
                      const char *name)
{
  if (ir_is_block_of_bytes(type))
    ir_add(w->ir, to, ".param .align %llu .b8 %s[%llu]",
           (unsigned long long)(alignment != 0 ? alignment : type->alignment),
           name, (unsigned long long)(type->bytes != 0 ? type->bytes : 1));
  else
    ir_add(w->ir, to, ".param .b%u %s", type->bytes <= 4 ? 32U : 64U, name);
}

/* Names of parameters in memory, scalar by scalar; smaller integers than 32
 * bits are passed in 32. */
void ir_store_parameter(struct ir_writer *w, const struct ir_type *type,
                        const struct ir_leaf *from, const char *name)
{
  if (ir_is_block_of_bytes(type)) {
    struct ir_leaf base = { .kind = IR_A_SYMBOL,
                            .class = IR_B64,
                            .symbol = name };
    ir_store_leaves(w, type, from, base, IR_PARAMETER, type->alignment, "");
    return;
  }
  struct ir_leaf leaf = *from;
  if (leaf.class == IR_B16 || leaf.class == IR_PREDICATE) {
    leaf = ir_zero_extended(w, leaf, type->bits);
    leaf = ir_resized(w, leaf, IR_B32, false);
  }
  ir_say(w, "st.param.b%u \t[%s], %s;", ir_class_bits(leaf.class), name,
         ir_operand(w, leaf));
}

void ir_load_parameter(struct ir_writer *w, const struct ir_type *type,
                       struct ir_leaf *to, const char *name)
{
  if (ir_is_block_of_bytes(type)) {
    struct ir_leaf base = { .kind = IR_A_SYMBOL,
                            .class = IR_B64,
                            .symbol = name };
    ir_load_leaves(w, type, to, base, IR_PARAMETER, type->alignment, "");
    return;
  }
  struct ir_leaf leaf = *to;
  if (to->class == IR_B16 || to->class == IR_PREDICATE)
    leaf = ir_new(w, IR_B32);
  ir_say(w, "ld.param.b%u \t%s, [%s];", ir_class_bits(leaf.class),
         ir_register(w, leaf), name);
  if (to->class != leaf.class)
    ir_move(w, *to, ir_resized(w, leaf, to->class, false));
}

static const char *parameter_name(struct ir_writer *w,
                                  const struct ir_function *function, size_t k)
{
  return ir_print(w, "%s_param_%zu", ir_symbol_of(w->ir, function->global), k);
}

/* Kernels get smaller integers as they are, functions in 32 bits. */
static void add_kernel_parameter(struct ir_writer *w, struct ir_text_buffer *to,
                                 const struct ir_type *type, const char *name)
{
  if (ir_is_block_of_bytes(type))
    ir_add_parameter(w, to, type, 0, name);
  else
    ir_add(w->ir, to, ".param .%c%llu %s",
           type->kind == IR_FLOAT || type->kind == IR_DOUBLE ? 'f' : 'u',
           (unsigned long long)type->bytes * 8, name);
}

void ir_add_signature(struct ir_writer *w, struct ir_text_buffer *to,
                      const struct ir_function *function)
{
  const struct ir_type *type = function->type;
  const char *symbol = ir_symbol_of(w->ir, function->global);

  if (function->is_kernel)
    ir_add(w->ir, to, ".entry %s(", symbol);
  else {
    ir_add(w->ir, to, ".func ");
    if (type->element->kind != IR_VOID) {
      ir_add(w->ir, to, "(");
      ir_add_parameter(w, to, type->element, 0, "func_retval0");
      ir_add(w->ir, to, ") ");
    }
    ir_add(w->ir, to, "%s(", symbol);
  }
  for (size_t k = 0; k < function->n_parameters; k++) {
    const struct ir_argument *argument = function->argument + k;
    const struct ir_type *its = type->field[k];
    const char *name = parameter_name(w, function, k);
    ir_add(w->ir, to, "%s\n\t", k > 0 ? "," : "");
    if (argument->byval != NULL)
      ir_add(w->ir, to, ".param .align %llu .b8 %s[%llu]",
             (unsigned long long)(argument->alignment != 0
                                      ? argument->alignment
                                      : argument->byval->alignment),
             name,
             (unsigned long long)(argument->byval->bytes != 0
                                      ? argument->byval->bytes
                                      : 1));
    else if (function->is_kernel)
      add_kernel_parameter(w, to, its, name);
    else
      ir_add_parameter(w, to, its, 0, name);
  }
  ir_add(w->ir, to, "%s)", function->n_parameters > 0 ? "\n" : "");
}

/* A copy of a parameter in local memory, for code that changes it or takes its
 * address. */
static struct ir_leaf copy_parameter(struct ir_writer *w,
                                     const struct ir_argument *argument,
                                     const char *name)
{
  const struct ir_type *type = argument->byval;
  uint64_t alignment =
      argument->alignment != 0 ? argument->alignment : type->alignment;
  uint64_t unit = alignment < 8 ? alignment : 8;
  struct ir_leaf copy = { .kind = IR_A_SYMBOL,
                          .class = IR_B64,
                          .symbol = ir_print(w, "%s_local", name),
                          .space = IR_LOCAL };

  if (type->bytes > 65536)
    ir_stop_at(w->ir, 0, "a parameter of more than 64 KiB");
  ir_add(w->ir, &w->locals, "\t.local .align %llu .b8 %s[%llu];\n",
         (unsigned long long)alignment, copy.symbol,
         (unsigned long long)(type->bytes != 0 ? type->bytes : 1));
  for (uint64_t at = 0; at < type->bytes;) {
    uint64_t n = unit;
    while (n > type->bytes - at)
      n /= 2;
    struct ir_leaf part = ir_new(w, n <= 2 ? IR_B16 : n == 4 ? IR_B32 : IR_B64);
    ir_say(w, "ld.param.b%llu \t%s, [%s+%llu];", (unsigned long long)n * 8,
           ir_register(w, part), name, (unsigned long long)at);
    ir_say(w, "st.local.b%llu \t[%s+%llu], %s;", (unsigned long long)n * 8,
           copy.symbol, (unsigned long long)at, ir_register(w, part));
    at += n;
  }
  return copy;
}

static void load_kernel_parameter(struct ir_writer *w,
                                  const struct ir_named *named,
                                  const char *name)
{
  const struct ir_type *type = named->type;
  struct ir_leaf *to = named->leaf;

  if (ir_is_block_of_bytes(type)) {
    ir_load_parameter(w, type, to, name);
    return;
  }
  struct ir_leaf leaf = *to;
  if (to->class == IR_PREDICATE)
    leaf = ir_new(w, IR_B16);
  ir_say(w, "ld.param.%c%llu \t%s, [%s];",
         leaf.class == IR_F32 || leaf.class == IR_F64 ? 'f' : 'u',
         (unsigned long long)type->bytes * 8, ir_register(w, leaf), name);
  if (to->class == IR_PREDICATE)
    ir_move(w, *to, ir_resized(w, leaf, IR_PREDICATE, false));
  else if (type->kind == IR_POINTER && named->space == IR_GLOBAL &&
           type->bits == IR_GENERIC)
    ir_say(w, "cvta.to.global.u64 \t%s, %s;", ir_register(w, leaf),
           ir_register(w, leaf));
}

static void emit_parameters(struct ir_writer *w)
{
  const struct ir_function *function = w->function;

  for (size_t k = 0; k < function->n_parameters; k++) {
    struct ir_named *named = function->parameter[k];
    const struct ir_argument *argument = function->argument + k;
    const char *name = parameter_name(w, function, k);
    if (argument->byval != NULL) {
      named->leaf = ir_take(w->ir, sizeof *named->leaf);
      *named->leaf = (struct ir_leaf){ .kind = IR_A_SYMBOL,
                                       .class = IR_B64,
                                       .symbol = name,
                                       .space = IR_PARAMETER };
      if (!named->is_parameter_space && named->uses > 0)
        *named->leaf = copy_parameter(w, argument, name);
      continue;
    }
    if (named->uses == 0)
      continue;
    struct ir_value value = { .kind = IR_NAMED,
                              .type = named->type,
                              .named = named };
    (void)ir_leaves(w, &value);
    if (function->is_kernel)
      load_kernel_parameter(w, named, name);
    else
      ir_load_parameter(w, named->type, named->leaf, name);
  }
}

/* --- edges ------------------------------------------------------------------------------- */

struct copy {
  struct ir_leaf to, from;
  bool done;
};

/* What the phis of `target` become on the way from `from`. */
static size_t collect_copies(struct ir_writer *w, const struct ir_block *from,
                             const struct ir_block *target,
                             struct copy **copies)
{
  size_t n = 0;

  for (struct ir_instruction *i = target->first;
       i != NULL && i->operation == IR_OP_phi; i = i->next) {
    struct ir_value *value = NULL;
    for (size_t k = 0; k < i->n_targets; k++)
      if (i->target[k] == from)
        value = i->operand[k];
    w->ir->instruction = i;
    if (value == NULL)
      ir_stop_instruction(w->ir, "has no value for a block before it");
    if (i->result->uses == 0)
      continue;
    const struct ir_leaf *to = ir_results(w, i);
    const struct ir_leaf *leaves;
    struct ir_leaf one;
    if (i->type->kind == IR_POINTER) {
      one = ir_leaf(w, value);
      one = ir_in_space(
          w, one, value->kind == IR_ADDRESS ? one.space : ir_space_of(value),
          i->result->space);
      leaves = &one;
    } else
      leaves = ir_plain_leaves(w, value);
    for (uint64_t k = 0; k < i->type->n_leaves; k++) {
      if (leaves[k].kind == IR_ANYTHING)
        continue;
      *copies = ir_grow(w->ir, *copies, n, sizeof **copies);
      (*copies)[n++] = (struct copy){ to[k], leaves[k], false };
    }
  }
  return n;
}

static bool is_same_register(const struct ir_leaf *a, const struct ir_leaf *b)
{
  return a->kind == IR_IN_REGISTER && b->kind == IR_IN_REGISTER &&
         a->class == b->class && a->number == b->number;
}

/* Which copy of an edge writes a register, plus one; zero between edges. */
static size_t *writer_of(struct ir_writer *w, struct ir_leaf leaf)
{
  struct ir_copied *copied = w->copied + leaf.class;

  if (leaf.number >= copied->n) {
    size_t n = 2 * (size_t)leaf.number + 64;
    size_t *larger = ir_take(w->ir, n * sizeof *larger);
    if (copied->n > 0)
      memcpy(larger, copied->writer, copied->n * sizeof *larger);
    *copied = (struct ir_copied){ larger, n };
  }
  return copied->writer + leaf.number;
}

/* All copies happen at once: each waits until no other needs what it overwrites.
 * `readers` counts, by the copy that writes a register, who still reads it. */
static void emit_copies(struct ir_writer *w, struct copy *copy, size_t n)
{
  size_t *readers = ir_take(w->ir, (n + 1) * sizeof *readers);
  size_t *writer = ir_take(w->ir, (n + 1) * sizeof *writer);
  size_t *ready = ir_take(w->ir, (n + 1) * sizeof *ready), n_ready = 0;

  for (size_t i = 0; i < n; i++)
    *writer_of(w, copy[i].to) = i + 1;
  for (size_t i = 0; i < n; i++) {
    const struct ir_leaf *from = &copy[i].from;
    if (from->kind == IR_IN_REGISTER)
      writer[i] = *writer_of(w, *from);
    if (is_same_register(from, &copy[i].to) && from->offset == 0) {
      copy[i].done = true;
      writer[i] = 0;
    } else if (writer[i] != 0 && writer[i] != i + 1)
      readers[writer[i] - 1]++;
  }
  for (size_t i = 0; i < n; i++)
    *writer_of(w, copy[i].to) = 0;
  for (size_t i = 0; i < n; i++)
    if (!copy[i].done && readers[i] == 0)
      ready[n_ready++] = i;
  for (size_t next = 0;;) {
    while (n_ready > 0) {
      size_t i = ready[--n_ready];
      if (copy[i].done)
        continue;
      ir_move(w, copy[i].to, copy[i].from);
      copy[i].done = true;
      size_t of_it = writer[i];
      if (of_it != 0 && of_it != i + 1 && --readers[of_it - 1] == 0 &&
          !copy[of_it - 1].done)
        ready[n_ready++] = of_it - 1;
    }
    while (next < n && copy[next].done)
      next++;
    if (next == n)
      return;
    /* A circle: what this one overwrites is kept elsewhere first. */
    struct ir_leaf kept = ir_new(w, copy[next].to.class);
    ir_move(w, kept, copy[next].to);
    for (size_t i = 0; i < n; i++)
      if (!copy[i].done && writer[i] == next + 1 && i != next) {
        kept.offset = copy[i].from.offset;
        copy[i].from = kept;
        writer[i] = 0;
      }
    readers[next] = 0;
    ready[n_ready++] = next;
  }
}

/* --- branches ---------------------------------------------------------------------------- */

static unsigned label_of(const struct ir_writer *w,
                         const struct ir_block *block)
{
  return w->first_label + block->number;
}

static unsigned new_label(struct ir_writer *w)
{
  return w->first_label + w->function->last->number + 1 + w->labels++;
}

static void place_label(struct ir_writer *w, unsigned label)
{
  ir_add(w->ir, &w->body, "$L_%u_%u:\n", w->function_number, label);
}

static const char *label_text(struct ir_writer *w, unsigned label)
{
  return ir_print(w, "$L_%u_%u", w->function_number, label);
}

/* Goes to `target` from the end of the block. */
static void emit_edge(struct ir_writer *w, const struct ir_block *from,
                      const struct ir_block *target, bool may_fall)
{
  struct copy *copies = NULL;
  size_t n = collect_copies(w, from, target, &copies);

  emit_copies(w, copies, n);
  if (!may_fall || from->next != target)
    ir_say(w, "bra.uni \t%s;", label_text(w, label_of(w, target)));
}

static bool needs_copies(const struct ir_block *target)
{
  for (const struct ir_instruction *i = target->first;
       i != NULL && i->operation == IR_OP_phi; i = i->next)
    if (i->result->uses > 0)
      return true;
  return false;
}

static void emit_branch(struct ir_writer *w, struct ir_instruction *i)
{
  struct ir_block *block = i->block;

  if (i->n_operands == 0) {
    emit_edge(w, block, i->target[0], true);
    return;
  }
  struct ir_block *yes = i->target[0], *no = i->target[1];
  if (yes == no) {
    emit_edge(w, block, yes, true);
    return;
  }
  const char *p = ir_operand(w, ir_leaf(w, i->operand[0]));
  bool yes_copies = needs_copies(yes), no_copies = needs_copies(no);
  if (!yes_copies && block->next != yes) {
    ir_say(w, "@%s bra \t%s;", p, label_text(w, label_of(w, yes)));
    emit_edge(w, block, no, true);
  } else if (!no_copies) {
    ir_say(w, "@!%s bra \t%s;", p, label_text(w, label_of(w, no)));
    emit_edge(w, block, yes, true);
  } else if (block->next == no || block->next != yes) {
    unsigned edge = new_label(w);
    ir_say(w, "@!%s bra \t%s;", p, label_text(w, edge));
    emit_edge(w, block, yes, false);
    place_label(w, edge);
    emit_edge(w, block, no, true);
  } else {
    unsigned edge = new_label(w);
    ir_say(w, "@%s bra \t%s;", p, label_text(w, edge));
    emit_edge(w, block, no, false);
    place_label(w, edge);
    emit_edge(w, block, yes, true);
  }
}

/* --- switch -------------------------------------------------------------------------------- */

struct range {
  uint64_t from, to; /* inclusive */
  struct ir_block *target;
  unsigned label;
};

static int compare_ranges(const void *a, const void *b)
{
  uint64_t x = ((const struct range *)a)->from;
  uint64_t y = ((const struct range *)b)->from;
  return x < y ? -1 : x > y;
}

/* Neighbouring cases with one target, as one range. */
static size_t collect_ranges(struct ir_writer *w, struct ir_instruction *i,
                             struct range *range)
{
  size_t n = 0, kept = 0;

  for (size_t k = 0; k < i->n_numbers; k++)
    range[n++] =
        (struct range){ i->number[k], i->number[k], i->target[k + 1], 0 };
  if (n > 0)
    qsort(range, n, sizeof *range, compare_ranges);
  for (size_t k = 0; k < n; k++) {
    if (k > 0 && range[k].from == range[k - 1].from)
      ir_stop_instruction(w->ir, "has two equal cases");
    if (kept > 0 && range[kept - 1].target == range[k].target &&
        range[kept - 1].to + 1 == range[k].from)
      range[kept - 1].to = range[k].to;
    else
      range[kept++] = range[k];
  }
  return kept;
}

static const char *compared(struct ir_writer *w, const char *how,
                            struct ir_leaf x, uint64_t number)
{
  struct ir_leaf p = ir_new(w, IR_PREDICATE);

  ir_say(w, "setp.%s.%s \t%s, %s, %s;", how, ir_unsigned(x.class),
         ir_register(w, p), ir_register(w, x),
         ir_operand(w, ir_constant(x.class, number)));
  return ir_register(w, p);
}

static void test_range(struct ir_writer *w, struct ir_leaf x,
                       const struct range *range)
{
  const char *target = label_text(w, range->label);

  if (range->from == range->to) {
    ir_say(w, "@%s bra \t%s;", compared(w, "eq", x, range->from), target);
    return;
  }
  struct ir_leaf above = ir_new(w, x.class);
  ir_say(w, "sub.%s \t%s, %s, %s;", ir_signed(x.class), ir_register(w, above),
         ir_register(w, x), ir_operand(w, ir_constant(x.class, range->from)));
  ir_say(w, "@%s bra \t%s;", compared(w, "le", above, range->to - range->from),
         target);
}

enum { RANGES_IN_A_ROW = 3 };

/* The halves of a longer list are told apart first. */
static void emit_tree(struct ir_writer *w, struct ir_leaf x,
                      const struct range *range, size_t n, unsigned other)
{
  if (n > RANGES_IN_A_ROW) {
    unsigned upper = new_label(w);
    ir_say(w, "@%s bra \t%s;", compared(w, "ge", x, range[n / 2].from),
           label_text(w, upper));
    emit_tree(w, x, range, n / 2, other);
    place_label(w, upper);
    emit_tree(w, x, range + n / 2, n - n / 2, other);
    return;
  }
  for (size_t k = 0; k < n; k++)
    test_range(w, x, range + k);
  ir_say(w, "bra.uni \t%s;", label_text(w, other));
}

static void emit_switch(struct ir_writer *w, struct ir_instruction *i)
{
  struct range *range = ir_take(w->ir, (i->n_numbers + 1) * sizeof *range);
  size_t n = collect_ranges(w, i, range);
  struct ir_value *value = i->operand[0];
  struct ir_leaf x = ir_leaf(w, value);

  if (value->type->kind != IR_INTEGER)
    ir_stop_instruction(w->ir, "chooses by something other than an integer");
  x = ir_zero_extended(w, x, value->type->bits);
  if (x.class == IR_PREDICATE)
    x = ir_resized(w, x, IR_B32, false);
  /* Each target's copies once, however many cases lead there. */
  bool *made = ir_take(w->ir, w->function->last->number + 1);
  unsigned *edge =
      ir_take(w->ir, (w->function->last->number + 1) * sizeof *edge);
  for (size_t k = 0; k < i->n_targets; k++) {
    struct ir_block *target = i->target[k];
    if (edge[target->number] == 0)
      edge[target->number] =
          needs_copies(target) ? new_label(w) : label_of(w, target);
  }
  for (size_t k = 0; k < n; k++)
    range[k].label = edge[range[k].target->number];
  emit_tree(w, ir_in_register(w, x), range, n, edge[i->target[0]->number]);
  for (size_t k = 0; k < i->n_targets; k++) {
    struct ir_block *target = i->target[k];
    if (made[target->number] || !needs_copies(target))
      continue;
    made[target->number] = true;
    place_label(w, edge[target->number]);
    emit_edge(w, i->block, target, false);
  }
}

/* --- instructions -------------------------------------------------------------------------- */

static void emit_return(struct ir_writer *w, struct ir_instruction *i)
{
  const struct ir_type *type = w->function->type->element;

  if (i->n_operands == 0 ? type->kind != IR_VOID
                         : !ir_is_same_type(type, i->operand[0]->type))
    ir_stop_instruction(w->ir, "returns something of another type");
  if (i->n_operands > 0 && w->function->is_kernel)
    ir_stop_instruction(w->ir, "returns something from a kernel");
  if (i->n_operands > 0)
    ir_store_parameter(w, type, ir_plain_leaves(w, i->operand[0]),
                       "func_retval0");
  ir_say(w, "ret;");
}

static bool has_effect(const struct ir_instruction *i)
{
  switch (i->operation) {
  case IR_OP_ret:
  case IR_OP_br:
  case IR_OP_switch:
  case IR_OP_unreachable:
  case IR_OP_store:
  case IR_OP_fence:
  case IR_OP_cmpxchg:
  case IR_OP_atomicrmw:
  case IR_OP_call: return true;
  case IR_OP_load: return i->is_volatile || i->order != IR_NOT_ATOMIC;
  default: return false;
  }
}

void ir_emit_instruction(struct ir_writer *w, struct ir_instruction *i)
{
  w->ir->instruction = i;
  switch (i->operation) {
  case IR_OP_phi: return;
  case IR_OP_ret: emit_return(w, i); return;
  case IR_OP_br: emit_branch(w, i); return;
  case IR_OP_switch: emit_switch(w, i); return;
  case IR_OP_unreachable: ir_say(w, "trap;"); return;
  case IR_OP_alloca: ir_emit_alloca(w, i); return;
  case IR_OP_load: ir_emit_load(w, i); return;
  case IR_OP_store: ir_emit_store(w, i); return;
  case IR_OP_fence: ir_emit_fence(w, i); return;
  case IR_OP_cmpxchg:
  case IR_OP_atomicrmw: ir_emit_atomic(w, i); return;
  case IR_OP_getelementptr: ir_emit_gep(w, i); return;
  case IR_OP_icmp:
  case IR_OP_fcmp: ir_emit_comparison(w, i); return;
  case IR_OP_select: ir_emit_select(w, i); return;
  case IR_OP_call: ir_emit_call(w, i); return;
  case IR_OP_fneg:
  case IR_OP_fadd:
  case IR_OP_fsub:
  case IR_OP_fmul:
  case IR_OP_fdiv: ir_emit_float(w, i); return;
  case IR_OP_extractelement:
  case IR_OP_insertelement: ir_emit_element(w, i); return;
  case IR_OP_trunc:
  case IR_OP_zext:
  case IR_OP_sext:
  case IR_OP_fptrunc:
  case IR_OP_fpext:
  case IR_OP_fptoui:
  case IR_OP_fptosi:
  case IR_OP_uitofp:
  case IR_OP_sitofp:
  case IR_OP_ptrtoint:
  case IR_OP_ptrtoaddr:
  case IR_OP_inttoptr:
  case IR_OP_bitcast: ir_emit_cast(w, i); return;
  default: ir_emit_arithmetic(w, i);
  }
}

static void emit_one(struct ir_writer *w, struct ir_instruction *i)
{
  w->ir->instruction = i;
  if (!has_effect(i) && i->result->uses == i->result->fused)
    return;
  ir_mark_place(w, i->debug);
  if (ir_is_alias(w, i)) {
    if (i->result->leaf == NULL)
      ir_emit_alias(w, i);
    return;
  }
  if (i->operation == IR_OP_phi || i->result == NULL || !ir_emit_alias(w, i))
    ir_emit_instruction(w, i);
}

static void emit_blocks(struct ir_writer *w)
{
  for (struct ir_block *b = w->function->first; b != NULL; b = b->next) {
    place_label(w, label_of(w, b));
    for (struct ir_instruction *i = b->first; i != NULL; i = i->next)
      emit_one(w, i);
  }
  w->ir->instruction = NULL;
}

/* --- the whole ------------------------------------------------------------------------------ */

static void add_three(struct ir_writer *w, const char *directive,
                      const unsigned number[3])
{
  if (number[0] != 0)
    ir_add(w->ir, &w->out, "%s %u, %u, %u\n", directive, number[0], number[1],
           number[2]);
}

static void add_bounds(struct ir_writer *w, const struct ir_bounds *bounds)
{
  if (bounds->explicit_cluster || bounds->cluster[0] != 0)
    ir_add(w->ir, &w->out, ".explicitcluster\n");
  add_three(w, ".reqnctapercluster", bounds->cluster);
  if (bounds->threads[0] != 0)
    add_three(w, ".reqntid", bounds->threads);
  else
    add_three(w, ".maxntid", bounds->most_threads);
  if (bounds->least_blocks != 0)
    ir_add(w->ir, &w->out, ".minnctapersm %u\n", bounds->least_blocks);
  if (bounds->registers != 0)
    ir_add(w->ir, &w->out, ".maxnreg %u\n", bounds->registers);
  if (bounds->most_cluster != 0)
    ir_add(w->ir, &w->out, ".maxclusterrank %u\n", bounds->most_cluster);
  if (bounds->cluster_launch)
    ir_add(w->ir, &w->out, ".blocksareclusters\n");
}

static void add_registers(struct ir_writer *w)
{
  static const char *const names[] = { "%p", "%rs", "%r", "%rd", "%f", "%fd" };

  for (int c = 0; c < IR_N_CLASSES; c++)
    if (w->registers[c] > 0)
      ir_add(w->ir, &w->out, "\t.reg .%s \t%s<%u>;\n",
             ir_suffix((enum ir_class)c), names[c], w->registers[c] + 1);
}

void ir_emit_function(struct ir_writer *w, struct ir_function *function)
{
  struct ir *ir = w->ir;

  w->function = ir->function = function;
  memset(w->registers, 0, sizeof w->registers);
  w->body.n = w->locals.n = 0;
  w->debug = w->line = w->column = 0;
  w->file = 0;
  w->first_label = 1;
  w->labels = 0;
  w->flush = function->flushes ? ".ftz" : "";
  w->function_number++;
  ir_analyse(ir, function);
  for (size_t i = 0; i < function->n_demoted; i++)
    ir_emit_variable(w, &w->locals, function->demoted[i], "\t");
  ir_mark_place(w, function->first->first->debug);
  emit_parameters(w);
  emit_blocks(w);
  ir_add(ir, &w->out, "%s",
         function->global->is_weak    ? ".weak "
         : function->global->is_local ? ""
                                      : ".visible ");
  ir_add_signature(w, &w->out, function);
  ir_add(ir, &w->out, "\n");
  if (function->is_kernel)
    add_bounds(w, &function->bounds);
  ir_add(ir, &w->out, "{\n");
  ir_add_bytes(ir, &w->out, w->locals.n > 0 ? w->locals.at : "", w->locals.n);
  add_registers(w);
  ir_add_bytes(ir, &w->out, w->body.at, w->body.n);
  ir_add(ir, &w->out, "}\n\n");
  ir->function = NULL;
}
