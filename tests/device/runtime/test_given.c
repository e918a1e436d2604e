/* SOFTDEVICE_PTX: PTX in place of what a program brings along. */
#include <unistd.h>

#include "fat_builder.h"
#include "program.h"
#include "test.h"

#define HEAD ".version 8.0\n.target sm_75\n.address_size 64\n"
#define STORES(kernel, number)                                                 \
  ".visible .entry " kernel "(.param .u64 to) {\n.reg .b64 %to;\n"             \
  "ld.param.u64 %to, [to];\nst.global.u32 [%to], " number ";\nret;\n}\n"

static char answer, size;
static const char *const own =
    HEAD ".global .u32 limit = 1;\n" STORES("answer", "1");
static const char *path;

static void given(const char *ptx)
{
  static char name[] = "/tmp/given.XXXXXX";
  int descriptor = mkstemp(name);
  CHECK(descriptor >= 0);
  CHECK_EQUAL(write(descriptor, ptx, strlen(ptx)), strlen(ptx));
  close(descriptor);
  path = name;
  setenv("SOFTDEVICE_PTX", path, 1);
}

/* What the kernel `answer` of a program stores. */
static unsigned answered(cudaError_t expected)
{
  static struct fat_builder fat;
  static struct {
    int magic, version;
    const void *data;
    void *extra;
  } wrapper = { 0x466243b1, 1, fat.bytes, NULL };
  fat_begin(&fat);
  fat_add_ptx(&fat, 75, own);
  void **module = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(module, &answer, &answer, "answer", -1, NULL, NULL,
                         NULL, NULL, NULL);
  __cudaRegisterVar(module, &size, &size, "limit", 0, 4, 0, 0);
  __cudaRegisterFatBinaryEnd(module);

  unsigned *p, back = 0;
  CHECK_EQUAL(cudaMalloc((void **)&p, 4), 0);
  void *arguments[] = { &p };
  CHECK_EQUAL(launch(&answer, 1, 1, arguments), expected);
  CHECK_EQUAL(cudaMemcpy(&back, p, 4, cudaMemcpyDeviceToHost), 0);
  if (path != NULL)
    unlink(path);
  return back;
}

BEHAVIOUR(none_leaves_the_programs_own) { CHECK_EQUAL(answered(0), 1); }

BEHAVIOUR(takes_the_place_of_the_programs)
{
  given(HEAD ".global .u32 limit = 1;\n" STORES("answer", "42"));
  capture_begin(2);
  unsigned answer = answered(0);
  CHECK_TEXT(capture_end(), "");
  CHECK_EQUAL(answer, 42);
}

BEHAVIOUR(without_the_kernel_is_told_and_left)
{
  given(HEAD ".global .u32 limit = 1;\n" STORES("question", "42"));
  capture_begin(2);
  unsigned answer = answered(0);
  CHECK_HAS(capture_end(), "has no answer: the part of the program with it "
                           "keeps its own code");
  CHECK_EQUAL(answer, 1);
}

BEHAVIOUR(without_the_variable_is_told_and_left)
{
  given(HEAD STORES("answer", "42"));
  capture_begin(2);
  unsigned answer = answered(0);
  CHECK_HAS(capture_end(), "has no limit: ");
  CHECK_EQUAL(answer, 1);
}

BEHAVIOUR(broken_is_an_error)
{
  given(HEAD ".entry answer( {");
  capture_begin(2);
  answered(cudaErrorInvalidPtx);
  CHECK_HAS(capture_end(), "loading device code");
}

static void ask_for_a_device(void)
{
  int n;
  cudaGetDeviceCount(&n);
}

BEHAVIOUR(no_such_file_is_refused)
{
  const char *text;
  setenv("SOFTDEVICE_PTX", "/nowhere/to/be.ptx", 1);
  CHECK_EQUAL(in_child(ask_for_a_device, 2, &text), 2);
  CHECK_HAS(text, "SOFTDEVICE_PTX=/nowhere/to/be.ptx: expected a file with "
                  "PTX that can be read");
}
