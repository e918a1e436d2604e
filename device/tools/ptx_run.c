/* Runs the kernels of one PTX file as the comments in it say, and checks what
 * comes out. Needs no CUDA. Exit status: 0 all as expected, 1 not, 2 usage.
 * With --instructions: the instruction table. With --gaps: lists the instructions that the device does not have.
 *
 *   //! buffer NAME TYPE N [= VALUE…]     in device memory; short lists repeat
 *   //! count up from A by B: `= from A B`
 *   //! launch KERNEL GRID BLOCK [ARGUMENT…]
 *        GRID, BLOCK: X or X,Y,Z    ARGUMENT: a buffer's name, TYPE:VALUE
 *        shared=N  seed=N  workers=N  limit=SECONDS  cluster=X
 *   //! expect NAME = VALUE…              `_` matches anything
 *   //! prints TEXT                       device printf; \n stands for itself
 *   //! counts COLUMN N                   of the last launch
 *   //! fault KIND [TEXT]                 the last launch must end with it
 *   //! refuses TEXT                      loading must fail with it
 * SOFTDEVICE_SHUFFLE is the seed of launches that have none.
 * TYPE: u8 u16 u32 s32 u64 s64 x32 x64 f32 f64
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../exec/launch.h"
#include "../memory/memory.h"

enum { MAX_BUFFERS = 16, MAX_WORDS = 600 };

struct buffer {
  char name[32], type[8];
  unsigned bytes; /* of one element */
  size_t n;
  uint64_t address;
};

static struct {
  const char *file;
  unsigned line;
  int failures;
  struct buffer buffers[MAX_BUFFERS];
  size_t n_buffers;
  struct program *program;
  struct program_error error;
  char *output;
  size_t output_bytes;
  struct launch_counts counts;
  struct fault fault;
  int launched, faulted, fault_expected;
} test;

static void fail(const char *what, const char *detail)
{
  fprintf(stderr, "%s:%u: %s%s\n", test.file, test.line, what, detail);
  test.failures++;
}

static _Noreturn void usage(const char *what, const char *detail)
{
  fail(what, detail);
  exit(2);
}

static unsigned type_bytes(const char *type)
{
  return (unsigned)strtoul(type + 1, NULL, 10) / 8;
}

static uint64_t parse_value(const char *type, const char *text)
{
  uint64_t bits = 0;

  if (strcmp(type, "f32") == 0 && strncmp(text, "0x", 2) != 0) {
    float value = strtof(text, NULL);

    memcpy(&bits, &value, sizeof value);
  } else if (strcmp(type, "f64") == 0 && strncmp(text, "0x", 2) != 0) {
    double value = strtod(text, NULL);

    memcpy(&bits, &value, sizeof value);
  } else {
    bits = text[0] == '-' ? (uint64_t)strtoll(text, NULL, 0)
                          : strtoull(text, NULL, 0);
    if (type_bytes(type) < 8)
      bits &= (UINT64_C(1) << 8 * type_bytes(type)) - 1;
  }
  return bits;
}

static void print_value(char *text, size_t bytes, const char *type,
                        uint64_t bits)
{
  if (strcmp(type, "f32") == 0) {
    float value;
    uint32_t low = (uint32_t)bits;

    memcpy(&value, &low, sizeof value);
    snprintf(text, bytes, "%.9g (0x%08" PRIx32 ")", (double)value, low);
  } else if (strcmp(type, "f64") == 0) {
    double value;

    memcpy(&value, &bits, sizeof value);
    snprintf(text, bytes, "%.17g (0x%016" PRIx64 ")", value, bits);
  } else if (type[0] == 's') {
    unsigned drop = 64 - 8 * type_bytes(type);

    snprintf(text, bytes, "%" PRId64, (int64_t)(bits << drop) >> drop);
  } else {
    snprintf(text, bytes, type[0] == 'x' ? "0x%" PRIx64 : "%" PRIu64, bits);
  }
}

static struct buffer *find_buffer(const char *name)
{
  for (size_t i = 0; i < test.n_buffers; i++)
    if (strcmp(test.buffers[i].name, name) == 0)
      return &test.buffers[i];
  return NULL;
}

