/* PTX taken apart into the statements of a module, for linking. */
#ifndef DEVICE_CORE_LINK_TEXT_H
#define DEVICE_CORE_LINK_TEXT_H

#include "link.h"

struct link_statement {
  const char *start, *end;
  const char *name; /* what it declares or defines; NULL: a directive */
  size_t length;
  bool is_extern, is_local; /* neither: visible, weak or common */
  bool is_function;         /* or a kernel; else a variable or a directive */
};

struct link_text {
  size_t n, capacity;
  struct link_statement *statements;
  bool is_runtime; /* cudadevrt's, which the device serves itself */
};

/* They point into the texts; free them by link_drop. */
struct link_text *link_split(char *const *texts, size_t n);
void link_drop(struct link_text *texts, size_t n);

bool link_begins(const char *p, const char *word);
/* Past the word in a statement's head; NULL: it is not there. */
const char *link_find_word(const struct link_statement *s, const char *word);
bool link_same(const struct link_statement *a, const struct link_statement *b);
/* Does the statement have the other's name as a word? */
bool link_mentions(const struct link_statement *s,
                   const struct link_statement *other);

/* How much a statement counts against others of its name: the first of the
 * strongest stays. */
enum link_strength { LINK_DECLARED, LINK_COMMON, LINK_WEAK, LINK_STRONG };
enum link_strength link_strength(const struct link_statement *s);

#endif
