/* Keeps errors that the program hasn't looked at yet, with the calls that
 * returned them, and reports them at the end. */
#define _GNU_SOURCE 1 /* on_exit */
#include "api_check.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../check/caller.h"
#include "../check/finding.h"
#include "../check/watch.h"
#include "../memory/memory.h"
#include "config.h"
#include "state.h"

enum { UNSEEN = 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  char call[64];
  cudaError_t error;
  struct caller caller;
} unseen[UNSEEN];
static unsigned n_unseen;
static bool sticky_noted[MAX_DEVICES];
static int exit_status;

/* A program that ends with an error of its own did look. */
static void note_status(int status, void *context)
{
  (void)context;
  exit_status = status;
}

/* Not before main: handlers that a library's constructor registers run after
 * its destructors, too late for api_check_finish. */
static void watch_end(void) { on_exit(note_status, NULL); }

/* A sticky error comes back from every later call: the first one counts. */
static bool is_follower(cudaError_t error)
{
  int device = current_device();
  bool follows = sticky_noted[device];

  if (!state_is_sticky(device, error))
    return false;
  sticky_noted[device] = true;
  return follows;
}

void api_check_error(cudaError_t error, const char *call)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;

  if (check_wanted(CHECK_API | CHECK_LEAK))
    pthread_once(&once, watch_end);
  if (!check_wanted(CHECK_API))
    return;
  pthread_mutex_lock(&lock);
  if (is_follower(error)) {
    pthread_mutex_unlock(&lock);
    return;
  }
  if (n_unseen < UNSEEN) {
    snprintf(unseen[n_unseen].call, sizeof unseen[0].call, "%s", call);
    unseen[n_unseen].caller = caller_now();
    unseen[n_unseen++].error = error;
  }
  pthread_mutex_unlock(&lock);
}

void api_check_seen(void)
{
  if (!check_wanted(CHECK_API))
    return;
  pthread_mutex_lock(&lock);
  n_unseen = 0;
  pthread_mutex_unlock(&lock);
}

static void report_call(enum check check, const char *title, const char *format,
                        va_list arguments)
{
  struct finding f = { .check = check, .title = title };
  struct caller caller;

  if (!check_wanted(check))
    return;
  caller = caller_now();
  caller_source(&caller, &f.here.source);
  vsnprintf(f.detail, sizeof f.detail, format, arguments);
  finding_add(&f);
}

void api_check_limit(const char *format, ...)
{
  va_list arguments;

  va_start(arguments, format);
  report_call(CHECK_API, "launch beyond a limit", format, arguments);
  va_end(arguments);
}

void api_check_free(const char *title, const char *format, ...)
{
  va_list arguments;

  va_start(arguments, format);
  report_call(CHECK_MEMORY, title, format, arguments);
  va_end(arguments);
}

void api_check_site(const void *address)
{
  struct caller caller;
  char site[80];

  if (!check_wanted(CHECK_ALL) || address == NULL)
    return;
  caller = caller_now();
  caller_remember((uint64_t)(uintptr_t)address, &caller);
  caller_site(&caller, site, sizeof site);
  memory_set_site((uint64_t)(uintptr_t)address, site);
}

static void report_unseen_errors(void)
{
  for (unsigned i = 0; i < n_unseen && exit_status == 0; i++) {
    struct finding f = { .check = CHECK_API, .title = "error never looked at" };
    caller_source(&unseen[i].caller, &f.here.source);
    bool launch = strstr(unseen[i].call, "Launch") != NULL;

    snprintf(f.detail, sizeof f.detail, "%.64s returned %.80s: %.100s%s",
             unseen[i].call, error_name(unseen[i].error),
             error_text(unseen[i].error),
             launch ? "; <<<>>> returns nothing, so ask cudaGetLastError() "
                      "after it"
                    : "");
    finding_add(&f);
  }
}

/* After a sticky error nothing can be freed any more; a program that ends
 * because a kernel went wrong need not. */
static bool could_free(void)
{
  for (int device = 0; device < MAX_DEVICES; device++)
    if (state_is_dead(device) || (exit_status != 0 && state_has_passed(device)))
      return false;
  return true;
}

void api_check_finish(void)
{
  int status;

  report_unseen_errors();
  if (could_free())
    check_leaks();
  status = findings_finish();
  if (status == 0)
    return;
  fflush(NULL);
  _exit(status);
}
