/* Runs launches as launch.h describes them, and checks what is expected of them:
 *
 *   launch_run [--counts FILE] [--access-map FILE] … FILE
 *   launch_run --recording FILE … FILE      see record.h
 *   launch_run --instructions      the instruction table
 *   launch_run --gaps FILE…        instructions of PTX that the device lacks
 *
 * FILE holds launches, or is PTX (.ptx) with launches in its comments `//!`. The
 * options are those of the command softdevice, which only stand for variables of
 * the environment. Needs no CUDA. Exit status: 0 all as expected, 1 not, 2 a line
 * or an argument is wrong, 77 cannot run on this machine; or what the checks
 * say. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch.h"
#include "machine.h"

static _Noreturn void usage(void)
{
  fputs("usage: launch_run [--counts FILE] [--access-map FILE] … FILE |\n"
        "       launch_run --gaps file.ptx… | launch_run --instructions\n",
        stderr);
  exit(2);
}

static void carry_out(struct launch_place at, char *line)
{
  const char *key;

  line[strcspn(line, "\r")] = '\0';
  key = launch_word(&line);
  if (key == NULL || key[0] == '#')
    return;
  if (!launch_line(at, key, line)) {
    fprintf(stderr, "%s:%u: error: no such line: %s\n", at.file, at.line, key);
    exit(2);
  }
}

/* `mark`: what the lines of the notation begin with; others are left out. */
static int run_lines(const char *file, char *text, const char *mark)
{
  struct launch_place at = { file, 0 };
  size_t n = strlen(mark);

  for (char *line = text, *end; line != NULL && *line != '\0'; line = end) {
    end = strchr(line, '\n');
    if (end != NULL)
      *end++ = '\0';
    at.line++;
    if (strncmp(line, mark, n) == 0)
      carry_out(at, line + n);
  }
  return launch_end(at);
}

static int run_file(const char *file)
{
  size_t bytes, length = strlen(file);
  char *text = read_file(file, &bytes);
  bool is_ptx = length > 4 && strcmp(file + length - 4, ".ptx") == 0;
  int failures;

  if (!machine_can(MACHINE_FAULTS) &&
      (strstr(text, "\n//! fault ") != NULL ||
       strstr(text, "\n//! refuses ") != NULL)) {
    puts("is about the software device alone");
    free(text);
    return 77;
  }
  if (is_ptx)
    launch_begin(file, text, bytes);
  failures = run_lines(file, text, is_ptx ? "//! " : "");
  free(text);
  return failures == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
  int n = argc - 1, status = machine_tool(&n, argv + 1), ended;

  if (status >= 0)
    return status;
  if (n != 1 || argv[1][0] == '-')
    usage();
  status = run_file(argv[1]);
  ended = machine_end();
  return status != 0 ? status : ended;
}
