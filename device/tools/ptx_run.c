/* Runs the kernels of one PTX file as the comments in it say, and checks what
 * comes out. Needs no CUDA. Exit status: 0 all as expected, 1 not, 2 usage,
 * 77 cannot run on this machine.
 * With --instructions: the instruction table. With --gaps: lists the instructions that the device does not have.
 *
 *   //! buffer NAME TYPE N [= VALUE…]     in device memory; short lists repeat
 *   //! count up from A by B: `= from A B`
 *   //! launch KERNEL GRID BLOCK [ARGUMENT…]
 *        GRID, BLOCK: X or X,Y,Z    ARGUMENT: a buffer's name, TYPE:VALUE
 *        shared=N  seed=N  workers=N  limit=SECONDS  cluster=X
 *        stack=BYTES: cudaLimitStackSize
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

#include "../support/host_memory.h"
#include "ptx_machine.h"

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
  const char *refused; /* why the PTX does not load; NULL: it does */
  int launched, faulted;
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

static uint8_t *values_of(const struct buffer *b)
{
  return host_new(b->n * b->bytes + 1, 1);
}

static void do_buffer(char **words, size_t n)
{
  struct buffer *b = &test.buffers[test.n_buffers++];
  uint8_t *values;
  char number[32];

  if (test.n_buffers > MAX_BUFFERS || n < 3)
    usage("buffer NAME TYPE N [= VALUE…]", "");
  snprintf(b->name, sizeof b->name, "%s", words[0]);
  snprintf(b->type, sizeof b->type, "%s", words[1]);
  b->bytes = type_bytes(b->type);
  b->n = strtoul(words[2], NULL, 0);
  b->address = machine_allocate(b->name, b->n * b->bytes);
  if (b->address == 0)
    usage("no memory for ", b->name);
  if (n < 5 || strcmp(words[3], "=") != 0)
    return;
  values = values_of(b);
  for (size_t i = 0; i < b->n; i++) {
    uint64_t bits =
        parse_value(b->type, value_word(words + 4, n - 4, i, number));

    memcpy(values + i * b->bytes, &bits, b->bytes);
  }
  machine_write(b->address, values, b->n * b->bytes);
  free(values);
}

static void parse_extents(const char *text, uint32_t extent[3])
{
  extent[0] = extent[1] = extent[2] = 1;
  sscanf(text, "%" SCNu32 ",%" SCNu32 ",%" SCNu32, &extent[0], &extent[1],
         &extent[2]);
}

static void put_argument(struct machine_launch *launch, const char *word)
{
  const struct buffer *buffer = find_buffer(word);
  const char *colon = strchr(word, ':');
  char type[8] = { 0 };
  uint64_t bits;

  if (launch->n_arguments == MACHINE_ARGUMENTS)
    usage("too many arguments: ", word);
  if (buffer != NULL) {
    bits = buffer->address;
  } else if (colon != NULL && colon - word < 8) {
    memcpy(type, word, (size_t)(colon - word));
    buffer = find_buffer(colon + 1);
    bits = buffer != NULL ? buffer->address : parse_value(type, colon + 1);
  } else {
    usage("no such buffer: ", word);
  }
  launch->arguments[launch->n_arguments++] = bits;
}

static void do_launch(char **words, size_t n)
{
  const char *seed = getenv("SOFTDEVICE_SHUFFLE");
  struct machine_launch launch = {
    .n_workers = 1, .seed = seed == NULL ? 0 : strtoull(seed, NULL, 0)
  };
  const char *refused;

  if (n < 3)
    usage("launch KERNEL GRID BLOCK [ARGUMENT…]", "");
  if (test.refused != NULL)
    usage("does not load: ", test.refused);
  launch.kernel = words[0];
  parse_extents(words[1], launch.grid);
  parse_extents(words[2], launch.block);
  for (size_t i = 3; i < n; i++) {
    if (strncmp(words[i], "shared=", 7) == 0)
      launch.shared_bytes = (uint32_t)strtoul(words[i] + 7, NULL, 0);
    else if (strncmp(words[i], "seed=", 5) == 0)
      launch.seed = strtoull(words[i] + 5, NULL, 0);
    else if (strncmp(words[i], "workers=", 8) == 0)
      launch.n_workers = (unsigned)strtoul(words[i] + 8, NULL, 0);
    else if (strncmp(words[i], "limit=", 6) == 0)
      launch.time_limit = (unsigned)strtoul(words[i] + 6, NULL, 0);
    else if (strncmp(words[i], "stack=", 6) == 0)
      launch.stack_limit = (uint32_t)strtoul(words[i] + 6, NULL, 0);
    else if (strncmp(words[i], "cluster=", 8) == 0)
      launch.cluster = (uint32_t)strtoul(words[i] + 8, NULL, 0);
    else
      put_argument(&launch, words[i]);
  }
  refused = machine_launch(&launch);
  if (refused != NULL)
    usage("cannot be launched: ", refused);
  test.faulted = strcmp(machine_fault(), "none") != 0;
  test.launched = 1;
}

