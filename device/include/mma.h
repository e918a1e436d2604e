/* Products of matrices by a warp: nvcuda::wmma for tiles of 16 x 16 x 16, with
 * half or bfloat16 to multiply and float to add up, or half for half. In the
 * order of the CUDA C++ Programming Guide. Other shapes and types of the guide
 * are not here; a program that names one doesn't compile. */
#ifndef SOFTDEVICE_MMA_H
#define SOFTDEVICE_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda
{
namespace wmma
{

struct row_major {
};
struct col_major {
};
struct matrix_a {
};
struct matrix_b {
};
struct accumulator {
};
enum layout_t { mem_row_major, mem_col_major };

/* A lane's part of a tile. */
template <typename USE, int M, int N, int K, typename T, typename LAYOUT = void>
struct fragment;

template <typename T, int N> struct softdevice_elements {
  enum { num_elements = N, num_storage_elements = N };
  typedef T element_type;
  T x[N];
};

#define SOFTDEVICE_FRAGMENT(USE, T, LAYOUT, n)                                 \
  template <>                                                                  \
  struct fragment<USE, 16, 16, 16, T, LAYOUT> : softdevice_elements<T, n> {    \
  };

/* Loads and products of one kind of numbers: `n` registers hold a part of A
 * or B, `registers` and `outputs` name them in inline PTX. */
#define SOFTDEVICE_LOAD(USE, letter, T, LAYOUT, layout, type, to, address,     \
                        ...)                                                   \
  SOFTDEVICE_CALL void load_matrix_sync(                                       \
      fragment<USE, 16, 16, 16, T, LAYOUT> &f, const T *from,                  \
      unsigned int stride)                                                     \
  {                                                                            \
    unsigned int *r = reinterpret_cast<unsigned int *>(f.x);                   \
    asm volatile("wmma.load." letter ".sync.aligned." layout                   \
                 ".m16n16k16." type " {" to "}, [" address:__VA_ARGS__         \
                 : "l"(from), "r"(stride)                                      \
                 : "memory");                                                  \
  }
#define SOFTDEVICE_LOADS(T, type, n, to, address, ...)                         \
  SOFTDEVICE_FRAGMENT(matrix_a, T, row_major, n)                               \
  SOFTDEVICE_FRAGMENT(matrix_a, T, col_major, n)                               \
  SOFTDEVICE_FRAGMENT(matrix_b, T, row_major, n)                               \
  SOFTDEVICE_FRAGMENT(matrix_b, T, col_major, n)                               \
  SOFTDEVICE_LOAD(matrix_a, "a", T, row_major, "row", type, to, address,       \
                  __VA_ARGS__)                                                 \
  SOFTDEVICE_LOAD(matrix_a, "a", T, col_major, "col", type, to, address,       \
                  __VA_ARGS__)                                                 \
  SOFTDEVICE_LOAD(matrix_b, "b", T, row_major, "row", type, to, address,       \
                  __VA_ARGS__)                                                 \
  SOFTDEVICE_LOAD(matrix_b, "b", T, col_major, "col", type, to, address,       \
                  __VA_ARGS__)

#define SOFTDEVICE_OUT_4 "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
#define SOFTDEVICE_OUT_8                                                       \
  SOFTDEVICE_OUT_4, "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7])

SOFTDEVICE_LOADS(__half, "f16", 16, "%0, %1, %2, %3, %4, %5, %6, %7",
                 "%8], %9;", SOFTDEVICE_OUT_8)
SOFTDEVICE_LOADS(__nv_bfloat16, "bf16", 8, "%0, %1, %2, %3", "%4], %5;",
                 SOFTDEVICE_OUT_4)
#undef SOFTDEVICE_LOADS
#undef SOFTDEVICE_LOAD

/* --- accumulators -------------------------------------------------------- */

SOFTDEVICE_FRAGMENT(accumulator, float, void, 8)
SOFTDEVICE_FRAGMENT(accumulator, __half, void, 8)
#undef SOFTDEVICE_FRAGMENT

template <typename FRAGMENT, typename T>
SOFTDEVICE_CALL void fill_fragment(FRAGMENT &f, T value)
{
  for (int i = 0; i < FRAGMENT::num_elements; i++)
    f.x[i] = (typename FRAGMENT::element_type)value;
}

#define SOFTDEVICE_MOVE_FLOATS(layout)                                         \
  SOFTDEVICE_CALL void softdevice_load_##layout(float *r, const float *from,   \
                                                unsigned int stride)           \
  {                                                                            \
    asm volatile("wmma.load.c.sync.aligned." #layout ".m16n16k16.f32 "         \
                 "{%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"                 \
                 : "=f"(r[0]), "=f"(r[1]), "=f"(r[2]), "=f"(r[3]), "=f"(r[4]), \
                   "=f"(r[5]), "=f"(r[6]), "=f"(r[7])                          \
                 : "l"(from), "r"(stride)                                      \
                 : "memory");                                                  \
  }                                                                            \
  SOFTDEVICE_CALL void softdevice_store_##layout(float *to, const float *r,    \
                                                 unsigned int stride)          \
  {                                                                            \
    asm volatile("wmma.store.d.sync.aligned." #layout ".m16n16k16.f32 [%8], "  \
                 "{%0, %1, %2, %3, %4, %5, %6, %7}, %9;" ::"f"(r[0]),          \
                 "f"(r[1]), "f"(r[2]), "f"(r[3]), "f"(r[4]), "f"(r[5]),        \
                 "f"(r[6]), "f"(r[7]), "l"(to), "r"(stride)                    \
                 : "memory");                                                  \
  }                                                                            \
  SOFTDEVICE_CALL void softdevice_load_##layout(__half *f, const __half *from, \
                                                unsigned int stride)           \
  {                                                                            \
    unsigned int *r = reinterpret_cast<unsigned int *>(f);                     \
    asm volatile("wmma.load.c.sync.aligned." #layout ".m16n16k16.f16 "         \
                 "{%0, %1, %2, %3}, [%4], %5;"                                 \
                 : SOFTDEVICE_OUT_4                                            \
                 : "l"(from), "r"(stride)                                      \
                 : "memory");                                                  \
  }                                                                            \
  SOFTDEVICE_CALL void softdevice_store_##layout(__half *to, const __half *f,  \
                                                 unsigned int stride)          \
  {                                                                            \
    const unsigned int *r = reinterpret_cast<const unsigned int *>(f);         \
    asm volatile("wmma.store.d.sync.aligned." #layout ".m16n16k16.f16 [%4], "  \
                 "{%0, %1, %2, %3}, %5;" ::"r"(r[0]),                          \
                 "r"(r[1]), "r"(r[2]), "r"(r[3]), "l"(to), "r"(stride)         \
                 : "memory");                                                  \
  }
