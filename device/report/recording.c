/* Keeps what the executor reports, then writes it small: warps that take the
 * same path share it, accesses of the same shape share that, and numbers that
 * grow by equal steps are written as such. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "recording.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../check/describe.h"
#include "../check/source.h"
#include "../memory/memory.h"
#include "../support/host_memory.h"
#include "totals.h"

enum { LANES = 32, MOST_ELEMENTS = 8, SECTOR_BYTES = 32, LINE_BYTES = 128 };

/* ---- numbers -------------------------------------------------------------- */

static const struct {
  const char *name;
  unsigned bytes;
} numbers[] = {
  [NUMBER_NONE] = { "", 0 },   [NUMBER_U8] = { "u8", 1 },
  [NUMBER_S8] = { "s8", 1 },   [NUMBER_U16] = { "u16", 2 },
  [NUMBER_S16] = { "s16", 2 }, [NUMBER_U32] = { "u32", 4 },
  [NUMBER_S32] = { "s32", 4 }, [NUMBER_U64] = { "u64", 8 },
  [NUMBER_S64] = { "s64", 8 }, [NUMBER_F32] = { "f32", 4 },
  [NUMBER_F64] = { "f64", 8 },
};
enum { N_NUMBERS = sizeof numbers / sizeof *numbers };

enum number_type number_named(const char *name, size_t length)
{
  for (size_t i = 1; i < N_NUMBERS; i++)
    if (strlen(numbers[i].name) == length &&
        memcmp(numbers[i].name, name, length) == 0)
      return (enum number_type)i;
  return NUMBER_NONE;
}

unsigned number_bytes(enum number_type type) { return numbers[type].bytes; }

static double number_value(enum number_type type, uint64_t bits)
{
  double wide;
  float narrow;
  uint32_t low = (uint32_t)bits;

  switch (type) {
  case NUMBER_F32: memcpy(&narrow, &low, sizeof narrow); return narrow;
  case NUMBER_F64: memcpy(&wide, &bits, sizeof wide); return wide;
  case NUMBER_S8: return (int8_t)low;
  case NUMBER_S16: return (int16_t)low;
  case NUMBER_S32: return (int32_t)low;
  case NUMBER_S64: return (double)(int64_t)bits;
  default: return (double)bits;
  }
}

void number_print(FILE *out, enum number_type type, uint64_t bits)
{
  double value = number_value(type, bits);

  if (isnan(value))
    fputs("\"nan\"", out);
  else if (isinf(value))
    fputs(value > 0 ? "\"inf\"" : "\"-inf\"", out);
  else if (type == NUMBER_F32)
    fprintf(out, "%.9g", value);
  else if (type == NUMBER_F64)
    fprintf(out, "%.17g", value);
  else if (type == NUMBER_S64)
    fprintf(out, "%" PRId64, (int64_t)bits);
  else if (value < 0)
    fprintf(out, "%.0f", value);
  else
    fprintf(out, "%" PRIu64, bits);
}

static uint64_t take_bits(const void *from, unsigned bytes)
{
  uint64_t bits = 0;

  memcpy(&bits, from, bytes);
  return bits;
}

static void put_text(FILE *out, const char *text)
{
  fputc('"', out);
  for (; text != NULL && *text != '\0'; text++) {
    unsigned char c = (unsigned char)*text;

    if (c == '"' || c == '\\')
      fprintf(out, "\\%c", c);
    else if (c < ' ')
      fprintf(out, "\\u%04x", c);
    else
      fputc(c, out);
  }
  fputc('"', out);
}

/* ---- what is kept --------------------------------------------------------- */

struct code {
  const char *file; /* a copy; NULL: no line is known */
  unsigned line, ptx_line;
  char *opcode;
  bool accesses; /* some execution of it touched memory */
};

/* All that accesses which differ in their place alone have in common. */
struct shape {
  enum fault_space space;
  uint8_t operation;
  uint8_t n_elements, element_bytes;
  enum number_type type;
  uint32_t allocation; /* 0: none */
  uint32_t mask;
  uint32_t wavefronts, ideal;
  int64_t distance[LANES]; /* from the first lane's address */
  uint8_t wavefront[LANES];
};

struct access {
  uint32_t shape;
  uint64_t base; /* of the first lane, within the allocation */
  size_t values; /* where the lanes' elements begin */
};

struct step {
  uint32_t code, block, warp, active, executed;
  uint32_t access; /* 1 more than its index; 0: none */
};

/* A number that can only be read when its instruction is done. */
struct late {
  const void *memory;
  size_t value;
  unsigned bytes;
};

