/* What the parts of the parser ask each other for. */
#ifndef DEVICE_IR_PARSE_H
#define DEVICE_IR_PARSE_H

#include "module.h"
#include "types.h"

/* A value of the type that was read before it. */
struct ir_value *ir_parse_value(struct ir *ir, const struct ir_type *type);
struct ir_value *ir_parse_typed_value(struct ir *ir);
struct ir_value *ir_number(struct ir *ir, const struct ir_type *type,
                           uint64_t bits);
/* An element of a constant, or of the value `undef`: NULL if it's another. */
struct ir_value *ir_constant_element(struct ir *ir,
                                     const struct ir_value *value, uint64_t i);
bool ir_is_constant_number(const struct ir_value *value);
/* The bytes from a pointer to what constant indices lead to; false if one of
 * the indices isn't constant. */
bool ir_constant_offset(struct ir *ir, const struct ir_instruction *gep,
                        int64_t *offset);

struct ir_global *ir_global_named(struct ir *ir, struct ir_text name);
struct ir_named *ir_local_named(struct ir *ir, struct ir_text name);
struct ir_block *ir_block_named(struct ir *ir, struct ir_text name);

/* Skips "noundef", "range(i32 0, 5)", "align 4", "#3" and their like. What is
 * remembered of them goes to `argument`, which may be NULL; `function` is whose
 * attributes they are, or NULL. */
void ir_parse_attributes(struct ir *ir, struct ir_argument *argument,
                         struct ir_function *function);
void ir_skip_parentheses(struct ir *ir);

/* What !nvvm.annotations and @llvm.global.annotations say about kernels. */
void ir_read_annotations(struct ir *ir);

/* All metadata from here on, for a message; nothing may be read afterwards. */
void ir_find_metadata(struct ir *ir);

/* The body of a function, after its '{' and up to its '}'. */
void ir_parse_body(struct ir *ir, struct ir_function *function);
/* After the name of the operation. */
void ir_parse_operands(struct ir *ir, struct ir_instruction *instruction);
void ir_apply_attribute(struct ir *ir, struct ir_function *function,
                        struct ir_text key, struct ir_text value);

#endif
