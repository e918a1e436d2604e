/* A program that compiles a kernel by NVRTC and loads what comes of it: the
 * PTX, the cubin, or the cubin through cuLink.
 *
 *   compile_and_run ARCHITECTURE ptx|cubin|linked */
#include <cuda.h>
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1000 };

static const char source[] =
    "template <int step> __global__ void climb(int *to, int n)\n"
    "{\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n)\n"
    "    to[i] += step * i;\n"
    "}\n";

static void expect(int status, const char *what)
{
  if (status == 0)
    return;
  fprintf(stderr, "%s: error %d\n", what, status);
  exit(1);
}
#define EXPECT(call) expect((int)(call), #call)

static char *compile(const char *architecture, int cubin, size_t *bytes,
                     char name[200])
{
  nvrtcProgram program;
  char option[64];
  const char *options[] = { option }, *lowered;
  snprintf(option, sizeof option, "--gpu-architecture=%s", architecture);
  EXPECT(nvrtcCreateProgram(&program, source, "climb.cu", 0, NULL, NULL));
  EXPECT(nvrtcAddNameExpression(program, "climb<3>"));
  EXPECT(nvrtcCompileProgram(program, 1, options));
  EXPECT(nvrtcGetLoweredName(program, "climb<3>", &lowered));
  snprintf(name, 200, "%s", lowered);
  EXPECT(cubin ? nvrtcGetCUBINSize(program, bytes)
               : nvrtcGetPTXSize(program, bytes));
  char *code = malloc(*bytes + 1);
  if (code == NULL)
    exit(1);
  if (*bytes > 0)
    EXPECT(cubin ? nvrtcGetCUBIN(program, code) : nvrtcGetPTX(program, code));
  EXPECT(nvrtcDestroyProgram(&program));
  return code;
}

static CUmodule load_linked(char *code, size_t bytes)
{
  CUlinkState state;
  CUmodule module;
  void *image;
  EXPECT(cuLinkCreate(0, NULL, NULL, &state));
  EXPECT(cuLinkAddData(state, CU_JIT_INPUT_CUBIN, code, bytes, "climb", 0, NULL,
                       NULL));
  EXPECT(cuLinkComplete(state, &image, NULL));
  EXPECT(cuModuleLoadData(&module, image));
  EXPECT(cuLinkDestroy(state));
  return module;
}

static void run(CUmodule module, const char *name)
{
  CUfunction function;
  CUdeviceptr to;
  int n = N, values[N];
  void *arguments[] = { &to, &n };
  EXPECT(cuModuleGetFunction(&function, module, name));
  EXPECT(cuMemAlloc(&to, sizeof values));
  EXPECT(cuMemsetD32(to, 5, N));
  EXPECT(cuLaunchKernel(function, (N + 255) / 256, 1, 1, 256, 1, 1, 0, NULL,
                        arguments, NULL));
  EXPECT(cuMemcpyDtoH(values, to, sizeof values));
  for (int i = 0; i < N; i++)
    expect(values[i] != 5 + 3 * i, "a value");
}

int main(int argc, char **argv)
{
  CUdevice device;
  CUcontext context;
  CUmodule module;
  size_t bytes;
  char name[200];
  if (argc != 3)
    return 2;
  EXPECT(cuInit(0));
  EXPECT(cuDeviceGet(&device, 0));
  EXPECT(cuDevicePrimaryCtxRetain(&context, device));
  EXPECT(cuCtxSetCurrent(context));
  char *code = compile(argv[1], strcmp(argv[2], "ptx") != 0, &bytes, name);
  if (bytes == 0) {
    puts("no machine code was made");
    return 0;
  }
  if (strcmp(argv[2], "linked") == 0)
    module = load_linked(code, bytes);
  else
    EXPECT(cuModuleLoadData(&module, code));
  free(code);
  run(module, name);
  puts("right");
  return 0;
}