struct recording {
  uint64_t limit, rows;
  bool truncated;
  enum number_type shared;
  uint32_t grid[3];
  struct recording_buffer *buffers;
  size_t n_buffers;
  struct code *codes;
  size_t n_codes;
  struct shape *shapes;
  size_t n_shapes;
  uint32_t *shape_table; /* a hash table of indices plus 1 */
  size_t shape_slots;
  struct step *steps;
  size_t n_steps;
  struct access *accesses;
  size_t n_accesses;
  uint64_t *values;
  size_t n_values;
  struct late *late;
  size_t n_late;
  struct shape now; /* of the request whose lanes are coming in */
  bool is_open;
  uint64_t first_address, request;
  char *report;
  const char *report_kind; /* a constant */
  bool is_race;
  char *report_file;
  unsigned report_lines[2];
  size_t n_reports;
};

/* Space for one item more: the arrays double whenever they hold a power of two,
 * beginning with 16. */
#define GROW(array, n)                                                         \
  do {                                                                         \
    if ((n) == 0 || ((n) >= 16 && ((n) & ((n)-1)) == 0))                       \
      (array) = host_grow((array), (n) == 0 ? 16 : 2 * (n), sizeof *(array));  \
  } while (0)

struct recording *recording_new(uint64_t limit, enum number_type shared)
{
  struct recording *r = host_new(1, sizeof *r);

  r->limit = limit;
  r->shared = shared;
  return r;
}

void recording_free(struct recording *r)
{
  if (r == NULL)
    return;
  for (size_t i = 0; i < r->n_buffers; i++)
    free(r->buffers[i].values);
  for (size_t i = 0; i < r->n_codes; i++) {
    free((char *)r->codes[i].file);
    free(r->codes[i].opcode);
  }
  free(r->buffers);
  free(r->codes);
  free(r->shapes);
  free(r->shape_table);
  free(r->steps);
  free(r->accesses);
  free(r->values);
  free(r->late);
  free(r->report);
  free(r->report_file);
  free(r);
}

void recording_add(struct recording *r, const char *name, enum number_type type,
                   uint64_t address, size_t n, bool is_written)
{
  struct recording_buffer *b;
  struct allocation found;
  unsigned bytes = number_bytes(type);
  const uint8_t *memory = memory_look(address, n * bytes);

  GROW(r->buffers, r->n_buffers);
  b = &r->buffers[r->n_buffers++];
  *b = (struct recording_buffer){
    .type = type, .address = address, .n = n, .is_written = is_written
  };
  if (memory_find(address, &found))
    b->serial = found.serial;
  snprintf(b->name, sizeof b->name, "%s", name);
  b->values = host_new(n + 1, sizeof *b->values);
  for (size_t i = 0; i < n && memory != NULL; i++)
    b->values[i] = take_bits(memory + i * bytes, bytes);
}

/* ---- steps ---------------------------------------------------------------- */

static uint32_t code_of(struct recording *r,
                        const struct issued_instruction *issued)
{
  struct code *c;

  /* The instruction after the one before, as a rule. */
  for (size_t i = r->n_codes; i-- > 0;)
    if (r->codes[i].ptx_line == issued->ptx_line &&
        strcmp(r->codes[i].opcode, issued->opcode) == 0)
      return (uint32_t)i;
  GROW(r->codes, r->n_codes);
  c = &r->codes[r->n_codes];
  *c = (struct code){ .line = issued->source.line,
                      .ptx_line = issued->ptx_line };
  if (issued->source.file != NULL)
    c->file = host_copy(source_name(issued->source.file));
  c->opcode = host_copy(issued->opcode);
  return (uint32_t)r->n_codes++;
}

static void read_late(struct recording *r)
{
  for (size_t i = 0; i < r->n_late; i++)
    r->values[r->late[i].value] =
        take_bits(r->late[i].memory, r->late[i].bytes);
  r->n_late = 0;
}

static uint32_t shape_hash(const struct shape *shape)
{
  const uint8_t *bytes = (const uint8_t *)shape;
  uint32_t hash = 2166136261u;

  for (size_t i = 0; i < sizeof *shape; i++)
    hash = (hash ^ bytes[i]) * 16777619u;
  return hash;
}

static void rehash_shapes(struct recording *r)
{
  r->shape_slots = r->shape_slots == 0 ? 256 : 2 * r->shape_slots;
  free(r->shape_table);
  r->shape_table = host_new(r->shape_slots, sizeof *r->shape_table);
  for (size_t i = 0; i < r->n_shapes; i++) {
    size_t at = shape_hash(&r->shapes[i]) & (r->shape_slots - 1);

    while (r->shape_table[at] != 0)
      at = (at + 1) & (r->shape_slots - 1);
    r->shape_table[at] = (uint32_t)i + 1;
  }
}

