#include "html.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const void_elements[] = {
    "area", "base", "br",   "col",   "embed",  "hr",    "img",
    "input", "link", "meta", "param", "source", "track", "wbr"};

static void *must(void *pointer)
{
  if (!pointer) {
    fprintf(stderr, "error: out of memory\n");
    exit(1);
  }
  return pointer;
}

char *text_part(const char *text, size_t length)
{
  char *copy = must(malloc(length + 1));
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

char *text_format(const char *format, ...)
{
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  char *text = must(malloc((size_t)length + 1));
  vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  va_end(arguments);
  return text;
}

void html_open(struct html_reader *reader, const char *text)
{
  *reader = (struct html_reader){.at = text, .line = 1};
}

static void advance(struct html_reader *reader, size_t count)
{
  for (; count > 0; count--) {
    if (*reader->at++ == '\n')
      reader->line++;
  }
}

static bool starts(const struct html_reader *reader, const char *word)
{
  return strncmp(reader->at, word, strlen(word)) == 0;
}

static void skip_space(struct html_reader *reader)
{
  while (isspace((unsigned char)*reader->at))
    advance(reader, 1);
}

static bool fail(struct html_reader *reader, char *fault)
{
  if (!reader->fault)
    reader->fault = fault;
  else
    free(fault);
  return false;
}

static bool skip_to(struct html_reader *reader, const char *end)
{
  const char *found = strstr(reader->at, end);
  if (!found)
    return fail(reader, text_format("'%s' is missing", end));
  advance(reader, (size_t)(found - reader->at) + strlen(end));
  return true;
}

/* ---- Attributes --------------------------------------------------------- */

static const struct { const char *name; char letter; } entities[] = {
    {"&amp;", '&'}, {"&lt;", '<'},   {"&gt;", '>'},
    {"&quot;", '"'}, {"&#39;", '\''}, {"&apos;", '\''}};

void resolve_entities(char *text)
{
  text = strchr(text, '&');
  if (!text)
    return;
  char *out = text;
  while (*text) {
    size_t length = 1;
    char letter = *text;
    for (size_t i = 0;
         letter == '&' && i < sizeof entities / sizeof *entities; i++) {
      size_t n = strlen(entities[i].name);
      if (strncmp(text, entities[i].name, n) == 0) {
        length = n;
        letter = entities[i].letter;
      }
    }
    *out++ = letter;
    text += length;
  }
  *out = '\0';
}

static char *take_name(struct html_reader *reader)
{
  size_t length = strcspn(reader->at, " \t\r\n=/>");
  char *name = text_part(reader->at, length);
  advance(reader, length);
  return name;
}

static char *take_value(struct html_reader *reader)
{
  char quote = *reader->at;
  if (quote != '"' && quote != '\'') {
    fail(reader, text_format("an attribute's value without quotes"));
    return text_part("", 0);
  }
  const char *first = reader->at + 1;
  const char *last = strchr(first, quote);
  if (!last) {
    fail(reader, text_format("an attribute's value never ends"));
    return text_part("", 0);
  }
  char *value = text_part(first, (size_t)(last - first));
  resolve_entities(value);
  advance(reader, (size_t)(last - reader->at) + 1);
  return value;
}

static bool take_attribute(struct html_reader *reader, struct tag *tag)
{
  if (tag->n_attributes == max_attributes)
    return fail(reader, text_format("<%s> with more than %d attributes",
                                    tag->name, max_attributes));
  struct attribute *made = &tag->attributes[tag->n_attributes];
  made->name = take_name(reader);
  if (*reader->at == '=') {
    advance(reader, 1);
    made->value = take_value(reader);
  } else {
    made->value = text_part("", 0);
  }
  tag->n_attributes++;
  for (int i = 0; i < tag->n_attributes - 1; i++) {
    if (strcmp(tag->attributes[i].name, made->name) == 0)
      return fail(reader, text_format("<%s> has two attributes '%s'",
                                      tag->name, made->name));
  }
  return !reader->fault;
}

/* ---- Tags --------------------------------------------------------------- */

static bool is_void_element(const char *name)
{
  for (size_t i = 0; i < sizeof void_elements / sizeof *void_elements; i++) {
    if (*name == *void_elements[i] && strcmp(name, void_elements[i]) == 0)
      return true;
  }
  return false;
}

static bool take_tag(struct html_reader *reader, struct tag *tag)
{
  tag->line = reader->line;
  advance(reader, 1);
  if (*reader->at == '/') {
    tag->closes = true;
    advance(reader, 1);
  }
  tag->name = take_name(reader);
  for (;;) {
    skip_space(reader);
    if (*reader->at == '>')
      break;
    if (starts(reader, "/>")) {
      tag->is_void = true;
      advance(reader, 1);
      break;
    }
    if (*reader->at == '\0')
      return fail(reader, text_format("<%s never ends", tag->name));
    if (!take_attribute(reader, tag))
      return false;
  }
  advance(reader, 1);
  tag->is_void = tag->is_void || is_void_element(tag->name);
  return true;
}

/* What stands in <script> and <style> is no HTML. */
static bool take_raw(struct html_reader *reader, const struct tag *tag)
{
  reader->raw = NULL;
  if (tag->closes || (strcmp(tag->name, "script") != 0 &&
                      strcmp(tag->name, "style") != 0))
    return true;
  char *end = text_format("</%s>", tag->name);
  const char *found = strstr(reader->at, end);
  free(end);
  if (!found)
    return fail(reader, text_format("<%s> is never closed", tag->name));
  reader->raw = reader->at;
  reader->raw_length = (size_t)(found - reader->at);
  advance(reader, reader->raw_length);
  return true;
}

/* The attributes stay as they are: there are none until they are counted. */
static void clear(struct tag *tag)
{
  tag->name = NULL;
  tag->line = tag->n_attributes = 0;
  tag->closes = tag->is_void = false;
}

bool html_next(struct html_reader *reader, struct tag *tag)
{
  clear(tag);
  reader->text_before = false;
  for (;;) {
    size_t length = strcspn(reader->at, "<");
    for (size_t i = 0; i < length; i++) {
      if (!isspace((unsigned char)reader->at[i]))
        reader->text_before = true;
    }
    advance(reader, length);
    if (*reader->at == '\0')
      return false;
    if (starts(reader, "<!--")) {
      if (!skip_to(reader, "-->"))
        return false;
    } else if (starts(reader, "<!DOCTYPE html>")) {
      reader->has_doctype = true;
      advance(reader, strlen("<!DOCTYPE html>"));
    } else if (isalpha((unsigned char)reader->at[1]) ||
               reader->at[1] == '/') {
      return take_tag(reader, tag) && take_raw(reader, tag);
    } else {
      return fail(reader, text_format("a bare '<' in the text"));
    }
  }
}

void tag_free(struct tag *tag)
{
  free(tag->name);
  for (int i = 0; i < tag->n_attributes; i++) {
    free(tag->attributes[i].name);
    free(tag->attributes[i].value);
  }
  clear(tag);
}

const char *tag_get(const struct tag *tag, const char *name)
{
  for (int i = 0; i < tag->n_attributes; i++) {
    if (strcmp(tag->attributes[i].name, name) == 0)
      return tag->attributes[i].value;
  }
  return NULL;
}
