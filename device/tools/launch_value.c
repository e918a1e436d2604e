/* Values of the notation: types, numbers and expressions. */
#include "launch.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool launch_type_named(const char *name, size_t length,
                       struct launch_type *type)
{
  static const char *const sizes[] = { "8", "16", "32", "64" };

  for (unsigned i = 0; i < 4 && length > 1; i++)
    if (strlen(sizes[i]) == length - 1 &&
        memcmp(name + 1, sizes[i], length - 1) == 0 &&
        strchr(i < 2 ? "usx" : "usxf", name[0]) != NULL) {
      *type = (struct launch_type){ name[0], 1u << i };
      return true;
    }
  return false;
}

char *launch_word(char **rest)
{
  char *word = *rest + strspn(*rest, " \t"), *end = word;
  unsigned depth = 0;

  if (*word == '\0')
    return NULL;
  for (; *end != '\0' && (depth > 0 || strchr(" \t", *end) == NULL); end++) {
    depth += *end == '(';
    depth -= depth > 0 && *end == ')';
  }
  *rest = end;
  if (*end != '\0')
    *(*rest)++ = '\0';
  return word;
}

/* ---- expressions ---------------------------------------------------------- */

struct reader {
  struct launch_expression *e;
  const char *whole, *at;
  bool failed;
};

static int64_t any(struct reader *r);

/* The first complaint counts. From there on the text is at its end. */
static int64_t wrong(struct reader *r, const char *what)
{
  if (!r->failed)
    snprintf(r->e->problem, sizeof r->e->problem, "%s in '%.120s', at '%.20s'",
             what, r->whole, r->at);
  r->failed = true;
  r->at += strlen(r->at);
  return 0;
}

static void skip(struct reader *r)
{
  while (*r->at == ' ' || *r->at == '\t')
    r->at++;
}

static bool take(struct reader *r, const char *sign)
{
  size_t n = strlen(sign);

  skip(r);
  if (strncmp(r->at, sign, n) != 0)
    return false;
  r->at += n;
  return true;
}

/* Scatters neighbours, the same on every machine. */
static int64_t mix(int64_t x)
{
  uint64_t z = (uint64_t)x * UINT64_C(0x9e3779b97f4a7c15) + 1;

  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return (int64_t)(z >> 40 & 0xffff);
}

static int64_t name_value(struct reader *r)
{
  size_t n = strspn(r->at, "abcdefghijklmnopqrstuvwxyz_0123456789");
  const char *name = r->at;
  int64_t value = 0;

  r->at += n;
  if (n == 1 && *name == 'i')
    return r->e->i;
  if (n == 3 && memcmp(name, "mix", 3) == 0 && take(r, "(")) {
    value = mix(any(r));
    return take(r, ")") ? value : wrong(r, "')' is missing");
  }
  if (r->e->names != NULL && r->e->names(r->e->context, name, n, &value))
    return value;
  r->at = name;
  return wrong(r, "a name that means nothing here");
}

static int64_t primary(struct reader *r)
{
  char *end;
  int64_t value;

  skip(r);
  if (take(r, "(")) {
    value = any(r);
    return take(r, ")") ? value : wrong(r, "')' is missing");
  }
  if (take(r, "-"))
    return (int64_t)(0 - (uint64_t)primary(r));
  if (isdigit((unsigned char)*r->at)) {
    value = (int64_t)strtoull(r->at, &end, 0);
    r->at = end;
    return value;
  }
  if (!islower((unsigned char)*r->at))
    return wrong(r, "a number is expected");
  return name_value(r);
}

static int64_t divided(struct reader *r, int64_t a, int64_t b, bool rest)
{
  if (b == 0)
    return wrong(r, "a division by zero");
  if (b == -1)
    return rest ? 0 : (int64_t)(0 - (uint64_t)a);
  return rest ? a % b : a / b;
}

static int64_t product(struct reader *r)
{
  int64_t value = primary(r);

  for (;;) {
    if (take(r, "*"))
      value = (int64_t)((uint64_t)value * (uint64_t)primary(r));
    else if (take(r, "/"))
      value = divided(r, value, primary(r), false);
    else if (take(r, "%"))
      value = divided(r, value, primary(r), true);
    else
      return value;
  }
}

