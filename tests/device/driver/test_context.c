/* Contexts: created ones, primary ones, and a thread's stack of them. */
#include <sys/wait.h>
#include <unistd.h>

#include "driver_program.h"

BEHAVIOUR(created_context_is_current)
{
  CUcontext context, current;
  CUdevice device;
  CHECK_EQUAL(cuInit(0), CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxCreate(&context, NULL, 0, 0), CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxGetCurrent(&current), CUDA_SUCCESS);
  CHECK(current == context);
  CHECK_EQUAL(cuCtxGetDevice(&device), CUDA_SUCCESS);
  CHECK_EQUAL(device, 0);
}

BEHAVIOUR(destroyed_context_is_popped)
{
  CUcontext context, current;
  CHECK_EQUAL(cuInit(0), CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxCreate(&context, NULL, 0, 0), CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxDestroy(context), CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxGetCurrent(&current), CUDA_SUCCESS);
  CHECK(current == NULL);
}

BEHAVIOUR(context_of_no_device_is_refused)
{
  CUcontext context;
  CHECK_EQUAL(cuInit(0), CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxCreate(&context, NULL, 0, 99), CUDA_ERROR_INVALID_DEVICE);
}

BEHAVIOUR(no_context_is_not_destroyed)
{
  begin();
  CHECK_EQUAL(cuCtxDestroy(NULL), CUDA_ERROR_INVALID_VALUE);
}

BEHAVIOUR(contexts_are_stacked)
{
  CUcontext primary, other, popped;
  begin();
  CHECK_EQUAL(cuCtxGetCurrent(&primary), CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxCreate(&other, NULL, 0, 0), CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxPushCurrent(primary), CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxPopCurrent(&popped), CUDA_SUCCESS);
  CHECK(popped == primary);
  CHECK_EQUAL(cuCtxPopCurrent(&popped), CUDA_SUCCESS);
  CHECK(popped == other);
  CHECK_EQUAL(cuCtxGetCurrent(&popped), CUDA_SUCCESS);
  CHECK(popped == primary);
}

BEHAVIOUR(empty_stack_is_not_popped)
{
  CUcontext popped;
  CHECK_EQUAL(cuInit(0), CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxPopCurrent(&popped), CUDA_ERROR_INVALID_CONTEXT);
}

BEHAVIOUR(nothing_is_not_pushed)
{
  begin();
  CHECK_EQUAL(cuCtxPushCurrent(NULL), CUDA_ERROR_INVALID_VALUE);
}

BEHAVIOUR(memory_goes_with_its_context)
{
  CUcontext context;
  CUdeviceptr address, base;
  size_t bytes;
  begin();
  CHECK_EQUAL(cuCtxCreate(&context, NULL, 0, 0), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemAlloc(&address, 1 << 20), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemGetAddressRange(&base, &bytes, address), CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxDestroy(context), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemGetAddressRange(&base, &bytes, address),
              CUDA_ERROR_NOT_FOUND);
}

BEHAVIOUR(primary_context_is_one)
{
  CUcontext first, second;
  CUdevice device = begin();
  CHECK_EQUAL(cuCtxGetCurrent(&first), CUDA_SUCCESS);
  CHECK_EQUAL(cuDevicePrimaryCtxRetain(&second, device), CUDA_SUCCESS);
  CHECK(first == second);
}

BEHAVIOUR(primary_context_is_active_while_retained)
{
  CUdevice device = begin();
  unsigned flags;
  int active;
  CHECK_EQUAL(cuDevicePrimaryCtxGetState(device, &flags, &active),
              CUDA_SUCCESS);
  CHECK_EQUAL(active, 1);
  CHECK_EQUAL(cuDevicePrimaryCtxRelease(device), CUDA_SUCCESS);
  CHECK_EQUAL(cuDevicePrimaryCtxGetState(device, &flags, &active),
              CUDA_SUCCESS);
  CHECK_EQUAL(active, 0);
}

BEHAVIOUR(released_context_is_of_no_use)
{
  CUdevice device = begin();
  CUdeviceptr address;
  CHECK_EQUAL(cuDevicePrimaryCtxRelease(device), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemAlloc(&address, 4), CUDA_ERROR_CONTEXT_IS_DESTROYED);
}

BEHAVIOUR(released_too_often_is_refused)
{
  CUdevice device = begin();
  CHECK_EQUAL(cuDevicePrimaryCtxRelease(device), CUDA_SUCCESS);
  CHECK_EQUAL(cuDevicePrimaryCtxRelease(device), CUDA_ERROR_INVALID_CONTEXT);
}

BEHAVIOUR(forked_child_is_not_initialised)
{
  CUdeviceptr address;
  int status;
  begin();
  fflush(NULL);
  pid_t child = fork();
  if (child == 0)
    _exit(cuMemAlloc(&address, 4) == CUDA_ERROR_NOT_INITIALIZED &&
                  cuInit(0) == CUDA_ERROR_NOT_INITIALIZED
              ? 0
              : 1);
  waitpid(child, &status, 0);
  CHECK_EQUAL(status, 0);
  CHECK_EQUAL(cuMemAlloc(&address, 4), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemFree(address), CUDA_SUCCESS);
}

BEHAVIOUR(too_large_a_stack_is_refused)
{
  size_t bytes;
  begin();
  CHECK_EQUAL(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 1000), CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, (size_t)1 << 50),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuCtxGetLimit(&bytes, CU_LIMIT_STACK_SIZE), CUDA_SUCCESS);
  CHECK_EQUAL(bytes, 1008);
}

BEHAVIOUR(limits_are_remembered)
{
  size_t bytes;
  begin();
  CHECK_EQUAL(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 16 << 20), CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxGetLimit(&bytes, CU_LIMIT_MALLOC_HEAP_SIZE), CUDA_SUCCESS);
  CHECK_EQUAL(bytes, 16 << 20);
}
