/* cuLink…: PTX is compiled, and what comes of it can be loaded. Here it stays
 * PTX: the "cubin" that cuLinkComplete gives is the text. */
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "module.h"
#include "../support/host_memory.h"

enum { INPUT_CUBIN, INPUT_PTX, INPUT_LIBRARY = 4 }; /* CUjitInputType */

typedef struct link {
  char *text; /* NULL: none was added */
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

static CUresult create_link(CUlinkState *state)
{
  if (state == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  *state = host_try_new(1, sizeof **state);
  return *state == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

/* Options are about code that is not made here. */
CUresult cuLinkCreate_v2(unsigned n, int *options, void **values,
                         CUlinkState *state)
{
  (void)n, (void)options, (void)values;
  SERVE_STATUS(create_link(state));
}

static CUresult refuse(const char *what)
{
  explain("cuLinkAddData", "%s", what);
  return CUDA_ERROR_NOT_SUPPORTED;
}

/* Takes `text`. Errors in it are reported now, as a GPU's compiler does. */
static CUresult add(CUlinkState state, char *text)
{
  CUmodule module;
  CUresult status = module_open(&module, context_current(), text, NULL, 0);
  if (status == CUDA_SUCCESS)
    status = module_close(module);
  if (status == CUDA_SUCCESS && state->text != NULL)
    status = refuse("the software device links one PTX text, not several");
  if (status != CUDA_SUCCESS)
    free(text);
  else
    state->text = text;
  return status;
}

/* The device's runtime library is built in: kernels may launch kernels. A text
 * may come as a cubin: NVRTC's is one here (../nvrtc). `begin` is that of the
 * data, or NULL. */
static CUresult check_type(int type, const char *begin)
{
  if (type == INPUT_PTX || type == INPUT_LIBRARY)
    return CUDA_SUCCESS;
  if (type == INPUT_CUBIN && begin != NULL && begin[0] != 0x7f)
    return CUDA_SUCCESS;
  return refuse("the software device takes PTX only: cubins and objects hold "
                "machine code");
}

static CUresult add_data(CUlinkState state, int type, const char *data,
                         size_t bytes)
{
  if (state == NULL || data == NULL || bytes == 0)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult status = check_type(type, data);
  if (status != CUDA_SUCCESS || type == INPUT_LIBRARY)
    return status;
  char *text = host_try_new(1, bytes + 16);
  if (text == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  memcpy(text, data, bytes);
  return add(state, text);
}

CUresult cuLinkAddData_v2(CUlinkState state, int type, void *data, size_t bytes,
                          const char *name, unsigned n, int *options,
                          void **values)
{
  (void)name, (void)n, (void)options, (void)values;
  SERVE_STATUS(add_data(state, type, data, bytes));
}

static CUresult add_file(CUlinkState state, int type, const char *path)
{
  if (state == NULL || path == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult status = check_type(type, NULL);
  if (status != CUDA_SUCCESS || type == INPUT_LIBRARY)
    return status;
  char *text = image_bytes_of_file(path, &status);
  return text == NULL ? status : add(state, text);
}

CUresult cuLinkAddFile_v2(CUlinkState state, int type, const char *path,
                          unsigned n, int *options, void **values)
{
  (void)n, (void)options, (void)values;
  SERVE_STATUS(add_file(state, type, path));
}

static CUresult complete(CUlinkState state, void **cubin, size_t *bytes)
{
  if (state == NULL || cubin == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (state->text == NULL)
    return CUDA_ERROR_INVALID_IMAGE;
  *cubin = state->text;
  if (bytes != NULL)
    *bytes = strlen(state->text) + 1;
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
  free(state->text);
  free(state);
  return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState state) { SERVE_STATUS(destroy(state)); }
