/* A module of LLVM's text, as it was read: types, values, instructions. All of
 * it lives in one arena. */
#ifndef DEVICE_IR_MODULE_H
#define DEVICE_IR_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../ptx/arena.h"
#include "ir.h"
#include "lexer.h"
#include "names.h"

enum {
  IR_MOST_LEAVES = 4096, /* scalars in one value */
  IR_MOST_DEPTH = 200,   /* types, constants and scopes inside each other */
  IR_WORD_BITS = 64      /* wider integers are not known */
};

/* State spaces by the numbers that LLVM has for them. */
enum ir_space {
  IR_GENERIC = 0,
  IR_GLOBAL = 1,
  IR_SHARED = 3,
  IR_CONSTANT = 4,
  IR_LOCAL = 5,
  IR_SHARED_CLUSTER = 7,
  IR_PARAMETER = 101,
  IR_READ_ONLY = 1001 /* global memory that nothing writes; only in accesses */
};

enum ir_type_kind {
  IR_VOID,
  IR_INTEGER,
  IR_HALF,
  IR_BFLOAT,
  IR_FLOAT,
  IR_DOUBLE,
  IR_POINTER,
  IR_VECTOR,
  IR_ARRAY,
  IR_STRUCT,
  IR_FUNCTION,
  IR_LABEL,
  IR_METADATA
};

struct ir_type {
  enum ir_type_kind kind;
  unsigned bits;                 /* of an integer; the space of a pointer */
  uint64_t count;                /* of a vector's or an array's elements */
  const struct ir_type *element; /* and what a function returns */
  const struct ir_type **field;  /* of a structure; parameters */
  size_t n_fields;
  bool packed, variadic, defined;
  bool has_name;   /* %name: no other type is the same */
  int state;       /* layout: 0 not known yet, 1 in the making, 2 known */
  uint64_t bytes;  /* from one element of an array to the next */
  uint64_t stored; /* that a store writes */
  uint64_t alignment;
  uint64_t n_leaves; /* scalars in it; may be more than IR_MOST_LEAVES */
};

enum ir_value_kind {
  IR_BITS,       /* a number; `bits` */
  IR_UNDEFINED,  /* undef, poison */
  IR_ZERO,       /* of any type */
  IR_AGGREGATE,  /* items */
  IR_ADDRESS,    /* of a global or a function, plus an offset */
  IR_EXPRESSION, /* a constant one, as the instruction that calculates it */
  IR_NAMED,      /* a parameter's or an instruction's result */
  IR_ASSEMBLY,   /* inline PTX, callee of a call */
  IR_NOTHING     /* metadata, a label */
};

struct ir_value {
  enum ir_value_kind kind;
  const struct ir_type *type;
  uint64_t bits;
  struct ir_value **item;
  size_t n_items;
  struct ir_global *global;
  int64_t offset;
  struct ir_instruction *expression;
  struct ir_named *named;
  struct ir_text assembly, constraints;
};

/* What has a name in a function. */
struct ir_named {
  struct ir_text name;
  const struct ir_type *type;        /* NULL: not defined yet */
  struct ir_instruction *definition; /* NULL: a parameter */
  /* Of pointers: in which space it is calculated, -1 while nothing is known. */
  int space;
  unsigned uses, fused;
  unsigned weight;             /* uses, those in other blocks counted as one */
  bool elsewhere;              /* is used in another block than its own */
  const struct ir_named *root; /* the parameter whose part it points to */
  struct ir_leaf *leaf;        /* where its scalars are, once that is known */
  bool in_the_making;
  bool is_parameter_space; /* byval, only read: stays where it is */
};

enum ir_operation {
#define OPERATION(name) IR_OP_##name,
#include "operations.def"
  IR_N_OPERATIONS
};

enum ir_order {
  IR_NOT_ATOMIC,
  IR_UNORDERED,
  IR_MONOTONIC,
  IR_ACQUIRE,
  IR_RELEASE,
  IR_ACQ_REL,
  IR_SEQ_CST
};

