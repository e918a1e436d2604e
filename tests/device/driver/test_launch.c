/* Launches: arguments, shapes, attributes and faults. */
#include "driver_program.h"

enum { N = 1000 };

static void expect_filled(CUdeviceptr address, int value)
{
  int got[N];
  CHECK_EQUAL(cuMemcpyDtoH(got, address, sizeof got), CUDA_SUCCESS);
  for (int i = 0; i < N; i++)
    CHECK_EQUAL(got[i], value);
}

static CUdeviceptr room(void)
{
  CUdeviceptr address;
  CHECK_EQUAL(cuMemAlloc(&address, N * sizeof(int)), CUDA_SUCCESS);
  return address;
}

BEHAVIOUR(arguments_as_pointers)
{
  begin();
  CUdeviceptr address = room();
  CUfunction fill = get_kernel(load_kernels(), "fill");
  CHECK_EQUAL(launch_fill(fill, address, 7, N, 4, 256), CUDA_SUCCESS);
  expect_filled(address, 7);
}

BEHAVIOUR(arguments_in_a_buffer)
{
  begin();
  CUdeviceptr address = room();
  CUfunction fill = get_kernel(load_kernels(), "fill");
  struct {
    CUdeviceptr address;
    unsigned value, n;
  } packed = { address, 8, N };
  size_t bytes = sizeof packed;
  void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, &packed,
                    CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END };
  CHECK_EQUAL(cuLaunchKernel(fill, 4, 1, 1, 256, 1, 1, 0, NULL, NULL, extra),
              CUDA_SUCCESS);
  expect_filled(address, 8);
}

BEHAVIOUR(arguments_twice_are_refused)
{
  begin();
  CUfunction fill = get_kernel(load_kernels(), "fill");
  void *arguments[3] = { NULL }, *extra[] = { CU_LAUNCH_PARAM_END };
  CHECK_EQUAL(cuLaunchKernel(fill, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, extra),
              CUDA_ERROR_INVALID_VALUE);
}

BEHAVIOUR(missing_arguments_are_refused)
{
  begin();
  CUfunction fill = get_kernel(load_kernels(), "fill");
  CHECK_EQUAL(cuLaunchKernel(fill, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL),
              CUDA_ERROR_INVALID_VALUE);
}

BEHAVIOUR(configuration_as_a_structure)
{
  begin();
  CUdeviceptr address = room();
  CUfunction fill = get_kernel(load_kernels(), "fill");
  unsigned value = 9, n = N;
  void *arguments[] = { &address, &value, &n };
  CUlaunchConfig config = { .gridDimX = 4,
                            .gridDimY = 1,
                            .gridDimZ = 1,
                            .blockDimX = 256,
                            .blockDimY = 1,
                            .blockDimZ = 1 };
  CHECK_EQUAL(cuLaunchKernelEx(&config, fill, arguments, NULL), CUDA_SUCCESS);
  expect_filled(address, 9);
}

BEHAVIOUR(shapes_have_limits)
{
  begin();
  CUfunction f = get_kernel(load_kernels(), "count_up");
  CHECK_EQUAL(cuLaunchKernel(f, 0, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuLaunchKernel(f, 1, 1, 1, 1025, 1, 1, 0, NULL, NULL, NULL),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuLaunchKernel(f, 1, 65536, 1, 1, 1, 1, 0, NULL, NULL, NULL),
              CUDA_ERROR_INVALID_VALUE);
}

BEHAVIOUR(much_shared_memory_must_be_asked_for)
{
  const int bytes = 100 << 10;
  begin();
  CUfunction f = get_kernel(load_kernels(), "count_up");
  CHECK_EQUAL(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, bytes, NULL, NULL, NULL),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuFuncSetAttribute(
                  f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes),
              CUDA_SUCCESS);
  CHECK_EQUAL(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, bytes, NULL, NULL, NULL),
              CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxSynchronize(), CUDA_SUCCESS);
}

