/* Launches: what runs, and what is refused. */
#include <stdbool.h>

#include "program.h"
#include "test.h"

static cudaError_t shaped(dim3 grid, dim3 block, size_t shared)
{
  void *none[1];
  return cudaLaunchKernel(&count_up, grid, block, none, shared, NULL);
}

BEHAVIOUR(kernel_fills_memory)
{
  unsigned *p, back[1000];
  program_begin();
  cudaMalloc((void **)&p, sizeof back);
  CHECK_EQUAL(launch_fill(p, 7, 1000, 4, 256), 0);
  CHECK_EQUAL(cudaMemcpy(back, p, sizeof back, cudaMemcpyDeviceToHost), 0);
  for (int i = 0; i < 1000; i++)
    CHECK_EQUAL(back[i], 7);
}

BEHAVIOUR(kernel_fills_pinned_and_registered_memory)
{
  static unsigned mine[64];
  unsigned *p;
  program_begin();
  cudaMallocHost((void **)&p, 256);
  CHECK_EQUAL(launch_fill(p, 7, 64, 1, 64), 0);
  CHECK_EQUAL(p[63], 7);
  CHECK_EQUAL(cudaHostRegister(mine, sizeof mine, 0), 0);
  CHECK_EQUAL(launch_fill(mine, 8, 64, 1, 64), 0);
  CHECK_EQUAL(cudaDeviceSynchronize(), 0);
  CHECK_EQUAL(mine[63], 8);
}

