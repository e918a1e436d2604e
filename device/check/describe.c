/* Words for addresses: to which allocation a byte belongs, how far it is from
 * the nearest one, and which source line an instruction is from. */
#include "describe.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "../memory/memory.h"
#include "../support/host_memory.h"
#include "caller.h"
#include "source.h"

const char *describe_space(enum fault_space space)
{
  switch (space) {
  case SPACE_GLOBAL: return "global";
  case SPACE_SHARED: return "shared";
  case SPACE_LOCAL: return "local";
  case SPACE_CONSTANT: return "constant";
  case SPACE_PARAMETER: return "parameter";
  case SPACE_NONE: break;
  }
  return "";
}

/* Where the line's function was inlined, from the inside to the outside: one
 * line however many there are. */
static void print_callers(FILE *out, const struct source_line *at)
{
  const char *before = "  inlined at ";

  for (at = at->caller; at != NULL; at = at->caller) {
    fprintf(out, "%s%s:%u", before, source_name(at->file), at->line);
    before = ", called at ";
    if (at->caller == NULL)
      fputc('\n', out);
  }
}

/* The line of a toolkit's header that does what is told, without the
 * toolkit's folder: "inside cub/block/block_scan.cuh:350". For libraries only. */
static void print_inside(FILE *out, const struct source_line *inside)
{
  static const char *const folders[] = { "/include/", "/cccl/" };
  const char *name = inside == NULL ? NULL : source_name(inside->file);

  if (inside == NULL || inside->line == 0)
    return;
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
    const char *found;

    while ((found = strstr(name, folders[i])) != NULL)
      name = found + strlen(folders[i]);
  }
  if (strncmp(name, "cccl/", 5) == 0)
    name += 5;
  /* Intrinsics and their like say nothing that the call does not. */
  if (strchr(name, '/') != NULL && strncmp(name, "crt/", 4) != 0)
    fprintf(out, "  inside %s:%u\n", name, inside->line);
}

/* The source line with a caret under the column. Tabs stay tabs, so that the
 * caret lines up. */
static void print_line(FILE *out, const struct source_line *at)
{
  char text[256];
  if (at->file == NULL || at->line == 0) {
    fputs("  at a line unknown: compile with `nvcc -lineinfo` to see it\n",
          out);
    return;
  }
  fprintf(out, "  at %s:%u", source_name(at->file), at->line);
  fprintf(out, at->column == 0 ? "\n" : ":%u\n", at->column);
  if (at->is_before)
    fputs("  or after it: the compiler names no line for this instruction\n",
          out);
  if (!source_text(at->file, at->line, text, sizeof text))
    return;
  fprintf(out, "  %5u | %s\n", at->line, text);
  if (at->column == 0)
    return;
  fputs("        | ", out);
  for (unsigned i = 1; i < at->column && text[i - 1] != '\0'; i++)
    fputc(text[i - 1] == '\t' ? '\t' : ' ', out);
  fputs("^\n", out);
}

void describe_via(FILE *out, const struct source_line *at)
{
  print_inside(out, at->inside);
  print_callers(out, at);
}

void describe_source(FILE *out, const struct source_line *at)
{
  print_line(out, at);
  describe_via(out, at);
}

static const char *origin(const struct allocation *allocation)
{
  switch (allocation->kind) {
  case MEMORY_DEVICE: return "cudaMalloc";
  case MEMORY_VARIABLE: return "variable";
  case MEMORY_MANAGED: return "managed memory";
  case MEMORY_PINNED: return "pinned host memory";
  case MEMORY_REGISTERED: return "registered host memory";
  case MEMORY_MAPPED: return "cuMemMap";
  }
  return "memory";
}

static void print_allocation(FILE *out, const struct allocation *near)
{
  if (near->label != NULL)
    fprintf(out, "variable %s of %zu bytes", near->label, near->bytes);
  else
    fprintf(out, "allocation %" PRIu64 " (%s of %zu bytes)", near->serial,
            origin(near), near->bytes);
}

void describe_bytes(FILE *out, uint64_t n, const char *rest)
{
  fprintf(out, "%" PRIu64 " byte%s %s", n, n == 1 ? "" : "s", rest);
}

/* "4 bytes past the end of allocation 3 (cudaMalloc of 4000 bytes)" */
static void print_relation(FILE *out, uint64_t address,
                           const struct allocation *near, bool freed)
{
  uint64_t end = near->address + near->bytes;
  struct caller caller;
  struct source_line line = { 0 };

  if (address < near->address)
    describe_bytes(out, near->address - address, "before ");
  else if (address == end)
    fputs("right past the end of ", out);
  else if (address > end)
    describe_bytes(out, address - end, "past the end of ");
  else {
    if (freed)
      fputs("use after free: ", out);
    describe_bytes(out, address - near->address,
                   freed ? "into freed " : "into ");
  }
  print_allocation(out, near);
  fputc('\n', out);
  if (near->label == NULL && caller_recall(near->address, &caller) &&
      caller_source(&caller, &line))
    fprintf(out, "  allocated at %s:%u\n", source_name(line.file), line.line);
}

void describe_other(FILE *out, enum fault_space space, uint64_t address,
                    const char *story)
{
  fprintf(out, "  address 0x%" PRIx64 " of %s memory%s%s\n", address,
          describe_space(space), story[0] == '\0' ? "" : ": ", story);
}

/* Beyond this distance the nearest allocation says nothing. */
#define FAR (UINT64_C(1) << 30)

bool describe_is_far(uint64_t address, const struct allocation *near)
{
  uint64_t end = near->address + near->bytes;
  return address < near->address ? near->address - address > FAR
                                 : address > end && address - end > FAR;
}

void describe_global(FILE *out, uint64_t address)
{
  struct allocation near;
  bool freed;
  bool found = memory_nearest(address, &near, &freed);
  fprintf(out, "  address 0x%" PRIx64 ": ", address);
  if (address == 0)
    fputs("a null pointer\n", out);
  else if (address < 4096)
    describe_bytes(out, address,
                   "past a null pointer: a member, or an element\n");
  else if (address > UINT64_MAX - 4096)
    describe_bytes(out, -address, "before a null pointer\n");
  else if (address < SHARED_WINDOW && SHARED_WINDOW - address < WINDOW_BYTES)
    describe_bytes(out, SHARED_WINDOW - address,
                   "before the block's shared memory\n");
  else if (found && !describe_is_far(address, &near))
    print_relation(out, address, &near, freed);
  else if (address - SHARED_WINDOW < WINDOW_BYTES ||
           address - LOCAL_WINDOW < WINDOW_BYTES)
    fprintf(
        out, "an address of %s memory\n",
        describe_space(address < LOCAL_WINDOW ? SPACE_SHARED : SPACE_LOCAL));
  else if (host_can_address(address))
    fputs("no device memory: a pointer of the host, or a wild one\n", out);
  else
    fputs("no address that a pointer can have: not set, or overwritten\n", out);
}
