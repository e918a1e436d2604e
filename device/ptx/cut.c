/* Cuts a text in three steps: finds the statements of the module's level,
 * follows the names in those that are needed, and writes these down. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "cut.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/host_memory.h"
#include "lexer.h"
#include "module.h"

/* A function, a variable or a directive of the module's level. */
struct item {
  const char *begin, *end;
  const char *name; /* NULL: it has none, and stays */
  size_t name_length;
  bool is_entry, is_function, is_needed;
};

struct source_file {
  uint64_t number; /* in the whole text */
  uint64_t cut;    /* in what is left; 0: not needed so far */
  const char *name;
  size_t name_length;
};

struct cut {
  struct item *items;
  size_t n_items;
  struct source_file *files;
  size_t n_files;
  uint64_t n_cut_files;
  FILE *out;
};

static bool is_directive(const struct ptx_token *token, const char *name)
{
  return token->kind == TOKEN_DIRECTIVE && token->length == strlen(name) &&
         memcmp(token->text, name, token->length) == 0;
}

static bool is_sign(const struct ptx_token *token, char sign)
{
  return token->kind == TOKEN_PUNCTUATION && token->punctuation == sign;
}

static bool has_name(const struct item *item, const char *name, size_t length)
{
  return item->name != NULL && item->name_length == length &&
         memcmp(item->name, name, length) == 0;
}

/* ---- the statements ------------------------------------------------------- */

static struct item *add_item(struct cut *cut, const char *begin)
{
  struct item *item;

  cut->items = host_grow(cut->items, cut->n_items + 1, sizeof *cut->items);
  item = &cut->items[cut->n_items++];
  *item = (struct item){ .begin = begin, .end = begin };
  return item;
}

static const char *line_end(const char *at, const char *end)
{
  const char *found = memchr(at, '\n', (size_t)(end - at));

  return found == NULL ? end : found;
}

/* .version, .target and .address_size end with their line. */
static void read_head(struct cut *cut, struct ptx_lexer *lexer,
                      struct ptx_token *token)
{
  struct item *item = add_item(cut, token->text);

  item->end = line_end(token->text, lexer->end);
  item->is_needed = true;
  while (token->kind != TOKEN_END && token->text < item->end)
    ptx_lexer_next(lexer, token);
}

static void read_file(struct cut *cut, struct ptx_lexer *lexer,
                      struct ptx_token *token)
{
  struct source_file *file;

  ptx_lexer_next(lexer, token);
  cut->files = host_grow(cut->files, cut->n_files + 1, sizeof *cut->files);
  file = &cut->files[cut->n_files++];
  *file = (struct source_file){ .number = token->integer };
  ptx_lexer_next(lexer, token);
  file->name = token->text;
  file->name_length = token->length;
  do /* a time stamp and a size may follow */
    ptx_lexer_next(lexer, token);
  while (is_sign(token, ',') || token->kind == TOKEN_INTEGER);
}

static void skip_section(struct ptx_lexer *lexer, struct ptx_token *token)
{
  while (token->kind != TOKEN_END && !is_sign(token, '}'))
    ptx_lexer_next(lexer, token);
  ptx_lexer_next(lexer, token);
}

/* To `;`, or to the end of a function's body. The name is the first word that
 * is none of the results, which are in parentheses. */
static void read_statement(struct cut *cut, struct ptx_lexer *lexer,
                           struct ptx_token *token)
{
  struct item *item = add_item(cut, token->text);
  unsigned depth = 0;
  bool is_initial = false, is_done = false;

  while (token->kind != TOKEN_END && !is_done) {
    if (depth == 0 && item->name == NULL && token->kind == TOKEN_NAME) {
      item->name = token->text;
      item->name_length = token->length;
    }
    item->is_entry |= depth == 0 && is_directive(token, ".entry");
    item->is_function |= depth == 0 && is_directive(token, ".func");
    is_initial |= depth == 0 && is_sign(token, '=');
    depth += is_sign(token, '{') || is_sign(token, '(');
    depth -= depth > 0 && (is_sign(token, '}') || is_sign(token, ')'));
    is_done = depth == 0 &&
              (is_sign(token, ';') || (is_sign(token, '}') && !is_initial));
    item->end = token->text + (token->length > 0 ? token->length : 1);
    ptx_lexer_next(lexer, token);
  }
}

