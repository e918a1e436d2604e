/* The beginning and end of every call, and the driver as such. */
#define _GNU_SOURCE /* dladdr */
#include "driver.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "context.h"

#define CUDA_VERSION 13000 /* 1000 × major + 10 × minor */

static atomic_bool initialised;

/* The runtime API initialises the driver by itself. */
static bool is_initialised(void)
{
  if (atomic_load(&initialised))
    return true;
  for (int device = 0; device < config()->n_devices; device++)
    if (state_is_used(device))
      return true;
  return false;
}

CUresult driver_begin(const char *name, enum driver_need need,
                      struct call *outer)
{
  if (!is_initialised() || forked_is(true))
    return CUDA_ERROR_NOT_INITIALIZED;
  const struct context *context = context_current();
  if (need == DRIVER_CONTEXT && context == NULL)
    return CUDA_ERROR_INVALID_CONTEXT;
  if (need == DRIVER_CONTEXT && !context_is_alive(context))
    return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  *outer = call_begin((struct call){ name, true });
  return CUDA_SUCCESS;
}

CUresult driver_end(CUresult status, struct call outer)
{
  call_end(outer);
  return status;
}

API CUresult cuInit(unsigned flags)
{
  if (flags != 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (config()->n_devices == 0)
    return CUDA_ERROR_NO_DEVICE;
  if (forked_is(true))
    return CUDA_ERROR_NOT_INITIALIZED;
  forked_watch();
  atomic_store(&initialised, true);
  return CUDA_SUCCESS;
}

API CUresult cuDriverGetVersion(int *version)
{
  if (version == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}

/* There is no profiler to switch: counting is always on. */
API CUresult cuProfilerStart(void) { SERVE(state_enter()); }

API CUresult cuProfilerStop(void) { SERVE(state_enter()); }

/* Why linked/redirect.c, if it is preloaded, could not do anything about the
 * program or library. */
static const char *why_not_redirected(bool *preloaded, const char *name)
{
  const char *(*refused)(const char *);
  void *found = dlsym(RTLD_DEFAULT, "softdevice_linked_refused");
  *preloaded = found != NULL;
  if (found == NULL)
    return NULL;
  memcpy(&refused, &found, sizeof refused);
  return refused(name);
}

/* The calls in it have no names: a table of the driver's inner functions. A
 * CUDA runtime that is linked into a program or a library cannot do without,
 * and gets a message; NVRTC can. */
static void refuse_runtime_in(const char *file)
{
  const char *slash = strrchr(file, '/');
  const char *name = slash == NULL ? file : slash + 1;
  bool preloaded;
  const char *why = why_not_redirected(&preloaded, name);
  if (strstr(name, "libnvrtc") != NULL)
    return;
  if (why == NULL && !preloaded)
    explain("cuGetExportTable",
            "%s has the CUDA runtime linked in. Start the program with: "
            "softdevice PROGRAM\n"
            "  (which preloads libsoftdevice-linked.so), or compile it again "
            "with: nvcc --cudart=shared …",
            name);
  else
    explain("cuGetExportTable",
            "%s has the CUDA runtime linked in, and the software device "
            "can't take its place:\n  it %s.\n"
            "  Compile it again with: nvcc --cudart=shared …%s",
            name, why != NULL ? why : "was opened when the program was running",
            strstr(name, ".so") == NULL
                ? ""
                : "\n  Of the CUDA Toolkit's libraries of kernels, cuBLAS and "
                  "cuBLASLt alone are there.");
}

API CUresult cuGetExportTable(const void **table, const CUuuid *id)
{
  static bool reported;
  Dl_info caller;
  (void)table, (void)id;
  if (!reported && dladdr(__builtin_return_address(0), &caller) != 0 &&
      caller.dli_fname != NULL) {
    refuse_runtime_in(caller.dli_fname);
    reported = strstr(caller.dli_fname, "libnvrtc") == NULL;
  }
  return CUDA_ERROR_NOT_SUPPORTED;
}
