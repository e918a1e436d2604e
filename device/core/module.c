/* From a registered fat binary to a program on a device. */
#include "module.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../exec/program_beside.h"
#include "../fatbin/fatbin.h"
#include "../support/host_memory.h"
#include "link.h"
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
  /* The default is the highest there is. */
  explain("loading device code",
          "the program's PTX is for newer devices than compute capability "
          "%d.%d.\n  %sompile it with `-arch=compute_%d -code=compute_%d`.",
          capability / 10, capability % 10,
          capability < DEFAULT_CAPABILITY
              ? "Run it with SOFTDEVICE_COMPUTE_CAPABILITY=9.0, or c"
              : "C",
          capability, capability);
}

/* Finds the PTX of one fat binary. FATBIN_EMPTY is no error here. */
static enum fatbin_choice choose_ptx(const void *data,
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

static cudaError_t explain_choice(enum fatbin_choice choice)
{
  switch (choice) {
  case FATBIN_CHOSEN: return cudaSuccess;
  case FATBIN_BROKEN: return cudaErrorInvalidKernelImage;
  case FATBIN_TOO_NEW:
    explain_too_new(config()->capability);
    return cudaErrorNoKernelImageForDevice;
  case FATBIN_NO_PTX:
    explain_sass_only(config()->capability);
    return cudaErrorNoKernelImageForDevice;
  case FATBIN_EMPTY: break;
  }
  return cudaErrorInvalidDeviceFunction;
}

static char *extract(const struct fatbin_entry *entry)
{
  struct fatbin_error unpacking;
  size_t bytes;
  char *text = fatbin_extract(entry, &bytes, &unpacking);
  if (text == NULL)
    explain("loading device code", "%s", unpacking.message);
  return text;
}

/* The smaller of two limits, of which 0 is none. */
static void tighten(unsigned *limit, unsigned other)
{
  if (*limit == 0 || (other != 0 && other < *limit))
    *limit = other;
}

/* A version-2 wrapper (nvcc -rdc=true) has a list of parts to be linked. Its own
 * fat binary is empty, and cudadevrt among the parts; or it is machine code
 * that nvlink made of the parts, whose PTX they still have. `worst` says why
 * there is none in the wrapper itself. */
static cudaError_t link_parts(const void *const *parts,
                              enum fatbin_choice worst, char **ptx,
                              unsigned *max_registers)
{
  size_t n = 0, n_texts = 0;
  while (parts[n] != NULL)
    n++;
  char **texts = host_try_new(n + 1, sizeof *texts);
  if (texts == NULL)
    return cudaErrorMemoryAllocation;
  for (size_t i = 0; i < n; i++) {
    struct fatbin_entry entry;
    enum fatbin_choice choice = choose_ptx(parts[i], &entry);
    if (choice == FATBIN_CHOSEN) {
      tighten(max_registers, entry.max_registers);
      if ((texts[n_texts] = extract(&entry)) != NULL)
        n_texts++;
      else
        worst = FATBIN_BROKEN;
    } else if (worst == FATBIN_EMPTY) {
      worst = choice;
    }
  }
  cudaError_t error = explain_choice(n_texts > 0 ? FATBIN_CHOSEN : worst);
  if (error == cudaSuccess)
    *ptx = link_ptx(texts, n_texts);
  for (size_t i = 0; i < n_texts; i++)
    free(texts[i]);
  free(texts);
  return error;
}

static cudaError_t find_ptx(const struct fatbin_wrapper *wrapper, char **ptx,
                            unsigned *max_registers)
{
  struct fatbin_entry entry;
  if (wrapper == NULL || wrapper->magic != WRAPPER_MAGIC)
    return cudaErrorInvalidKernelImage;
  enum fatbin_choice choice = choose_ptx(wrapper->data, &entry);
  if ((choice == FATBIN_EMPTY || choice == FATBIN_NO_PTX) &&
      parts_of(wrapper) != NULL)
    return link_parts(parts_of(wrapper), choice, ptx, max_registers);
  cudaError_t error = explain_choice(choice);
  if (error == cudaSuccess)
    tighten(max_registers, entry.max_registers);
  if (error == cudaSuccess && (*ptx = extract(&entry)) == NULL)
    error = cudaErrorInvalidKernelImage;
  return error;
}

/* The same program on a device where it is loaded already, or NULL. */
static const struct program *elsewhere(const struct module *module, int device)
{
  for (int other = 0; other < MAX_DEVICES; other++)
    if (other != device && module->loaded[other].program != NULL)
      return module->loaded[other].program;
  return NULL;
}

static cudaError_t parse(const struct module *module, const char *ptx,
                         int device, struct program **program)
{
  struct program_error parsing;
  *program = program_load_beside(ptx, strlen(ptx), device,
                                 elsewhere(module, device), &parsing);
  if (*program != NULL)
    return cudaSuccess;
  explain("loading device code", "%s", parsing.message);
  return cudaErrorInvalidPtx;
}

/* A kernel or variable of the module that the program does not have, or
 * NULL. */
static const char *lacking(const struct module *module,
                           const struct program *program)
{
  struct program_variable found;
  for (const struct function *f = module->functions; f != NULL; f = f->next)
    if (program_kernel(program, f->name) == NULL)
      return f->name;
  for (const struct variable *v = module->variables; v != NULL; v = v->next)
    if (!program_find_variable(program, v->name, &found))
      return v->name;
  return NULL;
}

/* The PTX that the environment names takes the module's place if it has all
 * of its kernels and variables; else `*program` stays NULL. */
static cudaError_t load_given(struct module *module, int device,
                              struct program **program)
{
  if (config()->ptx == NULL || module->keeps_its_own)
    return cudaSuccess;
  cudaError_t error = parse(module, config()->ptx, device, program);
  if (error != cudaSuccess)
    return error;
  const char *name = lacking(module, *program);
  if (name != NULL) {
    explain("loading device code",
            "%s has no %s: the part of the program with it keeps its own code",
            config()->ptx_file, name);
    module->keeps_its_own = true;
    program_free(*program);
    *program = NULL;
  }
  return cudaSuccess;
}

static cudaError_t load_program(struct module *module, int device,
                                struct program **program)
{
  char *ptx = NULL;
  unsigned max_registers = module->max_registers;
  cudaError_t error = load_given(module, device, program);
  if (error != cudaSuccess || *program != NULL)
    return error;
  error = find_ptx(module->wrapper, &ptx, &max_registers);
  if (error != cudaSuccess)
    return error;
  error = parse(module, ptx, device, program);
  if (error == cudaSuccess)
    program_limit_registers(*program, max_registers);
  free(ptx);
  return error;
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
  *loaded = (struct loaded){ 0 };
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
