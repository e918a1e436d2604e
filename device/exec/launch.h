/* Runs one kernel launch to its end. */
#ifndef DEVICE_EXEC_LAUNCH_H
#define DEVICE_EXEC_LAUNCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../check/fault.h"
#include "../count/counts.h"
#include "program.h"

/* One line of the access map: what one lane touched. Called from worker
 * threads, serialised by the executor, in order of execution of one warp. */
struct lane_access {
  struct source_line source;
  unsigned ptx_line;
  uint32_t block[3];
  uint32_t warp, lane;
  uint64_t request; /* running number of the request within the launch */
  uint64_t step;    /* of the instruction: see issued_instruction */
  enum fault_space space;
  enum { ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC } operation;
  uint64_t address; /* global: as the program sees it; shared: offset */
  unsigned bytes;
  unsigned wavefront;         /* shared: pass (from 0) that served this lane */
  unsigned wavefronts, ideal; /* shared: of the whole request */
  unsigned n_elements;        /* numbers that make up `bytes` */
  const void *memory;         /* the bytes, not yet read or written */
  bool is_known;              /* a store: these are the bytes that it writes */
  uint64_t stored[8];         /* element by element */
};
typedef void access_sink(void *context, const struct lane_access *access);

/* One line of the trace: an instruction that a warp is about to execute.
 * Called as access_sink is. */
struct issued_instruction {
  struct source_line source;
  unsigned ptx_line;
  const char *opcode; /* with modifiers */
  uint32_t block[3];
  uint32_t warp;
  uint64_t step;     /* running number within the launch */
  uint32_t active;   /* lanes on the path */
  uint32_t executed; /* those of them whose guard holds */
};
typedef void trace_sink(void *context, const struct issued_instruction *issued);

/* What device code may ask of the runtime. */
struct device_answers {
  int n_devices, version;
  int (*attribute)(int *value, int which, int device); /* a cudaError_t */
  const char *(*error)(int error, bool name); /* the same address each time */
  int (*limit)(uint64_t *value, int which, int device); /* a cudaError_t */
  int (*occupancy)(int *n_blocks, const struct kernel_info *info,
                   int block_threads, uint64_t dynamic_bytes, unsigned flags);
  /* A struct cudaFuncAttributes, which has that many bytes. */
  size_t (*function)(void *attributes, size_t most,
                     const struct kernel_info *info, int device);
  /* A kernel of the graph `run` launches a graph; a cudaError_t. */
  int (*launch_graph)(void *run, uint64_t exec, uint64_t stream);
};

/* What kernels of a device have from malloc and from cudaMalloc. */
struct device_heap {
  atomic_size_t limit; /* bytes: cudaLimitMallocHeapSize */
  atomic_size_t used;
  atomic_bool is_touched; /* by an allocation, even one that failed */
};

struct nested; /* see nested.h */

struct launch {
  const struct device_answers *answers; /* NULL: none */
  const struct kernel *kernel;
  uint32_t grid[3], block[3];
  uint32_t cluster[3];  /* blocks of a cluster; the grid's extents are
                                  multiples of them; 0: 1 */
  int explicit_cluster; /* 1: the program chose them */
  uint32_t dynamic_shared_bytes;
  const void *parameters;      /* packed as kernel_info says */
  const struct nested *nested; /* what a kernel launched; NULL: the host did */
  uint64_t graph_exec;         /* %current_graph_exec; 0: not of a graph that
                                  kernels may launch */
  void *graph_run;             /* for answers->launch_graph; or NULL */
  const uint16_t *sms; /* the blocks take these SMs in turn; NULL: each worker
                          is an SM */
  unsigned n_sms, n_device_sms;
  int device;
  int clock_khz;       /* of %clock; 0: 1 GHz */
  unsigned n_workers;  /* CPU threads; 0: one per online core */
  uint32_t time_limit; /* seconds; 0: none */
  void (*report_waiting)(
      const struct fault *);    /* of a launch that only waits, once;
                                         NULL: not wanted */
  uint32_t stack_limit;         /* bytes for recursive functions, see
                                  call_stack.h; 0: 1024 */
  bool (*is_alone)(unsigned n); /* has the process no threads but n that run
                                   the launch? NULL: it is never stopped for
                                   going round in circles */
  uint64_t order_seed;         /* 0: blocks and warps in order; else shuffled */
  FILE *output;                /* device printf; a memory stream that the
                                  runtime flushes when the host synchronises */
  void (*printed)(int device); /* a thread's printf is in `output`, which is
                                  locked; NULL: they are not counted */
  struct device_heap *heap;    /* NULL: as large as the device's memory */
  access_sink *sink;           /* NULL: no access map */
  trace_sink *trace;           /* NULL: no trace; the program must have been
                                  loaded with SOFTDEVICE_TRACE set */
  void *sink_context;
  int cooperative;    /* 1: all blocks make progress together, and
                                  the grid-wide barrier has its memory */
  int has_sink_block; /* 1: sinks get only block sink_block */
  uint32_t sink_block[3];
};

/* Returns 0 and fills `*counts`, or -1 and fills `*fault`; `*counts` then
 * holds what was counted up to there. The caller frees `*counts`. */
int launch_run(const struct launch *launch, struct launch_counts *counts,
               struct fault *fault);

#endif
