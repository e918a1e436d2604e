/* Runs something that may never end, in a process of its own, and says what
 * became of it.  A kernel that waits for ever can be ended only together
 * with its process.
 *
 * Nothing may have touched CUDA before in this process: a child cannot use
 * what its parent has opened. */
#ifndef CODE_WARPS_WATCHDOG_H
#define CODE_WARPS_WATCHDOG_H

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WATCHDOG_S = 5, WATCHDOG_TEXT = 128 };

/* `run` writes one line about its outcome into `said`, without a line end.
 * If it has not come back after WATCHDOG_S seconds, it is killed, and `said`
 * is "hangs". Returns 0 if the child died of something else. */
static inline int watchdog_run(void (*run)(void *, char *), void *context,
                               char said[WATCHDOG_TEXT])
{
  int pipe_ends[2];
  fflush(stdout);
  memset(said, 0, WATCHDOG_TEXT);
  if (pipe(pipe_ends) != 0)
    return 0;
  pid_t child = fork();
  if (child < 0)
    return 0;
  if (child == 0) {
    char text[WATCHDOG_TEXT] = "";
    run(context, text);
    fflush(stdout);
    ssize_t written = write(pipe_ends[1], text, WATCHDOG_TEXT);
    _exit(written == WATCHDOG_TEXT ? EXIT_SUCCESS : EXIT_FAILURE);
  }
  close(pipe_ends[1]);
  int status = 0, waited_ms = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    struct timespec pause = {0, 10 * 1000 * 1000};
    nanosleep(&pause, NULL);
    waited_ms += 10;
    if (waited_ms >= 1000 * WATCHDOG_S) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      close(pipe_ends[0]);
      strcpy(said, "hangs");
      return 1;
    }
  }
  ssize_t got = read(pipe_ends[0], said, WATCHDOG_TEXT);
  close(pipe_ends[0]);
  return got == WATCHDOG_TEXT && WIFEXITED(status) &&
         WEXITSTATUS(status) == EXIT_SUCCESS;
}

#endif
