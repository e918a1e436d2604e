/* Carries out the lines of the notation, one after the other. */
#include "launch.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../support/host_memory.h"
#include "../support/setting.h"
#include "../support/sha256.h"
#include "machine.h"

static struct {
  struct launch_place at;
  struct machine_memory *memory;
  size_t n_memory;
  struct machine_knob *knobs;
  size_t n_knobs;
  struct launch_type shared;
  char **texts; /* hashes of the PTX that is loaded */
  size_t n_texts;
  uint64_t number; /* of the last buffer or variable */
  char *refused;   /* why the PTX does not load; NULL: it does */
  bool launched, faulted;
  int failures;
  struct launch_expression expression;
} run = { .shared = { 'u', 4 } };

static void fail(const char *what, const char *detail)
{
  fprintf(stderr, "%s:%u: %s%s\n", run.at.file, run.at.line, what, detail);
  run.failures++;
}

static _Noreturn void refuse(const char *what, const char *detail)
{
  fprintf(stderr, "%s:%u: error: %s%s\n", run.at.file, run.at.line, what,
          detail);
  exit(2);
}

static char *need_word(char **rest, const char *usage)
{
  char *word = launch_word(rest);

  if (word == NULL)
    refuse("this line is written as: ", usage);
  return word;
}

/* What a name in an expression means: a knob's number. */
static bool knob_value(void *context, const char *name, size_t length,
                       int64_t *value)
{
  (void)context;
  for (size_t i = 0; i < run.n_knobs; i++)
    if (strlen(run.knobs[i].name) == length &&
        memcmp(run.knobs[i].name, name, length) == 0) {
      *value = run.knobs[i].number;
      return run.knobs[i].has_number;
    }
  return false;
}

static int64_t value_of(const char *text)
{
  int64_t value;

  run.expression.i = 0;
  if (!launch_value(&run.expression, text, &value))
    refuse(run.expression.problem, "");
  return value;
}

static struct launch_type type_of(const char *word)
{
  struct launch_type type;

  if (!launch_type_named(word, strlen(word), &type))
    refuse("a type is one of u8 … u64, s8 … s64, x8 … x64, f32, f64, not ",
           word);
  return type;
}

/* ---- files beside the launch ---------------------------------------------- */

static char *beside(const char *hash, const char *extension, size_t *bytes)
{
  const char *slash = strrchr(run.at.file, '/');
  int n_folder = slash == NULL ? 0 : (int)(slash - run.at.file) + 1;
  char path[4096], sum[SHA256_DIGITS + 1];
  char *text;

  snprintf(path, sizeof path, "%.*s%s.%s", n_folder, run.at.file, hash,
           extension);
  text = read_file(path, bytes);
  sha256_digits(text, *bytes, sum);
  if (strncmp(sum, hash, strlen(hash)) != 0)
    refuse("its contents have another checksum than its name says: ", path);
  return text;
}

static void forget_variables(void)
{
  size_t n = 0;

  for (size_t i = 0; i < run.n_memory; i++)
    if (run.memory[i].is_variable)
      free(run.memory[i].name);
    else
      run.memory[n++] = run.memory[i];
  run.n_memory = n;
}

static void load(const char *hash, const char *text, size_t bytes)
{
  const char *problem = machine_load(text, bytes);

  free(run.refused);
  run.refused = problem == NULL ? NULL : host_copy(problem);
  run.texts = host_grow(run.texts, run.n_texts + 1, sizeof *run.texts);
  run.texts[run.n_texts++] = host_copy(hash);
}

static void do_ptx(char *rest)
{
  const char *hash = need_word(&rest, "ptx HASH");
  size_t bytes;
  char *text;

  forget_variables();
  for (size_t i = 0; i < run.n_texts; i++)
    if (strcmp(run.texts[i], hash) == 0) {
      machine_use(i);
      return;
    }
  text = beside(hash, "ptx", &bytes);
  load(hash, text, bytes);
  free(text);
}

void launch_begin(const char *file, const char *ptx, size_t bytes)
{
  run.at.file = file;
  load("", ptx, bytes);
}

/* ---- memory --------------------------------------------------------------- */

