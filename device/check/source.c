#define _POSIX_C_SOURCE 200809L
#include "source.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool source_text(const char *file, unsigned line, char *text, size_t n_text) {
  FILE *in = file != NULL && line > 0 ? fopen(file, "r") : NULL;
  if (in == NULL)
    return false;
  char *row = NULL;
  size_t capacity = 0;
  ssize_t n = -1;
  for (unsigned i = 0; i < line; i++)
    if ((n = getline(&row, &capacity, in)) < 0)
      break;
  fclose(in);
  while (n > 0 && (row[n - 1] == '\n' || row[n - 1] == '\r'))
    row[--n] = '\0';
  if (n >= 0)
    snprintf(text, n_text, "%s", row);
  free(row);
  return n >= 0;
}

static const char *below(const char *file, const char *folder) {
  size_t n = strlen(folder);
  while (n > 0 && folder[n - 1] == '/')
    n--;
  if (n == 0 || strncmp(file, folder, n) != 0 || file[n] != '/')
    return NULL;
  return file + n + 1;
}

const char *source_name(const char *file) {
  char here[PATH_MAX];
  const char *base = getenv("SOFTDEVICE_SOURCE_BASE");
  if (base == NULL || base[0] == '\0')
    base = getcwd(here, sizeof here);
  const char *shorter = base != NULL ? below(file, base) : NULL;
  return shorter != NULL ? shorter : file;
}
