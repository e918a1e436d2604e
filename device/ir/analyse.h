/* What is known of a function before it is written. */
#ifndef DEVICE_IR_ANALYSE_H
#define DEVICE_IR_ANALYSE_H

#include "module.h"

/* Which space each pointer is calculated in; which parameters stay where they
 * are; which products become part of a sum. */
void ir_analyse(struct ir *ir, struct ir_function *function);

/* The space in which a pointer is known to be calculated. */
int ir_space_of(const struct ir_value *value);

/* Which function uses which variable; see only_user. */
void ir_find_users(struct ir *ir);

#endif
