/* The kernel that this chapter times, y = a x + y, with its vectors. */
#ifndef CODE_MEASURING_SAXPY_H
#define CODE_MEASURING_SAXPY_H

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/fill.h"
#include "common/memory.h"    /* and options.h */
#include "common/timing.h"

enum { BLOCK_THREADS = 256 };
static const float saxpy_factor = 0.5f;

// begin saxpy
__global__ void saxpy(float *y, const float *x, float a, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}
// end saxpy

// begin saxpy_amounts
/* y and x are read, y is written: 12 bytes per element. A multiplication and
 * an addition: 2 FLOP. */
static inline double saxpy_bytes(size_t n) { return 12.0 * n; }
static inline double saxpy_flop(size_t n) { return 2.0 * n; }
// end saxpy_amounts

/* d_y has GUARD_BYTES more than n elements. */
typedef struct {
  float *d_x, *d_y;
  size_t n;
} vectors;

static inline vectors vectors_new(random_source *random, size_t n)
{
  vectors v = {NULL, NULL, n};
  CUDA_CHECK(cudaMalloc(&v.d_x, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&v.d_y, n * sizeof(float) + GUARD_BYTES));
  poison_device(v.d_y, n * sizeof(float) + GUARD_BYTES);
  fill_device_floats(random, v.d_x, n);
  fill_device_floats(random, v.d_y, n);
  return v;
}

static inline void vectors_free(vectors *v)
{
  CUDA_CHECK(cudaFree(v->d_x));
  CUDA_CHECK(cudaFree(v->d_y));
}

static inline void saxpy_launch(const vectors *v)
{
  unsigned n_blocks = (unsigned)((v->n + BLOCK_THREADS - 1) / BLOCK_THREADS);
  saxpy<<<n_blocks, BLOCK_THREADS>>>(v->d_y, v->d_x, saxpy_factor, v->n);
  CUDA_CHECK_LAUNCH();
}

static inline float *vectors_host(size_t n)
{
  float *h = (float *)malloc(n * sizeof(float) + GUARD_BYTES);
  if (!h) {
    fprintf(stderr, "error: no host memory for %zu floats; try a smaller "
            "--size\n", n);
    exit(EXIT_FAILURE);
  }
  return h;
}

/* Does `run` launch the kernel just once, on all of the vectors? */
static inline int saxpy_check(const char *what, random_source *random,
                              size_t n, void (*run)(const vectors *, void *),
                              void *data)
{
  vectors v = vectors_new(random, n);
  float *x = vectors_host(n), *y = vectors_host(n), *got = vectors_host(n);
  CUDA_CHECK(cudaMemcpy(x, v.d_x, n * sizeof(float),
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(y, v.d_y, n * sizeof(float),
                        cudaMemcpyDeviceToHost));
  run(&v, data);
  CUDA_CHECK(cudaMemcpy(got, v.d_y, n * sizeof(float) + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < n; i++)
    y[i] = fmaf(saxpy_factor, x[i], y[i]);    /* as nvcc compiles it */
  int right = compare_floats(what, y, got, n) &
              compare_guard(what, got + n, GUARD_BYTES);
  free(x);
  free(y);
  free(got);
  vectors_free(&v);
  return right;
}

#endif
