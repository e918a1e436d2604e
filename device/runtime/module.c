/* From a registered fat binary to a program on a device. */
#include "module.h"

#include <stdint.h>
#include <stdlib.h>

#include "../fatbin/fatbin.h"
#include "state.h"

#define WRAPPER_MAGIC 0x466243b1

static void explain_sass_only(int capability)
{
  explain("loading device code",
          "the program carries machine code (SASS) for GPUs but no PTX for "
          "this device.\n  Compile it with `nvcc --cudart=shared "
          "-arch=compute_%d -code=compute_%d`, or let one\n  file serve "
          "both: `-gencode arch=compute_%d,code=[sm_%d,compute_%d]`.",
          capability, capability, capability, capability, capability);
}

static void explain_too_new(int capability)
{
  explain("loading device code",
          "the program's PTX is for newer devices than compute capability "
          "%d.%d.\n  Run it with SOFTDEVICE_COMPUTE_CAPABILITY set higher, or "
          "compile it with `-arch=compute_%d -code=compute_%d`.",
          capability / 10, capability % 10, capability, capability);
}

/* Finds the PTX of one fat binary. FATBIN_EMPTY is no error here. */
static enum fatbin_choice choose(const void *data,
                                 struct fatbin_entry *entry)
{
  struct fatbin_error error;
  enum fatbin_choice choice = fatbin_choose(
      data, fatbin_size(data), config()->capability, entry, &error);
  if (choice == FATBIN_BROKEN)
    explain("loading device code", "%s", error.message);
  return choice;
}

static const void *const *parts_of(const struct fatbin_wrapper *wrapper)
{
  return wrapper->version >= 2 ? wrapper->extra : NULL;
}

/* The best PTX among a wrapper's fat binaries. A version-2 wrapper (nvcc
 * -rdc=true) has an empty one and a list of parts to be linked. */
static enum fatbin_choice choose_part(const struct fatbin_wrapper *wrapper,
                                      struct fatbin_entry *entry,
                                      int *n_parts)
{
  enum fatbin_choice choice = choose(wrapper->data, entry);
  *n_parts = choice == FATBIN_CHOSEN;
  const void *const *part = parts_of(wrapper);
  for (; part != NULL && *part != NULL; part++) {
    struct fatbin_entry candidate;
    enum fatbin_choice of_part = choose(*part, &candidate);
    if (of_part == FATBIN_CHOSEN) {
      *entry = candidate;
      ++*n_parts;
    }
    if (choice != FATBIN_CHOSEN && of_part != FATBIN_EMPTY)
      choice = of_part;
  }
  return choice;
}

static cudaError_t find_ptx(const struct fatbin_wrapper *wrapper,
                            struct fatbin_entry *entry)
{
  int n_parts;
  if (wrapper == NULL || wrapper->magic != WRAPPER_MAGIC)
    return cudaErrorInvalidKernelImage;
  switch (choose_part(wrapper, entry, &n_parts)) {
  case FATBIN_CHOSEN:
    if (n_parts == 1)
      return cudaSuccess;
    explain("loading device code",
            "device code in several files that is linked (nvcc -rdc=true) is "
            "not supported yet.\n  Compile without -rdc=true, with the device "
            "functions in the file that uses them.");
    return cudaErrorNotSupported;
  case FATBIN_BROKEN:
    return cudaErrorInvalidKernelImage;
  case FATBIN_TOO_NEW:
    explain_too_new(config()->capability);
    return cudaErrorNoKernelImageForDevice;
  case FATBIN_NO_PTX:
    explain_sass_only(config()->capability);
    return cudaErrorNoKernelImageForDevice;
  case FATBIN_EMPTY:
    break;
  }
  return cudaErrorInvalidDeviceFunction;
}

static cudaError_t load_program(const struct module *module, int device,
                                struct program **program)
{
  struct fatbin_entry entry;
  struct fatbin_error unpacking;
  struct program_error parsing;
  cudaError_t error = find_ptx(module->wrapper, &entry);
  if (error != cudaSuccess)
    return error;
  size_t bytes;
  char *ptx = fatbin_extract(&entry, &bytes, &unpacking);
  if (ptx == NULL) {
    explain("loading device code", "%s", unpacking.message);
    return cudaErrorInvalidKernelImage;
  }
  *program = program_load(ptx, bytes, device, &parsing);
  free(ptx);
  if (*program != NULL)
    return cudaSuccess;
  explain("loading device code", "%s", parsing.message);
  return cudaErrorInvalidPtx;
}

/* Tells the host program where its __managed__ variables are. */
static void publish_managed(const struct module *module, int device)
{
  struct program_variable found;
  const struct program *program = module->loaded[device].program;
  for (struct variable *v = module->variables; v != NULL; v = v->next)
    if (v->host_pointer != NULL && *v->host_pointer == NULL &&
        program_find_variable(program, v->name, &found))
      *v->host_pointer = (void *)(uintptr_t)found.address;
}

cudaError_t module_load(struct module *module, int device)
{
  struct loaded *loaded = &module->loaded[device];
  if (!loaded->tried) {
    loaded->tried = true;
    loaded->error = load_program(module, device, &loaded->program);
    if (loaded->error == cudaSuccess)
      publish_managed(module, device);
  }
  return loaded->error;
}

void module_unload(struct module *module, int device)
{
  struct loaded *loaded = &module->loaded[device];
  if (loaded->program != NULL)
    program_free(loaded->program);
  *loaded = (struct loaded){0};
  for (struct variable *v = module->variables; v != NULL; v = v->next)
    if (v->host_pointer != NULL)
      *v->host_pointer = NULL;
}

void module_free(struct module *module)
{
  for (int device = 0; device < MAX_DEVICES; device++)
    module_unload(module, device);
  free(module);
}
