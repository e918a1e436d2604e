/* From a pointer to a pointer: what a host function or variable stands for.
 * Not locked. */
#ifndef DEVICE_CORE_POINTER_MAP_H
#define DEVICE_CORE_POINTER_MAP_H

#include <stddef.h>

struct pointer_map {
  struct pointer_pair {
    const void *key;
    void *value; /* NULL: removed */
  } * pairs;
  size_t n_used, capacity; /* capacity is a power of two */
};

/* NULL when the key is not there. */
void *pointer_map_get(const struct pointer_map *map, const void *key);

/* Adds or replaces; a NULL value removes. Ends the program when memory is
 * exhausted: it is called before main, where no program could handle it. */
void pointer_map_set(struct pointer_map *map, const void *key, void *value);

#endif
