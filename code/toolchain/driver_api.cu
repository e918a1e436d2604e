/* The same kernel launched twice: by <<<…>>>, which is the runtime API, and
 * by the driver API below it, step by step.  The driver loads the kernel as
 * PTX text from the file driver_api.ptx beside the program:
 *
 *   nvcc -I code -ptx code/toolchain/driver_api.cu -o driver_api.ptx
 *   nvcc -I code code/toolchain/driver_api.cu -lcuda -o driver_api */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/options.h"

enum { BLOCK_THREADS = 256 };

/* The driver has error codes of its own. */
#define DRIVER_CHECK(call) driver_check((call), #call, __FILE__, __LINE__)

static void driver_check(CUresult error, const char *call, const char *file,
                         int line)
{
  const char *name = "?", *text = "?";
  if (error == CUDA_SUCCESS)
    return;
  cuGetErrorName(error, &name);
  cuGetErrorString(error, &text);
  fflush(stdout);
  fprintf(stderr, "%s:%d: error: %s: %s (%s)\n", file, line, call, text,
          name);
  exit(EXIT_FAILURE);
}

/* ---- CPU reference ---- */

static void add_on_host(const float *a, const float *b, float *c, int n)
{
  for (int i = 0; i < n; i++)
    c[i] = a[i] + b[i];
}

/* ---- kernel: extern "C" keeps its name as it is ---- */

// begin driver_kernel
extern "C" __global__ void add(const float *a, const float *b, float *c,
                               int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}
// end driver_kernel

/* ---- launchers ---- */

/* The whole file as a string, which the caller frees. */
static char *read_text(const char *path)
{
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  long n_bytes = 0;
  if (file && fseek(file, 0, SEEK_END) == 0 && (n_bytes = ftell(file)) >= 0)
    text = (char *)calloc((size_t)n_bytes + 1, 1);
  if (text) {
    rewind(file);
    if (fread(text, 1, (size_t)n_bytes, file) != (size_t)n_bytes) {
      free(text);
      text = NULL;
    }
  }
  if (file)
    fclose(file);
  if (!text) {
    fprintf(stderr, "error: cannot read %s; build it with: nvcc -ptx\n",
            path);
    exit(EXIT_FAILURE);
  }
  return text;
}

// begin runtime_launch
static void add_by_runtime(const float *h_a, const float *h_b, float *h_c,
                           int n, const char *)
{
  size_t n_bytes = n * sizeof(float);
  float *d_a, *d_b, *d_c;
  CUDA_CHECK(cudaMalloc(&d_a, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_b, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_c, n_bytes));
  CUDA_CHECK(cudaMemcpy(d_a, h_a, n_bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_b, h_b, n_bytes, cudaMemcpyHostToDevice));

  unsigned n_blocks = (n + BLOCK_THREADS - 1) / BLOCK_THREADS;
  add<<<n_blocks, BLOCK_THREADS>>>(d_a, d_b, d_c, n);
  CUDA_CHECK_LAUNCH();

  CUDA_CHECK(cudaMemcpy(h_c, d_c, n_bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_c));
}
// end runtime_launch

// begin driver_launch
/* `function` was loaded in the context that is current. */
static void launch_function(CUfunction function, const float *h_a,
                            const float *h_b, float *h_c, int n)
{
  size_t n_bytes = n * sizeof(float);
  CUdeviceptr d_a, d_b, d_c;
  DRIVER_CHECK(cuMemAlloc(&d_a, n_bytes));
  DRIVER_CHECK(cuMemAlloc(&d_b, n_bytes));
  DRIVER_CHECK(cuMemAlloc(&d_c, n_bytes));
  DRIVER_CHECK(cuMemcpyHtoD(d_a, h_a, n_bytes));
  DRIVER_CHECK(cuMemcpyHtoD(d_b, h_b, n_bytes));

  unsigned n_blocks = (n + BLOCK_THREADS - 1) / BLOCK_THREADS;
  void *arguments[] = {&d_a, &d_b, &d_c, &n};
  DRIVER_CHECK(cuLaunchKernel(function, n_blocks, 1, 1,
                              BLOCK_THREADS, 1, 1,
                              0, NULL, arguments, NULL));

  DRIVER_CHECK(cuMemcpyDtoH(h_c, d_c, n_bytes));
  DRIVER_CHECK(cuMemFree(d_a));
  DRIVER_CHECK(cuMemFree(d_b));
  DRIVER_CHECK(cuMemFree(d_c));
}
// end driver_launch

// begin driver_module
static void add_by_driver(const float *h_a, const float *h_b, float *h_c,
                          int n, const char *ptx)
{
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction function;
  DRIVER_CHECK(cuInit(0));
  DRIVER_CHECK(cuDeviceGet(&device, 0));
  DRIVER_CHECK(cuDevicePrimaryCtxRetain(&context, device));
  DRIVER_CHECK(cuCtxSetCurrent(context));
  DRIVER_CHECK(cuModuleLoadData(&module, ptx));
  DRIVER_CHECK(cuModuleGetFunction(&function, module, "add"));

  launch_function(function, h_a, h_b, h_c, n);

  DRIVER_CHECK(cuModuleUnload(module));
  DRIVER_CHECK(cuDevicePrimaryCtxRelease(device));
}
// end driver_module

typedef struct {
  const char *name;
  const char *idea;
  void (*add)(const float *, const float *, float *, int, const char *);
} version;

static const version versions[] = {
  {"runtime", "the runtime API: add<<<…>>>()", add_by_runtime},
  {"driver", "the driver API: cuLaunchKernel()", add_by_driver},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- check ---- */

static int check_size(const options *o, random_source *random,
                      const char *ptx, int n)
{
  size_t n_bytes = n * sizeof(float);
  float *h_a = (float *)malloc(n_bytes), *h_b = (float *)malloc(n_bytes);
  float *h_expected = (float *)malloc(n_bytes);
  float *h_got = (float *)malloc(n_bytes);
  int right = 1;
  if (!h_a || !h_b || !h_expected || !h_got) {
    fprintf(stderr, "error: no host memory\n");
    exit(EXIT_FAILURE);
  }
  random_fill_floats(random, h_a, n);
  random_fill_floats(random, h_b, n);
  add_on_host(h_a, h_b, h_expected, n);
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(o, versions[k].name)) {
      poison_host(h_got, n_bytes);
      versions[k].add(h_a, h_b, h_got, n, ptx);
      right &= compare_floats(versions[k].name, h_expected, h_got, n);
    }
  free(h_a);
  free(h_b);
  free(h_expected);
  free(h_got);
  return right;
}

int main(int argc, char **argv)
{
  static const int sizes[] = {1, 31, 32, 33, 1000, 100003};
  options o = options_parse(argc, argv, "one kernel by two APIs", "", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  random_source random = random_from_seed(o.seed);
  char path[4096];
  int right = 1;
  snprintf(path, sizeof path, "%s.ptx", argv[0]);
  char *ptx = read_text(path);
  for (int s = 0; s < 6; s++)
    right &= check_size(&o, &random, ptx, sizes[s]);
  free(ptx);
  printf("check: seed %llu: %s\n", (unsigned long long)o.seed,
         right ? "all right" : "WRONG");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
