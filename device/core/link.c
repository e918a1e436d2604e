/* Linking works on the text, statement by statement at module level: the
 * parser and the executor then see one module. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "link_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/host_memory.h"

static bool is_name(char c)
{
  return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

/* Behind a comment or a string that begins here; else `p`. */
static const char *skip_one(const char *p)
{
  if (p[0] == '/' && p[1] == '/')
    return p + strcspn(p, "\n");
  if (p[0] == '/' && p[1] == '*') {
    const char *end = strstr(p + 2, "*/");
    return end == NULL ? p + strlen(p) : end + 2;
  }
  if (p[0] != '"')
    return p;
  for (p++; *p != '\0' && *p != '"'; p++)
    if (p[0] == '\\' && p[1] != '\0')
      p++;
  return *p == '"' ? p + 1 : p;
}

static const char *skip_blank(const char *p)
{
  for (;;) {
    const char *next = p + strspn(p, " \t\r\n");
    if (*next == '/')
      next = skip_one(next);
    if (next == p)
      return p;
    p = next;
  }
}

bool link_begins(const char *p, const char *word)
{
  return strncmp(p, word, strlen(word)) == 0;
}

static bool is_line(const char *p)
{
  return link_begins(p, ".version") || link_begins(p, ".target") ||
         link_begins(p, ".address_size") || link_begins(p, ".file");
}

static const char *find_end(const char *p, bool has_body)
{
  int depth = 0;
  while (*p != '\0') {
    const char *next = skip_one(p);
    if (next != p) {
      p = next;
      continue;
    }
    depth += *p == '{';
    depth -= *p == '}';
    p++;
    if (depth == 0 && (p[-1] == ';' || (p[-1] == '}' && has_body)))
      return p;
  }
  return p;
}

const char *link_find_word(const struct link_statement *s, const char *word)
{
  size_t head = strcspn(s->start, ";{=");
  for (const char *p = s->start; p < s->start + head; p++)
    if (link_begins(p, word))
      return p + strlen(word);
  return NULL;
}

static void set_name(struct link_statement *s, const char *p)
{
  s->name = p;
  while (is_name(*p))
    p++;
  s->length = (size_t)(p - s->name);
  if (s->length == 0)
    s->name = NULL;
}

/* Behind the results in parentheses, where there are some. */
static void name_function(struct link_statement *s, const char *p)
{
  p = skip_blank(p);
  while (*p == '.') /* .noreturn and relatives */
    p = skip_blank(p + 1 + strcspn(p + 1, " \t\r\n("));
  if (*p == '(')
    p = skip_blank(p + strcspn(p, ")") + 1);
  set_name(s, p);
}

/* The last word before the dimensions, the initial value or the end. */
static void name_variable(struct link_statement *s)
{
  const char *p = s->start + strcspn(s->start, "[=;{");
  while (p > s->start && !is_name(p[-1]))
    p--;
  while (p > s->start && is_name(p[-1]))
    p--;
  set_name(s, p);
}

static void classify(struct link_statement *s)
{
  const char *function = link_find_word(s, ".func"), *entry;
  s->is_extern = link_begins(s->start, ".extern");
  s->is_local = !s->is_extern && !link_begins(s->start, ".visible") &&
                !link_begins(s->start, ".weak") &&
                !link_begins(s->start, ".common");
  entry = link_find_word(s, ".entry");
  s->is_function = function != NULL || entry != NULL;
  if (function != NULL)
    name_function(s, function);
  else if (entry != NULL)
    set_name(s, skip_blank(entry));
  else if (link_find_word(s, ".global") != NULL ||
           link_find_word(s, ".const") != NULL ||
           link_find_word(s, ".shared") != NULL)
    name_variable(s);
}

static void add_statement(struct link_text *text,
                          const struct link_statement *s)
{
  if (text->n == text->capacity) {
    text->capacity = text->capacity == 0 ? 64 : 2 * text->capacity;
    text->statements =
        host_grow(text->statements, text->capacity, sizeof *text->statements);
  }
  text->statements[text->n++] = *s;
  if (s->name != NULL && !s->is_extern && link_begins(s->name, "__cudaCDP2"))
    text->is_runtime = true;
}

static void split_statements(struct link_text *text, const char *p)
{
  while (*(p = skip_blank(p)) != '\0') {
    struct link_statement s = { .start = p };
    if (is_line(p)) {
      s.end = p + strcspn(p, "\n");
    } else {
      bool body = link_find_word(&s, ".func") != NULL ||
                  link_find_word(&s, ".entry") != NULL ||
                  link_begins(p, ".section");
      s.end = find_end(p, body);
      classify(&s);
    }
    add_statement(text, &s);
    p = s.end;
  }
}

bool link_same(const struct link_statement *a, const struct link_statement *b)
{
  return a->name != NULL && b->name != NULL && a->length == b->length &&
         memcmp(a->name, b->name, a->length) == 0;
}

