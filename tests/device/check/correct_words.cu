// Loads that look like mistakes and are none: the one before a loop around
// atomicCAS, whose swap fails if the load came too early, and the one of the
// bits around a bit-field. `correct_words NAME` runs a case, `correct_words`
// lists them; the checks must be silent about each, in a debug build, too.
#include <stdio.h>
#include <string.h>

#define THREADS 128

struct quad {
  alignas(16) unsigned x;
  unsigned y, z, w;
};

static __device__ double add_by_swap(double *at, double x)
{
  unsigned long long *word = (unsigned long long *)at;
  unsigned long long old = *word, expected;

  do {
    expected = old;
    old = atomicCAS(word, expected,
                    __double_as_longlong(x + __longlong_as_double(expected)));
  } while (expected != old);
  return __longlong_as_double(old);
}

static __device__ void max_by_swap(float *at, float x)
{
  float old = *at, expected;

  do {
    expected = old;
    old = __int_as_float(atomicCAS((int *)at, __float_as_int(expected),
                                   __float_as_int(fmaxf(x, expected))));
  } while (old != expected && old < x);
}

__global__ void sum_of_doubles(double *out)
{
  add_by_swap(&out[threadIdx.x % 3], threadIdx.x);
}

__global__ void greatest(float *out)
{
  __shared__ float greatest_of_block;

  if (threadIdx.x == 0)
    greatest_of_block = 0;
  __syncthreads();
  max_by_swap(&greatest_of_block, threadIdx.x);
  max_by_swap(out, threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0)
    out[1 + blockIdx.x] = greatest_of_block;
}

__global__ void halfwords(unsigned short *out)
{
  unsigned short old = out[0], expected;

  do {
    expected = old;
    old = atomicCAS(out, expected, (unsigned short)(expected + 3));
  } while (old != expected);
}

__global__ void wide_words(quad *out)
{
  quad old = *out, expected;

  do {
    expected = old;
    quad more = { old.x + 1, old.y + 2, old.z + 3, old.w + 4 };
    old = atomicCAS(out, expected, more);
  } while (old.x != expected.x || old.w != expected.w);
}

__global__ void load_in_the_loop(unsigned *out)
{
  for (;;) {
    unsigned old = *out;

    if (old == 0xffffffff)
      break;
    if (atomicCAS(out, old, old | 1u << threadIdx.x % 32) == old)
      break;
  }
}

// The address is in a register that the loop writes again, but not between the
// load and its swap.
__global__ void column_by_swaps(unsigned *out, unsigned *end)
{
  for (unsigned *at = out + threadIdx.x % 4; at < end; at += 4) {
    unsigned old = *at, expected;

    do {
      expected = old;
      old = atomicCAS(at, expected, 2 * expected + 1);
    } while (old != expected);
  }
}

// The loaded value goes through a copy that comes after the swap in the text.
__global__ void copied_further_down(unsigned *out)
{
  unsigned old, n = 0;

  do
    asm volatile("{\n"
                 ".reg .u32 loaded, copy, compared, found;\n"
                 ".reg .pred same;\n"
                 "ld.u32 loaded, [%1];\n"
                 "bra COPY;\n"
                 "SWAP:\n"
                 "mov.u32 compared, copy;\n"
                 "atom.cas.b32 found, [%1], compared, %2;\n"
                 "setp.eq.u32 same, found, compared;\n"
                 "selp.u32 %0, 1, 0, same;\n"
                 "bra END;\n"
                 "COPY:\n"
                 "mov.u32 copy, loaded;\n"
                 "bra SWAP;\n"
                 "END:\n"
                 "}"
                 : "=r"(old)
                 : "l"(out), "r"(blockIdx.x * THREADS + threadIdx.x + n++)
                 : "memory");
  while (old == 0);
}

struct fields {
  unsigned kind : 3, size : 13;
  unsigned rest : 16;
  unsigned char low : 4, high : 4;
  long long wide : 40;
};

__global__ void fields_of_new_memory(fields *made)
{
  fields *f = made + blockIdx.x * blockDim.x + threadIdx.x;

  f->size = threadIdx.x;
  __syncwarp();
  f->kind = 5;
  f->high = threadIdx.x;
  __syncwarp();
  f->low = 0;
  f->wide = threadIdx.x;
}

struct mixed {
  char mark;
  int number[2];
  short half;
};

static __device__ __noinline__ mixed make(int i)
{
  mixed m;

  m.mark = i;
  m.number[i & 1] = i;
  return m;
}

// Structs are handed on member by member, written or not.
__global__ void structs_handed_on(int *out)
{
  mixed m = make(threadIdx.x);
  mixed copy = m;
  fields f;

  f.kind = threadIdx.x;
  f.high = 7;
  f.low = 2;
  out[threadIdx.x] = copy.mark + copy.number[threadIdx.x & 1] + f.kind + f.low;
}

static const char *const names[] = {
  "sum_of_doubles",    "greatest",         "halfwords",
  "wide_words",        "load_in_the_loop", "fields_of_new_memory",
  "structs_handed_on", "column_by_swaps",  "copied_further_down",
};

int main(int argc, char **argv)
{
  const char *name = argc < 2 ? "" : argv[1];
  void *set, *fresh;
  cudaError_t error;

  if (argc < 2) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      puts(names[i]);
    return 0;
  }
  cudaMalloc(&set, 4096);
  cudaMalloc(&fresh, 4 * THREADS * sizeof(fields));
  cudaMemset(set, 0, 4096);
#define RUN(kernel, ...)                                                       \
  if (strcmp(name, #kernel) == 0)                                              \
  kernel<<<4, THREADS>>>(__VA_ARGS__)
  RUN(sum_of_doubles, (double *)set);
  RUN(greatest, (float *)set);
  RUN(halfwords, (unsigned short *)set);
#ifndef __CUDACC_DEBUG__
  RUN(wide_words, (quad *)set);  // else it goes through local memory
#endif
  RUN(load_in_the_loop, (unsigned *)set);
  RUN(column_by_swaps, (unsigned *)set, (unsigned *)set + 32);
  RUN(copied_further_down, (unsigned *)set);
  RUN(fields_of_new_memory, (fields *)fresh);
  if (strcmp(name, "structs_handed_on") == 0)
    structs_handed_on<<<1, THREADS>>>((int *)set);
  error = cudaDeviceSynchronize();
  if (error != cudaSuccess)
    printf("%s: %s\n", name, cudaGetErrorString(error));
  cudaFree(set);
  cudaFree(fresh);
  return error != cudaSuccess;
}
