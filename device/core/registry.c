/* Modules that are registered, and the look-ups of their kernels and
 * variables. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "../check/demangle.h"
#include "device_model.h"
#include "forked.h"
#include "module.h"
#include "pointer_map.h"
#include "registry.h"
#include "state.h"
#include "../support/host_memory.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pointer_map functions, variables;
static struct module *modules;

void **registry_add_module(void *wrapper)
{
  struct module *module = host_new(1, sizeof *module);
  module->wrapper = wrapper;
  pthread_mutex_lock(&lock);
  module->next = modules;
  modules = module;
  pthread_mutex_unlock(&lock);
  return (void **)module;
}

void registry_add_function(void **handle, const void *host, const char *name)
{
  struct module *module = (struct module *)handle;
  struct function *function = host_new(1, sizeof *function);
  function->module = module;
  function->name = name;
  pthread_mutex_lock(&lock);
  function->next = module->functions;
  module->functions = function;
  pointer_map_set(&functions, host, function);
  pointer_map_set(&functions, function, function); /* as a cudaKernel_t */
  pthread_mutex_unlock(&lock);
}

void registry_add_variable(void **handle, const void *host, const char *name,
                           void **host_pointer)
{
  struct module *module = (struct module *)handle;
  struct variable *variable = host_new(1, sizeof *variable);
  variable->module = module;
  variable->name = name;
  variable->host_pointer = host_pointer;
  pthread_mutex_lock(&lock);
  variable->next = module->variables;
  module->variables = variable;
  pointer_map_set(&variables, host, variable);
  pthread_mutex_unlock(&lock);
}

void registry_limit_registers(void **handle, unsigned most)
{
  ((struct module *)handle)->max_registers = most;
}

void registry_warn_registers(struct function *function, int threads,
                             int registers)
{
  char name[300];
  if (atomic_flag_test_and_set(&function->warned))
    return;
  demangle(function->name, name, sizeof name);
  fprintf(stderr,
          "softdevice: kernel %s: about %d registers for each of %d threads "
          "are more than the %d there are: a GPU may refuse the launch "
          "(cudaErrorLaunchOutOfResources); see nvcc -Xptxas -v, and "
          "__launch_bounds__\n",
          name, registers, threads, REGISTERS);
}

cudaError_t registry_load(void **handle, int device)
{
  pthread_mutex_lock(&lock);
  cudaError_t error = module_load((struct module *)handle, device);
  pthread_mutex_unlock(&lock);
  return error;
}

static void forget_functions(struct module *module)
{
  for (struct function *f = module->functions, *next; f != NULL; f = next) {
    next = f->next;
    for (size_t i = 0; i < functions.capacity; i++)
      if (functions.pairs[i].value == f)
        functions.pairs[i].value = NULL;
    free(f);
  }
}

static void forget_variables(struct module *module)
{
  for (struct variable *v = module->variables, *next; v != NULL; v = next) {
    next = v->next;
    for (size_t i = 0; i < variables.capacity; i++)
      if (variables.pairs[i].value == v)
        variables.pairs[i].value = NULL;
    free(v);
  }
}

/* At exit, or when a library with device code is closed. */
void registry_remove_module(void **handle)
{
  if (handle == NULL || forked_is(false)) /* its memory is the parent's */
    return;
  struct module *module = (struct module *)handle;
  pthread_mutex_lock(&lock);
  forget_functions(module);
  forget_variables(module);
  module->functions = NULL;
  module->variables = NULL;
  struct module **link = &modules;
  while (*link != module)
    link = &(*link)->next;
  *link = module->next;
  module_free(module);
  pthread_mutex_unlock(&lock);
}

void registry_reset(int device)
{
  pthread_mutex_lock(&lock);
  for (struct module *m = modules; m != NULL; m = m->next)
    module_unload(m, device);
  pthread_mutex_unlock(&lock);
}

struct function *registry_function(const void *host)
{
  pthread_mutex_lock(&lock);
  struct function *function = pointer_map_get(&functions, host);
  pthread_mutex_unlock(&lock);
  return function;
}

cudaError_t function_unknown(const void *host)
{
  return host == NULL ? cudaErrorInvalidDeviceFunction
                      : cudaErrorInvalidResourceHandle;
}

struct variable *registry_variable(const void *host)
{
  pthread_mutex_lock(&lock);
  struct variable *variable = pointer_map_get(&variables, host);
  pthread_mutex_unlock(&lock);
  return variable;
}

cudaError_t function_load(const struct function *function, int device,
                          const struct kernel **kernel)
{
  pthread_mutex_lock(&lock);
  cudaError_t error = module_load(function->module, device);
  if (error == cudaSuccess) {
    *kernel = program_kernel(function->module->loaded[device].program,
                             function->name);
    if (*kernel == NULL)
      error = cudaErrorInvalidDeviceFunction;
  }
  pthread_mutex_unlock(&lock);
  return error;
}

cudaError_t variable_load(const struct variable *variable, int device,
                          struct program_variable *found)
{
  pthread_mutex_lock(&lock);
  struct module *module = variable->module;
  cudaError_t error = module_load(module, device);
  if (error == cudaSuccess &&
      !program_find_variable(module->loaded[device].program, variable->name,
                             found))
    error = cudaErrorInvalidSymbol;
  pthread_mutex_unlock(&lock);
  return error;
}

cudaError_t core_get_kernel(cudaKernel_t *kernel, const void *host)
{
  if (kernel == NULL)
    return cudaErrorInvalidValue;
  *kernel = registry_function(host);
  return *kernel != NULL ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}
