/* Replays a corpus and then mutations of it, the same ones in every run:
 *
 *   driver TARGET SEED-NUMBER MUTATIONS PATH…
 *
 * PATH is a file or a folder of files. What goes wrong (a signal, an input
 * that takes more than 10 seconds of processor time, memory beyond the limit)
 * leaves the input in the file `TARGET.crash` of the current folder and a
 * status that is not 0. Nothing depends on how fast or how busy the machine
 * is. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "fuzz.h"

enum { LARGEST = 4096, MOST_FILES = 1024, LONGEST_SECONDS = 10 };
enum { MOST_KIB = 1 << 20 }; /* of resident memory */

struct input {
  uint8_t bytes[LARGEST];
  size_t n;
};

static const struct target {
  const char *name;
  int (*run)(const uint8_t *, size_t);
} targets[] = {
  { "ptx", fuzz_ptx },
  { "fatbin", fuzz_fatbin },
  { "execute", fuzz_execute },
  { "ir", fuzz_ir },
};

static const struct target *target;
static struct input seeds[MOST_FILES], current;
static size_t n_seeds;
static char crash_file[64];
static uint64_t state;

static uint32_t random_below(uint32_t n)
{
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 32) % n;
}

static void save(void)
{
  int file = open(crash_file, O_CREAT | O_TRUNC | O_WRONLY, 0666);

  if (file < 0 || write(file, current.bytes, current.n) < 0)
    return;
  close(file);
}

static void say(const char *text)
{
  if (write(2, text, strlen(text)) < 0)
    _exit(1);
}

