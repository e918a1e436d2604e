/* Variables of the environment: what they mean, and what ends the process. */
#include "../runtime/test.h"

#include "support/setting.h"

static const char *const name = "SOFTDEVICE_TESTED";

static unsigned long long number(const char *text)
{
  setenv(name, text, 1);
  return setting_number(name, 1, 255, 7);
}

static unsigned long long bytes(const char *text)
{
  setenv(name, text, 1);
  return setting_bytes(name, 9);
}

static unsigned word(const char *text)
{
  static const char *const words[] = { "one", "two", "three" };

  setenv(name, text, 1);
  return setting_word(name, words, 3, 5);
}

BEHAVIOUR(unset_or_empty_is_the_default)
{
  unsetenv(name);
  CHECK_EQUAL(setting_number(name, 1, 255, 7), 7);
  CHECK_EQUAL(number(""), 7);
  CHECK_EQUAL(bytes(""), 9);
  CHECK_EQUAL(word(""), 5);
  CHECK(setting_text(name) == NULL);
}

BEHAVIOUR(numbers_and_words)
{
  CHECK_EQUAL(number("1"), 1);
  CHECK_EQUAL(number("255"), 255);
  CHECK_EQUAL(word("one"), 0);
  CHECK_EQUAL(word("three"), 2);
}

BEHAVIOUR(sizes_with_units)
{
  CHECK_EQUAL(bytes("1"), 1);
  CHECK_EQUAL(bytes("1000000"), 1000000);
  CHECK_EQUAL(bytes("3K"), 3072);
  CHECK_EQUAL(bytes("3KiB"), 3072);
  CHECK_EQUAL(bytes("64M"), 64 << 20);
  CHECK_EQUAL(bytes("2G"), 1LL << 31);
  CHECK_EQUAL(bytes("2GiB"), 1LL << 31);
  CHECK_EQUAL(bytes("1T"), 1LL << 40);
}

static unsigned long long (*number_read)(const char *);
static const char *given;

static void read_number(void) { number_read(given); }

static void refused(unsigned long long (*read)(const char *), const char *text,
                    const char *expected)
{
  const char *said;

  number_read = read;
  given = text;
  CHECK_EQUAL(in_child(read_number, 2, &said), 2);
  CHECK_HAS(said, "softdevice: SOFTDEVICE_TESTED=");
  CHECK_HAS(said, text);
  CHECK_HAS(said, expected);
}

BEHAVIOUR(numbers_that_make_no_sense)
{
  static const char *const wrong[] = { "1x",
                                       "-5",
                                       "+5",
                                       "abc",
                                       " 1",
                                       "1 ",
                                       "0",
                                       "256",
                                       "1.5",
                                       "0x1",
                                       "99999999999999999999" };

  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    refused(number, wrong[i], "expected a whole number from 1 to 255");
}

BEHAVIOUR(sizes_that_make_no_sense)
{
  static const char *const wrong[] = { "0",
                                       "-5",
                                       "abc",
                                       "G",
                                       "2g",
                                       "2GB",
                                       "2 G",
                                       "1x",
                                       "2Gi",
                                       "1e9",
                                       "0.5G",
                                       "16777216T",
                                       "18446744073709551616" };

  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    refused(bytes, wrong[i], "expected a number of bytes, at least 1; K, M, G");
  CHECK(bytes("16777215T") == 16777215ULL << 40);
}

static unsigned long long word_as_number(const char *text)
{
  return word(text);
}

BEHAVIOUR(words_that_are_none)
{
  refused(word_as_number, "four", "expected one, two or three");
  refused(word_as_number, "One", "expected one, two or three");
  refused(word_as_number, "on", "expected one, two or three");
}

/* More words than a message holds: as many of them as fit. */
static unsigned long long long_word(const char *text)
{
  static char first[128], second[128], third[128];
  const char *const words[] = { first, second, third };

  memset(first, 'a', 90);
  memset(second, 'b', 90);
  memset(third, 'c', 90);
  setenv(name, text, 1);
  return setting_word(name, words, 3, 5);
}

BEHAVIOUR(message_ends_where_its_room_does)
{
  const char *said;

  refused(long_word, "none", "aaaa, bbbb");
  CHECK_EQUAL(in_child(read_number, 2, &said), 2);
  CHECK(strstr(said, "bbbb or ccc") != NULL);
  CHECK(strstr(said, "cccccccccccccccc") == NULL);
}
