/* Runs a scene (step_scene.h) with checks on, and writes its recording.
 *
 *   step_run SCENE FOLDER [KNOB=VALUE…] [break=NAME] [--limit ROWS]
 *            [--seconds N] [--plain] [--trace FILE] [--access FILE]
 *   step_run --describe SCENE
 *   step_run --key SCENE [KNOB=VALUE…]
 *
 * FOLDER has the variants' PTX, see scene_key. If a kernel goes wrong, step_run
 * does not: the recording says what happened. Exit status: 0; 2 for a scene
 * or an argument that is wrong. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../check/demangle.h"
#include "../check/source.h"
#include "../check/watch.h"
#include "../exec/launch.h"
#include "../memory/memory.h"
#include "../report/recording.h"
#include "../support/host_memory.h"
#include "machine.h"
#include "step_scene.h"

enum {
  MOST_THREADS = 1024,
  MOST_BYTES = 1 << 28, /* of a buffer */
  ROWS = 2000000,
  SECONDS = 20
};

static struct {
  const char *trace, *access;
  uint64_t limit;
  uint32_t seconds;
  bool plain;
} options = { .limit = ROWS, .seconds = SECONDS };

struct place {
  const char *name;
  uint64_t address;
};

struct run {
  struct scene *scene;
  struct recording *recording;
  struct program *program;
  const struct kernel *kernel;
  char name[512]; /* of the kernel, readable */
  struct place places[SCENE_MOST];
  size_t n_places;
  const struct scene_launch *asked;
  struct launch launch;
  uint8_t parameters[4096];
};

static _Noreturn void usage(const char *what, const char *detail)
{
  fprintf(stderr, "step_run: error: %s%s\n", what, detail);
  exit(2);
}

/* ---- memory --------------------------------------------------------------- */

static uint64_t bits_of(enum number_type type, int64_t value)
{
  uint64_t bits = 0;
  float narrow = (float)value;
  double wide = (double)value;

  if (type == NUMBER_F32)
    memcpy(&bits, &narrow, sizeof narrow);
  else if (type == NUMBER_F64)
    memcpy(&bits, &wide, sizeof wide);
  else
    bits = (uint64_t)value;
  return bits;
}

static void fill(const struct scene *scene, const struct scene_buffer *b,
                 uint64_t address, enum number_type type, size_t n)
{
  unsigned bytes = number_bytes(type);
  uint8_t *to = memory_view(address, n * bytes);

  for (size_t i = 0; i < n; i++) {
    uint64_t bits =
        bits_of(type, scene_value(scene, b->line, b->values, (int64_t)i));

    memcpy(to + i * bytes, &bits, bytes);
  }
}

static void make_buffer(struct run *run, const struct scene_buffer *b)
{
  enum number_type type = number_named(b->type, strlen(b->type));
  int64_t n = scene_value(run->scene, b->line, b->count, 0);
  uint64_t address;

  if (n < 1 || n > MOST_BYTES / 8)
    scene_refuse(run->scene, b->line,
                 "a buffer has from one to 2^25 elements: ", b->name);
  address = memory_allocate((size_t)n * number_bytes(type), 256, MEMORY_DEVICE,
                            0, NULL);
  if (address == 0)
    scene_refuse(run->scene, b->line, "there is no memory for ", b->name);
  if (b->values != NULL)
    fill(run->scene, b, address, type, (size_t)n);
  recording_add(run->recording, b->name, type, address, (size_t)n,
                b->values != NULL);
  run->places[run->n_places++] = (struct place){ b->name, address };
}

static void set_variable(struct run *run, const struct scene_buffer *b)
{
  enum number_type type = number_named(b->type, strlen(b->type));
  struct program_variable found;
  size_t n;

  if (!program_find_variable(run->program, b->name, &found))
    scene_refuse(run->scene, b->line,
                 "the PTX has no variable of that name: ", b->name);
  n = found.bytes / number_bytes(type);
  if (b->values != NULL)
    fill(run->scene, b, found.address, type, n);
  recording_add(run->recording, b->name, type, found.address, n, true);
}

/* ---- the launch ----------------------------------------------------------- */

static int64_t value_of(const struct run *run, const char *expression)
{
  return scene_value(run->scene, run->asked->line, expression, 0);
}

static void set_extents(const struct run *run, const char *text,
                        const char *what, uint32_t extent[3])
{
  char part[200];

  extent[0] = extent[1] = extent[2] = 1;
  for (unsigned i = 0; i < 3 && *text != '\0'; i++) {
    size_t n = strcspn(text, ",");
    int64_t value;

    snprintf(part, sizeof part, "%.*s", (int)n, text);
    value = value_of(run, part);
    if (value < 1 || value > 65535)
      scene_refuse(run->scene, run->asked->line,
                   "an extent is from 1 to 65535: ", what);
    extent[i] = (uint32_t)value;
    text += n + (text[n] == ',');
  }
}

