/* Writes launches down: which memory a launch can reach, what is in it, and what
 * has changed there since the launch before it. */
#include "launch.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../check/source.h"
#include "../memory/memory.h"
#include "../ptx/cut.h"
#include "../support/host_memory.h"
#include "../support/sha256.h"
#include "selection.h"
#include "contents.h"
#include "file.h"

enum { HASH_DIGITS = 16, MOST_NAME = 512, USUAL_STACK = 1024 };

/* A piece of memory that launches reach: an allocation, or a variable of the
 * kernel's PTX, which is another one in another PTX. */
struct piece {
  char name[MOST_NAME];
  char ptx[HASH_DIGITS + 1]; /* of a variable; "": an allocation */
  uint64_t address, serial;
  size_t bytes;
  bool is_reached; /* by the launch that runs */
  bool is_known;   /* written down, with the contents of this checksum */
  bool is_initial; /* holds what it begins with */
  char sum[SHA256_DIGITS + 1];
};

static struct {
  struct report_file file;
  bool is_open, failed, is_running;
  char ptx[HASH_DIGITS + 1]; /* that the last launch ran */
  uint64_t number, serial;   /* of the last launch, buffer */
  struct piece *pieces;
  size_t n_pieces;
} notes;

static void refuse(const struct report_launch *id, const char *kernel,
                   const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void refuse(const struct report_launch *id, const char *kernel,
                   const char *format, ...)
{
  va_list arguments;

  fprintf(stderr,
          "softdevice: SOFTDEVICE_LAUNCH: launch %" PRIu64 " of kernel %s "
          "cannot be written down: ",
          id->number, kernel);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  notes.failed = true;
}

/* ---- files ---------------------------------------------------------------- */

/* Writes HASH.EXTENSION beside the launches, unless it is there. */
static void put_beside(const void *data, size_t bytes, const char *extension,
                       char hash[HASH_DIGITS + 1])
{
  char sum[SHA256_DIGITS + 1], path[4096];
  const char *slash =
      notes.file.path == NULL ? NULL : strrchr(notes.file.path, '/');
  int n_folder = slash == NULL ? 0 : (int)(slash - notes.file.path) + 1;
  FILE *out;

  sha256_digits(data, bytes, sum);
  snprintf(hash, HASH_DIGITS + 1, "%.*s", HASH_DIGITS, sum);
  snprintf(path, sizeof path, "%.*s%s.%s", n_folder,
           n_folder == 0 ? "" : notes.file.path, hash, extension);
  if (access(path, F_OK) == 0)
    return;
  out = fopen(path, "we");
  if (out == NULL || fwrite(data, 1, bytes, out) != bytes) {
    fprintf(stderr, "softdevice: %s: cannot write it\n", path);
    notes.failed = true;
  }
  if (out != NULL && fclose(out) != 0)
    notes.failed = true;
}

/* ---- what the notation has no words for ----------------------------------- */

/* An opcode or a name that begins so, where one can begin. */
static bool mentions(const char *ptx, const char *start)
{
  for (const char *at = ptx; (at = strstr(at, start)) != NULL; at++)
    if (at > ptx && strchr(" \t\n,(", at[-1]) != NULL)
      return true;
  return false;
}

static const char *unsaid(const char *ptx, const struct launch *launch)
{
  static const char *const images[] = { "tex.",  "tld4.",  "txq.", "suld.",
                                        "sust.", "sured.", "suq." };

  for (size_t i = 0; i < sizeof images / sizeof *images; i++)
    if (mentions(ptx, images[i]))
      return "it uses textures or surfaces";
  if (mentions(ptx, "cuda"))
    return "it calls the CUDA runtime on the device";
  if (launch->sms != NULL)
    return "it runs on a part of the device";
  if (launch->device != 0)
    return "it runs on another device than the first";
  return NULL;
}

/* ---- memory that a launch reaches ----------------------------------------- */

static struct piece *find_piece(const char *ptx, uint64_t address,
                                uint64_t serial)
{
  for (size_t i = 0; i < notes.n_pieces; i++) {
    struct piece *p = &notes.pieces[i];

    if (p->address == address && p->serial == serial &&
        strcmp(p->ptx, ptx) == 0)
      return p;
  }
  return NULL;
}

static struct piece *reach(const char *ptx, const char *name,
                           const struct allocation *row)
{
  struct piece *piece = find_piece(ptx, row->address, row->serial);

  if (piece == NULL) {
    notes.pieces =
        host_grow(notes.pieces, notes.n_pieces + 1, sizeof *notes.pieces);
    piece = &notes.pieces[notes.n_pieces++];
    *piece = (struct piece){ .address = row->address,
                             .serial = row->serial,
                             .bytes = row->bytes };
    snprintf(piece->ptx, sizeof piece->ptx, "%s", ptx);
    if (name == NULL)
      snprintf(piece->name, sizeof piece->name, "b%" PRIu64, row->serial);
    else
      snprintf(piece->name, sizeof piece->name, "%s", name);
  }
  piece->is_reached = true;
  return piece;
}

/* The allocation that a word is an address in, or the end of. */
static bool find_address(uint64_t word, struct allocation *row)
{
  return memory_find(word, row) ||
         (memory_find(word - 1, row) && word - row->address == row->bytes);
}

static struct piece *piece_at(uint64_t word)
{
  struct allocation row;
  struct piece *found = NULL;

  if (!find_address(word, &row))
    return NULL;
  for (size_t i = 0; i < notes.n_pieces; i++)
    if (notes.pieces[i].is_reached && notes.pieces[i].address == row.address)
      found = &notes.pieces[i];
  return found;
}

static bool put_address_of(FILE *out, uint64_t word)
{
  const struct piece *piece = piece_at(word);

  if (piece == NULL)
    return false;
  fputs(piece->name, out);
  if (word > piece->address)
    fprintf(out, "+%" PRIu64, word - piece->address);
  return true;
}

static uint64_t word_at(const void *bytes, size_t at)
{
  uint64_t word;

  memcpy(&word, (const char *)bytes + at, sizeof word);
  return word;
}

/* Also follows the addresses in what it reaches. False: refused. */
static bool reach_word(const struct report_launch *id, const char *kernel,
                       uint64_t word)
{
  struct allocation row;

  if (program_is_function(word)) {
    refuse(id, kernel,
           "its memory or arguments hold the address of a function");
    return false;
  }
  if (piece_at(word) != NULL || !find_address(word, &row))
    return true;
  if (row.device != 0 || row.kind == MEMORY_MAPPED ||
      (row.kind == MEMORY_REGISTERED && row.address % 256 != 0)) {
    refuse(id, kernel,
           "it reaches memory of another device, of cuMemMap, or of "
           "cudaHostRegister that does not begin at a multiple of 256");
    return false;
  }
  if (row.kind != MEMORY_VARIABLE) /* variables are reached by name */
    reach("", NULL, &row);
  return true;
}

static bool has_address(const void *bytes, size_t n)
{
  struct allocation row;

  for (size_t at = 0; bytes != NULL && at + 8 <= n; at += 8)
    if (word_at(bytes, at) != 0 && find_address(word_at(bytes, at), &row))
      return true;
  return false;
}

struct variables {
  const char *ptx, *text;
};

/* A variable's name, as a whole word. */
static bool names(const char *text, const char *name)
{
  size_t n = strlen(name);

  for (const char *at = text; (at = strstr(at, name)) != NULL; at++)
    if ((at == text ||
         (!isalnum((unsigned char)at[-1]) && strchr("_$%", at[-1]) == NULL)) &&
        !isalnum((unsigned char)at[n]) && at[n] != '_' && at[n] != '$')
      return true;
  return false;
}

static void reach_variable(void *context, const char *name,
                           const struct program_variable *variable,
                           bool is_initial)
{
  const struct variables *of = context;
  struct allocation row;

  if (names(of->text, name) && memory_find(variable->address, &row)) {
    struct piece *piece = reach(of->ptx, name, &row);

    if (!piece->is_known)
      piece->is_initial = is_initial;
  }
}

static bool reach_all(const struct report_launch *id, const char *kernel,
                      const struct launch *launch,
                      const struct kernel_info *info, const char *text)
{
  struct variables of = { notes.ptx, text };

  for (size_t i = 0; i < notes.n_pieces; i++)
    notes.pieces[i].is_reached = false;
  kernel_variables(launch->kernel, reach_variable, &of);
  for (size_t at = 0; at + 8 <= info->parameter_bytes; at += 8)
    if (!reach_word(id, kernel, word_at(launch->parameters, at)))
      return false;
  for (size_t i = 0; i < notes.n_pieces; i++) /* which grow meanwhile */
    for (size_t at = 0;
         notes.pieces[i].is_reached && at + 8 <= notes.pieces[i].bytes;
         at += 8) {
      const void *bytes =
          memory_look(notes.pieces[i].address, notes.pieces[i].bytes);

      if (bytes == NULL || !reach_word(id, kernel, word_at(bytes, at)))
        return false;
    }
  return true;
}

/* ---- lines ---------------------------------------------------------------- */

static void put_contents(FILE *out, const char *type, const void *bytes,
                         size_t n)
{
  char hash[HASH_DIGITS + 1];

  fputs(" =", out);
  if (!contents_put(out, type, bytes, n, put_address_of)) {
    put_beside(bytes, n, "data", hash);
    fprintf(out, " data %s", hash);
  }
}

/* A line for a piece that is new. What holds addresses comes later, when all
 * have their names. */
static void put_new(FILE *out, struct piece *piece)
{
  const void *bytes = memory_look(piece->address, piece->bytes);
  bool is_variable = piece->ptx[0] != '\0';
  bool later = has_address(bytes, piece->bytes);
  bool is_new = memory_is_new(piece->address, piece->bytes);
  const char *type = contents_type(bytes, piece->bytes, later);

  fprintf(out, "%s %s %s", is_variable ? "variable" : "buffer", piece->name,
          is_new && piece->bytes % 4 == 0 ? "x32" : type);
  if (!is_variable)
    fprintf(out, " %zu",
            piece->bytes * 8 /
                strtoul(is_new && piece->bytes % 4 == 0 ? "32" : type + 1, NULL,
                        10));
  if (is_variable || piece->serial != notes.serial + 1)
    fprintf(out, " number=%" PRIu64, piece->serial);
  if (!is_variable)
    notes.serial = piece->serial;
  if (!later && !(is_variable ? piece->is_initial : is_new))
    put_contents(out, type, bytes, piece->bytes);
  fputc('\n', out);
  piece->is_known = true;
  if (!later)
    sha256_digits(bytes, piece->bytes, piece->sum);
}

/* What has changed since the last launch that was written down, by the host or
 * by others. */
static void put_changed(FILE *out, struct piece *piece)
{
  const void *bytes = memory_look(piece->address, piece->bytes);
  char sum[SHA256_DIGITS + 1];
  const char *type;

  sha256_digits(bytes, piece->bytes, sum);
  if (strcmp(sum, piece->sum) == 0)
    return;
  type = contents_type(bytes, piece->bytes, has_address(bytes, piece->bytes));
  fprintf(out, "set %s %s", piece->name, type);
  put_contents(out, type, bytes, piece->bytes);
  fputc('\n', out);
  snprintf(piece->sum, sizeof piece->sum, "%s", sum);
}

/* One after the other in words as large as their places allow. */
static void put_struct(FILE *out, const uint8_t *bytes, size_t n)
{
  for (size_t at = 0; at < n;) {
    size_t size = 8;
    uint64_t word = 0;

    if (at % 8 != 0 || at + 8 > n || piece_at(word_at(bytes, at)) == NULL)
      size = at % 4 == 0 && at + 4 <= n ? 4 : 1;
    memcpy(&word, bytes + at, size);
    fputs(at > 0 ? ";" : "", out);
    if (size < 8 || !put_address_of(out, word))
      fprintf(out, "x%zu:0x%" PRIx64, 8 * size, word);
    at += size;
  }
}

static void put_argument(FILE *out, const struct kernel_parameter *parameter,
                         const uint8_t *bytes)
{
  uint64_t word = 0;
  float narrow;
  double wide;

  fputc(' ', out);
  if (strcmp(parameter->type, "b8") == 0 || parameter->bytes > 8) {
    put_struct(out, bytes, parameter->bytes);
    return;
  }
  memcpy(&word, bytes, parameter->bytes);
  if (parameter->bytes == 8 && put_address_of(out, word))
    return;
  if (strcmp(parameter->type, "f32") == 0) {
    memcpy(&narrow, bytes, sizeof narrow);
    fprintf(out, "f32:%.9g", (double)narrow);
  } else if (strcmp(parameter->type, "f64") == 0) {
    memcpy(&wide, bytes, sizeof wide);
    fprintf(out, "f64:%.17g", wide);
  } else {
    fprintf(out, "u%u:%" PRIu64, 8 * parameter->bytes, word);
  }
}

static void put_extents(FILE *out, const uint32_t extent[3])
{
  fprintf(out, " %u", extent[0]);
  if (extent[1] > 1 || extent[2] > 1)
    fprintf(out, ",%u", extent[1]);
  if (extent[2] > 1)
    fprintf(out, ",%u", extent[2]);
}

static void put_launch(FILE *out, const struct report_launch *id,
                       const struct launch *launch,
                       const struct kernel_info *info)
{
  fprintf(out, "launch %s", info->name);
  put_extents(out, launch->grid);
  put_extents(out, launch->block);
  if (launch->dynamic_shared_bytes > 0)
    fprintf(out, " shared=%u", launch->dynamic_shared_bytes);
  if (launch->explicit_cluster)
    fprintf(out, " cluster=%u,%u,%u", launch->cluster[0], launch->cluster[1],
            launch->cluster[2]);
  if (launch->cooperative)
    fputs(" cooperative=1", out);
  if (launch->stack_limit != 0 && launch->stack_limit != USUAL_STACK)
    fprintf(out, " stack=%u", launch->stack_limit);
  if (id->number != notes.number + 1)
    fprintf(out, " number=%" PRIu64, id->number);
  notes.number = id->number;
  for (unsigned i = 0; i < info->n_parameters; i++)
    put_argument(out, &info->parameters[i],
                 (const uint8_t *)launch->parameters +
                     info->parameters[i].offset);
  fputc('\n', out);
}

static int by_serial(const void *a, const void *b)
{
  const struct piece *one = a, *two = b;

  if (one->is_known != two->is_known)
    return one->is_known ? -1 : 1;
  return (one->serial > two->serial) - (one->serial < two->serial);
}

static void put_all(const struct report_launch *id, const struct launch *launch,
                    const struct kernel_info *info)
{
  FILE *out = notes.file.stream;

  if (notes.n_pieces > 0)
    qsort(notes.pieces, notes.n_pieces, sizeof *notes.pieces, by_serial);
  for (size_t i = 0; i < notes.n_pieces; i++)
    if (notes.pieces[i].is_reached && !notes.pieces[i].is_known)
      put_new(out, &notes.pieces[i]);
  for (size_t i = 0; i < notes.n_pieces; i++)
    if (notes.pieces[i].is_reached)
      put_changed(out, &notes.pieces[i]);
  put_launch(out, id, launch, info);
}

/* ---- from report.c -------------------------------------------------------- */

static bool is_wanted(const struct report_launch *id, const char *kernel)
{
  if (!notes.is_open)
    report_file_open(&notes.file, "SOFTDEVICE_LAUNCH");
  notes.is_open = true;
  return notes.file.stream != NULL && !notes.failed && chosen_kernel(kernel) &&
         chosen_launch(id->number);
}

void launch_note(const struct report_launch *id, const char *kernel,
                 const struct launch *launch)
{
  struct kernel_info info;
  const char *whole, *problem;
  char *text, hash[HASH_DIGITS + 1];

  notes.is_running = false;
  if (!is_wanted(id, kernel))
    return;
  kernel_describe(launch->kernel, &info);
  whole = kernel_text(launch->kernel);
  text = ptx_cut(whole, strlen(whole), info.name, source_name);
  problem = text == NULL ? "its PTX cannot be read" : unsaid(text, launch);
  if (problem != NULL) {
    refuse(id, kernel, "%s", problem);
    free(text);
    return;
  }
  put_beside(text, strlen(text), "ptx", hash);
  if (strcmp(hash, notes.ptx) != 0)
    fprintf(notes.file.stream, "ptx %s\n", hash);
  snprintf(notes.ptx, sizeof notes.ptx, "%s", hash);
  notes.is_running = reach_all(id, kernel, launch, &info, text);
  if (notes.is_running)
    put_all(id, launch, &info);
  free(text);
}

void launch_note_end(void)
{
  for (size_t i = 0; notes.is_running && i < notes.n_pieces; i++) {
    struct piece *piece = &notes.pieces[i];
    const void *bytes = memory_look(piece->address, piece->bytes);

    if (piece->is_reached && bytes != NULL)
      sha256_digits(bytes, piece->bytes, piece->sum);
  }
  notes.is_running = false;
}

void launch_note_finish(void)
{
  if (notes.failed)
    report_file_abandon(&notes.file);
  report_file_finish(&notes.file);
  free(notes.pieces);
  notes.pieces = NULL;
  notes.n_pieces = 0;
}