static struct machine_memory *find_memory(const char *name, size_t length)
{
  for (size_t i = 0; i < run.n_memory; i++)
    if (strlen(run.memory[i].name) == length &&
        memcmp(run.memory[i].name, name, length) == 0)
      return &run.memory[i];
  return NULL;
}

/* NAME or NAME+BYTES. */
static bool is_place(const char *word, uint64_t *address)
{
  size_t n = strcspn(word, "+");
  const struct machine_memory *memory = find_memory(word, n);

  if (memory == NULL)
    return false;
  *address =
      memory->address + (word[n] == '+' ? (uint64_t)value_of(word + n + 1) : 0);
  return true;
}

static uint64_t bits_of(struct launch_type type, const char *word, size_t i)
{
  uint64_t bits;

  if (type.bytes == 8 && is_place(word, &bits))
    return bits;
  run.expression.i = (int64_t)i;
  if (!launch_bits(&run.expression, type, word, &bits))
    refuse(run.expression.problem, "");
  return bits;
}

/* The words of VALUES, cut in place. */
static char **words_of(char *rest, size_t *n)
{
  char **words = NULL;

  *n = 0;
  for (char *word = launch_word(&rest); word != NULL;
       word = launch_word(&rest)) {
    words = host_grow(words, *n + 1, sizeof *words);
    words[(*n)++] = word;
  }
  if (*n == 0)
    refuse("values are missing after '='", "");
  return words;
}

static void write_values(const struct machine_memory *m, char *rest)
{
  size_t n, bytes = m->n * m->type.bytes, n_data;
  char **words = words_of(rest, &n), *data;
  uint8_t *values;

  if (n == 2 && strcmp(words[0], "data") == 0) {
    data = beside(words[1], "data", &n_data);
    if (n_data != bytes)
      refuse("the data have another length than the memory: ", words[1]);
    machine_write(m->address, data, bytes);
    free(data);
  } else {
    values = host_new(bytes + 1, 1);
    for (size_t i = 0; i < m->n; i++) {
      uint64_t bits = bits_of(m->type, words[i % n], i);

      memcpy(values + i * m->type.bytes, &bits, m->type.bytes);
    }
    machine_write(m->address, values, bytes);
    free(values);
  }
  free(words);
}

/* Cuts " = VALUES" off. NULL: there are none. */
static char *cut_values(char *rest)
{
  char *values = strstr(rest, " =");

  while (values != NULL && values[2] != ' ' && values[2] != '\0')
    values = strstr(values + 1, " =");
  if (values == NULL)
    return NULL;
  *values = '\0';
  return values + 2;
}

static struct machine_memory *add_memory(const char *name)
{
  struct machine_memory *m;

  if (!(isalpha((unsigned char)name[0]) || strchr("_$", name[0]) != NULL))
    refuse("a name begins with a letter, _ or $, not ", name);
  if (find_memory(name, strlen(name)) != NULL)
    refuse("there is one of this name already: ", name);
  run.memory = host_grow(run.memory, run.n_memory + 1, sizeof *run.memory);
  m = &run.memory[run.n_memory++];
  *m = (struct machine_memory){ .name = host_copy(name) };
  return m;
}

/* number=N */
static void take_number(char **rest, uint64_t *number)
{
  const char *word = launch_word(rest);

  if (word == NULL)
    return;
  if (strncmp(word, "number=", 7) != 0)
    refuse("after type and count, number=N may follow, not ", word);
  *number = (uint64_t)value_of(word + 7);
}

static void do_buffer(char *rest)
{
  static const char usage[] = "buffer NAME TYPE COUNT [number=N] [= VALUES]";
  char *values = cut_values(rest);
  struct machine_memory *m = add_memory(need_word(&rest, usage));
  int64_t n;

  m->type = type_of(need_word(&rest, usage));
  n = value_of(need_word(&rest, usage));
  if (n < 0 || n > INT64_C(1) << 40)
    refuse("no such number of elements: ", m->name);
  m->n = (size_t)n;
  m->address = machine_allocate(m->name, m->n * m->type.bytes);
  if (m->address == 0)
    refuse("no memory for ", m->name);
  run.number++;
  take_number(&rest, &run.number);
  machine_number(m->address, run.number);
  m->is_written = values != NULL;
  if (values != NULL)
    write_values(m, values);
}

