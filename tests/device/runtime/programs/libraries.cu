// Device code loaded while the program runs, and the driver's functions. The
// expected output is an H200's.
#include <cstdio>
#include <cuda.h>

static const char ptx[] =
    ".version 6.4\n.target sm_75\n.address_size 64\n"
    ".visible .global .align 4 .u32 step = 5;\n"
    ".visible .entry add(.param .u64 at, .param .u32 value) {\n"
    "  .reg .b64 %rd<3>; .reg .b32 %r<4>;\n"
    "  ld.param.u64 %rd1, [at]; ld.param.u32 %r1, [value];\n"
    "  ld.global.u32 %r2, [step]; mad.lo.u32 %r3, %r1, %r2, 0;\n"
    "  red.global.add.u32 [%rd1], %r3; ret;\n}\n";

static void say(const char *what, cudaError_t error)
{
  printf("%s: %s\n", what, cudaGetErrorName(error));
  cudaGetLastError();
}

static void library()
{
  cudaLibrary_t library;
  cudaKernel_t kernel;
  int *sum, value = 7, ten = 10;
  void *step;
  size_t bytes;
  cudaMallocManaged(&sum, 4);
  *sum = 0;
  say("load", cudaLibraryLoadData(&library, ptx, nullptr, nullptr, 0, nullptr,
                                  nullptr, 0));
  say("kernel", cudaLibraryGetKernel(&kernel, library, "add"));
  void *arguments[] = { &sum, &value };
  say("launch", cudaLaunchKernel((const void *)kernel, 2, 3, arguments, 0, 0));
  say("wait", cudaDeviceSynchronize());
  printf("%d\n", *sum);
  say("global", cudaLibraryGetGlobal(&step, &bytes, library, "step"));
  printf("%zu\n", bytes);
  cudaMemcpy(step, &ten, 4, cudaMemcpyHostToDevice);
  cudaLaunchKernel((const void *)kernel, 1, 1, arguments, 0, 0);
  cudaDeviceSynchronize();
  printf("%d\n", *sum);
  cudaFuncAttributes attributes;
  say("attributes", cudaFuncGetAttributes(&attributes, (const void *)kernel));
  say("shared memory",
      cudaKernelSetAttributeForDevice(
          kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 70000, 0));
  say("on device 77",
      cudaKernelSetAttributeForDevice(
          kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 70000, 77));
  say("no such kernel", cudaLibraryGetKernel(&kernel, library, "sub"));
  say("no such global", cudaLibraryGetGlobal(&step, &bytes, library, "stop"));
  say("unload", cudaLibraryUnload(library));
  say("no code", cudaLibraryLoadData(&library, nullptr, nullptr, nullptr, 0,
                                     nullptr, nullptr, 0));
  say("no file", cudaLibraryLoadFromFile(&library, "/nowhere", nullptr, nullptr,
                                         0, nullptr, nullptr, 0));
}

static void driver()
{
  CUresult (*get_count)(int *);
  cudaDriverEntryPointQueryResult status;
  int n = -1;
  say("entry",
      cudaGetDriverEntryPointByVersion("cuDeviceGetCount", (void **)&get_count,
                                       13000, cudaEnableDefault, &status));
  printf("%d %d\n", (int)status, get_count(&n));
  printf("%s\n", n > 0 ? "devices" : "no device");
  void *nothing = (void *)8;
  say("no such call",
      cudaGetDriverEntryPointByVersion("cuNoSuchCall", &nothing, 13000,
                                       cudaEnableDefault, &status));
  printf("%d %d\n", (int)status, nothing == nullptr);
  say("newer",
      cudaGetDriverEntryPointByVersion("cuLibraryLoadData", &nothing, 11000,
                                       cudaEnableDefault, &status));
  printf("%d\n", (int)status);
  say("no name", cudaGetDriverEntryPointByVersion("", &nothing, 13000,
                                                  cudaEnableDefault, &status));
  printf("%d\n", (int)status);
}

int main()
{
  library();
  driver();
}
