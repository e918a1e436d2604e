/* Turns what Nsight Compute prints into the columns of our count tables.
 *
 *   count_rows <table> <raw.csv>   rows of CSV on standard output
 *   count_rows --metrics <table>   the metrics to ask ncu for, with commas
 *
 * The table (bench/common/ncu_metrics) says which metrics make a column;
 * raw.csv is the log of `ncu --csv --page raw --print-units base`: lines of
 * ncu's own that begin with "==", a row of quoted names, a row of units, a
 * row for each launch.
 *
 * Errors go to standard error as file:line: error: …, with exit status 1. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COLUMNS = 64, MAX_TERMS = 8, MAX_FIELDS = 1024 };

struct term {
  int sign;           /* +1 or -1 */
  const char *metric; /* inside the text of the table */
};

struct column {
  const char *name;
  struct term terms[MAX_TERMS];
  int n_terms;
};

struct table {
  struct column columns[MAX_COLUMNS];
  int n_columns;
};

/* A row of CSV, its fields unquoted in place. */
struct record {
  char *fields[MAX_FIELDS];
  int n_fields;
  int line; /* on which it begins, from 1 */
};

struct reader {
  const char *path;
  char *at;
  int line; /* of `at`, from 1 */
};

static void fail(const char *path, int line, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s:%d: error: ", path, line);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(EXIT_FAILURE);
}

/* The whole file, NUL-terminated; the caller frees it. */
static char *read_file(const char *path)
{
  FILE *file = fopen(path, "rb");
  if (!file) {
    fprintf(stderr, "%s: error: %s\n", path, strerror(errno));
    exit(EXIT_FAILURE);
  }
  size_t size = 0, room = 1 << 16;
  char *text = malloc(room);
  while (text) {
    size += fread(text + size, 1, room - size - 1, file);
    if (size < room - 1)
      break;
    room *= 2;
    text = realloc(text, room);
  }
  if (!text || ferror(file)) {
    fprintf(stderr, "%s: error: cannot be read\n", path);
    exit(EXIT_FAILURE);
  }
  fclose(file);
  text[size] = '\0';
  return text;
}

/* --- the table of columns ------------------------------------------------ */

static void add_term(struct column *column, const char *path, int line,
                     int sign, const char *metric)
{
  if (column->n_terms == MAX_TERMS)
    fail(path, line, "more than %d metrics in one column", MAX_TERMS);
  column->terms[column->n_terms++] = (struct term){sign, metric};
}

/* The words of the line that strtok is in: metric, "+" or "-", metric … */
static void parse_terms(struct column *column, const char *path, int line,
                        char *word)
{
  int sign = column->n_terms == 0;
  for (; word; word = strtok(NULL, " \t\r")) {
    if (!sign) {
      if (strcmp(word, "+") != 0 && strcmp(word, "-") != 0)
        fail(path, line, "expected + or - before '%s'", word);
      sign = *word == '+' ? 1 : -1;
      continue;
    }
    add_term(column, path, line, sign, word);
    sign = 0;
  }
  if (sign && column->n_terms > 0)
    fail(path, line, "a metric must follow the last + or -");
}

/* A line of the table: column, "=" and terms, or indented, more terms of the
 * column above. */
static void parse_line(struct table *table, const char *path, int line,
                       char *text)
{
  int continues = *text == ' ' || *text == '\t';
  char *word = strtok(text, " \t\r");
  if (!word || *word == '#')
    return;
  if (continues && table->n_columns > 0) {
    parse_terms(&table->columns[table->n_columns - 1], path, line, word);
    return;
  }
  if (table->n_columns == MAX_COLUMNS)
    fail(path, line, "more than %d columns", MAX_COLUMNS);
  struct column *column = &table->columns[table->n_columns++];
  column->name = word;
  word = strtok(NULL, " \t\r");
  if (!word || strcmp(word, "=") != 0)
    fail(path, line, "'%s' must be followed by ' = '", column->name);
  parse_terms(column, path, line, strtok(NULL, " \t\r"));
}

