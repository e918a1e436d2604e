/* Types: how they are written, how many bytes they have. */
#ifndef DEVICE_IR_TYPES_H
#define DEVICE_IR_TYPES_H

#include "module.h"

bool ir_at_type(struct ir *ir);
/* Reads one, with its layout where it has one. */
const struct ir_type *ir_parse_type(struct ir *ir);
/* `%name = type …` after the equals sign. */
void ir_define_type(struct ir *ir, struct ir_text name);

const struct ir_type *ir_simple_type(struct ir *ir, enum ir_type_kind kind,
                                     unsigned bits);
/* Of a vector, an array or a structure: element i's type and offset. */
const struct ir_type *ir_element(struct ir *ir, const struct ir_type *type,
                                 uint64_t i);
uint64_t ir_element_offset(struct ir *ir, const struct ir_type *type,
                           uint64_t i);
uint64_t ir_element_count(const struct ir_type *type);
/* The scalar number `leaf` of a type, and its offset. */
const struct ir_type *ir_leaf_type(struct ir *ir, const struct ir_type *type,
                                   uint64_t leaf, uint64_t *offset);
/* Has a value of it scalars, or none because its type is empty? */
bool ir_is_value_type(const struct ir_type *type);
/* A structure with a name is the same as itself only. */
bool ir_is_same_type(const struct ir_type *a, const struct ir_type *b);
bool ir_is_aggregate(const struct ir_type *type); /* vectors included */
bool ir_is_float(const struct ir_type *type);

#endif
