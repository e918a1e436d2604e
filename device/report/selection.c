/* Reads which kernel, block and warp the access map and the trace are about. */
#include "selection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/setting.h"

/* The name, or the name without its template arguments. */
bool chosen_kernel(const char *kernel)
{
  const char *wanted = getenv("SOFTDEVICE_ACCESS_KERNEL");
  if (wanted == NULL || wanted[0] == '\0' || strcmp(wanted, kernel) == 0)
    return true;
  size_t n = strcspn(kernel, "<");
  return strlen(wanted) == n && strncmp(wanted, kernel, n) == 0;
}

/* False: all of them. */
static bool wanted_block(unsigned block[3])
{
  const char *name = "SOFTDEVICE_ACCESS_BLOCK", *text = setting_text(name);
  int used = 0;
  if (text == NULL)
    return true;
  if (strcmp(text, "all") == 0)
    return false;
  /* sscanf would take a sign, and spaces before each number. */
  if (strspn(text, "0123456789,") != strlen(text) ||
      sscanf(text, "%9u,%9u,%9u%n", &block[0], &block[1], &block[2], &used) !=
          3 ||
      text[used] != '\0')
    setting_refuse(name, text, "x,y,z or all");
  return true;
}

/* The number of the only launch that is wanted; 0: all are. */
static uint64_t wanted_launch(void)
{
  const char *name = "SOFTDEVICE_LAUNCH_NUMBER";
  return setting_text(name) == NULL ? 0 : setting_number(name, 1, INT64_MAX, 0);
}

bool chosen_launch(uint64_t number)
{
  uint64_t wanted = wanted_launch();
  return wanted == 0 || wanted == number;
}

void chosen_block(struct launch *launch)
{
  unsigned block[3] = { 0, 0, 0 };
  if (!wanted_block(block))
    return;
  launch->has_sink_block = 1;
  for (int i = 0; i < 3; i++)
    launch->sink_block[i] = block[i];
}

long chosen_warp(void)
{
  const char *name = "SOFTDEVICE_ACCESS_WARP";
  return setting_text(name) == NULL ? -1
                                    : (long)setting_number(name, 0, 1023, 0);
}

void chosen_check(void)
{
  unsigned block[3];
  wanted_block(block);
  chosen_warp();
  wanted_launch();
}
