/* Compares results that arithmetic printed here with those of an H200.
 *
 *   compare <instructions> <here, made with --all> <reference> <exceptions>
 *
 * Bit for bit, but for approximations, which must be as near to the exact
 * value as PTX promises; of these it prints how many bits differ. Exit
 * status: 0 equal, 1 different. */
#include "accuracy.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 64, SHOWN = 3 };

struct table {
  size_t n;
  char *text;
  char **names, **results, **hashes; /* of each row */
};
struct comparison {
  struct table here, reference;
  struct table exceptions; /* names only */
  const struct instruction *in;
  size_t compared, cases, approximations, failed, excepted, differing;
};

static void fail(const char *format, const char *name)
{
  fprintf(stderr, format, name);
  exit(2);
}

static char *whole_file(const char *path)
{
  FILE *file = fopen(path, "r");
  long length;
  char *text;

  if (file == NULL || fseek(file, 0, SEEK_END) != 0 ||
      (length = ftell(file)) < 0 || fseek(file, 0, SEEK_SET) != 0 ||
      (text = malloc((size_t)length + 1)) == NULL)
    fail("error: cannot read %s\n", path);
  text[fread(text, 1, (size_t)length, file)] = '\0';
  fclose(file);
  return text;
}

static char *cut(char *text, char at)
{
  char *end = text == NULL ? NULL : strchr(text, at);

  if (end != NULL)
    *end++ = '\0';
  return end;
}

static void read_table(struct table *table, const char *path)
{
  table->text = whole_file(path);
  for (char *line = table->text, *next; line != NULL; line = next) {
    next = cut(line, '\n');
    if (line[0] == '#' || line[0] == '\0' ||
        strncmp(line, "instruction,", 12) == 0)
      continue;
    if (table->n % 1024 == 0) {
      size_t bytes = (table->n + 1024) * sizeof(char *);

      table->names = realloc(table->names, bytes);
      table->results = realloc(table->results, bytes);
      table->hashes = realloc(table->hashes, bytes);
      if (!table->names || !table->results || !table->hashes)
        abort();
    }
    table->names[table->n] = line;
    table->results[table->n] = cut(line, ',');
    table->hashes[table->n] = cut(table->results[table->n], ',');
    table->n++;
  }
}

static void free_table(struct table *table)
{
  free(table->text);
  free(table->names);
  free(table->results);
  free(table->hashes);
}

static size_t row_of(const struct table *table, const char *name)
{
  size_t i = 0;

  while (i < table->n && strcmp(table->names[i], name) != 0)
    i++;
  return i;
}

static size_t numbers(const char *text, uint64_t *to, size_t most)
{
  size_t n = 0;
  char *end;

  while (text != NULL && *text != '\0' && n < most) {
    to[n++] = strtoull(text, &end, 16);
    if (end == text)
      fail("error: '%.20s' is no number\n", text);
    text = end + (*end == ' ');
  }
  return n;
}

static uint32_t hash(const uint64_t *values, size_t n)
{
  uint32_t h = 2166136261u;

  for (size_t i = 0; i < n; i++)
    for (int shift = 0; shift < 64; shift += 8)
      h = (h ^ (uint32_t)(values[i] >> shift & 0xff)) * 16777619u;
  return h;
}

static void print_case(const struct instruction *in, size_t k, uint64_t here)
{
  printf("%s: error: case %zu:", in->name, k);
  for (size_t i = 0; i < in->n_sources; i++)
    printf(" 0x%llx",
           (unsigned long long)operand_value(in->sources, in->n_sources, k, i));
  printf(" gives 0x%llx here", (unsigned long long)here);
}

static bool same_bits(const struct instruction *in, const uint64_t *here,
                      size_t n, const uint64_t *first, size_t n_first,
                      const uint64_t *hashes, size_t n_hashes, bool tell)
{
  size_t different = tell ? 0 : SHOWN; /* how many are told already */
  const size_t none = different;

  for (size_t k = 0; k < n_first; k++)
    if (here[k] != first[k] && ++different <= SHOWN) {
      print_case(in, k, here[k]);
      printf(", 0x%llx on an H200\n", (unsigned long long)first[k]);
    }
  for (size_t i = 0; i < n_hashes; i++) {
    size_t at = n_first + i * CHUNK, left = n - at;

    if (hash(here + at, left < CHUNK ? left : CHUNK) != hashes[i] &&
        ++different <= SHOWN)
      printf("%s: error: something in cases %zu to %zu is not as on an H200; "
             "arithmetic <instructions> --all --only '%s' prints them\n",
             in->name, at, at + (left < CHUNK ? left : CHUNK) - 1, in->name);
  }
  return different == none;
}

