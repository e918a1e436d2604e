/* Reads numbers, sizes and words, and refuses everything else. */
#include "setting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Not exit(): reports of a run that is not going to happen would be written,
 * and this may be a thread that holds their locks. */
_Noreturn void setting_refuse(const char *name, const char *text,
                              const char *expected)
{
  fprintf(stderr, "softdevice: %s=%s: expected %s\n", name, text, expected);
  _exit(2);
}

const char *setting_text(const char *name)
{
  const char *text = getenv(name);

  return text == NULL || text[0] == '\0' ? NULL : text;
}

/* Reads digits, at least one; what follows them, or NULL if there are none or
 * the number does not fit. */
static const char *digits(const char *text, uint64_t *n)
{
  const char *at = text;

  for (*n = 0; *at >= '0' && *at <= '9'; at++) {
    uint64_t digit = (uint64_t)(*at - '0');

    if (*n > (UINT64_MAX - digit) / 10)
      return NULL;
    *n = 10 * *n + digit;
  }
  return at == text ? NULL : at;
}

uint64_t setting_number(const char *name, uint64_t least, uint64_t most,
                        uint64_t otherwise)
{
  const char *text = setting_text(name), *rest;
  char expected[80];
  uint64_t n;

  if (text == NULL)
    return otherwise;
  rest = digits(text, &n);
  if (rest != NULL && *rest == '\0' && n >= least && n <= most)
    return n;
  snprintf(expected, sizeof expected, "a whole number from %llu to %llu",
           (unsigned long long)least, (unsigned long long)most);
  setting_refuse(name, text, expected);
}

/* By how many bits a unit shifts; -1: there is no such unit. */
static int unit_shift(const char *unit)
{
  static const char letters[] = "KMGT";
  const char *letter = *unit == '\0' ? NULL : strchr(letters, *unit);

  if (*unit == '\0')
    return 0;
  if (letter == NULL || (unit[1] != '\0' && strcmp(unit + 1, "iB") != 0))
    return -1;
  return 10 * (int)(letter - letters + 1);
}

uint64_t setting_bytes(const char *name, uint64_t otherwise)
{
  const char *text = setting_text(name), *unit;
  uint64_t n;
  int shift;

  if (text == NULL)
    return otherwise;
  unit = digits(text, &n);
  shift = unit == NULL ? -1 : unit_shift(unit);
  if (shift < 0 || n == 0 || n > UINT64_MAX >> shift)
    setting_refuse(name, text,
                   "a number of bytes, at least 1; K, M, G or T may follow "
                   "(or KiB …), powers of 1024");
  return n << shift;
}

unsigned setting_word(const char *name, const char *const *words, unsigned n,
                      unsigned otherwise)
{
  const char *text = setting_text(name);
  char expected[200] = "";
  size_t length = 0;

  if (text == NULL)
    return otherwise;
  for (unsigned i = 0; i < n; i++) {
    if (strcmp(text, words[i]) == 0)
      return i;
    length +=
        (size_t)snprintf(expected + length, sizeof expected - length, "%s%s",
                         i == 0       ? ""
                         : i + 1 == n ? " or "
                                      : ", ",
                         words[i]);
    if (length >= sizeof expected)
      length = sizeof expected - 1;
  }
  setting_refuse(name, text, expected);
}
