/* PTX in the making: registers, operands as text, lines. */
#ifndef DEVICE_IR_EMIT_H
#define DEVICE_IR_EMIT_H

#include "module.h"
#include "types.h"

/* Kinds of registers, with their types and names in PTX. */
enum ir_class {
  IR_PREDICATE,
  IR_B16,
  IR_B32,
  IR_B64,
  IR_F32,
  IR_F64,
  IR_N_CLASSES
};

/* Where a scalar is. */
struct ir_leaf {
  enum { IR_IN_REGISTER, IR_A_CONSTANT, IR_A_SYMBOL, IR_ANYTHING } kind;
  enum ir_class class;
  unsigned number; /* of the register */
  uint64_t bits;
  int64_t offset; /* added to a register or symbol that is an address */
  const char *symbol;
  int space; /* of a symbol's address */
};

struct ir_writer {
  struct ir *ir;
  struct ir_function *function;
  struct ir_text_buffer {
    char *at;
    size_t n, capacity;
  } out, body, locals, files;
  unsigned registers[IR_N_CLASSES];
  unsigned labels, prototypes, allocas;
  struct ir_copied {
    size_t *writer;
    size_t n;
  } copied[IR_N_CLASSES];
  struct ir_names file_numbers;
  size_t n_files;
  uint64_t debug; /* that the last .loc was for */
  uint64_t line, column;
  size_t file;
  unsigned first_label; /* of the function's blocks */
  unsigned function_number;
  const char *flush; /* ".ftz" or "" */
};

