/* A program that uses the driver API and brings its kernels as PTX, so that it
 * needs neither nvcc nor a header of the CUDA Toolkit. It opens the library as
 * it finds it: started by the command, that is the device's.
 *
 *   smoke         doubles 1000 numbers and compares: "all right"
 *   smoke wrong   does it for one more than there is memory for */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char ptx[] = ".version 8.0\n"
                          ".target sm_75\n"
                          ".address_size 64\n"
                          ".visible .entry twice(.param .u64 data,\n"
                          "                      .param .u32 n)\n"
                          "{\n"
                          "  .reg .pred %p;\n"
                          "  .reg .u32 %r<6>;\n"
                          "  .reg .u64 %a<4>;\n"
                          "  mov.u32 %r0, %ctaid.x;\n"
                          "  mov.u32 %r1, %ntid.x;\n"
                          "  mov.u32 %r2, %tid.x;\n"
                          "  mad.lo.u32 %r3, %r0, %r1, %r2;\n"
                          "  ld.param.u32 %r4, [n];\n"
                          "  setp.ge.u32 %p, %r3, %r4;\n"
                          "  @%p bra end;\n"
                          "  ld.param.u64 %a0, [data];\n"
                          "  mul.wide.u32 %a1, %r3, 4;\n"
                          "  add.u64 %a2, %a0, %a1;\n"
                          "  ld.global.u32 %r5, [%a2];\n"
                          "  add.u32 %r5, %r5, %r5;\n"
                          "  st.global.u32 [%a2], %r5;\n"
                          "end:\n"
                          "  ret;\n"
                          "}\n";

/* As cuda.h declares them. */
static int (*init)(unsigned), (*device_get)(int *, int),
    (*retain)(void **, int), (*set_current)(void *),
    (*load)(void **, const void *), (*function)(void **, void *, const char *),
    (*allocate)(uint64_t *, size_t),
    (*to_device)(uint64_t, const void *, size_t),
    (*to_host)(void *, uint64_t, size_t), (*synchronize)(void),
    (*release)(uint64_t),
    (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned,
              unsigned, unsigned, void *, void **, void **);

static int find(void *library, const char *name, void *to)
{
  void *found = dlsym(library, name);
  if (found == NULL)
    fprintf(stderr, "smoke: no %s\n", name);
  memcpy(to, &found, sizeof found);
  return found == NULL;
}

static int find_all(void)
{
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  if (library == NULL) {
    fprintf(stderr, "smoke: %s\n", dlerror());
    return 1;
  }
  return find(library, "cuInit", &init) +
         find(library, "cuDeviceGet", &device_get) +
         find(library, "cuDevicePrimaryCtxRetain", &retain) +
         find(library, "cuCtxSetCurrent", &set_current) +
         find(library, "cuModuleLoadData", &load) +
         find(library, "cuModuleGetFunction", &function) +
         find(library, "cuMemAlloc_v2", &allocate) +
         find(library, "cuMemcpyHtoD_v2", &to_device) +
         find(library, "cuMemcpyDtoH_v2", &to_host) +
         find(library, "cuCtxSynchronize", &synchronize) +
         find(library, "cuMemFree_v2", &release) +
         find(library, "cuLaunchKernel", &launch);
}

enum { N = 1000 };

static int run(unsigned n)
{
  void *context, *module, *twice;
  uint64_t data;
  int device, host[N];
  for (int i = 0; i < N; i++)
    host[i] = i;
  void *arguments[] = { &data, &n };
  if (init(0) || device_get(&device, 0) || retain(&context, device) ||
      set_current(context) || load(&module, ptx) ||
      function(&twice, module, "twice") || allocate(&data, sizeof host) ||
      to_device(data, host, sizeof host) ||
      launch(twice, (n + 255) / 256, 1, 1, 256, 1, 1, 0, NULL, arguments,
             NULL) ||
      synchronize() || to_host(host, data, sizeof host) || release(data))
    return 1;
  for (int i = 0; i < N; i++)
    if (host[i] != 2 * i)
      return 1;
  return 0;
}

int main(int argc, char **argv)
{
  if (find_all() != 0)
    return 1;
  int wrong = run(argc > 1 && strcmp(argv[1], "wrong") == 0 ? N + 1 : N);
  puts(wrong ? "wrong" : "all right");
  return wrong;
}