static uint32_t shape_index(struct recording *r, const struct shape *shape)
{
  size_t at;

  if (2 * (r->n_shapes + 1) > r->shape_slots)
    rehash_shapes(r);
  at = shape_hash(shape) & (r->shape_slots - 1);
  while (r->shape_table[at] != 0) {
    uint32_t i = r->shape_table[at] - 1;

    if (memcmp(&r->shapes[i], shape, sizeof *shape) == 0)
      return i;
    at = (at + 1) & (r->shape_slots - 1);
  }
  GROW(r->shapes, r->n_shapes);
  r->shapes[r->n_shapes] = *shape;
  r->shape_table[at] = (uint32_t)r->n_shapes + 1;
  return (uint32_t)r->n_shapes++;
}

/* All lanes of the request are in. */
static void close_access(struct recording *r)
{
  if (!r->is_open)
    return;
  r->is_open = false;
  r->accesses[r->n_accesses - 1].shape = shape_index(r, &r->now);
}

static bool is_full(struct recording *r)
{
  r->truncated |= r->rows >= r->limit;
  r->rows++;
  return r->truncated;
}

static void take_step(void *context, const struct issued_instruction *issued)
{
  struct recording *r = context;
  uint32_t block =
      (issued->block[2] * r->grid[1] + issued->block[1]) * r->grid[0] +
      issued->block[0];

  close_access(r);
  read_late(r);
  if (is_full(r))
    return;
  GROW(r->steps, r->n_steps);
  r->steps[r->n_steps++] = (struct step){ .code = code_of(r, issued),
                                          .block = block,
                                          .warp = issued->warp,
                                          .active = issued->active,
                                          .executed = issued->executed };
}

/* ---- accesses ------------------------------------------------------------- */

static const char *last_type(const char *opcode, size_t *length)
{
  const char *found = NULL;

  for (const char *at = strchr(opcode, '.'); at != NULL;
       at = strchr(at + 1, '.')) {
    size_t n = strcspn(at + 1, ".");

    if (strchr("busf", at[1]) != NULL && n > 1 &&
        strspn(at + 2, "0123456789") == n - 1) {
      found = at + 1;
      *length = n;
    }
  }
  return found;
}

/* What the numbers of an access are: what its memory holds, if they consist of
 * one or several of these, else what the instruction says. */
static enum number_type type_of(const char *opcode, enum number_type wanted,
                                unsigned bytes)
{
  size_t length = 0;
  const char *name = last_type(opcode, &length);
  enum number_type type =
      name == NULL ? NUMBER_NONE : number_named(name, length);

  if (wanted != NUMBER_NONE && bytes % number_bytes(wanted) == 0)
    return wanted;
  if (type != NUMBER_NONE && number_bytes(type) == bytes)
    return type;
  return bytes == 8   ? NUMBER_U64
         : bytes == 2 ? NUMBER_U16
         : bytes == 1 ? NUMBER_U8
                      : NUMBER_U32;
}

/* Variables of the program join the buffers when they are first touched. */
static uint32_t buffer_at(struct recording *r, uint64_t address,
                          enum number_type type)
{
  struct allocation found;

  for (size_t i = 0; i < r->n_buffers; i++)
    if (address - r->buffers[i].address <
        r->buffers[i].n * number_bytes(r->buffers[i].type))
      return (uint32_t)i + 1;
  if (!memory_find(address, &found))
    return 0;
  recording_add(r, found.label != NULL ? found.label : "memory", type,
                found.address, found.bytes / number_bytes(type),
                found.kind == MEMORY_VARIABLE);
  return (uint32_t)r->n_buffers;
}

static void open_access(struct recording *r, const struct lane_access *a)
{
  struct step *step = &r->steps[r->n_steps - 1];
  const struct code *code = &r->codes[step->code];
  unsigned bytes = a->bytes / a->n_elements;
  enum number_type type = type_of(
      code->opcode, a->space == SPACE_SHARED ? r->shared : NUMBER_NONE, bytes);
  bool has_buffer = a->space == SPACE_GLOBAL || a->space == SPACE_CONSTANT;
  uint32_t allocation = has_buffer ? buffer_at(r, a->address, type) : 0;

  if (allocation != 0)
    type = type_of(code->opcode, r->buffers[allocation - 1].type, bytes);
  memset(&r->now, 0, sizeof r->now);
  r->now.space = a->space;
  r->now.operation = (uint8_t)a->operation;
  r->now.element_bytes = (uint8_t)number_bytes(type);
  r->now.n_elements = (uint8_t)(a->bytes / r->now.element_bytes);
  r->now.type = type;
  r->now.allocation = allocation;
  r->now.wavefronts = a->wavefronts;
  r->now.ideal = a->ideal;
  r->first_address = a->address;
  r->request = a->request;
  r->is_open = true;
  GROW(r->accesses, r->n_accesses);
  r->accesses[r->n_accesses] = (struct access){
    .base =
        a->address - (allocation != 0 ? r->buffers[allocation - 1].address : 0),
    .values = r->n_values,
  };
  r->codes[step->code].accesses = true;
  step->access = (uint32_t)++r->n_accesses;
}

