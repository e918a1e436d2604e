/* Walks the stack past the device's own libraries to a frame of the program,
 * and asks addr2line for its source line. */
#define _GNU_SOURCE 1 /* dladdr1 */
#include "caller.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../support/host_memory.h"

enum { WALKED = 32, PATH_BYTES = 1024 };

extern char **environ;

/* ---- frames ---- */

static bool object_of(const void *address, Dl_info *info, uintptr_t *bias)
{
  struct link_map *map = NULL;

  if (dladdr1(address, info, (void **)&map, RTLD_DL_LINKMAP) == 0 ||
      info->dli_fname == NULL || map == NULL)
    return false;
  *bias = map->l_addr;
  return true;
}

/* This library's functions come first, then those of the API that was called,
 * a library in the same folder. */
static bool is_own(const Dl_info *info, const Dl_info *own)
{
  const char *slash = strrchr(own->dli_fname, '/');
  size_t n = slash == NULL ? 0 : (size_t)(slash - own->dli_fname) + 1;

  return info->dli_fbase == own->dli_fbase ||
         (n > 0 && strncmp(info->dli_fname, own->dli_fname, n) == 0 &&
          strncmp(info->dli_fname + n, "libcu", 5) == 0);
}

struct caller caller_now(void)
{
  struct caller caller = { .n = 0 };
  void *walked[WALKED];
  int n = backtrace(walked, WALKED);
  Dl_info own, info, first;
  uintptr_t bias;
  bool was_own = false;

  if (!object_of((const void *)(uintptr_t)caller_now, &own, &bias))
    return caller;
  for (int i = 0; i < n && caller.n < CALLER_FRAMES; i++) {
    if (!object_of(walked[i], &info, &bias))
      break;
    /* A sanitizer's own backtrace() is a frame before ours. */
    if (caller.n == 0 && (is_own(&info, &own) || !was_own)) {
      was_own |= is_own(&info, &own);
      continue;
    }
    if (caller.n == 0)
      first = info;
    else if (info.dli_fbase != first.dli_fbase)
      break;
    caller.frame[caller.n++] = walked[i];
  }
  return caller;
}

/* Of the C or C++ library, or of a sanitizer, which has some of the C
 * library's functions in its own source files. */
static bool is_system_library(const char *name)
{
  return strstr(name, "libc.so") != NULL || strstr(name, "libstdc++") != NULL ||
         strstr(name, "san.so") != NULL;
}

/* Functions of such libraries are passed over: the program called the first
 * one, and that may have called one of another library. */
struct caller caller_at(const void *pc)
{
  struct caller caller = { .n = 0 };
  void *walked[WALKED];
  int n = backtrace(walked, WALKED), at = 0;
  Dl_info info, callee;
  uintptr_t bias;

  while (at < n && walked[at] != pc)
    at++;
  if (at == n || !object_of(walked[at], &callee, &bias))
    return caller;
  /* Return addresses lie past what was called; the first one does not. */
  walked[at] = (char *)walked[at] + 1;
  while (at < n && object_of(walked[at], &info, &bias) &&
         is_system_library(info.dli_fname))
    at++;
  for (; at < n && caller.n < CALLER_FRAMES; at++) {
    if (!object_of(walked[at], &info, &bias) ||
        (caller.n > 0 && info.dli_fbase != callee.dli_fbase))
      break;
    callee = info;
    caller.frame[caller.n++] = walked[at];
  }
  return caller;
}

void caller_site(const struct caller *caller, char *site, size_t n_site)
{
  Dl_info info;
  uintptr_t bias;
  const char *slash;

  site[0] = '\0';
  if (caller->n == 0 || !object_of(caller->frame[0], &info, &bias))
    return;
  slash = strrchr(info.dli_fname, '/');
  snprintf(site, n_site, "%.48s+0x%lx",
           slash == NULL ? info.dli_fname : slash + 1,
           (unsigned long)((const char *)caller->frame[0] -
                           (const char *)info.dli_fbase) -
               1);
}

