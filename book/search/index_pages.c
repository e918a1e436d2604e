/* index_pages search|captions|terms PAGE.html…: reads finished pages and prints
 *
 *   search    a script for the search (js/search.js): every section with its
 *             page, id, heading and text
 *   captions  a row for each listing, figure and table, fields between tabs:
 *             kind, address, label, the caption's first sentence, page
 *   terms     a row for each first use of a word of the glossary in a page:
 *             term, address, page, "explained" or "used"
 */
#include "../check/html.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Text that grows ---------------------------------------------------- */

struct text {
  char *bytes;
  size_t length, room;
};

static void put_byte(struct text *text, char byte)
{
  if (text->length + 1 >= text->room) {
    text->room = text->room ? 2 * text->room : 256;
    text->bytes = realloc(text->bytes, text->room);
    if (!text->bytes) {
      fputs("index_pages: error: out of memory\n", stderr);
      exit(1);
    }
  }
  text->bytes[text->length++] = byte;
  text->bytes[text->length] = '\0';
}

/* Runs of spaces become one; none stands at the beginning. */
static void put_space(struct text *text)
{
  if (text->length > 0 && text->bytes[text->length - 1] != ' ')
    put_byte(text, ' ');
}

static void put_text(struct text *text, const char *from, size_t length)
{
  for (size_t i = 0; i < length; i++) {
    if (isspace((unsigned char)from[i]))
      put_space(text);
    else
      put_byte(text, from[i]);
  }
}

static const char *finish(struct text *text)
{
  while (text->length > 0 && text->bytes[text->length - 1] == ' ')
    text->bytes[--text->length] = '\0';
  return text->bytes ? text->bytes : "";
}

static void empty(struct text *text)
{
  text->length = 0;
  if (text->bytes)
    text->bytes[0] = '\0';
}

/* ---- What is read ------------------------------------------------------- */

struct section {
  int page;
  char *id;
  struct text heading, text;
};

struct caption {
  struct text label, text;
};

struct book {
  int n_pages;
  struct { const char *href; struct text title; } *pages;
  struct section *sections;
  size_t n_sections, room;
  bool wants_captions, wants_terms;
};

enum { max_depth = 512 };

/* What an open element does to the text inside of it. */
enum role { plain, skipped, page_title, heading, term, caption, label };

struct walk {
  struct book *book;
  int page;
  enum role roles[max_depth];
  int depth;
  bool in_main;
  int n_skipping;
  struct section *section;
  struct text *title;   /* the heading that is being read, or NULL */
  char *float_id;       /* the listing, figure or table around, or NULL */
  struct caption caption;
  bool in_caption, in_label;
};

static bool has_class(const struct tag *tag, const char *name)
{
  const char *at = tag_get(tag, "class");
  size_t length = strlen(name);
  while (at && *at) {
    size_t n = strcspn(at, " ");
    if (n == length && strncmp(at, name, n) == 0)
      return true;
    at += n;
    at += strspn(at, " ");
  }
  return false;
}

static bool one_of(const char *name, const char *const *names)
{
  for (; *names; names++) {
    if (*name == **names && strcmp(name, *names) == 0)
      return true;
  }
  return false;
}

/* Letters on both sides of these belong to one word. */
static bool is_inline(const char *name)
{
  static const char *const names[] = {
      "a",    "span", "em",  "strong", "code",  "sub",  "sup",  "i",   "b",
      "kbd",  "abbr", "mi",  "mo",     "mn",    "mrow", "msub", "msup",
      "math", "semantics",   "small",  "cite",  "q",    NULL};
  return one_of(name, names);
}

/* Drawings, the data below them, formulas' sources, the page's own links,
 * where numbers come from. */
static bool is_skipped(const struct tag *tag)
{
  static const char *const names[] = {"svg", "annotation", "nav", "script",
                                      "style", "button", NULL};
  return one_of(tag->name, names) || has_class(tag, "data") ||
         has_class(tag, "provenance") || has_class(tag, "part") ||
         has_class(tag, "sidenote");
}

static bool is_float_id(const char *id)
{
  return id && (strncmp(id, "lst:", 4) == 0 || strncmp(id, "fig:", 4) == 0 ||
                strncmp(id, "tbl:", 4) == 0);
}

static struct section *add_section(struct walk *walk, const char *id)
{
  struct book *book = walk->book;
  if (book->n_sections == book->room) {
    book->room = book->room ? 2 * book->room : 64;
    book->sections = realloc(book->sections,
                             book->room * sizeof *book->sections);
    if (!book->sections) {
      fputs("index_pages: error: out of memory\n", stderr);
      exit(1);
    }
  }
  struct section *made = &book->sections[book->n_sections++];
  *made = (struct section){.page = walk->page,
                           .id = text_part(id, strlen(id))};
  walk->section = made;
  return made;
}

