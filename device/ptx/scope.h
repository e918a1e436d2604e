/* Names and what they stand for, in nested scopes. */
#ifndef DEVICE_PTX_SCOPE_H
#define DEVICE_PTX_SCOPE_H

#include "module.h"

enum ptx_symbol_kind {
  SYMBOL_VARIABLE,
  SYMBOL_FUNCTION,
  SYMBOL_LABEL,
  SYMBOL_TARGETS, /* a labelled list of branch or call targets */
  SYMBOL_PROTOTYPE
};

struct ptx_symbol {
  enum ptx_symbol_kind kind;
  const char *name;
  struct ptx_variable *variable;
  struct ptx_function *function;
  struct ptx_target_list *targets;
  size_t instruction; /* label: index of the instruction it stands before */
};

struct ptx_scope *ptx_scope_new(struct ptx_arena *arena,
                                struct ptx_scope *parent);
struct ptx_scope *ptx_scope_parent(const struct ptx_scope *scope);

/* Adds or replaces (a definition after its declaration). */
struct ptx_symbol *ptx_scope_add(struct ptx_arena *arena,
                                 struct ptx_scope *scope,
                                 const struct ptx_symbol *symbol);

/* In this scope only, or NULL. */
struct ptx_symbol *ptx_scope_own(const struct ptx_scope *scope,
                                 const char *name, size_t length);
/* In this scope or one around it, or NULL. */
struct ptx_symbol *ptx_scope_find(const struct ptx_scope *scope,
                                  const char *name, size_t length);

/* A register by name, with ranges: %r3 of `.reg .b32 %r<6>`. Returns its
 * number within the function, or -1. */
long ptx_scope_register(const struct ptx_scope *scope, const char *name,
                        size_t length, struct ptx_variable **variable);

#endif
