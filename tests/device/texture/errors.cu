/* Prints which error each call gives that a program may get wrong. */
#include <cstdio>
#include <cstring>

static void row(const char *what, cudaError_t error)
{
  printf("%s,%d\n", what, (int)error);
  cudaGetLastError();
}

static cudaResourceDesc of_array(cudaArray_t array)
{
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = array;
  return r;
}

static cudaResourceDesc of_linear(void *p, size_t bytes,
                                  cudaChannelFormatDesc format)
{
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeLinear;
  r.res.linear.devPtr = p;
  r.res.linear.desc = format;
  r.res.linear.sizeInBytes = bytes;
  return r;
}

static cudaResourceDesc of_pitched(void *p, size_t w, size_t h, size_t pitch)
{
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypePitch2D;
  r.res.pitch2D.devPtr = p;
  r.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  r.res.pitch2D.width = w;
  r.res.pitch2D.height = h;
  r.res.pitch2D.pitchInBytes = pitch;
  return r;
}

static void texture(const char *what, const cudaResourceDesc &r,
                    const cudaTextureDesc &d)
{
  cudaTextureObject_t t = 0;
  cudaError_t error = cudaCreateTextureObject(&t, &r, &d, NULL);
  row(what, error);
  if (error == cudaSuccess)
    cudaDestroyTextureObject(t);
}

static void surface(const char *what, const cudaResourceDesc &r)
{
  cudaSurfaceObject_t s = 0;
  cudaError_t error = cudaCreateSurfaceObject(&s, &r);
  row(what, error);
  if (error == cudaSuccess)
    cudaDestroySurfaceObject(s);
}

static void array(const char *what, cudaChannelFormatDesc format, size_t w,
                  size_t h, size_t d, unsigned flags)
{
  cudaArray_t a = NULL;
  cudaError_t error =
      cudaMalloc3DArray(&a, &format, make_cudaExtent(w, h, d), flags);
  row(what, error);
  if (error == cudaSuccess)
    cudaFreeArray(a);
}

__global__ void write_outside(cudaSurfaceObject_t s)
{
  surf2Dwrite(1.0f, s, 4 * 100, 0);
}

