/* Hash tables of symbols, one for each scope, linked to the scope around it. */
#include "scope.h"

#include <string.h>

#include "../support/small_limits.h"

struct entry {
  struct entry *next;
  uint32_t hash;
  size_t length;
  struct ptx_symbol symbol;
};

enum {
  BUCKETS_MODULE = LIMIT(1024, 2),
  BUCKETS_FUNCTION = LIMIT(64, 1),
  BUCKETS_INNER = LIMIT(4, 1)
};

struct ptx_scope {
  struct ptx_scope *parent;
  size_t n_buckets; /* a power of two */
  struct entry **buckets;
};

static uint32_t hash_name(const char *name, size_t length)
{
  uint32_t hash = 2166136261u; /* FNV-1a */

  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)name[i]) * 16777619u;
  return hash;
}

struct ptx_scope *ptx_scope_new(struct ptx_arena *arena,
                                struct ptx_scope *parent)
{
  struct ptx_scope *scope = ptx_arena_take(arena, sizeof *scope);

  scope->parent = parent;
  scope->n_buckets = parent == NULL           ? BUCKETS_MODULE
                     : parent->parent == NULL ? BUCKETS_FUNCTION
                                              : BUCKETS_INNER;
  scope->buckets =
      ptx_arena_take(arena, scope->n_buckets * sizeof *scope->buckets);
  return scope;
}

struct ptx_scope *ptx_scope_parent(const struct ptx_scope *scope)
{
  return scope->parent;
}

struct ptx_symbol *ptx_scope_own(const struct ptx_scope *scope,
                                 const char *name, size_t length)
{
  uint32_t hash = hash_name(name, length);
  struct entry *entry = scope->buckets[hash & (scope->n_buckets - 1)];

  for (; entry != NULL; entry = entry->next)
    if (entry->hash == hash && entry->length == length &&
        memcmp(entry->symbol.name, name, length) == 0)
      return &entry->symbol;
  return NULL;
}

struct ptx_symbol *ptx_scope_find(const struct ptx_scope *scope,
                                  const char *name, size_t length)
{
  for (; scope != NULL; scope = scope->parent) {
    struct ptx_symbol *symbol = ptx_scope_own(scope, name, length);

    if (symbol != NULL)
      return symbol;
  }
  return NULL;
}

struct ptx_symbol *ptx_scope_add(struct ptx_arena *arena,
                                 struct ptx_scope *scope,
                                 const struct ptx_symbol *symbol)
{
  size_t length = strlen(symbol->name);
  struct ptx_symbol *known = ptx_scope_own(scope, symbol->name, length);
  struct entry *entry;

  if (known != NULL) {
    *known = *symbol;
    return known;
  }
  entry = ptx_arena_take(arena, sizeof *entry);
  entry->hash = hash_name(symbol->name, length);
  entry->length = length;
  entry->symbol = *symbol;
  entry->next = scope->buckets[entry->hash & (scope->n_buckets - 1)];
  scope->buckets[entry->hash & (scope->n_buckets - 1)] = entry;
  return &entry->symbol;
}

static bool is_register(const struct ptx_symbol *symbol)
{
  return symbol != NULL && symbol->kind == SYMBOL_VARIABLE &&
         symbol->variable->space == PTX_SPACE_REGISTER;
}

/* `%r12` as element 12 of a range `%r<n>`; -1 when it is none. */
static long range_index(const char *name, size_t length, size_t *stem)
{
  long index = 0, scale = 1;
  size_t n = length;

  while (n > 1 && name[n - 1] >= '0' && name[n - 1] <= '9' && length - n < 9) {
    index += (name[n - 1] - '0') * scale;
    scale *= 10;
    n--;
  }
  *stem = n;
  return n == length ? -1 : index;
}

long ptx_scope_register(const struct ptx_scope *scope, const char *name,
                        size_t length, struct ptx_variable **variable)
{
  size_t stem;
  long index = range_index(name, length, &stem);

  for (; scope != NULL; scope = scope->parent) {
    struct ptx_symbol *symbol = ptx_scope_own(scope, name, length);

    if (is_register(symbol) && symbol->variable->count == 0) {
      *variable = symbol->variable;
      return symbol->variable->first_register;
    }
    symbol = index < 0 ? NULL : ptx_scope_own(scope, name, stem);
    if (is_register(symbol) && index < (long)symbol->variable->count) {
      *variable = symbol->variable;
      return (long)symbol->variable->first_register + index;
    }
  }
  return -1;
}
