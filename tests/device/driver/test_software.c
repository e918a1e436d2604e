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

/* An input of the linker that is not PTX. */
static const char *refusal(CUjitInputType type, const char *data, size_t bytes)
{
  CUlinkState state;
  begin();
  capture_begin(2);
  CHECK_EQUAL(cuLinkCreate(0, NULL, NULL, &state), CUDA_SUCCESS);
  CHECK_EQUAL(cuLinkAddData(state, type, (void *)(uintptr_t)data, bytes,
                            "parts.a", 0, NULL, NULL),
              CUDA_ERROR_NOT_SUPPORTED);
  CHECK_EQUAL(cuLinkDestroy(state), CUDA_SUCCESS);
  return capture_end();
}

BEHAVIOUR(machine_code_is_not_linked)
{
  static const char cubin[64] = { 0x7f, 'E', 'L', 'F', 2, 1, 1 };
  static const unsigned char fatbin[16] = { 0x50, 0xed, 0x55, 0xba, 1, 0, 16 };
  CHECK_HAS(refusal(CU_JIT_INPUT_CUBIN, cubin, sizeof cubin),
            "cuLinkAddData: parts.a: a cubin, which is machine code");
  CHECK_HAS(refusal(CU_JIT_INPUT_OBJECT, cubin, sizeof cubin),
            "cuLinkAddData: parts.a: an object");
  CHECK_HAS(refusal(CU_JIT_INPUT_LIBRARY, "!<arch>\n", 8),
            "cuLinkAddData: parts.a: a library");
  CHECK_HAS(refusal(CU_JIT_INPUT_FATBINARY, (const char *)fatbin, 16),
            "cuLinkAddData: parts.a: a fat binary without PTX");
}

/* A fat binary of one entry, plain PTX. */
BEHAVIOUR(ptx_of_a_fat_binary_is_linked)
{
  static const char ptx[] = ".version 8.0\n.target sm_75\n.address_size 64\n"
                            ".visible .entry nothing() { ret; }\n";
  static unsigned char fatbin[16 + 64 + sizeof ptx] = { 0x50, 0xed, 0x55, 0xba,
                                                        1,    0,    16 };
  unsigned char *entry = fatbin + 16;
  CUlinkState state;
  CUmodule module;
  void *code;
  size_t bytes;
  fatbin[8] = 64 + sizeof ptx;
  entry[0] = 1;
  entry[2] = entry[3] = 1;
  entry[4] = 64;
  entry[8] = sizeof ptx;
  entry[28] = 75;
  memcpy(entry + 64, ptx, sizeof ptx);
  begin();
  CHECK_EQUAL(cuLinkCreate(0, NULL, NULL, &state), CUDA_SUCCESS);
  CHECK_EQUAL(cuLinkAddData(state, CU_JIT_INPUT_FATBINARY, fatbin,
                            sizeof fatbin, "parts", 0, NULL, NULL),
              CUDA_SUCCESS);
  CHECK_EQUAL(cuLinkComplete(state, &code, &bytes), CUDA_SUCCESS);
  CHECK_EQUAL(cuModuleLoadData(&module, code), CUDA_SUCCESS);
  get_kernel(module, "nothing");
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
