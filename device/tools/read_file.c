/* Reads a whole file, for launch_run and its machines. */
#include <stdio.h>
#include <stdlib.h>

#include "../support/host_memory.h"
#include "machine.h"

char *read_file(const char *name, size_t *bytes)
{
  FILE *file = fopen(name, "rb");
  char *text = NULL;
  size_t n = 0, capacity = 0;

  if (file == NULL) {
    fprintf(stderr, "%s: cannot open it\n", name);
    exit(2);
  }
  do {
    capacity = capacity == 0 ? 1 << 16 : 2 * capacity;
    text = host_grow(text, capacity, 1);
    n += fread(text + n, 1, capacity - n - 1, file);
  } while (n == capacity - 1);
  fclose(file);
  text[n] = '\0';
  *bytes = n;
  return text;
}
