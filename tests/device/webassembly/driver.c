/* As much of the driver API as tests/device/arithmetic asks for, over the
 * device's core, so that the same program runs where there are no shared
 * libraries. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec/launch.h"
#include "memory/memory.h"

typedef unsigned long long address;

enum { SUCCESS, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, INVALID_PTX = 218 };

int cuInit(unsigned flags);
int cuDeviceGet(int *device, int ordinal);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuCtxSetCurrent(void *context);
int cuCtxSynchronize(void);
int cuMemAlloc_v2(address *to, size_t bytes);
int cuMemcpyHtoD_v2(address to, const void *from, size_t bytes);
int cuMemcpyDtoH_v2(void *to, address from, size_t bytes);
int cuModuleLoadData(void **module, const void *image);
int cuModuleGetFunction(void **function, void *module, const char *name);
int cuModuleUnload(void *module);
int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y,
                   unsigned grid_z, unsigned block_x, unsigned block_y,
                   unsigned block_z, unsigned shared, void *stream,
                   void **parameters, void **extra);
int execv(const char *path, char *const arguments[]);

int cuInit(unsigned flags) { return flags == 0 ? SUCCESS : INVALID_VALUE; }

int cuDeviceGet(int *device, int ordinal)
{
  *device = ordinal;
  return SUCCESS;
}

int cuDevicePrimaryCtxRetain(void **context, int device)
{
  (void)device;
  *context = NULL;
  return SUCCESS;
}

int cuCtxSetCurrent(void *context)
{
  (void)context;
  return SUCCESS;
}

/* A launch is done when it returns. */
int cuCtxSynchronize(void) { return SUCCESS; }

int cuMemAlloc_v2(address *to, size_t bytes)
{
  *to = memory_allocate(bytes, 256, MEMORY_DEVICE, 0, NULL);
  return *to == 0 ? OUT_OF_MEMORY : SUCCESS;
}

int cuMemcpyHtoD_v2(address to, const void *from, size_t bytes)
{
  void *view = memory_view(to, bytes);

  if (view == NULL)
    return INVALID_VALUE;
  memcpy(view, from, bytes);
  return SUCCESS;
}

int cuMemcpyDtoH_v2(void *to, address from, size_t bytes)
{
  const void *view = memory_look(from, bytes);

  if (view == NULL)
    return INVALID_VALUE;
  memcpy(to, view, bytes);
  return SUCCESS;
}

int cuModuleLoadData(void **module, const void *image)
{
  struct program_error error;

  *module = program_load(image, strlen(image), 0, &error);
  if (*module == NULL)
    fprintf(stderr, "%s\n", error.message);
  return *module == NULL ? INVALID_PTX : SUCCESS;
}

int cuModuleGetFunction(void **function, void *module, const char *name)
{
  *function = (void *)(uintptr_t)program_kernel(module, name);
  return *function == NULL ? INVALID_VALUE : SUCCESS;
}

int cuModuleUnload(void *module)
{
  program_free(module);
  return SUCCESS;
}

int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y,
                   unsigned grid_z, unsigned block_x, unsigned block_y,
                   unsigned block_z, unsigned shared, void *stream,
                   void **parameters, void **extra)
{
  struct kernel_info info;
  struct launch_counts counts;
  struct fault fault;
  struct launch launch = { .kernel = function,
                           .grid = { grid_x, grid_y, grid_z },
                           .block = { block_x, block_y, block_z },
                           .dynamic_shared_bytes = shared,
                           .n_workers = 1,
                           .output = stdout };
  uint8_t *packed;
  int result;

  (void)stream, (void)extra;
  kernel_describe(function, &info);
  packed = calloc(1, info.parameter_bytes + 1);
  if (packed == NULL)
    return OUT_OF_MEMORY;
  for (size_t i = 0; i < info.n_parameters; i++)
    memcpy(packed + info.parameters[i].offset, parameters[i],
           info.parameters[i].bytes);
  launch.parameters = packed;
  result = launch_run(&launch, &counts, &fault);
  if (result != 0)
    fprintf(stderr, "%s: %s\n", fault.instruction, fault.detail);
  launch_counts_free(&counts);
  free(packed);
  return result == 0 ? SUCCESS : INVALID_VALUE;
}

/* No instruction of the test is refused, so it never starts anew. */
int execv(const char *path, char *const arguments[])
{
  (void)path, (void)arguments;
  fputs("an instruction is refused\n", stderr);
  exit(1);
}
