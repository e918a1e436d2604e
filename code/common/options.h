/* The command line that every listing understands.
 *
 *   options o = options_parse(argc, argv, "what it does", "size", "");
 *   options_versions(&o, versions, sizeof versions[0], n_versions);
 *
 * An option or a name that does not exist ends the program with a message
 * and exit status 2; --help and --list print and end it with 0. */
#ifndef CODE_COMMON_OPTIONS_H
#define CODE_COMMON_OPTIONS_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/random.h"

enum {
  EXIT_USAGE = 2,      /* the command line is wrong */
  EXIT_SKIPPED = 77    /* cannot run here; the reason was printed */
};

typedef struct {
  const char *program;  /* argv[0] */
  int list;             /* --list */
  int check;            /* --check: check and stop */
  const char *csv;      /* --csv[=experiment]: its name, else NULL */
  const char *count;    /* --count[=experiment]: its name, else NULL */
  const char *version;  /* --version NAME: only this one, else NULL */
  size_t size[3];       /* --size N, NxM or NxMxK */
  int n_sizes;          /* how many of them were given; 0 without --size */
  int at_most;          /* given with --at-most: may be halved to fit */
  int repetitions;      /* --repetitions N: measurements to take */
  uint64_t seed;        /* --seed N, or a fresh one */
} options;

static inline void options_fail(const options *o, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s: error: ", o->program);
  vfprintf(stderr, format, arguments);
  fprintf(stderr, "\n%s: try: %s --help\n", o->program, o->program);
  va_end(arguments);
  exit(EXIT_USAGE);
}

static inline void options_help(const options *o, const char *purpose,
                                const char *experiments, const char *counts)
{
  printf("%s: %s\n\n"
         "usage: %s [option …]\n"
         "  (none)             check every version, then print its times\n"
         "  --list             name the versions\n"
         "  --check            check only\n"
         "  --csv[=NAME]       measure, print rows of CSV%s%s\n"
         "  --count[=NAME]     run each version once, to be counted%s%s\n"
         "  --version NAME     only this version\n"
         "  --size N|NxM       size of the problem; 2^20 may be written so\n"
         "  --at-most N        the same; halved until it fits the memory\n"
         "  --repetitions N    measurements for each time (default 20)\n"
         "  --seed N           repeat the random inputs of an earlier run\n"
         "  --help             this text\n",
         o->program, purpose, o->program,
         *experiments ? "; NAME: " : "", experiments,
         *counts ? "; NAME: " : "", counts);
  exit(EXIT_SUCCESS);
}

/* "1000" or "2^20"; *end is set to what follows.  0 and *end == text: no number. */
static inline uint64_t options_number(const char *text, const char **end)
{
  char *behind;
  if (*text < '0' || *text > '9') {
    *end = text;
    return 0;
  }
  uint64_t value = strtoull(text, &behind, 10);
  if (value == 2 && *behind == '^' && behind[1] >= '0' && behind[1] <= '9')
    value = (uint64_t)1 << (strtoull(behind + 1, &behind, 10) & 63);
  *end = behind;
  return value;
}

static inline uint64_t options_whole_number(const options *o,
                                            const char *option,
                                            const char *text)
{
  const char *end;
  uint64_t value = options_number(text, &end);
  if (end == text || *end)
    options_fail(o, "%s needs a number, not '%s'", option, text);
  return value;
}

static inline void options_sizes(options *o, const char *text)
{
  const char *at = text;
  o->n_sizes = 0;
  for (;;) {
    const char *end;
    uint64_t value = options_number(at, &end);
    if (end == at || o->n_sizes == 3)
      break;
    o->size[o->n_sizes++] = (size_t)value;
    if (!*end)
      return;
    if (*end != 'x')
      break;
    at = end + 1;
  }
  options_fail(o, "--size needs N, NxM or NxMxK, not '%s'", text);
}

/* `name` if it is one of the comma-separated names, the first of them if it
 * is NULL; otherwise an error. */
