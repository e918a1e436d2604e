/* Chunks of memory that are filled one after the other and freed together. */
#include "arena.h"

#include <stdlib.h>
#include <string.h>

#include "../support/small_limits.h"
#include "../support/host_memory.h"

enum { CHUNK_BYTES = LIMIT(1 << 16, 16) };

struct ptx_chunk {
  struct ptx_chunk *next;
  size_t used, bytes;
  _Alignas(16) unsigned char data[];
};

static struct ptx_chunk *new_chunk(struct ptx_arena *arena, size_t bytes)
{
  struct ptx_chunk *chunk = host_new(1, sizeof *chunk + bytes);

  chunk->bytes = bytes;
  chunk->next = arena->chunks;
  arena->chunks = chunk;
  return chunk;
}

void *ptx_arena_take(struct ptx_arena *arena, size_t bytes)
{
  struct ptx_chunk *chunk = arena->chunks;
  void *taken;

  bytes = (bytes + 15) & ~(size_t)15;
  if (chunk == NULL || chunk->bytes - chunk->used < bytes)
    chunk = new_chunk(arena, bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES);
  taken = chunk->data + chunk->used;
  chunk->used += bytes;
  return taken;
}

char *ptx_arena_text(struct ptx_arena *arena, const char *text, size_t length)
{
  char *copy = ptx_arena_take(arena, length + 1);

  memcpy(copy, text, length);
  return copy;
}

void *ptx_arena_grow(struct ptx_arena *arena, void *items, size_t n,
                     size_t item_bytes)
{
  void *grown;

  if (n != 0 && (n < 4 || (n & (n - 1)) != 0))
    return items;
  grown = ptx_arena_take(arena, (n < 4 ? 4 : 2 * n) * item_bytes);
  if (n > 0)
    memcpy(grown, items, n * item_bytes);
  return grown;
}

void ptx_arena_free(struct ptx_arena *arena)
{
  while (arena->chunks != NULL) {
    struct ptx_chunk *next = arena->chunks->next;

    free(arena->chunks);
    arena->chunks = next;
  }
}
