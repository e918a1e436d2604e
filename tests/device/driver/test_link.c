/* cuLink…: several PTX texts become one module. What is expected, messages
 * included, is what driver 580 answered on an H100. */
#include "driver_program.h"

#define HEAD ".version 8.0\n.target sm_75\n.address_size 64\n"
#define TWICE(linkage, factor)                                                 \
  HEAD linkage " .func (.param .u32 r) twice(.param .u32 x)\n{\n"              \
               ".reg .u32 a, b;\nld.param.u32 a, [x];\n"                       \
               "mul.lo.u32 b, a, " factor ";\nst.param.u32 [r], b;\n"          \
               "ret;\n}\n"

/* *out = twice(20) + bias; who defines the two? */
static const char sum[] =
    HEAD ".extern .func (.param .u32 r) twice(.param .u32 x);\n"
         ".extern .global .u32 bias;\n"
         ".visible .entry sum(.param .u64 out)\n{\n"
         ".reg .u64 p;\n.reg .u32 v, b;\nld.param.u64 p, [out];\n"
         "{\n.param .u32 a;\n.param .u32 r;\nst.param.u32 [a], 20;\n"
         "call (r), twice, (a);\nld.param.u32 v, [r];\n}\n"
         "ld.global.u32 b, [bias];\nadd.u32 v, v, b;\n"
         "st.global.u32 [p], v;\nret;\n}\n";
static const char twice[] = TWICE(".visible", "2");
static const char weak_twice[] = TWICE(".weak", "2");
static const char weak_thrice[] = TWICE(".weak", "3");
static const char long_twice[] =
    HEAD ".visible .func (.param .u64 r) twice(.param .u64 x)\n{\n"
         ".reg .u64 a;\nld.param.u64 a, [x];\nst.param.u64 [r], a;\nret;\n}\n";
static const char bias[] = HEAD ".visible .global .u32 bias = 2;\n";
static const char weak_bias[] = HEAD ".weak .global .u32 bias = 3;\n";
static const char common_bias[] = HEAD ".common .global .u32 bias;\n";
static const char long_bias[] = HEAD ".visible .global .u64 bias = 2;\n";
static const char constant_bias[] = HEAD ".visible .const .u32 bias = 2;\n";
/* A variable and a function that only their text knows. */
#define OWN(value)                                                             \
  ".global .u32 mine = " value ";\n"                                           \
  ".func (.param .u32 r) help()\n{\n.reg .u32 a;\n"                            \
  "ld.global.u32 a, [mine];\nst.param.u32 [r], a;\nret;\n}\n"
#define CALL_HELP                                                              \
  ".reg .u32 v;\n{\n.param .u32 h;\ncall (h), help, ();\n"                     \
  "ld.param.u32 v, [h];\n}\n"
static const char own_twice[] = HEAD OWN(
    "5") ".visible .func (.param .u32 r) twice(.param .u32 x)\n{\n" CALL_HELP
         "st.param.u32 [r], v;\nret;\n}\n";
static const char own_kernel[] =
    HEAD OWN("6") ".visible .entry own(.param .u64 out)\n{\n.reg .u64 p;\n"
                  "ld.param.u64 p, [out];\n" CALL_HELP
                  "st.global.u32 [p], v;\nret;\n}\n";
static const char wrong[] = HEAD ".visible .entry f( { ret; }\n";

static CUlinkState state;
static char errors[1000];
static void *values[2];

static void begin_link(size_t bytes)
{
  CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER,
                             CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
  begin();
  memset(errors, 0, sizeof errors);
  values[0] = errors;
  values[1] = (void *)(uintptr_t)bytes;
  CHECK_EQUAL(cuLinkCreate(2, options, values, &state), CUDA_SUCCESS);
}

static CUresult add(const char *text, const char *name)
{
  return cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)(uintptr_t)text,
                       strlen(text) + 1, name, 0, NULL, NULL);
}

/* Texts called a, b, c …; the last one's status. */
static CUresult add_all(const char *const *texts)
{
  CUresult status = CUDA_SUCCESS;
  for (char name[] = "a"; *texts != NULL; texts++, name[0]++) {
    CHECK_EQUAL(status, CUDA_SUCCESS);
    status = add(*texts, name);
  }
  return status;
}
#define ADD(...) add_all((const char *const[]){ __VA_ARGS__, NULL })

static unsigned run(CUmodule module, const char *kernel)
{
  CUdeviceptr out;
  unsigned got = 0;
  void *arguments[] = { &out };
  CHECK_EQUAL(cuMemAlloc(&out, 4), CUDA_SUCCESS);
  CHECK_EQUAL(cuLaunchKernel(get_kernel(module, kernel), 1, 1, 1, 1, 1, 1, 0,
                             NULL, arguments, NULL),
              CUDA_SUCCESS);
  CHECK_EQUAL(cuMemcpyDtoH(&got, out, 4), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemFree(out), CUDA_SUCCESS);
  return got;
}

