/* Modules and libraries: PTX as text and as a file, kernels and variables. */
#include "driver_program.h"

static const char trivial[] = ".version 8.0\n.target sm_75\n"
                              ".address_size 64\n"
                              ".visible .entry nothing() { ret; }\n";

BEHAVIOUR(ptx_text_is_loaded)
{
  CUmodule module;
  begin();
  CHECK_EQUAL(cuModuleLoadData(&module, trivial), CUDA_SUCCESS);
  get_kernel(module, "nothing");
  CHECK_EQUAL(cuModuleUnload(module), CUDA_SUCCESS);
}

BEHAVIOUR(ptx_file_is_loaded)
{
  CUmodule module;
  begin();
  CHECK_EQUAL(cuModuleLoad(&module, getenv("KERNELS")), CUDA_SUCCESS);
  get_kernel(module, "fill");
}

BEHAVIOUR(linked_ptx_is_loaded)
{
  CUlinkState state;
  CUmodule module;
  void *code;
  size_t bytes;
  begin();
  CHECK_EQUAL(cuLinkCreate(0, NULL, NULL, &state), CUDA_SUCCESS);
  CHECK_EQUAL(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)trivial,
                            sizeof trivial, "trivial", 0, NULL, NULL),
              CUDA_SUCCESS);
  CHECK_EQUAL(cuLinkComplete(state, &code, &bytes), CUDA_SUCCESS);
  CHECK(bytes > 0);
  CHECK_EQUAL(cuModuleLoadData(&module, code), CUDA_SUCCESS);
  CHECK_EQUAL(cuLinkDestroy(state), CUDA_SUCCESS);
  get_kernel(module, "nothing");
}

BEHAVIOUR(errors_show_when_linking)
{
  static char wrong[] = ".version 8.0\n.target sm_75\n.address_size 64\n"
                        ".visible .entry f( { ret; }\n";
  CUlinkState state;
  begin();
  CHECK_EQUAL(cuLinkCreate(0, NULL, NULL, &state), CUDA_SUCCESS);
  CHECK_EQUAL(cuLinkAddData(state, CU_JIT_INPUT_PTX, wrong, sizeof wrong,
                            "wrong", 0, NULL, NULL),
              CUDA_ERROR_INVALID_PTX);
  CHECK_EQUAL(
      cuLinkAddFile(state, CU_JIT_INPUT_PTX, "/no/such/file", 0, NULL, NULL),
      CUDA_ERROR_FILE_NOT_FOUND);
  CHECK_EQUAL(cuLinkDestroy(state), CUDA_SUCCESS);
}

/* PTX of a kernel with a loop that carries 100 numbers. */
static char *carrying_ptx(void)
{
  static char text[32768];
  char *at = text;
  at += sprintf(at, ".version 8.0\n.target sm_75\n.address_size 64\n"
                    ".visible .entry carry(.param .u64 a, .param .u32 n)\n{\n"
                    ".reg .pred p; .reg .u64 a1; .reg .u32 n1; "
                    ".reg .f32 f<101>;\nld.param.u64 a1, [a];\n"
                    "ld.param.u32 n1, [n];\n");
  for (int i = 0; i < 100; i++)
    at += sprintf(at, "ld.global.f32 f%d, [a1+%d];\n", i, 4 * i);
  at += sprintf(at, "again:\n");
  for (int i = 0; i < 100; i++)
    at += sprintf(at, "fma.rn.f32 f%d, f%d, f%d, f%d;\n", i, i, (i + 7) % 100,
                  (i + 31) % 100);
  at += sprintf(at, "sub.u32 n1, n1, 1;\nsetp.ne.u32 p, n1, 0;\n"
                    "@p bra again;\n");
  for (int i = 0; i < 100; i++)
    at += sprintf(at, "st.global.f32 [a1+%d], f%d;\n", 4 * i, i);
  sprintf(at, "ret;\n}\n");
  return text;
}

/* The most threads that the kernel's blocks may have, and whether 1024 can be
 * launched; with an option of the compiler, or with none. */
