/* Reads the environment variables of the device, once. */
#define _POSIX_C_SOURCE 200809L
#include "config.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "device_model.h"

static struct config values;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void refuse_value(const char *name, const char *text,
                         const char *expected)
{
  fprintf(stderr, "softdevice: %s=%s: expected %s\n", name, text, expected);
  _exit(2);
}

/* The variable as a number in [0, limit], or `otherwise` when it is unset. */
static uint64_t number(const char *name, uint64_t limit, uint64_t otherwise)
{
  const char *text = getenv(name);
  if (text == NULL || text[0] == '\0')
    return otherwise;
  char *end, expected[64];
  errno = 0;
  unsigned long long n = strtoull(text, &end, 10);
  if (errno != 0 || *end != '\0' || text[0] == '-' || n > limit) {
    snprintf(expected, sizeof expected, "a whole number from 0 to %llu",
             (unsigned long long)limit);
    refuse_value(name, text, expected);
  }
  return n;
}

static int capability(void)
{
  const char *name = "SOFTDEVICE_COMPUTE_CAPABILITY";
  const char *text = getenv(name);
  int major, minor, used = 0;
  if (text == NULL || text[0] == '\0')
    return DEFAULT_CAPABILITY;
  if (sscanf(text, "%2d.%1d%n", &major, &minor, &used) != 2 ||
      text[used] != '\0' || device_model(10 * major + minor) == NULL)
    refuse_value(name, text, device_model_list());
  return 10 * major + minor;
}

/* All of a file as text, NUL-terminated; NULL when it cannot be read. */
static char *contents(const char *path)
{
  char *text = NULL;
  size_t bytes = 0;
  FILE *file = fopen(path, "r"), *copy = open_memstream(&text, &bytes);
  if (file != NULL && copy != NULL)
    for (int c; (c = getc(file)) != EOF;)
      putc(c, copy);
  bool whole = file != NULL && copy != NULL && !ferror(file) && !ferror(copy);
  if (file != NULL)
    fclose(file);
  if (copy != NULL && fclose(copy) != 0)
    whole = false;
  if (!whole) {
    free(text);
    return NULL;
  }
  return text;
}

static void read_ptx(void)
{
  const char *name = "SOFTDEVICE_PTX", *path = getenv(name);
  if (path == NULL || path[0] == '\0')
    return;
  values.ptx_file = path;
  values.ptx = contents(path);
  if (values.ptx == NULL)
    refuse_value(name, path, "a file with PTX that can be read");
}

static void read_environment(void)
{
  values.n_devices = (int)number("SOFTDEVICE_DEVICES", MAX_DEVICES, 1);
  values.n_workers = (unsigned)number("SOFTDEVICE_WORKERS", 1024, 0);
  values.order_seed = number("SOFTDEVICE_SHUFFLE", UINT64_MAX, 0);
  values.time_limit = (unsigned)number("SOFTDEVICE_TIME_LIMIT", 1000000, 0);
  values.capability = capability();
  read_ptx();
}

const struct config *config(void)
{
  pthread_once(&once, read_environment);
  return &values;
}
