/* Learns from memory/ about each allocation and each write by the host, and
 * lists the leaks when the process ends. */
#include "watch.h"

#include <stdio.h>
#include <stdlib.h>

#include "../memory/memory.h"
#include "../support/host_memory.h"
#include "caller.h"
#include "finding.h"
#include "operations.h"
#include "shadow.h"

static void allocated(uint64_t address, size_t bytes, enum memory_kind kind)
{
  /* The host itself is one more that operations may race with. */
  if (kind == MEMORY_PINNED || kind == MEMORY_MANAGED)
    operations_start();
  operations_forget(address, bytes);
  if (kind == MEMORY_DEVICE && check_wanted(CHECK_INIT))
    shadow_mark(address, bytes, false);
}

/* The host, or a copy, got hold of the bytes: taken for written. */
static void viewed(uint64_t address, size_t bytes)
{
  if (check_wanted(CHECK_INIT))
    shadow_mark(address, bytes, true);
}

void check_watch_memory(void)
{
  static const struct memory_watch watch = { allocated, viewed };

  if (check_wanted(CHECK_INIT | CHECK_RACE))
    memory_set_watch(&watch);
}

/* Before the program's first allocation. */
__attribute__((constructor)) static void begin(void) { check_watch_memory(); }

static void report_leak(const struct allocation *a)
{
  struct finding f = { .check = CHECK_LEAK,
                       .title = "device memory never freed" };

  struct caller caller;

  if (a->kind != MEMORY_DEVICE && a->kind != MEMORY_MANAGED)
    return;
  if (caller_recall(a->address, &caller))
    caller_source(&caller, &f.here.source);
  snprintf(f.detail, sizeof f.detail, "allocation %llu (%s of %zu bytes)%s%s",
           (unsigned long long)a->serial,
           a->label != NULL            ? "malloc in a kernel"
           : a->kind == MEMORY_MANAGED ? "cudaMallocManaged"
                                       : "cudaMalloc",
           a->bytes, a->site[0] == '\0' ? "" : ", called at ", a->site);
  finding_add(&f);
}

struct leaks {
  struct allocation *at;
  size_t n;
};

static void collect(void *context, const struct allocation *a)
{
  struct leaks *leaks = context;

  leaks->at = host_grow(leaks->at, leaks->n + 1, sizeof *leaks->at);
  leaks->at[leaks->n++] = *a;
}

/* Reported once memory's lock is free: other findings take that lock while
 * they hold their own. */
void check_leaks(void)
{
  struct leaks leaks = { NULL, 0 };

  if (!check_wanted(CHECK_LEAK))
    return;
  memory_each(collect, &leaks);
  for (size_t i = 0; i < leaks.n; i++)
    report_leak(&leaks.at[i]);
  free(leaks.at);
}
