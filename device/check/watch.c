/* Learns from memory/ about each allocation and each write by the host, and
 * lists the leaks when the process ends. */
#include "watch.h"

#include <stdio.h>

#include "../memory/memory.h"
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

static void report_leak(void *context, const struct allocation *a)
{
  struct finding f = { .check = CHECK_LEAK,
                       .title = "device memory never freed" };

  struct caller caller;

  (void)context;
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

void check_leaks(void)
{
  if (check_wanted(CHECK_LEAK))
    memory_each(report_leak, NULL);
}