static void parse_table(struct table *table, const char *path, char *text)
{
  for (int line = 1; text; line++) {
    char *end = strchr(text, '\n');
    if (end)
      *end++ = '\0';
    parse_line(table, path, line, text);
    text = end;
  }
}

static int already_printed(const struct table *table, int column, int term)
{
  const char *metric = table->columns[column].terms[term].metric;
  for (int c = 0; c <= column; c++)
    for (int t = 0; t < table->columns[c].n_terms; t++)
      if ((c < column || t < term) &&
          strcmp(table->columns[c].terms[t].metric, metric) == 0)
        return 1;
  return 0;
}

static void print_metrics(const struct table *table)
{
  const char *comma = "";
  for (int c = 0; c < table->n_columns; c++)
    for (int t = 0; t < table->columns[c].n_terms; t++)
      if (!already_printed(table, c, t)) {
        printf("%s%s", comma, table->columns[c].terms[t].metric);
        comma = ",";
      }
  putchar('\n');
}

/* --- what ncu wrote ------------------------------------------------------ */

/* Unquotes the field at reader->at in place, ends it with a NUL and moves
 * behind it. Returns the character that ended it: ',', '\n' or 0. */
static char read_field(struct reader *reader, char **field)
{
  char *from = reader->at, *to = reader->at;
  int quoted = *from == '"', line = reader->line;
  *field = to;
  for (from += quoted; *from; from++) {
    if (quoted && *from == '"') {
      if (from[1] != '"')
        break;
      from++;
    } else if (!quoted && strchr(",\r\n", *from)) {
      break;
    }
    reader->line += *from == '\n';
    *to++ = *from;
  }
  if (quoted && *from++ != '"')
    fail(reader->path, line, "a quote is not closed");
  if (*from == '\r')
    from++;
  char end = *from;
  if (!strchr(",\n", end))
    fail(reader->path, reader->line, "text behind a closing quote");
  *to = '\0';
  reader->at = from + (end != '\0');
  reader->line += end == '\n';
  return end;
}

/* Reads the next row; returns 0 at the end of the file. */
static int read_record(struct reader *reader, struct record *record)
{
  record->n_fields = 0;
  record->line = reader->line;
  if (!*reader->at)
    return 0;
  char end = ',';
  while (end == ',') {
    if (record->n_fields == MAX_FIELDS)
      fail(reader->path, record->line, "more than %d fields", MAX_FIELDS);
    end = read_field(reader, &record->fields[record->n_fields++]);
  }
  return 1;
}

static int field_of(const struct record *names, const char *path,
                    const char *name)
{
  for (int i = 0; i < names->n_fields; i++)
    if (strcmp(names->fields[i], name) == 0)
      return i;
  fail(path, names->line,
       "ncu wrote no column '%s'; does this GPU have the metric? "
       "bench/common/ncu_metrics asks for it",
       name);
  return -1;
}

/* "1,048,576" or "4096.00" as a number. */
static long long count_of(const char *path, const struct record *record,
                          int field, const char *metric)
{
  const char *text = record->fields[field];
  long long value = 0;
  int n_digits = 0;
  for (; isdigit((unsigned char)*text) || *text == ','; text++)
    if (*text != ',') {
      value = value * 10 + (*text - '0');
      n_digits++;
    }
  if (*text == '.')
    for (text++; *text == '0'; text++)
      ;
  if (!n_digits || *text || n_digits > 18)
    fail(path, record->line, "%s is '%s', which is no count", metric,
         record->fields[field]);
  return value;
}

/* "(64, 32, 1)" as ",64,32,1"; in "(1,024, 1, 1)" a comma without a space
 * behind it belongs to the number. */
static void print_dimensions(const char *path, const struct record *record,
                             int field)
{
  const char *text = record->fields[field];
  int spaced = strstr(text, ", ") != NULL, n_numbers = 0;
  if (*text != '(')
    fail(path, record->line, "'%s' is no size of a grid or block", text);
  for (const char *at = text + 1; *at; at++) {
    int starts = isdigit((unsigned char)*at) &&
        !isdigit((unsigned char)at[-1]) && !(spaced && at[-1] == ',');
    if (starts && n_numbers++ < 3)
      putchar(',');
    if (isdigit((unsigned char)*at))
      putchar(*at);
  }
  if (n_numbers != 3)
    fail(path, record->line, "'%s' is no size of a grid or block", text);
}

