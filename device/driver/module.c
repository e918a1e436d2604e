/* The list of loaded modules and the functions and variables found in them. */
#define _POSIX_C_SOURCE 200809L
#include "module.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "../support/host_memory.h"

/* A name that was asked for. Its address stands for it in the core. */
struct symbol {
  struct symbol *next;
  CUfunction function; /* NULL: a variable */
  char name[];
};

struct driver_module {
  struct image image;
  struct context *context; /* NULL: a library */
  void **handle;           /* the core's */
  struct symbol *functions, *variables;
  struct driver_module *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct driver_module *modules;

bool module_is_known(const struct driver_module *module)
{
  pthread_mutex_lock(&lock);
  const struct driver_module *m = modules;
  while (m != NULL && m != module)
    m = m->next;
  pthread_mutex_unlock(&lock);
  return m != NULL;
}

static void discard(struct driver_module *module)
{
  registry_remove_module(module->handle);
  struct symbol *lists[] = { module->functions, module->variables };
  for (int i = 0; i < 2; i++)
    for (struct symbol *s = lists[i], *next; s != NULL; s = next) {
      next = s->next;
      free(s);
    }
  free(module->image.owned);
  free(module);
}

/* A library's code is looked at when a kernel is asked for. PTX for newer
 * devices is a text that the driver's compiler does not take. */
static CUresult load(struct driver_module *module)
{
  if (module->context == NULL)
    return CUDA_SUCCESS;
  CUresult status =
      status_of(registry_load(module->handle, module->context->device));
  if (status == CUDA_ERROR_NO_BINARY_FOR_GPU && module->image.is_text)
    return CUDA_ERROR_INVALID_PTX;
  return status;
}

CUresult module_open(struct driver_module **module, struct context *context,
                     const void *bytes, const char *path,
                     unsigned max_registers)
{
  struct driver_module *m = host_try_new(1, sizeof *m);
  if (m == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  CUresult status = path != NULL ? image_read_file(&m->image, path)
                                 : image_read(&m->image, bytes);
  if (status != CUDA_SUCCESS) {
    free(m);
    return status;
  }
  m->context = context;
  m->handle = registry_add_module(&m->image);
  if (max_registers == 0)
    max_registers = m->image.max_registers;
  registry_limit_registers(m->handle, max_registers);
  status = load(m);
  if (status != CUDA_SUCCESS) {
    discard(m);
    return status;
  }
  pthread_mutex_lock(&lock);
  m->next = modules;
  modules = m;
  pthread_mutex_unlock(&lock);
  *module = m;
  return CUDA_SUCCESS;
}

static struct driver_module *take_out(const struct driver_module *module)
{
  pthread_mutex_lock(&lock);
  struct driver_module **link = &modules;
  while (*link != NULL && *link != module)
    link = &(*link)->next;
  struct driver_module *found = *link;
  if (found != NULL)
    *link = found->next;
  pthread_mutex_unlock(&lock);
  return found;
}

CUresult module_close(struct driver_module *module)
{
  struct driver_module *found = take_out(module);
  if (found == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  discard(found);
  return CUDA_SUCCESS;
}

static struct driver_module *one_of(const struct context *context)
{
  pthread_mutex_lock(&lock);
  struct driver_module *m = modules;
  while (m != NULL && m->context != context)
    m = m->next;
  pthread_mutex_unlock(&lock);
  return m;
}

void module_unload_all(const struct context *context)
{
  for (struct driver_module *m; (m = one_of(context)) != NULL;)
    module_close(m);
}

static struct symbol *find_symbol(struct symbol *list, const char *name)
{
  while (list != NULL && strcmp(list->name, name) != 0)
    list = list->next;
  return list;
}

static struct symbol *add_symbol(struct symbol **list, const char *name)
{
  struct symbol *symbol = host_try_new(1, sizeof *symbol + strlen(name) + 1);
  if (symbol == NULL)
    return NULL;
  strcpy(symbol->name, name);
  pthread_mutex_lock(&lock);
  symbol->next = *list;
  *list = symbol;
  pthread_mutex_unlock(&lock);
  return symbol;
}

static struct symbol *function_symbol(struct driver_module *module,
                                      const char *name)
{
  struct symbol *symbol = find_symbol(module->functions, name);
  if (symbol != NULL)
    return symbol;
  symbol = add_symbol(&module->functions, name);
  if (symbol == NULL)
    return NULL;
  registry_add_function(module->handle, symbol, symbol->name);
  symbol->function = registry_function(symbol);
  return symbol;
}

CUresult module_function(struct driver_module *module, const char *name,
                         CUfunction *function)
{
  struct cudaFuncAttributes attributes;
  struct symbol *symbol = function_symbol(module, name);
  if (symbol == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  cudaError_t error = core_func_get_attributes(&attributes, symbol->function);
  if (error == cudaErrorInvalidDeviceFunction)
    return CUDA_ERROR_NOT_FOUND;
  if (error == cudaSuccess)
    *function = symbol->function;
  return status_of(error);
}

static struct symbol *variable_symbol(struct driver_module *module,
                                      const char *name)
{
  struct symbol *symbol = find_symbol(module->variables, name);
  if (symbol != NULL)
    return symbol;
  symbol = add_symbol(&module->variables, name);
  if (symbol != NULL)
    registry_add_variable(module->handle, symbol, symbol->name, NULL);
  return symbol;
}

CUresult module_variable(struct driver_module *module, const char *name,
                         CUdeviceptr *address, size_t *bytes)
{
  void *place;
  size_t size;
  const struct symbol *symbol = variable_symbol(module, name);
  if (symbol == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  cudaError_t error = core_get_symbol_address(&place, symbol);
  if (error == cudaSuccess)
    error = core_get_symbol_size(&size, symbol);
  if (error == cudaSuccess && address != NULL)
    *address = (CUdeviceptr)(uintptr_t)place;
  if (error == cudaSuccess && bytes != NULL)
    *bytes = size;
  return status_of(error);
}

struct driver_module *module_of(CUfunction function)
{
  pthread_mutex_lock(&lock);
  struct driver_module *m = modules;
  for (; m != NULL; m = m->next) {
    const struct symbol *s = m->functions;
    while (s != NULL && s->function != function)
      s = s->next;
    if (s != NULL)
      break;
  }
  pthread_mutex_unlock(&lock);
  return m;
}
