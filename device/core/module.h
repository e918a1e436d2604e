/* One registered fat binary, and its program on each device. */
#ifndef DEVICE_CORE_MODULE_H
#define DEVICE_CORE_MODULE_H

#include "registry.h"

/* What __cudaRegisterFatBinary gets. */
struct fatbin_wrapper {
  int magic, version;
  const void *data;
  void *extra; /* version 1: unused; 2: fat binaries to link, up to NULL */
};

struct module {
  const struct fatbin_wrapper *wrapper;
  struct function *functions;
  struct variable *variables;
  struct module *next;
  unsigned max_registers; /* see registry_limit_registers */
  bool keeps_its_own;     /* SOFTDEVICE_PTX lacks a kernel or variable of it */
  struct loaded {
    bool tried;
    cudaError_t error;
    struct program *program;
  } loaded[MAX_DEVICES];
};

/* Call with the registry locked. Says why on stderr, once, when it fails. */
cudaError_t module_load(struct module *module, int device);
void module_unload(struct module *module, int device);
void module_free(struct module *module);

#endif