static void broken(int signal_number)
{
  save();
  say(signal_number == SIGPROF ? "fuzz: an input takes too long: "
                               : "fuzz: a crash: ");
  say(crash_file);
  say("\n");
  if (signal_number == SIGPROF)
    _exit(1);
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

static void run_current(void)
{
  struct itimerval limit = { .it_value.tv_sec = LONGEST_SECONDS };

  setitimer(ITIMER_PROF, &limit, NULL);
  target->run(current.bytes, current.n);
  limit.it_value.tv_sec = 0;
  setitimer(ITIMER_PROF, &limit, NULL);
}

static void check_memory(void)
{
  struct rusage usage;

  getrusage(RUSAGE_SELF, &usage);
  if (usage.ru_maxrss <= MOST_KIB)
    return;
  save();
  fprintf(stderr, "fuzz: %ld MiB of memory: %s\n", usage.ru_maxrss >> 10,
          crash_file);
  exit(1);
}

static void read_seed(const char *name);

/* In order of their names: the same run on every file system. */
static void read_folder(const char *folder)
{
  struct dirent **names;
  int n = scandir(folder, &names, NULL, alphasort);

  for (int i = 0; i < n; i++) {
    char path[1024];

    snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
    if (names[i]->d_name[0] != '.' &&
        strcmp(names[i]->d_name, "meson.build") != 0)
      read_seed(path);
    free(names[i]);
  }
  free(names);
}

static void read_seed(const char *name)
{
  struct stat status;
  FILE *file;

  if (stat(name, &status) == 0 && S_ISDIR(status.st_mode)) {
    read_folder(name);
    return;
  }
  file = fopen(name, "rb");

  if (file == NULL) {
    fprintf(stderr, "fuzz: %s: %s\n", name, strerror(errno));
    exit(2);
  }
  if (n_seeds < MOST_FILES) {
    seeds[n_seeds].n = fread(seeds[n_seeds].bytes, 1, LARGEST, file);
    n_seeds++;
  }
  fclose(file);
}

static void change_byte(void)
{
  static const uint8_t values[] = { 0,   1,   0x7f, 0x80, 0xff, ' ',
                                    '{', '}', '[',  ']',  ';',  ',' };
  uint32_t at = random_below((uint32_t)current.n);

  current.bytes[at] =
      random_below(2) ? values[random_below(sizeof values)]
                      : (uint8_t)(current.bytes[at] ^ 1u << random_below(8));
}

static void remove_some(void)
{
  uint32_t at = random_below((uint32_t)current.n);
  uint32_t n = 1 + random_below(32);

  if (n > current.n - at)
    n = (uint32_t)current.n - at;
  memmove(current.bytes + at, current.bytes + at + n, current.n - at - n);
  current.n -= n;
}

static void insert_some(const uint8_t *from, uint32_t n)
{
  uint32_t at = random_below((uint32_t)current.n + 1);

  if (n > LARGEST - current.n)
    n = (uint32_t)(LARGEST - current.n);
  memmove(current.bytes + at + n, current.bytes + at, current.n - at);
  memcpy(current.bytes + at, from, n);
  current.n += n;
}

/* A piece of any seed, or a number that is on an edge. */
static void insert_piece(void)
{
  static const char *const edges[] = { "0",
                                       "-1",
                                       "255",
                                       "4294967295",
                                       "4294967296",
                                       "18446744073709551615",
                                       "9223372036854775808",
                                       "0x7fffffff",
                                       "1048576",
                                       "0f7f800000",
                                       "1e300" };
  const struct input *other = &seeds[random_below((uint32_t)n_seeds)];
  uint32_t at, n;

  if (other->n == 0 || random_below(4) == 0) {
    const char *edge = edges[random_below(sizeof edges / sizeof *edges)];

    insert_some((const uint8_t *)edge, (uint32_t)strlen(edge));
    return;
  }
  at = random_below((uint32_t)other->n);
  n = 1 + random_below(64);
  if (n > other->n - at)
    n = (uint32_t)other->n - at;
  insert_some(other->bytes + at, n);
}

static void mutate(void)
{
  unsigned changes = 1 + random_below(8);

  current = seeds[random_below((uint32_t)n_seeds)];
  for (unsigned i = 0; i < changes; i++) {
    uint32_t how = random_below(4);

    if (current.n == 0 || how == 0)
      insert_piece();
    else if (how == 1)
      remove_some();
    else
      change_byte();
  }
}

/* There when the program is built with a sanitizer. */
extern void __sanitizer_set_death_callback(void (*callback)(void))
    __attribute__((weak));

static void catch_signals(void)
{
  static const int signals[] = { SIGPROF, SIGABRT, SIGSEGV,
                                 SIGBUS,  SIGFPE,  SIGILL };

  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    signal(signals[i], broken);
  if (__sanitizer_set_death_callback != NULL)
    __sanitizer_set_death_callback(save);
}

int main(int argc, char **argv)
{
  unsigned long n = 0, most;

  for (size_t i = 0; argc > 4 && i < sizeof targets / sizeof *targets; i++)
    if (strcmp(targets[i].name, argv[1]) == 0)
      target = &targets[i];
  if (target == NULL) {
    fputs("usage: driver ptx|fatbin|execute NUMBER MUTATIONS PATH…\n", stderr);
    return 2;
  }
  snprintf(crash_file, sizeof crash_file, "%s.crash", target->name);
  state = strtoull(argv[2], NULL, 10) * UINT64_C(0x9e3779b97f4a7c15) + 1;
  most = strtoul(argv[3], NULL, 10);
  for (int i = 4; i < argc; i++)
    read_seed(argv[i]);
  catch_signals();
  for (size_t i = 0; i < n_seeds; i++) {
    current = seeds[i];
    run_current();
  }
  while (n < most) {
    mutate();
    run_current();
    n++;
  }
  check_memory();
  printf("%zu seeds, %lu mutations\n", n_seeds, n);
  if (fuzz_statistics.programs > 0)
    printf("%lu programs ran %lu PTX instructions; %lu faults, %lu compared\n",
           fuzz_statistics.programs, fuzz_statistics.instructions,
           fuzz_statistics.faults, fuzz_statistics.compared);
  return 0;
}
