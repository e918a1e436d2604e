/* Writes a row per lane. Addresses become offsets in numbered allocations, so
 * that two runs can be compared. */
#include "access.h"

#include <inttypes.h>
#include <stdbool.h>

#include "../check/source.h"
#include "../memory/memory.h"
#include "selection.h"
#include "file.h"

#define SECTOR_BYTES 32
#define LINE_BYTES 128
#define BANK_BYTES 4
#define N_BANKS 32

/* Of the launch that runs: launches run one at a time, and the executor calls
 * the sink for one access at a time. */
static struct {
  FILE *out;
  uint64_t launch;
  const char *kernel;
  long warp;                    /* -1: all */
  struct allocation allocation; /* the last one found; bytes 0: none */
} map;

void access_head(FILE *out)
{
  fputs("kernel,launch,file,line,space,operation,block_x,block_y,block_z,"
        "warp,lane,request,step,address,bytes,allocation,offset,sector,bank,"
        "wavefront\n",
        out);
}

static const char *space_name(enum fault_space space)
{
  static const char *names[] = {
    [SPACE_GLOBAL] = "global",       [SPACE_SHARED] = "shared",
    [SPACE_LOCAL] = "local",         [SPACE_CONSTANT] = "constant",
    [SPACE_PARAMETER] = "parameter", [SPACE_NONE] = ""
  };
  return names[space];
}

static const char *operation_name(const struct lane_access *access)
{
  static const char *names[] = {
    [ACCESS_LOAD] = "load", [ACCESS_STORE] = "store", [ACCESS_ATOMIC] = "atomic"
  };
  return names[access->operation];
}

static bool find_allocation(uint64_t address)
{
  const struct allocation *last = &map.allocation;
  return address - last->address < last->bytes ||
         memory_find(address, &map.allocation);
}

/* address,bytes,allocation,offset,sector,bank,wavefront */
static void put_global(const struct lane_access *access)
{
  if (!find_allocation(access->address)) {
    fprintf(map.out, ",%u,,,,,\n", access->bytes);
    return;
  }
  const struct allocation *a = &map.allocation;
  uint64_t start = a->address & ~(uint64_t)(LINE_BYTES - 1);
  fprintf(map.out, "%" PRIu64 ",%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",,\n",
          access->address - a->address, access->bytes, a->serial,
          access->address - a->address,
          (access->address - start) / SECTOR_BYTES);
}

static void put_shared(const struct lane_access *access)
{
  fprintf(map.out, "%" PRIu64 ",%u,,,,%" PRIu64 ",%u\n", access->address,
          access->bytes, access->address / BANK_BYTES % N_BANKS,
          access->wavefront);
}

static void put_access(void *context, const struct lane_access *access)
{
  const struct source_line *at = &access->source;
  (void)context;
  if (map.warp >= 0 && access->warp != (unsigned long)map.warp)
    return;
  report_put_field(map.out, map.kernel);
  fprintf(map.out, ",%" PRIu64 ",", map.launch);
  report_put_field(map.out, at->file != NULL ? source_name(at->file) : "");
  fprintf(map.out, ",%u,%s,%s,%u,%u,%u,%u,%u,%" PRIu64 ",%" PRIu64 ",",
          at->line, space_name(access->space), operation_name(access),
          access->block[0], access->block[1], access->block[2], access->warp,
          access->lane, access->request, access->step);
  if (access->space == SPACE_GLOBAL || access->space == SPACE_CONSTANT)
    put_global(access);
  else if (access->space == SPACE_SHARED)
    put_shared(access);
  else
    fprintf(map.out, "%" PRIu64 ",%u,,,,,\n", access->address, access->bytes);
}

void access_begin(FILE *out, const struct report_launch *id, const char *kernel,
                  struct launch *launch)
{
  if (out == NULL || !chosen_kernel(kernel))
    return;
  map.out = out;
  map.launch = id->number;
  map.kernel = kernel;
  map.warp = chosen_warp();
  map.allocation.bytes = 0;
  launch->sink = put_access;
  chosen_block(launch);
}
