/* The software device as launch_run's machine. What it counts and watches is
 * written by report/, as for a program. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../check/finding.h"
#include "../check/source.h"
#include "../check/watch.h"
#include "../exec/launch.h"
#include "../memory/memory.h"
#include "../report/report.h"
#include "../report/totals.h"
#include "../support/host_memory.h"
#include "machine.h"
#include "record.h"

static struct {
  struct program **programs;
  size_t n_programs, used;
  struct program_error error;
  uint64_t *addresses;
  size_t n_addresses;
  size_t alignment; /* 0: 256 */
  uint64_t n_launches;
  char *output;
  size_t output_bytes;
  struct launch_counts counts;
  struct fault fault;
  bool faulted;
  char text[1024];
} device;

bool machine_can(enum machine_skill skill)
{
  return skill != MACHINE_RECORDS || record_wanted();
}

const char *machine_load(const char *text, size_t bytes)
{
  struct program *program;

  if (record_wanted())
    record_prepare();
  check_watch_memory();
  program = program_load(text, bytes, 0, &device.error);
  device.programs = host_grow(device.programs, device.n_programs + 1,
                              sizeof *device.programs);
  device.used = device.n_programs;
  device.programs[device.n_programs++] = program;
  return program == NULL ? device.error.message : NULL;
}

void machine_use(size_t n) { device.used = n; }

void machine_align(size_t bytes) { device.alignment = bytes; }

uint64_t machine_allocate(const char *name, size_t bytes)
{
  size_t alignment = device.alignment == 0 ? 256 : device.alignment;
  /* A recording puts the names into what the checks say. */
  uint64_t address = memory_allocate(bytes, alignment, MEMORY_DEVICE, 0,
                                     record_wanted() ? NULL : name);

  if (address != 0) {
    device.addresses = host_grow(device.addresses, device.n_addresses + 1,
                                 sizeof *device.addresses);
    device.addresses[device.n_addresses++] = address;
  }
  return address;
}

bool machine_variable(const char *name, uint64_t *address, size_t *bytes)
{
  struct program_variable found;

  if (!program_find_variable(device.programs[device.used], name, &found))
    return false;
  *address = found.address;
  *bytes = found.bytes;
  return true;
}

void machine_number(uint64_t address, uint64_t number)
{
  memory_set_serial(address, number);
}

void machine_write(uint64_t address, const void *from, size_t bytes)
{
  memcpy(memory_view(address, bytes), from, bytes);
}

void machine_read(void *to, uint64_t address, size_t bytes)
{
  memcpy(to, memory_look(address, bytes), bytes);
}

/* The machine has one thread: nothing else can end what a kernel waits for. */
static bool is_alone(unsigned n)
{
  (void)n;
  return true;
}

static const char *pack(const struct machine_launch *asked,
                        const struct kernel_info *info, uint8_t *parameters)
{
  const uint8_t *from = asked->bytes;

  if (asked->n_arguments != info->n_parameters)
    return "the kernel has another number of parameters";
  for (unsigned i = 0; i < asked->n_arguments; i++) {
    if (asked->argument_bytes[i] != info->parameters[i].bytes)
      return "an argument has another size than the kernel's parameter";
    memcpy(parameters + info->parameters[i].offset, from,
           asked->argument_bytes[i]);
    from += asked->argument_bytes[i];
  }
  return NULL;
}

static void begin(const struct machine_launch *asked,
                  const struct report_launch *id, struct launch *launch)
{
  report_begin(id, launch);
  if (record_wanted())
    record_begin(asked, launch);
}

static void end(const struct report_launch *id, const struct launch *launch,
                bool failed)
{
  report_add(id, &device.counts);
  fclose(launch->output);
  if (record_wanted())
    record_end(launch, &device.counts, failed ? &device.fault : NULL,
               device.output);
}

/* The launch is a copy: what report_begin adds is for one run. */
static void run(const struct machine_launch *asked, struct launch launch,
                const struct report_launch *id)
{
  bool failed;

  free(device.output);
  device.output = NULL;
  launch.output = open_memstream(&device.output, &device.output_bytes);
  if (launch.output == NULL)
    host_out_of_memory();
  launch_counts_free(&device.counts);
  begin(asked, id, &launch);
  failed = launch_run(&launch, &device.counts, &device.fault) != 0;
  device.faulted = failed && !device.fault.reported;
  end(id, &launch, failed);
}

/* ptxas takes no more, whatever the GPU has. */
enum { STATIC_SHARED_BYTES = 49152 };

static const struct kernel *kernel_of(const char *name)
{
  const struct program *program = device.programs[device.used];

  return strcmp(name, "*") == 0 ? program_only_kernel(program)
                                : program_kernel(program, name);
}

