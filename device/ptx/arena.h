/* Memory that lives exactly as long as one parsed module. */
#ifndef DEVICE_PTX_ARENA_H
#define DEVICE_PTX_ARENA_H

#include <stddef.h>

struct ptx_arena {
  struct ptx_chunk *chunks;
};

/* Zeroed, 16-byte aligned. Aborts when the host has no memory left: a
 * parser cannot go on, and the caller has nothing better to do. */
void *ptx_arena_take(struct ptx_arena *arena, size_t bytes);
char *ptx_arena_text(struct ptx_arena *arena, const char *text, size_t length);
void ptx_arena_free(struct ptx_arena *arena);

/* Growing array: returns `items` with room for one more item. */
void *ptx_arena_grow(struct ptx_arena *arena, void *items, size_t n,
                     size_t item_bytes);

#endif
