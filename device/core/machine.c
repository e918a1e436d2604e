/* Reads the description of a machine. See machine.h. */
#define _POSIX_C_SOURCE 200809L /* strtok_r */
#include "machine.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../support/host_memory.h"
#include "config.h"

/* Machines as readers have them. Sizes: NVIDIA, "Compare GeForce laptop GPUs"
 * (CUDA cores, of which a multiprocessor of capability 8.9 has 128; memory, bus
 * and largest boost clock); what is not said there is the capability's model's.
 * Windows, and so WSL 2, has no concurrent access to managed memory: CUDA
 * Programming Guide, "Unified Memory on Windows, WSL, and Tegra". */
static const struct known {
  const char *name, *text;
} known[] = {
  { "laptop", "compute_capability 8.9\n" /* GeForce RTX 4060 Laptop GPU */
              "multiprocessors 24\n"
              "clock_mhz 2370\n"
              "memory_bus_bits 128\n"
              "memory 8G\n" },
  { "wsl", "like laptop\n"
           "concurrent_managed_access no\n" },
};

enum { N_KNOWN = sizeof known / sizeof *known };

/* A number of the model. Its unit is what 1 in the file stands for. */
static const struct size {
  const char *key;
  size_t offset;
  int unit;
  uint64_t least, most; /* as in the file */
} sizes[] = {
#define SIZE(key, field, unit, least, most)                                    \
  {                                                                            \
    key, offsetof(struct device_model, field), unit, least, most               \
  }
  SIZE("multiprocessors", multiprocessors, 1, 1, 1024),
  SIZE("threads_per_multiprocessor", threads, 1, 1024, 2048),
  SIZE("blocks_per_multiprocessor", blocks, 1, 1, 32),
  SIZE("shared_per_multiprocessor", shared_bytes, 1, SHARED_BLOCK_BYTES,
       256 << 10),
  SIZE("shared_per_block", shared_optin_bytes, 1, SHARED_BLOCK_BYTES,
       256 << 10),
  SIZE("l2", l2_bytes, 1, 0, 1 << 30),
  SIZE("clock_mhz", clock_khz, 1000, 1, 100000),
  SIZE("memory_clock_mhz", memory_clock_khz, 1000, 1, 100000),
  SIZE("memory_bus_bits", bus_bits, 1, 1, 65536),
#undef SIZE
};

/* Where it is that something makes no sense. */
struct place {
  const char *name;
  unsigned line;
};

static _Noreturn void refuse(const struct place *at, const char *what,
                             const char *expected)
{
  fprintf(stderr, "softdevice: %s:%u: %s: expected %s\n", at->name, at->line,
          what, expected);
  _exit(2);
}

static uint64_t number(const struct place *at, const char *text, uint64_t least,
                       uint64_t most)
{
  char *end, expected[96];
  errno = 0;
  unsigned long long n = strtoull(text, &end, 10);
  int shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
  if (shift > 0)
    end++;
  if (errno != 0 || text[0] < '0' || text[0] > '9' || *end != '\0' ||
      n > most >> shift || n << shift < least) {
    snprintf(expected, sizeof expected,
             "a whole number from %llu to %llu; K, M or G may follow",
             (unsigned long long)least, (unsigned long long)most);
    refuse(at, text, expected);
  }
  return n << shift;
}

static int capability(const struct place *at, const char *text)
{
  int major, minor, used = 0;
  if (sscanf(text, "%2d.%1d%n", &major, &minor, &used) != 2 ||
      text[used] != '\0' || device_model(10 * major + minor) == NULL)
    refuse(at, text, device_model_list());
  return 10 * major + minor;
}

static bool yes(const struct place *at, const char *text)
{
  if (strcmp(text, "yes") != 0 && strcmp(text, "no") != 0)
    refuse(at, text, "yes or no");
  return strcmp(text, "yes") == 0;
}

static const struct known *find(const char *name)
{
  for (size_t i = 0; i < N_KNOWN; i++)
    if (strcmp(known[i].name, name) == 0)
      return &known[i];
  return NULL;
}