BEHAVIOUR(too_much_shared_memory_is_refused)
{
  begin();
  CUfunction f = get_kernel(load_kernels(), "count_up");
  CHECK_EQUAL(cuFuncSetAttribute(
                  f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 20),
              CUDA_ERROR_INVALID_VALUE);
}

BEHAVIOUR(no_function_is_refused)
{
  begin();
  CHECK_EQUAL(cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL),
              CUDA_ERROR_INVALID_HANDLE);
}

BEHAVIOUR(attributes_are_of_the_kernel)
{
  int value;
  begin();
  CUmodule module = load_kernels();
  CHECK_EQUAL(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
                                 get_kernel(module, "shares")),
              CUDA_SUCCESS);
  CHECK_EQUAL(value, 1024);
  CHECK_EQUAL(cuFuncGetAttribute(&value,
                                 CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                                 get_kernel(module, "limited")),
              CUDA_SUCCESS);
  CHECK_EQUAL(value, 64);
  CHECK_EQUAL(cuFuncGetAttribute(
                  &value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                  get_kernel(module, "shares")),
              CUDA_SUCCESS);
  CHECK_EQUAL(value, 48 * 1024 - 1024);
  CHECK_EQUAL(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_PTX_VERSION,
                                 get_kernel(module, "fill")),
              CUDA_SUCCESS);
  CHECK_EQUAL(value, 75);
}

BEHAVIOUR(parameters_are_described)
{
  size_t offset, bytes;
  begin();
  CUfunction fill = get_kernel(load_kernels(), "fill");
  CHECK_EQUAL(cuFuncGetParamInfo(fill, 2, &offset, &bytes), CUDA_SUCCESS);
  CHECK_EQUAL(offset, 12);
  CHECK_EQUAL(bytes, 4);
  CHECK_EQUAL(cuFuncGetParamInfo(fill, 3, &offset, &bytes),
              CUDA_ERROR_INVALID_VALUE);
}

BEHAVIOUR(name_and_module_of_a_function)
{
  const char *name;
  CUmodule found;
  begin();
  CUmodule module = load_kernels();
  CUfunction fill = get_kernel(module, "fill");
  CHECK_EQUAL(cuFuncGetName(&name, fill), CUDA_SUCCESS);
  CHECK_TEXT(name, "fill");
  CHECK_EQUAL(cuFuncGetModule(&found, fill), CUDA_SUCCESS);
  CHECK(found == module);
}

BEHAVIOUR(fault_shows_when_the_host_waits)
{
  CUdeviceptr address;
  begin();
  launch_into_nowhere();
  CHECK_EQUAL(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK_EQUAL(cuMemAlloc(&address, 4), CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK_EQUAL(cuStreamSynchronize(NULL), CUDA_ERROR_ILLEGAL_ADDRESS);
}

BEHAVIOUR(occupancy_of_a_kernel)
{
  int n_blocks, grid, block;
  begin();
  CUfunction f = get_kernel(load_kernels(), "limited");
  CHECK_EQUAL(cuOccupancyMaxActiveBlocksPerMultiprocessor(&n_blocks, f, 64, 0),
              CUDA_SUCCESS);
  CHECK_EQUAL(n_blocks, 32);
  CHECK_EQUAL(cuOccupancyMaxPotentialBlockSize(&grid, &block, f, NULL, 0, 0),
              CUDA_SUCCESS);
  CHECK_EQUAL(block, 64);
  CHECK_EQUAL(grid, 32 * 132);
}

BEHAVIOUR(cooperative_launch)
{
  begin();
  CUdeviceptr address = room();
  CUfunction fill = get_kernel(load_kernels(), "fill");
  unsigned value = 3, n = N;
  void *arguments[] = { &address, &value, &n };
  CHECK_EQUAL(
      cuLaunchCooperativeKernel(fill, 4, 1, 1, 256, 1, 1, 0, NULL, arguments),
      CUDA_SUCCESS);
  expect_filled(address, 3);
}
