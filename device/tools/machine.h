/* What launch_run runs its launches on: the software device
 * (machine_device.c), or a GPU (tests/device/ptx/ptx_gpu.c), which shows whether
 * what the tests expect is so. */
#ifndef DEVICE_TOOLS_MACHINE_H
#define DEVICE_TOOLS_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "launch.h"

/* Memory that lines name: a buffer, or a variable of the PTX. */
struct machine_memory {
  char *name;
  struct launch_type type;
  size_t n; /* numbers of that type */
  uint64_t address;
  bool is_variable;
  bool is_written; /* something is in it before the first launch */
};

struct machine_knob {
  char *name, *word;
  bool has_text;   /* recordings have the word, not the number */
  bool has_number; /* expressions may use it */
  int64_t number;
};

enum { MACHINE_ARGUMENTS = 64, MACHINE_BYTES = 4096 };

struct machine_launch {
  const char *kernel; /* "*": the only one */
  uint32_t grid[3], block[3], cluster[3], shared_bytes;
  uint8_t bytes[MACHINE_BYTES]; /* of the arguments, one after the other */
  unsigned argument_bytes[MACHINE_ARGUMENTS];
  unsigned n_arguments;
  bool cooperative;
  uint64_t number; /* of the launch; 0: the next one */
  uint64_t seed;   /* of the order of warps; 0: none. Not on a GPU */
  unsigned n_workers, time_limit;
  uint32_t stack_limit; /* 0: as it is */
  /* For machines that record it. */
  const struct machine_memory *memory;
  size_t n_memory;
  const struct machine_knob *knobs;
  size_t n_knobs;
  struct launch_type shared; /* what shared memory holds */
};

/* One more argument, of so many bytes. */
static inline void machine_pass(struct machine_launch *launch, const void *from,
                                unsigned bytes)
{
  size_t used = 0;

  for (unsigned i = 0; i < launch->n_arguments; i++)
    used += launch->argument_bytes[i];
  memcpy(launch->bytes + used, from, bytes);
  launch->argument_bytes[launch->n_arguments++] = bytes;
}

/* What the machine can check: a GPU counts nothing here, keeps no text that
 * kernels print, and is not the same after a fault. A machine that records says
 * in its recording what went wrong, so a fault fails nothing. */
enum machine_skill {
  MACHINE_COUNTS,
  MACHINE_PRINTS,
  MACHINE_FAULTS,
  MACHINE_RECORDS
};
bool machine_can(enum machine_skill skill);

/* Another PTX text. NULL, or why it does not load. Launches and variables are its
 * from now on, or those of the text that was loaded as the n-th, from 0. */
const char *machine_load(const char *text, size_t bytes);
void machine_use(size_t n);

/* What memory begins at a multiple of from now on: a power of two, at least 256,
 * which it is before. A GPU need not keep it. */
void machine_align(size_t bytes);
/* Device memory, as new as cudaMalloc gives it. 0: there is none. */
uint64_t machine_allocate(const char *name, size_t bytes);
/* A variable of the PTX. False: it has none of that name. */
bool machine_variable(const char *name, uint64_t *address, size_t *bytes);
/* What access maps call the memory that begins there. */
void machine_number(uint64_t address, uint64_t number);
void machine_write(uint64_t address, const void *from, size_t bytes);
void machine_read(void *to, uint64_t address, size_t bytes);

/* NULL, or why this cannot be launched at all. machine_fault
 * describes a fault. */
const char *machine_launch(const struct machine_launch *launch);

/* Of the last launch: "none", or its fault in words. */
const char *machine_fault(void);
/* What it printed; "" for nothing. */
const char *machine_output(void);
/* False: there is no such counter. */
bool machine_count(const char *column, uint64_t *value);

/* What else the machine can do, by launch_run's arguments, which it may change
 * to what is left of them: an exit status, or -1 to go on. */
int machine_tool(int *n, char **arguments);
/* The text of a file, freed by the caller; launch_run ends where there is
 * none. */
char *read_file(const char *name, size_t *bytes);

/* Gives back everything. The status that the process should end with. */
int machine_end(void);

#endif
