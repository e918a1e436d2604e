#include "fuzz.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "exec/program.h"
#include "ir/ir.h"

static jmp_buf stopped;

static void stop(void *of, const char *message)
{
  (void)of, (void)message;
  longjmp(stopped, 1);
}

/* What becomes PTX has to be PTX: text that the parser takes, or refuses. */
int fuzz_ir(const uint8_t *data, size_t bytes)
{
  struct ir_options options = { .file = "fuzz.ll", .stop = stop };
  struct program_error error;
  struct program *program;
  char *ptx;

  if (setjmp(stopped) != 0) {
    ir_forget();
    return 0;
  }
  ptx = ir_to_ptx((const char *)data, bytes, &options);
  program = program_load(ptx, strlen(ptx), 0, &error);
  program_free(program);
  free(ptx);
  return 0;
}
