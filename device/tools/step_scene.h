/* A scene: one launch of one kernel, small enough to be stepped through, with
 * the knobs that a reader may turn. Its lines, in the order in which they need
 * each other; `#` begins a comment:
 *
 *   listing LABEL                 the listing that it belongs to
 *   source FILE                   from the repository's root
 *   kernel NAME                   as in the source, with template arguments
 *   question TEXT                 what to find out by trying
 *   predict TEXT                  how a line begins whose requests are asked for
 *   flags WORD…                   for nvcc
 *   argument NAME DEFAULT of CHOICE… : LABEL
 *   argument NAME DEFAULT from LOW to HIGH [step N] : LABEL
 *   variant NAME DEFAULT : LABEL  needs the compiler; its choices follow:
 *     is CHOICE                   and what follows is done to the source:
 *     kernel NAME
 *     listing LABEL
 *     define NAME[=VALUE]
 *     launch …                  as below, in place of the scene's
 *     after TEXT, replace TEXT, with TEXT
 *   break NAME : LABEL            a fault; after, replace, with as above
 *   buffer NAME TYPE COUNT [= EXPRESSION]    element i begins as that
 *   variable NAME TYPE [= EXPRESSION]        a variable of the program
 *   shared TYPE                   what shared memory holds
 *   launch GRID BLOCK [shared=BYTES] ARGUMENT…    a buffer, or TYPE:VALUE,
 *                                 or a struct: TYPE:VALUE;TYPE:VALUE…
 *
 * For the tests (tests/steps), with the knobs turned so:
 *
 *   program [KNOB=VALUE…] : PROGRAM ARGUMENT…     does the same launch
 *   agrees [KNOB=VALUE…] : EXPERIMENT COLUMN=VALUE… [per COLUMN[=N]]
 *                                 a row of bench/ with the same counts, or the
 *                                 same for each of what COLUMN counts, which
 *                                 are N here; or per blocks
 *   answer [KNOB=VALUE…] : CONDITION              of the counts, that the
 *                                 question's answer needs; or report TEXT
 *
 * A CHOICE is a number, or a word, or WORD=NUMBER. COUNT, GRID, BLOCK, BYTES
 * and VALUE are expressions in the knobs, without spaces: + - * / %, == != < <=
 * > >=, && ||, ?: and brackets over whole numbers, and mix(x), which scatters x
 * over 0 to 65535. GRID and BLOCK may be X,Y,Z. */
#ifndef DEVICE_TOOLS_STEP_SCENE_H
#define DEVICE_TOOLS_STEP_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { SCENE_MOST = 16, SCENE_WORDS = 64 };

struct scene_launch {
  const char *words[SCENE_WORDS];
  size_t n; /* 0: there is none */
  unsigned line;
};

struct scene_edit {
  const char *after, *replace, *with; /* NULL: not given */
};

struct scene_choice {
  const char *word;
  bool has_number;
  int64_t number;
  const char *kernel, *listing; /* NULL: the scene's */
  const char *defines[SCENE_MOST];
  size_t n_defines;
  struct scene_edit edits[SCENE_MOST];
  size_t n_edits;
  struct scene_launch launch;
};

enum scene_kind { SCENE_ARGUMENT, SCENE_VARIANT, SCENE_BREAK };

struct scene_knob {
  enum scene_kind kind;
  const char *name, *label;
  bool is_range;
  int64_t low, high, step;
  struct scene_choice *choices; /* a break has one */
  size_t n_choices;
  const char *wanted; /* a variant's first choice */
  size_t chosen;      /* of the choices */
  int64_t value;
  bool is_on; /* a break */
  unsigned line;
};

struct scene_note { /* for the tests */
  const char *key, *text;
  unsigned line;
};

struct scene_buffer {
  const char *name, *type, *count, *values; /* values NULL: unwritten */
  unsigned line;
};

struct scene {
  const char *file;
  char *text; /* what all words point into */
  const char *listing, *source, *kernel, *question, *shared;
  const char *predict[SCENE_MOST], *flags[SCENE_MOST];
  size_t n_predict, n_flags;
  struct scene_knob knobs[SCENE_MOST];
  size_t n_knobs;
  struct scene_buffer buffers[SCENE_MOST], variables[SCENE_MOST];
  size_t n_buffers, n_variables;
  struct scene_note notes[SCENE_WORDS];
  size_t n_notes;
  struct scene_launch launch;
};

/* A scene that is wrong ends the program with status 2 and a message that names
 * file, line and remedy. `text` becomes the scene's. */
struct scene *scene_read(const char *file, char *text);
void scene_free(struct scene *scene);

/* Turns a knob, by "NAME=VALUE". */
void scene_set(struct scene *scene, const char *setting);

/* The value of an expression of that line, with i for the element. */
int64_t scene_value(const struct scene *scene, unsigned line,
                    const char *expression, int64_t i);

/* Ends the program, with "FILE:LINE: what: detail". */
_Noreturn void scene_refuse(const struct scene *scene, unsigned line,
                            const char *what, const char *detail);

/* The kernel that is meant now, and the name of its PTX: the values of the
 * variants, joined by dots, then the break; "plain" if there are none. */
const char *scene_kernel(const struct scene *scene);
const struct scene_launch *scene_launch(const struct scene *scene);
void scene_key(const struct scene *scene, char *key, size_t bytes);

/* {"n":256,"version":"strided"} */
void scene_put_knobs(FILE *out, const struct scene *scene);

/* All of it as JSON, for the tools that compile its variants. */
void scene_describe(FILE *out, const struct scene *scene);

#endif
