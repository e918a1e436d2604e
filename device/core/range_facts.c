/* A list of facts about ranges, newest first. A fact that a newer one covers
 * is dropped. */
#define _POSIX_C_SOURCE 200809L
#include "range_facts.h"

#include <pthread.h>
#include <stdlib.h>

#include "../support/host_memory.h"

/* Newest first. One that a newer one covers wholly is gone. */
struct said {
  uint64_t serial, start, end;
  int fact;
  struct cudaMemLocation value;
  struct said *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct said *all;

static void forget_covered(const struct said *by)
{
  struct said **link = &all;
  while (*link != NULL) {
    struct said *s = *link;
    if (s->serial == by->serial && s->fact == by->fact &&
        s->start >= by->start && s->end <= by->end) {
      *link = s->next;
      free(s);
    } else {
      link = &s->next;
    }
  }
}

void range_set(uint64_t serial, uint64_t start, uint64_t end, int fact,
               struct cudaMemLocation value)
{
  struct said *s = host_new(1, sizeof *s);
  *s = (struct said){ serial, start, end, fact, value, NULL };
  pthread_mutex_lock(&lock);
  forget_covered(s);
  s->next = all;
  all = s;
  pthread_mutex_unlock(&lock);
}

/* The value at `place`; `*end` goes down to where it may change. */
static struct cudaMemLocation value_at(uint64_t serial, uint64_t place,
                                       int fact, uint64_t *end)
{
  struct cudaMemLocation none = { 0, 0 };
  for (const struct said *s = all; s != NULL; s = s->next) {
    if (s->serial != serial || s->fact != fact || s->end <= place)
      continue;
    if (s->start > place) {
      *end = s->start < *end ? s->start : *end;
      continue;
    }
    *end = s->end < *end ? s->end : *end;
    return s->value;
  }
  return none;
}

bool range_get(uint64_t serial, uint64_t start, uint64_t end, int fact,
               struct cudaMemLocation *value)
{
  bool same = true;
  pthread_mutex_lock(&lock);
  uint64_t next = end;
  *value = value_at(serial, start, fact, &next);
  while (same && next < end) {
    uint64_t place = next;
    next = end;
    struct cudaMemLocation other = value_at(serial, place, fact, &next);
    same = other.type == value->type && other.id == value->id;
  }
  pthread_mutex_unlock(&lock);
  return same;
}
