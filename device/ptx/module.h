/* What a PTX text says, before anything is decided about running it. */
#ifndef DEVICE_PTX_MODULE_H
#define DEVICE_PTX_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../support/source_line.h"
#include "arena.h"
#include "types.h"

struct ptx_scope;
struct ptx_function;

/* One initial value: `bytes` bytes at `offset`, either a number or the
 * address of a symbol plus the number. */
struct ptx_initial {
  uint64_t offset;
  unsigned bytes;
  uint64_t value;
  const char *symbol; /* NULL for a plain number */
  unsigned shift;     /* 0xFF00(symbol) takes a byte out of the address */
  bool generic;
};

struct ptx_variable {
  const char *name;
  enum ptx_space space;
  enum ptx_type type; /* of one element */
  unsigned vector;    /* 1, 2, 4 elements per item */
  uint64_t bytes;     /* whole object; 0 for an unsized array */
  unsigned alignment;
  unsigned count;          /* .reg %r<count>: 0 when not a range */
  unsigned first_register; /* .reg: number of its first register */
  bool is_extern, is_managed, is_parameter;
  bool is_array;
  unsigned line;
  size_t n_initials;
  struct ptx_initial *initials;
  struct ptx_function *function; /* that declares it; NULL for the module */
  struct ptx_variable *next;     /* all of one function or of the module */
  void *placed;                  /* for the executor's use */
  uint64_t place;
};

enum ptx_operand_kind {
  OPERAND_REGISTER,
  OPERAND_SPECIAL, /* %tid.x */
  OPERAND_INTEGER,
  OPERAND_FLOAT,   /* `value` holds the bits, `bits` says 32 or 64 */
  OPERAND_SYMBOL,  /* variable, function or label */
  OPERAND_ADDRESS, /* [base + offset] */
  OPERAND_LIST,    /* {a, b} or (a, b) */
  OPERAND_SINK     /* _ */
};

struct ptx_operand {
  enum ptx_operand_kind kind;
  const char *name;                    /* special, symbol */
  const struct ptx_scope *scope;       /* where a symbol is looked up */
  const struct ptx_variable *variable; /* register's declaration */
  unsigned reg;                        /* register's number in its function */
  uint64_t value; /* integer; offset of an address, symbol */
  unsigned bits;
  bool negated;               /* !%p, -%r */
  const char *selector;       /* b0 of %r1.b0, h10, b3210; or NULL */
  struct ptx_operand *base;   /* address: register, symbol or NULL */
  struct ptx_operand *second; /* %p|%q */
  size_t n_items;
  struct ptx_operand *items;
};

struct ptx_place {
  unsigned file; /* number of a .file; 0 when there is none */
  unsigned line, column;
};

/* A .loc, and the one that says where its function was inlined. */
struct ptx_loc {
  struct ptx_place place;
  const struct ptx_loc *caller; /* NULL: not inlined */
  struct ptx_loc *before;       /* an earlier one of the same bucket */
  bool is_resolved;
  struct source_line source; /* set at the module's end */
};

struct ptx_instruction {
  const char *opcode;              /* with modifiers: "ld.global.v2.f32" */
  const struct ptx_operand *guard; /* @%p; NULL when unconditional */
  size_t n_operands;
  struct ptx_operand *operands;
  unsigned line;
  struct ptx_loc *loc;       /* the last .loc; or NULL */
  struct source_line source; /* resolved at the module's end */
  const char *text;          /* in the module's own copy of the PTX */
  size_t text_length;
};

struct ptx_target_list { /* .branchtargets, .calltargets */
  const char *name;
  size_t n;
  struct ptx_operand *labels;
};

struct ptx_function {
  const char *name;
  bool is_entry, is_extern, has_body;
  struct ptx_scope *scope;
  size_t n_parameters, n_results;
  struct ptx_variable **parameters, **results;
  struct ptx_variable *variables; /* registers, locals, shared, parameters */
  unsigned n_registers;
  const struct ptx_variable **register_of; /* by number */
  size_t n_instructions;
  struct ptx_instruction *instructions;
  unsigned max_threads[3]; /* .maxntid or .reqntid; 0 when absent */
  unsigned min_blocks;     /* .minnctapersm; 0 when absent */
  unsigned max_registers;  /* .maxnreg; 0 when absent */
  uint32_t cluster[3];     /* .reqnctapercluster; 0 when absent */
  bool blocks_are_clusters;
  unsigned line;
  struct ptx_function *next;
  void *decoded; /* for the executor's use */
};

struct ptx_module {
  struct ptx_arena arena;
  const char *text; /* own copy */
  unsigned version_major, version_minor, target;
  bool debug; /* compiled without optimisation, nvcc -G */
  struct ptx_scope *scope;
  struct ptx_variable *variables; /* module level, in order */
  struct ptx_function *functions; /* in order, declarations included */
  size_t n_files;
  const char **files; /* by .file number */
};

struct ptx_error {
  unsigned line;
  char message[512];
};

/* Returns NULL and fills `*error` on a syntax error. */
struct ptx_module *ptx_parse(const char *text, size_t bytes,
                             struct ptx_error *error);
void ptx_module_free(struct ptx_module *module);

/* Is this source file a header of the CUDA Toolkit or the system? */
bool ptx_is_toolkit(const char *file);

#endif
