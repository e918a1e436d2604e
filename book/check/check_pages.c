/* Checks the finished pages together: elements that are closed and nested,
 * ids that are there once, links that arrive, headings in their order,
 * drawings and links with a name, what scrolls by keyboard, too, and nothing that
 * would be fetched from a
 * network.
 *
 *   check_pages [--later LINK]… FILE…
 *
 * Links to other files are looked for beside the page; LINK, as links name
 * it, may be built after the pages. Status 1 and one line
 * a fault, `page:line: error: …`, if anything is wrong.
 *
 * Each FILE is a page or what
 *
 *   check_pages --record PAGE.html
 *
 * printed of it: what is wrong with the page by itself, and what other files
 * decide: its ids, links and sources. The build keeps these records, so that of
 * a book only the page that changed is read again. */

#include "html.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- A page's record ---------------------------------------------------- */

/* What is written down of a page, in the order of its lines. */
enum kind {
  is_fault,  /* what is wrong, and the remedy */
  is_id,     /* the page has this id */
  is_link,   /* to another page, a place there, or a file */
  is_source, /* the file that is shown, and the element */
  is_style,  /* the style sheet */
  n_kinds
};

static const char *const kind_names[n_kinds] = {"fault", "id", "link",
                                                "source", "style"};

struct entry {
  enum kind kind;
  int line;
  char *text, *more; /* more: "" where there is none */
};

struct record {
  char *page; /* its path */
  struct entry *entries;
  size_t n_entries, room;
};

static struct record *record; /* of the page that is being read */

/* A record has lines and tabs of its own. */
static char *in_one_line(char *text)
{
  for (char *at = text; *at; at++) {
    if (*at == '\n' || *at == '\t' || *at == '\r')
      *at = ' ';
  }
  return text;
}

/* Takes the text. */
static void note(enum kind kind, int line, char *text, const char *more)
{
  if (record->n_entries == record->room) {
    record->room = record->room ? 2 * record->room : 256;
    record->entries = realloc(record->entries,
                              record->room * sizeof *record->entries);
    if (!record->entries) {
      fprintf(stderr, "error: out of memory\n");
      exit(1);
    }
  }
  record->entries[record->n_entries++] = (struct entry){
      kind, line, in_one_line(text), text_part(more, strlen(more))};
}

static void fault(int line, char *what, const char *remedy)
{
  note(is_fault, line, what, remedy);
}

/* A set of strings. */
struct set {
  char **slots;
  size_t n_slots;
  size_t n_used;
};

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

/* A file named relative to the page, to be freed. */
static char *beside_page(const char *name)
{
  const char *page = record->page;
  return text_format("%.*s%s", (int)(base_name(page) - page), page, name);
}

/* ---- Ids, and links within the page -------------------------------------- */

static struct set own_ids;

static void note_id(const struct tag *tag)
{
  const char *id = tag_get(tag, "id");
  if (!id || tag->closes)
    return;
  if (*id == '\0' || strpbrk(id, " \t\n"))
    fault(tag->line, text_format("id '%s' is empty or holds a space", id),
          "give the heading or block another label");
  else if (!set_add(&own_ids, text_format("%s", id)))
    fault(tag->line, text_format("id '%s' is there twice", id),
          "rename one of the two labels or headings");
  else
    note(is_id, tag->line, text_format("%s", id), "");
}

/* A link to an id of the page itself, which may stand further down. */
struct own_link {
  int line;
  char *id;
  char *what;
  const char *remedy;
};

static struct own_link *own_links;
static size_t n_own_links, own_room;

/* Takes the id and what is wrong if the page lacks it. */
static void expect_id(int line, char *id, char *what, const char *remedy)
{
  if (n_own_links == own_room) {
    own_room = own_room ? 2 * own_room : 256;
    own_links = realloc(own_links, own_room * sizeof *own_links);
    if (!own_links) {
      fprintf(stderr, "error: out of memory\n");
      exit(1);
    }
  }
  own_links[n_own_links++] = (struct own_link){line, id, what, remedy};
}

static void check_own_links(void)
{
  for (size_t i = 0; i < n_own_links; i++) {
    struct own_link *link = &own_links[i];
    if (set_has(&own_ids, link->id))
      free(link->what);
    else
      fault(link->line, link->what, link->remedy);
    free(link->id);
  }
  free(own_links);
  own_links = NULL;
  n_own_links = own_room = 0;
}

/* ---- Links --------------------------------------------------------------- */

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

static const char no_page[] = "correct the label, or give the place that name";
static const char keep_a_copy[] =
    "keep a copy in the book: pages make no request";