SOFTDEVICE_MOVE_FLOATS(row)
SOFTDEVICE_MOVE_FLOATS(col)
#undef SOFTDEVICE_MOVE_FLOATS

template <typename T>
SOFTDEVICE_CALL void load_matrix_sync(fragment<accumulator, 16, 16, 16, T> &f,
                                      const T *from, unsigned int stride,
                                      layout_t layout)
{
  if (layout == mem_row_major)
    softdevice_load_row(f.x, from, stride);
  else
    softdevice_load_col(f.x, from, stride);
}
template <typename T>
SOFTDEVICE_CALL void
store_matrix_sync(T *to, const fragment<accumulator, 16, 16, 16, T> &f,
                  unsigned int stride, layout_t layout)
{
  if (layout == mem_row_major)
    softdevice_store_row(to, f.x, stride);
  else
    softdevice_store_col(to, f.x, stride);
}

/* --- products ------------------------------------------------------------ */

#define SOFTDEVICE_IN(array, i) "r"(array[i])
#define SOFTDEVICE_IN_4(array)                                                 \
  SOFTDEVICE_IN(array, 0), SOFTDEVICE_IN(array, 1), SOFTDEVICE_IN(array, 2),   \
      SOFTDEVICE_IN(array, 3)
#define SOFTDEVICE_IN_8(array)                                                 \
  SOFTDEVICE_IN_4(array), SOFTDEVICE_IN(array, 4), SOFTDEVICE_IN(array, 5),    \
      SOFTDEVICE_IN(array, 6), SOFTDEVICE_IN(array, 7)
#define SOFTDEVICE_PRODUCT(T, A, a_layout, B, b_layout, types, in, operands)   \
  SOFTDEVICE_CALL void mma_sync(                                               \
      fragment<accumulator, 16, 16, 16, float> &d,                             \
      const fragment<matrix_a, 16, 16, 16, T, A> &a_part,                      \
      const fragment<matrix_b, 16, 16, 16, T, B> &b_part,                      \
      const fragment<accumulator, 16, 16, 16, float> &c)                       \
  {                                                                            \
    const unsigned int *a = reinterpret_cast<const unsigned int *>(a_part.x);  \
    const unsigned int *b = reinterpret_cast<const unsigned int *>(b_part.x);  \
    asm volatile(                                                              \
        "wmma.mma.sync.aligned." a_layout "." b_layout ".m16n16k16." types     \
        " {%0, %1, %2, %3, %4, %5, %6, %7}, " operands                         \
        : "=f"(d.x[0]), "=f"(d.x[1]), "=f"(d.x[2]), "=f"(d.x[3]),              \
          "=f"(d.x[4]), "=f"(d.x[5]), "=f"(d.x[6]), "=f"(d.x[7])               \
        : in(a), in(b), "f"(c.x[0]), "f"(c.x[1]), "f"(c.x[2]), "f"(c.x[3]),    \
          "f"(c.x[4]), "f"(c.x[5]), "f"(c.x[6]), "f"(c.x[7]));                 \
  }
#define SOFTDEVICE_PRODUCTS(T, types, in, operands)                            \
  SOFTDEVICE_PRODUCT(T, row_major, "row", row_major, "row", types, in,         \
                     operands)                                                 \
  SOFTDEVICE_PRODUCT(T, row_major, "row", col_major, "col", types, in,         \
                     operands)                                                 \
  SOFTDEVICE_PRODUCT(T, col_major, "col", row_major, "row", types, in,         \
                     operands)                                                 \
  SOFTDEVICE_PRODUCT(T, col_major, "col", col_major, "col", types, in, operands)

SOFTDEVICE_PRODUCTS(__half, "f32.f32", SOFTDEVICE_IN_8,
                    "{%8, %9, %10, %11, %12, %13, %14, %15}, "
                    "{%16, %17, %18, %19, %20, %21, %22, %23}, "
                    "{%24, %25, %26, %27, %28, %29, %30, %31};")
SOFTDEVICE_PRODUCTS(__nv_bfloat16, "f32.bf16.bf16.f32", SOFTDEVICE_IN_4,
                    "{%8, %9, %10, %11}, {%12, %13, %14, %15}, "
                    "{%16, %17, %18, %19, %20, %21, %22, %23};")

#undef SOFTDEVICE_PRODUCTS
#undef SOFTDEVICE_PRODUCT
#undef SOFTDEVICE_IN_8
#undef SOFTDEVICE_IN_4
#undef SOFTDEVICE_IN
#undef SOFTDEVICE_OUT_8
#undef SOFTDEVICE_OUT_4

}  // namespace wmma
}  // namespace nvcuda

#endif
