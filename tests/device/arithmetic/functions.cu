// Mathematical functions of CUDA C on edge values and hashed arguments: one
// row a function, with the bits of its results.
#include <cstdint>
#include <cstdio>
#include <cstring>

enum { CASES = 192 };

template <typename T> struct arguments {
  T x[CASES], y[CASES];
};

#define UNARY(function)                                                        \
  struct of_##function {                                                       \
    static const char *name() { return #function; }                            \
    template <typename T> static __device__ T value(T x, T)                    \
    {                                                                          \
      return function(x);                                                      \
    }                                                                          \
  };
#define BINARY(function)                                                       \
  struct of_##function {                                                       \
    static const char *name() { return #function; }                            \
    template <typename T> static __device__ T value(T x, T y)                  \
    {                                                                          \
      return function(x, y);                                                   \
    }                                                                          \
  };
#define UNARY_BOTH(name) UNARY(name##f) UNARY(name)
#define BINARY_BOTH(name) BINARY(name##f) BINARY(name)

/* clang-format off */
#define EACH_UNARY(X) \
  X(sin) X(cos) X(tan) X(sinpi) X(cospi) X(asin) X(acos) X(atan) X(sinh) \
  X(cosh) X(tanh) X(asinh) X(acosh) X(atanh) X(exp) X(exp2) X(exp10) \
  X(expm1) X(log) X(log2) X(log10) X(log1p) X(logb) X(sqrt) X(rsqrt) X(cbrt) \
  X(rcbrt) X(erf) X(erfc) X(erfinv) X(erfcinv) X(erfcx) X(normcdf) \
  X(normcdfinv) X(tgamma) X(lgamma) X(j0) X(j1) X(y0) X(y1) X(ceil) X(floor) \
  X(trunc) X(round) X(rint) X(nearbyint)
#define EACH_BINARY(X) \
  X(pow) X(atan2) X(fmod) X(remainder) X(hypot) X(fmax) X(fmin) X(fdim) \
  X(copysign) X(nextafter)
/* clang-format on */

EACH_UNARY(UNARY_BOTH)
EACH_BINARY(BINARY_BOTH)
UNARY(__sinf)
UNARY(__cosf)
UNARY(__tanf)
UNARY(__expf)
UNARY(__exp10f)
UNARY(__logf)
UNARY(__log2f)
UNARY(__log10f)
UNARY(__saturatef)
UNARY(__frsqrt_rn)
BINARY(__powf)
BINARY(__fdividef)

template <typename F, typename T>
__global__ void results(const arguments<T> *in, T *out)
{
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < CASES)
    out[k] = F::value(in->x[k], in->y[k]);
}

static void must(cudaError_t error, const char *what)
{
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "error: %s: %s\n", what, cudaGetErrorString(error));
  exit(error == cudaErrorNoDevice ? 77 : 1);
}

static uint64_t hash(uint64_t x)
{
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

// Edges, then a third of any exponent, a third near 1, a third up to 1.
static uint64_t argument(unsigned k, unsigned source, unsigned mantissa,
                         unsigned exponent)
{
  uint64_t bias = (UINT64_C(1) << (exponent - 1)) - 1;
  uint64_t sign = UINT64_C(1) << (mantissa + exponent);
  uint64_t infinity = (2 * bias + 1) << mantissa, one = bias << mantissa;
  uint64_t h = hash(k + 1000 * source), e;
  const uint64_t edges[] = { 0,
                             sign,
                             one,
                             sign | one,
                             infinity,
                             sign | infinity,
                             infinity | 1 << 20,
                             1,
                             sign | 1,
                             infinity - 1,
                             sign | (infinity - 1),
                             UINT64_C(1) << mantissa,
                             one + 1,
                             one - 1,
                             (bias + 1) << mantissa,
                             (bias - 1) << mantissa };
  enum { EDGES = sizeof edges / sizeof edges[0] };
  if (k < EDGES)
    return source == 0 ? edges[k] : edges[(k * 7 + 2) % EDGES];
  e = k % 3 == 0   ? h % (2 * bias + 1)
      : k % 3 == 1 ? bias + h % 9 - 3
                   : bias - 1 - h % 12;
  return (h & sign) | e << mantissa |
         (hash(h) & ((UINT64_C(1) << mantissa) - 1));
}

template <typename F, typename T, typename Bits>
static void print(unsigned mantissa, unsigned exponent)
{
  static arguments<T> in;
  static T out[CASES];
  arguments<T> *on_device;
  T *results_there;
  for (unsigned k = 0; k < CASES; k++) {
    Bits x = (Bits)argument(k, 0, mantissa, exponent);
    Bits y = (Bits)argument(k, 1, mantissa, exponent);
    memcpy(&in.x[k], &x, sizeof x);
    memcpy(&in.y[k], &y, sizeof y);
  }
  must(cudaMalloc(&on_device, sizeof in), "cudaMalloc");
  must(cudaMalloc(&results_there, sizeof out), "cudaMalloc");
  must(cudaMemcpy(on_device, &in, sizeof in, cudaMemcpyHostToDevice), "copy");
  results<F, T><<<CASES / 32, 32>>>(on_device, results_there);
  must(cudaGetLastError(), F::name());
  must(cudaMemcpy(out, results_there, sizeof out, cudaMemcpyDeviceToHost),
       F::name());
  printf("%s,", F::name());
  for (int k = 0; k < CASES; k++) {
    Bits bits;
    memcpy(&bits, &out[k], sizeof bits);
    printf("%s%0*llx", k == 0 ? "" : " ", (int)sizeof bits * 2,
           (unsigned long long)bits);
  }
  printf("\n");
  must(cudaFree(on_device), "cudaFree");
  must(cudaFree(results_there), "cudaFree");
}

#define PRINT_SINGLE(name) print<of_##name, float, uint32_t>(23, 8);
#define PRINT_BOTH(name)                                                       \
  print<of_##name##f, float, uint32_t>(23, 8);                                 \
  print<of_##name, double, uint64_t>(52, 11);

int main()
{
  printf("function,results\n");
  EACH_UNARY(PRINT_BOTH)
  EACH_BINARY(PRINT_BOTH)
  PRINT_SINGLE(__sinf)
  PRINT_SINGLE(__cosf)
  PRINT_SINGLE(__tanf)
  PRINT_SINGLE(__expf)
  PRINT_SINGLE(__exp10f)
  PRINT_SINGLE(__logf)
  PRINT_SINGLE(__log2f)
  PRINT_SINGLE(__log10f)
  PRINT_SINGLE(__saturatef)
  PRINT_SINGLE(__frsqrt_rn)
  PRINT_SINGLE(__powf)
  PRINT_SINGLE(__fdividef)
  return 0;
}