void ir_say(struct ir_writer *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void ir_add(struct ir *ir, struct ir_text_buffer *buffer, const char *format,
            ...) __attribute__((format(printf, 3, 4)));
void ir_add_bytes(struct ir *ir, struct ir_text_buffer *buffer,
                  const char *from, size_t n);

struct ir_leaf ir_new(struct ir_writer *w, enum ir_class class);
struct ir_leaf ir_constant(enum ir_class class, uint64_t bits);
enum ir_class ir_class_of(struct ir_writer *w, const struct ir_type *scalar);
const char *ir_suffix(enum ir_class class);   /* "b32", "f32", "pred" */
const char *ir_unsigned(enum ir_class class); /* "u32" */
const char *ir_signed(enum ir_class class);   /* "s32" */
unsigned ir_class_bits(enum ir_class class);

/* The operand as PTX has it: a number or a register, which an address goes to
 * first; always a register; what is between [ and ]. */
const char *ir_operand(struct ir_writer *w, struct ir_leaf leaf);
const char *ir_register(struct ir_writer *w, struct ir_leaf leaf);
const char *ir_address(struct ir_writer *w, struct ir_leaf leaf, int64_t more);
struct ir_leaf ir_in_register(struct ir_writer *w, struct ir_leaf leaf);
void ir_move(struct ir_writer *w, struct ir_leaf to, struct ir_leaf from);

/* All scalars of a value; pointers in the space that ir_space_of says. */
const struct ir_leaf *ir_leaves(struct ir_writer *w, struct ir_value *value);
struct ir_leaf ir_leaf(struct ir_writer *w, struct ir_value *value);
/* The same with each pointer as its type says: generic ones as generic
 * addresses. */
const struct ir_leaf *ir_plain_leaves(struct ir_writer *w,
                                      struct ir_value *value);
struct ir_leaf ir_plain_leaf(struct ir_writer *w, struct ir_value *value);
struct ir_leaf ir_in_space(struct ir_writer *w, struct ir_leaf leaf, int from,
                           int to);
/* Where the results of an instruction go: registers of their own. */
struct ir_leaf *ir_results(struct ir_writer *w, struct ir_instruction *i);
struct ir_leaf ir_result(struct ir_writer *w, struct ir_instruction *i);
/* The result is what `leaf` is, without a move where nothing has asked for it. */
void ir_define(struct ir_writer *w, struct ir_instruction *i,
               struct ir_leaf leaf);
const char *ir_space_name(struct ir_writer *w, int space); /* ".shared", "" */

/* An integer's bits above its width made zero, or copies of its sign. */
struct ir_leaf ir_zero_extended(struct ir_writer *w, struct ir_leaf leaf,
                                unsigned bits);
struct ir_leaf ir_sign_extended(struct ir_writer *w, struct ir_leaf leaf,
                                unsigned bits);
/* To another class of integers; the upper bits of the wider one are zero, or
 * the sign, if the upper bits of the narrower one are. */
struct ir_leaf ir_resized(struct ir_writer *w, struct ir_leaf leaf,
                          enum ir_class class, bool is_signed);
/* The same bits in a register of another class of the same size. */
struct ir_leaf ir_same_bits(struct ir_writer *w, struct ir_leaf leaf,
                            enum ir_class class);

/* One instruction each, by kind. */
void ir_emit_instruction(struct ir_writer *w, struct ir_instruction *i);
bool ir_emit_alias(struct ir_writer *w, struct ir_instruction *i);
bool ir_is_alias(struct ir_writer *w, const struct ir_instruction *i);
void ir_emit_arithmetic(struct ir_writer *w, struct ir_instruction *i);
void ir_emit_float(struct ir_writer *w, struct ir_instruction *i);
void ir_emit_cast(struct ir_writer *w, struct ir_instruction *i);
void ir_emit_comparison(struct ir_writer *w, struct ir_instruction *i);
void ir_emit_select(struct ir_writer *w, struct ir_instruction *i);
void ir_emit_element(struct ir_writer *w, struct ir_instruction *i);
void ir_emit_gep(struct ir_writer *w, struct ir_instruction *i);
void ir_emit_alloca(struct ir_writer *w, struct ir_instruction *i);
void ir_emit_load(struct ir_writer *w, struct ir_instruction *i);
void ir_emit_store(struct ir_writer *w, struct ir_instruction *i);
void ir_emit_atomic(struct ir_writer *w, struct ir_instruction *i);
void ir_emit_fence(struct ir_writer *w, struct ir_instruction *i);
void ir_emit_call(struct ir_writer *w, struct ir_instruction *i);
void ir_emit_assembly(struct ir_writer *w, struct ir_instruction *i);
/* False: it isn't one that is known. */
bool ir_emit_intrinsic(struct ir_writer *w, struct ir_instruction *i,
                       struct ir_text name);
void ir_emit_copy(struct ir_writer *w, struct ir_instruction *i, bool overlaps);
void ir_emit_fill(struct ir_writer *w, struct ir_instruction *i);
/* One access of a value's scalars to memory, at `base` in `space`. */
void ir_load_leaves(struct ir_writer *w, const struct ir_type *type,
                    struct ir_leaf *to, struct ir_leaf base, int space,
                    uint64_t alignment, const char *how);
void ir_store_leaves(struct ir_writer *w, const struct ir_type *type,
                     const struct ir_leaf *from, struct ir_leaf base, int space,
                     uint64_t alignment, const char *how);

/* "name_param_3", how a parameter is declared, in and out. */
void ir_add_parameter(struct ir_writer *w, struct ir_text_buffer *to,
                      const struct ir_type *type, uint64_t alignment,
                      const char *name);
bool ir_is_block_of_bytes(const struct ir_type *type);
void ir_store_parameter(struct ir_writer *w, const struct ir_type *type,
                        const struct ir_leaf *from, const char *name);
void ir_load_parameter(struct ir_writer *w, const struct ir_type *type,
                       struct ir_leaf *to, const char *name);
void ir_add_signature(struct ir_writer *w, struct ir_text_buffer *to,
                      const struct ir_function *function);

const char *ir_symbol_of(struct ir *ir, struct ir_global *global);
void ir_emit_function(struct ir_writer *w, struct ir_function *function);
void ir_emit_variable(struct ir_writer *w, struct ir_text_buffer *to,
                      struct ir_global *global, const char *indent);
void ir_mark_place(struct ir_writer *w, uint64_t debug);
char *ir_print(struct ir_writer *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
