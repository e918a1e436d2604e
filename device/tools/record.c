/* What a recording has that its launch's lines say: names of memory, knobs. */
#include "record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../check/demangle.h"
#include "../check/source.h"
#include "../check/watch.h"
#include "../report/recording.h"
#include "../support/host_memory.h"

static struct {
  const char *file;
  uint64_t rows;
  uint32_t seconds;
  bool plain;
  struct recording *recording;
  const struct machine_launch *asked;
} record = { .rows = 2000000, .seconds = 20 };

bool record_wanted(void) { return record.file != NULL; }

/* ---- options -------------------------------------------------------------- */

static uint64_t number_of(const char *option, const char *word)
{
  char *end;
  uint64_t number = strtoull(word, &end, 0);

  if (end == word || *end != '\0') {
    fprintf(stderr, "launch_run: error: %s: a number is expected, not %s\n",
            option, word);
    exit(2);
  }
  return number;
}

int record_option(int n, char **arguments)
{
  const char *option = arguments[0];

  if (strcmp(option, "--plain") == 0) {
    record.plain = true;
    return 1;
  }
  if (n < 2)
    return 0;
  if (strcmp(option, "--recording") == 0)
    record.file = arguments[1];
  else if (strcmp(option, "--rows") == 0)
    record.rows = number_of(option, arguments[1]);
  else if (strcmp(option, "--seconds") == 0)
    record.seconds = (uint32_t)number_of(option, arguments[1]);
  else
    return 0;
  return 2;
}

/* ---- before the launch ---------------------------------------------------- */

void record_prepare(void)
{
  /* A page has no source files: what is quoted must not depend on them. */
  source_hide();
  program_trace();
  check_want(CHECK_MEMORY | CHECK_INIT | CHECK_RACE | CHECK_SYNC);
}

static enum number_type number_type_of(struct launch_type type)
{
  char name[4];
  int n = snprintf(name, sizeof name, "%c%u",
                   type.kind == 'x' ? 'u' : type.kind, 8 * type.bytes);

  return number_named(name, (size_t)n);
}

void record_begin(const struct machine_launch *asked, struct launch *launch)
{
  recording_free(record.recording);
  record.asked = asked;
  record.recording = recording_new(record.rows, number_type_of(asked->shared));
  for (size_t i = 0; i < asked->n_memory; i++) {
    const struct machine_memory *m = &asked->memory[i];

    recording_add(record.recording, m->name, number_type_of(m->type),
                  m->address, m->n, m->is_written);
  }
  if (launch->time_limit == 0)
    launch->time_limit = record.seconds;
  recording_begin(record.recording, launch);
}

/* ---- after it ------------------------------------------------------------- */

/* {"n":256,"version":"strided"} */
static char *knobs_text(const struct machine_launch *asked)
{
  char *text = NULL;
  size_t bytes;
  FILE *out = open_memstream(&text, &bytes);

  if (out == NULL)
    host_out_of_memory();
  for (size_t i = 0; i < asked->n_knobs; i++) {
    const struct machine_knob *knob = &asked->knobs[i];

    fprintf(out, "%s\"%s\":", i == 0 ? "{" : ",", knob->name);
    if (!knob->has_text) {
      fprintf(out, "%" PRId64, knob->number);
      continue;
    }
    fputc('"', out);
    for (const char *c = knob->word; *c != '\0'; c++)
      fprintf(out, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    fputc('"', out);
  }
  fputs(asked->n_knobs == 0 ? "{}" : "}", out);
  fclose(out);
  return text;
}

static FILE *open_file(void)
{
  FILE *out = strcmp(record.file, "-") == 0 ? stdout : fopen(record.file, "w");

  if (out == NULL) {
    fprintf(stderr, "launch_run: error: cannot write %s\n", record.file);
    exit(2);
  }
  return out;
}

void record_end(const struct launch *launch, const struct launch_counts *counts,
                const struct fault *fault, const char *output)
{
  FILE *out = open_file();
  char *knobs = knobs_text(record.asked), name[512];
  struct kernel_info info;

  kernel_describe(launch->kernel, &info);
  demangle(info.name, name, sizeof name);
  recording_write(out, record.recording,
                  &(struct recording_end){
                      .kernel = name,
                      .grid = launch->grid,
                      .block = launch->block,
                      .knobs = knobs,
                      .shared_bytes = info.static_shared_bytes +
                                      launch->dynamic_shared_bytes,
                      .counts = counts,
                      .fault = fault,
                      .output = output,
                  },
                  record.plain);
  if (out != stdout)
    fclose(out);
  free(knobs);
  recording_free(record.recording);
  record.recording = NULL;
}