static void read_items(struct cut *cut, const char *text, size_t bytes)
{
  struct ptx_lexer lexer;
  struct ptx_token token;

  ptx_lexer_start(&lexer, text, bytes);
  ptx_lexer_next(&lexer, &token);
  while (token.kind != TOKEN_END) {
    if (is_directive(&token, ".version") || is_directive(&token, ".target") ||
        is_directive(&token, ".address_size"))
      read_head(cut, &lexer, &token);
    else if (is_directive(&token, ".file"))
      read_file(cut, &lexer, &token);
    else if (is_directive(&token, ".section"))
      skip_section(&lexer, &token);
    else
      read_statement(cut, &lexer, &token);
  }
}

/* ---- what is needed ------------------------------------------------------- */

static bool need(struct cut *cut, const char *name, size_t length)
{
  bool is_new = false;

  for (size_t i = 0; i < cut->n_items; i++)
    if (!cut->items[i].is_needed && has_name(&cut->items[i], name, length))
      cut->items[i].is_needed = is_new = true;
  return is_new;
}

/* True: it names something that was not needed before. */
static bool follow(struct cut *cut, const struct item *item)
{
  struct ptx_lexer lexer;
  struct ptx_token token;
  bool is_new = false;

  ptx_lexer_start(&lexer, item->begin, (size_t)(item->end - item->begin));
  for (ptx_lexer_next(&lexer, &token); token.kind != TOKEN_END;
       ptx_lexer_next(&lexer, &token))
    if (token.kind == TOKEN_NAME)
      is_new |= need(cut, token.text, token.length);
  return is_new;
}

static bool find_needed(struct cut *cut, const char *kernel)
{
  bool is_there = false, is_new = true;

  for (size_t i = 0; i < cut->n_items; i++)
    if (cut->items[i].is_entry &&
        has_name(&cut->items[i], kernel, strlen(kernel)))
      cut->items[i].is_needed = is_there = true;
  while (is_there && is_new) {
    is_new = false;
    for (size_t i = 0; i < cut->n_items; i++)
      if (cut->items[i].is_needed && cut->items[i].name != NULL)
        is_new |= follow(cut, &cut->items[i]);
  }
  return is_there;
}

/* ---- the text ------------------------------------------------------------- */

/* Files are counted in the order in which lines name them. */
static uint64_t file_number(struct cut *cut, uint64_t number)
{
  for (size_t i = 0; i < cut->n_files; i++)
    if (cut->files[i].number == number) {
      if (cut->files[i].cut == 0)
        cut->files[i].cut = ++cut->n_cut_files;
      return cut->files[i].cut;
    }
  return number;
}

/* `.loc FILE LINE COLUMN[, function_name LABEL][, inlined_at FILE LINE COLUMN]`
 * without the label, which is one of a debugger's section. */
static void put_place(struct cut *cut, const char *line, size_t n)
{
  struct ptx_lexer lexer;
  struct ptx_token token;
  bool is_label = false, is_file = true;

  ptx_lexer_start(&lexer, line, n);
  fputs("\t.loc", cut->out);
  ptx_lexer_next(&lexer, &token);
  for (ptx_lexer_next(&lexer, &token); token.kind != TOKEN_END;
       ptx_lexer_next(&lexer, &token)) {
    if (token.kind == TOKEN_NAME && token.length == 10 &&
        memcmp(token.text, "inlined_at", 10) == 0) {
      fputs(", inlined_at", cut->out);
      is_label = false;
      is_file = true;
    } else if (token.kind == TOKEN_NAME) {
      is_label = true;
    } else if (token.kind == TOKEN_INTEGER && !is_label) {
      fprintf(cut->out, " %llu",
              (unsigned long long)(is_file ? file_number(cut, token.integer)
                                           : token.integer));
      is_file = false;
    }
  }
  fputc('\n', cut->out);
}

