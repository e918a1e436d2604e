#define _POSIX_C_SOURCE 200809L /* flockfile */
#include "fault.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../memory/memory.h"
#include "demangle.h"
#include "source.h"

static const char *title(enum fault_kind kind)
{
  switch (kind) {
  case FAULT_NONE: return "no fault";
  case FAULT_OUT_OF_BOUNDS: return "out of bounds";
  case FAULT_MISALIGNED: return "misaligned address";
  case FAULT_READ_ONLY: return "store to read-only memory";
  case FAULT_ASSERT: return "assertion failed";
  case FAULT_TRAP: return "trap";
  case FAULT_BARRIER: return "barrier not reached by all threads";
  case FAULT_STACK_OVERFLOW: return "stack overflow";
  case FAULT_TEXTURE: return "wrong texture or surface access";
  case FAULT_UNSUPPORTED: return "instruction not supported";
  case FAULT_INTERNAL: break;
  }
  return "error of the software device itself";
}

static const char *space_name(enum fault_space space)
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

static bool has_address(const struct fault *fault)
{
  return fault->kind == FAULT_OUT_OF_BOUNDS ||
         fault->kind == FAULT_MISALIGNED || fault->kind == FAULT_READ_ONLY;
}

static void print_headline(const struct fault *fault)
{
  fprintf(stderr, "softdevice: %s", title(fault->kind));
  if (has_address(fault))
    fprintf(stderr, ": %s of %u byte%s %s %s memory",
            fault->is_store ? "store" : "load", fault->bytes,
            fault->bytes == 1 ? "" : "s", fault->is_store ? "to" : "from",
            space_name(fault->space));
  fputc('\n', stderr);
}

/* The source line with a caret under the column. Tabs stay tabs, so that the
 * caret lines up. */
static void print_source(const struct source_line *at)
{
  char text[256];
  if (at->file == NULL || at->line == 0) {
    fputs("  at a line unknown: compile with `nvcc -lineinfo` to see it\n",
          stderr);
    return;
  }
  fprintf(stderr, "  at %s:%u:%u\n", source_name(at->file), at->line,
          at->column);
  if (!source_text(at->file, at->line, text, sizeof text))
    return;
  fprintf(stderr, "  %5u | %s\n        | ", at->line, text);
  for (unsigned i = 1; i < at->column && text[i - 1] != '\0'; i++)
    fputc(text[i - 1] == '\t' ? '\t' : ' ', stderr);
  fputs("^\n", stderr);
}

static const char *origin(const struct allocation *allocation)
{
  switch (allocation->kind) {
  case MEMORY_DEVICE: return "cudaMalloc";
  case MEMORY_VARIABLE: return "variable";
  case MEMORY_MANAGED: return "managed memory";
  case MEMORY_PINNED: return "pinned host memory";
  case MEMORY_REGISTERED: return "registered host memory";
  }
  return "memory";
}

static void print_allocation(const struct allocation *near)
{
  if (near->label != NULL)
    fprintf(stderr, "variable %s of %zu bytes", near->label, near->bytes);
  else
    fprintf(stderr, "allocation %" PRIu64 " (%s of %zu bytes)", near->serial,
            origin(near), near->bytes);
}

static void print_bytes(uint64_t n, const char *rest)
{
  fprintf(stderr, "%" PRIu64 " byte%s %s", n, n == 1 ? "" : "s", rest);
}

/* "4 bytes past the end of allocation 3 (cudaMalloc of 4000 bytes)" */
static void print_relation(uint64_t address, const struct allocation *near,
                           bool freed)
{
  uint64_t end = near->address + near->bytes;
  if (address < near->address)
    print_bytes(near->address - address, "before ");
  else if (address == end)
    fputs("right behind the end of ", stderr);
  else if (address > end)
    print_bytes(address - end, "past the end of ");
  else {
    if (freed)
      fputs("use after free: ", stderr);
    print_bytes(address - near->address, freed ? "into freed " : "into ");
  }
  print_allocation(near);
  fputc('\n', stderr);
}

/* Beyond this distance the nearest allocation says nothing. */
#define FAR (UINT64_C(1) << 30)

static bool is_far(uint64_t address, const struct allocation *near)
{
  uint64_t end = near->address + near->bytes;
  return address < near->address ? near->address - address > FAR
                                 : address > end && address - end > FAR;
}

static void print_global_address(uint64_t address)
{
  struct allocation near;
  bool freed;
  bool found = memory_nearest(address, &near, &freed);
  fprintf(stderr, "  address 0x%" PRIx64 ": ", address);
  if (address < 4096)
    fputs("a null pointer, or an index from one\n", stderr);
  else if (found && !is_far(address, &near))
    print_relation(address, &near, freed);
  else if (address >> 47 == 0)
    fputs("no device memory: a pointer of the host, or a wild one\n", stderr);
  else
    fputs("no address that a pointer can have: not set, or overwritten\n",
          stderr);
}

static void print_address(const struct fault *fault)
{
  if (!has_address(fault))
    return;
  if (fault->kind == FAULT_MISALIGNED && fault->bytes > 0) {
    fputs("  the address is ", stderr);
    print_bytes(fault->address % fault->bytes, "off a multiple of ");
    fprintf(stderr, "%u\n", fault->bytes);
  }
  if (fault->space == SPACE_GLOBAL)
    print_global_address(fault->address);
  else
    fprintf(stderr, "  address 0x%" PRIx64 " of %s memory\n", fault->address,
            space_name(fault->space));
}

void fault_report(const struct fault *fault)
{
  char kernel[512];
  demangle(fault->kernel != NULL ? fault->kernel : "?", kernel,
           sizeof kernel);
  flockfile(stderr);
  print_headline(fault);
  print_source(&fault->source);
  fprintf(stderr, "  in kernel %s, block (%u,%u,%u), thread (%u,%u,%u)\n",
          kernel, fault->block[0], fault->block[1], fault->block[2],
          fault->thread[0], fault->thread[1], fault->thread[2]);
  print_address(fault);
  if (fault->detail[0] != '\0')
    fprintf(stderr, "  %s\n", fault->detail);
  if (fault->instruction[0] != '\0')
    fprintf(stderr, "  PTX line %u: %s\n", fault->ptx_line,
            fault->instruction);
  funlockfile(stderr);
}
