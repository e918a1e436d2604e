/* What nvcc's generated code calls before main. */
#include "../core/registry.h"
#include "../core/state.h"
#include "error.h"

void **__cudaRegisterFatBinary(void *wrapper)
{
  return registry_add_module(wrapper);
}

void __cudaRegisterFatBinaryEnd(void **handle) { (void)handle; }

void __cudaRegisterFunction(void **handle, const char *host_function,
                            char *device_function, const char *name,
                            int thread_limit, void *tid, void *bid, dim3 *block,
                            dim3 *grid, int *warp_size)
{
  (void)device_function, (void)thread_limit, (void)tid, (void)bid;
  (void)block, (void)grid, (void)warp_size;
  registry_add_function(handle, host_function, name);
}

void __cudaRegisterVar(void **handle, char *host_variable, char *device_address,
                       const char *name, int ext, size_t bytes, int constant,
                       int global)
{
  (void)device_address, (void)ext, (void)bytes, (void)constant, (void)global;
  registry_add_variable(handle, host_variable, name, NULL);
}

void __cudaRegisterManagedVar(void **handle, void **host_variable,
                              char *device_address, const char *name, int ext,
                              size_t bytes, int constant, int global)
{
  (void)device_address, (void)ext, (void)bytes, (void)constant, (void)global;
  registry_add_variable(handle, host_variable, name, host_variable);
}

/* Called when the host program first touches a __managed__ variable. */
char __cudaInitModule(void **handle)
{
  return error_leave(registry_load(handle, current_device())) == cudaSuccess;
}

/* At exit, or when a library with device code is closed. */
void __cudaUnregisterFatBinary(void **handle)
{
  registry_remove_module(handle);
}
