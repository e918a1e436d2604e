/* Reads the command line of `softdevice cc`. */
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const HELP =
    "usage: softdevice cc [options] file.cu … -o program\n"
    "\n"
    "Compiles CUDA C with clang, for the software device: no CUDA Toolkit\n"
    "needed. Files named .cu are CUDA C, .c and .cpp go to clang as they are,\n"
    ".o, .a and .so to the linker.\n"
    "\n"
    "  -o FILE             name of the result\n"
    "  -c                  an object file, don't link\n"
    "  -ptx                the device code as PTX text\n"
    "  -I, -isystem, -D, -U, -include, -MD, -MF, -MT, -W…, -w, -f…, -m…, -pthread\n"
    "                      as clang takes them\n"
    "  -std=c++17          the language (default: c++17)\n"
    "  -O0 … -O3           how much to optimise (default: -O3)\n"
    "  -g                  line numbers of host code, too\n"
    "  -G                  device code as it is written, not optimised\n"
    "  -lineinfo           accepted: device code always has its line numbers\n"
    "  -arch=sm_90         the least device that the code is for; compute_90,\n"
    "                      sm_90a and -gencode arch=… mean the same\n"
    "  -fmad=false         products and sums stay apart in device code\n"
    "  -use_fast_math      approximate functions, denormals become zero\n"
    "  -Xcompiler OPTIONS  options for the compilation of host code\n"
    "  -Xlinker OPTION, -Wl,…, -L, -l, -shared, -rdynamic\n"
    "                      for the linker\n"
    "  --cudart=shared     accepted: it is always so\n"
    "  -v, --dryrun        print the commands; run none of them\n"
    "\n"
    "SOFTDEVICE_CLANG names the clang to use, of version 14 or newer (default:\n"
    "clang). device/README.md says what of CUDA C is there.\n";

/* The word after an option, or the rest of the same word. */
struct cursor {
  char **word;
  int n, at;
};

static const char *next_word(struct cursor *cursor, const char *option)
{
  if (++cursor->at >= cursor->n)
    fail("%s needs a value; see softdevice cc --help", option);
  return cursor->word[cursor->at];
}

/* -o FILE and -oFILE, --option VALUE and --option=VALUE. */
static const char *value_of(struct cursor *cursor, const char *option)
{
  const char *rest = after(cursor->word[cursor->at], option);
  if (rest == NULL)
    return NULL;
  if (*rest == '\0')
    return next_word(cursor, option);
  if (*rest == '=' && strlen(option) > 2)
    return rest + 1;
  return strlen(option) == 2 ? rest : NULL;
}

/* "sm_90", "compute_90a", or a list of such. */
static bool take_architecture(struct options *options, const char *name)
{
  const char *digits = after(name, "sm_");
  char *end;

  if (digits == NULL)
    digits = after(name, "compute_");
  if (digits == NULL)
    return false;
  long number = strtol(digits, &end, 10);
  if (number < 70 || number > 129 || (*end != '\0' && strcmp(end, "a") != 0))
    fail("-arch=%s: expected sm_70 to sm_90a", name);
  if (number > 90)
    fail("-arch=%s: the software device is one of 9.0 at most", name);
  options->architecture = (int)number;
  options->is_specific = *end == 'a';
  return true;
}

/* arch=compute_90,code=[…]: what it is compiled for is in the first part. */
static void take_gencode(struct options *options, const char *value)
{
  const char *name = after(value, "arch=");
  char first[32] = "";
  if (name != NULL)
    snprintf(first, sizeof first, "%.*s", (int)strcspn(name, ","), name);
  if (!take_architecture(options, first))
    fail("-gencode %s: expected arch=compute_90,code=…", value);
}

/* Options for the host's compiler, separated by commas. */
static void take_host_options(struct words *host, const char *list)
{
  while (*list != '\0') {
    size_t n = strcspn(list, ",");
    char *word = text_of("%.*s", (int)n, list);
    words_add(host, word);
    free(word);
    list += n + (list[n] == ',');
  }
}

/* Options whose value is the next word or the rest of this one. */
static bool take_pair(struct options *options, struct cursor *cursor)
{
  static const struct {
    const char *option;
    enum { BOTH, DEPEND, LINK } goes_to;
  } pairs[] = { { "-I", BOTH },       { "-D", BOTH },       { "-U", BOTH },
                { "-include", BOTH }, { "-isystem", BOTH }, { "-iquote", BOTH },
                { "-MF", DEPEND },    { "-MT", DEPEND },    { "-MQ", DEPEND },
                { "-L", LINK } };
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
    const char *value = value_of(cursor, pairs[i].option);
    struct words *to = pairs[i].goes_to == BOTH     ? &options->both
                       : pairs[i].goes_to == DEPEND ? &options->depend
                                                    : &options->link;
    if (value == NULL)
      continue;
    words_add_all(to, pairs[i].option, value, NULL);
    return true;
  }
  return false;
}

