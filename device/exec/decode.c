/* Decodes functions: operands become slots, rows of the instruction table
 * become steps. Larger instructions are in the other decode files. */
#include "decode.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../check/options.h"
#include "../support/small_limits.h"
#include "../ptx/scope.h"
#include "../support/host_memory.h"
#include "../support/setting.h"
#include "cfg.h"
#include "registers.h"
#include "special_registers.h"
#include "stack.h"

bool decode_refuse(struct decoder *d, const char *format, ...)
{
  va_list arguments;

  va_start(arguments, format);
  vsnprintf(d->problem, sizeof d->problem, format, arguments);
  va_end(arguments);
  return false;
}

void *decode_keep(struct decoder *d, size_t bytes)
{
  return ptx_arena_take(&d->program->arena, bytes);
}

static uint32_t register_slot(const struct decoder *d, unsigned reg)
{
  return d->register_offset[reg] | AREA_FRAME;
}

struct step *decode_emit(struct decoder *d, step_function *run)
{
  struct step *s;
  const struct ptx_operand *guard = d->instruction->guard;

  if (d->n_steps == d->capacity) {
    d->capacity = d->capacity == 0 ? LIMIT(64, 1) : 2 * d->capacity;
    d->steps = host_grow(d->steps, d->capacity, sizeof *d->steps);
  }
  s = &d->steps[d->n_steps++];
  memset(s, 0, sizeof *s);
  s->run = run;
  s->record = d->record;
  s->guard = SLOT_TRUE;
  if (guard != NULL) {
    s->guard = register_slot(d, guard->reg);
    s->guard_invert = guard->negated ? FULL : 0;
  }
  return s;
}

/* ---- operands ----------------------------------------------------------- */

unsigned decode_register_bytes(const struct ptx_operand *operand)
{
  unsigned bytes = ptx_type_bytes(operand->variable->type);

  if (operand->variable->type == TYPE_PRED)
    return 1;
  return bytes < 2 ? 2 : bytes;
}

