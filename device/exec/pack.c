/* Combines registers to wider ones and takes them apart. */
#include "pack.h"

#include <string.h>

const struct step *pack_join(struct warp *w, const struct step *s)
{
  const struct pack_extra *extra = s->extra;
  uint32_t mask = step_mask(w, s);
  size_t whole = (size_t)extra->n * extra->bytes;
  uint8_t joined[LANES * 16];

  for (unsigned i = 0; i < extra->n; i++) {
    const uint8_t *part = slot_at(w, extra->parts[i]);

    for (unsigned l = 0; l < LANES; l++)
      memcpy(joined + l * whole + i * extra->bytes, part + l * extra->stride,
             extra->bytes);
  }
  for (; mask != 0; mask &= mask - 1) {
    size_t l = (size_t)__builtin_ctz(mask);

    memcpy((uint8_t *)slot_at(w, s->d) + l * whole, joined + l * whole, whole);
  }
  return s + 1;
}

const struct step *pack_split(struct warp *w, const struct step *s)
{
  const struct pack_extra *extra = s->extra;
  size_t whole = (size_t)extra->n * extra->bytes;
  uint8_t source[LANES * 16];

  memcpy(source, slot_at(w, s->a), LANES * whole);
  for (uint32_t mask = step_mask(w, s); mask != 0; mask &= mask - 1) {
    size_t l = (size_t)__builtin_ctz(mask);

    for (unsigned i = 0; i < extra->n; i++) {
      uint8_t *part =
          (uint8_t *)slot_at(w, extra->parts[i]) + l * extra->stride;

      memset(part, 0, extra->stride);
      memcpy(part, source + l * whole + i * extra->bytes, extra->bytes);
    }
  }
  return s + 1;
}

const struct step *pack_activemask(struct warp *w, const struct step *s)
{
  uint32_t mask = step_mask(w, s);
  uint32_t *d = slot_at(w, s->d);

  for (uint32_t m = mask; m != 0; m &= m - 1)
    d[__builtin_ctz(m)] = mask;
  return s + 1;
}

const struct step *pack_move_wide(struct warp *w, const struct step *s)
{
  for (uint32_t mask = step_mask(w, s); mask != 0; mask &= mask - 1) {
    size_t l = (size_t)__builtin_ctz(mask);

    memmove((uint8_t *)slot_at(w, s->d) + 16 * l,
            (uint8_t *)slot_at(w, s->a) + 16 * l, 16);
  }
  return s + 1;
}
