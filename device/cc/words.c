#define _POSIX_C_SOURCE 200809L
/* Lists of words, texts that grow, and files. */
#include "words.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/host_memory.h"

void words_add(struct words *words, const char *word)
{
  if (words->n + 2 > words->capacity) {
    words->capacity = 2 * words->capacity + 16;
    words->word = host_grow(words->word, words->capacity, sizeof *words->word);
  }
  words->word[words->n++] = host_copy(word);
  words->word[words->n] = NULL;
}

void words_add_all(struct words *words, ...)
{
  const char *word;
  va_list list;

  va_start(list, words);
  while ((word = va_arg(list, const char *)) != NULL)
    words_add(words, word);
  va_end(list);
}

void words_add_list(struct words *words, const struct words *more)
{
  for (size_t i = 0; i < more->n; i++)
    words_add(words, more->word[i]);
}

void text_add(struct text *text, const char *from, size_t n)
{
  if (text->n + n + 1 > text->capacity) {
    text->capacity = 2 * (text->n + n) + 256;
    text->start = host_grow(text->start, text->capacity, 1);
  }
  memcpy(text->start + text->n, from, n);
  text->n += n;
  text->start[text->n] = '\0';
}

static char *format_text(const char *format, va_list list)
{
  va_list again;
  va_copy(again, list);
  size_t n = (size_t)vsnprintf(NULL, 0, format, again) + 1;
  va_end(again);
  char *text = host_new(n, 1);
  vsnprintf(text, n, format, list);
  return text;
}

void text_say(struct text *text, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  char *more = format_text(format, list);
  va_end(list);
  text_add(text, more, strlen(more));
  free(more);
}

char *text_of(const char *format, ...)
{
  va_list list;
  va_start(list, format);
  char *text = format_text(format, list);
  va_end(list);
  return text;
}

void fail(const char *format, ...)
{
  va_list list;
  va_start(list, format);
  char *text = format_text(format, list);
  va_end(list);
  fprintf(stderr, "softdevice cc: error: %s\n", text);
  exit(2);
}

char *file_read(const char *path, size_t *n)
{
  FILE *file = fopen(path, "rb");
  struct text text = { 0 };
  char piece[65536];
  size_t got;

  if (file == NULL)
    fail("%s: %s", path, strerror(errno));
  text_add(&text, "", 0);
  while ((got = fread(piece, 1, sizeof piece, file)) > 0)
    text_add(&text, piece, got);
  if (ferror(file))
    fail("%s: %s", path, strerror(errno));
  fclose(file);
  if (n != NULL)
    *n = text.n;
  return text.start;
}

void file_write(const char *path, const void *bytes, size_t n)
{
  FILE *file = fopen(path, "wb");
  if (file == NULL || fwrite(bytes, 1, n, file) != n || fclose(file) != 0)
    fail("%s: %s", path, strerror(errno));
}

bool ends_with(const char *word, const char *end)
{
  size_t n = strlen(word), n_end = strlen(end);
  return n >= n_end && strcmp(word + n - n_end, end) == 0;
}

const char *after(const char *word, const char *start)
{
  size_t n = strlen(start);
  return strncmp(word, start, n) == 0 ? word + n : NULL;
}

const char *line_end(const char *p)
{
  const char *end = strchr(p, '\n');
  return end != NULL ? end + 1 : p + strlen(p);
}

const char *find_in(const char *from, const char *to, const char *what)
{
  const char *found = strstr(from, what);
  return found != NULL && found < to ? found : NULL;
}
