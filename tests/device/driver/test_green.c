/* Green contexts: the SMs of a device as a resource, its parts, and where the
 * blocks of their kernels run. */
#include <string.h>

#include "driver_program.h"

/* The SM of each block. */
static const char where[] = ".version 7.0\n"
                            ".target sm_70\n"
                            ".address_size 64\n"
                            ".visible .entry where(.param .u64 sms)\n"
                            "{\n"
                            "  .reg .b32 %r<4>;\n"
                            "  .reg .b64 %a<4>;\n"
                            "  ld.param.u64 %a1, [sms];\n"
                            "  cvta.to.global.u64 %a1, %a1;\n"
                            "  mov.u32 %r1, %ctaid.x;\n"
                            "  mul.wide.u32 %a2, %r1, 4;\n"
                            "  add.u64 %a3, %a1, %a2;\n"
                            "  mov.u32 %r2, %smid;\n"
                            "  st.global.u32 [%a3], %r2;\n"
                            "  ret;\n"
                            "}\n";

enum { N_BLOCKS = 600, MOST_SMS = 256 };

static CUdevResource all_sms(void)
{
  CUdevResource all;
  CHECK_EQUAL(cuDeviceGetDevResource(0, &all, CU_DEV_RESOURCE_TYPE_SM),
              CUDA_SUCCESS);
  return all;
}

/* A group with at least `wanted` SMs, and the rest. */
static CUdevResource split(unsigned wanted, CUdevResource *rest)
{
  CUdevResource all = all_sms(), group;
  unsigned n = 1;
  CHECK_EQUAL(cuDevSmResourceSplitByCount(&group, &n, &all, rest, 0, wanted),
              CUDA_SUCCESS);
  CHECK_EQUAL(n, 1);
  return group;
}

static CUgreenCtx green_of(CUdevResource *sms)
{
  CUdevResourceDesc description;
  CUgreenCtx green;
  CHECK_EQUAL(cuDevResourceGenerateDesc(&description, sms, 1), CUDA_SUCCESS);
  CHECK_EQUAL(
      cuGreenCtxCreate(&green, description, 0, CU_GREEN_CTX_DEFAULT_STREAM),
      CUDA_SUCCESS);
  return green;
}

static CUstream stream_of(CUgreenCtx green)
{
  CUstream stream;
  CHECK_EQUAL(cuGreenCtxStreamCreate(&stream, green, CU_STREAM_NON_BLOCKING, 0),
              CUDA_SUCCESS);
  return stream;
}

static CUfunction load_where(void)
{
  CUmodule module;
  CHECK_EQUAL(cuModuleLoadData(&module, where), CUDA_SUCCESS);
  return get_kernel(module, "where");
}

static CUdeviceptr launch_where(CUfunction kernel, CUstream stream)
{
  CUdeviceptr sms;
  void *arguments[] = { &sms };
  CHECK_EQUAL(cuMemAlloc(&sms, N_BLOCKS * sizeof(int)), CUDA_SUCCESS);
  CHECK_EQUAL(cuLaunchKernel(kernel, N_BLOCKS, 1, 1, 1024, 1, 1, 0, stream,
                             arguments, NULL),
              CUDA_SUCCESS);
  return sms;
}

/* Which SMs there were, and how many. */
static int note(CUdeviceptr sms, char seen[MOST_SMS])
{
  static int host[N_BLOCKS];
  int n = 0;
  memset(seen, 0, MOST_SMS);
  CHECK_EQUAL(cuCtxSynchronize(), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemcpyDtoH(host, sms, sizeof host), CUDA_SUCCESS);
  for (int i = 0; i < N_BLOCKS; i++) {
    CHECK(host[i] >= 0 && host[i] < MOST_SMS);
    n += !seen[host[i]];
    seen[host[i]] = 1;
  }
  return n;
}

static int n_common(const char *a, const char *b)
{
  int n = 0;
  for (int sm = 0; sm < MOST_SMS; sm++)
    n += a[sm] && b[sm];
  return n;
}

BEHAVIOUR(device_is_a_resource)
{
  int n;
  begin();
  CHECK_EQUAL(
      cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0),
      CUDA_SUCCESS);
  CUdevResource all = all_sms();
  CHECK_EQUAL(all.type, CU_DEV_RESOURCE_TYPE_SM);
  CHECK_EQUAL(all.sm.smCount, n);
  CHECK_EQUAL(all.sm.minSmPartitionSize, 8);
  CHECK_EQUAL(all.sm.smCoscheduledAlignment, 8);
  CHECK_EQUAL(cuDeviceGetDevResource(99, &all, CU_DEV_RESOURCE_TYPE_SM),
              CUDA_ERROR_INVALID_DEVICE);
  CHECK_EQUAL(cuDeviceGetDevResource(0, NULL, CU_DEV_RESOURCE_TYPE_SM),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuDeviceGetDevResource(0, &all, CU_DEV_RESOURCE_TYPE_INVALID),
              CUDA_ERROR_INVALID_RESOURCE_TYPE);
}