static inline const char *options_one_of(const options *o,
    const char *option, const char *name, const char *names)
{
  static char first[64];
  if (!*names)
    options_fail(o, "%s: this program has nothing of the kind", option);
  if (!name) {
    snprintf(first, sizeof first, "%.*s", (int)strcspn(names, ","), names);
    return first;
  }
  for (const char *at = names; *at; at += *at == ',') {
    size_t length = strcspn(at, ",");
    if (strlen(name) == length && strncmp(at, name, length) == 0)
      return name;
    at += length;
  }
  options_fail(o, "%s=%s: unknown; there are: %s", option, name, names);
  return NULL;
}

/* If argument i is `option`, returns its value: what follows '=' or, for an
 * option that needs one, the next argument.  Otherwise returns NULL. */
static inline const char *options_value(const options *o, int argc,
                                        char **argv, int *i,
                                        const char *option)
{
  size_t length = strlen(option);
  if (strncmp(argv[*i], option, length) != 0)
    return NULL;
  if (argv[*i][length] == '=')
    return argv[*i] + length + 1;
  if (argv[*i][length])
    return NULL;
  if (*i + 1 >= argc)
    options_fail(o, "%s needs a value", option);
  return argv[++*i];
}

static inline options options_parse(int argc, char **argv,
                                    const char *purpose,
                                    const char *experiments,
                                    const char *counts)
{
  options o;
  memset(&o, 0, sizeof o);
  o.program = argc > 0 ? argv[0] : "listing";
  o.repetitions = 20;
  o.seed = random_fresh_seed();
  for (int i = 1; i < argc; i++) {
    const char *value;
    if (strcmp(argv[i], "--help") == 0)
      options_help(&o, purpose, experiments, counts);
    else if (strcmp(argv[i], "--list") == 0)
      o.list = 1;
    else if (strcmp(argv[i], "--check") == 0)
      o.check = 1;
    else if (strcmp(argv[i], "--csv") == 0)
      o.csv = options_one_of(&o, "--csv", NULL, experiments);
    else if (strncmp(argv[i], "--csv=", 6) == 0)
      o.csv = options_one_of(&o, "--csv", argv[i] + 6, experiments);
    else if (strcmp(argv[i], "--count") == 0)
      o.count = *counts ? options_one_of(&o, "--count", NULL, counts) : "";
    else if (strncmp(argv[i], "--count=", 8) == 0)
      o.count = options_one_of(&o, "--count", argv[i] + 8, counts);
    else if ((value = options_value(&o, argc, argv, &i, "--version")))
      o.version = value;
    else if ((value = options_value(&o, argc, argv, &i, "--size")))
      options_sizes(&o, value);
    else if ((value = options_value(&o, argc, argv, &i, "--at-most"))) {
      options_sizes(&o, value);
      o.at_most = 1;
    }
    else if ((value = options_value(&o, argc, argv, &i, "--seed")))
      o.seed = options_whole_number(&o, "--seed", value);
    else if ((value = options_value(&o, argc, argv, &i, "--repetitions")))
      o.repetitions = (int)options_whole_number(&o, "--repetitions", value);
    else
      options_fail(&o, "unknown option '%s'", argv[i]);
  }
  if (o.repetitions < 1 || o.repetitions > 1000)
    options_fail(&o, "--repetitions must be 1 … 1000");
  return o;
}

/* Serves --list and checks --version against a listing's versions[] table,
 * whatever else its rows hold: they begin with name and idea. */
static inline void options_versions(const options *o, const void *table,
                                    size_t row_bytes, size_t n_rows)
{
  int known = o->version == NULL;
  for (size_t i = 0; i < n_rows; i++) {
    const char *const *row =
        (const char *const *)((const char *)table + i * row_bytes);
    if (o->list)
      printf("%-22s %s\n", row[0], row[1]);
    known = known || strcmp(row[0], o->version) == 0;
  }
  if (o->list)
    exit(EXIT_SUCCESS);
  if (!known)
    options_fail(o, "no version '%s'; --list names them", o->version);
}

/* Is this version wanted? */
static inline int options_wants(const options *o, const char *name)
{
  return !o->version || strcmp(o->version, name) == 0;
}

/* Where remarks go: not among the rows of a CSV. */
static inline FILE *options_remarks(const options *o)
{
  return o->csv || o->count ? stderr : stdout;
}

#endif
