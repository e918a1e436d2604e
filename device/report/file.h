/* A file that appears at once, complete, under its name. */
#ifndef DEVICE_REPORT_FILE_H
#define DEVICE_REPORT_FILE_H

#include <stdio.h>

struct report_file {
  FILE *stream; /* NULL: not wanted, or it cannot be written */
  char *path, *temporary;
  int owner; /* process that opened it: a child must not complete it */
};

/* Opens what the environment variable names. Says so when it cannot. */
void report_file_open(struct report_file *file, const char *variable);
void report_file_finish(struct report_file *file);
/* It does not appear after all; finish it none the less. */
void report_file_abandon(struct report_file *file);

/* A field of a CSV: commas and line ends become `;`. */
void report_put_field(FILE *out, const char *text);

#endif