/* ---- by address ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct noted {
  uint64_t address;
  struct caller caller;
} * noted;
static size_t n_noted, capacity;

void caller_remember(uint64_t address, const struct caller *caller)
{
  pthread_mutex_lock(&lock);
  if (n_noted == capacity) {
    size_t more = capacity == 0 ? 64 : 2 * capacity;
    noted = host_grow(noted, more, sizeof *noted);
    capacity = more;
  }
  noted[n_noted++] = (struct noted){ address, *caller };
  pthread_mutex_unlock(&lock);
}

bool caller_recall(uint64_t address, struct caller *caller)
{
  bool found = false;

  pthread_mutex_lock(&lock);
  for (size_t i = n_noted; i > 0 && !found; i--)
    if (noted[i - 1].address == address) {
      *caller = noted[i - 1].caller;
      found = true;
    }
  pthread_mutex_unlock(&lock);
  return found;
}

/* ---- source lines ---- */

/* Starts addr2line; its answer can be read from the stream. */
static FILE *start_addr2line(char *const arguments[], pid_t *child)
{
  posix_spawn_file_actions_t actions;
  int ends[2], failed;

  if (pipe(ends) != 0)
    return NULL;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1, 0);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  failed =
      posix_spawnp(child, arguments[0], &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (failed != 0) {
    close(ends[0]);
    return NULL;
  }
  return fdopen(ends[0], "r");
}

/* What compilers put between a launch and the runtime, and the runtime's own
 * header: not what the programmer wrote. nvcc's function is in a file of its
 * own, clang's has the kernel's line. */
static bool is_stub_file(const char *file)
{
  return strstr(file, ".stub.c") != NULL || strstr(file, "tmpxft") != NULL;
}

static bool is_stub(const char *function, const char *file)
{
  return is_stub_file(file) || strstr(function, "__device_stub") != NULL;
}

static bool is_header(const char *file)
{
  return strstr(file, "/targets/") != NULL ||
         strstr(file, "/include/softdevice/") != NULL || /* `softdevice cc` */
         strstr(file, "cuda_runtime.h") != NULL ||
         strncmp(file, "/usr/include/", 13) == 0;
}

/* "file.cu:12 (discriminator 3)" */
static bool split_place(char *place, unsigned *line)
{
  char *colon = strrchr(place, ':');

  if (colon == NULL || strtoul(colon + 1, NULL, 10) == 0)
    return false;
  *line = (unsigned)strtoul(colon + 1, NULL, 10);
  *colon = '\0';
  return true;
}

/* Pairs of lines: a function, a place; innermost first. After nvcc's stub comes
 * the kernel's own line, and only then that of the launch. */
static bool choose_frame(FILE *answer, struct source_line *at)
{
  char function[PATH_BYTES], place[PATH_BYTES];
  bool after_stub = false;
  unsigned line;

  while (fgets(function, sizeof function, answer) != NULL &&
         fgets(place, sizeof place, answer) != NULL) {
    place[strcspn(place, "\n")] = '\0';
    if (is_stub(function, place)) {
      after_stub = is_stub_file(place);
    } else if (split_place(place, &line) && !is_header(place)) {
      if (!after_stub) {
        *at =
            (struct source_line){ .file = host_try_copy(place), .line = line };
        return at->file != NULL;
      }
      after_stub = false;
    }
  }
  return false;
}

bool caller_source(const struct caller *caller, struct source_line *at)
{
  char offset[CALLER_FRAMES][24], object[PATH_BYTES];
  char *arguments[CALLER_FRAMES + 6] = { "addr2line", "-i", "-f", "-e",
                                         object };
  Dl_info info;
  uintptr_t bias;
  bool found = false;
  pid_t child;
  FILE *answer;

  for (unsigned i = 0; i < caller->n; i++) {
    if (!object_of(caller->frame[i], &info, &bias))
      return false;
    snprintf(offset[i], sizeof offset[i], "0x%lx",
             (unsigned long)((uintptr_t)caller->frame[i] - bias - 1));
    arguments[5 + i] = offset[i];
  }
  if (caller->n == 0)
    return false;
  snprintf(object, sizeof object, "%s", info.dli_fname);
  answer = start_addr2line(arguments, &child);
  if (answer == NULL)
    return false;
  found = choose_frame(answer, at);
  while (fgetc(answer) != EOF)
    ;
  fclose(answer);
  waitpid(child, NULL, 0);
  return found;
}