BEHAVIOUR(host_memory_is_an_illegal_address)
{
  static unsigned mine[64];
  program_begin();
  capture_begin(2);
  CHECK_EQUAL(launch_fill(mine, 8, 64, 1, 64), 0);
  const char *text = capture_end();
  CHECK_EQUAL(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  CHECK_HAS(text, "a pointer of the host");
}

BEHAVIOUR(fault_message_names_the_allocation)
{
  program_begin();
  capture_begin(2);
  launch_into_nowhere();
  const char *text = capture_end();
  CHECK_HAS(text, "out of bounds: store of 4 bytes to global memory");
  CHECK_HAS(text, "in kernel fill, block (0,0,0), thread (");
  CHECK_HAS(text, "the end of allocation ");
  CHECK_HAS(text, "(cudaMalloc of 4000 bytes)");
}

BEHAVIOUR(use_after_free_is_told)
{
  void *p;
  program_begin();
  cudaMalloc(&p, 4000);
  cudaFree(p);
  capture_begin(2);
  launch_fill(p, 1, 1, 1, 1);
  CHECK_HAS(capture_end(), "use after free: 0 bytes into freed allocation");
}

/* Two devices, the second one current, and memory of the first. */
static unsigned *memory_of_device_0(void)
{
  unsigned *data;
  setenv("SOFTDEVICE_DEVICES", "2", 1);
  program_begin();
  CHECK_EQUAL(cudaMalloc((void **)&data, 64 * sizeof *data), cudaSuccess);
  CHECK_EQUAL(cudaSetDevice(1), cudaSuccess);
  return data;
}

BEHAVIOUR(peer_memory_needs_access)
{
  unsigned *data = memory_of_device_0();
  capture_begin(2);
  CHECK_EQUAL(launch_fill(data, 7, 64, 1, 64), cudaSuccess);
  CHECK_EQUAL(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  const char *text = capture_end();
  CHECK_HAS(text, "softdevice: no peer access: store of 4 bytes to global");
  CHECK_HAS(text, "0 bytes into allocation 1 (cudaMalloc of 256 bytes)");
  CHECK_HAS(text, "it is memory of device 0, which kernels of device 1 may use "
                  "after cudaSetDevice(1); cudaDeviceEnablePeerAccess(0, 0)");
}

BEHAVIOUR(peer_access_is_one_way)
{
  unsigned *data = memory_of_device_0(), *own, seen = 0;
  CHECK_EQUAL(cudaDeviceEnablePeerAccess(0, 0), cudaSuccess);
  CHECK_EQUAL(cudaMalloc((void **)&own, 256), cudaSuccess);
  CHECK_EQUAL(launch_fill(data, 7, 64, 1, 64), cudaSuccess);
  CHECK_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
  CHECK_EQUAL(cudaMemcpy(&seen, data + 63, 4, cudaMemcpyDefault), cudaSuccess);
  CHECK_EQUAL(seen, 7);
  CHECK_EQUAL(cudaSetDevice(0), cudaSuccess);
  CHECK_EQUAL(launch_fill(own, 7, 64, 1, 64), cudaSuccess);
  CHECK_EQUAL(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}

BEHAVIOUR(peer_access_can_be_taken_back)
{
  unsigned *data = memory_of_device_0();
  CHECK_EQUAL(cudaDeviceEnablePeerAccess(0, 0), cudaSuccess);
  CHECK_EQUAL(launch_fill(data, 7, 64, 1, 64), cudaSuccess);
  CHECK_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
  CHECK_EQUAL(cudaDeviceDisablePeerAccess(0), cudaSuccess);
  CHECK_EQUAL(launch_fill(data, 7, 64, 1, 64), cudaSuccess);
  CHECK_EQUAL(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}

/* cudaMemPoolSetAccess decides about them, which is not judged here. */
BEHAVIOUR(pools_are_open_to_peers)
{
  unsigned *data;
  setenv("SOFTDEVICE_DEVICES", "2", 1);
  program_begin();
  CHECK_EQUAL(cudaMallocAsync((void **)&data, 256, NULL), cudaSuccess);
  CHECK_EQUAL(cudaSetDevice(1), cudaSuccess);
  CHECK_EQUAL(launch_fill(data, 7, 64, 1, 64), cudaSuccess);
  CHECK_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
}

BEHAVIOUR(empty_shapes_are_refused)
{
  program_begin();
  CHECK_EQUAL(shaped((dim3){ 0, 1, 1 }, (dim3){ 1, 1, 1 }, 0),
              cudaErrorInvalidValue);
  CHECK_EQUAL(shaped((dim3){ 1, 1, 1 }, (dim3){ 1, 0, 1 }, 0),
              cudaErrorInvalidValue);
}

BEHAVIOUR(large_shapes_are_refused)
{
  program_begin();
  CHECK_EQUAL(shaped((dim3){ 1, 65536, 1 }, (dim3){ 1, 1, 1 }, 0),
              cudaErrorInvalidValue);
  CHECK_EQUAL(shaped((dim3){ 1, 1, 1 }, (dim3){ 1025, 1, 1 }, 0),
              cudaErrorInvalidValue);
  CHECK_EQUAL(shaped((dim3){ 1, 1, 1 }, (dim3){ 1, 1, 65 }, 0),
              cudaErrorInvalidValue);
  CHECK_EQUAL(shaped((dim3){ 1, 1, 1 }, (dim3){ 32, 33, 1 }, 0),
              cudaErrorInvalidValue);
  CHECK_EQUAL(shaped((dim3){ 1, 1, 1 }, (dim3){ 32, 32, 1 }, 0), 0);
}

BEHAVIOUR(launch_bounds_are_kept)
{
  program_begin();
  CHECK_EQUAL(launch(&limited, 1, 64, NULL), 0);
  CHECK_EQUAL(launch(&limited, 1, 65, NULL), cudaErrorInvalidValue);
}

BEHAVIOUR(much_shared_memory_must_be_asked_for)
{
  dim3 one = { 1, 1, 1 };
  program_begin();
  CHECK_EQUAL(shaped(one, one, 48 << 10), 0);
  CHECK_EQUAL(shaped(one, one, (48 << 10) + 1), cudaErrorInvalidValue);
  CHECK_EQUAL(cudaFuncSetAttribute(&count_up,
                                   cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   100 << 10),
              0);
  CHECK_EQUAL(shaped(one, one, 100 << 10), 0);
  CHECK_EQUAL(cudaFuncSetAttribute(&count_up,
                                   cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   (227 << 10) + 1),
              cudaErrorInvalidValue);
}

BEHAVIOUR(static_shared_memory_counts)
{
  void *none[1];
  dim3 one = { 1, 1, 1 };
  program_begin();
  CHECK_EQUAL(cudaLaunchKernel(&shares, one, one, none, 47 << 10, NULL), 0);
  CHECK_EQUAL(cudaLaunchKernel(&shares, one, one, none, (47 << 10) + 4, NULL),
              cudaErrorInvalidValue);
}

BEHAVIOUR(unknown_kernel_is_refused)
{
  program_begin();
  CHECK_EQUAL(launch(&counter, 1, 1, NULL), cudaErrorInvalidResourceHandle);
  CHECK_EQUAL(launch(NULL, 1, 1, NULL), cudaErrorInvalidDeviceFunction);
  CHECK_EQUAL(launch(&missing, 1, 1, NULL), cudaErrorInvalidDeviceFunction);
}

BEHAVIOUR(configuration_is_pushed_and_popped)
{
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
  CHECK_EQUAL(__cudaPopCallConfiguration(&grid, &block, &shared, &stream),
              cudaErrorMissingConfiguration);
  CHECK_EQUAL(__cudaPushCallConfiguration((dim3){ 1, 2, 3 }, (dim3){ 4, 5, 6 },
                                          7, cudaStreamLegacy),
              0);
  CHECK_EQUAL(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), 0);
  CHECK_EQUAL(grid.z, 3);
  CHECK_EQUAL(block.x, 4);
  CHECK_EQUAL(shared, 7);
  CHECK(stream == cudaStreamLegacy);
}

BEHAVIOUR(handle_launches_too)
{
  cudaKernel_t kernel;
  void *none[1];
  dim3 one = { 1, 1, 1 };
  program_begin();
  CHECK_EQUAL(__cudaGetKernel(&kernel, &count_up), 0);
  CHECK_EQUAL(__cudaLaunchKernel(kernel, one, one, none, 0, NULL), 0);
  CHECK_EQUAL(__cudaGetKernel(&kernel, &counter),
              cudaErrorInvalidDeviceFunction);
}

BEHAVIOUR(harmless_attributes_are_taken)
{
  void *none[1];
  cudaLaunchAttribute attributes[2] = {
    { .id = cudaLaunchAttributePriority },
    { .id = cudaLaunchAttributeClusterDimension, .val.clusterDim = { 1, 1, 1 } }
  };
  cudaLaunchConfig_t config = { .gridDim = { 1, 1, 1 },
                                .blockDim = { 1, 1, 1 },
                                .attrs = attributes,
                                .numAttrs = 2 };
  program_begin();
  CHECK_EQUAL(cudaLaunchKernelExC(&config, &count_up, none), 0);
}

BEHAVIOUR(clusters_divide_the_grid)
{
  void *none[1];
  cudaLaunchAttribute attribute = { .id = cudaLaunchAttributeClusterDimension,
                                    .val.clusterDim = { 2, 1, 1 } };
  cudaLaunchConfig_t config = { .gridDim = { 6, 1, 1 },
                                .blockDim = { 1, 1, 1 },
                                .attrs = &attribute,
                                .numAttrs = 1 };
  program_begin();
  CHECK_EQUAL(cudaLaunchKernelExC(&config, &count_up, none), 0);
  attribute.val.clusterDim.x = 4;
  CHECK_EQUAL(cudaLaunchKernelExC(&config, &count_up, none),
              cudaErrorInvalidClusterSize);
  attribute.val.clusterDim.x = 0;
  CHECK_EQUAL(cudaLaunchKernelExC(&config, &count_up, none),
              cudaErrorInvalidClusterSize);
  config.gridDim.x = 16;
  attribute.val.clusterDim.x = 16;
  CHECK_EQUAL(cudaLaunchKernelExC(&config, &count_up, none),
              cudaErrorInvalidClusterSize);
  CHECK_EQUAL(cudaFuncSetAttribute(
                  &count_up, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
              0);
  CHECK_EQUAL(cudaLaunchKernelExC(&config, &count_up, none), 0);
  CHECK_EQUAL(cudaFuncSetAttribute(
                  &count_up, cudaFuncAttributeNonPortableClusterSizeAllowed, 0),
              0);
}

BEHAVIOUR(cooperative_launch_must_fit_the_device)
{
  void *none[1];
  dim3 fits = { 2 * 132, 1, 1 }, too_large = { 2 * 132 + 1, 1, 1 };
  dim3 block = { 1024, 1, 1 };
  program_begin();
  CHECK_EQUAL(cudaLaunchCooperativeKernel(&shares, fits, block, none, 0, NULL),
              0);
  CHECK_EQUAL(
      cudaLaunchCooperativeKernel(&shares, too_large, block, none, 0, NULL),
      cudaErrorCooperativeLaunchTooLarge);
}

BEHAVIOUR(attributes_of_a_kernel)
{
  struct cudaFuncAttributes attributes;
  program_begin();
  CHECK_EQUAL(cudaFuncGetAttributes(&attributes, &limited), 0);
  CHECK_EQUAL(attributes.maxThreadsPerBlock, 64);
  CHECK_EQUAL(attributes.ptxVersion, 75);
  CHECK_EQUAL(attributes.binaryVersion, 90);
  CHECK_EQUAL(cudaFuncGetAttributes(&attributes, &shares), 0);
  CHECK_EQUAL(attributes.sharedSizeBytes, 1024);
  CHECK_EQUAL(attributes.maxDynamicSharedSizeBytes, 47 << 10);
  CHECK_EQUAL(cudaFuncGetAttributes(&attributes, &missing),
              cudaErrorInvalidDeviceFunction);
}

BEHAVIOUR(parameters_of_a_kernel)
{
  size_t offset, bytes;
  program_begin();
  CHECK_EQUAL(cudaFuncGetParamInfo(&fill, 1, &offset, &bytes), 0);
  CHECK_EQUAL(offset, 8);
  CHECK_EQUAL(bytes, 4);
  CHECK_EQUAL(cudaFuncGetParamInfo(&fill, 3, &offset, &bytes),
              cudaErrorInvalidValue);
}

BEHAVIOUR(broken_ptx_is_told)
{
  void *none[1];
  dim3 one = { 1, 1, 1 };
  program_begin_with(".version 8.0\n.target sm_75\n.entry fill( {", 75);
  capture_begin(2);
  CHECK_EQUAL(cudaLaunchKernel(&fill, one, one, none, 0, NULL),
              cudaErrorInvalidPtx);
  CHECK_HAS(capture_end(), "loading device code");
}

BEHAVIOUR(ptx_for_newer_devices_is_told)
{
  void *none[1];
  dim3 one = { 1, 1, 1 };
  program_begin_with(".version 8.0\n", 120);
  capture_begin(2);
  CHECK_EQUAL(cudaLaunchKernel(&fill, one, one, none, 0, NULL),
              cudaErrorNoKernelImageForDevice);
  CHECK_HAS(capture_end(), "newer devices than compute capability 9.0");
}

BEHAVIOUR(occupancy_of_a_kernel)
{
  int n = -1;
  program_begin();
  CHECK_EQUAL(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, &shares, 1024, 0), 0);
  CHECK_EQUAL(n, 2);
  CHECK_EQUAL(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, &limited, 65, 0), 0);
  CHECK_EQUAL(n, 21); /* the launch bounds, 64, are not looked at */
  CHECK_EQUAL(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, &limited, 64, 49153),
      0);
  CHECK_EQUAL(n, 0);
  CHECK_EQUAL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, &limited, 0, 0),
              cudaErrorInvalidValue);
}

