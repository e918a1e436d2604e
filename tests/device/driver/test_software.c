/* What only the software device does: it explains. */
#include "driver_program.h"

BEHAVIOUR(unsupported_call_is_named_once)
{
  CUipcMemHandle handle;
  begin();
  capture_begin(2);
  CHECK_EQUAL(cuIpcGetMemHandle(&handle, 0), CUDA_ERROR_NOT_SUPPORTED);
  CHECK_EQUAL(cuIpcGetMemHandle(&handle, 0), CUDA_ERROR_NOT_SUPPORTED);
  CHECK_TEXT(capture_end(),
             "softdevice: cuIpcGetMemHandle: not supported by the "
             "software device\n");
}

BEHAVIOUR(bad_copy_is_explained_by_its_own_name)
{
  int value = 1;
  CUdeviceptr a;
  begin();
  CHECK_EQUAL(cuMemAlloc(&a, 64), CUDA_SUCCESS);
  capture_begin(2);
  CHECK_EQUAL(cuMemcpyHtoD(a + 62, &value, 4), CUDA_ERROR_INVALID_VALUE);
  CHECK_HAS(capture_end(), "softdevice: cuMemcpyHtoD: 4 bytes from offset 62");
}

BEHAVIOUR(cubin_is_refused_with_a_reason)
{
  static const char cubin[64] = { 0x7f, 'E', 'L', 'F', 2, 1, 1 };
  CUmodule module;
  begin();
  capture_begin(2);
  CHECK_EQUAL(cuModuleLoadData(&module, cubin), CUDA_ERROR_NO_BINARY_FOR_GPU);
  CHECK_HAS(capture_end(), "cuModuleLoadData: this is a cubin");
}

BEHAVIOUR(message_names_the_line_of_the_ptx)
{
  CUmodule module;
  begin();
  capture_begin(2);
  CHECK_EQUAL(cuModuleLoadData(&module, ".version 8.0\n.target sm_75\n"
                                        ".address_size 64\n"
                                        ".visible .entry f( { ret; }\n"),
              CUDA_ERROR_INVALID_PTX);
  CHECK_HAS(capture_end(), "line 4");
}

BEHAVIOUR(several_devices_have_contexts_of_their_own)
{
  CUcontext context;
  CUdevice device;
  setenv("SOFTDEVICE_DEVICES", "2", 1);
  begin();
  CHECK_EQUAL(cuDevicePrimaryCtxRetain(&context, 1), CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxPushCurrent(context), CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxGetDevice(&device), CUDA_SUCCESS);
  CHECK_EQUAL(device, 1);
  load_kernels();
  CHECK_EQUAL(cuCtxPopCurrent(&context), CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxGetDevice(&device), CUDA_SUCCESS);
  CHECK_EQUAL(device, 0);
}

BEHAVIOUR(wait_for_ever_is_told)
{
  CUdeviceptr a;
  begin();
  CHECK_EQUAL(cuMemAlloc(&a, 8), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemsetD32(a, 1, 2), CUDA_SUCCESS);
  capture_begin(2);
  CHECK_EQUAL(cuStreamWaitValue32(NULL, a, 2, CU_STREAM_WAIT_VALUE_GEQ),
              CUDA_ERROR_LAUNCH_TIMEOUT);
  CHECK_HAS(capture_end(), "cuStreamWaitValue32: 0x1 is at");
}
