/* A table made of exports.def. */
#include "proc_table.h"

#include <stddef.h>
#include <string.h>

#define EXPORT(name)                                                           \
  extern __attribute__((visibility("default"))) exported_call name;
#include "exports.def"

static const struct entry {
  const char *name;
  exported_call *function;
} exports[] = {
#define EXPORT(name) { #name, name },
#include "exports.def"
};

exported_call *exported(const char *name)
{
  for (size_t i = 0; i < sizeof exports / sizeof *exports; i++)
    if (strcmp(exports[i].name, name) == 0)
      return exports[i].function;
  return NULL;
}
