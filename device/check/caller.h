/* Where in the host program a call came from: the source line, where the
 * program was compiled with -g and addr2line (binutils) is there; else
 * `program+offset`. */
#ifndef DEVICE_CHECK_CALLER_H
#define DEVICE_CHECK_CALLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../support/source_line.h"

enum { CALLER_FRAMES = 6 };

struct caller {
  void *frame[CALLER_FRAMES]; /* return addresses in the program, innermost
                                 first */
  unsigned n;
};

/* Who called into the library that this is part of. */
struct caller caller_now(void);

/* Who was interrupted at `pc`: for handlers of signals. */
struct caller caller_at(const void *pc);

/* Keeps it for an address, the latest one; and finds it again. */
void caller_remember(uint64_t address, const struct caller *caller);
bool caller_recall(uint64_t address, struct caller *caller);

/* "program+0x12e3", or "". */
void caller_site(const struct caller *caller, char *site, size_t n_site);

/* The source line; false, and nothing is set, when it is not known. Of a
 * launch it is the line with <<<>>>. The file's name is never freed. */
bool caller_source(const struct caller *caller, struct source_line *at);

#endif
