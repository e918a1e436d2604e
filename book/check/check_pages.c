/* Checks the finished pages together: elements that are closed and nested,
 * ids that are there once, links that arrive, headings in their order,
 * drawings and links with a name, and nothing that would be fetched from a
 * network.
 *
 *   check_pages [--later FILE]… PAGE.html…
 *
 * Links to other files are looked for beside the page; FILE, as links name
 * it, may be built after the pages. Status 1 and one line
 * a fault, `page:line: error: …`, if anything is wrong. */

#include "html.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What was found ----------------------------------------------------- */

static const char *page; /* path of the page that is being read */
static int n_faults;

static void fault(int line, char *what, const char *remedy)
{
  fprintf(stderr, "%s:%d: error: %s\n  %s\n", page, line, what, remedy);
  free(what);
  n_faults++;
}

/* A set of strings, for "page.html#id" of all pages. */
struct set {
  char **slots;
  size_t n_slots;
  size_t n_used;
};

static struct set places;

static size_t hash(const char *text)
{
  size_t value = 5381;
  for (; *text; text++)
    value = value * 33 ^ (unsigned char)*text;
  return value;
}

static bool set_has(const struct set *set, const char *text)
{
  if (set->n_slots == 0)
    return false;
  size_t slot = hash(text) % set->n_slots;
  for (; set->slots[slot]; slot = (slot + 1) % set->n_slots) {
    if (strcmp(set->slots[slot], text) == 0)
      return true;
  }
  return false;
}

static void set_put(struct set *set, char *text)
{
  size_t slot = hash(text) % set->n_slots;
  while (set->slots[slot])
    slot = (slot + 1) % set->n_slots;
  set->slots[slot] = text;
  set->n_used++;
}

static void set_grow(struct set *set)
{
  struct set larger = {.n_slots = set->n_slots ? 2 * set->n_slots : 1024};
  larger.slots = calloc(larger.n_slots, sizeof *larger.slots);
  if (!larger.slots) {
    fprintf(stderr, "error: out of memory\n");
    exit(1);
  }
  for (size_t i = 0; i < set->n_slots; i++) {
    if (set->slots[i])
      set_put(&larger, set->slots[i]);
  }
  free(set->slots);
  *set = larger;
}

/* Takes the string. False if it was there already. */
static bool set_add(struct set *set, char *text)
{
  if (set_has(set, text)) {
    free(text);
    return false;
  }
  if (2 * (set->n_used + 1) > set->n_slots)
    set_grow(set);
  set_put(set, text);
  return true;
}

/* ---- Files -------------------------------------------------------------- */

/* The file's text, or NULL. */
static char *read_file(const char *path)
{
  FILE *file = fopen(path, "rb");
  if (!file)
    return NULL;
  size_t length = 0, room = 1 << 16;
  char *text = malloc(room + 1);
  while (text) {
    length += fread(text + length, 1, room - length, file);
    if (length < room)
      break;
    room *= 2;
    text = realloc(text, room + 1);
  }
  fclose(file);
  if (text)
    text[length] = '\0';
  return text;
}

