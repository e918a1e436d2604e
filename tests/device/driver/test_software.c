/* What only the software device does: it explains. */
#include <unistd.h>

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
  CHECK_EQUAL(cuLinkDestroy(state), CUDA_SUCCESS);
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

/* Blocks 0 and 1 store to one word, by lines of a header of the toolkit that are
 * inlined into two lines of the program. */
static const char stores_of_two[] =
    ".version 8.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry two(.param .u64 to)\n{\n"
    ".reg .b64 %q<2>; .reg .b32 %r<2>; .reg .pred %p<2>;\n"
    ".loc 1 11 3\n"
    "ld.param.u64 %q0, [to];\nmov.u32 %r0, %ctaid.x;\n"
    "setp.ne.u32 %p0, %r0, 0;\n@%p0 bra OTHER;\n"
    ".loc 2 350 7, function_name $L__info_string0, inlined_at 1 12 3\n"
    "st.global.u32 [%q0], 1;\nret;\n"
    "OTHER:\n"
    ".loc 2 360 9, function_name $L__info_string0, inlined_at 1 14 5\n"
    "st.global.u32 [%q0], 2;\nret;\n}\n"
    ".file 1 \"/home/reader/two.cu\"\n"
    ".file 2 \"/usr/local/cuda/include/cub/block.cuh\"\n";

/* What is left of a module must not be what a finding is told from. */
static void find_and_unload(void)
{
  CUmodule module;
  CUdeviceptr to;
  void *arguments[] = { &to };
  begin();
  CHECK_EQUAL(cuMemAlloc(&to, 4), CUDA_SUCCESS);
  CHECK_EQUAL(cuModuleLoadData(&module, stores_of_two), CUDA_SUCCESS);
  CHECK_EQUAL(cuLaunchKernel(get_kernel(module, "two"), 2, 1, 1, 1, 1, 1, 0,
                             NULL, arguments, NULL),
              CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxSynchronize(), CUDA_SUCCESS);
  CHECK_EQUAL(cuModuleUnload(module), CUDA_SUCCESS);
  for (size_t bytes = 16; bytes <= 1 << 18; bytes += bytes / 4)
    for (int i = 0; i < 4; i++)
      memset(malloc(bytes), 'x', bytes);
}

static void run_with_checks(void)
{
  execl("/proc/self/exe", "test", "findings_outlive_their_module",
        (char *)NULL);
}

/* Runs itself again with checks, which write all findings at the end. */
BEHAVIOUR(findings_outlive_their_module)
{
  char path[] = "/tmp/findings.XXXXXX";
  const char *said, *rows;
  if (getenv("SOFTDEVICE_FINDINGS") != NULL) {
    find_and_unload();
    return;
  }
  close(mkstemp(path));
  setenv("SOFTDEVICE_CHECK", "race", 1);
  setenv("SOFTDEVICE_FINDINGS", path, 1);
  setenv("SOFTDEVICE_WORKERS", "1", 1);
  in_child(run_with_checks, 2, &said);
  CHECK_HAS(said, "race between blocks in global memory");
  rows = file_text(path);
  unlink(path);
  CHECK_HAS(rows, "/home/reader/two.cu,14,1 0 0,0 0 0,/home/reader/two.cu,12,"
                  "0 0 0,0 0 0,global,");
  CHECK_HAS(rows, ",inside cub/block.cuh:360,inside cub/block.cuh:350,1\n");
}
