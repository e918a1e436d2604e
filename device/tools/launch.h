/* The notation for launches: kernels, memory, arguments, and what is expected of
 * them, as lines of text. launch_run runs them; the software device writes them
 * (SOFTDEVICE_LAUNCH, report/launch.h); PTX tests have them in their head, after
 * `//!`. Lines are carried out in their order; `#` begins a comment.
 *
 *   ptx HASH                       the kernels' text: HASH.ptx, next to this file.
 *                                  HASH is how its SHA-256 begins. In a file of PTX
 *                                  it is that file, and the line is left out
 *   buffer NAME TYPE COUNT [number=N] [= VALUES]
 *                                  device memory for COUNT numbers. Without VALUES
 *                                  nothing has been written to it. N is the
 *                                  allocation's number in access maps; without it,
 *                                  one more than that of the line before
 *   align BYTES                    buffers begin at multiples of it from here on, a
 *                                  power of two; before, of 256. The larger it is, the
 *                                  fewer accesses that miss a buffer hit the next one
 *   variable NAME TYPE [number=N] [= VALUES]
 *                                  a variable of the PTX; without VALUES it holds
 *                                  what the PTX says
 *   set NAME [TYPE] = VALUES       a buffer or variable, anew
 *   knob NAME WORD [NUMBER]        what was chosen for this launch, for recordings.
 *                                  From here on, expressions may use NUMBER by that
 *                                  name, or WORD where it is a number
 *   shared TYPE                    what shared memory holds, for recordings
 *   launch KERNEL GRID BLOCK [OPTION=N…] [ARGUMENT…]
 *   expect NAME = VALUES           what is in a buffer or variable now; `_` is
 *                                  anything
 *   expect NAME like OTHER [within N]
 *                                  the same as in the other buffer; floating-point
 *                                  numbers may differ by N, or by N times the other
 *                                  number where that is more than 1. Infinity and
 *                                  NaN are like themselves only
 *   shows [NAME]                   what is in it, on stdout; without NAME what the
 *                                  last launch printed
 *   prints TEXT                    what the last launch printed; \n is a new line
 *   counts COLUMN N                a counter of the last launch
 *   fault KIND [TEXT]              the last launch must end with it
 *   refuses TEXT                   the PTX must not load, for this reason
 *
 *   KERNEL    its name in the PTX; `*` is the only one that the PTX has
 *   TYPE      u8 u16 u32 u64 s8 … s64 f32 f64, or x8 … x64, shown in hexadecimal
 *   VALUES    words, which repeat: numbers; expressions of i, the number of the
 *             value from 0; in 64 bits also places, NAME or NAME+BYTES. Or
 *             `data HASH`: the bytes of HASH.data next to this file
 *   GRID, BLOCK   X or X,Y,Z, each an expression
 *   ARGUMENT  a place; TYPE:VALUE; or the fields of a struct, separated by `;`,
 *             each at a multiple of its size
 *   OPTION    shared: dynamic shared memory, in bytes. cluster: X or X,Y,Z blocks.
 *             cooperative=1. number: of the launch, in counts, access maps and
 *             traces; without it, one more than that of the launch before.
 *             stack: cudaLimitStackSize. seed, workers, limit: the order of blocks
 *             and warps, CPU threads, seconds; without them
 *             SOFTDEVICE_SHUFFLE and SOFTDEVICE_WORKERS, in order and one
 *
 * An expression is of whole numbers, with + - * / %, comparisons, && || ?: and
 * parentheses; mix(i) scatters neighbours. It has no spaces, except within
 * parentheses. A floating-point type also takes 1.5, -2e-3, inf and nan, and its
 * bits as 0x….
 *
 * Who writes launches may keep more with them, as the scenes of a course page do:
 * what is to be read here is this notation and nothing else. */
#ifndef DEVICE_TOOLS_LAUNCH_H
#define DEVICE_TOOLS_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- values --------------------------------------------------------------- */

struct launch_type {
  char kind;      /* u, s, x or f */
  unsigned bytes; /* 1, 2, 4, 8 */
};

/* False: there is no such type. `name` need not end there. */
bool launch_type_named(const char *name, size_t length,
                       struct launch_type *type);

/* What names other than i mean; false: nothing. */
typedef bool launch_names(void *context, const char *name, size_t length,
                          int64_t *value);

/* An expression, or NULL and why it is none. */
struct launch_expression {
  launch_names *names; /* NULL: there are none */
  void *context;
  int64_t i;
  char problem[240];
};
bool launch_value(struct launch_expression *e, const char *text,
                  int64_t *value);

/* A word of VALUES as the type's bits. */
bool launch_bits(struct launch_expression *e, struct launch_type type,
                 const char *word, uint64_t *bits);
/* The value as the notation has it. */
void launch_put_bits(FILE *out, struct launch_type type, uint64_t bits);

/* Cuts the first word off: spaces within parentheses belong to it. NULL: there
 * is none. */
char *launch_word(char **rest);

/* ---- lines ---------------------------------------------------------------- */

/* Where a line stands, for messages. */
struct launch_place {
  const char *file;
  unsigned line;
};

/* Carries out one line, whose first word is `key` and which is changed. False:
 * the notation has no such line. A line that is wrong ends the program with a
 * message and status 2; what was expected and is not so is counted. */
bool launch_line(struct launch_place at, const char *key, char *rest);

/* The file of PTX that the lines are about, if they do not name it. */
void launch_begin(const char *file, const char *ptx, size_t bytes);
/* After the last line: how many expectations failed. */
int launch_end(struct launch_place at);

#endif