static bool set_size(struct machine *machine, const struct place *at,
                     const char *key, const char *value)
{
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    if (strcmp(sizes[i].key, key) == 0) {
      int n =
          (int)number(at, value, sizes[i].least, sizes[i].most) * sizes[i].unit;
      memcpy((char *)&machine->model + sizes[i].offset, &n, sizeof n);
      return true;
    }
  return false;
}

static void apply(struct machine *machine, const char *name, const char *text,
                  int wanted);

/* `wanted`: the capability that is to be whatever the machine says, or 0. */
static void set(struct machine *machine, const struct place *at,
                const char *key, const char *value, int wanted)
{
  if (set_size(machine, at, key, value))
    return;
  if (strcmp(key, "like") == 0) {
    const struct known *other = find(value);
    if (other == NULL)
      refuse(at, value, "laptop or wsl");
    apply(machine, other->name, other->text, wanted);
  } else if (strcmp(key, "compute_capability") == 0) {
    int n = capability(at, value);
    machine->model = *device_model(wanted != 0 ? wanted : n);
  } else if (strcmp(key, "memory") == 0) {
    machine->memory = number(at, value, 1, UINT64_C(1) << 40);
  } else if (strcmp(key, "devices") == 0) {
    machine->devices = (int)number(at, value, 0, MAX_DEVICES);
  } else if (strcmp(key, "concurrent_managed_access") == 0) {
    machine->concurrent_managed = yes(at, value);
  } else {
    refuse(at, key, "a key that the manual names");
  }
}

/* `compute_capability` and `like` bring all sizes, so they come first. */
static bool brings_all(const char *key)
{
  return strcmp(key, "compute_capability") == 0 || strcmp(key, "like") == 0;
}

/* The next line of what is left; NULL: none. */
static char *next_line(char **rest)
{
  char *line = *rest;
  if (line == NULL)
    return NULL;
  char *end = strchr(line, '\n');
  *rest = end == NULL ? NULL : end + 1;
  if (end != NULL)
    *end = '\0';
  return line;
}

static void apply(struct machine *machine, const char *name, const char *text,
                  int wanted)
{
  for (int sizes_follow = 0; sizes_follow < 2; sizes_follow++) {
    struct place at = { name, 0 };
    char *copy = host_copy(text), *rest = copy, *line;
    while ((line = next_line(&rest)) != NULL) {
      char *save, *key, *value;
      at.line++;
      line[strcspn(line, "#")] = '\0';
      key = strtok_r(line, " \t\r", &save);
      value = strtok_r(NULL, " \t\r", &save);
      if (key == NULL || brings_all(key) == (sizes_follow == 1))
        continue;
      if (value == NULL || strtok_r(NULL, " \t\r", &save) != NULL)
        refuse(&at, key, "one value after the key");
      set(machine, &at, key, value, wanted);
    }
    free(copy);
  }
}

static void check(const struct machine *machine, const char *name)
{
  if (machine->model.shared_optin_bytes <= machine->model.shared_bytes)
    return;
  fprintf(stderr,
          "softdevice: %s: shared_per_block is more than "
          "shared_per_multiprocessor\n",
          name);
  _exit(2);
}

void machine_read(struct machine *machine, const char *text, int wanted)
{
  const struct known *one = text == NULL ? NULL : find(text);
  int capability = wanted != 0 ? wanted : DEFAULT_CAPABILITY;
  *machine = (struct machine){ .model = *device_model(capability),
                               .devices = -1,
                               .concurrent_managed = true };
  if (text == NULL)
    return;
  char *file = one != NULL ? NULL : file_contents(text);
  if (one == NULL && file == NULL) {
    fprintf(stderr,
            "softdevice: SOFTDEVICE_MACHINE=%s: expected laptop, wsl or a "
            "file that can be read\n",
            text);
    _exit(2);
  }
  apply(machine, text, one != NULL ? one->text : file, wanted);
  check(machine, text);
  free(file);
}