/* What an H200 of 132 SMs answers. */
BEHAVIOUR(groups_are_rounded_up)
{
  static const struct {
    unsigned flags, wanted, size, n_groups;
  } cases[] = {
    { 0, 0, 8, 15 },  { 0, 8, 8, 15 },  { 0, 9, 16, 8 },    { 0, 17, 24, 5 },
    { 0, 48, 48, 2 }, { 0, 66, 72, 1 }, { 0, 129, 132, 1 }, { 1, 0, 2, 66 },
    { 1, 7, 8, 16 },  { 1, 65, 66, 2 }, { 2, 9, 16, 8 },
  };
  CUdevResource groups[66], rest;
  begin();
  CUdevResource all = all_sms();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    unsigned n = 0, taken = cases[i].size * cases[i].n_groups;
    CHECK_EQUAL(cuDevSmResourceSplitByCount(NULL, &n, &all, NULL,
                                            cases[i].flags, cases[i].wanted),
                CUDA_SUCCESS);
    CHECK_EQUAL(n, cases[i].n_groups);
    n = 66;
    CHECK_EQUAL(cuDevSmResourceSplitByCount(groups, &n, &all, &rest,
                                            cases[i].flags, cases[i].wanted),
                CUDA_SUCCESS);
    CHECK_EQUAL(n, cases[i].n_groups);
    CHECK_EQUAL(groups[n - 1].sm.smCount, cases[i].size);
    CHECK_EQUAL(rest.sm.smCount, 132 - taken);
    CHECK_EQUAL(rest.type, taken < 132 ? CU_DEV_RESOURCE_TYPE_SM
                                       : CU_DEV_RESOURCE_TYPE_INVALID);
  }
}

BEHAVIOUR(odd_splits_are_refused)
{
  CUdevResource group, rest, nothing;
  unsigned n = 1;
  begin();
  CUdevResource all = all_sms();
  memset(&nothing, 0, sizeof nothing);
  CHECK_EQUAL(cuDevSmResourceSplitByCount(&group, NULL, &all, &rest, 0, 16),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuDevSmResourceSplitByCount(&group, &n, NULL, &rest, 0, 16),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuDevSmResourceSplitByCount(&group, &n, &all, &rest, 3, 16),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuDevSmResourceSplitByCount(&group, &n, &nothing, &rest, 0, 16),
              CUDA_ERROR_INVALID_RESOURCE_TYPE);
  CHECK_EQUAL(cuDevSmResourceSplitByCount(&group, &n, &all, &rest, 0, 133),
              CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION);
  n = 0;
  CHECK_EQUAL(cuDevSmResourceSplitByCount(&group, &n, &all, &rest, 0, 16),
              CUDA_ERROR_INVALID_VALUE);
}

/* But the resource of a green context is. */
BEHAVIOUR(parts_are_not_split_again)
{
  CUdevResource rest, of_green, halves[2];
  unsigned n = 2;
  begin();
  CUdevResource group = split(16, &rest);
  CHECK_EQUAL(cuDevSmResourceSplitByCount(halves, &n, &group, NULL, 0, 8),
              CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION);
  CHECK_EQUAL(cuGreenCtxGetDevResource(green_of(&group), &of_green,
                                       CU_DEV_RESOURCE_TYPE_SM),
              CUDA_SUCCESS);
  CHECK_EQUAL(of_green.sm.smCount, 16);
  CHECK_EQUAL(of_green.sm.minSmPartitionSize, 8);
  CHECK_EQUAL(cuDevSmResourceSplitByCount(halves, &n, &of_green, NULL, 0, 8),
              CUDA_SUCCESS);
  CHECK_EQUAL(n, 2);
  CHECK_EQUAL(halves[1].sm.smCount, 8);
  CHECK_EQUAL(cuGreenCtxGetDevResource(green_of(&rest), &of_green,
                                       CU_DEV_RESOURCE_TYPE_SM),
              CUDA_SUCCESS);
  CHECK_EQUAL(of_green.sm.smCount, 116);
  CHECK_EQUAL(of_green.sm.minSmPartitionSize, 2);
}

