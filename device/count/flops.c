/* A table from the first word of an opcode to the operations that it performs. */
#include "flops.h"

#include <string.h>

static unsigned char operations(const char *opcode)
{
  static const struct {
    const char *stem;
    unsigned char n;
  } table[] = {
    { "add.", 1 }, { "sub.", 1 }, { "mul.", 1 }, { "fma.", 2 }, { "mad.", 2 },
  };

  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strncmp(opcode, table[i].stem, 4) == 0)
      return table[i].n;
  return 0;
}

struct flops flops_of(const char *opcode)
{
  struct flops flops = { 0, 0, 0 };
  const char *type = strrchr(opcode, '.');

  if (type != NULL && strcmp(type, ".f32") == 0)
    flops.f32 = operations(opcode);
  else if (type != NULL && strcmp(type, ".f64") == 0)
    flops.f64 = operations(opcode);
  return flops;
}