static const char *base_name(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* A file named relative to the page. */
static bool file_beside_page(const char *name)
{
  char *path = text_format("%.*s%s", (int)(base_name(page) - page), page, name);
  FILE *file = fopen(path, "rb");
  free(path);
  if (!file)
    return false;
  fclose(file);
  return true;
}

/* ---- First pass: ids ---------------------------------------------------- */

static void note_id(const struct tag *tag)
{
  const char *id = tag_get(tag, "id");
  if (!id || tag->closes)
    return;
  if (*id == '\0' || strpbrk(id, " \t\n"))
    fault(tag->line, text_format("id '%s' is empty or holds a space", id),
          "give the heading or block another label");
  else if (!set_add(&places, text_format("%s#%s", base_name(page), id)))
    fault(tag->line, text_format("id '%s' is there twice", id),
          "rename one of the two labels or headings");
}

static void collect_ids(const char *text)
{
  struct html_reader reader;
  struct tag tag;
  html_open(&reader, text);
  set_add(&places, text_format("%s", base_name(page)));
  while (html_next(&reader, &tag)) {
    note_id(&tag);
    tag_free(&tag);
  }
  tag_free(&tag);
  free(reader.fault);
}

/* ---- Second pass: links ------------------------------------------------- */

static struct set later; /* files that are not there yet */

static bool is_remote(const char *target)
{
  return strncmp(target, "//", 2) == 0 || strstr(target, "://") != NULL;
}

static bool has_scheme(const char *target)
{
  size_t length = strspn(target, "abcdefghijklmnopqrstuvwxyz+.-");
  return length > 0 && target[length] == ':';
}

static int hex(char digit)
{
  return isdigit((unsigned char)digit) ? digit - '0'
                                       : (digit | 0x20) - 'a' + 10;
}

static void resolve_percent(char *text)
{
  char *out = text;
  while (*text) {
    if (text[0] == '%' && isxdigit((unsigned char)text[1]) &&
        isxdigit((unsigned char)text[2])) {
      *out++ = (char)(hex(text[1]) * 16 + hex(text[2]));
      text += 3;
    } else {
      *out++ = *text++;
    }
  }
  *out = '\0';
}

/* A link to a page of the book, to a place in one, or to a file beside. */
static void check_target(const struct tag *tag, const char *target)
{
  char *place = *target == '#'
                    ? text_format("%s%s", base_name(page), target)
                    : text_format("%s", target);
  resolve_percent(place);
  char *mark = strchr(place, '#');
  if (mark && mark[1] == '\0')
    *mark = '\0';
  if (!set_has(&places, place)) {
    if (mark && *mark == '#')
      fault(tag->line, text_format("a link to '%s', which no page has", target),
            "correct the label, or give the place that name");
    else if (!set_has(&later, place) && !file_beside_page(place))
      fault(tag->line, text_format("a link to '%s', which is not there",
                                   target),
            "correct the link, or build the file");
  }
  free(place);
}

static void check_href(const struct tag *tag)
{
  const char *target = tag_get(tag, "href");
  if (!target)
    return;
  bool is_link = strcmp(tag->name, "a") == 0;
  if (*target == '\0')
    fault(tag->line, text_format("an empty link"), "write its target");
  else if (*target == '/' || strncmp(target, "file:", 5) == 0)
    fault(tag->line, text_format("a link to '%s' on this machine", target),
          "name it relative to the page");
  else if (is_remote(target) && !is_link)
    fault(tag->line, text_format("<%s> fetches '%s'", tag->name, target),
          "keep a copy in the book: pages make no request");
  else if (!has_scheme(target))
    check_target(tag, target);
}

static void check_source(const struct tag *tag)
{
  static const char *const fetching[] = {"src", "srcset", "poster", "data",
                                         "xlink:href"};
  for (size_t i = 0; i < sizeof fetching / sizeof *fetching; i++) {
    const char *target = tag_get(tag, fetching[i]);
    if (!target || *target == '#')
      continue;
    if (is_remote(target))
      fault(tag->line, text_format("<%s> fetches '%s'", tag->name, target),
            "keep a copy in the book: pages make no request");
    else if (!has_scheme(target) && !file_beside_page(target))
      fault(tag->line, text_format("<%s> shows '%s', which is not there",
                                   tag->name, target),
            "correct the path, or build the file");
  }
}

static void check_named_ids(const struct tag *tag)
{
  static const char *const naming[] = {"aria-labelledby", "aria-describedby",
                                       "aria-controls", "for"};
  for (size_t i = 0; i < sizeof naming / sizeof *naming; i++) {
    const char *ids = tag_get(tag, naming[i]);
    while (ids && *ids) {
      size_t length = strcspn(ids, " ");
      char *place = text_format("%s#%.*s", base_name(page), (int)length, ids);
      if (length > 0 && !set_has(&places, place))
        fault(tag->line,
              text_format("%s names '%.*s', which this page lacks", naming[i],
                          (int)length, ids),
              "correct the id");
      free(place);
      ids += length + strspn(ids + length, " ");
    }
  }
}

/* Styles may not fetch either. */
static void check_style(const char *text, size_t length, int line)
{
  char *style = text_part(text, length);
  if (strstr(style, "@import") || strstr(style, "url(http") ||
      strstr(style, "url(\"http") || strstr(style, "url('http") ||
      strstr(style, "url(//"))
    fault(line, text_format("a style that fetches something"),
          "keep a copy in the book: pages make no request");
  free(style);
}

static void check_style_sheet(const struct tag *tag)
{
  const char *rel = tag_get(tag, "rel"), *href = tag_get(tag, "href");
  if (!rel || !href || strcmp(rel, "stylesheet") != 0)
    return;
  char *path = text_format("%.*s%s", (int)(base_name(page) - page), page, href);
  char *text = read_file(path);
  if (text)
    check_style(text, strlen(text), tag->line);
  free(text);
  free(path);
}

/* ---- Names -------------------------------------------------------------- */

static bool has_name(const struct tag *tag)
{
  static const char *const names[] = {"aria-label", "aria-labelledby",
                                      "title"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *name = tag_get(tag, names[i]);
    if (name && *name)
      return true;
  }
  return false;
}

static bool is_hidden(const struct tag *tag)
{
  const char *hidden = tag_get(tag, "aria-hidden");
  return hidden && strcmp(hidden, "true") == 0;
}

static void check_picture(const struct tag *tag)
{
  const char *alt = tag_get(tag, "alt"), *role = tag_get(tag, "role");
  if (strcmp(tag->name, "img") == 0 && !alt)
    fault(tag->line, text_format("a picture without alt text"),
          "say in alt=\"…\" what one sees in it");
  if (strcmp(tag->name, "svg") == 0 && !is_hidden(tag) &&
      !(role && strcmp(role, "img") == 0 && has_name(tag)))
    fault(tag->line, text_format("a drawing without a name"),
          "give it role=\"img\" and aria-labelledby, or hide it");
}

/* ---- Structure ---------------------------------------------------------- */

enum { max_depth = 256 };

struct open_element {
  char *name;
  int line;
  bool named; /* a link or button that has text or a label by now */
};

struct structure {
  struct open_element open[max_depth];
  int depth;
  int heading;            /* level of the last heading */
  int n_h1, n_main, n_title;
  bool has_language;
};

static bool needs_name(const char *name)
{
  return strcmp(name, "a") == 0 || strcmp(name, "button") == 0 ||
         strcmp(name, "summary") == 0 || strcmp(name, "title") == 0 ||
         (name[0] == 'h' && name[1] >= '1' && name[1] <= '6' && !name[2]);
}

/* Text and pictures name everything that they stand in. */
static void name_all(struct structure *at)
{
  for (int i = 0; i < at->depth; i++)
    at->open[i].named = true;
}

static void open_element(struct structure *at, const struct tag *tag)
{
  if (tag->is_void)
    return;
  if (at->depth == max_depth) {
    fault(tag->line, text_format("elements nested too deeply"),
          "is an element never closed?");
    exit(1);
  }
  at->open[at->depth++] = (struct open_element){
      text_part(tag->name, strlen(tag->name)), tag->line,
      has_name(tag) || is_hidden(tag)};
}

static void close_last(struct structure *at)
{
  free(at->open[--at->depth].name);
}

static bool inside(const struct structure *at, const char *name)
{
  for (int i = 0; i < at->depth; i++) {
    if (strcmp(at->open[i].name, name) == 0)
      return true;
  }
  return false;
}

static void close_element(struct structure *at, const struct tag *tag)
{
  if (!inside(at, tag->name)) {
    fault(tag->line, text_format("</%s> closes nothing", tag->name),
          "remove it, or open the element before");
    return;
  }
  struct open_element *last = &at->open[at->depth - 1];
  while (strcmp(last->name, tag->name) != 0) {
    fault(tag->line, text_format("</%s> closes <%s> of line %d", tag->name,
                                 last->name, last->line),
          "close elements in the reverse order of their opening");
    close_last(at);
    last--;
  }
  if (needs_name(last->name) && !last->named)
    fault(last->line, text_format("<%s> without a text", last->name),
          "a reader who hears the page needs a name: text or aria-label");
  close_last(at);
}

static void check_heading(struct structure *at, const struct tag *tag)
{
  const char *name = tag->name;
  if (name[0] != 'h' || name[1] < '1' || name[1] > '6' || name[2])
    return;
  int level = name[1] - '0';
  if (level > at->heading + 1)
    fault(tag->line, text_format("<h%d> after <h%d>", level, at->heading),
          "leave out no level of headings");
  at->heading = level;
  at->n_h1 += level == 1;
}

static void note_landmarks(struct structure *at, const struct tag *tag,
                           bool in_svg)
{
  at->n_main += strcmp(tag->name, "main") == 0;
  at->n_title += strcmp(tag->name, "title") == 0 && !in_svg;
  if (strcmp(tag->name, "html") == 0) {
    const char *language = tag_get(tag, "lang");
    at->has_language = language && *language;
  }
}

static void check_opening(struct structure *at, const struct tag *tag)
{
  if (strcmp(tag->name, "a") == 0 && inside(at, "a"))
    fault(tag->line, text_format("a link inside of a link"),
          "a heading or term that is a link holds no other");
  note_landmarks(at, tag, inside(at, "svg"));
  check_heading(at, tag);
  check_picture(tag);
  check_href(tag);
  check_source(tag);
  check_named_ids(tag);
  check_style_sheet(tag);
}

static void check_whole(const struct html_reader *reader,
                        struct structure *at)
{
  const char *remedy = "see book/templates/page.html";
  if (!reader->has_doctype)
    fault(1, text_format("no <!DOCTYPE html>"), remedy);
  if (!at->has_language)
    fault(1, text_format("<html> without a language"), remedy);
  if (at->n_title != 1)
    fault(1, text_format("%d titles instead of one", at->n_title), remedy);
  if (at->n_main != 1)
    fault(1, text_format("%d <main> instead of one", at->n_main), remedy);
  if (at->n_h1 != 1)
    fault(1, text_format("%d <h1> instead of one", at->n_h1),
          "the title is a page's only heading of the first level");
  while (at->depth > 0) {
    struct open_element *left = &at->open[at->depth - 1];
    fault(left->line, text_format("<%s> is never closed", left->name),
          "close it");
    close_last(at);
  }
}

static void check_page(const char *text)
{
  struct html_reader reader;
  struct structure at = {0};
  struct tag tag;
  html_open(&reader, text);
  while (html_next(&reader, &tag)) {
    if (reader.text_before || strcmp(tag.name, "img") == 0)
      name_all(&at);
    if (tag.closes) {
      close_element(&at, &tag);
    } else {
      check_opening(&at, &tag);
      open_element(&at, &tag);
    }
    if (reader.raw)
      check_style(reader.raw, reader.raw_length, tag.line);
    tag_free(&tag);
  }
  tag_free(&tag);
  if (reader.fault) {
    fault(reader.line, reader.fault, "correct the markup there");
    while (at.depth > 0)
      close_last(&at);
  } else {
    check_whole(&reader, &at);
  }
}

/* ---- All pages ---------------------------------------------------------- */

static void each_page(int n_paths, char **paths, void (*read)(const char *))
{
  for (int i = 0; i < n_paths; i++) {
    page = paths[i];
    char *text = read_file(page);
    if (!text) {
      fault(1, text_format("cannot read this page"), "build it");
      continue;
    }
    read(text);
    free(text);
  }
}

static void free_set(struct set *set)
{
  for (size_t i = 0; i < set->n_slots; i++)
    free(set->slots[i]);
  free(set->slots);
}

int main(int argc, char **argv)
{
  int first = 1;
  while (first + 1 < argc && strcmp(argv[first], "--later") == 0) {
    set_add(&later, text_format("%s", argv[first + 1]));
    first += 2;
  }
  if (first >= argc || *argv[first] == '-') {
    fprintf(stderr, "usage: check_pages [--later FILE]… PAGE.html…\n");
    return 2;
  }
  each_page(argc - first, argv + first, collect_ids);
  each_page(argc - first, argv + first, check_page);
  free_set(&places);
  free_set(&later);
  if (n_faults > 0)
    return 1;
  printf("%d pages\n", argc - first);
  return 0;
}