static void take_values(struct recording *r, const struct lane_access *a)
{
  unsigned bytes = r->now.element_bytes, per = a->bytes / a->n_elements / bytes;

  for (unsigned i = 0; i < r->now.n_elements; i++) {
    GROW(r->values, r->n_values);
    if (a->operation == ACCESS_STORE && a->is_known) {
      uint64_t bits = a->stored[i / per] >> 8 * bytes * (i % per);

      r->values[r->n_values] = take_bits(&bits, bytes);
    } else if (a->operation == ACCESS_LOAD) {
      r->values[r->n_values] =
          take_bits((const uint8_t *)a->memory + i * bytes, bytes);
    } else {
      GROW(r->late, r->n_late);
      r->late[r->n_late++] =
          (struct late){ (const uint8_t *)a->memory + i * bytes, r->n_values,
                         bytes };
      r->values[r->n_values] = 0;
    }
    r->n_values++;
  }
}

/* An instruction that makes several requests is shown with its first. */
static void take_access(void *context, const struct lane_access *a)
{
  struct recording *r = context;

  if (r->truncated || r->n_steps == 0)
    return;
  if (!r->is_open || r->request != a->request) {
    close_access(r);
    if (r->steps[r->n_steps - 1].access != 0)
      return;
    open_access(r, a);
  }
  is_full(r);
  r->now.mask |= UINT32_C(1) << a->lane;
  r->now.distance[a->lane] = (int64_t)(a->address - r->first_address);
  r->now.wavefront[a->lane] = (uint8_t)a->wavefront;
  take_values(r, a);
}

/* ---- what was found ------------------------------------------------------- */

static const char *buffer_name(const struct recording *r, uint64_t serial)
{
  for (size_t i = 0; i < r->n_buffers; i++)
    if (r->buffers[i].serial == serial)
      return r->buffers[i].name;
  return NULL;
}

/* "allocation 2" by the name that the buffer has in the scene. */
static void put_named(FILE *out, const struct recording *r, const char *text,
                      size_t n)
{
  static const char word[] = "allocation ";
  const char *end = text + n;

  while (text < end) {
    char *after = NULL;
    const char *name = NULL;

    if (strncmp(text, word, sizeof word - 1) == 0)
      name = buffer_name(r, strtoull(text + sizeof word - 1, &after, 10));
    if (name != NULL) {
      fputs(name, out);
      text = after;
    } else {
      fputc(*text++, out);
    }
  }
}

/* Addresses of device memory differ from machine to machine. */
static void put_message(FILE *out, const struct recording *r, const char *text)
{
  static const char start[] = "  address 0x", head[] = "softdevice: ";

  if (strncmp(text, head, sizeof head - 1) == 0)
    text += sizeof head - 1;
  while (*text != '\0') {
    size_t n = strcspn(text, "\n"), digits;

    if (strncmp(text, start, sizeof start - 1) == 0) {
      digits = strspn(text + sizeof start - 1, "0123456789abcdef");
      if (text[sizeof start - 1 + digits] == ':') {
        fputs("  ", out);
        text += sizeof start + digits + 1;
        n = strcspn(text, "\n");
      }
    }
    put_named(out, r, text, n);
    text += n;
    if (*text == '\n' && *++text != '\0')
      fputc('\n', out);
  }
}

static char *message_of(const struct recording *r,
                        const struct finding *finding,
                        const struct fault *fault)
{
  char *whole = NULL, *kept = NULL;
  size_t bytes;
  FILE *out = open_memstream(&whole, &bytes);

  if (out == NULL)
    host_out_of_memory();
  if (finding != NULL)
    finding_describe(out, finding);
  else
    fault_print(out, fault);
  fclose(out);
  out = open_memstream(&kept, &bytes);
  if (out == NULL)
    host_out_of_memory();
  put_message(out, r, whole);
  fclose(out);
  free(whole);
  return kept;
}

/* The first finding is kept, or the first race: where threads do not wait for
 * each other, a read of what nothing has written yet is found before the race
 * that is its cause. */
static void take_finding(void *context, const struct finding *finding)
{
  struct recording *r = context;

  if (r->n_reports++ > 0 && (r->is_race || finding->check != CHECK_RACE))
    return;
  r->is_race = finding->check == CHECK_RACE;
  free(r->report);
  free(r->report_file);
  r->report_file = NULL;
  r->report = message_of(r, finding, NULL);
  r->report_kind = finding->title;
  if (finding->here.source.file != NULL)
    r->report_file = host_copy(source_name(finding->here.source.file));
  r->report_lines[0] = finding->here.source.line;
  r->report_lines[1] =
      finding->there.did != NULL ? finding->there.source.line : 0;
}

