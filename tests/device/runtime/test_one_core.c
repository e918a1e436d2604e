/* What the device's libraries have in common is once in a process, however
 * they come into it. This program is linked with none of them. DEVICE_FOLDER
 * says where they are, OTHER_CORE a libsoftdevice.so of another build. */
#include <dlfcn.h>
#include <stdint.h>

#include "test.h"

/* A program may have functions with the names of the core's own. They are in
 * its dynamic symbol table, before those of any library. */
#define NOT_CALLED(name)                                                       \
  void name(void);                                                             \
  void name(void) { abort(); }

NOT_CALLED(config)
NOT_CALLED(current_device)
NOT_CALLED(explain)
NOT_CALLED(memory_find)
NOT_CALLED(memory_view)
NOT_CALLED(core_malloc)
NOT_CALLED(core_memcpy)
NOT_CALLED(state_enter)
NOT_CALLED(stream_is_valid)

static void *open_library(const char *folder, const char *name)
{
  char path[4096];
  CHECK(getenv(folder) != NULL);
  snprintf(path, sizeof path, "%s/%s", getenv(folder), name);
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL)
    fprintf(stderr, "%s\n", dlerror());
  CHECK(library != NULL);
  return library;
}

/* Assigns the function `name` of a library to a pointer. */
static void find(void *library, const char *name, void *function)
{
  *(void **)function = dlsym(library, name);
  CHECK(*(void **)function != NULL);
}

BEHAVIOUR(libraries_opened_one_by_one_share_memory)
{
  int (*initialise)(unsigned), (*retain)(void **, int), (*make_current)(void *);
  int (*range)(uint64_t *, size_t *, uint64_t);
  int (*allocate)(void **, size_t);
  void *context, *address;
  uint64_t base;
  size_t bytes;
  void *driver = open_library("DEVICE_FOLDER", "libcuda.so.1");
  find(driver, "cuInit", &initialise);
  find(driver, "cuDevicePrimaryCtxRetain", &retain);
  find(driver, "cuCtxSetCurrent", &make_current);
  find(driver, "cuMemGetAddressRange_v2", &range);
  CHECK_EQUAL(initialise(0), 0);
  CHECK_EQUAL(retain(&context, 0), 0);
  CHECK_EQUAL(make_current(context), 0);
  void *runtime = open_library("DEVICE_FOLDER", "libcudart.so.13");
  find(runtime, "cudaMalloc", &allocate);
  CHECK_EQUAL(allocate(&address, 1000), 0);
  CHECK_EQUAL(range(&base, &bytes, (uint64_t)(uintptr_t)address + 7), 0);
  CHECK_EQUAL(base, (uintptr_t)address);
  CHECK_EQUAL(bytes, 1000);
}

BEHAVIOUR(state_stays_when_a_library_is_closed)
{
  int (*allocate)(void **, size_t), (*release)(void *);
  void *address;
  void *runtime = open_library("DEVICE_FOLDER", "libcudart.so.13");
  find(runtime, "cudaMalloc", &allocate);
  CHECK_EQUAL(allocate(&address, 1000), 0);
  CHECK_EQUAL(dlclose(runtime), 0);
  runtime = open_library("DEVICE_FOLDER", "libcudart.so.13");
  find(runtime, "cudaFree", &release);
  CHECK_EQUAL(release(address), 0);
}

BEHAVIOUR(functions_of_the_program_are_left_alone)
{
  int (*allocate)(void **, size_t), (*release)(void *), (*wait)(void *);
  int (*copy)(void *, const void *, size_t, int);
  void *address;
  int value = 5, back = 0;
  void *runtime = open_library("DEVICE_FOLDER", "libcudart.so.13");
  CHECK(dlsym(RTLD_DEFAULT, "core_malloc") != NULL);
  find(runtime, "cudaMalloc", &allocate);
  find(runtime, "cudaMemcpy", &copy);
  find(runtime, "cudaStreamSynchronize", &wait);
  find(runtime, "cudaFree", &release);
  CHECK_EQUAL(allocate(&address, sizeof value), 0);
  CHECK_EQUAL(copy(address, &value, sizeof value, 1), 0);
  CHECK_EQUAL(copy(&back, address, sizeof value, 2), 0);
  CHECK_EQUAL(back, 5);
  CHECK_EQUAL(wait(NULL), 0);
  CHECK_EQUAL(release(address), 0);
}

BEHAVIOUR(core_of_another_build_is_refused)
{
  char path[4096];
  open_library("OTHER_CORE", "libsoftdevice.so");
  CHECK(getenv("DEVICE_FOLDER") != NULL);
  snprintf(path, sizeof path, "%s/libcudart.so.13", getenv("DEVICE_FOLDER"));
  CHECK(dlopen(path, RTLD_NOW) == NULL);
  CHECK_HAS(dlerror(), "version `softdevice_");
}