static void do_align(char *rest)
{
  int64_t bytes = value_of(need_word(&rest, "align BYTES"));

  if (bytes < 256 || bytes > 1 << 30 || (bytes & (bytes - 1)) != 0)
    refuse("a power of two from 256 to 2^30 is expected", "");
  machine_align((size_t)bytes);
}

static void do_variable(char *rest)
{
  static const char usage[] = "variable NAME TYPE [number=N] [= VALUES]";
  char *values = cut_values(rest);
  struct machine_memory *m = add_memory(need_word(&rest, usage));
  size_t bytes;

  m->is_variable = m->is_written = true;
  m->type = type_of(need_word(&rest, usage));
  if (!machine_variable(m->name, &m->address, &bytes))
    refuse("the PTX has no variable of that name: ", m->name);
  m->n = bytes / m->type.bytes;
  run.number++;
  take_number(&rest, &run.number);
  machine_number(m->address, run.number);
  if (values != NULL)
    write_values(m, values);
}

static struct machine_memory need_memory(char **rest, const char *usage)
{
  const char *name = need_word(rest, usage);
  const struct machine_memory *m = find_memory(name, strlen(name));

  if (m == NULL)
    refuse("no such buffer: ", name);
  return *m;
}

static void do_set(char *rest)
{
  static const char usage[] = "set NAME [TYPE] = VALUES";
  char *values = cut_values(rest);
  struct machine_memory m = need_memory(&rest, usage);
  const char *type = launch_word(&rest);
  size_t bytes = m.n * m.type.bytes;

  if (values == NULL)
    refuse("this line is written as: ", usage);
  if (type != NULL) {
    m.type = type_of(type);
    m.n = bytes / m.type.bytes;
  }
  write_values(&m, values);
  find_memory(m.name, strlen(m.name))->is_written = true;
}

/* ---- knobs ---------------------------------------------------------------- */

static bool is_number(const char *word, int64_t *number)
{
  char *end;

  *number = strtoll(word, &end, 0);
  return end != word && *end == '\0';
}

static void do_knob(char *rest)
{
  static const char usage[] = "knob NAME WORD [NUMBER]";
  const char *name = need_word(&rest, usage), *word = need_word(&rest, usage);
  const char *number = launch_word(&rest);
  struct machine_knob *knob;
  int64_t value;

  if (name[strspn(name, "abcdefghijklmnopqrstuvwxyz_0123456789")] != '\0' ||
      !islower((unsigned char)name[0]) || strcmp(name, "i") == 0 ||
      strcmp(name, "mix") == 0)
    refuse("a knob's name is of small letters, digits and _, and neither i nor "
           "mix: ",
           name);
  if (number != NULL && !is_number(number, &value))
    refuse("a number is expected, not ", number);
  for (size_t i = 0; i < run.n_knobs; i++)
    if (strcmp(run.knobs[i].name, name) == 0)
      refuse("a second knob of this name: ", name);
  run.knobs = host_grow(run.knobs, run.n_knobs + 1, sizeof *run.knobs);
  knob = &run.knobs[run.n_knobs++];
  *knob =
      (struct machine_knob){ .name = host_copy(name), .word = host_copy(word) };
  knob->has_number = is_number(number != NULL ? number : word, &knob->number);
  knob->has_text = number != NULL || !knob->has_number;
  run.expression.names = knob_value;
}

/* ---- launches ------------------------------------------------------------- */

static void read_extents(char *text, const char *what, uint32_t extent[3])
{
  extent[0] = extent[1] = extent[2] = 1;
  for (unsigned i = 0; i < 3 && text != NULL; i++) {
    char *comma = strchr(text, ',');
    int64_t value;

    if (comma != NULL)
      *comma++ = '\0';
    value = value_of(text);
    if (value < 0 || value > UINT32_MAX)
      refuse("no such extent of a ", what);
    extent[i] = (uint32_t)value;
    text = comma;
  }
}