static void begin_title(struct walk *walk, const char *id)
{
  struct section *made = add_section(walk, id);
  walk->title = &made->heading;
}

static enum role role_of(struct walk *walk, const struct tag *tag)
{
  const char *id = tag_get(tag, "id");
  if (is_skipped(tag))
    return skipped;
  if (strcmp(tag->name, "h1") == 0)
    return page_title;
  if (tag->name[0] == 'h' && strchr("234", tag->name[1]) && tag->name[1] &&
      id)
    return heading;
  if (id && strncmp(id, "term:", 5) == 0)
    return term;
  if (walk->float_id && !walk->in_caption &&
      (has_class(tag, "caption") || strcmp(tag->name, "figcaption") == 0 ||
       strcmp(tag->name, "caption") == 0))
    return caption;
  if (walk->in_caption && has_class(tag, "label"))
    return label;
  return plain;
}

static void set_float(struct walk *walk, const char *id)
{
  free(walk->float_id);
  walk->float_id = id ? text_part(id, strlen(id)) : NULL;
}

/* <a class="term" id="use-warp" href="glossary.html#term:warp">: where a page
 * first uses a word; class first is on what its author did not mark. */
static void print_term(struct walk *walk, const struct tag *tag)
{
  const char *id = tag_get(tag, "id"), *href = tag_get(tag, "href");
  const char *term = href ? strstr(href, "#term:") : NULL;
  if (!term || !id || strncmp(id, "use-", 4) != 0 || !has_class(tag, "term"))
    return;
  printf("%s\t%s#%s\t%s\t%s\n", term + 1, walk->book->pages[walk->page].href,
         id, finish(&walk->book->pages[walk->page].title),
         has_class(tag, "first") ? "used" : "explained");
}

static void open_element(struct walk *walk, const struct tag *tag)
{
  const char *id = tag_get(tag, "id");
  enum role role = walk->n_skipping ? plain : role_of(walk, tag);
  if (is_float_id(id))
    set_float(walk, id);
  if (walk->book->wants_terms)
    print_term(walk, tag);
  switch (role) {
  case skipped: walk->n_skipping++; break;
  case page_title:
    walk->title = &walk->book->pages[walk->page].title;
    break;
  case heading:
  case term: begin_title(walk, id); break;
  case caption: walk->in_caption = true; break;
  case label: walk->in_label = true; break;
  case plain: break;
  }
  /* Deeper than any page: only the outer ones have roles. */
  if (walk->depth < max_depth)
    walk->roles[walk->depth] = role;
  walk->depth++;
}

/* The caption up to where its first sentence ends. */
static size_t first_sentence(const char *text)
{
  for (const char *at = text; *at; at++) {
    if (strchr(".?", *at) && at[1] == ' ' && isupper((unsigned char)at[2]))
      return (size_t)(at - text) + 1;
  }
  return strlen(text);
}

static void print_caption(struct walk *walk)
{
  struct caption *at = &walk->caption;
  const char *text = finish(&at->text);
  if (walk->book->wants_captions && at->label.length > 0)
    printf("%.3s\t%s#%s\t%s\t%.*s\t%s\n", walk->float_id,
           walk->book->pages[walk->page].href, walk->float_id,
           finish(&at->label), (int)first_sentence(text), text,
           finish(&walk->book->pages[walk->page].title));
  empty(&at->label);
  empty(&at->text);
  set_float(walk, NULL);
}

static void close_element(struct walk *walk)
{
  enum role role = plain;
  walk->depth--;
  if (walk->depth >= 0 && walk->depth < max_depth)
    role = walk->roles[walk->depth];
  switch (role) {
  case skipped: walk->n_skipping--; break;
  case page_title:
  case heading:
  case term: walk->title = NULL; break;
  case caption:
    print_caption(walk);
    walk->in_caption = false;
    break;
  case label: walk->in_label = false; break;
  case plain: break;
  }
}

/* The text between two tags, its entities resolved. */
static void take_text(struct walk *walk, const char *from)
{
  size_t length = strcspn(from, "<");
  if (!walk->in_main || walk->n_skipping || length == 0)
    return;
  char *part = text_part(from, length);
  resolve_entities(part);
  length = strlen(part);
  if (walk->title) {
    put_text(walk->title, part, length);
  } else {
    put_text(&walk->section->text, part, length);
    if (walk->in_label)
      put_text(&walk->caption.label, part, length);
    else if (walk->in_caption)
      put_text(&walk->caption.text, part, length);
  }
  free(part);
}

