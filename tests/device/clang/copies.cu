/* Structures are copied by one warp, in each of the ways that code has for it.
 * Each kernel copies `from`, and may change one member, so that the host knows
 * every byte that must arrive. */
#include <stdio.h>
#include <string.h>

enum { THREADS = 32, MOST_BYTES = 64 };

struct alignas(16) pointers {
  float *one, *other;
};

struct alignas(16) mixed {
  char c;
  short s;
  float f;
  double d;
};

struct alignas(16) bytes {
  unsigned char b[16];
};

union alignas(16) either {
  float f[4];
  uint4 u;
};

struct two {
  float4 a, b;
};

struct alignas(32) four {
  double2 d[4];
};

/* Of 16 bytes, but anywhere. */
struct loose {
  float x, y, z, w;
};

template <class T> __global__ void plain(T *to, const T *from)
{
  to[threadIdx.x] = from[threadIdx.x];
}

template <class T> __global__ void by_value(T *to, const T *from)
{
  T value = from[threadIdx.x];
  T another;
  another = value;
  to[threadIdx.x] = another;
}

template <class T> __global__ void through_shared(T *to, const T *from)
{
  __shared__ T all[THREADS];
  all[threadIdx.x] = from[threadIdx.x];
  __syncthreads();
  to[threadIdx.x] = all[THREADS - 1 - threadIdx.x];
  __syncthreads();
  to[threadIdx.x] = all[threadIdx.x];
}

/* The number in the middle is doubled; what is around it stays. */
__global__ void doubled(float4 *to, const float4 *from)
{
  float4 value = from[threadIdx.x];
  value.y *= 2;
  to[threadIdx.x] = value;
}

/* Only two members are used, of a vector that nvcc loads as a whole. */
__global__ void outer(float2 *to, const float4 *from)
{
  float4 value = from[threadIdx.x];
  to[threadIdx.x] = make_float2(value.x, value.w);
}

/* A pointer goes through memory and is then followed. */
__global__ void followed(float *to, const struct pointers *from)
{
  struct pointers value = from[threadIdx.x];
  to[threadIdx.x] = *value.one + *value.other;
}

/* The copy on itself, which memcpy allows in C. */
__global__ void on_itself(float4 *to, int i)
{
  to[threadIdx.x + i] = to[threadIdx.x];
}

static unsigned char host[THREADS * MOST_BYTES], back[sizeof host];
static unsigned char *d_from, *d_to;
static int n_wrong;

static void fill(void)
{
  unsigned x = 12345;
  for (size_t i = 0; i < sizeof host; i++)
    host[i] = (unsigned char)((x = x * 1103515245 + 12345) >> 16);
  /* A number that is none, with bits of its own. */
  memcpy(host, "\x01\x02\xa5\x7f\xff\xff\xff\xff", 8);
  cudaMemcpy(d_from, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(d_to, 0, sizeof back);
}

static void compare(const char *name, size_t n_bytes)
{
  cudaError_t error =
      cudaMemcpy(back, d_to, sizeof back, cudaMemcpyDeviceToHost);
  if (error != cudaSuccess || memcmp(back, host, n_bytes) != 0) {
    printf("%s: %s\n", name, cudaGetErrorString(error));
    n_wrong++;
  }
}

template <class T> static void copy(const char *name)
{
  fill();
  plain<<<1, THREADS>>>((T *)d_to, (const T *)d_from);
  compare(name, sizeof(T) * THREADS);
  fill();
  by_value<<<1, THREADS>>>((T *)d_to, (const T *)d_from);
  compare(name, sizeof(T) * THREADS);
  fill();
  through_shared<<<1, THREADS>>>((T *)d_to, (const T *)d_from);
  compare(name, sizeof(T) * THREADS);
}

/* struct mixed has a byte that no copy has to keep. */
static void copy_mixed(void)
{
  fill();
  plain<<<1, THREADS>>>((struct mixed *)d_to, (const struct mixed *)d_from);
  cudaMemcpy(back, d_to, sizeof back, cudaMemcpyDeviceToHost);
  for (int i = 0; i < THREADS; i++) {
    size_t at = i * sizeof(struct mixed);
    n_wrong +=
        back[at] != host[at] || memcmp(back + at + 2, host + at + 2, 14) != 0;
  }
}

static void change(void)
{
  float4 *value = (float4 *)host;
  float sums[THREADS];

  for (int i = 0; i < THREADS; i++)
    value[i] = make_float4(i, i + 0.5f, -i, 1.0f / (i + 1));
  cudaMemcpy(d_from, host, sizeof host, cudaMemcpyHostToDevice);
  doubled<<<1, THREADS>>>((float4 *)d_to, (const float4 *)d_from);
  for (int i = 0; i < THREADS; i++)
    value[i].y *= 2;
  compare("doubled", sizeof(float4) * THREADS);
  on_itself<<<1, THREADS>>>((float4 *)d_to, 0);
  compare("on itself", sizeof(float4) * THREADS);

  outer<<<1, THREADS>>>((float2 *)d_to, (const float4 *)d_from);
  float2 *pair = (float2 *)back;
  cudaMemcpy(back, d_to, sizeof back, cudaMemcpyDeviceToHost);
  for (int i = 0; i < THREADS; i++)
    n_wrong += pair[i].x != value[i].x || pair[i].y != value[i].w;

  struct pointers *at = (struct pointers *)host;
  for (int i = 0; i < THREADS; i++)
    at[i] = (struct pointers){ (float *)d_from + 4 * i,
                               (float *)d_from + 4 * i + 1 };
  cudaMemcpy(d_to, host, sizeof host, cudaMemcpyHostToDevice);
  followed<<<1, THREADS>>>((float *)(d_to + sizeof host / 2),
                           (const struct pointers *)d_to);
  cudaMemcpy(sums, d_to + sizeof host / 2, sizeof sums, cudaMemcpyDeviceToHost);
  for (int i = 0; i < THREADS; i++)
    n_wrong += sums[i] != i + (i + 0.5f);
}

int main(void)
{
  if (cudaMalloc(&d_from, sizeof host) != cudaSuccess ||
      cudaMalloc(&d_to, sizeof host) != cudaSuccess)
    return 1;
  copy<float4>("float4");
  copy<double2>("double2");
  copy<uint4>("uint4");
  copy<struct pointers>("pointers");
  copy<struct bytes>("bytes");
  copy<union either>("either");
  copy<struct two>("two");
  copy<struct four>("four");
  copy<struct loose>("loose");
  copy<float2>("float2");
  copy_mixed();
  change();
  printf("%d wrong\n", n_wrong);
  return cudaFree(d_from) != cudaSuccess || cudaFree(d_to) != cudaSuccess;
}