static bool take_option(struct machine_launch *launch, char *word)
{
  size_t n = strcspn(word, "=");
  char *value = word + n + 1;

  if (word[n] != '=' || strspn(word, "abcdefghijklmnopqrstuvwxyz") != n)
    return false;
  word[n] = '\0';
  if (strcmp(word, "shared") == 0)
    launch->shared_bytes = (uint32_t)value_of(value);
  else if (strcmp(word, "cluster") == 0)
    read_extents(value, "cluster", launch->cluster);
  else if (strcmp(word, "cooperative") == 0)
    launch->cooperative = value_of(value) != 0;
  else if (strcmp(word, "number") == 0)
    launch->number = (uint64_t)value_of(value);
  else if (strcmp(word, "seed") == 0)
    launch->seed = (uint64_t)value_of(value);
  else if (strcmp(word, "workers") == 0)
    launch->n_workers = (unsigned)value_of(value);
  else if (strcmp(word, "limit") == 0)
    launch->time_limit = (unsigned)value_of(value);
  else if (strcmp(word, "stack") == 0)
    launch->stack_limit = (uint32_t)value_of(value);
  else
    refuse("no such option of a launch: ", word);
  return true;
}

/* A place or TYPE:VALUE; returns how many bytes it has. */
static unsigned argument_bits(const char *word, uint64_t *bits)
{
  const char *colon = strchr(word, ':');
  struct launch_type type = { 'u', 8 };

  if (is_place(word, bits))
    return 8;
  if (colon == NULL || !launch_type_named(word, (size_t)(colon - word), &type))
    refuse("an argument is a buffer or TYPE:VALUE, not ", word);
  *bits = bits_of(type, colon + 1, 0);
  return type.bytes;
}

/* The fields of a struct, each at a multiple of its size. */
static void put_argument(struct machine_launch *launch, size_t *used,
                         char *word)
{
  unsigned at = 0;

  if (launch->n_arguments == MACHINE_ARGUMENTS)
    refuse("too many arguments: ", word);
  for (char *next; word != NULL; word = next) {
    uint64_t bits;
    unsigned bytes;

    next = strchr(word, ';');
    if (next != NULL)
      *next++ = '\0';
    bytes = argument_bits(word, &bits);
    at = (at + bytes - 1) / bytes * bytes;
    if (*used + at + bytes > MACHINE_BYTES)
      refuse("the arguments have more than 4096 bytes: ", word);
    memcpy(launch->bytes + *used + at, &bits, bytes);
    at += bytes;
  }
  launch->argument_bytes[launch->n_arguments++] = at;
  *used += at;
}

static void do_launch(char *rest)
{
  static const char usage[] = "launch KERNEL GRID BLOCK [ARGUMENT…]";
  const char *problem;
  struct machine_launch launch = {
    .n_workers = (unsigned)setting_number("SOFTDEVICE_WORKERS", 1, 1024, 1),
    .seed = setting_number("SOFTDEVICE_SHUFFLE", 0, UINT64_MAX, 0),
    .memory = run.memory,
    .n_memory = run.n_memory,
    .knobs = run.knobs,
    .n_knobs = run.n_knobs,
    .shared = run.shared
  };
  size_t used = 0;

  launch.kernel = need_word(&rest, usage);
  read_extents(need_word(&rest, usage), "grid", launch.grid);
  read_extents(need_word(&rest, usage), "block", launch.block);
  if (run.n_texts == 0)
    refuse("a line `ptx HASH` before it is missing", "");
  if (run.refused != NULL)
    refuse("does not load: ", run.refused);
  for (char *word = launch_word(&rest); word != NULL; word = launch_word(&rest))
    if (!take_option(&launch, word))
      put_argument(&launch, &used, word);
  problem = machine_launch(&launch);
  if (problem != NULL)
    refuse("cannot be launched: ", problem);
  for (size_t i = 0; i < run.n_memory; i++)
    run.memory[i].is_written = true;
  run.faulted =
      !machine_can(MACHINE_RECORDS) && strcmp(machine_fault(), "none") != 0;
  run.launched = true;
}

/* ---- what is expected ----------------------------------------------------- */

static void expect_value(const struct machine_memory *m, size_t i,
                         const char *word, uint64_t got)
{
  char *text = NULL;
  size_t bytes;
  FILE *out = open_memstream(&text, &bytes);

  if (out == NULL)
    host_out_of_memory();
  fprintf(out, "[%zu] is ", i);
  launch_put_bits(out, m->type, got);
  fprintf(out, ", expected %s", word);
  fclose(out);
  fail(m->name, text);
  free(text);
}

