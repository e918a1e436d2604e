/* Writes the message about a fault: a title for each kind, the place in the
 * source, the thread, the address and the PTX. */
#define _POSIX_C_SOURCE 200809L /* flockfile */
#include "fault.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "../memory/memory.h"
#include "../support/host_memory.h"
#include "demangle.h"
#include "describe.h"
#include "finding.h"
#include "host.h"

const char *fault_title(enum fault_kind kind)
{
  switch (kind) {
  case FAULT_NONE: return "no fault";
  case FAULT_OUT_OF_BOUNDS: return "out of bounds";
  case FAULT_NO_PEER: return "no peer access";
  case FAULT_MISALIGNED: return "misaligned address";
  case FAULT_ADDRESS_SPACE: return "wrong address space";
  case FAULT_READ_ONLY: return "store to read-only memory";
  case FAULT_ASSERT: return "assertion failed";
  case FAULT_TRAP: return "trap";
  case FAULT_BARRIER: return "barrier not reached by all threads";
  case FAULT_TIMEOUT: return "time limit reached";
  case FAULT_WAITING: return "a kernel that only waits";
  case FAULT_ENDLESS: return "a kernel that never ends";
  case FAULT_STACK_OVERFLOW: return "stack overflow";
  case FAULT_TEXTURE: return "wrong texture or surface access";
  case FAULT_ILLEGAL: return "illegal instruction";
  case FAULT_ENDED_BLOCK: return "block that has ended";
  case FAULT_UNSUPPORTED: return "instruction not supported";
  case FAULT_INTERNAL: break;
  }
  return "error of the software device itself";
}

static bool has_address(const struct fault *fault)
{
  return fault->kind == FAULT_OUT_OF_BOUNDS || fault->kind == FAULT_NO_PEER ||
         fault->kind == FAULT_MISALIGNED || fault->kind == FAULT_READ_ONLY ||
         fault->kind == FAULT_ADDRESS_SPACE || fault->kind == FAULT_ENDED_BLOCK;
}

static void print_headline(FILE *out, const struct fault *fault)
{
  fprintf(out, "softdevice: %s", fault_title(fault->kind));
  if (has_address(fault))
    fprintf(out, ": %s of %u byte%s %s %s memory",
            fault->is_store ? "store" : "load", fault->bytes,
            fault->bytes == 1 ? "" : "s", fault->is_store ? "to" : "from",
            describe_space(fault->space));
  fputc('\n', out);
}

static void print_host(FILE *out, uint64_t address)
{
  struct allocation near;
  bool freed;
  char text[160];

  if ((!memory_nearest(address, &near, &freed) ||
       describe_is_far(address, &near)) &&
      host_can_address(address) && host_region(address, text, sizeof text))
    fprintf(out, "  it points into %s\n", text);
}

static void print_address(FILE *out, const struct fault *fault)
{
  if (!has_address(fault))
    return;
  if (fault->kind == FAULT_MISALIGNED && fault->bytes > 0) {
    fputs("  the address is ", out);
    describe_bytes(out, fault->address % fault->bytes, "off a multiple of ");
    fprintf(out, "%u\n", fault->bytes);
  }
  if (fault->space == SPACE_GLOBAL) {
    describe_global(out, fault->address);
    print_host(out, fault->address);
  } else
    describe_other(out, fault->space, fault->address, fault->story);
}

/* Says everything that the launch waits for. With the check `sync` it counts as
 * a finding. */
static void report_deadlock(const struct fault *fault)
{
  struct finding f = { .check = CHECK_SYNC,
                       .title = "deadlock",
                       .kernel = fault->kernel };

  f.here.did = "waits";
  f.here.source = fault->source;
  f.here.ptx_line = fault->ptx_line;
  f.here.has_block = f.here.has_thread = true;
  memcpy(f.here.block, fault->block, sizeof f.here.block);
  memcpy(f.here.thread, fault->thread, sizeof f.here.thread);
  snprintf(f.detail, sizeof f.detail, "%.390s", fault->detail);
  finding_add(&f);
}

void fault_print(FILE *out, const struct fault *fault)
{
  char kernel[512];

  demangle(fault->kernel != NULL ? fault->kernel : "?", kernel, sizeof kernel);
  flockfile(out);
  print_headline(out, fault);
  describe_source(out, &fault->source);
  fprintf(out, "  in kernel %s, block (%u,%u,%u), thread (%u,%u,%u)\n", kernel,
          fault->block[0], fault->block[1], fault->block[2], fault->thread[0],
          fault->thread[1], fault->thread[2]);
  print_address(out, fault);
  if (fault->detail[0] != '\0')
    fprintf(out, "  %s\n", fault->detail);
  if (fault->instruction[0] != '\0')
    fprintf(out, "  PTX line %u: %s\n", fault->ptx_line, fault->instruction);
  funlockfile(out);
}

void fault_report(const struct fault *fault)
{
  if (fault->kind == FAULT_BARRIER && check_wanted(CHECK_SYNC))
    report_deadlock(fault);
  else
    fault_print(stderr, fault);
}
