/* Opens libcuda.so.1 by its full path, next to this library, and looks up
 * functions in it. */
#define _GNU_SOURCE /* dladdr */
#include "driver_entry.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "../core/state.h"
#include "error.h"

#define RUNTIME_VERSION 13000

static pthread_once_t opened = PTHREAD_ONCE_INIT;
static void *library;

/* By its full path: what is found on the library path may be the driver of a
 * GPU, which knows nothing of the memory here. */
static void open_library(void)
{
  Dl_info self;
  char path[PATH_MAX];
  if (dladdr((void *)&opened, &self) == 0 || self.dli_fname == NULL)
    return;
  const char *slash = strrchr(self.dli_fname, '/');
  int folder = slash == NULL ? 0 : (int)(slash - self.dli_fname + 1);
  if (folder + sizeof "libcuda.so.1" > sizeof path)
    return;
  snprintf(path, sizeof path, "%.*slibcuda.so.1", folder, self.dli_fname);
  library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  if (library == NULL)
    explain("the driver API", "%s", dlerror());
}

void *driver_function(const char *name)
{
  pthread_once(&opened, open_library);
  return library == NULL ? NULL : dlsym(library, name);
}

/* cuGetProcAddress knows the same flags and answers. */
static cudaError_t look_up(const char *name, void **function, unsigned version,
                           unsigned long long flags,
                           enum cudaDriverEntryPointQueryResult *status)
{
  int (*look)(const char *, void **, int, unsigned long long, int *);
  int answer = cudaDriverEntryPointSymbolNotFound;
  if (name == NULL || function == NULL ||
      flags > cudaEnablePerThreadDefaultStream)
    return cudaErrorInvalidValue;
  *function = NULL;
  *(void **)&look = driver_function("cuGetProcAddress_v2");
  if (look == NULL)
    return cudaErrorNotSupported;
  int error = *name == '\0'
                  ? cudaErrorSymbolNotFound
                  : look(name, function, (int)version, flags, &answer);
  if (status != NULL)
    *status = (enum cudaDriverEntryPointQueryResult)answer;
  /* A name that is not there is no error for who asks for the status. */
  if (error == cudaErrorSymbolNotFound && status != NULL)
    return cudaSuccess;
  return (cudaError_t)error;
}

cudaError_t
cudaGetDriverEntryPointByVersion(const char *name, void **function,
                                 unsigned version, unsigned long long flags,
                                 enum cudaDriverEntryPointQueryResult *status)
{
  cudaError_t error = state_settle();
  if (error == cudaSuccess)
    error = look_up(name, function, version, flags, status);
  return error_leave(error);
}

cudaError_t
cudaGetDriverEntryPoint(const char *name, void **function,
                        unsigned long long flags,
                        enum cudaDriverEntryPointQueryResult *status)
{
  return cudaGetDriverEntryPointByVersion(name, function, RUNTIME_VERSION,
                                          flags, status);
}

/* The suffix says what the default flag means. */
API cudaError_t cudaGetDriverEntryPointByVersion_ptsz(
    const char *name, void **function, unsigned version,
    unsigned long long flags, enum cudaDriverEntryPointQueryResult *status);
cudaError_t cudaGetDriverEntryPointByVersion_ptsz(
    const char *name, void **function, unsigned version,
    unsigned long long flags, enum cudaDriverEntryPointQueryResult *status)
{
  if (flags == cudaEnableDefault)
    flags = cudaEnablePerThreadDefaultStream;
  return cudaGetDriverEntryPointByVersion(name, function, version, flags,
                                          status);
}

API cudaError_t cudaGetDriverEntryPoint_ptsz(
    const char *name, void **function, unsigned long long flags,
    enum cudaDriverEntryPointQueryResult *status);
cudaError_t
cudaGetDriverEntryPoint_ptsz(const char *name, void **function,
                             unsigned long long flags,
                             enum cudaDriverEntryPointQueryResult *status)
{
  return cudaGetDriverEntryPointByVersion_ptsz(name, function, RUNTIME_VERSION,
                                               flags, status);
}
