/* A hash table with open addresses, in the module's memory. */
#include "names.h"

#include <stdint.h>
#include <string.h>

#include "module.h"

struct ir_entry {
  struct ir_text name; /* at == NULL: free */
  void *thing;
};

static uint64_t hash_of(struct ir_text name)
{
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < name.n; i++)
    hash = (hash ^ (unsigned char)name.at[i]) * 0x100000001b3u;
  return hash ^ hash >> 29;
}

static struct ir_entry *entry_of(const struct ir_names *names,
                                 struct ir_text name)
{
  size_t i = (size_t)hash_of(name) & (names->places - 1);

  while (names->entry[i].name.at != NULL &&
         (names->entry[i].name.n != name.n ||
          memcmp(names->entry[i].name.at, name.at, name.n) != 0))
    i = (i + 1) & (names->places - 1);
  return names->entry + i;
}

static void enlarge(struct ir *ir, struct ir_names *names)
{
  struct ir_names larger = { NULL, names->places ? 2 * names->places : 16,
                             names->n };

  larger.entry = ir_take(ir, larger.places * sizeof *larger.entry);
  for (size_t i = 0; i < names->places; i++)
    if (names->entry[i].name.at != NULL)
      *entry_of(&larger, names->entry[i].name) = names->entry[i];
  *names = larger;
}

void **ir_names_place(struct ir *ir, struct ir_names *names,
                      struct ir_text name)
{
  if (2 * names->n >= names->places)
    enlarge(ir, names);
  struct ir_entry *entry = entry_of(names, name);
  if (entry->name.at == NULL) {
    entry->name = name;
    names->n++;
  }
  return &entry->thing;
}

void *ir_names_find(const struct ir_names *names, struct ir_text name)
{
  return names->places == 0 ? NULL : entry_of(names, name)->thing;
}

bool ir_is(struct ir_text text, const char *word)
{
  return text.n == strlen(word) &&
         (text.n == 0 || memcmp(text.at, word, text.n) == 0);
}

bool ir_begins(struct ir_text text, const char *word)
{
  size_t n = strlen(word);
  return text.n >= n && (n == 0 || memcmp(text.at, word, n) == 0);
}

struct ir_text ir_text_of(const char *word)
{
  return (struct ir_text){ word, strlen(word) };
}
