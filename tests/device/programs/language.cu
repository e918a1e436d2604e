// C++ on the device: virtual calls, function pointers, recursion, lambdas,
// structs by value, new and delete, constant and dynamic shared memory.
#include <cassert>
#include <new>
#include "check.h"

struct shape {
  __device__ virtual ~shape() {}
  __device__ virtual float area() const = 0;
};
struct box : shape {
  float a, b;
  __device__ box(float x, float y) : a(x), b(y) {}
  __device__ float area() const override { return a * b; }
};
struct disc : shape {
  float r;
  __device__ disc(float x) : r(x) {}
  __device__ float area() const override { return 3 * r * r; }
};
__global__ void shapes(float *o)
{
  int t = threadIdx.x;
  shape *s = t % 2 ? (shape *)new box(t, 2) : (shape *)new disc(t);
  o[t] = s->area();
  delete s;
}
typedef int (*op)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int mul(int a, int b) { return a * b; }
__device__ __noinline__ int sub(int a, int b) { return a - b; }
__device__ op table[3] = { add, mul, sub };
__device__ op single = mul;
__global__ void pointers(int *o, op f)
{
  int t = threadIdx.x;
  o[t] = table[t % 3](t, 7) + f(t, 2);
}
__device__ __noinline__ int fib(int n)
{
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
__device__ __noinline__ int ackermann(int m, int n)
{
  return m == 0   ? n + 1
         : n == 0 ? ackermann(m - 1, 1)
                  : ackermann(m - 1, ackermann(m, n - 1));
}
__device__ void sort(int *a, int lo, int hi)
{
  if (lo >= hi)
    return;
  int p = a[(lo + hi) / 2], i = lo, j = hi;
  while (i <= j) {
    while (a[i] < p)
      i++;
    while (a[j] > p)
      j--;
    if (i <= j) {
      int x = a[i];
      a[i++] = a[j];
      a[j--] = x;
    }
  }
  sort(a, lo, j);
  sort(a, i, hi);
}
__global__ void recursion(int *o, int *a)
{
  o[threadIdx.x] = fib(threadIdx.x % 12);
  if (threadIdx.x == 0) {
    o[32] = ackermann(2, 3);
    sort(a, 0, 99);
  }
}
struct big {
  int v[40];
  double d;
  char c;
};
__device__ __noinline__ big twice(big b)
{
  for (int i = 0; i < 40; i++)
    b.v[i] *= 2;
  b.d *= 2;
  b.c++;
  return b;
}
__global__ void by_value(big b, big *o)
{
  b.v[threadIdx.x] += 1;
  o[threadIdx.x] = twice(b);
}
__constant__ float coefficients[5];
__constant__ struct {
  int a;
  double b;
} pair = { 7, 2.5 };
__device__ int global_array[16] = { 1, 2, 3 };
__managed__ int counted;
__global__ void memory(float *o)
{
  extern __shared__ float s[];
  __shared__ double d[32];
  int t = threadIdx.x;
  s[t] = t;
  d[t % 32] = t;
  __syncthreads();
  float x = 0;
  for (int i = 0; i < 5; i++)
    x = x * s[blockDim.x - 1 - t] + coefficients[i];
  o[t] = d[t % 32] < 0 ? 0 : x + pair.a + (float)pair.b + global_array[t % 16];
  atomicAdd(&counted, 1);
}
template <class F> __global__ void run(F f, int *o)
{
  o[threadIdx.x] = f(threadIdx.x);
}
template <class T, int N> struct vec {
  T v[N];
  __device__ T dot(const vec &o) const
  {
    T s = 0;
    for (int i = 0; i < N; i++)
      s += v[i] * o.v[i];
    return s;
  }
};
template <class T, int N> __global__ void __launch_bounds__(64, 2) dots(T *o)
{
  vec<T, N> a, b;
  for (int i = 0; i < N; i++)
    a.v[i] = i + threadIdx.x, b.v[i] = i;
  o[threadIdx.x] = a.dot(b);
}
template <class... A> __device__ int total(A... a) { return (a + ... + 0); }
__global__ void variadic(int *o)
{
  *o = total(1, 2, 3, 4);
  int x = 3;
  auto f = [&](int y) {
    x += y;
    return x;
  };
  f(4);
  o[1] = f(5);
}
__global__ void heap(int **p)
{
  p[threadIdx.x] = (int *)malloc(threadIdx.x * 4 + 4);
  for (int i = 0; i <= threadIdx.x; i++)
    p[threadIdx.x][i] = i;
}
__global__ void unheap(int **p, int *o)
{
  int s = 0;
  for (int i = 0; i <= threadIdx.x; i++)
    s += p[threadIdx.x][i];
  o[threadIdx.x] = s;
  free(p[threadIdx.x]);
}
struct node {
  node *next;
  int v;
};
__global__ void list(int *o)
{
  node *h = nullptr;
  for (int i = 0; i < 10; i++)
    h = new node{ h, i };
  int s = 0;
  while (h) {
    node *n = h->next;
    s = s * 3 + h->v;
    delete h;
    h = n;
  }
  *o = s;
}
__global__ void local(int *o)
{
  int a[64];
  for (int i = 0; i < 64; i++)
    a[(i * 5 + threadIdx.x) % 64] = i;
  o[threadIdx.x] = a[threadIdx.x] + a[63 - threadIdx.x];
  switch (threadIdx.x % 9) {
  case 0: o[threadIdx.x] += 1; break;
  case 1: o[threadIdx.x] ^= 5; break;
  case 2: o[threadIdx.x] *= 3;
  case 3: o[threadIdx.x] -= 4; break;
  case 4: o[threadIdx.x] |= 8; break;
  case 5: o[threadIdx.x] = 99; break;
  case 6: goto out;
  default: o[threadIdx.x] = ~o[threadIdx.x];
  }
out:
  assert(threadIdx.x < 64);
}
static int host_local(int t)
{
  int a[64];
  for (int i = 0; i < 64; i++)
    a[(i * 5 + t) % 64] = i;
  int o = a[t] + a[63 - t];
  switch (t % 9) {
  case 0: o += 1; break;
  case 1: o ^= 5; break;
  case 2: o *= 3;
  case 3: o -= 4; break;
  case 4: o |= 8; break;
  case 5: o = 99; break;
  case 6: break;
  default: o = ~o;
  }
  return o;
}
int main()
{
  float *f = managed<float>(64);
  int *o = managed<int>(64), *a = managed<int>(100);
  shapes<<<1, 64>>>(f);
  CUDA(cudaDeviceSynchronize());
  for (int t = 0; t < 64; t++)
    EXPECT(f[t] == (t % 2 ? t * 2 : 3 * t * t));
  op h;
  CUDA(cudaMemcpyFromSymbol(&h, single, sizeof h));
  pointers<<<1, 64>>>(o, h);
  CUDA(cudaDeviceSynchronize());
  for (int t = 0; t < 64; t++)
    EXPECT(o[t] == (t % 3 == 0 ? t + 7 : t % 3 == 1 ? t * 7 : t - 7) + 2 * t);
  for (int i = 0; i < 100; i++)
    a[i] = i * 37 % 101;
  recursion<<<1, 32>>>(o, a);
  CUDA(cudaDeviceSynchronize());
  int fibs[] = { 0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89 };
  for (int t = 0; t < 32; t++)
    EXPECT(o[t] == fibs[t % 12]);
  EXPECT(o[32] == 9);
  for (int i = 1; i < 100; i++)
    EXPECT(a[i - 1] <= a[i]);
  big b, *bo = managed<big>(32);
  for (int i = 0; i < 40; i++)
    b.v[i] = i;
  b.d = 1.25;
  b.c = 'a';
  by_value<<<1, 32>>>(b, bo);
  CUDA(cudaDeviceSynchronize());
  for (int t = 0; t < 32; t++)
    for (int i = 0; i < 40; i++)
      EXPECT(bo[t].v[i] == 2 * (i + (i == t)) && bo[t].d == 2.5 &&
             bo[t].c == 'b');
  float c[5] = { 1, 2, 3, 4, 5 };
  CUDA(cudaMemcpyToSymbol(coefficients, c, sizeof c));
  int ga[2] = { 50, 60 };
  CUDA(cudaMemcpyToSymbol(global_array, ga, sizeof ga, 4));
  memory<<<1, 64, 64 * 4>>>(f);
  CUDA(cudaDeviceSynchronize());
  EXPECT(counted == 64);
  for (int t = 0; t < 64; t++) {
    float x = 0, s = 63 - t;
    for (int i = 0; i < 5; i++)
      x = fmaf(x, s, c[i]);
    int g = t % 16 == 0 ? 1 : t % 16 == 1 ? 50 : t % 16 == 2 ? 60 : 0;
    EXPECT(f[t] == x + 7 + 2.5f + g);
  }
  int k = 5;
  run<<<1, 32>>>([=] __device__(int i) { return i * k; }, o);
  CUDA(cudaDeviceSynchronize());
  for (int t = 0; t < 32; t++)
    EXPECT(o[t] == 5 * t);
  double *dd = managed<double>(64);
  dots<double, 7><<<1, 64>>>(dd);
  CUDA(cudaDeviceSynchronize());
  for (int t = 0; t < 64; t++)
    EXPECT(dd[t] == 91 + 21 * t);
  variadic<<<1, 1>>>(o);
  CUDA(cudaDeviceSynchronize());
  EXPECT(o[0] == 10 && o[1] == 12);
  int **p = managed<int *>(64);
  heap<<<1, 64>>>(p);
  unheap<<<1, 64>>>(p, o);
  CUDA(cudaDeviceSynchronize());
  for (int t = 0; t < 64; t++)
    EXPECT(o[t] == t * (t + 1) / 2);
  list<<<1, 1>>>(o);
  CUDA(cudaDeviceSynchronize());
  int s = 0;
  for (int i = 9; i >= 0; i--)
    s = s * 3 + i;
  EXPECT(*o == s);
  local<<<1, 64>>>(o);
  CUDA(cudaDeviceSynchronize());
  for (int t = 0; t < 64; t++)
    EXPECT(o[t] == host_local(t));
  return failures != 0;
}