/* A link to a page of the book, to a place in one, or to a file beside. */
static void check_target(const struct tag *tag, const char *target)
{
  const char *name = base_name(record->page);
  size_t length = strlen(name);
  char *place = text_format("%s", target);
  resolve_percent(place);
  char *mark = strchr(place, '#');
  if (mark && mark[1] == '\0')
    *mark = '\0';
  bool own = place == mark || (strncmp(place, name, length) == 0 &&
                               place + length == mark);
  if (own && *mark)
    expect_id(tag->line, text_format("%s", mark + 1),
              text_format("a link to '%s', which no page has", target),
              no_page);
  else if (*place)
    note(is_link, tag->line, text_format("%s", place), target);
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
          keep_a_copy);
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
            keep_a_copy);
    else if (!has_scheme(target))
      note(is_source, tag->line, text_format("%s", target), tag->name);
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
      if (length > 0)
        expect_id(tag->line, text_part(ids, length),
                  text_format("%s names '%.*s', which this page lacks",
                              naming[i], (int)length, ids),
                  "correct the id");
      ids += length + strspn(ids + length, " ");
    }
  }
}

/* Styles may not fetch either. */
static const char fetching_style[] = "a style that fetches something";

static bool fetches(const char *style)
{
  return strstr(style, "@import") || strstr(style, "url(http") ||
         strstr(style, "url(\"http") || strstr(style, "url('http") ||
         strstr(style, "url(//");
}

static void check_style(const char *text, size_t length, int line)
{
  char *style = text_part(text, length);
  if (fetches(style))
    fault(line, text_format("%s", fetching_style), keep_a_copy);
  free(style);
}

static void check_style_sheet(const struct tag *tag)
{
  const char *rel = tag_get(tag, "rel"), *href = tag_get(tag, "href");
  if (!rel || !href || strcmp(rel, "stylesheet") != 0)
    return;
  note(is_style, tag->line, text_format("%s", href), "");
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
  // A drawing that holds links is a group.
  if (strcmp(tag->name, "svg") == 0 && !is_hidden(tag) &&
      !(role && (strcmp(role, "img") == 0 || strcmp(role, "group") == 0) &&
        has_name(tag)))
    fault(tag->line, text_format("a drawing without a name"),
          "give it role=\"img\" and aria-labelledby, or hide it");
}