/* Follows the finding that came before it, if there was one: a barrier in
 * divergent code may end in a deadlock. */
static void take_fault(struct recording *r, const struct fault *fault)
{
  char *text, *before = r->report;
  size_t bytes;
  FILE *out;

  if (fault == NULL || fault->reported)
    return;
  text = message_of(r, NULL, fault);
  if (r->n_reports++ == 0) {
    r->report = text;
    r->report_kind = fault_title(fault->kind);
    if (fault->source.file != NULL)
      r->report_file = host_copy(source_name(fault->source.file));
    r->report_lines[0] = fault->source.line;
    return;
  }
  out = open_memstream(&r->report, &bytes);
  if (out == NULL)
    host_out_of_memory();
  fprintf(out, "%s\n%s", before, text);
  fclose(out);
  free(before);
  free(text);
}

void recording_begin(struct recording *r, struct launch *launch)
{
  memcpy(r->grid, launch->grid, sizeof r->grid);
  launch->trace = take_step;
  launch->sink = take_access;
  launch->sink_context = r;
  finding_listen(take_finding, r);
}

/* ---- writing -------------------------------------------------------------- */

/* Codes in the order of the PTX, so that what follows has the next number. */
static int by_ptx_line(const void *a, const void *b)
{
  const struct code *const *x = a, *const *y = b;

  if ((*x)->ptx_line != (*y)->ptx_line)
    return (*x)->ptx_line < (*y)->ptx_line ? -1 : 1;
  return strcmp((*x)->opcode, (*y)->opcode);
}

static void sort_codes(struct recording *r)
{
  const struct code **order = host_new(r->n_codes + 1, sizeof *order);
  struct code *sorted = host_new(r->n_codes + 1, sizeof *sorted);
  uint32_t *now_at = host_new(r->n_codes + 1, sizeof *now_at);

  for (size_t i = 0; i < r->n_codes; i++)
    order[i] = &r->codes[i];
  qsort(order, r->n_codes, sizeof *order, by_ptx_line);
  for (size_t i = 0; i < r->n_codes; i++) {
    sorted[i] = *order[i];
    now_at[order[i] - r->codes] = (uint32_t)i;
  }
  for (size_t i = 0; i < r->n_steps; i++)
    r->steps[i].code = now_at[r->steps[i].code];
  free(r->codes);
  free(order);
  free(now_at);
  r->codes = sorted;
}

static const char *const space_names[] = {
  [SPACE_GLOBAL] = "global",       [SPACE_SHARED] = "shared",
  [SPACE_LOCAL] = "local",         [SPACE_CONSTANT] = "constant",
  [SPACE_PARAMETER] = "parameter", [SPACE_NONE] = ""
};
static const char *const operation_names[] = {
  [ACCESS_LOAD] = "load", [ACCESS_STORE] = "store", [ACCESS_ATOMIC] = "atomic"
};

static int file_index(struct recording *r, const char *file)
{
  int n = 0;

  if (file == NULL)
    return -1;
  for (size_t i = 0; i < r->n_codes; i++) {
    bool is_new = r->codes[i].file != NULL;

    for (size_t k = 0; k < i && is_new; k++)
      is_new = r->codes[k].file == NULL ||
               strcmp(r->codes[k].file, r->codes[i].file) != 0;
    if (!is_new)
      continue;
    if (strcmp(r->codes[i].file, file) == 0)
      return n;
    n++;
  }
  return -1;
}

static void put_files(FILE *out, struct recording *r)
{
  int n = 0;

  fputs("\"files\":[", out);
  for (size_t i = 0; i < r->n_codes; i++)
    if (r->codes[i].file != NULL && file_index(r, r->codes[i].file) == n) {
      fputs(n++ > 0 ? "," : "", out);
      put_text(out, r->codes[i].file);
    }
  fputs("],\n", out);
}

static void put_codes(FILE *out, struct recording *r, bool is_plain)
{
  fputs("\"code\":[", out);
  for (size_t i = 0; i < r->n_codes; i++) {
    const struct code *c = &r->codes[i];

    fputs(i > 0 ? "," : "", out);
    fprintf(out,
            is_plain ? "{\"file\":%d,\"line\":%u,\"ptx_line\":%u,\"opcode\":"
                     : "[%d,%u,%u,",
            file_index(r, c->file), c->line, c->ptx_line);
    put_text(out, c->opcode);
    fputs(is_plain ? "}" : c->accesses ? ",1]" : "]", out);
  }
  fputs("],\n", out);
}

/* Numbers as they are, or, where this is shorter, the first one and then pairs:
 * how many times which difference. Only whole numbers that a double holds are
 * added up again without a loss. */