static int most_threads(int option, unsigned value, CUresult *launched)
{
  CUjit_option options[] = { (CUjit_option)option };
  void *values[] = { (void *)(uintptr_t)value };
  CUmodule module;
  CUfunction kernel;
  CUdeviceptr numbers;
  unsigned rounds = 2;
  int most = -1;
  void *arguments[] = { &numbers, &rounds };
  CHECK_EQUAL(
      cuModuleLoadDataEx(&module, carrying_ptx(), option >= 0, options, values),
      CUDA_SUCCESS);
  kernel = get_kernel(module, "carry");
  CHECK_EQUAL(cuMemAlloc(&numbers, 400), CUDA_SUCCESS);
  cuMemsetD32(numbers, 0, 100);
  cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel);
  *launched =
      cuLaunchKernel(kernel, 1, 1, 1, 1024, 1, 1, 0, NULL, arguments, NULL);
  CHECK_EQUAL(cuCtxSynchronize(), CUDA_SUCCESS);
  return most;
}

BEHAVIOUR(registers_are_not_enough_for_a_block)
{
  CUresult launched;
  begin();
  CHECK(most_threads(-1, 0, &launched) < 1024);
  CHECK_EQUAL(launched, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
}

BEHAVIOUR(registers_are_limited_by_an_option)
{
  CUresult launched;
  begin();
  CHECK_EQUAL(most_threads(CU_JIT_MAX_REGISTERS, 64, &launched), 1024);
  CHECK_EQUAL(launched, CUDA_SUCCESS);
  CHECK_EQUAL(most_threads(CU_JIT_MAX_REGISTERS, 96, &launched), 640);
  CHECK_EQUAL(launched, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  CHECK_EQUAL(most_threads(CU_JIT_THREADS_PER_BLOCK, 1024, &launched), 1024);
  CHECK_EQUAL(launched, CUDA_SUCCESS);
}

BEHAVIOUR(a_linker_limits_registers)
{
  CUjit_option options[] = { CU_JIT_MAX_REGISTERS };
  void *values[] = { (void *)(uintptr_t)64 }, *code;
  CUlinkState state;
  CUmodule module;
  size_t bytes;
  int most = 0;
  begin();
  CHECK_EQUAL(cuLinkCreate(1, options, values, &state), CUDA_SUCCESS);
  CHECK_EQUAL(cuLinkAddData(state, CU_JIT_INPUT_PTX, carrying_ptx(),
                            strlen(carrying_ptx()) + 1, "a", 0, NULL, NULL),
              CUDA_SUCCESS);
  CHECK_EQUAL(cuLinkComplete(state, &code, &bytes), CUDA_SUCCESS);
  CHECK_EQUAL(cuModuleLoadData(&module, code), CUDA_SUCCESS);
  cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                     get_kernel(module, "carry"));
  CHECK_EQUAL(most, 1024);
  CHECK_EQUAL(cuLinkDestroy(state), CUDA_SUCCESS);
}

BEHAVIOUR(missing_file_is_told)
{
  CUmodule module;
  begin();
  CHECK_EQUAL(cuModuleLoad(&module, "/no/such/file"),
              CUDA_ERROR_FILE_NOT_FOUND);
}

BEHAVIOUR(text_may_go_after_loading)
{
  static char text[sizeof trivial];
  CUmodule module;
  begin();
  memcpy(text, trivial, sizeof text);
  CHECK_EQUAL(cuModuleLoadData(&module, text), CUDA_SUCCESS);
  memset(text, 'x', sizeof text);
  get_kernel(module, "nothing");
}

BEHAVIOUR(no_text_is_refused)
{
  CUmodule module;
  begin();
  CHECK_EQUAL(cuModuleLoadData(&module, NULL), CUDA_ERROR_INVALID_VALUE);
}

BEHAVIOUR(broken_ptx_is_refused)
{
  CUmodule module;
  begin();
  CHECK_EQUAL(cuModuleLoadData(&module, ".version 8.0\n.target sm_75\n"
                                        ".address_size 64\n"
                                        ".visible .entry f( { ret; }\n"),
              CUDA_ERROR_INVALID_PTX);
}

BEHAVIOUR(messages_of_the_compiler_are_handed_over)
{
  static char log[1024];
  CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER,
                             CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
  void *values[] = { log, (void *)sizeof log };
  CUmodule module;
  begin();
  CHECK_EQUAL(cuModuleLoadDataEx(&module,
                                 ".version 8.0\n.target sm_75\n"
                                 ".address_size 64\n"
                                 ".visible .entry f( { ret; }\n",
                                 2, options, values),
              CUDA_ERROR_INVALID_PTX);
  CHECK(log[0] != '\0');
}

BEHAVIOUR(ptx_for_newer_devices_is_refused)
{
  CUmodule module;
  begin();
  CHECK_EQUAL(cuModuleLoadData(&module, ".version 8.6\n.target sm_100\n"
                                        ".address_size 64\n"
                                        ".visible .entry f() { ret; }\n"),
              CUDA_ERROR_INVALID_PTX);
}

BEHAVIOUR(text_that_is_no_ptx_is_refused)
{
  CUmodule module;
  begin();
  CHECK_EQUAL(cuModuleLoadData(&module, "hello, world\n"),
              CUDA_ERROR_INVALID_IMAGE);
}

BEHAVIOUR(missing_kernel_is_told)
{
  CUfunction function;
  begin();
  CHECK_EQUAL(cuModuleGetFunction(&function, load_kernels(), "nobody"),
              CUDA_ERROR_NOT_FOUND);
}

BEHAVIOUR(kernel_of_no_module_is_refused)
{
  CUfunction function;
  begin();
  CHECK_EQUAL(cuModuleGetFunction(&function, NULL, "fill"),
              CUDA_ERROR_INVALID_HANDLE);
}

BEHAVIOUR(variable_has_an_address_and_a_size)
{
  CUdeviceptr address;
  size_t bytes;
  int value = 0;
  CUmodule module;
  begin();
  module = load_kernels();
  CHECK_EQUAL(cuModuleGetGlobal(&address, &bytes, module, "counter"),
              CUDA_SUCCESS);
  CHECK_EQUAL(bytes, 4);
  CHECK_EQUAL(cuMemcpyDtoH(&value, address, 4), CUDA_SUCCESS);
  CHECK_EQUAL(value, 5);
}

BEHAVIOUR(missing_variable_is_told)
{
  CUdeviceptr address;
  size_t bytes;
  begin();
  CHECK_EQUAL(cuModuleGetGlobal(&address, &bytes, load_kernels(), "nothing"),
              CUDA_ERROR_NOT_FOUND);
}

BEHAVIOUR(two_modules_have_variables_of_their_own)
{
  CUdeviceptr first, second;
  begin();
  CHECK_EQUAL(cuModuleGetGlobal(&first, NULL, load_kernels(), "counter"),
              CUDA_SUCCESS);
  CHECK_EQUAL(cuModuleGetGlobal(&second, NULL, load_kernels(), "counter"),
              CUDA_SUCCESS);
  CHECK(first != second);
}

BEHAVIOUR(nothing_is_not_unloaded)
{
  begin();
  CHECK_EQUAL(cuModuleUnload(NULL), CUDA_ERROR_INVALID_HANDLE);
}

BEHAVIOUR(library_gives_kernels)
{
  CUlibrary library;
  CUkernel kernel;
  CUfunction function;
  begin();
  CHECK_EQUAL(
      cuLibraryLoadData(&library, trivial, NULL, NULL, 0, NULL, NULL, 0),
      CUDA_SUCCESS);
  CHECK_EQUAL(cuLibraryGetKernel(&kernel, library, "nothing"), CUDA_SUCCESS);
  CHECK_EQUAL(cuKernelGetFunction(&function, kernel), CUDA_SUCCESS);
  CHECK_EQUAL(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL),
              CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxSynchronize(), CUDA_SUCCESS);
  CHECK_EQUAL(cuLibraryUnload(library), CUDA_SUCCESS);
}

BEHAVIOUR(kernel_launches_as_a_function)
{
  CUlibrary library;
  CUkernel kernel;
  begin();
  CHECK_EQUAL(
      cuLibraryLoadData(&library, trivial, NULL, NULL, 0, NULL, NULL, 0),
      CUDA_SUCCESS);
  CHECK_EQUAL(cuLibraryGetKernel(&kernel, library, "nothing"), CUDA_SUCCESS);
  CHECK_EQUAL(
      cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL),
      CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxSynchronize(), CUDA_SUCCESS);
}

BEHAVIOUR(library_lacks_a_kernel)
{
  CUlibrary library;
  CUkernel kernel;
  begin();
  CHECK_EQUAL(
      cuLibraryLoadData(&library, trivial, NULL, NULL, 0, NULL, NULL, 0),
      CUDA_SUCCESS);
  CHECK_EQUAL(cuLibraryGetKernel(&kernel, library, "nobody"),
              CUDA_ERROR_NOT_FOUND);
}
