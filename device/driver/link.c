/* cuLink…: PTX is compiled, and what comes of it can be loaded. Here it stays
 * PTX: the "cubin" that cuLinkComplete gives is one text of all that were
 * added. Errors come with the call, and in the words, of a driver 580. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/config.h"
#include "../core/link.h"
#include "../fatbin/fatbin.h"
#include "../support/host_memory.h"
#include "image.h"
#include "jit.h"
#include "module.h"

enum input {
  INPUT_CUBIN,
  INPUT_PTX,
  INPUT_FATBINARY,
  INPUT_OBJECT,
  INPUT_LIBRARY
}; /* CUjitInputType */

typedef struct link {
  struct jit jit;
  size_t n;
  char **texts, **names;
  char *log;      /* of errors; NULL: none */
  char *code;     /* once it is complete */
  bool is_closed; /* cuLinkComplete was called */
  bool is_broken; /* symbols do not fit: nothing helps any more */
} * CUlinkState;

API CUresult cuLinkCreate_v2(unsigned n, int *options, void **values,
                             CUlinkState *state);
API CUresult cuLinkAddData_v2(CUlinkState state, int type, void *data,
                              size_t bytes, const char *name, unsigned n,
                              int *options, void **values);
API CUresult cuLinkAddFile_v2(CUlinkState state, int type, const char *path,
                              unsigned n, int *options, void **values);
API CUresult cuLinkComplete(CUlinkState state, void **cubin, size_t *bytes);
API CUresult cuLinkDestroy(CUlinkState state);

