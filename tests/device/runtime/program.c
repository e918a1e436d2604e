#include "program.h"

#include <stdint.h>

#include "fat_builder.h"
#include "test.h"

char fill, count_up, hello, limited, shares, recurse, wait_for, no_end, missing;
char counter, table;
void *managed;

static struct fat_builder fat;
static struct {
  int magic, version;
  const void *data;
  void *extra;
} wrapper = { 0x466243b1, 1, fat.bytes, NULL };

static void **module;

static void end(void) { __cudaUnregisterFatBinary(module); }

static void add_kernel(const char *host, const char *name)
{
  __cudaRegisterFunction(module, host, (char *)(uintptr_t)host, name, -1, NULL,
                         NULL, NULL, NULL, NULL);
}

void program_begin_with(const char *ptx, int architecture)
{
  fat_begin(&fat);
  fat_add_ptx(&fat, architecture, ptx);
  module = __cudaRegisterFatBinary(&wrapper);
  add_kernel(&fill, "fill");
  add_kernel(&count_up, "count_up");
  add_kernel(&hello, "hello");
  add_kernel(&limited, "limited");
  add_kernel(&shares, "shares");
  add_kernel(&recurse, "recurse");
  add_kernel(&wait_for, "wait_for");
  add_kernel(&no_end, "no_end");
  add_kernel(&missing, "missing");
  __cudaRegisterVar(module, &counter, &counter, "counter", 0, 4, 0, 0);
  __cudaRegisterVar(module, &table, &table, "table", 0, 64, 1, 0);
  __cudaRegisterManagedVar(module, &managed, (char *)&managed,
                           "shared_with_host", 0, 8, 0, 0);
  __cudaRegisterFatBinaryEnd(module);
  atexit(end);
}

void program_begin(void)
{
  const char *path = getenv("KERNELS");
  CHECK(path != NULL);
  program_begin_with(file_text(path), 75);
}

cudaError_t launch(const void *kernel, unsigned blocks, unsigned threads,
                   void **arguments)
{
  static void *none[1];
  return cudaLaunchKernel(kernel, (dim3){ blocks, 1, 1 },
                          (dim3){ threads, 1, 1 },
                          arguments != NULL ? arguments : none, 0, NULL);
}

cudaError_t launch_fill(void *address, unsigned value, unsigned n,
                        unsigned blocks, unsigned threads)
{
  void *arguments[] = { &address, &value, &n };
  return launch(&fill, blocks, threads, arguments);
}

void launch_into_nowhere(void)
{
  void *address;
  CHECK_EQUAL(cudaMalloc(&address, 4000), cudaSuccess);
  CHECK_EQUAL(launch_fill(address, 1, 1024, 1, 1024), cudaSuccess);
}