BEHAVIOUR(resources_are_joined)
{
  CUdevResource parts[2], joined;
  CUdevResourceDesc description;
  CUgreenCtx green;
  begin();
  parts[0] = split(16, &parts[1]);
  CHECK_EQUAL(cuDevResourceGenerateDesc(&description, parts, 2), CUDA_SUCCESS);
  CHECK_EQUAL(
      cuGreenCtxCreate(&green, description, 0, CU_GREEN_CTX_DEFAULT_STREAM),
      CUDA_SUCCESS);
  CHECK_EQUAL(cuGreenCtxGetDevResource(green, &joined, CU_DEV_RESOURCE_TYPE_SM),
              CUDA_SUCCESS);
  CHECK_EQUAL(joined.sm.smCount, 132);
  parts[0].sm.smCount = 3;
  CHECK_EQUAL(cuDevResourceGenerateDesc(&description, parts, 1),
              CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION);
  memset(parts, 0, sizeof parts);
  CHECK_EQUAL(cuDevResourceGenerateDesc(&description, parts, 1),
              CUDA_ERROR_INVALID_RESOURCE_TYPE);
  CHECK_EQUAL(cuDevResourceGenerateDesc(&description, NULL, 1),
              CUDA_ERROR_INVALID_VALUE);
}

