/* The software device as ptx_run's machine. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../exec/launch.h"
#include "../memory/memory.h"
#include "ptx_machine.h"

enum { MAX_ALLOCATIONS = 16 };

static struct {
  struct program *program;
  struct program_error error;
  uint64_t addresses[MAX_ALLOCATIONS];
  size_t n_addresses;
  char *output;
  size_t output_bytes;
  struct launch_counts counts;
  struct fault fault;
  bool faulted;
  char text[1024];
} device;

bool machine_can(enum machine_skill skill)
{
  (void)skill;
  return true;
}

const char *machine_load(const char *text, size_t bytes)
{
  device.program = program_load(text, bytes, 0, &device.error);
  return device.program == NULL ? device.error.message : NULL;
}

uint64_t machine_allocate(const char *name, size_t bytes)
{
  uint64_t address;

  if (device.n_addresses == MAX_ALLOCATIONS)
    return 0;
  address = memory_allocate(bytes, 256, MEMORY_DEVICE, 0, name);
  if (address != 0) {
    device.addresses[device.n_addresses++] = address;
    memset(memory_view(address, bytes), 0, bytes);
  }
  return address;
}

void machine_write(uint64_t address, const void *from, size_t bytes)
{
  memcpy(memory_view(address, bytes), from, bytes);
}

void machine_read(void *to, uint64_t address, size_t bytes)
{
  memcpy(to, memory_view(address, bytes), bytes);
}

const char *machine_launch(const struct machine_launch *asked)
{
  struct launch launch = {
    .n_workers = asked->n_workers,
    .order_seed = asked->seed,
    .time_limit = asked->time_limit,
    .stack_limit = asked->stack_limit,
    .dynamic_shared_bytes = asked->shared_bytes,
    .cluster = { asked->cluster },
    .explicit_cluster = asked->cluster > 0,
  };
  struct kernel_info info;
  uint8_t parameters[4096] = { 0 };

  launch.kernel = program_kernel(device.program, asked->kernel);
  if (launch.kernel == NULL)
    return "no such kernel";
  kernel_describe(launch.kernel, &info);
  memcpy(launch.grid, asked->grid, sizeof launch.grid);
  memcpy(launch.block, asked->block, sizeof launch.block);
  if (asked->n_arguments > info.n_parameters)
    return "more arguments than the kernel has";
  for (unsigned i = 0; i < asked->n_arguments; i++)
    memcpy(parameters + info.parameters[i].offset, &asked->arguments[i],
           info.parameters[i].bytes > 8 ? 8 : info.parameters[i].bytes);
  launch.parameters = parameters;
  free(device.output);
  device.output = NULL;
  launch.output = open_memstream(&device.output, &device.output_bytes);
  launch_counts_free(&device.counts);
  device.faulted = launch_run(&launch, &device.counts, &device.fault) != 0;
  fclose(launch.output);
  return NULL;
}

static const char *const fault_names[] = {
  [FAULT_NONE] = "none",
  [FAULT_OUT_OF_BOUNDS] = "out_of_bounds",
  [FAULT_NO_PEER] = "no_peer",
  [FAULT_MISALIGNED] = "misaligned",
  [FAULT_READ_ONLY] = "read_only",
  [FAULT_ASSERT] = "assert",
  [FAULT_TRAP] = "trap",
  [FAULT_BARRIER] = "barrier",
  [FAULT_TIMEOUT] = "timeout",
  [FAULT_WAITING] = "waiting",
  [FAULT_ENDLESS] = "endless",
  [FAULT_STACK_OVERFLOW] = "stack_overflow",
  [FAULT_TEXTURE] = "texture",
  [FAULT_ILLEGAL] = "illegal",
  [FAULT_UNSUPPORTED] = "unsupported",
  [FAULT_INTERNAL] = "internal",
};

const char *machine_fault(void)
{
  const struct fault *f = &device.fault;

  if (!device.faulted)
    return "none";
  snprintf(device.text, sizeof device.text,
           "%s ptx line %u block (%u,%u,%u) thread (%u,%u,%u) space %d "
           "address 0x%" PRIx64 " bytes %u: %s: %s",
           fault_names[f->kind], f->ptx_line, f->block[0], f->block[1],
           f->block[2], f->thread[0], f->thread[1], f->thread[2], (int)f->space,
           f->address, f->bytes, f->instruction, f->detail);
  return device.text;
}

const char *machine_output(void)
{
  return device.output == NULL ? "" : device.output;
}

bool machine_count(const char *column, uint64_t *value)
{
  static const struct {
    const char *name;
    int class_; /* -1: all */
    enum {
      WARPS,
      THREADS,
      SECTORS,
      WAVEFRONTS,
      CONFLICTS,
      DIVERGENT,
      FLOP_F32,
      FLOP_F64
    } field;
  } columns[] = {
    { "warp_instructions", -1, WARPS },
    { "thread_instructions", -1, THREADS },
    { "ld_requests", COUNT_GLOBAL_LOAD, WARPS },
    { "ld_sectors", COUNT_GLOBAL_LOAD, SECTORS },
    { "st_requests", COUNT_GLOBAL_STORE, WARPS },
    { "st_sectors", COUNT_GLOBAL_STORE, SECTORS },
    { "atomic_requests", COUNT_GLOBAL_ATOMIC, WARPS },
    { "atomic_sectors", COUNT_GLOBAL_ATOMIC, SECTORS },
    { "shared_ld_requests", COUNT_SHARED_LOAD, WARPS },
    { "shared_ld_wavefronts", COUNT_SHARED_LOAD, WAVEFRONTS },
    { "shared_ld_conflicts", COUNT_SHARED_LOAD, CONFLICTS },
    { "shared_st_requests", COUNT_SHARED_STORE, WARPS },
    { "shared_st_wavefronts", COUNT_SHARED_STORE, WAVEFRONTS },
    { "shared_st_conflicts", COUNT_SHARED_STORE, CONFLICTS },
    { "local_ld_requests", COUNT_LOCAL_LOAD, WARPS },
    { "local_ld_sectors", COUNT_LOCAL_LOAD, SECTORS },
    { "local_st_requests", COUNT_LOCAL_STORE, WARPS },
    { "branches", COUNT_BRANCH, WARPS },
    { "divergent_branches", -1, DIVERGENT },
    { "barriers", COUNT_BARRIER, WARPS },
    { "matrix_instructions", COUNT_MATRIX, WARPS },
    { "matrix_wavefronts", COUNT_MATRIX, WAVEFRONTS },
    { "copy_ld_requests", COUNT_COPY_LOAD, THREADS },
    { "copy_ld_sectors", COUNT_COPY_LOAD, SECTORS },
    { "copy_st_requests", COUNT_COPY_STORE, THREADS },
    { "copy_st_sectors", COUNT_COPY_STORE, SECTORS },
    { "flop_f32", -1, FLOP_F32 },
    { "flop_f64", -1, FLOP_F64 },
  };
  uint64_t total = 0;
  size_t c = 0;

  while (c < sizeof columns / sizeof *columns &&
         strcmp(columns[c].name, column) != 0)
    c++;
  if (c == sizeof columns / sizeof *columns)
    return false;
  for (size_t i = 0; i < device.counts.n_records; i++) {
    const struct instruction_record *r = &device.counts.records[i];
    const struct instruction_counts *k = &r->counts;
    const uint64_t values[] = { k->warps,
                                k->threads,
                                k->sectors,
                                k->wavefronts,
                                k->wavefronts - k->ideal_wavefronts,
                                k->divergent,
                                k->threads * r->flops.f32,
                                k->threads * r->flops.f64 };

    if (columns[c].class_ < 0 ||
        r->class_ == (enum count_class)columns[c].class_)
      total += values[columns[c].field];
  }
  *value = total;
  return true;
}

