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