bool link_mentions(const struct link_statement *s,
                   const struct link_statement *other)
{
  for (const char *p = s->start; p < s->end;) {
    const char *next = skip_one(p);
    if (next == p && is_name(*p)) {
      while (is_name(*next))
        next++;
      if ((size_t)(next - p) == other->length &&
          memcmp(p, other->name, other->length) == 0)
        return true;
    }
    p = next == p ? p + 1 : next;
  }
  return false;
}

enum link_strength link_strength(const struct link_statement *s)
{
  bool has_body = memchr(s->start, '{', (size_t)(s->end - s->start)) != NULL;
  if (s->is_extern || (s->is_function && !has_body))
    return LINK_DECLARED;
  if (link_begins(s->start, ".common"))
    return LINK_COMMON;
  return link_begins(s->start, ".weak") ? LINK_WEAK : LINK_STRONG;
}

/* Is `s` of text `at` to be left out? */
static bool is_superfluous(const struct link_text *texts, size_t n, size_t at,
                           const struct link_statement *s)
{
  if (s->name == NULL || s->is_local)
    return false;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; !texts[i].is_runtime && k < texts[i].n; k++) {
      const struct link_statement *other = &texts[i].statements[k];
      if (!link_same(s, other) || other->is_local ||
          link_strength(other) == LINK_DECLARED)
        continue;
      if (s->is_extern || link_strength(other) > link_strength(s) ||
          (i < at && link_strength(other) == link_strength(s)))
        return true;
    }
  return false;
}

/* Does the word name something that only text `at` knows? */
static bool is_private(const struct link_text *text, const char *word,
                       size_t length)
{
  const struct link_statement probe = { .name = word, .length = length };
  for (size_t i = 0; i < text->n; i++)
    if (text->statements[i].is_local && link_same(&text->statements[i], &probe))
      return true;
  return false;
}

/* Files are numbered by each text from 1. */
static const char *write_number(FILE *out, const char *p, size_t at)
{
  char *end;
  unsigned long number = strtoul(p, &end, 10);
  fprintf(out, " %lu", number + 256 * at);
  return end;
}

static void write(FILE *out, const struct link_text *text,
                  const struct link_statement *s, size_t at)
{
  for (const char *p = s->start; p < s->end;) {
    const char *next = skip_one(p);
    if (at > 0 && next == p &&
        (link_begins(p, ".file ") || link_begins(p, ".file\t") ||
         link_begins(p, ".loc ") || link_begins(p, ".loc\t") ||
         link_begins(p, "inlined_at "))) {
      size_t word = strcspn(p, " \t");
      fwrite(p, 1, word, out);
      p = write_number(out, p + word, at);
      continue;
    }
    if (next == p && is_name(*p)) {
      while (is_name(*next))
        next++;
      fwrite(p, 1, (size_t)(next - p), out);
      if (at > 0 && is_private(text, p, (size_t)(next - p)))
        fprintf(out, "$linked%zu", at);
      p = next;
      continue;
    }
    next = next == p ? p + 1 : next;
    fwrite(p, 1, (size_t)(next - p), out);
    p = next;
  }
  fputc('\n', out);
}

/* A directive of the module: that of the text that asks for the most. */
static const struct link_statement *newest(const struct link_text *texts,
                                           size_t n, const char *directive)
{
  const struct link_statement *best = NULL;
  double most = -1;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; !texts[i].is_runtime && k < texts[i].n; k++) {
      const struct link_statement *s = &texts[i].statements[k];
      double number;
      if (!link_begins(s->start, directive))
        continue;
      number = strtod(s->start + strcspn(s->start, "0123456789\n"), NULL);
      if (number > most) {
        most = number;
        best = s;
      }
    }
  return best;
}

struct link_text *link_split(char *const *given, size_t n)
{
  struct link_text *texts = host_new(n + 1, sizeof *texts);
  for (size_t i = 0; i < n; i++)
    split_statements(&texts[i], given[i]);
  return texts;
}

void link_drop(struct link_text *texts, size_t n)
{
  for (size_t i = 0; i < n; i++)
    free(texts[i].statements);
  free(texts);
}

char *link_ptx(char *const *given, size_t n)
{
  char *linked = NULL;
  size_t bytes, written = 0;
  struct link_text *texts = link_split(given, n);
  FILE *out = open_memstream(&linked, &bytes);
  if (out == NULL)
    host_out_of_memory();
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; !texts[i].is_runtime && k < texts[i].n; k++) {
      const struct link_statement *s = &texts[i].statements[k];
      if (is_superfluous(texts, n, i, s) ||
          (written > 0 && is_line(s->start) && !link_begins(s->start, ".file")))
        continue;
      if (link_begins(s->start, ".version"))
        s = newest(texts, n, ".version");
      else if (link_begins(s->start, ".target"))
        s = newest(texts, n, ".target");
      write(out, &texts[i], s, written);
    }
    written += !texts[i].is_runtime;
  }
  fclose(out);
  link_drop(texts, n);
  return linked;
}
