/* Device code of the program: modules, their kernels and variables.
 *
 * nvcc's generated code registers everything before main. Nothing is parsed
 * until it is needed, so that start-up stays quick.
 */
#ifndef DEVICE_RUNTIME_REGISTRY_H
#define DEVICE_RUNTIME_REGISTRY_H

#include "../exec/program.h"
#include "api.h"
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
};

struct variable {
  struct module *module;
  const char *name;
  void **host_pointer; /* managed: where the host wants the address; or NULL */
  struct variable *next;
};

/* By the host's pointer (or, for functions, a cudaKernel_t). NULL when it
 * stands for nothing. */
struct function *registry_function(const void *host);
struct variable *registry_variable(const void *host);

/* Loads the module on `device` when that was not done yet. */
cudaError_t function_load(const struct function *function, int device,
                          const struct kernel **kernel);
cudaError_t variable_load(const struct variable *variable, int device,
                          struct program_variable *found);

/* Loads a registered module on `device` when that was not done yet. */
cudaError_t registry_load(void **handle, int device);

/* Throws away what is loaded on `device`: the next use begins afresh. */
void registry_reset(int device);

#endif
