/* The words of CUDA C that say where a function runs and where a variable is,
 * as attributes that clang knows. */
#ifndef SOFTDEVICE_HOST_DEFINES_H
#define SOFTDEVICE_HOST_DEFINES_H

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))

/* Takes the threads of a block, and the blocks of a multiprocessor; clang 14
 * has no third number, for the blocks of a cluster. */
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

/* clang has no word for these: `softdevice cc` turns the annotations into
 * directives of PTX. */
#define SOFTDEVICE_CLUSTER_DIMS(x, y, z, ...)                                  \
  __attribute__((annotate("softdevice.cluster_dims", (x), (y), (z))))
#define __cluster_dims__(...) SOFTDEVICE_CLUSTER_DIMS(__VA_ARGS__, 1, 1, 1)
#define __maxnreg__(n) __attribute__((annotate("softdevice.maxnreg", (n))))
#define __grid_constant__ __attribute__((annotate("softdevice.grid_constant")))

#define __forceinline__ __inline__ __attribute__((always_inline))
/* __noinline__ is left to clang, which has it as a word of its own from
 * version 15 on; libstdc++ uses it inside __attribute__((…)). */
#ifndef __noinline__
#define __noinline__ __attribute__((noinline))
#endif
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#ifndef __restrict__
#define __restrict__ __restrict
#endif

/* __managed__ isn't there: clang has it for HIP only. A program that uses it
 * stops at the word, with its line. */

/* How this folder's own functions are declared: for devices, for devices but
 * not necessarily inline, and for both. What they do belongs to the line that
 * calls them: they have no lines of their own. */
#define SOFTDEVICE_OWN __attribute__((nodebug))
#define SOFTDEVICE_CALL SOFTDEVICE_OWN static __device__ __forceinline__
#define SOFTDEVICE_MATH SOFTDEVICE_OWN static __device__ inline
#define SOFTDEVICE_BOTH                                                        \
  SOFTDEVICE_OWN static __host__ __device__ __forceinline__

#endif