/* What is in it now; freed by the caller. */
static uint8_t *contents(const struct machine_memory *m)
{
  uint8_t *now = host_new(m->n * m->type.bytes + 1, 1);

  machine_read(now, m->address, m->n * m->type.bytes);
  return now;
}

static uint64_t number_at(const struct machine_memory *m, const uint8_t *from,
                          size_t i)
{
  uint64_t bits = 0;

  memcpy(&bits, from + i * m->type.bytes, m->type.bytes);
  return bits;
}

static double real_of(struct launch_type type, uint64_t bits)
{
  float single;
  double number;

  memcpy(&single, &bits, sizeof single);
  memcpy(&number, &bits, sizeof number);
  return type.bytes == 4 ? (double)single : number;
}

/* Whether they differ by at most `within`, in relation to the one that is
 * expected where that is more than 1. An infinity is like itself only: no
 * number is near it. */
static bool is_like(struct launch_type type, uint64_t got, uint64_t wanted,
                    double within)
{
  double x, y;

  if (got == wanted || type.kind != 'f')
    return got == wanted;
  x = real_of(type, got);
  y = real_of(type, wanted);
  return x == y || (x != x && y != y) ||
         (isfinite(x) && isfinite(y) &&
          fabs(x - y) <= within * fmax(1, fabs(y)));
}

/* Says the first that differs, and how many do. */
static void compare(const struct machine_memory *m,
                    const struct machine_memory *other, double within)
{
  uint8_t *now = contents(m), *wanted = contents(other);
  size_t n_wrong = 0, first = 0, bytes;
  char *text = NULL;
  FILE *out;

  for (size_t i = m->n; i-- > 0;)
    if (!is_like(m->type, number_at(m, now, i), number_at(other, wanted, i),
                 within)) {
      n_wrong++;
      first = i;
    }
  if (n_wrong > 0) {
    out = open_memstream(&text, &bytes);
    if (out == NULL)
      host_out_of_memory();
    fprintf(out, "[%zu] is ", first);
    launch_put_bits(out, m->type, number_at(m, now, first));
    fputs(", expected ", out);
    launch_put_bits(out, m->type, number_at(other, wanted, first));
    fprintf(out, "; %zu of %zu differ", n_wrong, m->n);
    fclose(out);
    fail(m->name, text);
    free(text);
  }
  free(now);
  free(wanted);
}

/* The rest of: expect NAME like OTHER [within NUMBER] */
static void expect_like(const struct machine_memory *m, char *rest)
{
  static const char usage[] = "expect NAME like OTHER [within NUMBER]";
  struct machine_memory other = need_memory(&rest, usage);
  const char *word = launch_word(&rest);
  double within = 0;
  char *end;

  if (word != NULL) {
    const char *number = launch_word(&rest);

    if (strcmp(word, "within") != 0 || number == NULL)
      refuse("this line is written as: ", usage);
    within = strtod(number, &end);
    if (end == number || *end != '\0' || !(within >= 0) || isinf(within))
      refuse("a number is expected, not ", number);
  }
  if (other.n != m->n || other.type.kind != m->type.kind ||
      other.type.bytes != m->type.bytes)
    refuse("of another type or number: ", other.name);
  compare(m, &other, within);
}

static void do_expect(char *rest)
{
  static const char usage[] = "expect NAME = VALUES";
  char *values = cut_values(rest), **words;
  struct machine_memory m = need_memory(&rest, usage);
  const char *how = launch_word(&rest);
  uint8_t *now;
  size_t n;

  if (how != NULL && strcmp(how, "like") == 0 && values == NULL) {
    expect_like(&m, rest);
    return;
  }
  if (values == NULL)
    refuse("this line is written as: ", usage);
  now = contents(&m);
  words = words_of(values, &n);
  for (size_t i = 0; i < m.n; i++) {
    uint64_t got = number_at(&m, now, i);

    if (strcmp(words[i % n], "_") != 0 &&
        got != bits_of(m.type, words[i % n], i)) {
      expect_value(&m, i, words[i % n], got);
      break;
    }
  }
  free(words);
  free(now);
}