static void recurse_to(unsigned n)
{
  unsigned got = 0, *out;
  CHECK_EQUAL(cudaMalloc((void **)&out, sizeof *out), cudaSuccess);
  CHECK_EQUAL(launch(&recurse, 1, 1, (void *[]){ &out, &n }), cudaSuccess);
  cudaError_t error = cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost);
  printf("%s %u\n", cudaGetErrorName(error), got);
  fflush(stdout);
}

static void recurse_by_default(void)
{
  program_begin();
  recurse_to(2);
  recurse_to(200);
}

static void recurse_with_a_limit(void)
{
  program_begin();
  CHECK_EQUAL(cudaDeviceSetLimit(cudaLimitStackSize, 65536), cudaSuccess);
  recurse_to(200);
  recurse_to(2000);
}

/* As on an H200. */
BEHAVIOUR(recursion_has_what_the_limit_gives)
{
  const char *text;
  CHECK_EQUAL(in_child(recurse_by_default, 1, &text), 0);
  CHECK_TEXT(text, "cudaSuccess 3\ncudaErrorIllegalAddress 0\n");
  CHECK_EQUAL(in_child(recurse_with_a_limit, 1, &text), 0);
  CHECK_TEXT(text, "cudaSuccess 20100\ncudaErrorIllegalAddress 0\n");
  CHECK_EQUAL(in_child(recurse_with_a_limit, 2, &text), 0);
  CHECK_HAS(text, "stack overflow");
  CHECK_HAS(text, "cudaLimitStackSize is 65536");
}