static void print_gap(void *context, const char *function, unsigned ptx_line,
                      const char *opcode, const char *reason)
{
  printf("%s:%u: %s: %s (%s)\n", (const char *)context, ptx_line, opcode,
         reason, function);
}

/* What the device does not have, in each file. */
static int list_gaps(char **files)
{
  int status = 0;

  for (; *files != NULL; files++) {
    size_t bytes;
    char *text = ptx_read_file(*files, &bytes);
    struct program *program = program_load(text, bytes, 0, &device.error);

    if (program == NULL)
      printf("%s: %s\n", *files, device.error.message);
    if (program == NULL || program_gaps(program, print_gap, *files) > 0)
      status = 1;
    program_free(program);
    free(text);
  }
  return status;
}

static void print_row(void *context, const char *pattern, const char *meaning)
{
  (void)context;
  printf("%s\t%s\n", pattern, meaning);
}

int machine_tool(char **arguments)
{
  if (strcmp(arguments[0], "--instructions") == 0) {
    program_instructions(print_row, NULL);
    return 0;
  }
  if (strcmp(arguments[0], "--gaps") == 0 && arguments[1] != NULL)
    return list_gaps(arguments + 1);
  return -1;
}

void machine_end(void)
{
  launch_counts_free(&device.counts);
  program_free(device.program);
  for (size_t i = 0; i < device.n_addresses; i++)
    memory_release(device.addresses[i]);
  free(device.output);
}