static void do_prints(const char *text)
{
  char *wanted = host_new(strlen(text) + 1, 1);
  size_t n = 0;

  for (; *text != '\0'; text++)
    if (text[0] == '\\' && text[1] == 'n') {
      wanted[n++] = '\n';
      text++;
    } else {
      wanted[n++] = *text;
    }
  if (machine_can(MACHINE_PRINTS) && strcmp(machine_output(), wanted) != 0)
    fail("prints: ", machine_output());
  free(wanted);
}

/* What the last launch printed, or what is in a buffer, on stdout. */
static void do_shows(char *rest)
{
  const char *name = launch_word(&rest);
  struct machine_memory *m;
  uint8_t *now;

  if (name == NULL) {
    fputs(machine_output(), stdout);
    return;
  }
  m = find_memory(name, strlen(name));
  if (m == NULL)
    refuse("no such buffer: ", name);
  now = contents(m);
  printf("%s =", m->name);
  for (size_t i = 0; i < m->n; i++) {
    putchar(' ');
    launch_put_bits(stdout, m->type, number_at(m, now, i));
  }
  putchar('\n');
  free(now);
}

static void do_counts(char *rest)
{
  static const char usage[] = "counts COLUMN N";
  const char *column = need_word(&rest, usage);
  const char *wanted = need_word(&rest, usage);
  char text[96];
  uint64_t got;

  if (!machine_can(MACHINE_COUNTS))
    return;
  if (!machine_count(column, &got))
    refuse("no such column: ", column);
  if (got == (uint64_t)value_of(wanted))
    return;
  snprintf(text, sizeof text, " is %" PRIu64 ", expected %.40s", got, wanted);
  fail(column, text);
}

static void do_fault(const char *text)
{
  const char *got = machine_fault();
  size_t length = strcspn(text, " ");
  const char *more = text + length + strspn(text + length, " ");

  if (strncmp(got, text, length) != 0 || strstr(got, more) == NULL)
    fail("fault: ", got);
  run.faulted = false;
}

static void do_refuses(const char *text)
{
  if (run.refused == NULL || strstr(run.refused, text) == NULL)
    fail("refuses: ", run.refused == NULL ? "(it loads)" : run.refused);
  run.launched = true;
}

static void unexpected_fault(void)
{
  if (run.faulted)
    fail("the launch failed: ", machine_fault());
  run.faulted = false;
}

/* ---- lines ---------------------------------------------------------------- */

bool launch_line(struct launch_place at, const char *key, char *rest)
{
  run.at = at;
  rest += strspn(rest, " \t");
  if (strcmp(key, "fault") == 0) {
    do_fault(rest);
    return true;
  }
  if (strcmp(key, "counts") == 0) {
    do_counts(rest);
    return true;
  }
  unexpected_fault();
  if (strcmp(key, "ptx") == 0)
    do_ptx(rest);
  else if (strcmp(key, "buffer") == 0)
    do_buffer(rest);
  else if (strcmp(key, "align") == 0)
    do_align(rest);
  else if (strcmp(key, "variable") == 0)
    do_variable(rest);
  else if (strcmp(key, "set") == 0)
    do_set(rest);
  else if (strcmp(key, "knob") == 0)
    do_knob(rest);
  else if (strcmp(key, "shared") == 0)
    run.shared = type_of(need_word(&rest, "shared TYPE"));
  else if (strcmp(key, "launch") == 0)
    do_launch(rest);
  else if (strcmp(key, "expect") == 0)
    do_expect(rest);
  else if (strcmp(key, "shows") == 0)
    do_shows(rest);
  else if (strcmp(key, "prints") == 0)
    do_prints(rest);
  else if (strcmp(key, "refuses") == 0)
    do_refuses(rest);
  else
    return false;
  return true;
}

int launch_end(struct launch_place at)
{
  run.at = at;
  unexpected_fault();
  if (!run.launched)
    refuse("nothing to run: ", run.refused == NULL ? "" : run.refused);
  for (size_t i = 0; i < run.n_memory; i++)
    free(run.memory[i].name);
  for (size_t i = 0; i < run.n_texts; i++)
    free(run.texts[i]);
  for (size_t i = 0; i < run.n_knobs; i++) {
    free(run.knobs[i].name);
    free(run.knobs[i].word);
  }
  free(run.memory);
  free(run.knobs);
  free(run.texts);
  free(run.refused);
  return run.failures;
}