/* The i-th value of `words`, which repeat; `from A B` counts. */
static const char *value_word(char **words, size_t n, size_t i, char *number)
{
  if (n == 3 && strcmp(words[0], "from") == 0) {
    snprintf(number, 32, "%lld",
             strtoll(words[1], NULL, 0) +
                 (long long)i * strtoll(words[2], NULL, 0));
    return number;
  }
  return words[i % n];
}

static void do_buffer(char **words, size_t n)
{
  struct buffer *b = &test.buffers[test.n_buffers++];
  uint8_t *view;
  char number[32];

  if (test.n_buffers > MAX_BUFFERS || n < 3)
    usage("buffer NAME TYPE N [= VALUE…]", "");
  snprintf(b->name, sizeof b->name, "%s", words[0]);
  snprintf(b->type, sizeof b->type, "%s", words[1]);
  b->bytes = type_bytes(b->type);
  b->n = strtoul(words[2], NULL, 0);
  b->address = memory_allocate(b->n * b->bytes, 256, MEMORY_DEVICE, 0,
                               b->name);
  view = memory_view(b->address, b->n * b->bytes);
  memset(view, 0, b->n * b->bytes);
  if (n < 5 || strcmp(words[3], "=") != 0)
    return;
  for (size_t i = 0; i < b->n; i++) {
    uint64_t bits =
        parse_value(b->type, value_word(words + 4, n - 4, i, number));

    memcpy(view + i * b->bytes, &bits, b->bytes);
  }
}

static void parse_extents(const char *text, uint32_t extent[3])
{
  extent[0] = extent[1] = extent[2] = 1;
  sscanf(text, "%" SCNu32 ",%" SCNu32 ",%" SCNu32, &extent[0], &extent[1],
         &extent[2]);
}

static void put_argument(const struct kernel_info *info, unsigned i,
                         const char *word, uint8_t *parameters)
{
  const struct buffer *buffer = find_buffer(word);
  const char *colon = strchr(word, ':');
  char type[8] = { 0 };
  uint64_t bits;

  if (i >= info->n_parameters)
    usage("more arguments than the kernel has: ", word);
  if (buffer != NULL) {
    bits = buffer->address;
  } else if (colon != NULL && colon - word < 8) {
    memcpy(type, word, (size_t)(colon - word));
    buffer = find_buffer(colon + 1);
    bits = buffer != NULL ? buffer->address : parse_value(type, colon + 1);
  } else {
    usage("no such buffer: ", word);
  }
  memcpy(parameters + info->parameters[i].offset, &bits,
         info->parameters[i].bytes > 8 ? 8 : info->parameters[i].bytes);
}

static void start_output(struct launch *launch)
{
  free(test.output);
  test.output = NULL;
  launch->output = open_memstream(&test.output, &test.output_bytes);
}

static void do_launch(char **words, size_t n)
{
  const char *seed = getenv("SOFTDEVICE_SHUFFLE");
  struct launch launch = {
    .n_workers = 1,
    .order_seed = seed == NULL ? 0 : strtoull(seed, NULL, 0)
  };
  struct kernel_info info;
  uint8_t parameters[4096] = { 0 };
  unsigned n_arguments = 0;

  if (n < 3)
    usage("launch KERNEL GRID BLOCK [ARGUMENT…]", "");
  if (test.program == NULL)
    usage("does not load: ", test.error.message);
  launch.kernel = program_kernel(test.program, words[0]);
  if (launch.kernel == NULL)
    usage("no such kernel: ", words[0]);
  kernel_describe(launch.kernel, &info);
  parse_extents(words[1], launch.grid);
  parse_extents(words[2], launch.block);
  for (size_t i = 3; i < n; i++) {
    if (strncmp(words[i], "shared=", 7) == 0)
      launch.dynamic_shared_bytes = (uint32_t)strtoul(words[i] + 7, NULL, 0);
    else if (strncmp(words[i], "seed=", 5) == 0)
      launch.order_seed = strtoull(words[i] + 5, NULL, 0);
    else if (strncmp(words[i], "workers=", 8) == 0)
      launch.n_workers = (unsigned)strtoul(words[i] + 8, NULL, 0);
    else if (strncmp(words[i], "limit=", 6) == 0)
      launch.time_limit = (uint32_t)strtoul(words[i] + 6, NULL, 0);
    else if (strncmp(words[i], "cluster=", 8) == 0)
      launch.cluster[0] = (uint32_t)strtoul(words[i] + 8, NULL, 0);
    else
      put_argument(&info, n_arguments++, words[i], parameters);
  }
  launch.parameters = parameters;
  start_output(&launch);
  launch_counts_free(&test.counts);
  test.faulted = launch_run(&launch, &test.counts, &test.fault) != 0;
  test.launched = 1;
  fclose(launch.output);
}

