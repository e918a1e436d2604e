/* Decoder of video instructions. */
#include <string.h>

#include "decode.h"
#include "video.h"

static enum video_op video_op_of(const char *opcode)
{
  static const struct {
    const char *stem;
    enum video_op op;
  } names[] = {
    { "vadd", VIDEO_ADD }, { "vsub", VIDEO_SUB }, { "vabsdiff", VIDEO_ABSDIFF },
    { "vmin", VIDEO_MIN }, { "vmax", VIDEO_MAX }, { "vavrg", VIDEO_AVRG },
    { "vshl", VIDEO_SHL }, { "vshr", VIDEO_SHR }, { "vmad", VIDEO_MAD },
  };

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(opcode, names[i].stem, strlen(names[i].stem)) == 0)
      return names[i].op;
  return VIDEO_SET;
}

static enum comparison comparison_of(const struct ptx_match *match)
{
  static const struct {
    const char *name;
    enum comparison comparison;
  } names[] = {
    { "eq", COMPARE_EQ }, { "ne", COMPARE_NE }, { "lt", COMPARE_LT },
    { "le", COMPARE_LE }, { "gt", COMPARE_GT },
  };

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (ptx_has(match, names[i].name))
      return names[i].comparison;
  return COMPARE_GE;
}

/* One byte or half of a 32-bit register: b0 … b3, h0, h1. */
static bool one_part(struct decoder *d, const char *selector, unsigned *bits,
                     uint8_t *part)
{
  *bits = 32;
  *part = 0;
  if (selector == NULL)
    return true;
  *bits = selector[0] == 'b' ? 8 : 16;
  *part = (uint8_t)(selector[1] - '0');
  if ((selector[0] != 'b' && selector[0] != 'h') || selector[1] < '0' ||
      *part >= 32 / *bits || selector[2] != '\0')
    return decode_refuse(d, "part .%s of a register", selector);
  return true;
}

/* h10, b7531: a part of b:a for each lane, the highest lane's first. */
static bool many_parts(struct decoder *d, const char *selector, unsigned n,
                       unsigned first, uint8_t *part)
{
  for (unsigned i = 0; i < n; i++)
    part[i] = (uint8_t)(first + i);
  if (selector == NULL)
    return true;
  if (selector[0] != (n == 2 ? 'h' : 'b') || strlen(selector) != n + 1)
    return decode_refuse(d, "parts .%s of a register", selector);
  for (unsigned i = 0; i < n; i++) {
    unsigned at = (unsigned)(selector[n - i] - '0');

    if (at >= 2 * n)
      return decode_refuse(d, "parts .%s of a register", selector);
    part[i] = (uint8_t)at;
  }
  return true;
}

/* Which lanes are written: any of them, h1, b210. */
static bool written_parts(struct decoder *d, const char *selector, unsigned n,
                          uint8_t *mask)
{
  *mask = (uint8_t)((1u << n) - 1);
  if (selector == NULL)
    return true;
  *mask = 0;
  for (const char *at = selector + 1; *at != '\0'; at++) {
    if (*at < '0' || (unsigned)(*at - '0') >= n)
      return decode_refuse(d, "parts .%s of a register", selector);
    *mask |= (uint8_t)(1u << (*at - '0'));
  }
  return true;
}

static bool parts_of(struct decoder *d, struct video_extra *x)
{
  const struct ptx_operand *o = d->instruction->operands;
  uint8_t to;

  if (x->parts > 1)
    return written_parts(d, o[0].selector, x->parts, &x->mask) &&
           many_parts(d, o[1].selector, x->parts, 0, x->a.part) &&
           many_parts(d, o[2].selector, x->parts, x->parts, x->b.part);
  if (!one_part(d, o[0].selector, &x->to_bits, &to) ||
      !one_part(d, o[1].selector, &x->a_bits, x->a.part) ||
      !one_part(d, o[2].selector, &x->b_bits, x->b.part))
    return false;
  x->to_part = to;
  if (o[0].selector != NULL)
    x->second = VIDEO_MERGE;
  return true;
}

/* An operand without its selector and sign. */
static bool plain_source(struct decoder *d, const struct ptx_operand *operand,
                         slot *to)
{
  struct ptx_operand plain = *operand;

  plain.selector = NULL;
  plain.negated = false;
  return decode_source(d, &plain, 4, to);
}

static bool modifiers(struct decoder *d, struct video_extra *x)
{
  const struct ptx_match *match = &d->match;
  const char *opcode = d->instruction->opcode;
  size_t stem = ptx_stem(opcode);
  bool is_set;

  x->op = video_op_of(opcode);
  x->parts = opcode[stem - 1] == '2' ? 2 : opcode[stem - 1] == '4' ? 4 : 1;
  x->bits = 32 / x->parts;
  is_set = x->op == VIDEO_SET;
  x->comparison = comparison_of(match);
  x->result_signed = !is_set && ptx_type_is_signed(match->types[0]);
  x->a.is_signed = ptx_type_is_signed(match->types[!is_set]);
  x->b.is_signed = ptx_type_is_signed(match->types[1 + !is_set]);
  x->saturates = ptx_has(match, "sat");
  x->wraps = ptx_has(match, "wrap");
  x->plus_one = ptx_has(match, "po");
  x->shift = ptx_has(match, "shr7") ? 7 : ptx_has(match, "shr15") ? 15 : 0;
  x->second = ptx_has(match, "add")   ? VIDEO_THEN_ADD
              : ptx_has(match, "min") ? VIDEO_THEN_MIN
              : ptx_has(match, "max") ? VIDEO_THEN_MAX
                                      : VIDEO_NONE;
  return true;
}

bool decode_video(struct decoder *d)
{
  const struct ptx_operand *operands = d->instruction->operands;
  struct video_extra *x = decode_keep(d, sizeof *x);
  struct ptx_operand result;
  slot to, a, b, c = 0;
  struct step *s;
  bool has_c;

  if (!decode_operands(d, 3, 4) || !modifiers(d, x) || !parts_of(d, x))
    return false;
  has_c = d->instruction->n_operands == 4;
  if (has_c != (x->parts > 1 || x->op == VIDEO_MAD || x->second != VIDEO_NONE))
    return decode_refuse(d, has_c ? "a fourth operand" : "no fourth operand");
  x->a.negated = operands[1].negated;
  x->b.negated = operands[2].negated;
  x->c_negated = has_c && operands[3].negated;
  result = operands[0];
  result.selector = NULL;
  if (x->op != VIDEO_MAD && (x->a.negated || x->b.negated || x->c_negated))
    return decode_refuse(d, "negated operand");
  if (!plain_source(d, &operands[1], &a) ||
      !plain_source(d, &operands[2], &b) ||
      (has_c && !plain_source(d, &operands[3], &c)) ||
      !decode_result(d, &result, 4, &to))
    return false;
  s = decode_emit(d, video_run);
  s->d = to;
  s->a = a;
  s->b = b;
  s->c = has_c ? c : decode_constant(d, 0, 4);
  s->extra = x;
  return true;
}