/* What scrolls by itself scrolls by keyboard: before and without scripts, too. */
static void check_scroller(const struct tag *tag)
{
  if (!tag_get(tag, "data-scrolls"))
    return;
  const char *stop = tag_get(tag, "tabindex");
  if (!stop || strcmp(stop, "0") != 0 || !has_name(tag) ||
      (!tag_get(tag, "role") && strcmp(tag->name, "section") != 0))
    fault(tag->line,
          text_format("<%s> scrolls, but not by keyboard", tag->name),
          "give it tabindex=\"0\", a role and an aria-label (pages/page.lua)");
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
  note_id(tag);
  note_landmarks(at, tag, inside(at, "svg"));
  check_heading(at, tag);
  check_picture(tag);
  check_scroller(tag);
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

static void free_set(struct set *set)
{
  for (size_t i = 0; i < set->n_slots; i++)
    free(set->slots[i]);
  free(set->slots);
  *set = (struct set){0};
}

/* Into the order of the lines; what is alike stays in its order. */
static void sort_entries(void)
{
  struct entry *entries = record->entries;
  for (size_t i = 1; i < record->n_entries; i++) {
    struct entry moved = entries[i];
    size_t at = i;
    for (; at > 0 && entries[at - 1].line > moved.line; at--)
      entries[at] = entries[at - 1];
    entries[at] = moved;
  }
}

static void record_page(const char *text)
{
  check_page(text);
  check_own_links();
  free_set(&own_ids);
  sort_entries();
}

/* ---- Records as text ------------------------------------------------------ */

static const char record_mark[] = "record of ";

static void print_record(void)
{
  printf("%s%s\n", record_mark, record->page);
  for (size_t i = 0; i < record->n_entries; i++) {
    const struct entry *entry = &record->entries[i];
    printf("%s\t%d\t%s\t%s\n", kind_names[entry->kind], entry->line,
           entry->text, entry->more);
  }
}

/* The next field of a line, which ends there; NULL behind the last. */
static char *take_field(char **at)
{
  char *field = *at;
  if (!field)
    return NULL;
  *at = strchr(field, '\t');
  if (*at)
    *(*at)++ = '\0';
  return field;
}

static bool take_entry(char *line)
{
  char *kind = take_field(&line), *number = take_field(&line);
  char *text = take_field(&line), *more = take_field(&line);
  for (int i = 0; more && i < n_kinds; i++) {
    if (strcmp(kind, kind_names[i]) == 0) {
      note((enum kind)i, atoi(number), text_part(text, strlen(text)), more);
      return true;
    }
  }
  return false;
}

/* The text of a record, which is cut into lines. */
static void take_record(char *text)
{
  char *page = text + strlen(record_mark);
  size_t length = strcspn(page, "\n");
  char *line = page + length + (page[length] == '\n');
  free(record->page);
  record->page = text_part(page, length);
  while (*line) {
    length = strcspn(line, "\n");
    char *next = line + length + (line[length] == '\n');
    line[length] = '\0';
    if (!take_entry(line)) {
      fault(1, text_format("a record that cannot be read"), "make it anew");
      return;
    }
    line = next;
  }
}

/* ---- All pages ---------------------------------------------------------- */

static struct set places;    /* "page.html", and "page.html#id" */
static struct set later;     /* files that are not there yet */
static struct set there;     /* paths of files that were found */
static struct set fetching;  /* paths of style sheets that fetch something */
static struct set innocent;  /* … and of others */
static int n_faults;

static void read_page(const char *path)
{
  record->page = text_format("%s", path);
  char *text = read_file(path);
  if (!text)
    fault(1, text_format("cannot read this page"), "build it");
  else if (strncmp(text, record_mark, strlen(record_mark)) == 0)
    take_record(text);
  else
    record_page(text);
  free(text);
}

static void note_places(void)
{
  const char *name = base_name(record->page);
  set_add(&places, text_format("%s", name));
  for (size_t i = 0; i < record->n_entries; i++) {
    if (record->entries[i].kind == is_id)
      set_add(&places, text_format("%s#%s", name, record->entries[i].text));
  }
}

/* Takes the path. */
static bool file_there(char *path)
{
  if (set_has(&there, path)) {
    free(path);
    return true;
  }
  FILE *file = fopen(path, "rb");
  if (!file) {
    free(path);
    return false;
  }
  fclose(file);
  set_add(&there, path);
  return true;
}

/* Takes the path. */
static bool sheet_fetches(char *path)
{
  if (!set_has(&fetching, path) && !set_has(&innocent, path)) {
    char *text = read_file(path);
    set_add(text && fetches(text) ? &fetching : &innocent,
            text_format("%s", path));
    free(text);
  }
  bool does = set_has(&fetching, path);
  free(path);
  return does;
}

static void report(int line, const char *what, const char *remedy)
{
  fprintf(stderr, "%s:%d: error: %s\n  %s\n", record->page, line, what,
          remedy);
  n_faults++;
}

/* Takes what is wrong. */
static void report_made(int line, char *what, const char *remedy)
{
  report(line, what, remedy);
  free(what);
}

static void check_link(const struct entry *entry)
{
  const char *place = entry->text;
  if (set_has(&places, place))
    return;
  if (strchr(place, '#'))
    report_made(entry->line, text_format("a link to '%s', which no page has",
                                         entry->more), no_page);
  else if (!set_has(&later, place) && !file_there(beside_page(place)))
    report_made(entry->line, text_format("a link to '%s', which is not there",
                                         entry->more),
                "correct the link, or build the file");
}

static void check_entry(const struct entry *entry)
{
  switch (entry->kind) {
  case is_fault: report(entry->line, entry->text, entry->more); break;
  case is_link: check_link(entry); break;
  case is_source:
    if (!file_there(beside_page(entry->text)))
      report_made(entry->line,
                  text_format("<%s> shows '%s', which is not there",
                              entry->more, entry->text),
                  "correct the path, or build the file");
    break;
  case is_style:
    if (sheet_fetches(beside_page(entry->text)))
      report(entry->line, fetching_style, keep_a_copy);
    break;
  case is_id:
  case n_kinds: break;
  }
}

static void free_record(void)
{
  for (size_t i = 0; i < record->n_entries; i++) {
    free(record->entries[i].text);
    free(record->entries[i].more);
  }
  free(record->entries);
  free(record->page);
}

static int usage(void)
{
  fprintf(stderr, "usage: check_pages [--later LINK]… FILE…\n"
                  "       check_pages --record PAGE.html\n");
  return 2;
}

int main(int argc, char **argv)
{
  int first = 1;
  bool only_record = argc == 3 && strcmp(argv[1], "--record") == 0;
  if (only_record)
    first = 2;
  while (first + 1 < argc && strcmp(argv[first], "--later") == 0) {
    set_add(&later, text_format("%s", argv[first + 1]));
    first += 2;
  }
  if (first >= argc || *argv[first] == '-')
    return usage();
  int n_pages = argc - first;
  struct record *records = calloc((size_t)n_pages, sizeof *records);
  if (!records)
    return 1;
  for (int i = 0; i < n_pages; i++) {
    record = &records[i];
    read_page(argv[first + i]);
    note_places();
  }
  for (int i = 0; i < n_pages; i++) {
    record = &records[i];
    if (only_record)
      print_record();
    else
      for (size_t k = 0; k < record->n_entries; k++)
        check_entry(&record->entries[k]);
    free_record();
  }
  free(records);
  free_set(&places);
  free_set(&later);
  free_set(&there);
  free_set(&fetching);
  free_set(&innocent);
  if (n_faults > 0)
    return 1;
  if (!only_record)
    printf("%d pages\n", n_pages);
  return fflush(stdout) == 0 ? 0 : 1;
}
