/* A list, by stream, of what device code asked for. */
#include "nested.h"

#include <pthread.h>
#include <stdlib.h>

#include "../memory/memory.h"
#include "../support/host_memory.h"
#include "window.h"

enum { TAIL_LAUNCH = 3 }; /* cudaStreamTailLaunch */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct nested *prepared, *launched, **last = &launched;

/* Space for parameters, in the list of what waits for its launch. */
static bool prepare(struct nested wanted)
{
  struct nested *n = host_try_new(1, sizeof *n);

  if (n == NULL || wanted.parameters == 0) {
    if (wanted.parameters != 0)
      memory_release(wanted.parameters);
    free(n);
    return false;
  }
  *n = wanted;
  pthread_mutex_lock(&lock);
  n->next = prepared;
  prepared = n;
  pthread_mutex_unlock(&lock);
  return true;
}

static uint64_t space(size_t bytes, int device)
{
  return memory_allocate(bytes + 1u, 256, MEMORY_VARIABLE, device,
                         "parameters of a nested launch");
}

uint64_t nested_prepare(const struct kernel *kernel, int device,
                        const uint32_t grid[3], const uint32_t block[3],
                        uint32_t shared_bytes, const struct launcher *by)
{
  struct kernel_info info;
  struct nested wanted = { .kernel = kernel,
                           .shared_bytes = shared_bytes,
                           .by = *by };

  kernel_describe(kernel, &info);
  for (int i = 0; i < 3; i++) {
    wanted.grid[i] = grid[i];
    wanted.block[i] = block[i];
  }
  wanted.parameters = space(info.parameter_bytes, device);
  return prepare(wanted) ? wanted.parameters : 0;
}

uint64_t nested_reserve(size_t bytes, int device)
{
  struct nested wanted = { .bytes = bytes, .parameters = space(bytes, device) };

  return prepare(wanted) ? wanted.parameters : 0;
}

/* With the lock held. */
static void append(struct nested *n, uint64_t stream)
{
  n->is_tail = stream == TAIL_LAUNCH;
  n->next = NULL;
  *last = n;
  last = &n->next;
}

/* What waits with these parameters, taken off the list; with the lock held. */
static struct nested *take_prepared(uint64_t parameters)
{
  struct nested **link = &prepared, *n;

  while (*link != NULL && (*link)->parameters != parameters)
    link = &(*link)->next;
  n = *link;
  if (n != NULL)
    *link = n->next;
  return n;
}

bool nested_launch(uint64_t parameters, uint64_t stream)
{
  struct nested *n;

  pthread_mutex_lock(&lock);
  n = take_prepared(parameters);
  if (n != NULL)
    append(n, stream);
  pthread_mutex_unlock(&lock);
  return n != NULL;
}

bool nested_launch_kernel(uint64_t parameters, const struct nested *wanted,
                          uint64_t stream)
{
  struct kernel_info info;
  struct nested *n;
  bool enough;

  kernel_describe(wanted->kernel, &info);
  pthread_mutex_lock(&lock);
  n = take_prepared(parameters);
  enough = n != NULL && n->bytes >= info.parameter_bytes;
  if (n != NULL) {
    n->kernel = wanted->kernel;
    for (int i = 0; i < 3; i++) {
      n->grid[i] = wanted->grid[i];
      n->block[i] = wanted->block[i];
    }
    n->shared_bytes = wanted->shared_bytes;
    n->by = wanted->by;
    n->bytes = 0;
  }
  if (enough)
    append(n, stream);
  pthread_mutex_unlock(&lock);
  if (n != NULL && !enough) {
    memory_release(n->parameters);
    free(n);
  }
  return enough;
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
  return !window_has(to) && !window_has(from) &&
         append_new((struct nested){ .to = to, .from = from, .bytes = bytes },
                    stream);
}

bool nested_set(uint64_t to, uint8_t value, uint64_t bytes, uint64_t stream)
{
  return !window_has(to) &&
         append_new((struct nested){ .to = to, .value = value, .bytes = bytes },
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