enum ir_fast { IR_CONTRACT = 1, IR_AFN = 2 };

struct ir_argument {
  const struct ir_type *byval; /* NULL: none */
  uint64_t alignment;          /* 0: that of the type */
};

struct ir_instruction {
  enum ir_operation operation;
  const struct ir_type *type; /* of the result; IR_VOID for none */
  struct ir_named *result;    /* NULL: none */
  struct ir_value **operand;
  size_t n_operands;
  struct ir_argument *argument; /* of a call, one per operand but the callee */
  struct ir_block **target;     /* of branches; where a phi's values are from */
  size_t n_targets;
  uint64_t *number; /* of extractvalue and insertvalue; a shuffle's mask */
  size_t n_numbers;
  const struct ir_type *about; /* of getelementptr, alloca, load: which type */
  struct ir_text word; /* predicate of a comparison; what atomicrmw does */
  struct ir_text scope;
  enum ir_order order;
  unsigned fast;
  bool is_volatile;
  uint64_t alignment;
  uint64_t debug; /* number of the metadata, plus one */
  unsigned line;  /* in LLVM's text */
  struct ir_block *block;
  struct ir_instruction *next;
  /* fadd and fsub that become fma: the product, and which operand it is. */
  struct ir_instruction *product;
  int product_operand;
};

struct ir_block {
  struct ir_text name;
  bool defined;
  unsigned number;
  struct ir_instruction *first, *last;
  struct ir_block *next;
};

struct ir_global {
  struct ir_text name;
  char *symbol; /* as PTX has it */
  const struct ir_type *type;
  bool is_function, defined, is_constant, is_local, is_weak, is_used, ignored;
  enum ir_space space;
  uint64_t alignment;
  struct ir_value *initial;
  struct ir_value *alias;
  unsigned line;
  /* A shared variable that only one function uses is declared there. */
  struct ir_function *only_user;
  bool several_users;
  struct ir_function *function;
};

struct ir_bounds {
  unsigned most_threads[3], threads[3], cluster[3];
  unsigned least_blocks, registers, most_cluster;
  bool explicit_cluster, cluster_launch;
};

struct ir_function {
  struct ir_global *global;
  const struct ir_type *type;
  bool is_kernel, defined, flushes;
  struct ir_bounds bounds;
  struct ir_argument *argument;
  struct ir_named **parameter;
  size_t n_parameters;
  struct ir_block *first, *last;
  struct ir_names locals, blocks;
  uint64_t debug;
  struct ir_text *group; /* of attributes */
  size_t n_groups;
  struct ir_function *next;
  struct ir_global **demoted;
  size_t n_demoted;
};

/* A line of metadata, read when it is needed. */
struct ir_metadata {
  const char *text; /* after " = "; NULL: none */
  size_t bytes;
  unsigned line;
};

struct ir {
  struct ptx_arena arena;
  size_t taken;
  const struct ir_options *options;
  struct ir_lexer lexer;
  struct ir_names types, globals, attributes, named_metadata, symbols;
  struct ir_metadata *metadata;
  size_t n_metadata;
  struct ir_global **global;
  size_t n_globals;
  struct ir_function *first_function, *last_function;
  struct ir_function *function; /* that is read or written just now */
  const struct ir_instruction *instruction; /* the same; NULL: none */
  struct ir_text target;                    /* "sm_90" */
  int depth;
  bool is_stopping; /* a message is being made */
};

/* The module's text. A message names the line of the source, if one is known,
 * else the line of LLVM's text. */
void ir_parse(struct ir *ir);
_Noreturn void ir_stop_instruction(struct ir *ir, const char *why);
_Noreturn void ir_stop_at(struct ir *ir, unsigned line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Zeroed memory of the module. Stops when a text asks for too much. */
void *ir_take(struct ir *ir, size_t bytes);
void *ir_grow(struct ir *ir, void *items, size_t n, size_t bytes);

const char *ir_operation_name(enum ir_operation operation);

#endif
