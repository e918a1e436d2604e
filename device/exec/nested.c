/* A list, by stream, of what device code asked for. */
#include "nested.h"

#include <pthread.h>
#include <stdlib.h>

#include "../memory/memory.h"
#include "../support/host_memory.h"

enum { TAIL_LAUNCH = 3 }; /* cudaStreamTailLaunch */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct nested *prepared, *launched, **last = &launched;

uint64_t nested_prepare(const struct kernel *kernel, int device,
                        const uint32_t grid[3], const uint32_t block[3],
                        uint32_t shared_bytes)
{
  struct kernel_info info;
  struct nested *n = host_try_new(1, sizeof *n);

  kernel_describe(kernel, &info);
  if (n == NULL)
    return 0;
  n->kernel = kernel;
  for (int i = 0; i < 3; i++) {
    n->grid[i] = grid[i];
    n->block[i] = block[i];
  }
  n->shared_bytes = shared_bytes;
  n->parameters =
      memory_allocate(info.parameter_bytes + 1u, 256, MEMORY_VARIABLE, device,
                      "parameters of a nested launch");
  if (n->parameters == 0) {
    free(n);
    return 0;
  }
  pthread_mutex_lock(&lock);
  n->next = prepared;
  prepared = n;
  pthread_mutex_unlock(&lock);
  return n->parameters;
}

/* With the lock held. */
static void append(struct nested *n, uint64_t stream)
{
  n->is_tail = stream == TAIL_LAUNCH;
  n->next = NULL;
  *last = n;
  last = &n->next;
}

bool nested_launch(uint64_t parameters, uint64_t stream)
{
  struct nested **link = &prepared, *n;

  pthread_mutex_lock(&lock);
  while (*link != NULL && (*link)->parameters != parameters)
    link = &(*link)->next;
  n = *link;
  if (n != NULL) {
    *link = n->next;
    append(n, stream);
  }
  pthread_mutex_unlock(&lock);
  return n != NULL;
}

static bool append_new(struct nested wanted, uint64_t stream)
{
  struct nested *n = host_try_new(1, sizeof *n);

  if (n == NULL)
    return false;
  *n = wanted;
  pthread_mutex_lock(&lock);
  append(n, stream);
  pthread_mutex_unlock(&lock);
  return true;
}

bool nested_copy(uint64_t to, uint64_t from, uint64_t bytes, uint64_t stream)
{
  return append_new((struct nested){ .to = to, .from = from, .bytes = bytes },
                    stream);
}

bool nested_set(uint64_t to, uint8_t value, uint64_t bytes, uint64_t stream)
{
  return append_new((struct nested){ .to = to, .value = value, .bytes = bytes },
                    stream);
}

struct nested *nested_take(void)
{
  struct nested *first, *rest;

  pthread_mutex_lock(&lock);
  first = launched;
  launched = NULL;
  last = &launched;
  rest = prepared;
  prepared = NULL;
  pthread_mutex_unlock(&lock);
  while (rest != NULL) {
    struct nested *next = rest->next;

    memory_release(rest->parameters);
    free(rest);
    rest = next;
  }
  return first;
}
