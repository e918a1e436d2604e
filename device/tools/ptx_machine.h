/* What ptx_run runs its kernels on: the software device (ptx_device.c), or a
 * GPU (tests/device/ptx/ptx_gpu.c), which shows whether what the tests expect is
 * so. */
#ifndef DEVICE_TOOLS_PTX_MACHINE_H
#define DEVICE_TOOLS_PTX_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MACHINE_ARGUMENTS = 32 };

struct machine_launch {
  const char *kernel;
  uint32_t grid[3], block[3], cluster, shared_bytes;
  uint64_t arguments[MACHINE_ARGUMENTS];
  unsigned n_arguments;
  uint64_t seed; /* of the order of warps; 0: none. Not on a GPU */
  unsigned n_workers, time_limit;
  uint32_t stack_limit; /* 0: as it is */
};

/* What the machine can check: a GPU counts nothing here, keeps no text that
 * kernels print, and is not the same after a fault. */
enum machine_skill { MACHINE_COUNTS, MACHINE_PRINTS, MACHINE_FAULTS };
bool machine_can(enum machine_skill skill);

/* The PTX text of the test. NULL, or why it does not load. */
const char *machine_load(const char *text, size_t bytes);

/* Device memory, cleared. 0: there is none. */
uint64_t machine_allocate(const char *name, size_t bytes);
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

/* What else the machine can do, by ptx_run's arguments: an exit status, or -1
 * for arguments that it does not know. */
int machine_tool(char **arguments);
/* The text of a file, freed by the caller; ptx_run ends where there is none. */
char *ptx_read_file(const char *name, size_t *bytes);

/* Gives back everything. */
void machine_end(void);

#endif
