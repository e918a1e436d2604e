/* Fetches from texture objects and accesses to surface objects. In the order
 * of the CUDA C++ Programming Guide. A fetch gives four numbers of 32 bits, of
 * which the type takes its first ones. */
#ifndef SOFTDEVICE_TEXTURE_H
#define SOFTDEVICE_TEXTURE_H

/* --- types --------------------------------------------------------------- */

/* What a fetch for a type gives: of which kind, and how it becomes the type. */
struct softdevice_texel_s {
  int x, y, z, w;
};
struct softdevice_texel_u {
  unsigned int x, y, z, w;
};
struct softdevice_texel_f {
  float x, y, z, w;
};
template <typename T> struct softdevice_texel;

#define SOFTDEVICE_TEXEL(T, kind, ...)                                         \
  template <> struct softdevice_texel<T> {                                     \
    typedef softdevice_texel_##kind texel;                                     \
    SOFTDEVICE_OWN static __device__ T of(texel t) { return { __VA_ARGS__ }; } \
  };
#define SOFTDEVICE_TEXELS(name, type, kind)                                    \
  SOFTDEVICE_TEXEL(type, kind, (type)t.x)                                      \
  SOFTDEVICE_TEXEL(name##1, kind, (type)t.x)                                   \
  SOFTDEVICE_TEXEL(name##2, kind, (type)t.x, (type)t.y)                        \
  SOFTDEVICE_TEXEL(name##4, kind, (type)t.x, (type)t.y, (type)t.z, (type)t.w)
SOFTDEVICE_TEXELS(char, signed char, s)
SOFTDEVICE_TEXEL(char, s, (char)t.x)
SOFTDEVICE_TEXELS(uchar, unsigned char, u)
SOFTDEVICE_TEXELS(short, short, s)
SOFTDEVICE_TEXELS(ushort, unsigned short, u)
SOFTDEVICE_TEXELS(int, int, s)
SOFTDEVICE_TEXELS(uint, unsigned int, u)
SOFTDEVICE_TEXELS(float, float, f)
#undef SOFTDEVICE_TEXELS
#undef SOFTDEVICE_TEXEL

/* --- fetches ------------------------------------------------------------- */

/* The same fetch for the three kinds of texels: softdevice_NAME(&texel, …). */
#define SOFTDEVICE_FETCH_KIND(name, parameters, kind, type, letter, form,      \
                              place, ...)                                      \
  SOFTDEVICE_CALL void softdevice_##name(softdevice_texel_##kind *t,           \
                                         cudaTextureObject_t texture,          \
                                         SOFTDEVICE_LIST parameters)           \
  {                                                                            \
    asm volatile("tex." form ".v4." type "." place                             \
                 : "=" letter(t->x), "=" letter(t->y), "=" letter(t->z),       \
                   "=" letter(t->w)                                            \
                 : "l"(texture), __VA_ARGS__);                                 \
  }
#define SOFTDEVICE_LIST(...) __VA_ARGS__
#define SOFTDEVICE_FETCH(name, parameters, names, form, place, ...)            \
  SOFTDEVICE_FETCH_KIND(name, parameters, s, "s32", "r", form, place,          \
                        __VA_ARGS__)                                           \
  SOFTDEVICE_FETCH_KIND(name, parameters, u, "u32", "r", form, place,          \
                        __VA_ARGS__)                                           \
  SOFTDEVICE_FETCH_KIND(name, parameters, f, "f32", "f", form, place,          \
                        __VA_ARGS__)                                           \
  template <typename T>                                                        \
  SOFTDEVICE_CALL T name(cudaTextureObject_t texture,                          \
                         SOFTDEVICE_LIST parameters)                           \
  {                                                                            \
    typename softdevice_texel<T>::texel texel;                                 \
    softdevice_##name(&texel, texture, SOFTDEVICE_LIST names);                 \
    return softdevice_texel<T>::of(texel);                                     \
  }                                                                            \
  template <typename T>                                                        \
  SOFTDEVICE_CALL void name(T *result, cudaTextureObject_t texture,            \
                            SOFTDEVICE_LIST parameters)                        \
  {                                                                            \
    *result = name<T>(texture, SOFTDEVICE_LIST names);                         \
  }

SOFTDEVICE_FETCH(tex1Dfetch, (int x), (x), "1d",
                 "s32 {%0, %1, %2, %3}, [%4, {%5}];", "r"(x))
SOFTDEVICE_FETCH(tex1D, (float x), (x), "1d",
                 "f32 {%0, %1, %2, %3}, [%4, {%5}];", "f"(x))
SOFTDEVICE_FETCH(tex1DLod, (float x, float level), (x, level), "level.1d",
                 "f32 {%0, %1, %2, %3}, [%4, {%5}], %6;", "f"(x), "f"(level))
SOFTDEVICE_FETCH(tex2D, (float x, float y), (x, y), "2d",
                 "f32 {%0, %1, %2, %3}, [%4, {%5, %6}];", "f"(x), "f"(y))
SOFTDEVICE_FETCH(tex2DLod, (float x, float y, float level), (x, y, level),
                 "level.2d", "f32 {%0, %1, %2, %3}, [%4, {%5, %6}], %7;",
                 "f"(x), "f"(y), "f"(level))
SOFTDEVICE_FETCH(tex3D, (float x, float y, float z), (x, y, z), "3d",
                 "f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];", "f"(x),
                 "f"(y), "f"(z))
SOFTDEVICE_FETCH(tex1DLayered, (float x, int layer), (x, layer), "a1d",
                 "f32 {%0, %1, %2, %3}, [%4, {%5, %6}];", "r"(layer), "f"(x))
SOFTDEVICE_FETCH(tex2DLayered, (float x, float y, int layer), (x, y, layer),
                 "a2d", "f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];",
                 "r"(layer), "f"(x), "f"(y))
SOFTDEVICE_FETCH(texCubemap, (float x, float y, float z), (x, y, z), "cube",
                 "f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];", "f"(x),
                 "f"(y), "f"(z))

#undef SOFTDEVICE_FETCH
#undef SOFTDEVICE_FETCH_KIND

/* --- surfaces ------------------------------------------------------------ */

/* x counts bytes. Elements are moved as 1, 2 or 4 numbers of their width; what
 * is outside is as `mode` says: an error, the nearest element, or zeros. */
enum cudaSurfaceBoundaryMode {
  cudaBoundaryModeZero,
  cudaBoundaryModeClamp,
  cudaBoundaryModeTrap
};

template <size_t BYTES> struct softdevice_surface;

#define SOFTDEVICE_SURFACE_MODE(mode, before, after, ...)                      \
  if ((mode) == cudaBoundaryModeZero)                                          \
    asm volatile(before ".zero " after __VA_ARGS__ : "memory");                \
  else if ((mode) == cudaBoundaryModeClamp)                                    \
    asm volatile(before ".clamp " after __VA_ARGS__ : "memory");               \
  else                                                                         \
    asm volatile(before ".trap " after __VA_ARGS__ : "memory")

#define SOFTDEVICE_SURFACE_1(bytes, bits, type, letter)                        \
  template <> struct softdevice_surface<bytes> {                               \
    typedef type moved;                                                        \
    SOFTDEVICE_OWN static __device__ void load(moved *v, unsigned long long s, \
                                               int x, int mode)                \
    {                                                                          \
      SOFTDEVICE_SURFACE_MODE(mode, "suld.b.1d.b" bits, "%0, [%1, {%2}];",     \
                              : "=" letter(*v)                                 \
                              : "l"(s), "r"(x));                               \
    }                                                                          \
    SOFTDEVICE_OWN static __device__ void load(moved *v, unsigned long long s, \
                                               int x, int y, int mode)         \
    {                                                                          \
      SOFTDEVICE_SURFACE_MODE(mode, "suld.b.2d.b" bits, "%0, [%1, {%2, %3}];", \
                              : "=" letter(*v)                                 \
                              : "l"(s), "r"(x), "r"(y));                       \
    }                                                                          \
    SOFTDEVICE_OWN static __device__ void store(moved v, unsigned long long s, \
                                                int x, int mode)               \
    {                                                                          \
      SOFTDEVICE_SURFACE_MODE(mode, "sust.b.1d.b" bits, "[%1, {%2}], %0;",     \
                              ::letter(v), "l"(s), "r"(x));                    \
    }                                                                          \
    SOFTDEVICE_OWN static __device__ void store(moved v, unsigned long long s, \
                                                int x, int y, int mode)        \
    {                                                                          \
      SOFTDEVICE_SURFACE_MODE(mode, "sust.b.2d.b" bits, "[%1, {%2, %3}], %0;", \
                              ::letter(v), "l"(s), "r"(x), "r"(y));            \
    }                                                                          \
  };
SOFTDEVICE_SURFACE_1(1, "8", unsigned short, "h")
SOFTDEVICE_SURFACE_1(2, "16", unsigned short, "h")
SOFTDEVICE_SURFACE_1(4, "32", unsigned int, "r")
SOFTDEVICE_SURFACE_1(8, "64", unsigned long long, "l")
#undef SOFTDEVICE_SURFACE_1

template <> struct softdevice_surface<16> {
  typedef uint4 moved;
  SOFTDEVICE_OWN static __device__ void load(moved *v, unsigned long long s,
                                             int x, int y, int mode)
  {
    SOFTDEVICE_SURFACE_MODE(mode, "suld.b.2d.v4.b32",
                            "{%0, %1, %2, %3}, [%4, {%5, %6}];",
                            : "=r"(v->x), "=r"(v->y), "=r"(v->z), "=r"(v->w)
                            : "l"(s), "r"(x), "r"(y));
  }
  SOFTDEVICE_OWN static __device__ void store(moved v, unsigned long long s,
                                              int x, int y, int mode)
  {
    SOFTDEVICE_SURFACE_MODE(
        mode, "sust.b.2d.v4.b32", "[%4, {%5, %6}], {%0, %1, %2, %3};",
        ::"r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w), "l"(s), "r"(x), "r"(y));
  }
};
#undef SOFTDEVICE_SURFACE_MODE

template <typename T>
SOFTDEVICE_CALL T
softdevice_from_surface(typename softdevice_surface<sizeof(T)>::moved v)
{
  T result;
  __builtin_memcpy(&result, &v, sizeof result);
  return result;
}
template <typename T>
SOFTDEVICE_CALL typename softdevice_surface<sizeof(T)>::moved
softdevice_to_surface(T value)
{
  typename softdevice_surface<sizeof(T)>::moved v = {};
  __builtin_memcpy(&v, &value, sizeof value);
  return v;
}

template <typename T>
SOFTDEVICE_CALL T
surf1Dread(cudaSurfaceObject_t surface, int x,
           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)
{
  typename softdevice_surface<sizeof(T)>::moved v;
  softdevice_surface<sizeof(T)>::load(&v, surface, x, (int)mode);
  return softdevice_from_surface<T>(v);
}
template <typename T>
SOFTDEVICE_CALL void
surf1Dwrite(T value, cudaSurfaceObject_t surface, int x,
            cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)
{
  softdevice_surface<sizeof(T)>::store(softdevice_to_surface(value), surface, x,
                                       (int)mode);
}
template <typename T>
SOFTDEVICE_CALL T
surf2Dread(cudaSurfaceObject_t surface, int x, int y,
           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)
{
  typename softdevice_surface<sizeof(T)>::moved v;
  softdevice_surface<sizeof(T)>::load(&v, surface, x, y, (int)mode);
  return softdevice_from_surface<T>(v);
}
template <typename T>
SOFTDEVICE_CALL void
surf2Dread(T *result, cudaSurfaceObject_t surface, int x, int y,
           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)
{
  *result = surf2Dread<T>(surface, x, y, mode);
}
template <typename T>
SOFTDEVICE_CALL void
surf2Dwrite(T value, cudaSurfaceObject_t surface, int x, int y,
            cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)
{
  softdevice_surface<sizeof(T)>::store(softdevice_to_surface(value), surface, x,
                                       y, (int)mode);
}

#endif
