/* What a linker says of texts that do not fit together, in nvlink's words. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../exec/builtin.h"
#include "../exec/program.h"
#include "../support/host_memory.h"
#include "config.h"
#include "link_text.h"
#include "state.h"

cudaError_t link_check(const char *call, const char *text)
{
  struct program_error error;
  const char *target = strstr(text, ".target");
  unsigned architecture = 0;
  if (strstr(text, ".version") == NULL) {
    explain(call, "no PTX, which begins with .version");
    return cudaErrorInvalidPtx;
  }
  if (target != NULL)
    sscanf(target, ".target sm_%u", &architecture);
  if ((int)architecture > config()->capability) {
    explain(call, "the PTX is for newer devices (sm_%u) than this one (%d.%d)",
            architecture, config()->capability / 10, config()->capability % 10);
    return cudaErrorInvalidPtx;
  }
  if (program_parses(text, strlen(text), &error))
    return cudaSuccess;
  explain(call, "%s", error.message);
  return cudaErrorInvalidPtx;
}

/* Where a variable is; of `spaces`, or their number. */
enum { SHARED = 2 };
static size_t space_of(const struct link_statement *s)
{
  static const char *const spaces[] = { ".global", ".const", ".shared" };
  size_t i = 0;
  while (i < sizeof spaces / sizeof *spaces &&
         link_find_word(s, spaces[i]) == NULL)
    i++;
  return i;
}

/* Bytes of what is declared from `p` to `end`, ".u32 x[4]" say; 0: an array
 * without a size. */
static size_t bytes_of(const char *p, const char *end)
{
  size_t bytes = 0, n = 1;
  for (; p < end; p++) {
    if (*p == '.' && link_begins(p, ".align"))
      p += strcspn(p, "0123456789");
    else if (*p == '.' && strchr("usbf", p[1]) != NULL &&
             isdigit((unsigned char)p[2]))
      bytes = strtoul(p + 2, NULL, 10) / 8;
    else if (*p == '[')
      n *= strtoul(p + 1, NULL, 10);
  }
  return bytes * n;
}

/* Sizes of a function's results and parameters, as text: "(4,)(4,8,)". */
static char *prototype(const struct link_statement *s)
{
  char *text = NULL;
  size_t bytes;
  const char *end = s->start + strcspn(s->start, "{;");
  FILE *out = open_memstream(&text, &bytes);
  if (out == NULL)
    host_out_of_memory();
  for (const char *p = s->start; p < end; p++) {
    const char *from = p + 1;
    if (*p != '(')
      continue;
    fputc('(', out);
    while (p < end && *p != ')') {
      p++;
      if (p == end || *p == ',' || *p == ')') {
        fprintf(out, "%zu,", bytes_of(from, p));
        from = p + 1;
      }
    }
    fputc(')', out);
  }
  fclose(out);
  return text;
}

static bool has_other_prototype(const struct link_statement *a,
                                const struct link_statement *b)
{
  char *first = prototype(a), *second = prototype(b);
  bool differ = strcmp(first, second) != 0;
  free(first);
  free(second);
  return differ;
}

static bool has_other_size(const struct link_statement *a,
                           const struct link_statement *b)
{
  size_t first = bytes_of(a->start, a->start + strcspn(a->start, "=;{"));
  size_t second = bytes_of(b->start, b->start + strcspn(b->start, "=;{"));
  return first != second && first != 0 && second != 0;
}

enum quarrel { NONE, DEFINED, PROTOTYPE, KIND, SPACE, SIZE };

static enum quarrel quarrel(const struct link_statement *a,
                            const struct link_statement *b)
{
  if (a->is_function != b->is_function)
    return KIND;
  if (a->is_function && has_other_prototype(a, b))
    return PROTOTYPE;
  if (!a->is_function && space_of(a) != space_of(b))
    return SPACE;
  if (!a->is_function && has_other_size(a, b))
    return SIZE;
  return link_strength(a) == LINK_STRONG && link_strength(b) == LINK_STRONG
             ? DEFINED
             : NONE;
}

static enum quarrel quarrel_with(const struct link_text *text,
                                 const struct link_statement *s)
{
  enum quarrel found = NONE;
  for (size_t k = 0; k < text->n && found == NONE; k++)
    if (link_same(s, &text->statements[k]) && !text->statements[k].is_local)
      found = quarrel(s, &text->statements[k]);
  return found;
}

/* Where nvlink says that the name was first: of a function, where it is
 * defined; of a variable, where it is named. */
static size_t first_text(const struct link_text *texts, size_t n,
                         const struct link_statement *s)
{
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < texts[i].n; k++) {
      const struct link_statement *other = &texts[i].statements[k];
      if (link_same(s, other) && !other->is_local &&
          (!s->is_function || link_strength(other) != LINK_DECLARED))
        return i;
    }
  return n - 1;
}

static void tell(FILE *out, const char *what, const struct link_statement *s,
                 const char *in)
{
  fprintf(out, "%serror   : %s '%.*s' in '%s'", ftell(out) > 0 ? "\n" : "",
          what, (int)s->length, s->name, in);
}

void link_tell_conflicts(char *const *given, char *const *names, size_t n,
                         FILE *out)
{
  static const char *const words[] = {
    [DEFINED] = "Multiple definition of",
    [PROTOTYPE] = "Prototype doesn't match for",
    [KIND] = "Type doesn't match for",
    [SPACE] = "Memory space doesn't match for",
    [SIZE] = "Size doesn't match for",
  };
  struct link_text *texts = link_split(given, n);
  const struct link_text *last = &texts[n - 1];
  for (size_t k = 0; k < last->n; k++) {
    const struct link_statement *s = &last->statements[k];
    enum quarrel found = NONE;
    if (s->name == NULL || s->is_local)
      continue;
    for (size_t i = 0; i + 1 < n && found == NONE; i++)
      found = quarrel_with(&texts[i], s);
    if (found == NONE)
      continue;
    tell(out, words[found], s, names[n - 1]);
    fprintf(out, ", first %s in '%s'",
            found == SPACE || found == SIZE ? "specified" : "defined",
            names[first_text(texts, n, s)]);
  }
  link_drop(texts, n);
}

static bool is_defined(const struct link_text *texts, size_t n,
                       const struct link_statement *s)
{
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < texts[i].n; k++) {
      const struct link_statement *other = &texts[i].statements[k];
      if (link_same(s, other) && !other->is_local &&
          link_strength(other) != LINK_DECLARED)
        return true;
    }
  return false;
}

/* Does the text name it anywhere but where it is declared? */
static bool is_used(const struct link_text *text,
                    const struct link_statement *s)
{
  for (size_t k = 0; k < text->n; k++)
    if (!link_same(s, &text->statements[k]) &&
        link_mentions(&text->statements[k], s))
      return true;
  return false;
}

void link_tell_undefined(char *const *given, char *const *names, size_t n,
                         FILE *out)
{
  struct link_text *texts = link_split(given, n);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < texts[i].n; k++) {
      const struct link_statement *s = &texts[i].statements[k];
      char name[256];
      if (s->name == NULL || !s->is_extern || s->length >= sizeof name ||
          (!s->is_function && space_of(s) == SHARED) ||
          is_defined(texts, n, s) || (s->is_function && !is_used(&texts[i], s)))
        continue;
      memcpy(name, s->name, s->length);
      name[s->length] = '\0';
      if (!builtin_known(name))
        tell(out, "Undefined reference to", s, names[i]);
    }
  link_drop(texts, n);
}