static void do_expect(char **words, size_t n)
{
  const struct buffer *b = n > 0 ? find_buffer(words[0]) : NULL;
  const uint8_t *view;
  char number[32];

  if (b == NULL || n < 3 || strcmp(words[1], "=") != 0)
    usage("expect NAME = VALUE…", "");
  view = memory_view(b->address, b->n * b->bytes);
  for (size_t i = 0; i < b->n; i++) {
    const char *word = value_word(words + 2, n - 2, i, number);
    uint64_t wanted = parse_value(b->type, word), bits = 0;
    char got[64], text[160];

    memcpy(&bits, view + i * b->bytes, b->bytes);
    if (strcmp(word, "_") == 0 || bits == wanted)
      continue;
    print_value(got, sizeof got, b->type, bits);
    snprintf(text, sizeof text, "[%zu] is %s, expected %s", i, got, word);
    fail(b->name, text);
    return;
  }
}

static void do_prints(const char *text)
{
  char wanted[1024];
  size_t n = 0;

  for (; *text != '\0' && n + 1 < sizeof wanted; text++) {
    if (text[0] == '\\' && text[1] == 'n') {
      wanted[n++] = '\n';
      text++;
    } else {
      wanted[n++] = *text;
    }
  }
  wanted[n] = '\0';
  if (test.output == NULL || strcmp(test.output, wanted) != 0)
    fail("prints: ", test.output == NULL ? "(nothing)" : test.output);
}

static uint64_t column(const char *name)
{
  static const struct {
    const char *name;
    int class_; /* -1: all */
    enum { WARPS, THREADS, SECTORS, WAVEFRONTS, CONFLICTS, DIVERGENT,
           FLOP_F32, FLOP_F64 } field;
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
    { "flop_f32", -1, FLOP_F32 },
    { "flop_f64", -1, FLOP_F64 },
  };
  uint64_t total = 0;
  size_t c = 0;

  while (c < sizeof columns / sizeof *columns &&
         strcmp(columns[c].name, name) != 0)
    c++;
  if (c == sizeof columns / sizeof *columns)
    usage("no such column: ", name);
  for (size_t i = 0; i < test.counts.n_records; i++) {
    const struct instruction_record *r = &test.counts.records[i];
    const struct instruction_counts *k = &r->counts;
    const uint64_t values[] = { k->warps, k->threads, k->sectors,
                                k->wavefronts,
                                k->wavefronts - k->ideal_wavefronts,
                                k->divergent,
                                k->threads * r->flops.f32,
                                k->threads * r->flops.f64 };

    if (columns[c].class_ < 0 ||
        r->class_ == (enum count_class)columns[c].class_)
      total += values[columns[c].field];
  }
  return total;
}

static void do_counts(char **words, size_t n)
{
  char text[96];
  uint64_t got;

  if (n != 2)
    usage("counts COLUMN N", "");
  got = column(words[0]);
  if (got == strtoull(words[1], NULL, 0))
    return;
  snprintf(text, sizeof text, " is %" PRIu64 ", expected %s", got, words[1]);
  fail(words[0], text);
}

static const char *const fault_names[] = {
  "none", "out_of_bounds", "misaligned", "read_only", "assert", "trap",
  "barrier", "timeout", "waiting", "stack_overflow", "texture", "unsupported", "internal"
};

static void describe_fault(char *text, size_t bytes)
{
  const struct fault *f = &test.fault;

  if (!test.faulted) {
    snprintf(text, bytes, "none");
    return;
  }
  snprintf(text, bytes,
           "%s ptx line %u block (%u,%u,%u) thread (%u,%u,%u) space %d "
           "address 0x%" PRIx64 " bytes %u: %s: %s",
           fault_names[f->kind], f->ptx_line, f->block[0], f->block[1],
           f->block[2], f->thread[0], f->thread[1], f->thread[2],
           (int)f->space, f->address, f->bytes, f->instruction, f->detail);
}

