/* Names and texts of status codes, parts of the version. */
#include "status.h"

#include <stddef.h>

#include "api.h"

const char *status_name(int status)
{
  switch (status) {
/* clang-format off */
#define STATUS(code, name, text) \
  case name: return #name;
#include "status.def"
    /* clang-format on */
  }
  return "unrecognized status";
}

const char *status_text(int status)
{
  switch (status) {
/* clang-format off */
#define STATUS(code, name, text) \
  case name: return text;
#include "status.def"
    /* clang-format on */
  }
  return "unrecognized status";
}

bool status_version_part(int part, int *value)
{
  static const int parts[] = { CUBLAS_MAJOR, CUBLAS_MINOR, CUBLAS_PATCH };
  if (value == NULL || part < 0 || part > 2)
    return false;
  *value = parts[part];
  return true;
}
