/* Arrays and objects through the API, and a kernel that uses them. */
#include "../runtime/program.h"
#include "../runtime/test.h"

static const char kernel[] =
    ".version 8.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry fill(.param .u64 t, .param .u64 s, .param .u64 o,\n"
    "  .param .u32 x)\n{\n"
    "  .reg .b64 %rd<5>; .reg .b32 %r<5>; .reg .f32 %f<9>;\n"
    "  ld.param.u64 %rd1, [t]; ld.param.u64 %rd2, [s];\n"
    "  ld.param.u64 %rd3, [o]; ld.param.u32 %r1, [x];\n"
    "  mov.u32 %r2, 0; mov.f32 %f5, 0f40200000; mov.f32 %f6, 0f3F800000;\n"
    "  tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];\n"
    "  sust.b.2d.b32.trap [%rd2, {%r1, %r2}], {%f1};\n"
    "  suld.b.2d.b32.trap {%f7}, [%rd2, {%r1, %r2}];\n"
    "  st.global.f32 [%rd3], %f7;\n"
    "  ret;\n}\n";

static const struct cudaChannelFormatDesc one_float = {
  32, 0, 0, 0, cudaChannelFormatKindFloat
};

static cudaArray_t make_array(unsigned flags)
{
  float host[16];
  cudaArray_t array;

  for (int i = 0; i < 16; i++)
    host[i] = (float)i;
  CHECK_EQUAL(cudaMallocArray(&array, &one_float, 4, 4, flags), 0);
  CHECK_EQUAL(
      cudaMemcpy2DToArray(array, 0, 0, host, 16, 16, 4, cudaMemcpyHostToDevice),
      0);
  return array;
}

static struct cudaResourceDesc resource_of(cudaArray_t array)
{
  struct cudaResourceDesc resource = { .resType = cudaResourceTypeArray };

  resource.res.array.array = array;
  return resource;
}

struct objects {
  cudaArray_t from, to;
  cudaTextureObject_t texture;
  cudaSurfaceObject_t surface;
  float *out;
};

static struct objects make_objects(void)
{
  struct objects o = { .from = make_array(0),
                       .to = make_array(cudaArraySurfaceLoadStore) };
  struct cudaResourceDesc from = resource_of(o.from), to = resource_of(o.to);
  struct cudaTextureDesc point = { .filterMode = cudaFilterModePoint };

  program_begin_with(kernel, 75);
  CHECK_EQUAL(cudaCreateTextureObject(&o.texture, &from, &point, NULL), 0);
  CHECK_EQUAL(cudaCreateSurfaceObject(&o.surface, &to), 0);
  CHECK_EQUAL(cudaMalloc((void **)&o.out, 4), 0);
  return o;
}

static cudaError_t run(struct objects *o, unsigned x)
{
  void *arguments[] = { &o->texture, &o->surface, &o->out, &x };

  CHECK_EQUAL(launch(&fill, 1, 32, arguments), 0);
  return cudaDeviceSynchronize();
}

BEHAVIOUR(kernel_reads_and_writes)
{
  struct objects o = make_objects();
  float value = 0, row[4];

  CHECK_EQUAL(run(&o, 12), 0);
  CHECK_EQUAL(cudaMemcpy(&value, o.out, 4, cudaMemcpyDeviceToHost), 0);
  CHECK(value == 6);
  CHECK_EQUAL(
      cudaMemcpy2DFromArray(row, 16, o.to, 0, 0, 16, 1, cudaMemcpyDeviceToHost),
      0);
  CHECK(row[2] == 2 && row[3] == 6);
}

BEHAVIOUR(store_outside_is_told)
{
  struct objects o = make_objects();

  capture_begin(2);
  CHECK_EQUAL(run(&o, 16), cudaErrorIllegalAddress);
  CHECK_HAS(capture_end(), "4 bytes at x = 16 bytes, y = 0");
}

BEHAVIOUR(half_an_element_is_told)
{
  struct objects o = make_objects();

  capture_begin(2);
  CHECK_EQUAL(run(&o, 2), cudaErrorIllegalAddress);
  CHECK_HAS(capture_end(), "x counts bytes, not elements");
}

BEHAVIOUR(destroyed_object_is_told)
{
  struct objects o = make_objects();

  CHECK_EQUAL(cudaDestroyTextureObject(o.texture), 0);
  capture_begin(2);
  CHECK_EQUAL(run(&o, 0), cudaErrorIllegalAddress);
  CHECK_HAS(capture_end(), "is no texture object: it was destroyed");
}

BEHAVIOUR(freed_array_is_told)
{
  struct objects o = make_objects();

  CHECK_EQUAL(cudaFreeArray(o.from), 0);
  capture_begin(2);
  CHECK_EQUAL(run(&o, 0), cudaErrorIllegalAddress);
  CHECK_HAS(capture_end(), "the memory of texture object 1 was freed");
}

