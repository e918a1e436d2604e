#define _DEFAULT_SOURCE /* on_exit */
/* What happens when the process ends, however it calls for it. */
#include "process.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../check/finding.h"
#include "../report/report.h"
#include "api_check.h"
#include "forked.h"
#include "output.h"
#include "state.h"

static int exit_status;

static void note_status(int status, void *context)
{
  (void)context;
  exit_status = status;
}

/* What was found stays, and then the program ends as it would have. */
static void at_abort(int number)
{
  if (!forked_is(false))
    findings_at_abort();
  signal(number, SIG_DFL);
  raise(number);
}

/* A program's own handler is left alone. */
void process_watch_abort(void)
{
  struct sigaction now, ours = { .sa_handler = at_abort };
  if (sigaction(SIGABRT, NULL, &now) == 0 && now.sa_handler == SIG_DFL)
    sigaction(SIGABRT, &ours, NULL);
}

void process_note_endless(void)
{
  on_exit(note_status, NULL);
  state_note_endless();
}

/* After main, the program's own atexit functions and destructors, which may
 * still launch kernels. */
__attribute__((destructor)) static void finish(void)
{
  if (forked_is(false))
    return;
  /* What the program said comes first, on every machine: C libraries differ in
   * whether they write the buffer of stdout before destructors run or after. */
  fflush(stdout);
  output_at_exit();
  report_finish();
  api_check_finish();
  if (!state_hides_endless() || exit_status != 0)
    return;
  fputs("softdevice: the program ended without noticing the kernel that was "
        "stopped: exit status 1\n",
        stderr);
  fflush(NULL);
  _exit(1);
}
