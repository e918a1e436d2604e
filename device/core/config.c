/* Reads the environment variables of the device, once. */
#define _POSIX_C_SOURCE 200809L
#include "config.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "../check/options.h"
#include "../memory/memory.h"
#include "../report/selection.h"
#include "../support/setting.h"
#include "../support/vector_level.h"
#include "device_model.h"
#include "process.h"

static struct config values;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* 0: not asked for. */
static int capability(void)
{
  const char *name = "SOFTDEVICE_COMPUTE_CAPABILITY";
  const char *text = setting_text(name);
  int major, minor, used = 0;
  if (text == NULL)
    return 0;
  if (sscanf(text, "%2d.%1d%n", &major, &minor, &used) != 2 ||
      text[used] != '\0' || device_model(10 * major + minor) == NULL)
    setting_refuse(name, text, device_model_list());
  return 10 * major + minor;
}

char *file_contents(const char *path)
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
  const char *name = "SOFTDEVICE_PTX", *path = setting_text(name);
  if (path == NULL)
    return;
  values.ptx_file = path;
  values.ptx = file_contents(path);
  if (values.ptx == NULL)
    setting_refuse(name, path, "a file with PTX that can be read");
}

static void read_machine(void)
{
  struct machine *machine = &values.machine;
  machine_read(machine, setting_text("SOFTDEVICE_MACHINE"), capability());
  values.capability = machine->model.capability;
  if (machine->memory != 0)
    memory_set_default_capacity(machine->memory);
}

static void read_environment(void)
{
  read_machine();
  values.n_devices = (int)setting_number(
      "SOFTDEVICE_DEVICES", 0, MAX_DEVICES,
      values.machine.devices < 0 ? 1 : (uint64_t)values.machine.devices);
  values.n_workers = (unsigned)setting_number("SOFTDEVICE_WORKERS", 0, 1024, 0);
  values.order_seed = setting_number("SOFTDEVICE_SHUFFLE", 0, UINT64_MAX, 0);
  values.time_limit =
      (unsigned)setting_number("SOFTDEVICE_TIME_LIMIT", 0, 1000000, 0);
  read_ptx();
  /* Others keep what these say; here they are looked at in time. */
  memory_capacity();
  vector_level();
  check_status();
  if (check_wanted(CHECK_ALL))
    process_watch_abort();
  chosen_check();
}

const struct config *config(void)
{
  pthread_once(&once, read_environment);
  return &values;
}
