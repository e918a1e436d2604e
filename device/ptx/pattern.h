/* Patterns of the instruction table, matched against an opcode.
 *
 *   add[.rn|.rz][.ftz].f32     [..] may be there, at most one of them
 *   mul.lo(.u32|.s32)          (..) exactly one of them
 *
 * A modifier that no group of the pattern takes makes the match fail: nothing
 * is ever ignored. Order is free, as compilers differ in it; of two groups
 * that would take the same modifier (the two types of cvt) the first one
 * gets it first.
 */
#ifndef DEVICE_PTX_PATTERN_H
#define DEVICE_PTX_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "types.h"

enum { PTX_MODIFIERS = 16, PTX_TYPES = 5 };

struct ptx_match {
  size_t n_modifiers;
  struct {
    const char *text; /* without its dot, not NUL-terminated */
    size_t length;
  } modifiers[PTX_MODIFIERS];
  size_t n_types;
  enum ptx_type types[PTX_TYPES]; /* in the order of the opcode */
};

bool ptx_pattern_match(const char *pattern, const char *opcode,
                       struct ptx_match *match);
bool ptx_has(const struct ptx_match *match, const char *modifier);

/* Length of the opcode's first word: 3 for "add.s32". */
size_t ptx_stem(const char *opcode);

#endif
