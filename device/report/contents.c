/* Finds the shortest of the forms that the notation has for contents. */
#include "contents.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_PERIOD = 64, LONGEST_LIST = 64 };

/* Numbers of a calculation, as opposed to integers or bits that would be read
 * as such: zero, or between 2^-40 and 2^40. */
static bool all_plausible(const uint8_t *bytes, size_t n, size_t size)
{
  bool is_any = false;

  for (size_t i = 0; i + size <= n; i += size) {
    float narrow = 0;
    double value = 0;

    if (size == sizeof narrow) {
      memcpy(&narrow, bytes + i, size);
      value = (double)narrow;
    } else {
      memcpy(&value, bytes + i, size);
    }
    if (value != 0 &&
        !(fabs(value) >= ldexp(1, -40) && fabs(value) <= ldexp(1, 40)))
      return false;
    is_any |= value != 0;
  }
  return is_any;
}

const char *contents_type(const void *bytes, size_t n, bool has_addresses)
{
  if (has_addresses && n % 8 == 0)
    return "x64";
  if (n % 4 != 0)
    return "u8";
  if (all_plausible(bytes, n, sizeof(float)))
    return "f32";
  if (n % 8 == 0 && all_plausible(bytes, n, sizeof(double)))
    return "f64";
  return "s32";
}

static void put_value(FILE *out, const char *type, const uint8_t *at)
{
  if (strcmp(type, "f32") == 0) {
    float value;

    memcpy(&value, at, sizeof value);
    fprintf(out, "%.9g", (double)value);
  } else if (strcmp(type, "f64") == 0) {
    double value;

    memcpy(&value, at, sizeof value);
    fprintf(out, "%.17g", value);
  } else if (strcmp(type, "s32") == 0) {
    int32_t value;

    memcpy(&value, at, sizeof value);
    fprintf(out, "%" PRId32, value);
  } else if (strcmp(type, "u8") == 0) {
    fprintf(out, "%u", *at);
  } else {
    uint64_t value;

    memcpy(&value, at, sizeof value);
    fprintf(out, "0x%" PRIx64, value);
  }
}

/* The i-th value, if it is a whole number. */
static bool whole(const char *type, const uint8_t *at, int64_t *value)
{
  float narrow;
  int32_t number;

  if (strcmp(type, "f32") == 0) {
    memcpy(&narrow, at, sizeof narrow);
    *value = fabsf(narrow) < 16777216 ? (int64_t)narrow : 0;
    return (float)*value == narrow && !(narrow == 0 && signbit(narrow));
  }
  if (strcmp(type, "s32") == 0) {
    memcpy(&number, at, sizeof number);
    *value = number;
    return true;
  }
  *value = *at;
  return strcmp(type, "u8") == 0;
}

static bool counts_up(const char *type, const uint8_t *bytes, size_t n,
                      size_t size, int64_t *first, int64_t *step)
{
  int64_t value;

  if (n < 3 || !whole(type, bytes, first) || !whole(type, bytes + size, step))
    return false;
  *step -= *first;
  for (size_t i = 2; i < n; i++)
    if (!whole(type, bytes + i * size, &value) ||
        value != *first + *step * (int64_t)i)
      return false;
  return true;
}

static size_t period_of(const uint8_t *bytes, size_t n, size_t size)
{
  for (size_t period = 1; period <= LONGEST_PERIOD && period < n; period++)
    if (memcmp(bytes, bytes + period * size, (n - period) * size) == 0)
      return period;
  return n;
}

static void put_word(FILE *out, const char *type, const uint8_t *at,
                     put_address *put)
{
  uint64_t word;

  fputc(' ', out);
  if (strcmp(type, "x64") == 0) {
    memcpy(&word, at, sizeof word);
    if (put(out, word))
      return;
  }
  put_value(out, type, at);
}

bool contents_put(FILE *out, const char *type, const void *bytes,
                  size_t n_bytes, put_address *put)
{
  size_t size = strtoul(type + 1, NULL, 10) / 8, n = n_bytes / size;
  int64_t first, step;
  size_t period = period_of(bytes, n, size);

  if (period > 1 && counts_up(type, bytes, n, size, &first, &step)) {
    if (step == 1 && first == 0)
      fputs(" (i)", out);
    else if (first == 0)
      fprintf(out, " (%" PRId64 "*i)", step);
    else
      fprintf(out, " (%" PRId64 "+%" PRId64 "*i)", first, step);
    return true;
  }
  if (period > LONGEST_LIST && strcmp(type, "x64") != 0)
    return false;
  for (size_t i = 0; i < period; i++)
    put_word(out, type, (const uint8_t *)bytes + i * size, put);
  return true;
}
