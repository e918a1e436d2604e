/* A hash table with open addressing. */
#include "pointer_map.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "../support/host_memory.h"

static size_t slot_of(const struct pointer_map *map, const void *key)
{
  uint64_t hash = (uint64_t)(uintptr_t)key * UINT64_C(0x9E3779B97F4A7C15);
  size_t mask = map->capacity - 1, i = (size_t)(hash >> 32) & mask;
  while (map->pairs[i].key != NULL && map->pairs[i].key != key)
    i = (i + 1) & mask;
  return i;
}

void *pointer_map_get(const struct pointer_map *map, const void *key)
{
  if (map->capacity == 0 || key == NULL)
    return NULL;
  return map->pairs[slot_of(map, key)].value;
}

static void grow(struct pointer_map *map)
{
  struct pointer_map bigger = { .capacity =
                                    map->capacity ? 2 * map->capacity : 64 };
  bigger.pairs = host_new(bigger.capacity, sizeof *bigger.pairs);
  for (size_t i = 0; i < map->capacity; i++)
    if (map->pairs[i].value != NULL)
      pointer_map_set(&bigger, map->pairs[i].key, map->pairs[i].value);
  free(map->pairs);
  *map = bigger;
}

void pointer_map_set(struct pointer_map *map, const void *key, void *value)
{
  if (map->n_used >= map->capacity / 2)
    grow(map);
  struct pointer_pair *pair = &map->pairs[slot_of(map, key)];
  map->n_used += pair->key == NULL;
  pair->key = key;
  pair->value = value;
}