static bool near_enough(const struct instruction *in, const uint64_t *here,
                        const uint64_t *reference, size_t n)
{
  size_t different = 0, wrong = 0;
  double worst = 0, worst_there = 0;

  for (size_t k = 0; k < n; k++) {
    uint64_t sources[SOURCES];
    double error, there;

    for (size_t i = 0; i < in->n_sources; i++)
      sources[i] = operand_value(in->sources, in->n_sources, k, i);
    error = accuracy_error(in, sources, here[k]);
    there = accuracy_error(in, sources, reference[k]);
    different += here[k] != reference[k];
    worst = error > worst ? error : worst;
    worst_there = there > worst_there ? there : worst_there;
    if (error > 1 && here[k] != reference[k] && ++wrong <= SHOWN) {
      print_case(in, k, here[k]);
      printf(", 0x%llx on an H200: %.3g of the allowed error (%.3g)\n",
             (unsigned long long)reference[k], error, there);
    }
  }
  printf("%-24s %5zu of %5zu differ; largest error %.2f of what is allowed, "
         "%.2f on an H200\n",
         in->name, different, n, worst, worst_there);
  return wrong == 0;
}

static void each(const struct instruction *in, void *context)
{
  static uint64_t here[8192], first[8192], hashes[256];
  struct comparison *c = context;
  size_t mine = row_of(&c->here, in->name);
  size_t theirs = row_of(&c->reference, in->name);
  size_t exception = row_of(&c->exceptions, in->name);
  bool differs =
      exception < c->exceptions.n && c->exceptions.results[exception] != NULL;
  bool excepted = exception < c->exceptions.n && !differs, good;
  size_t n, n_first, n_hashes;

  if (mine == c->here.n || theirs == c->reference.n) {
    printf("%s: error: not in %s\n", in->name,
           mine == c->here.n ? "the results here" : "the reference");
    c->failed++;
    return;
  }
  if (strcmp(c->here.results[mine], "refused") == 0 || excepted) {
    bool refused = strcmp(c->here.results[mine], "refused") == 0;

    c->excepted++;
    if (refused != excepted)
      printf("%s: error: %s\n", in->name,
             refused ? "the software device refuses it"
                     : "is no exception any more");
    c->failed += refused != excepted;
    return;
  }
  n = numbers(c->here.results[mine], here, 8192);
  n_first = numbers(c->reference.results[theirs], first, 8192);
  n_hashes = numbers(c->reference.hashes[theirs], hashes, 256);
  if (n != operand_cases(in->sources, in->n_sources) || n_first > n ||
      (n - n_first + CHUNK - 1) / CHUNK != n_hashes) {
    printf("%s: error: the reference has other cases\n", in->name);
    c->failed++;
    return;
  }
  if (instruction_is_approximate(in)) {
    good = near_enough(in, here, first, n);
    c->approximations++;
  } else {
    good = same_bits(in, here, n, first, n_first, hashes, n_hashes, !differs);
  }
  if (differs) {
    c->differing++;
    if (good)
      printf("%s: error: is no exception any more\n", in->name);
    c->failed += good;
    return;
  }
  c->compared++;
  c->cases += n;
  c->failed += !good;
}

int main(int n, char **arguments)
{
  struct comparison c = { .failed = 0 };

  if (n != 5) {
    fprintf(stderr, "usage: compare <instructions> <here> <reference> "
                    "<exceptions>\n");
    return 2;
  }
  read_table(&c.here, arguments[2]);
  read_table(&c.reference, arguments[3]);
  read_table(&c.exceptions, arguments[4]);
  if (!instructions_read(arguments[1], each, &c))
    return 2;
  printf("%zu instructions, %zu cases compared, %zu of them approximations; "
         "%zu not supported; %zu as the reference says, not as an H200; "
         "%zu wrong\n",
         c.compared, c.cases, c.approximations, c.excepted, c.differing,
         c.failed);
  free_table(&c.here);
  free_table(&c.reference);
  free_table(&c.exceptions);
  return c.failed == 0 ? 0 : 1;
}