/* How much of the line is left without its comment and trailing spaces. */
static size_t without_comment(const char *line, size_t n)
{
  bool in_text = false;
  size_t end = n;

  for (size_t i = 0; i + 1 < n && end == n; i++) {
    in_text ^= line[i] == '"';
    if (!in_text && line[i] == '/' && line[i + 1] == '/')
      end = i;
  }
  while (end > 0 && strchr(" \t\r", line[end - 1]) != NULL)
    end--;
  return end;
}

/* nvcc's labels begin with the number of their function in the whole text:
 * $L__BB12_3. */
static void put_line(FILE *out, const char *line, size_t n, size_t function)
{
  static const char label[] = "$L__BB";
  const size_t n_label = sizeof label - 1;

  for (size_t i = 0; i < n; i++) {
    if (n - i > n_label && memcmp(line + i, label, n_label) == 0) {
      fprintf(out, "%s%zu", label, function);
      i += n_label;
      while (i < n && line[i] >= '0' && line[i] <= '9')
        i++;
    }
    if (i < n)
      fputc(line[i], out);
  }
  fputc('\n', out);
}

static void put_item(struct cut *cut, const struct item *item, size_t function)
{
  const char *end;

  for (const char *at = item->begin; at < item->end; at = end + 1) {
    const char *first = at;
    size_t n;

    end = line_end(at, item->end);
    n = without_comment(at, (size_t)(end - at));
    while (n > 0 && (*first == ' ' || *first == '\t')) {
      first++;
      n--;
    }
    if (n == 0)
      continue;
    if (n > 4 && memcmp(first, ".loc", 4) == 0 &&
        (first[4] == ' ' || first[4] == '\t'))
      put_place(cut, first, n);
    else
      put_line(cut->out, at, (size_t)(first - at) + n, function);
  }
}

/* From its last folder `include` on. */
static void put_toolkit(FILE *out, const char *file)
{
  static const char folder[] = "/include/";
  const char *found = file;

  for (const char *at = file; (at = strstr(at, folder)) != NULL; at++)
    found = at + sizeof folder - 1;
  fprintf(out, "cuda/include/%s", found);
}

static void put_files(struct cut *cut,
                      const char *(*file_name)(const char *file))
{
  for (uint64_t number = 1; number <= cut->n_cut_files; number++)
    for (size_t i = 0; i < cut->n_files; i++)
      if (cut->files[i].cut == number) {
        char name[4096];

        snprintf(name, sizeof name, "%.*s", (int)cut->files[i].name_length,
                 cut->files[i].name);
        fprintf(cut->out, ".file %llu \"", (unsigned long long)number);
        if (ptx_is_toolkit(name))
          put_toolkit(cut->out, name);
        else
          fputs(file_name(name), cut->out);
        fputs("\"\n", cut->out);
      }
}

char *ptx_cut(const char *text, size_t bytes, const char *kernel,
              const char *(*file_name)(const char *file))
{
  struct cut cut = { 0 };
  char *made = NULL;
  size_t n_made, n_functions = 0;

  read_items(&cut, text, bytes);
  if (find_needed(&cut, kernel)) {
    cut.out = open_memstream(&made, &n_made);
    if (cut.out == NULL)
      host_out_of_memory();
    for (size_t i = 0; i < cut.n_items; i++)
      if (cut.items[i].is_needed) {
        put_item(&cut, &cut.items[i], n_functions);
        n_functions += cut.items[i].is_entry || cut.items[i].is_function;
      }
    put_files(&cut, file_name);
    fclose(cut.out);
  }
  free(cut.items);
  free(cut.files);
  return made;
}