static CUresult create_link(unsigned n, const int *options, void **values,
                            CUlinkState *state)
{
  struct jit jit;
  CUresult status = jit_read(&jit, n, options, values);
  if (state == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (status != CUDA_SUCCESS)
    return status;
  *state = host_try_new(1, sizeof **state);
  if (*state == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  (*state)->jit = jit;
  return CUDA_SUCCESS;
}

CUresult cuLinkCreate_v2(unsigned n, int *options, void **values,
                         CUlinkState *state)
{
  SERVE_STATUS(create_link(n, options, values, state));
}

/* Adds lines to the log, which it takes, and hands the program what it has. */
static void append_log(CUlinkState state, char *lines)
{
  if (lines[0] == '\0') {
    free(lines);
  } else if (state->log == NULL) {
    state->log = lines;
  } else {
    size_t bytes = strlen(state->log) + strlen(lines) + 2;
    char *both = host_new(bytes, 1);
    snprintf(both, bytes, "%s\n%s", state->log, lines);
    free(state->log);
    free(lines);
    state->log = both;
  }
  jit_write(&state->jit, JIT_INFO, "");
  jit_write_length(&state->jit, JIT_ERROR,
                   state->log == NULL ? "" : state->log);
}

static char *copy_text(const char *text)
{
  char *copy = host_new(strlen(text) + 1, 1);
  return strcpy(copy, text);
}

typedef void teller(char *const *texts, char *const *names, size_t n,
                    FILE *out);

/* What does not fit, in the log and on stderr. */
static CUresult tell(CUlinkState state, const char *call, teller *find)
{
  char *lines = NULL;
  size_t bytes = 0;
  FILE *out = open_memstream(&lines, &bytes);
  if (out == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  find(state->texts, state->names, state->n, out);
  fclose(out);
  if (bytes > 0)
    explain(call, "%s", lines);
  append_log(state, lines);
  return bytes > 0 ? CUDA_ERROR_INVALID_SOURCE : CUDA_SUCCESS;
}

/* Takes `text`. Errors in it are reported now, as a GPU's compiler does, and
 * leave the others as they are. */
static CUresult add_text(CUlinkState state, const char *call, char *text,
                         const char *name)
{
  char unnamed[32];
  if (link_check(call, text) != cudaSuccess) {
    append_log(state, copy_text(state_message()));
    free(text);
    return CUDA_ERROR_INVALID_PTX;
  }
  snprintf(unnamed, sizeof unnamed, "Input %zu", state->n + 1);
  state->texts = host_grow(state->texts, state->n + 1, sizeof *state->texts);
  state->names = host_grow(state->names, state->n + 1, sizeof *state->names);
  state->texts[state->n] = text;
  state->names[state->n++] = copy_text(name != NULL ? name : unnamed);
  CUresult status = tell(state, call, link_tell_conflicts);
  state->is_broken = status != CUDA_SUCCESS;
  return status;
}

static CUresult refuse(const char *call, const char *name, const char *what)
{
  explain(call, "%s: %s; the software device takes PTX",
          name != NULL ? name : "an input without a name", what);
  return CUDA_ERROR_NOT_SUPPORTED;
}

/* The PTX of a fat binary. */
static CUresult add_fatbin(CUlinkState state, const char *call,
                           const char *data, size_t bytes, const char *name)
{
  struct fatbin_entry entry;
  struct fatbin_error error = { "" };
  size_t length;
  char *text;
  enum fatbin_choice choice =
      fatbin_choose(data, bytes, config()->capability, &entry, &error);
  if (choice == FATBIN_NO_PTX || choice == FATBIN_TOO_NEW ||
      choice == FATBIN_EMPTY)
    return refuse(call, name, "a fat binary without PTX for this device");
  if (choice != FATBIN_CHOSEN ||
      (text = fatbin_extract(&entry, &length, &error)) == NULL) {
    explain(call, "%s", error.message);
    return CUDA_ERROR_INVALID_IMAGE;
  }
  return add_text(state, call, text, name);
}

static bool contains(const char *data, size_t bytes, const char *word)
{
  size_t length = strlen(word);
  for (size_t i = 0; i + length <= bytes; i++)
    if (memcmp(data + i, word, length) == 0)
      return true;
  return false;
}

/* A text may come as a cubin: NVRTC's is one here (../nvrtc), and so is what
 * cuLinkComplete gives. */
static CUresult add_input(CUlinkState state, const char *call, int type,
                          const char *data, size_t bytes, const char *name)
{
  static const char elf[] = { 0x7f, 'E', 'L', 'F' };
  const uint32_t fatbin = UINT32_C(0xba55ed50);
  bool is_elf = bytes >= 4 && memcmp(data, elf, 4) == 0;
  bool is_fatbin = bytes >= 4 && memcmp(data, &fatbin, 4) == 0;
  char *text;
  if (type < INPUT_CUBIN || type > INPUT_LIBRARY)
    return CUDA_ERROR_INVALID_VALUE;
  /* The device's own runtime: kernels may launch kernels without it. */
  if (type == INPUT_LIBRARY && contains(data, bytes, "_cuda_device_runtime_"))
    return CUDA_SUCCESS;
  if (type == INPUT_LIBRARY)
    return refuse(call, name, "a library, whose objects are machine code");
  if (is_elf || type == INPUT_OBJECT)
    return refuse(call, name,
                  type == INPUT_OBJECT ? "an object, which holds machine code"
                                       : "a cubin, which is machine code");
  if (is_fatbin)
    return add_fatbin(state, call, data, bytes, name);
  if (type == INPUT_FATBINARY)
    return CUDA_ERROR_INVALID_IMAGE;
  text = host_try_new(1, bytes + 16);
  if (text == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  memcpy(text, data, bytes);
  return add_text(state, call, text, name);
}

static CUresult can_add(const struct link *state)
{
  if (state == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (state->is_broken)
    return CUDA_ERROR_INVALID_SOURCE;
  return state->is_closed ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

static CUresult add_data(CUlinkState state, int type, const char *data,
                         size_t bytes, const char *name)
{
  CUresult status = can_add(state);
  if (status != CUDA_SUCCESS)
    return status;
  if (data == NULL || bytes == 0)
    return CUDA_ERROR_INVALID_VALUE;
  return add_input(state, "cuLinkAddData", type, data, bytes, name);
}

CUresult cuLinkAddData_v2(CUlinkState state, int type, void *data, size_t bytes,
                          const char *name, unsigned n, int *options,
                          void **values)
{
  (void)n, (void)options, (void)values;
  SERVE_STATUS(add_data(state, type, data, bytes, name));
}

static CUresult add_file(CUlinkState state, int type, const char *path)
{
  size_t bytes;
  CUresult status = can_add(state);
  if (status != CUDA_SUCCESS)
    return status;
  if (path == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  char *data = image_bytes_of_file(path, &bytes, &status);
  if (data == NULL)
    return status;
  status = add_input(state, "cuLinkAddFile", type, data, bytes, path);
  free(data);
  return status;
}

CUresult cuLinkAddFile_v2(CUlinkState state, int type, const char *path,
                          unsigned n, int *options, void **values)
{
  (void)n, (void)options, (void)values;
  SERVE_STATUS(add_file(state, type, path));
}

/* A limit of registers goes along in the first line, see image.h. */
static char *link_all(const struct link *state)
{
  static char nothing[] = ".version 8.0\n.target sm_50\n.address_size 64\n";
  char *const empty[] = { nothing };
  char *text =
      state->n == 0 ? link_ptx(empty, 1) : link_ptx(state->texts, state->n);
  if (state->jit.max_registers == 0)
    return text;
  size_t bytes = strlen(text) + sizeof IMAGE_LIMIT + 16;
  char *limited = host_new(bytes, 1);
  snprintf(limited, bytes, IMAGE_LIMIT "%u\n%s", state->jit.max_registers,
           text);
  free(text);
  return limited;
}

static CUresult complete(CUlinkState state, void **cubin, size_t *bytes)
{
  CUmodule module;
  if (state == NULL || cubin == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (state->code != NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  if (state->is_broken)
    return CUDA_ERROR_INVALID_SOURCE;
  CUresult status = state->is_closed
                        ? CUDA_ERROR_INVALID_SOURCE
                        : tell(state, "cuLinkComplete", link_tell_undefined);
  state->is_closed = true;
  if (status != CUDA_SUCCESS)
    return status;
  char *code = link_all(state);
  status = module_open(&module, context_current(), code, NULL, 0);
  if (status == CUDA_SUCCESS)
    status = module_close(module);
  if (status != CUDA_SUCCESS) {
    append_log(state, copy_text(state_message()));
    free(code);
    return status;
  }
  state->code = code;
  *cubin = code;
  if (bytes != NULL)
    *bytes = strlen(code) + 1;
  return CUDA_SUCCESS;
}

CUresult cuLinkComplete(CUlinkState state, void **cubin, size_t *bytes)
{
  SERVE_STATUS(complete(state, cubin, bytes));
}

static CUresult destroy(CUlinkState state)
{
  if (state == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < state->n; i++) {
    free(state->texts[i]);
    free(state->names[i]);
  }
  free(state->texts);
  free(state->names);
  free(state->log);
  free(state->code);
  free(state);
  return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState state) { SERVE_STATUS(destroy(state)); }