static int64_t sum(struct reader *r)
{
  int64_t value = product(r);

  for (;;) {
    if (take(r, "+"))
      value = (int64_t)((uint64_t)value + (uint64_t)product(r));
    else if (take(r, "-"))
      value = (int64_t)((uint64_t)value - (uint64_t)product(r));
    else
      return value;
  }
}

static int64_t comparison(struct reader *r)
{
  int64_t value = sum(r);

  if (take(r, "=="))
    return value == sum(r);
  if (take(r, "!="))
    return value != sum(r);
  if (take(r, "<="))
    return value <= sum(r);
  if (take(r, ">="))
    return value >= sum(r);
  if (take(r, "<"))
    return value < sum(r);
  return take(r, ">") ? value > sum(r) : value;
}

static int64_t both(struct reader *r)
{
  int64_t value = comparison(r);

  while (take(r, "&&")) {
    int64_t other = comparison(r);

    value = value != 0 && other != 0;
  }
  return value;
}

static int64_t either(struct reader *r)
{
  int64_t value = both(r);

  while (take(r, "||")) {
    int64_t other = both(r);

    value = value != 0 || other != 0;
  }
  return value;
}

static int64_t any(struct reader *r)
{
  int64_t value = either(r), yes, no;

  if (!take(r, "?"))
    return value;
  yes = any(r);
  if (!take(r, ":"))
    return wrong(r, "':' is missing");
  no = any(r);
  return value != 0 ? yes : no;
}

bool launch_value(struct launch_expression *e, const char *text, int64_t *value)
{
  struct reader r = { .e = e, .whole = text, .at = text };

  *value = any(&r);
  skip(&r);
  if (*r.at != '\0')
    wrong(&r, "an operator is expected");
  return !r.failed;
}

/* ---- bits ----------------------------------------------------------------- */

static uint64_t bits_of_number(struct launch_type type, double value)
{
  float narrow = (float)value;
  uint64_t bits = 0;

  if (type.bytes == 4)
    memcpy(&bits, &narrow, sizeof narrow);
  else
    memcpy(&bits, &value, sizeof value);
  return bits;
}

/* 1.5, -2e-3, inf, nan. Single precision is read as such: reading it as double
 * first would round twice. */
static bool is_decimal(struct launch_type type, const char *word,
                       uint64_t *bits)
{
  char *end;
  double value =
      type.bytes == 4 ? (double)strtof(word, &end) : strtod(word, &end);

  if (end == word || *end != '\0')
    return false;
  *bits = bits_of_number(type, value);
  return true;
}

bool launch_bits(struct launch_expression *e, struct launch_type type,
                 const char *word, uint64_t *bits)
{
  bool is_hexadecimal = strncmp(word, "0x", 2) == 0;
  int64_t value;

  if (type.kind == 'f' && !is_hexadecimal && is_decimal(type, word, bits))
    return true;
  if (!launch_value(e, word, &value))
    return false;
  *bits = type.kind == 'f' && !is_hexadecimal
              ? bits_of_number(type, (double)value)
              : (uint64_t)value;
  if (type.bytes < 8)
    *bits &= (UINT64_C(1) << 8 * type.bytes) - 1;
  return true;
}

void launch_put_bits(FILE *out, struct launch_type type, uint64_t bits)
{
  unsigned drop = 64 - 8 * type.bytes;
  uint32_t low = (uint32_t)bits;
  float narrow;
  double wide;

  if (type.kind == 'f' && type.bytes == 4) {
    memcpy(&narrow, &low, sizeof narrow);
    fprintf(out, "%.9g (0x%08" PRIx32 ")", (double)narrow, low);
  } else if (type.kind == 'f') {
    memcpy(&wide, &bits, sizeof wide);
    fprintf(out, "%.17g (0x%016" PRIx64 ")", wide, bits);
  } else if (type.kind == 's') {
    fprintf(out, "%" PRId64, (int64_t)(bits << drop) >> drop);
  } else {
    fprintf(out, type.kind == 'x' ? "0x%" PRIx64 : "%" PRIu64, bits);
  }
}
