/* A place in the source code that PTX was compiled from. Everything that names
 * one uses this: instructions, counts, messages, reports. */
#ifndef DEVICE_SUPPORT_SOURCE_LINE_H
#define DEVICE_SUPPORT_SOURCE_LINE_H

struct source_line {
  const char *file;      /* as in the PTX .file directive; owned by program */
  unsigned line, column; /* 0 when the PTX has no .loc for it */
};

#endif