static void put_series(FILE *out, enum number_type type, const uint64_t *bits,
                       size_t n)
{
  size_t n_pairs = 0;
  double step = 0;

  for (size_t i = 0; i < n; i++) {
    double value = number_value(type, bits[i]);

    if (!(fabs(value) < 0x1p52) || value != trunc(value) ||
        (value == 0 && signbit(value)))
      n_pairs = n;
    if (i > 0 && n_pairs < n) {
      double here = value - number_value(type, bits[i - 1]);

      n_pairs += i == 1 || here != step;
      step = here;
    }
  }
  if (n < 3 || 2 * n_pairs + 1 >= n) {
    for (size_t i = 0; i < n; i++) {
      fputs(i > 0 ? "," : "[", out);
      number_print(out, type, bits[i]);
    }
    fputs(n == 0 ? "[]" : "]", out);
    return;
  }
  fputs("{\"s\":[", out);
  number_print(out, type, bits[0]);
  for (size_t i = 1; i < n;) {
    double here = number_value(type, bits[i]) - number_value(type, bits[i - 1]);
    size_t times = 1;

    while (i + times < n && number_value(type, bits[i + times]) -
                                    number_value(type, bits[i + times - 1]) ==
                                here)
      times++;
    fprintf(out, ",%zu,%.17g", times, here);
    i += times;
  }
  fputs("]}", out);
}

/* What memory holds in the end, for tests. */
static void put_final(FILE *out, const struct recording_buffer *b)
{
  unsigned bytes = number_bytes(b->type);
  const uint8_t *memory = memory_look(b->address, b->n * bytes);

  fputs("],\"final\":[", out);
  for (size_t i = 0; i < b->n && memory != NULL; i++) {
    fputs(i > 0 ? "," : "", out);
    number_print(out, b->type, take_bits(memory + i * bytes, bytes));
  }
}

static void put_buffers(FILE *out, const struct recording *r, bool is_plain)
{
  fputs("\"buffers\":[", out);
  for (size_t i = 0; i < r->n_buffers; i++) {
    const struct recording_buffer *b = &r->buffers[i];

    fputs(i > 0 ? ",\n{\"name\":" : "{\"name\":", out);
    put_text(out, b->name);
    fprintf(out, ",\"type\":\"%s\",\"allocation\":%zu,", numbers[b->type].name,
            i + 1);
    if (!is_plain)
      fprintf(out, "\"n\":%zu,", b->n);
    fputs("\"values\":", out);
    if (!b->is_written && !is_plain)
      fputs("null", out);
    else if (!is_plain)
      put_series(out, b->type, b->values, b->n);
    for (size_t k = 0; k < b->n && is_plain; k++) {
      fputc(k > 0 ? ',' : '[', out);
      if (b->is_written)
        number_print(out, b->type, b->values[k]);
      else
        fputs("null", out);
    }
    if (is_plain)
      put_final(out, b);
    fputs(is_plain ? "]}" : "}", out);
  }
  fputs("],\n", out);
}

/* [space, operation, element type, elements, allocation, mask, wavefronts,
 *  ideal, differences of the lanes' addresses, of their wavefronts] */
static void put_shape(FILE *out, const struct shape *s)
{
  uint64_t address[LANES], wavefront[LANES];
  size_t n = 0;

  for (uint32_t m = s->mask; m != 0; m &= m - 1, n++) {
    unsigned l = (unsigned)__builtin_ctz(m);

    address[n] = (uint64_t)s->distance[l];
    wavefront[n] = s->wavefront[l];
  }
  fprintf(out,
          "[\"%s\",\"%s\",\"%s\",%u,%" PRIu32 ",%" PRIu32 ",%" PRIu32
          ",%" PRIu32 ",",
          space_names[s->space], operation_names[s->operation],
          numbers[s->type].name, s->n_elements, s->allocation, s->mask,
          s->wavefronts, s->ideal);
  put_series(out, NUMBER_S64, address, n);
  if (s->wavefronts > 1) {
    fputc(',', out);
    put_series(out, NUMBER_S64, wavefront, n);
  }
  fputc(']', out);
}

/* One after the other, what a warp executed without another one's coming in
 * between. */
struct turn {
  size_t first, n; /* steps */
  uint32_t path;
};

/* A path as text: the pieces of straight code, and the shapes. Two turns with
 * the same text share it. */
static char *path_text(const struct recording *r, const struct turn *turn)
{
  char *text = NULL;
  size_t bytes;
  FILE *out = open_memstream(&text, &bytes);
  bool comma = false;

  if (out == NULL)
    host_out_of_memory();
  fputs("[[", out);
  for (size_t i = 0; i < turn->n;) {
    const struct step *s = &r->steps[turn->first + i];
    size_t n = 1;

    while (i + n < turn->n && s[n].code == s->code + n &&
           s[n].active == s->active && s[n].executed == s->executed)
      n++;
    fprintf(out, "%s%" PRIu32 ",%zu,%" PRId32 ",%" PRId32, comma ? "," : "",
            s->code, n, (int32_t)s->active, (int32_t)s->executed);
    comma = true;
    i += n;
  }
  fputs("],[", out);
  comma = false;
  for (size_t i = 0; i < turn->n; i++) {
    const struct step *s = &r->steps[turn->first + i];

    if (!r->codes[s->code].accesses)
      continue;
    fprintf(out, "%s%" PRIu32, comma ? "," : "",
            s->access == 0 ? 0 : r->accesses[s->access - 1].shape + 1);
    comma = true;
  }
  fputs("]]", out);
  fclose(out);
  return text;
}

