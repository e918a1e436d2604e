#include "fuzz.h"

#include <stdlib.h>

#include "exec/program.h"

static void ignore(void *context, const char *function, unsigned ptx_line,
                   const char *opcode, const char *reason)
{
  (void)context, (void)function, (void)ptx_line, (void)opcode, (void)reason;
}

int fuzz_ptx(const uint8_t *data, size_t bytes)
{
  struct program_error error;
  struct program_variable variable;
  struct kernel_info info;
  struct program *program;
  const struct kernel *kernel;

  /* Variables of any size fail sooner, and are poisoned sooner. */
  setenv("SOFTDEVICE_MEMORY", "4194304", 1);
  program = program_load((const char *)data, bytes, 0, &error);
  if (program == NULL)
    return 0;
  program_gaps(program, ignore, NULL);
  kernel = program_kernel(program, "test");
  if (kernel != NULL)
    kernel_describe(kernel, &info);
  program_find_variable(program, "v", &variable);
  program_free(program);
  return 0;
}