static CUmodule complete(void)
{
  CUmodule module = NULL;
  void *code;
  size_t bytes = 0;
  CHECK_EQUAL(cuLinkComplete(state, &code, &bytes), CUDA_SUCCESS);
  CHECK(bytes > 0);
  CHECK_EQUAL(cuModuleLoadData(&module, code), CUDA_SUCCESS);
  CHECK_EQUAL(cuLinkDestroy(state), CUDA_SUCCESS);
  return module;
}

static CUresult try_complete(void)
{
  void *code;
  size_t bytes;
  return cuLinkComplete(state, &code, &bytes);
}

/* What the texts make of 20. */
static unsigned sum_of(const char *const *texts)
{
  begin_link(sizeof errors);
  CHECK_EQUAL(add_all(texts), CUDA_SUCCESS);
  return run(complete(), "sum");
}
#define SUM(...) sum_of((const char *const[]){ __VA_ARGS__, NULL })

BEHAVIOUR(texts_are_linked_in_any_order)
{
  CHECK_EQUAL(SUM(sum, twice, bias), 42);
  CHECK_EQUAL(SUM(bias, twice, sum), 42);
  CHECK_EQUAL((size_t)values[1], 0);
}

BEHAVIOUR(variables_of_other_texts_are_found)
{
  CUdeviceptr address;
  size_t bytes = 0;
  begin_link(sizeof errors);
  CHECK_EQUAL(ADD(sum, twice, bias), CUDA_SUCCESS);
  CHECK_EQUAL(cuModuleGetGlobal(&address, &bytes, complete(), "bias"),
              CUDA_SUCCESS);
  CHECK_EQUAL(bytes, 4);
}

BEHAVIOUR(strong_definitions_win)
{
  CHECK_EQUAL(SUM(sum, weak_thrice, twice, bias), 42);
  CHECK_EQUAL(SUM(sum, twice, weak_thrice, bias), 42);
  CHECK_EQUAL(SUM(sum, twice, weak_bias, bias), 42);
  CHECK_EQUAL(SUM(sum, twice, common_bias, bias), 42);
}

BEHAVIOUR(of_weak_definitions_the_first_stays)
{
  CHECK_EQUAL(SUM(sum, weak_twice, weak_thrice, bias), 42);
  CHECK_EQUAL(SUM(sum, weak_thrice, weak_twice, bias), 62);
  CHECK_EQUAL(SUM(sum, twice, common_bias, common_bias), 40);
}

BEHAVIOUR(names_of_one_text_are_its_own)
{
  CUmodule module;
  begin_link(sizeof errors);
  CHECK_EQUAL(ADD(own_twice, own_kernel, sum, bias), CUDA_SUCCESS);
  module = complete();
  CHECK_EQUAL(run(module, "sum"), 7);
  CHECK_EQUAL(run(module, "own"), 6);
}

BEHAVIOUR(undefined_symbols_are_told)
{
  begin_link(sizeof errors);
  CHECK_EQUAL(ADD(sum), CUDA_SUCCESS);
  CHECK_EQUAL(try_complete(), CUDA_ERROR_INVALID_SOURCE);
  CHECK_TEXT(errors, "error   : Undefined reference to 'twice' in 'a'\n"
                     "error   : Undefined reference to 'bias' in 'a'");
  CHECK_EQUAL((size_t)values[1], strlen(errors));
  CHECK_EQUAL(try_complete(), CUDA_ERROR_INVALID_SOURCE);
  CHECK_EQUAL(add(twice, "b"), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuLinkDestroy(state), CUDA_SUCCESS);
}

BEHAVIOUR(functions_that_are_not_called_may_be_missing)
{
  begin_link(sizeof errors);
  CHECK_EQUAL(ADD(HEAD ".extern .func nowhere();\n"
                       ".extern .global .u32 nothing;\n"
                       ".visible .entry q()\n{\nret;\n}\n"),
              CUDA_SUCCESS);
  CHECK_EQUAL(try_complete(), CUDA_ERROR_INVALID_SOURCE);
  CHECK_TEXT(errors, "error   : Undefined reference to 'nothing' in 'a'");
}

static void expect_conflict(const char *const *texts, const char *message)
{
  begin_link(sizeof errors);
  CHECK_EQUAL(add_all(texts), CUDA_ERROR_INVALID_SOURCE);
  CHECK_TEXT(errors, message);
  CHECK_EQUAL((size_t)values[1], strlen(message));
  CHECK_EQUAL(add(bias, "late"), CUDA_ERROR_INVALID_SOURCE);
  CHECK_EQUAL(try_complete(), CUDA_ERROR_INVALID_SOURCE);
  CHECK_EQUAL(cuLinkDestroy(state), CUDA_SUCCESS);
}
#define CONFLICT(message, ...)                                                 \
  expect_conflict((const char *const[]){ __VA_ARGS__, NULL }, message)

