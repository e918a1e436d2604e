/* index_pages search|captions|terms FILE…: reads finished pages and prints
 *
 *   search    a script for the search (js/search.js): every section with its
 *             page, id, heading and text
 *   captions  a row for each listing, figure and table, fields between tabs:
 *             kind, address, label, the caption's first sentence, page
 *   terms     a row for each first use of a word of the glossary in a page:
 *             term, address, page, "explained" or "used"
 *
 * Each FILE is a page or what
 *
 *   index_pages record PAGE.html
 *
 * printed of it: all that is asked for above, a line each, behind the name of
 * its kind and a tab. The build keeps these records, so that of a book only the
 * page that changed is read again.
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

/* For so many bytes more and a NUL. */
static void make_room(struct text *text, size_t more)
{
  if (text->length + more < text->room)
    return;
  text->room = 2 * text->room + more + 256;
  text->bytes = realloc(text->bytes, text->room);
  if (!text->bytes) {
    fputs("index_pages: error: out of memory\n", stderr);
    exit(1);
  }
}

static void put_byte(struct text *text, char byte)
{
  make_room(text, 1);
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

static void put_word(struct text *text, const char *word)
{
  for (; *word; word++)
    put_byte(text, *word);
}

/* A text as it stands in a script. */
static void put_quoted(struct text *text, const char *from)
{
  put_byte(text, '"');
  for (; *from; from++) {
    char code[8];
    if ((unsigned char)*from < ' ') {
      snprintf(code, sizeof code, "\\u%04x", *from);
      put_word(text, code);
    } else {
      if (*from == '"' || *from == '\\')
        put_byte(text, '\\');
      put_byte(text, *from);
    }
  }
  put_byte(text, '"');
}

static void empty(struct text *text)
{
  text->length = 0;
  if (text->bytes)
    text->bytes[0] = '\0';
}

/* ---- What is read ------------------------------------------------------- */

struct section {
  char *id;
  struct text heading, text;
};

struct caption {
  struct text label, text;
};

enum { max_depth = 512 };

/* A record begins with this line. */
static const char record_mark[] = "record of a page\n";

/* What an open element does to the text inside of it. */
enum role { plain, skipped, page_title, heading, term, caption, label };

struct walk {
  const char *href;     /* of this page */
  struct text page_title;
  struct text *record;  /* what was found, one line each */
  struct section *sections;
  size_t n_sections, room;
  enum role roles[max_depth];
  int depth;
  bool in_main;
  int n_skipping;
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

static struct section *last_section(struct walk *walk)
{
  return &walk->sections[walk->n_sections - 1];
}

static struct section *add_section(struct walk *walk, const char *id)
{
  if (walk->n_sections == walk->room) {
    walk->room = walk->room ? 2 * walk->room : 64;
    walk->sections = realloc(walk->sections,
                             walk->room * sizeof *walk->sections);
    if (!walk->sections) {
      fputs("index_pages: error: out of memory\n", stderr);
      exit(1);
    }
  }
  walk->sections[walk->n_sections++] =
      (struct section){.id = text_part(id, strlen(id))};
  return last_section(walk);
}

static void begin_title(struct walk *walk, const char *id)
{
  walk->title = &add_section(walk, id)->heading;
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

/* A line of the record: its kind and the fields behind it. */
static void put_line(struct walk *walk, const char *kind, int n_fields,
                     const char *const *fields)
{
  put_word(walk->record, kind);
  for (int i = 0; i < n_fields; i++) {
    put_byte(walk->record, '\t');
    put_word(walk->record, fields[i]);
  }
  put_byte(walk->record, '\n');
}

/* <a class="term" id="use-warp" href="glossary.html#term:warp">: where a page
 * first uses a word; class first is on what its author did not mark. */
static void put_term(struct walk *walk, const struct tag *tag)
{
  const char *id = tag_get(tag, "id"), *href = tag_get(tag, "href");
  const char *term = href ? strstr(href, "#term:") : NULL;
  if (!term || !id || strncmp(id, "use-", 4) != 0 || !has_class(tag, "term"))
    return;
  char *address = text_format("%s#%s", walk->href, id);
  put_line(walk, "term", 4, (const char *const[]){
      term + 1, address, finish(&walk->page_title),
      has_class(tag, "first") ? "used" : "explained"});
  free(address);
}

static void open_element(struct walk *walk, const struct tag *tag)
{
  const char *id = tag_get(tag, "id");
  enum role role = walk->n_skipping ? plain : role_of(walk, tag);
  if (is_float_id(id))
    set_float(walk, id);
  put_term(walk, tag);
  switch (role) {
  case skipped: walk->n_skipping++; break;
  case page_title: walk->title = &walk->page_title; break;
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

static void put_caption(struct walk *walk)
{
  struct caption *at = &walk->caption;
  const char *text = finish(&at->text);
  if (at->label.length > 0) {
    char *address = text_format("%s#%s", walk->href, walk->float_id);
    char *kind = text_part(walk->float_id, 3);
    char *sentence = text_part(text, first_sentence(text));
    put_line(walk, "caption", 5, (const char *const[]){
        kind, address, finish(&at->label), sentence,
        finish(&walk->page_title)});
    free(address);
    free(kind);
    free(sentence);
  }
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
    put_caption(walk);
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
    put_text(&last_section(walk)->text, part, length);
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
  put_space(walk->title ? walk->title : &last_section(walk)->text);
  if (walk->in_caption && !walk->in_label)
    put_space(&walk->caption.text);
}

/* Lines for the search, as a script has them: the page, then its sections. */
static void put_sections(struct walk *walk)
{
  struct text *record = walk->record;
  put_word(record, "page\t[");
  put_quoted(record, walk->href);
  put_byte(record, ',');
  put_quoted(record, finish(&walk->page_title));
  put_word(record, "]\n");
  for (size_t i = 0; i < walk->n_sections; i++) {
    struct section *section = &walk->sections[i];
    put_word(record, "section\t");
    put_quoted(record, section->id);
    put_byte(record, ',');
    put_quoted(record, finish(&section->heading));
    put_byte(record, ',');
    put_quoted(record, finish(&section->text));
    put_word(record, "]\n");
    free(section->id);
    free(section->heading.bytes);
    free(section->text.bytes);
  }
  free(walk->sections);
}

static bool read_page(struct text *record, const char *path, const char *bytes)
{
  const char *slash = strrchr(path, '/');
  struct walk walk = {.href = slash ? slash + 1 : path, .record = record};
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
  put_sections(&walk);
  free(reader.fault);
  free(walk.page_title.bytes);
  free(walk.float_id);
  free(walk.caption.label.bytes);
  free(walk.caption.text.bytes);
  return read;
}

/* ---- What is written ---------------------------------------------------- */

/* The next line of this kind behind `at`, or NULL: what stands behind the
 * kind, and how long that is. */
static const char *next_line(const char *at, const char *kind, size_t *length)
{
  size_t n = strlen(kind);
  while (*at) {
    const char *end = at + strcspn(at, "\n");
    if (strncmp(at, kind, n) == 0 && at[n] == '\t') {
      *length = (size_t)(end - at) - n - 1;
      return at + n + 1;
    }
    at = end + (*end == '\n');
  }
  return NULL;
}

static void print_lines(const struct text *record, const char *kind)
{
  size_t n;
  const char *at = record->bytes;
  for (; (at = next_line(at, kind, &n)); at += n)
    printf("%.*s\n", (int)n, at);
}

static void print_search(const struct text *records, int n_records)
{
  const char *gap = "\n";
  size_t n;
  fputs("window.book_sections = {\n\"pages\": [", stdout);
  for (int i = 0; i < n_records; i++) {
    const char *page = next_line(records[i].bytes, "page", &n);
    printf("%s%.*s", i ? ",\n" : "\n", page ? (int)n : 0, page ? page : "");
  }
  fputs("],\n\"sections\": [", stdout);
  for (int i = 0; i < n_records; i++) {
    const char *at = records[i].bytes;
    for (; (at = next_line(at, "section", &n)); at += n) {
      printf("%s[%d,", gap, i);
      fwrite(at, 1, n, stdout);
      gap = ",\n";
    }
  }
  fputs("]};\n", stdout);
}

static bool read_file(struct text *text, const char *path)
{
  FILE *file = fopen(path, "rb");
  if (!file)
    return false;
  size_t n;
  do {
    make_room(text, 1 << 20);
    n = fread(text->bytes + text->length, 1, 1 << 20, file);
    text->length += n;
    text->bytes[text->length] = '\0';
  } while (n > 0);
  fclose(file);
  return true;
}

/* What is known of a page, from the page or from its record. */
static bool read_record(struct text *record, const char *path)
{
  struct text text = {0};
  if (!read_file(&text, path)) {
    fprintf(stderr, "%s: error: cannot be read; build it first\n", path);
    return false;
  }
  if (strncmp(text.bytes, record_mark, strlen(record_mark)) == 0) {
    *record = text;
    return true;
  }
  put_word(record, record_mark);
  bool read = read_page(record, path, text.bytes);
  free(text.bytes);
  return read;
}

int main(int n_args, char **args)
{
  static const char *const modes[] = {"record", "search", "captions", "terms",
                                      NULL};
  if (n_args < 3 || !one_of(args[1], modes)) {
    fputs("usage: index_pages record PAGE.html\n"
          "       index_pages search|captions|terms FILE...\n", stderr);
    return 2;
  }
  const char *mode = args[1];
  int n_records = n_args - 2;
  struct text *records = calloc((size_t)n_records, sizeof *records);
  bool read = records != NULL;
  for (int i = 0; read && i < n_records; i++)
    read = read_record(&records[i], args[i + 2]);
  for (int i = 0; read && i < n_records; i++) {
    if (strcmp(mode, "record") == 0)
      fputs(records[i].bytes, stdout);
    else if (strcmp(mode, "captions") == 0)
      print_lines(&records[i], "caption");
    else if (strcmp(mode, "terms") == 0)
      print_lines(&records[i], "term");
  }
  if (read && strcmp(mode, "search") == 0)
    print_search(records, n_records);
  for (int i = 0; records && i < n_records; i++)
    free(records[i].bytes);
  free(records);
  return read && fflush(stdout) == 0 ? 0 : 1;
}
