/* A GPU as launch_run's machine, by the driver API: on_gpu builds it. Its context
 * ends with the first fault, so tests of faults are left out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda.h>

#include "device/tools/machine.h"

enum { STACK_BYTES = 16384 }; /* the software device asks for none */

enum { MOST_MODULES = 64 };
static CUmodule modules[MOST_MODULES];
static size_t n_modules, used;
static char log_text[4096];
static char fault_text[256] = "none";

static void must(CUresult result, const char *call)
{
  const char *name = "?";

  if (result == CUDA_SUCCESS)
    return;
  cuGetErrorName(result, &name);
  fprintf(stderr, "%s: %s\n", call, name);
  exit(2);
}

#define CU(call) must(call, #call)

bool machine_can(enum machine_skill skill)
{
  (void)skill; /* none of them */
  return false;
}

const char *machine_load(const char *text, size_t bytes)
{
  CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER,
                             CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
  void *values[] = { log_text, (void *)sizeof log_text };
  CUdevice device;
  CUcontext context;

  (void)bytes;
  CU(cuInit(0));
  CU(cuDeviceGet(&device, 0));
  CU(cuDevicePrimaryCtxRetain(&context, device));
  CU(cuCtxSetCurrent(context));
  CU(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, STACK_BYTES));
  if (n_modules == MOST_MODULES)
    return "too many PTX texts";
  used = n_modules;
  if (cuModuleLoadDataEx(&modules[n_modules++], text, 2, options, values) ==
      CUDA_SUCCESS)
    return NULL;
  return log_text;
}

void machine_use(size_t n) { used = n; }

bool machine_variable(const char *name, uint64_t *address, size_t *bytes)
{
  CUdeviceptr found;

  if (cuModuleGetGlobal(&found, bytes, modules[used], name) != CUDA_SUCCESS)
    return false;
  *address = found;
  return true;
}

void machine_number(uint64_t address, uint64_t number)
{
  (void)address;
  (void)number;
}

void machine_align(size_t bytes) { (void)bytes; }

uint64_t machine_allocate(const char *name, size_t bytes)
{
  CUdeviceptr address;

  (void)name;
  CU(cuMemAlloc(&address, bytes == 0 ? 1 : bytes));
  return address;
}

void machine_write(uint64_t address, const void *from, size_t bytes)
{
  CU(cuMemcpyHtoD(address, from, bytes));
}

void machine_read(void *to, uint64_t address, size_t bytes)
{
  CU(cuMemcpyDtoH(to, address, bytes));
}

static bool find_kernel(const char *name, CUfunction *function)
{
  unsigned n = 0;

  if (strcmp(name, "*") != 0)
    return cuModuleGetFunction(function, modules[used], name) == CUDA_SUCCESS;
  return cuModuleGetFunctionCount(&n, modules[used]) == CUDA_SUCCESS &&
         n == 1 &&
         cuModuleEnumerateFunctions(function, 1, modules[used]) == CUDA_SUCCESS;
}

const char *machine_launch(const struct machine_launch *asked)
{
  CUlaunchAttribute attributes[2];
  CUlaunchConfig config = { .gridDimX = asked->grid[0],
                            .gridDimY = asked->grid[1],
                            .gridDimZ = asked->grid[2],
                            .blockDimX = asked->block[0],
                            .blockDimY = asked->block[1],
                            .blockDimZ = asked->block[2],
                            .sharedMemBytes = asked->shared_bytes,
                            .attrs = attributes };
  CUfunction function;
  CUresult result;
  const char *name = "?";
  void *arguments[MACHINE_ARGUMENTS];
  size_t at = 0;

  if (!find_kernel(asked->kernel, &function))
    return "no such kernel";
  for (unsigned i = 0; i < asked->n_arguments; i++) {
    arguments[i] = (void *)(asked->bytes + at);
    at += asked->argument_bytes[i];
  }
  if (asked->cluster[0] > 0) {
    CUlaunchAttribute *one = &attributes[config.numAttrs++];

    one->id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    one->value.clusterDim.x = asked->cluster[0];
    one->value.clusterDim.y = asked->cluster[1];
    one->value.clusterDim.z = asked->cluster[2];
  }
  if (asked->cooperative) {
    CUlaunchAttribute *one = &attributes[config.numAttrs++];

    one->id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    one->value.cooperative = 1;
  }
  if (asked->shared_bytes > 48 << 10)
    CU(cuFuncSetAttribute(function,
                          CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                          (int)asked->shared_bytes));
  if (asked->stack_limit != 0)
    CU(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, asked->stack_limit));
  result = cuLaunchKernelEx(&config, function, arguments, NULL);
  if (result == CUDA_SUCCESS)
    result = cuCtxSynchronize();
  if (result != CUDA_SUCCESS) {
    cuGetErrorName(result, &name);
    snprintf(fault_text, sizeof fault_text, "%s", name);
  }
  return NULL;
}

const char *machine_fault(void) { return fault_text; }

const char *machine_output(void) { return ""; }

bool machine_count(const char *column, uint64_t *value)
{
  (void)column;
  (void)value;
  return false;
}

int machine_tool(int *n, char **arguments)
{
  (void)n;
  (void)arguments;
  return -1;
}

int machine_end(void) { return 0; }