static uint64_t argument_of(const struct run *run, const char *word)
{
  const char *colon = strchr(word, ':');
  enum number_type type;

  for (size_t i = 0; i < run->n_places; i++)
    if (strcmp(run->places[i].name, word) == 0)
      return run->places[i].address;
  if (colon == NULL)
    scene_refuse(run->scene, run->asked->line,
                 "an argument is a buffer, or TYPE:VALUE, not ", word);
  type = number_named(word, (size_t)(colon - word));
  if (type == NUMBER_NONE)
    scene_refuse(run->scene, run->asked->line,
                 "no such type of an argument: ", word);
  return bits_of(type, value_of(run, colon + 1));
}

/* A number, an address, or the fields of a struct, each at a multiple of its
 * size. */
static void put_argument(struct run *run, const struct kernel_info *info,
                         unsigned number, const char *word)
{
  char part[200];
  uint32_t at = 0;

  if (number >= info->n_parameters)
    scene_refuse(run->scene, run->asked->line,
                 "the kernel has fewer parameters: ", word);
  for (; *word != '\0'; word += *word == ';') {
    size_t n = strcspn(word, ";"), colon;
    unsigned bytes = 8;
    uint64_t bits;

    snprintf(part, sizeof part, "%.*s", (int)n, word);
    colon = strcspn(part, ":");
    if (part[colon] == ':')
      bytes = number_bytes(number_named(part, colon));
    bits = argument_of(run, part);
    at = (at + bytes - 1) / bytes * bytes;
    if (at + bytes > info->parameters[number].bytes)
      scene_refuse(run->scene, run->asked->line,
                   "larger than the kernel's parameter: ", part);
    memcpy(run->parameters + info->parameters[number].offset + at, &bits,
           bytes);
    at += bytes;
    word += n;
  }
  if (at != info->parameters[number].bytes)
    scene_refuse(run->scene, run->asked->line,
                 "smaller than the kernel's parameter: ", part);
}

static bool is_alone(unsigned n)
{
  (void)n;
  return true;
}

static void prepare(struct run *run)
{
  const struct scene *scene = run->scene;
  struct kernel_info info;
  unsigned n = 0;

  kernel_describe(run->kernel, &info);
  run->launch = (struct launch){ .kernel = run->kernel,
                                 .n_workers = 1,
                                 .time_limit = options.seconds,
                                 .is_alone = is_alone,
                                 .parameters = run->parameters };
  set_extents(run, run->asked->words[0], "GRID", run->launch.grid);
  set_extents(run, run->asked->words[1], "BLOCK", run->launch.block);
  if ((uint64_t)run->launch.block[0] * run->launch.block[1] *
          run->launch.block[2] >
      info.max_threads)
    scene_refuse(scene, run->asked->line, "too many threads in a block", "");
  for (size_t i = 2; i < run->asked->n; i++)
    if (strncmp(run->asked->words[i], "shared=", 7) == 0)
      run->launch.dynamic_shared_bytes =
          (uint32_t)value_of(run, run->asked->words[i] + 7);
    else
      put_argument(run, &info, n++, run->asked->words[i]);
  if (n < info.n_parameters)
    scene_refuse(scene, run->asked->line, "arguments are missing", "");
}

/* The PTX has one kernel. */
static void load(struct run *run, const char *folder)
{
  struct program_error error;
  char key[200], path[4096], mangled[400];
  size_t bytes;
  char *text, *entry;

  scene_key(run->scene, key, sizeof key);
  snprintf(path, sizeof path, "%s/%s.ptx", folder, key);
  text = read_file(path, &bytes);
  run->program = program_load(text, bytes, 0, &error);
  if (run->program == NULL)
    usage(path, error.message);
  entry = strstr(text, ".entry ");
  if (entry == NULL || sscanf(entry, ".entry %399[A-Za-z0-9_$]", mangled) != 1)
    usage(path, ": there is no kernel in it");
  run->kernel = program_kernel(run->program, mangled);
  demangle(mangled, run->name, sizeof run->name);
  free(text);
}

static FILE *memory_stream(char **text, size_t *bytes)
{
  FILE *out = open_memstream(text, bytes);

  if (out == NULL)
    host_out_of_memory();
  return out;
}