static void do_fault(const char *text)
{
  char got[1024];
  size_t length = strcspn(text, " ");
  const char *more = text + length + strspn(text + length, " ");

  describe_fault(got, sizeof got);
  test.fault_expected = 1;
  if (strncmp(got, text, length) != 0 || strstr(got, more) == NULL)
    fail("fault: ", got);
  test.faulted = 0;
}

static size_t split(char *text, char **words)
{
  size_t n = 0;

  for (char *word = strtok(text, " \t\r\n"); word != NULL && n < MAX_WORDS;
       word = strtok(NULL, " \t\r\n"))
    words[n++] = word;
  return n;
}

static void unexpected_fault(void)
{
  char text[1024];

  if (!test.faulted)
    return;
  describe_fault(text, sizeof text);
  fail("the launch failed: ", text);
  test.faulted = 0;
}

static void directive(char *text)
{
  char *words[MAX_WORDS];
  char *rest = text + strcspn(text, " \t\r\n");
  size_t n;

  text[strcspn(text, "\r\n")] = '\0';
  rest += strspn(rest, " \t");
  if (strncmp(text, "prints ", 7) == 0) {
    do_prints(rest);
    return;
  }
  if (strncmp(text, "fault ", 6) == 0) {
    do_fault(rest);
    return;
  }
  if (strncmp(text, "refuses ", 8) == 0) {
    if (test.program != NULL || strstr(test.error.message, rest) == NULL)
      fail("refuses: ", test.program != NULL ? "(it loads)"
                                             : test.error.message);
    test.launched = 1;
    return;
  }
  n = split(text, words);
  if (strcmp(words[0], "counts") != 0)
    unexpected_fault();
  if (strcmp(words[0], "buffer") == 0)
    do_buffer(words + 1, n - 1);
  else if (strcmp(words[0], "launch") == 0)
    do_launch(words + 1, n - 1);
  else if (strcmp(words[0], "expect") == 0)
    do_expect(words + 1, n - 1);
  else if (strcmp(words[0], "counts") == 0)
    do_counts(words + 1, n - 1);
  else
    usage("unknown directive: ", words[0]);
}

static char *read_file(const char *name, size_t *bytes)
{
  FILE *file = fopen(name, "rb");
  char *text = NULL;
  size_t n = 0, capacity = 0;

  if (file == NULL)
    usage("cannot open ", name);
  do {
    capacity = capacity == 0 ? 1 << 16 : 2 * capacity;
    text = realloc(text, capacity);
    if (text == NULL)
      abort();
    n += fread(text + n, 1, capacity - n - 1, file);
  } while (n == capacity - 1);
  fclose(file);
  text[n] = '\0';
  *bytes = n;
  return text;
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
    char *text;
    struct program *program;

    test.file = *files;
    text = read_file(*files, &bytes);
    program = program_load(text, bytes, 0, &test.error);
    if (program == NULL)
      printf("%s: %s\n", *files, test.error.message);
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

int main(int argc, char **argv)
{
  size_t bytes;
  char *text;

  if (argc == 2 && strcmp(argv[1], "--instructions") == 0) {
    program_instructions(print_row, NULL);
    return 0;
  }
  if (argc > 2 && strcmp(argv[1], "--gaps") == 0)
    return list_gaps(argv + 2);
  if (argc != 2) {
    fputs("usage: ptx_run file.ptx | ptx_run --gaps file.ptx… |\n"
          "       ptx_run --instructions\n", stderr);
    return 2;
  }
  test.file = argv[1];
  text = read_file(argv[1], &bytes);
  test.program = program_load(text, bytes, 0, &test.error);
  for (char *at = text; at != NULL && *at != '\0';) {
    char *end = strchr(at, '\n');

    test.line++;
    if (end != NULL)
      *end = '\0';
    if (strncmp(at, "//! ", 4) == 0)
      directive(at + 4);
    at = end == NULL ? NULL : end + 1;
  }
  unexpected_fault();
  if (!test.launched)
    usage("nothing to run: ", test.error.message);
  launch_counts_free(&test.counts);
  program_free(test.program);
  for (size_t i = 0; i < test.n_buffers; i++)
    memory_release(test.buffers[i].address);
  free(test.output);
  free(text);
  return test.failures == 0 ? 0 : 1;
}