const char *machine_launch(const struct machine_launch *asked)
{
  static uint8_t parameters[2 * MACHINE_BYTES];
  struct launch launch = {
    .n_workers = asked->n_workers,
    .order_seed = asked->seed,
    .time_limit = asked->time_limit,
    .stack_limit = asked->stack_limit,
    .dynamic_shared_bytes = asked->shared_bytes,
    .explicit_cluster = asked->cluster[0] > 0,
    .cooperative = asked->cooperative,
    .is_alone = is_alone,
    .parameters = parameters,
  };
  struct kernel_info info;
  struct report_launch id;
  const char *problem;

  launch.kernel = kernel_of(asked->kernel);
  if (launch.kernel == NULL)
    return asked->kernel[0] == '*' ? "the PTX has no kernel, or several"
                                   : "no such kernel";
  kernel_describe(launch.kernel, &info);
  if ((uint64_t)asked->block[0] * asked->block[1] * asked->block[2] >
      info.max_threads)
    return "too many threads in a block";
  if (info.static_shared_bytes > STATIC_SHARED_BYTES)
    return "the kernel declares more than 49152 bytes of shared memory; more "
           "than that must be dynamic";
  memset(parameters, 0, sizeof parameters);
  problem = pack(asked, &info, parameters);
  if (problem != NULL)
    return problem;
  device.n_launches = asked->number > 0 ? asked->number : device.n_launches + 1;
  id = (struct report_launch){ .kernel = info.name,
                               .number = device.n_launches };
  for (unsigned i = 0; i < 3; i++) {
    launch.grid[i] = id.grid[i] = asked->grid[i];
    launch.block[i] = id.block[i] = asked->block[i];
    launch.cluster[i] =
        asked->cluster[0] > 0 ? asked->cluster[i] : info.cluster[i];
  }
  run(asked, launch, &id);
  return NULL;
}

static const char *const fault_names[] = {
  [FAULT_NONE] = "none",
  [FAULT_OUT_OF_BOUNDS] = "out_of_bounds",
  [FAULT_NO_PEER] = "no_peer",
  [FAULT_MISALIGNED] = "misaligned",
  [FAULT_ADDRESS_SPACE] = "address_space",
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
  [FAULT_ENDED_BLOCK] = "ended_block",
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
  if (f->source.file != NULL) {
    size_t n = strlen(device.text);

    snprintf(device.text + n, sizeof device.text - n, " (%s:%u)",
             source_name(f->source.file), f->source.line);
  }
  return device.text;
}

const char *machine_output(void)
{
  return device.output == NULL ? "" : device.output;
}

bool machine_count(const char *column, uint64_t *value)
{
  struct totals totals = { 0 };

  for (size_t i = 0; i < device.counts.n_records; i++)
    totals_add_record(&totals, &device.counts.records[i]);
  return totals_find(&totals, column, value);
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
    char *text = read_file(*files, &bytes);
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

/* The options of the command softdevice that say what is written down. */
static const struct {
  const char *option, *variable;
} options[] = {
  { "--report", "SOFTDEVICE_REPORT" },
  { "--counts", "SOFTDEVICE_COUNTS" },
  { "--caches", "SOFTDEVICE_CACHES" },
  { "--atomics", "SOFTDEVICE_ATOMICS" },
  { "--tensor", "SOFTDEVICE_TENSOR" },
  { "--lines", "SOFTDEVICE_LINES" },
  { "--access-map", "SOFTDEVICE_ACCESS_MAP" },
  { "--trace", "SOFTDEVICE_TRACE" },
  { "--launch", "SOFTDEVICE_LAUNCH" },
  { "--kernel", "SOFTDEVICE_ACCESS_KERNEL" },
  { "--block", "SOFTDEVICE_ACCESS_BLOCK" },
  { "--warp", "SOFTDEVICE_ACCESS_WARP" },
  { "--shuffle", "SOFTDEVICE_SHUFFLE" },
  { "--check", "SOFTDEVICE_CHECK" },
  { "--findings", "SOFTDEVICE_FINDINGS" },
  { "--check-status", "SOFTDEVICE_CHECK_STATUS" },
};

static bool take_option(const char *option, const char *value)
{
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    if (strcmp(options[i].option, option) == 0 && value != NULL) {
      setenv(options[i].variable, value, 1);
      return true;
    }
  return false;
}

/* Both would listen to the launch, which one alone can do. */
static bool views_of_each_step(void)
{
  return getenv("SOFTDEVICE_TRACE") != NULL ||
         getenv("SOFTDEVICE_ACCESS_MAP") != NULL;
}

static int refuse_both(void)
{
  fputs("launch_run: error: a recording is made without trace and access map: "
        "run the launch once for each\n",
        stderr);
  return 2;
}

int machine_tool(int *n, char **arguments)
{
  if (*n == 1 && strcmp(arguments[0], "--instructions") == 0) {
    program_instructions(print_row, NULL);
    return 0;
  }
  if (*n > 1 && strcmp(arguments[0], "--gaps") == 0)
    return list_gaps(arguments + 1);
  while (*n > 1) {
    int used = take_option(arguments[0], arguments[1])
                   ? 2
                   : record_option(*n - 1, arguments);

    if (used == 0 || used >= *n)
      break;
    memmove(arguments, arguments + used,
            ((size_t)(*n - used) + 1) * sizeof *arguments);
    *n -= used;
  }
  check_read_again();
  if (record_wanted() && views_of_each_step())
    return refuse_both();
  return -1;
}

int machine_end(void)
{
  report_finish();
  launch_counts_free(&device.counts);
  for (size_t i = 0; i < device.n_programs; i++)
    program_free(device.programs[i]);
  for (size_t i = 0; i < device.n_addresses; i++)
    memory_release(device.addresses[i]);
  free(device.programs);
  free(device.addresses);
  free(device.output);
  return record_wanted() ? 0 : findings_finish();
}
