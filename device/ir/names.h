/* Texts that are parts of a longer one, and a table that finds things by
 * them. */
#ifndef DEVICE_IR_NAMES_H
#define DEVICE_IR_NAMES_H

#include <stdbool.h>
#include <stddef.h>

struct ir;

struct ir_text {
  const char *at;
  size_t n;
};

struct ir_names {
  struct ir_entry *entry; /* `places` of them, a power of two */
  size_t places, n;
};

/* Where the thing called `name` is kept: NULL at first. */
void **ir_names_place(struct ir *ir, struct ir_names *names,
                      struct ir_text name);
/* The thing called so, or NULL. */
void *ir_names_find(const struct ir_names *names, struct ir_text name);

bool ir_is(struct ir_text text, const char *word);
bool ir_begins(struct ir_text text, const char *word);
struct ir_text ir_text_of(const char *word);

#endif
