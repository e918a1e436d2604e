/* Error codes as text. */
#include "api_check.h"

struct error_entry {
  cudaError_t code;
  const char *name, *text;
};

static const struct error_entry errors[] = {
#define ERROR(code, name, text) { name, #name, text },
#include "errors.def"
};

static const struct error_entry *find_error(cudaError_t code)
{
  static const struct error_entry unknown = { cudaErrorUnknown,
                                              "unrecognized error code",
                                              "unrecognized error code" };
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    if (errors[i].code == code)
      return &errors[i];
  return &unknown;
}

const char *error_name(cudaError_t error) { return find_error(error)->name; }
const char *error_text(cudaError_t error) { return find_error(error)->text; }
