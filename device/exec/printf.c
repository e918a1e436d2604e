/* Device printf: the host's formats, less what the device does not know. */
#include <stdio.h>
#include <string.h>

#include "builtin.h"

enum { MAX_ARGUMENTS = 32 }; /* as the hardware's printf */

struct conversion {
  char flags[64]; /* from '%' up to the length modifier */
  size_t length;
  bool wide;       /* l, ll, j, z, t: 64 bits */
  bool is_short;   /* h: 16 bits of the 32 */
  bool is_foreign; /* a size or precision that a GPU's printf does not have */
  int stars;
  char type; /* 0 when the format ends too early */
};

struct cursor {
  const uint8_t *at;
  size_t offset;
};

static uint64_t take_argument(struct cursor *cursor, unsigned bytes)
{
  uint64_t value = 0;

  cursor->offset = (cursor->offset + bytes - 1) & ~(size_t)(bytes - 1);
  memcpy(&value, cursor->at + cursor->offset, bytes);
  cursor->offset += bytes;
  return value;
}

static void add_text(struct conversion *c, const char *text, size_t n)
{
  if (c->length + n < sizeof c->flags) {
    memcpy(c->flags + c->length, text, n);
    c->length += n;
  }
  c->flags[c->length] = '\0';
}

/* h, l and ll; the others are C's alone. */
static const char *parse_size(const char *format, struct conversion *c)
{
  const char *size = format;
  size_t n = strspn(format, "hljztLq");

  for (size_t i = 0; i < n; i++)
    c->wide |= size[i] != 'h' && size[i] != 'L';
  c->is_short = n == 1 && size[0] == 'h';
  c->is_foreign |= n > 0 && !c->is_short && !(n == 1 && size[0] == 'l') &&
                   !(n == 2 && size[0] == 'l' && size[1] == 'l');
  return format + n;
}

/* Reads one conversion after its '%'. A '*' takes an int argument, and only a
 * width may be one on a GPU. */
static const char *parse(const char *format, struct conversion *c,
                         struct cursor *cursor)
{
  memset(c, 0, sizeof *c);
  add_text(c, "%", 1);
  for (;; format++) {
    if (*format == '*') {
      char number[16];
      int n =
          snprintf(number, sizeof number, "%d", (int)take_argument(cursor, 4));

      add_text(c, number, (size_t)n);
      c->stars++;
      c->is_foreign |= format[-1] == '.';
    } else if (*format != '\0' && strchr("-+ #0123456789.", *format)) {
      add_text(c, format, 1);
    } else {
      break;
    }
  }
  format = parse_size(format, c);
  c->type = *format;
  c->is_foreign |= (c->wide && (c->type == 'c' || c->type == 's')) ||
                   (c->type != '\0' && strchr("bBnCS'", c->type) != NULL);
  return *format == '\0' ? format : format + 1;
}

static void print_integer(FILE *output, struct conversion *c,
                          struct cursor *cursor)
{
  bool is_signed = c->type == 'd' || c->type == 'i';
  uint64_t value = take_argument(cursor, c->wide ? 8 : 4);

  if (is_signed && c->is_short)
    value = (uint64_t)(int64_t)(int16_t)value;
  else if (c->is_short)
    value &= 0xffff;
  else if (is_signed && !c->wide)
    value = (uint64_t)(int64_t)(int32_t)value;
  add_text(c, "ll", 2);
  add_text(c, &c->type, 1);
  fprintf(output, c->flags, (long long)value);
}

/* False: there is no such conversion, it stands there as it is. */
static bool print_one(FILE *output, struct conversion *c, struct cursor *cursor,
                      string_reader *read_string, void *context)
{
  uint64_t bits;
  double value;

  switch (c->type) {
  case 'd':
  case 'i':
  case 'u':
  case 'x':
  case 'X':
  case 'o': print_integer(output, c, cursor); return true;
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G':
  case 'a':
  case 'A':
    bits = take_argument(cursor, 8);
    memcpy(&value, &bits, sizeof value);
    add_text(c, &c->type, 1);
    fprintf(output, c->flags, value);
    return true;
  case 'c':
    add_text(c, "c", 1);
    fprintf(output, c->flags, (int)take_argument(cursor, 4));
    return true;
  case 's': {
    const char *text = read_string(context, take_argument(cursor, 8));

    add_text(c, "s", 1);
    fprintf(output, c->flags, text == NULL ? "(null)" : text);
    return true;
  }
  case 'p':
    bits = take_argument(cursor, 8);
    add_text(c, "p", 1);
    fprintf(output, c->flags, (void *)(uintptr_t)bits);
    return true;
  case '%': fputc('%', output); return false;
  default: fprintf(output, "%s%c", c->flags, c->type); return false;
  }
}

#pragma GCC diagnostic ignored "-Wformat-nonliteral"

int printf_format(FILE *output, const char *format, const uint8_t *arguments,
                  string_reader *read_string, void *context, bool *is_foreign,
                  bool *is_long)
{
  struct cursor cursor = { arguments, 0 };
  int n = 0;

  while (*format != '\0') {
    size_t plain = strcspn(format, "%");
    struct conversion c;

    fwrite(format, 1, plain, output);
    format += plain;
    if (*format == '\0')
      break;
    if (format[1] == '%') {
      fputc('%', output);
      format += 2;
      continue;
    }
    if (n >= MAX_ARGUMENTS) {
      *is_long = true;
      fputs(format, output);
      break;
    }
    format = parse(format + 1, &c, &cursor);
    if (c.type == '\0') {
      fputs(c.flags, output);
      break;
    }
    if (print_one(output, &c, &cursor, read_string, context))
      n += 1 + c.stars;
    *is_foreign |= c.is_foreign;
  }
  return n;
}
