/* What launches are known by and cut down with: checksums (FIPS 180-4's examples
 * and lengths around a block), the cut of PTX, and whose header a file is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/cut.h"
#include "ptx/module.h"
#include "support/sha256.h"

static int failures;

static void expect(const char *what, const char *got, const char *wanted)
{
  if (got != NULL && strcmp(got, wanted) == 0)
    return;
  printf("%s: '%s', expected '%s'\n", what, got == NULL ? "(none)" : got,
         wanted);
  failures++;
}

/* `n` times the letter a: the digits are those of Python's hashlib. */
static void check_sum(size_t n, const char *wanted)
{
  char letters[128], sum[SHA256_DIGITS + 1], what[32];

  memset(letters, 'a', sizeof letters);
  sha256_digits(letters, n, sum);
  snprintf(what, sizeof what, "%zu letters", n);
  expect(what, sum, wanted);
}

static const char *short_name(const char *file)
{
  const char *slash = strrchr(file, '/');

  return slash == NULL ? file : slash + 1;
}

static const char text[] =
    "// made by hand\n"
    ".version 9.0\n.target sm_90\n.address_size 64\n"
    ".file 1 \"/a/b/other.cu\"\n.file 2 \"/a/b/mine.cu\", 12, 34\n"
    ".file 3 \"/usr/local/cuda/targets/x/include/cuda/std/array.h\"\n"
    ".global .align 4 .b8 unused[8] = {1, 2};\n"
    ".global .align 8 .u64 table[1] = {generic(word)};\n"
    ".global .align 4 .u32 word = 7;\n"
    ".func (.param .b32 r) deep(.param .b32 x);\n"
    ".visible .entry other()\n{\n\tret;\n}\n"
    ".func (.param .b32 r) deep(.param .b32 x)\n{\n\tret; // } ; {\n}\n"
    "\n.visible .entry mine(\n\t.param .u64 p\n)\n.maxntid 32, 1, 1\n{\n"
    "\t.loc\t2 5 3\n"
    "$L__BB7_1:\n"
    "\t/* a comment */\n"
    "\t.loc\t3 9 1, function_name $L__info_string4, inlined_at 2 6 2\n"
    "\t{ .param .b32 q;\n\tcall.uni (q), deep, (q); }\n"
    "\tmov.u64 \t%rd1, table;\n"
    "\tbra \t$L__BB7_1;\n"
    "\tbra \t$L__BB7\n"
    "\t;\n"
    "}\n"
    ".section .debug_str { $L__info_string4:\n.b8 1 }\n";

static const char wanted_text[] =
    ".version 9.0\n.target sm_90\n.address_size 64\n"
    ".global .align 8 .u64 table[1] = {generic(word)};\n"
    ".global .align 4 .u32 word = 7;\n"
    ".func (.param .b32 r) deep(.param .b32 x);\n"
    ".func (.param .b32 r) deep(.param .b32 x)\n{\n\tret;\n}\n"
    ".visible .entry mine(\n\t.param .u64 p\n)\n.maxntid 32, 1, 1\n{\n"
    "\t.loc 1 5 3\n"
    "$L__BB2_1:\n"
    "\t/* a comment */\n"
    "\t.loc 2 9 1, inlined_at 1 6 2\n"
    "\t{ .param .b32 q;\n\tcall.uni (q), deep, (q); }\n"
    "\tmov.u64 \t%rd1, table;\n"
    "\tbra \t$L__BB2_1;\n"
    "\tbra \t$L__BB2\n"
    "\t;\n"
    "}\n"
    ".file 1 \"mine.cu\"\n.file 2 \"cuda/include/cuda/std/array.h\"\n";

/* Headers of the toolkit and of the system, wherever they are installed. */
static void check_toolkit(void)
{
  static const char *const theirs[] = {
    "/usr/include/c++/12/bits/move.h",
    "/usr/local/cuda/include/cub/cub.cuh",
    "/opt/cuda-13.0/include/cuda_fp16.hpp",
    "/home/me/venv/nvidia/cu13/include/crt/math_functions.hpp",
    "/usr/local/cuda/targets/x86_64-linux/include/cuda/std/array.h",
  };
  static const char *const own[] = {
    "mine.cu",
    "/home/me/include/mine.h",
    "/home/me/cuda/mine.cu",
    "/home/me/curves/include/mine.h",
    "/home/usr/include/mine.h",
    "/usr/includes/mine.h",
  };

  for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++)
    expect(theirs[i], ptx_is_toolkit(theirs[i]) ? "theirs" : "own", "theirs");
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    expect(own[i], ptx_is_toolkit(own[i]) ? "theirs" : "own", "own");
  expect("no file", ptx_is_toolkit(NULL) ? "theirs" : "own", "own");
}

int main(void)
{
  char *cut = ptx_cut(text, strlen(text), "mine", short_name), *again;

  check_sum(0,
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  check_sum(55,
            "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  check_sum(56,
            "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  check_sum(64,
            "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
  check_sum(119,
            "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb");
  check_toolkit();
  expect("cut", cut, wanted_text);
  again = cut == NULL ? NULL : ptx_cut(cut, strlen(cut), "mine", short_name);
  expect("cut once more", again, wanted_text);
  free(again);
  free(cut);
  cut = ptx_cut(text, strlen(text), "deep", short_name);
  if (cut != NULL)
    expect("a function that is no kernel", cut, "");
  free(cut);
  return failures > 0;
}
