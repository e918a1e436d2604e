/* Reads SOFTDEVICE_CHECK and SOFTDEVICE_CHECK_STATUS once, at the same time:
 * a status that makes no sense is refused at the start of the program, not at
 * its end. */
#define _POSIX_C_SOURCE 200809L
#include "options.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../support/setting.h"

static const struct {
  const char *name;
  enum check check;
} names[] = {
  { "memory", CHECK_MEMORY }, { "leak", CHECK_LEAK }, { "init", CHECK_INIT },
  { "race", CHECK_RACE },     { "sync", CHECK_SYNC }, { "api", CHECK_API },
  { "all", CHECK_ALL },       { "none", 0 },
};
enum { N_NAMES = sizeof names / sizeof *names };

static unsigned wanted;
static int status;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void read_environment(void)
{
  const char *text = getenv("SOFTDEVICE_CHECK");

  status = (int)setting_number("SOFTDEVICE_CHECK_STATUS", 0, 255, 1);
  while (text != NULL && *text != '\0') {
    size_t n = strcspn(text, ","), i = 0;

    while (i < N_NAMES &&
           (strlen(names[i].name) != n || memcmp(names[i].name, text, n) != 0))
      i++;
    if (i == N_NAMES) {
      fprintf(stderr,
              "softdevice: SOFTDEVICE_CHECK: '%.*s': expected all, "
              "memory, leak, init, race, sync or api\n",
              (int)n, text);
      _exit(2);
    }
    wanted |= (unsigned)names[i].check;
    text += n + (text[n] == ',');
  }
}

bool check_wanted(unsigned checks)
{
  pthread_once(&once, read_environment);
  return (wanted & checks) != 0;
}

void check_read_again(void)
{
  pthread_once(&once, read_environment);
  wanted = 0;
  read_environment();
}

void check_want(unsigned checks)
{
  pthread_once(&once, read_environment);
  wanted |= checks;
}

int check_status(void)
{
  pthread_once(&once, read_environment);
  return status;
}

const char *check_name(enum check check)
{
  for (size_t i = 0; i < N_NAMES; i++)
    if (names[i].check == check)
      return names[i].name;
  return "?";
}
