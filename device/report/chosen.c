/* Reads which kernel, block and warp the access map and the trace are about. */
#include "chosen.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The name, or the name without its template arguments. */
bool chosen_kernel(const char *kernel)
{
  const char *wanted = getenv("SOFTDEVICE_ACCESS_KERNEL");
  if (wanted == NULL || wanted[0] == '\0' || strcmp(wanted, kernel) == 0)
    return true;
  size_t n = strcspn(kernel, "<");
  return strlen(wanted) == n && strncmp(wanted, kernel, n) == 0;
}

void chosen_block(struct launch *launch)
{
  const char *text = getenv("SOFTDEVICE_ACCESS_BLOCK");
  unsigned x = 0, y = 0, z = 0;
  int used = 0;
  if (text != NULL && strcmp(text, "all") == 0)
    return;
  if (text != NULL && text[0] != '\0' &&
      (sscanf(text, "%u,%u,%u%n", &x, &y, &z, &used) != 3 ||
       text[used] != '\0')) {
    fprintf(stderr,
            "softdevice: SOFTDEVICE_ACCESS_BLOCK=%s: expected x,y,z "
            "or all\n",
            text);
    _exit(2);
  }
  launch->has_sink_block = 1;
  launch->sink_block[0] = x;
  launch->sink_block[1] = y;
  launch->sink_block[2] = z;
}

long chosen_warp(void)
{
  const char *text = getenv("SOFTDEVICE_ACCESS_WARP");
  char *end;
  if (text == NULL || text[0] == '\0')
    return -1;
  errno = 0;
  long warp = strtol(text, &end, 10);
  if (*end != '\0' || errno != 0 || warp < 0) {
    fprintf(stderr,
            "softdevice: SOFTDEVICE_ACCESS_WARP=%s: expected a "
            "number from 0\n",
            text);
    _exit(2);
  }
  return warp;
}