struct paths {
  char **texts;
  int64_t **last; /* the bases of the last turn that took it */
  size_t n;
};

static struct turn *find_turns(const struct recording *r, struct paths *paths,
                               size_t *n_turns)
{
  struct turn *turns = NULL;

  *n_turns = 0;
  for (size_t i = 0; i < r->n_steps;) {
    struct turn turn = { .first = i };
    const struct step *s = &r->steps[i];
    char *text;

    while (i < r->n_steps && r->steps[i].block == s->block &&
           r->steps[i].warp == s->warp)
      i++;
    turn.n = i - turn.first;
    text = path_text(r, &turn);
    while (turn.path < paths->n && strcmp(paths->texts[turn.path], text) != 0)
      turn.path++;
    if (turn.path == paths->n) {
      GROW(paths->texts, paths->n);
      GROW(paths->last, paths->n);
      paths->last[paths->n] = host_new(turn.n + 1, sizeof **paths->last);
      paths->texts[paths->n++] = text;
    } else {
      free(text);
    }
    GROW(turns, *n_turns);
    turns[(*n_turns)++] = turn;
  }
  return turns;
}

/* block, warp, path, then for each access where its first lane is, as a
 * difference from the last turn on this path. */
static void put_turn(FILE *out, const struct recording *r,
                     const struct turn *turn, const struct paths *paths)
{
  int64_t *last = paths->last[turn->path];

  fprintf(out, "%" PRIu32 ",%" PRIu32 ",%" PRIu32, r->steps[turn->first].block,
          r->steps[turn->first].warp, turn->path);
  for (size_t i = 0; i < turn->n; i++) {
    const struct step *s = &r->steps[turn->first + i];

    if (s->access != 0) {
      int64_t base = (int64_t)r->accesses[s->access - 1].base;

      fprintf(out, ",%" PRId64, base - last[i]);
      last[i] = base;
    }
  }
}

static size_t lanes_of(const struct shape *s)
{
  return (size_t)__builtin_popcount(s->mask);
}

/* What is stored, access by access. */
static void put_values(FILE *out, const struct recording *r)
{
  bool comma = false;

  fputs("\"values\":[", out);
  for (size_t i = 0; i < r->n_accesses; i++) {
    const struct access *a = &r->accesses[i];
    const struct shape *s = &r->shapes[a->shape];

    if (s->operation == ACCESS_LOAD)
      continue;
    fputs(comma ? ",\n" : "", out);
    put_series(out, s->type, r->values + a->values,
               lanes_of(s) * s->n_elements);
    comma = true;
  }
  fputs("],\n", out);
}

static void put_packed(FILE *out, const struct recording *r)
{
  struct paths paths = { 0 };
  size_t n_turns;
  struct turn *turns = find_turns(r, &paths, &n_turns);

  fputs("\"shapes\":[", out);
  for (size_t i = 0; i < r->n_shapes; i++) {
    fputs(i > 0 ? ",\n" : "", out);
    put_shape(out, &r->shapes[i]);
  }
  fputs("],\n\"paths\":[", out);
  for (size_t i = 0; i < paths.n; i++)
    fprintf(out, "%s%s", i > 0 ? ",\n" : "", paths.texts[i]);
  fputs("],\n\"turns\":[", out);
  for (size_t i = 0; i < n_turns; i++) {
    fputs(i > 0 ? ",\n" : "", out);
    put_turn(out, r, &turns[i], &paths);
  }
  fputs("],\n", out);
  put_values(out, r);
  for (size_t i = 0; i < paths.n; i++) {
    free(paths.texts[i]);
    free(paths.last[i]);
  }
  free(paths.texts);
  free(paths.last);
  free(turns);
}

static unsigned sectors_of(const struct access *a, const struct shape *s)
{
  int64_t seen[LANES];
  unsigned n = 0;

  for (uint32_t m = s->mask; m != 0; m &= m - 1) {
    int64_t sector =
        ((int64_t)a->base + s->distance[__builtin_ctz(m)]) / SECTOR_BYTES;
    unsigned k = 0;

    while (k < n && seen[k] != sector)
      k++;
    if (k == n)
      seen[n++] = sector;
  }
  return n;
}

