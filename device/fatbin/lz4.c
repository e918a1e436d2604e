/* LZ4 block format: https://github.com/lz4/lz4/blob/dev/doc/
 * lz4_Block_format.md. A block is a row of sequences:
 *
 *   token | more literal length | literals | offset | more match length
 *
 * The token's upper half is the number of literals, its lower half the match
 * length less 4; 15 means that bytes follow to be added, up to one < 255. */
#include "fatbin.h"

#include <string.h>

struct input {
  const uint8_t *next, *end;
};

static bool read_length(struct input *in, size_t *length)
{
  uint8_t byte;
  if (*length != 15)
    return true;
  do {
    if (in->next == in->end)
      return false;
    byte = *in->next++;
    *length += byte;
  } while (byte == 255);
  return true;
}

static bool copy_literals(struct input *in, size_t length, uint8_t **out,
                          const uint8_t *out_end)
{
  if (!read_length(in, &length) || length > (size_t)(in->end - in->next) ||
      length > (size_t)(out_end - *out))
    return false;
  memcpy(*out, in->next, length);
  in->next += length;
  *out += length;
  return true;
}

/* Source and destination may overlap: byte by byte repeats the pattern. */
static bool copy_match(struct input *in, size_t length, const uint8_t *begin,
                       uint8_t **out, const uint8_t *out_end)
{
  if (in->end - in->next < 2)
    return false;
  size_t offset = in->next[0] | (size_t)in->next[1] << 8;
  in->next += 2;
  if (!read_length(in, &length))
    return false;
  length += 4;
  if (offset == 0 || offset > (size_t)(*out - begin) ||
      length > (size_t)(out_end - *out))
    return false;
  for (size_t i = 0; i < length; i++, ++*out)
    **out = (*out)[-(ptrdiff_t)offset];
  return true;
}

bool lz4_decompress(const uint8_t *in, size_t n_in, uint8_t *out, size_t n_out)
{
  struct input input = { in, in + n_in };
  uint8_t *next = out;
  const uint8_t *end = out + n_out;
  while (input.next < input.end) {
    unsigned token = *input.next++;
    if (!copy_literals(&input, token >> 4, &next, end))
      return false;
    if (input.next == input.end) /* the last sequence has no match */
      break;
    if (!copy_match(&input, token & 15, out, &next, end))
      return false;
  }
  return next == end;
}
