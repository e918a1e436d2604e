/* Operands of the compared instructions: values at the edges of each type,
 * then hashed ones. Integer arithmetic only, so that every machine makes the
 * same. */
#ifndef ARITHMETIC_OPERANDS_H
#define ARITHMETIC_OPERANDS_H

#include <stddef.h>
#include <stdint.h>

enum { SOURCES = 5 };

struct operand_type {
  const char *name;
  unsigned bits; /* of its register: 16, 32 or 64 */
};

/* NULL: no such type. */
const struct operand_type *operand_type(const char *name);

/* Number of cases of an instruction with these sources. */
size_t operand_cases(const struct operand_type *const *types, size_t n);

/* Source `i` of case `k`. */
uint64_t operand_value(const struct operand_type *const *types, size_t n,
                       size_t k, size_t i);

#endif