static void put_plain_access(FILE *out, const struct recording *r,
                             const struct access *a)
{
  const struct shape *s = &r->shapes[a->shape];
  size_t value = a->values;
  bool comma = false;

  fprintf(out,
          "{\"space\":\"%s\",\"operation\":\"%s\",\"bytes\":%u,"
          "\"allocation\":%" PRIu32 ",\"wavefronts\":%" PRIu32
          ",\"ideal\":%" PRIu32 ",\"sectors\":%u,\"lanes\":[",
          space_names[s->space], operation_names[s->operation],
          s->n_elements * s->element_bytes, s->allocation, s->wavefronts,
          s->ideal, s->space == SPACE_GLOBAL ? sectors_of(a, s) : 0);
  for (uint32_t m = s->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);

    fprintf(out,
            "%s{\"lane\":%u,\"address\":%" PRId64
            ",\"wavefront\":%u,\"value\":%s",
            comma ? "," : "", l, (int64_t)a->base + s->distance[l],
            s->wavefront[l], s->n_elements > 1 ? "[" : "");
    for (unsigned i = 0; i < s->n_elements; i++) {
      fputs(i > 0 ? "," : "", out);
      number_print(out, s->type, r->values[value++]);
    }
    fputs(s->n_elements > 1 ? "]}" : "}", out);
    comma = true;
  }
  fputs("]}", out);
}

static void put_plain(FILE *out, const struct recording *r)
{
  fputs("\"steps\":[", out);
  for (size_t i = 0; i < r->n_steps; i++) {
    const struct step *s = &r->steps[i];

    fprintf(out,
            "%s{\"code\":%" PRIu32 ",\"block\":%" PRIu32 ",\"warp\":%" PRIu32
            ",\"active\":%" PRIu32 ",\"executed\":%" PRIu32 ",\"access\":",
            i > 0 ? ",\n" : "", s->code, s->block, s->warp, s->active,
            s->executed);
    if (s->access != 0)
      put_plain_access(out, r, &r->accesses[s->access - 1]);
    else
      fputs("null", out);
    fputc('}', out);
  }
  fputs("],\n", out);
}

static void put_counts(FILE *out, const struct launch_counts *counts)
{
  struct totals totals = { 0 };
  bool comma = false;

  for (size_t i = 0; i < counts->n_records; i++)
    totals_add_record(&totals, &counts->records[i]);
  fputs("\"counts\":{", out);
#define COUNTER(of, column, ...)                                               \
  if (TOTALS_##of < TOTALS_TENSOR) {                                           \
    fprintf(out, "%s\"" #column "\":%" PRIu64, comma ? "," : "",               \
            totals.column);                                                    \
    comma = true;                                                              \
  }
#include "counts.def"
  fputs("},\n", out);
}

static void put_report(FILE *out, const struct recording *r)
{
  fputs("\"report\":", out);
  if (r->report == NULL) {
    fputs("null,\n", out);
    return;
  }
  fputs("{\"kind\":", out);
  put_text(out, r->report_kind);
  fputs(",\"text\":", out);
  put_text(out, r->report);
  fputs(",\"file\":", out);
  put_text(out, r->report_file);
  fprintf(out, ",\"line\":%u,\"lines\":[", r->report_lines[0]);
  for (unsigned i = 0; i < 2; i++)
    if (r->report_lines[i] != 0)
      fprintf(out, "%s%u", i > 0 ? "," : "", r->report_lines[i]);
  fprintf(out, "],\"findings\":%zu},\n", r->n_reports);
}

/* What was left out must not be replayed half. */
static void forget_steps(struct recording *r)
{
  r->n_steps = r->n_accesses = r->n_values = r->n_codes = r->n_shapes = 0;
}

void recording_write(FILE *out, struct recording *r,
                     const struct recording_end *end, bool is_plain)
{
  close_access(r);
  read_late(r);
  take_fault(r, end->fault);
  if (r->truncated)
    forget_steps(r);
  else
    sort_codes(r);
  fprintf(out, "{\"format\":1,\"kernel\":");
  put_text(out, end->kernel);
  fprintf(out, ",\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],\n\"knobs\":%s,\n",
          end->grid[0], end->grid[1], end->grid[2], end->block[0],
          end->block[1], end->block[2], end->knobs);
  put_files(out, r);
  put_codes(out, r, is_plain);
  put_buffers(out, r, is_plain);
  fprintf(out, "\"shared\":{\"bytes\":%" PRIu32 ",\"type\":\"%s\"},\n",
          end->shared_bytes, numbers[r->shared].name);
  if (is_plain)
    put_plain(out, r);
  else
    put_packed(out, r);
  put_counts(out, end->counts);
  put_report(out, r);
  fputs("\"output\":", out);
  put_text(out, end->output);
  fprintf(out, ",\"truncated\":%s}\n", r->truncated ? "true" : "false");
}
