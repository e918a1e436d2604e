/* Device code of the program: modules, their kernels and variables.
 *
 * nvcc's generated code registers everything before main. Nothing is parsed
 * until it is needed, so that start-up stays quick.
 */
#ifndef DEVICE_CORE_REGISTRY_H
#define DEVICE_CORE_REGISTRY_H

#include <stdatomic.h>

#include "../exec/program.h"
#include "calls.h"
#include "config.h"

struct module;

struct function {
  struct module *module;
  const char *name;      /* mangled; owned by the host program */
  struct function *next; /* in the same module */
  /* What cudaFuncSetAttribute set, per device. */
  int dynamic_shared_limit[MAX_DEVICES]; /* bytes; 0: not set */
  int carveout[MAX_DEVICES];             /* percent + 1; 0: not set */
  int cache_config[MAX_DEVICES];         /* of cudaFuncSetCacheConfig */
  int cluster[3];                        /* required; 0: not set */
  bool large_clusters;                   /* of more than CLUSTER_BLOCKS */
  atomic_flag warned;                    /* see registry_warn_registers */
};

struct variable {
  struct module *module;
  const char *name;
  void **host_pointer; /* managed: where the host wants the address; or NULL */
  struct variable *next;
};

/* A fat binary, by what nvcc's code wraps around it, and what is in it by the
 * host's pointers. `host_pointer`: of a managed variable, where the host wants
 * the address; or NULL. */
void **registry_add_module(void *wrapper) EXPORTED(registry_add_module);
void registry_remove_module(void **handle) EXPORTED(registry_remove_module);
void registry_add_function(void **handle, const void *host, const char *name)
    EXPORTED(registry_add_function);
void registry_add_variable(void **handle, const void *host, const char *name,
                           void **host_pointer) EXPORTED(registry_add_variable);

/* By the host's pointer (or, for functions, a cudaKernel_t). NULL when it
 * stands for nothing. */
struct function *registry_function(const void *host)
    EXPORTED(registry_function);
struct variable *registry_variable(const void *host);

/* The error for such a pointer: it might have been a cudaKernel_t. */
cudaError_t function_unknown(const void *host);

/* Loads the module on `device` when that was not done yet. */
cudaError_t function_load(const struct function *function, int device,
                          const struct kernel **kernel);
cudaError_t variable_load(const struct variable *variable, int device,
                          struct program_variable *found);

/* Loads a registered module on `device` when that was not done yet. */
cudaError_t registry_load(void **handle, int device) EXPORTED(registry_load);

/* A kernel of it gets no more registers per thread; before it is loaded. */
void registry_limit_registers(void **handle, unsigned most)
    EXPORTED(registry_limit_registers);

/* Says, once for each kernel, that it may need too many registers for so many
 * threads. */
void registry_warn_registers(struct function *function, int threads,
                             int registers);

/* Throws away what is loaded on `device`: the next use begins afresh. */
void registry_reset(int device);

/* For device code, while a launch runs: a struct cudaFuncAttributes of a kernel
 * that nothing is set for. Returns how many bytes it has. */
size_t function_answer(void *attributes, size_t most,
                       const struct kernel_info *info, int device);

#endif