/* A kernel named fill with `n` values alive at once, of a type and a
 * comparison or an addition that makes one of them; `directive` may say how
 * large its blocks are. */
static int registers_of(int n, bool predicates, const char *directive)
{
  static char ptx[1 << 14];
  size_t at = (size_t)snprintf(
      ptx, sizeof ptx,
      ".version 8.0\n.target sm_75\n.address_size 64\n"
      ".visible .entry fill(.param .u64 a, .param .u32 b, .param .u32 c)\n%s\n{\n"
      "  .reg .pred %%p<64>;\n  .reg .b32 %%r<%d>, %%x;\n  .reg .b64 %%q;\n"
      "  ld.param.u64 %%q, [a];\n  mov.u32 %%x, %%tid.x;\n",
      directive, n);
  for (int i = 0; i < n; i++)
    at += (size_t)snprintf(ptx + at, sizeof ptx - at,
                           predicates ? "  setp.gt.u32 %%p%d, %%x, %d;\n"
                                      : "  add.u32 %%r%d, %%x, %d;\n",
                           i, i);
  for (int i = 0; i < n; i++)
    at += (size_t)snprintf(ptx + at, sizeof ptx - at,
                           predicates ? "  @%%p%d add.u32 %%x, %%x, 1;\n"
                                      : "  add.u32 %%x, %%x, %%r%d;\n",
                           i);
  snprintf(ptx + at, sizeof ptx - at, "  st.u32 [%%q], %%x;\n  ret;\n}\n");
  struct cudaFuncAttributes attributes;
  program_begin_with(ptx, 75);
  CHECK_EQUAL(cudaFuncGetAttributes(&attributes, &fill), cudaSuccess);
  return attributes.numRegs;
}

