/* Writes to a temporary file next to the wanted one and renames it at the end. */
#define _POSIX_C_SOURCE 200809L
#include "file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../support/host_memory.h"

static void complain(const char *path, const char *what)
{
  fprintf(stderr, "softdevice: %s: cannot %s: %s\n", path, what,
          strerror(errno));
}

/* A device or a pipe, /dev/null say, is written to, never replaced. */
static bool is_special(const char *path)
{
  struct stat found;

  return stat(path, &found) == 0 && !S_ISREG(found.st_mode);
}

void report_file_open(struct report_file *file, const char *variable)
{
  const char *path = getenv(variable);
  if (path == NULL || path[0] == '\0')
    return;
  if (strcmp(path, "-") == 0) {
    file->stream = stderr; /* stdout belongs to the program */
    return;
  }
  size_t n = strlen(path) + 32;
  file->path = host_try_copy(path);
  file->temporary = host_try_new(n, 1);
  file->owner = (int)getpid();
  if (file->path == NULL || file->temporary == NULL)
    return;
  if (is_special(path))
    strcpy(file->temporary, path);
  else
    snprintf(file->temporary, n, "%s.%d.tmp", path, file->owner);
  file->stream = fopen(file->temporary, "we");
  if (file->stream == NULL)
    complain(file->temporary, "write");
}

void report_file_finish(struct report_file *file)
{
  if (file->stream == NULL || file->stream == stderr) {
    file->stream = NULL;
  } else if (file->owner == (int)getpid()) {
    int failed = ferror(file->stream);
    if (fclose(file->stream) != 0 || failed)
      complain(file->temporary, "write");
    else if (strcmp(file->temporary, file->path) != 0 &&
             rename(file->temporary, file->path) != 0)
      complain(file->path, "write");
  }
  free(file->path);
  free(file->temporary);
  *file = (struct report_file){ 0 };
}

void report_file_abandon(struct report_file *file)
{
  if (file->stream == NULL || file->stream == stderr ||
      file->owner != (int)getpid())
    return;
  fclose(file->stream);
  file->stream = NULL;
  if (strcmp(file->temporary, file->path) != 0)
    remove(file->temporary);
}
