/* Which GPU has which instructions? A compiler knows. This program has NVRTC
 * compile a kernel of one instruction for one target after the other, and
 * notes what is refused. It needs no GPU.
 *
 *   nvcc -I code code/outlook/targets.cu -lnvrtc -o targets && ./targets
 */
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/options.h"

/* ---- instructions and targets ---- */

typedef struct {
  const char *name;
  const char *purpose;
  const char *documented;   /* which targets have it, see instructions.def */
  const char *assembly;
} instruction;

static const instruction instructions[] = {
#define INSTRUCTION(...) {__VA_ARGS__},
#include "outlook/instructions.def"
#undef INSTRUCTION
};
enum { N_INSTRUCTIONS = sizeof instructions / sizeof instructions[0] };

static const char *const targets[] = {
  "80", "89", "90", "90a", "100", "100a", "100f", "120", "120a",
};
enum { N_TARGETS = sizeof targets / sizeof targets[0] };

/* ---- asking the compiler ---- */

static void fail(const char *call, const char *why)
{
  fflush(stdout);
  fprintf(stderr, "error: %s: %s\n", call, why);
  exit(EXIT_FAILURE);
}

#define NVRTC_CHECK(call) nvrtc_check((call), #call)
static void nvrtc_check(nvrtcResult error, const char *call)
{
  if (error != NVRTC_SUCCESS)
    fail(call, nvrtcGetErrorString(error));
}

/* How the assembler words it that an instruction exists, but not there. A
 * mistake in our own text must not pass for that. */
static int means_not_there(const char *log)
{
  return strstr(log, "not supported on .target") ||
         strstr(log, "requires .target sm_");
}

static char *log_of(nvrtcProgram program)
{
  size_t n_bytes;
  NVRTC_CHECK(nvrtcGetProgramLogSize(program, &n_bytes));
  char *log = (char *)calloc(n_bytes + 1, 1);
  if (!log)
    fail("calloc", "no host memory");
  NVRTC_CHECK(nvrtcGetProgramLog(program, log));
  return log;
}

static const char kernel_text[] =
    "extern \"C\" __global__ void probe(unsigned a, unsigned long long b,\n"
    "                                 float f, unsigned *p)\n"
    "{\n"
    "  __shared__ int4 here;\n"
    "  unsigned s = (unsigned)__cvta_generic_to_shared(&here);\n"
    "  asm volatile(\"%s\"\n"
    "               : \"+r\"(a), \"+l\"(b), \"+f\"(f) : \"r\"(s), \"l\"(p));\n"
    "}\n";

// begin has_instruction
typedef enum { REFUSED, ACCEPTED, MISTAKE } answer;

static answer ask(const char *assembly, const char *target)
{
  char text[1024], flag[64];
  snprintf(text, sizeof text, kernel_text, assembly);
  snprintf(flag, sizeof flag, "--gpu-architecture=sm_%s", target);
  const char *flags[] = {flag};
  nvrtcProgram program;
  NVRTC_CHECK(nvrtcCreateProgram(&program, text, "probe.cu", 0, NULL, NULL));
  answer said = ACCEPTED;
  if (nvrtcCompileProgram(program, 1, flags) != NVRTC_SUCCESS) {
    char *log = log_of(program);
    said = means_not_there(log) ? REFUSED : MISTAKE;
    free(log);
  }
  NVRTC_CHECK(nvrtcDestroyProgram(&program));
  return said;
}
// end has_instruction

/* ---- check ---- */

/* "from 80", or "only 90a 100a" */
static answer documented(const instruction *one, const char *target)
{
  char list[64], wanted[16];
  if (strncmp(one->documented, "from ", 5) == 0)
    return atoi(target) >= atoi(one->documented + 5) ? ACCEPTED : REFUSED;
  snprintf(list, sizeof list, "%s ", one->documented + strlen("only"));
  snprintf(wanted, sizeof wanted, " %s ", target);
  return strstr(list, wanted) ? ACCEPTED : REFUSED;
}

static int check_instruction(const instruction *one)
{
  static const char *const words[] = {"refused", "accepted", "a mistake"};
  int right = 1;
  for (int t = 0; t < N_TARGETS; t++) {
    answer said = ask(one->assembly, targets[t]);
    answer expected = documented(one, targets[t]);
    if (said != expected)
      fprintf(stderr, "error: %s for sm_%s: %s, expected %s: wrong\n",
              one->name, targets[t], words[said], words[expected]);
    right &= said == expected;
  }
  return right;
}

/* An instruction that no GPU has is a mistake, and no answer. */
static int check_mistake(void)
{
  if (ask("tcgen99.mma [%0], %1;", "100a") == MISTAKE)
    return 1;
  fprintf(stderr, "error: an instruction that does not exist: wrong\n");
  return 0;
}

static int check(void)
{
  int right = check_mistake();
  for (int i = 0; i < N_INSTRUCTIONS; i++)
    right &= check_instruction(&instructions[i]);
  return right;
}

/* ---- the table ---- */

static void print_table(void)
{
  printf("instruction,purpose");
  for (int t = 0; t < N_TARGETS; t++)
    printf(",sm_%s", targets[t]);
  printf("\n");
  for (int i = 0; i < N_INSTRUCTIONS; i++) {
    printf("%s,%s", instructions[i].name, instructions[i].purpose);
    for (int t = 0; t < N_TARGETS; t++) {
      answer said = ask(instructions[i].assembly, targets[t]);
      if (said == MISTAKE)
        fail(instructions[i].name, "the compiler does not understand it");
      printf(",%d", said == ACCEPTED);
    }
    printf("\n");
  }
}

typedef struct {
  const char *name;
  const char *idea;
} version;

static const version versions[] = {
  {"targets", "one instruction, one target after the other"},
};

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "which targets have an instruction",
                            "targets", "");
  options_versions(&o, versions, sizeof versions[0], 1);
  if (!o.csv) {
    int right = check();
    fprintf(options_remarks(&o), "check: %s\n", right ? "all right" : "WRONG");
    if (!right)
      return EXIT_FAILURE;
  }
  if (!o.check)
    print_table();
  return EXIT_SUCCESS;
}
