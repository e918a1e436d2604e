/* Writes a row per instruction of the chosen warps. */
#include "trace.h"

#include <inttypes.h>

#include "../check/source.h"
#include "selection.h"
#include "file.h"

/* Of the launch that runs: launches run one at a time, and the executor calls
 * the sink for one instruction at a time. */
static struct {
  FILE *out;
  uint64_t launch;
  const char *kernel;
  long warp; /* -1: all */
} trace;

void trace_head(FILE *out)
{
  fputs("kernel,launch,block_x,block_y,block_z,warp,step,file,line,ptx_line,"
        "opcode,active_mask,executed_mask\n",
        out);
}

static void put_instruction(void *context,
                            const struct issued_instruction *issued)
{
  const struct source_line *at = &issued->source;
  (void)context;
  if (trace.warp >= 0 && issued->warp != (unsigned long)trace.warp)
    return;
  report_put_field(trace.out, trace.kernel);
  fprintf(trace.out, ",%" PRIu64 ",%u,%u,%u,%u,%" PRIu64 ",", trace.launch,
          issued->block[0], issued->block[1], issued->block[2], issued->warp,
          issued->step);
  report_put_field(trace.out, at->file != NULL ? source_name(at->file) : "");
  fprintf(trace.out, ",%u,%u,", at->line, issued->ptx_line);
  report_put_field(trace.out, issued->opcode);
  fprintf(trace.out, ",%08x,%08x\n", issued->active, issued->executed);
}

void trace_begin(FILE *out, const struct report_launch *id, const char *kernel,
                 struct launch *launch)
{
  if (out == NULL || !chosen_kernel(kernel))
    return;
  trace.out = out;
  trace.launch = id->number;
  trace.kernel = kernel;
  trace.warp = chosen_warp();
  launch->trace = put_instruction;
  chosen_block(launch);
}
