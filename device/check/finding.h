/* What the checks found. Each finding is reported once and counted; a summary
 * comes at the end, as CSV, too, where SOFTDEVICE_FINDINGS asks for it.
 *
 * Two findings are the same when check, title, kernel and source lines agree,
 * with the lines at which these were inlined. Those that have one cause
 * (cause.h) count as one.
 * Any thread may add. */
#ifndef DEVICE_CHECK_FINDING_H
#define DEVICE_CHECK_FINDING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "fault.h"
#include "options.h"

/* One side of a finding: who did what, where. */
struct finding_side {
  const char *did; /* "store of 4 bytes", NULL: no such side */
  struct source_line source;
  unsigned ptx_line;
  bool has_block, has_thread;
  uint32_t block[3], thread[3];
};

struct finding {
  enum check check;
  const char *title;  /* "race in shared memory"; a constant */
  const char *kernel; /* mangled, NULL for the host's */
  struct finding_side here, there;
  bool has_address;
  enum fault_space space;
  uint64_t address; /* global: as the program sees it */
  char story[160];  /* what is there, if it is not global; or "" */
  char detail[400]; /* further lines, without newline at the end */
  /* What it is an instance of, and in what: an allocation, what comes after a
   * barrier. NULL: of nothing known. */
  const char *cause; /* a constant */
  uint64_t object;
  /* A finding with the same cause may ask for more than this one: it is told
   * when the launch is over, or instead of it the one that asks for more. */
  bool weak;
};

/* Counts a finding, and reports it unless one with the same check, title,
 * kernel and places was reported before, or one with the same cause. */
struct known;
struct known *finding_add(const struct finding *finding);
/* Counts one more like it. */
void finding_again(struct known *known);

/* A launch is over: tells what waited for that, and lists what had the cause of
 * another finding and has not been reported. */
void findings_list(void);

/* Every new finding goes to `hear` instead of stderr. */
typedef void finding_listener(void *context, const struct finding *finding);
void finding_listen(finding_listener *hear, void *context);

/* The message about a finding, as stderr gets it. */
void finding_describe(FILE *out, const struct finding *finding);

/* Prints the summary, writes the file. The status that the process should
 * end with, 0 when nothing was found. */
int findings_finish(void);

/* The same in a handler of SIGABRT, whose thread called abort. Does nothing if
 * a finding is just being added. */
void findings_at_abort(void);

#endif
