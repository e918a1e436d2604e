/* A handler of pthread_atfork marks the child process. */
#define _POSIX_C_SOURCE 200809L
#include "forked.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "../report/report.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_bool is_child, reported;

static void in_child(void) { atomic_store(&is_child, true); }

static void watch(void) { pthread_atfork(report_flush, NULL, in_child); }

void forked_watch(void) { pthread_once(&once, watch); }

bool forked_is(bool reports)
{
  if (!atomic_load_explicit(&is_child, memory_order_relaxed))
    return false;
  if (reports && !atomic_exchange(&reported, true))
    fputs("softdevice: this process was forked by one that had used CUDA. As "
          "on a GPU, its calls\n  fail with cudaErrorInitializationError: "
          "fork before the first call of CUDA.\n",
          stderr);
  return true;
}