/* The bare name: "void tile<float, 4>(const float *)" is "tile<float;4>":
 * a comma would begin another field. */
static void print_kernel(const char *name)
{
  int depth = 0;
  if (strncmp(name, "void ", 5) == 0)
    name += 5;
  for (; *name && (*name != '(' || depth > 0); name++) {
    depth += (*name == '<') - (*name == '>');
    if (*name != ' ')
      putchar(*name == ',' ? ';' : *name);
  }
}

static void print_names(const struct table *table)
{
  printf("kernel,launch,grid_x,grid_y,grid_z,block_x,block_y,block_z");
  for (int c = 0; c < table->n_columns; c++)
    printf(",%s", table->columns[c].name);
  putchar('\n');
}

static void print_counts(const struct table *table, const char *path,
                         const struct record *names,
                         const struct record *record)
{
  for (int c = 0; c < table->n_columns; c++) {
    const struct column *column = &table->columns[c];
    long long value = 0;
    for (int t = 0; t < column->n_terms; t++) {
      const char *metric = column->terms[t].metric;
      value += column->terms[t].sign *
          count_of(path, record, field_of(names, path, metric), metric);
    }
    if (column->n_terms > 0)
      printf(",%lld", value);
    else
      putchar(',');
  }
  putchar('\n');
}

/* Passes over ncu's own lines to the row of names; an error of ncu's ends
 * the program. */
static void find_names(struct reader *reader, struct record *names)
{
  for (; *reader->at; reader->line++) {
    int length = (int)strcspn(reader->at, "\r\n");
    if (strncmp(reader->at, "\"ID\"", 4) == 0) {
      read_record(reader, names);
      return;
    }
    if (strncmp(reader->at, "==ERROR==", 9) == 0)
      fail(reader->path, reader->line, "ncu says: %.*s", length, reader->at);
    reader->at += strcspn(reader->at, "\n");
    reader->at += *reader->at == '\n';
  }
  fail(reader->path, reader->line,
       "no row of names, which begins with \"ID\": did ncu see a kernel?");
}

static void print_rows(const struct table *table, const char *path, char *text)
{
  struct reader reader = {path, text, 1};
  struct record names, record;
  find_names(&reader, &names);
  int kernel = field_of(&names, path, "Kernel Name");
  int grid = field_of(&names, path, "Grid Size");
  int block = field_of(&names, path, "Block Size");
  print_names(table);
  int n_launches = 0;
  while (read_record(&reader, &record)) {
    if (strncmp(record.fields[0], "==", 2) == 0)
      continue;
    if (record.n_fields == 1 && !*record.fields[0])
      continue;
    if (record.n_fields != names.n_fields)
      fail(path, record.line, "%d fields, but %d names", record.n_fields,
           names.n_fields);
    if (!*record.fields[0])
      continue; /* the row of units */
    print_kernel(record.fields[kernel]);
    printf(",%d", ++n_launches);
    print_dimensions(path, &record, grid);
    print_dimensions(path, &record, block);
    print_counts(table, path, &names, &record);
  }
  if (!n_launches)
    fail(path, reader.line, "no launch in it");
}

int main(int argc, char **argv)
{
  if (argc != 3) {
    fprintf(stderr,
            "usage: count_rows <table> <raw.csv>\n"
            "       count_rows --metrics <table>\n");
    return 2;
  }
  int only_metrics = strcmp(argv[1], "--metrics") == 0;
  struct table table = {.n_columns = 0};
  const char *path = argv[only_metrics ? 2 : 1];
  char *text = read_file(path);
  parse_table(&table, path, text);
  if (only_metrics) {
    print_metrics(&table);
  } else {
    char *raw = read_file(argv[2]);
    print_rows(&table, argv[2], raw);
    free(raw);
  }
  free(text);
  return 0;
}
