/* A table of objects by number. A destroyed object's memory is used again but
 * never freed, so that a kernel that still runs can read it. */
#include "descriptor.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "../support/host_memory.h"

/* A destroyed object's room goes to the next one, so that a kernel that
 * still runs reads a descriptor in any case. */
enum { MOST = 1 << 20 };
static _Atomic(struct descriptor *) open_ones[MOST];
static struct descriptor *rooms[MOST];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t next_number = 0;

static size_t free_number(void)
{
  for (size_t i = 0; i < MOST; i++) {
    size_t n = (next_number + i) % MOST;

    if (atomic_load(&open_ones[n]) == NULL)
      return n;
  }
  return MOST;
}

uint64_t descriptor_open(const struct descriptor *descriptor)
{
  size_t n;

  pthread_mutex_lock(&lock);
  n = free_number();
  if (n < MOST && rooms[n] == NULL)
    rooms[n] = host_try_new(1, sizeof *descriptor);
  if (n == MOST || rooms[n] == NULL) {
    pthread_mutex_unlock(&lock);
    return 0;
  }
  *rooms[n] = *descriptor;
  atomic_store(&open_ones[n], rooms[n]);
  next_number = n + 1;
  pthread_mutex_unlock(&lock);
  return n + 1;
}

const struct descriptor *descriptor_find(uint64_t number)
{
  if (number == 0 || number > MOST)
    return NULL;
  return atomic_load(&open_ones[number - 1]);
}

bool descriptor_close(uint64_t number, bool is_surface)
{
  struct descriptor *found = NULL;

  if (number == 0 || number > MOST)
    return false;
  pthread_mutex_lock(&lock);
  found = atomic_load(&open_ones[number - 1]);
  if (found != NULL && found->is_surface == is_surface) {
    atomic_store(&open_ones[number - 1], NULL);
    free(found->source);
    found->source = NULL;
  } else {
    found = NULL;
  }
  pthread_mutex_unlock(&lock);
  return found != NULL;
}