static bool take_value(struct options *options, struct cursor *cursor)
{
  const char *value;

  if ((value = value_of(cursor, "-o")) != NULL)
    options->output = value;
  else if ((value = value_of(cursor, "-l")) != NULL) {
    char *word = text_of("-l%s", value);
    words_add(&options->libraries, word);
    free(word);
  } else if ((value = value_of(cursor, "-std")) != NULL ||
             (value = value_of(cursor, "--std")) != NULL)
    options->standard = value;
  else if ((value = value_of(cursor, "-arch")) != NULL ||
           (value = value_of(cursor, "--gpu-architecture")) != NULL) {
    if (!take_architecture(options, value))
      fail("-arch=%s: expected sm_70 to sm_90a", value);
  } else if ((value = value_of(cursor, "-code")) != NULL)
    ; /* PTX for -arch, whatever else was wanted */
  else if ((value = value_of(cursor, "-gencode")) != NULL ||
           (value = value_of(cursor, "--generate-code")) != NULL)
    take_gencode(options, value);
  else if ((value = value_of(cursor, "-Xcompiler")) != NULL ||
           (value = value_of(cursor, "--compiler-options")) != NULL)
    take_host_options(&options->host, value);
  else if ((value = value_of(cursor, "-Xlinker")) != NULL)
    words_add_all(&options->link, "-Xlinker", value, NULL);
  else if ((value = value_of(cursor, "--cudart")) != NULL ||
           (value = value_of(cursor, "-cudart")) != NULL) {
    if (strcmp(value, "shared") != 0)
      fail("--cudart=%s: only the shared runtime is here", value);
  } else if ((value = value_of(cursor, "-fmad")) != NULL ||
             (value = value_of(cursor, "--fmad")) != NULL)
    options->contracts = strcmp(value, "false") != 0;
  else if ((value = value_of(cursor, "-x")) != NULL) {
    if (strcmp(value, "cu") != 0)
      fail("-x %s: only cu", value);
  } else
    return false;
  return true;
}

static bool take_flag(struct options *options, const char *word)
{
  if (strcmp(word, "-c") == 0)
    options->stage = STAGE_OBJECT;
  else if (strcmp(word, "-ptx") == 0 || strcmp(word, "--ptx") == 0)
    options->stage = STAGE_PTX;
  else if (strcmp(word, "-g") == 0)
    options->host_lines = true;
  else if (strcmp(word, "-G") == 0)
    options->unoptimised_device = true;
  else if (strcmp(word, "-use_fast_math") == 0 ||
           strcmp(word, "--use_fast_math") == 0)
    options->fast_math = true;
  else if (strcmp(word, "-v") == 0)
    options->says_commands = true;
  else if (strcmp(word, "--dryrun") == 0 || strcmp(word, "-dryrun") == 0)
    options->says_commands = options->only_says = true;
  else if (strcmp(word, "-lineinfo") != 0 &&
           strcmp(word, "--generate-line-info") != 0 &&
           strcmp(word, "-rdc=false") != 0)
    return false;
  return true;
}

/* What clang or its linker understands by itself. */
static bool hand_on(struct options *options, const char *word)
{
  if (after(word, "-Wl,") != NULL || strcmp(word, "-shared") == 0 ||
      strcmp(word, "-rdynamic") == 0 || strcmp(word, "-static-libgcc") == 0)
    words_add(&options->link, word);
  else if (after(word, "-W") != NULL || strcmp(word, "-w") == 0 ||
           after(word, "-f") != NULL || after(word, "-m") != NULL)
    words_add(&options->host, word);
  else if (strcmp(word, "-MD") == 0 || strcmp(word, "-MMD") == 0 ||
           strcmp(word, "-MP") == 0)
    words_add(&options->depend, word);
  else if (strcmp(word, "-pthread") == 0) {
    words_add(&options->host, word);
    words_add(&options->link, word);
  } else if (after(word, "-O") != NULL && strlen(word) == 3)
    options->optimise = word;
  else
    return false;
  return true;
}

static void refuse(const char *word)
{
  if (after(word, "-rdc") != NULL || strcmp(word, "-dc") == 0 ||
      strcmp(word, "-dlink") == 0 ||
      after(word, "--relocatable-device-code") != NULL)
    fail("%s: relocatable device code is not supported: clang has no device "
         "linker, and no launches in device code. Use nvcc",
         word);
  fail("%s is not supported; see softdevice cc --help", word);
}

struct options options_read(int n, char **word)
{
  struct options options = { .standard = "c++17",
                             .optimise = "-O3",
                             .architecture = 90,
                             .contracts = true };
  struct cursor cursor = { word, n, 0 };

  for (; cursor.at < n; cursor.at++) {
    const char *now = word[cursor.at];
    if (strcmp(now, "--help") == 0 || strcmp(now, "-h") == 0) {
      fputs(HELP, stdout);
      exit(0);
    }
    if (now[0] != '-' || now[1] == '\0')
      words_add(&options.inputs, now);
    else if (!take_flag(&options, now) && !take_value(&options, &cursor) &&
             !take_pair(&options, &cursor) && !hand_on(&options, now))
      refuse(now);
  }
  if (options.inputs.n == 0)
    fail("no file given; see softdevice cc --help");
  if (options.output != NULL && options.stage != STAGE_LINK &&
      options.inputs.n > 1)
    fail("-o with -c or -ptx is for one file");
  return options;
}
