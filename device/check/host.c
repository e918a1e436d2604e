/* Looks an address of the host up in /proc/self/maps. */
#include "host.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Memory that malloc got from the system by itself has no name. */
static void name_region(const char *name, char *text, size_t bytes)
{
  const char *base = strrchr(name, '/');

  if (strncmp(name, "[stack", 6) == 0)
    snprintf(text, bytes,
             "the stack of the host program: a variable of one "
             "of its functions");
  else if (strcmp(name, "[heap]") == 0)
    snprintf(text, bytes, "the heap of the host program: malloc or new");
  else if (name[0] == '\0')
    snprintf(text, bytes,
             "memory of the host program: a large malloc or new, "
             "or a global variable");
  else
    snprintf(text, bytes,
             "the data of %s: a global variable or a constant "
             "of the host",
             base != NULL ? base + 1 : name);
}

bool host_region(uint64_t address, char *text, size_t bytes)
{
  FILE *maps = fopen("/proc/self/maps", "r");
  char line[600];
  bool found = false;

  while (maps != NULL && !found && fgets(line, sizeof line, maps) != NULL) {
    uint64_t from, to;
    char rights[8];
    int name = 0;

    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %*s %*s %*s %n", &from, &to,
               rights, &name) < 3 ||
        address < from || address >= to)
      continue;
    line[strcspn(line, "\n")] = '\0';
    if (rights[0] != 'r' || strstr(line + name, "memfd:softdevice") != NULL)
      break; /* device memory: closed to the host, or as the executor sees it */
    found = true;
    name_region(line + name, text, bytes);
  }
  if (maps != NULL)
    fclose(maps);
  return found;
}
