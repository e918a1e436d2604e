/* Reads single lines of source files, and shortens their paths to what
 * SOFTDEVICE_SOURCE_BASE asks for. */
#define _POSIX_C_SOURCE 200809L
#include "source.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool hidden;

void source_hide(void) { hidden = true; }

bool source_text(const char *file, unsigned line, char *text, size_t n_text)
{
  FILE *in = !hidden && file != NULL && line > 0 ? fopen(file, "r") : NULL;
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

static const char *below(const char *file, const char *folder)
{
  size_t n = strlen(folder);
  while (n > 0 && folder[n - 1] == '/')
    n--;
  if (n == 0 || strncmp(file, folder, n) != 0 || file[n] != '/')
    return NULL;
  return file + n + 1;
}

/* Whether the path so far ends in a folder that `..` can undo. */
static bool can_go_up(const char *path, size_t n)
{
  bool after_up = n >= 3 && memcmp(path + n - 3, "../", 3) == 0 &&
                  (n == 3 || path[n - 4] == '/');
  return n > 1 && !after_up;
}

/* "/a/build/../b" becomes "/a/b": nvcc writes the folder that it ran in before
 * a relative path. As text; no link is followed. */
static void normalise(const char *file, char *out, size_t n_out)
{
  size_t n = 0;
  while (*file != '\0' && n + 1 < n_out) {
    size_t part = strcspn(file, "/") + 1;
    if (file[part - 1] == '\0')
      part--;
    if (strncmp(file, "./", 2) == 0) {
      ; /* here: nothing to add */
    } else if (strncmp(file, "../", 3) == 0 && can_go_up(out, n)) {
      for (n--; n > 0 && out[n - 1] != '/'; n--)
        ;
    } else {
      size_t copied = part < n_out - 1 - n ? part : n_out - 1 - n;
      memcpy(out + n, file, copied);
      n += copied;
    }
    file += part;
  }
  out[n] = '\0';
}

const char *source_name(const char *file)
{
  static _Thread_local char whole[PATH_MAX];
  char here[PATH_MAX];
  const char *base = getenv("SOFTDEVICE_SOURCE_BASE");
  if (base == NULL || base[0] == '\0')
    base = getcwd(here, sizeof here);
  normalise(file, whole, sizeof whole);
  const char *shorter = base != NULL ? below(whole, base) : NULL;
  return shorter != NULL ? shorter : whole;
}