static size_t constant_hash(uint64_t value, unsigned bytes)
{
  return (size_t)((value ^ bytes) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static void grow_constants(struct decoder *d)
{
  size_t size =
      d->constant_table_size == 0 ? LIMIT(64, 2) : 2 * d->constant_table_size;

  free(d->constant_table);
  d->constant_table = host_new(size, sizeof *d->constant_table);
  d->constant_table_size = size;
  d->constants = host_grow(d->constants, size / 2, sizeof *d->constants);
  for (size_t i = 0; i < d->n_constants; i++) {
    size_t at = constant_hash(d->constants[i].value, d->constants[i].bytes);

    while (d->constant_table[at & (size - 1)] != 0)
      at++;
    d->constant_table[at & (size - 1)] = (uint32_t)i + 1;
  }
}

slot decode_constant(struct decoder *d, uint64_t value, unsigned bytes)
{
  struct constant *constant;
  size_t at;

  if (2 * (d->n_constants + 1) > d->constant_table_size)
    grow_constants(d);
  if (bytes == 1)
    value = value != 0;
  else if (bytes < 8)
    value &= (UINT64_C(1) << 8 * bytes) - 1;
  for (at = constant_hash(value, bytes);; at++) {
    uint32_t known = d->constant_table[at & (d->constant_table_size - 1)];

    if (known == 0)
      break;
    constant = &d->constants[known - 1];
    if (constant->value == value && constant->bytes == bytes)
      return constant->offset | AREA_CONSTANTS;
  }
  constant = &d->constants[d->n_constants++];
  d->constant_table[at & (d->constant_table_size - 1)] =
      (uint32_t)d->n_constants;
  *constant = (struct constant){ value, bytes, d->constant_bytes };
  d->constant_bytes +=
      (LANES * bytes + LANE_ALIGNMENT - 1) & ~(uint32_t)(LANE_ALIGNMENT - 1);
  return constant->offset | AREA_CONSTANTS;
}

static uint32_t take_frame(uint32_t *frame_bytes, unsigned bytes)
{
  uint32_t at = *frame_bytes;

  if (bytes == 1) {
    *frame_bytes += sizeof(uint32_t);
    return at;
  }
  at = (at + LANE_ALIGNMENT - 1) & ~(uint32_t)(LANE_ALIGNMENT - 1);
  *frame_bytes = at + LANES * bytes;
  return at;
}

slot decode_temporary(struct decoder *d, unsigned bytes)
{
  return take_frame(&d->frame_bytes, bytes) | AREA_FRAME;
}

static struct symbol_address variable_address(const struct decoder *d,
                                              const struct ptx_variable *v)
{
  struct symbol_address address = { .value = v->place };

  switch (v->space) {
  case PTX_SPACE_SHARED:
    address.space = ACCESS_SHARED;
    address.dynamic = v->is_extern && v->bytes == 0;
    break;
  case PTX_SPACE_LOCAL:
    address.space = ACCESS_LOCAL;
    address.local = true;
    break;
  case PTX_SPACE_PARAMETER:
    address.parameter_of_kernel = d->ptx->is_entry && v->is_parameter;
    address.local = !address.parameter_of_kernel;
    address.space = address.local ? ACCESS_LOCAL : ACCESS_PARAMETER;
    break;
  case PTX_SPACE_CONSTANT: address.space = ACCESS_CONSTANT; break;
  default: address.space = ACCESS_GLOBAL; break;
  }
  return address;
}

bool decode_symbol(struct decoder *d, const struct ptx_operand *operand,
                   struct symbol_address *address)
{
  const struct ptx_symbol *symbol =
      ptx_scope_find(operand->scope, operand->name, strlen(operand->name));

  if (symbol == NULL)
    return decode_refuse(d, "'%s' is not declared", operand->name);
  if (symbol->kind == SYMBOL_VARIABLE) {
    *address = variable_address(d, symbol->variable);
  } else if (symbol->kind == SYMBOL_FUNCTION) {
    const struct function *function = symbol->function->decoded;

    *address = (struct symbol_address){ .value = FUNCTION_WINDOW +
                                                 (uint64_t)function->index * 16,
                                        .space = ACCESS_GENERIC };
  } else {
    return decode_refuse(d, "'%s' has no address", operand->name);
  }
  address->value += operand->value;
  return true;
}

/* An address that only the running block or frame knows: a step adds it. */
static slot emit_address(struct decoder *d, struct symbol_address address,
                         unsigned bytes)
{
  slot base, to = decode_temporary(d, bytes);
  const struct lane_handlers *lanes = d->lanes;
  struct step *s;

  if (address.dynamic) {
    base = (slot)((bytes == 8 ? BLOCK_DYNAMIC_BASE_WIDE : BLOCK_DYNAMIC_BASE) *
                  LANES * sizeof(uint32_t)) |
           AREA_BLOCK;
  } else {
    base = d->function->local_base;
    if (bytes == 8) {
      slot wide = decode_temporary(d, 8);

      s = decode_emit(d, lanes->convert_plain[CONVERT_U32_U64]);
      s->d = wide;
      s->a = base;
      s->guard = SLOT_TRUE;
      base = wide;
    }
  }
  s = decode_emit(d, lanes->plain[bytes == 8 ? OP_add_64 : OP_add_32]);
  s->d = to;
  s->a = base;
  s->b = decode_constant(d, address.value, bytes);
  s->guard = SLOT_TRUE;
  return to;
}

static bool symbol_source(struct decoder *d, const struct ptx_operand *operand,
                          unsigned bytes, slot *to)
{
  struct symbol_address address;

  if (!decode_symbol(d, operand, &address))
    return false;
  if (bytes != 4 && bytes != 8)
    return decode_refuse(d, "address of '%s' in %u bytes", operand->name,
                         bytes);
  if (address.dynamic || (address.local && !d->ptx->is_entry)) {
    *to = emit_address(d, address, bytes);
    return true;
  }
  if (address.parameter_of_kernel && bytes == 8)
    address.value += PARAMETER_WINDOW;
  *to = decode_constant(d, address.value, bytes);
  return true;
}

static bool special_source(struct decoder *d, const struct ptx_operand *operand,
                           unsigned bytes, slot *to)
{
  unsigned has = 0;
  int dynamic = special_dynamic(operand->name, &has);
  struct step *s;

  if (special_slot(operand->name, bytes, to))
    return true;
  if (special_is_zero(operand->name, bytes)) {
    *to = decode_constant(d, 0, bytes);
    return true;
  }
  if (dynamic < 0 || has != bytes)
    return decode_refuse(d, "special register %s", operand->name);
  s = decode_emit(d, special_read);
  s->flags = (uint32_t)dynamic;
  s->guard = SLOT_TRUE;
  s->d = *to = decode_temporary(d, bytes);
  return true;
}

static uint64_t float_value(const struct ptx_operand *operand, unsigned bytes)
{
  double wide;
  float narrow;
  uint64_t bits = operand->value;
  uint32_t low;

  if (operand->bits == bytes * 8)
    return bits;
  if (bytes == 4) {
    memcpy(&wide, &bits, sizeof wide);
    narrow = (float)wide;
    memcpy(&low, &narrow, sizeof low);
    return low;
  }
  low = (uint32_t)bits;
  memcpy(&narrow, &low, sizeof narrow);
  wide = narrow;
  memcpy(&bits, &wide, sizeof bits);
  return bits;
}

bool decode_source(struct decoder *d, const struct ptx_operand *operand,
                   unsigned bytes, slot *to)
{
  switch (operand->kind) {
  case OPERAND_REGISTER:
    if (decode_register_bytes(operand) != bytes)
      return decode_refuse(d, "operand of %u bytes where %u are meant",
                           decode_register_bytes(operand), bytes);
    if (operand->negated || operand->selector != NULL)
      return decode_refuse(d, operand->negated ? "negated operand"
                                               : "part of a register");
    *to = register_slot(d, operand->reg);
    return true;
  case OPERAND_INTEGER:
    *to = decode_constant(d, operand->value, bytes);
    return true;
  case OPERAND_FLOAT:
    *to = decode_constant(d, float_value(operand, bytes), bytes);
    return true;
  case OPERAND_SPECIAL: return special_source(d, operand, bytes, to);
  case OPERAND_SYMBOL: return symbol_source(d, operand, bytes, to);
  default: return decode_refuse(d, "operand of a form not known here");
  }
}

bool decode_result(struct decoder *d, const struct ptx_operand *operand,
                   unsigned bytes, slot *to)
{
  if (operand->kind == OPERAND_SINK) {
    *to = decode_temporary(d, bytes);
    return true;
  }
  if (operand->kind != OPERAND_REGISTER)
    return decode_refuse(d, "the result must be a register");
  if (operand->selector != NULL)
    return decode_refuse(d, "part of a register");
  if (decode_register_bytes(operand) != bytes)
    return decode_refuse(d, "result of %u bytes where %u are meant",
                         decode_register_bytes(operand), bytes);
  *to = register_slot(d, operand->reg);
  return true;
}

bool decode_predicate(struct decoder *d, const struct ptx_operand *operand,
                      slot *to, uint32_t *invert)
{
  *invert = operand->negated ? FULL : 0;
  if (operand->kind == OPERAND_INTEGER) {
    *to = operand->value != 0 ? SLOT_TRUE : decode_constant(d, 0, 1);
    return true;
  }
  if (operand->kind == OPERAND_SPECIAL && special_slot(operand->name, 1, to))
    return true;
  if (operand->kind != OPERAND_REGISTER || operand->variable->type != TYPE_PRED)
    return decode_refuse(d, "operand must be a predicate");
  *to = register_slot(d, operand->reg);
  return true;
}

bool decode_operands(struct decoder *d, size_t least, size_t most)
{
  if (d->instruction->n_operands < least || d->instruction->n_operands > most)
    return decode_refuse(d, "%zu operands", d->instruction->n_operands);
  for (size_t i = 0; i < d->instruction->n_operands; i++)
    if (d->instruction->operands[i].second != NULL && i > 0)
      return decode_refuse(d, "paired source operand");
  return true;
}

/* ---- rows of the instruction table --------------------------------------- */

enum row_kind { ROW_LANE, ROW_FLOAT, ROW_CARRY, ROW_MASK, ROW_LARGE };

struct row {
  const char *name, *pattern, *meaning;
  enum row_kind kind;
  enum lane_op op;
  unsigned n_sources;
  unsigned bytes[5]; /* result, then sources */
  decode_function *decode;
  enum count_class class_;
};

typedef uint8_t u8;
typedef uint16_t u16;
typedef int16_t s16;
typedef uint32_t u32;
typedef int32_t s32;
typedef uint64_t u64;
typedef int64_t s64;
typedef float f32;
typedef double f64;

static const struct row rows[] = {
#define ROW_(name, pattern, meaning, kind, n, ...)                             \
  { #name,           pattern, meaning,         kind, OP_##name, n,             \
    { __VA_ARGS__ }, NULL,    COUNT_ARITHMETIC },
#define LANE1(name, pattern, D, A, e)                                          \
  ROW_(name, pattern, #e, ROW_LANE, 1, sizeof(D), sizeof(A))
#define LANE2(name, pattern, D, A, B, e)                                       \
  ROW_(name, pattern, #e, ROW_LANE, 2, sizeof(D), sizeof(A), sizeof(B))
#define LANE3(name, pattern, D, A, B, C, e)                                    \
  ROW_(name, pattern, #e, ROW_LANE, 3, sizeof(D), sizeof(A), sizeof(B),        \
       sizeof(C))
#define LANE4(name, pattern, D, A, B, C, E, e)                                 \
  ROW_(name, pattern, #e, ROW_LANE, 4, sizeof(D), sizeof(A), sizeof(B),        \
       sizeof(C), sizeof(E))
#define FLOAT1(name, pattern, T, e)                                            \
  ROW_(name, pattern, #e, ROW_FLOAT, 1, sizeof(T), sizeof(T))
#define FLOAT2(name, pattern, T, e)                                            \
  ROW_(name, pattern, #e, ROW_FLOAT, 2, sizeof(T), sizeof(T), sizeof(T))
#define FLOAT3(name, pattern, T, e)                                            \
  ROW_(name, pattern, #e, ROW_FLOAT, 3, sizeof(T), sizeof(T), sizeof(T),       \
       sizeof(T))
#define CARRY2(name, pattern, T, W, in, out, e)                                \
  ROW_(name, pattern, #e, ROW_CARRY, 2, sizeof(T), sizeof(T), sizeof(T))
#define CARRY3(name, pattern, T, W, in, out, e)                                \
  ROW_(name, pattern, #e, ROW_CARRY, 3, sizeof(T), sizeof(T), sizeof(T),       \
       sizeof(T))
#define HALF_(name, opcode, modifiers, e, n)                                   \
  ROW_(name##_f16, opcode modifiers ".f16", e, ROW_FLOAT, n, 2, 2, 2, 2)       \
  ROW_(name##_f16x2, opcode modifiers ".f16x2", e, ROW_FLOAT, n, 4, 4, 4, 4)   \
  ROW_(name##_bf16, opcode modifiers ".bf16", e, ROW_FLOAT, n, 2, 2, 2, 2)     \
  ROW_(name##_bf16x2, opcode modifiers ".bf16x2", e, ROW_FLOAT, n, 4, 4, 4, 4)
#define HALF1(name, opcode, modifiers, e) HALF_(name, opcode, modifiers, #e, 1)
#define HALF2(name, opcode, modifiers, e) HALF_(name, opcode, modifiers, #e, 2)
#define HALF3(name, opcode, modifiers, e) HALF_(name, opcode, modifiers, #e, 3)
#define MASK1(name, pattern, e) ROW_(name, pattern, #e, ROW_MASK, 1, 1, 1)
#define MASK2(name, pattern, e) ROW_(name, pattern, #e, ROW_MASK, 2, 1, 1, 1)
#define LARGE(name, pattern, decoder, class_, meaning)                         \
  { #name, pattern, meaning,          ROW_LARGE,     LANE_OPS,                 \
    0,     { 0 },   decode_##decoder, COUNT_##class_ },
#include "../ptx/instructions.def"
};
enum { ROWS = sizeof rows / sizeof *rows };

void program_instructions(instruction_row *report, void *context)
{
  for (size_t i = 0; i < ROWS; i++)
    report(context, rows[i].pattern, rows[i].meaning);
}

static uint32_t float_flags(const struct ptx_match *match)
{
  return (ptx_has(match, "rz")   ? FLOAT_RZ
          : ptx_has(match, "rm") ? FLOAT_RM
          : ptx_has(match, "rp") ? FLOAT_RP
                                 : 0) |
         (ptx_has(match, "ftz") ? FLOAT_FTZ : 0) |
         (ptx_has(match, "sat") ? FLOAT_SAT : 0) |
         (ptx_has(match, "relu") ? FLOAT_RELU : 0);
}

static bool decode_lane_row(struct decoder *d, const struct row *row)
{
  const struct ptx_operand *operands = d->instruction->operands;
  slot slots[5] = { 0 };
  uint32_t flags = 0, invert;
  step_function *run = d->lanes->plain[row->op];
  struct step *s;

  if (!decode_operands(d, row->n_sources + 1, row->n_sources + 1) ||
      operands[0].second != NULL)
    return false;
  for (unsigned i = 1; i <= row->n_sources; i++) {
    if (row->kind == ROW_MASK) {
      if (!decode_predicate(d, &operands[i], &slots[i], &invert))
        return false;
      flags |= invert ? i : 0;
    } else if (!decode_source(d, &operands[i], row->bytes[i], &slots[i])) {
      return false;
    }
  }
  if (!decode_result(d, &operands[0], row->bytes[0], &slots[0]))
    return false;
  if (row->kind == ROW_FLOAT) {
    flags = float_flags(&d->match);
    if (flags != 0 && d->lanes->modified[row->op] != NULL)
      run = d->lanes->modified[row->op];
  }
  if (row->kind == ROW_CARRY) {
    if (d->carry == 0)
      d->carry = decode_temporary(d, 1);
    slots[4] = d->carry;
  }
  s = decode_emit(d, run);
  s->d = slots[0];
  s->a = slots[1];
  s->b = slots[2];
  s->c = slots[3];
  s->immediate = slots[4];
  s->flags = flags;
  return true;
}

static bool try_row(struct decoder *d, const struct row *row)
{
  size_t n_steps = d->n_steps;

  if (!ptx_pattern_match(row->pattern, d->instruction->opcode, &d->match))
    return false;
  if (row->kind == ROW_LARGE ? row->decode(d) : decode_lane_row(d, row)) {
    d->program->records[d->record].class_ =
        d->program->records[d->record].class_ == COUNT_CLASSES
            ? row->class_
            : d->program->records[d->record].class_;
    return true;
  }
  d->n_steps = n_steps;
  return false;
}

/* What an H200 does not have either. */
static bool is_newer(const char *opcode)
{
  static const char *const names[] = { "tcgen05.", "clusterlaunchcontrol." };

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(opcode, names[i], strlen(names[i])) == 0)
      return true;
  return false;
}

static void decode_unknown(struct decoder *d, bool opcode_known)
{
  const char *opcode = d->instruction->opcode;
  struct step *s = decode_emit(d, control_unsupported);
  char *reason;
  size_t length;

  if (d->problem[0] == '\0')
    decode_refuse(d,
                  is_newer(opcode)
                      ? "%s needs sm_100; the software device ends with sm_90a"
                  : opcode_known
                      ? "the software device has no %s with these modifiers"
                      : "the software device has no instruction %s",
                  opcode);
  length = strlen(d->problem);
  reason = decode_keep(d, length + 1);
  memcpy(reason, d->problem, length);
  s->extra = reason;
}

static bool has_stem(const struct row *row, const char *opcode, size_t stem)
{
  return strncmp(row->pattern, opcode, stem) == 0 &&
         ptx_stem(row->pattern) == stem;
}

/* The first row whose pattern the opcode fits; ROWS: there is none. A function
 * has few opcodes and many instructions, so what was found is kept. */
static size_t first_row(struct decoder *d, const char *opcode, size_t stem)
{
  struct seen_opcode *seen;
  uint32_t hash = 0;
  size_t i = 0;

  for (const char *at = opcode; *at != '\0'; at++)
    hash = hash * 31 + (unsigned char)*at;
  seen = &d->seen[hash % SEEN_OPCODES];
  if (seen->opcode != NULL && strcmp(seen->opcode, opcode) == 0)
    return seen->row;
  while (i < ROWS && !(has_stem(&rows[i], opcode, stem) &&
                       ptx_pattern_match(rows[i].pattern, opcode, &d->match)))
    i++;
  *seen = (struct seen_opcode){ opcode, i };
  return i;
}

static void decode_instruction(struct decoder *d)
{
  const char *opcode = d->instruction->opcode;
  size_t stem = ptx_stem(opcode);
  bool opcode_known = false;
  struct record *record = &d->program->records[d->record];

  d->problem[0] = '\0';
  record->class_ = COUNT_CLASSES;
  for (size_t i = first_row(d, opcode, stem); i < ROWS; i++)
    if (has_stem(&rows[i], opcode, stem) && try_row(d, &rows[i]))
      return;
  record->class_ = COUNT_OTHER;
  for (size_t i = 0; i < ROWS; i++)
    opcode_known |= has_stem(&rows[i], opcode, stem);
  decode_unknown(d, opcode_known);
}

/* ---- functions ----------------------------------------------------------- */

/* With checks a register can be told from others by its place. */
static uint32_t share_registers(const struct function *function,
                                uint32_t *place)
{
  static const char *const words[] = { "apart", "shared" };
  enum { APART, SHARED };

  if (setting_word("SOFTDEVICE_REGISTERS", words, 2, SHARED) == SHARED &&
      !check_wanted(CHECK_ALL))
    return registers_share(function, place);
  for (uint32_t i = 0; i < function->ptx->n_registers; i++)
    place[i] = i;
  return function->ptx->n_registers;
}

static void place_registers(struct decoder *d)
{
  const struct ptx_function *ptx = d->ptx;
  uint32_t *place = host_new(ptx->n_registers + 1, sizeof *place);
  uint32_t n = share_registers(d->function, place);
  uint32_t *offset = host_new(n + 1, sizeof *offset); /* 0: not yet */

  d->register_offset = host_new(ptx->n_registers + 1, sizeof(uint32_t));
  d->frame_bytes = sizeof(uint32_t); /* SLOT_TRUE */
  for (int predicates = 1; predicates >= 0; predicates--)
    for (unsigned i = 0; i < ptx->n_registers; i++) {
      enum ptx_type type = ptx->register_of[i]->type;
      unsigned bytes = ptx_type_bytes(type);

      if ((type == TYPE_PRED) != (predicates == 1))
        continue;
      bytes = type == TYPE_PRED ? 1 : bytes < 2 ? 2 : bytes;
      if (offset[place[i]] == 0)
        offset[place[i]] = take_frame(&d->frame_bytes, bytes);
      d->register_offset[i] = offset[place[i]];
    }
  d->function->local_base = decode_temporary(d, 4);
  free(place);
  free(offset);
}

static struct record *new_record(struct decoder *d)
{
  struct program *program = d->program;

  if (program->n_records == program->record_capacity) {
    program->record_capacity = program->record_capacity == 0
                                   ? LIMIT(256, 1)
                                   : 2 * program->record_capacity;
    program->records = host_grow(program->records, program->record_capacity,
                                 sizeof(struct record));
  }
  d->record = (uint32_t)program->n_records;
  memset(&program->records[d->record], 0, sizeof(struct record));
  return &program->records[program->n_records++];
}

/* Branches and returns are executed by all lanes and counted by the block,
 * whatever their guard says. */
static bool counts_itself(const struct ptx_instruction *instruction)
{
  enum flow flow = flow_of(instruction);

  return instruction->guard != NULL && flow != FLOW_BRANCH &&
         flow != FLOW_RETURN;
}

/* What comes before the first instruction. */
static void begin_function(struct decoder *d)
{
  static const char counts_clusters[] =
      "kernel with __block_size__, whose grid counts clusters";

  if (d->ptx->blocks_are_clusters)
    decode_emit(d, control_unsupported)->extra = counts_clusters;
  if (d->function->allocates && !d->ptx->is_entry) {
    d->stack = decode_temporary(d, 8);
    decode_emit(d, stack_save)->d = d->stack;
  }
}

static void decode_block(struct decoder *d, uint32_t index, bool is_join)
{
  static const struct ptx_instruction nothing;
  struct basic_block *block = &d->function->blocks[index];
  struct record *record = new_record(d);

  record->block_record = block->record = d->record;
  block->step = (uint32_t)d->n_steps;
  d->block = index;
  d->instruction = &nothing;
  decode_emit(d, is_join ? control_enter_join : control_enter);
  if (index == 0)
    begin_function(d);
  for (uint32_t i = block->first; i < block->first + block->n; i++) {
    d->instruction = &d->ptx->instructions[i];
    record = new_record(d);
    record->ptx = d->instruction;
    record->block_record = block->record;
    record->by_itself = counts_itself(d->instruction);
    record->flops = flops_of(d->instruction->opcode);
    decode_instruction(d);
  }
  d->instruction = &nothing;
  if (index != d->function->n_blocks - 1)
    return;
  if (d->function->allocates && !d->ptx->is_entry)
    decode_emit(d, stack_restore)->a = d->stack;
  decode_emit(d, d->ptx->is_entry ? control_exit : control_leave);
}

/* A block where lanes may meet: some branch's join, or after a call. */
static bool *find_meeting_points(const struct function *function)
{
  bool *meets = host_new(function->n_blocks + 1, sizeof *meets);

  for (uint32_t b = 0; b + 1 < function->n_blocks; b++) {
    const struct basic_block *block = &function->blocks[b];

    if (block->join >= 0)
      meets[block->join] = true;
    if (block->n > 0 &&
        flow_of(&function->ptx->instructions[block->first + block->n - 1]) ==
            FLOW_CALL)
      meets[b + 1] = true;
  }
  return meets;
}

static void resolve_branch(struct function *function,
                           struct branch_extra *extra)
{
  struct basic_block *blocks = function->blocks;

  extra->target = &function->steps[blocks[extra->target_block].step];
  extra->join = extra->join_block == UINT32_MAX
                    ? NULL
                    : &function->steps[blocks[extra->join_block].step];
}

static void resolve_branches(struct function *function)
{
  for (size_t i = 0; i < function->n_steps; i++) {
    struct step *s = &function->steps[i];

    if (s->run == control_branch || s->run == control_branch_if) {
      resolve_branch(function, (struct branch_extra *)s->extra);
    } else if (s->run == control_branch_table) {
      struct branch_table *table = (struct branch_table *)s->extra;

      resolve_branch(function, &table->common);
      for (size_t k = 0; k < table->n; k++)
        table->targets[k] =
            &function->steps[function->blocks[table->blocks[k]].step];
    }
  }
}

static void fill_constants(const struct decoder *d, uint8_t *area)
{
  for (size_t i = 0; i < d->n_constants; i++) {
    const struct constant *c = &d->constants[i];

    if (c->bytes == 1) {
      uint32_t mask = c->value ? FULL : 0;

      memcpy(area + c->offset, &mask, sizeof mask);
      continue;
    }
    for (unsigned l = 0; l < LANES; l++)
      memcpy(area + c->offset + l * c->bytes, &c->value,
             c->bytes > 8 ? 8 : c->bytes);
  }
}

/* The checks of wgmma look at registers by their number. */
static void keep_register_slots(struct decoder *d)
{
  const struct ptx_function *ptx = d->ptx;
  bool wanted = false;

  for (size_t i = 0; i < ptx->n_instructions; i++)
    wanted |= strncmp(ptx->instructions[i].opcode, "wgmma.", 6) == 0;
  if (!wanted)
    return;
  d->function->register_slots =
      decode_keep(d, (ptx->n_registers + 1) * sizeof(slot));
  for (unsigned i = 0; i < ptx->n_registers; i++)
    d->function->register_slots[i] = register_slot(d, i);
}

static void keep_results(struct decoder *d)
{
  struct function *function = d->function;
  size_t bytes = d->n_steps * sizeof(struct step);
  size_t constant_bytes = d->constant_bytes + LANE_ALIGNMENT;
  uintptr_t at;

  function->steps = decode_keep(d, bytes);
  memcpy(function->steps, d->steps, bytes);
  function->n_steps = d->n_steps;
  function->frame_bytes =
      (d->frame_bytes + LANE_ALIGNMENT - 1) & ~(uint32_t)(LANE_ALIGNMENT - 1);
  at = (uintptr_t)decode_keep(d, constant_bytes);
  at = (at + LANE_ALIGNMENT - 1) & ~(uintptr_t)(LANE_ALIGNMENT - 1);
  function->constants = (uint8_t *)at;
  function->constant_bytes = d->constant_bytes;
  fill_constants(d, function->constants);
  resolve_branches(function);
  keep_register_slots(d);
}

const char *decode_function_body(struct program *program,
                                 struct function *function)
{
  struct decoder d = { .program = program,
                       .function = function,
                       .ptx = function->ptx,
                       .lanes = lane_handlers() };
  const char *problem = cfg_build(&program->arena, function);
  bool *meets;

  if (problem != NULL)
    return problem;
  meets = find_meeting_points(function);
  place_registers(&d);
  for (size_t i = 0; i < function->ptx->n_instructions; i++)
    function->allocates |=
        strncmp(function->ptx->instructions[i].opcode, "alloca.", 7) == 0;
  function->first_record = (uint32_t)program->n_records;
  for (uint32_t b = 0; b < function->n_blocks; b++)
    decode_block(&d, b, meets[b]);
  function->n_records = (uint32_t)program->n_records - function->first_record;
  keep_results(&d);
  free(meets);
  free(d.steps);
  free(d.register_offset);
  free(d.constants);
  free(d.constant_table);
  return NULL;
}
