/* Races between operations: kernels, copies and sets that different streams,
 * or branches of a graph, hold at once. The rules are the ones that race.c has
 * for the threads of one launch, with operations in place of warps.
 *
 * Operations form *lines*, one after the other: a stream is a line, and so
 * is a chain of nodes in a graph. A clock says of each line how much of it is
 * known to have ended. An operation begins with a clock, made by runtime/ordering.c,
 * which knows streams and events; an earlier operation is ordered
 * before it if the clock says that it has ended.
 *
 * Of each word of memory the last write and two reads are remembered, by
 * operation and instruction. A third reader that nothing orders after these
 * two is dropped: a race may be missed, but none is invented. */
#ifndef DEVICE_CHECK_OPERATIONS_H
#define DEVICE_CHECK_OPERATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct op_clock {
  uint32_t n, *at; /* at[line]: how many of its operations have ended */
};
/* `to` knows what `from` knows, too. */
void op_clock_join(struct op_clock *to, const struct op_clock *from);
/* It knows of the first `n` operations of a line. */
void op_clock_raise(struct op_clock *clock, uint32_t line, uint32_t n);
void op_clock_free(struct op_clock *clock);

/* Watching starts with a program's first stream, or second device: before, all
 * is in order. */
void operations_start(void);
bool operations_watched(void);

struct op_begin {
  const char *what;          /* "kernel", or the call: a constant */
  const char *kernel;        /* mangled, or NULL */
  unsigned long long stream; /* its number; 1: the default stream */
  uint32_t line, number;     /* which operation of which line: 1, 2, 3 … */
  struct op_clock clock;     /* what ended before it; copied */
};
/* What this thread does from now on, until operation_end. */
void operation_begin(const struct op_begin *begin);
void operation_end(void);

/* The operation itself, not one of its threads, reads or writes. */
void operation_reads(uint64_t address, size_t bytes);
void operation_writes(uint64_t address, size_t bytes);

/* Memory was allocated: whatever was there before is no race. */
void operations_forget(uint64_t address, size_t bytes);

/* ---- for the accesses of kernels: hooks.c -------- */

struct op_now;
struct check_access;
struct check_block;
struct check_run;
struct op_page;
struct shadow_page;

struct op_now *operation_now(void); /* NULL: none, or not watched */

/* Lanes of a run in one page, which is locked; `at` bytes from its start. */
void operation_run(struct op_now *now, struct check_block *block,
                   const struct check_access *a, const struct check_run *run,
                   struct shadow_page *page, uint64_t at);

/* The launch is over: its instructions' places are looked up while the program
 * is there. */
void operation_settle(struct op_now *now);

#endif
