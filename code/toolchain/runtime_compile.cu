/* A kernel that does not exist before the program runs: NVRTC compiles it
 * from a string for the GPU that is here, the driver loads and launches it.
 * The string is made at run time, so that the kernel can hold what only then
 * is known; here, the coefficients of a polynomial. */
#include <cuda.h>
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/options.h"

enum { N_COEFFICIENTS = 4, N_ELEMS = 1000, BLOCK_THREADS = 256 };

/* ---- errors ---- */

static void fail(const char *call, const char *why)
{
  fflush(stdout);
  fprintf(stderr, "error: %s: %s\n", call, why);
  exit(EXIT_FAILURE);
}

#define DRIVER_CHECK(call) driver_check((call), #call)
#define NVRTC_CHECK(call) nvrtc_check((call), #call)

static void driver_check(CUresult error, const char *call)
{
  const char *text = "unknown error";
  if (error != CUDA_SUCCESS) {
    cuGetErrorString(error, &text);
    fail(call, text);
  }
}

static void nvrtc_check(nvrtcResult error, const char *call)
{
  if (error != NVRTC_SUCCESS)
    fail(call, nvrtcGetErrorString(error));
}

/* ---- CPU reference ---- */

static void evaluate_on_host(const int *coefficients, const float *x,
                             float *y, int n)
{
  for (int i = 0; i < n; i++) {
    float sum = 0.0f;
    for (int k = N_COEFFICIENTS - 1; k >= 0; k--)
      sum = sum * x[i] + (float)coefficients[k];
    y[i] = sum;
  }
}

/* ---- the kernel, as text ---- */

// begin kernel_text
/* extern "C": the driver shall find the kernel under this very name. */
static const char kernel_text[] =
    "extern \"C\" __global__\n"
    "void evaluate(const float *x, float *y, int n)\n"
    "{\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n)\n"
    "    y[i] = ((%d * x[i] + %d) * x[i] + %d) * x[i] + %d;\n"
    "}\n";
// end kernel_text

// begin compile_text
/* PTX for GPUs from compute capability `architecture` on, which the caller
 * frees; or NULL and the compiler's messages on standard error. */
static char *compile(const char *text, const char *architecture)
{
  nvrtcProgram program;
  size_t n_bytes;
  const char *flags[] = {architecture, "--fmad=false"};
  NVRTC_CHECK(nvrtcCreateProgram(&program, text, "evaluate.cu", 0, NULL,
                                 NULL));
  nvrtcResult result = nvrtcCompileProgram(program, 2, flags);
  if (result == NVRTC_SUCCESS)
    NVRTC_CHECK(nvrtcGetPTXSize(program, &n_bytes));
  else
    NVRTC_CHECK(nvrtcGetProgramLogSize(program, &n_bytes));
  char *output = (char *)calloc(n_bytes + 1, 1);
  if (!output)
    fail("calloc", "no host memory");
  if (result == NVRTC_SUCCESS)
    NVRTC_CHECK(nvrtcGetPTX(program, output));
  else
    NVRTC_CHECK(nvrtcGetProgramLog(program, output));
  NVRTC_CHECK(nvrtcDestroyProgram(&program));
  if (result == NVRTC_SUCCESS)
    return output;
  fprintf(stderr, "%s", output);
  free(output);
  return NULL;
}
// end compile_text

static CUdevice open_device(void)
{
  CUdevice device;
  CUcontext context;
  DRIVER_CHECK(cuInit(0));
  DRIVER_CHECK(cuDeviceGet(&device, 0));
  DRIVER_CHECK(cuDevicePrimaryCtxRetain(&context, device));
  DRIVER_CHECK(cuCtxSetCurrent(context));
  return device;
}

static void architecture_of(CUdevice device, char *flag, size_t n_bytes)
{
  int major, minor;
  DRIVER_CHECK(cuDeviceGetAttribute(&major,
      CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  DRIVER_CHECK(cuDeviceGetAttribute(&minor,
      CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
  snprintf(flag, n_bytes, "--gpu-architecture=compute_%d%d", major, minor);
}

static void evaluate_on_device(const char *ptx, const float *h_x,
                               float *h_y, int n)
{
  size_t n_bytes = n * sizeof(float);
  unsigned n_blocks = (n + BLOCK_THREADS - 1) / BLOCK_THREADS;
  CUmodule module;
  CUfunction evaluate;
  CUdeviceptr d_x, d_y;
  DRIVER_CHECK(cuModuleLoadData(&module, ptx));
  DRIVER_CHECK(cuModuleGetFunction(&evaluate, module, "evaluate"));
  DRIVER_CHECK(cuMemAlloc(&d_x, n_bytes));
  DRIVER_CHECK(cuMemAlloc(&d_y, n_bytes));
  DRIVER_CHECK(cuMemcpyHtoD(d_x, h_x, n_bytes));
  void *arguments[] = {&d_x, &d_y, &n};
  DRIVER_CHECK(cuLaunchKernel(evaluate, n_blocks, 1, 1, BLOCK_THREADS, 1, 1,
                              0, NULL, arguments, NULL));
  DRIVER_CHECK(cuMemcpyDtoH(h_y, d_y, n_bytes));
  DRIVER_CHECK(cuMemFree(d_x));
  DRIVER_CHECK(cuMemFree(d_y));
  DRIVER_CHECK(cuModuleUnload(module));
}

/* ---- check ---- */

/* A program that makes text must expect it to be wrong. */
static int check_faulty_text(const char *architecture)
{
  char *ptx = compile("__global__ int evaluate() { return 1; }\n",
                      architecture);
  if (!ptx)
    return 1;
  fprintf(stderr, "error: NVRTC took a kernel that returns a value\n");
  free(ptx);
  return 0;
}

static int check(const options *o)
{
  static float h_x[N_ELEMS], h_expected[N_ELEMS], h_got[N_ELEMS];
  random_source random = random_from_seed(o->seed);
  int c[N_COEFFICIENTS];
  char text[sizeof kernel_text + 64], architecture[64];
  for (int k = 0; k < N_COEFFICIENTS; k++)
    c[k] = (int)random_below(&random, 19) - 9;
  random_fill_floats(&random, h_x, N_ELEMS);
  evaluate_on_host(c, h_x, h_expected, N_ELEMS);

  architecture_of(open_device(), architecture, sizeof architecture);
  snprintf(text, sizeof text, kernel_text, c[3], c[2], c[1], c[0]);
  char *ptx = compile(text, architecture);
  if (!ptx)
    return 0;
  poison_host(h_got, sizeof h_got);
  evaluate_on_device(ptx, h_x, h_got, N_ELEMS);
  free(ptx);
  return compare_floats("evaluate", h_expected, h_got, N_ELEMS) &
         check_faulty_text(architecture);
}

typedef struct {
  const char *name;
  const char *idea;
} version;

static const version versions[] = {
  {"evaluate", "a polynomial whose coefficients are in the kernel's text"},
};

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "compiles its kernel as it runs",
                            "", "");
  options_versions(&o, versions, sizeof versions[0], 1);
  int right = check(&o);
  printf("check: seed %llu: %s\n", (unsigned long long)o.seed,
         right ? "all right" : "WRONG");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
