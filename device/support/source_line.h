/* A place in the source code that PTX was compiled from. Everything that names
 * one uses this: instructions, counts, messages, reports. */
#ifndef DEVICE_SUPPORT_SOURCE_LINE_H
#define DEVICE_SUPPORT_SOURCE_LINE_H

struct source_line {
  const char *file;      /* as in the PTX .file directive; owned by program */
  unsigned line, column; /* 0 when the PTX has no .loc for it */
  /* Code of functions that were inlined, as the PTX's .loc tell it; both are
   * the program's, too. `caller`: the line of the program that called the
   * function, and so on outwards; NULL when it was not inlined there.
   * `inside`: the line of the CUDA Toolkit's header that this line called, by
   * however many steps; NULL when it is the line itself that does it. */
  const struct source_line *caller, *inside;
  int is_before; /* the PTX names no line here: it is the one before */
};

#endif