int main()
{
  const cudaChannelFormatDesc
      f1 = cudaCreateChannelDesc<float>(),
      u8 = cudaCreateChannelDesc<unsigned char>(),
      i1 = cudaCreateChannelDesc<int>(),
      none = cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone),
      three = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat),
      mixed = cudaCreateChannelDesc(8, 16, 0, 0, cudaChannelFormatKindSigned),
      odd = cudaCreateChannelDesc(24, 0, 0, 0, cudaChannelFormatKindSigned),
      f8 = cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaArray_t a, u, n, plain, layered;
  float *memory;
  cudaTextureDesc d = {}, e;

  printf("case,error\n");
  array("array none", none, 4, 4, 0, 0);
  array("array three channels", three, 4, 4, 0, 0);
  array("array mixed", mixed, 4, 4, 0, 0);
  array("array 24 bits", odd, 4, 4, 0, 0);
  array("array float of 8 bits", f8, 4, 4, 0, 0);
  array("array width 0", f1, 0, 4, 0, 0);
  array("array height 0 depth 4", f1, 4, 0, 4, 0);
  array("array 1d at the limit", u8, 131072, 0, 0, 0);
  array("array 1d above the limit", u8, 131073, 0, 0, 0);
  array("array 2d at the limit", u8, 131072, 1, 0, 0);
  array("array 2d above the limit", u8, 131073, 1, 0, 0);
  array("array 2d tall", u8, 1, 65536, 0, 0);
  array("array 2d too tall", u8, 1, 65537, 0, 0);
  array("array 3d deep", u8, 1, 1, 16384, 0);
  array("array 3d too deep", u8, 1, 1, 16385, 0);
  array("array layers", u8, 1, 1, 2048, cudaArrayLayered);
  array("array too many layers", u8, 1, 1, 2049, cudaArrayLayered);
  array("array 1d layered", u8, 32768, 0, 2, cudaArrayLayered);
  array("array 1d layered too wide", u8, 32769, 0, 2, cudaArrayLayered);
  array("array 1d surface", u8, 32768, 0, 0, cudaArraySurfaceLoadStore);
  array("array 1d surface too wide", u8, 32769, 0, 0,
        cudaArraySurfaceLoadStore);
  array("array gather", u8, 32768, 1, 0, cudaArrayTextureGather);
  array("array gather too wide", u8, 32769, 1, 0, cudaArrayTextureGather);
  array("array gather 1d", u8, 8, 0, 0, cudaArrayTextureGather);
  array("array cube", u8, 8, 8, 6, cudaArrayCubemap);
  array("array cube not square", u8, 8, 4, 6, cudaArrayCubemap);
  array("array cube of 5", u8, 8, 8, 5, cudaArrayCubemap);
  array("array cube layered of 12", u8, 8, 8, 12,
        cudaArrayCubemap | cudaArrayLayered);
  array("array cube layered of 13", u8, 8, 8, 13,
        cudaArrayCubemap | cudaArrayLayered);
  array("array unknown flag", u8, 8, 8, 0, 0x800);
  array("array layered depth 0", u8, 8, 8, 0, cudaArrayLayered);

  cudaMallocArray(&a, &f1, 16, 4);
  cudaMallocArray(&u, &u8, 16, 4);
  cudaMallocArray(&n, &i1, 16, 4);
  cudaMallocArray(&plain, &f1, 16, 4, cudaArraySurfaceLoadStore);
  cudaMalloc3DArray(&layered, &f1, make_cudaExtent(16, 4, 3), cudaArrayLayered);
  cudaMalloc(&memory, 1 << 16);

  texture("texture plain", of_array(a), d);
  texture("texture null array", of_array(NULL), d);
  cudaResourceDesc strange = of_array(a);
  strange.resType = (cudaResourceType)9;
  texture("texture unknown resource", strange, d);
  e = d, e.filterMode = cudaFilterModeLinear;
  texture("linear filter float", of_array(a), e);
  texture("linear filter u8 element type", of_array(u), e);
  texture("linear filter int element type", of_array(n), e);
  e.readMode = cudaReadModeNormalizedFloat;
  texture("linear filter u8 normalized float", of_array(u), e);
  texture("linear filter int normalized float", of_array(n), e);
  texture("linear filter float normalized float", of_array(a), e);
  e.filterMode = cudaFilterModePoint;
  texture("point filter int normalized float", of_array(n), e);
  e = d, e.filterMode = (cudaTextureFilterMode)7;
  texture("unknown filter", of_array(a), e);
  e = d, e.addressMode[0] = (cudaTextureAddressMode)7;
  texture("unknown address mode", of_array(a), e);
  e = d, e.addressMode[0] = cudaAddressModeWrap, e.normalizedCoords = 0;
  texture("wrap not normalized", of_array(a), e);
  e = d, e.readMode = (cudaTextureReadMode)7;
  texture("unknown read mode", of_array(a), e);
  e = d, e.sRGB = 1;
  texture("srgb float", of_array(a), e);
  texture("srgb u8", of_array(u), e);
  e = d, e.maxAnisotropy = 16;
  texture("anisotropy 16", of_array(a), e);
  e = d, e.maxAnisotropy = 17;
  texture("anisotropy 17", of_array(a), e);
  e = d, e.seamlessCubemap = 1;
  texture("seamless of 2d", of_array(a), e);
  strange = of_array(a), strange.flags = 1;
  texture("resource flags", strange, d);

  texture("linear memory", of_linear(memory, 1024, f1), d);
  texture("linear memory null", of_linear(NULL, 1024, f1), d);
  texture("linear memory 4 off", of_linear(memory + 1, 1024, f1), d);
  texture("linear memory 16 off", of_linear(memory + 4, 1024, f1), d);
  texture("linear memory 32 off", of_linear(memory + 8, 1024, f1), d);
  texture("linear memory 256 off", of_linear(memory + 64, 1024, f1), d);
  texture("linear memory 512 off", of_linear(memory + 128, 1024, f1), d);
  texture("linear memory of 0 bytes", of_linear(memory, 0, f1), d);
  texture("linear memory of 3 bytes", of_linear(memory, 3, f1), d);
  texture("linear memory beyond the allocation", of_linear(memory, 1 << 20, f1),
          d);
  texture("linear memory at the limit", of_linear(memory, (size_t)1 << 28, u8),
          d);
  texture("linear memory above the limit",
          of_linear(memory, ((size_t)1 << 28) + 1, u8), d);
  texture("linear memory three channels", of_linear(memory, 1024, three), d);
  texture("linear memory none", of_linear(memory, 1024, none), d);
  e = d, e.filterMode = cudaFilterModeLinear;
  texture("linear memory linear filter", of_linear(memory, 1024, f1), e);
  e = d, e.normalizedCoords = 1;
  texture("linear memory normalized", of_linear(memory, 1024, f1), e);

  texture("pitched", of_pitched(memory, 16, 4, 512), d);
  texture("pitched by 32", of_pitched(memory, 8, 4, 32), d);
  texture("pitched by 48", of_pitched(memory, 8, 4, 48), d);
  texture("pitched by 36", of_pitched(memory, 8, 4, 36), d);
  texture("pitched narrower than its width", of_pitched(memory, 16, 4, 32), d);
  texture("pitched 4 off", of_pitched(memory + 1, 8, 4, 512), d);
  texture("pitched 32 off", of_pitched(memory + 8, 8, 4, 512), d);
  texture("pitched 256 off", of_pitched(memory + 64, 8, 4, 512), d);
  texture("pitched 512 off", of_pitched(memory + 128, 8, 4, 512), d);
  texture("pitched width 0", of_pitched(memory, 0, 4, 512), d);
  texture("pitched height 0", of_pitched(memory, 8, 0, 512), d);
  texture("pitched null", of_pitched(NULL, 8, 4, 512), d);

  surface("surface plain", of_array(plain));
  surface("surface without its flag", of_array(a));
  surface("surface null", of_array(NULL));
  surface("surface of linear memory", of_linear(memory, 1024, f1));
  texture("texture of a surface array", of_array(plain), d);

  cudaTextureObject_t t = 0;
  cudaResourceDesc r = of_array(a);
  row("create into null", cudaCreateTextureObject(NULL, &r, &d, NULL));
  row("create without resource", cudaCreateTextureObject(&t, NULL, &d, NULL));
  row("create without description",
      cudaCreateTextureObject(&t, &r, NULL, NULL));
  row("destroy 0", cudaDestroyTextureObject(0));
  row("destroy unknown", cudaDestroyTextureObject(12345));
  row("destroy surface 0", cudaDestroySurfaceObject(0));
  row("resource of unknown", cudaGetTextureObjectResourceDesc(&r, 12345));
  cudaCreateTextureObject(&t, &r, &d, NULL);
  cudaResourceViewDesc v;
  row("no view", cudaGetTextureObjectResourceViewDesc(&v, t));
  row("texture description", cudaGetTextureObjectTextureDesc(&e, t));
  row("surface of a texture", cudaGetSurfaceObjectResourceDesc(&r, t));
  row("destroy", cudaDestroyTextureObject(t));
  row("destroy twice", cudaDestroyTextureObject(t));
  row("free null", cudaFreeArray(NULL));

  float host[64];
  row("rows to array",
      cudaMemcpy2DToArray(a, 0, 0, host, 64, 64, 4, cudaMemcpyHostToDevice));
  row("rows too wide",
      cudaMemcpy2DToArray(a, 4, 0, host, 64, 64, 4, cudaMemcpyHostToDevice));
  row("rows too tall",
      cudaMemcpy2DToArray(a, 0, 1, host, 64, 64, 4, cudaMemcpyHostToDevice));
  row("rows not whole elements",
      cudaMemcpy2DToArray(a, 0, 0, host, 64, 62, 4, cudaMemcpyHostToDevice));
  row("rows at half an element",
      cudaMemcpy2DToArray(a, 2, 0, host, 64, 8, 1, cudaMemcpyHostToDevice));
  row("rows with a small pitch",
      cudaMemcpy2DToArray(a, 0, 0, host, 32, 64, 4, cudaMemcpyHostToDevice));
  row("rows the wrong way",
      cudaMemcpy2DToArray(a, 0, 0, host, 64, 64, 4, cudaMemcpyDeviceToHost));
  row("rows of an array",
      cudaMemcpy2DFromArray(host, 64, a, 0, 0, 64, 4, cudaMemcpyDeviceToHost));
  row("array to array", cudaMemcpy2DArrayToArray(plain, 0, 0, a, 0, 0, 64, 4,
                                                 cudaMemcpyDeviceToDevice));
  row("array to array of another element",
      cudaMemcpy2DArrayToArray(u, 0, 0, a, 0, 0, 16, 4,
                               cudaMemcpyDeviceToDevice));
  cudaMemcpy3DParms c = {};
  c.srcPtr = make_cudaPitchedPtr(host, 64, 16, 4);
  c.dstArray = a;
  c.kind = cudaMemcpyHostToDevice;
  c.extent = make_cudaExtent(16, 4, 1);
  row("box to array", cudaMemcpy3D(&c));
  c.extent = make_cudaExtent(64, 4, 1);
  row("box in bytes", cudaMemcpy3D(&c));
  c.extent = make_cudaExtent(16, 4, 2);
  row("box too deep", cudaMemcpy3D(&c));
  c.extent = make_cudaExtent(16, 4, 0);
  row("box of depth 0", cudaMemcpy3D(&c));

  cudaSurfaceObject_t s;
  r = of_array(plain);
  cudaCreateSurfaceObject(&s, &r);
  write_outside<<<1, 1>>>(s);
  row("store outside a surface", cudaDeviceSynchronize());
  return 0;
}
