/* Prints what texture and surface instructions give at coordinates that
 * matter: halfway between texels, at edges, far outside, not a number. Each
 * row is one access: case, coordinates, the four results as bits. The script
 * `compare` sets the software device's rows beside an H200's. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define MUST(call)                                                             \
  do {                                                                         \
    cudaError_t error_ = (call);                                               \
    if (error_ != cudaSuccess) {                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,                       \
              cudaGetErrorString(error_));                                     \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

/* ---- numbers that are the same everywhere ---- */

static unsigned state = 1;

static unsigned next_random()
{
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

static float uniform() { return next_random() / 16777216.0f; }

/* ---- kernels: one thread, one row ---- */

enum fetch_kind {
  FETCH_1D,
  FETCH_2D,
  FETCH_3D,
  FETCH_1D_LAYERED,
  FETCH_2D_LAYERED,
  FETCH_CUBE,
  FETCH_CUBE_LAYERED,
  GATHER_0,
  GATHER_1,
  GATHER_2,
  GATHER_3,
  FETCH_INDEX
};

template <typename T>
__global__ void fetch(cudaTextureObject_t t, fetch_kind kind, const float4 *at,
                      T *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = at[i].x, y = at[i].y, z = at[i].z;
  int layer = (int)at[i].w;
  switch (kind) {
  case FETCH_1D: out[i] = tex1D<T>(t, x); break;
  case FETCH_2D: out[i] = tex2D<T>(t, x, y); break;
  case FETCH_3D: out[i] = tex3D<T>(t, x, y, z); break;
  case FETCH_1D_LAYERED: out[i] = tex1DLayered<T>(t, x, layer); break;
  case FETCH_2D_LAYERED: out[i] = tex2DLayered<T>(t, x, y, layer); break;
  case FETCH_CUBE: out[i] = texCubemap<T>(t, x, y, z); break;
  case FETCH_CUBE_LAYERED:
    out[i] = texCubemapLayered<T>(t, x, y, z, layer);
    break;
  case GATHER_0: out[i] = tex2Dgather<T>(t, x, y, 0); break;
  case GATHER_1: out[i] = tex2Dgather<T>(t, x, y, 1); break;
  case GATHER_2: out[i] = tex2Dgather<T>(t, x, y, 2); break;
  case GATHER_3: out[i] = tex2Dgather<T>(t, x, y, 3); break;
  case FETCH_INDEX: out[i] = tex1Dfetch<T>(t, (int)x); break;
  }
}

__global__ void query(cudaTextureObject_t t, int *out)
{
  asm volatile("txq.width.b32 %0, [%1];" : "=r"(out[0]) : "l"(t));
  asm volatile("txq.height.b32 %0, [%1];" : "=r"(out[1]) : "l"(t));
  asm volatile("txq.depth.b32 %0, [%1];" : "=r"(out[2]) : "l"(t));
}

template <typename T>
__global__ void surface_read(cudaSurfaceObject_t s, const int2 *at, T *out,
                             int n, cudaSurfaceBoundaryMode mode)
{
  int i = threadIdx.x;
  if (i >= n)
    return;
  if (mode == cudaBoundaryModeClamp)
    out[i] =
        surf2Dread<T>(s, at[i].x * sizeof(T), at[i].y, cudaBoundaryModeClamp);
  else
    out[i] =
        surf2Dread<T>(s, at[i].x * sizeof(T), at[i].y, cudaBoundaryModeZero);
}

/* ---- one texture ---- */

struct shape {
  int width, height, depth; /* 0 as in cudaExtent */
  unsigned flags;
};

struct how {
  cudaTextureAddressMode address;
  cudaTextureFilterMode filter;
  cudaTextureReadMode read;
  bool normalized, srgb, seamless;
};

static const char *const address_names[] = { "wrap", "clamp", "mirror",
                                             "border" };

static void fill(cudaArray_t array, const shape &s, const void *texels,
                 size_t bytes)
{
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(const_cast<void *>(texels), s.width * bytes,
                                    s.width, s.height ? s.height : 1);
  copy.dstArray = array;
  copy.extent =
      make_cudaExtent(s.width, s.height ? s.height : 1, s.depth ? s.depth : 1);
  copy.kind = cudaMemcpyHostToDevice;
  MUST(cudaMemcpy3D(&copy));
}

static cudaArray_t make_array(const shape &s, cudaChannelFormatDesc format,
                              const void *texels, size_t bytes)
{
  cudaArray_t array;
  MUST(cudaMalloc3DArray(&array, &format,
                         make_cudaExtent(s.width, s.height, s.depth), s.flags));
  fill(array, s, texels, bytes);
  return array;
}

static cudaTextureObject_t make_texture(cudaArray_t array, const how &h)
{
  cudaResourceDesc resource = {};
  cudaTextureDesc texture = {};
  cudaTextureObject_t object;

  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  for (int i = 0; i < 3; i++)
    texture.addressMode[i] = h.address;
  texture.filterMode = h.filter;
  texture.readMode = h.read;
  texture.normalizedCoords = h.normalized;
  texture.sRGB = h.srgb;
  texture.seamlessCubemap = h.seamless;
  texture.borderColor[0] = 0.25f;
  texture.borderColor[1] = 1.75f;
  texture.borderColor[2] = -3.0f;
  texture.borderColor[3] = 0.5f;
  MUST(cudaCreateTextureObject(&object, &resource, &texture, NULL));
  return object;
}

template <typename T>
static void print_rows(const char *name, cudaTextureObject_t texture,
                       fetch_kind kind, const std::vector<float4> &at)
{
  int n = (int)at.size();
  float4 *places;
  T *results;
  std::vector<T> back(n);

  MUST(cudaMalloc(&places, n * sizeof *places));
  MUST(cudaMalloc(&results, n * sizeof *results));
  MUST(cudaMemcpy(places, at.data(), n * sizeof *places,
                  cudaMemcpyHostToDevice));
  fetch<T><<<(n + 63) / 64, 64>>>(texture, kind, places, results, n);
  MUST(cudaGetLastError());
  MUST(cudaMemcpy(back.data(), results, n * sizeof(T), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) {
    unsigned bits[4];
    memcpy(bits, &back[i], sizeof bits);
    printf("%s,%.9g,%.9g,%.9g,%.9g,%08x,%08x,%08x,%08x\n", name, at[i].x,
           at[i].y, at[i].z, at[i].w, bits[0], bits[1], bits[2], bits[3]);
  }
  MUST(cudaFree(places));
  MUST(cudaFree(results));
}

/* ---- coordinates ---- */

static const float odd_ones[] = {
  -0.0f,       0.0f,       1e-8f,       -1e-8f, 0.5f,  -0.5f, 0.49999997f,
  0.99999994f, 1.0f,       1.5f,        -1.0f,  -1.5f, 2.0f,  2.5f,
  2.9999998f,  7.5f,       7.9999995f,  8.0f,   8.5f,  9.0f,  100.25f,
  -100.25f,    8388608.0f, -8388608.0f, 1e20f,  -1e20f
};
enum { ODD_ONES = sizeof odd_ones / sizeof *odd_ones };

/* Around texel 3, in steps finer than the hardware's 1/256. */
static std::vector<float4> fine_steps(float scale)
{
  std::vector<float4> at;
  for (int k = 0; k <= 40; k++)
    at.push_back(make_float4((3.5f + k / 2048.0f) * scale, 0, 0, 0));
  for (int k = -20; k <= 20; k++)
    at.push_back(make_float4((4.5f + k / 2048.0f) * scale, 0, 0, 0));
  for (int k = -20; k <= 20; k++)
    at.push_back(make_float4((4.0f + k / 2048.0f) * scale, 0, 0, 0));
  for (int k = 0; k < 40; k++)
    at.push_back(make_float4((3.5f + uniform()) * scale, 0, 0, 0));
  return at;
}

static std::vector<float4> odd_places(float sx)
{
  std::vector<float4> at;
  for (int i = 0; i < ODD_ONES; i++)
    at.push_back(
        make_float4(odd_ones[i] * sx, odd_ones[i] * sx, odd_ones[i] * sx, 0));
  at.push_back(make_float4(NAN, 0, 0, 0));
  at.push_back(make_float4(INFINITY, 0, 0, 0));
  at.push_back(make_float4(-INFINITY, 0, 0, 0));
  return at;
}

static std::vector<float4> random_places(int n, float sx, float sy, float sz,
                                         float from, float to)
{
  std::vector<float4> at;
  for (int i = 0; i < n; i++) {
    float x = from + (to - from) * uniform();
    float y = from + (to - from) * uniform();
    float z = from + (to - from) * uniform();
    at.push_back(make_float4(x * sx, y * sy, z * sz,
                             (float)((int)(next_random() % 7) - 2)));
  }
  return at;
}

/* ---- cases ---- */

static std::vector<float4> weights(int n)
{
  std::vector<float4> texels(n);
  for (int i = 0; i < n; i++)
    texels[i] = make_float4(i == 3, (float)i, uniform() * 2 - 1,
                            i == 3 ? 1e30f : uniform());
  return texels;
}

static void one_dimension()
{
  shape s = { 8, 0, 0, 0 };
  std::vector<float4> texels = weights(8);
  cudaArray_t array = make_array(s, cudaCreateChannelDesc<float4>(),
                                 texels.data(), sizeof(float4));
  for (int normalized = 0; normalized < 2; normalized++)
    for (int filter = 0; filter < 2; filter++)
      for (int address = 0; address < 4; address++) {
        how h = { (cudaTextureAddressMode)address,
                  (cudaTextureFilterMode)filter,
                  cudaReadModeElementType,
                  normalized != 0,
                  false,
                  false };
        float scale = normalized ? 1 / 8.0f : 1;
        char name[80];
        snprintf(name, sizeof name, "1d %s %s%s", filter ? "linear" : "point",
                 address_names[address], normalized ? " normalized" : "");
        cudaTextureObject_t t = make_texture(array, h);
        print_rows<float4>(name, t, FETCH_1D, odd_places(scale));
        print_rows<float4>(name, t, FETCH_1D,
                           random_places(24, scale, 1, 1, -10, 20));
        if (address == cudaAddressModeClamp && filter)
          print_rows<float4>(name, t, FETCH_1D, fine_steps(scale));
        MUST(cudaDestroyTextureObject(t));
      }
  MUST(cudaFreeArray(array));
}

static void more_dimensions()
{
  static const struct {
    const char *name;
    shape s;
    fetch_kind kind;
  } dims[] = {
    { "2d", { 5, 4, 0, 0 }, FETCH_2D },
    { "3d", { 5, 4, 3, 0 }, FETCH_3D },
    { "1d layered", { 5, 0, 3, cudaArrayLayered }, FETCH_1D_LAYERED },
    { "2d layered", { 5, 4, 3, cudaArrayLayered }, FETCH_2D_LAYERED },
  };
  for (auto &d : dims) {
    int h1 = d.s.height ? d.s.height : 1, d1 = d.s.depth ? d.s.depth : 1;
    int n = d.s.width * h1 * d1;
    std::vector<float4> texels(n);
    for (int i = 0; i < n; i++)
      texels[i] = make_float4(i == n / 2, uniform(), uniform() * 100 - 50,
                              ldexpf(uniform(), i % 40 - 20));
    cudaArray_t array = make_array(d.s, cudaCreateChannelDesc<float4>(),
                                   texels.data(), sizeof(float4));
    for (int normalized = 0; normalized < 2; normalized++)
      for (int filter = 0; filter < 2; filter++)
        for (int address = 0; address < 4; address++) {
          if (!normalized && (address == 0 || address == 2))
            continue;
          how h = { (cudaTextureAddressMode)address,
                    (cudaTextureFilterMode)filter,
                    cudaReadModeElementType,
                    normalized != 0,
                    false,
                    false };
          char name[80];
          snprintf(name, sizeof name, "%s %s %s%s", d.name,
                   filter ? "linear" : "point", address_names[address],
                   normalized ? " normalized" : "");
          cudaTextureObject_t t = make_texture(array, h);
          float sx = normalized ? 1.0f / d.s.width : 1;
          float sy = normalized ? 1.0f / h1 : 1;
          float sz = normalized ? 1.0f / d1 : 1;
          print_rows<float4>(name, t, d.kind,
                             random_places(48, sx, sy, sz, -2, 7));
          MUST(cudaDestroyTextureObject(t));
        }
    MUST(cudaFreeArray(array));
  }
}

template <typename T, int N>
static void format_case(const char *name, cudaChannelFormatDesc format,
                        cudaTextureReadMode read, bool srgb)
{
  shape s = { 16, 4, 0, 0 };
  std::vector<T> texels(16 * 4 * N);
  for (size_t i = 0; i < texels.size(); i++)
    texels[i] = (T)next_random();
  texels[0] = 0;
  texels[N] = (T)((T) ~(T)0);
  texels[2 * N] = (T)((T)1 << (sizeof(T) * 8 - 1));
  texels[3 * N] = (T)(texels[2 * N] - 1);
  texels[4 * N] = (T)(texels[2 * N] + 1);
  cudaArray_t array = make_array(s, format, texels.data(), N * sizeof(T));
  std::vector<float4> all, some = random_places(32, 1, 1, 1, 0, 5);
  for (int i = 0; i < 64; i++)
    all.push_back(make_float4(i % 16 + 0.5f, i / 16 + 0.5f, 0, 0));
  for (int filter = 0; filter < 2; filter++)
    for (int border = 0; border < 2; border++) {
      bool floats = read == cudaReadModeNormalizedFloat ||
                    format.f == cudaChannelFormatKindFloat;
      if (filter && !floats)
        continue;
      how h = { border ? cudaAddressModeBorder : cudaAddressModeClamp,
                (cudaTextureFilterMode)filter,
                read,
                false,
                srgb,
                false };
      char full[80];
      snprintf(full, sizeof full, "%s %s%s", name, filter ? "linear" : "point",
               border ? " border" : "");
      cudaTextureObject_t t = make_texture(array, h);
      std::vector<float4> at = border   ? random_places(6, 1, 1, 1, -4, 0)
                               : filter ? some
                                        : all;
      if (floats)
        print_rows<float4>(full, t, FETCH_2D, at);
      else if (format.f == cudaChannelFormatKindSigned)
        print_rows<int4>(full, t, FETCH_2D, at);
      else
        print_rows<uint4>(full, t, FETCH_2D, at);
      MUST(cudaDestroyTextureObject(t));
    }
  MUST(cudaFreeArray(array));
}

static void formats()
{
  const cudaTextureReadMode plain = cudaReadModeElementType,
                            norm = cudaReadModeNormalizedFloat;
  const cudaChannelFormatKind u = cudaChannelFormatKindUnsigned,
                              s = cudaChannelFormatKindSigned,
                              f = cudaChannelFormatKindFloat;
  format_case<unsigned char, 1>("u8", cudaCreateChannelDesc(8, 0, 0, 0, u),
                                plain, false);
  format_case<unsigned char, 4>("u8x4", cudaCreateChannelDesc(8, 8, 8, 8, u),
                                plain, false);
  format_case<unsigned char, 2>("s8x2", cudaCreateChannelDesc(8, 8, 0, 0, s),
                                plain, false);
  format_case<unsigned short, 1>("s16", cudaCreateChannelDesc(16, 0, 0, 0, s),
                                 plain, false);
  format_case<unsigned short, 4>(
      "u16x4", cudaCreateChannelDesc(16, 16, 16, 16, u), plain, false);
  format_case<unsigned, 2>("s32x2", cudaCreateChannelDesc(32, 32, 0, 0, s),
                           plain, false);
  format_case<unsigned char, 1>(
      "u8 normalized", cudaCreateChannelDesc(8, 0, 0, 0, u), norm, false);
  format_case<unsigned char, 4>(
      "u8x4 normalized", cudaCreateChannelDesc(8, 8, 8, 8, u), norm, false);
  format_case<unsigned char, 4>(
      "s8x4 normalized", cudaCreateChannelDesc(8, 8, 8, 8, s), norm, false);
  format_case<unsigned short, 2>(
      "u16x2 normalized", cudaCreateChannelDesc(16, 16, 0, 0, u), norm, false);
  format_case<unsigned short, 4>("s16x4 normalized",
                                 cudaCreateChannelDesc(16, 16, 16, 16, s), norm,
                                 false);
  format_case<unsigned char, 4>("srgb", cudaCreateChannelDesc(8, 8, 8, 8, u),
                                norm, true);
  format_case<unsigned short, 4>(
      "f16x4", cudaCreateChannelDesc(16, 16, 16, 16, f), plain, false);
  format_case<unsigned short, 1>("f16", cudaCreateChannelDesc(16, 0, 0, 0, f),
                                 plain, false);
}

static void gathers()
{
  shape s = { 5, 4, 0, cudaArrayTextureGather };
  std::vector<float4> texels(20);
  for (int i = 0; i < 20; i++)
    texels[i] = make_float4(i, i + 100, i + 200, i + 300);
  cudaArray_t array = make_array(s, cudaCreateChannelDesc<float4>(),
                                 texels.data(), sizeof(float4));
  for (int address = 0; address < 4; address++)
    for (int filter = 0; filter < 2; filter++)
      for (int component = 0; component < (address ? 1 : 4); component++) {
        how h = { (cudaTextureAddressMode)address,
                  (cudaTextureFilterMode)filter,
                  cudaReadModeElementType,
                  true,
                  false,
                  false };
        char name[80];
        snprintf(name, sizeof name, "gather %d %s %s", component,
                 filter ? "linear" : "point", address_names[address]);
        cudaTextureObject_t t = make_texture(array, h);
        print_rows<float4>(name, t, (fetch_kind)(GATHER_0 + component),
                           random_places(24, 1 / 5.0f, 1 / 4.0f, 1, -2, 7));
        std::vector<float4> at;
        for (int k = -6; k <= 6; k++)
          at.push_back(make_float4((2.5f + k / 1024.0f) / 5, 0.5f, 0, 0));
        print_rows<float4>(name, t, (fetch_kind)(GATHER_0 + component), at);
        MUST(cudaDestroyTextureObject(t));
      }
  MUST(cudaFreeArray(array));
}

static void cubes()
{
  for (int layered = 0; layered < 2; layered++) {
    shape s = { 4, 4, layered ? 12 : 6,
                cudaArrayCubemap | (layered ? cudaArrayLayered : 0u) };
    int n = 16 * s.depth;
    std::vector<float4> texels(n);
    for (int i = 0; i < n; i++)
      texels[i] = make_float4((float)i, i / 16, uniform(), 1);
    cudaArray_t array = make_array(s, cudaCreateChannelDesc<float4>(),
                                   texels.data(), sizeof(float4));
    for (int filter = 0; filter < 2; filter++)
      for (int seamless = 0; seamless < 2; seamless++) {
        how h = { cudaAddressModeClamp,
                  (cudaTextureFilterMode)filter,
                  cudaReadModeElementType,
                  true,
                  false,
                  seamless != 0 };
        char name[80];
        snprintf(name, sizeof name, "cube%s %s%s", layered ? " layered" : "",
                 filter ? "linear" : "point", seamless ? " seamless" : "");
        cudaTextureObject_t t = make_texture(array, h);
        std::vector<float4> at = random_places(64, 1, 1, 1, -1, 1);
        for (int i = 0; i < 27; i++)
          at.push_back(make_float4(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1, 0));
        for (int i = 0; i < 24; i++)
          at.push_back(make_float4(1.0f, -1 + i / 12.0f, 0.3f, 1));
        for (auto &a : at)
          if (a.x == 0 && a.y == 0 && a.z == 0)
            a.x = 5;
        print_rows<float4>(name, t, layered ? FETCH_CUBE_LAYERED : FETCH_CUBE,
                           at);
        MUST(cudaDestroyTextureObject(t));
      }
    MUST(cudaFreeArray(array));
  }
}

/* cudaResourceTypeLinear: out-of-range indices give zeros. */
static void linear_memory()
{
  float texels[32], *memory;
  cudaResourceDesc resource = {};
  cudaTextureDesc texture = {};
  cudaTextureObject_t t;
  std::vector<float4> at;

  for (int i = 0; i < 32; i++)
    texels[i] = i + 0.5f;
  MUST(cudaMalloc(&memory, sizeof texels));
  MUST(cudaMemcpy(memory, texels, sizeof texels, cudaMemcpyHostToDevice));
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = 30 * sizeof(float);
  MUST(cudaCreateTextureObject(&t, &resource, &texture, NULL));
  for (int i = -3; i < 36; i++)
    at.push_back(make_float4(i, 0, 0, 0));
  at.push_back(make_float4(-2147483648.0f, 0, 0, 0));
  at.push_back(make_float4(134217728.0f, 0, 0, 0));
  print_rows<float4>("linear memory", t, FETCH_INDEX, at);
  MUST(cudaDestroyTextureObject(t));
  MUST(cudaFree(memory));
}

static void pitched_memory()
{
  float *memory;
  size_t pitch;
  cudaResourceDesc resource = {};
  cudaTextureDesc texture = {};
  cudaTextureObject_t t;
  float texels[4][5];

  for (int i = 0; i < 20; i++)
    texels[i / 5][i % 5] = uniform();
  MUST(cudaMallocPitch(&memory, &pitch, 5 * sizeof(float), 4));
  MUST(cudaMemcpy2D(memory, pitch, texels, sizeof texels[0], sizeof texels[0],
                    4, cudaMemcpyHostToDevice));
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = memory;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  resource.res.pitch2D.width = 5;
  resource.res.pitch2D.height = 4;
  resource.res.pitch2D.pitchInBytes = pitch;
  for (int address = 0; address < 4; address++)
    for (int filter = 0; filter < 2; filter++) {
      char name[80];
      snprintf(name, sizeof name, "pitched %s %s", filter ? "linear" : "point",
               address_names[address]);
      texture.addressMode[0] = texture.addressMode[1] =
          (cudaTextureAddressMode)address;
      texture.filterMode = (cudaTextureFilterMode)filter;
      texture.normalizedCoords = 1;
      MUST(cudaCreateTextureObject(&t, &resource, &texture, NULL));
      print_rows<float4>(name, t, FETCH_2D,
                         random_places(24, 1 / 5.0f, 1 / 4.0f, 1, -2, 7));
      MUST(cudaDestroyTextureObject(t));
    }
  MUST(cudaFree(memory));
}

template <typename T>
static void surface_rows(const char *type, cudaSurfaceObject_t s)
{
  std::vector<int2> at;
  for (int y = -2; y < 6; y++)
    for (int x = -2; x < 8; x += 3)
      at.push_back(make_int2(x, y));
  at.push_back(make_int2(8, 0));
  int n = (int)at.size();
  int2 *places;
  T *results;
  std::vector<T> back(n);
  MUST(cudaMalloc(&places, n * sizeof *places));
  MUST(cudaMalloc(&results, n * sizeof *results));
  MUST(cudaMemcpy(places, at.data(), n * sizeof *places,
                  cudaMemcpyHostToDevice));
  for (int clamp = 0; clamp < 2; clamp++) {
    surface_read<T>
        <<<1, 64>>>(s, places, results, n,
                    clamp ? cudaBoundaryModeClamp : cudaBoundaryModeZero);
    MUST(cudaMemcpy(back.data(), results, n * sizeof(T),
                    cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
      unsigned bits[4] = {};
      memcpy(bits, &back[i], sizeof(T));
      printf("surface %s %s,%d,%d,0,0,%08x,%08x,%08x,%08x\n", type,
             clamp ? "clamp" : "zero", at[i].x, at[i].y, bits[0], bits[1],
             bits[2], bits[3]);
    }
  }
  MUST(cudaFree(places));
  MUST(cudaFree(results));
}

static void surfaces()
{
  shape s = { 5, 4, 0, cudaArraySurfaceLoadStore };
  std::vector<unsigned> texels(20);
  for (int i = 0; i < 20; i++)
    texels[i] = next_random() << 8 | i;
  cudaArray_t array =
      make_array(s, cudaCreateChannelDesc<unsigned>(), texels.data(), 4);
  cudaResourceDesc resource = {};
  cudaSurfaceObject_t object;
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  MUST(cudaCreateSurfaceObject(&object, &resource));
  surface_rows<unsigned>("u32", object);
  surface_rows<unsigned char>("u8", object);
  MUST(cudaDestroySurfaceObject(object));
  MUST(cudaFreeArray(array));
}

static void queries()
{
  static const struct {
    const char *name;
    shape s;
  } dims[] = {
    { "query 1d", { 8, 0, 0, 0 } },
    { "query 2d", { 5, 4, 0, 0 } },
    { "query 3d", { 5, 4, 3, 0 } },
    { "query 2d layered", { 5, 4, 3, cudaArrayLayered } },
  };
  for (auto &d : dims) {
    std::vector<float> texels(5 * 4 * 3);
    int *out, back[3];
    cudaArray_t array = make_array(d.s, cudaCreateChannelDesc<float>(),
                                   texels.data(), sizeof(float));
    how h = { cudaAddressModeClamp,
              cudaFilterModePoint,
              cudaReadModeElementType,
              false,
              false,
              false };
    cudaTextureObject_t t = make_texture(array, h);
    MUST(cudaMalloc(&out, sizeof back));
    query<<<1, 1>>>(t, out);
    MUST(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
    printf("%s,0,0,0,0,%08x,%08x,%08x,0\n", d.name, back[0], back[1], back[2]);
    MUST(cudaFree(out));
    MUST(cudaDestroyTextureObject(t));
    MUST(cudaFreeArray(array));
  }
}

int main(int argc, char **argv)
{
  static const struct {
    const char *name;
    void (*print)();
  } parts[] = {
    { "1d", one_dimension },
    { "2d", more_dimensions },
    { "formats", formats },
    { "gather", gathers },
    { "cube", cubes },
    { "linear", linear_memory },
    { "pitched", pitched_memory },
    { "surface", surfaces },
    { "query", queries },
  };
  printf("case,x,y,z,layer,r,g,b,a\n");
  for (auto &part : parts) {
    state = 1; /* a part's numbers do not depend on the others */
    if (argc < 2 || strcmp(argv[1], part.name) == 0)
      part.print();
  }
  return 0;
}