static void write_file(const struct run *run, const char *name,
                       void (*write)(FILE *, const struct recording *,
                                     const char *))
{
  FILE *out = name == NULL ? NULL : fopen(name, "w");

  if (name != NULL && out == NULL)
    usage("cannot write ", name);
  if (out == NULL)
    return;
  write(out, run->recording, run->name);
  fclose(out);
}

static void record(struct run *run)
{
  struct launch_counts counts = { 0 };
  struct fault fault = { 0 };
  struct kernel_info info;
  char *output = NULL, *knobs = NULL;
  size_t bytes;
  FILE *out = memory_stream(&knobs, &bytes);
  bool faulted;

  scene_put_knobs(out, run->scene);
  fclose(out);
  kernel_describe(run->kernel, &info);
  run->launch.output = memory_stream(&output, &bytes);
  recording_begin(run->recording, &run->launch);
  faulted = launch_run(&run->launch, &counts, &fault) != 0;
  fclose(run->launch.output);
  recording_write(stdout, run->recording,
                  &(struct recording_end){
                      .kernel = run->name,
                      .grid = run->launch.grid,
                      .block = run->launch.block,
                      .knobs = knobs,
                      .shared_bytes = info.static_shared_bytes +
                                      run->launch.dynamic_shared_bytes,
                      .counts = &counts,
                      .fault = faulted ? &fault : NULL,
                      .output = output,
                  },
                  options.plain);
  write_file(run, options.trace, recording_write_trace);
  write_file(run, options.access, recording_write_access);
  launch_counts_free(&counts);
  free(output);
  free(knobs);
}

static void run_scene(struct scene *scene, const char *folder)
{
  struct run run = { .scene = scene, .asked = scene_launch(scene) };

  /* The device hears of both before it has any memory. */
  setenv("SOFTDEVICE_TRACE", "-", 1);
  check_want(CHECK_MEMORY | CHECK_INIT | CHECK_RACE | CHECK_SYNC);
  check_watch_memory();
  source_hide();
  run.recording = recording_new(
      options.limit, scene->shared == NULL
                         ? NUMBER_U32
                         : number_named(scene->shared, strlen(scene->shared)));
  load(&run, folder);
  for (size_t i = 0; i < scene->n_buffers; i++)
    make_buffer(&run, &scene->buffers[i]);
  for (size_t i = 0; i < scene->n_variables; i++)
    set_variable(&run, &scene->variables[i]);
  prepare(&run);
  record(&run);
  program_free(run.program);
  for (size_t i = 0; i < run.n_places; i++)
    memory_release(run.places[i].address);
  recording_free(run.recording);
}

/* ---- arguments ------------------------------------------------------------ */

static uint64_t number_after(char ***at)
{
  char *end;
  uint64_t number;

  if (*++*at == NULL)
    usage("a number is missing after ", (*at)[-1]);
  number = strtoull(**at, &end, 0);
  if (*end != '\0')
    usage("a number is expected, not ", **at);
  return number;
}

static const char *name_after(char ***at)
{
  if (*++*at == NULL)
    usage("a file is missing after ", (*at)[-1]);
  return **at;
}

static void take_arguments(struct scene *scene, char **at)
{
  for (; *at != NULL; at++)
    if (strcmp(*at, "--plain") == 0)
      options.plain = true;
    else if (strcmp(*at, "--limit") == 0)
      options.limit = number_after(&at);
    else if (strcmp(*at, "--seconds") == 0)
      options.seconds = (uint32_t)number_after(&at);
    else if (strcmp(*at, "--trace") == 0)
      options.trace = name_after(&at);
    else if (strcmp(*at, "--access") == 0)
      options.access = name_after(&at);
    else
      scene_set(scene, *at);
}

static struct scene *read_scene(const char *file)
{
  size_t bytes;
  char *text = read_file(file, &bytes);

  return scene_read(file, text);
}

int main(int argc, char **argv)
{
  bool describes = argc == 3 && strcmp(argv[1], "--describe") == 0;
  bool names = argc > 2 && strcmp(argv[1], "--key") == 0;
  struct scene *scene;

  if (argc < 3)
    usage("usage: step_run SCENE FOLDER [KNOB=VALUE…] [--limit ROWS] "
          "[--seconds N] [--plain] [--trace FILE] [--access FILE]",
          "");
  scene = read_scene(argv[describes || names ? 2 : 1]);
  take_arguments(scene, argv + 3);
  if (describes) {
    scene_describe(stdout, scene);
  } else if (names) {
    char key[200];

    scene_key(scene, key, sizeof key);
    printf("%s %s\n", key, scene_kernel(scene));
  } else {
    run_scene(scene, argv[2]);
  }
  scene_free(scene);
  return 0;
}
