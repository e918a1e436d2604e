/* Which checks were asked for: SOFTDEVICE_CHECK, `all` or names separated by
 * commas. Read once. An unknown name ends the program with status 2 and a
 * message. */
#ifndef DEVICE_CHECK_OPTIONS_H
#define DEVICE_CHECK_OPTIONS_H

#include <stdbool.h>

enum check {
  CHECK_MEMORY = 1, /* bounds, alignment, freed memory */
  CHECK_LEAK = 2,   /* device memory never freed */
  CHECK_INIT = 4,   /* reads of unwritten bytes */
  CHECK_RACE = 8,   /* accesses that nothing orders */
  CHECK_SYNC = 16,  /* barriers and member masks */
  CHECK_API = 32,   /* errors never looked at, limits, host pointers */
  CHECK_ALL = 63
};

/* Whether any of `checks` is wanted. */
bool check_wanted(unsigned checks);
/* For a program that chooses for itself: from now on these are wanted, too,
 * whatever the environment says. Call it before memory is allocated. */
void check_want(unsigned checks);
/* For a program that has changed the environment since it began, which is too
 * late for what is read once. Call it before memory is allocated. */
void check_read_again(void);
/* The exit status of a process in which something was found:
 * SOFTDEVICE_CHECK_STATUS, 0 to 255, by default 1. */
int check_status(void);
const char *check_name(enum check check);

#endif