static void take_space(struct walk *walk, const struct tag *tag)
{
  if (!walk->in_main || walk->n_skipping || is_inline(tag->name))
    return;
  put_space(walk->title ? walk->title : &walk->section->text);
  if (walk->in_caption && !walk->in_label)
    put_space(&walk->caption.text);
}

static bool read_page(struct book *book, int page, const char *path,
                      const char *bytes)
{
  struct walk walk = {.book = book, .page = page};
  struct html_reader reader;
  struct tag tag;
  add_section(&walk, "");
  html_open(&reader, bytes);
  for (;;) {
    const char *from = reader.raw ? "" : reader.at;
    if (reader.raw)
      reader.raw = NULL;
    if (!html_next(&reader, &tag))
      break;
    take_text(&walk, from);
    take_space(&walk, &tag);
    if (strcmp(tag.name, "main") == 0)
      walk.in_main = !tag.closes;
    else if (walk.in_main && tag.closes)
      close_element(&walk);
    else if (walk.in_main && !tag.is_void)
      open_element(&walk, &tag);
    tag_free(&tag);
  }
  if (reader.fault)
    fprintf(stderr, "%s:%d: error: %s\n", path, reader.line, reader.fault);
  bool read = !reader.fault;
  free(reader.fault);
  free(walk.float_id);
  free(walk.caption.label.bytes);
  free(walk.caption.text.bytes);
  return read;
}

/* ---- What is written ---------------------------------------------------- */

static void print_string(const char *text)
{
  putchar('"');
  for (; *text; text++) {
    if (*text == '"' || *text == '\\')
      printf("\\%c", *text);
    else if ((unsigned char)*text < ' ')
      printf("\\u%04x", *text);
    else
      putchar(*text);
  }
  putchar('"');
}

static void print_search(struct book *book)
{
  fputs("window.book_sections = {\n\"pages\": [", stdout);
  for (int i = 0; i < book->n_pages; i++) {
    fputs(i ? ",\n[" : "\n[", stdout);
    print_string(book->pages[i].href);
    putchar(',');
    print_string(finish(&book->pages[i].title));
    putchar(']');
  }
  fputs("],\n\"sections\": [", stdout);
  for (size_t i = 0; i < book->n_sections; i++) {
    struct section *section = &book->sections[i];
    printf("%s[%d,", i ? ",\n" : "\n", section->page);
    print_string(section->id);
    putchar(',');
    print_string(finish(&section->heading));
    putchar(',');
    print_string(finish(&section->text));
    putchar(']');
  }
  fputs("]};\n", stdout);
}

static char *read_file(const char *path)
{
  FILE *file = fopen(path, "rb");
  size_t length = 1, room = 1 << 20, n;
  char *bytes = malloc(room);
  if (!file || !bytes) {
    free(bytes);
    if (file)
      fclose(file);
    return NULL;
  }
  bytes[0] = ' ';
  while ((n = fread(bytes + length, 1, room - 1 - length, file)) > 0) {
    length += n;
    if (length == room - 1) {
      char *more = realloc(bytes, room *= 2);
      if (!more)
        break;
      bytes = more;
    }
  }
  bytes[length] = '\0';
  fclose(file);
  return bytes;
}

static void free_book(struct book *book)
{
  for (int i = 0; i < book->n_pages; i++)
    free(book->pages[i].title.bytes);
  for (size_t i = 0; i < book->n_sections; i++) {
    free(book->sections[i].id);
    free(book->sections[i].heading.bytes);
    free(book->sections[i].text.bytes);
  }
  free(book->pages);
  free(book->sections);
}

int main(int n_args, char **args)
{
  static const char *const modes[] = {"search", "captions", "terms", NULL};
  if (n_args < 3 || !one_of(args[1], modes)) {
    fputs("usage: index_pages search|captions|terms PAGE.html...\n", stderr);
    return 2;
  }
  struct book book = {.n_pages = n_args - 2,
                      .wants_captions = strcmp(args[1], "captions") == 0,
                      .wants_terms = strcmp(args[1], "terms") == 0};
  book.pages = calloc((size_t)book.n_pages, sizeof *book.pages);
  bool read = book.pages != NULL;
  for (int i = 0; read && i < book.n_pages; i++) {
    const char *path = args[i + 2];
    const char *slash = strrchr(path, '/');
    book.pages[i].href = slash ? slash + 1 : path;
    char *bytes = read_file(path);
    if (!bytes) {
      fprintf(stderr, "%s: error: cannot be read; build it first\n", path);
      read = false;
    } else {
      read = read_page(&book, i, path, bytes);
    }
    free(bytes);
  }
  if (read && !book.wants_captions && !book.wants_terms)
    print_search(&book);
  free_book(&book);
  return read && fflush(stdout) == 0 ? 0 : 1;
}