BEHAVIOUR(surface_for_texture_is_told)
{
  struct objects o = make_objects();

  o.texture = o.surface;
  capture_begin(2);
  CHECK_EQUAL(run(&o, 0), cudaErrorIllegalAddress);
  CHECK_HAS(capture_end(), "but a surface object");
}

BEHAVIOUR(array_tells_what_it_is)
{
  cudaArray_t array = make_array(cudaArraySurfaceLoadStore);
  struct cudaChannelFormatDesc format;
  struct cudaExtent extent;
  unsigned flags;

  CHECK_EQUAL(cudaArrayGetInfo(&format, &extent, &flags, array), 0);
  CHECK(format.x == 32 && format.y == 0 &&
        format.f == cudaChannelFormatKindFloat);
  CHECK(extent.width == 4 && extent.height == 4 && extent.depth == 0);
  CHECK_EQUAL(flags, cudaArraySurfaceLoadStore);
}

BEHAVIOUR(array_is_freed_once)
{
  cudaArray_t array = make_array(0);

  CHECK_EQUAL(cudaFreeArray(array), 0);
  capture_begin(2);
  CHECK_EQUAL(cudaFreeArray(array), cudaErrorInvalidValue);
  CHECK_HAS(capture_end(), "was freed before");
  CHECK_EQUAL(cudaFreeArray(NULL), 0);
}

BEHAVIOUR(box_goes_there_and_back)
{
  float host[3][4][5], back[3][4][5];
  cudaArray_t array;
  struct cudaExtent extent = { 5, 4, 3 };
  struct cudaMemcpy3DParms copy = { .extent = extent,
                                    .kind = cudaMemcpyHostToDevice };

  for (int i = 0; i < 60; i++)
    (&host[0][0][0])[i] = (float)i;
  CHECK_EQUAL(cudaMalloc3DArray(&array, &one_float, extent, 0), 0);
  copy.srcPtr = (struct cudaPitchedPtr){ host, 20, 5, 4 };
  copy.dstArray = array;
  CHECK_EQUAL(cudaMemcpy3D(&copy), 0);
  copy = (struct cudaMemcpy3DParms){ .srcArray = array,
                                     .dstPtr = { back, 20, 5, 4 },
                                     .extent = extent,
                                     .kind = cudaMemcpyDeviceToHost };
  CHECK_EQUAL(cudaMemcpy3D(&copy), 0);
  CHECK(memcmp(host, back, sizeof host) == 0);
}

BEHAVIOUR(piece_crosses_rows)
{
  cudaArray_t array = make_array(0);
  float part[6];

  CHECK_EQUAL(cudaMemcpyFromArray(part, array, 8, 1, sizeof part,
                                  cudaMemcpyDeviceToHost),
              0);
  CHECK(part[0] == 6 && part[5] == 11);
  CHECK_EQUAL(cudaMemcpyFromArray(part, array, 8, 3, sizeof part,
                                  cudaMemcpyDeviceToHost),
              cudaErrorInvalidValue);
}

BEHAVIOUR(array_goes_to_array)
{
  cudaArray_t from = make_array(0), to = make_array(0);
  float row[2];

  CHECK_EQUAL(cudaMemcpy2DArrayToArray(to, 0, 0, from, 8, 2, 8, 1,
                                       cudaMemcpyDeviceToDevice),
              0);
  CHECK_EQUAL(
      cudaMemcpy2DFromArray(row, 8, to, 0, 0, 8, 1, cudaMemcpyDeviceToHost), 0);
  CHECK(row[0] == 10 && row[1] == 11);
}

BEHAVIOUR(descriptions_are_given_back)
{
  struct cudaResourceDesc resource = resource_of(make_array(0)), back;
  struct cudaTextureDesc texture = { .normalizedCoords = 1 }, same;
  cudaTextureObject_t object;

  CHECK_EQUAL(cudaCreateTextureObject(&object, &resource, &texture, NULL), 0);
  CHECK_EQUAL(cudaGetTextureObjectResourceDesc(&back, object), 0);
  CHECK(back.res.array.array == resource.res.array.array);
  CHECK_EQUAL(cudaGetTextureObjectTextureDesc(&same, object), 0);
  CHECK_EQUAL(same.normalizedCoords, 1);
}

BEHAVIOUR(mipmaps_are_not_supported)
{
  struct cudaResourceDesc resource = { .resType =
                                           cudaResourceTypeMipmappedArray };
  struct cudaTextureDesc texture = { .normalizedCoords = 1 };
  cudaTextureObject_t object;

  capture_begin(2);
  CHECK_EQUAL(cudaCreateTextureObject(&object, &resource, &texture, NULL),
              cudaErrorNotSupported);
  CHECK_HAS(capture_end(), "mipmapped arrays are not supported");
}
