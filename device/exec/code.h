/* A decoded program: kernels, functions and their basic blocks, and the record
 * of each PTX instruction that counts and messages refer to. */
#ifndef DEVICE_EXEC_CODE_H
#define DEVICE_EXEC_CODE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "../count/counts.h"
#include "../ptx/module.h"
#include "program.h"
#include "step.h"

struct check_site; /* see checked_site.h */

struct basic_block {
  uint32_t first, n; /* PTX instructions */
  uint32_t record;   /* pseudo record: entries are counted once for all */
  int32_t join;      /* immediate post-dominator, -1 when there is none */
  uint32_t step;     /* index of its first step */
};

/* Of the functions that a kernel calls, directly or not; see call_stack.h. */
struct stack_need {
  uint64_t bytes;     /* where each of them is called once at a time */
  uint64_t gpu_bytes; /* the same of a GPU's frames */
  uint32_t ratio;     /* bytes to a GPU's bytes, at most */
  bool recursive;     /* one may be called again while it runs */
  bool allocates;
};

struct function {
  struct program *program;
  const struct ptx_function *ptx;
  struct step *steps; /* NULL until decoded */
  size_t n_steps;
  uint32_t frame_bytes;
  uint8_t *constants;
  size_t constant_bytes;
  uint32_t local_bytes; /* variables, parameters and results of one call */
  uint32_t n_records, first_record;
  uint32_t n_blocks;
  struct basic_block *blocks;
  uint32_t static_shared_bytes;
  uint32_t dynamic_alignment; /* of its dynamic shared memory */
  bool reserves_shared;       /* reads where the system's shared memory lies */
  uint32_t n_callees;
  const struct function **callees; /* those with code that it calls by name */
  bool calls_indirect, is_builtin;
  uint32_t gpu_frame_bytes; /* see call_stack.h */
  struct stack_need need;   /* of a kernel */
  bool allocates;           /* alloca: its stack is given back at its return */
  step_function **traced;   /* by step, see trace.h; NULL without a trace */
  uint32_t index;           /* in program->functions, for its address */
  slot *register_slots;     /* by register number; with wgmma only */
  slot local_base;          /* .func: uint32_t lanes with the frame's base */
};

/* One PTX instruction that may be executed: kept for counts and faults. */
struct record {
  const struct ptx_instruction *ptx; /* NULL for a basic block's entry */
  enum count_class class_;
  bool by_itself;        /* counts itself; otherwise its block's entry does */
  uint32_t block_record; /* the entry that counts it */
  unsigned access_bytes; /* see struct instruction_record */
  struct flops flops;
};

struct kernel {
  struct function *function;
  struct program *program;
  struct kernel *next;
  uint32_t parameter_bytes;
  unsigned n_parameters;
  struct kernel_parameter *parameters;
  atomic_uint registers; /* estimated when first asked for, and as many as are
                            needed at least << 16; 0: not yet */
};

struct program {
  struct ptx_module *module;
  int device;
  size_t n_functions;
  struct function **functions;
  struct kernel *kernels;
  size_t n_records, record_capacity;
  struct record *records;
  struct ptx_arena arena;
  uint32_t common_shared_bytes; /* shared variables of .func and module */
  uint32_t constant_bytes;
  unsigned max_registers;   /* see program_limit_registers; 0: no limit */
  pthread_mutex_t lock;     /* decoding happens at first launch */
  struct check_site *sites; /* by record; NULL without checks */
  bool hidden_writes;       /* some instructions escape the checks */
  bool has_async_proxy;     /* wgmma or bulk copies; known with checks */
  atomic_uchar *breaks;     /* by record: lanes that waited there in a join had
                            to go on before */
};

#endif
