/* Closes managed memory to the host and opens it. See exclusive.h. */
#include "exclusive.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../check/caller.h"
#include "../check/demangle.h"
#include "../check/describe.h"
#include "../memory/arena.h"
#include "../memory/memory.h"
#include "../support/host_memory.h"
#include "config.h"

/* The last kernel of a line. */
struct last {
  uint32_t stream, number; /* number 0: none */
  char kernel[128];
};

struct attachment {
  uint64_t serial;
  enum exclusive_to to;
  uint32_t stream;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct last *lines;
static uint32_t n_lines;
static struct op_clock waited_for;
static struct attachment *attachments; /* what isn't here is attached to all */
static size_t n_attachments;
/* Allocations that are closed, by serial number. */
static uint64_t *closed;
static size_t n_closed, closed_capacity;

bool exclusive_wanted(void) { return !config()->machine.concurrent_managed; }

void exclusive_launched(uint32_t stream, uint32_t line, uint32_t number,
                        const char *kernel)
{
  pthread_mutex_lock(&lock);
  if (line >= n_lines) {
    lines = host_grow(lines, line + 8, sizeof *lines);
    memset(lines + n_lines, 0, (line + 8 - n_lines) * sizeof *lines);
    n_lines = line + 8;
  }
  lines[line].stream = stream;
  lines[line].number = number;
  demangle(kernel, lines[line].kernel, sizeof lines[line].kernel);
  pthread_mutex_unlock(&lock);
}

static bool is_pending(const struct last *last)
{
  uint32_t line = (uint32_t)(last - lines);
  uint32_t known = line < waited_for.n ? waited_for.at[line] : 0;
  return last->number > known;
}

static const struct attachment *attachment_of(uint64_t serial)
{
  for (size_t i = 0; i < n_attachments; i++)
    if (attachments[i].serial == serial)
      return &attachments[i];
  return NULL;
}

/* A kernel for whose sake the host may not use the allocation, or NULL. */
static const struct last *user_of(const struct allocation *row)
{
  const struct attachment *to = attachment_of(row->serial);
  if (row->kind != MEMORY_MANAGED ||
      (to != NULL && to->to == EXCLUSIVE_TO_HOST))
    return NULL;
  for (uint32_t i = 0; i < n_lines; i++)
    if (is_pending(&lines[i]) && (to == NULL || to->to == EXCLUSIVE_TO_ALL ||
                                  to->stream == lines[i].stream))
      return &lines[i];
  return NULL;
}

static uint64_t *closed_place(uint64_t serial)
{
  for (size_t i = 0; i < n_closed; i++)
    if (closed[i] == serial)
      return &closed[i];
  return NULL;
}

static void update_one(void *ignored, const struct allocation *row)
{
  (void)ignored;
  if (row->kind != MEMORY_MANAGED)
    return;
  uint64_t page = arena_page_bytes();
  uint64_t end = row->address + (row->bytes + page - 1) / page * page;
  uint64_t *place = closed_place(row->serial);
  bool wanted = user_of(row) != NULL;
  if (wanted && place == NULL) {
    arena_close(row->address, end);
    if (n_closed == closed_capacity) {
      closed_capacity = closed_capacity == 0 ? 64 : 2 * closed_capacity;
      closed = host_grow(closed, closed_capacity, sizeof *closed);
    }
    closed[n_closed++] = row->serial;
  } else if (!wanted && place != NULL) {
    arena_open(row->address, end);
    *place = closed[--n_closed];
  }
}

void exclusive_update(const struct op_clock *host)
{
  pthread_mutex_lock(&lock);
  op_clock_join(&waited_for, host);
  memory_each(update_one, NULL);
  pthread_mutex_unlock(&lock);
}

void exclusive_attached(uint64_t serial, enum exclusive_to to, uint32_t stream)
{
  pthread_mutex_lock(&lock);
  struct attachment *place = (struct attachment *)attachment_of(serial);
  if (place == NULL && to != EXCLUSIVE_TO_ALL) {
    attachments =
        host_grow(attachments, n_attachments + 1, sizeof *attachments);
    place = &attachments[n_attachments++];
  }
  if (place != NULL)
    *place = (struct attachment){ serial, to, stream };
  memory_each(update_one, NULL);
  pthread_mutex_unlock(&lock);
}

static void say(const struct allocation *found, uint64_t address,
                const void *pc, bool stores, const struct last *user)
{
  struct caller caller = caller_at(pc);
  struct source_line source = { 0 };
  fprintf(stderr,
          "softdevice: the host used managed memory that a kernel may "
          "be using:\n  %s at 0x%llx\n",
          pc == NULL ? "an access"
          : stores   ? "a store"
                     : "a load",
          (unsigned long long)address);
  if (pc != NULL && caller_source(&caller, &source))
    describe_source(stderr, &source);
  fprintf(stderr,
          "  %llu bytes into allocation %llu of %llu bytes\n"
          "  The kernel %s was launched, and the host has not waited for it. "
          "On this machine\n"
          "  (cudaDevAttrConcurrentManagedAccess is 0) the device has all "
          "managed memory until\n"
          "  then: call cudaDeviceSynchronize() first.\n",
          (unsigned long long)(address - found->address),
          (unsigned long long)found->serial, (unsigned long long)found->bytes,
          user->kernel);
}

bool exclusive_fault(uint64_t address, const void *pc, bool stores)
{
  struct allocation found;
  if (!exclusive_wanted() || !memory_find(address, &found))
    return false;
  pthread_mutex_lock(&lock);
  const struct last *user =
      closed_place(found.serial) != NULL ? user_of(&found) : NULL;
  struct last copy = user != NULL ? *user : (struct last){ 0 };
  pthread_mutex_unlock(&lock);
  if (user != NULL)
    say(&found, address, pc, stores, &copy);
  return user != NULL;
}