BEHAVIOUR(odd_green_contexts_are_refused)
{
  CUdevResource rest;
  CUdevResourceDesc description;
  CUgreenCtx green;
  CUstream stream;
  CUcontext context;
  begin();
  CUdevResource group = split(16, &rest);
  CHECK_EQUAL(cuDevResourceGenerateDesc(&description, &group, 1), CUDA_SUCCESS);
  CHECK_EQUAL(cuGreenCtxCreate(&green, description, 0, 0),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuGreenCtxCreate(NULL, description, 0, 1),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuGreenCtxCreate(&green, description, 99, 1),
              CUDA_ERROR_INVALID_DEVICE);
  CHECK_EQUAL(cuGreenCtxCreate(&green, description, 0, 1), CUDA_SUCCESS);
  CHECK_EQUAL(cuGreenCtxStreamCreate(&stream, green, CU_STREAM_DEFAULT, 0),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuGreenCtxStreamCreate(&stream, NULL, CU_STREAM_NON_BLOCKING, 0),
              CUDA_ERROR_INVALID_CONTEXT);
  CHECK_EQUAL(cuCtxFromGreenCtx(&context, NULL), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_EQUAL(cuCtxFromGreenCtx(&context, green), CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxDestroy(context), CUDA_ERROR_INVALID_CONTEXT);
}

BEHAVIOUR(kernels_stay_on_their_sms)
{
  char few[MOST_SMS], others[MOST_SMS];
  CUdevResource rest;
  begin();
  CUfunction kernel = load_where();
  CUdevResource group = split(16, &rest);
  CUstream stream = stream_of(green_of(&group));
  CUdeviceptr sms = launch_where(kernel, stream);
  CHECK(note(sms, few) <= 16);
  CHECK(note(launch_where(kernel, stream_of(green_of(&rest))), others) <= 116);
  CHECK_EQUAL(n_common(few, others), 0);
}

BEHAVIOUR(graph_keeps_the_sms_of_its_capture)
{
  char few[MOST_SMS], again[MOST_SMS];
  CUdevResource rest;
  CUgraph graph;
  CUgraphExec exec;
  CUstream plain;
  begin();
  CUfunction kernel = load_where();
  CUdevResource group = split(8, &rest);
  CUstream stream = stream_of(green_of(&group));
  CUdeviceptr sms = launch_where(kernel, stream);
  void *arguments[] = { &sms };
  CHECK(note(sms, few) <= 8);
  CHECK_EQUAL(cuMemsetD8(sms, 0xff, N_BLOCKS * sizeof(int)), CUDA_SUCCESS);
  CHECK_EQUAL(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL),
              CUDA_SUCCESS);
  CHECK_EQUAL(cuLaunchKernel(kernel, N_BLOCKS, 1, 1, 1024, 1, 1, 0, stream,
                             arguments, NULL),
              CUDA_SUCCESS);
  CHECK_EQUAL(cuStreamEndCapture(stream, &graph), CUDA_SUCCESS);
  CHECK_EQUAL(cuGraphInstantiateWithFlags(&exec, graph, 0), CUDA_SUCCESS);
  CHECK_EQUAL(cuStreamCreate(&plain, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  CHECK_EQUAL(cuGraphLaunch(exec, plain), CUDA_SUCCESS);
  CHECK(note(sms, again) <= 8);
}

BEHAVIOUR(cooperative_blocks_must_fit_on_these_sms)
{
  CUdevResource rest;
  CUdeviceptr sms;
  int per_sm;
  void *arguments[] = { &sms };
  begin();
  CUfunction kernel = load_where();
  CUdevResource group = split(16, &rest);
  CUstream stream = stream_of(green_of(&group));
  CHECK_EQUAL(cuMemAlloc(&sms, 4096 * sizeof(int)), CUDA_SUCCESS);
  CHECK_EQUAL(
      cuOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, kernel, 1024, 0),
      CUDA_SUCCESS);
  unsigned most = 16u * (unsigned)per_sm;
  CHECK_EQUAL(cuLaunchCooperativeKernel(kernel, most, 1, 1, 1024, 1, 1, 0,
                                        stream, arguments),
              CUDA_SUCCESS);
  CHECK_EQUAL(cuLaunchCooperativeKernel(kernel, most + 1, 1, 1, 1024, 1, 1, 0,
                                        stream, arguments),
              CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
  CHECK_EQUAL(cuLaunchCooperativeKernel(kernel, most + 1, 1, 1, 1024, 1, 1, 0,
                                        NULL, arguments),
              CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxSynchronize(), CUDA_SUCCESS);
}

BEHAVIOUR(current_green_context_has_its_streams)
{
  char few[MOST_SMS];
  CUdevResource rest, of_context;
  CUcontext primary, context, found;
  CUgreenCtx green;
  CUstream stream;
  begin();
  CUfunction kernel = load_where();
  CUdevResource group = split(16, &rest);
  CUgreenCtx made = green_of(&group);
  CHECK_EQUAL(cuCtxGetCurrent(&primary), CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxFromGreenCtx(&context, made), CUDA_SUCCESS);
  CHECK(context != primary);
  CHECK_EQUAL(
      cuCtxGetDevResource(context, &of_context, CU_DEV_RESOURCE_TYPE_SM),
      CUDA_SUCCESS);
  CHECK_EQUAL(of_context.sm.smCount, 16);
  CHECK_EQUAL(cuStreamGetGreenCtx(NULL, &green), CUDA_SUCCESS);
  CHECK(green == NULL);
  CHECK_EQUAL(cuCtxSetCurrent(context), CUDA_SUCCESS);
  CHECK_EQUAL(cuStreamGetGreenCtx(NULL, &green), CUDA_SUCCESS);
  CHECK(green == made);
  CHECK_EQUAL(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  CHECK_EQUAL(cuStreamGetGreenCtx(stream, &green), CUDA_SUCCESS);
  CHECK(green == made);
  CHECK_EQUAL(cuStreamGetCtx(stream, &found), CUDA_SUCCESS);
  CHECK(found == context);
  CHECK_EQUAL(cuStreamGetCtx_v2(stream, &found, &green), CUDA_SUCCESS);
  CHECK(found == primary && green == made);
  CHECK(note(launch_where(kernel, NULL), few) <= 16);
  CHECK(note(launch_where(kernel, stream), few) <= 16);
}

BEHAVIOUR(destroyed_green_context_is_of_no_use)
{
  CUdevResource rest;
  CUcontext context, current;
  CUdeviceptr address;
  begin();
  CUfunction kernel = load_where();
  void *arguments[] = { &address };
  CUdevResource group = split(16, &rest);
  CUgreenCtx green = green_of(&group);
  CUstream stream = stream_of(green);
  CHECK_EQUAL(cuCtxFromGreenCtx(&context, green), CUDA_SUCCESS);
  CHECK_EQUAL(cuGreenCtxDestroy(NULL), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_EQUAL(cuGreenCtxDestroy(green), CUDA_SUCCESS);
  CHECK_EQUAL(cuGreenCtxDestroy(green), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  CHECK_EQUAL(cuStreamQuery(stream), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  CHECK_EQUAL(cuStreamSynchronize(stream), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  CHECK_EQUAL(
      cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, arguments, NULL),
      CUDA_ERROR_CONTEXT_IS_DESTROYED);
  CHECK_EQUAL(cuStreamDestroy(stream), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  CHECK_EQUAL(cuCtxSynchronize(), CUDA_SUCCESS);
  CUgreenCtx other = green_of(&group);
  CHECK_EQUAL(cuCtxFromGreenCtx(&context, other), CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxSetCurrent(context), CUDA_SUCCESS);
  CHECK_EQUAL(cuGreenCtxDestroy(other), CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxGetCurrent(&current), CUDA_SUCCESS);
  CHECK(current == context);
  CHECK_EQUAL(cuMemAlloc(&address, 64), CUDA_ERROR_CONTEXT_IS_DESTROYED);
}
