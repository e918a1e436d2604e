/* Modules and libraries: device code that is loaded while the program runs.
 * Each is registered with the core like the code that nvcc puts into a
 * program, so that all of its calls take their functions. */
#ifndef DEVICE_DRIVER_MODULE_H
#define DEVICE_DRIVER_MODULE_H

#include "context.h"

/* Unloads what was loaded in a context. */
void module_unload_all(const struct context *context);

/* `context` NULL: a library, for all of them, loaded when it is needed.
 * `max_registers`: per thread; 0: no limit. */
CUresult module_open(struct driver_module **module, struct context *context,
                     const void *bytes, const char *path,
                     unsigned max_registers);
CUresult module_close(struct driver_module *module);
bool module_is_known(const struct driver_module *module);

CUresult module_function(struct driver_module *module, const char *name,
                         CUfunction *function);
CUresult module_variable(struct driver_module *module, const char *name,
                         CUdeviceptr *address, size_t *bytes);

/* The module that a function was taken from; NULL: from none. */
struct driver_module *module_of(CUfunction function);

#endif
