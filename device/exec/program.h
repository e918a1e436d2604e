/* A PTX module, parsed, decoded and placed in device memory. */
#ifndef DEVICE_EXEC_PROGRAM_H
#define DEVICE_EXEC_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct program;

/* Errors of loading: message names the PTX line and, where there is a .loc,
 * the source line. */
struct program_error {
  char message[1024];
};

/* Loads one module from PTX text (need not be NUL-terminated). Its variables
 * are allocated as MEMORY_VARIABLE (or MEMORY_MANAGED) on `device` and hold
 * their initial values. Returns NULL and fills `*error` on a syntax error or
 * an unknown directive. An instruction that the device does not have is no
 * error here: it becomes FAULT_UNSUPPORTED when a warp executes it. */
struct program *program_load(const char *ptx, size_t bytes, int device,
                             struct program_error *error);
void program_free(struct program *program);

/* Is it PTX? Looks at the syntax only; fills `*error` if not. */
bool program_parses(const char *ptx, size_t bytes, struct program_error *error);

/* Lets no kernel have more registers per thread: `nvcc --maxrregcount`. To be
 * called before anything is asked of a kernel. */
void program_limit_registers(struct program *program, unsigned most);

/* Programs that are loaded from now on report their instructions to the trace sink
 * of a launch, whatever the environment says. */
void program_trace(void);

/* Kernels (.entry) by mangled name; owned by the program. */
struct kernel;
const struct kernel *program_kernel(const struct program *program,
                                    const char *name);
/* NULL unless the program has exactly one. */
const struct kernel *program_only_kernel(const struct program *program);

struct kernel_parameter {
  uint32_t offset, bytes; /* in the packed block of parameters */
  const char *type;       /* in PTX: "u64"; "b8" for the bytes of a struct */
};

struct kernel_info {
  const char *name; /* mangled */
  unsigned n_parameters;
  const struct kernel_parameter *parameters; /* in the kernel's order */
  uint32_t parameter_bytes;                  /* of the packed block */
  uint32_t static_shared_bytes;
  uint32_t local_bytes;     /* per thread */
  uint32_t constant_bytes;  /* of the module */
  uint32_t max_threads;     /* from .maxntid; 1024 when absent */
  uint32_t registers;       /* an estimate from the PTX's live values; the
                                 hardware's number needs ptxas */
  uint32_t least_registers; /* ptxas cannot do with fewer */
  int ptx_target;           /* 75, 80, 90 */
  uint32_t cluster[3];      /* __cluster_dims__; 0 when absent */
};
void kernel_describe(const struct kernel *kernel, struct kernel_info *info);

struct program_variable {
  uint64_t address;
  size_t bytes;
  bool constant, managed;
};
bool program_find_variable(const struct program *program, const char *name,
                           struct program_variable *variable);

/* The PTX text that the kernel was loaded from. It lives as long as the
 * kernel. */
const char *kernel_text(const struct kernel *kernel);

/* Calls `visit` for each global and constant variable of the kernel's module, in
 * their order. `is_initial`: it still holds what it begins with. */
typedef void variable_visitor(void *context, const char *name,
                              const struct program_variable *variable,
                              bool is_initial);
void kernel_variables(const struct kernel *kernel, variable_visitor *visit,
                      void *context);

/* Could this number be the address of a function, as device code has it? It
 * means something in its own program only. */
bool program_is_function(uint64_t address);

/* Calls `report` for every instruction that would end a launch with
 * FAULT_UNSUPPORTED if a warp came to it; returns how many there are. */
typedef void program_gap(void *context, const char *function, unsigned ptx_line,
                         const char *opcode, const char *reason);
size_t program_gaps(const struct program *program, program_gap *report,
                    void *context);

/* The instruction table for a manual: calls `report` for each row. `meaning`
 * is C-like for small instructions and words for the others. */
typedef void instruction_row(void *context, const char *pattern,
                             const char *meaning);
void program_instructions(instruction_row *report, void *context);

#endif
