/* Matches the words of an opcode against a pattern, with optional and
 * alternative words. */
#include "pattern.h"

#include <stdint.h>
#include <string.h>

size_t ptx_stem(const char *opcode) { return strcspn(opcode, ".[("); }

static bool split_opcode(const char *opcode, struct ptx_match *match)
{
  const char *at = opcode + ptx_stem(opcode);

  memset(match, 0, sizeof *match);
  while (*at == '.') {
    size_t length = strcspn(at + 1, ".");
    enum ptx_type type = ptx_type_named(at + 1, length);

    if (match->n_modifiers == PTX_MODIFIERS)
      return false;
    match->modifiers[match->n_modifiers].text = at + 1;
    match->modifiers[match->n_modifiers++].length = length;
    if (type != TYPE_NONE && match->n_types < PTX_TYPES)
      match->types[match->n_types++] = type;
    at += 1 + length;
  }
  return true;
}

/* Takes from `*taken` the first modifier that the group's alternatives, up
 * to `end`, name. Types keep their order: dp4a.u32.s32 is not .s32.u32. */
static bool take_modifier(const char *group, const char *end,
                          const struct ptx_match *match, uint32_t *taken)
{
  bool type_left = false;

  for (size_t i = 0; i < match->n_modifiers; i++) {
    const char *at = group;
    bool is_type = ptx_type_named(match->modifiers[i].text,
                                  match->modifiers[i].length) != TYPE_NONE;

    if (*taken >> i & 1 || (is_type && type_left))
      continue;
    while (at < end) {
      size_t length = strcspn(at + 1, ".|])[(");

      if (length == match->modifiers[i].length &&
          memcmp(at + 1, match->modifiers[i].text, length) == 0) {
        *taken |= UINT32_C(1) << i;
        return true;
      }
      at += 1 + length;
      at += *at == '|';
    }
    type_left |= is_type;
  }
  return false;
}

bool ptx_pattern_match(const char *pattern, const char *opcode,
                       struct ptx_match *match)
{
  size_t stem = ptx_stem(pattern);
  const char *at = pattern + stem;
  uint32_t taken = 0;

  if (ptx_stem(opcode) != stem || memcmp(pattern, opcode, stem) != 0 ||
      !split_opcode(opcode, match))
    return false;
  while (*at != '\0') {
    bool grouped = *at == '[' || *at == '(';
    bool optional = *at == '[';
    const char *group = at + grouped;
    const char *end = grouped ? group + strcspn(group, "])")
                              : group + 1 + strcspn(group + 1, ".[(");

    if (!take_modifier(group, end, match, &taken) && !optional)
      return false;
    at = end + grouped;
  }
  return taken == (UINT32_C(1) << match->n_modifiers) - 1;
}

bool ptx_has(const struct ptx_match *match, const char *modifier)
{
  size_t length = strlen(modifier);

  for (size_t i = 0; i < match->n_modifiers; i++)
    if (match->modifiers[i].length == length &&
        memcmp(match->modifiers[i].text, modifier, length) == 0)
      return true;
  return false;
}