static void do_expect(char **words, size_t n)
{
  const struct buffer *b = n > 0 ? find_buffer(words[0]) : NULL;
  uint8_t *values;
  char number[32];

  if (b == NULL || n < 3 || strcmp(words[1], "=") != 0)
    usage("expect NAME = VALUE…", "");
  values = values_of(b);
  machine_read(values, b->address, b->n * b->bytes);
  for (size_t i = 0; i < b->n; i++) {
    const char *word = value_word(words + 2, n - 2, i, number);
    uint64_t wanted = parse_value(b->type, word), bits = 0;
    char got[64], text[160];

    memcpy(&bits, values + i * b->bytes, b->bytes);
    if (strcmp(word, "_") == 0 || bits == wanted)
      continue;
    print_value(got, sizeof got, b->type, bits);
    snprintf(text, sizeof text, "[%zu] is %s, expected %s", i, got, word);
    fail(b->name, text);
    break;
  }
  free(values);
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
  if (machine_can(MACHINE_PRINTS) && strcmp(machine_output(), wanted) != 0)
    fail("prints: ", machine_output());
}

static void do_counts(char **words, size_t n)
{
  char text[96];
  uint64_t got;

  if (n != 2)
    usage("counts COLUMN N", "");
  if (!machine_can(MACHINE_COUNTS))
    return;
  if (!machine_count(words[0], &got))
    usage("no such column: ", words[0]);
  if (got == strtoull(words[1], NULL, 0))
    return;
  snprintf(text, sizeof text, " is %" PRIu64 ", expected %s", got, words[1]);
  fail(words[0], text);
}

static void do_fault(const char *text)
{
  const char *got = machine_fault();
  size_t length = strcspn(text, " ");
  const char *more = text + length + strspn(text + length, " ");

  if (strncmp(got, text, length) != 0 || strstr(got, more) == NULL)
    fail("fault: ", got);
  test.faulted = 0;
}

static size_t split_words(char *text, char **words)
{
  size_t n = 0;

  for (char *word = strtok(text, " \t\r\n"); word != NULL && n < MAX_WORDS;
       word = strtok(NULL, " \t\r\n"))
    words[n++] = word;
  return n;
}

static void unexpected_fault(void)
{
  if (test.faulted)
    fail("the launch failed: ", machine_fault());
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
    if (test.refused == NULL || strstr(test.refused, rest) == NULL)
      fail("refuses: ", test.refused == NULL ? "(it loads)" : test.refused);
    test.launched = 1;
    return;
  }
  n = split_words(text, words);
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

int main(int argc, char **argv)
{
  size_t bytes;
  char *text;
  int status = argc > 1 ? machine_tool(argv + 1) : -1;

  if (status >= 0)
    return status;
  if (argc != 2) {
    fputs("usage: ptx_run file.ptx | ptx_run --gaps file.ptx… |\n"
          "       ptx_run --instructions\n",
          stderr);
    return 2;
  }
  test.file = argv[1];
  text = ptx_read_file(argv[1], &bytes);
  if (!machine_can(MACHINE_FAULTS) &&
      (strstr(text, "\n//! fault ") != NULL ||
       strstr(text, "\n//! refuses ") != NULL)) {
    printf("is about the software device alone\n");
    free(text);
    return 77;
  }
  test.refused = machine_load(text, bytes);
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
    usage("nothing to run: ", test.refused == NULL ? "" : test.refused);
  machine_end();
  free(text);
  return test.failures == 0 ? 0 : 1;
}
