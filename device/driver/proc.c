/* cuGetProcAddress: from a name and a version of CUDA to a function. */
#include <stdio.h>
#include <string.h>

#include "driver.h"
#include "proc_table.h"

static const struct since {
  const char *name;
  int version;
} since[] = {
#define SINCE(symbol, version) { #symbol, version },
#include "since.def"
};

enum { FOUND, NOT_FOUND, VERSION_NOT_SUFFICIENT };
enum { LEGACY_STREAM = 1, PER_THREAD_STREAM = 2 };

/* Is `name` the wanted one, perhaps with _v and a digit? */
static bool is_form_of(const char *name, const char *wanted)
{
  size_t n = strlen(wanted);
  if (strncmp(name, wanted, n) != 0)
    return false;
  return name[n] == '\0' || (name[n] == '_' && name[n + 1] == 'v' &&
                             name[n + 2] != '\0' && name[n + 3] == '\0');
}

/* The newest form that a program of that version knows. */
static const struct since *choose_version(const char *wanted, int version,
                                          bool *exists)
{
  const struct since *best = NULL;
  *exists = false;
  for (size_t i = 0; i < sizeof since / sizeof *since; i++) {
    if (!is_form_of(since[i].name, wanted))
      continue;
    *exists = true;
    if (since[i].version <= version &&
        (best == NULL || since[i].version > best->version))
      best = &since[i];
  }
  return best;
}

static exported_call *per_thread_form(const char *name)
{
  char variant[96];
  snprintf(variant, sizeof variant, "%s_ptsz", name);
  exported_call *function = exported(variant);
  if (function != NULL)
    return function;
  snprintf(variant, sizeof variant, "%s_ptds", name);
  return exported(variant);
}

API CUresult cuGetProcAddress_v2(const char *name, void **function, int version,
                                 uint64_t flags, int *result)
{
  bool exists;
  exported_call *found = NULL;
  if (name == NULL || function == NULL ||
      (flags & ~(uint64_t)(LEGACY_STREAM | PER_THREAD_STREAM)) != 0)
    return CUDA_ERROR_INVALID_VALUE;
  const struct since *best = choose_version(name, version, &exists);
  if (best != NULL && (flags & PER_THREAD_STREAM) != 0)
    found = per_thread_form(best->name);
  if (best != NULL && found == NULL)
    found = exported(best->name);
  memcpy(function, &found, sizeof found);
  if (result == NULL)
    return found != NULL ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
  *result = found != NULL ? FOUND : exists ? VERSION_NOT_SUFFICIENT : NOT_FOUND;
  return CUDA_SUCCESS; /* the answer is in the result */
}

API CUresult cuGetProcAddress(const char *name, void **function, int version,
                              uint64_t flags)
{
  return cuGetProcAddress_v2(name, function, version, flags, NULL);
}