static void count_predicates(void) { printf("%d", registers_of(40, true, "")); }

static void count_values(void) { printf("%d", registers_of(40, false, "")); }

static void count_many(void) { printf("%d", registers_of(200, false, "")); }

static void count_bounded(void)
{
  printf("%d", registers_of(200, false, ".maxntid 384, 1, 1"));
}

static void count_odd(void)
{
  printf("%d", registers_of(200, false, ".maxntid 288"));
}

static void count_small(void)
{
  printf("%d", registers_of(200, false, ".maxntid 32"));
}

static void count_several(void)
{
  printf("%d", registers_of(200, false, ".maxntid 96 .minnctapersm 7"));
}

static void count_allowed(void)
{
  printf("%d", registers_of(200, false, ".maxnreg 50"));
}

static int number_from(void (*run)(void))
{
  const char *text;
  CHECK_EQUAL(in_child(run, 1, &text), 0);
  return atoi(text);
}

/* They live in registers of their own, which do not limit occupancy. */
BEHAVIOUR(predicates_are_no_registers)
{
  int values = number_from(count_values);
  CHECK_EQUAL(number_from(count_predicates), values - 40);
}

/* A block of 384 threads is three warps in each part of a multiprocessor, and
 * so is one of 288: what ptxas gives both is 168. */
BEHAVIOUR(a_launch_bound_limits_registers)
{
  int many = number_from(count_many);
  CHECK(many > 200 && many <= 255);
  CHECK_EQUAL(number_from(count_small), many);
  CHECK_EQUAL(number_from(count_bounded), 168);
  CHECK_EQUAL(number_from(count_odd), 168);
  CHECK_EQUAL(number_from(count_several), 80);
  CHECK_EQUAL(number_from(count_allowed), 50);
}