BEHAVIOUR(symbols_are_defined_once)
{
  CONFLICT("error   : Multiple definition of 'twice' in 'd', "
           "first defined in 'b'",
           sum, twice, bias, twice);
  CONFLICT("error   : Multiple definition of 'bias' in 'd', "
           "first defined in 'a'",
           sum, twice, bias, bias);
  CONFLICT("error   : Multiple definition of 'own' in 'b', "
           "first defined in 'a'",
           own_kernel, own_kernel);
}

BEHAVIOUR(definitions_are_as_declared)
{
  CONFLICT("error   : Prototype doesn't match for 'twice' in 'b', "
           "first defined in 'b'",
           sum, long_twice);
  CONFLICT("error   : Size doesn't match for 'bias' in 'c', "
           "first specified in 'a'",
           sum, twice, long_bias);
  CONFLICT("error   : Memory space doesn't match for 'bias' in 'c', "
           "first specified in 'a'",
           sum, twice, constant_bias);
}

BEHAVIOUR(messages_are_cut_where_the_buffer_ends)
{
  begin_link(24);
  CHECK_EQUAL(ADD(sum, bias), CUDA_SUCCESS);
  CHECK_EQUAL(try_complete(), CUDA_ERROR_INVALID_SOURCE);
  CHECK_TEXT(errors, "error   : Undefined ref");
  CHECK_EQUAL((size_t)values[1], 23);
}

BEHAVIOUR(inputs_without_a_name_are_numbered)
{
  begin_link(sizeof errors);
  CHECK_EQUAL(add(sum, NULL), CUDA_SUCCESS);
  CHECK_EQUAL(add(bias, NULL), CUDA_SUCCESS);
  CHECK_EQUAL(try_complete(), CUDA_ERROR_INVALID_SOURCE);
  CHECK_TEXT(errors, "error   : Undefined reference to 'twice' in 'Input 1'");
}

BEHAVIOUR(a_wrong_text_leaves_the_others)
{
  begin_link(sizeof errors);
  CHECK_EQUAL(ADD(sum, twice, wrong), CUDA_ERROR_INVALID_PTX);
  CHECK(errors[0] != '\0');
  CHECK_EQUAL(add(bias, "d"), CUDA_SUCCESS);
  CHECK_EQUAL(run(complete(), "sum"), 42);
}

BEHAVIOUR(a_link_is_completed_once)
{
  begin_link(sizeof errors);
  CHECK_EQUAL(ADD(sum, twice, bias), CUDA_SUCCESS);
  CHECK_EQUAL(try_complete(), CUDA_SUCCESS);
  CHECK_EQUAL(try_complete(), CUDA_ERROR_INVALID_HANDLE);
  CHECK_EQUAL(add(own_kernel, "late"), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuLinkDestroy(state), CUDA_SUCCESS);
}

BEHAVIOUR(nothing_can_be_linked)
{
  CUfunction function;
  begin_link(sizeof errors);
  CHECK_EQUAL(cuModuleGetFunction(&function, complete(), "sum"),
              CUDA_ERROR_NOT_FOUND);
}

BEHAVIOUR(a_text_needs_no_zero_at_its_end)
{
  begin_link(sizeof errors);
  CHECK_EQUAL(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)(uintptr_t)sum,
                            strlen(sum), "a", 0, NULL, NULL),
              CUDA_SUCCESS);
  CHECK_EQUAL(add(twice, "b"), CUDA_SUCCESS);
  CHECK_EQUAL(add(bias, "c"), CUDA_SUCCESS);
  CHECK_EQUAL(run(complete(), "sum"), 42);
}

BEHAVIOUR(no_bytes_are_no_input)
{
  begin_link(sizeof errors);
  CHECK_EQUAL(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)(uintptr_t)sum, 0,
                            "a", 0, NULL, NULL),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(
      cuLinkAddData(state, CU_JIT_INPUT_PTX, NULL, 5, "a", 0, NULL, NULL),
      CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(
      cuLinkAddFile(state, CU_JIT_INPUT_LIBRARY, "/no/such", 0, NULL, NULL),
      CUDA_ERROR_FILE_NOT_FOUND);
}

BEHAVIOUR(texts_come_from_files_too)
{
  CUmodule module;
  begin_link(sizeof errors);
  CHECK_EQUAL(
      cuLinkAddFile(state, CU_JIT_INPUT_PTX, getenv("KERNELS"), 0, NULL, NULL),
      CUDA_SUCCESS);
  CHECK_EQUAL(ADD(sum, twice, bias), CUDA_SUCCESS);
  module = complete();
  get_kernel(module, "fill");
  CHECK_EQUAL(run(module, "sum"), 42);
}
