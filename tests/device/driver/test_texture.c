/* Arrays, and textures and surfaces that read and write them. */
#include "driver_program.h"

/* read(object, out, n): out[i] = the texel at x = i % 8, y = i / 8, and
 * write(object): the surface's texel at x = %tid.x gets x. */
static const char kernels[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry read(.param .u64 t, .param .u64 out) {\n"
    ".reg .b32 %r<4>; .reg .f32 %f<7>; .reg .b64 %q<4>;\n"
    "ld.param.u64 %q0, [t]; ld.param.u64 %q1, [out];\n"
    "mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 7; shr.u32 %r2, %r0, 3;\n"
    "cvt.rn.f32.u32 %f0, %r1; cvt.rn.f32.u32 %f1, %r2;\n"
    "add.f32 %f0, %f0, 0f3F000000; add.f32 %f1, %f1, 0f3F000000;\n"
    "tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%q0, {%f0, %f1}];\n"
    "mad.wide.u32 %q2, %r0, 4, %q1; st.global.f32 [%q2], %f2; ret; }\n"
    ".visible .entry write(.param .u64 s) {\n"
    ".reg .b32 %r<4>; .reg .b64 %q<4>;\n"
    "ld.param.u64 %q0, [s]; mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 2;\n"
    "mov.u32 %r2, 1; sust.b.2d.b32.trap [%q0, {%r1, %r2}], {%r0}; ret; }\n";

enum { WIDTH = 8, HEIGHT = 4, N = WIDTH * HEIGHT };

static void run(const char *name, void **arguments, unsigned threads)
{
  CUmodule module;
  CHECK_EQUAL(cuModuleLoadData(&module, kernels), CUDA_SUCCESS);
  CHECK_EQUAL(cuLaunchKernel(get_kernel(module, name), 1, 1, 1, threads, 1, 1,
                             0, NULL, arguments, NULL),
              CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxSynchronize(), CUDA_SUCCESS);
}

static CUarray create(CUarray_format format, unsigned n_channels)
{
  CUarray array;
  CUDA_ARRAY_DESCRIPTOR d = { .Width = WIDTH,
                              .Height = HEIGHT,
                              .Format = format,
                              .NumChannels = n_channels };
  CHECK_EQUAL(cuArrayCreate(&array, &d), CUDA_SUCCESS);
  return array;
}

static void fill(CUarray array, const void *from, size_t texel)
{
  CUDA_MEMCPY2D c = { .srcMemoryType = CU_MEMORYTYPE_HOST,
                      .srcHost = from,
                      .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                      .dstArray = array,
                      .WidthInBytes = WIDTH * texel,
                      .Height = HEIGHT };
  CHECK_EQUAL(cuMemcpy2D(&c), CUDA_SUCCESS);
}

/* The texels as a kernel reads them. */
static void read_all(const CUDA_RESOURCE_DESC *resource,
                     const CUDA_TEXTURE_DESC *texture, float *to)
{
  CUtexObject object;
  CUdeviceptr out;
  void *arguments[] = { &object, &out };
  CHECK_EQUAL(cuTexObjectCreate(&object, resource, texture, NULL),
              CUDA_SUCCESS);
  CHECK_EQUAL(cuMemAlloc(&out, N * sizeof *to), CUDA_SUCCESS);
  run("read", arguments, N);
  CHECK_EQUAL(cuMemcpyDtoH(to, out, N * sizeof *to), CUDA_SUCCESS);
  CHECK_EQUAL(cuTexObjectDestroy(object), CUDA_SUCCESS);
}

BEHAVIOUR(texture_reads_an_array)
{
  float values[N], back[N];
  begin();
  for (int i = 0; i < N; i++)
    values[i] = (float)(i * i);
  CUarray array = create(CU_AD_FORMAT_FLOAT, 1);
  fill(array, values, sizeof *values);
  CUDA_RESOURCE_DESC r = { .resType = CU_RESOURCE_TYPE_ARRAY,
                           .res.array.hArray = array };
  CUDA_TEXTURE_DESC t = { .filterMode = CU_TR_FILTER_MODE_POINT };
  read_all(&r, &t, back);
  CHECK(memcmp(values, back, sizeof values) == 0);
  CHECK_EQUAL(cuArrayDestroy(array), CUDA_SUCCESS);
}

BEHAVIOUR(bytes_are_fractions_unless_read_as_integers)
{
  unsigned char values[N];
  float back[N];
  int whole[N];
  begin();
  for (int i = 0; i < N; i++)
    values[i] = (unsigned char)(8 * i);
  CUarray array = create(CU_AD_FORMAT_UNSIGNED_INT8, 1);
  fill(array, values, 1);
  CUDA_RESOURCE_DESC r = { .resType = CU_RESOURCE_TYPE_ARRAY,
                           .res.array.hArray = array };
  CUDA_TEXTURE_DESC t = { .flags = 0 };
  read_all(&r, &t, back);
  for (int i = 0; i < N; i++)
    CHECK(back[i] > values[i] / 255.0f - 1e-6f &&
          back[i] < values[i] / 255.0f + 1e-6f);
  t.flags = CU_TRSF_READ_AS_INTEGER;
  read_all(&r, &t, back);
  memcpy(whole, back, sizeof whole);
  for (int i = 0; i < N; i++)
    CHECK_EQUAL(whole[i], values[i]);
}

BEHAVIOUR(texture_reads_pitched_memory)
{
  float back[N], value = 3.5f;
  CUdeviceptr memory;
  size_t pitch;
  unsigned bits;
  begin();
  memcpy(&bits, &value, 4);
  CHECK_EQUAL(cuMemAllocPitch(&memory, &pitch, WIDTH * 4, HEIGHT, 4),
              CUDA_SUCCESS);
  CHECK_EQUAL(cuMemsetD2D32(memory, pitch, bits, WIDTH, HEIGHT), CUDA_SUCCESS);
  CUDA_RESOURCE_DESC r = { .resType = CU_RESOURCE_TYPE_PITCH2D };
  r.res.pitch2D.devPtr = memory;
  r.res.pitch2D.format = CU_AD_FORMAT_FLOAT;
  r.res.pitch2D.numChannels = 1;
  r.res.pitch2D.width = WIDTH;
  r.res.pitch2D.height = HEIGHT;
  r.res.pitch2D.pitchInBytes = pitch;
  CUDA_TEXTURE_DESC t = { .addressMode = { CU_TR_ADDRESS_MODE_CLAMP,
                                           CU_TR_ADDRESS_MODE_CLAMP } };
  read_all(&r, &t, back);
  for (int i = 0; i < N; i++)
    CHECK(back[i] == value);
}

BEHAVIOUR(surface_writes_an_array)
{
  unsigned back[WIDTH] = { 0 };
  CUarray array;
  CUsurfObject object;
  begin();
  CUDA_ARRAY3D_DESCRIPTOR d = { .Width = WIDTH,
                                .Height = HEIGHT,
                                .Format = CU_AD_FORMAT_UNSIGNED_INT32,
                                .NumChannels = 1,
                                .Flags = CUDA_ARRAY3D_SURFACE_LDST };
  CHECK_EQUAL(cuArray3DCreate(&array, &d), CUDA_SUCCESS);
  CUDA_RESOURCE_DESC r = { .resType = CU_RESOURCE_TYPE_ARRAY,
                           .res.array.hArray = array };
  CHECK_EQUAL(cuSurfObjectCreate(&object, &r), CUDA_SUCCESS);
  void *arguments[] = { &object };
  run("write", arguments, WIDTH);
  CUDA_MEMCPY2D c = { .srcMemoryType = CU_MEMORYTYPE_ARRAY,
                      .srcArray = array,
                      .srcY = 1,
                      .srcXInBytes = 8,
                      .dstMemoryType = CU_MEMORYTYPE_HOST,
                      .dstHost = back,
                      .WidthInBytes = (WIDTH - 2) * 4,
                      .Height = 1 };
  CHECK_EQUAL(cuMemcpy2D(&c), CUDA_SUCCESS);
  for (unsigned i = 0; i < WIDTH - 2; i++)
    CHECK_EQUAL(back[i], i + 2);
  CHECK_EQUAL(cuSurfObjectDestroy(object), CUDA_SUCCESS);
}

BEHAVIOUR(array_is_described)
{
  CUarray array;
  CUDA_ARRAY3D_DESCRIPTOR back = { 0 };
  CUDA_ARRAY_DESCRIPTOR flat = { 0 };
  begin();
  CUDA_ARRAY3D_DESCRIPTOR d = { .Width = 5,
                                .Height = 6,
                                .Depth = 7,
                                .Format = CU_AD_FORMAT_HALF,
                                .NumChannels = 2,
                                .Flags = CUDA_ARRAY3D_SURFACE_LDST };
  CHECK_EQUAL(cuArray3DCreate(&array, &d), CUDA_SUCCESS);
  CHECK_EQUAL(cuArray3DGetDescriptor(&back, array), CUDA_SUCCESS);
  CHECK_EQUAL(back.Width, 5);
  CHECK_EQUAL(back.Height, 6);
  CHECK_EQUAL(back.Depth, 7);
  CHECK_EQUAL(back.Format, CU_AD_FORMAT_HALF);
  CHECK_EQUAL(back.NumChannels, 2);
  CHECK_EQUAL(back.Flags, CUDA_ARRAY3D_SURFACE_LDST);
  array = create(CU_AD_FORMAT_SIGNED_INT16, 4);
  CHECK_EQUAL(cuArrayGetDescriptor(&flat, array), CUDA_SUCCESS);
  CHECK_EQUAL(flat.Format, CU_AD_FORMAT_SIGNED_INT16);
  CHECK_EQUAL(flat.NumChannels, 4);
  CHECK_EQUAL(flat.Width, WIDTH);
}

BEHAVIOUR(array_of_three_channels_is_refused)
{
  CUarray array;
  begin();
  CUDA_ARRAY_DESCRIPTOR d = { .Width = WIDTH,
                              .Height = HEIGHT,
                              .Format = CU_AD_FORMAT_FLOAT,
                              .NumChannels = 3 };
  CHECK_EQUAL(cuArrayCreate(&array, &d), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQUAL(cuArrayCreate(&array, NULL), CUDA_ERROR_INVALID_VALUE);
}

BEHAVIOUR(bytes_of_an_array_are_copied)
{
  int values[8] = { 0, 1, 2, 3, 4, 5, 6, 7 }, back[8] = { 0 };
  CUarray one, other;
  CUdeviceptr memory;
  begin();
  CUDA_ARRAY_DESCRIPTOR d = { .Width = 8,
                              .Format = CU_AD_FORMAT_SIGNED_INT32,
                              .NumChannels = 1 };
  CHECK_EQUAL(cuArrayCreate(&one, &d), CUDA_SUCCESS);
  CHECK_EQUAL(cuArrayCreate(&other, &d), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemAlloc(&memory, 32), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemcpyHtoA(one, 0, values, 32), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemcpyAtoA(other, 4, one, 8, 24), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemcpyAtoD(memory, other, 4, 24), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemcpyDtoA(one, 0, memory, 24), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemcpyAtoH(back, one, 0, 32), CUDA_SUCCESS);
  for (int i = 0; i < 6; i++)
    CHECK_EQUAL(back[i], i + 2);
  CHECK_EQUAL(back[6], 6);
}

BEHAVIOUR(volume_is_copied)
{
  short values[2 * 3 * 4], back[2 * 3 * 4] = { 0 };
  CUarray array;
  begin();
  for (int i = 0; i < 24; i++)
    values[i] = (short)(100 + i);
  CUDA_ARRAY3D_DESCRIPTOR d = { .Width = 2,
                                .Height = 3,
                                .Depth = 4,
                                .Format = CU_AD_FORMAT_SIGNED_INT16,
                                .NumChannels = 1 };
  CHECK_EQUAL(cuArray3DCreate(&array, &d), CUDA_SUCCESS);
  CUDA_MEMCPY3D there = { .srcMemoryType = CU_MEMORYTYPE_HOST,
                          .srcHost = values,
                          .srcPitch = 4,
                          .srcHeight = 3,
                          .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                          .dstArray = array,
                          .WidthInBytes = 4,
                          .Height = 3,
                          .Depth = 4 };
  CHECK_EQUAL(cuMemcpy3D(&there), CUDA_SUCCESS);
  CUDA_MEMCPY3D here = { .srcMemoryType = CU_MEMORYTYPE_ARRAY,
                         .srcArray = array,
                         .srcXInBytes = 2,
                         .srcY = 1,
                         .srcZ = 2,
                         .dstMemoryType = CU_MEMORYTYPE_HOST,
                         .dstHost = back,
                         .WidthInBytes = 2,
                         .Height = 2,
                         .Depth = 2 };
  CHECK_EQUAL(cuMemcpy3D(&here), CUDA_SUCCESS);
  CHECK_EQUAL(back[0], 100 + 2 * 6 + 1 * 2 + 1);
  CHECK_EQUAL(back[3], 100 + 3 * 6 + 2 * 2 + 1);
}

BEHAVIOUR(texture_remembers_how_it_was_made)
{
  CUtexObject object;
  CUDA_RESOURCE_DESC resource;
  CUDA_TEXTURE_DESC texture;
  begin();
  CUarray array = create(CU_AD_FORMAT_UNSIGNED_INT16, 2);
  CUDA_RESOURCE_DESC r = { .resType = CU_RESOURCE_TYPE_ARRAY,
                           .res.array.hArray = array };
  CUDA_TEXTURE_DESC t = {
    .addressMode = { CU_TR_ADDRESS_MODE_MIRROR, CU_TR_ADDRESS_MODE_WRAP,
                     CU_TR_ADDRESS_MODE_CLAMP },
    .flags = CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_READ_AS_INTEGER
  };
  CHECK_EQUAL(cuTexObjectCreate(&object, &r, &t, NULL), CUDA_SUCCESS);
  CHECK_EQUAL(cuTexObjectGetResourceDesc(&resource, object), CUDA_SUCCESS);
  CHECK(resource.res.array.hArray == array);
  CHECK_EQUAL(cuTexObjectGetTextureDesc(&texture, object), CUDA_SUCCESS);
  CHECK_EQUAL(texture.addressMode[0], CU_TR_ADDRESS_MODE_MIRROR);
  CHECK_EQUAL(texture.addressMode[1], CU_TR_ADDRESS_MODE_WRAP);
  CHECK_EQUAL(texture.flags, t.flags);
}
