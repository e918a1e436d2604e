/* Which instructions of PTX the device has: the instruction table against
 * the reference's list (ptx/opcodes.txt).
 *
 *   ptx_coverage opcodes.txt            a line for each instruction
 *   ptx_coverage --table opcodes.txt    the table of COMPATIBILITY.md
 *   ptx_coverage --check opcodes.txt COMPATIBILITY.md
 *                                   is that table current? Else 1
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/host_memory.h"

static const char *const patterns[] = {
#define ROW(name, pattern, ...) pattern,
#include "../ptx/instructions.def"
};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

static const char begin_mark[] = "<!-- instructions: begin -->\n";
static const char end_mark[] = "<!-- instructions: end -->\n";

/* Does the pattern at `at` name the opcode's words, one after the other?
 * Groups in between, as in bar[.cta].red, may be passed over. */
static bool names(const char *at, const char *opcode)
{
  size_t length = strcspn(opcode, ".");

  if (strncmp(at, opcode, length) != 0 || strchr(".[(", at[length]) == NULL)
    return false;
  at += length;
  opcode += length;
  while (*opcode == '.') {
    length = 1 + strcspn(opcode + 1, ".");
    for (;;) {
      bool group = *at == '[' || *at == '(';
      const char *word = at + group;
      size_t whole;

      if (*at == '\0')
        return false;
      whole = group ? strcspn(at, "])") + 1 : 1 + strcspn(at + 1, ".[(");
      for (; word < at + whole;
           word += 1 + strcspn(word + 1, ".|])[("), word += *word == '|')
        if (strncmp(word, opcode, length) == 0 &&
            strchr(".|])[(", word[length]) != NULL)
          break;
      if (word < at + whole) {
        at += whole;
        break;
      }
      if (!group)
        return false;
      at += whole;
    }
    opcode += length;
  }
  return true;
}

static bool supported(const char *opcode)
{
  if (strcmp(opcode, "@") == 0)
    return true; /* guards are the parser's */
  for (size_t i = 0; i < PATTERNS; i++)
    if (names(patterns[i], opcode))
      return true;
  return false;
}

static char *read_file(const char *name)
{
  FILE *file = fopen(name, "rb");
  char *text = host_try_new(1, 1 << 20);

  if (file == NULL || text == NULL) {
    fprintf(stderr, "ptx_coverage: cannot read %s\n", name);
    exit(2);
  }
  text[fread(text, 1, (1 << 20) - 1, file)] = '\0';
  fclose(file);
  return text;
}

struct group {
  char *title;
  unsigned n, n_there;
  char missing[2048];
};
static struct group groups[32];
static size_t n_groups;

static void take_opcode(const char *opcode, bool list)
{
  struct group *group = &groups[n_groups - 1];
  size_t length = strlen(group->missing);

  group->n++;
  if (list)
    printf("%-36s %s\n", opcode, supported(opcode) ? "yes" : "no");
  if (supported(opcode))
    group->n_there++;
  else
    snprintf(group->missing + length, sizeof group->missing - length, "%s`%s`",
             length == 0 ? "" : ", ", opcode);
}

static void read_opcodes(const char *name, bool list)
{
  char *text = read_file(name), *end;

  for (char *line = text; *line != '\0'; line = end) {
    end = line + strcspn(line, "\n");
    if (*end != '\0')
      *end++ = '\0';
    if (line[0] == '#')
      continue;
    if (strchr(line, ':') != NULL && n_groups < 32) {
      line[strcspn(line, ":")] = '\0';
      groups[n_groups++].title = line;
    } else if (n_groups > 0) {
      for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
        take_opcode(word, list);
    }
  }
}

static void print_table(FILE *to)
{
  unsigned n = 0, n_there = 0;

  for (size_t i = 0; i < n_groups; i++) {
    n += groups[i].n;
    n_there += groups[i].n_there;
  }
  fprintf(to,
          "%s\nOf the %u instructions of PTX ISA 9.0 the device has %u.\n"
          "\n| section of the reference | there | not there |\n"
          "|---|---|---|\n",
          begin_mark, n, n_there);
  for (size_t i = 0; i < n_groups; i++)
    fprintf(to, "| %s | %u of %u | %s |\n", groups[i].title, groups[i].n_there,
            groups[i].n, groups[i].missing);
  fprintf(to, "\n%s", end_mark);
}

static int check_table(const char *readme)
{
  char *text = read_file(readme), *wanted = NULL;
  const char *begin = strstr(text, begin_mark);
  size_t bytes = 0;
  int status = 0;
  FILE *to = open_memstream(&wanted, &bytes);

  print_table(to);
  fclose(to);
  if (begin == NULL || strncmp(begin, wanted, bytes) != 0) {
    fprintf(stderr,
            "%s: the table of instructions is not current. Put the "
            "output of\nptx_coverage --table device/ptx/opcodes.txt "
            "in its place:\n\n%s",
            readme, wanted);
    status = 1;
  }
  free(text);
  free(wanted);
  return status;
}

int main(int argc, char **argv)
{
  if (argc == 2) {
    read_opcodes(argv[1], true);
  } else if (argc == 3 && strcmp(argv[1], "--table") == 0) {
    read_opcodes(argv[2], false);
    print_table(stdout);
  } else if (argc == 4 && strcmp(argv[1], "--check") == 0) {
    read_opcodes(argv[2], false);
    return check_table(argv[3]);
  } else {
    fputs("usage: ptx_coverage [--table] opcodes.txt | "
          "ptx_coverage --check opcodes.txt COMPATIBILITY.md\n",
          stderr);
    return 2;
  }
  return 0;
}
