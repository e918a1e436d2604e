/* Looks up which variable of a kernel is at an address, or nearest to it. */
#include "story.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../check/demangle.h"
#include "place.h"

enum { NAME = 256 };

/* From the window's start on. A pointer into shared memory has 32 bits: an
 * offset that is not in the lower half of them is negative. */
static int64_t signed_offset(enum fault_space space, uint64_t address)
{
  if (space == SPACE_SHARED && address >> 32 == 0)
    return (int32_t)(uint32_t)address;
  if (address >> 55 & 1) /* below the window: its upper bits were cut off */
    return (int64_t)(address | UINT64_C(0xff) << 56);
  return (int64_t)address;
}

/* `what` are `bytes` bytes at `place`. */
static void put(char *text, size_t n_text, int64_t at, uint64_t place,
                uint64_t bytes, const char *what)
{
  int64_t into = at - (int64_t)place;
  uint64_t far = into < 0                 ? (uint64_t)-into
                 : (uint64_t)into < bytes ? (uint64_t)into
                                          : (uint64_t)into - bytes;
  const char *where = into < 0                 ? "before"
                      : (uint64_t)into < bytes ? "into"
                                               : "past the end of";
  const char *unit = bytes == 1 ? "" : "s";

  if (into >= 0 && (uint64_t)into == bytes)
    snprintf(text, n_text, "right past the end of %s of %" PRIu64 " byte%s",
             what, bytes, unit);
  else
    snprintf(text, n_text, "%" PRIu64 " byte%s %s %s of %" PRIu64 " byte%s",
             far, far == 1 ? "" : "s", where, what, bytes, unit);
}

void story_variable(const char *mangled, char *name, size_t n_name)
{
  int length = 0;
  const char *last = NULL;

  for (const char *at = mangled; strncmp(mangled, "_ZZ", 3) == 0 && at != NULL;
       at = strchr(at + 1, 'E')) {
    char *rest;
    unsigned long n = strtoul(at + 1, &rest, 10);

    if (rest != at + 1 && n <= strlen(rest) &&
        (rest[n] == '\0' || rest[n] == '_')) {
      last = rest;
      length = (int)n;
    }
  }
  if (last != NULL)
    snprintf(name, n_name, "%.*s", length, last);
  else
    demangle(mangled, name, n_name);
}

static void of_shared(const struct grid *grid, int64_t at, char *text,
                      size_t n_text)
{
  uint64_t from = at < 0 ? 0 : (uint64_t)at;
  uint64_t dynamic = grid->static_shared_bytes;
  uint64_t bytes = grid->launch->dynamic_shared_bytes;
  const struct ptx_variable *nearest =
      place_nearest_shared(grid->function, from);
  char own[NAME], name[NAME + 16];

  if (bytes > 0 && (nearest == NULL ||
                    place_distance(dynamic, bytes, from) <
                        place_distance(nearest->place, nearest->bytes, from))) {
    put(text, n_text, at, dynamic, bytes, "the dynamic shared memory");
  } else if (nearest != NULL) {
    story_variable(nearest->name, own, sizeof own);
    snprintf(name, sizeof name, "variable %s", own);
    put(text, n_text, at, nearest->place, nearest->bytes, name);
  }
}

void story_of_address(const struct grid *grid, enum fault_space space,
                      uint64_t address, char *text, size_t n_text)
{
  int64_t at = signed_offset(space, address);

  text[0] = '\0';
  if (space == SPACE_SHARED && address >> 55 == 1) /* the next window's */
    space = SPACE_LOCAL;
  if (space == SPACE_SHARED)
    of_shared(grid, at, text, n_text);
  else if (space == SPACE_LOCAL)
    put(text, n_text, at, 0, grid->local_stride, "the thread's local memory");
}

struct source_line story_of_line(const struct program *program,
                                 const struct ptx_instruction *instruction)
{
  struct source_line line = instruction->source;

  for (size_t i = 0; line.line == 0 && i < program->n_functions; i++) {
    const struct ptx_function *ptx = program->functions[i]->ptx;
    const struct ptx_instruction *at = instruction;

    if (at < ptx->instructions || at >= ptx->instructions + ptx->n_instructions)
      continue;
    while (at > ptx->instructions && at->source.line == 0)
      at--;
    line = at->source;
    line.is_before = line.line != 0;
  }
  return line;
}
